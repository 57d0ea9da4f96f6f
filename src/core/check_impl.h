// What the checks of instructions share: a call under test, and names for messages.
#ifndef PTO_SRC_CORE_CHECK_IMPL_H_
#define PTO_SRC_CORE_CHECK_IMPL_H_

#include "src/core/execute.h"

namespace pto {

#define PTO_REGION "%dx%d"

// A call under test, and where its error goes.
struct Subject {
  pto_context* ctx;
  const OpInfo& op;
  const Args& args;
  pto_tile* const* tiles = args.tiles;
  const pto_tensor* tensor = args.tensor;

  const pto_tile& lead() const { return *tiles[op.lead]; }
  bool IsTensor(int i) const { return pto::IsTensor(op.operands[i].role); }
  DType DTypeOf(int i) const { return IsTensor(i) ? tensor->shape.dtype : tiles[i]->dtype(); }
  const char* LeadName() const { return op.operands[op.lead].name; }
  const pto_tile* tmp() const { return op.TmpIndex() < 0 ? nullptr : tiles[op.TmpIndex()]; }
  const char* Name(int i) const { return op.operands[i].name; }
  Extent ExtentOf(int i) const { return op.operands[i].extent; }
  Profile profile() const { return ctx->profile; }
  const char* ProfileName() const { return kProfileNames[static_cast<int>(ctx->profile)]; }

  template <class... Values>
  Status Fail(Rule rule, const char* operand, const char* format, Values... values) const {
// The format is a literal at each call below; -Wformat cannot follow it through a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    return ctx->error.Set(rule, op.name, operand, format, values...);
#pragma GCC diagnostic pop
  }
};

const char* LayoutName(const pto_tile& tile);
inline const char* LocationName(const pto_tile& tile) {
  return kLocationNames[static_cast<int>(tile.geometry.location)];
}

// Whether every destination of a call is empty: then it succeeds and changes nothing. Precondition: the tiles and the
// tensor that the call needs are there.
bool WritesNothing(const OpInfo& op, const Args& args);

// The value of a mode of the call, which is known; 0 where the instruction does not take it: src/core/check.cc.
int32_t ModeOf(const Subject& s, const ModeInfo& mode);

// A rule of elements that move by indices and patterns, of records and counts: src/core/check_irregular.cc.
Status CheckIrregularRule(const Subject& s, Rule rule);

// A rule of MGATHER and MSCATTER: src/core/check_table.cc.
Status CheckTableRule(const Subject& s, Rule rule);

// A rule of TIMG2COL: src/core/image.cc.
Status CheckImageRule(const Subject& s, Rule rule);

// A rule of TLOAD and TSTORE, and those of where TMOV goes: src/core/check_move.cc. `i` is the tile among the
// operands of a transfer.
Status CheckTransferRule(const Subject& s, int i, Rule rule);
Status CheckLocationLoad(const Subject& s, int i);
Status CheckLocationMove(const Subject& s);
Status CheckScaleBoxes(const Subject& s);

// A rule of moves between tiles, and of what is converted on its way: src/core/check_move.cc.
Status CheckMoveRule(const Subject& s, Rule rule);
Status CheckConvertRule(const Subject& s, Rule rule);
// A rule of products of matrices: src/core/check_matrix.cc.
Status CheckMatrixRule(const Subject& s, Rule rule);

}  // namespace pto

#endif  // PTO_SRC_CORE_CHECK_IMPL_H_

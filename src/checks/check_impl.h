// What the checks of instructions share: a call under test, and names for messages.
#ifndef PTO_SRC_CHECKS_CHECK_IMPL_H_
#define PTO_SRC_CHECKS_CHECK_IMPL_H_

#include "src/checks/call.h"

namespace pto {

#define PTO_REGION "%dx%d"

// A call under test, and the place for its error.
struct Subject {
  pto_context* ctx;
  const OpInfo& op;
  const Args& args;
  pto_tile* const* tiles = args.tiles;
  const pto_tensor* tensor = args.tensor;
  Rule rule = Rule::kNull;  // that is being checked

  const pto_tile& lead() const { return *tiles[op.lead]; }
  bool IsTensor(int i) const { return pto::IsTensor(op.operands[i].role); }
  DType DTypeOf(int i) const { return IsTensor(i) ? tensor->shape.dtype : tiles[i]->dtype(); }
  DType LeadType() const { return DTypeOf(op.lead); }
  const char* LeadName() const { return op.operands[op.lead].name; }
  const pto_tile* tmp() const { return op.TmpIndex() < 0 ? nullptr : tiles[op.TmpIndex()]; }
  const char* Name(int i) const { return op.operands[i].name; }
  Extent ExtentOf(int i) const { return op.operands[i].extent; }
  Profile profile() const { return ctx->profile; }
  const ProfileInfo& facts() const { return Info(ctx->profile); }
  const char* ProfileName() const { return facts().name; }
  // Whether an operand that is valid in `has` rows or columns is one that needs `needs`.
  bool Covers(int32_t has, int32_t needs) const { return facts().equal_regions ? has == needs : has >= needs; }

  int32_t ModeOf(const ModeInfo& mode) const { return pto::ModeOf(op, args, mode); }

// Formats are literals at each call; -Wformat cannot follow them through a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  template <class... Values>
  Status FailBy(Rule broken, const char* operand, const char* format, Values... values) const {
    return ctx->error.Set(broken, op.name, operand, format, values...);
  }
  template <class... Values>
  Status Fail(const char* operand, const char* format, Values... values) const {
    return ctx->error.Set(rule, op.name, operand, format, values...);
  }
#pragma GCC diagnostic pop
};

const char* LayoutName(const pto_tile& tile);
inline const char* LocationName(const pto_tile& tile) { return Info(tile.geometry.location).name; }

// Checks one rule of the call, s.rule.
using CheckFunction = Status (*)(const Subject& s);
#define PTO_RULE(name, ...)
#define PTO_CHECK(name, check, ...) Status check(const Subject& s);
#include "src/records/rules/all.inc"

// Whether every destination of a call is empty: then it succeeds and changes nothing. Precondition: the tiles and the
// tensor that the call needs are there.
bool WritesNothing(const OpInfo& op, const Args& args);

}  // namespace pto

#endif  // PTO_SRC_CHECKS_CHECK_IMPL_H_

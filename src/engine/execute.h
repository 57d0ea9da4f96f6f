// The one way into every instruction, for the typed functions and for pto_inst.
//
//     Execute()      checks a call and runs it: the quick test of the usual call here, everything else in CheckAndRun()
//     Check()        src/checks/check.cc: the rules of the record
//     RunAny()       src/engine/walk.cc: the engine of the record, below, for a call that passed Check()
//     Run...()       an engine. Run() itself has the instructions that compute each element for itself
#ifndef PTO_SRC_ENGINE_EXECUTE_H_
#define PTO_SRC_ENGINE_EXECUTE_H_

#include <bit>
#include <cstdint>

#include "src/checks/call.h"
#include "src/engine/kept.h"
#include "src/engine/row_walks.h"
#include "src/engine/transfer.h"
#include "src/kernels/unroll.h"
#include "src/objects/context.h"
#include "src/objects/fp_env.h"
#include "src/records/op_info.h"

namespace pto {

// The part of a partial instruction's dst that only src fills: right of and below the
// rectangle of rows x cols. Both are row-major, and apart or the same elements.
void CopyRest(const pto_context& ctx, const pto_tile& dst, const pto_tile& src, int32_t rows, int32_t cols);

// Runs a call that Check() has passed: src/engine/walk.cc. Fails only when memory
// for operands that must be rearranged is out.
Status Run(pto_context* ctx, const OpInfo& op, const Args& args);

// The same for instructions whose operands are rows of different kinds: src/engine/rows.cc. With `direct`,
// QuickRows() has passed the call.
Status RunRows(pto_context* ctx, const OpInfo& op, const Args& args, bool direct);

// The same for moves between tiles: src/engine/rearrange.cc.
Status RunMove(pto_context* ctx, const OpInfo& op, const Args& args);
// A move that MovesWhole() and that QuickMove() has passed: tiles that share no byte.
void RunWholeMove(const pto_context& ctx, const OpInfo& op, const pto_tile& dst, const pto_tile& src);
// The same for images that become rows of patches: src/engine/image.cc.
Status RunImage(pto_context* ctx, const OpInfo& op, const Args& args);
// The same for products of matrices: src/engine/matmul.cc.
Status RunMatMul(pto_context* ctx, const OpInfo& op, const Args& args);
// Those that IsPlainProduct() has passed: src/engine/matmul_even.cc. With `fresh` from 0 on, else from what c holds.
Status RunProduct(pto_context* ctx, const OpInfo& op, const pto_tile& c, const pto_tile& a, const pto_tile& b,
                  bool fresh);

// The same for a transfer between a tile and a tensor: src/engine/transfer.cc.
Status RunTransfer(pto_context* ctx, const OpInfo& op, const Args& args);

// A transfer that QuickTransfer() has accepted.
void RunQuickTransfer(const pto_context& ctx, const OpInfo& op, const pto_tile& tile, const pto_tensor& tensor);

// Scratch for a call, nullptr for no bytes. Fails where memory is out.
inline Status TakeScratch(pto_context* ctx, const OpInfo& op, int64_t bytes, uint8_t** out) {
  *out = bytes == 0 ? nullptr : ctx->scratch.Take(bytes);
  if (bytes == 0 || *out != nullptr) return Status::kOk;
  return ctx->error.Set(Rule::kMemory, op.name, "", "no memory for %lld bytes of scratch",
                        static_cast<long long>(bytes));
}

// Check() and then one of these, for calls that are not usual.
Status CheckAndRun(pto_context* ctx, const OpInfo& op, const Args& args);

// src may be apart from dst or be dst; a partial overlap needs a copy of src.
inline bool Streams(const pto_tile& dst, const pto_tile& src) {
  return Apart(dst, src) | ((dst.data == src.data) & (dst.line == src.line));
}

// Fills in how a source moves beside dst; false when that is not simple. Here and below inlined always, as it
// is only a compare or two where the extent is known: gcc stops on its own where a unit has many callers.
[[gnu::always_inline]] inline bool QuickSource(const pto_tile& dst, const pto_tile& src, Extent extent, ptrdiff_t* line,
                                               int32_t* step) {
  *step = 1;
  if (extent == Extent::kRepeat) extent = src.ValidCols() == 1 ? Extent::kColumn : Extent::kSame;
  switch (extent) {
    case Extent::kSame:
      *line = src.line;
      return dst.valid == src.valid && Streams(dst, src);
    case Extent::kPart:
      *line = src.line;
      return Streams(dst, src);
    case Extent::kRow:
      *line = 0;
      return src.ValidRows() > 0 && src.ValidCols() >= dst.ValidCols() && Apart(dst, src);
    case Extent::kColumn:
      *line = src.layout.row_step;
      *step = 0;
      return src.ValidCols() == 1 && src.ValidRows() == dst.ValidRows() && Apart(dst, src);
    default:
      return false;
  }
}

// Sufficient for all rules of a record that has the element type in `quick`: the
// operands are row-major vector tiles of one element type, ready under the profile,
// with regions that match, and there is no flag. tests/unit holds it against Check().
// Makes the grid on the way, which may name the scalar: apart, so that the grid itself stays in registers. Inlined
// always: with the record known its loop is two lines and a dozen compares.
[[gnu::always_inline]] inline bool QuickCheck(const pto_context& ctx, const OpInfo& op, const Args& args, Grid* grid,
                                              uint64_t* scalar) {
  const QuickForm& form = op.form;
  const pto_tile* dst = args.tiles[0];
  if (form.sources < 0 || dst == nullptr) return false;
  uint64_t kinds = dst->kind & ~kKindDTypeMask;
  unsigned ready = dst->ready;
  bool full = !form.repeats;
  const void* data[kQuickSources] = {};
  ptrdiff_t line[kQuickSources] = {};
  int32_t step[kQuickSources] = {};
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kQuickSources; ++i) {
    if (i >= form.sources) break;
    const pto_tile* src = args.tiles[1 + i];
    if (src == nullptr) return false;
    // For one column the two unboxed layouts are the same.
    const bool column = form.extents[i] == Extent::kColumn || form.extents[i] == Extent::kRepeat;
    kinds |= (dst->kind ^ src->kind) & (column && src->geometry.cols == 1 ? ~kKindBLayoutMask : ~uint64_t{0});
    full |= src->valid == dst->valid;
    ready &= src->ready;
    const int at = form.at[i];
    data[at] = src->data;
    if (!QuickSource(*dst, *src, form.extents[i], &line[at], &step[at])) return false;
  }
  const auto profile = static_cast<unsigned>(ctx.profile);
  const unsigned quick = op.quick[profile] >> (dst->kind & kKindDTypeMask);
  if ((kinds | args.flags) != 0 || ((ready >> profile) & quick & 1U) == 0 || !full) return false;
  if (op.walk == Walk::kPartial) {
    const pto_tile& a = *args.tiles[1];
    const pto_tile& b = *args.tiles[2];
    if (!((dst->valid == a.valid && Within(b, *dst)) || (dst->valid == b.valid && Within(a, *dst)))) return false;
  }
  if (form.scalar >= 0) {
    if (!ScalarBits(*args.scalar, dst->dtype(), scalar)) return false;
    data[form.scalar] = scalar;
  }
  const int all = form.sources + (form.scalar >= 0 ? 1 : 0);
  const auto lines = static_cast<size_t>(dst->ValidRows());
  const auto count = static_cast<size_t>(dst->ValidCols());
  const int b = all == 1 ? 0 : 1;
  *grid = {dst->data, data[0], data[b], dst->line, line[0], line[b], step[0], step[b], lines, count};
  if (all == 3) {
    grid->c = data[2];
    grid->c_line = line[2];
  }
  return true;
}

// An operand by rows has the region that every profile requires beside the lead operand.
[[gnu::always_inline]] inline bool QuickRegion(const pto_tile& lead, const pto_tile& tile, Extent extent) {
  const auto& fit = Info(extent).fit;
  if (fit.rows == Fit::kEqual && fit.cols == Fit::kEqual) return tile.valid == lead.valid;
  return Fits(fit.rows, lead.ValidRows(), tile.ValidRows(), tile) &&
         Fits(fit.cols, lead.ValidCols(), tile.ValidCols(), tile);
}

// As QuickCheck(), for operands by rows: sufficient for all rules of a record that has the element type in `quick`,
// and for every operand to be used where it lies. tests/unit holds it against Check(), too.
[[gnu::always_inline]] inline bool QuickRows(const pto_context& ctx, const OpInfo& op, const Args& args) {
  const pto_tile* lead = args.tiles[op.lead];
  if (lead == nullptr) return false;
  const auto profile = static_cast<unsigned>(ctx.profile);
  uint64_t kinds = args.flags;
  unsigned ready = lead->ready;
  bool fits = lead->ValidRows() > 0 && lead->ValidCols() > 0;
  if (op.Has(Rule::kEvenCols)) fits &= lead->ValidCols() % 2 == 0;
  if (op.FindsPlaces()) fits &= args.tiles[1] != nullptr && HoldsPlaces(args.tiles[1]->dtype(), PlacesOf(op, *lead));
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kMaxTiles; ++i) {
    if (i >= op.Needed()) break;
    const pto_tile* tile = args.tiles[i];
    if (tile == nullptr) return false;
    const Operand& operand = op.operands[i];
    const bool column = operand.extent == Extent::kRowResults && tile->geometry.cols == 1;
    kinds |= tile->kind & ~kKindDTypeMask & (column ? ~kKindBLayoutMask : ~uint64_t{0});
    ready &= tile->ready;
    const int like = op.like.at[i];
    fits &= like == i && i != op.lead
                ? (operand.types->of[profile][lead->kind & kKindDTypeMask] & Bit(tile->dtype())) != 0
                : tile->dtype() == args.tiles[like]->dtype();
    fits &= QuickRegion(*lead, *tile, operand.extent);
    PTO_UNROLL_WHOLE
    for (int k = 0; k < kMaxTiles; ++k) {
      if (k >= op.Outputs() || k >= i || (IsWritten(operand.role) && !op.Has(Rule::kDstsApart))) break;
      const pto_tile& out = *args.tiles[k];
      const bool beside = !IsWritten(operand.role) && !op.Shuffles() && operand.extent == Extent::kSame &&
                          op.operands[k].extent == Extent::kSame;
      fits &=
          Apart(out, *tile) || (beside && out.data == tile->data && out.kind == tile->kind && out.line == tile->line);
    }
  }
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kMaxOperands; ++i) {
    if (op.operands[i].role != Role::kMode) continue;
    fits &= static_cast<uint32_t>(args.numbers[op.NumberOf(i)]) < static_cast<uint32_t>(op.operands[i].mode->Count());
  }
  uint64_t bits = 0;
  if (op.ScalarIndex() >= 0 && fits) fits = ScalarBits(*args.scalar, ScalarType(op, ctx.profile, args.tiles), &bits);
  const unsigned quick = op.quick[profile] >> (lead->kind & kKindDTypeMask);
  return kinds == 0 && ((ready >> profile) & quick & 1U) != 0 && fits;
}

// Whether the context's profile has no device rules, and the tiles are ready for it.
inline bool ReadyOnCpu(const pto_context& ctx, int ready) {
  return ((ready & profiles::kCpu) >> static_cast<int>(ctx.profile) & 1) != 0;
}

// The same for whole tiles that move under CPU, whatever their layouts.
inline bool QuickMove(const pto_context& ctx, const OpInfo& op, const Args& args) {
  const pto_tile* dst = args.tiles[0];
  const pto_tile* src = args.tiles[1];
  if (dst == nullptr || src == nullptr || args.flags != 0) return false;
  if (op.TmpIndex() >= 0 && args.tiles[op.TmpIndex()] != nullptr) return false;
  const bool turned = op.operands[0].extent == Extent::kTransposed;
  const bool types = ((dst->kind ^ src->kind) & kKindDTypeMask) == 0 && (dst->kind & kKindPacked) == 0;
  if ((op.in_vec & profiles::kCpu) != 0 && ((dst->kind | src->kind) & kKindLocationMask) != 0) return false;
  const uint64_t valid = turned ? std::rotl(src->valid, 32) : src->valid;
  const Geometry &to = dst->geometry, &from = src->geometry;
  // Compact tiles may store fewer rows than they have.
  const bool plain = to.compact == Compact::kNull && from.compact == Compact::kNull;
  const bool shapes = op.Pads() ? plain && to.rows == from.rows && to.cols == from.cols : dst->valid == valid;
  return types && ReadyOnCpu(ctx, dst->ready & src->ready) && shapes && (op.dtypes[0] & Bit(dst->dtype())) != 0 &&
         Apart(*dst, *src);
}

// The same for a tile and a tensor of its width that share no byte, under CPU: bits move, and nothing is added.
[[gnu::always_inline]] inline bool QuickTransfer(const pto_context& ctx, const OpInfo& op, const Args& args) {
  if (!op.MovesTensor()) return false;
  const pto_tile* tile = args.tiles[1 - op.TensorIndex()];
  const pto_tensor* tensor = args.tensor;
  if (tile == nullptr || tensor == nullptr || args.flags != 0) return false;
  const bool width =
      (tile->kind & kKindPacked) == 0 && Info(tensor->shape.dtype).bits == int64_t{tile->ElementBytes()} * 8;
  const MatrixView& view = tensor->view;
  const bool covers = view.rows.extent >= tile->ValidRows() && view.cols.extent >= tile->ValidCols();
  const bool apart = !op.Stores() || view.injective;
  return width && covers && apart && ReadyOnCpu(ctx, tile->ready) && !Overlap(*tile, *tensor);
}

// The operands of RunProduct(), if it is correct: the factors are last and keep their types, the result begins at
// zero or continues from itself and shares no byte with them.
[[gnu::always_inline]] inline bool IsPlainProduct(const OpInfo& op, const Args& args) {
  const int left = op.Inputs() - 1;
  if (op.operands[left].extent != Extent::kLeft || MadOf(args) != Mad::kNone) return false;
  const pto_tile* c = args.tiles[0];
  const pto_tile* a = args.tiles[left];
  const pto_tile* b = args.tiles[left + 1];
  if (c == nullptr || a == nullptr || b == nullptr || (left == 2 && args.tiles[1] != c)) return false;
  const DType factor = a->dtype();
  const DType sum = factor == DType::kI8 ? DType::kI32 : DType::kF32;
  const bool types = b->dtype() == factor && c->dtype() == sum && (Bit(factor) & (dtypes::kFloats | dtypes::kI8)) != 0;
  return types && c->layout.RowsContiguous() && Apart(*c, *a) && Apart(*c, *b);
}

inline Status RunPlainProduct(pto_context* ctx, const OpInfo& op, const Args& args) {
  const int left = op.Inputs() - 1;
  return RunProduct(ctx, op, *args.tiles[0], *args.tiles[left], *args.tiles[left + 1], left == 1);
}

// As QuickMove(), for such products under CPU.
[[gnu::always_inline]] inline bool QuickProduct(const pto_context& ctx, const OpInfo& op, const Args& args) {
  if (args.flags != 0 || !IsPlainProduct(op, args)) return false;
  const int left = op.Inputs() - 1;
  const pto_tile* c = args.tiles[0];
  const pto_tile* a = args.tiles[left];
  const pto_tile* b = args.tiles[left + 1];
  return ReadyOnCpu(ctx, c->ready & a->ready & b->ready) && a->ValidCols() == b->ValidRows() &&
         a->ValidRows() >= c->ValidRows() && b->ValidCols() >= c->ValidCols();
}

// Every call ends here. A failing call writes nothing and leaves its text in ctx. Inline, so
// that an entry point folds its record into the few compares of the usual call; every other call
// calls Check() and Run(). With `kept` a usual call is kept there; if it is `known` that one was, and fits, its
// test is left out.
[[gnu::always_inline]] inline Status Execute(pto_context* ctx, const OpInfo& op, const Args& args, Kept* kept = nullptr,
                                             bool known = false) {
  const auto keep = [&] {
    if (kept != nullptr && !known) kept->Keep(*ctx, args.tiles);
  };
  Grid grid{};
  uint64_t scalar = 0;
  if (op.form.sources >= 0 && ctx != nullptr && QuickCheck(*ctx, op, args, &grid, &scalar)) [[likely]] {
    const pto_tile& dst = *args.tiles[0];
    const DefaultFpEnv fp_env(Rounds(op.lane, dst.dtype()));
    const pto_tile* narrow = nullptr;
    if (op.walk == Walk::kPartial) {
      // Where both sources are valid.
      narrow = args.tiles[1]->valid == dst.valid ? args.tiles[2] : args.tiles[1];
      grid.lines = static_cast<size_t>(narrow->ValidRows());
      grid.count = static_cast<size_t>(narrow->ValidCols());
    }
    const Kernel& kernel = ctx->kernels->at[static_cast<int>(op.lane)][dst.kind & kKindDTypeMask];
    Call(kernel, grid);
    const bool whole = op.walk != Walk::kPartial || narrow->valid == dst.valid;
    if (kept != nullptr && whole) {
      kept->KeepGrid(*ctx, args.tiles, kernel, grid, &scalar, Rounds(op.lane, dst.dtype()));
    }
    if (op.walk == Walk::kPartial && !whole) [[unlikely]] {
      CopyRest(*ctx, dst, narrow == args.tiles[1] ? *args.tiles[2] : *args.tiles[1], narrow->ValidRows(),
               narrow->ValidCols());
    }
    return Status::kOk;
  }
  if (op.ByRows() && op.quick[0] != 0 && ctx != nullptr && (known || QuickRows(*ctx, op, args))) [[likely]] {
    keep();
    if (IsRowWalk(op.walk)) {
      const pto_tile& dst = *args.tiles[0];
      const pto_tile& src = *args.tiles[1];
      const DefaultFpEnv fp_env(((Bit(dst.dtype()) | Bit(src.dtype())) & ~dtypes::kIntegers) != 0);
      RunRowWalk(ctx, op, args.numbers, args.tiles, InPlace(dst), InPlace(src));
      return Status::kOk;
    }
    return RunRows(ctx, op, args, true);
  }
  if (op.MovesWhole() && ctx != nullptr && (known || QuickMove(*ctx, op, args))) [[likely]] {
    keep();
    RunWholeMove(*ctx, op, *args.tiles[0], *args.tiles[1]);
    return Status::kOk;
  }
  if (op.MovesTensor() && ctx != nullptr && (known || QuickTransfer(*ctx, op, args))) [[likely]] {
    keep();
    RunQuickTransfer(*ctx, op, *args.tiles[1 - op.TensorIndex()], *args.tensor);
    return Status::kOk;
  }
  if (op.walk == Walk::kMatMul && ctx != nullptr && (known || QuickProduct(*ctx, op, args))) {
    keep();
    return RunPlainProduct(ctx, op, args);
  }
  return CheckAndRun(ctx, op, args);
}

}  // namespace pto

#endif  // PTO_SRC_ENGINE_EXECUTE_H_

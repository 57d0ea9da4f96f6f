// The rows of SIMT: scalar statements that up to 2048 work items run side by side, in groups of 32.
//
//   where     statements                                   what runs them
//   host      store_vfsimt_info (and simt_launch, which is a call: statements.h)          simt.cc
//   item      coordinates, votes, shuffles, sums of a group, barriers, keep and resume    simt.cc
//   anywhere  ldg, stg, atomics, arithmetic on numbers and on vectors of two              simt_run.cc
#ifndef PTO_SRC_PTOAS_VECTOR_ROWS_SIMT_H_
#define PTO_SRC_PTOAS_VECTOR_ROWS_SIMT_H_

#include "src/ptoas/vector/row_makers.h"

namespace pto::ptoas::vec::rows {

enum : NumberSet {
  kNumI8 = 1,
  kNumI16 = 2,
  kNumI32 = 4,
  kNumI64 = 8,
  kNumF16 = 16,
  kNumBF16 = 32,
  kNumF32 = 64,
  kNumF64 = 128,
  kTwoF16 = 256,
  kTwoBF16 = 512,
  kTwoF32 = 1024,
  kTwoE4M3 = 2048,
  kTwoE5M2 = 4096,
  kNumI1 = 8192,
};
// In the same order.
inline constexpr std::string_view kNumberNames[] = {"i8",
                                                    "i16",
                                                    "i32",
                                                    "i64",
                                                    "f16",
                                                    "bf16",
                                                    "f32",
                                                    "f64",
                                                    "vector<2xf16>",
                                                    "vector<2xbf16>",
                                                    "vector<2xf32>",
                                                    "vector<2xf8E4M3FN>",
                                                    "vector<2xf8E5M2>",
                                                    "i1"};
inline constexpr NumberSet kNumInts = kNumI8 | kNumI16 | kNumI32 | kNumI64;
inline constexpr NumberSet kNumBits = kNumI32 | kNumI64;
inline constexpr NumberSet kTwoHalves = kTwoF16 | kTwoBF16;
inline constexpr NumberSet kInMemory =
    kNumInts | kNumF16 | kNumBF16 | kNumF32 | kNumF64 | kTwoHalves | kTwoF32 | kTwoE4M3 | kTwoE5M2;
inline constexpr NumberSet kShuffled = kNumBits | kNumF16 | kNumF32 | kTwoF16;
inline constexpr NumberSet kReduced = kNumI32 | kNumF16 | kNumF32;
inline constexpr NumberSet kAdded = kNumBits | kNumF16 | kNumBF16 | kNumF32 | kTwoHalves;
inline constexpr NumberSet kSwapped = kNumBits | kNumF32 | kTwoHalves;
inline constexpr NumberSet kKept = kNumInts | kNumI1 | kNumF16 | kNumBF16 | kNumF32;
inline constexpr NumberSet kRounded = kNumF16 | kNumBF16 | kNumF32;
inline constexpr NumberSet kCurved = kNumF16 | kNumF32 | kTwoF16;

inline constexpr ClauseInfo kCaches[] = {{"l1cache"}, {"l2cache"}};
inline constexpr ClauseInfo kAtomicWords[] = {{"l2cache"}, {"signed"}, {"unsigned"}};
inline constexpr std::span<const ClauseInfo> kSignWords = std::span(kAtomicWords).subspan(1);
inline constexpr ClauseInfo kConvertWords[] = {{"round"}, {"sat"}, {"nosat"}, {"signed"}, {"unsigned"}};

constexpr Op Simt(std::string_view name, std::string_view takes, std::string_view makes, NumberSet numbers, Scope scope,
                  std::string_view does) {
  Op op = Judged(In(Make(name, Family::kSimt, takes, makes, kAny, does), scope), Also::kSimt);
  op.numbers = numbers;
  return op;
}
constexpr Op Signed(Op op, Signs signs, std::span<const ClauseInfo> clauses = kSignWords) {
  op.signs = signs;
  op.clauses = clauses;
  return op;
}
constexpr Op Math(std::string_view name, std::string_view takes, NumberSet numbers, ArithOp arith,
                  std::string_view does) {
  Op op = Simt(name, takes, "e", numbers, Scope::kAnywhere, does);
  op.arith = arith;
  return op;
}
constexpr Op Query(std::string_view name, std::string_view does, std::string_view makes = "i32") {
  return Simt(name, "", makes, 0, Scope::kItem, does);
}
// A statement at which the work items of a group meet.
constexpr Op Meet(std::string_view name, std::string_view takes, std::string_view makes, NumberSet numbers,
                  std::string_view does) {
  Op op = Simt(name, takes, makes, numbers, Scope::kItem, does);
  op.group = true;
  return op;
}
constexpr Op Shuffle(std::string_view name, std::string_view does) {
  Op op = Meet(name, "e i32", "e", kShuffled, does);
  op.integer = "width";
  return op;
}
constexpr Op Slot(std::string_view name, std::string_view takes, std::string_view makes, std::string_view does) {
  Op op = Simt(name, takes, makes, kKept, Scope::kItem, does);
  op.integer = "slot";
  return op;
}
constexpr Op Atomic(std::string_view name, NumberSet numbers, Signs signs, std::string_view does,
                    std::string_view takes = "q e") {
  return Signed(Simt(name, takes, "e", numbers, Scope::kAnywhere, does), signs, kAtomicWords);
}

// In the order of names.
inline constexpr Op kSimtOps[] = {
    Math("absf", "e", kNumF32 | kTwoHalves, ArithOp::kAbsF, "|a|."),
    Atomic("atomic_add", kAdded, Signs::kMay, "Adds to an element and makes the old one. Floats round once."),
    Atomic("atomic_and", kNumBits, Signs::kMay, "Combines the bits by and; makes the old element."),
    Atomic("atomic_cas", kSwapped, Signs::kMay,
           "Stores the third operand if the element has the bits of the second one; makes the old element.", "q e e"),
    Atomic("atomic_exch", kAdded, Signs::kMay, "Stores a number and makes the old element."),
    Atomic("atomic_max", kAdded, Signs::kMust, "Stores the larger one and makes the old element."),
    Atomic("atomic_min", kAdded, Signs::kMust, "Stores the smaller one and makes the old element."),
    Atomic("atomic_or", kNumBits, Signs::kMay, "Combines the bits by or; makes the old element."),
    Atomic("atomic_sub", kAdded, Signs::kMay, "Subtracts from an element and makes the old one."),
    Atomic("atomic_xor", kNumBits, Signs::kMay, "Combines the bits by exclusive or; makes the old element."),
    Math("ceil", "e", kRounded, ArithOp::kCeil, "The nearest integer that is not below a."),
    Signed(Simt("convert", "E", "E", 0, Scope::kAnywhere, "A number of another type, rounded by `round`."), Signs::kMay,
           kConvertWords),
    Math("exp", "e", kCurved, ArithOp::kExp, "e ** a."),
    Math("floor", "e", kRounded, ArithOp::kFloor, "The nearest integer that is not above a."),
    Math("fma", "e e e", kRounded | kTwoHalves, ArithOp::kFma, "a * b + c, rounded once."),
    Math("fmax", "e e", kNumF32 | kNumBF16 | kTwoHalves, ArithOp::kMaxNumF, "The larger; a number if one is NaN."),
    Math("fmin", "e e", kNumF32 | kNumBF16 | kTwoHalves, ArithOp::kMinNumF, "The smaller; a number if one is NaN."),
    Query("get_block_dim_x", "How many work items the launch has along x."),
    Query("get_block_dim_y", "How many work items the launch has along y."),
    Query("get_block_dim_z", "How many work items the launch has along z."),
    Query("get_block_idx_x", "0."),
    Query("get_block_idx_y", "0."),
    Query("get_block_idx_z", "0."),
    Query("get_clock32", "A number that grows with each statement of the launch."),
    Query("get_clock64", "A number that grows with each statement of the launch.", "i64"),
    Query("get_grid_dim_x", "0."),
    Query("get_grid_dim_y", "0."),
    Query("get_grid_dim_z", "0."),
    Query("get_laneid", "The number of the work item in its group, 0 to 31."),
    Query("get_lanemask_eq", "The bit of this work item in its group."),
    Query("get_lanemask_ge", "The bits of this work item and of those after it in its group."),
    Query("get_lanemask_gt", "The bits of the work items after this one in its group."),
    Query("get_lanemask_le", "The bits of this work item and of those before it in its group."),
    Query("get_lanemask_lt", "The bits of the work items before this one in its group."),
    Query("get_tid_x", "The place of the work item along x."),
    Query("get_tid_y", "The place of the work item along y."),
    Query("get_tid_z", "The place of the work item along z."),
    Query("get_veccoreid", "The number of the vector core: the block times its vector cores, plus the core."),
    Slot("keep", "e", "", "Leaves a number for the same work item of the next launch."),
    [] {
      Op op = Simt("ldg", "G", "e", kInMemory, Scope::kAnywhere, "An element of global memory.");
      op.clauses = kCaches;
      return op;
    }(),
    Math("log", "e", kCurved, ArithOp::kLog, "The natural logarithm of a."),
    Signed(Simt("mul_i32toi64", "i32 i32", "i64", 0, Scope::kAnywhere, "All 64 bits of a * b."), Signs::kMust),
    Signed(Simt("mulhi", "e e", "e", kNumBits, Scope::kAnywhere, "The upper half of a * b."), Signs::kMust),
    Math("pow", "e e", kCurved, ArithOp::kPowF, "a ** b."),
    Simt("prmt", "i32 i32 i32", "i32", 0, Scope::kAnywhere,
         "Four bytes: digit j of the third operand, modulo 8, chooses byte j among the bytes of b and then of a."),
    Signed(Meet("redux_add", "e", "e", kReduced, "The sum over the group, in the order of its work items."),
           Signs::kMay),
    Signed(Meet("redux_max", "e", "e", kReduced, "The largest number of the group."), Signs::kMust),
    Signed(Meet("redux_min", "e", "e", kReduced, "The smallest number of the group."), Signs::kMust),
    Slot("resume", "", "e", "The number that the same work item of the launch before kept."),
    Math("rint", "e", kRounded, ArithOp::kRoundEven, "The nearest integer, an even one of two."),
    Math("round", "e", kRounded, ArithOp::kRound, "The nearest integer, of two the one away from 0."),
    Shuffle("shuffle_bfly", "The number of the work item whose place differs in the bits of the second operand."),
    Shuffle("shuffle_down", "The number of a later work item; the second operand counts the places between."),
    Shuffle("shuffle_idx", "The number of the work item at a place."),
    Shuffle("shuffle_up", "The number of an earlier work item; the second operand counts the places between."),
    Math("sqrt", "e", kCurved, ArithOp::kSqrt, "The square root of a, correctly rounded."),
    [] {
      Op op = Simt("stg", "e G", "", kInMemory, Scope::kAnywhere, "Stores an element of global memory.");
      op.pointer_first = true;
      op.clauses = kCaches;
      return op;
    }(),
    Simt("store_vfsimt_info", "i32 i32 i32", "", 0, Scope::kHost,
         "How many work items later calls of SIMT functions have along z, y and x."),
    Meet("syncthreads", "", "", 0, "All work items of the launch meet."),
    Simt("threadfence", "", "", 0, Scope::kItem, "Orders memory of the work item for all others."),
    Simt("threadfence_block", "", "", 0, Scope::kItem, "Orders memory of the work item for its launch."),
    Meet("vote_all", "i1", "i1", 0, "Whether all work items of the group have true."),
    Meet("vote_any", "i1", "i1", 0, "Whether one work item of the group has true."),
    Meet("vote_ballot", "i1", "i32", 0, "A bit for each work item of the group that has true."),
    Meet("vote_uni", "i1", "i1", 0, "Whether all work items of the group have the same."),
};

}  // namespace pto::ptoas::vec::rows

#endif  // PTO_SRC_PTOAS_VECTOR_ROWS_SIMT_H_

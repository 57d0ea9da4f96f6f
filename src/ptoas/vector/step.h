// The execution of an operation of the vector level. A statement is resolved once: slots of its operands, kernels of
// its element type, codes of its modes. The function that executes it then looks nothing up.
#ifndef PTO_SRC_PTOAS_VECTOR_STEP_H_
#define PTO_SRC_PTOAS_VECTOR_STEP_H_

#include <bit>
#include <cstring>
#include <memory>
#include <span>

#include "src/kernels/convert.h"
#include "src/kernels/kernels.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/vector/choices.h"
#include "src/ptoas/vector/register.h"
#include "src/ptoas/vector/rows.h"

namespace pto::ptoas::vec {

// How sums leave the accumulator, resolved: see run_out.cc.
struct WayOut {
  enum class Scale : uint8_t { kNone, kPlain, kOne, kEach };  // of f32 to another float, by a number, by words
  enum class Relu : uint8_t { kNone, kZero, kOne, kEach };
  enum class Turn : uint8_t { kRows, kColumns };
  enum class Split : uint8_t { kNone, kRows, kColumns };
  Scale scale = Scale::kNone;
  Relu relu = Relu::kNone;
  Turn turn = Turn::kRows;
  Split split = Split::kNone;
  int8_t saturates = -1;  // below 0: by the control word
  bool keeps_nan = false;
  uint8_t scale_at = 0, relu_at = 0, clip_at = 0, lane_at = 0, loop_at = 0;  // operands; 0: none
};

// A scalar in each lane.
struct alignas(64) Lanes {
  uint8_t bytes[kRegisterBytes];
  uint64_t bits = 0;
  // The value that they are of; kNone: it was not kept.
  ValueKind kind = ValueKind::kNone;
  uint64_t value = 0;
};

struct Strip;

// How a statement takes part in a strip of a loop: see strip.h.
enum class Shape : uint8_t {
  kAlone,  // it does not
  kUnary,  // kernels over the lanes of v m; v v m; v s m, v h m; c a b m; a c s m
  kBinary,
  kScalar,
  kShift,
  kMulAdd,
  kAxpy,
  kTakeFirst,  // the first register, if all lanes are active
  kSame,       // the register, whatever the mask
  kLoad,
  kStore,
  kFirst,      // plt
  kPattern,    // pset
  kBroadcast,  // of a scalar
  kNothing,    // no effect
};

struct Step {
  Shape shape = Shape::kAlone;
  uint8_t prefix_width = 0;       // of kFirst and kPattern: bytes of a lane
  std::shared_ptr<Strip> strip;   // before the first statement of a loop
  RunStmt plain = nullptr;        // what a recorded run calls
  uint32_t in[kMostParams] = {};  // slots
  bool there[kMostParams] = {};   // whether the operand is a value; else it is written, or left out
  uint32_t out[4] = {};
  DType t = DType::kF32, u = DType::kF32;  // T, and the other register's; of the cube what is read first and second
  DType result = DType::kF32;              // of the cube: what is written
  Elem elem = Elem::kNone;                 // of T; of the pointer of a load or store, where it has no register
  uint8_t width = 0, other = 0;            // bytes of T and U
  uint8_t unit = 0;                        // bytes of the elements of the pointer
  int32_t code = 0;                        // of the mode
  WayOut out_way;
  int target = 0;
  Kernel kernel = {};
  Kernel second = {};
  ConvertKernel convert = {};
  ConvertKernel opposite = {};    // of vcvt: with the other saturation
  std::unique_ptr<Lanes> scalar;  // of the last execution: most scalars are the same in each round of a loop
  pto::Block copy = nullptr;      // 64 words, one after another
  void (*lanes)(uint8_t* dst, const uint8_t* a, const uint8_t* b) = nullptr;  // a loop over whole registers
  // Of SIMT: what the work items of a group do together, from the first one on.
  void (*group)(Machine& m, const Node& node, Launch& launch, int first, int count) = nullptr;

  int Count() const { return kRegisterBytes / width; }
};

using Lower = void (*)(const Stmt& stmt, Step* step);
struct OpRun {
  OpName name;
  RunStmt run;
  Lower lower = nullptr;
  Shape shape = Shape::kAlone;
  uint8_t prefix_width = 0;
};
using OpRuns = std::span<const OpRun>;
extern const OpRuns kComputeRuns, kConvertRuns, kMoveRuns, kMaskRuns, kMemoryRuns, kCopyRuns, kStateRuns, kSortRuns,
    kCubeRuns, kOutRuns, kSimtRuns;

// Resolves a statement and returns the function that executes it; nullptr: not executed.
RunStmt Resolve(const Stmt& stmt, int target, Step* step);

// ---- what functions are written with ---------------------------------------------------

inline const Register& In(const Step& step, Frame frame, int i) {
  return *static_cast<const Register*>(frame[step.in[i]].box());
}

// A register for a result: the present one if no other value shares it.
[[gnu::always_inline]] inline Register& NewRegister(Machine& m, const Node& node, Frame frame, uint32_t slot,
                                                    ValueKind kind) {
  const RunValue& value = frame[slot];
  auto* there = static_cast<Register*>(value.box());
  if (!value.Is(kind) || there->refs != 1) [[unlikely]]
    return m.NewRegister(node, frame, slot, kind);
  there->prefix = -1;
  return *there;
}

// All 256 bytes, in vectors as wide as the kernels': stores of another width are not forwarded to their loads.
inline void CopyRegister(const Step& s, void* to, const void* from) {
  s.copy(to, from, from, 0, 0, 0, 1, kRegisterBytes / 4, to, 0);
}

// Words of a register. Registers are bytes in the order of little-endian machines.
template <class Word>
Word Get(const uint8_t* bytes, int i) {
  Word word;
  std::memcpy(&word, bytes + static_cast<size_t>(i) * sizeof(Word), sizeof(Word));
  return word;
}
template <class Word>
void Put(uint8_t* bytes, int i, Word word) {
  std::memcpy(bytes + static_cast<size_t>(i) * sizeof(Word), &word, sizeof(Word));
}

inline bool Active(const Register& mask, int width, int lane) { return mask.bytes[lane * width] != 0; }
// How many lanes of the width are active, if they are the first ones; below 0: any may be.
inline int PrefixOf(const Register& mask, int width) { return mask.width == width ? mask.prefix : -1; }

// dst = a in the active lanes, b in the others. Eight bytes at a time: the low bits of lanes become whole lanes.
inline void Blend(uint8_t* dst, const uint8_t* a, const uint8_t* b, const Register& mask, int width) {
  const uint64_t lane = ~uint64_t{0} >> (64 - 8 * width);
  const uint64_t low = ~uint64_t{0} / lane;
  for (int i = 0; i < kRegisterBytes / 8; ++i) {
    const uint64_t on = (Get<uint64_t>(mask.bytes, i) & low) * lane;
    Put(dst, i, (Get<uint64_t>(a, i) & on) | (Get<uint64_t>(b, i) & ~on));
  }
}

// Calls a function with the unsigned type of a width.
template <class F>
void ForWord(int width, F&& f) {
  switch (width) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    default:
      return f(uint64_t{});
  }
}

// The kernel over the first `count` lanes.
inline void Compute(const Kernel& kernel, void* dst, const void* a, const void* b, const void* c, size_t count) {
  if (count >= kernel.least && kernel.block != nullptr) [[likely]] {
    kernel.block(dst, a, b, 0, 0, 0, 1, count, c, 0);
  } else {
    const auto line = static_cast<ptrdiff_t>(count);
    Call(kernel, {dst, a, b, line, line, line, 1, 1, 1, count, c, line});
  }
}

// Inactive lanes of a result: 0, or what shows that a program depends on them.
void ClearInactive(Register* dst, const Register& mask, int width, bool poison);

// The same for a mask with exactly the first `lanes` lanes active.
inline void ClearTail(Register* dst, int lanes, int width, bool poison) {
  const auto from = static_cast<size_t>(lanes * width);
  std::memset(dst->bytes + from, poison ? kPoison : 0, sizeof dst->bytes - from);
}

// The bits of a scalar operand in each lane.
void Broadcast(uint8_t* dst, uint64_t bits, int width);

// The same, kept until the step meets other bits.
inline const uint8_t* InEachLane(Step* step, uint64_t bits) {
  const bool fresh = step->scalar == nullptr;
  if (fresh) step->scalar = std::make_unique<Lanes>();
  if (fresh || step->scalar->bits != bits) {
    step->scalar->bits = bits;
    step->scalar->kind = ValueKind::kNone;
    Broadcast(step->scalar->bytes, bits, step->width);
  }
  return step->scalar->bytes;
}
inline const uint8_t* ScalarLanes(Machine& m, Node& node, Frame frame, size_t operand) {
  Step& step = *node.step;
  const bool slot = step.there[operand];
  const RunValue& value = frame[step.in[operand]];
  const bool real = slot && value.Is(ValueKind::kFloat);
  const uint64_t now = !slot  ? 0
                       : real ? std::bit_cast<uint64_t>(value.number())
                              : static_cast<uint64_t>(value.integer());
  const ValueKind kind = real ? ValueKind::kFloat : ValueKind::kInt;
  if (slot && step.scalar != nullptr && step.scalar->kind == kind && step.scalar->value == now && value.Is(kind)) {
    return step.scalar->bytes;
  }
  const uint8_t* lanes = InEachLane(&step, m.ScalarBits(node, frame, operand, step.elem));
  if (slot && value.Is(kind)) {
    step.scalar->kind = kind;
    step.scalar->value = now;
  }
  return lanes;
}

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_STEP_H_

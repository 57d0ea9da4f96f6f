// One lane of each element type: f16 and bf16 are computed as float, and rounded once.
#ifndef PTO_SRC_PTOAS_VECTOR_LANE_TYPE_H_
#define PTO_SRC_PTOAS_VECTOR_LANE_TYPE_H_

#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {

// Stored is what a register holds, Number what is computed with.
template <class T>
struct Plain {
  using Stored = T;
  using Number = T;
  static constexpr bool kFloat = std::is_floating_point_v<T>;
  static T Load(T stored) { return stored; }
  static T Store(T number) { return number; }
};
template <Elem elem>
struct Half {
  using Stored = uint16_t;
  using Number = float;
  static constexpr bool kFloat = true;
  static float Load(uint16_t stored) { return static_cast<float>(FloatFromBits(elem, stored)); }
  static uint16_t Store(float number) { return static_cast<uint16_t>(BitsFromFloat(elem, double{number})); }
};

template <class F>
void ForLane(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kI8:
      return f(Plain<int8_t>());
    case DType::kU8:
      return f(Plain<uint8_t>());
    case DType::kI16:
      return f(Plain<int16_t>());
    case DType::kU16:
      return f(Plain<uint16_t>());
    case DType::kI32:
      return f(Plain<int32_t>());
    case DType::kU32:
      return f(Plain<uint32_t>());
    case DType::kI64:
      return f(Plain<int64_t>());
    case DType::kU64:
      return f(Plain<uint64_t>());
    case DType::kF16:
      return f(Half<Elem::kF16>());
    case DType::kBF16:
      return f(Half<Elem::kBF16>());
    default:
      return f(Plain<float>());
  }
}

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_LANE_TYPE_H_

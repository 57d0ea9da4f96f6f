// How a tensor lies in memory, and the names of that.
#ifndef PTO_SRC_RECORDS_TENSOR_LAYOUT_H_
#define PTO_SRC_RECORDS_TENSOR_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "src/records/profile.h"

namespace pto {

// Same values as pto_layout; the names of the field.
enum class TensorLayout : uint8_t {
  kND = 0,
  kDN = 1,
  kNZ = 2,
  kNC1HWC0 = 12,
  kNDC1HWC0 = 17,
  kEnd = 22,
};

// How five dimensions make a matrix: some give its rows, the others its columns, and of those that give the same the
// last is the fastest.
// The factor of a product, left or right, whose group exponents A5 loads in this order.
enum class Exponents : uint8_t { kNone, kLeft, kRight };
struct MatrixOrder {
  const char* name;
  uint8_t rows;           // bit d: dimension d forms rows; 0: the layout is not a matrix
  ProfileSet stores_acc;  // hardware profiles that store an accumulator so
  Exponents exponents = Exponents::kNone;
};
inline constexpr uint8_t Dims(std::initializer_list<int> dims) {
  uint8_t set = 0;
  for (const int d : dims) set = static_cast<uint8_t>(set | 1U << d);
  return set;
}
inline constexpr MatrixOrder kMatrixOrders[] = {
    {"ND", Dims({0, 1, 2, 3}), profiles::kHardware},
    {"DN", Dims({3}), profiles::kNone},
    {"NZ", Dims({2, 3}), profiles::kHardware},
    {"SCALE", 0, profiles::kNone},
    // Block scales: two along k beside each other.
    {"MX_A_ND", Dims({0, 1, 2}), profiles::kNone, Exponents::kLeft},
    {"MX_A_DN", Dims({3}), profiles::kNone, Exponents::kLeft},
    {"MX_A_ZZ", Dims({0, 1, 3}), profiles::kNone, Exponents::kLeft},
    {"MX_B_ND", Dims({0, 1, 2, 4}), profiles::kNone, Exponents::kRight},
    {"MX_B_DN", Dims({3, 4}), profiles::kNone, Exponents::kRight},
    {"MX_B_NN", Dims({2, 4}), profiles::kNone, Exponents::kRight},
    {"HIF4_A_ZZ", Dims({0, 1, 3}), profiles::kNone},
    {"HIF4_B_NN", Dims({2, 4}), profiles::kNone},
    // Images, one pixel per row: n (g, d) c1 h w c0; n c h w after g or nothing; n h w c; n c d h w.
    {"NC1HWC0", Dims({0, 2, 3}), profiles::kA2A3},
    {"GNC1HWC0", Dims({0, 2, 3}), profiles::kNone},
    {"NCHW", Dims({0, 1, 3, 4}), profiles::kA5},
    {"GNCHW", Dims({0, 1, 3, 4}), profiles::kNone},
    {"NHWC", Dims({0, 1, 2, 3}), profiles::kA5},
    {"NDC1HWC0", Dims({0, 2, 3}), profiles::kA2A3},
    {"NCDHW", Dims({0, 2, 3, 4}), profiles::kA5},
    // Filters, one filter per row: (d) c1 h w, n1, n0, c0.
    {"FRACTAL_Z", Dims({2, 3}), profiles::kNone},
    {"FRACTAL_Z_S16S8", Dims({2, 3}), profiles::kNone},
    {"FRACTAL_Z_3D", Dims({2, 3}), profiles::kNone},
};
static_assert(std::size(kMatrixOrders) == static_cast<size_t>(TensorLayout::kEnd));
constexpr const MatrixOrder& OrderOf(TensorLayout layout) { return kMatrixOrders[static_cast<int>(layout)]; }

}  // namespace pto

#endif  // PTO_SRC_RECORDS_TENSOR_LAYOUT_H_

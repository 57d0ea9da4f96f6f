// The conversions of vcvt.
#ifndef PTO_SRC_PTOAS_VECTOR_CONVERSIONS_H_
#define PTO_SRC_PTOAS_VECTOR_CONVERSIONS_H_

#include "src/records/dtype.h"

namespace pto::ptoas::vec {

// Which of rnd and sat each takes. Registers of other widths take a part besides.
struct Conversion {
  DType from, to;
  bool rnd, sat;
};
inline constexpr Conversion kConversions[] = {
    {DType::kF32, DType::kF16, true, true},   {DType::kF32, DType::kBF16, true, true},
    {DType::kF32, DType::kI16, true, true},   {DType::kF32, DType::kI64, true, true},
    {DType::kF32, DType::kI32, true, true},   {DType::kF16, DType::kF32, false, false},
    {DType::kF16, DType::kI32, true, false},  {DType::kF16, DType::kI16, true, true},
    {DType::kF16, DType::kI8, true, true},    {DType::kF16, DType::kU8, true, true},
    {DType::kBF16, DType::kF16, true, true},  {DType::kBF16, DType::kF32, false, false},
    {DType::kBF16, DType::kI32, true, true},  {DType::kU8, DType::kF16, false, false},
    {DType::kU8, DType::kU16, false, false},  {DType::kU8, DType::kU32, false, false},
    {DType::kI8, DType::kF16, false, false},  {DType::kI8, DType::kI16, false, false},
    {DType::kI8, DType::kI32, false, false},  {DType::kU16, DType::kU8, false, true},
    {DType::kU16, DType::kU32, false, false}, {DType::kI16, DType::kF16, true, false},
    {DType::kI16, DType::kF32, false, false}, {DType::kI16, DType::kU32, false, false},
    {DType::kI16, DType::kI32, false, false}, {DType::kI16, DType::kU8, false, true},
    {DType::kU32, DType::kU8, false, true},   {DType::kU32, DType::kU16, false, true},
    {DType::kU32, DType::kI16, false, true},  {DType::kI32, DType::kF32, true, false},
    {DType::kI32, DType::kU8, false, true},   {DType::kI32, DType::kU16, false, true},
    {DType::kI32, DType::kI16, false, true},  {DType::kI32, DType::kI64, false, false},
    {DType::kI64, DType::kF32, true, false},  {DType::kI64, DType::kI32, false, true},
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_CONVERSIONS_H_

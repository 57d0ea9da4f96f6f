// The stages that conversions are chains of.
#ifndef PTO_SRC_KERNELS_CONVERT_STAGES_H_
#define PTO_SRC_KERNELS_CONVERT_STAGES_H_

#include "src/kernels/convert.h"

namespace pto {

// Named by what they read and write. F64 are integers, rounded to odd where f64 has not their bits.
// Others say in convert_stages.cc what their StageArgs mean.
struct Stages {
  Stage i8_i32, u8_i32, i16_i32, u16_i32, i32_i64, u32_i64;
  Stage i32_i16, i32_i8, i16_i8, i64_i32;                  // the low bits
  Stage i32_sat_i8, i32_sat_u8, i32_sat_i16, i32_sat_u16;  // saturating
  Stage clamp32, clamp64;  // at_low and at_high of integers ordered by flip
  Stage f16_f32, bf16_f32;
  Stage i8_f32, u8_f32, i16_f32, u16_f32;
  Stage i32_f32;                                 // to nearest even
  Stage i64_f64, u64_f64;                        // rounded to odd
  Stage f64_f32, f32_f16, f32_bf16;              // by mode, saturating
  Stage even_f16, even_bf16;                     // the same, of kRint alone
  Stage integral;                                // f32 to f32
  Stage f32_i32, round_i32, f32_i64;             // truncated, to nearest even, truncated
  Stage trunc_i8, round_i8, trunc_u8, round_u8;  // saturating, straight from f32
};

const Stages& PickStages(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_CONVERT_STAGES_H_

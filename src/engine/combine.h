// Combines elements with elements of memory that other threads combine with, too: sums, maxima, minima, each in
// a step that the others see whole.
#ifndef PTO_SRC_ENGINE_COMBINE_H_
#define PTO_SRC_ENGINE_COMBINE_H_

#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// to[k * to_step] = lane(to[k * to_step], from[k * from_step]), one after another; steps in elements.
void Combine(const Kernel& lane, uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int64_t count);
// The same at to[places[k]] of elements that follow one another; places below 0 are skipped.
void CombineAt(const Kernel& lane, uint8_t* to, const int64_t* places, const uint8_t* from, int64_t count);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_COMBINE_H_

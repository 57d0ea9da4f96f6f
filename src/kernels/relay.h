// Relays: several instructions over rows of f32 in one pass. Values stay in registers between them.
//
//     y = exp(x * c) + z      kLoad x | kMul c | kExp | kAdd z | kNaN | kStore y
//
// A leg works on some vectors in registers and jumps to the next leg with them. So an instruction
// needs one leg, or two if either of its sources may be in the registers, and any legs can follow
// one another. Each still rounds. Like kernels.h, this header includes no Highway.
#ifndef PTO_SRC_KERNELS_RELAY_H_
#define PTO_SRC_KERNELS_RELAY_H_

#include <cstddef>
#include <cstdint>

#include "src/records/lane.h"

namespace pto {

// v is the value in the registers, m the operand in memory. kAdd to kMul may leave NaN of any bits.
enum class Leg : uint8_t {
  kEnd,    // of each relay; the driver adds it
  kLoad,   // v = m
  kStore,  // m = v
  kPast,   // m = v, past the caches; the ends of rows are computed twice
  kNaN,    // makes NaN canonical
  kAdd,    // v + m
  kSub,    // v - m
  kFrom,   // m - v
  kMul,    // v * m
  kDiv,    // v / m
  kInto,   // m / v
  kExp,    // e ** v
  kSum,    // m = the sum of the row, as Fold::kSum
  kFetch,  // brings m into the cache; the address may be invalid
};
inline constexpr int kLegCount = static_cast<int>(Leg::kFetch) + 1;

// How m moves.
enum class Along : uint8_t {
  kNone,     // the leg has no m
  kRow,      // one element after another
  kElement,  // one element for each row
};

struct RelayStep {
  Leg leg = Leg::kEnd;
  Along along = Along::kNone;
  uint8_t* data = nullptr;  // of the first row
  ptrdiff_t line = 0;       // bytes from row to row
};
inline constexpr int kMostSteps = 64;
inline constexpr int kRelayUnit = 64;  // elements

// The legs of a lane.
struct LaneLegs {
  Leg first = Leg::kEnd;   // v is the first source; kEnd: the lane has no legs
  Leg second = Leg::kEnd;  // v is the second source; kEnd: the lane has one source
  Leg then = Leg::kEnd;    // follows
};
constexpr LaneLegs LegsOf(Lane lane) {
  switch (lane) {
    case Lane::kAdd:
      return {Leg::kAdd, Leg::kAdd};
    case Lane::kSub:
      return {Leg::kSub, Leg::kFrom};
    case Lane::kMul:
      return {Leg::kMul, Leg::kMul};
    case Lane::kDiv:
      return {Leg::kDiv, Leg::kInto};
    case Lane::kExp:
      return {Leg::kExp};
    case Lane::kExpDif:
      return {Leg::kSub, Leg::kFrom, Leg::kExp};
    default:
      return {};
  }
}
constexpr bool MakesNaN(Leg leg) { return leg >= Leg::kAdd && leg <= Leg::kMul; }

// Runs steps over `lines` rows of `count` elements, a multiple of kRelayUnit. kSum is last. With
// kPast there is no other step that writes. A step that reads what another one writes reads the
// same elements of the same rows.
using RelayDrive = void (*)(const RelayStep* steps, int count_of_steps, size_t lines, size_t count);
// nullptr: the target has no relays.
RelayDrive PickRelay(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_RELAY_H_

// Loops over registers in strips: several rounds at a time, statement by statement.
//
//   scf.for %i = %c0 to %n step %lanes {            round        0  1  2  3  4 ..       the machine: round by round
//     %a = pto.vlds %p[%i]                          vlds         0  4  8 ..
//     %b = pto.vmuls %a, %s, %all                   vmuls        1  5  9 ..
//     %c = pto.vadds %b, %t, %all                   vadds        2  6  ..
//     pto.vsts %c, %q[%i], %all                     vsts         3  7  ..
//   }
//
// A strip runs vlds of 16 rounds or more, then vmuls of the same, and so on. Each statement is then one call of its
// kernel over 4 KiB: the cost of the machine is paid once for 16 rounds. The result has the same bits, because lanes
// are computed one by one.
//
// Known when the program is resolved (MakeStrip):
// - Each statement of the body is arithmetic on integers, a load, a store, or lane by lane. Anything else: no strip.
// - Integers and pointers are affine in the number of the round. They are Terms; addresses are Terms, too.
// - Registers are Values: made outside of the loop, computed in rounds (a buffer with a register for each), or carried
//   from round to round (sums). Statements that depend on carried registers are computed round by round after the
//   others.
//
// Known when the loop runs (RunStrip), for the rounds that the limits of the run allow at once:
// - Masks are the same in each round. If one has inactive lanes, these are cleared after the kernel, and left alone by
//   stores. Statements that keep something else in them need all lanes.
// - All accesses are inside of their memory, and aligned where the profile asks for it.
// - No access has the bytes of another round's access if the strip changes their order. If two rounds that far apart
//   are not in one strip, the strips are shorter.
// - Loads whose bytes nothing changes before their last use are read in place; results are written in place.
//
// If one of these does not hold, the machine runs the rounds one by one: all errors are found there, at their
// statement. It always runs the last round, so that values and masks are left as if there were no strips. A strip is a
// node before the first one of the body. It counts as no step; its rounds count as the steps that they have. Nothing
// else knows of strips: programs without vector statements have no such node.
#ifndef PTO_SRC_PTOAS_VECTOR_STRIP_H_
#define PTO_SRC_PTOAS_VECTOR_STRIP_H_

#include <cstdint>
#include <vector>

#include "src/ptoas/run/machine.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {

// Rounds of a strip: with few buffers, more rounds stay in the first cache.
inline constexpr int kLeastRounds = 16, kMostRounds = 32;
inline constexpr size_t kMostTerms = 48, kMostValues = 32, kMostActs = 32, kMostBuffers = 12, kMostCarried = 8,
                        kMostMasks = 8;
inline constexpr uint8_t kNoIndex = 255;

// An integer or the byte offset of a pointer, as it is in a round.
struct StripTerm {
  enum How : uint8_t {
    kSlot,      // made before the loop
    kVariable,  // of the loop
    kCarried,   // number `a` of the carried values
    kNumber,    // `number`
    kSum,
    kDifference,
    kProduct,
    kSame,     // of another type
    kAddress,  // a plus b * number bytes
    kRest,     // a less `number` lanes
  };
  How how = kNumber;
  uint8_t a = kNoIndex, b = kNoIndex;
  uint8_t root = kNoIndex;     // of a pointer: the term whose memory it is into
  uint8_t carried = kNoIndex;  // carried value plus something fixed
  bool fixed = true;           // the same in each round
  bool pointer = false;
  Elem elem = Elem::kNone;  // the values that it can have
  uint32_t slot = 0;
  int64_t number = 0;
};

// A register of the body.
struct StripValue {
  enum Where : uint8_t { kOutside, kRow, kOne, kHeld };  // a buffer of all rounds, of one, of what is carried
  Where where = kOutside;
  uint32_t slot = 0;
  uint8_t buffer = 0;
  uint8_t made = kNoIndex;  // the act that makes it
  uint8_t last = 0;         // the last act that uses it
};

// A load, a store, or a kernel over registers.
struct StripAct {
  enum What : uint8_t { kLoad, kStore, kMap };
  What what = kMap;
  bool serial = false;        // it depends on what is carried
  bool shift = false;         // the scalar is a count
  uint8_t scalar = kNoIndex;  // the operand that is a scalar
  uint8_t dst = kNoIndex;
  uint8_t src[3] = {kNoIndex, kNoIndex, kNoIndex};  // a, b, c
  uint8_t address = kNoIndex;
  uint8_t mask = kNoIndex;    // of `masks`; kNoIndex: all lanes
  uint8_t direct = kNoIndex;  // of a store: the act that may write to its place
  uint16_t node = 0;
};

struct StripHeld {
  uint8_t term = kNoIndex, next = kNoIndex;    // an integer or pointer, and the one of the next round
  uint8_t value = kNoIndex, yield = kNoIndex;  // a register
  uint32_t slot = 0;
};

struct NeedMask {
  uint32_t slot;
  uint8_t width;
  bool all;  // lanes must be active
};

struct Strip {
  int RoundsAtOnce() const { return buffers <= 2 ? kMostRounds : kLeastRounds; }

  std::vector<StripTerm> terms;
  std::vector<StripValue> values;
  std::vector<StripAct> acts;
  std::vector<StripHeld> held;  // by the number of the argument of the block, less one
  std::vector<NeedMask> masks;  // made before the loop
  std::vector<uint8_t> rests;   // terms kRest: not less than 0
  std::vector<uint16_t> early;  // nodes whose result is the same in each round
  Kernel clear = {};            // the bits that a mask has
  int64_t steps = 0;            // of a round
  int buffers = 0;
  int ones = 0;
};

// Puts a strip before the body of a loop that can have one.
void AddStrip(Node* loop);

Flow RunStrip(Machine& m, Node& node, Frame frame);

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_STRIP_H_

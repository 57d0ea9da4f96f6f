// A chain of instructions, and the groups of its links that run by rows.
#ifndef PTO_SRC_PTOAS_PLAN_CHAIN_H_
#define PTO_SRC_PTOAS_PLAN_CHAIN_H_

#include <cstdint>
#include <vector>

#include "src/engine/inst.h"
#include "src/kernels/relay.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/run/code.h"

namespace pto::ptoas::plan {

inline constexpr uint32_t kNoPlace = ~uint32_t{0};
inline constexpr int kMostFetched = 4;  // windows that are fetched ahead

// Where rows are: row r begins at data + r * pitch. Of what does not move, pitch is 0.
struct RowMemory {
  uint8_t* data = nullptr;
  int64_t pitch = 0;  // bytes
};

// A tile that links of a group have, or the window of a load or store.
struct Place {
  const pto_tile* tile = nullptr;  // nullptr: a window
  const void* storage = nullptr;   // of a window's tensor
  RowMemory own;
  int64_t bytes = 0;          // of a row, or of all of it
  uint32_t last = 0;          // the last link that has it
  uint32_t store = kNoPlace;  // the window of the only store of it, if that is the last link
  bool moves = false;         // with the rows; false: all rows have the same bytes of it
  bool written = false;
  bool shares = false;          // bytes with another place
  bool begins_written = false;  // the first link that has it writes all of it and reads nothing
  bool is_private = false;      // and so it is in all of the loop: what a round leaves in it is not needed
  RowMemory now;                // where its rows are at a link
};

// An operand of a link.
struct Part {
  uint32_t place = 0;
  int8_t index = 0;  // among the tiles of the call
  bool out = false;
  bool whole = false;       // an output that is written all over
  bool turned = false;      // its columns are the rows of the group
  bool strip = false;       // in scratch, now
  int64_t step = 0;         // bytes from row to row, now
  uint8_t* data = nullptr;  // of the first row, now
};

// The legs of a link, and its sources in the order of the arithmetic.
struct LinkLegs {
  LaneLegs legs;
  int count = 0;
  const Part* sources[2] = {};  // nullptr: the scalar
  Along along[2] = {};
  const Part* out = nullptr;
  bool folds = false;
};

struct Link {
  Node* node = nullptr;
  bool checked = false;      // with the operands that it has
  bool passes = false;       // a load or store that copies nothing, in this round
  bool last_word = false;    // a load: some later link writes all of the tile before any writes a part
  bool past_caches = false;  // writes rows of a large tensor
  bool part_first = false;   // a load: a later link writes a part of the tile first
  bool fused = false;        // it runs in a relay, with neighbours: fuse.h
  LinkLegs legs;             // if it is fused
  int32_t run = -1;          // of its group, in this round
  uint32_t window = kNoPlace;
  uintptr_t before = 0;  // where the window of the round before was
  uintptr_t stride = 0;  // from there to the one of this round
  std::vector<Part> parts;
  std::vector<pto_tile*> tiles;  // of a strip: the views, and what no link touches
};

// A step of a fused run.
struct FusedStep {
  Leg leg = Leg::kEnd;
  Along along = Along::kNone;
  const Part* part = nullptr;  // nullptr: the scalar, if there is an operand
  uint32_t bits = 0;           // of the scalar
};
struct FusedRun {
  uint32_t link = 0;              // the first one
  uint32_t first = 0, count = 0;  // steps of the group
};

// Links from begin to end that run by rows. Fewer than two: they run as they are.
struct Group {
  uint32_t begin = 0, end = 0;
  int32_t rows = 0;
  std::vector<Place> places;
  std::vector<uint32_t> windows;
  bool folds = false;  // by kernels that take several rows at a time
  std::vector<FusedRun> runs;
  std::vector<FusedStep> steps;
};

struct Chain {
  std::vector<Link> links;
  std::vector<uint32_t> private_slots;  // of tiles that nothing else in the loop names
  uint32_t reach = 0;                   // and in how many loops, from the innermost one on
  bool print = false;
  uint64_t printed = 0;                // groups that were, by their first link
  int64_t least_bytes = 0;             // a chain of fewer costs less than its plan
  bool on = false;                     // in this round
  bool small = false;                  // a plan costs more than it saves, in the era below
  int32_t rest = 0;                    // rounds of the era to go the plain way
  int32_t idle = 0;                    // and how many after the last round without a gain
  uint64_t era = 0;                    // of the groups ...
  std::vector<const pto_tile*> tiles;  // ... and the tiles of all links
  std::vector<Group> groups;
  std::vector<std::vector<pto_tile>> views;  // of the operands of each link
  ScratchBlock scratch;
};

inline const pto_inst& InstOf(const Link& link) { return *link.node->site->inst; }
inline const OpInfo& OpOf(const Link& link) { return *link.node->stmt->op; }

inline int TileOfTransfer(const OpInfo& op) { return 1 - op.TensorIndex(); }
inline const pto_tile& LeadOf(const Link& link) {
  const OpInfo& op = OpOf(link);
  return *InstOf(link).tiles[op.Transfers() ? TileOfTransfer(op) : op.lead];
}

// Of a group: each place is compared with all others.
inline constexpr size_t kMostPlaces = 64;

// Whether rows of the two overlap other rows.
enum class Meet : uint8_t { kApart, kByRows, kAcross };
Meet MeetingOf(const Place& x, const Place& y, int32_t rows);

// The groups of a chain, of its tiles as they are. `relay`: the target has them.
void MakeGroups(Chain* chain, bool relay);

// Executes a link; the last one runs the chain.
Flow RunLink(Machine& machine, Node& node, Frame frame);

}  // namespace pto::ptoas::plan

#endif  // PTO_SRC_PTOAS_PLAN_CHAIN_H_

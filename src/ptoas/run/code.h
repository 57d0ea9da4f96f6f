// A function resolved for running: the tree of statements once more, with slots
// in place of names, constants evaluated and instructions made.
#ifndef PTO_SRC_PTOAS_CODE_H_
#define PTO_SRC_PTOAS_CODE_H_

#include <memory>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/stand_in.h"
#include "src/ptoas/run/sync_access.h"
#include "src/ptoas/run/value.h"

namespace pto::ptoas {

struct FuncCode;
class Machine;
struct Node;
namespace vec {
struct Step;
}
namespace plan {
struct Chain;
struct Detour;
}  // namespace plan

using Slots = std::vector<uint32_t>;

// The successor of a statement: the next one, the block that it entered, or the end of its own block. One that waits
// did nothing yet, and is reached again.
enum class Flow : uint8_t { kNext, kYield, kEnter, kReturn, kBranch, kWait };

// The values of the function under way, by their slots.
using Frame = RunValue*;

// Executes one statement.
using RunStmt = Flow (*)(Machine&, Node&, Frame);

struct Code {
  Slots args;
  std::vector<Node> nodes;
};

// A tile that one statement makes each time it executes. While no other value has
// it, the next execution takes the same one: what a new tile holds is undefined.
struct TileCache {
  Box* box = nullptr;
  bool listed = false;  // among the caches of the block under way

  TileCache() = default;
  TileCache(const TileCache&) = delete;
  TileCache& operator=(const TileCache&) = delete;
  ~TileCache() { Drop(); }
  void Drop() {
    if (box != nullptr) box->Release();
    box = nullptr;
  }
};

// A scalar or an integer of an instruction.
struct SiteNumber {
  int32_t index = 0;  // among the record's operands
  const Operand* operand = nullptr;
  RunValue holds;  // what the instruction has, of a kValue
};

// A tile or tensor operand of an instruction.
struct SiteArg {
  int32_t index = 0;  // among the record's operands
  uint32_t slot = 0;
  bool tensor = false;
  bool makes = false;    // the statement makes this destination
  bool scratch = false;  // tmp: after the destination, whose size it takes when it is made
  StandIn own = StandIn::kNone;
  const Operand* operand = nullptr;
  // The values in the instruction: setting them again would change nothing.
  pto_tile* tile = nullptr;
};

// An instruction, ready except for operands that changed. What each execution reads is in front: the statements of many
// ranks share a cache.
struct alignas(64) Site {
  pto_inst* inst = nullptr;
  std::vector<SiteNumber> numbers;
  // For a site that has nothing but tiles and numbers, in a run that is not watched: the tiles of its latest execution.
  // With the same ones in the same era nothing is left to do but to run it.
  struct Same {
    uint64_t era = 0;  // 0: not known
    int32_t steps = 0;
    int32_t count = 0;
    struct {
      const pto_tile* tile;
      uint32_t slot;
    } tiles[kMaxTiles];
  } same;
  // For the tiles, when the instruction last had what follows from them: the number of elements, literals in the type
  // of an element, scratch. 0: one of its tiles is another since.
  uint64_t era = 0;
  int64_t elements = 0;
  int64_t work = 0;           // in elements
  std::vector<SiteArg> args;  // sources first, then destinations, then tmp
  TileCache made;
  TileCache own;           // the tile of a SiteArg::own, or of first_column; an instruction has one
  TileCache tmp;           // the scratch that the statement omits or that is not bound
  bool lacks_tmp = false;  // it leaves it out
  bool adds = false;       // to global memory, where other blocks may add, too
  bool moves = false;      // one tile to another, which may be a vector core's
  int pipe = -1;           // the pipe whose instruction it is a part of; -1: its own
  int counts = -1;         // the place in args of a vector of counts that the statement writes; -1: none
  int first_column = -1;   // the operand whose column 0 alone is used; -1: none
  int mad = -1;            // the operand that the core's mode sets; -1 if it does not exist or the statement sets it
  bool ran = false;        // in the block under way
  int64_t runs = 0;        // recorded so far
  sync::Seen seen;         // where synchronisation is checked

  Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  ~Site() { pto_inst_release(inst); }
};

// A statement of a pipe.
struct PipeSite {
  CoreKind side = CoreKind::kAny;  // that it is on, by its name
  int64_t split = 0;
  int64_t number = 0;  // of the pipe, if no operand selects one
  TileCache made;
};

// Where an instruction runs on the hardware of a profile, with its tiles as they are set.
pto_pipe PipeOf(const Site& site, const OpInfo& op, pto_profile profile);

// The operands of a statement that orders pipes, read from its text once, if orders are checked.
struct SyncSite {
  Orders orders = Orders::kNothing;
  int from = 0;
  int to = 0;
  const Operand* number = nullptr;  // that the run gives as the id; nullptr: it is written
  int64_t id = -1;
};

struct alignas(64) Node {
  // Where Step is known.
  Node();
  Node(Node&&) noexcept;
  Node& operator=(Node&&) noexcept;
  ~Node();

  // What most executions read is in front, in one line of the cache: the statements of many ranks share it.
  RunStmt run = nullptr;
  const Stmt* stmt = nullptr;
  std::unique_ptr<Site> site;    // kInst
  plan::Chain* chain = nullptr;  // kInst: what it is a link of
  uint32_t link = 0;             // and which one
  StmtKind kind = StmtKind::kInst;
  Elem elem = Elem::kNone;  // of the operands of arithmetic
  Elem to = Elem::kNone;    // of its result
  int8_t choice = 0;        // kComm: the number of the attribute's value in its enum
  uint32_t in[3] = {};      // slots of the first operands that are values
  uint32_t out[2] = {};     // slots of the first results
  ArithClass arith = {};    // kArith: how its operands are taken

  Slots operands;  // slots of all of them
  Slots results;
  uint32_t lanes = 0;             // of vectors of kArith and kConstant; 0: numbers
  std::vector<uint32_t> targets;  // kBranch: numbers of the blocks that it may go on with
  RunValue constant;
  std::vector<int64_t> words;       // kConstant of a vector
  std::unique_ptr<vec::Step> step;  // kVectorOp
  std::unique_ptr<TileCache> made;  // kAllocTile, kDeclareTile, kScaleAddr
  std::unique_ptr<PipeSite> pipe;   // IsPipe()
  std::unique_ptr<SyncSite> sync;   // kSync, once it was reached
  std::vector<Code> blocks;
  FuncCode* callee = nullptr;  // kCall, once it was reached
  plan::Detour* detour = nullptr;
};

struct FuncCode {
  const Func* func = nullptr;
  Slots args;
  std::vector<Code> blocks;  // in the order of the text
  std::vector<std::shared_ptr<plan::Chain>> chains;
  std::vector<std::shared_ptr<plan::Detour>> detours;
};

// The function that executes a statement of a row.
RunStmt RunOf(const StmtInfo& info);

// Precondition: the program was verified. Throws std::bad_alloc only.
std::unique_ptr<FuncCode> Resolve(const Func& func, const char* target);

// The modes from attributes and from defaults, by the record's operands; at the last operand the flags.
void ModesOf(const Stmt& stmt, int64_t* values);

// Gives an instruction these.
pto_status SetAttributes(pto_context* ctx, pto_inst* inst, const Stmt& stmt);

// The value of the choice among the attributes of a statement between ranks, which has one at most. Without it, the
// first value.
int8_t ChoiceOf(const Stmt& stmt);

// A number of a type as the text has it: hexadecimal is the bits of a float.
RunValue NumberOf(const Attr& literal, Elem elem);

// The scalar that an operand is beside tiles of a type; `value` is what a kValue holds.
pto_scalar ScalarOf(const Operand& operand, const RunValue& value, pto_dtype dtype);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CODE_H_

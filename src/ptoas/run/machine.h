// Runs blocks of a verified program: control flow and numbers here, instructions and memory
// through the C API. A machine runs one block after another and keeps what may be read
// after the last: the entry's tiles, printed text, the trace. Which blocks, and on how many
// threads, is decided in launch.h.
#ifndef PTO_SRC_PTOAS_MACHINE_H_
#define PTO_SRC_PTOAS_MACHINE_H_

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "include/pto_c.h"
#include "src/objects/halt.h"
#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/run/chip.h"
#include "src/ptoas/run/code.h"
#include "src/ptoas/run/exchange.h"
#include "src/ptoas/run/first_writes.h"
#include "src/ptoas/run/kernel_math.h"
#include "src/ptoas/run/recorder.h"
#include "src/ptoas/run/sync.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/ptoas/run/turns.h"
#include "src/ptoas/run/unset.h"
#include "src/ptoas/run/vector_state.h"
#include "src/records/rule.h"

namespace pto::ptoas {

// The binding of an argument of the entry; the handles are counted.
struct Binding {
  std::string name;     // of the argument, without %, or its number
  RunValue value;       // kInt, kFloat, kTile, kTensor, or kPtr without a box: an address
  Decimal number;       // of kFloat: not yet rounded to the type of the argument
  bool output = false;  // memory for results: it holds no data before a run
};
using Bindings = std::list<Binding>;  // in the order they were made

constexpr int32_t kMaxThreads = 1024;

struct RunOptions {
  int64_t max_steps = 1'000'000'000;
  int64_t max_bytes = int64_t{1} << 32;
  int64_t max_ms = 0;  // 0: no limit
  // Set by another thread that asks the run to end; the run that does so clears it. Not null in a run.
  std::atomic<bool>* stop = nullptr;
  int32_t blocks = 1;
  int32_t first_block = 0;  // where a launcher of the caller's runs this one ...
  int32_t of_blocks = 0;    // ... of its blocks; 0: of `blocks`
  int32_t lane = 0;         // vector core that a core alone is
  int32_t threads = 1;
  uint32_t seed = 0;  // of the order in which cores take turns; 0: the first that can go on does
  pto_record record = PTO_RECORD_OFF;
  int64_t record_bytes = kRecordBytes;  // that what is recorded may take
  bool poison = false;                  // inactive lanes hold what shows that a program depends on them
  int64_t slack = 0;                    // bytes after arrays that copies of the vector level may touch
  bool sync = false;                    // whether synchronisation is checked ...
  bool order_all = false;               // ... also where the program leaves it to a compiler
  // Ranks, where the run has a world: set by the launch.
  pto_world* world = nullptr;
  int32_t rank = -1;
  bool late = false;                 // data of tput arrives as late as the order of pipes allows
  bool drains = false;               // a notification waits for all pipes of its core, as a compiler makes it
  sync::Checker* checker = nullptr;  // ... by whom: set by the launch
  int checked_core = 0;              // what the first core of the block is to it
  Unset* unset = nullptr;            // memory of outputs, or nullptr: set by the launch

  static constexpr int64_t kRecordBytes = int64_t{1} << 27;
};

// The shared state of the cores of a block.
struct BlockState {
  int64_t bytes = 0;       // in use; boxes refer to it
  uint64_t tiles_era = 1;  // grows when a tile is made, moved, or valid in another region; cores may share tiles
  std::string output;
  Exchange exchange;
  Meetings* meetings = nullptr;
  Chip* chips[1 + kVectorCores] = {};  // of the cube core and the vector cores, where there are several cores
  std::minstd_rand random;
  // Why the block failed, and what it warns of.
  Diagnostics found;
  pto_status status = PTO_OK;
  Rule rule{};
  // The argument that the run could not go on with: it is not bound, is of another
  // type, or is a tensor too small for a view of it. Empty: it ended for another cause.
  std::string argument_at_fault;
};

class Machine final : private Halt {
 public:
  // How a block ended, or a core's turn. One that is cut off reached neither its end nor an error: the run no longer
  // needs it.
  enum class End : uint8_t { kDone, kFailed, kCut, kWaits };

  // A core. What is passed must outlive it; nothing is shared with the machines of other blocks but `turns`, and a
  // recorder where one thread runs all blocks.
  Machine(const Func& entry, const Core& core, BlockState* state, Turns* turns, std::unique_ptr<Chip> chip)
      : entry_(&entry), turns_(turns), state_(state), core_(core), chip_(std::move(chip)) {}
  ~Machine();

  // The printed text that a run keeps.
  static constexpr size_t kMaxOutputBytes = size_t{1} << 20;

  // The arguments that an entry takes, by kind.
  static ValueKind KindOf(const Type* type);

  // Before the first block of a run. What is passed must outlive the run.
  void Bind(const Bindings& bindings, const RunOptions& options, Recorder* recorder);
  // Begins a block as if it were the only one, with the profile and the sizes of memory of the caller's context.
  void Begin(const pto_context* callers, int32_t block);
  // Runs it to its end, until it waits for another core, or for this number of steps. Throws std::bad_alloc only.
  End Go(int64_t* steps);
  void Finish();
  // The chip, which it no longer needs.
  std::unique_ptr<Chip> TakeChip() { return std::move(chip_); }
  Chip* chip() const { return chip_.get(); }
  bool done() const { return done_; }
  bool moved() const { return moved_; }  // its latest turn did something
  const Core& core() const { return core_; }
  const Func& entry() const { return *entry_; }
  int32_t block() const { return block_; }
  int32_t rank() const { return options_.rank; }
  // Names a rank, core and block, as far as there are several.
  std::string FullName() const;
  // Where it waits, and for what.
  const Stmt& waits_at() const { return *levels_[depth_ - 1].at->stmt; }
  const Wait& wait() const { return wait_; }
  pto_context* ctx() const { return ctx_; }
  // Whether the signal is there by now that it waits for.
  bool SignalHolds() const {
    return pto_context_ttest(ctx_, wait_.signal, static_cast<int32_t>(wait_.number),
                             static_cast<pto_wait_cmp>(wait_.cmp)) == 1;
  }
  // After a run: finds the values of the entry that have a tile or a register. False: they still belong to the previous
  // run.
  bool IndexTiles();
  // The names of these, in the order of the text; TileOf() knows them.
  std::vector<std::string> TileNames() const;
  // The tile that a value of the entry had at the end, of the last definition of the
  // name in the text; nullptr if there is no such tile. A register becomes a tile of one row.
  pto_tile* TileOf(std::string_view name);

  // The actions of statements: each is in the list of its file. A new one need not be a member: it takes the machine.
  // machine_flow.cc
  Flow Branch(const Node& node, Frame frame);
  Flow Call(Node& node, Frame frame);
  Flow Condition(Node& node, Frame frame);
  Flow EndFunction(Node& node, Frame frame);
  Flow For(Node& node, Frame frame);
  Flow If(Node& node, Frame frame);
  Flow Section(Node& node, Frame frame);
  Flow While(Node& node, Frame frame);
  Flow Yield(Node& node, Frame frame);
  // machine_arith.cc
  void Arith(const Node& node, Frame frame);
  void Constant(const Node& node, Frame frame);
  void Extract(const Node& node, Frame frame);
  void Insert(const Node& node, Frame frame);
  void Splat(const Node& node, Frame frame);
  // machine_inst.cc
  void Inst(Node& node, Frame frame);
  // As Inst(), except for the run itself. True: nothing is different from the time before.
  bool MakeReady(Node& node, Frame frame);
  void RunSite(const Node& node, Frame frame);
  bool LeavesCore(const Site& site, Frame frame) const;
  void RunOnLanes(Node& node, Frame frame);
  void SetMad(const Stmt& stmt, Frame frame);
  // machine_comm.cc
  Flow Await(Node& node, Frame frame);
  void Collective(Node& node, Frame frame);
  Flow CommCopy(Node& node, Frame frame);
  Flow Notify(Node& node, Frame frame);
  Flow Poll(Node& node, Frame frame);
  // machine_tiles.cc
  void AddPtr(const Stmt& stmt, Frame frame);
  void AddressOf(const Stmt& stmt, Frame frame);
  void AllocTile(Node& node, Frame frame);
  void AllocTiles(const Stmt& stmt, Frame frame);
  void MakeView(const Stmt& stmt, Frame frame);
  void MultiTileGet(const Stmt& stmt, Frame frame);
  void PartitionView(const Stmt& stmt, Frame frame);
  void Retype(const Stmt& stmt, Frame frame);
  void ScaleAddr(Node& node, Frame frame);
  void SetValidShape(const Stmt& stmt, Frame frame);
  void Subset(const Stmt& stmt, Frame frame);
  void Tassign(const Stmt& stmt, Frame frame);
  template <int32_t (*extent)(const pto_tile*)>
  void ValidExtent(const Stmt& stmt, Frame frame);
  template <int64_t (*number)(const pto_tensor*, int32_t)>
  void ViewNumber(const Stmt& stmt, Frame frame);
  // machine_elements.cc
  void AddressAccess(const Stmt& stmt, Frame frame);
  void AsyncCopy(const Stmt& stmt, Frame frame);
  void ArrayAccess(const Stmt& stmt, Frame frame);
  void DeclareArray(const Stmt& stmt, Frame frame);
  void DeclareGlobal(const Stmt& stmt, Frame frame);
  void Done(const Stmt& stmt, Frame frame);
  void ElementAccess(const Stmt& stmt, Frame frame);
  void GetEvent(const Stmt& stmt, Frame frame);
  void MemrefAccess(const Stmt& stmt, Frame frame);
  void ScalarAccess(const Stmt& stmt, Frame frame);
  void SetEvent(const Stmt& stmt, Frame frame);
  // machine_pipes.cc
  Flow AllocSlot(Node& node, Pipe& pipe, Frame frame);
  Flow CoreSync(const Stmt& stmt, Frame frame);
  Flow SyncAll(const Stmt& stmt, Frame frame);
  Flow Free(Node& node, Pipe& pipe, Frame frame);
  void MakePipe(Node& node, Frame frame);
  Flow Pop(Node& node, Pipe& pipe, Frame frame);
  Flow Push(Node& node, Pipe& pipe, Frame frame);
  void Reserve(const Stmt& stmt, Frame frame);
  Flow UsePipe(Node& node, Frame frame, Flow (Machine::*use)(Node&, Pipe&, Frame));
  // machine_sync.cc
  void WatchSync(Node& node, Frame frame);
  static bool DrainsData(const SyncSite& site);
  // machine_vector.cc
  void NotExecuted(const Stmt& stmt, Frame frame);
  // A register or mask for the result in a slot: reuses the present one if no other value shares it.
  vec::Register& NewRegister(const Node& node, Frame frame, uint32_t slot, ValueKind kind);
  // The bits of a scalar operand, as an element.
  uint64_t ScalarBits(const Node& node, Frame frame, size_t operand, Elem elem);
  // A pointer as a byte offset into its memory.
  RunValue PointerAt(const Stmt& stmt, const Operand& operand, Frame frame);
  RunValue PointerAt(const Stmt& stmt, const RunValue& pointer);  // a kPtr, or a kTensor
  // The address of `bytes` bytes; ends the run if the memory has fewer.
  char* Reach(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes);
  char* Reach(const Stmt& stmt, size_t operand, Frame frame, int64_t offset, int64_t bytes);
  // A byte of on-chip memory. The cores of a block share all but the memory of vector cores, where `lane` is
  // the core; below 0: this one, or vector core 0 for a cube core.
  RunValue MemoryAt(const Stmt& stmt, Loc loc, int64_t address, int64_t lane = -1);
  // Bytes to read. Those in the slack of an array are put together in memory that the next call uses again.
  const char* Source(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes);
  // Copies between memories. Arrays may be shorter than the copy: see RunOptions::slack.
  void CopyBytes(const Stmt& stmt, const RunValue& dst, int64_t to, const RunValue& src, int64_t from, int64_t bytes);
  template <class F>
  void EachPiece(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes, F&& f);
  static pto_pipe PipeOfVector(const Stmt& stmt);
  static std::string_view NameOfMemory(const Stmt& stmt, bool writes);
  void WatchBar(const Stmt& stmt, const sync::Access& access);
  void WarnOfSlack(const Stmt& stmt, int64_t excess);
  struct BytesUsed {
    const RunValue* address;
    int64_t offset;
    int64_t bytes;
    bool writes;
    int64_t rows = 1;
    int64_t pitch = 0;           // from row to row
    std::string_view name = {};  // of the pointer; empty: the statement's only one, or the one it writes to
  };
  void WatchBytes(const Stmt& stmt, std::span<const BytesUsed> used);
  void WatchBytes(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes, bool writes) {
    const BytesUsed used{&address, offset, bytes, writes};
    WatchBytes(stmt, {&used, 1});
  }
  // An element that a work item reads or writes, or the scalar unit.
  void WatchNumber(const Stmt& stmt, std::string_view name, const RunValue& address, int64_t offset, int64_t bytes,
                   sync::Use use);
  // When a launch of work items begins; below 0: it is not recorded.
  int64_t LaunchBegins() const { return options_.record == PTO_RECORD_OFF ? -1 : recorder_->Now(); }
  void RecordLaunch(const Stmt& stmt, int64_t begin, int32_t items);
  Event VectorEvent(const Stmt& stmt, pto_pipe pipe) const;
  void PassBar();
  // Sums of floats in global memory depend on their order: the order of the blocks, on any number of threads.
  void AwaitTurn() {
    if (options_.threads > 1) turns_->Await(block_);
  }
  bool watched() const { return watched_; }
  // Whether accesses on-chip are followed, too.
  bool checked() const { return checked_; }
  void FillBytes(const Stmt& stmt, const RunValue& dst, int64_t to, int64_t bytes, const void* pattern, size_t size);
  vec::VectorState& vector() { return vector_; }
  void SetControl(int64_t control);
  bool poison() const { return options_.poison; }
  uint8_t InactiveByte() const { return options_.poison ? vec::kPoison : 0; }
  bool hardware() const { return hardware_; }  // the profile is a device's
  // Strips of loops: whether nothing but values and memory depends on what statements do; steps until the limits are
  // looked at.
  bool unseen() const { return !checked() && !options_.poison && options_.record == PTO_RECORD_OFF; }
  // Plans: whether nothing but memory and errors depends on how instructions run.
  bool plans() const { return !checked() && !options_.late && !options_.poison && options_.record == PTO_RECORD_OFF; }
  // Runs an instruction that a limit may end within.
  template <class Run>
  void MayHalt(const Site& site, Run run) {
    const bool halts = site.work >= kLongWork;
    if (halts) HaltBy(ctx_, this);
    run(ctx_);
    if (halts) HaltBy(ctx_, nullptr);
  }
  uint64_t tiles_era() const { return state_->tiles_era; }
  int64_t StepsAtOnce() const { return slice_; }
  void TakeSteps(int64_t steps) { slice_ -= steps; }
  // Executes a statement of the vector level, and records when.
  Flow RunTraced(Node& node, Frame frame);
  // What a recorded statement did with registers; the bits of masks have a byte for each lane here.
  struct LanesSeen {
    RegisterUse uses[6];
    uint8_t lanes[6][vec::kRegisterBytes];
    size_t count = 0;
  };
  void SeeRegisters(const Stmt& stmt, Frame frame, LanesSeen* seen);
  static const uint8_t* LanesOf(const Value& value, const RunValue& there, pto_dtype* dtype, int32_t* lanes,
                                uint8_t* spread);
  pto_tile* TileOfRegister(const Value& value);
  bool IsShown(const Value& value) const;  // a tile or a register, after a run
  void Trace(Code* code);
  uint8_t* StripRoom() { return registers_.Room(); }
  // machine_report.cc
  void BlockCount(const Node& node, Frame frame);
  void BlockIndex(const Node& node, Frame frame);
  void LaneCount(const Node& node, Frame frame);
  void LaneIndex(const Node& node, Frame frame);
  void Print(const Stmt& stmt, Frame frame);
  void PrintTile(const Stmt& stmt, Frame frame);
  void Trap(const Stmt& stmt, Frame frame);

  // Helpers of these actions.

  // A block under way. They are in a list, not on the stack of the thread: so a machine can stop at any statement
  // and continue later, and needs as little stack for a deep program as for a flat one.
  struct Level {
    // Enter() sets them: memory of levels that are not entered is never touched, because a run of many ranks would drop
    // their data from the caches.
    Node* owner;  // the statement that the block is of; nullptr: a function
    Node* begin;
    Node* at;  // the next statement
    Node* end;
    Frame frame;
    // For a loop.
    int64_t next;  // value of its variable ...
    int64_t upper;
    int64_t step;
    uint32_t variable;  // ... in this slot
    bool carries;
    uint8_t region;
  };
  // The block under way, or one that it is in.
  Level& level(size_t out = 0) { return levels_[depth_ - 1 - out]; }
  // A function that was called, or the entry.
  struct Activation {
    FuncCode* code;
    const Node* call;              // nullptr: the entry
    Frame frame;                   // that the call is in
    std::vector<RunValue> values;  // the values of the entry stay after the run, in frame_
    int64_t bytes;
  };

  void Start();

  // machine_flow.cc
  bool GoOn();
  Level* Enter(Node* owner, Code* code, Frame frame);
  static void SetCode(Level* level, Code* code);
  void Leave(Flow flow);
  void LeaveBlock(Flow flow);
  bool NextRound(Level* level);
  static void EndFor(const Node& node, Frame frame);
  void BeginWhile(const Node& node, Frame frame);
  bool NextRegion(Level* level);
  void Return();
  FuncCode& CodeOf(const Func& func);
  void Gather(const Node& node, size_t first, Frame frame) { Gather(node, first, node.operands.size(), frame); }
  void Gather(const Node& node, size_t first, size_t end, Frame frame);
  void Assign(const Stmt& stmt, const Slots& slots, size_t first, Frame frame);

  // machine_arith.cc
  void ArithOne(const Node& node, const RunValue* const* in, RunValue* const* out);
  void ArithLanes(const Node& node, Frame frame);
  size_t LaneOf(const Stmt& stmt, const Type& type, Frame frame);
  RunValue MakeVector(const Stmt& stmt, size_t lanes);
  void MakeOwn(Node& node, SiteArg& arg, Frame frame);
  void CopyColumn(Node& node);
  RunValue CountsIn(const Stmt& stmt, const SiteArg& arg);

  // machine_args.cc
  void BindArguments(const Func& entry, Frame frame);
  Box* MemoryOf(const Func& entry, const Value& argument, int64_t address);
  void BindArgument(const Func& entry, const Value& argument, const Binding& binding, Frame frame);

  // machine_inst.cc
  void SetOperands(Node& node, Frame frame);
  void SetTile(Node& node, SiteArg& arg, Frame frame);
  void SetTensor(Node& node, SiteArg& arg, Frame frame);
  void SetNumber(Node& node, const SiteNumber& number, Frame frame);
  pto_status RunInst(const Site& site);
  bool IsSame(const Site& site, Frame frame) const;
  void NoteSame(Site& site) const;
  void MakeInst(const Stmt& stmt, Site& site);
  // By what an instruction's destination is, where nothing is written.
  Given GivenTo(const Node& node, Frame frame);
  void MakeDestination(Node& node, const SiteArg& arg, Frame frame);
  void MakeTmp(Node& node, const SiteArg* named, Frame frame);
  // Gives a name its new tile, at the address that the program chose for it before.
  void Settle(const Stmt& stmt, const Value& value, const pto_tile_desc& desc, TileCache* cache, Frame frame);
  RunValue Window(const Stmt& stmt, const Operand& operand, const RunValue& base, const Node& node, Frame frame);

  // machine_tiles.cc
  RunValue NewTile(const Stmt& stmt, const pto_tile_desc& desc);
  RunValue MakeTile(const Stmt& stmt, const pto_tile_desc& desc, TileCache* cache);
  pto_tile_desc AllocDesc(const Stmt& stmt, const Type& type, Frame frame);
  void NeedExtents(const Stmt& stmt, int64_t rows, int64_t cols);
  // The result is a tile that shares the storage of `whole`; without a tile the C API refused it.
  void ShareTile(const Stmt& stmt, const RunValue& whole, RunValue part, Frame frame);
  bool PlaceLater(const Operand& tile, int64_t address, Frame frame);
  void MakeScales(Node& node, int64_t address, Frame frame);
  void Carry(const Stmt& stmt, Box* box, int64_t address);
  // Gives a tile an address; counts the on-chip memory that no tile of the run has had yet.
  void Place(const Stmt& stmt, Box* box, int64_t address);
  RunValue View(const Stmt& stmt, const RunValue& base, const pto_tensor_desc& desc, int64_t offset);

  // machine_elements.cc
  void MoveElement(const Stmt& stmt, pto_tile* tile, int64_t at, const Operand* from, Frame frame);
  char* Element(const Stmt& stmt, pto_tile* tile, int64_t offset);
  void MoveScalar(const Stmt& stmt, const Operand& memory, const RunValue& base, int64_t at, const Operand* from,
                  Frame frame);
  int64_t& EventOf(const Stmt& stmt, Frame frame);
  uint64_t BitsOf(const Stmt& stmt, const Operand& operand, pto_dtype dtype, Frame frame);

  // machine_comm.cc
  pto_tensor* TensorOf(const Stmt& stmt, OperandName name, Frame frame);
  pto_tile* StagingOf(const Stmt& stmt, OperandName name, const pto_tensor* moves, Frame frame);
  int32_t AskSignal(const Node& node, Frame frame);
  int64_t CommBegins() const;
  void RecordComm(const Stmt& stmt, int64_t begin, pto_pipe pipe, pto_tensor* moved, pto_tensor* remote, bool signal);
  int16_t PeerOf(pto_tensor* tensor);
  int16_t RankOf(pto_tensor* tensor);

  // machine_pipes.cc
  void NeedCore(const Node& node);
  unsigned StorePipes() const;
  void TakeSlot(const Pipe& pipe, Channel& channel);
  void PushTile(Node& node, Pipe& pipe, const Box* box);
  void PopTile(Node& node, Pipe& pipe, const Box* box);
  Box* Popped(Node& node, Frame frame);
  RunValue FirstSlot(const Stmt& stmt, Box* box);
  RunValue SlotView(Node& node, int64_t number, const Pipe& pipe, bool to_cube, int64_t index);
  int64_t NumberOf(const Node& node, Frame frame);
  Channel& ChannelOf(Pipe& pipe, bool to_cube, int32_t lane) { return pipe.channels[to_cube ? 1 : 0][lane]; }
  // The vector cores whose part of a transfer this core has: from begin to end.
  struct Lanes {
    int32_t begin;
    int32_t end;
  };
  Lanes LanesOf(const Node& node) const;
  bool NamesLanes() const;
  int64_t FlagOf(const Stmt& stmt, Frame frame);
  Meeting& MeetingOf(bool blocks, int64_t* member);
  void NeedRoom(const Stmt& stmt, int64_t id, int64_t count);
  void PassFlag(const Stmt& stmt, int64_t id, const void* line, bool set);
  void Meet(const Stmt& stmt, bool blocks, int64_t id);
  void TakeMeeting(const Stmt& stmt, bool blocks, int64_t id);
  Flow WaitFor(Wait::Need need, int32_t lane, int64_t number);
  bool GivesTurn();

  // machine_sync.cc
  void WatchInst(const Node& node, Frame frame);
  std::span<sync::Access> AccessesOf(const Node& node, Frame frame);
  void WatchElement(const Stmt& stmt, const Operand& operand, const Box* box, const void* at, int64_t bytes,
                    bool writes);
  void WatchComm(const Node& node, Frame frame);
  void KeepSegment(std::span<const Operand> members, Frame frame, int64_t size);
  // Reports the accesses of a statement, before it runs.
  void Touch(const Stmt& stmt, std::span<const sync::Access> accesses) {
    if (!late_.empty()) ArriveFor(accesses);
    if (options_.unset != nullptr) NeedData(stmt, accesses);
    if (follows_) FollowUb(stmt, accesses);
  }

  // machine_late.cc
  void SendLate(const Stmt& stmt, pto_tensor* dst, pto_tensor* src, pto_atomic atomic);
  void ArriveFor(std::span<const sync::Access> accesses);
  void Arrive();
  void WatchCopy(const Stmt& stmt, pto_tensor* dst, pto_tensor* src);
  void WatchTile(const Box* box, bool manual);
  void WatchPassed(const Stmt& stmt, std::string_view name, const Box* box, pto_pipe pipe, sync::Use use);
  // Passes what pipes of this core did to another core, or from there.
  void Tell(const Stmt& stmt, const void* line, unsigned pipes);
  void Hear(const void* line, unsigned pipes) {
    if (options_.checker != nullptr) options_.checker->Hear(line, CheckedCore(), pipes, nullptr);
  }
  void See(const Node& node, Frame frame);
  int CheckedCore() const { return options_.checked_core + (core_.alone ? 0 : core_.Index()); }
  bool ChecksRanks() const { return options_.checker != nullptr && options_.checker->ranks(); }
  void WatchNotify(const Stmt& stmt, pto_tensor* signal, int32_t value, bool set);
  void WatchAwait(const Stmt& stmt, pto_tensor* signal, int32_t value, pto_wait_cmp cmp);
  // `part`: of a statement that its pipe runs as a whole.
  void Watch(const Stmt& stmt, pto_pipe pipe, std::span<sync::Access> accesses, const Stmt* part = nullptr);
  void ChargeChecker(const Stmt& stmt, int64_t before);
  int PipeAt(const Stmt& stmt, const Operand* operand);
  SyncSite ReadSync(const Stmt& stmt);

  // machine_unset.cc
  void NeedData(const Stmt& stmt, std::span<const sync::Access> accesses);
  // Warns of reads of bytes of UB that this block has not written.
  void FollowUb(const Stmt& stmt, std::span<const sync::Access> accesses);
  void NeedTile(const Stmt& stmt, std::string_view name, pto_tile* tile);

  // machine_report.cc
  void RunAttended(const Node& node, Frame frame);
  void RunRecorded(const Stmt& stmt, Site& site);
  void ChargeRecorded(const Stmt& stmt, int64_t before);
  void SayLines(const Stmt& stmt, std::string_view text);
  void Say(const Stmt& stmt, std::string_view text);
  bool OutputFull() const;

  // Operands. A check has made sure of what they are; where a value is not that, or has none yet, the run ends.
  int64_t IntOf(const Stmt& stmt, const Operand& operand, Frame frame);
  RunValue& ValueOf(const Stmt& stmt, const Operand& operand, Frame frame, ValueKind kind);

  // Ends the run, from wherever it is: thrown after the diagnostics have the reason.
  struct Ended {};
  [[noreturn, gnu::format(printf, 4, 5)]] void Fail(const Stmt& stmt, Rule rule, const char* format, ...);
  [[noreturn]] void FailAt(Rule rule, uint32_t offset, uint32_t length, const std::string& message);
  [[noreturn]] void FailArgument(const Func& entry, const Value& argument, Rule rule, const std::string& message);
  std::string Where() const;
  // The C API refused a call: its message, at this statement.
  [[noreturn]] void FailCall(const Stmt& stmt);
  void Called(const Stmt& stmt, pto_status status) {
    if (status != PTO_OK) FailCall(stmt);
  }

  // Limits. `at` is the statement or function that the run cannot go on with. A step is a
  // statement, a round of a loop or a block; Work() takes more of them for what costs more.
  template <class At>
  void Step(const At& at) {
    if (--slice_ < 0) Pause(at.offset, at.length);
  }
  template <class At>
  void Work(const At& at, int64_t elements) {
    slice_ -= elements / kElementsPerStep;
    if (slice_ < 0) Pause(at.offset, at.length);
  }
  void Pause(uint32_t offset, uint32_t length);
  bool TimeIsOver() const;
  // Whether what Pause() ends a run for has come up within an instruction.
  bool Due() const override;
  // Counts this number of bytes as in use.
  template <class At>
  void Charge(const At& at, int64_t bytes) {
    if (bytes > options_.max_bytes - state_->bytes) FailBytes(at.offset, at.length, bytes);
  }
  [[noreturn]] void FailBytes(uint32_t offset, uint32_t length, int64_t bytes);
  // A box that is charged for itself and for `bytes` more; the caller creates its contents.
  RunValue MakeBox(const Stmt& stmt, ValueKind kind, int64_t bytes);

 private:
  // Leaves nothing to the next block but code.
  void Forget();
  const Spans& Spared();
  void NoteWriter(const Stmt& stmt, const Site& site);
  void ClearUnwritten();

  static constexpr int64_t kElementsPerStep = 64;
  // Elements from which on a call may be ended inside; reading the clock costs as much as a small product.
  static constexpr int64_t kLongWork = 1 << 16;
  // The bytes that count as used memory: of a handle and its parts, and of a value of a running function.
  static constexpr int64_t kBoxBytes = 512;
  static constexpr int64_t kValueBytes = 32;
  static_assert(sizeof(RunValue) <= kValueBytes && sizeof(Box) <= kBoxBytes / 4);

  vec::RegisterPool registers_;
  vec::VectorState vector_;
  RunValue memories_[kLocCount + 1];  // on-chip, that pointers are into; the last one is of vector core 1
  std::vector<char> spare_;           // see Source()
  std::unordered_map<const Func*, std::unique_ptr<FuncCode>> code_;
  std::vector<TileCache*> caches_;                   // that hold a tile
  std::vector<std::pair<const Stmt*, Site*>> made_;  // that have an instruction
  const Func* entry_;
  const Bindings* bindings_ = nullptr;
  Turns* turns_;
  BlockState* state_;
  Core core_;
  std::vector<const Binding*> bound_;                       // of each argument of the entry, in the block under way
  std::vector<RunValue> frame_;                             // of the entry, kept after the run
  std::unordered_map<std::string_view, size_t> arguments_;  // of the entry, by name; empty: not asked for yet
  // For the entry: the values that may have a tile at the end, and whether they had one; a name means its last
  // definition.
  struct Named {
    const Value* value;
    bool has = false;
  };
  std::vector<Named> named_;
  std::unordered_map<std::string_view, const Value*> tiles_;
  struct ReleaseTile {
    void operator()(pto_tile* tile) const { pto_tile_release(tile); }
  };
  std::map<const Value*, std::unique_ptr<pto_tile, ReleaseTile>> registers_shown_;  // as tiles, since the last run
  std::vector<RunValue> yielded_;
  std::unordered_map<const Value*, int64_t> places_;  // of names that have no tile yet
  int64_t pipes_made_ = 0;                            // without a number of their own
  std::map<int64_t, RunValue> slots_;                 // of pipes, in global memory
  std::unique_ptr<Chip> chip_;
  std::unique_ptr<FirstWrites> first_writes_;  // of the entry, once it was asked for
  std::vector<const Site*> writers_;           // of its tiles; nullptr: no run reached it yet
  const char* vec_ = nullptr;                  // address 0 of vector memory; nullptr: no tile was placed there
  uint32_t target_ = 0;                        // of the branch taken
  bool condition_ = false;
  int mad_ = 0;  // how products round factors of f32: a value of kMadMode
  KernelMath kernel_math_;

  pto_context* ctx_ = nullptr;  // the context of chip_, while a block is under way
  RunOptions options_;
  int64_t fuel_ = 0;     // steps that are left after the slice
  int64_t slice_ = 0;    // steps until the next look at the clock and at requests to stop
  int64_t granted_ = 0;  // what the slice was
  bool cut_ = false;
  bool begun_ = false;
  bool waits_ = false;  // for the condition in wait_, at the next statement
  bool moved_ = false;
  bool done_ = false;
  bool hardware_ = false;
  std::set<std::pair<const Stmt*, std::string_view>> warned_;  // statements, and what the run has warned of there
  Wait wait_;
  int32_t block_ = 0;
  std::unique_ptr<Level[]> levels_;  // room for all that may be entered
  size_t depth_ = 0;                 // of these; the last is the block under way
  std::vector<Activation> calls_;    // functions that the entry came to where it is through
  Recorder* recorder_ = nullptr;
  bool watched_ = false;           // what statements touch matters to the checker, or to who knows what outputs hold
  bool checked_ = false;           // there is a checker, or follows_
  bool follows_ = false;           // the bytes of UB that are written: see FollowUb()
  Spans ub_written_;               // by addresses, in the block under way
  bool attended_ = false;          // recorded, watched, or one of several threads: one test for all of them
  std::vector<sync::Area> areas_;  // of one tensor
  // Data that was sent and has not arrived.
  struct Late {
    RunValue dst;
    RunValue data;
    pto_atomic atomic;
    std::vector<sync::Area> areas;  // of dst
  };
  std::vector<Late> late_;
  std::vector<uintptr_t> windows_;  // where the windows of all ranks begin; empty: not asked for yet
  int64_t waits_since_ = -1;        // of a wait for a signal that is under way, as the recorder counts
};

// ---- what executes each statement -------------------------------------------

struct RunRow {
  StmtName name;
  RunStmt run;
};
using RunRows = std::span<const RunRow>;
// The lists of the files.
extern const RunRows kInstRuns, kArithRuns, kFlowRuns, kTileRuns, kElementRuns, kPipeRuns, kReportRuns, kVectorRuns,
    kCommRuns;

// A member function as an entry of a list: it takes the node, or only the statement, and continues with the next one if
// it does not say.
template <auto member>
Flow Do(Machine& machine, Node& node, Frame frame) {
  const auto run = [&]() -> decltype(auto) {
    if constexpr (requires { (machine.*member)(node, frame); }) {
      return (machine.*member)(node, frame);
    } else {
      return (machine.*member)(*node.stmt, frame);
    }
  };
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    return Flow::kNext;
  } else {
    return run();
  }
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_MACHINE_H_

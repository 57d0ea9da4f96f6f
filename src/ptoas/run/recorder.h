// The record of a run, instruction by instruction: its time, its operands, and, with tiles kept, their contents. One
// recorder belongs to one machine. Events may be read while the run adds to them; tiles, the trace and the report are
// for after it.
#ifndef PTO_SRC_PTOAS_RECORDER_H_
#define PTO_SRC_PTOAS_RECORDER_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/places.h"
#include "src/ptoas/run/growing.h"
#include "src/ptoas/run/scan.h"

namespace pto::ptoas {

struct Site;

constexpr int8_t kOnlyCore = -1;  // of a block that has one

// One instruction that was executed.
struct Event {
  const Stmt* stmt = nullptr;
  int64_t begin = 0;  // in ticks since the run began
  int64_t end = 0;
  int64_t bytes = 0;        // of the valid regions that it read and wrote, and of global memory
  int64_t repeat = 0;       // how often the statement ran before
  uint32_t first_tile = 0;  // among the recorder's tiles
  int32_t elements = 0;     // of the largest valid region, at most 2^31 - 1
  int32_t block = 0;
  int16_t rank = 0;
  int16_t peer = -1;             // of communication: whose window it reads or writes; -1: its own, or several
  const void* signal = nullptr;  // of a notification, or of a wait for it
  int8_t core = kOnlyCore;       // of the block: the cube core, then the vector cores
  int32_t rows = 0;              // valid, of the destination or else of the first tile
  int32_t cols = 0;
  int16_t status = PTO_OK;
  int8_t dtype = -1;
  int8_t pipe = PTO_PIPE_V;
  uint8_t tiles = 0;
  bool pinned = false;  // its tiles are never thinned out: the first with a NaN or infinity, and what failed
};

// An operand of an event, before the instruction or after it.
struct TileRecord {
  uint32_t offset = 0;  // of the operand in the text
  uint32_t length = 0;
  int8_t operand = 0;  // of the record
  bool after = false;
  int8_t dtype = 0;
  int8_t location = 0;
  int8_t blayout = 0;
  int8_t slayout = 0;
  int16_t fractal = 0;
  int32_t rows = 0;
  int32_t cols = 0;
  int32_t valid_rows = 0;
  int32_t valid_cols = 0;
  int32_t row_step = 1;  // the step between rows, and between columns, that are kept
  int32_t col_step = 1;
  int64_t data = 0;        // where the elements are
  int64_t data_bytes = 0;  // 0: they were not kept
  Scan scan;
};

// Events, their operands, and the elements of these.
struct Kept {
  Growing<Event> events;  // they grow without moving what they have, which would cost more than an event does
  std::deque<TileRecord> tiles;
  std::string data;
  int64_t stride = 1;  // tiles were kept of each so-many-th time that a statement ran
};

// A register of a statement of the vector level, or a mask with a byte for each lane: a tile of one row in reports.
struct RegisterUse {
  uint32_t offset = 0;  // in the text
  uint32_t length = 0;
  int8_t operand = 0;
  bool after = false;
  bool mask = false;
  pto_dtype dtype = PTO_DTYPE_U8;
  int32_t lanes = 0;
  int16_t masked_by = 0;  // 1 and up: the use that has its active lanes; 0: none
  const void* bytes = nullptr;
};
inline constexpr int8_t kRegisterLocation = 9, kMaskLocation = 10;  // after the memories, in reports

class Recorder {
 public:
  // Discards the old recording; the new one takes up to `max_bytes` of memory.
  void Start(const pto_context* ctx, pto_record what, int64_t max_bytes, std::string_view source);
  // As another one was started: for a thread that records into what that one takes over by Append().
  void StartLike(const Recorder& other);
  Growing<Event> TakeEvents() { return std::move(insts_.events); }
  Growing<Event> TakeVectorEvents() { return std::move(below_.events); }
  // Events without tiles, as if they came now; statements are counted anew.
  void Append(const Growing<Event>& events);
  void AppendVector(const Growing<Event>& events);
  void Lose(int64_t events) { lost_.fetch_add(events, std::memory_order_relaxed); }
  bool on() const { return what_ != PTO_RECORD_OFF; }

  // Around an instruction. Throws std::bad_alloc only.
  void Before(pto_context* ctx, const Stmt& stmt, Site& site, int32_t rank, int32_t block, int8_t core);
  void After(pto_context* ctx, const Site& site, pto_status status);
  // Ticks since the run began.
  int64_t Now() const;
  // Communication that has ended now: all of an event but its end, and how often its statement ran before.
  void Communicated(Event event);
  // Statements of the vector level. Only the trace and the report have them: instructions are events of programs, with
  // tiles as operands.
  void AddVector(Event event, std::span<const RegisterUse> uses = {});
  bool KeepsTiles() const { return what_ == PTO_RECORD_TILES; }
  // The run is over: works out what a tick was, by what the clocks have counted since it began.
  void Finish();

  const Growing<Event>& events() const { return insts_.events; }
  const Growing<Event>& vector_events() const { return below_.events; }
  // Of instructions, and of statements of the vector level.
  const Kept& insts() const { return insts_; }
  const Kept& below() const { return below_; }
  // When an event began and ended, in nanoseconds, and its line.
  struct When {
    int64_t begin, end, line;
  };
  When WhenOf(const Event& event) const;
  const std::deque<TileRecord>& tiles() const { return insts_.tiles; }
  const std::string& data() const { return insts_.data; }
  // Events for which there was no room; from any thread.
  int64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  int64_t stride() const { return std::max(insts_.stride, below_.stride); }
  int64_t max_bytes() const { return max_bytes_; }
  int64_t bytes() const;  // in use

  // While it is held no run begins or ends: for threads that read events while one may be under way.
  std::unique_lock<std::mutex> Hold() const { return std::unique_lock(mutex_); }
  bool running() const { return running_; }

  // Copies numbers, as pto_program_read_events() specifies.
  void ReadEvents(size_t first, size_t count, size_t fields, void* to) const {
    ReadEvents(insts_, first, count, fields, to);
  }
  void ReadTiles(size_t first, size_t count, size_t fields, void* to) const {
    ReadTiles(insts_, first, count, fields, to);
  }
  void ReadEvents(const Kept& kept, size_t first, size_t count, size_t fields, void* to) const;
  void ReadTiles(const Kept& kept, size_t first, size_t count, size_t fields, void* to) const;

 private:
  // Elements, row by row, and what was found in them: an instruction mostly reads what another one wrote just before.
  struct Known {
    std::vector<char> elements;
    std::vector<char> read;  // what is compared with them, of the same size mostly
    int32_t dtype = -1;
    Scan scan;
  };

  void Begin(pto_record what, int64_t max_bytes, std::shared_ptr<const Places> places);
  void Snap(pto_context* ctx, const Site& site, bool after);
  const Known* Know(pto_context* ctx, pto_tile* tile);
  void Keep(TileRecord* tile, const std::vector<char>& elements);
  void NoteFirst(const Scan& scan);
  void Thin(Kept* kept) const;
  bool HasRoom() const;
  int64_t RowBytes() const;   // of events and operands
  int64_t DataBytes() const;  // of elements
  double NsPerTick() const;

  mutable std::mutex mutex_;
  bool running_ = false;
  int target_ = 0;  // that elements are scanned on
  pto_record what_ = PTO_RECORD_OFF;
  int64_t max_bytes_ = 0;
  int64_t start_ns_ = 0;
  int64_t start_ticks_ = 0;
  double ns_per_tick_ = 1;
  std::atomic<int64_t> lost_ = 0;
  bool had_nan_ = false;
  bool had_inf_ = false;
  Kept insts_, below_;
  Event now_;                                          // of the instruction under way
  std::unordered_map<const Stmt*, int64_t> appended_;  // how often
  std::vector<Known> known_;  // a few places, by the address where a tile begins, and one more for tiles that are large
  std::shared_ptr<const Places> places_;  // in the source, where something is recorded
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RECORDER_H_

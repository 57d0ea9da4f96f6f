#include "src/ptoas/run/recorder.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "src/ptoas/run/code.h"
#include "src/ptoas/run/codes.h"
#include "src/ptoas/run/room.h"
#include "src/ptoas/run/ticks.h"

namespace pto::ptoas {

namespace {

// A larger tile is kept as every second, fourth ... row and column of it.
constexpr int64_t kWholeTile = int64_t{1} << 16;
// Tiles that are known by their addresses: 6 bits of these, mixed.
constexpr size_t kKnown = 64;
constexpr int64_t kReserved = int64_t{64} << 20;  // bytes

bool IsScratch(const SiteArg& arg) { return arg.tensor || arg.scratch; }

// The address of an element shows whether there are any: a tile without an address has none and cannot be read.
bool CanRead(pto_tile* tile) {
  return tile != nullptr && pto_tile_valid_bytes(tile) > 0 && pto_tile_data(tile) != nullptr;
}

// The bytes from its first element on are its elements, row by row.
bool IsInOrder(const pto_tile* tile) {
  if (pto_tile_slayout(tile) != PTO_SLAYOUT_NONE_BOX || IsPacked(pto_tile_dtype(tile))) return false;
  if (pto_tile_blayout(tile) == PTO_BLAYOUT_COL_MAJOR) return pto_tile_valid_cols(tile) == 1;
  const int64_t rows = pto_tile_valid_rows(tile);
  return rows == 1 || pto_tile_stride(tile) * rows == pto_tile_valid_bytes(tile);
}

// Copies the fields that the reader knows; returns the place of the next row.
void* WriteRow(const int64_t* numbers, size_t known, size_t fields, void* to) {
  char* at = static_cast<char*>(to);
  const size_t copied = std::min(known, fields) * sizeof *numbers;
  std::memcpy(at, numbers, copied);
  std::memset(at + copied, 0, fields * sizeof *numbers - copied);
  return at + fields * sizeof *numbers;
}

}  // namespace

double Recorder::NsPerTick() const {
  const auto ticks = static_cast<double>(Ticks() - start_ticks_);
  return ticks > 0 ? static_cast<double>(SteadyNs() - start_ns_) / ticks : 1;
}

void Recorder::Finish() {
  const auto held = Hold();
  if (on()) ns_per_tick_ = NsPerTick();
  running_ = false;
}

void Recorder::Start(const pto_context* ctx, pto_record what, int64_t max_bytes, std::string_view source) {
  target_ = 0;
  while (what != PTO_RECORD_OFF && std::strcmp(pto_target_name(target_), pto_context_target(ctx)) != 0) ++target_;
  Begin(what, max_bytes, what == PTO_RECORD_OFF ? nullptr : std::make_shared<const Places>(source));
}

void Recorder::Begin(pto_record what, int64_t max_bytes, std::shared_ptr<const Places> places) {
  const auto held = Hold();
  what_ = what;
  max_bytes_ = max_bytes;
  places_ = std::move(places);
  lost_ = 0;
  had_nan_ = had_inf_ = false;
  appended_.clear();
  for (Kept* kept : {&insts_, &below_}) {
    std::string().swap(kept->data);
    if (kept->events.size() != 0) kept->events.clear();
    if (!kept->tiles.empty()) std::deque<TileRecord>().swap(kept->tiles);
    kept->stride = 1;
  }
  std::vector<Known>().swap(known_);
  if (!on()) return;
  if (what_ == PTO_RECORD_TILES) {
    known_.resize(kKnown + 1);
    // Address space, not memory: growing would touch all of it twice.
    Reserve(&insts_.data, static_cast<size_t>(std::min(max_bytes_ / 2, kReserved)));
  }
  start_ns_ = SteadyNs();
  start_ticks_ = Ticks();
  running_ = true;
}

void Recorder::StartLike(const Recorder& other) {
  Begin(other.what_, other.max_bytes_, other.places_);
  start_ns_ = other.start_ns_;
  start_ticks_ = other.start_ticks_;
}

void Recorder::Append(const Growing<Event>& events) {
  for (size_t i = 0; i < events.size(); ++i) {
    Event event = events[i];
    event.repeat = appended_[event.stmt]++;
    if (HasRoom() || event.status != PTO_OK) {
      insts_.events.push_back(event);
    } else {
      Lose(1);
    }
  }
}

void Recorder::AppendVector(const Growing<Event>& events) {
  for (size_t i = 0; i < events.size(); ++i) AddVector(events[i]);
}

int64_t Recorder::Now() const { return Ticks() - start_ticks_; }

// They leave half of the memory to instructions.
void Recorder::AddVector(Event event, std::span<const RegisterUse> uses) {
  const int64_t quarter = max_bytes_ / 4;
  const size_t rows =
      (below_.events.size() + 1) * sizeof(Event) + (below_.tiles.size() + uses.size()) * sizeof(TileRecord);
  if (static_cast<int64_t>(rows) > quarter) return Lose(1);
  if (!uses.empty()) event.repeat = appended_[event.stmt]++;
  event.first_tile = static_cast<uint32_t>(below_.tiles.size());
  event.tiles = static_cast<uint8_t>(uses.size());
  now_ = event;
  for (const RegisterUse& use : uses) {
    TileRecord tile;
    tile.offset = use.offset;
    tile.length = use.length;
    tile.operand = use.operand;
    tile.after = use.after;
    tile.dtype = static_cast<int8_t>(use.dtype);
    tile.location = use.mask ? kMaskLocation : kRegisterLocation;
    tile.fractal = use.masked_by;
    tile.rows = tile.valid_rows = 1;
    tile.cols = tile.valid_cols = use.lanes;
    const auto lanes = static_cast<size_t>(use.lanes);
    tile.scan = ScanElements(target_, use.dtype, use.bytes, lanes);
    if (use.after && !use.mask) NoteFirst(tile.scan);
    below_.tiles.push_back(tile);
  }
  const auto bytes_of = [](const RegisterUse& use) { return use.lanes * pto_dtype_bytes(use.dtype); };
  int64_t bytes = 0;
  for (const RegisterUse& use : uses) bytes += bytes_of(use);
  const auto fits = [&] { return static_cast<int64_t>(below_.data.size()) + bytes <= quarter; };
  while (!fits() && below_.stride <= now_.repeat) Thin(&below_);
  if (fits() && (now_.pinned || now_.repeat % below_.stride == 0)) {
    for (size_t i = 0; i < uses.size(); ++i) {
      TileRecord& tile = below_.tiles[event.first_tile + i];
      tile.data = static_cast<int64_t>(below_.data.size());
      tile.data_bytes = bytes_of(uses[i]);
      below_.data.append(static_cast<const char*>(uses[i].bytes), static_cast<size_t>(tile.data_bytes));
    }
  }
  below_.events.push_back(now_);
}

Recorder::When Recorder::WhenOf(const Event& event) const {
  const auto ns = [this](int64_t ticks) { return static_cast<int64_t>(static_cast<double>(ticks) * ns_per_tick_); };
  return {ns(event.begin), ns(event.end), places_->At(event.stmt->offset).line};
}

int64_t Recorder::bytes() const { return RowBytes() + DataBytes(); }

int64_t Recorder::RowBytes() const {
  size_t bytes = 0;
  for (const Kept* kept : {&insts_, &below_}) {
    bytes += kept->events.size() * sizeof(Event) + kept->tiles.size() * sizeof(TileRecord);
  }
  return static_cast<int64_t>(bytes);
}

int64_t Recorder::DataBytes() const { return static_cast<int64_t>(insts_.data.size() + below_.data.size()); }

// Half of the memory is for elements, so that these leave room for what is known of all instructions.
bool Recorder::HasRoom() const {
  const auto rows = RowBytes() + static_cast<int64_t>(sizeof(Event));
  return rows <= (what_ == PTO_RECORD_TILES ? max_bytes_ / 2 : max_bytes_);
}

void Recorder::Communicated(Event event) {
  event.end = Now();
  event.repeat = appended_[event.stmt]++;
  event.first_tile = static_cast<uint32_t>(insts_.tiles.size());
  if (HasRoom()) {
    insts_.events.push_back(event);
  } else {
    Lose(1);
  }
}

void Recorder::Before(pto_context* ctx, const Stmt& stmt, Site& site, int32_t rank, int32_t block, int8_t core) {
  now_ = Event();
  now_.stmt = &stmt;
  now_.repeat = site.runs++;
  now_.rank = static_cast<int16_t>(rank);
  now_.block = block;
  now_.core = core;
  now_.elements = static_cast<int32_t>(std::min<int64_t>(site.elements, std::numeric_limits<int32_t>::max()));
  now_.first_tile = static_cast<uint32_t>(insts_.tiles.size());
  pto_tile* shown = nullptr;
  for (const SiteArg& arg : site.args) {
    if (arg.tensor) continue;
    if (!arg.scratch) now_.bytes += pto_tile_valid_bytes(arg.tile);
    if (shown == nullptr || arg.index == 0) shown = arg.tile;
  }
  if (shown != nullptr) {
    now_.rows = pto_tile_valid_rows(shown);
    now_.cols = pto_tile_valid_cols(shown);
    now_.dtype = static_cast<int8_t>(pto_tile_dtype(shown));
    now_.pipe = static_cast<int8_t>(PipeOf(site, *stmt.op, pto_context_profile(ctx)));
    // As much global memory as there is tile.
    if (stmt.op->Transfers()) now_.bytes += pto_tile_valid_bytes(shown);
  }
  if (what_ == PTO_RECORD_TILES && HasRoom()) Snap(ctx, site, false);
  now_.begin = Now();
}

void Recorder::After(pto_context* ctx, const Site& site, pto_status status) {
  now_.end = Now();
  now_.status = static_cast<int16_t>(status);
  const bool room = HasRoom();
  // The last one, which failed, is always there.
  if (!room && status == PTO_OK) {
    insts_.tiles.resize(now_.first_tile);
    Lose(1);
    return;
  }
  now_.pinned |= status != PTO_OK;
  if (what_ == PTO_RECORD_TILES && room && status == PTO_OK) Snap(ctx, site, true);
  now_.tiles = static_cast<uint8_t>(insts_.tiles.size() - now_.first_tile);
  insts_.events.push_back(now_);
}

void Recorder::Snap(pto_context* ctx, const Site& site, bool after) {
  for (const SiteArg& arg : site.args) {
    if (IsScratch(arg)) continue;
    const Role role = now_.stmt->op->operands[arg.index].role;
    if (after ? !IsWritten(role) : role == Role::kOut) continue;
    TileRecord tile;
    tile.offset = arg.operand->offset;
    tile.length = arg.operand->length;
    tile.operand = static_cast<int8_t>(arg.index);
    tile.after = after;
    const pto_dtype dtype = pto_tile_dtype(arg.tile);
    tile.dtype = static_cast<int8_t>(dtype);
    tile.location = static_cast<int8_t>(pto_tile_location(arg.tile));
    tile.blayout = static_cast<int8_t>(pto_tile_blayout(arg.tile));
    tile.slayout = static_cast<int8_t>(pto_tile_slayout(arg.tile));
    tile.fractal = static_cast<int16_t>(pto_tile_fractal(arg.tile));
    tile.rows = pto_tile_rows(arg.tile);
    tile.cols = pto_tile_cols(arg.tile);
    tile.valid_rows = pto_tile_valid_rows(arg.tile);
    tile.valid_cols = pto_tile_valid_cols(arg.tile);
    if (CanRead(arg.tile)) {
      if (const Known* known = Know(ctx, arg.tile)) {
        tile.scan = known->scan;
        if (after) NoteFirst(tile.scan);
        if (now_.pinned || now_.repeat % insts_.stride == 0) Keep(&tile, known->elements);
      }
    }
    insts_.tiles.push_back(tile);
  }
}

// The first NaN and the first infinity are never thinned out.
void Recorder::NoteFirst(const Scan& scan) {
  now_.pinned |= (scan.contents.nans > 0 && !had_nan_) || (scan.contents.infs > 0 && !had_inf_);
  had_nan_ |= scan.contents.nans > 0;
  had_inf_ |= scan.contents.infs > 0;
}

// The contents of a tile, scanned unless they are unchanged; nullptr: it cannot be read.
const Recorder::Known* Recorder::Know(pto_context* ctx, pto_tile* tile) {
  const pto_dtype dtype = pto_tile_dtype(tile);
  const int64_t bytes = pto_tile_valid_bytes(tile);
  const void* data = pto_tile_data(tile);
  const bool large = bytes > kWholeTile;
  Known& known = known_[large ? kKnown : reinterpret_cast<uintptr_t>(data) * 0x9E3779B97F4A7C15 >> 58];
  if (known.dtype == dtype && IsInOrder(tile) && static_cast<int64_t>(known.elements.size()) == bytes &&
      std::memcmp(data, known.elements.data(), known.elements.size()) == 0) {
    return &known;
  }
  known.read.resize(static_cast<size_t>(bytes));
  if (pto_tile_read(ctx, tile, known.read.data(), bytes) != PTO_OK) return nullptr;
  SpreadCodes(dtype, pto_tile_valid_rows(tile), pto_tile_valid_cols(tile), &known.read);
  if (known.dtype != dtype || known.elements != known.read) {
    known.dtype = dtype;
    known.elements.swap(known.read);
    known.scan = ScanElements(target_, dtype, known.elements.data(),
                              known.elements.size() / static_cast<size_t>(pto_dtype_bytes(dtype)));
  }
  return &known;
}

// Copies all elements, or only every nth row and column of a large tile.
void Recorder::Keep(TileRecord* tile, const std::vector<char>& elements) {
  int64_t rows = tile->valid_rows;
  int64_t cols = tile->valid_cols;
  const int64_t size = pto_dtype_bytes(static_cast<pto_dtype>(tile->dtype));
  while (rows * cols * size > std::min(kWholeTile, std::max<int64_t>(max_bytes_ / 16, 64))) {
    int32_t& step = rows >= cols ? tile->row_step : tile->col_step;
    step *= 2;
    rows = (tile->valid_rows + tile->row_step - 1) / tile->row_step;
    cols = (tile->valid_cols + tile->col_step - 1) / tile->col_step;
  }
  const int64_t bytes = rows * cols * size;
  while (DataBytes() + bytes > max_bytes_ / 2 && insts_.stride <= now_.repeat) Thin(&insts_);
  const bool wanted = now_.pinned || now_.repeat % insts_.stride == 0;
  if (!wanted || DataBytes() + bytes > max_bytes_) {
    tile->row_step = tile->col_step = 1;
    return;
  }
  tile->data = static_cast<int64_t>(insts_.data.size());
  tile->data_bytes = bytes;
  if (bytes == static_cast<int64_t>(elements.size())) {
    insts_.data.append(elements.data(), elements.size());
    return;
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t at = r * tile->row_step * tile->valid_cols + c * tile->col_step;
      insts_.data.append(elements.data() + at * size, static_cast<size_t>(size));
    }
  }
}

// Releases the elements of every second recorded execution of a statement.
void Recorder::Thin(Kept* kept) const {
  kept->stride *= 2;
  int64_t end = 0;
  const auto pass = [&](const Event& event, size_t tiles) {
    for (size_t i = event.first_tile; i < event.first_tile + tiles; ++i) {
      TileRecord& tile = kept->tiles[i];
      if (!event.pinned && event.repeat % kept->stride != 0) tile.data_bytes = 0;
      if (tile.data_bytes != 0)
        std::memmove(kept->data.data() + end, kept->data.data() + tile.data, static_cast<size_t>(tile.data_bytes));
      tile.data = end;
      end += tile.data_bytes;
    }
  };
  for (size_t i = 0; i < kept->events.size(); ++i) pass(kept->events[i], kept->events[i].tiles);
  pass(now_, kept->tiles.size() - now_.first_tile);
  kept->data.resize(static_cast<size_t>(end));
}

void Recorder::ReadEvents(const Kept& kept, size_t first, size_t count, size_t fields, void* to) const {
  const double unit = running_ ? NsPerTick() : ns_per_tick_;
  const auto ns = [unit](int64_t ticks) { return static_cast<int64_t>(static_cast<double>(ticks) * unit); };
  for (size_t i = first; i < first + count; ++i) {
    const Event& event = kept.events[i];
    const TextPlace place = places_->At(event.stmt->offset);
    // In the order of pto_event_field.
    const int64_t op = event.stmt->op == nullptr ? -1 : event.stmt->op->id;
    const int64_t all[] = {ns(event.begin),    ns(event.end),      op,
                           event.status,       place.line,         place.column,
                           event.stmt->offset, event.stmt->length, event.block,
                           event.repeat,       event.pipe,         event.dtype,
                           event.rows,         event.cols,         event.elements,
                           event.bytes,        event.first_tile,   event.tiles,
                           event.rank,         event.peer};
    static_assert(std::size(all) == PTO_EVENT_PEER + 1);
    to = WriteRow(all, std::size(all), fields, to);
  }
}

void Recorder::ReadTiles(const Kept& kept, size_t first, size_t count, size_t fields, void* to) const {
  for (size_t i = first; i < first + count; ++i) {
    const TileRecord& tile = kept.tiles[i];
    // In the order of pto_event_tile_field.
    const int64_t all[] = {tile.operand,
                           tile.after ? 1 : 0,
                           tile.offset,
                           tile.length,
                           tile.dtype,
                           tile.location,
                           tile.blayout,
                           tile.slayout,
                           tile.fractal,
                           tile.rows,
                           tile.cols,
                           tile.valid_rows,
                           tile.valid_cols,
                           tile.scan.contents.nans,
                           tile.scan.contents.infs,
                           tile.scan.contents.subnormals,
                           static_cast<int64_t>(tile.scan.contents.min),
                           static_cast<int64_t>(tile.scan.contents.max),
                           static_cast<int64_t>(tile.scan.digest),
                           tile.row_step,
                           tile.col_step,
                           tile.data,
                           tile.data_bytes};
    static_assert(std::size(all) == PTO_EVENT_TILE_DATA_BYTES + 1);
    to = WriteRow(all, std::size(all), fields, to);
  }
}

}  // namespace pto::ptoas

// Events and tiles of runs; nothing of a file is trusted.
#include "src/cli/recording.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/records/dtype.h"
#include "src/records/plain_text.h"

namespace pto::cli {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr int64_t kMostName = 4096;  // characters of a tile's name in a file
constexpr int kVersion = 3;          // of the file

// Instructions, and statements of the vector level, in the order in which they began. The tiles of an event follow the
// tiles of the event before it.
Recording Merged(Recording insts, const Recording& below) {
  Recording all;
  all.name = std::move(insts.name);
  all.text = std::move(insts.text);
  const Recording* const from[] = {&insts, &below};
  const size_t counts[] = {insts.events.size() / kEventFields, below.events.size() / kEventFields};
  const int64_t data[] = {0, static_cast<int64_t>(insts.data.size())};
  size_t next[2] = {};
  const auto begins = [&](int list) { return from[list]->events[next[list] * kEventFields + PTO_EVENT_BEGIN]; };
  while (next[0] < counts[0] || next[1] < counts[1]) {
    const int list = next[0] == counts[0] || (next[1] < counts[1] && begins(1) < begins(0)) ? 1 : 0;
    const int64_t* event = &from[list]->events[next[list] * kEventFields];
    all.marks.push_back(static_cast<int64_t>(next[list] + (list == 0 ? 0 : counts[0])));
    ++next[list];
    all.events.insert(all.events.end(), event, event + kEventFields);
    int64_t& first = all.events[all.events.size() - kEventFields + PTO_EVENT_FIRST_TILE];
    const int64_t* tiles = from[list]->tiles.data() + first * kTileFields;
    first = static_cast<int64_t>(all.tiles.size()) / kTileFields;
    all.tiles.insert(all.tiles.end(), tiles, tiles + event[PTO_EVENT_TILES] * kTileFields);
    for (size_t at = static_cast<size_t>(first) * kTileFields; at < all.tiles.size(); at += kTileFields) {
      all.tiles[at + PTO_EVENT_TILE_DATA] += data[list];
    }
  }
  all.data = std::move(insts.data) + below.data;
  return all;
}

}  // namespace

Recording TakeRecording(const Session& session, const std::string& name, const std::string& text) {
  Recording taken;
  taken.name = name;
  taken.text = text;
  pto_program* program = session.program();
  const auto read = [&](pto_event_part part, int32_t fields, auto* to) {
    using Value = typename std::remove_reference_t<decltype(*to)>::value_type;
    const int64_t rows = pto_program_event_count(program, part);
    to->resize(static_cast<size_t>(rows) * static_cast<size_t>(fields));
    if (rows == 0) return;
    session.Must(pto_program_read_events(session.ctx(), program, part, 0, fields, to->data(),
                                         static_cast<int64_t>(to->size() * sizeof(Value))));
  };
  read(PTO_EVENT_PART_EVENTS, kEventFields, &taken.events);
  read(PTO_EVENT_PART_TILES, kTileFields, &taken.tiles);
  read(PTO_EVENT_PART_ELEMENTS, 1, &taken.data);
  Recording below;
  read(PTO_EVENT_PART_VECTOR_EVENTS, kEventFields, &below.events);
  read(PTO_EVENT_PART_REGISTERS, kTileFields, &below.tiles);
  read(PTO_EVENT_PART_REGISTER_ELEMENTS, 1, &below.data);
  if (!below.events.empty()) taken = Merged(std::move(taken), below);
  taken.lost = pto_program_events_lost(program);
  return taken;
}

std::string FormatRecording(const Recording& r) {
  std::string file = Format("pto-recording %d %zu %zu %zu %zu %" PRId64 "\n", kVersion, r.events.size() / kEventFields,
                            r.tiles.size() / kTileFields, r.data.size(), r.text.size(), r.lost);
  file.append(reinterpret_cast<const char*>(r.events.data()), r.events.size() * sizeof(int64_t));
  file.append(reinterpret_cast<const char*>(r.tiles.data()), r.tiles.size() * sizeof(int64_t));
  return file + r.data + r.text;
}

Recording ReadRecording(const std::string& path) {
  const std::string file = ReadFile(path);
  Recording r;
  r.name = path;
  uint64_t events = 0;
  uint64_t tiles = 0;
  uint64_t bytes = 0;
  uint64_t text = 0;
  int head = 0;
  int version = 0;
  const std::string line = file.substr(0, std::min<size_t>(file.find('\n') + 1, 160));
  const bool begins =
      std::sscanf(line.c_str(), "pto-recording %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd64 "%n",
                  &version, &events, &tiles, &bytes, &text, &r.lost, &head) == 6 &&
      version >= 1 && version <= kVersion && static_cast<size_t>(head) + 1 == line.size();
  if (!begins) Fail("%s: is not a recording", path.c_str());
  // Each by itself first, so that no sum runs over.
  const uint64_t size = file.size();
  const bool sane = events <= size && tiles <= size && bytes <= size && text <= size &&
                    line.size() + 8 * (events * kEventFields + tiles * kTileFields) + bytes + text == size;
  if (!sane) Fail("%s: has %" PRIu64 " bytes, but its first line specifies another size", path.c_str(), size);
  const char* at = file.data() + line.size();
  const auto take = [&at](std::vector<int64_t>* to, uint64_t numbers) {
    to->resize(numbers);
    if (numbers != 0) std::memcpy(to->data(), at, numbers * sizeof(int64_t));
    at += numbers * sizeof(int64_t);
  };
  take(&r.events, events * kEventFields);
  take(&r.tiles, tiles * kTileFields);
  r.data.assign(at, bytes);
  r.text.assign(at + bytes, text);
  const auto within = [](int64_t first, int64_t count, uint64_t all) {
    return first >= 0 && count >= 0 && static_cast<uint64_t>(first) <= all &&
           static_cast<uint64_t>(count) <= all - static_cast<uint64_t>(first);
  };
  bool good = true;
  // Each tile belongs to one event, so that what is read of a file grows with the file.
  int64_t next = 0;
  for (uint64_t i = 0; i < events; ++i) {
    const int64_t* row = &r.events[i * kEventFields];
    good &= row[PTO_EVENT_FIRST_TILE] >= next && within(row[PTO_EVENT_FIRST_TILE], row[PTO_EVENT_TILES], tiles);
    if (good) next = row[PTO_EVENT_FIRST_TILE] + row[PTO_EVENT_TILES];
  }
  for (uint64_t i = 0; i < tiles; ++i) {
    int64_t* row = &r.tiles[i * kTileFields];
    if (version < kVersion) row[PTO_EVENT_TILE_DIGEST] = 0;  // computed in another way: not comparable
    good &= within(row[PTO_EVENT_TILE_OFFSET], row[PTO_EVENT_TILE_LENGTH], text) &&
            row[PTO_EVENT_TILE_LENGTH] <= kMostName &&
            within(row[PTO_EVENT_TILE_DATA], row[PTO_EVENT_TILE_DATA_BYTES], bytes) && row[PTO_EVENT_TILE_DTYPE] >= 0 &&
            row[PTO_EVENT_TILE_DTYPE] < kDTypeCount && row[PTO_EVENT_TILE_ROW_STEP] >= 1 &&
            row[PTO_EVENT_TILE_COL_STEP] >= 1;
  }
  if (!good) Fail("%s: a row of it points outside, or names a tile at length", path.c_str());
  return r;
}

std::vector<Written> WritesOf(const Recording& r) {
  std::vector<Written> writes;
  // A name may be as long as the program, and is written in each iteration of a loop.
  std::map<std::pair<int64_t, int64_t>, std::string_view> places;
  std::set<std::string_view> names;
  std::map<std::tuple<const char*, size_t, int64_t>, int64_t> times;
  for (size_t i = 0; i < r.events.size(); i += kEventFields) {
    const int64_t* event = &r.events[i];
    for (int64_t k = 0; k < event[PTO_EVENT_TILES]; ++k) {
      const int64_t* tile = &r.tiles[static_cast<size_t>(event[PTO_EVENT_FIRST_TILE] + k) * kTileFields];
      if (tile[PTO_EVENT_TILE_AFTER] == 0) continue;
      const int64_t offset = tile[PTO_EVENT_TILE_OFFSET];
      const int64_t length = tile[PTO_EVENT_TILE_LENGTH];
      const auto [place, fresh] = places.try_emplace({offset, length});
      if (fresh) {
        place->second =
            *names.insert(std::string_view(r.text).substr(static_cast<size_t>(offset), static_cast<size_t>(length)))
                 .first;
      }
      const std::string_view name = place->second;
      const int64_t block = event[PTO_EVENT_BLOCK];
      writes.push_back({static_cast<int64_t>(i / kEventFields), name, block, event[PTO_EVENT_LINE],
                        event[PTO_EVENT_COLUMN], event[PTO_EVENT_OP],
                        r.golden ? event[PTO_EVENT_REPEAT] : times[{name.data(), name.size(), block}]++, tile});
    }
  }
  return writes;
}

namespace {

// A statement that is not an instruction has its name in the text.
std::string OpName(const Recording& r, const Written& w) {
  const char* name = w.op < 0 || w.op > INT32_MAX ? nullptr : pto_op_name(static_cast<int32_t>(w.op));
  if (name != nullptr) return name;
  const int64_t* event = &r.events[static_cast<size_t>(w.event) * kEventFields];
  const auto offset = static_cast<uint64_t>(event[PTO_EVENT_OFFSET]);
  const auto length = static_cast<uint64_t>(event[PTO_EVENT_LENGTH]);
  const bool known = w.op == -1 && offset < r.text.size() && length <= r.text.size() - offset;
  if (!known) return "an instruction";
  const std::string written = r.text.substr(offset, length);
  return written.starts_with("pto.") ? written.substr(4) : written;
}

std::string Place(const Recording& r, const Written& w) {
  if (w.line == 0) return r.name + " of " + std::string(w.tile);
  std::string place = Format("%s:%" PRId64 ":%" PRId64, r.name.c_str(), w.line, w.column);
  place += Format(": %s writes %s", OpName(r, w).c_str(), std::string(w.tile).c_str());
  if (w.time != 0) place += Format(", time %" PRId64, w.time + 1);
  return w.block == 0 ? place : place + Format(", block %" PRId64, w.block);
}

std::string BitsText(pto_dtype dtype, const char* at) {
  const auto bytes = static_cast<size_t>(pto_dtype_bytes(dtype));
  const Array one{dtype, {1}, std::string(at, bytes)};
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return Format("%.9g (0x%0*" PRIx64 ")", ElementAt(one, 0), static_cast<int>(2 * bytes), bits);
}

// The element at a place that was kept; nullptr: it was not.
const char* ElementOf(const Recording& r, const int64_t* tile, int64_t row, int64_t col, int64_t bytes) {
  const int64_t width = (tile[PTO_EVENT_TILE_VALID_COLS] - 1) / tile[PTO_EVENT_TILE_COL_STEP] + 1;
  const int64_t at = (row / tile[PTO_EVENT_TILE_ROW_STEP] * width + col / tile[PTO_EVENT_TILE_COL_STEP]) * bytes;
  const bool kept = at >= 0 && at + bytes <= tile[PTO_EVENT_TILE_DATA_BYTES];
  return kept ? r.data.data() + tile[PTO_EVENT_TILE_DATA] + at : nullptr;
}

enum class Verdict : uint8_t { kSame, kDifferent, kUnknown };

// Digests show whether tiles differ; a golden has none. Elements that both sides kept show where.
Verdict Judge(const Recording& a, const int64_t* x, const Recording& b, const int64_t* y, std::string* how) {
  const auto type = [](const int64_t* tile) { return static_cast<pto_dtype>(tile[PTO_EVENT_TILE_DTYPE]); };
  const int64_t rows = x[PTO_EVENT_TILE_VALID_ROWS];
  const int64_t cols = x[PTO_EVENT_TILE_VALID_COLS];
  if (type(x) != type(y) || rows != y[PTO_EVENT_TILE_VALID_ROWS] || cols != y[PTO_EVENT_TILE_VALID_COLS]) {
    *how = Format("it is %" PRId64 "x%" PRId64 " of %s here and %" PRId64 "x%" PRId64 " of %s there", rows, cols,
                  pto_dtype_name(type(x)), y[PTO_EVENT_TILE_VALID_ROWS], y[PTO_EVENT_TILE_VALID_COLS],
                  pto_dtype_name(type(y)));
    return Verdict::kDifferent;
  }
  const bool digests = x[PTO_EVENT_TILE_DIGEST] != 0 && y[PTO_EVENT_TILE_DIGEST] != 0;
  if (digests && x[PTO_EVENT_TILE_DIGEST] == y[PTO_EVENT_TILE_DIGEST]) return Verdict::kSame;
  const int64_t bytes = pto_dtype_bytes(type(x));
  const int64_t row_step = std::max(x[PTO_EVENT_TILE_ROW_STEP], y[PTO_EVENT_TILE_ROW_STEP]);
  const int64_t col_step = std::max(x[PTO_EVENT_TILE_COL_STEP], y[PTO_EVENT_TILE_COL_STEP]);
  int64_t compared = 0;
  int64_t differ = 0;
  for (int64_t row = 0; row < rows; row += row_step) {
    for (int64_t col = 0; col < cols; col += col_step) {
      const char* mine = ElementOf(a, x, row, col, bytes);
      const char* yours = ElementOf(b, y, row, col, bytes);
      if (mine == nullptr || yours == nullptr) break;
      ++compared;
      if (std::memcmp(mine, yours, static_cast<size_t>(bytes)) == 0 || differ++ != 0) continue;
      *how = Format("element (%" PRId64 ", %" PRId64 ") is %s here and %s there", row, col,
                    BitsText(type(x), mine).c_str(), BitsText(type(x), yours).c_str());
    }
    if (compared == 0) break;
  }
  if (differ != 0) {
    *how += Format("; %" PRId64 " of %" PRId64 " differ", differ, compared);
    return Verdict::kDifferent;
  }
  if (digests) *how = "its elements differ; those were not kept: raise --limit";
  return digests ? Verdict::kDifferent : compared == rows * cols ? Verdict::kSame : Verdict::kUnknown;
}

// One time at which a tile should hold the values of an array.
void AddGolden(Recording* r, const std::string& name, const Array& array, int64_t time, size_t from) {
  const int64_t rows = array.shape[array.shape.size() - 2];
  const int64_t cols = array.shape.back();
  const int64_t bytes = rows * cols * pto_dtype_bytes(array.dtype);
  const size_t event = r->events.size();
  r->events.resize(event + kEventFields);
  r->events[event + PTO_EVENT_FIRST_TILE] = static_cast<int64_t>(r->tiles.size()) / kTileFields;
  r->events[event + PTO_EVENT_TILES] = 1;
  r->events[event + PTO_EVENT_REPEAT] = time;
  const size_t tile = r->tiles.size();
  r->tiles.resize(tile + kTileFields);
  const auto set = [&](int field, int64_t value) { r->tiles[tile + static_cast<size_t>(field)] = value; };
  set(PTO_EVENT_TILE_AFTER, 1);
  set(PTO_EVENT_TILE_OFFSET, static_cast<int64_t>(r->text.size()));
  set(PTO_EVENT_TILE_LENGTH, static_cast<int64_t>(name.size()) + 1);
  set(PTO_EVENT_TILE_DTYPE, array.dtype);
  set(PTO_EVENT_TILE_VALID_ROWS, rows);
  set(PTO_EVENT_TILE_VALID_COLS, cols);
  set(PTO_EVENT_TILE_ROW_STEP, 1);
  set(PTO_EVENT_TILE_COL_STEP, 1);
  set(PTO_EVENT_TILE_DATA, static_cast<int64_t>(r->data.size()));
  set(PTO_EVENT_TILE_DATA_BYTES, bytes);
  r->text += "%" + name;
  r->data.append(array.data, from * static_cast<size_t>(bytes), static_cast<size_t>(bytes));
}

}  // namespace

Recording GoldenRecording(const std::vector<std::string>& goldens, const Recording& run,
                          const std::vector<Written>& writes) {
  Recording r;
  r.name = "golden";
  r.golden = true;
  // The last known write would be mistaken for the last one.
  if (run.lost != 0)
    Fail("--golden: %" PRId64 " instructions were not recorded, for want of room: raise the limit", run.lost);
  for (const auto& [name, path] : Split(goldens, "--golden")) {
    const Array array = ReadArray(path, {});
    if (array.shape.size() != 2 && array.shape.size() != 3) {
      Fail("%s: has the shape %s where a tile has two dimensions, or three with times", path.c_str(),
           ShapeText(array.shape).c_str());
    }
    int64_t last = -1;
    for (const Written& w : writes) {
      if (w.tile == "%" + name && w.block == 0) last = w.time;
    }
    if (last < 0) Fail("--golden %s: nothing writes a tile or register of this name", name.c_str());
    if (array.shape.size() == 2) {
      AddGolden(&r, name, array, last, 0);
      continue;
    }
    if (array.shape[0] > last + 1) {
      Fail("%s: has %" PRId64 " times where %%%s is written %" PRId64 " times", path.c_str(), array.shape[0],
           name.c_str(), last + 1);
    }
    for (int64_t k = 0; k < array.shape[0]; ++k) AddGolden(&r, name, array, k, static_cast<size_t>(k));
  }
  return r;
}

Parting FirstDifference(const Recording& a, const std::vector<Written>& ours, const Recording& b,
                        const std::vector<Written>& theirs) {
  // Names are compared once each, not at each write.
  std::map<std::string_view, size_t> numbers;
  std::map<std::pair<const char*, size_t>, size_t> seen;
  const auto number = [&](std::string_view name) {
    const auto [at, fresh] = seen.try_emplace({name.data(), name.size()});
    if (fresh) at->second = numbers.try_emplace(name, numbers.size()).first->second;
    return at->second;
  };
  std::map<std::tuple<size_t, int64_t, int64_t>, const Written*> known;
  for (const Written& w : theirs) known[{number(w.tile), w.block, w.time}] = &w;
  Parting parting;
  for (const Written& w : ours) {
    const auto other = known.find({number(w.tile), w.block, w.time});
    if (other == known.end()) {
      ++parting.alone;
      continue;
    }
    std::string how;
    const Verdict verdict = Judge(a, w.row, b, other->second->row, &how);
    parting.same += verdict == Verdict::kSame ? 1 : 0;
    parting.unknown += verdict == Verdict::kUnknown ? 1 : 0;
    if (verdict != Verdict::kDifferent) continue;
    parting.event = a.marks.empty() ? w.event : a.marks[static_cast<size_t>(w.event)];
    // Names of files may contain anything; so may names of tiles in a recording that was read.
    parting.text = Plain(Place(a, w)) + "\n" + Plain(Place(b, *other->second)) + "\n" + how;
    return parting;
  }
  parting.alone_there = static_cast<int64_t>(theirs.size()) - parting.same - parting.unknown;
  return parting;
}

}  // namespace pto::cli

// Events and tiles of runs; nothing of a file is trusted.
#include "src/cli/recording.h"

#include <bit>
#include <cinttypes>
#include <cstring>
#include <map>
#include <utility>

#include "src/cli/cli.h"
#include "src/cli/files.h"

namespace pto::cli {

static_assert(std::endian::native == std::endian::little);

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
  taken.lost = pto_program_events_lost(program);
  return taken;
}

std::string FormatRecording(const Recording& r) {
  std::string file = Format("pto-recording 1 %zu %zu %zu %zu %" PRId64 "\n", r.events.size() / kEventFields,
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
  const std::string line = file.substr(0, std::min<size_t>(file.find('\n') + 1, 160));
  const bool begins =
      std::sscanf(line.c_str(), "pto-recording 1 %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd64 "%n",
                  &events, &tiles, &bytes, &text, &r.lost, &head) == 5 &&
      static_cast<size_t>(head) + 1 == line.size();
  if (!begins) Fail("%s: is no recording", path.c_str());
  // Each by itself first, so that no sum runs over.
  const uint64_t size = file.size();
  const bool sane = events <= size && tiles <= size && bytes <= size && text <= size &&
                    line.size() + 8 * (events * kEventFields + tiles * kTileFields) + bytes + text == size;
  if (!sane) Fail("%s: has %" PRIu64 " bytes, which are not what its first line says", path.c_str(), size);
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
  for (uint64_t i = 0; i < events; ++i) {
    const int64_t* row = &r.events[i * kEventFields];
    good &= within(row[PTO_EVENT_FIRST_TILE], row[PTO_EVENT_TILES], tiles);
  }
  for (uint64_t i = 0; i < tiles; ++i) {
    const int64_t* row = &r.tiles[i * kTileFields];
    good &= within(row[PTO_EVENT_TILE_OFFSET], row[PTO_EVENT_TILE_LENGTH], text) &&
            within(row[PTO_EVENT_TILE_DATA], row[PTO_EVENT_TILE_DATA_BYTES], bytes) && row[PTO_EVENT_TILE_DTYPE] >= 0 &&
            row[PTO_EVENT_TILE_DTYPE] <= PTO_DTYPE_E8M0 && row[PTO_EVENT_TILE_ROW_STEP] >= 1 &&
            row[PTO_EVENT_TILE_COL_STEP] >= 1;
  }
  if (!good) Fail("%s: a row of it points outside", path.c_str());
  return r;
}

std::vector<Written> WritesOf(const Recording& r) {
  std::vector<Written> writes;
  std::map<std::pair<std::string, int64_t>, int64_t> times;
  for (size_t i = 0; i < r.events.size(); i += kEventFields) {
    const int64_t* event = &r.events[i];
    for (int64_t k = 0; k < event[PTO_EVENT_TILES]; ++k) {
      const int64_t* tile = &r.tiles[static_cast<size_t>(event[PTO_EVENT_FIRST_TILE] + k) * kTileFields];
      if (tile[PTO_EVENT_TILE_AFTER] == 0) continue;
      const std::string name = r.text.substr(static_cast<size_t>(tile[PTO_EVENT_TILE_OFFSET]),
                                             static_cast<size_t>(tile[PTO_EVENT_TILE_LENGTH]));
      const int64_t block = event[PTO_EVENT_BLOCK];
      writes.push_back({name, block, event[PTO_EVENT_LINE], event[PTO_EVENT_COLUMN], event[PTO_EVENT_OP],
                        times[{name, block}]++, tile});
    }
  }
  return writes;
}

}  // namespace pto::cli

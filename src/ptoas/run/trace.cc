// The trace of a run, as Perfetto and Chrome read it.
#include <algorithm>
#include <cstdio>
#include <string>

#include "src/ptoas/run/launch.h"

namespace pto::ptoas {

namespace {

// In the order of pto_pipe.
constexpr const char* kPipeRows[] = {"V (vector unit)",    "M (matrix unit)",  "MTE1 (on chip)",
                                     "MTE2 (from memory)", "MTE3 (to memory)", "FIX (out of accumulators)",
                                     "S (scalars)"};
static_assert(std::size(kPipeRows) == kPipes);

// A row for each pipe of each core: of a block's only one, or of its cube core and then of its vector cores.
constexpr size_t kRowCount = size_t{kPipes} * (2 + kVectorCores);
size_t RowOf(const Event& event) {
  return static_cast<size_t>(event.pipe) + size_t{kPipes} * static_cast<size_t>(event.core - kOnlyCore);
}
std::string NameOf(const Event& event) {
  const char* pipe = kPipeRows[event.pipe];
  if (event.core == kOnlyCore) return pipe;
  return (event.core == 0 ? "cube: " : "vector " + std::to_string(event.core - 1) + ": ") + pipe;
}

std::string Meta(int32_t block, size_t pipe, const char* what, const std::string& name) {
  return ",\n{\"name\": \"" + std::string(what) + "\", \"ph\": \"M\", \"pid\": " + std::to_string(block) +
         ", \"tid\": " + std::to_string(pipe) + ", \"args\": {\"name\": \"" + name + "\"}}";
}

}  // namespace

// The names of rows come first, whatever part has their events; a comma before each line but the first.
std::string Launch::Trace(size_t first, size_t count) const {
  const Growing<Event>& events = recorder_.events();
  const Growing<Event>& below = recorder_.vector_events();
  std::string out;
  if (first == 0) {
    std::vector<bool> named;
    const auto name = [&](const Event& event) {
      const auto block = static_cast<size_t>(event.block);
      const size_t place = RowOf(event);
      if (named.size() < (block + 1) * kRowCount) named.resize((block + 1) * kRowCount);
      if (named[block * kRowCount + place]) return;
      named[block * kRowCount + place] = true;
      out += Meta(event.block, place, "process_name", "block " + std::to_string(event.block));
      out += Meta(event.block, place, "thread_name", NameOf(event));
    };
    for (size_t i = 0; i < events.size(); ++i) name(events[i]);
    for (size_t i = 0; i < below.size(); ++i) name(below[i]);
    out.replace(0, out.empty() ? 0 : 1, "[");
  }
  constexpr size_t kFields = PTO_EVENT_COLUMN;  // up to the line
  const size_t end = std::min(events.size(), first + std::min(count, events.size()));
  std::vector<int64_t> rows(first < end ? (end - first) * kFields : 0);
  if (first < end) recorder_.ReadEvents(first, end - first, kFields, rows.data());
  const int64_t* row = rows.data();
  for (size_t i = first; i < end; ++i, row += kFields) {
    const Event& event = events[i];
    const auto ns = static_cast<double>(row[PTO_EVENT_END] - row[PTO_EVENT_BEGIN]);
    char text[400];
    std::snprintf(
        text, sizeof text,
        "\", \"cat\": \"instruction\", \"ph\": \"X\", \"pid\": %d, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, "
        "\"args\": {\"line\": %lld, \"offset\": %u, \"dtype\": \"%s\", \"rows\": %d, \"cols\": %d, "
        "\"elements\": %d, \"bytes\": %lld, \"GB/s\": %.3f}}",
        event.block, RowOf(event), static_cast<double>(row[PTO_EVENT_BEGIN]) / 1000, ns / 1000,
        static_cast<long long>(row[PTO_EVENT_LINE]), event.stmt->offset,
        event.dtype < 0 ? "" : pto_dtype_name(static_cast<pto_dtype>(event.dtype)), event.rows, event.cols,
        event.elements, static_cast<long long>(event.bytes), ns > 0 ? static_cast<double>(event.bytes) / ns : 0.0);
    out += ",\n{\"name\": \"" + std::string(event.stmt->name) + text;
  }
  if (end != events.size()) return out;
  for (size_t i = 0; i < below.size(); ++i) {
    const Event& event = below[i];
    const Recorder::When when = recorder_.WhenOf(event);
    char text[300];
    std::snprintf(text, sizeof text,
                  "\", \"cat\": \"vector\", \"ph\": \"X\", \"pid\": %d, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, "
                  "\"args\": {\"line\": %lld, \"offset\": %u, \"dtype\": \"%s\", \"lanes\": %d}}",
                  event.block, RowOf(event), static_cast<double>(when.begin) / 1000,
                  static_cast<double>(when.end - when.begin) / 1000, static_cast<long long>(when.line),
                  event.stmt->offset, event.dtype < 0 ? "" : pto_dtype_name(static_cast<pto_dtype>(event.dtype)),
                  event.cols);
    out += ",\n{\"name\": \"" + std::string(event.stmt->name) + text;
  }
  out += "\n]\n";
  return out;
}

}  // namespace pto::ptoas

// The trace of a run, as Perfetto and Chrome read it.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "src/ptoas/run/launch.h"

namespace pto::ptoas {

namespace {

// In the order of pto_pipe.
constexpr const char* kPipeRows[] = {"V (vector unit)",    "M (matrix unit)",  "MTE1 (on chip)",
                                     "MTE2 (from memory)", "MTE3 (to memory)", "FIX (out of accumulators)",
                                     "S (scalars)"};
static_assert(std::size(kPipeRows) == kPipes);

// A row for each pipe of each core: of a block's only one, or of its cube core and then of its vector cores.
size_t RowOf(const Event& event) {
  return static_cast<size_t>(event.pipe) + size_t{kPipes} * static_cast<size_t>(event.core - kOnlyCore);
}
std::string NameOf(const Event& event) {
  const char* pipe = kPipeRows[event.pipe];
  if (event.core == kOnlyCore) return pipe;
  return (event.core == 0 ? "cube: " : "vector " + std::to_string(event.core - 1) + ": ") + pipe;
}

// A process is a block, of its rank where the run has ranks.
constexpr int kMostBlocks = 1 << 20;
int64_t ProcessOf(const Event& event) { return int64_t{event.rank} * kMostBlocks + event.block; }

std::string Meta(int64_t process, size_t pipe, const char* what, const std::string& name) {
  return ",\n{\"name\": \"" + std::string(what) + "\", \"ph\": \"M\", \"pid\": " + std::to_string(process) +
         ", \"tid\": " + std::to_string(pipe) + ", \"args\": {\"name\": \"" + name + "\"}}";
}

// An end of an arrow from a notification to the wait that came true by it.
std::string ArrowEnd(const Event& event, char end, size_t arrow, double us) {
  char text[160];
  std::snprintf(text, sizeof text,
                ",\n{\"name\": \"signal\", \"cat\": \"signal\", \"ph\": \"%c\", \"id\": %zu, \"pid\": %lld, "
                "\"tid\": %zu, \"ts\": %.3f%s}",
                end, arrow, static_cast<long long>(ProcessOf(event)), RowOf(event), us,
                end == 'f' ? ", \"bp\": \"e\"" : "");
  return text;
}

bool Waits(const Event& event) { return event.signal != nullptr && !event.stmt->Is("comm.tnotify"); }

}  // namespace

// The names of rows come first, whatever part has their events; a comma before each line but the first.
[[gnu::cold]] std::string Launch::Trace(size_t first, size_t count) const {
  const Growing<Event>& events = recorder_.events();
  const Growing<Event>& below = recorder_.vector_events();
  std::string out;
  if (first == 0) {
    std::set<std::pair<int64_t, size_t>> named;
    const auto name = [&](const Event& event) {
      const int64_t process = ProcessOf(event);
      if (!named.insert({process, RowOf(event)}).second) return;
      const std::string block = "block " + std::to_string(event.block);
      out += Meta(process, RowOf(event), "process_name",
                  ranks_ != nullptr ? "rank " + std::to_string(event.rank) + ", " + block : block);
      out += Meta(process, RowOf(event), "thread_name", NameOf(event));
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
  // By signal, the latest notification so far.
  std::unordered_map<const void*, size_t> notified;
  for (size_t i = 0; ranks_ != nullptr && i < std::min(first, events.size()); ++i) {
    if (events[i].signal != nullptr && !Waits(events[i])) notified[events[i].signal] = i;
  }
  for (size_t i = first; i < end; ++i, row += kFields) {
    const Event& event = events[i];
    const auto ns = static_cast<double>(row[PTO_EVENT_END] - row[PTO_EVENT_BEGIN]);
    char text[400];
    std::snprintf(text, sizeof text,
                  "\", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": %lld, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, "
                  "\"args\": {\"line\": %lld, \"offset\": %u, \"dtype\": \"%s\", \"rows\": %d, \"cols\": %d, "
                  "\"elements\": %d, \"bytes\": %lld, \"GB/s\": %.3f}}",
                  event.stmt->op == nullptr ? "communication" : "instruction", static_cast<long long>(ProcessOf(event)),
                  RowOf(event), static_cast<double>(row[PTO_EVENT_BEGIN]) / 1000, ns / 1000,
                  static_cast<long long>(row[PTO_EVENT_LINE]), event.stmt->offset,
                  event.dtype < 0 ? "" : pto_dtype_name(static_cast<pto_dtype>(event.dtype)), event.rows, event.cols,
                  event.elements, static_cast<long long>(event.bytes),
                  ns > 0 ? static_cast<double>(event.bytes) / ns : 0.0);
    out += ",\n{\"name\": \"" + std::string(event.stmt->name) + text;
    if (event.signal == nullptr) continue;
    const auto notify = notified.find(event.signal);
    if (!Waits(event)) {
      notified[event.signal] = i;
    } else if (notify != notified.end()) {
      int64_t sent[kFields];
      recorder_.ReadEvents(notify->second, 1, kFields, sent);
      out += ArrowEnd(events[notify->second], 's', i, static_cast<double>(sent[PTO_EVENT_BEGIN]) / 1000);
      out += ArrowEnd(event, 'f', i, static_cast<double>(row[PTO_EVENT_END]) / 1000);
    }
  }
  if (end != events.size()) return out;
  for (size_t i = 0; i < below.size(); ++i) {
    const Event& event = below[i];
    const Recorder::When when = recorder_.WhenOf(event);
    char text[300];
    std::snprintf(text, sizeof text,
                  "\", \"cat\": \"vector\", \"ph\": \"X\", \"pid\": %lld, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, "
                  "\"args\": {\"line\": %lld, \"offset\": %u, \"dtype\": \"%s\", \"lanes\": %d}}",
                  static_cast<long long>(ProcessOf(event)), RowOf(event), static_cast<double>(when.begin) / 1000,
                  static_cast<double>(when.end - when.begin) / 1000, static_cast<long long>(when.line),
                  event.stmt->offset, event.dtype < 0 ? "" : pto_dtype_name(static_cast<pto_dtype>(event.dtype)),
                  event.cols);
    out += ",\n{\"name\": \"" + std::string(event.stmt->name) + text;
  }
  out += "\n]\n";
  return out;
}

}  // namespace pto::ptoas

#include "src/cli/stats.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/program.h"

namespace pto::cli {

namespace {

constexpr int32_t kFields = PTO_EVENT_PEER + 1;
constexpr int64_t kBatch = 4096;

struct Sum {
  int64_t calls = 0;
  int64_t elements = 0;
  int64_t bytes = 0;
  int64_t ns = 0;
};
using Table = std::map<std::pair<int64_t, std::string>, Sum>;  // by line, or 0, and name

enum class StatsBy : uint8_t { kName, kLine, kLink };

void Print(const Table& table, const char* title, StatsBy by) {
  std::vector<std::pair<std::pair<int64_t, std::string>, Sum>> rows(table.begin(), table.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  int64_t all = 0;
  for (const auto& row : rows) all += row.second.ns;
  std::printf("%-24s %10s %14s %12s %10s %8s %7s\n", title, "calls", by == StatsBy::kLink ? "bytes" : "elements",
              "time us", "ns a call", "GB/s", "share");
  for (const auto& [key, sum] : rows) {
    const std::string name = (by == StatsBy::kLine ? std::to_string(key.first) + " " : "") + key.second;
    const auto ns = static_cast<double>(sum.ns);
    std::printf("%-24s %10lld %14lld %12.1f %10.0f %8.2f %6.1f%%\n", name.c_str(), static_cast<long long>(sum.calls),
                static_cast<long long>(by == StatsBy::kLink ? sum.bytes : sum.elements), ns / 1000,
                ns / static_cast<double>(sum.calls), sum.ns == 0 ? 0.0 : static_cast<double>(sum.bytes) / ns,
                all == 0 ? 0.0 : 100 * ns / static_cast<double>(all));
  }
}

// The name of an event. A statement of pto.comm has its name in the text.
std::string NameOf(const int64_t* row, std::string_view text) {
  if (const char* name = pto_op_name(static_cast<int32_t>(row[PTO_EVENT_OP])); name != nullptr && *name != '\0')
    return name;
  std::string_view name =
      text.substr(static_cast<size_t>(row[PTO_EVENT_OFFSET]), static_cast<size_t>(row[PTO_EVENT_LENGTH]));
  if (name.starts_with("pto.")) name.remove_prefix(4);
  return std::string(name);
}

}  // namespace

void PrintStats(pto_context* ctx, const pto_program* program, const std::string& text) {
  const int64_t count = pto_program_event_count(program, PTO_EVENT_PART_EVENTS);
  std::vector<int64_t> rows(static_cast<size_t>(std::min(count, kBatch)) * kFields);
  Table by_name;
  Table by_line;
  Table by_link;
  for (int64_t first = 0; first < count; first += kBatch) {
    const int64_t batch = std::min(kBatch, count - first);
    if (pto_program_read_events(ctx, program, PTO_EVENT_PART_EVENTS, first, kFields, rows.data(),
                                batch * kFields * 8) != PTO_OK) {
      Fail("%s", Reason(ctx).c_str());
    }
    for (int64_t i = 0; i < batch; ++i) {
      const int64_t* row = &rows[static_cast<size_t>(i) * kFields];
      const std::string name = NameOf(row, text);
      Sum ignored;
      Sum* between = &ignored;
      if (row[PTO_EVENT_PEER] >= 0) {
        const std::string rank = std::to_string(row[PTO_EVENT_RANK]);
        const std::string peer = std::to_string(row[PTO_EVENT_PEER]);
        between = &by_link[{0, (name == "comm.tget" ? peer + " to " + rank : rank + " to " + peer) + ", " + name}];
      }
      for (Sum* sum : {&by_name[{0, name}], &by_line[{row[PTO_EVENT_LINE], name}], between}) {
        ++sum->calls;
        sum->elements += row[PTO_EVENT_ELEMENTS];
        sum->bytes += row[PTO_EVENT_BYTES];
        sum->ns += row[PTO_EVENT_END] - row[PTO_EVENT_BEGIN];
      }
    }
  }
  Print(by_name, "instruction", StatsBy::kName);
  std::printf("\n");
  Print(by_line, "line", StatsBy::kLine);
  if (!by_link.empty()) {
    std::printf("\n");
    Print(by_link, "from rank to rank", StatsBy::kLink);
  }
  const int64_t lost = pto_program_events_lost(program);
  if (lost != 0) std::printf("and %lld instructions more, for which there was no room\n", static_cast<long long>(lost));
}

}  // namespace pto::cli

#include "src/cli/stats.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/program.h"

namespace pto::cli {

namespace {

constexpr int32_t kFields = PTO_EVENT_BYTES + 1;
constexpr int64_t kBatch = 4096;

struct Sum {
  int64_t calls = 0;
  int64_t elements = 0;
  int64_t bytes = 0;
  int64_t ns = 0;
};
using Table = std::map<std::pair<int64_t, int64_t>, Sum>;  // by line, or 0, and instruction

void Print(const Table& table, const char* title, bool lines) {
  std::vector<std::pair<std::pair<int64_t, int64_t>, Sum>> rows(table.begin(), table.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  int64_t all = 0;
  for (const auto& row : rows) all += row.second.ns;
  std::printf("%-24s %10s %14s %12s %10s %8s %7s\n", title, "calls", "elements", "time us", "ns a call", "GB/s",
              "share");
  for (const auto& [key, sum] : rows) {
    const std::string name =
        (lines ? std::to_string(key.first) + " " : "") + pto_op_name(static_cast<int32_t>(key.second));
    const auto ns = static_cast<double>(sum.ns);
    std::printf("%-24s %10lld %14lld %12.1f %10.0f %8.2f %6.1f%%\n", name.c_str(), static_cast<long long>(sum.calls),
                static_cast<long long>(sum.elements), ns / 1000, ns / static_cast<double>(sum.calls),
                sum.ns == 0 ? 0.0 : static_cast<double>(sum.bytes) / ns,
                all == 0 ? 0.0 : 100 * ns / static_cast<double>(all));
  }
}

}  // namespace

void PrintStats(pto_context* ctx, const pto_program* program) {
  const int64_t count = pto_program_event_count(program, PTO_EVENT_PART_EVENTS);
  std::vector<int64_t> rows(static_cast<size_t>(std::min(count, kBatch)) * kFields);
  Table by_name;
  Table by_line;
  for (int64_t first = 0; first < count; first += kBatch) {
    const int64_t batch = std::min(kBatch, count - first);
    if (pto_program_read_events(ctx, program, PTO_EVENT_PART_EVENTS, first, kFields, rows.data(),
                                batch * kFields * 8) != PTO_OK) {
      Fail("%s", Reason(ctx).c_str());
    }
    for (int64_t i = 0; i < batch; ++i) {
      const int64_t* row = &rows[static_cast<size_t>(i) * kFields];
      for (Sum* sum : {&by_name[{0, row[PTO_EVENT_OP]}], &by_line[{row[PTO_EVENT_LINE], row[PTO_EVENT_OP]}]}) {
        ++sum->calls;
        sum->elements += row[PTO_EVENT_ELEMENTS];
        sum->bytes += row[PTO_EVENT_BYTES];
        sum->ns += row[PTO_EVENT_END] - row[PTO_EVENT_BEGIN];
      }
    }
  }
  Print(by_name, "instruction", false);
  std::printf("\n");
  Print(by_line, "line", true);
  const int64_t lost = pto_program_events_lost(program);
  if (lost != 0) std::printf("and %lld instructions more, for which there was no room\n", static_cast<long long>(lost));
}

}  // namespace pto::cli

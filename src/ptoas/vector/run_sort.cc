// Sorting in UB: groups of 32 scores into records, and merging of sorted lists of records. A record has eight bytes: a
// score, zeros up to the fourth byte, an index. Scores descend, NaN is last; equal scores keep their order.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

constexpr int64_t kRecord = 8;
constexpr int64_t kSortGroup = 32;
constexpr int kLists = 4;

double ScoreAt(const char* at, Elem elem) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(BytesOf(elem)));
  return FloatFromBits(elem, bits);
}

// Whether a score precedes another one.
bool Before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a > b; }

Elem ElemAt(Machine& m, const Stmt& stmt, size_t operand) {
  const Operand& pointer = stmt.operands[operand];
  const Elem elem = pointer.value->type->elem;
  if (elem != Elem::kF16 && elem != Elem::kF32) {
    m.Fail(stmt, Rule::kRunUnsupported, "scores of %s; they are f16 or f32", Info(elem).name);
  }
  return elem;
}

char* Touch(Machine& m, const Stmt& stmt, Frame frame, size_t operand, int64_t offset, int64_t bytes, bool writes) {
  if (m.watched()) m.WatchBytes(stmt, m.PointerAt(stmt, stmt.operands[operand], frame), offset, bytes, writes);
  return m.Reach(stmt, operand, frame, offset, bytes);
}

Flow RunSort(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Elem elem = ElemAt(m, stmt, 1);
  const int64_t size = BytesOf(elem);
  const int64_t groups = m.IntOf(stmt, stmt.operands[3], frame);
  if (groups < 0 || groups > 255) {
    m.Fail(stmt, Rule::kRunUnsupported, "%lld groups; there are up to 255", static_cast<long long>(groups));
  }
  for (int64_t g = 0; g < groups; ++g) {
    m.Work(stmt, kSortGroup * 8);
    const char* scores = Touch(m, stmt, frame, 1, g * kSortGroup * size, kSortGroup * size, false);
    const char* indices = Touch(m, stmt, frame, 2, g * kSortGroup * 4, kSortGroup * 4, false);
    int order[kSortGroup];
    for (int i = 0; i < kSortGroup; ++i) order[i] = i;
    std::stable_sort(order, order + kSortGroup, [&](int a, int b) {
      return Before(ScoreAt(scores + a * size, elem), ScoreAt(scores + b * size, elem));
    });
    char records[kSortGroup * kRecord] = {};
    for (int i = 0; i < kSortGroup; ++i) {
      std::memcpy(records + i * kRecord, scores + order[i] * size, static_cast<size_t>(size));
      std::memcpy(records + i * kRecord + 4, indices + order[i] * 4, 4);
    }
    std::memcpy(Touch(m, stmt, frame, 0, g * kSortGroup * kRecord, sizeof records, true), records, sizeof records);
  }
  return Flow::kNext;
}

// count: 16 bits for each list. config: repeats, which lists there are, whether to stop where one ends.
Flow RunMerge(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Elem elem = ElemAt(m, stmt, 0);
  const auto counts = static_cast<uint64_t>(m.IntOf(stmt, stmt.operands[5], frame));
  const auto config = static_cast<uint64_t>(m.IntOf(stmt, stmt.operands[6], frame));
  const auto repeats = static_cast<int64_t>(config & 0xFF);
  const bool stops = (config >> 12 & 1U) != 0;
  int64_t count[kLists];
  int64_t total = 0;
  for (int i = 0; i < kLists; ++i) {
    count[i] = (config >> (8 + i) & 1U) != 0 ? static_cast<int64_t>(counts >> (16 * i) & 0xFFFF) : 0;
    total += count[i];
  }
  const bool even = std::all_of(count, count + kLists, [&](int64_t one) { return one == count[0] && one != 0; });
  if (repeats > 1 && !even) {
    m.Fail(stmt, Rule::kRunUnsupported, "%lld repeats of lists that are not of one length",
           static_cast<long long>(repeats));
  }
  int64_t written = 0;
  for (int64_t r = 0; r < repeats; ++r) {
    m.Work(stmt, total * 8);
    const char* lists[kLists] = {};
    for (int i = 0; i < kLists; ++i) {
      if (count[i] == 0) continue;
      // The next repeat takes the next four blocks.
      const int64_t from = r * kLists * count[i] * kRecord;
      lists[i] = Touch(m, stmt, frame, static_cast<size_t>(1 + i), from, count[i] * kRecord, false);
    }
    std::vector<char> records;
    records.reserve(static_cast<size_t>(total * kRecord));
    int64_t taken[kLists] = {};
    while (true) {
      int next = -1;
      for (int i = 0; i < kLists; ++i) {
        if (taken[i] == count[i]) continue;
        if (next < 0 ||
            Before(ScoreAt(lists[i] + taken[i] * kRecord, elem), ScoreAt(lists[next] + taken[next] * kRecord, elem)))
          next = i;
      }
      if (next < 0) break;
      const char* record = lists[next] + taken[next] * kRecord;
      records.insert(records.end(), record, record + kRecord);
      if (++taken[next] == count[next] && stops) break;
    }
    std::copy(taken, taken + kLists, m.vector().merged);
    if (records.empty()) continue;
    const auto bytes = static_cast<int64_t>(records.size());
    std::memcpy(Touch(m, stmt, frame, 0, written, bytes, true), records.data(), records.size());
    written += bytes;
  }
  return Flow::kNext;
}

Flow RunMerged(Machine& m, Node& node, Frame frame) {
  for (int i = 0; i < kLists; ++i) frame[node.step->out[i]].SetInt(m.vector().merged[i]);
  return Flow::kNext;
}

constexpr OpRun kSortRows[] = {
    {"get_vms4_sr", RunMerged},
    {"vbitsort", RunSort},
    {"vmrgsort4", RunMerge},
};

}  // namespace

const OpRuns kSortRuns = kSortRows;

}  // namespace pto::ptoas::vec

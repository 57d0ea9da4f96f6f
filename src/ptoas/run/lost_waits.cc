// Waits that nothing satisfies: found before a run, from the text and from what the arguments are bound to.
//
// For each rank, a statement is executed a least and a most number of times: branches whose condition is known are
// taken or not, loops with known bounds have their rounds. A signal begins with what is in its memory. The
// possible values are the initial ones and those that a notification sets, plus every sum within the most that
// notifications add and subtract. The estimate errs on the large side: a wait is reported only if no order of the ranks
// can satisfy it.
#include "src/ptoas/run/lost_waits.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "src/ptoas/read/views.h"
#include "src/ptoas/run/code.h"
#include "src/ptoas/run/scalar.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

namespace {

constexpr int64_t kEndless = std::numeric_limits<int32_t>::max();
constexpr uintptr_t kMostBytes = 1 << 18;       // of a signal's memory that are looked at
constexpr int kDeepestNumber = 16;              // of an expression
constexpr size_t kSaid = 4;                     // notifications and ranks that a report lists
constexpr int64_t kMostSum = int64_t{1} << 40;  // more than a signal holds

int64_t Times(int64_t a, int64_t b) { return a == 0 || b == 0 ? 0 : a > kEndless / b ? kEndless : a * b; }

struct Count {
  int64_t least = 1;
  int64_t most = 1;
};

// A range of bytes in memory; all of memory if the range is unknown.
struct Bytes {
  uintptr_t first = 0;
  uintptr_t end = UINTPTR_MAX;
  bool known() const { return end != UINTPTR_MAX; }
  bool Meets(const Bytes& other) const { return first < other.end && other.first < end; }
};

[[gnu::format(printf, 2, 3)]] void Append(std::string* text, const char* format, ...) {
  char piece[256];
  va_list args;
  va_start(args, format);
  std::vsnprintf(piece, sizeof piece, format, args);
  va_end(args);
  *text += piece;
}

// What is known about one rank. Without bindings, only the text is known.
class Rank {
 public:
  Rank(const Func* entry, const Bindings* bindings, int64_t cores) : entry_(entry), cores_(cores) {
    if (bindings == nullptr) return;
    bound_.assign(entry->args.size(), nullptr);
    for (const Binding& binding : *bindings) {
      char* end = nullptr;
      size_t at = std::strtoul(binding.name.c_str(), &end, 10);
      if (*end != 0) at = 0;
      while (*end != 0 && at < bound_.size() && entry->args[at]->name != binding.name) ++at;
      if (at < bound_.size()) bound_[at] = &binding;
    }
  }

  [[gnu::cold]] std::optional<int64_t> NumberOf(const Operand& operand) const {
    int64_t number = 0;
    if (ConstantOf(operand, &number)) return number;
    return NumberOf(operand.value, 0);
  }

  [[gnu::cold]] Count CountOf(const FuncFacts& facts, int site) const {
    Count count{1, cores_};
    if (&facts.func() != entry_ || facts.branches()) return {0, kEndless};
    for (int at = site; facts.at(at).parent != kNowhere; at = facts.at(at).parent) {
      const Stmt& outer = *facts.at(facts.at(at).parent).stmt;
      if (outer.kind == StmtKind::kSection) continue;
      Count times{0, kEndless};
      if (outer.kind == StmtKind::kIf) {
        const std::optional<int64_t> holds = NumberOf(outer.operands[0]);
        const bool taken = holds && (*holds != 0) == (outer.blocks[0] == facts.at(at).block);
        times = {taken ? 1 : 0, holds && !taken ? 0 : 1};
      } else if (outer.kind == StmtKind::kFor) {
        const auto lower = NumberOf(*outer["lower"]);
        const auto upper = NumberOf(*outer["upper"]);
        const auto step = NumberOf(*outer["step"]);
        if (lower && upper && step && *step > 0) {
          const int64_t rounds = *upper <= *lower ? 0 : std::min(kEndless, (*upper - *lower - 1) / *step + 1);
          times = {rounds, rounds};
        }
      }
      count = {Times(count.least, times.least), Times(count.most, times.most)};
    }
    return count;
  }

  [[gnu::cold]] Bytes BytesOf(const Operand& operand) const {
    const Value* value = operand.value;
    int64_t first = 0;
    int64_t last = -1;  // elements; below 0: to the end
    const Stmt* const making = MakingOf(value);
    if (making != nullptr) {
      const Operand& pointer = *(*making)["ptr"];
      PartOf(*value->def, *making, &first, &last);
      value = pointer.value;
    }
    const pto_tensor* const whole = TensorOf(value);
    if (whole == nullptr) return {};
    const int64_t size = pto_dtype_bits(pto_tensor_dtype(whole)) / 8;
    const auto begin = reinterpret_cast<uintptr_t>(pto_tensor_data(const_cast<pto_tensor*>(whole)));
    const auto end = begin + static_cast<uintptr_t>(pto_tensor_bytes(whole));
    if (last < 0) return {begin, end};
    return {begin + static_cast<uintptr_t>(first * size),
            std::min(end, begin + static_cast<uintptr_t>((last + 1) * size))};
  }

 private:
  const Binding* BoundTo(const Value* value) const {
    if (value == nullptr || bound_.empty()) return nullptr;
    const auto at = std::find(entry_->args.begin(), entry_->args.end(), value);
    return at == entry_->args.end() ? nullptr : bound_[static_cast<size_t>(at - entry_->args.begin())];
  }

  // Without gaps, so that its bytes are those from the first to the last.
  const pto_tensor* TensorOf(const Value* value) const {
    const Binding* const bound = BoundTo(value);
    return bound == nullptr || !bound->value.Is(ValueKind::kTensor) ? nullptr : bound->value.box()->tensor;
  }

  [[gnu::cold]] std::optional<int64_t> NumberOf(const Value* value, int depth) const {
    int64_t number = 0;
    if (value == nullptr || depth == kDeepestNumber) return {};
    if (ConstantOf(value, &number)) return number;
    if (const Binding* const bound = BoundTo(value); bound != nullptr) {
      if (!bound->value.Is(ValueKind::kInt)) return {};
      return bound->value.integer();
    }
    const Stmt* const def = value->def;
    if (def == nullptr || def->kind != StmtKind::kArith || def->operands.empty() || value->type == nullptr ||
        value->type->kind != TypeKind::kScalar || def->results.size() != 1) {
      return {};
    }
    const auto a = NumberOf(def->operands[0].value, depth + 1);
    if (!a) return {};
    const Elem elem = value->type->elem;
    if (def->arith == ArithOp::kIndexCast || def->arith == ArithOp::kExtSI || def->arith == ArithOp::kTruncI) {
      return WrapInt(elem, *a);
    }
    const auto b = def->operands.size() == 2 ? NumberOf(def->operands[1].value, depth + 1) : std::nullopt;
    if (!b) return {};
    if (def->arith == ArithOp::kCmpI) {
      const Type* const type = def->operands[0].value->type;
      if (type == nullptr) return {};
      return CompareInt(def->predicate, type->elem, *a, *b) ? 1 : 0;
    }
    if (def->arith < ArithOp::kAddI || def->arith > ArithOp::kMaxUI || !IntBinary(def->arith, elem, *a, *b, &number)) {
      return {};
    }
    return number;
  }

  // The elements of a part, if the text shows them.
  [[gnu::cold]] void PartOf(const Stmt& part, const Stmt& whole, int64_t* first, int64_t* last) const {
    const bool all = &part == &whole;
    if (!all && part.operands[0].value->def != &whole) return;
    const std::span<const Operand> sizes = part.All(all ? OperandName("shape") : OperandName("sizes"));
    const std::span<const Operand> offsets = part.All("offsets");
    const std::span<const Operand> strides = whole.All("strides");
    if (sizes.size() != strides.size() || (!all && offsets.size() != strides.size())) return;
    int64_t from = 0;
    int64_t to = 0;
    for (size_t i = 0; i < strides.size(); ++i) {
      const auto stride = NumberOf(strides[i]);
      const auto size = NumberOf(sizes[i]);
      const auto offset = all ? std::optional<int64_t>(0) : NumberOf(offsets[i]);
      const auto small = [](const std::optional<int64_t>& n) { return n && *n >= 0 && *n <= kEndless; };
      if (!small(stride) || !small(size) || !small(offset) || *size == 0) return;
      from += *offset * *stride;
      to += (*offset + *size - 1) * *stride;
    }
    if (from > kEndless || to > kEndless) return;
    *first = from;
    *last = to;
  }

  const Func* entry_;
  int64_t cores_;
  std::vector<const Binding*> bound_;  // by argument; empty: nothing is known
};

// In the order of pto_wait_cmp.
constexpr const char* kSymbols[] = {"==", "!=", ">", ">=", "<", "<="};

pto_wait_cmp CompareOf(const Stmt& wait) { return static_cast<pto_wait_cmp>(ChoiceOf(wait)); }

bool Holds(pto_wait_cmp cmp, int64_t is, int64_t value) {
  const bool above = cmp == PTO_WAIT_CMP_NE || cmp == PTO_WAIT_CMP_GT || cmp == PTO_WAIT_CMP_GE;
  const bool equal = cmp == PTO_WAIT_CMP_EQ || cmp == PTO_WAIT_CMP_GE || cmp == PTO_WAIT_CMP_LE;
  const bool below = cmp == PTO_WAIT_CMP_NE || cmp == PTO_WAIT_CMP_LT || cmp == PTO_WAIT_CMP_LE;
  return is > value ? above : is < value ? below : equal;
}

// A notification that may reach a signal.
struct Heard {
  const Stmt* stmt;
  int64_t value;
  int64_t times;  // at most, of all ranks
  bool set;
};

// The values that a signal can have.
struct Values {
  std::vector<int32_t> begins;  // what is in its memory
  std::vector<Heard> heard;
  bool known = true;  // nothing else writes it

  [[gnu::cold]] bool Reach(pto_wait_cmp cmp, int64_t value) const {
    int64_t up = 0;    // the most that is added
    int64_t down = 0;  // the most that is taken away, as a number below 0
    int64_t step = 0;  // each sum is a number of these; 0: nothing is added
    for (const Heard& one : heard) {
      if (one.set) continue;
      (one.value > 0 ? up : down) += std::clamp(one.value * one.times, -kMostSum, kMostSum);
      step = std::gcd(step, one.value);
    }
    const auto from = [&](int64_t is) {
      if (cmp == PTO_WAIT_CMP_EQ && step != 0) {
        return (value - is) % step == 0 && value - is <= up && value - is >= down;
      }
      return Holds(cmp, is, value) || Holds(cmp, is + up, value) || Holds(cmp, is + down, value);
    };
    return !known || std::any_of(begins.begin(), begins.end(), from) ||
           std::any_of(heard.begin(), heard.end(), [&](const Heard& one) { return one.set && from(one.value); });
  }
};

// An operand that a statement may write integers to, other than by notifications. `bound`: its memory is known, so that
// a signal may be there in another type, too.
bool StoresInto(const Stmt& stmt, const Operand& operand, bool bound) {
  const Type* const type =
      operand.kind == OperandKind::kValue && operand.value != nullptr ? operand.value->type : nullptr;
  if (type == nullptr || type->kind == TypeKind::kTile || type->kind == TypeKind::kScalar) return false;
  return bound || type->elem == Elem::kI32 || stmt.Is("store_scalar");
}

bool Stores(const Stmt& stmt) {
  if (stmt.Is("comm.tnotify") || stmt.Is("comm.twait") || stmt.Is("comm.ttest")) return false;
  const StmtInfo& info = *stmt.info;
  const auto changes = [](const OperandInfo& one) { return one.uses == Uses::kChanges; };
  return info.uses != Uses::kShares && info.uses != Uses::kAsks &&
         (info.uses != Uses::kReads || info.effect || std::any_of(info.operands.begin(), info.operands.end(), changes));
}

class Search {
 public:
  Search(std::span<const FuncFacts> funcs, std::span<const Bindings> ranks, int64_t cores) : bound_(!ranks.empty()) {
    for (const Bindings& one : ranks) ranks_.emplace_back(&funcs[0].func(), &one, cores);
    if (!bound_) ranks_.emplace_back(nullptr, nullptr, kEndless);
    for (const FuncFacts& facts : funcs) {
      for (int i = 0; i < static_cast<int>(facts.sites().size()); ++i) Add(facts, i);
    }
  }

  // Waits that are lost on a rank that certainly executes them, or on each rank that may.
  [[gnu::cold]] std::vector<LostWait> Find(Diagnostics* places) const {
    std::vector<LostWait> found;
    for (const Site& wait : waits_) {
      const Stmt& stmt = wait.stmt();
      std::vector<size_t> lost;
      bool reached = false;
      bool holds = false;  // on a rank that may execute it
      for (size_t i = 0; i < ranks_.size(); ++i) {
        const Count count = ranks_[i].CountOf(*wait.facts, wait.at);
        const auto value = ranks_[i].NumberOf(*stmt["value"]);
        if (count.most == 0) continue;
        if (!value || ValuesOf(ranks_[i].BytesOf(*stmt["signal"])).Reach(CompareOf(stmt), *value)) {
          holds = true;
          continue;
        }
        // Ranks that certainly execute it are first.
        lost.insert(count.least > 0 && !reached ? lost.begin() : lost.end(), i);
        reached |= count.least > 0;
      }
      if (reached || (!lost.empty() && !holds)) found.push_back(Report(stmt, lost, reached, places));
    }
    return found;
  }

 private:
  struct Site {
    const FuncFacts* facts;
    int at;
    const Stmt& stmt() const { return *facts->at(at).stmt; }
  };

  void Add(const FuncFacts& facts, int at) {
    const Stmt& stmt = *facts.at(at).stmt;
    if (stmt.Is("comm.twait")) waits_.push_back({&facts, at});
    if (stmt.Is("comm.tnotify")) notes_.push_back({&facts, at});
    if (Stores(stmt)) stores_.push_back(&stmt);
  }

  [[gnu::cold]] Values ValuesOf(const Bytes& signal) const {
    Values values;
    if (!bound_) {
      values.begins.push_back(0);
    } else if (!signal.known() || signal.end - signal.first > kMostBytes) {
      values.known = false;
    } else {
      const auto* const first = reinterpret_cast<const int32_t*>(signal.first);
      values.begins.assign(first, first + (signal.end - signal.first) / sizeof *first);
    }
    for (const Rank& rank : ranks_) {
      for (const Stmt* store : stores_) {
        if (store->kind == StmtKind::kCall && (!bound_ || store->callee == nullptr || store->callee->body == nullptr)) {
          values.known = false;
        }
        for (const auto side : {std::span<const Operand>(store->operands), std::span<const Operand>(store->outs)}) {
          for (const Operand& operand : side) {
            if (StoresInto(*store, operand, bound_) && rank.BytesOf(operand).Meets(signal)) values.known = false;
          }
        }
      }
    }
    for (const Site& note : notes_) {
      const Stmt& stmt = note.stmt();
      Heard one{&stmt, 0, 0, GivenValue(stmt, "notifyOp") == "set"};
      for (const Rank& rank : ranks_) {
        const Count count = rank.CountOf(*note.facts, note.at);
        if (count.most == 0 || !rank.BytesOf(*stmt["signal"]).Meets(signal)) continue;
        const auto value = rank.NumberOf(*stmt["value"]);
        values.known &= value.has_value();
        // Ranks with another value count as another notification.
        if (one.times != 0 && value && *value != one.value) {
          values.heard.push_back(one);
          one.times = 0;
        }
        one.value = value.value_or(0);
        one.times = std::min(kEndless, one.times + count.most);
      }
      if (one.times != 0) values.heard.push_back(one);
    }
    return values;
  }

  [[gnu::cold]] LostWait Report(const Stmt& stmt, const std::vector<size_t>& lost, bool reached,
                                Diagnostics* places) const {
    const Rank& first = ranks_[lost[0]];
    const Values values = ValuesOf(first.BytesOf(*stmt["signal"]));
    const bool many = lost.size() > 1;
    std::string text = !bound_ ? "the program" : many ? "ranks" : "rank";
    for (size_t i = 0; bound_ && i < lost.size() && i < kSaid; ++i) Append(&text, "%s %zu", i == 0 ? "" : ",", lost[i]);
    if (lost.size() > kSaid) Append(&text, " and %zu more", lost.size() - kSaid);
    const std::string_view name = stmt["signal"]->name;
    Append(&text, " wait%s until %%%.*s %s %lld, and no statement makes it so: it begins with %d", many ? "" : "s",
           PTO_NAME(name), kSymbols[CompareOf(stmt)], static_cast<long long>(*first.NumberOf(*stmt["value"])),
           values.begins.empty() ? 0 : values.begins[0]);
    if (values.begins.size() > 1) Append(&text, ", other elements of it with other numbers");
    for (size_t i = 0; i < values.heard.size() && i < kSaid; ++i) {
      const Heard& one = values.heard[i];
      Append(&text, "; comm.tnotify at line %d %s %lld", static_cast<int>(places->PlaceAt(one.stmt->offset).line),
             one.set ? "sets" : "adds", static_cast<long long>(one.value));
      if (!one.set && one.times == 1) Append(&text, " once");
      if (!one.set && one.times > 1 && one.times < kEndless)
        Append(&text, " %lld times at most", static_cast<long long>(one.times));
    }
    if (values.heard.empty()) text += "; no comm.tnotify reaches it";
    if (values.heard.size() > kSaid) Append(&text, "; and %zu more", values.heard.size() - kSaid);
    return {&stmt, reached, std::move(text)};
  }

  bool bound_;
  std::vector<Rank> ranks_;
  std::vector<Site> waits_;
  std::vector<Site> notes_;
  std::vector<const Stmt*> stores_;
};

}  // namespace

std::vector<LostWait> LostWaits(std::span<const FuncFacts> funcs, std::span<const Bindings> ranks, int64_t cores,
                                Diagnostics* places) {
  return Search(funcs, ranks, cores).Find(places);
}

std::vector<LostWait> LostWaits(const Func& entry, std::span<const Bindings> ranks, int64_t cores,
                                Diagnostics* places) {
  std::vector<const Func*> called{&entry};
  if (entry.peer != nullptr) called.push_back(entry.peer);
  std::vector<FuncFacts> funcs;
  for (size_t i = 0; i < called.size(); ++i) {
    funcs.emplace_back(*called[i]);
    for (const StmtSite& site : funcs.back().sites()) {
      const Func* const callee = site.stmt->kind == StmtKind::kCall ? site.stmt->callee : nullptr;
      if (callee != nullptr && std::find(called.begin(), called.end(), callee) == called.end())
        called.push_back(callee);
    }
  }
  return LostWaits(funcs, ranks, cores, places);
}

}  // namespace pto::ptoas

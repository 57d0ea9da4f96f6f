#include "src/ptoas/run/sync_report.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "src/ptoas/read/facts.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/run/cores.h"
#include "src/records/rule.h"

namespace pto::ptoas::sync {

namespace {

const Stmt& StmtAt(Where where) { return *static_cast<const Stmt*>(where); }

std::string PipeName(int pipe) { return NameOf(static_cast<pto_pipe>(pipe)); }

std::string Flag(int from, int to, int64_t id) {
  return "[<PIPE_" + PipeName(from) + ">, <PIPE_" + PipeName(to) + ">, <EVENT_ID" +
         (id < 0 ? "?" : std::to_string(id)) + ">]";
}

const char* Does(Use use) { return use == Use::kRead ? "reads" : use == Use::kWrite ? "writes" : "adds to"; }

// Words for findings. A run needs them once, so they are compiled for size: [[gnu::cold]].
class Writer {
 public:
  Writer(const Checker& checker, const Func& entry, Diagnostics* diagnostics)
      : checker_(checker), entry_(entry), lanes_(CrewOf(entry).lanes), diagnostics_(diagnostics) {}

  [[gnu::cold]] void Write(const Finding& found) {
    const bool ranks = checker_.RankOf(found.from_core) != checker_.RankOf(found.to_core);
    const bool blocks = found.block != found.other_block && !ranks;
    const bool signal = found.mistake == Mistake::kSignalLost || found.mistake == Mistake::kEveryCore;
    // No flag, barrier or address: only what blocks and ranks share can be judged.
    if (!checker_.manual() && !blocks && !ranks && !signal) return;
    switch (found.mistake) {
      case Mistake::kSignalLost:
        return Add(Rule::kSyncSetTwice, found,
                   Text(found.where) + " sets a signal that is notified already" + Line(found.other) +
                       ", and no wait has seen that: the earlier notification is lost",
                   true,
                   "Let the rank that waits confirm each notification before the next, add instead of setting, or "
                   "use a signal for each.");
      case Mistake::kEveryCore:
        return Add(Rule::kCoreKind, found,
                   Text(found.where) +
                       " is executed by the cube core and by each vector core: the signal is notified "
                       "more than once",
                   true);
      case Mistake::kRace:
        if (ranks) {
          return Add(Rule::kSyncRace, found, Ranks(found), true,
                     "Drain the pipe before the notification, and wait for the signal before the second access.");
        }
        return blocks ? Add(Rule::kSyncBlocks, found, Blocks(found)) : Add(Rule::kSyncRace, found, Race(found));
      case Mistake::kHazard:
        return Add(Rule::kSyncHazard, found, Hazard(found));
      case Mistake::kOverwritten:
        return Add(Rule::kSyncOverwritten, found,
                   Text(found.where) + " reads " + Name(found.name) + ", over which " + Text(found.other) +
                       Line(found.other) + " wrote " + Name(found.other_name),
                   false);
      case Mistake::kNeverSet:
        return Add(Rule::kSyncNeverSet, found,
                   "flag " + std::to_string(found.id) + " from " + Pair(found) + " is not set");
      case Mistake::kSetTwice:
        return Add(Rule::kSyncSetTwice, found,
                   "flag " + std::to_string(found.id) + " from " + Pair(found) + " is set already" + Line(found.other) +
                       ", and no wait took it in between");
      case Mistake::kLeftSet:
        return Add(Rule::kSyncLeftSet, found,
                   "flag " + std::to_string(found.id) + " from " + Pair(found) + " is set at the end", false);
      case Mistake::kBadId:
        return Add(Rule::kSyncId, found, "the id is " + std::to_string(found.id));
      case Mistake::kBuffer:
        return Add(Rule::kSyncBuffer, found, Buffer(found));
      case Mistake::kRefused:
        return Add(Rule::kSyncBarrier, found,
                   PipeName(found.from) + " keeps its own order under this profile and has no barrier", false);
      case Mistake::kMemBar:
        return Add(Rule::kSyncMemBar, found,
                   Text(found.where) + " reads bytes of " + Name(found.name) + " that " + Text(found.other) +
                       Line(found.other) + " stored in this scope, without a pto.mem_bar between them");
      case Mistake::kUseless:
        return Add(Rule::kSyncUseless, found,
                   Text(found.where) + " orders nothing that is not in order without it, in " +
                       std::to_string(found.times) + (found.times == 1 ? " time" : " times") + " that it ran",
                   false);
    }
  }

 private:
  // `remedy` is a static text; nullptr: the rule's own.
  [[gnu::cold]] void Add(Rule rule, const Finding& found, std::string message, bool error = true,
                         const char* remedy = nullptr) {
    if (found.times > 1 && found.mistake != Mistake::kUseless)
      message += " (" + std::to_string(found.times) + " times)";
    const Stmt& stmt = StmtAt(found.where);
    diagnostics_->Add(pto::Info(rule).id, remedy == nullptr ? RemedyInText(rule) : remedy, stmt.offset, stmt.length,
                      message, error);
  }

  static std::string Text(Where where) { return std::string(StmtAt(where).name); }
  static std::string Name(std::string_view name) {
    return name == kHiddenScratch ? std::string(name) : "%" + std::string(name);
  }
  std::string LineOf(Where where) const { return std::to_string(diagnostics_->PlaceAt(StmtAt(where).offset).line); }
  std::string Line(Where where) const { return where == nullptr ? "" : " at line " + LineOf(where); }
  static std::string Pair(const Finding& found) { return PipeName(found.from) + " to " + PipeName(found.to); }

  static std::string Bytes(const Finding& found) {
    return found.first == found.last ? "byte " + std::to_string(found.first)
                                     : "bytes " + std::to_string(found.first) + " to " + std::to_string(found.last);
  }

  // A statement of the function that is launched.
  std::string Inside(Where part) const { return part == nullptr ? "" : " in " + Text(part) + Line(part); }

  // tadd (V) reads bytes 0 to 63 of %a, which tload (MTE2) at line 7 writes as %b
  [[gnu::cold]] std::string Both(const Finding& found) const {
    std::string text = Text(found.where) + " (" + PipeName(found.to) + ") " + Does(found.use) + " " + Bytes(found) +
                       " of " + Name(found.name) + Inside(found.where_part) + ", which " + Text(found.other) + " (" +
                       PipeName(found.from) + ")" + Line(found.other) + " " + Does(found.other_use);
    if (found.other_name != found.name) text += " as " + Name(found.other_name);
    return text + Inside(found.other_part);
  }

  [[gnu::cold]] std::string CoreName(int core) const {
    core = checker_.CoreOf(core);
    return (core == 0 ? Core{CoreKind::kCube, 0, lanes_, false} : Core{CoreKind::kVector, core - 1, lanes_, false})
        .Name();
  }

  // Flags go between the cube core and vector cores.
  [[gnu::cold]] std::string Cores(const Finding& found) const {
    const std::string text = Both(found) + ", on " + CoreName(found.to_core) + " here and on " +
                             CoreName(found.from_core) + " there, in no order: ";
    if (checker_.CoreOf(found.from_core) != 0 && checker_.CoreOf(found.to_core) != 0)
      return text + "flags go between them with ffts_mode 1, or by way of the cube core";
    const std::string id = found.id < 0 ? "?" : std::to_string(found.id);
    return text + "insert pto.sync.set <PIPE_" + PipeName(found.from) + ">, " + id + " after line " +
           LineOf(found.other) + " and pto.sync.wait <PIPE_" + PipeName(found.to) + ">, " + id + " before line " +
           LineOf(found.where);
  }

  // The missing step between ranks: the drain before a notification that arrived, or the notification.
  [[gnu::cold]] std::string Ranks(const Finding& found) const {
    const std::string here = std::to_string(checker_.RankOf(found.to_core));
    const std::string there = std::to_string(checker_.RankOf(found.from_core));
    std::string text = Both(found) + ", on rank " + here + " here and on rank " + there + " there, in no order: ";
    if (found.notify != nullptr) {
      return text + Text(found.notify) + Line(found.notify) + " does not wait for " + PipeName(found.from) +
             ": insert pto.barrier <PIPE_ALL> before it";
    }
    const bool written = !IsRead(found.other_use);
    text += written ? "notify a signal of rank " + here + " after line " + LineOf(found.other) + ", and wait for it"
                    : "rank " + there + " may still read; let it notify after line " + LineOf(found.other) +
                          ", and wait for that";
    text += " before line " + LineOf(found.where);
    if (found.stale != nullptr) {
      text += "; notifications of an earlier round satisfied the " + Text(found.stale) + Line(found.stale);
    }
    return text;
  }

  [[gnu::cold]] std::string Race(const Finding& found) {
    if (found.from_core != found.to_core) return Cores(found);
    const std::string flag = Flag(found.from, found.to, found.id);
    const Stmt& first = StmtAt(found.other);
    const Stmt& second = StmtAt(found.where);
    std::string text = Both(found) + ", in no order: ";
    const bool loops = first.offset >= second.offset;
    const std::string misplaced = loops ? "" : Misplaced(found);
    if (!misplaced.empty()) return text + misplaced;
    text += "insert pto.set_flag" + flag + " after line " + LineOf(found.other) + " and its wait_flag before line " +
            LineOf(found.where);
    return loops ? text + ", set it before the loop, and wait for it after the loop" : text + Swapped(found);
  }

  // The flags of the entry, by their lines. A later set, or an earlier wait, orders what they ordered before, too.
  struct FlagLine {
    const Stmt* stmt;
    bool set;
    std::string pipes;
    std::string id;
  };
  [[gnu::cold]] const std::vector<FlagLine>& FlagsOf() {
    if (looked_) return flags_;
    looked_ = true;
    const FuncFacts facts(entry_);
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      if ((!stmt.Is("set_flag") && !stmt.Is("wait_flag")) || stmt.operands.size() != 3) continue;
      std::string_view words[3];
      for (size_t i = 0; i < 3; ++i) {
        if (stmt.operands[i].kind == OperandKind::kLiteral) words[i] = stmt.operands[i].literal->text;
      }
      const auto pipe = [](std::string_view word) { return std::string(word.substr(word.find('_') + 1)); };
      flags_.push_back({&stmt, stmt.Is("set_flag"), pipe(words[0]) + " to " + pipe(words[1]), std::string(words[2])});
    }
    return flags_;
  }

  // The flag between the right pipes that is set before the first access, or awaited after the second one.
  [[gnu::cold]] std::string Misplaced(const Finding& found) {
    const uint32_t first = StmtAt(found.other).offset;
    const uint32_t second = StmtAt(found.where).offset;
    const std::vector<FlagLine>& flags = FlagsOf();
    const auto between = [&](const FlagLine& flag) { return first < flag.stmt->offset && flag.stmt->offset < second; };
    for (const FlagLine& set : flags) {
      if (!set.set || set.pipes != Pair(found) || set.stmt->offset >= second) continue;
      const auto waits = [&](const FlagLine& flag) {
        return !flag.set && flag.pipes == set.pipes && flag.id == set.id && flag.stmt->offset > set.stmt->offset;
      };
      const auto wait = std::find_if(flags.begin(), flags.end(), waits);
      if (wait == flags.end()) continue;
      if (between(*wait) && !between(set)) {
        return "the set_flag" + Line(set.stmt) + " is before the first access: move it after line " +
               LineOf(found.other);
      }
      if (between(set) && !between(*wait)) {
        return "the wait_flag" + Line(wait->stmt) + " is after the second access: move it before line " +
               LineOf(found.where);
      }
    }
    return "";
  }

  // A flag at the right place that is for other pipes.
  [[gnu::cold]] std::string Swapped(const Finding& found) {
    const uint32_t first = StmtAt(found.other).offset;
    const uint32_t second = StmtAt(found.where).offset;
    for (const FlagLine& flag : FlagsOf()) {
      if (!flag.set || flag.stmt->offset <= first || flag.stmt->offset >= second) continue;
      if (flag.pipes == Pair(found)) return "";
      return "; the set_flag" + Line(flag.stmt) + " is from " + flag.pipes + ", not from " + Pair(found);
    }
    return "";
  }

  // The barrier also serves in a loop in which the second statement precedes the first one.
  [[gnu::cold]] std::string Hazard(const Finding& found) const {
    return Both(found) + ", in no order: insert pto.barrier <PIPE_" + PipeName(found.to) + "> before line " +
           LineOf(found.where);
  }

  [[gnu::cold]] std::string Blocks(const Finding& found) const {
    return Both(found) + ", in block " + std::to_string(found.block) + " here and in block " +
           std::to_string(found.other_block) + " there";
  }

  [[gnu::cold]] std::string Buffer(const Finding& found) const {
    const std::string buffer = "buffer " + std::to_string(found.id);
    if (StmtAt(found.where).Is("get_buf")) {
      return buffer + " is not free: " + PipeName(found.from) + " took it" + Line(found.other);
    }
    return PipeName(found.from) + " has not got " + buffer;
  }

  const Checker& checker_;
  const Func& entry_;
  std::vector<FlagLine> flags_;
  bool looked_ = false;
  int32_t lanes_;  // vector cores
  Diagnostics* diagnostics_;
};

}  // namespace

void Report(const Checker& checker, const Func& entry, Diagnostics* diagnostics) {
  Writer writer(checker, entry, diagnostics);
  for (const Finding& found : checker.Findings()) writer.Write(found);
  if (!checker.manual() && !checker.ranks()) {
    diagnostics->Add(pto::Info(Rule::kSyncAuto).id, RemedyInText(Rule::kSyncAuto), entry.offset, entry.length,
                     "the program has no addresses, flags or barriers: a compiler will order the pipes, so only "
                     "global memory that blocks share was checked",
                     false);
  }
  diagnostics->Sort();
}

}  // namespace pto::ptoas::sync

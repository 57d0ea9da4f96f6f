// The table of checks, and the comments that allow what they find.
#include "src/ptoas/lint/lint.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/lost_waits.h"

namespace pto::ptoas {

namespace {

// In the order of docs/lint.md.
constexpr LintCheck kChecks[] = {
    // There for nothing
    {"unused-argument", "An argument that nothing uses",
     "The caller has to bind it. Often the body misspells its name.", "Remove the argument, or use it.",
     &UnusedArgument},
    {"unused-constant", "A constant that nothing uses", "Readers look for its use.", "Remove the constant.",
     &UnusedConstant},
    {"unused-value", "A computed number that nothing uses", "The computation takes time. Often another name was meant.",
     "Remove the statement, or use its result.", &UnusedValue},
    {"unused-view", "A view of global memory that nothing uses",
     "Data that the program should load or store through it is missing.",
     "Load or store through the view, or remove it.", &UnusedView},
    {"unused-tile", "A tile that nothing uses", "It occupies on-chip memory, which is scarce.", "Remove the tile.",
     &UnusedTile},
    {"unused-function", "A private function that nothing calls", "Code outside the program cannot call it either.",
     "Call it, mark it with pto.entry, or remove it.", &UnusedFunction},
    {"no-effect", "A function that stores nothing",
     "Its results are lost. A TSTORE is missing, or is in another function.", "Store the result.", &NoEffect},
    {"repeated-constant", "Two equal constants in one block",
     "Readers look for the difference, and a change to one misses the other.", "Use the first constant for both.",
     &RepeatedConstant},
    {"default-written", "An explicit default precision", "Readers expect another result without it.",
     "Remove the attribute.", &DefaultWritten},
    {"other-spelling", "An attribute in a spelling that the dialect does not print",
     "pto fmt keeps the spelling, so equal programs read differently.", "Write the name in the message.",
     &OtherSpelling},
    // Loops and branches
    {"dead-loop", "A loop that never runs", "Its bounds allow no iteration.", "Fix the bounds, or remove the loop.",
     &DeadLoop},
    {"single-round", "A loop that runs exactly once", "The loop suggests more iterations, and costs its bookkeeping.",
     "Write its body without the loop, or fix the bounds.", &SingleRound},
    {"loop-step", "A step of zero or less", "The run ends at this loop with an error.", "Use a step of 1 or more.",
     &LoopStep},
    {"loop-overrun", "A last iteration that leaves the view",
     "The step does not divide the extent, so the run ends in the last iteration with rule view-range.",
     "Limit the last part to the remaining elements, or choose bounds that the step divides.", &LoopOverrun},
    {"empty-body", "An empty loop or branch", "Something is missing, or the statement is unnecessary.",
     "Fill it, or remove it.", &EmptyBody},
    {"constant-condition", "A constant condition", "One branch is never taken.",
     "Keep the branch that is taken, or compute the condition.", &ConstantCondition},
    {"same-target", "A conditional branch with the same target on both sides", "The condition has no effect.",
     "Use cf.br, or fix the label.", &SameTarget},
    {"invariant-view", "A view in a loop that is the same in every iteration",
     "It is made again each time, and the loaded data is the same, too.",
     "Make the view before the loop, or make it depend on the loop's variable.", &InvariantView},
    {"invariant-arith", "Arithmetic in a loop that is the same in every iteration", "It is computed again each time.",
     "Compute it before the loop.", &InvariantArith},
    // Synchronisation
    {"repeated-barrier", "A barrier directly after the same barrier", "The second barrier waits for nothing.",
     "Remove one of them.", &RepeatedBarrier},
    {"flag-pair", "A flag that is set and not waited for, or waited for and not set",
     "libpto runs in order and does not notice. Hardware waits for ever, or does not wait.",
     "Write the other half, with the same pipes and event.", &FlagPair},
    {"copy-not-awaited", "An asynchronous copy that the program does not wait for",
     "On hardware it may be incomplete when the function ends.", "Wait for its event.", &CopyNotAwaited},
    // Between ranks
    {"atomic-order", "Floats that ranks add to one place",
     "The bits depend on the order in which the sums arrive, which differs from run to run on devices.",
     "Use comm.treduce or comm.allreduce, which have a fixed order, or add integers.", &AtomicOrder},
    {"signal-never", "A wait that no notification of the program satisfies", "The rank waits for ever.",
     kLostWaitRemedy, &SignalNever},
    // Between cores
    {"push-not-popped", "A tile or slot that is pushed and never popped",
     "The work is lost, and the producer waits for ever when the slots are full.",
     "Pop it on the other core, or remove the push.", &PushNotPopped},
    {"pop-not-pushed", "A pop without a push", "The core waits for ever.",
     "Push it on the other core, into the pipe with the same id or flag_base.", &PopNotPushed},
    {"pop-not-freed", "A slot that is popped and never freed",
     "The producer waits for ever after it has used each slot once.",
     "Use tfree after the last use of the popped tile.", &PopNotFreed},
    {"free-not-popped", "A tfree without a pop", "The run ends here with rule pipe-order.",
     "Pop first, or remove the tfree.", &FreeNotPopped},
    {"unused-pipe", "A pipe that nothing passes through", "It occupies a buffer and flags, which are scarce.",
     "Remove the pipe.", &UnusedPipe},
    {"one-way-pipe", "A pipe of both directions that uses one",
     "A pipe of one direction has twice the slots by default.", "Write the dir_mask that is used.", &OneWayPipe},
    {"slot-not-pushed", "A slot that is allocated and never pushed", "The other core never learns of the data.",
     "Push the slot.", &SlotNotPushed},
    {"slot-after-free", "A slot that is used after it was freed", "The producer may have written the next tile there.",
     "Use tfree after the last use.", &SlotAfterFree},
    {"core-flag-pair", "A flag between cores that is set and not waited for, or waited for and not set",
     "The waiting core waits for ever. A set flag that no core waits for ends a later wait too early.",
     "Write the other half, with the same flag.", &CoreFlagPair},
    // What tiles hold
    {"read-unwritten", "A read of a tile that was never written", "Its contents are undefined.",
     "Load or fill the tile first, or read the tile that was meant.", &ReadUnwritten},
    {"read-padding", "A read beyond the written elements", "Nothing wrote the elements between, so they are undefined.",
     "Set the valid region to what was written, or write the rest: with TEXPANDS before the load, or by TFILLPAD into "
     "a "
     "tile whose type has a pad.",
     &ReadPadding},
    {"source-cut", "A source that is read in part only",
     "Under the CPU profile the rest is left out silently. Devices refuse regions that differ, except for loads.",
     "Give source and result the same valid region. For a load, make a view of the part.", &SourceCut},
    {"write-unread", "A tile that is written and never read", "The work is lost.",
     "Store or use the tile, or remove the statement that writes it.", &WriteUnread},
    {"write-lost", "A write that is overwritten before it is read", "The first write is lost.",
     "Remove the first write, or write the second to another tile.", &WriteLost},
    {"store-lost", "A store that another store overwrites", "The first data is never seen.",
     "Remove the first store, or fix the view of the second.", &StoreLost},
    {"repeated-load", "A load of data that is already loaded", "Global memory is slow.",
     "Use the tile of the first load.", &RepeatedLoad},
    {"invariant-load", "A load in a loop that is the same in every iteration",
     "Global memory is slow, and the tile holds the data already.", "Load before the loop.", &InvariantLoad},
    {"memory-reused", "A tile that another tile overwrites before it is read",
     "Their addresses overlap, so the read returns the other tile's data.",
     "Use addresses that do not overlap, or read first.", &MemoryReused},
    // Arithmetic
    {"self-move", "A tile that is moved to itself", "Nothing changes.", "Remove it, or fix an operand.", &SelfMove},
    {"equal-operands", "An operation on a value and itself",
     "The result is a constant or the value itself, except for NaN and infinities. Often another operand was meant.",
     "Fix an operand, or write the result.", &EqualOperands},
    {"no-operation", "An operation with a number that changes nothing",
     "It costs time without effect, or another number was meant.", "Remove it, or fix the number.", &NoOperation},
    {"nan-compare", "A comparison with NaN", "It has the same result for every number.",
     "Compare a value with itself: only NaN is unequal to itself.", &NanCompare},
    {"zero-divisor", "A division by zero",
     "For integers the run ends, or the instruction's page defines the result. For floats the result is infinite or "
     "NaN.",
     "Fix the divisor.", &ZeroDivisor},
    {"shift-range", "A shift by more bits than the type has", "No bit of the value is left, and machines differ.",
     "Shift by less than the width of the type.", &ShiftRange},
    {"small-power", "A power that a shorter instruction computes", "TPOW takes many times as long.",
     "Use the instruction in the message.", &SmallPower},
    {"divide-by-power-of-two", "A division by a power of two",
     "Multiplication by the reciprocal is exact, has the same result and is faster.", "Use TMULS.",
     &DivideByPowerOfTwo},
    {"expanded-scalar", "A tile that holds one number, where a scalar suffices",
     "The form with a scalar saves TEXPANDS and a tile.", "Use the form with a scalar that the message names.",
     &ExpandedScalar},
    {"half-sum", "A long sum in f16 or bf16",
     "With 11 or 8 bits, later terms are lost in the sum after some hundreds of terms.",
     "Convert to f32 first, and convert the result.", &HalfSum},
    {"narrow-sum", "A sum or product of many elements in 8 or 16 bits", "It wraps.", "Convert to a wider type first.",
     &NarrowSum},
    {"repeated-operation", "An operation that undoes or repeats the operation before it",
     "Both, or the second, change nothing.", "Remove the operations that change nothing.", &RepeatedOperation},
    {"converted-back", "A conversion to a type and back", "Bits are lost, and two passes cost time.",
     "Remove both. If you want the rounding, allow it with a comment that gives the reason.", &ConvertedBack},
    // Memory and profiles
    {"tmp-unneeded", "A tmp tile that no profile needs", "It occupies on-chip memory.", "Remove it.", &TmpUnneeded},
    {"tile-too-large", "A tile that is at most half valid", "On-chip memory is scarce.",
     "Make the tile the size of its valid region, in lines of 32 bytes.", &TileTooLarge},
    {"capacity", "Tiles in use at one time that do not fit",
     "The program cannot be placed in the on-chip memory of the profile.",
     "Use smaller tiles, or release some before you make others.", &Capacity},
    {"bank-stride", "A transposition, or blocks of a register, across lines of a multiple of 4096 bytes",
     "All elements of a column use one set of a cache, or one bank of on-chip memory.",
     "Make lines 32 bytes longer, with the same valid region.", &BankStride},
    {"ragged-vector", "Rows that are a few bytes longer than whole vectors",
     "Each row needs another vector of 256 bytes for 32 bytes or fewer.",
     "Choose columns that fill whole vectors, or view the data in other rows.", &RaggedVector},
    // Below tiles
    {"same-bytes", "A store in a loop whose address and mask are the same in every iteration",
     "Only the last iteration has an effect.",
     "Use the loop's variable in the offset, a store that advances its pointer, or store after the loop.", &SameBytes},
    {"mask-lanes", "A mask without a granularity that was made for lanes of another width",
     "A lane reads the bit of its lowest byte: other lanes are active than the mask was made for.",
     "Make the mask with the operation of that width, such as pset_b32 for lanes of 32 bits.", &MaskLanes},
    {"mask-wide", "A sum or an extreme over all lanes of a register that is only partly filled",
     "The other lanes hold bytes of UB that nothing wrote.",
     "Make a mask of the lanes with data, such as with plt_b32.", &MaskWide},
    {"ub-unwritten", "A read of bytes of UB that nothing writes", "They are 0 in libpto and undefined on a device.",
     "Copy or store the data first, or fix the address.", &UbUnwritten},
    {"ub-unread", "A store or a copy to bytes of UB that nothing reads", "The work is lost.",
     "Copy the bytes to global memory, or fix the address.", &UbUnread},
    {"portability", "A program that behaves differently on a device, or that a hardware profile refuses",
     "It breaks a rule of the other profile, moves elements over themselves, gives an accumulator fewer valid rows "
     "than its boxes without compact=1, reads a tile after its slot was freed, or uses one event id for two pipes.",
     "Change what the message names, or allow it with a comment.", &Portability},
    {"target-arch", "A pto.target_arch that libpto does not know",
     "Unknown values mean A2A3, so the rules of another device than the one that was meant may apply.",
     "Write one of the names in the message.", &TargetArch},
    // Comments
    {"allow-reason", "A comment that allows a finding without a reason",
     "Later readers cannot judge whether it still holds.", "Write the reason after a colon.", nullptr},
    {"allow-useless", "A comment that allows a check without a finding, or names no check", "It hides later findings.",
     "Remove the comment, or fix the name.", nullptr},
};
constexpr int kMostFindings = 1000;

int CheckIndex(std::string_view id) {
  const auto at = std::find_if(std::begin(kChecks), std::end(kChecks), [id](const LintCheck& c) { return id == c.id; });
  return at == std::end(kChecks) ? -1 : static_cast<int>(at - std::begin(kChecks));
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r,");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r,") - first + 1);
}

// One id of a comment `lint: allow id, id: reason` or `lint: allow-file id: reason`.
struct Allowance {
  std::string_view id;  // as written
  uint32_t offset = 0;
  bool file = false;
  int line = 0;  // the line that is meant
  bool reason = false;
  bool used = false;
};

// The position of the comment in a line, or npos. Strings contain neither mark in programs that lint reads.
size_t CommentIn(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first != line.npos && line[first] == '#') return first;
  return line.find("//");
}

std::vector<Allowance> AllowancesIn(std::string_view source) {
  std::vector<Allowance> all;
  size_t waiting = 0;  // comments from here on are alone on their lines
  int number = 0;
  for (size_t begin = 0; begin < source.size(); ++number) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = source.substr(begin, end - begin);
    const size_t comment = CommentIn(line);
    const bool only = line.find_first_not_of(" \t\r") == comment;  // nothing else, or nothing at all
    if (!only) {
      for (; waiting < all.size(); ++waiting) all[waiting].line = number + 1;
    }
    constexpr std::string_view kMark = "lint: allow";
    const size_t mark = comment == line.npos ? line.npos : line.find(kMark, comment);
    if (mark != line.npos) {
      size_t at = mark + kMark.size();
      const bool file = line.substr(at).starts_with("-file ");
      if (file) at += 5;
      const size_t colon = std::min(line.find(':', at), line.size());
      const bool reason = colon < line.size() && !Trim(line.substr(colon + 1)).empty();
      while (at < colon) {
        const size_t comma = std::min(line.find(',', at), colon);
        const std::string_view id = Trim(line.substr(at, comma - at));
        if (!id.empty()) {
          all.push_back({id, static_cast<uint32_t>(id.data() - source.data()), file, number + 1, reason});
        }
        at = comma + 1;
      }
      if (!only) waiting = all.size();
    }
    begin = end + 1;
  }
  return all;
}

void AddFinding(const LintCheck& check, uint32_t offset, uint32_t length, const std::string& message,
                Diagnostics* found) {
  found->Add(check.id, check.remedy, offset, length, message, false);
}

// Findings about the comments themselves.
void JudgeAllowances(const std::vector<Allowance>& allowances, const std::vector<bool>& chosen, Diagnostics* found) {
  const int reason = CheckIndex("allow-reason");
  const int useless = CheckIndex("allow-useless");
  for (const Allowance& allowance : allowances) {
    const int check = CheckIndex(allowance.id);
    const auto length = static_cast<uint32_t>(allowance.id.size());
    const std::string id(allowance.id.substr(0, 60));
    if (chosen[static_cast<size_t>(useless)]) {
      if (check < 0) AddFinding(kChecks[useless], allowance.offset, length, "there is no check " + id, found);
      if (check >= 0 && chosen[static_cast<size_t>(check)] && !allowance.used) {
        AddFinding(kChecks[useless], allowance.offset, length, "nothing is found here by " + id, found);
      }
    }
    if (chosen[static_cast<size_t>(reason)] && !allowance.reason) {
      AddFinding(kChecks[reason], allowance.offset, length, "why is " + id + " allowed here?", found);
    }
  }
}

}  // namespace

std::span<const LintCheck> LintChecks() { return kChecks; }

bool ChooseChecks(std::string_view list, std::vector<bool>* chosen, std::string* wrong) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    words.push_back(Trim(list.substr(at, comma - at)));
    at = comma + 1;
  }
  const bool named =
      std::any_of(words.begin(), words.end(), [](std::string_view word) { return !word.starts_with('-'); });
  chosen->assign(std::size(kChecks), !named);
  for (const bool leave : {false, true}) {
    for (const std::string_view word : words) {
      if (word.starts_with('-') != leave) continue;
      const int check = CheckIndex(leave ? word.substr(1) : word);
      if (check < 0) {
        *wrong = word;
        return false;
      }
      (*chosen)[static_cast<size_t>(check)] = !leave;
    }
  }
  return true;
}

Lint::Lint(const Program& program, pto_context* ctx, Diagnostics* found) : program_(program), ctx_(ctx), found_(found) {
  for (const Module* module : program.modules) {
    for (const Func* func : module->funcs) {
      if (func->body != nullptr) funcs_.emplace_back(*func);
    }
  }
  EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.callee != nullptr && stmt.kind == StmtKind::kCall) called_.insert(stmt.callee);
  });
}

void Lint::Run(const LintCheck& check) {
  check_ = &check;
  check.run(*this);
}

void Lint::FindAt(uint32_t offset, uint32_t length, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Add(offset, length, format, args);
  va_end(args);
}

void Lint::Add(uint32_t offset, uint32_t length, const char* format, va_list args) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, args);
  AddFinding(*check_, offset, length, text, found_);
}

void FindAdvice(const Program& program, pto_context* ctx, const std::vector<bool>& chosen, Diagnostics* diagnostics) {
  Diagnostics found(program.source, kMostFindings);
  Lint lint(program, ctx, &found);
  for (size_t i = 0; i < std::size(kChecks); ++i) {
    if (chosen[i] && kChecks[i].run != nullptr) lint.Run(kChecks[i]);
  }
  std::vector<Allowance> allowances = AllowancesIn(program.source);
  for (const Diagnostic& finding : found.list()) {
    bool allowed = false;
    for (Allowance& allowance : allowances) {
      if (allowance.id != finding.rule || (!allowance.file && allowance.line != finding.line)) continue;
      allowance.used = allowed = true;
    }
    if (!allowed)
      diagnostics->Add(finding.rule, finding.remedy, finding.offset, finding.length, finding.message, false);
  }
  JudgeAllowances(allowances, chosen, diagnostics);
  diagnostics->Sort();
}

}  // namespace pto::ptoas

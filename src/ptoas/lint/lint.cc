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

namespace pto::ptoas {

namespace {

// In the order of docs/lint.md.
constexpr LintCheck kChecks[] = {
    // There for nothing
    {"unused-argument", "An argument that nothing uses",
     "The caller has to bind it, and a misspelt use of another name looks the same.",
     "Take the argument out, or use it.", &UnusedArgument},
    {"unused-constant", "A constant that nothing uses", "Who reads the program looks for its use.",
     "Take the constant out.", &UnusedConstant},
    {"unused-value", "A number that is computed and not used", "It takes time, and often another name was meant.",
     "Take the statement out, or use what it computes.", &UnusedValue},
    {"unused-view", "A view of global memory that nothing uses", "What was to be loaded or stored through it is not.",
     "Load or store through the view, or take it out.", &UnusedView},
    {"unused-tile", "A tile that nothing uses", "It takes on-chip memory, of which there is little.",
     "Take the tile out.", &UnusedTile},
    {"unused-function", "A private function that nothing calls", "Nobody outside the program can call it either.",
     "Call it, mark it with pto.entry, or take it out.", &UnusedFunction},
    {"no-effect", "A function that stores nothing",
     "Nothing of what it computes is seen outside: a TSTORE is missing, or goes to another function.",
     "Store the result.", &NoEffect},
    {"repeated-constant", "Two constants of one block that are equal",
     "Readers look for the difference, and who changes one forgets the other.", "Use the first of them for both.",
     &RepeatedConstant},
    {"default-written", "A default precision that is written out", "It reads as if something else happened without it.",
     "Take the attribute out.", &DefaultWritten},
    {"other-spelling", "An attribute in another spelling than the dialect prints",
     "Programs read alike where attributes do: pto fmt keeps what was written.", "Write the name that the message has.",
     &OtherSpelling},
    // Loops and branches
    {"dead-loop", "A loop that never runs", "Its bounds leave no round.", "Mend the bounds, or take the loop out.",
     &DeadLoop},
    {"single-round", "A loop that goes round once", "The loop says that there is more, and costs its bookkeeping.",
     "Write its body without the loop, or mend the bounds.", &SingleRound},
    {"loop-step", "A step of zero or less", "The run ends at this loop with an error.", "Use a step of 1 or more.",
     &LoopStep},
    {"loop-overrun", "A last round that leaves the view",
     "The step does not divide the extent, so that the run ends in the last round with rule view-range.",
     "Cut the last part to what is left, or choose bounds that the step divides.", &LoopOverrun},
    {"empty-body", "A loop or branch with nothing in it", "Something is missing, or nothing is needed.",
     "Fill it, or take it out.", &EmptyBody},
    {"constant-condition", "A condition that is a constant", "One of the ways is never gone.",
     "Keep the way that is gone, or compute the condition.", &ConstantCondition},
    {"same-target", "A branch both of whose ways lead to one block", "The condition decides nothing.",
     "Use cf.br, or mend the label.", &SameTarget},
    {"invariant-view", "A view in a loop that is the same in every round",
     "It is made again each time, and what is loaded through it is the same, too.",
     "Make the view before the loop, or let it depend on the loop's variable.", &InvariantView},
    {"invariant-arith", "Arithmetic in a loop that is the same in every round", "It is computed again each time.",
     "Compute it before the loop.", &InvariantArith},
    // Synchronisation
    {"repeated-barrier", "A barrier directly behind the same barrier", "The second waits for nothing.",
     "Take one of them out.", &RepeatedBarrier},
    {"flag-pair", "A flag that is set and not awaited, or awaited and not set",
     "libpto runs in order and does not notice; hardware waits for ever, or does not wait.",
     "Write the other half, with the same pipes and event.", &FlagPair},
    {"copy-not-awaited", "An asynchronous copy that nobody asks about",
     "On hardware it may not be done when the function ends.", "Wait for its event.", &CopyNotAwaited},
    // Between cores
    {"push-not-popped", "A tile or slot that is pushed and never popped",
     "The work is lost, and the producer waits for ever when the slots are full.",
     "Pop it on the other core, or take the push out.", &PushNotPopped},
    {"pop-not-pushed", "A pop of what nobody pushes", "The core waits for ever.",
     "Push it on the other core, into the pipe with the same id or flag_base.", &PopNotPushed},
    {"pop-not-freed", "A slot that is popped and never handed back",
     "The producer waits for ever when all slots were used once.", "Use tfree when what was popped is used up.",
     &PopNotFreed},
    {"free-not-popped", "A tfree without a pop", "The run ends here with rule pipe-order.",
     "Pop first, or take the tfree out.", &FreeNotPopped},
    {"unused-pipe", "A pipe that nothing passes through", "It takes a buffer and flags, of which there are few.",
     "Take the pipe out.", &UnusedPipe},
    {"one-way-pipe", "A pipe both ways of which one is used",
     "A pipe of one way has twice the slots where it does not say how many.", "Write the dir_mask that is used.",
     &OneWayPipe},
    {"slot-not-pushed", "A slot that is allocated and never pushed", "Nobody is told of what is written there.",
     "Push the slot.", &SlotNotPushed},
    {"slot-after-free", "A slot that is used after it was handed back",
     "The producer may have written the next one there.", "Use tfree behind the last use.", &SlotAfterFree},
    {"core-flag-pair", "A flag between cores that one sets and the other does not await, or the other way round",
     "Who waits does so for ever; a flag that nobody awaits is there for the next wait.",
     "Write the other half, with the same flag.", &CoreFlagPair},
    // What tiles hold
    {"read-unwritten", "A read of a tile that nothing was written to", "What it holds is undefined.",
     "Load or fill the tile first, or read the one that was meant.", &ReadUnwritten},
    {"read-padding", "A read beyond what was written",
     "The valid region grew after the writes: the elements between are undefined.",
     "Fill them with TFILLPAD, or write as much as is read.", &ReadPadding},
    {"write-unread", "A tile that is written and never read", "The work is lost.",
     "Store or use the tile, or take out what writes it.", &WriteUnread},
    {"write-lost", "A write that is overwritten before anybody reads it", "The first write is lost.",
     "Take the first out, or write the second to another tile.", &WriteLost},
    {"store-lost", "A store that another overwrites", "What was stored first is never seen.",
     "Take the first out, or mend the view of the second.", &StoreLost},
    {"repeated-load", "A load of what has been loaded already", "Global memory is slow.",
     "Use the tile of the first load.", &RepeatedLoad},
    {"invariant-load", "A load in a loop that is the same in every round",
     "Global memory is slow, and the tile holds it already.", "Load before the loop.", &InvariantLoad},
    {"memory-reused", "A tile that is overwritten through another before it is read",
     "Their addresses overlap: what is read is the other's.", "Give the tiles addresses apart, or read first.",
     &MemoryReused},
    // Arithmetic
    {"self-move", "A tile that is moved to itself", "Nothing changes.", "Take it out, or mend an operand.", &SelfMove},
    {"equal-operands", "An operation on a value and itself",
     "The result is a constant, or the value (but for NaN and infinities): often another operand was meant.",
     "Mend an operand, or write the result.", &EqualOperands},
    {"no-operation", "An operation by a number that changes nothing",
     "It takes time for nothing, or another number was meant.", "Take it out, or mend the number.", &NoOperation},
    {"nan-compare", "A comparison with NaN", "It says the same of every number.",
     "Compare a value with itself: only NaN is unequal to itself.", &NanCompare},
    {"zero-divisor", "A division by zero",
     "Of integers the run ends, or the result is what the instruction's page says; of floats it is infinite or NaN.",
     "Mend the divisor.", &ZeroDivisor},
    {"shift-range", "A shift by more bits than there are", "Nothing of the value is left, and machines differ.",
     "Shift by less than the width of the type.", &ShiftRange},
    {"small-power", "A power that a shorter instruction has", "TPOW takes many times as long.",
     "Use the instruction that the message names.", &SmallPower},
    {"divide-by-power-of-two", "A division by a power of two",
     "Multiplication by the reciprocal, which is exact, has the same result and is quicker.", "Use TMULS.",
     &DivideByPowerOfTwo},
    {"expanded-scalar", "A tile that holds one number, beside which a scalar would do",
     "TEXPANDS and a tile are saved where the instruction takes the scalar itself.",
     "Use the form with a scalar that the message names.", &ExpandedScalar},
    {"half-sum", "A long sum in f16 or bf16",
     "With 11 or 8 bits, what is added is lost against the sum after some hundreds of terms.",
     "Convert to f32 before, and back behind.", &HalfSum},
    {"narrow-sum", "A sum or product of many elements in 8 or 16 bits", "It wraps round.",
     "Convert to a wider type before.", &NarrowSum},
    {"repeated-operation", "An operation that undoes or repeats the one before", "Both, or the second, change nothing.",
     "Take out what changes nothing.", &RepeatedOperation},
    {"converted-back", "A conversion to a type and back", "Bits are lost on the way, and two passes are spent.",
     "Take both out; where the rounding is meant, say so in a comment that allows it.", &ConvertedBack},
    // Memory and profiles
    {"tmp-unneeded", "A tmp tile that no profile needs", "It takes on-chip memory.", "Leave it out.", &TmpUnneeded},
    {"tile-too-large", "A tile of which at most half is ever valid", "On-chip memory is small.",
     "Make the tile as large as its valid region, in lines of 32 bytes.", &TileTooLarge},
    {"capacity", "Tiles in use at one time that do not fit",
     "The program cannot be placed in the on-chip memory of the profile.",
     "Use smaller tiles, or let go of some before others are made.", &Capacity},
    {"bank-stride", "A transposition across lines of a multiple of 4096 bytes",
     "All elements of a column fall into one set of a cache, or one bank of on-chip memory.",
     "Make lines longer by 32 bytes, with a valid region as before.", &BankStride},
    {"ragged-vector", "Rows that are a few bytes longer than whole vectors",
     "Each row takes another vector of 256 bytes for 32 or fewer.",
     "Choose columns that fill whole vectors, or view the data in other rows.", &RaggedVector},
    {"portability", "A program that a device runs otherwise, or that one of the two hardware profiles refuses",
     "It breaks a rule of the profile that it does not name, moves elements over themselves, gives an accumulator "
     "fewer "
     "valid rows than boxes without compact=1, reads a tile after its slot was freed, or has one event id for two "
     "pipes.",
     "Change what the message names, or allow it with a comment.", &Portability},
    // Comments
    {"allow-reason", "A comment that allows a finding and does not say why",
     "Who reads it later cannot judge whether it still holds.", "Write the reason behind a colon.", nullptr},
    {"allow-useless", "A comment that allows what is not found, or names no check",
     "It hides a finding that comes later.", "Take the comment out, or mend the name.", nullptr},
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

// Where the comment of a line begins; npos: there is none. Strings hold neither mark in programs that lint reads.
size_t CommentIn(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first != line.npos && line[first] == '#') return first;
  return line.find("//");
}

std::vector<Allowance> AllowancesIn(std::string_view source) {
  std::vector<Allowance> all;
  size_t waiting = 0;  // from here on those of lines with nothing but a comment
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

// What the comments themselves are to be told.
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

// libFuzzer target: the bytes make programs whose cores wait for each other by flags in every mode: all cube cores or
// all vector cores of a run, the vector cores of a block, and the two kinds of a block. They also meet by syncall.
// Numbers are left in memory before a flag is set or a meeting, and read after the wait or the meeting. A program ends
// as the second executor (second_cores.h) ends, in whatever order cores take turns, on any number of threads; one
// without errors leaves the same bytes, and the synchronisation checker finds nothing there, except for meetings, which
// order no memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "tests/fuzz/grammar.h"
#include "tests/fuzz/second_cores.h"

namespace {

std::string program_text;  // of the case under way, for messages

[[noreturn]] void Broken(const std::string& what) {
  std::fprintf(stderr, "broken: %s\n---- the program:\n%s\n", what.c_str(), program_text.c_str());
  std::abort();
}

constexpr int kPhases = 11;  // in all: a flag is at most 15 ahead, also where one is set twice
constexpr int kBlocks = 3;
constexpr int kWho = 3;  // cores of a block
constexpr int kNumbers = kPhases * kBlocks * kWho;

enum class Kind { kCubes, kVectors, kBeside, kToVector, kToCube, kMeetCubes, kMeetVectors, kMeetAll };

struct Event {
  Kind kind;
  int first;  // number of its first phase
  int rounds;
  int flag;
  int step;  // how far the one is whose number is read
};

class Program {
 public:
  Program(Dice* dice, int blocks, int lanes, bool a5) : blocks_(blocks), lanes_(lanes), a5_(a5) {
    for (int phase = 0; phase < kPhases;) {
      const int rounds = std::min(static_cast<int>(1 + dice->Below(4)), kPhases - phase);
      events_.push_back({static_cast<Kind>(dice->Below(8)), phase, rounds, static_cast<int>(dice->Below(16)),
                         static_cast<int>(dice->Below(4))});
      phase += rounds;
      if (dice->Empty()) break;
    }
    // A set or a wait of one kind of core is lost or doubled.
    if (dice->Below(4) != 0) return;
    wrong_ = static_cast<int>(dice->Below(static_cast<uint32_t>(events_.size())));
    wrong_cube_ = dice->Below(2) == 0;
    wrong_set_ = dice->Below(2) == 0;
    twice_ = dice->Below(2) == 0;
  }

  bool Good() const { return wrong_ < 0; }
  bool Meets() const { return std::any_of(events_.begin(), events_.end(), ByMeeting); }

  std::string Text() {
    text_ = "func.func @main(%mem: !pto.ptr<i32>) attributes {pto.entry" +
            std::string(lanes_ == 2 ? ", pto.subblock_num = 2" : "") + "} {\n";
    for (const int number : {0, 1, 3}) Index("c" + std::to_string(number), number);
    Index("lanes", lanes_), Index("blocks", blocks_), Index("members", blocks_ * lanes_);
    Index("all", kBlocks * kWho);
    Say("%times = arith.constant 31 : i32");
    Say("%b64 = pto.get_block_idx");
    Say("%b = arith.index_cast %b64 : i64 to index");
    Say("%home = arith.muli %b, %c3 : index");
    Section(true);
    Section(false);
    return text_ + "  return\n}\n";
  }

 private:
  void Say(const std::string& line) { text_ += "  " + line + "\n"; }
  void Index(const std::string& name, int64_t value) {
    Say("%" + name + " = arith.constant " + std::to_string(value) + " : index");
  }
  // A value made by an operation on indices.
  std::string Made(const std::string& op, const std::string& a, const std::string& b) {
    const std::string name = "%n" + std::to_string(++names_);
    Say(name + " = arith." + op + " " + a + ", " + b + " : index");
    return name;
  }

  void Section(bool cube) {
    Say(std::string("pto.section.") + (cube ? "cube" : "vector") + " {");
    who_ = "%home";
    if (!cube) {
      Say("%l64 = pto.get_subblock_idx");
      Say("%l = arith.index_cast %l64 : i64 to index");
      who_ = Made("addi", Made("addi", "%home", "%l"), "%c1");
      const std::string m = Made("muli", "%b", "%lanes");
      member_ = Made("addi", m, "%l");
    }
    const std::string start = "%a" + std::to_string(++names_);
    Say(start + " = arith.index_cast " + who_ + " : index to i32");
    std::string sum = start;
    for (size_t e = 0; e < events_.size(); ++e) sum = Loop(events_[e], static_cast<int>(e) == wrong_, cube, sum);
    Say("}");
  }

  static bool ByMeeting(const Event& event) { return event.kind >= Kind::kMeetCubes; }
  // Whether cores of this kind have a part of an event.
  static bool Joins(const Event& event, bool cube) {
    const bool cubes = event.kind == Kind::kCubes || event.kind == Kind::kMeetCubes;
    const bool vectors =
        event.kind == Kind::kVectors || event.kind == Kind::kBeside || event.kind == Kind::kMeetVectors;
    return cube ? !vectors : !cubes;
  }

  // The rounds of an event, which pass the sum of all that was read on.
  std::string Loop(const Event& event, bool wrong, bool cube, const std::string& sum) {
    const bool one = event.kind == Kind::kToVector || event.kind == Kind::kToCube;
    if (!Joins(event, cube)) return sum;
    const std::string id = std::to_string(++names_);
    Index("n" + id + "r", event.rounds);
    Index("f" + id, event.first);
    Say("%s" + id + " = scf.for %i" + id + " = %c0 to %n" + id + "r step %c1 iter_args(%x" + id + " = " + sum +
        ") -> (i32) {");
    phase_ = Made("muli", Made("addi", "%f" + id, "%i" + id), "%all");
    const bool sets = !one || cube == (event.kind == Kind::kToVector);
    const bool waits = !one || !sets;
    std::string now = "%x" + id;
    if (sets) {
      Say("pto.store_scalar " + now + ", %mem[" + Made("addi", phase_, who_) + "] : i32, !pto.ptr<i32>");
      if (ByMeeting(event)) Meet(event, wrong && cube == wrong_cube_);
      if (!ByMeeting(event)) Flags("set", event, wrong && wrong_set_ && cube == wrong_cube_, cube);
    }
    if (waits) {
      if (!ByMeeting(event)) Flags("wait", event, wrong && !wrong_set_ && cube == wrong_cube_, cube);
      for (const std::string& other : Others(event, cube)) now = Read(other, now);
    }
    Say("scf.yield " + now + " : i32");
    Say("}");
    return "%s" + id;
  }

  void Meet(const Event& event, bool wrong) {
    static constexpr const char* kCores[] = {"aic_only", "aiv_only", "mix"};
    const std::string cores = kCores[static_cast<int>(event.kind) - static_cast<int>(Kind::kMeetCubes)];
    for (int times = wrong ? (twice_ ? 2 : 0) : 1; times > 0; --times) {
      Say("pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<" + cores + ">");
    }
  }

  void Flags(const std::string& what, const Event& event, bool wrong, bool cube) {
    static constexpr const char* kModes[] = {"0", "0", "1", "2", "2"};
    const std::string mode = kModes[static_cast<int>(event.kind)];
    // On A5 the cube core has a flag for each vector core.
    const bool each = a5_ && cube && mode == "2";
    for (int times = wrong ? (twice_ ? 2 : 0) : 1; times > 0; --times) {
      for (int lane = 0; lane < (each ? lanes_ : 1); ++lane) {
        Say("pto.sync." + what + " <PIPE_S>, " + std::to_string(event.flag + 16 * lane) +
            (what == "wait" || (mode == "2" && event.step == 0) ? "" : " {ffts_mode = " + mode + " : i32}"));
      }
    }
  }

  // Whose numbers are read.
  std::vector<std::string> Others(const Event& event, bool cube) {
    const std::string step = "%t" + std::to_string(++names_);
    Index(step.substr(1), event.step);
    if (event.kind == Kind::kToVector) return {"%home"};
    if (event.kind == Kind::kToCube) {
      std::vector<std::string> both = {Made("addi", "%home", "%c1")};
      if (lanes_ == 2) both.push_back(Made("addi", both[0], "%c1"));
      return both;
    }
    if (cube) return {Made("muli", Made("remui", Made("addi", "%b", step), "%blocks"), "%c3")};
    if (event.kind == Kind::kBeside) {
      return {Made("addi", Made("addi", "%home", "%c1"), Made("remui", Made("addi", "%l", step), "%lanes"))};
    }
    const std::string member = Made("remui", Made("addi", member_, step), "%members");
    const std::string home = Made("muli", Made("divui", member, "%lanes"), "%c3");
    const std::string lane = Made("remui", member, "%lanes");
    return {Made("addi", Made("addi", home, lane), "%c1")};
  }

  std::string Read(const std::string& other, const std::string& now) {
    const std::string at = Made("addi", phase_, other);
    const std::string id = std::to_string(++names_);
    Say("%y" + id + " = pto.load_scalar %mem[" + at + "] : !pto.ptr<i32> -> i32");
    Say("%z" + id + " = arith.muli " + now + ", %times : i32");
    Say("%w" + id + " = arith.addi %z" + id + ", %y" + id + " : i32");
    return "%w" + id;
  }

  int blocks_, lanes_;
  bool a5_;
  std::vector<Event> events_;
  int wrong_ = -1;
  bool wrong_cube_ = false, wrong_set_ = false, twice_ = false;
  std::string text_, who_, member_, phase_;
  int names_ = 0;
};

struct Outcome {
  std::string rule;
  std::vector<int32_t> memory;
};

Outcome Run(pto_context* ctx, pto_program* program, unsigned order, int threads, bool sync) {
  Outcome outcome;
  outcome.memory.assign(kNumbers, -1);
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_I32;
  desc.rank = 1;
  desc.dim0 = kNumbers;
  pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, outcome.memory.data(), desc.dim0 * 4);
  pto_program_bind_tensor(ctx, program, "mem", tensor);
  pto_tensor_release(tensor);
  if (order == 0) unsetenv("PTO_CORE_ORDER");
  if (order != 0) setenv("PTO_CORE_ORDER", std::to_string(order).c_str(), 1);
  pto_program_set_threads(ctx, program, threads);
  pto_program_set_sync(ctx, program, sync ? 1 : 0);
  if (pto_program_run(ctx, program, nullptr) != PTO_OK) outcome.rule = pto_context_error_rule(ctx);
  return outcome;
}

Outcome Second(const std::string& text, int blocks, int lanes, bool a5) {
  second::Values args(1);
  args[0].memory = std::make_shared<second::Memory>();
  args[0].memory->elem = second::ElemOf("i32");
  args[0].memory->at.assign(kNumbers, 0xFFFFFFFF);
  Outcome outcome;
  try {
    outcome.rule = second::Crew(blocks, lanes, a5).Run(text, "main", args, 1000000).rule;
  } catch (const second::Strange& strange) {
    Broken("the second executor does not know " + strange.what);
  }
  for (const uint64_t bits : args[0].memory->at) outcome.memory.push_back(static_cast<int32_t>(bits));
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int64_t handles = pto_live_handles();
  Dice dice(data, size);
  const int blocks = static_cast<int>(1 + dice.Below(kBlocks));
  const int lanes = static_cast<int>(1 + dice.Below(2));
  const auto profile = static_cast<pto_profile>(dice.Below(3));
  const bool a5 = profile == PTO_PROFILE_A5;
  const struct {
    unsigned order;
    int threads;
    bool sync;
  } ways[] = {{0, 1, false}, {1 + dice.Below(250), 1, false}, {1 + dice.Below(250), 1, true}, {0, 2, false}};
  Program made(&dice, blocks, lanes, a5);
  program_text = made.Text();
  pto_context* ctx = pto_context_create(profile);
  pto_program* program =
      pto_program_parse(ctx, program_text.data(), static_cast<int64_t>(program_text.size()), "flags");
  if (pto_program_check(ctx, program) != PTO_OK) Broken(pto_program_diagnostic_text(program, 0));
  pto_program_set_blocks(ctx, program, blocks);
  const Outcome second = Second(pto_program_print(ctx, program, PTO_FORM_DPS), blocks, lanes, a5);
  if (made.Good() && !second.rule.empty()) Broken("a good program ends by " + second.rule);
  for (const auto& way : ways) {
    const Outcome outcome = Run(ctx, program, way.order, way.threads, way.sync);
    const bool races =
        (!made.Good() || made.Meets()) && way.sync && outcome.rule.starts_with("sync-");  // is said at the end
    if (outcome.rule != second.rule && !races) {
      Broken("order " + std::to_string(way.order) + ", " + std::to_string(way.threads) + " threads" +
             (way.sync ? ", sync" : "") + ": ends by '" + outcome.rule + "' where the second executor ends by '" +
             second.rule + "'\n" + pto_program_diagnostic_text(program, 0));
    }
    if (made.Good() && outcome.memory != second.memory) Broken("the second executor leaves other numbers");
  }
  pto_program_release(program);
  pto_context_release(ctx);
  if (pto_live_handles() != handles) Broken("handles are left");
  return 0;
}

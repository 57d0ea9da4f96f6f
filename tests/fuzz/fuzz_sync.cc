// libFuzzer target: judges what `--sync` finds. The bytes make programs of one core, or of a cube and a vector core,
// whose pipes touch the same memory, with flags, barriers and counted flags in the right places, in wrong ones, or
// nowhere. The test computes the order again, without the checker's clocks: each statement is a node, an order of the
// model of docs/sync.md is an edge, and the closure of that on plain arrays shows which accesses
// nothing orders. Each race that is reported must be one of these, a program that has any gets a report, in one core at
// the first statement that has one; a complete order gets none, and stays complete without the waits that are called
// useless.
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "tests/fuzz/grammar.h"

namespace {

constexpr int kWords = 64;  // of each memory, in elements of four bytes
constexpr int kVec = 0, kMat = kWords, kAcc = 2 * kWords, kGlobal = 3 * kWords;
using Words = std::bitset<4 * kWords>;

enum Pipe { kMte2, kV, kMte3, kS, kFix, kPipes };
const char* const kPipeNames[] = {"MTE2", "V", "MTE3", "S", "FIX"};
constexpr int kIds = 8;
constexpr int kMostSets =
    15;  // of a counted flag: the core that sets it may come to all before the other waits for one

enum class Kind { kAccess, kSet, kWait, kBarrier, kBarrierAll, kCoreSet, kCoreWait };

struct Statement {
  Kind kind;
  int core;  // 0: vector, 1: cube
  int pipe;
  int other = 0;  // pipe of the other end of a flag
  int id = 0;
  Words reads, writes;
  std::string text;
  int line = 0;
  bool gone = false;  // as if it were not there
};

// One pipe of a core does what it has to in turn.
bool Clash(const Statement& a, const Statement& b) {
  if (a.core == b.core && a.pipe == b.pipe) return false;
  return (a.writes & (b.reads | b.writes)).any() || (b.writes & a.reads).any();
}

// The order of statements, by the model of docs/sync.md.
class Order {
 public:
  explicit Order(const std::vector<Statement>& list) : count_(list.size()), before_(count_ * count_) {
    for (size_t b = 0; b < count_; ++b) {
      for (size_t a = 0; a < b; ++a) before_[a * count_ + b] = !list[a].gone && !list[b].gone && Edge(list, a, b);
    }
    for (size_t via = 0; via < count_; ++via) {
      for (size_t a = 0; a < count_; ++a) {
        for (size_t b = 0; Before(a, via) && b < count_; ++b) {
          if (Before(via, b)) before_[a * count_ + b] = true;
        }
      }
    }
  }
  bool Before(size_t a, size_t b) const { return before_[a * count_ + b]; }

 private:
  static bool Edge(const std::vector<Statement>& list, size_t at, size_t to) {
    const Statement& a = list[at];
    const Statement& b = list[to];
    if (a.kind == Kind::kCoreSet && b.kind == Kind::kCoreWait && a.id == b.id)
      return Number(list, at) == Number(list, to);
    if (a.core != b.core) return false;
    if (a.kind == Kind::kBarrierAll || b.kind == Kind::kBarrierAll) return true;
    // The others see writes of S only after a flag from S.
    if (a.pipe == kS && a.kind == Kind::kAccess && a.writes.any()) return b.pipe == kS && b.kind == Kind::kSet;
    if (a.pipe == b.pipe && (a.pipe != kS || a.kind != Kind::kSet)) return true;
    // S issues what follows: it continues after its flags and its reads.
    if (a.pipe == kS && (a.kind == Kind::kWait || a.kind == Kind::kAccess)) return true;
    return a.kind == Kind::kSet && b.kind == Kind::kWait && a.pipe == b.other && b.pipe == a.other && a.id == b.id &&
           Number(list, at) == Number(list, to);
  }
  // The index of a set or a wait of its flag. A removed one counts: its partner is removed, too.
  static int Number(const std::vector<Statement>& list, size_t at) {
    const Statement& it = list[at];
    int number = 0;
    for (size_t i = 0; i < at; ++i) {
      const Statement& that = list[i];
      const bool counted = it.kind == Kind::kCoreSet || it.kind == Kind::kCoreWait;
      const bool same = that.core == it.core && that.pipe == it.pipe && that.other == it.other;
      number += that.kind == it.kind && that.id == it.id && (counted || same) ? 1 : 0;
    }
    return number;
  }

  size_t count_;
  std::vector<char> before_;
};

struct Race {
  size_t first, second;
};

std::vector<Race> Races(const std::vector<Statement>& list) {
  const Order order(list);
  std::vector<Race> races;
  for (size_t b = 0; b < list.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      if (Clash(list[a], list[b]) && !order.Before(a, b)) races.push_back({a, b});
    }
  }
  return races;
}

class Writer {
 public:
  explicit Writer(Dice* dice) : dice_(dice) {
    cores_ = static_cast<int>(1 + dice->Below(2));
    care_ = dice->Below(4);
    for (uint32_t n = 2 + dice->Below(18); n > 0; --n) Step();
    for (size_t i = 0; i < list_.size(); ++i) Drain(i);
  }

  std::vector<Statement>& List() { return list_; }

  std::string Program() {
    std::string text = "func.func @main(%m: !pto.ptr<f32>) attributes {pto.entry} {\n";
    for (int i = 0; i <= kWords; ++i)
      text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
    text += "%one = arith.constant 1.0 : f32\n";
    for (int at = 0; at < kWords; at += 8) {
      text += "%a" + std::to_string(at) + " = arith.constant " + std::to_string(4 * at) + " : i64\n";
    }
    text += views_;
    int line = 1;
    for (const char c : text) line += c == '\n' ? 1 : 0;
    for (int core = 0; core < cores_; ++core) {
      if (cores_ > 1) text += core == 0 ? "pto.section.vector {\n" : "pto.section.cube {\n", ++line;
      for (int at = 0; at <= 32; at += 8) {
        for (const char* space : {"vec", "mat", "acc"}) {
          if ((std::strcmp(space, "vec") == 0) != (core == 0)) continue;
          text += "%" + (space + std::to_string(at)) + " = pto.alloc_tile addr = %a" + std::to_string(at) + " : " +
                  Tile(space) + "\n";
          ++line;
        }
      }
      for (Statement& it : list_) {
        if (it.core != core) continue;
        it.line = line++;
        text += it.text + "\n";
      }
      if (cores_ > 1) text += "}\n", ++line;
    }
    return text + "return\n}\n";
  }

 private:
  static std::string Tile(const char* space) { return std::string("!pto.tile_buf<") + space + ", 2x8xf32>"; }
  static std::string Flag(const char* what, int from, int to, int id) {
    return std::string("pto.") + what + "_flag[<PIPE_" + kPipeNames[from] + ">, <PIPE_" + kPipeNames[to] +
           ">, <EVENT_ID" + std::to_string(id) + ">]";
  }

  int APipe(int core) {
    return core == 1 ? (dice_->Below(2) == 0 ? kMte2 : kFix) : static_cast<int>(dice_->Below(cores_ > 1 ? 3 : 4));
  }

  void Step() {
    const int core = static_cast<int>(dice_->Below(static_cast<uint32_t>(cores_)));
    switch (dice_->Below(16)) {
      case 0:
        return Barrier(core, true);
      case 1:
        return Barrier(core, false);
      case 2:
      case 3:
      case 4: {
        const int from = APipe(core);
        const int to = APipe(core);
        if (from != to) Set(core, from, to, static_cast<int>(dice_->Below(kIds)));
        return;
      }
      case 5:
        if (cores_ > 1) CoreSet(core, APipe(core));
        return;
      case 6:
      case 7:
      case 8:
        if (!list_.empty()) Drain(dice_->Below(static_cast<uint32_t>(list_.size())));
        return;
      default:
        return Access(core);
    }
  }

  void Barrier(int core, bool all) {
    const int pipe = core == 1 ? static_cast<int>(kMte2) : static_cast<int>(dice_->Below(3));
    list_.push_back({all ? Kind::kBarrierAll : Kind::kBarrier,
                     core,
                     pipe,
                     0,
                     0,
                     {},
                     {},
                     std::string("pto.barrier <PIPE_") + (all ? "ALL" : kPipeNames[pipe]) + ">"});
  }

  bool Set(int core, int from, int to, int id) {
    int& open = flags_[core][from][to][id];
    if (open != 0) return false;
    open = 1;
    list_.push_back({Kind::kSet, core, from, to, id, {}, {}, Flag("set", from, to, id)});
    return true;
  }
  void CoreSet(int core, int pipe) {
    const int id = core * 8 + pipe;  // each has one pipe that sets it
    if (sets_[id] == kMostSets) return;
    ++sets_[id];
    ++ahead_[id];
    list_.push_back({Kind::kCoreSet,
                     core,
                     pipe,
                     0,
                     id,
                     {},
                     {},
                     std::string("pto.sync.set <PIPE_") + kPipeNames[pipe] + ">, " + std::to_string(id)});
  }
  void CoreWait(int id, int core, int pipe) {
    --ahead_[id];
    list_.push_back({Kind::kCoreWait,
                     core,
                     pipe,
                     0,
                     id,
                     {},
                     {},
                     std::string("pto.sync.wait <PIPE_") + kPipeNames[pipe] + ">, " + std::to_string(id)});
  }

  // Waits for what a statement set, unless another statement has.
  void Drain(size_t at) {
    const Statement set = list_[at];
    if (set.kind == Kind::kCoreSet && ahead_[set.id] > 0) CoreWait(set.id, 1 - set.core, APipe(1 - set.core));
    if (set.kind != Kind::kSet || flags_[set.core][set.pipe][set.other][set.id] == 0) return;
    flags_[set.core][set.pipe][set.other][set.id] = 0;
    list_.push_back(
        {Kind::kWait, set.core, set.other, set.pipe, set.id, {}, {}, Flag("wait", set.pipe, set.other, set.id)});
  }

  // Puts a flag between, or a barrier where none is free.
  void Mend(const Statement& before, const Statement& access) {
    if (before.core != access.core) {
      const int id = before.core * 8 + before.pipe;
      CoreSet(before.core, before.pipe);
      while (ahead_[id] > 0) CoreWait(id, access.core, access.pipe);
      return;
    }
    for (int id = 0; id < kIds; ++id) {
      if (Set(access.core, before.pipe, access.pipe, id)) return Drain(list_.size() - 1);
    }
    Barrier(access.core, true);
  }

  void Access(int core) {
    Statement it{Kind::kAccess, core, APipe(core), 0, 0, {}, {}, {}};
    const char* space = core == 0 ? "vec" : it.pipe == kMte2 ? "mat" : "acc";
    const int memory = core == 0 ? kVec : it.pipe == kMte2 ? kMat : kAcc;
    std::string tile, view;
    if (it.pipe == kMte2) {
      const Words from = View(&view);
      it.reads = from, it.writes = On(memory, space, &tile);
      it.text = "pto.tload ins(" + view + ") outs(" + tile + ")";
    } else if (it.pipe == kV) {
      std::string to;
      it.reads = On(memory, space, &tile), it.writes = On(memory, space, &to);
      it.text = "pto.tabs ins(" + tile + ") outs(" + to + ")";
    } else if (it.pipe == kS) {
      const int at = static_cast<int>(dice_->Below(kWords));
      const bool reads = dice_->Below(2) == 0;
      (reads ? it.reads : it.writes).set(static_cast<size_t>(kGlobal + at));
      it.text = reads ? "%s" + std::to_string(++names_) + " = pto.load_scalar %m[%c" + std::to_string(at) +
                            "] : !pto.ptr<f32> -> f32"
                      : "pto.store_scalar %one, %m[%c" + std::to_string(at) + "] : f32, !pto.ptr<f32>";
    } else {
      it.reads = On(memory, space, &tile), it.writes = View(&view);
      it.text = "pto.tstore ins(" + tile + ") outs(" + view + ")";
    }
    const bool mends = care_ == 3 || (care_ != 0 && dice_->Below(4) != 0);
    // A flag between cores is waited for as often as it was set, so it does for all that was before.
    for (size_t a = list_.size(); mends && a-- > 0;) {
      if (!Clash(list_[a], it)) continue;
      list_.push_back(it);
      const bool ordered = Order(list_).Before(a, list_.size() - 1);
      list_.pop_back();
      if (!ordered) Mend(list_[a], it);
    }
    list_.push_back(it);
  }

  Words On(int memory, const char* space, std::string* text) {
    const size_t at = 8 * dice_->Below(5);
    *text = "%" + (space + std::to_string(at)) + " : " + Tile(space);
    Words words;
    for (size_t i = 0; i < 16; ++i) words.set(static_cast<size_t>(memory) + at + i);
    return words;
  }
  // Two rows of eight in global memory.
  Words View(std::string* text) {
    const uint32_t at = 4 * dice_->Below(10), stride = 8 + 4 * dice_->Below(3);
    const std::string id = std::to_string(++names_), type = "!pto.tensor_view<2x8xf32>";
    views_ += "%p" + id + " = pto.addptr %m, %c" + std::to_string(at) + " : !pto.ptr<f32> -> !pto.ptr<f32>\n%v" + id +
              " = pto.make_tensor_view %p" + id + ", shape = [%c2, %c8], strides = [%c" + std::to_string(stride) +
              ", %c1] : " + type + "\n";
    *text = "%v" + id + " : " + type;
    Words words;
    for (uint32_t i = 0; i < 16; ++i) words.set(kGlobal + at + i / 8 * stride + i % 8);
    return words;
  }

  Dice* dice_;
  int cores_ = 1;
  uint32_t care_ = 0;
  int names_ = 0;
  int flags_[2][kPipes][kPipes][kIds] = {};
  int ahead_[16] = {};  // sets that have no wait
  int sets_[16] = {};
  std::vector<Statement> list_;
  std::string views_;
};

// The findings of a run.
struct Said {
  std::string rule, text;
  int line, other;  // 0: no other line
};

std::vector<Said> Judge(pto_context* ctx, const std::string& text) {
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "sync");
  std::vector<float> memory(kWords, 1);
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = kWords;
  pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, memory.data(), desc.dim0 * 4);
  pto_program_bind_tensor(ctx, program, "m", tensor);
  pto_program_set_sync(ctx, program, 1);
  const bool good = pto_program_run(ctx, program, nullptr) == PTO_OK;
  std::vector<Said> said;
  bool errors = false;
  for (int i = 0; i < pto_program_diagnostic_count(program); ++i) {
    const std::string message = pto_program_diagnostic_message(program, i);
    const size_t at = message.find(" at line ");
    said.push_back({pto_program_diagnostic_rule(program, i), pto_program_diagnostic_text(program, i),
                    pto_program_diagnostic_line(program, i),
                    at == std::string::npos ? 0 : std::atoi(message.c_str() + at + 9)});
    errors |= pto_program_diagnostic_error(program, i) != 0;
  }
  if (good == errors) said.push_back({"status", "the status of the run and its errors differ", 0, 0});
  pto_tensor_release(tensor);
  pto_program_release(program);
  return said;
}

[[noreturn]] void Broken(const std::string& what, const std::string& program, const std::vector<Said>& said) {
  std::fprintf(stderr, "broken: %s\n---- the program:\n%s\n", what.c_str(), program.c_str());
  for (const Said& one : said) std::fprintf(stderr, "%s\n", one.text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Dice dice(data, size);
  Writer writer(&dice);
  const std::string text = writer.Program();
  std::vector<Statement>& list = writer.List();
  const std::vector<Race> races = Races(list);
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  const std::vector<Said> said = Judge(ctx, text);
  pto_context_release(ctx);
  bool cores = false;
  for (const Statement& it : list) cores |= it.core != list[0].core;
  size_t found = 0;
  bool first = false;
  for (const Said& one : said) {
    if (one.rule == "sync-race") {
      ++found;
      bool true_one = false;
      for (const Race& race : races) {
        const int a = list[race.first].line, b = list[race.second].line;
        true_one |= (a == one.other && b == one.line) || (b == one.other && a == one.line);
      }
      if (!true_one) Broken("what is reported is in order", text, {one});
      first |= one.line == list[races[0].second].line;
    } else if (one.rule == "sync-useless") {
      for (Statement& it : list) it.gone |= it.line == one.line;
    } else if (one.rule != "sync-overwritten") {
      Broken("it is an error of another kind", text, {one});
    }
  }
  if (races.empty()) {
    if (!Races(list).empty()) Broken("waits that are called useless are needed", text, said);
    return 0;
  }
  const std::string pair =
      "lines " + std::to_string(list[races[0].first].line) + " and " + std::to_string(list[races[0].second].line);
  if (found == 0) Broken("nothing is reported of " + pair, text, said);
  if (!cores && !first) Broken("the first race is not reported, " + pair, text, said);
  return 0;
}

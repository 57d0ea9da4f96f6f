// The checker across ranks: correct programs, without a report under any schedule, and the same programs with
// one error, which it finds on the default schedule. Programs are made from a few pieces, with and without flags of
// their own; an error is a piece that is left out, moved or changed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "include/pto_c.h"

namespace {

constexpr int kSlots = 4;
constexpr int kSignals = 8;

#define VIEW "!pto.partition_tensor_view<1x16xf32>"
#define SIGNAL "!pto.partition_tensor_view<1x1xi32>"
#define TILE "!pto.tile_buf<vec, 1x16xf32>"

// What a program is made with.
struct Made {
  int ranks = 3;
  int rounds = 3;
  bool manual = false;  // it orders its pipes itself
  bool stores = false;  // data is sent by tstore instead of tput
  int mistake = 0;      // 0: none
};

class Writer {
 public:
  explicit Writer(const Made& made) : made_(made) {}

  std::string Text() const {
    std::string text = "func.func @k(";
    for (const char* who : {"o", "n", "p"}) {
      text += std::string("%") + who + "a: !pto.ptr<f32>, %" + who + "b: !pto.ptr<f32>, %" + who + "s: !pto.ptr<i32>, ";
    }
    text += "%rank: i32) attributes {pto.entry} {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n";
    for (int i = 0; i <= 16; ++i) text += " %i" + Of(i) + " = arith.constant " + Of(i) + " : i32\n";
    for (int i = 0; i < kSlots; ++i) text += " %k" + Of(i) + " = arith.constant " + Of(i) + " : index\n";
    for (int i = kSlots; i < kSignals; ++i) text += " %k" + Of(i) + " = arith.constant " + Of(i) + " : index\n";
    text += " %c16 = arith.constant 16 : index\n";
    for (const char* who : {"o", "n", "p"}) {
      const std::string w = who;
      for (const char* what : {"a", "b"}) {
        text += " %v" + w + what + " = pto.make_tensor_view %" + w + what +
                ", shape = [%k4, %c16], strides = [%c16, %c1] : !pto.tensor_view<4x16xf32>\n";
        for (int i = 0; i < kSlots; ++i) {
          text += " %" + w + what + Of(i) + " = pto.partition_view %v" + w + what + ", offsets = [%k" + Of(i) +
                  ", %c0], sizes = [%c1, %c16] : !pto.tensor_view<4x16xf32> -> " VIEW "\n";
        }
      }
      text += " %v" + w + "s = pto.make_tensor_view %" + w +
              "s, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>\n";
      for (int i = 0; i < kSignals; ++i) {
        text += " %" + w + "s" + Of(i) + " = pto.partition_view %v" + w + "s, offsets = [%c0, %k" + Of(i) +
                "], sizes = [%c1, %c1] : !pto.tensor_view<1x8xi32> -> " SIGNAL "\n";
      }
    }
    text.insert(text.find(" %c16"), " %c8 = arith.constant 8 : index\n");
    const bool placed = made_.manual;
    text += " %one = arith.constant 1.0 : f32\n";
    int64_t address = 0;
    for (const char* tile : {"t", "u", "ping", "acc"}) {
      text += std::string(" %") + tile + "at = arith.constant " + std::to_string(address) + " : i64\n %" + tile +
              " = pto.alloc_tile" + (placed ? std::string(" addr = %") + tile + "at" : "") + " : " TILE "\n";
      address += 64;
    }
    return text + body_ + " return\n}\n";
  }

  // ---- pieces ----
  void Drain() {
    if (made_.manual) body_ += " pto.barrier <PIPE_ALL>\n";
  }
  void Load(const std::string& view) {
    body_ += " pto.tload ins(%" + view + " : " VIEW ") outs(%t : " TILE ")\n";
    Drain();
  }
  void Store(const std::string& view, bool drain = true) {
    body_ += " pto.tstore ins(%t : " TILE ") outs(%" + view + " : " VIEW ")\n";
    if (drain) Drain();
  }
  void Compute() {
    body_ += " pto.tadds ins(%t, %one : " TILE ", f32) outs(%t : " TILE ")\n";
    Drain();
  }
  // Data to another rank: from an own view, or by the tile.
  void Put(const std::string& to, const std::string& from, bool drain = true) {
    if (made_.stores) {
      Load(from);
      return Store(to, drain);
    }
    body_ += " pto.comm.tput(%" + to + ", %" + from + ", buf(%ping) : " VIEW ", " VIEW ", " TILE ")\n";
    if (drain) Drain();
  }
  void Get(const std::string& to, const std::string& from) {
    body_ += " pto.comm.tget(%" + to + ", %" + from + ", buf(%ping) : " VIEW ", " VIEW ", " TILE ")\n";
    Drain();
  }
  void Notify(const std::string& signal, int value = 1, bool set = false) {
    body_ += " pto.comm.tnotify(%" + signal + ", %i" + Of(value) + " : " SIGNAL ", i32) {notifyOp = #pto<notify_op " +
             (set ? "set" : "atomic_add") + ">}\n";
  }
  void Wait(const std::string& signal, int value, const char* cmp = "ge") {
    body_ +=
        " pto.comm.twait(%" + signal + ", %i" + Of(value) + " : " SIGNAL ", i32) {cmp = #pto<wait_cmp " + cmp + ">}\n";
  }
  void Reduce(const std::string& to, const std::vector<std::string>& members) {
    body_ +=
        " pto.comm.treduce(%" + to + ", %acc, recv(%ping), group(" + List(members) + ") : " VIEW ", " TILE ", " TILE;
    for (size_t i = 0; i < members.size(); ++i) body_ += ", " VIEW;
    body_ += ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}\n";
    Drain();
  }
  void Broadcast(const std::string& from, const std::vector<std::string>& members, bool drain = true) {
    body_ += " pto.comm.tbroadcast(%" + from + ", recv(%ping), group(" + List(members) + ") : " VIEW ", " TILE;
    for (size_t i = 0; i < members.size(); ++i) body_ += ", " VIEW;
    body_ += ") {root = 0 : i32}\n";
    if (drain) Drain();
  }
  void AllReduce(const std::vector<std::string>& members, bool drain, bool segment = false) {
    body_ += std::string(" pto.comm.allreduce") + (segment ? "_segment" : "") + "(%acc, recv(%ping), group(" +
             List(members) + ") : " TILE ", " TILE;
    for (size_t i = 0; i < members.size(); ++i) body_ += ", " VIEW;
    body_ += ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}\n";
    if (drain) Drain();
  }
  void If(int rank, const std::function<void()>& yes, const std::function<void()>& no) {
    const std::string name = "%if" + Of(ifs_++);
    body_ += " " + name + " = arith.cmpi eq, %rank, %i" + Of(rank) + " : i32\n scf.if " + name + " {\n";
    yes();
    body_ += " } else {\n";
    no();
    body_ += " }\n";
  }
  static std::string Of(int number) { return std::to_string(number); }

 private:
  static std::string List(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "%" : ", %") + name;
    return text;
  }
  const Made made_;
  std::string body_;
  int ifs_ = 0;
};

std::string Slot(const char* array, int slot) { return array + std::to_string(slot); }

// ---- programs, each with the errors that it can have ----------------------

// Each rank sends its part to the next one, once.
void Shift(Writer& w, const Made& m) {
  const int x = m.mistake;
  w.Load("oa0");
  w.Compute();
  w.Store("oa0");
  if (x == 1) w.Notify("ns0");  // before its data
  w.Put("nb0", "oa0", x != 2);  // 2: not drained
  if (x != 1) w.Notify("ns0");
  if (x != 3) w.Wait("os0", 1, x == 4 ? "ge" : "eq");  // 3: no wait
  w.Load("ob0");
}

// Again and again through one slot: who sends waits until it is free.
void Rounds(Writer& w, const Made& m) {
  const int x = m.mistake;
  for (int round = 0; round < m.rounds; ++round) {
    if (round > 0 && x != 1) w.Wait("os4", round);  // 1: the slot is written while it may be read
    w.Put("nb0", "oa0", x != 2);
    w.Notify("ns0");
    if (x != 3) w.Wait("os0", x == 4 ? 1 : round + 1);  // 4: the count of the first round
    w.Load("ob0");
    if (x != 5) {
      w.Notify("ps4");
      continue;
    }
    w.Notify("ps4");
  }
}

// Two slots in turn.
void Halo(Writer& w, const Made& m) {
  const int x = m.mistake;
  for (int round = 0; round < m.rounds + 1; ++round) {
    const int slot = round % 2;
    if (round >= 2 && x != 1) w.Wait(Slot("os", 4 + slot), round / 2);
    if (x == 2) w.Notify(Slot("ps", 4 + slot));                      // free before it was read
    w.Put(Slot("nb", x == 3 ? 0 : slot), Slot("oa", slot), x != 4);  // 3: the other slot
    w.Notify(Slot("ns", slot));
    if (x != 5) w.Wait(Slot("os", slot), round / 2 + 1);
    w.Load(Slot("ob", slot));
    if (x != 2) w.Notify(Slot("ps", 4 + slot));
  }
}

// Each rank takes the part of the next one: ready, and done.
void Pull(Writer& w, const Made& m) {
  const int x = m.mistake;
  for (int round = 0; round < m.rounds; ++round) {
    if (round > 0 && x != 1) w.Wait("os1", round);  // 1: overwritten while the other may read
    w.Load("oa1");
    w.Compute();
    w.Store("oa0", x != 2);
    if (x != 3) w.Notify("ps0");
    if (x == 3) w.Notify("ps0");
    if (x != 4) w.Wait("os0", round + 1);  // 4: read before it is ready
    w.Get("ob0", "na0");
    w.Notify("ns1");
    w.Load("ob0");
  }
}

// Stages: the first makes, each adds one, the last keeps.
void Pipeline(Writer& w, const Made& m) {
  const int x = m.mistake;
  for (int round = 0; round < m.rounds; ++round) {
    w.If(
        0, [&] { w.Load("oa0"); },
        [&] {
          if (x != 1) w.Wait("os0", round + 1);
          w.Load("ob0");
          if (x != 2) w.Notify("ps4");
        });
    w.Compute();
    w.If(
        m.ranks - 1, [&] { w.Store("oa1"); },
        [&] {
          if (round > 0 && x != 3) w.Wait("os4", round);
          w.Store("nb0", x != 4);
          w.Notify("ns0");
        });
    if (x == 2) {
      w.If(
          0, [] {}, [&] { w.Notify("ps4"); });
    }
  }
}

// The first rank sums the parts of itself and the next one, and hands the sum back.
void Reduction(Writer& w, const Made& m) {
  const int x = m.mistake;
  w.Load("oa0");
  w.Compute();
  w.Store("oa0", x != 1);
  w.If(
      0,
      [&] {
        if (x != 2) w.Wait("os0", 1);
        w.Reduce("oa1", {"oa0", "na0"});
        w.Broadcast("oa1", {"ob0", "nb0"}, x != 3);
        if (x != 4) w.Notify("ns1");
        if (x == 4) w.Notify("ns1");
      },
      [&] {
        w.Notify("ns0");
        if (x != 5) w.Wait("os1", 1);
        w.Load("ob0");
      });
}

// The same in one instruction, in place.
void AllReduction(Writer& w, const Made& m) {
  const int x = m.mistake;
  w.Load("oa0");
  w.Compute();
  w.Store("oa0", x != 1);
  w.If(
      0,
      [&] {
        if (x != 2) w.Wait("os0", 1);
        w.AllReduce({"oa0", "na0"}, x != 3);
        w.Notify("ns1");
      },
      [&] {
        w.Notify("ns0");
        if (x != 4) w.Wait("os1", 1);
        w.Load("oa0");
      });
}

// Each rank reduces its segment.
void Segments(Writer& w, const Made& m) {
  const int x = m.mistake;
  w.Load("oa0");
  w.Compute();
  w.Store("oa0", x != 1);
  w.Notify("ns0");
  if (x != 2) w.Wait("os0", 1);
  // The members in the same order on both ranks.
  w.If(
      0,
      [&] {
        w.AllReduce({"oa0", "na0"}, x != 3, x != 5);
      },
      [&] {
        w.AllReduce({"na0", "oa0"}, x != 3, true);
      });
  w.Notify("ns1");
  if (x != 4) w.Wait("os1", 1);
  w.Load("oa0");
}

// Signals that are set, in turn with a confirmation.
void Sets(Writer& w, const Made& m) {
  const int x = m.mistake;
  for (int round = 0; round < m.rounds; ++round) {
    w.If(
        0,
        [&] {
          if (round > 0 && x != 1) w.Wait("os4", round);  // 1: the second Set replaces the first
          w.Put("nb0", "oa0", x != 2);
          w.Notify("ns0", round + 1, true);
        },
        [&] {
          if (x != 3) w.Wait("os0", round + 1, "eq");
          w.Load("ob0");
          w.Notify("ns4");
        });
  }
}

struct Pattern {
  const char* name;
  void (*write)(Writer&, const Made&);
  int least;  // ranks
  int most;
  bool token;                 // two ranks that face each other: %p is also the next one
  std::vector<int> mistakes;  // that count
  std::vector<int> drains;    // of these, those that only programs that order their pipes themselves can make
};

const std::vector<Pattern> kPatterns = {
    {"shift", Shift, 2, 5, false, {1, 2, 3}, {2}},
    {"rounds", Rounds, 2, 5, false, {1, 2, 3, 4}, {2}},
    {"halo", Halo, 2, 4, false, {1, 2, 3, 4, 5}, {4}},
    {"pull", Pull, 2, 5, false, {1, 2, 4}, {2}},
    {"pipeline", Pipeline, 3, 5, false, {1, 3, 4}, {4}},
    {"reduction", Reduction, 2, 2, true, {1, 2, 3, 5}, {1, 3}},
    {"sets", Sets, 2, 2, true, {1, 2, 3}, {2}},
    {"allreduce", AllReduction, 2, 2, true, {1, 2, 3, 4}, {1, 3}},
    {"segments", Segments, 2, 2, true, {1, 2, 3, 4, 5}, {1, 3}},
};

// ---- runs ---------------------------------------------------------------------

struct Found {
  int errors = 0;
  bool ended = true;
  std::string text;
  std::string memory;  // of all windows, after the run
};

pto_tensor* Window(pto_context* ctx, pto_world* world, int rank, pto_dtype dtype, int64_t count, int64_t offset) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rank = 1;
  desc.dim0 = count;
  return pto_world_tensor(ctx, world, rank, &desc, offset);
}

class Run {
 public:
  Run(const std::string& text, int ranks) : text_(text), ctx_(pto_context_create(PTO_PROFILE_CPU)) {
    world_ = pto_world_create(ctx_, ranks, 4096);
    program_ = pto_program_parse(ctx_, text.data(), static_cast<int64_t>(text.size()), "ranks.pto");
    pto_program_set_world(ctx_, program_, world_);
    pto_program_set_sync(ctx_, program_, 1);
    for (int rank = 0; rank < ranks; ++rank) {
      pto_program_bind_on(ctx_, program_, rank);
      const int who[] = {rank, (rank + 1) % ranks, (rank + ranks - 1) % ranks};
      for (int i = 0; i < 3; ++i) {
        const std::string name(1, "onp"[i]);
        Bind(name + "a", who[i], PTO_DTYPE_F32, 64, 0);
        Bind(name + "b", who[i], PTO_DTYPE_F32, 64, 512);
        Bind(name + "s", who[i], PTO_DTYPE_I32, kSignals, 1024);
      }
      pto_program_bind_int(ctx_, program_, "rank", rank);
    }
    ranks_ = ranks;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    pto_program_release(program_);
    pto_world_release(world_);
    pto_context_release(ctx_);
  }

  Found With(int64_t seed, bool late = false) {
    for (int rank = 0; rank < ranks_; ++rank) {
      pto_tensor* all = Window(ctx_, world_, rank, PTO_DTYPE_I8, 4096, 0);
      std::memset(pto_tensor_data(all), 0, 4096);
      pto_tensor_release(all);
    }
    pto_program_set_schedule(ctx_, program_, seed);
    pto_program_set_late_data(ctx_, program_, late ? 1 : 0);
    Found found;
    pto_program_run(ctx_, program_, nullptr);
    for (int rank = 0; rank < ranks_; ++rank) {
      pto_tensor* all = Window(ctx_, world_, rank, PTO_DTYPE_I8, 4096, 0);
      found.memory.append(static_cast<const char*>(pto_tensor_data(all)), 4096);
      pto_tensor_release(all);
    }
    for (int32_t i = 0; i < pto_program_diagnostic_count(program_); ++i) {
      if (pto_program_diagnostic_error(program_, i) == 0) continue;
      ++found.errors;
      found.text += pto_program_diagnostic_text(program_, i);
      if (std::strncmp(pto_program_diagnostic_rule(program_, i), "sync-", 5) != 0 &&
          std::strcmp(pto_program_diagnostic_rule(program_, i), "deadlock") != 0) {
        found.ended = false;
      }
    }
    return found;
  }

 private:
  void Bind(const std::string& name, int rank, pto_dtype dtype, int64_t count, int64_t offset) {
    pto_tensor* tensor = Window(ctx_, world_, rank, dtype, count, offset);
    pto_program_bind_tensor(ctx_, program_, name.c_str(), tensor);
    pto_tensor_release(tensor);
  }
  const std::string text_;
  pto_context* ctx_;
  pto_world* world_ = nullptr;
  pto_program* program_ = nullptr;
  int ranks_ = 0;
};

int g_failed = 0;

void Fail(const char* what, const Pattern& pattern, const Made& made, int64_t seed, const std::string& text,
          const std::string& said) {
  ++g_failed;
  std::fprintf(stderr, "%s: %s, %d ranks, %d rounds, %s, %s, number %d, seed %lld\n%s\n", what, pattern.name,
               made.ranks, made.rounds, made.manual ? "manual" : "auto", made.stores ? "stores" : "puts", made.mistake,
               static_cast<long long>(seed), g_failed < 3 ? text.c_str() : "");
  std::fprintf(stderr, "%s\n", said.c_str());
}

bool Among(const std::vector<int>& list, int value) {
  for (const int one : list) {
    if (one == value) return true;
  }
  return false;
}

}  // namespace

int main() {
  const char* thorough = std::getenv("PTO_TEST_THOROUGH");
  const int64_t seeds = thorough == nullptr ? 15 : 1000;
  int correct = 0;
  int mistakes = 0;
  for (const Pattern& pattern : kPatterns) {
    for (int ranks = pattern.least; ranks <= pattern.most; ++ranks) {
      for (int variant = 0; variant < 4; ++variant) {
        Made made;
        made.ranks = ranks;
        made.rounds = 3;
        made.manual = (variant & 1) != 0;
        made.stores = (variant & 2) != 0;
        {
          Writer writer(made);
          pattern.write(writer, made);
          const std::string text = writer.Text();
          Run run(text, ranks);
          ++correct;
          const Found first = run.With(0);
          for (int64_t seed = 1; seed <= seeds; ++seed) {
            const Found found = run.With(seed, seed % 2 != 0);
            if (found.errors == 0 && found.memory == first.memory) continue;
            Fail(found.errors == 0 ? "another result" : "false alarm", pattern, made, seed, text, found.text);
            break;
          }
        }
        for (const int mistake : pattern.mistakes) {
          if (!made.manual && Among(pattern.drains, mistake)) continue;
          // Of two ranks each hears that the other has read its first slot by the signal of the second one.
          if (pattern.write == Halo && ranks == 2 && mistake <= 2) continue;
          made.mistake = mistake;
          Writer writer(made);
          pattern.write(writer, made);
          const std::string text = writer.Text();
          Run run(text, ranks);
          ++mistakes;
          const Found found = run.With(0);
          if (found.errors == 0 || !found.ended) Fail("missed", pattern, made, 0, text, found.text);
          made.mistake = 0;
        }
      }
    }
  }
  std::printf("%d correct programs under %lld schedules each, %d wrong ones, %d failed\n", correct,
              static_cast<long long>(seeds), mistakes, g_failed);
  return g_failed == 0 && correct >= 80 && mistakes >= 80 ? 0 : 1;
}

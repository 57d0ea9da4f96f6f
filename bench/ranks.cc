// ranks.cc: what ranks of one process or of two cost, as ratios to the bare thing measured in turn with it. ./dev bench
// ranks runs it. Turns are measured in programs; signals and copies are calls of the C API.
#include <pto_c.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/harness.h"

namespace bench {
namespace {

pto_context* ctx;

void Must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "ranks-bench: %s: %s\n", what, pto_context_error_message(ctx));
  std::exit(1);
}

pto_tensor* Window(pto_world* world, int32_t rank, pto_dtype dtype, int64_t count, int64_t offset, int64_t rows = 0) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rank = rows == 0 ? 1 : 2;
  desc.dim0 = rows == 0 ? count : rows;
  desc.dim1 = rows == 0 ? 0 : count / rows;
  pto_tensor* tensor = pto_world_tensor(ctx, world, rank, &desc, offset);
  Must(tensor != nullptr, "a tensor of a window");
  return tensor;
}

// ---- programs --------------------------------------------------------------

// Each round of each rank: a wait for the rank before it, some work, and a signal for the next one. `barriers`: the
// program orders its pipes itself.
std::string Ring(int rounds, bool work, bool barriers = false) {
  const std::string one = "!pto.partition_tensor_view<1x1xi32>";
  const std::string view = "!pto.partition_tensor_view<16x64xf32>";
  const std::string tile = "!pto.tile_buf<vec, 16x64xf32>";
  std::string text =
      "func.func @ring(%sig: !pto.ptr<i32>, %nsig: !pto.ptr<i32>, %own: !pto.ptr<f32>, %next: !pto.ptr<f32>, %rank: "
      "i32) "
      "attributes {pto.entry} {\n"
      " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c16 = arith.constant 16 : index\n"
      " %c64 = arith.constant 64 : index\n %i0 = arith.constant 0 : i32\n %i1 = arith.constant 1 : i32\n"
      " %rounds = arith.constant " +
      std::to_string(rounds) + " : index\n";
  for (const std::string of : {"sig", "nsig"}) {
    text += " %" + of + "v = pto.make_tensor_view %" + of +
            ", shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>\n %" + of +
            "p = pto.partition_view %" + of +
            "v, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<1x1xi32> -> " + one + "\n";
  }
  for (const std::string of : {"own", "next"}) {
    text += " %" + of + "v = pto.make_tensor_view %" + of +
            ", shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>\n %" + of +
            "p = pto.partition_view %" + of +
            "v, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> " + view + "\n";
  }
  text += " %t = pto.alloc_tile : " + tile + "\n %u = pto.alloc_tile : " + tile +
          "\n %first = arith.cmpi eq, %rank, %i0 : i32\n"
          " scf.if %first {\n  pto.comm.tnotify(%nsigp, %i1 : " +
          one +
          ", i32) {notifyOp = #pto<notify_op atomic_add>}\n }\n"
          " scf.for %i = %c0 to %rounds step %c1 {\n"
          "  %n = arith.index_cast %i : index to i32\n  %want = arith.addi %n, %i1 : i32\n"
          "  pto.comm.twait(%sigp, %want : " +
          one + ", i32) {cmp = #pto<wait_cmp ge>}\n";
  if (work) {
    const std::string end = barriers ? ")\n  pto.barrier <PIPE_ALL>\n" : ")\n";
    text += "  pto.tload ins(%ownp : " + view + ") outs(%t : " + tile + end + "  pto.texp ins(%t : " + tile +
            ") outs(%u : " + tile + end + "  pto.tmins ins(%u, %one : " + tile + ", f32) outs(%t : " + tile + end +
            "  pto.tstore ins(%t : " + tile + ") outs(%ownp : " + view + end +
            "  pto.comm.tput(%nextp, %ownp, buf(%t) : " + view + ", " + view + ", " + tile + end;
    text.insert(text.find(" %rounds ="), " %one = arith.constant 1.0 : f32\n");
  }
  return text + "  pto.comm.tnotify(%nsigp, %i1 : " + one +
         ", i32) {notifyOp = #pto<notify_op atomic_add>}\n }\n return\n}\n";
}

struct Program {
  Program(const std::string& text, int32_t ranks) : ranks(ranks) {
    world = pto_world_create(ctx, ranks, kBytes);
    program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "ring.pto");
    Must(world != nullptr && program != nullptr, "the ring");
    Must(pto_program_set_world(ctx, program, world) == PTO_OK, "set_world");
    for (int32_t rank = 0; rank < ranks; ++rank) {
      const int32_t next = (rank + 1) % ranks;
      Must(pto_program_bind_on(ctx, program, rank) == PTO_OK, "bind_on");
      Bind("sig", Window(world, rank, PTO_DTYPE_I32, 1, kSignal));
      Bind("nsig", Window(world, next, PTO_DTYPE_I32, 1, kSignal));
      Bind("own", Window(world, rank, PTO_DTYPE_F32, kCount, 0));
      Bind("next", Window(world, next, PTO_DTYPE_F32, kCount, kCount * 4));
      Must(pto_program_bind_int(ctx, program, "rank", rank) == PTO_OK, "rank");
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    pto_program_release(program);
    pto_world_release(world);
  }
  void Bind(const char* name, pto_tensor* tensor) const {
    Must(pto_program_bind_tensor(ctx, program, name, tensor) == PTO_OK, name);
    pto_tensor_release(tensor);
  }
  void Run() const {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      pto_tensor* signal = Window(world, rank, PTO_DTYPE_I32, 1, kSignal);
      std::memset(pto_tensor_data(signal), 0, 4);
      pto_tensor_release(signal);
    }
    Must(pto_program_run(ctx, program, nullptr) == PTO_OK, "run");
  }

  static constexpr int64_t kCount = 16 * 64;
  static constexpr int64_t kSignal = 2 * kCount * 4;
  static constexpr int64_t kBytes = kSignal + 64;
  int32_t ranks;
  pto_world* world;
  pto_program* program;
};

// ---- bare things -----------------------------------------------------------

constexpr int kTurns = 2000;
ucontext_t g_main, g_fiber;

void Fiber() {
  while (true) swapcontext(&g_fiber, &g_main);
}

void FiberTurns() {
  for (int i = 0; i < kTurns / 2; ++i) swapcontext(&g_main, &g_fiber);  // there and back
}

// Wall time of each way of a signal that two threads send back and forth.
template <class Send, class Await>
double PingPongNs(int rounds, const Send& send, const Await& await) {
  std::thread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      await(1, i);
      send(0, i);
    }
  });
  const auto start = std::chrono::steady_clock::now();
  for (int i = 1; i <= rounds; ++i) {
    send(1, i);
    await(0, i);
  }
  const std::chrono::duration<double, std::nano> ns = std::chrono::steady_clock::now() - start;
  other.join();
  return ns.count() / (2.0 * rounds);
}

void Print(const char* what, double ns, const char* beside, double bare, const char* wanted) {
  std::printf("%-44s %12.1f ns   %-34s %12.1f ns   ratio %6.2f   wanted: %s\n", what, ns, beside, bare, ns / bare,
              wanted);
}

double Once(const std::vector<Contestant>& all, size_t at) { return Median(all[at].ns); }

void MeasureTurns() {
  // A rank alone has all its signals: the difference is the turns.
  const Program alone(Ring(kTurns, false), 1);
  const Program two(Ring(kTurns / 2, false), 2);
  std::vector<char> stack(1 << 16);
  getcontext(&g_fiber);
  g_fiber.uc_stack.ss_sp = stack.data();
  g_fiber.uc_stack.ss_size = stack.size();
  makecontext(&g_fiber, Fiber, 0);
  std::vector<Contestant> all(3);
  all[0].run = Timed([&] { alone.Run(); });
  all[1].run = Timed([&] { two.Run(); });
  all[2].run = Timed(FiberTurns);
  Race(all, 15, 2e7);
  Print("switch between two ranks of a program", (Once(all, 1) - Once(all, 0)) / kTurns, "switch of a bare fiber",
        Once(all, 2) / kTurns, "<= 3");
}

// The work of Ring() as calls, without statements, signals and turns: what the data of this number of ranks costs.
class Calls {
 public:
  explicit Calls(int32_t ranks) : world_(pto_world_create(ctx, ranks, Program::kBytes)) {
    Must(world_ != nullptr, "a world");
    for (int32_t rank = 0; rank < ranks; ++rank) {
      own_.push_back(Window(world_, rank, PTO_DTYPE_F32, Program::kCount, 0, 16));
      next_.push_back(Window(world_, (rank + 1) % ranks, PTO_DTYPE_F32, Program::kCount, Program::kCount * 4, 16));
      t_.push_back(pto_tile_create(ctx, PTO_DTYPE_F32, 16, 64));
      u_.push_back(pto_tile_create(ctx, PTO_DTYPE_F32, 16, 64));
      Must(t_.back() != nullptr && u_.back() != nullptr, "tiles");
    }
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() {
    for (const auto* tensors : {&own_, &next_}) {
      for (pto_tensor* tensor : *tensors) pto_tensor_release(tensor);
    }
    for (const auto* tiles : {&t_, &u_}) {
      for (pto_tile* tile : *tiles) pto_tile_release(tile);
    }
    pto_world_release(world_);
  }
  void Run(int rounds) const {
    const pto_scalar one = pto_float(1.0);
    for (int round = 0; round < rounds; ++round) {
      for (size_t rank = 0; rank < t_.size(); ++rank) {
        const bool good =
            pto_tload(ctx, t_[rank], own_[rank], 0) == PTO_OK && pto_texp(ctx, u_[rank], t_[rank], 0) == PTO_OK &&
            pto_tmins(ctx, t_[rank], u_[rank], one, 0) == PTO_OK &&
            pto_tstore(ctx, own_[rank], t_[rank], 0) == PTO_OK && pto_tload(ctx, t_[rank], own_[rank], 0) == PTO_OK &&
            pto_tstore(ctx, next_[rank], t_[rank], 0) == PTO_OK;
        Must(good, "the work of the ring");
      }
    }
  }

 private:
  pto_world* world_;
  std::vector<pto_tensor*> own_, next_;
  std::vector<pto_tile*> t_, u_;
};

void MeasureRing() {
  constexpr int kRounds = 20;
  const Program two(Ring(kRounds, true), 2);
  const Program many(Ring(kRounds, true), 64);
  const Calls few_calls(2);
  const Calls many_calls(64);
  std::vector<Contestant> all(4);
  all[0].run = Timed([&] { two.Run(); });
  all[1].run = Timed([&] { many.Run(); });
  all[2].run = Timed([&] { few_calls.Run(kRounds); });
  all[3].run = Timed([&] { many_calls.Run(kRounds); });
  Race(all, 11, 3e7);
  Print("ring of 64 ranks", Once(all, 1), "32 times the ring of 2 ranks", 32 * Once(all, 0), "<= 1.2");
  Print("its work as calls, for 64 sets of data", Once(all, 3), "32 times for 2 sets of data", 32 * Once(all, 2),
        "the bound of the row above");
}

void MeasureChecked(bool barriers) {
  const Program plain(Ring(20, true, barriers), 8);
  const Program checked(Ring(20, true, barriers), 8);
  Must(pto_program_set_sync(ctx, checked.program, 1) == PTO_OK, "set_sync");
  std::vector<Contestant> all(2);
  all[0].run = Timed([&] { plain.Run(); });
  all[1].run = Timed([&] { checked.Run(); });
  Race(all, 11, 3e7);
  Print(barriers ? "ring of 8 ranks with barriers, checked" : "ring of 8 ranks, checked", Once(all, 1), "not checked",
        Once(all, 0), "<= 4");
}

void MeasureChecker() {
  MeasureChecked(false);
  MeasureChecked(true);
}

void MeasureCopiesIn(const char* where) {
  for (const int64_t kib : {64, 1024}) {
    const int64_t bytes = kib * 1024;
    pto_world* world = pto_world_create(ctx, 2, bytes);
    Must(world != nullptr, "a world");
    pto_tensor* from = Window(world, 0, PTO_DTYPE_F32, bytes / 4, 0);
    pto_tensor* to = Window(world, 1, PTO_DTYPE_F32, bytes / 4, 0);
    std::memset(pto_tensor_data(from), 1, static_cast<size_t>(bytes));
    std::vector<Contestant> all(2);
    all[0].run =
        Timed([&] { Must(pto_comm_tput(ctx, to, from, nullptr, nullptr, PTO_ATOMIC_NONE) == PTO_OK, "tput"); });
    all[1].run = Timed([&] { std::memcpy(pto_tensor_data(to), pto_tensor_data(from), static_cast<size_t>(bytes)); });
    Race(all, 31, 1e7);
    const std::string name = "TPUT of " + std::to_string(kib) + " KiB" + where;
    Print(name.c_str(), Once(all, 0), "memcpy", Once(all, 1), "<= 1.11");
    pto_tensor_release(from);
    pto_tensor_release(to);
    pto_world_release(world);
  }
}
void MeasureCopies() { MeasureCopiesIn(""); }

// A signal that two sides send back and forth, each with the context of a rank. On a busy machine the ratio means
// nothing.
template <class Sides>
void MeasureSignalsOf(const char* name, const Sides& sides) {
  constexpr int kRounds = 20000;
  pto_world* world = pto_world_create(ctx, 2, 256);
  Must(world != nullptr, "a world");
  pto_tensor* at[2] = {Window(world, 0, PTO_DTYPE_I32, 1, 0), Window(world, 1, PTO_DTYPE_I32, 1, 0)};
  pto_context* of[2] = {};
  const auto send = [&](int to, int value) { pto_comm_tnotify(of[1 - to], at[to], value, PTO_NOTIFY_SET); };
  const auto await = [&](int rank, int value) {
    Must(pto_comm_twait(of[rank], at[rank], value, PTO_WAIT_CMP_GE) == PTO_OK, "twait");
  };
  const auto begin = [&](int rank) {
    of[rank] = pto_world_context(ctx, world, rank);
    Must(of[rank] != nullptr, "a context of a rank");
  };
  // In the windows, which processes share.
  const auto word = [&](int rank) {
    return std::atomic_ref<int32_t>(static_cast<int32_t*>(pto_tensor_data(at[rank]))[32]);
  };
  const auto store = [&](int to, int value) { word(to).store(value, std::memory_order_release); };
  const auto load = [&](int rank, int value) {
    for (int turn = 1; word(rank).load(std::memory_order_acquire) < value; ++turn) {
      if (turn % 64 == 0) std::this_thread::yield();
    }
  };
  std::vector<double> ours;
  std::vector<double> bare;
  for (int round = 0; round < 9; ++round) {
    for (const int rank : {0, 1}) std::memset(pto_tensor_data(at[rank]), 0, 132);
    ours.push_back(sides(kRounds, begin, send, await));
    for (pto_context*& one : of) pto_context_release(std::exchange(one, nullptr));
    bare.push_back(sides(
        kRounds, [](int) {}, store, load));
  }
  Print(name, Median(ours), "raw atomics", Median(bare), "<= 1.7");
  for (pto_tensor* signal : at) pto_tensor_release(signal);
  pto_world_release(world);
}

void MeasureSignals() {
  MeasureSignalsOf("TNOTIFY to TWAIT, two threads, one way",
                   [](int rounds, const auto& begin, const auto& send, const auto& await) {
                     begin(0);
                     begin(1);
                     return PingPongNs(rounds, send, await);
                   });
}

void MeasureShm() {
  setenv("PTO_TRANSPORT", "shm", 1);
  MeasureCopiesIn(", shm");
  MeasureSignalsOf("TNOTIFY to TWAIT, two processes, one way",
                   [](int rounds, const auto& begin, const auto& send, const auto& await) {
                     const pid_t child = fork();
                     Must(child >= 0, "fork");
                     if (child == 0) {
                       begin(1);
                       for (int i = 0; i <= rounds; ++i) {
                         await(1, i + 1);
                         send(0, i + 1);
                       }
                       _exit(0);
                     }
                     begin(0);
                     const auto turn = [&](int i) {
                       send(1, i + 1);
                       await(0, i + 1);
                     };
                     turn(0);  // the child runs
                     const auto start = std::chrono::steady_clock::now();
                     for (int i = 1; i <= rounds; ++i) turn(i);
                     const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - start;
                     waitpid(child, nullptr, 0);
                     return all.count() / rounds / 2;
                   });
  unsetenv("PTO_TRANSPORT");
}

}  // namespace
}  // namespace bench

// Arguments are the parts to measure; without any, all of them.
int main(int argc, char** argv) {
  using namespace bench;
  ctx = pto_context_create(PTO_PROFILE_CPU);
  struct Part {
    const char* name;
    void (*measure)();
  };
  for (const Part& part : {Part{"turns", MeasureTurns}, Part{"ring", MeasureRing}, Part{"checker", MeasureChecker},
                           Part{"copies", MeasureCopies}, Part{"signals", MeasureSignals}, Part{"shm", MeasureShm}}) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted |= std::strcmp(argv[i], part.name) == 0;
    if (wanted) part.measure();
  }
  pto_context_release(ctx);
  return 0;
}

// bench.cc: libpto against its peers, in one process. ./dev bench runs it; docs/performance.md keeps what it printed.
#include <fcntl.h>
#include <pto_c.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "bench/harness.h"
#include "bench/peers.h"
#include "src/kernels/kernels.h"

namespace bench {
namespace {

// Bytes from one operand to the next: room for 4096 x 4096 of f32, and not a whole number of pages, since loads wait
// for stores whose addresses differ by such.
constexpr int64_t kStride = int64_t{4096} * 4096 * 4 + 21 * 64;

struct Options {
  std::string json;
  std::string numpy;  // command that starts the numpy worker; empty: none
  std::string only;   // one operation
  std::vector<int> sizes = {16, 64, 128, 4096};
  int rounds = 15;
};

constexpr int64_t kArenaBytes = 3 * kStride;

// One operand after another, in memory as malloc() would give it for arrays of this size.
struct Arena {
  char* bytes = nullptr;

  Arena() {
    bytes = static_cast<char*>(mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (bytes == MAP_FAILED) std::abort();
    madvise(bytes, kArenaBytes, MADV_HUGEPAGE);
    std::memset(bytes, 0, kArenaBytes);
  }
  ~Arena() { munmap(bytes, kArenaBytes); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  char* a() const { return bytes; }
  char* b() const { return bytes + kStride; }
  char* dst() const { return bytes + 2 * kStride; }
};

// numpy in a process of its own, asked in turn with the others. It gets the operands through
// a file and has an arena of its own.
class Numpy {
 public:
  Numpy(const std::string& command, const Arena& arena)
      : arena_(arena), path_("/dev/shm/pto-bench-" + std::to_string(getpid())) {
    int to[2];
    int from[2];
    if (command.empty() || pipe(to) != 0 || pipe(from) != 0) return;
    if (fork() == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      close(to[1]);
      close(from[0]);
      const std::string line = command + " " + path_ + " " + std::to_string(kStride);
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    out_ = fdopen(to[1], "w");
    in_ = fdopen(from[0], "r");
  }
  ~Numpy() {
    if (out_ != nullptr) fclose(out_);
    if (in_ != nullptr) fclose(in_);
    unlink(path_.c_str());
  }
  Numpy(const Numpy&) = delete;
  Numpy& operator=(const Numpy&) = delete;

  // Hands over the operands as they are now.
  void Load() const {
    if (out_ == nullptr) return;
    std::ofstream(path_, std::ios::binary).write(arena_.bytes, 2 * kStride);
    fprintf(out_, "load\n");
    fflush(out_);
    char answer[64];
    if (fgets(answer, sizeof answer, in_) == nullptr) std::abort();
  }

  double Run(const std::string& op, const char* dtype, int rows, int cols, int64_t repetitions) const {
    if (out_ == nullptr) return -1;
    fprintf(out_, "%s %s %d %d %lld\n", op.c_str(), dtype, rows, cols, static_cast<long long>(repetitions));
    fflush(out_);
    char answer[64];
    if (fgets(answer, sizeof answer, in_) == nullptr || std::strncmp(answer, "none", 4) == 0) return -1;
    return std::atof(answer) * rows * cols * static_cast<double>(repetitions);
  }

 private:
  const Arena& arena_;
  const std::string path_;
  FILE* out_ = nullptr;
  FILE* in_ = nullptr;
};

struct Case {
  const char* op;
  const char* peers;  // the operation whose peers it shares
  std::vector<pto_dtype> dtypes;
};

const std::vector<pto_dtype> kFloats = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16};
const std::vector<pto_dtype> kInts = {PTO_DTYPE_I32, PTO_DTYPE_I16, PTO_DTYPE_I8};
const std::vector<pto_dtype> kSix = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16,
                                     PTO_DTYPE_I32, PTO_DTYPE_I16, PTO_DTYPE_I8};
const std::vector<Case> kCases = {
    {"pow", "pow", kSix},         {"pow_mixed", "pow", {PTO_DTYPE_F32}},
    {"pow_wide", "pow", kInts},   {"rsqrt", "rsqrt", kFloats},
    {"prelu", "prelu", kSix},     {"coldiv", "coldiv", kSix},
    {"partadd", "partadd", kSix}, {"partadd_part", "partadd_part", kSix},
};

bool IsFloat(pto_dtype t) { return t == PTO_DTYPE_F32 || t == PTO_DTYPE_F16 || t == PTO_DTYPE_BF16; }

uint16_t ToF16(float f) {
  const _Float16 h = static_cast<_Float16>(f);
  uint16_t bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}
uint16_t ToBF16(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void Put(void* at, pto_dtype t, int64_t i, double v) {
  switch (t) {
    case PTO_DTYPE_F32:
      static_cast<float*>(at)[i] = static_cast<float>(v);
      break;
    case PTO_DTYPE_F16:
      static_cast<uint16_t*>(at)[i] = ToF16(static_cast<float>(v));
      break;
    case PTO_DTYPE_BF16:
      static_cast<uint16_t*>(at)[i] = ToBF16(static_cast<float>(v));
      break;
    case PTO_DTYPE_I32:
      static_cast<int32_t*>(at)[i] = static_cast<int32_t>(v);
      break;
    case PTO_DTYPE_I16:
      static_cast<int16_t*>(at)[i] = static_cast<int16_t>(v);
      break;
    default:
      static_cast<int8_t*>(at)[i] = static_cast<int8_t>(v);
  }
}

// The ranges of the upstream generators; "mixed": half the bases negative, integer exponents; "wide": exponents of
// every bit length.
void Fill(const Arena& arena, const std::string& op, pto_dtype t, int64_t count) {
  std::mt19937_64 random(7);
  const auto uniform = [&random](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  };
  const auto whole = [&random](int64_t lo, int64_t hi) {
    return static_cast<double>(std::uniform_int_distribution<int64_t>(lo, hi)(random));
  };
  const int64_t distinct = std::min<int64_t>(count, 1 << 20);
  const int64_t top = t == PTO_DTYPE_I32 ? 0x7fffffff : t == PTO_DTYPE_I16 ? 0x7fff : 0x7f;
  for (int64_t i = 0; i < distinct; ++i) {
    double a;
    double b;
    if (op == "pow_mixed") {
      a = uniform(-5, 5);
      b = whole(-4, 4);
    } else if (op == "pow_wide") {
      a = whole(-top, top);
      b = whole(0, top);
    } else if (op == "pow") {
      a = IsFloat(t) ? uniform(0.1, t == PTO_DTYPE_F32 ? 5 : 3) : whole(0, 9);
      b = IsFloat(t) ? uniform(0, t == PTO_DTYPE_F32 ? 3 : 2) : whole(0, 6);
    } else if (op == "rsqrt") {
      a = b = uniform(0.01, 10);
    } else if (op == "coldiv") {
      a = IsFloat(t) ? uniform(-10, 10) : whole(-100, 100);
      b = IsFloat(t) ? uniform(0.5, 4) : whole(1, 9);
    } else {
      a = IsFloat(t) ? uniform(-1, 1) : whole(-100, 100);
      b = IsFloat(t) ? uniform(-1, 1) : whole(-100, 100);
    }
    Put(arena.a(), t, i, a);
    Put(arena.b(), t, i, b);
  }
  const size_t size = static_cast<size_t>(pto_dtype_bytes(t));
  for (int64_t i = distinct; i < count; i += distinct) {
    const auto n = static_cast<size_t>(std::min(distinct, count - i)) * size;
    std::memcpy(arena.a() + i * static_cast<int64_t>(size), arena.a(), n);
    std::memcpy(arena.b() + i * static_cast<int64_t>(size), arena.b(), n);
  }
}

struct TileRelease {
  void operator()(pto_tile* tile) const { pto_tile_release(tile); }
};
using Tile = std::unique_ptr<pto_tile, TileRelease>;

Tile Wrap(pto_context* ctx, pto_dtype t, int rows, int cols, int valid_rows, int valid_cols, void* data) {
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = t;
  desc.rows = rows;
  desc.cols = cols;
  desc.valid_rows = valid_rows;
  desc.valid_cols = valid_cols;
  Tile tile(pto_tile_wrap(ctx, &desc, data, int64_t{rows} * cols * pto_dtype_bytes(t)));
  if (tile == nullptr) {
    fprintf(stderr, "bench: %s\n", pto_context_error_message(ctx));
    std::exit(1);
  }
  return tile;
}

// One call of libpto on rows x cols valid elements of tiles that are `line` columns wide.
std::function<void()> Call(pto_context* ctx, const Arena& arena, const std::string& op, pto_dtype t, int rows, int cols,
                           int line, uint32_t flags) {
  const bool part = op == "partadd_part";
  const bool column = op == "coldiv";
  auto dst = std::make_shared<Tile>(Wrap(ctx, t, rows, line, rows, cols, arena.dst()));
  auto a = std::make_shared<Tile>(Wrap(ctx, t, rows, line, rows, cols, arena.a()));
  auto b = std::make_shared<Tile>(Wrap(ctx, t, column ? 1 : rows, line,
                                       column ? 1
                                       : part ? rows / 2
                                              : rows,
                                       part ? cols / 2 : cols, arena.b()));
  if (op.rfind("pow", 0) == 0) return [=] { pto_tpow(ctx, dst->get(), a->get(), b->get(), nullptr, flags); };
  if (op == "rsqrt") return [=] { pto_trsqrt(ctx, dst->get(), a->get(), nullptr, 0); };
  if (op == "prelu") return [=] { pto_tprelu(ctx, dst->get(), a->get(), b->get(), nullptr, 0); };
  if (column) return [=] { pto_tcolexpanddiv(ctx, dst->get(), a->get(), b->get(), 0); };
  return [=] { pto_tpartadd(ctx, dst->get(), a->get(), b->get(), 0); };
}

// ---- what a peer gets wrong ---------------------------------------------------

int64_t Ordered(const char* at, pto_dtype t, int64_t i, bool* nan) {
  if (t == PTO_DTYPE_F32) {
    int32_t bits;
    std::memcpy(&bits, at + 4 * i, 4);
    *nan = (bits & 0x7fffffff) > 0x7f800000;
    return bits < 0 ? -int64_t{bits & 0x7fffffff} : bits;
  }
  int16_t bits;
  std::memcpy(&bits, at + 2 * i, 2);
  *nan = (bits & 0x7fff) > (t == PTO_DTYPE_F16 ? 0x7c00 : 0x7f80);
  return bits < 0 ? -int64_t{bits & 0x7fff} : bits;
}

// Compares a peer with libpto on operands of every kind. pow: within 2 ulp counts as right, as libpto's own promise
// is 1; elsewhere the correctly rounded result is one bit pattern.
std::string Mark(pto_context* ctx, const Arena& arena, const Case& c, pto_dtype t, const peer& p) {
  constexpr int kSide = 64;
  constexpr int64_t kCount = kSide * kSide;
  if (!IsFloat(t) || std::strcmp(c.op, "copy") == 0) return "";
  static const double kSpecial[] = {0.0,   -0.0, 1,    -1,  2,    -2,    3,     -3,       0.5,       -0.5, 1e-40,
                                    1e-30, 1e30, 6e-8, 6e4, 100,  0.999, 1.001, INFINITY, -INFINITY, NAN,  1e-38,
                                    3e38,  7,    -7,   1.5, -1.5, 8,     0.1,   10,       33,        1e-3};
  constexpr int kKinds = sizeof kSpecial / sizeof *kSpecial;
  for (int64_t i = 0; i < kCount; ++i) {
    Put(arena.a(), t, i, kSpecial[i / kSide % kKinds]);
    Put(arena.b(), t, i, kSpecial[i % kKinds]);
  }
  Call(ctx, arena, c.op, t, kSide, kSide, kSide, std::strcmp(c.peers, "pow") == 0 ? PTO_HIGH_PRECISION : 0)();
  const size_t bytes = kCount * static_cast<size_t>(pto_dtype_bytes(t));
  const std::vector<char> want(arena.dst(), arena.dst() + bytes);
  p.run(arena.dst(), arena.a(), arena.b(), kSide, kSide);
  int64_t worst = 0;
  for (int64_t i = 0; i < kCount; ++i) {
    bool nan_want;
    bool nan_got;
    const int64_t w = Ordered(want.data(), t, i, &nan_want);
    const int64_t g = Ordered(arena.dst(), t, i, &nan_got);
    if (nan_want != nan_got) return "x";
    if (!nan_want) worst = std::max(worst, std::abs(w - g));
  }
  return worst > 2 ? "x" : worst > 0 ? "~" : "";
}

// ---- sections -----------------------------------------------------------------

struct Json {
  std::string text = "[";
  void Add(const std::string& section, const std::string& op, const char* dtype, int n, const Contestant& c,
           const Ratio& r, double per) {
    char row[512];
    std::snprintf(row, sizeof row,
                  "%s\n  {\"section\": \"%s\", \"op\": \"%s\", \"dtype\": \"%s\", \"n\": %d, \"name\": \"%s\", "
                  "\"mark\": \"%s\", \"ns\": %.5g, \"ratio\": %.4g, \"low\": %.4g, \"high\": %.4g}",
                  text.size() == 1 ? "" : ",", section.c_str(), op.c_str(), dtype, n, c.name.c_str(), c.mark.c_str(),
                  Median(c.ns) / per, r.median, r.low, r.high);
    text += row;
  }
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), numpy_(options.numpy, arena_), ctx_(pto_context_create(PTO_PROFILE_CPU)) {}
  ~Bench() { pto_context_release(ctx_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void Peers() {
    printf(
        "nanoseconds an element, one thread, SIMD target %s; ratio: peer / libpto, median of the rounds [quartiles]\n"
        "mark ~: not correctly rounded, x: wrong for some operands\n",
        pto_context_target(ctx_));
    for (const Case& c : kCases) {
      if (!options_.only.empty() && options_.only != c.op) continue;
      for (const pto_dtype t : c.dtypes) {
        for (const int n : options_.sizes) PeersOf(c, t, n);
      }
    }
  }

  void Tails() {
    printf("\n63x63 inside 64x64: time of the call, and its ratio to 64x64\n");
    for (const Case& c : kCases) {
      if (!options_.only.empty() && options_.only != c.op) continue;
      for (const pto_dtype t : c.dtypes) {
        Fill(arena_, c.op, t, 64 * 64);
        std::vector<Contestant> all;
        all.push_back({"64x64", Timed(Call(ctx_, arena_, c.op, t, 64, 64, 64, 0)), "", 1, {}});
        all.push_back({"63x63", Timed(Call(ctx_, arena_, c.op, t, 63, 63, 64, 0)), "", 1, {}});
        Race(all, options_.rounds, 5e5);
        const Ratio r = Slower(all[1], all[0]);
        printf("%-13s %-5s %9.1f ns  %5.2f [%.2f..%.2f]\n", c.op, pto_dtype_name(t), Median(all[1].ns), r.median, r.low,
               r.high);
        json_.Add("tail", c.op, pto_dtype_name(t), 63, all[1], r, 1);
      }
    }
  }

  // A call of the library against the kernel alone, on the tile where a call costs most.
  void CallCost() {
    printf("\none call on 16x16 f32: with every check, and the bare kernel\n");
    constexpr int kN = 16;
    struct Row {
      const char* op;
      pto::Lane lane;
      ptrdiff_t b_line;
    };
    const Row rows[] = {{"partadd", pto::Lane::kAdd, kN},
                        {"prelu", pto::Lane::kPrelu, kN},
                        {"rsqrt", pto::Lane::kRsqrt, kN},
                        {"coldiv", pto::Lane::kDiv, 0},
                        {"pow", pto::Lane::kPow, kN}};
    int target = 0;
    while (std::strcmp(pto::TargetName(target), pto_context_target(ctx_)) != 0) ++target;
    for (const Row& row : rows) {
      Fill(arena_, row.op, PTO_DTYPE_F32, kN * kN);
      const pto::Kernel kernel = pto::PickKernel(target, row.lane, pto::DType::kF32);
      const pto::Grid grid{arena_.dst(), arena_.a(), arena_.b(), kN, kN, row.b_line, 1, 1, kN, kN};
      std::vector<Contestant> all;
      all.push_back({"call", Timed(Call(ctx_, arena_, row.op, PTO_DTYPE_F32, kN, kN, kN, 0)), "", 1, {}});
      all.push_back({"kernel", Timed([=] { pto::Call(kernel, grid); }), "", 1, {}});
      Race(all, options_.rounds, 5e5);
      printf("%-13s call %7.1f ns  kernel %7.1f ns  difference %5.1f ns\n", row.op, Median(all[0].ns),
             Median(all[1].ns), Median(all[0].ns) - Median(all[1].ns));
      json_.Add("call", row.op, "f32", kN, all[0], Slower(all[0], all[1]), 1);
    }
  }

  bool Write() const {
    if (options_.json.empty()) return true;
    std::ofstream out(options_.json);
    return static_cast<bool>(out << json_.text << "\n]\n");
  }

 private:
  void PeersOf(const Case& c, pto_dtype t, int n) {
    const char* dtype = pto_dtype_name(t);
    std::vector<Contestant> all;
    all.push_back({"libpto", Timed(Call(ctx_, arena_, c.op, t, n, n, n, 0)), "", 1, {}});
    if (std::strcmp(c.peers, "pow") == 0 && t == PTO_DTYPE_F32) {
      all.push_back({"libpto precise", Timed(Call(ctx_, arena_, c.op, t, n, n, n, PTO_HIGH_PRECISION)), "", 1, {}});
    }
    for (const peer* table :
         {peers_generic, peers_native, peers_fast, peers_sleef, peers_eigen, peers_simd, peers_dnnl}) {
      for (const peer* p = table; p->name != nullptr; ++p) {
        if (std::strcmp(p->op, c.peers) != 0 || std::strcmp(p->dtype, dtype) != 0) continue;
        const auto run = Timed([this, p, n] { p->run(arena_.dst(), arena_.a(), arena_.b(), n, n); });
        all.push_back({p->name, run, Mark(ctx_, arena_, c, t, *p), 1, {}});
      }
    }
    all.push_back({"numpy",
                   [this, &c, dtype, n](int64_t k) { return numpy_.Run(c.op, dtype, n, n, k); },
                   t == PTO_DTYPE_F32 && std::strcmp(c.peers, "pow") == 0 ? "~" : "",
                   1,
                   {}});
    Fill(arena_, c.op, t, int64_t{n} * n);
    numpy_.Load();
    Race(all, n == 4096 ? std::min(options_.rounds, 5) : options_.rounds, 5e5);
    const double per = static_cast<double>(n) * n;
    printf("\n%s %s %dx%d\n", c.op, dtype, n, n);
    for (const Contestant& p : all) {
      const Ratio r = Slower(p, all[0]);
      printf("  %-22s %1s %9.4f ns  %7.2f [%.2f..%.2f]\n", p.name.c_str(), p.mark.c_str(), Median(p.ns) / per, r.median,
             r.low, r.high);
      json_.Add("peers", c.op, dtype, n, p, r, per);
    }
    fflush(stdout);
  }

  Options options_;
  Arena arena_;
  Numpy numpy_;
  pto_context* ctx_;
  Json json_;
};

int Usage(FILE* out, int code) {
  fprintf(out,
          "usage: pto-bench [--json FILE] [--numpy COMMAND] [--only OP] [--sizes N,N...] [--rounds N]\n"
          "  OP: pow pow_mixed pow_wide rsqrt prelu coldiv partadd partadd_part\n");
  return code;
}

}  // namespace

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a worker that is gone is a peer that is missing
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--help") return Usage(stdout, 0);
    if (i + 1 == argc) return Usage(stderr, 2);
    const std::string value = argv[++i];
    if (flag == "--json") {
      options.json = value;
    } else if (flag == "--numpy") {
      options.numpy = value;
    } else if (flag == "--only") {
      options.only = value;
    } else if (flag == "--rounds") {
      options.rounds = std::atoi(value.c_str());
    } else if (flag == "--sizes") {
      options.sizes.clear();
      for (size_t at = 0; at < value.size();
           at = value.find(',', at) == std::string::npos ? value.size() : value.find(',', at) + 1) {
        options.sizes.push_back(std::atoi(value.c_str() + at));
      }
    } else {
      return Usage(stderr, 2);
    }
  }
  for (const int n : options.sizes) {
    if (n < 16 || n > 4096 || n % 16 != 0) {
      fprintf(stderr, "bench: size %d is no multiple of 16 up to 4096\n", n);
      return 2;
    }
  }
  Bench bench(options);
  bench.Peers();
  bench.Tails();
  bench.CallCost();
  return bench.Write() ? 0 : 2;
}

}  // namespace bench

int main(int argc, char** argv) { return bench::Main(argc, argv); }

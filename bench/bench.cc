// bench.cc: libpto against its peers, in one process. ./dev bench runs it; docs/lab-book.md keeps what it printed.
#include <pto_c.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "bench/cases.h"
#include "bench/harness.h"
#include "bench/numpy.h"
#include "bench/peers.h"
#include "src/kernels/kernels.h"

namespace bench {
namespace {

struct Options {
  std::string json;
  std::string numpy;  // command that starts the numpy worker; empty: none
  std::string only;   // instructions, between commas; "": all
  std::string types;  // the same of types
  std::vector<int> sizes = {16, 64, 1024, 4096};
  int rounds = 15;
};

bool Listed(const std::string& list, const std::string& name) {
  return list.empty() || ("," + list + ",").find("," + name + ",") != std::string::npos;
}

struct Json {
  std::string text = "[";
  void Add(const std::string& section, const std::string& op, const std::string& dtype, int n, const Contestant& c,
           const Ratio& r, double per) {
    char row[512];
    std::snprintf(row, sizeof row,
                  "%s\n  {\"section\": \"%s\", \"op\": \"%s\", \"dtype\": \"%s\", \"n\": %d, \"name\": \"%s\", "
                  "\"mark\": \"%s\", \"ns\": %.5g, \"ratio\": %.4g, \"low\": %.4g, \"high\": %.4g}",
                  text.size() == 1 ? "" : ",", section.c_str(), op.c_str(), dtype.c_str(), n, c.name.c_str(),
                  c.mark.c_str(), Median(c.ns) / per, r.median, r.low, r.high);
    text += row;
  }
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), numpy_(options.numpy, arena_), ctx_(pto_context_create(PTO_PROFILE_CPU)) {
    for (const Case& c : AllCases()) {
      if (Listed(options_.only, c.peers) && Listed(options_.types, c.dtype)) cases_.push_back(c);
    }
  }
  ~Bench() { pto_context_release(ctx_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void Peers() {
    printf(
        "nanoseconds an element, one thread, SIMD target %s; ratio: peer / libpto, median of the rounds [quartiles]\n"
        "mark ~: not correctly rounded, or summed in another order; x: wrong for some operands\n",
        pto_context_target(ctx_));
    for (const Case& c : cases_) {
      for (const int n : options_.sizes) PeersOf(c, n);
    }
  }

  void Tails() {
    printf("\n63x63 inside 64x64: time of the call, and its ratio to 64x64\n");
    for (const Case& c : cases_) {
      Fill(arena_, c, 64 * 64);
      std::vector<Contestant> all;
      const auto whole = CallIfLegal(ctx_, arena_, c, 64, 64, 64);
      const auto odd = CallIfLegal(ctx_, arena_, c, 63, 63, 64);
      if (whole == nullptr || odd == nullptr) {
        printf("%s %s takes no 63 columns: left out\n", c.peers.c_str(), c.dtype.c_str());
        continue;
      }
      all.push_back({"64x64", Timed(whole), "", 1, {}});
      all.push_back({"63x63", Timed(odd), "", 1, {}});
      Race(all, options_.rounds, 3e5);
      const Ratio r = Slower(all[1], all[0]);
      printf("%-20s %-8s %9.1f ns  %5.2f [%.2f..%.2f]\n", c.peers.c_str(), c.dtype.c_str(), Median(all[1].ns), r.median,
             r.low, r.high);
      json_.Add("tail", c.peers, c.dtype, 63, all[1], r, 1);
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
    const Row rows[] = {{"tadd", pto::Lane::kAdd, kN},         {"tpartadd", pto::Lane::kAdd, kN},
                        {"tprelu", pto::Lane::kPrelu, kN},     {"trsqrt", pto::Lane::kRsqrt, kN},
                        {"tcolexpanddiv", pto::Lane::kDiv, 0}, {"tpow", pto::Lane::kPow, kN}};
    int target = 0;
    while (std::strcmp(pto::TargetName(target), pto_context_target(ctx_)) != 0) ++target;
    for (const Row& row : rows) {
      for (const Case& c : cases_) {
        if (c.peers != row.op || c.dtype != "f32") continue;
        Fill(arena_, c, kN * kN);
        const pto::Kernel kernel = pto::PickKernel(target, row.lane, pto::DType::kF32);
        const pto::Grid grid{arena_.Dst(), arena_.Source(0), arena_.Source(1), kN, kN, row.b_line, 1, 1, kN, kN};
        std::vector<Contestant> all;
        all.push_back({"call", Timed(CallOf(ctx_, arena_, c, kN, kN, kN)), "", 1, {}});
        all.push_back({"kernel", Timed([=] { pto::Call(kernel, grid); }), "", 1, {}});
        Race(all, options_.rounds, 5e5);
        printf("%-20s call %7.1f ns  kernel %7.1f ns  difference %5.1f ns\n", row.op, Median(all[0].ns),
               Median(all[1].ns), Median(all[0].ns) - Median(all[1].ns));
        json_.Add("call", row.op, "f32", kN, all[0], Slower(all[0], all[1]), 1);
      }
    }
  }

  bool Write() const {
    if (options_.json.empty()) return true;
    std::ofstream out(options_.json);
    return static_cast<bool>(out << json_.text << "\n]\n");
  }

 private:
  void PeersOf(const Case& c, int n) {
    std::vector<Contestant> all;
    Fill(arena_, c, int64_t{n} * n);  // indices of another size would be refused
    const auto own = CallIfLegal(ctx_, arena_, c, n, n, n);
    if (own == nullptr) {
      printf("%s %s does not take its operands: %s\n", c.peers.c_str(), c.dtype.c_str(),
             pto_context_error_message(ctx_));
      return;
    }
    all.push_back({"libpto", Timed(own), "", 1, {}});
    if ((pto_op_flags(c.op) & PTO_HIGH_PRECISION) != 0 && c.dtype == "f32") {
      all.push_back({"libpto precise", Timed(CallOf(ctx_, arena_, c, n, n, n, PTO_HIGH_PRECISION)), "", 1, {}});
    }
    for (const peer* table : {peers_generic, peers_native, peers_fast, peers_sleef, peers_eigen, peers_simd, peers_dnnl,
                              peers_xnnpack, peers_xsmm, peers_std}) {
      for (const peer* p = table; p->name != nullptr; ++p) {
        if (c.peers != p->op || c.dtype != p->dtype) continue;
        if (p->has != nullptr && p->has() == 0) {
          if (n == options_.sizes[0]) printf("%s has no %s %s on this machine: left out\n", p->name, p->op, p->dtype);
          continue;
        }
        const auto run = [this, p](int rows, int cols) {
          p->run(arena_.Dst(), arena_.Source(0), arena_.Source(1), arena_.Source(2), rows, cols);
        };
        all.push_back({p->name, Timed([run, n] { run(n, n); }), MarkOf(ctx_, arena_, c, run), 1, {}});
      }
    }
    const bool rounded = c.dtype != "f32" || (pto_op_flags(c.op) & PTO_HIGH_PRECISION) == 0;
    all.push_back({"numpy", [this, &c, n](int64_t k) { return numpy_.Run(c, n, n, k); }, rounded ? "" : "~", 1, {}});
    Fill(arena_, c, int64_t{n} * n);
    numpy_.Load(int64_t{n} * n * 4);
    Race(all, n >= 1024 ? std::min(options_.rounds, 5) : options_.rounds, 3e5);
    const double per = static_cast<double>(n) * n;
    printf("\n%s %s %dx%d\n", c.peers.c_str(), c.dtype.c_str(), n, n);
    for (const Contestant& p : all) {
      const Ratio r = Slower(p, all[0]);
      printf("  %-26s %1s %9.4f ns  %7.2f [%.2f..%.2f]\n", p.name.c_str(), p.mark.c_str(), Median(p.ns) / per, r.median,
             r.low, r.high);
      json_.Add("peers", c.peers, c.dtype, n, p, r, per);
    }
    fflush(stdout);
  }

  Options options_;
  Arena arena_;
  Numpy numpy_;
  pto_context* ctx_;
  std::vector<Case> cases_;
  Json json_;
};

int Usage(FILE* out, int code) {
  fprintf(out,
          "usage: pto-bench [--json FILE] [--numpy COMMAND] [--only OP,OP...] [--types T,T...] [--sizes N,N...] "
          "[--rounds N]\n"
          "  OP: any instruction; tpow.mixed, tpow.wide, tpartadd.part, tmov.nz, tmov.nd, tload.nz, tstore.nd; T: f32 "
          "... or f32>f16 ... of conversions\n");
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
    } else if (flag == "--types") {
      options.types = value;
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
      fprintf(stderr, "bench: size %d is not a multiple of 16 up to 4096\n", n);
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

// harness.h: what the benchmark's sections share: thread time, medians, and contestants that are
// timed in turn, in random order, so that a ratio compares runs that lie next to each other.
#ifndef PTO_BENCH_HARNESS_H_
#define PTO_BENCH_HARNESS_H_

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace bench {

inline double ThreadNs() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

inline double Quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0.0 : v[static_cast<size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}
inline double Median(const std::vector<double>& v) { return Quantile(v, 0.5); }

struct Contestant {
  std::string name;
  // Runs that number of times and returns nanoseconds in all; negative: has no such operation.
  std::function<double(int64_t repetitions)> run;
  std::string mark;  // "": right; "~": not correctly rounded; "x": wrong for some operands
  int64_t repetitions = 1;
  std::vector<double> ns;  // one run, by round
};

inline std::function<double(int64_t)> Timed(std::function<void()> call) {
  return [call = std::move(call)](int64_t repetitions) {
    const double start = ThreadNs();
    for (int64_t i = 0; i < repetitions; ++i) {
      call();
      asm volatile("" ::: "memory");
    }
    return ThreadNs() - start;
  };
}

// Times all contestants in `rounds` rounds of batches of about batch_ns; drops those without the operation.
inline void Race(std::vector<Contestant>& all, int rounds, double batch_ns) {
  std::mt19937 random(1);
  for (Contestant& c : all) {
    if (c.run(1) < 0) continue;  // touches the memory: a page that is mapped later would spoil the count
    double ns = c.run(1);
    while (ns < batch_ns / 8 && c.repetitions < (int64_t{1} << 24)) {
      c.repetitions *= 8;
      ns = c.run(c.repetitions);
    }
    c.repetitions =
        std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(c.repetitions) * batch_ns / std::max(ns, 1.0)));
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < all.size(); ++i) order.push_back(i);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) {
      // A batch of one run would pay for writing back what the contestant before it left in the caches.
      if (all[i].repetitions == 1) all[i].run(1);
      const double ns = all[i].run(all[i].repetitions);
      if (ns >= 0) all[i].ns.push_back(ns / static_cast<double>(all[i].repetitions));
    }
  }
  std::erase_if(all, [](const Contestant& c) { return c.ns.empty(); });
}

struct Ratio {
  double median, low, high;
};

// How many times slower `other` is than `ours`, round by round; quartiles as the spread.
inline Ratio Slower(const Contestant& other, const Contestant& ours) {
  std::vector<double> r;
  for (size_t i = 0; i < std::min(other.ns.size(), ours.ns.size()); ++i) r.push_back(other.ns[i] / ours.ns[i]);
  return {Median(r), Quantile(r, 0.25), Quantile(r, 0.75)};
}

}  // namespace bench

#endif  // PTO_BENCH_HARNESS_H_

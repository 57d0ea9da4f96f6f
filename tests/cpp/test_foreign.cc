// A runtime that is not libpto's: it loads kernels as plugins (dlopen, RTLD_LOCAL), runs one thread for each core,
// gives each the number of its vector core, and lends the cores of a cluster memory for their pipes.
//
// usage: test_foreign CUBE_KERNEL VECTOR_KERNEL [RUNS]
//
// Compiled with PTO_TEST_REGISTER it passes its two functions to the kernels, else it exports them.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kClusters = 8;
constexpr int kTiles = 5;
constexpr int kElements = 16 * 16;
enum Work : int64_t { kPlain = 0, kBreakRule = 1 };
using Entry = void (*)(int64_t*);

int failures = 0;
void Check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

struct Place {
  int cluster = 0;
  uint32_t lane = 0;
};
thread_local Place place;

struct State {
  bool poisoned = false;  // blocks look as if another library had laid them out
  std::mutex lock;
  std::map<std::pair<int, uint64_t>, void*> blocks;
  void Clear() {
    for (const auto& [key, block] : blocks) std::free(block);
    blocks.clear();
  }
};
State state;

uint32_t LaneOfThread() { return place.lane; }
void* SharedState(uint64_t key, size_t size) {
  const std::lock_guard<std::mutex> lock(state.lock);
  void*& block = state.blocks[{place.cluster, key}];
  if (block == nullptr) {
    block = std::calloc(1, size);
    if (state.poisoned) std::memset(block, 2, size);
  }
  return block;
}

Entry Load(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
#if defined(PTO_TEST_REGISTER)
  const auto set = reinterpret_cast<void (*)(void*, void*)>(dlsym(library, "pto_sim_register_hooks"));
  Check(set != nullptr, "a kernel exports pto_sim_register_hooks");
  set(reinterpret_cast<void*>(&LaneOfThread), reinterpret_cast<void*>(&SharedState));
#endif
  return reinterpret_cast<Entry>(dlsym(library, "kernel_entry"));
}

struct Results {
  float tiles[kTiles * kElements] = {};
  float lanes[2] = {-1, -1};
};

// All clusters at once, each a cube core and two vector cores.
std::vector<Results> Run(Entry cube, Entry vector, Work work) {
  state.Clear();
  std::vector<Results> results(kClusters);
  std::vector<std::thread> threads;
  for (int cluster = 0; cluster < kClusters; ++cluster) {
    for (int core = 0; core < 3; ++core) {
      threads.emplace_back([&, cluster, core] {
        place = {cluster, core == 2 ? 1U : 0U};
        Results& to = results[static_cast<size_t>(cluster)];
        int64_t args[50] = {reinterpret_cast<int64_t>(core == 0 ? to.tiles : to.lanes), work};
        (core == 0 ? cube : vector)(args);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

void CheckResults(const std::vector<Results>& results) {
  bool tiles = true;
  bool lanes = true;
  for (const Results& of : results) {
    for (int i = 0; i < kTiles * kElements; ++i) {
      tiles &= of.tiles[i] == static_cast<float>(1000 * (i / kElements) + i % kElements) + 0.5F;
    }
    lanes &= of.lanes[0] == 0 && of.lanes[1] == 1;
  }
  Check(tiles, "the vector cores return each tile");
  Check(lanes, "each vector core knows its number");
}

// A run with an error in one kernel, in its own process: its exit status, and what it wrote to stderr.
int RunApart(Entry cube, Entry vector, const char* on_error, std::string* text, bool poisoned = false) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    state.poisoned = poisoned;
    if (on_error != nullptr) setenv("PTO_ON_ERROR", on_error, 1);
    Run(cube, vector, kBreakRule);
    _exit(0);
  }
  close(ends[1]);
  char part[4096];
  for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;) text->append(part, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

#if !defined(PTO_TEST_REGISTER)
extern "C" {
uint32_t pto_sim_get_subblock_id(void) { return LaneOfThread(); }
void* pto_sim_get_pipe_shared_state(uint64_t key, size_t size) { return SharedState(key, size); }
}
#endif

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Entry cube = Load(argv[1]);
  const Entry vector = Load(argv[2]);
  const int runs = argc > 3 ? std::atoi(argv[3]) : 1;

  // Before there are threads: a fork keeps the calling one only.
  std::string text;
  Check(RunApart(cube, vector, nullptr, &text) == 70, "an error in a kernel ends the process with status 70");
  Check(text.find("[valid-") != std::string::npos, "the error names its rule");
  Check(text.find("foreign_kernel.cc") != std::string::npos, "the error names the kernel");
  text.clear();
  Check(RunApart(cube, vector, "return", &text) == 0, "with PTO_ON_ERROR=return the process continues");
  Check(text.find("[deadlock]") != std::string::npos && text.find("has stopped") != std::string::npos,
        "the peers of a kernel that failed stop waiting");

  text.clear();
  Check(RunApart(cube, vector, nullptr, &text, true) == 70 && text.find("[pipe-sides]") != std::string::npos,
        "memory that another library has laid out is refused");

  for (int run = 0; run < runs; ++run) CheckResults(Run(cube, vector, kPlain));
  state.Clear();
  if (failures != 0) std::fprintf(stderr, "%s\n", text.c_str());
  std::printf("%d runs of %d clusters, %d failures\n", runs, kClusters, failures);
  return failures == 0 ? 0 : 1;
}

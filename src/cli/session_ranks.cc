// Arguments of ranks: each has its own, arrays that peers reach lie in windows, and pointers lead to arrays of peers.
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/numbers.h"
#include "src/cli/session.h"

namespace pto::cli {

std::string Session::Key(const std::string& name, int32_t rank) {
  return rank < 0 ? name : name + "@" + std::to_string(rank);
}

// @rank and @ranks are the number of the rank, and of ranks.
std::string Session::Number(const std::string& text, int32_t rank) const {
  if (text.empty() || text[0] != '@') return text;
  if (rank < 0) Fail("--int %s: add --ranks", text.c_str());
  if (text == "@rank") return std::to_string(rank);
  if (text == "@ranks") return std::to_string(options_.ranks);
  Fail("--int %s: write a number, @rank or @ranks", text.c_str());
}

// NAME=ARRAY@RANK; with all, NAME0 and so on are the arrays of rank 0 and so on.
void Session::ReadPeers() {
  for (const auto& [name, text] : Split(options_.peers, "--peer")) {
    if (options_.ranks == 0) Fail("--peer %s=%s: add --ranks", name.c_str(), text.c_str());
    const size_t at = text.rfind('@');
    if (at == std::string::npos || at == 0) Fail("--peer %s=%s: write NAME=ARRAY@RANK", name.c_str(), text.c_str());
    Peer peer{text.substr(0, at), false, 0};
    std::string rank = text.substr(at + 1);
    if (rank == "all") {
      for (int32_t i = 0; i < options_.ranks; ++i) {
        peer.rank = i;
        peers_.emplace(name + std::to_string(i), peer);
      }
      continue;
    }
    peer.relative = !rank.empty() && (rank[0] == '+' || rank[0] == '-');
    if (!rank.empty() && rank[0] == '+') rank.erase(0, 1);
    if (!ParseInteger(rank, &peer.rank)) {
      Fail("--peer %s=%s: the rank is a number, +N, -N or all", name.c_str(), text.c_str());
    }
    if (!peer.relative && (peer.rank < 0 || peer.rank >= options_.ranks)) {
      Fail("--peer %s=%s: the ranks are 0 to %d", name.c_str(), text.c_str(), options_.ranks - 1);
    }
    peers_.emplace(name, peer);
  }
  for (const auto& [name, peer] : peers_) {
    bool known = false;
    for (int32_t i = 0; i < pto_program_arg_count(program(), entry_); ++i) {
      known |= name == pto_program_arg_name(program(), entry_, i) &&
               pto_program_arg_kind(program(), entry_, i) == PTO_ARG_TENSOR;
    }
    if (!known) Fail("--peer: the entry has no pointer %s%s", name.c_str(), NearArgument(name).c_str());
  }
}

// Arrays that peers reach lie at the same place in all windows.
void Session::PlaceWindows() {
  constexpr int64_t kAlignment = 64;
  int64_t bytes = 0;
  std::set<std::string> names;
  for (const auto& [name, peer] : peers_) names.insert(peer.array);
  for (const std::string& name : names) {
    const Bound* first = nullptr;
    for (int32_t rank = 0; rank < options_.ranks; ++rank) {
      const auto found = bound_.find(Key(name, rank));
      if (found == bound_.end() || !found->second.loaded) {
        Fail("--peer: rank %d has no array %s; add --in %s=FILE or --shape %s=RxC", rank, name.c_str(), name.c_str(),
             name.c_str());
      }
      Bound& bound = found->second;
      bound.place = bytes;
      if (first == nullptr) first = &bound;
      if (bound.array.dtype == first->array.dtype && bound.array.shape == first->array.shape) continue;
      Fail("--peer: %s is %s of %s on rank 0 and %s of %s on rank %d; peers need the same on every rank", name.c_str(),
           ShapeText(first->array.shape).c_str(), pto_dtype_name(first->array.dtype),
           ShapeText(bound.array.shape).c_str(), pto_dtype_name(bound.array.dtype), rank);
    }
    const int64_t size = first->array.Count() * pto_dtype_bytes(first->array.dtype);
    bytes += (size + kAlignment - 1) / kAlignment * kAlignment;
  }
  start_ = bytes;
  world_.reset(pto_world_create(ctx(), options_.ranks, bytes + kAlignment));
  if (world_ == nullptr) Fail("--ranks: %s", Reason(ctx()).c_str());
  Must(pto_program_set_world(ctx(), program(), world_.get()));
  BecomeRank();
}

#if defined(__linux__)
namespace {

// Starts a process for each rank, and returns the rank in it. Where it started, waits until all have ended, and ends.
int32_t StartRanks(int32_t ranks) {
  using Clock = std::chrono::steady_clock;
  constexpr useconds_t kNap = 10'000;
  constexpr std::chrono::seconds kPatience(2);
  std::fflush(nullptr);
  const pid_t command = getpid();
  std::vector<pid_t> started;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const pid_t process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever ends the command ends its ranks
      if (getppid() != command) _exit(kFound);
      return rank;
    }
    if (process < 0) {
      for (const pid_t one : started) kill(one, SIGKILL);
      Fail("--ranks: no process could be started for rank %d", rank);
    }
    started.push_back(process);
  }
  int code = kOk;
  std::optional<Clock::time_point> until;  // a signal has ended a rank: when the others are ended, too
  bool ended = false;                      // they were
  for (int32_t left = ranks; left > 0;) {
    int status = 0;
    const pid_t process = waitpid(-1, &status, until.has_value() ? WNOHANG : 0);
    const auto one = std::find(started.begin(), started.end(), process);
    // The others hear of it and end with an error. A rank that ended before it had begun is not known to them.
    if (process == 0 && !ended && Clock::now() >= *until) {
      ended = true;
      for (const pid_t other : started) {
        if (other > 0) kill(other, SIGKILL);
      }
    }
    if (process == 0) usleep(kNap);
    if (process < 0 && errno != EINTR) break;
    if (process <= 0 || one == started.end()) continue;
    --left;
    if (WIFSIGNALED(status) && !ended) {
      Tell(Format("rank %d, process %d, was ended by signal %d", static_cast<int>(one - started.begin()), process,
                  WTERMSIG(status)));
      if (!until.has_value()) until = Clock::now() + kPatience;
    }
    *one = 0;
    code = std::max(code, WIFEXITED(status) ? WEXITSTATUS(status) : int{kFound});
  }
  std::exit(code);
}

}  // namespace
#else
static int32_t StartRanks(int32_t) { return -1; }
#endif

// With a transport between processes, this one becomes a rank.
void Session::BecomeRank() {
  const std::string_view transport = pto_world_transport(world_.get());
  if (transport == "local") return;
  const int32_t rank = transport == "shm" ? StartRanks(options_.ranks) : -1;
  ContextHandle own(pto_world_context(ctx(), world_.get(), rank));
  if (own == nullptr) Fail("--ranks: %s", Reason(ctx()).c_str());
  self_ = pto_context_rank(own.get());
  loaded_.ctx = std::move(own);
}

// Waits until all ranks have put their arrays into their windows: from then on, peers write there.
void Session::MeetRanks() const {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_I32;
  desc.rank = 1;
  desc.dim0 = 1;
  for (int32_t i = 1; i <= options_.ranks; ++i) {
    const int32_t rank = (self_ + i) % options_.ranks;
    const TensorHandle signal(pto_world_tensor(ctx(), world_.get(), rank, &desc, start_));
    if (signal == nullptr) Fail("--ranks: %s", Reason(ctx()).c_str());
    Must(rank == self_ ? pto_comm_twait(ctx(), signal.get(), options_.ranks - 1, PTO_WAIT_CMP_GE)
                       : pto_comm_tnotify(ctx(), signal.get(), 1, PTO_NOTIFY_ATOMIC_ADD));
  }
}

void Session::AttachRank(int32_t rank) {
  Must(pto_program_bind_on(ctx(), program(), rank));
  for (const NumberOf& one : numbers_[rank]) BindNumber(one.name, one.text, one.integer);
  for (auto& [key, bound] : bound_) {
    if (bound.rank == rank && bound.loaded) Attach(pto_program_arg_name(program(), entry_, bound.index), &bound);
  }
  BindPeers(rank);
}

void Session::BindPeers(int32_t rank) {
  const auto ranks = int64_t{options_.ranks};
  for (const auto& [name, peer] : peers_) {
    const int64_t to = peer.relative ? ((rank + peer.rank) % ranks + ranks) % ranks : peer.rank;
    const Bound& bound = bound_.at(Key(peer.array, static_cast<int32_t>(to)));
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = bound.array.dtype;
    desc.rank = static_cast<int32_t>(std::max<size_t>(bound.array.shape.size(), 1));
    int64_t* const dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
    desc.dim0 = 1;
    for (size_t i = 0; i < bound.array.shape.size(); ++i) *dims[i] = bound.array.shape[i];
    const TensorHandle tensor(pto_world_tensor(ctx(), world_.get(), static_cast<int32_t>(to), &desc, bound.place));
    if (tensor == nullptr) Fail("--peer %s: %s", name.c_str(), Reason(ctx()).c_str());
    Must(pto_program_bind_tensor(ctx(), program(), name.c_str(), tensor.get()));
  }
}

}  // namespace pto::cli

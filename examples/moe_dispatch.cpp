// A mixture of experts on four ranks: each has 16 tokens and one expert. A rank sends every token to the rank whose
// expert a router chose, the experts work, and the results return to the tokens' owners.
//
//   token[i] --TPUT--> inbox[source][slot] of the expert's rank      count[source] = tokens + 1
//   expert(token) --TSTORE--> back[expert][slot] of the source       done[expert] = 1
//   back[expert][slot] --> out[i]
//
// Each pair of ranks has places and signals of its own, so no counter is shared and nothing depends on who is early.
#include <cstdint>
#include <cstdio>

#include "pto/pto-comm.hpp"
#include "pto/pto-inst.hpp"
#include "pto/pto-launch.hpp"

using namespace pto;

namespace {

constexpr int kRanks = 4;
constexpr int kTokens = 16;
constexpr int kCols = 32;

// The contents of a rank's window.
struct Window {
  float token[kTokens][kCols];
  float inbox[kRanks][kTokens][kCols];
  float back[kRanks][kTokens][kCols];
  float out[kTokens][kCols];
  int32_t count[kRanks];
  int32_t done[kRanks];
};

using Row = GlobalTensor<float, Shape<1, 1, 1, 1, kCols>, Stride<kCols, kCols, kCols, kCols, 1>>;
using Stage = Tile<TileType::Vec, float, 1, kCols>;

// Some experts get many tokens, some few.
int Route(int rank, int token) { return (rank * 5 + token * token) % 7 % kRanks; }

AICORE void Dispatch(comm::CommContext* context, Window* own, Stage& ping, Stage& pong) {
  const int rank = static_cast<int>(context->rankId);
  int sent[kRanks] = {};
  for (int i = 0; i < kTokens; ++i) {
    const int expert = Route(rank, i);
    Row from(own->token[i]);
    Row to(comm::domain::RemotePtr(context, own->inbox[rank][sent[expert]++], expert));
    comm::TPUT(to, from, ping, pong);
  }
  for (int expert = 0; expert < kRanks; ++expert) {
    comm::Signal count(comm::domain::RemotePtr(context, &own->count[rank], expert));
    comm::TNOTIFY(count, sent[expert] + 1, comm::NotifyOp::Set);  // 0 is "not there yet"
  }
}

AICORE void Work(comm::CommContext* context, Window* own, Stage& tile) {
  const int rank = static_cast<int>(context->rankId);
  for (int source = 0; source < kRanks; ++source) {
    comm::Signal count(&own->count[source]);
    comm::TWAIT(count, 1, comm::WaitCmp::GE);
    for (int slot = 0; slot < own->count[source] - 1; ++slot) {
      Row from(own->inbox[source][slot]);
      Row to(comm::domain::RemotePtr(context, own->back[rank][slot], source));
      TLOAD(tile, from);
      TMULS(tile, tile, static_cast<float>(rank + 2));
      TADDS(tile, tile, static_cast<float>(rank));
      TSTORE(to, tile);
    }
    comm::Signal done(comm::domain::RemotePtr(context, &own->done[rank], source));
    comm::TNOTIFY(done, 1, comm::NotifyOp::Set);
  }
}

AICORE void Combine(comm::CommContext* context, Window* own, Stage& tile) {
  const int rank = static_cast<int>(context->rankId);
  for (int expert = 0; expert < kRanks; ++expert) {
    comm::Signal done(&own->done[expert]);
    comm::TWAIT(done, 1, comm::WaitCmp::EQ);
  }
  int taken[kRanks] = {};
  for (int i = 0; i < kTokens; ++i) {
    const int expert = Route(rank, i);
    Row from(own->back[expert][taken[expert]++]);
    Row to(own->out[i]);
    TLOAD(tile, from);
    TSTORE(to, tile);
  }
}

AICORE void Moe(comm::CommContext* context, Window* own) {
  Stage ping;
  Stage pong;
  Dispatch(context, own, ping, pong);
  Work(context, own, ping);
  Combine(context, own, ping);
}

}  // namespace

int main() {
  World world(kRanks, sizeof(Window));
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int i = 0; i < kTokens * kCols; ++i) {
      world.Window<Window>(rank)->token[i / kCols][i % kCols] = 0.5F * static_cast<float>(i % 61 + rank);
    }
  }
  LaunchRanks(
      kRanks, Moe, [&](int rank) { return world.Context(rank); }, [&](int rank) { return world.Window<Window>(rank); });
  for (int rank = 0; rank < kRanks; ++rank) {
    const Window& own = *world.Window<Window>(rank);
    for (int i = 0; i < kTokens * kCols; ++i) {
      const int expert = Route(rank, i / kCols);
      const float want = own.token[i / kCols][i % kCols] * static_cast<float>(expert + 2) + static_cast<float>(expert);
      if (own.out[i / kCols][i % kCols] == want) continue;
      std::printf("rank %d, token %d: %g where %g is right\n", rank, i / kCols,
                  static_cast<double>(own.out[i / kCols][i % kCols]), static_cast<double>(want));
      return 1;
    }
  }
  std::printf("%d tokens went to the experts of %d ranks and back\n", kRanks * kTokens, kRanks);
  return 0;
}

// extern "C": worlds of ranks.
#include <cstdlib>
#include <cstring>

#include "src/api/api_abi.h"
#include "src/objects/world.h"

using pto::Rule;

namespace {

// Whether the handles are there, and the world has the rank. A process that is one rank has that rank only.
bool HasRank(pto_context* ctx, const char* call, const pto_world* world, int32_t rank) {
  if (ctx == nullptr) return false;
  if (world == nullptr) {
    ctx->error.Set(Rule::kNull, call, "world", "world is NULL");
    return false;
  }
  if (rank >= 0 && rank < world->ranks) return true;
  ctx->error.Set(Rule::kRank, call, "rank", "rank is %d in a world of %d", rank, world->ranks);
  return false;
}

}  // namespace

extern "C" {

pto_world* pto_world_create(pto_context* ctx, int32_t ranks, int64_t window_bytes) {
  static constexpr char kCall[] = "pto_world_create";
  if (ctx == nullptr) return nullptr;
  if (ranks < 1 || ranks > pto::kMostRanks) {
    ctx->error.Set(Rule::kRanks, kCall, "ranks", "ranks is %d", ranks);
    return nullptr;
  }
  if (window_bytes < 0 || window_bytes > pto::kMaxTensorBytes / ranks) {
    ctx->error.Set(Rule::kWindowBytes, kCall, "window_bytes", "window_bytes is %lld for each of %d ranks",
                   static_cast<long long>(window_bytes), ranks);
    return nullptr;
  }
  const pto::Transport* const all[] = {&pto::kLocalTransport, pto::kSharedTransport, pto::kMpiTransport};
  const char* const named[] = {"local", "local or shm", "local, shm or mpi"};
  const char* wish = std::getenv("PTO_TRANSPORT");
  const pto::Transport* transport = nullptr;
  int known = 0;
  for (const pto::Transport* one : all) {
    if (one == nullptr) continue;
    ++known;
    if (std::strcmp(wish != nullptr ? wish : all[0]->name, one->name) == 0) transport = one;
  }
  if (transport == nullptr) {
    ctx->error.Set(Rule::kTransport, kCall, "PTO_TRANSPORT", "PTO_TRANSPORT is '%s' where %s is known", wish,
                   named[known - 1]);
    return nullptr;
  }
  const char* why = nullptr;
  pto::World* world = pto::NewWorld(*transport, ranks, window_bytes, &why);
  if (world == nullptr && why != nullptr) {
    ctx->error.Set(Rule::kTransport, kCall, "PTO_TRANSPORT", "%s", why);
  } else if (world == nullptr) {
    ctx->error.Set(Rule::kMemory, kCall, "", "no memory for %d windows of %lld bytes", ranks,
                   static_cast<long long>(window_bytes));
  }
  return static_cast<pto_world*>(world);
}

pto_world* pto_world_retain(pto_world* world) {
  if (world != nullptr) world->refs.Retain();
  return world;
}

void pto_world_release(pto_world* world) { pto::ReleaseWorld(world); }

int32_t pto_world_ranks(const pto_world* world) { return world == nullptr ? 0 : world->ranks; }

int64_t pto_world_window_bytes(const pto_world* world) { return world == nullptr ? 0 : world->window_bytes; }

const char* pto_world_transport(const pto_world* world) { return world == nullptr ? "" : world->transport->name; }

pto_context* pto_world_context(pto_context* ctx, pto_world* world, int32_t rank) {
  static constexpr char kCall[] = "pto_world_context";
  if (world != nullptr && rank == -1) rank = world->self;
  if (!HasRank(ctx, kCall, world, rank)) return nullptr;
  if (world->self >= 0 && rank != world->self) {
    ctx->error.Set(Rule::kRank, kCall, "rank", "rank is %d in the process of rank %d", rank, world->self);
    return nullptr;
  }
  pto_context* made = pto::NewContext(ctx->profile, pto::TargetName(ctx->target));
  if (made == nullptr) {
    ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a context");
    return nullptr;
  }
  made->on_chip_limit = ctx->on_chip_limit;
  world->refs.Retain();
  made->world = world;
  made->rank = rank;
  world->waits.Enter(rank);
  return made;
}

int32_t pto_context_rank(const pto_context* ctx) { return ctx == nullptr ? -1 : ctx->rank; }

pto_tensor* pto_world_tensor(pto_context* ctx, pto_world* world, int32_t rank, const pto_tensor_desc* desc,
                             int64_t offset) {
  static constexpr char kCall[] = "pto_world_tensor";
  if (!HasRank(ctx, kCall, world, rank)) return nullptr;
  if (offset < 0 || offset > world->window_bytes) {
    ctx->error.Set(Rule::kWorldOffset, kCall, "offset", "offset is %lld in a window of %lld bytes",
                   static_cast<long long>(offset), static_cast<long long>(world->window_bytes));
    return nullptr;
  }
  return pto::TensorIn(ctx, kCall, desc, world->windows[rank], offset);
}

pto_status pto_world_limit_wait(pto_context* ctx, pto_world* world, int64_t milliseconds) {
  static constexpr char kCall[] = "pto_world_limit_wait";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (world == nullptr) return pto::Abi(ctx->error.Set(Rule::kNull, kCall, "world", "world is NULL"));
  if (milliseconds < 1) {
    return pto::Abi(ctx->error.Set(Rule::kLimit, kCall, "milliseconds", "milliseconds is %lld",
                                   static_cast<long long>(milliseconds)));
  }
  world->waits.limit_ms.store(milliseconds);
  return PTO_OK;
}

}  // extern "C"

// extern "C": running programs, how far that may go, and what is left of a run: printed text and tiles.
#include <optional>

#include "src/api/api_program.h"
#include "src/objects/world.h"
#include "src/ptoas/check/verifier.h"
#include "src/records/nearest.h"

using pto::Abi;
using pto::Arguments;
using pto::CheckProgram;
using pto::FirstError;
using pto::FuncOf;
using pto::Guard;
using pto::Refuse;
using pto::Rule;
using pto::ShowMore;
using pto::Shown;
using pto::Status;
using pto::ptoas::Diagnostics;
using pto::ptoas::Func;
using pto::ptoas::RunOptions;

namespace {

pto_status Limit(pto_context* ctx, pto_program* program, const char* call, const char* what, int64_t limit,
                 int64_t RunOptions::*option) {
  const Status status = Arguments(ctx, call, program);
  if (status != Status::kOk) return Abi(status);
  if (limit < 1) {
    return Abi(ctx->error.Set(Rule::kLimit, call, what, "%s is %lld", what, static_cast<long long>(limit)));
  }
  program->options.*option = limit;
  return PTO_OK;
}

// On each rank what is bound there, and else what is bound on all. With a context of a rank, of that rank alone.
pto::ptoas::Ranks RanksOf(const pto_context& ctx, const pto_program& program) {
  pto::ptoas::Ranks ranks{program.world, {}};
  if (ctx.world == program.world) ranks.alone = ctx.rank;
  for (int32_t rank = 0; rank < pto_world_ranks(program.world); ++rank) {
    if (ranks.alone >= 0 && rank != ranks.alone) continue;
    const auto own = program.bound_on.find(rank);
    pto::ptoas::Bindings& all = ranks.bindings.emplace_back();
    for (const auto& binding : program.bound.bindings) {
      if (own == program.bound_on.end() || !own->second.of.contains(binding.name)) all.push_back(binding);
    }
    if (own != program.bound_on.end()) all.insert(all.end(), own->second.bindings.begin(), own->second.bindings.end());
  }
  return ranks;
}

// A context of a rank that does nothing while a run has its own; nullptr: the run needs none.
struct Lent {
  explicit Lent(const pto_context* context) : ctx(context) {
    if (ctx != nullptr) ctx->world->waits.Lend(ctx->rank, 1);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if (ctx != nullptr) ctx->world->waits.Lend(ctx->rank, -1);
  }
  const pto_context* ctx;
};

}  // namespace

extern "C" {

pto_status pto_program_limit_steps(pto_context* ctx, pto_program* program, int64_t steps) {
  return Limit(ctx, program, "pto_program_limit_steps", "steps", steps, &RunOptions::max_steps);
}

pto_status pto_program_limit_bytes(pto_context* ctx, pto_program* program, int64_t bytes) {
  return Limit(ctx, program, "pto_program_limit_bytes", "bytes", bytes, &RunOptions::max_bytes);
}

pto_status pto_program_limit_time(pto_context* ctx, pto_program* program, int64_t milliseconds) {
  return Limit(ctx, program, "pto_program_limit_time", "milliseconds", milliseconds, &RunOptions::max_ms);
}

void pto_program_stop(pto_program* program) {
  static_assert(std::atomic<bool>::is_always_lock_free);  // what makes it safe in a signal handler
  if (program != nullptr) program->stop.store(true);
}

void pto_program_forget_stop(pto_program* program) {
  if (program != nullptr) program->stop.store(false);
}

pto_status pto_program_set_blocks(pto_context* ctx, pto_program* program, int32_t blocks) {
  static constexpr char kCall[] = "pto_program_set_blocks";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (blocks < 1) return Abi(ctx->error.Set(Rule::kBlocks, kCall, "blocks", "blocks is %d", blocks));
  program->options.blocks = blocks;
  return PTO_OK;
}

pto_status pto_program_set_core(pto_context* ctx, pto_program* program, int32_t block, int32_t blocks, int32_t lane) {
  static constexpr char kCall[] = "pto_program_set_core";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (block < 0 || block >= blocks)
    return Abi(ctx->error.Set(Rule::kBlocks, kCall, "block", "block is %d of %d", block, blocks));
  if (lane < 0 || lane >= pto::ptoas::kVectorCores)
    return Abi(ctx->error.Set(Rule::kBlocks, kCall, "lane", "lane is %d of %d", lane, pto::ptoas::kVectorCores));
  program->options.first_block = block;
  program->options.of_blocks = blocks;
  program->options.lane = lane;
  return PTO_OK;
}

pto_status pto_program_set_threads(pto_context* ctx, pto_program* program, int32_t threads) {
  static constexpr char kCall[] = "pto_program_set_threads";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (threads < 1 || threads > pto::ptoas::kMaxThreads) {
    return Abi(ctx->error.Set(Rule::kThreads, kCall, "threads", "threads is %d", threads));
  }
  program->options.threads = threads;
  return PTO_OK;
}

pto_status pto_program_set_poison(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_poison", program);
  if (status != Status::kOk) return Abi(status);
  program->options.poison = on != 0;
  return PTO_OK;
}

pto_status pto_program_set_slack(pto_context* ctx, pto_program* program, int64_t bytes) {
  static constexpr char kCall[] = "pto_program_set_slack";
  constexpr int64_t kMost = int64_t{1} << 20;
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (bytes < 0 || bytes > kMost) {
    return Abi(ctx->error.Set(Rule::kLimit, kCall, "bytes", "bytes is %lld", static_cast<long long>(bytes)));
  }
  program->options.slack = bytes;
  return PTO_OK;
}

pto_status pto_program_set_world(pto_context* ctx, pto_program* program, pto_world* world) {
  const Status status = Arguments(ctx, "pto_program_set_world", program);
  if (status != Status::kOk) return Abi(status);
  pto_world_retain(world);
  pto_world_release(program->world);
  program->world = world;
  program->binds_on = -1;
  program->bound_on.clear();
  return PTO_OK;
}

pto_status pto_program_bind_on(pto_context* ctx, pto_program* program, int32_t rank) {
  static constexpr char kCall[] = "pto_program_bind_on";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (rank < -1 || rank >= pto_world_ranks(program->world)) {
    return Abi(ctx->error.Set(Rule::kRank, kCall, "rank", "rank is %d where the program runs on %d", rank,
                              pto_world_ranks(program->world)));
  }
  program->binds_on = rank;
  return PTO_OK;
}

pto_status pto_program_set_schedule(pto_context* ctx, pto_program* program, int64_t seed) {
  const Status status = Arguments(ctx, "pto_program_set_schedule", program);
  if (status != Status::kOk) return Abi(status);
  program->options.seed = static_cast<uint32_t>(seed ^ seed >> 32);
  return PTO_OK;
}

pto_status pto_program_set_late_data(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_late_data", program);
  if (status != Status::kOk) return Abi(status);
  program->options.late = on != 0;
  return PTO_OK;
}

pto_status pto_program_set_sync(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_sync", program);
  if (status != Status::kOk) return Abi(status);
  program->options.sync = on != 0;
  return PTO_OK;
}

pto_status pto_program_run(pto_context* ctx, pto_program* program, const char* entry) {
  static constexpr char kCall[] = "pto_program_run";
  Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  program->launch.ForgetTiles();
  status = Guard(ctx, kCall, [&] {
    const Func* func = FuncOf(program, entry);
    if ((program->checked >> static_cast<int>(ctx->profile) & 1) == 0) {
      const Status checked = CheckProgram(ctx, program, kCall, func);
      if (checked != Status::kOk) return Refuse(ctx, *program, kCall);
    }
    // The warnings of the check stay.
    std::erase_if(program->shown, [](const Shown& shown) { return shown.diagnostic.error || shown.ran; });
    const size_t checked = program->shown.size();
    Diagnostics found(program->program.source);
    if (func == nullptr || func->body == nullptr) {
      if (entry == nullptr) {
        return ctx->error.Set(Rule::kUnknownEntry, kCall, "entry", "the program has no single entry");
      }
      pto::Nearest nearest(entry);
      for (const auto& [name, known] : program->funcs) nearest.Offer(name);
      return ctx->error.Set(Rule::kUnknownEntry, kCall, "entry", "no function is called %.64s%.80s", entry,
                            nearest.Question().c_str());
    }
    pto::ptoas::VerifyEntry(*func, &found);
    if (found.errors() != 0) {
      ShowMore(program, found);
      return Refuse(ctx, *program, kCall);
    }
    program->mark = {};
    std::optional<pto::ptoas::Ranks> ranks;
    if (program->world != nullptr) ranks = RanksOf(*ctx, *program);
    // The cores have contexts of their own.
    const Lent lent(ranks && ranks->alone >= 0 ? ctx : nullptr);
    const bool good =
        program->launch.Run(ctx, *func, program->bound.bindings, program->options, &found, ranks ? &*ranks : nullptr);
    program->launch.IndexTiles();
    ShowMore(program, found);
    for (size_t i = checked; i < program->shown.size(); ++i) program->shown[i].ran = true;
    if (good) return FirstError(ctx, *program, kCall);
    FirstError(ctx, *program, kCall, program->launch.argument_at_fault().c_str());
    ctx->error.status = static_cast<Status>(program->launch.status());
    return ctx->error.status;
  });
  program->ended = status != Status::kMemory;
  return Abi(status);
}

int64_t pto_program_steps(const pto_program* program) { return program == nullptr ? 0 : program->launch.steps(); }

const char* pto_program_output(const pto_program* program) {
  return program == nullptr ? "" : program->launch.output().c_str();
}

int64_t pto_program_steps_so_far(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.steps_so_far();
}

int32_t pto_program_blocks_so_far(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.blocks_so_far();
}

pto_tile* pto_program_tile(pto_context* ctx, pto_program* program, const char* name) {
  static constexpr char kCall[] = "pto_program_tile";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  if (name == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "name", "name is NULL");
    return nullptr;
  }
  pto_tile* tile = nullptr;
  Guard(ctx, kCall, [&] {
    tile = program->launch.TileOf(name);
    if (tile == nullptr) return ctx->error.Set(Rule::kArgumentName, kCall, "name", "no tile is called %%%.64s", name);
    return Status::kOk;
  });
  return pto_tile_retain(tile);
}

int32_t pto_program_tile_count(const pto_program* program) {
  return program == nullptr ? 0 : static_cast<int32_t>(program->launch.tile_names().size());
}

const char* pto_program_tile_name(const pto_program* program, int32_t index) {
  if (index < 0 || index >= pto_program_tile_count(program)) return nullptr;
  return program->launch.tile_names()[static_cast<size_t>(index)].c_str();
}

}  // extern "C"

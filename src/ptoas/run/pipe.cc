#include "src/ptoas/run/pipe.h"

#include <cstring>
#include <iterator>

namespace pto::ptoas {

namespace {

// In the order of pto_pipe.
constexpr const char* kNames[] = {"V", "M", "MTE1", "MTE2", "MTE3", "FIX", "S"};
static_assert(std::size(kNames) == kPipes);

// Moves between memories, also those that bring or take a part.
bool Moves(const OpInfo& op) { return op.walk == Walk::kMove; }

struct Kind {
  const char* name;
  pto_pipe pipe;
};
// The kinds of instructions that events go from and to.
constexpr Kind kKinds[] = {
    {"TLOAD", PTO_PIPE_MTE2},    {"TSTORE_ACC", PTO_PIPE_FIX},   {"TSTORE_VEC", PTO_PIPE_MTE3},
    {"TMOV_M2L", PTO_PIPE_MTE1}, {"TMOV_M2S", PTO_PIPE_FIX},     {"TMOV_M2B", PTO_PIPE_MTE1},
    {"TMOV_M2V", PTO_PIPE_V},    {"TMOV_V2M", PTO_PIPE_V},       {"TMATMUL", PTO_PIPE_M},
    {"TVEC", PTO_PIPE_V},        {"TVECWAIT_EVENT", PTO_PIPE_V},
};

}  // namespace

const char* NameOf(pto_pipe pipe) { return kNames[static_cast<int>(pipe)]; }

pto_pipe PipeOf(const OpInfo& op, pto_location source, pto_location destination) {
  switch (op.walk) {
    case Walk::kLoad:
      return PTO_PIPE_MTE2;
    case Walk::kStore:
      return source == PTO_LOCATION_ACC ? PTO_PIPE_FIX : PTO_PIPE_MTE3;
    case Walk::kTableGather:
      return destination == PTO_LOCATION_MAT ? PTO_PIPE_MTE2 : PTO_PIPE_V;
    case Walk::kImage:
      return PTO_PIPE_MTE1;
    case Walk::kMatMul:
      return PTO_PIPE_M;
    case Walk::kFill:
      return std::strcmp(op.name, "tci") == 0 ? PTO_PIPE_S : PTO_PIPE_V;
    default:
      break;
  }
  if (!Moves(op)) return PTO_PIPE_V;
  if (source == PTO_LOCATION_ACC || destination == PTO_LOCATION_SCALING) return PTO_PIPE_FIX;
  if (source != PTO_LOCATION_MAT) return PTO_PIPE_V;
  // Padding in place is a load's work.
  if (destination == PTO_LOCATION_MAT) return op.Has(Rule::kPadShape) ? PTO_PIPE_MTE2 : PTO_PIPE_MTE1;
  return destination == PTO_LOCATION_VEC ? PTO_PIPE_V : PTO_PIPE_MTE1;
}

int FindPipe(std::string_view name) {
  if (name.starts_with("PIPE_")) {
    name.remove_prefix(5);
    if (name == "ALL") return kAllPipes;
    for (int i = 0; i < kPipes; ++i) {
      if (name == kNames[i]) return i;
    }
    return kNoPipe;
  }
  for (const Kind& kind : kKinds) {
    if (name == kind.name) return kind.pipe;
  }
  return kNoPipe;
}

}  // namespace pto::ptoas

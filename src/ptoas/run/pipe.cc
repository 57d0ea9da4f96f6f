#include "src/ptoas/run/pipe.h"

#include <iterator>

namespace pto::ptoas {

namespace {

// In the order of pto_pipe.
constexpr const char* kNames[] = {"V", "M", "MTE1", "MTE2", "MTE3", "FIX", "S"};
static_assert(std::size(kNames) == kPipes);

// The pipe of an instruction by its walk and its memories: the first row that fits. What no row fits runs on V.
constexpr int kAnywhere = -1;
struct Row {
  Walk walk;
  int source = kAnywhere;       // a pto_location
  int destination = kAnywhere;  // a pto_location
  pto_pipe pipe;
  bool pads = false;  // only instructions that pad their destination
};
constexpr Row kMoves[] = {
    {.walk = Walk::kLoad, .pipe = PTO_PIPE_MTE2},
    {.walk = Walk::kStore, .source = PTO_LOCATION_ACC, .pipe = PTO_PIPE_FIX},
    {.walk = Walk::kStore, .pipe = PTO_PIPE_MTE3},
    {.walk = Walk::kTableGather, .destination = PTO_LOCATION_MAT, .pipe = PTO_PIPE_MTE2},
    {.walk = Walk::kImage, .pipe = PTO_PIPE_MTE1},
    {.walk = Walk::kMatMul, .pipe = PTO_PIPE_M},
    {.walk = Walk::kMove, .source = PTO_LOCATION_ACC, .pipe = PTO_PIPE_FIX},
    {.walk = Walk::kMove, .destination = PTO_LOCATION_SCALING, .pipe = PTO_PIPE_FIX},
    {.walk = Walk::kMove,
     .source = PTO_LOCATION_MAT,
     .destination = PTO_LOCATION_MAT,
     .pipe = PTO_PIPE_MTE2,
     .pads = true},
    {.walk = Walk::kMove, .source = PTO_LOCATION_MAT, .destination = PTO_LOCATION_VEC, .pipe = PTO_PIPE_V},
    {.walk = Walk::kMove, .source = PTO_LOCATION_MAT, .pipe = PTO_PIPE_MTE1},
    // A5 alone has this way, and its pipe of stores takes it.
    {.walk = Walk::kMove, .source = PTO_LOCATION_VEC, .destination = PTO_LOCATION_MAT, .pipe = PTO_PIPE_MTE3},
};

struct Kind {
  const char* name;
  pto_pipe pipe;
};
// The kinds of instructions that events go from and to.
constexpr Kind kKinds[] = {
    {"TLOAD", PTO_PIPE_MTE2},    {"TSTORE_ACC", PTO_PIPE_FIX},   {"TSTORE_VEC", PTO_PIPE_MTE3},
    {"TMOV_M2L", PTO_PIPE_MTE1}, {"TMOV_M2S", PTO_PIPE_FIX},     {"TMOV_M2B", PTO_PIPE_MTE1},
    {"TMOV_M2V", PTO_PIPE_V},    {"TMOV_V2M", PTO_PIPE_MTE3},    {"TMATMUL", PTO_PIPE_M},
    {"TVEC", PTO_PIPE_V},        {"TVECWAIT_EVENT", PTO_PIPE_V},
};

constexpr unsigned kNone = 0;
constexpr unsigned kV = 1U << PTO_PIPE_V;
constexpr unsigned kM = 1U << PTO_PIPE_M;
constexpr ByProfile<unsigned> kOverlapping = {.cpu = kNone, .a2a3 = kV | kM, .a5 = kNone};
constexpr ByProfile<unsigned> kWithoutBarrier = {.cpu = kNone, .a2a3 = kNone, .a5 = kV};

}  // namespace

const char* NameOf(pto_pipe pipe) { return kNames[static_cast<int>(pipe)]; }

pto_pipe PipeOf(const OpInfo& op, Profile profile, pto_location source, pto_location destination, bool tmp) {
  if ((op.scalar_unit & Bit(profile)) != 0) {
    return tmp && (op.scalar_unit_alone & Bit(profile)) != 0 ? PTO_PIPE_V : PTO_PIPE_S;
  }
  const auto fits = [](int wanted, pto_location has) { return wanted == kAnywhere || wanted == has; };
  for (const Row& row : kMoves) {
    if (row.walk == op.walk && fits(row.source, source) && fits(row.destination, destination) &&
        (!row.pads || op.Has(Rule::kPadShape))) {
      return row.pipe;
    }
  }
  return PTO_PIPE_V;
}

unsigned OverlappingPipes(Profile profile) { return kOverlapping[static_cast<int>(profile)]; }
unsigned PipesWithoutBarrier(Profile profile) { return kWithoutBarrier[static_cast<int>(profile)]; }

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

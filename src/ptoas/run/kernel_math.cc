#include "src/ptoas/run/kernel_math.h"

#include <cstring>
#include <iterator>
#include <new>

#include "src/ptoas/run/scalar.h"

namespace pto::ptoas {

namespace {

// In the order of ArithOp from kFirstKernel on.
constexpr struct {
  const char* instruction;
  int sources;
} kKernels[] = {{"texp", 1}, {"tpow", 2}, {"tlog", 1}, {"trsqrt", 1}, {"tpow", 2}};
static_assert(std::size(kKernels) == static_cast<size_t>(kLastArith) - static_cast<size_t>(kFirstKernel) + 1);

constexpr Elem kElems[] = {Elem::kF16, Elem::kBF16, Elem::kF32};

}  // namespace

KernelMath::~KernelMath() {
  for (auto& types : units_) {
    for (Unit& unit : types) {
      pto_inst_release(unit.inst);
      for (pto_tile* tile : unit.tiles) pto_tile_release(tile);
    }
  }
  pto_context_release(ctx_);
}

void KernelMath::Make(ArithOp op, pto_dtype dtype, Unit* unit) {
  const auto& kernel = kKernels[static_cast<int>(op) - static_cast<int>(kFirstKernel)];
  // A separate context, so the profile of the run does not matter: these are not instructions of the device.
  if (ctx_ == nullptr) ctx_ = pto_context_create(PTO_PROFILE_CPU);
  if (ctx_ == nullptr) throw std::bad_alloc();
  Unit made;
  bool good = (made.inst = pto_inst_create(ctx_, kernel.instruction)) != nullptr;
  for (int i = 0; good && i <= kernel.sources; ++i) {
    made.tiles[i] = pto_tile_create(ctx_, dtype, 1, 1);
    good = made.tiles[i] != nullptr && pto_inst_set_tile(ctx_, made.inst, i, made.tiles[i]) == PTO_OK;
  }
  if (good && op != ArithOp::kRSqrt) {
    const int32_t flags = pto_op_operand_count(pto_inst_op(made.inst)) - 1;
    good = pto_inst_set_int(ctx_, made.inst, flags, PTO_HIGH_PRECISION) == PTO_OK;
  }
  *unit = made;
  if (good) return;
  // Nothing but memory can be missing: the program cannot choose anything of this.
  pto_inst_release(unit->inst);
  for (pto_tile* tile : unit->tiles) pto_tile_release(tile);
  *unit = Unit();
  throw std::bad_alloc();
}

bool KernelMath::Compute(ArithOp op, Elem elem, double a, double b, double* out) {
  int type = 0;
  while (type < kTypes && kElems[type] != elem) ++type;
  pto_dtype dtype = PTO_DTYPE_F32;
  if (type == kTypes || !DTypeOf(elem, &dtype)) return false;
  Unit& unit = units_[static_cast<int>(op) - static_cast<int>(kFirstKernel)][type];
  if (unit.inst == nullptr) Make(op, dtype, &unit);
  const auto bytes = static_cast<size_t>(BytesOf(elem));
  const double sources[] = {op == ArithOp::kExp2 ? 2.0 : a, op == ArithOp::kExp2 ? a : b};
  for (int i = 0; i < 2 && unit.tiles[i + 1] != nullptr; ++i) {
    const uint64_t bits = BitsFromFloat(elem, sources[i]);
    std::memcpy(pto_tile_data(unit.tiles[i + 1]), &bits, bytes);
  }
  if (pto_inst_run(ctx_, unit.inst) != PTO_OK) throw std::bad_alloc();
  uint64_t bits = 0;
  std::memcpy(&bits, pto_tile_data(unit.tiles[0]), bytes);
  *out = RoundFloat(elem, FloatFromBits(elem, bits));
  return true;
}

}  // namespace pto::ptoas

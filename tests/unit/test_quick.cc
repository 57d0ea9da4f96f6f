// The quick test of Execute() against the whole check: whenever it accepts a call,
// Check() finds nothing wrong with it, and the call's grid is legal for a kernel.
// And it does accept the calls that it is there for.
#include <cstdint>
#include <random>
#include <vector>

#include "src/engine/execute.h"
#include "src/engine/fixpipe.h"
#include "src/engine/packed.h"
#include "src/records/table.h"

extern "C" {
#include "layouts.h"
#include "profiles.h"
#include "testing.h"
#include "values.h"
}

namespace {

alignas(64) uint8_t g_memory[1 << 16];

// The calls are many and draw much: SplitMix, whose state is one word.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t operator()() { return values_random(&state_); }

 private:
  uint64_t state_;
};

// Tiles that differ in all that the check looks at, in memory that overlaps often.
std::vector<pto_tile*> MakeTiles(pto_context* ctx) {
  std::vector<pto_tile*> tiles;
  static constexpr int32_t kShapes[][2] = {{16, 16}, {16, 24}, {17, 32}, {8, 16}, {16, 1}, {3, 5}};
  static constexpr pto_location kLocations[] = {PTO_LOCATION_VEC, PTO_LOCATION_MAT, PTO_LOCATION_SCALE_LEFT};
  std::mt19937 random(1);
  for (const test_layout& layout : k_layouts) {
    for (const auto& shape : kShapes) {
      for (const pto_location location : kLocations) {
        // Most tiles are what the quick path is for.
        const bool plain = &layout == k_layouts && location == PTO_LOCATION_VEC;
        for (int copy = 0; copy < (plain ? 60 : 2); ++copy) {
          const auto dtype = static_cast<pto_dtype>(plain && copy % 2 == 0 ? 10 : random() % pto::kDTypeCount);
          const int unit = 8 / std::min(pto_dtype_bits(dtype), 8);  // of packed types whole bytes
          const auto whole = [unit](int32_t extent) { return (extent + unit - 1) / unit * unit; };
          pto_tile_desc desc = layout_desc(&layout, dtype, whole(shape[0]), whole(shape[1]));
          desc.location = location;
          desc.valid_rows = copy % 3 != 0 ? std::min(3, shape[0]) : static_cast<int32_t>(random() % 4);
          // Some have twice the columns of others.
          const int32_t cols = copy % 3 == 1 ? 5 : copy / 3 % 4 < 2 ? 4 : 8;
          desc.valid_cols = copy % 3 != 0 ? std::min(cols, shape[1]) : static_cast<int32_t>(random() % 2);
          desc = layout_asked(&desc);
          const size_t at = random() % 3 == 0 ? 0 : (random() % 48) * (random() % 2 == 0 ? 1024 : 32);
          tiles.push_back(pto_tile_wrap(ctx, &desc, g_memory + at, static_cast<int64_t>(sizeof g_memory - at)));
          assert_non_null(tiles.back());
        }
      }
    }
  }
  // Views: the line is longer than the tile is wide.
  const size_t count = tiles.size();
  for (size_t i = 0; i < count; i += 3) {
    if (pto_dtype_bits(pto_tile_dtype(tiles[i])) < 8) continue;
    pto_tile* view =
        pto_tile_view(ctx, tiles[i], 0, 0, std::min(3, pto_tile_rows(tiles[i])), std::min(5, pto_tile_cols(tiles[i])));
    if (view != nullptr) tiles.push_back(view);
  }
  return tiles;
}

// What kernels.h asks for: a source is dst element by element, or no byte of it.
void LegalForKernel(const pto_tile& dst, const pto_tile& src, bool scalars) {
  const uint8_t* end = src.data + src.bytes;
  const bool apart = end <= dst.data || dst.data + dst.bytes <= src.data;
  const bool exact = !scalars && src.data == dst.data && src.line == dst.line;
  if (!apart && !exact) fail_msg("the quick path streams over operands that overlap in part");
}

// The type of an operand beside a lead operand of type `lead`, one of those that it may have.
int TypeBeside(const pto::OpInfo& op, int operand, int lead, Random& random) {
  const pto::DTypeSet set = op.operands[operand].Typed() ? op.operands[operand].types->of[0][lead] : 0;
  if (set == 0) return lead;
  // Bits move the quick way between tiles of one type.
  if ((set >> lead & 1U) != 0 && random() % 2 == 0) return lead;
  for (;;) {
    const auto d = static_cast<int>(random() % pto::kDTypeCount);
    if ((set >> d & 1U) != 0) return d;
  }
}

// Operand k has the region that fits the first one's, and memory of its own if elements leave their places:
// few calls would be accepted if most did not.
bool Suits(const pto::OpInfo& op, pto_tile* const* operands, int k) {
  const int32_t times = op.operands[k].extent == pto::Extent::kDouble ? 2 : 1;
  bool apart = true;
  for (int i = 0; i < k && op.Shuffles(); ++i) apart &= pto::Apart(*operands[i], *operands[k]);
  return apart && operands[k]->ValidRows() == operands[0]->ValidRows() &&
         operands[k]->ValidCols() == times * operands[0]->ValidCols();
}

// A move that takes the quick way: all rules hold, and no byte is on both sides.
void MovesLegally(pto_context* ctx, const pto::OpInfo& op, const pto::Args& args) {
  if (Check(ctx, op, args) != pto::Status::kOk) {
    fail_msg("the quick path accepts what the check refuses: %s", pto_context_error_message(ctx));
  }
  const pto_tile& dst = *args.tiles[0];
  const pto_tile& src = *args.tiles[1];
  assert_true(dst.data + dst.bytes <= src.data || src.data + src.bytes <= dst.data);
  assert_true(dst.dtype() == src.dtype() && !pto::IsPacked(dst.dtype()));
}

void AcceptedCallsAreLegal(void**) {
  pto_context* ctx[k_profiles];
  for (int p = 0; p < k_profiles; ++p) ctx[p] = pto_context_create(static_cast<pto_profile>(p));
  std::vector<pto_tile*> tiles = MakeTiles(ctx[0]);
  // What most calls are made of: row-major vector tiles of one type.
  std::vector<pto_tile*> usual[pto::kDTypeCount];
  for (pto_tile* tile : tiles) {
    if (tile->RowMajorVector()) usual[static_cast<int>(tile->dtype())].push_back(tile);
  }
  Random random(2);
  int64_t accepted[pto::kOpCount][k_profiles] = {};
  for (int i = 0; i < pto::kOpCount; ++i) {
    const pto::OpInfo& op = *pto::kOps[i];
    if (op.Transfers()) continue;
    int64_t moved = 0;
    // Fewer rounds are enough if many calls were accepted: ./dev test thorough tries the others, too.
    const auto enough = [&] {
      constexpr int64_t kEnough = 300;
      bool all = sparse() > 1 && (!op.MovesWhole() || moved >= kEnough);
      for (int p = 0; p < k_profiles; ++p) all &= op.quick[static_cast<size_t>(p)] == 0 || accepted[i][p] >= kEnough;
      return all;
    };
    for (int round = 0; round < 450000 / sparse() && (round < 50000 || round % 1024 != 0 || !enough()); ++round) {
      pto_tile* operands[pto::kMaxTiles] = {};
      auto lead = static_cast<int>(random() % pto::kDTypeCount);
      for (int draw = 0; draw < 2 && (op.dtypes[0] >> lead & 1U) == 0; ++draw) {
        lead = static_cast<int>(random() % pto::kDTypeCount);
      }
      for (int k = 0; k < op.Tiles(); ++k) {
        const auto& from = round % 2 == 0 ? usual[TypeBeside(op, k, lead, random)] : tiles;
        for (int attempt = 0; attempt < 1 + round % 8 * 4; ++attempt) {
          operands[k] = from[random() % from.size()];
          if (Suits(op, operands, k)) break;
        }
      }
      if (random() % 4 == 0) operands[1] = operands[0];
      if (op.TmpIndex() >= 0 && random() % 2 == 0) operands[op.TmpIndex()] = nullptr;
      const uint32_t flags = random() % 4 == 0 ? random() % 4 : 0;
      const pto::Scalar scalar{random() % 300, static_cast<int32_t>(random() % 4)};
      int32_t numbers[pto::kMaxNumbers];
      for (int32_t& number : numbers) number = static_cast<int32_t>(random() % 10) - 1;
      for (int p = 0; p < k_profiles; ++p) {
        const pto_tile& dst = *operands[0];
        const pto::Args args{.tiles = operands, .flags = flags, .scalar = &scalar, .numbers = numbers};
        pto::Grid grid{};
        uint64_t bits = 0;
        if (op.MovesWhole() && QuickMove(*ctx[p], op, args)) {
          ++moved;
          MovesLegally(ctx[p], op, args);
        }
        if (op.quick[0] == 0) continue;
        if (op.ByRows() ? !QuickRows(*ctx[p], op, args) : !QuickCheck(*ctx[p], op, args, &grid, &bits)) continue;
        ++accepted[i][p];
        if (Check(ctx[p], op, args) != pto::Status::kOk) {
          fail_msg("the quick path accepts what the check refuses: %s", pto_context_error_message(ctx[p]));
        }
        for (int k = op.Outputs(); k < op.Needed(); ++k) {
          const pto::Extent extent = op.operands[k].extent;
          for (int out = 0; out < op.Outputs(); ++out) {
            const bool moves = op.ByRows() && (op.Shuffles() || op.operands[out].extent != extent);
            LegalForKernel(*operands[out], *operands[k], extent == pto::Extent::kRow || moves);
          }
        }
        if (op.ByRows()) continue;
        assert_true(bool{ctx[p]->kernels->at[static_cast<int>(op.lane)][static_cast<int>(dst.dtype())]});
      }
    }
    for (int p = 0; p < k_profiles; ++p) {
      if (op.quick[static_cast<size_t>(p)] != 0 && accepted[i][p] < 100 / sparse())
        fail_msg("%s: only %d calls were accepted", op.name, (int)accepted[i][p]);
    }
    if (op.MovesWhole() && moved < 50 / sparse()) fail_msg("%s: only %d moves were accepted", op.name, (int)moved);
  }
  for (pto_tile* tile : tiles) pto_tile_release(tile);
  for (pto_context* c : ctx) pto_context_release(c);
  assert_int_equal(pto_live_handles(), 0);
}

// Tensors of all types, in rows and in columns, with gaps and without, that are larger than a tile or smaller; elements
// of some share places.
std::vector<pto_tensor*> MakeTensors(pto_context* ctx) {
  std::vector<pto_tensor*> tensors;
  Random random(3);
  for (int i = 0; i < 400; ++i) {
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = static_cast<pto_dtype>(i % 2 == 0 ? 10 : random() % pto::kDTypeCount);
    desc.layout = random() % 3 == 0 ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
    desc.rank = 2;
    desc.dim0 = static_cast<int64_t>(1 + random() % 20);
    desc.dim1 = 2 * static_cast<int64_t>(1 + random() % 10);
    if (i % 8 == 2) {
      desc.strided = 1;
      desc.stride0 = static_cast<int64_t>(random() % 12);
      desc.stride1 = static_cast<int64_t>(random() % 12);
    }
    const size_t at = (random() % 48) * (random() % 2 == 0 ? 1024 : 32);
    pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, g_memory + at, static_cast<int64_t>(sizeof g_memory - at));
    if (tensor != nullptr) tensors.push_back(tensor);  // halves of bytes end no column
  }
  assert_true(tensors.size() > 350);
  return tensors;
}

void TransfersAreLegal(void**) {
  pto_context* ctx[k_profiles];
  for (int p = 0; p < k_profiles; ++p) ctx[p] = pto_context_create(static_cast<pto_profile>(p));
  std::vector<pto_tile*> tiles = MakeTiles(ctx[0]);
  for (int i = 0; i < 50; ++i) {
    // Some have no address.
    pto_tile_desc desc = layout_desc(k_layouts, PTO_DTYPE_F32, 16, 16);
    desc.storage = PTO_STORAGE_MANUAL;
    tiles.push_back(pto_tile_create_from(ctx[0], &desc));
    assert_non_null(tiles.back());
  }
  const std::vector<pto_tensor*> tensors = MakeTensors(ctx[0]);
  Random random(4);
  assert_true(pto::kTLoad.MovesTensor() && pto::kTStore.MovesTensor() && !pto::kTStoreAtomic.MovesTensor());
  for (const pto::OpInfo* op : pto::kOps) {
    if (!op->Transfers()) continue;
    int accepted = 0;
    for (int round = 0; round < 100000 / sparse(); ++round) {
      pto_tile* operands[pto::kMaxTiles] = {};
      operands[1 - op->TensorIndex()] = tiles[random() % tiles.size()];
      int32_t numbers[pto::kMaxNumbers] = {};
      const pto::Scalar scalar{};
      const pto::Args args{.tiles = operands,
                           .flags = static_cast<uint32_t>(random() % 8 == 0),
                           .tensor = random() % 16 == 0 ? nullptr : tensors[random() % tensors.size()],
                           .scalar = &scalar,
                           .numbers = numbers};
      for (pto_context* c : ctx) {
        if (!QuickTransfer(*c, *op, args)) continue;
        ++accepted;
        if (Check(c, *op, args) != pto::Status::kOk || AnyPacked(*op, args) || pto::Fixpipe::Converts(*op, args) ||
            pto::Overlap(*operands[1 - op->TensorIndex()], *args.tensor)) {
          fail_msg("%s: the quick path accepts %s", op->name, pto_context_error_message(c));
        }
      }
    }
    if (op->MovesTensor() ? accepted < 1000 / sparse() : accepted != 0)
      fail_msg("%s: %d calls were accepted", op->name, accepted);
  }
  for (pto_tile* tile : tiles) pto_tile_release(tile);
  for (pto_tensor* tensor : tensors) pto_tensor_release(tensor);
  for (pto_context* c : ctx) pto_context_release(c);
  assert_int_equal(pto_live_handles(), 0);
}

// What ScalarBits() returns at once is what it returns for any scalar.
void UsualScalarsAreScalars(void**) {
  Random random(3);
  for (int i = 0; i < 2000000 / sparse(); ++i) {
    // Numbers with few bits, of any exponent, are those that a type may have.
    uint64_t bits = random() & ~uint64_t{0} << random() % 64;
    if (random() % 2 == 0) bits = static_cast<uint64_t>(static_cast<int64_t>(bits) >> random() % 64);
    const pto::Scalar scalar{bits, static_cast<int32_t>(random() % 5), random() % 16 == 0 ? 1 : 0};
    for (int t = 0; t < pto::kDTypeCount; ++t) {
      const auto dtype = static_cast<pto::DType>(t);
      if ((pto::Bit(dtype) & pto::dtypes::kComputed) == 0) continue;
      uint64_t quick = 0;
      uint64_t any = 0;
      const bool has = pto::AnyScalarBits(scalar, dtype, &any);
      assert_int_equal(pto::ScalarBits(scalar, dtype, &quick), has);
      if (has) assert_int_equal(quick, any);
    }
  }
}

// Every lane of every record has a kernel for each of its types on each target.
void EveryRecordHasItsKernels(void**) {
  for (int t = 0; t < pto::TargetCount(); ++t) {
    for (const pto::OpInfo* op : pto::kOps) {
      for (int d = 0; d < pto::kDTypeCount; ++d) {
        if (op->Transfers() || (op->dtypes[0] & Bit(static_cast<pto::DType>(d))) == 0) continue;
        if (!pto::TargetSupported(t)) continue;
        for (const pto::Lane lane : {op->lane, op->high_lane}) {
          if (!pto::PickKernel(t, lane, static_cast<pto::DType>(d))) {
            fail_msg("%s has no kernel for %s on %s", op->name, pto::kDTypes[d].name, pto::TargetName(t));
          }
        }
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(UsualScalarsAreScalars), cmocka_unit_test(AcceptedCallsAreLegal),
                              cmocka_unit_test(TransfersAreLegal), cmocka_unit_test(EveryRecordHasItsKernels)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}

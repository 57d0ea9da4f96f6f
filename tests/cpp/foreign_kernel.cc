// A kernel as a foreign runtime loads it: compiled twice, for the cube core and for the vector cores, into two
// libraries that know nothing of each other. test_foreign.cc is such a runtime.
#include <pto/pto-inst.hpp>

using namespace pto;

namespace detail {  // a name that kernels have, too
constexpr int kTiles = 5;
}  // namespace detail

namespace {

constexpr int kRows = 16;
constexpr int kCols = 16;
using Down = TPipe<0, DIR_C2V, kRows * kCols * 4, 2>;
using Up = TPipe<2, DIR_V2C, kRows * kCols * 4, 2>;
using Matrix = GlobalTensor<float, pto::Shape<1, 1, 1, kRows, kCols>, pto::Stride<1, 1, 1, kCols, 1>>;

enum Work : int64_t { kPlain = 0, kBreakRule = 1, kThrow = 2 };

}  // namespace

// args: results of the block's cube core, work, place for the number of the vector core.
extern "C" [[gnu::visibility("default")]] void kernel_entry(int64_t* args) {
  auto* const out = reinterpret_cast<float*>(args[0]);
  const int64_t work = args[1];
  Down down(nullptr, 0U, 0U);
  Up up(nullptr, 0U, 0U);
#if defined(__DAV_CUBE__)
  using Acc = TileAcc<float, kRows, kCols>;
  using Mat = Tile<TileType::Mat, float, kRows, kCols, BLayout::ColMajor, kRows, kCols, SLayout::RowMajor>;
  Acc acc;
  Mat back;
  for (int i = 0; i < detail::kTiles; ++i) {
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kCols; ++c) acc.SetElement(r, c, static_cast<float>(1000 * i + kCols * r + c));
    }
    TPUSH<Down, Acc, TILE_UP_DOWN>(down, acc);
    TPOP<Up, Mat, TILE_UP_DOWN>(up, back);
    Matrix to(out + i * kRows * kCols);
    TSTORE(to, back);
    TFREE<Up, TILE_UP_DOWN>(up);
  }
  (void)work;
#else
  using Half = Tile<TileType::Vec, float, kRows / 2, kCols>;
  using Any = Tile<TileType::Vec, float, kRows / 2, kCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  out[get_subblockid()] = static_cast<float>(get_subblockid());
  for (int i = 0; i < detail::kTiles; ++i) {
    Half half;
    TPOP<Down, Half, TILE_UP_DOWN>(down, half);
    TFREE<Down, TILE_UP_DOWN>(down);
    if (i == 2 && get_subblockid() == 1 && work == kBreakRule) {
      Any a(2, 3);
      Any b(1, 3);
      TADD(a, a, b);  // src1 is not valid where dst is
      return;
    }
    TADDS(half, half, 0.5F);
    TPUSH<Up, Half, TILE_UP_DOWN>(up, half);
  }
#endif
}

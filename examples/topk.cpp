// The 8 largest of each column of a table in C++ tiles, and their places: what a search or a router does with
// scores, with one item per row and one query per column.
//
// A strip of 32 queries is loaded as it lies (ND), turned into the fractals of the matrix unit (Nz) and from there
// upright, one query per row; its ragged end is filled with -inf; each row is sorted, 32 at a time, then four runs to
// one; the halves of the first pairs of score and place are gathered. docs/layouts.svg shows the layouts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <pto/pto-inst.hpp>
#include <vector>

using namespace pto;

namespace {

constexpr int kMost = 128;    // items
constexpr int kQueries = 32;  // of a strip
constexpr int kTop = 8;

// m is a multiple of kQueries. Strips are dealt out to the blocks.
AICORE void TopK(__gm__ float* scores, __gm__ int32_t* places, __gm__ const float* x, int n, int m) {
  using Strip = Shape<1, 1, 1, DYNAMIC, kQueries>;
  using Rows = Stride<1, 1, 1, DYNAMIC, 1>;
  using Results = Shape<1, 1, 1, kQueries, kTop>;
  using Dense = Stride<1, 1, 1, kTop, 1>;
  Tile<TileType::Vec, float, kMost, kQueries, BLayout::RowMajor, DYNAMIC, kQueries> strip(n);
  Tile<TileType::Vec, float, kMost, kQueries, BLayout::ColMajor, DYNAMIC, kQueries, SLayout::RowMajor> nz(n);
  Tile<TileType::Vec, float, kQueries, kMost, BLayout::RowMajor, kQueries, DYNAMIC> upright(n);
  Tile<TileType::Vec, float, kQueries, kMost, BLayout::RowMajor, kQueries, kMost, SLayout::NoneBox, 512, PadValue::Min>
      padded;
  Tile<TileType::Vec, uint32_t, 1, kMost> numbers;
  Tile<TileType::Vec, float, kQueries, 2 * kMost> runs, sorted;
  Tile<TileType::Vec, float, kQueries, 2 * kTop> top;
  Tile<TileType::Vec, float, kQueries, kTop> best;
  Tile<TileType::Vec, int32_t, kQueries, kTop> where;
  TCI(numbers, 0, false);

  const int stride = static_cast<int>(get_block_num()) * kQueries;
  for (int q = static_cast<int>(get_block_idx()) * kQueries; q < m; q += stride) {
    GlobalTensor<const float, Strip, Rows> in(x + q, Strip(n), Rows(m));
    TLOAD(strip, in);
    TMOV(nz, strip);
    TTRANS(upright, nz, upright);
    TFILLPAD(padded, upright);
    TSORT32(runs, padded, numbers);
    TMRGSORT(sorted, runs, 2 * kQueries);
    TEXTRACT(top, sorted, 0, 0);
    TGATHER<decltype(best), decltype(top), MaskPattern::P0101>(best, top);
    TGATHER<decltype(where), decltype(top), MaskPattern::P1010>(where, top);
    GlobalTensor<float, Results, Dense> best_out(scores + q * kTop);
    GlobalTensor<int32_t, Results, Dense> where_out(places + q * kTop);
    TSTORE(best_out, best);
    TSTORE(where_out, where);
  }
}

}  // namespace

int main() {
  constexpr int kItems = 100;
  constexpr int kColumns = 256;
  constexpr int kBlocks = 4;
  std::vector<float> x(kItems * kColumns), scores(kColumns * kTop);
  std::vector<int32_t> places(kColumns * kTop);
  for (size_t at = 0; at < x.size(); ++at) x[at] = static_cast<float>(at * 7919 % 601) / 8.0F;  // many are equal

  try {
    for (int block = 0; block < kBlocks; ++block) {  // one after another; on the NPU each has a core of its own
      SetBlock(block, kBlocks);
      TopK(scores.data(), places.data(), x.data(), kItems, kColumns);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  // The same by the standard library: largest first, of equal scores the first item.
  int wrong = 0;
  for (int query = 0; query < kColumns; ++query) {
    const auto score = [&](int item) { return x[static_cast<size_t>(item * kColumns + query)]; };
    std::vector<int> order(kItems);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return score(a) > score(b); });
    for (int k = 0; k < kTop; ++k) {
      const auto at = static_cast<size_t>(query * kTop + k);
      wrong += places[at] != order[static_cast<size_t>(k)] || scores[at] != score(order[static_cast<size_t>(k)]);
    }
  }
  std::printf("%d largest of %d scores for %d queries: the best of query 5 is item %d with %g; %d of %d are wrong\n",
              kTop, kItems, kColumns, places[5 * kTop], static_cast<double>(scores[5 * kTop]), wrong, kColumns * kTop);
  return wrong == 0 ? 0 : 1;
}

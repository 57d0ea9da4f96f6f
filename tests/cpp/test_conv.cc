// TTRANS of convolution tiles: every direction against indices that this file works out for itself, element at a time.
#include <pto/pto-inst.hpp>

#include <string>
#include <vector>

#include "../common/profiles.h"
#include "check.h"
#include "rule_of.h"

using namespace pto;

namespace {

constexpr int kMost = 16000;  // elements of a tile

// An element's place in the image.
struct At {
  int g, n, c, d, h, w;
};
// Of the image, and of blocks.
struct Sizes {
  int g, n, c, d, h, w, n0, c0;
  int Blocks(int of, int by) const { return (of + by - 1) / by; }
  int C1() const { return Blocks(c, c0); }
  int N1() const { return Blocks(n, n0); }
};

// Where it is, by the layout's name read from left to right.
int64_t Place(Layout layout, const Sizes& s, const At& e) {
  int64_t at = 0;
  const auto add = [&at](int size, int index) { at = at * size + index; };
  switch (layout) {
    case Layout::NCHW:
      add(s.n, e.n), add(s.c, e.c), add(s.h, e.h), add(s.w, e.w);
      break;
    case Layout::NHWC:
      add(s.n, e.n), add(s.h, e.h), add(s.w, e.w), add(s.c, e.c);
      break;
    case Layout::GNCHW:
      add(s.g, e.g), add(s.n, e.n), add(s.c, e.c), add(s.h, e.h), add(s.w, e.w);
      break;
    case Layout::NCDHW:
      add(s.n, e.n), add(s.c, e.c), add(s.d, e.d), add(s.h, e.h), add(s.w, e.w);
      break;
    case Layout::NC1HWC0:
    case Layout::GNC1HWC0:
      add(s.g, e.g), add(s.n, e.n), add(s.C1(), e.c / s.c0), add(s.h, e.h), add(s.w, e.w), add(s.c0, e.c % s.c0);
      break;
    default:  // (g) c1 (d) h w n1 n0 c0
      add(s.g, e.g), add(s.C1(), e.c / s.c0), add(s.d, e.d), add(s.h, e.h), add(s.w, e.w), add(s.N1(), e.n / s.n0);
      add(s.n0, e.n % s.n0), add(s.c0, e.c % s.c0);
  }
  return at;
}

template <Layout kLayout>
constexpr bool kBlocks = kLayout != Layout::NCHW&& kLayout != Layout::GNCHW&& kLayout != Layout::NCDHW;

template <typename Image>
void Shape(Image& image, const Sizes& s) {
  constexpr Layout kLayout = Image::layout;
  if constexpr (kLayout == Layout::NCHW) image.SetDynamicShape(s.n, s.c, s.h, s.w);
  if constexpr (kLayout == Layout::GNCHW) image.SetDynamicShape(s.g, s.n, s.c, s.h, s.w);
  if constexpr (kLayout == Layout::NCDHW) image.SetDynamicShape(s.n, s.c, s.d, s.h, s.w);
  if constexpr (kLayout == Layout::NC1HWC0) image.SetDynamicShape(s.n, s.C1(), s.h, s.w, s.c0);
  if constexpr (kLayout == Layout::GNC1HWC0) image.SetDynamicShape(s.g, s.n, s.C1(), s.h, s.w, s.c0);
  if constexpr (kLayout == Layout::FRACTAL_Z) image.SetDynamicShape(s.g * s.C1() * s.h * s.w, s.N1(), s.n0, s.c0);
  if constexpr (kLayout == Layout::FRACTAL_Z_3D) image.SetDynamicShape(s.C1() * s.d, s.h, s.w, s.N1(), s.n0, s.c0);
}

template <Layout kLayout>
constexpr int kDims = kLayout == Layout::NCHW || kLayout == Layout::FRACTAL_Z          ? 4
                      : kLayout == Layout::GNC1HWC0 || kLayout == Layout::FRACTAL_Z_3D ? 6
                                                                                       : 5;
template <int kCount>
struct Dynamic;
template <>
struct Dynamic<4> {
  using Shape = ConvTileShape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
};
template <>
struct Dynamic<5> {
  using Shape = ConvTileShape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
};
template <>
struct Dynamic<6> {
  using Shape = ConvTileShape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
};
template <typename E, Layout kLayout>
using Image = ConvTile<TileType::Vec, E, kMost, kLayout, typename Dynamic<kDims<kLayout>>::Shape>;

// Elements as numbers: of packed types they are codes, two a byte.
template <typename E>
constexpr bool kIsPacked = pto_detail::Elements<E>::kEach == 2;
template <typename Tile>
int Get(const Tile& tile, int i) {
  if constexpr (kIsPacked<typename Tile::DType>) {
    const auto at = pto_detail::Elements<typename Tile::DType>::At(tile.data(), i);
    return at.bits();
  } else {
    return static_cast<int>(tile.data()[i]);
  }
}
template <typename Tile>
void Set(Tile& tile, int i, int value) {
  using E = typename Tile::DType;
  if constexpr (kIsPacked<E>) {
    pto_detail::Elements<E>::At(tile.data(), i) =
        pto_detail::Elements<E>::Element::from_bits(static_cast<uint8_t>(value));
  } else {
    tile.data()[i] = static_cast<E>(value);
  }
}

// Each element of src moves to its place in dst; nothing else of dst changes.
template <typename E, Layout kTo, Layout kFrom>
void Turn(const Sizes& s) {
  constexpr int kCodes = kIsPacked<E> ? 13 : 251;
  constexpr int kOld = kIsPacked<E> ? 14 : 252;
  Image<E, kFrom> src;
  Image<E, kTo> dst;
  Tile<TileType::Vec, E, 1, 32> tmp;
  Shape(src, s);
  Shape(dst, s);
  for (int i = 0; i < kMost; ++i) {
    Set(src, i, i % kCodes);
    Set(dst, i, kOld);
  }
  std::vector<int> want(kMost, kOld);
  // If both have blocks, the useful channels are unknown: all are moved.
  const int channels = kBlocks<kFrom> && kBlocks<kTo> ? s.C1() * s.c0 : s.c;
  for (int g = 0; g < s.g; ++g)
    for (int n = 0; n < s.n; ++n)
      for (int c = 0; c < channels; ++c)
        for (int d = 0; d < s.d; ++d)
          for (int h = 0; h < s.h; ++h)
            for (int w = 0; w < s.w; ++w) {
              const At at{g, n, c, d, h, w};
              const int64_t to = Place(kTo, s, at);
              const int64_t from = Place(kFrom, s, at);
              CHECK(to < kMost && from < kMost);
              want[static_cast<size_t>(to)] = static_cast<int>(from % kCodes);
            }
  RecordEvent event;
  TTRANS(dst, src, tmp, event);
  for (int i = 0; i < kMost; ++i) CHECK(Get(dst, i) == want[static_cast<size_t>(i)]);
}

template <typename E>
void TurnAll() {
  static const Sizes k_sizes[] = {{1, 1, 1, 1, 1, 1, 16, 8},  {1, 2, 8, 1, 3, 4, 16, 8},    {1, 3, 19, 1, 2, 5, 16, 8},
                                  {1, 17, 7, 1, 1, 3, 16, 8}, {1, 32, 16, 1, 2, 2, 16, 16}, {1, 5, 9, 1, 4, 1, 4, 4}};
  for (const Sizes& s : k_sizes) {
    Turn<E, Layout::NC1HWC0, Layout::NCHW>(s);
    Turn<E, Layout::NCHW, Layout::NC1HWC0>(s);
    Turn<E, Layout::FRACTAL_Z, Layout::NC1HWC0>(s);
    Turn<E, Layout::FRACTAL_Z, Layout::NCHW>(s);
    Turn<E, Layout::NC1HWC0, Layout::FRACTAL_Z>(s);
    for (int groups = 1; groups <= 3; groups += 2) {
      Sizes more = s;
      more.g = groups;
      if (groups == 3 && s.n == 32) more.n = 18;
      Turn<E, Layout::GNC1HWC0, Layout::GNCHW>(more);
      Turn<E, Layout::GNCHW, Layout::GNC1HWC0>(more);
      Turn<E, Layout::FRACTAL_Z, Layout::GNC1HWC0>(more);
    }
    for (int depth = 1; depth <= 2; ++depth) {
      Sizes deep = s;
      deep.d = depth;
      Turn<E, Layout::FRACTAL_Z_3D, Layout::NCDHW>(deep);
    }
  }
}

// From a tensor with gaps between its rows, of an order that hardware turns on the way; what it does not fill is zero.
template <typename E, Layout kTo, Layout kFrom>
void Load(const Sizes& s) {
  static E memory[2 * kMost];
  for (int i = 0; i < 2 * kMost; ++i) memory[i] = static_cast<E>(i % 127 + 1);
  const int64_t dims[5] = {kFrom == Layout::NCDHW ? s.n : 1, kFrom == Layout::NCDHW ? s.c : s.n,
                           kFrom == Layout::NCDHW  ? s.d
                           : kFrom == Layout::NCHW ? s.c
                                                   : s.h,
                           kFrom == Layout::NHWC ? s.w : s.h, kFrom == Layout::NHWC ? s.c : s.w};
  const int64_t line = dims[4] + 1;
  const int64_t plane = line * dims[3], third = plane * dims[2], second = third * dims[1];
  using Strides = pto::Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, 1>;
  using Dims = pto::Shape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
  GlobalTensor<E, Dims, Strides, kFrom> src(memory, Dims(dims[0], dims[1], dims[2], dims[3], dims[4]),
                                            Strides(second, third, plane, line));
  Image<E, kTo> dst;
  Shape(dst, s);
  for (int i = 0; i < kMost; ++i) Set(dst, i, 127);
  std::vector<int> want(kMost, 0);
  for (int n = 0; n < s.n; ++n)
    for (int c = 0; c < s.c; ++c)
      for (int d = 0; d < s.d; ++d)
        for (int h = 0; h < s.h; ++h)
          for (int w = 0; w < s.w; ++w) {
            const int64_t at = kFrom == Layout::NHWC   ? n * third + h * plane + w * line + c
                               : kFrom == Layout::NCHW ? n * third + c * plane + h * line + w
                                                       : n * second + c * third + d * plane + h * line + w;
            want[static_cast<size_t>(Place(kTo, s, {0, n, c, d, h, w}))] = static_cast<int>(at % 127 + 1);
          }
  TLOAD(dst, src);
  for (int i = 0; i < kMost; ++i) CHECK(Get(dst, i) == want[static_cast<size_t>(i)]);
}

template <typename E>
void LoadAll() {
  static const Sizes k_sizes[] = {
      {1, 1, 1, 1, 1, 1, 16, 8}, {1, 3, 19, 1, 2, 5, 16, 8}, {1, 17, 7, 1, 1, 3, 16, 8}, {1, 5, 9, 1, 4, 1, 4, 4}};
  for (const Sizes& s : k_sizes) {
    Load<E, Layout::NC1HWC0, Layout::NCHW>(s);
    Load<E, Layout::NC1HWC0, Layout::NHWC>(s);
    Load<E, Layout::FRACTAL_Z, Layout::NCHW>(s);
    Sizes deep = s;
    deep.d = 2;
    Load<E, Layout::FRACTAL_Z_3D, Layout::NCDHW>(deep);
  }
}

void TestTurningLoads() {
  LoadAll<float>();
  LoadAll<int16_t>();
  LoadAll<uint8_t>();
  // If dst has no room, the call is refused, and nothing is written.
  using Dims = pto::Shape<1, 1, 9, 2, 2>;
  static float memory[36];
  GlobalTensor<float, Dims, pto::Stride<36, 36, 4, 2, 1>, Layout::NCHW> src(memory);
  Image<float, Layout::NC1HWC0> dst;
  dst.SetDynamicShape(1, 1, 2, 2, 8);
  dst.data()[0] = 5;
  CHECK(RuleOf([&] { TLOAD(dst, src); }) == "transposed-valid");
  CHECK(dst.data()[0] == 5);
}

// The right matrix of a product from a filter: any part that begins at a block, under every profile.
template <typename E, Layout kLayout>
void Extract(const Sizes& s, int row, int col) {
  constexpr int kK = 32;
  constexpr int kN = 32;
  Image<E, kLayout> src;
  Shape(src, s);
  for (int i = 0; i < kMost; ++i) Set(src, i, i % 113);
  const int k_all = s.C1() * s.c0 * s.d * s.h * s.w;
  const int n_all = s.N1() * s.n0;
  TileRight<E, kK, kN, DYNAMIC, DYNAMIC> dst(k_all - row < kK ? k_all - row : kK, n_all - col < kN ? n_all - col : kN);
  const int rows = static_cast<int>(dst.GetValidRow());
  const int cols = static_cast<int>(dst.GetValidCol());
  TEXTRACT(dst, src, static_cast<uint16_t>(row), static_cast<uint16_t>(col));
  for (int k = 0; k < rows; ++k) {
    const int at = row + k;
    for (int n = 0; n < cols; ++n) {
      // Blocks of c1 and pixels follow one another; of each all filters, of these c0 channels.
      const int place = (at / s.c0 * n_all + col + n) * s.c0 + at % s.c0;
      CHECK(static_cast<int>(dst.GetElement(k, n)) == place % 113);
    }
  }
  if (row == 0 && col == 0) {
    TileRight<E, kK, kN, DYNAMIC, DYNAMIC> moved(rows, cols);
    TMOV(moved, src);
    for (int k = 0; k < rows; ++k)
      for (int n = 0; n < cols; ++n) CHECK(moved.GetElement(k, n) == dst.GetElement(k, n));
  }
}

// Images of five dimensions: n, d, c1, h, w. The element type decides how many channels a block has.
void TestDeepImages() {
  constexpr int kN = 2, kC = 20, kD = 3, kH = 4, kW = 5, kBlocks = 2, kC0 = 16;
  constexpr int kAll = kN * kD * kBlocks * kH * kW * kC0;
  using Planes = GlobalTensor<half, pto::Shape<kN, kC, kD, kH, kW>,
                              Stride<kC * kD * kH * kW, kD * kH * kW, kH * kW, kW, 1>, Layout::NCDHW>;
  using Blocks = GlobalTensor<half, pto::Shape<kN, kD, kBlocks, kH, kW>,
                              Stride<kAll / kN, kAll / kN / kD, kH * kW * kC0, kW * kC0, kC0>, Layout::NDC1HWC0>;
  using Deep = ConvTile<TileType::Mat, half, kAll * 2, Layout::NDC1HWC0, ConvTileShape<kN, kD, kBlocks, kH, kW, kC0>>;
  std::vector<half> planes(kN * kC * kD * kH * kW);
  for (size_t i = 0; i < planes.size(); ++i) planes[i] = half(static_cast<float>(i % 2000));
  Planes from(planes.data());
  Deep turned;
  TLOAD(turned, from);
  std::vector<half> blocks(kAll, half(-1));
  Blocks to(blocks.data());
  TSTORE(to, turned);
  size_t at = 0;
  for (int n = 0; n < kN; ++n) {
    for (int d = 0; d < kD; ++d) {
      for (int c1 = 0; c1 < kBlocks; ++c1) {
        for (int pixel = 0; pixel < kH * kW; ++pixel) {
          for (int c0 = 0; c0 < kC0; ++c0, ++at) {
            const int c = c1 * kC0 + c0;
            const half want = c < kC ? planes[static_cast<size_t>(((n * kC + c) * kD + d) * kH * kW + pixel)] : half(0);
            CHECK(blocks[at].bits() == want.bits());
          }
        }
      }
    }
  }
  Deep loaded;
  TLOAD(loaded, to);
  std::vector<half> again(kAll);
  Blocks back(again.data());
  TSTORE(back, loaded);
  for (int i = 0; i < kAll; ++i) CHECK(again[static_cast<size_t>(i)].bits() == blocks[static_cast<size_t>(i)].bits());
}

void TestExtractedFilters() {
  static const Sizes k_sizes[] = {
      {1, 16, 8, 1, 1, 1, 16, 8}, {1, 17, 19, 1, 2, 3, 16, 8}, {1, 40, 16, 1, 1, 2, 16, 16}};
  for (const Sizes& s : k_sizes) {
    for (const int row : {0, s.c0}) {
      for (const int col : {0, 3, 16}) {
        if (row >= s.C1() * s.c0 * s.h * s.w || col >= s.N1() * s.n0) continue;
        Extract<float, Layout::FRACTAL_Z>(s, row, col);
        Extract<int8_t, Layout::FRACTAL_Z>(s, row, col);
        Sizes deep = s;
        deep.d = 2;
        Extract<half, Layout::FRACTAL_Z_3D>(deep, row, col);
      }
    }
  }
  Image<float, Layout::FRACTAL_Z> src;
  Shape(src, k_sizes[0]);
  TileRight<float, 32, 32, DYNAMIC, DYNAMIC> dst(8, 16);
  CHECK(RuleOf([&] { TEXTRACT(dst, src, 3, 0); }) == "window-range");
  CHECK(RuleOf([&] { TEXTRACT(dst, src, 0, 1); }) == "transfer-covers");
}

void TestDirections() {
  TurnAll<float>();
  TurnAll<uint8_t>();
  TurnAll<int16_t>();
  TurnAll<float4_e2m1x2_t>();
  TurnAll<int4b_t>();
  // Of types of one width the bits.
  Image<float, Layout::NCHW> src;
  Image<int32_t, Layout::NC1HWC0> dst;
  Tile<TileType::Vec, float, 1, 32> tmp;
  src.SetDynamicShape(1, 8, 1, 1);
  dst.SetDynamicShape(1, 1, 1, 1, 8);
  src.data()[3] = -1;
  TTRANS(dst, src, tmp);
  CHECK(static_cast<uint32_t>(dst.data()[3]) == 0xBF800000U);
}

// An image of two elements per byte moves from and to global memory, whole and in part; a line of an odd
// number of elements is refused.
void TestPackedTransfers() {
  using E = float4_e2m1x2_t;
  static E memory[2 * 3 * 5 * 64 / 2], back[2 * 3 * 5 * 64 / 2];
  for (int i = 0; i < 2 * 3 * 5 * 64; ++i)
    pto_detail::Elements<E>::At(memory, i) = pto_detail::Float4E2M1::from_bits(static_cast<uint8_t>(i * 7 % 16));
  using Strides = pto::Stride<2 * 3 * 5 * 64, 3 * 5 * 64, 5 * 64, 64, 1>;
  GlobalTensor<E, pto::Shape<1, 2, 3, 5, 64>, Strides, Layout::NC1HWC0> from(memory), to(back);
  Image<E, Layout::NC1HWC0> image;
  for (const int rows : {3, 2}) {
    image.SetDynamicShape(1, 2, rows, 5, 64);
    TLOAD(image, from);
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < rows * 320; ++i) CHECK(Get(image, c * rows * 320 + i) == (c * 960 + i) * 7 % 16);
    for (E& pair : back) pair = E();
    TSTORE(to, image);
    for (int i = 0; i < 1920; ++i) {
      CHECK(pto_detail::Elements<E>::At(back, i).bits() == (i % 960 < rows * 320 ? i * 7 % 16 : 0));
    }
  }
  image.SetDynamicShape(1, 2, 3, 5, 63);
  CHECK(RuleOf([&] { TLOAD(image, from); }) == "half-byte");
  image.SetDynamicShape(1, 2, 10, 13, 64);  // more than the memory, which has half a byte per element
  CHECK(RuleOf([&] { TLOAD(image, from); }) == "tensor-range");
}

// From C, as in docs/conventions.md: the image is viewed in the order of the filter.
void TestViewsOfFilters() {
  const Sizes s{1, 32, 16, 1, 3, 5, 16, 8};
  Image<float, Layout::NC1HWC0> src;
  Image<float, Layout::FRACTAL_Z> dst;
  Tile<TileType::Vec, float, 1, 32> tmp;
  Shape(src, s);
  Shape(dst, s);
  for (int i = 0; i < kMost; ++i) src.data()[i] = static_cast<float>(i);
  TTRANS(dst, src, tmp);
  static float filter[kMost];
  pto_context* const ctx = pto_context_create(PTO_PROFILE_CPU);
  const int64_t row = int64_t{2} * 3 * 5 * 8;
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.layout = PTO_LAYOUT_FRACTAL_Z;
  desc.rank = 5;
  desc.dim0 = 1;
  desc.dim1 = 2 * 3 * 5;
  desc.dim2 = 2;
  desc.dim3 = 16;
  desc.dim4 = 8;
  pto_tensor* const to = pto_tensor_wrap(ctx, &desc, filter, sizeof filter);
  desc.strided = 1;
  desc.stride1 = 8;
  desc.stride2 = 16 * row;
  desc.stride3 = row;
  desc.stride4 = 1;
  pto_tensor* const from = pto_tensor_wrap(ctx, &desc, src.data(), kMost * 4);
  pto_tile* const tile = pto_tile_create(ctx, PTO_DTYPE_F32, 32, static_cast<int32_t>(row));
  CHECK(pto_tload(ctx, tile, from, 0) == PTO_OK && pto_tstore(ctx, to, tile, 0) == PTO_OK);
  for (int64_t i = 0; i < 32 * row; ++i) CHECK(filter[i] == dst.data()[i]);
  pto_tile_release(tile);
  pto_tensor_release(from);
  pto_tensor_release(to);
  pto_context_release(ctx);
}

// dst and src in one memory, at one address or not: the result is as if src had been read first, of several pieces (19
// channels, 3 groups), too.
void TestOneMemory() {
  const Sizes s{3, 2, 19, 1, 2, 3, 16, 8};
  for (const int64_t behind : {0, 64, -64, 1024}) {
    Image<float, Layout::GNCHW> src, same;
    Image<float, Layout::GNC1HWC0> dst, apart;
    Tile<TileType::Vec, float, 1, 32> tmp;
    Shape(src, s), Shape(same, s), Shape(dst, s), Shape(apart, s);
    TASSIGN(src, 0x400);
    TASSIGN(dst, 0x400 + behind);
    TASSIGN(same, 0x14000);
    TASSIGN(apart, 0x28000);
    for (int i = 0; i < kMost; ++i) same.data()[i] = static_cast<float>(i);
    for (int i = 0; i < kMost; ++i) src.data()[i] = static_cast<float>(i);
    for (int i = 0; i < kMost; ++i) apart.data()[i] = dst.data()[i];
    TTRANS(apart, same, tmp);
    TTRANS(dst, src, tmp);
    for (int i = 0; i < kMost; ++i) CHECK(dst.data()[i] == apart.data()[i]);
  }
}

// Dimensions that differ, blocks too many or too few, more than the memory holds: refused, and dst is as it was.
void TestRefusals() {
  const Sizes sizes{2, 3, 9, 1, 2, 5, 16, 8};
  Tile<TileType::Vec, float, 1, 32> tmp;
  Image<float, Layout::GNCHW> src;
  Image<float, Layout::GNC1HWC0> dst;
  Image<float, Layout::FRACTAL_Z> filter;
  Shape(src, sizes);
  const auto refused = [&](auto& to, auto& from) {
    for (int i = 0; i < kMost; ++i) to.data()[i] = 7;
    const std::string rule = RuleOf([&] { TTRANS(to, from, tmp); });
    for (int i = 0; i < kMost; ++i) CHECK(to.data()[i] == 7);
    return rule;
  };
  for (int which = 0; which < 7; ++which) {
    Sizes other = sizes;
    int* const sizes_of[] = {&other.g, &other.n, &other.h, &other.w};
    if (which < 4) ++*sizes_of[which];
    if (which == 4) other.c = 8;
    if (which == 5) other.c = 17;
    if (which == 6) --other.n;
    Shape(dst, other);
    CHECK(refused(dst, src) == "transposed-valid");
  }
  Shape(dst, sizes);
  const int c1hw = 2 * 2 * 2 * 5;
  filter.SetDynamicShape(c1hw, 1, 16, 8);
  CHECK(RuleOf([&] { TTRANS(filter, dst, tmp); }).empty());
  const int wrong[][4] = {{c1hw + 1, 1, 16, 8}, {c1hw + 20, 1, 16, 8}, {c1hw, 2, 16, 8},
                          {c1hw, 1, 2, 8},      {c1hw, 1, 16, 4},      {0, 1, 16, 8}};
  for (const auto& dims : wrong) {
    filter.SetDynamicShape(dims[0], dims[1], dims[2], dims[3]);
    CHECK(refused(filter, dst) == "transposed-valid");
  }
  Sizes large = sizes;
  large.n = 200;
  Shape(src, large);
  Shape(dst, large);
  CHECK(refused(dst, src) == "tensor-range");
  Image<float, Layout::NCDHW> deep;
  Image<float, Layout::NC1HWC0> flat;
  deep.SetDynamicShape(1, 9, 2, 2, 5);
  flat.SetDynamicShape(1, 2, 2, 5, 8);
  CHECK(refused(flat, deep) == "transposed-valid");
  // Nothing to do.
  Sizes none = sizes;
  none.n = 0;
  Shape(src, none);
  Shape(dst, none);
  CHECK(refused(dst, src).empty());
  // A filter of no pixels, too.
  none = sizes;
  none.h = 0;
  Shape(dst, none);
  filter.SetDynamicShape(0, 1, 16, 8);
  CHECK(refused(filter, dst).empty());
  filter.SetDynamicShape(1, 1, 16, 8);
  CHECK(refused(filter, dst) == "transposed-valid");
}

}  // namespace

int main() {
  TestDirections();
  for (const pto_profile profile : ALL_PROFILES) {
    SetProfile(profile);
    TestTurningLoads();
  }
  SetProfile(PTO_PROFILE_CPU);
  TestDeepImages();
  for (const pto_profile profile : ALL_PROFILES) {
    SetProfile(profile);
    TestExtractedFilters();
  }
  SetProfile(PTO_PROFILE_CPU);
  TestPackedTransfers();
  TestViewsOfFilters();
  TestOneMemory();
  TestRefusals();
  return check::Report("conv");
}

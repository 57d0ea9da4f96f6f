// How elements of a ConvTile move: to and from tensors, from one layout to another, and from a filter to a tile. The
// instructions in pto-conv.hpp call these functions.
#ifndef PTO_PTO_CONV_MOVE_HPP_
#define PTO_PTO_CONV_MOVE_HPP_

#include "pto/pto-conv-tile.hpp"
#include "pto/pto-issue.hpp"
#include "pto/pto-tensor.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

// Two tensors of the same dimensions, and the tile that elements pass: their last dimension is its rows.
struct ImageCopy {
  pto_tile* tile = nullptr;
  pto_tensor* outer = nullptr;
  pto_tensor* inner = nullptr;

  ImageCopy() = default;
  ImageCopy(const ImageCopy&) = delete;
  ImageCopy& operator=(const ImageCopy&) = delete;
  ~ImageCopy() {
    pto_tile_release(tile);
    pto_tensor_release(outer);
    pto_tensor_release(inner);
  }

  // With `data` the tile is that memory.
  void MakeTile(pto_context* ctx, int dtype, TileType location, const int64_t (&dims)[5], void* data, int64_t bytes) {
    pto_tile_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = static_cast<pto_dtype>(dtype);
    desc.rows = desc.valid_rows = static_cast<int32_t>(dims[0] * dims[1] * dims[2] * dims[3]);
    desc.valid_cols = static_cast<int32_t>(dims[4]);
    // A2A3 and A5 have rows of 32 bytes.
    const int64_t unit = 256 / pto_dtype_bits(desc.dtype);
    desc.cols = data != nullptr ? desc.valid_cols : static_cast<int32_t>(RoundUp(dims[4], unit));
    desc.location = static_cast<pto_location>(location);
    tile = data != nullptr ? pto_tile_wrap(ctx, &desc, data, bytes) : pto_tile_create_from(ctx, &desc);
  }
  bool Made(pto_context* ctx) const {
    if (tile != nullptr && outer != nullptr && inner != nullptr) return true;
    RaiseFrom(ctx);
    return false;
  }
};

// The loads and stores that are made while it lives are one instruction of a pipe to who follows them.
class PartsOf {
 public:
  explicit PartsOf(const char* pipe) {
    if (follower != nullptr) follower->pipe = pipe;
  }
  ~PartsOf() {
    if (follower != nullptr) follower->pipe = nullptr;
  }
  PartsOf(const PartsOf&) = delete;
  PartsOf& operator=(const PartsOf&) = delete;
};

// One copy of five dimensions between an image and a tensor, from the elements at `at` and `data` on.
template <bool kLoad, typename ConvTileData, typename GlobalData>
inline bool CopyImage(pto_context* ctx, const ConvTileData& image, const int64_t (&dims)[5], const int64_t (&inner)[5],
                      int64_t at, const int64_t (&outer)[5], void* data, bool whole) {
  using Element = typename ConvTileData::DType;
  void* const elements = reinterpret_cast<char*>(image.data()) + Elements<Element>::Bytes(at);
  // The rows of a tile follow each other: a part of an image has gaps, and needs a tile of its own.
  ImageCopy copy;
  // A device has no place for other operands of a load beside the image: its loads do all of this.
  copy.MakeTile(ctx, DTypeOf<Element>(), whole || !kLoad ? ConvTileData::Loc : TileType::Vec, dims,
                whole ? elements : nullptr, Elements<Element>::Bytes(ConvTileData::bufferSize - at));
  if (copy.tile != nullptr) {
    copy.outer = WrapStrided(ctx, DTypeOf<typename GlobalData::RawDType>(), Layout::ND, dims, outer, data);
    copy.inner = WrapStrided(ctx, DTypeOf<Element>(), Layout::ND, dims, inner, elements);
  }
  if (!copy.Made(ctx)) return false;
  const Value<pto_tile*> tile{copy.tile};
  const Value<pto_tensor*> from{kLoad ? copy.outer : copy.inner};
  const Value<pto_tensor*> to{kLoad ? copy.inner : copy.outer};
  const PartsOf pipe(kLoad ? "MTE2" : "MTE3");
  if (kLoad || !whole) Issue(pto_tload, 0, tile, from);
  if (!kLoad || !whole) Issue(pto_tstore, 0, to, tile);
  return true;
}

[[gnu::cold, gnu::noinline]] inline void RaiseImage(const char* call, int64_t image, int64_t global) {
  Raise(PTO_ERROR_SHAPE, "transfer-covers", "src",
        Say("%s: an image of %lld elements and a tensor of %lld have other dimensions", call,
            static_cast<long long>(image), static_cast<long long>(global))
            .text,
        "Give both the same dimensions, or the same number of elements; a tensor may be larger in each dimension.");
}

// Copies between a ConvTile and a GlobalTensor of its layout: all of the image, where the tensor has all its
// dimensions, or where both have the same number of elements, which are then copied in their order. A tensor of
// NDC1HWC0 has the dimensions n, d, c1, h and w; its c0 is the c0 of the image.
template <bool kLoad, typename ConvTileData, typename GlobalData>
inline RecordEvent TransferImage(ConvTileData& image, GlobalData& global) {
  using Element = typename ConvTileData::DType;
  constexpr bool kSameLayout = ConvTileData::layout == GlobalData::layout;
  constexpr bool kSameWidth = Elements<Element>::Bytes(2) == Elements<typename GlobalData::RawDType>::Bytes(2);
  constexpr bool kSix = GlobalData::layout == Layout::NDC1HWC0;
  static_assert(kSameLayout, "a ConvTile and a tensor need the same layout for a copy [transfer-layout]");
  static_assert(kSameWidth, "the element types of tile and tensor have different numbers of bytes [same-width]");
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr || image.handle() == nullptr || (!kSix && global.handle() == nullptr)) return {};
  // Six dimensions of both, the innermost one contiguous; a copy is of the last five.
  int64_t held[6] = {1, 1, 1, 1, 1, 1};
  int64_t shape[6] = {1, 1, 1, 1, 1, 1};
  int64_t stride[6] = {0, 0, 0, 0, 0, 1};
  for (int i = 0; i < ConvTileData::totalDimCount; ++i) {
    held[6 - ConvTileData::totalDimCount + i] = image.GetShape(i);
  }
  for (int i = 0; i < 5; ++i) {
    shape[i + !kSix] = global.GetShape(i);
    stride[i + !kSix] = global.GetStride(i);
  }
  if (kSix) shape[5] = held[5];
  if (!kSix && ConvTileData::totalDimCount == 6) {
    // The tensor has the first two as one.
    held[1] *= held[0];
    held[0] = 1;
  }
  int64_t elements = 1;
  int64_t others = 1;
  bool inside = true;
  for (int i = 0; i < 6; ++i) {
    elements *= held[i];
    others *= shape[i];
    inside = inside && held[i] <= shape[i];
  }
  if (!inside && elements == others) {
    for (int i = 0; i < 6; ++i) held[i] = shape[i];
  } else if (!inside) {
    RaiseImage(kLoad ? "TLOAD" : "TSTORE", elements, others);
    return {};
  }
  const int64_t dims[] = {held[1], held[2], held[3], held[4], held[5]};
  const int64_t outer[] = {stride[1], stride[2], stride[3], stride[4], stride[5]};
  const int64_t plane = held[4] * held[5];
  const int64_t inner[] = {held[2] * held[3] * plane, held[3] * plane, plane, held[5], 1};
  // A recording knows an image as a tensor; and tiles of A2A3 and A5 have rows of 32 bytes.
  const bool whole = follower == nullptr && Elements<Element>::Bytes(held[5]) % 32 == 0;
  for (int64_t n = 0; n < held[0]; ++n) {
    void* const data =
        const_cast<char*>(reinterpret_cast<const char*>(global.data())) + Elements<Element>::Bytes(n * stride[0]);
    if (!CopyImage<kLoad, ConvTileData, GlobalData>(ctx, image, dims, inner, n * held[1] * inner[0], outer, data,
                                                    whole)) {
      return {};
    }
  }
  return {};
}

// Where an image or a filter has its elements: groups, numbers and channels, these two in blocks or not, and pixels,
// which are d, h and w at once. Dimensions that a layout has not are 1.
struct ImageMap {
  int64_t groups = 1, numbers = 1, channels = 1, depth = 1, height = 1, width = 1;
  int64_t n0 = 0, c0 = 0;                                                 // in a block; 0: there are no blocks
  int64_t group = 0, n1 = 0, number = 0, c1 = 0, channel = 0, pixel = 0;  // elements from one to the next
};

constexpr bool IsFilter(Layout layout) { return layout == Layout::FRACTAL_Z || layout == Layout::FRACTAL_Z_3D; }

// n, c, d, h, w and n, d, c1, h, w, c0, whose depths count as groups: only then are pixels evenly apart in both.
template <typename ConvTileData>
inline ImageMap MapOfDeep(const ConvTileData& tile) {
  constexpr bool kBlocks = ConvTileData::layout == Layout::NDC1HWC0;
  static_assert(ConvTileData::totalDimCount == (kBlocks ? 6 : 5),
                "TTRANS: the number of dimensions differs from the layout of the image [tensor-rank]");
  ImageMap map;
  map.numbers = tile.GetShape(0);
  map.groups = tile.GetShape(kBlocks ? 1 : 2);
  map.height = tile.GetShape(3);
  map.width = tile.GetShape(4);
  const int64_t plane = map.height * map.width;
  if (kBlocks) map.c0 = tile.GetShape(5);
  map.channels = kBlocks ? tile.GetShape(2) * map.c0 : tile.GetShape(1);
  map.channel = kBlocks ? 1 : map.groups * plane;
  map.pixel = kBlocks ? map.c0 : 1;
  map.c1 = plane * map.c0;
  map.group = kBlocks ? map.channels * plane : plane;
  map.number = map.groups * map.channels * plane;
  return map;
}

template <typename ConvTileData>
inline ImageMap MapOfImage(const ConvTileData& tile) {
  constexpr Layout kLayout = ConvTileData::layout;
  constexpr bool kBlocks = kLayout == Layout::NC1HWC0 || kLayout == Layout::GNC1HWC0;
  constexpr bool kDeep = kLayout == Layout::NCDHW;
  constexpr bool kChannelsLast = kLayout == Layout::NHWC;
  constexpr int kFirst = kLayout == Layout::GNCHW || kLayout == Layout::GNC1HWC0 ? 1 : 0;
  constexpr int kPixels = kFirst + (kChannelsLast ? 1 : 2);  // where depth or height is
  static_assert(kBlocks || kDeep || kChannelsLast || kLayout == Layout::NCHW || kLayout == Layout::GNCHW,
                "TTRANS: images are NCHW, NHWC, GNCHW, NCDHW, NC1HWC0 or GNC1HWC0 [image-layout]");
  static_assert(ConvTileData::totalDimCount == kFirst + 4 + (kBlocks || kDeep),
                "TTRANS: the number of dimensions differs from the layout of the image [tensor-rank]");
  ImageMap map;
  if (kFirst == 1) map.groups = tile.GetShape(0);
  if (kDeep) map.depth = tile.GetShape(kPixels);
  map.numbers = tile.GetShape(kFirst);
  map.height = tile.GetShape(kPixels + kDeep);
  map.width = tile.GetShape(kPixels + kDeep + 1);
  if (kBlocks) map.c0 = tile.GetShape(kPixels + 2);
  map.channels = tile.GetShape(kChannelsLast ? 3 : kFirst + 1) * (kBlocks ? map.c0 : 1);
  map.channel = kBlocks || kChannelsLast ? 1 : map.depth * map.height * map.width;
  map.pixel = kBlocks ? map.c0 : kChannelsLast ? map.channels : 1;
  map.c1 = map.height * map.width * map.c0;
  map.number = map.channels * map.depth * map.height * map.width;
  map.group = map.numbers * map.number;
  return map;
}

// The first dimensions of a filter are products of some of g, c1, d, h and w, in that order. The image decides which
// factors belong to each product.
template <typename ConvTileData>
inline ImageMap MapOfFilter(const ConvTileData& tile, const ImageMap& image) {
  constexpr int kLast = ConvTileData::totalDimCount - 1;
  static_assert(kLast >= 3, "TTRANS: a filter is (g c1 d h w), n1, n0, c0 [tensor-rank]");
  ImageMap map = image;
  int64_t outer = 1;
  for (int i = 0; i < kLast - 2; ++i) outer *= tile.GetShape(i);
  const int64_t each = image.groups * image.depth * image.height * image.width;
  map.c0 = tile.GetShape(kLast);
  // If the image has no groups or pixels, its size does not follow from the filter.
  const int64_t blocks = each == 0 && outer == 0 && map.c0 != 0 ? (image.channels + map.c0 - 1) / map.c0
                         : each == 0 || outer % each != 0       ? -1
                                                                : outer / each;
  map.n0 = tile.GetShape(kLast - 1);
  map.numbers = tile.GetShape(kLast - 2) * map.n0;
  map.channels = blocks * map.c0;
  map.channel = 1;
  map.number = map.c0;
  map.n1 = map.n0 * map.c0;
  map.pixel = map.numbers * map.c0;
  map.c1 = image.depth * image.height * image.width * map.pixel;
  map.group = blocks * map.c1;
  return map;
}

template <typename ConvTileData>
inline ImageMap MapOf(const ConvTileData& tile, const ImageMap& image) {
  if constexpr (IsFilter(ConvTileData::layout)) {
    return MapOfFilter(tile, image);
  } else {
    return MapOfImage(tile);
  }
}

// Blocks of one side hold what the other has without blocks, and no block more.
inline bool Fits(int64_t a, int64_t a_block, int64_t b, int64_t b_block) {
  if (a_block == b_block) return a == b;
  if (a_block != 0 && b_block != 0) return false;
  const int64_t block = a_block + b_block;
  return (a_block != 0 ? a : b) == ((a_block != 0 ? b : a) + block - 1) / block * block;
}

// Whole blocks, then what is left of the last.
struct Pieces {
  int64_t count[2], each[2];
  Pieces(int64_t all, int64_t block)
      : count{block == 0 ? 0 : all / block, 1}, each{block, block == 0 ? all : all % block} {}
};

template <typename Dst, typename Src>
inline bool Share(const Dst& dst, const Src& src) {
  const auto to = reinterpret_cast<uintptr_t>(dst.data());
  const auto from = reinterpret_cast<uintptr_t>(src.data());
  return to < from + Src::bufferSize * sizeof(typename Src::DType) &&
         from < to + Dst::bufferSize * sizeof(typename Dst::DType);
}

// An image of a packed type with a byte for each element, so that one is moved without the other.
template <typename Image>
using Codes = ConvTile<Image::Loc, uint8_t, Image::bufferSize, Image::layout, typename Image::Shape>;

template <typename Image>
inline void Unpack(Codes<Image>& codes, const Image& image) {
  using Held = Elements<typename Image::DType>;
  for (int64_t i = 0; i < Image::bufferSize; ++i) codes.data()[i] = Held::At(image.data(), i).bits();
}
template <typename Image>
inline void Pack(Image& image, const Codes<Image>& codes) {
  using Held = Elements<typename Image::DType>;
  for (int64_t i = 0; i < Image::bufferSize; ++i) {
    Held::At(image.data(), i) = Held::Element::from_bits(codes.data()[i]);
  }
}

// Sets all elements of an image to one value, whose encoding is in the low bits.
template <typename Image>
inline bool Fill(pto_context* ctx, Image& image, uint32_t bits = 0) {
  static_assert(sizeof(typename Image::DType) <= 4, "the elements of an image have 1, 2 or 4 bytes [dtype]");
  const int dtype =
      DTypeOf<std::conditional_t<sizeof(typename Image::DType) == 1, uint8_t,
                                 std::conditional_t<sizeof(typename Image::DType) == 2, uint16_t, uint32_t>>>();
  const int64_t dims[] = {1, 1, 1, 1, Image::bufferSize};
  const int64_t steps[] = {Image::bufferSize, Image::bufferSize, Image::bufferSize, Image::bufferSize, 1};
  ImageCopy zeros;
  zeros.MakeTile(ctx, dtype, TileType::Vec, dims, nullptr, 0);
  if (zeros.tile != nullptr) zeros.inner = WrapStrided(ctx, dtype, Layout::ND, dims, steps, image.data());
  if (zeros.inner == nullptr) {
    RaiseFrom(ctx);
    return false;
  }
  Issue(pto_texpands, 0, Value<pto_tile*>{zeros.tile}, ScalarOf(bits));
  Issue(pto_tstore, 0, Value<pto_tensor*>{zeros.inner}, Value<pto_tile*>{zeros.tile});
  return true;
}

// Element by element by groups, numbers, channels and pixels; what one side alone has is not read, nor written unless
// all else becomes zero.
template <bool kClears = false, typename Dst, typename Src>
inline RecordEvent TransposeImage(Dst& dst, Src& src) {
  static_assert(Elements<typename Dst::DType>::Bytes(2) == Elements<typename Src::DType>::Bytes(2),
                "TTRANS: the element types have different numbers of bytes [same-width]");
  static_assert(!IsFilter(Dst::layout) || !IsFilter(Src::layout), "TTRANS: one of the two is an image [image-layout]");
  pto_context* const ctx = CurrentContext();
  if constexpr (Elements<typename Src::DType>::kEach != 1) {
    if (follower != nullptr) {
      Raise(PTO_ERROR_ARGUMENT, "recording", "dst", "TTRANS of an image of a packed type",
            "Record it with elements of a byte.");
      return {};
    }
    if (ctx == nullptr || dst.data() == nullptr || src.data() == nullptr) return {};
    Codes<Src> from(src);
    Codes<Dst> to(dst);
    if (from.handle() == nullptr || to.handle() == nullptr) return {};
    Unpack(from, src);
    Unpack(to, dst);
    TransposeImage(to, from);
    Pack(dst, to);
    return {};
  }
  if (ctx == nullptr || dst.handle() == nullptr || src.handle() == nullptr) return {};
  ImageMap from;
  ImageMap to;
  if constexpr (Dst::layout == Layout::NDC1HWC0 || Src::layout == Layout::NDC1HWC0) {
    static_assert(Dst::layout == Layout::NCDHW || Src::layout == Layout::NCDHW,
                  "TTRANS: NDC1HWC0 needs NCDHW [image-layout]");
    from = MapOfDeep(src);
    to = MapOfDeep(dst);
  } else {
    ImageMap image;
    if constexpr (IsFilter(Src::layout)) {
      image = MapOfImage(dst);
    } else {
      image = MapOfImage(src);
    }
    from = MapOf(src, image);
    to = MapOf(dst, image);
  }
  if (from.groups != to.groups || from.depth != to.depth || from.height != to.height || from.width != to.width ||
      !Fits(from.numbers, from.n0, to.numbers, to.n0) || !Fits(from.channels, from.c0, to.channels, to.c0)) {
    Raise(
        PTO_ERROR_SHAPE, "transposed-valid", "dst",
        Say("TTRANS: g %lld, n %lld, c %lld, d h w %lldx%lldx%lld do not go into %lld, %lld, %lld, %lldx%lldx%lld",
            static_cast<long long>(from.groups), static_cast<long long>(from.numbers),
            static_cast<long long>(from.channels), static_cast<long long>(from.depth),
            static_cast<long long>(from.height), static_cast<long long>(from.width), static_cast<long long>(to.groups),
            static_cast<long long>(to.numbers), static_cast<long long>(to.channels), static_cast<long long>(to.depth),
            static_cast<long long>(to.height), static_cast<long long>(to.width))
            .text,
        "Give dst the dimensions of src: blocks of n and c for what src has of them, and none more.");
    return {};
  }
  const int64_t n0 = from.n0 != 0 ? from.n0 : to.n0;
  const int64_t c0 = from.c0 != 0 ? from.c0 : to.c0;
  for (ImageMap* map : {&from, &to}) {
    if (map->n0 == 0) map->n1 = map->number * n0;
    if (map->c0 == 0) map->c1 = map->channel * c0;
  }
  const Pieces numbers(from.numbers < to.numbers ? from.numbers : to.numbers, n0);
  const Pieces channels(from.channels < to.channels ? from.channels : to.channels, c0);
  const int dtype = DTypeOf<typename Src::DType>();
  const PartsOf pipe(kClears ? "MTE2" : "V");
  if constexpr (kClears) {
    if (!Fill(ctx, dst)) return {};
  }
  // Pieces are read and written in turn: what dst shares with src is read before.
  ImageCopy aside;
  const char* elements = reinterpret_cast<const char*>(src.data());
  if (Share(dst, src)) {
    const int64_t all[] = {1, 1, 1, 1, Src::bufferSize};
    const int64_t steps[] = {Src::bufferSize, Src::bufferSize, Src::bufferSize, Src::bufferSize, 1};
    aside.MakeTile(ctx, dtype, kClears ? TileType::Vec : Src::Loc, all, nullptr, 0);
    if (aside.tile != nullptr) aside.outer = WrapStrided(ctx, dtype, Layout::ND, all, steps, elements);
    if (aside.outer == nullptr) {
      RaiseFrom(ctx);
      return {};
    }
    Issue(pto_tload, 0, Value<pto_tile*>{aside.tile}, Value<pto_tensor*>{aside.outer});
    elements = static_cast<const char*>(pto_tile_data(aside.tile));
  }
  const auto move = [&](int64_t group, int n, int c) {
    const int64_t dims[] = {numbers.count[n], numbers.each[n], channels.count[c], channels.each[c],
                            from.depth * from.height * from.width};
    if (dims[0] * dims[1] * dims[2] * dims[3] * dims[4] == 0) return true;
    const auto view = [&](const ImageMap& map, const void* data) {
      const int64_t strides[] = {map.n1, map.number, map.c1, map.channel, map.pixel};
      const int64_t first =
          group * map.group + (n == 0 ? 0 : numbers.count[0] * map.n1) + (c == 0 ? 0 : channels.count[0] * map.c1);
      return WrapStrided(ctx, dtype, Layout::ND, dims, strides,
                         static_cast<const char*>(data) + first * int64_t{sizeof(typename Src::DType)});
    };
    ImageCopy copy;
    copy.MakeTile(ctx, dtype, kClears ? TileType::Vec : Src::Loc, dims, nullptr, 0);
    if (copy.tile != nullptr) {
      copy.outer = view(from, elements);
      copy.inner = view(to, dst.data());
    }
    if (!copy.Made(ctx)) return false;
    const Value<pto_tile*> tile{copy.tile};
    Issue(pto_tload, 0, tile, Value<pto_tensor*>{copy.outer});
    Issue(pto_tstore, 0, Value<pto_tensor*>{copy.inner}, tile);
    return true;
  };
  for (int64_t group = 0; group < from.groups; ++group) {
    for (int n = 0; n < 2; ++n) {
      if (!move(group, n, 0) || !move(group, n, 1)) return {};
    }
  }
  return {};
}

// Conversions of A5 during loads: images to NC1HWC0, and other tensors to the order of filters.
constexpr bool LoadsTurned(Layout to, Layout from) {
  return from == Layout::NHWC    ? to == Layout::NC1HWC0
         : from == Layout::NCHW  ? to == Layout::NC1HWC0 || to == Layout::FRACTAL_Z
         : from == Layout::NCDHW ? to == Layout::FRACTAL_Z_3D || to == Layout::NDC1HWC0
                                 : false;
}

// First as it lies, into an image beside dst, then in the order of dst.
template <typename ConvTileData, typename GlobalData>
inline RecordEvent LoadTurned(ConvTileData& dst, GlobalData& src) {
  using Element = typename ConvTileData::DType;
  static_assert(
      LoadsTurned(ConvTileData::layout, GlobalData::layout),
      "TLOAD: a ConvTile is loaded from its own layout, NC1HWC0 also from NCHW and NHWC, FRACTAL_Z from NCHW, "
      "FRACTAL_Z_3D and NDC1HWC0 from NCDHW [transfer-layout]");
  static_assert(Elements<Element>::kEach == 1, "TLOAD: the layout of packed elements cannot change [transfer-layout]");
  constexpr bool kDeep = GlobalData::layout == Layout::NCDHW;
  using Five = ConvTileShape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
  using Four = ConvTileShape<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC>;
  ConvTile<ConvTileData::Loc, Element, ConvTileData::bufferSize, GlobalData::layout,
           std::conditional_t<kDeep, Five, Four>>
      image;
  if constexpr (kDeep) {
    image.SetDynamicShape(src.GetShape(0), src.GetShape(1), src.GetShape(2), src.GetShape(3), src.GetShape(4));
  } else {
    if (src.GetShape(0) != 1) {
      Raise(PTO_ERROR_SHAPE, "tensor-rank", "src", "TLOAD: an image of five dimensions cannot become one of four",
            "Make the first dimension 1.");
      return {};
    }
    image.SetDynamicShape(src.GetShape(1), src.GetShape(2), src.GetShape(3), src.GetShape(4));
  }
  if (image.handle() == nullptr) return {};
  TransferImage<true>(image, src);
  return TransposeImage<true>(dst, image);
}

// The matrix of a filter in a product: a row for each channel of each pixel, a column for each filter; dst is its part
// from (row, col) on.
template <typename TileData, typename ConvTileData>
inline RecordEvent ExtractFilter(TileData& dst, ConvTileData& src, int64_t row, int64_t col) {
  using Element = typename ConvTileData::DType;
  constexpr int kLast = ConvTileData::totalDimCount - 1;
  static_assert(IsFilter(ConvTileData::layout),
                "TEXTRACT: a part of a ConvTile needs FRACTAL_Z or FRACTAL_Z_3D [image-layout]");
  static_assert(kLast >= 3, "TEXTRACT: a filter is (c1 d h w), n1, n0, c0 [tensor-rank]");
  static_assert(std::is_same_v<typename TileData::DType, Element>,
                "TEXTRACT: dst and src have different element types [operand-dtype]");
  static_assert(Elements<Element>::kEach == 1, "TEXTRACT: packed elements cannot be extracted [half-byte]");
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr || dst.handle() == nullptr || src.handle() == nullptr) return {};
  int64_t blocks = 1;
  for (int i = 0; i < kLast - 2; ++i) blocks *= src.GetShape(i);
  const int64_t filters = src.GetShape(kLast - 2) * src.GetShape(kLast - 1);
  const int64_t c0 = src.GetShape(kLast);
  if (c0 == 0 || row % c0 != 0 || row / c0 > blocks || col > filters) {
    Raise(PTO_ERROR_SHAPE, "window-range", "src",
          Say("TEXTRACT: (%lld, %lld) is not a block of a filter of %lld x %lld with blocks of %lld rows",
              static_cast<long long>(row), static_cast<long long>(col), static_cast<long long>(blocks * c0),
              static_cast<long long>(filters), static_cast<long long>(c0))
              .text,
          "Begin at a multiple of c0 inside of the filter.");
    return {};
  }
  const int64_t dims[] = {1, 1, blocks - row / c0, c0, filters - col};
  const int64_t block = filters * c0;
  const int64_t strides[] = {block, block, block, 1, c0};
  // By way of mat, in lines of 32 bytes, as hardware has it.
  constexpr int32_t kLine = 32 / static_cast<int32_t>(sizeof(Element));
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = static_cast<pto_dtype>(DTypeOf<Element>());
  desc.valid_rows = static_cast<int32_t>(dst.GetValidRow());
  desc.valid_cols = static_cast<int32_t>(dst.GetValidCol());
  desc.rows = desc.valid_rows > 0 ? desc.valid_rows : 1;
  desc.cols = desc.valid_cols > 0 ? (desc.valid_cols + kLine - 1) / kLine * kLine : kLine;
  if (desc.valid_rows == 0) desc.valid_rows = PTO_VALID_NONE;
  if (desc.valid_cols == 0) desc.valid_cols = PTO_VALID_NONE;
  desc.location = PTO_LOCATION_MAT;
  ImageCopy copy;
  copy.tile = pto_tile_create_from(ctx, &desc);
  if (copy.tile != nullptr) {
    copy.outer =
        WrapStrided(ctx, DTypeOf<Element>(), Layout::ND, dims, strides, src.data() + (row / c0 * filters + col) * c0);
  }
  if (copy.outer == nullptr) {
    RaiseFrom(ctx);
    return {};
  }
  const PartsOf pipe("MTE1");
  Issue(pto_tload, 0, Value<pto_tile*>{copy.tile}, Value<pto_tensor*>{copy.outer});
  Issue(pto_tmov, 0, dst, Value<pto_tile*>{copy.tile});
  return {};
}

}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CONV_MOVE_HPP_

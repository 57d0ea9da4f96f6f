// Instructions with a scale for each 32 elements or for each row, on tiles that are made for the call: its answer is
// foretold, and every byte of every tile. Numbers are of the formats' definitions; codes are found among all of them.
#ifndef PTO_TESTS_FUZZ_API_GROUPS_H_
#define PTO_TESTS_FUZZ_API_GROUPS_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>

#include "tests/fuzz/api_model.h"

namespace api {

class Groups {
 public:
  Groups(pto_context* ctx, Dice* dice, int call) : ctx_(ctx), dice_(*dice), call_(call) {}
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() {
    for (const Tile& tile : tiles_) pto_tile_release(tile.handle);
  }

  void Product() {
    const int32_t m = 1 + Below(8), n = 1 + Below(8), k = 1 + Below(70);
    const int32_t groups = (k + kGroup - 1) / kGroup;
    const pto_dtype small[2][2] = {{PTO_DTYPE_E4M3, PTO_DTYPE_E5M2}, {PTO_DTYPE_E2M1, PTO_DTYPE_E1M2}};
    const int32_t family = Below(2);
    enum { kMixed, kShort, kNarrow, kFaults = 12 };
    const int32_t fault = Below(kFaults);
    const Tile& a = Make(small[family][Below(2)], m, k);
    const Tile& b =
        Make(small[fault == kMixed ? 1 - family : family][Below(2)], fault == kShort && k > 1 ? k - 1 : k, n);
    const Tile& a_scale = Make(PTO_DTYPE_E8M0, m, fault == kNarrow ? groups - 1 : groups);
    const Tile& b_scale = Make(PTO_DTYPE_E8M0, groups, n);
    const Tile& dst = Make(PTO_DTYPE_F32, m, n);
    const int32_t form = Below(3);
    const Tile& start = form == 1 && Below(2) == 0 ? dst : Make(PTO_DTYPE_F32, form == 2 ? 1 : m, n);
    const bool gemv = m == 1 && Below(2) == 0;
    pto_status status = PTO_OK;
    if (form == 0) {
      status = (gemv ? pto_tgemv_mx : pto_tmatmul_mx)(ctx_, dst.handle, a.handle, a_scale.handle, b.handle,
                                                      b_scale.handle, 0);
    } else if (form == 1) {
      status = (gemv ? pto_tgemv_mx_acc : pto_tmatmul_mx_acc)(ctx_, dst.handle, start.handle, a.handle, a_scale.handle,
                                                              b.handle, b_scale.handle, 0);
    } else {
      status = (gemv ? pto_tgemv_mx_bias : pto_tmatmul_mx_bias)(ctx_, dst.handle, a.handle, a_scale.handle, b.handle,
                                                                b_scale.handle, start.handle, 0);
    }
    const char* rule = fault == kMixed            ? "same-dtype"
                       : fault == kShort && k > 1 ? "matrix-valid"
                       : fault == kNarrow         ? "scale-valid"
                                                  : nullptr;
    Answer(status, rule);
    if (rule == nullptr) {
      for (int32_t i = 0; i < m; ++i) {
        for (int32_t j = 0; j < n; ++j) {
          float sum = form == 0 ? 0.0F : ToFloat(start.Get(form == 2 ? 0 : i, j));
          for (int32_t l = 0; l < k; ++l) {
            sum = std::fmaf(Value(a, i, l) * Scale(a_scale.Get(i, l / kGroup)),
                            Value(b, l, j) * Scale(b_scale.Get(l / kGroup, j)), sum);
          }
          dst.Set(i, j, std::isnan(sum) ? 0x7fc00000 : ToBits(sum));
        }
      }
    }
    Compare();
  }

  void Quantise() {
    const bool by_rows = Below(2) == 0;
    const int32_t op = pto_op_find(by_rows ? "tquant_mx" : "tquant_dn");
    const int32_t line = 1 + Below(70), lines = 1 + Below(6);
    const int32_t rows = by_rows ? lines : line, cols = by_rows ? line : lines;
    const int32_t groups = (line + kGroup - 1) / kGroup;
    const pto_dtype sources[] = {PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32};
    const Tile& src = Make(sources[Below(3)], rows, cols);
    const bool missing = Below(12) == 0;
    const auto each = [&](int32_t index, int32_t less) -> const Tile& {
      const int32_t some = groups - less;
      return Make(TypeOf(op, index, src.dtype), by_rows ? lines : some, by_rows ? some : lines);
    };
    const Tile& dst = Make(TypeOf(op, 0, src.dtype), rows, cols);
    const Tile& exp = each(1, missing ? 1 : 0);
    const Tile& max = each(2, 0);
    const Tile& scaling = each(3, 0);
    const auto alg = static_cast<pto_scale_alg>(Below(2));
    const pto_status status = (by_rows ? pto_tquant_mx : pto_tquant_dn)(ctx_, dst.handle, exp.handle, max.handle,
                                                                        scaling.handle, src.handle, alg, 0);
    Answer(status, missing ? "groups-covered" : nullptr);
    for (int32_t l = 0; l < lines && !missing; ++l) {
      for (int32_t g = 0; g < groups; ++g) {
        const int32_t end = std::min(line, (g + 1) * kGroup);
        float most = 0;
        uint64_t bits = 0;
        for (int32_t k = g * kGroup; k < end; ++k) {
          const float value = std::fabs(by_rows ? Value(src, l, k) : Value(src, k, l));
          if (value >= most) bits = (by_rows ? src.Get(l, k) : src.Get(k, l)) & ~(uint64_t{1} << (src.Bits() - 1));
          most = std::max(most, value);
        }
        const int exponent = ExponentOf(most, dst.dtype, alg);
        const int32_t r = by_rows ? l : g, c = by_rows ? g : l;
        exp.Set(r, c, static_cast<uint64_t>(exponent));
        max.Set(r, c, bits);
        scaling.Set(r, c, BitsOf(scaling.dtype, std::ldexp(1.0, 127 - exponent)));
        for (int32_t k = g * kGroup; k < end; ++k) {
          const int32_t i = by_rows ? l : k, j = by_rows ? k : l;
          dst.Set(i, j, Nearest(dst.dtype, std::ldexp(double{Value(src, i, j)}, 127 - exponent)));
        }
      }
    }
    Compare();
  }

  void Dequantise() {
    const int32_t rows = 1 + Below(6), cols = 1 + Below(70);
    const Tile& src = Make(Below(2) == 0 ? PTO_DTYPE_I8 : PTO_DTYPE_I16, rows, cols);
    const bool mixed = Below(12) == 0;
    const int32_t scales = rows - (Below(12) == 0 ? 1 : 0), offsets = rows - (Below(12) == 0 ? 1 : 0);
    const Tile& scale = Make(mixed ? PTO_DTYPE_BF16 : PTO_DTYPE_F32, scales, 1 + Below(2));
    const Tile& offset = Make(PTO_DTYPE_F32, offsets, 1 + Below(2));
    const Tile& dst = Make(PTO_DTYPE_F32, rows, cols);
    if (Below(4) == 0) Special(scale);
    if (Below(4) == 0) Special(offset);
    const pto_status status = pto_tdequant(ctx_, dst.handle, src.handle, scale.handle, offset.handle, 0);
    const char* rule = mixed ? "same-dtype" : scales < rows || offsets < rows ? "rows-covered" : nullptr;
    Answer(status, rule);
    for (int32_t i = 0; i < rows && rule == nullptr; ++i) {
      for (int32_t j = 0; j < cols; ++j) {
        const uint64_t bits = src.Get(i, j);
        const int integer = src.dtype == PTO_DTYPE_I8 ? static_cast<int8_t>(bits) : static_cast<int16_t>(bits);
        const float difference = static_cast<float>(integer) - ToFloat(offset.Get(i, 0));
        const float number = difference * ToFloat(scale.Get(i, 0));
        dst.Set(i, j, std::isnan(number) ? 0x7fc00000 : ToBits(number));
      }
    }
    Compare();
  }

 private:
  static constexpr int32_t kGroup = 32;

  int32_t Below(uint32_t n) { return static_cast<int32_t>(dice_.Below(n)); }

  // Some type of an operand that the instruction takes.
  pto_dtype TypeOf(int32_t op, int32_t index, pto_dtype lead) {
    const uint32_t known = pto_op_operand_dtypes(op, index, PTO_PROFILE_CPU, lead);
    int32_t dtype = Below(32);
    while ((known >> dtype & 1) == 0) dtype = (dtype + 1) % 32;
    return static_cast<pto_dtype>(dtype);
  }

  static float ToFloat(uint64_t bits) {
    const auto low = static_cast<uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &low, sizeof value);
    return value;
  }
  static uint32_t ToBits(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static float Scale(uint64_t code) {
    return code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0F, static_cast<int>(code) - 127);
  }

  // A number of a format with these numbers of bits of exponent and fraction.
  struct Format {
    int exponent, fraction;
  };
  static Format FormatOf(pto_dtype dtype) {
    switch (dtype) {
      case PTO_DTYPE_E4M3:
        return {4, 3};
      case PTO_DTYPE_E5M2:
        return {5, 2};
      case PTO_DTYPE_E2M1:
        return {2, 1};
      case PTO_DTYPE_E1M2:
        return {1, 2};
      case PTO_DTYPE_F16:
        return {5, 10};
      case PTO_DTYPE_BF16:
        return {8, 7};
      default:
        return {8, 23};
    }
  }
  static double ValueOf(pto_dtype dtype, uint64_t code) {
    const Format f = FormatOf(dtype);
    const uint64_t size = code & ((uint64_t{1} << (f.exponent + f.fraction)) - 1);
    const auto field = static_cast<int>(size >> f.fraction);
    const auto fraction = static_cast<double>(size & ((uint64_t{1} << f.fraction) - 1));
    const int bias = f.exponent == 1 ? 1 : (1 << (f.exponent - 1)) - 1;
    const bool packed = IsPacked(dtype);
    const double sign = (code >> (f.exponent + f.fraction) & 1) != 0 ? -1 : 1;
    if (dtype == PTO_DTYPE_E4M3 ? size == 0x7f : !packed && field == (1 << f.exponent) - 1 && fraction != 0) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (dtype != PTO_DTYPE_E4M3 && !packed && field == (1 << f.exponent) - 1) return sign * HUGE_VAL;
    const double hidden = field == 0 ? 0 : std::ldexp(1.0, f.fraction);
    return sign * std::ldexp(fraction + hidden, (field == 0 ? 1 : field) - bias - f.fraction);
  }
  static float Value(const Tile& tile, int32_t r, int32_t c) {
    return static_cast<float>(ValueOf(tile.dtype, tile.Get(r, c)));
  }
  // A power of two.
  static uint64_t BitsOf(pto_dtype dtype, double power) {
    const Format f = FormatOf(dtype);
    const int biased = std::ilogb(power) + (1 << (f.exponent - 1)) - 1;
    return biased > 0 ? static_cast<uint64_t>(biased) << f.fraction
                      : static_cast<uint64_t>(std::ldexp(power, (1 << (f.exponent - 1)) - 2 + f.fraction));
  }

  // The code of the nearest number, ties to the even one; beyond the largest that.
  static uint64_t Nearest(pto_dtype dtype, double value) {
    const uint64_t sign = uint64_t{1} << (pto_dtype_bits(dtype) - 1);
    uint64_t best = 0;
    for (uint64_t code = 1; code < sign; ++code) {
      const double ours = std::fabs(ValueOf(dtype, code) - std::fabs(value));
      const double theirs = std::fabs(ValueOf(dtype, best) - std::fabs(value));
      if (ours < theirs || (ours == theirs && code % 2 == 0)) best = code;
    }
    return std::signbit(value) ? best | sign : best;
  }

  static int ExponentOf(float most, pto_dtype dtype, pto_scale_alg alg) {
    const bool byte = dtype == PTO_DTYPE_E4M3;
    if (alg == PTO_SCALE_ALG_OCP) return most == 0 ? 0 : std::max(0, std::ilogb(most) + 127 - (byte ? 8 : 2));
    const float reciprocal = 1.0F / (byte ? 448.0F : 6.0F);
    const float quotient = most * reciprocal;
    int exponent = 0;
    const float fraction = std::frexp(quotient, &exponent);  // 0.5 to 1
    return quotient == 0 ? 0 : exponent + 127 - (fraction == 0.5F ? 1 : 0);
  }

  // A tile that is valid in rows x cols, with more around it, in any layout, of bytes that are numbers not too far
  // apart.
  const Tile& Make(pto_dtype dtype, int32_t rows, int32_t cols) {
    Tile tile;
    tile.dtype = dtype;
    tile.valid_rows = rows;
    tile.valid_cols = cols;
    tile.rows = std::max(rows, 1) + Below(3);
    tile.cols = std::max(cols, 1) + Below(3);
    const int32_t layout = Below(k_layout_usual);
    if (IsPacked(dtype)) {
      tile.rows += tile.rows % 2;
      tile.cols += tile.cols % 2;
    }
    pto_tile_desc desc = layout_desc(&k_layouts[layout], dtype, tile.rows, tile.cols);
    tile.map.resize(static_cast<size_t>(tile.rows) * static_cast<size_t>(tile.cols));
    tile.memory = std::make_shared<Memory>();
    tile.memory->want.resize(static_cast<size_t>(BytesOf(dtype, layout_map(&desc, tile.map.data()))));
    tile.handle = pto_tile_create_from(ctx_, &desc);
    if (tile.handle == nullptr) Broken(pto_context_error_message(ctx_), call_);
    tile.memory->real = static_cast<const uint8_t*>(pto_tile_data(tile.handle));
    uint32_t seed = dice_.Below(1 << 16);
    for (int32_t r = 0; r < tile.rows; ++r) {
      for (int32_t c = 0; c < tile.cols; ++c) {
        seed = seed * 1664525 + 1013904223;
        tile.Set(r, c, Some(dtype, seed >> 8));
      }
    }
    std::memcpy(pto_tile_data(tile.handle), tile.memory->want.data(), tile.memory->want.size());
    if (pto_tile_set_valid(ctx_, tile.handle, rows, cols) != PTO_OK) Broken(pto_context_error_message(ctx_), call_);
    tiles_.push_back(tile);
    return tiles_.back();
  }
  // Column 0 of f32 with numbers that few tiles have: differences of 0 and what they meet, the ends of the range.
  void Special(const Tile& tile) {
    static constexpr uint32_t kSpecial[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fa00001,
                                            0x42c80000, 0x00000001, 0x7f7fffff, 0x00800000};
    if (tile.dtype != PTO_DTYPE_F32) return;
    for (int32_t r = 0; r < tile.valid_rows; ++r) tile.Set(r, 0, kSpecial[Below(std::size(kSpecial))]);
    std::memcpy(pto_tile_data(tile.handle), tile.memory->want.data(), tile.memory->want.size());
  }
  static uint64_t Some(pto_dtype dtype, uint32_t any) {
    switch (dtype) {
      case PTO_DTYPE_E8M0:
        return any % 64 == 0 ? 255 : 119 + any / 64 % 16;
      case PTO_DTYPE_F16:
        return (any & 0x83ff) | (1 + any / 1024 % 30) << 10;
      case PTO_DTYPE_BF16:
        return (any & 0x807f) | (112 + any / 128 % 30) << 7;
      case PTO_DTYPE_F32:
        return (any & 1) << 31 | (112 + any / 2 % 30) << 23 | (any * 2654435761U) >> 9;
      case PTO_DTYPE_I16:
        return any & 0xffff;
      default:
        return any & 0xff;
    }
  }

  void Answer(pto_status status, const char* rule) const {
    const char* told = status == PTO_OK ? "no error" : pto_context_error_rule(ctx_);
    if (std::strcmp(told, rule == nullptr ? "no error" : rule) == 0) return;
    std::fprintf(stderr, "%s where %s was foretold: %s\n", told, rule == nullptr ? "no error" : rule,
                 pto_context_error_message(ctx_));
    Broken("another rule", call_);
  }

  void Compare() const {
    for (const Tile& tile : tiles_) {
      const Memory& memory = *tile.memory;
      if (std::memcmp(memory.real, memory.want.data(), memory.want.size()) == 0) continue;
      std::fprintf(stderr, "a tile of %s, valid in %dx%d\n", pto_dtype_name(tile.dtype), tile.valid_rows,
                   tile.valid_cols);
      Broken("a tile's memory, of groups", call_);
    }
  }

  pto_context* ctx_;
  Dice& dice_;
  int call_;
  std::list<Tile> tiles_;  // stay where they are
};

}  // namespace api

#endif  // PTO_TESTS_FUZZ_API_GROUPS_H_

// Array shapes, element types and conversions; choosing the format of a file.
#include "src/cli/array.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"
#include "src/records/dtype.h"
#include "src/records/float_parts.h"

namespace pto::cli {

namespace {

template <class T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void Store(T value, char* out) {
  std::memcpy(out, &value, sizeof value);
}

uint32_t Encode(double value, int exponent_bits, int fraction) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint32_t infinity = ((uint32_t{1} << exponent_bits) - 1) << fraction;
  if (std::isnan(value)) return infinity | uint32_t{1} << (fraction - 1);
  if (std::signbit(value)) return uint32_t{1} << (exponent_bits + fraction) | Encode(-value, exponent_bits, fraction);
  if (value == 0) return 0;
  if (value >= std::ldexp(1, bias + 1)) return infinity;
  int exponent = std::ilogb(value);
  exponent = std::max(exponent, 1 - bias);  // subnormal below
  // In units of the last place; the sum carries into the exponent by itself.
  const double units = std::nearbyint(std::ldexp(value, fraction - exponent));
  const uint32_t base = static_cast<uint32_t>(exponent + bias - 1) << fraction;
  return base + static_cast<uint32_t>(units);
}

size_t LineOf(const Array& array) { return static_cast<size_t>(array.shape.empty() ? 1 : array.shape.back()); }

// The values of all codes of a type of a byte or less, or the code nearest to a value, as the library converts them.
void ConvertSmall(pto_dtype to, void* out, pto_dtype from, const void* in, int32_t count) {
  const std::unique_ptr<pto_context, void (*)(pto_context*)> ctx(pto_context_create(PTO_PROFILE_CPU),
                                                                 pto_context_release);
  // A column of packed elements has one a byte, too: each row begins with one.
  const auto made = [&](pto_dtype dtype) {
    pto_tile_desc desc = {};
    desc.struct_size = sizeof desc;
    desc.dtype = dtype;
    desc.rows = desc.valid_rows = count;
    desc.cols = 2;
    desc.valid_cols = 1;
    return pto_tile_create_from(ctx.get(), &desc);
  };
  pto_tile* const dst = made(to);
  pto_tile* const src = made(from);
  const bool good = dst != nullptr && src != nullptr &&
                    pto_tile_write(ctx.get(), src, in, int64_t{count} * pto_dtype_bytes(from)) == PTO_OK &&
                    pto_tcvt(ctx.get(), dst, src, nullptr, PTO_ROUND_NONE, PTO_SAT_DEFAULT, 0) == PTO_OK &&
                    pto_tile_read(ctx.get(), dst, out, int64_t{count} * pto_dtype_bytes(to)) == PTO_OK;
  pto_tile_release(dst);
  pto_tile_release(src);
  if (!good) Fail("%s: memory is out", pto_dtype_name(from));
}
double SmallValue(pto_dtype dtype, uint8_t code) {
  static std::vector<float> all[kDTypeCount];
  std::vector<float>& values = all[dtype];
  if (values.empty()) {
    uint8_t codes[256];
    for (int i = 0; i < 256; ++i) codes[i] = static_cast<uint8_t>(i);
    values.resize(256);
    ConvertSmall(PTO_DTYPE_F32, values.data(), dtype, codes, 256);
  }
  return values[code];
}

template <class T>
void StoreInteger(double value, char* out) {
  const double low = static_cast<double>(std::numeric_limits<T>::min());
  const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);  // one above the largest
  const double near = std::nearbyint(value);
  T result = 0;
  if (std::isnan(near)) {
    result = 0;
  } else if (near <= low) {
    result = std::numeric_limits<T>::min();
  } else if (near >= high) {
    result = std::numeric_limits<T>::max();
  } else {
    result = static_cast<T>(near);
  }
  Store(result, out);
}

}  // namespace

bool IsFloat(pto_dtype dtype) { return Info(static_cast<DType>(dtype)).kind == DTypeKind::kFloat; }

bool IsPacked(pto_dtype dtype) { return pto_dtype_bits(dtype) < 8; }

pto_dtype BitsOf(pto_dtype dtype) {
  return dtype == PTO_DTYPE_BF16 ? PTO_DTYPE_U16 : dtype > PTO_DTYPE_F32 ? PTO_DTYPE_U8 : dtype;
}

std::string PackedData(const Array& array) {
  const size_t line = LineOf(array);
  std::string packed;
  for (size_t row = 0; row < array.data.size(); row += line) {
    for (size_t c = 0; c < line; c += 2) {
      const int low = array.data[row + c] & 15;
      const int high = c + 1 < line ? array.data[row + c + 1] & 15 : 0;
      packed.push_back(static_cast<char>(low | high << 4));
    }
  }
  return packed;
}

void SetPackedData(const std::string& packed, Array* array) {
  const size_t line = LineOf(*array);
  array->data.resize(static_cast<size_t>(array->Count()));
  for (size_t i = 0; i < array->data.size(); ++i) {
    const size_t c = i % line;
    array->data[i] = static_cast<char>(packed[i / line * ((line + 1) / 2) + c / 2] >> (c % 2 * 4) & 15);
  }
}

bool FindDType(std::string_view name, pto_dtype* out) {
  for (int d = 0; d < kDTypeCount; ++d) {
    if (name != pto_dtype_name(static_cast<pto_dtype>(d))) continue;
    *out = static_cast<pto_dtype>(d);
    return true;
  }
  // Else as programs write it: the library knows these names.
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  const std::string text = "func.func private @f(%x: !pto.ptr<" + std::string(name) + ">)\n";
  const ContextHandle ctx(pto_context_create(PTO_PROFILE_CPU));
  const ProgramHandle program(pto_program_parse(ctx.get(), text.data(), static_cast<int64_t>(text.size()), "type"));
  const int32_t dtype = pto_program_arg_dtype(program.get(), "f", 0);
  if (dtype >= 0) *out = static_cast<pto_dtype>(dtype);
  return dtype >= 0;
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : "x") + std::to_string(shape[i]);
  return text.empty() ? "scalar" : text;
}

bool Sane(const std::vector<int64_t>& shape) {
  double count = 1;
  for (const int64_t extent : shape) count *= static_cast<double>(std::max<int64_t>(extent, 1));
  return count <= 1e12;
}

ShapeSpec ParseShape(const std::string& text) {
  ShapeSpec spec;
  const size_t colon = text.find(':');
  std::string extents = text.substr(0, colon);
  std::string type = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (colon == std::string::npos && FindDType(extents, &spec.dtype)) {
    type = extents;
    extents.clear();
  }
  if (!type.empty()) {
    if (!FindDType(type, &spec.dtype)) Fail("shape %s: no element type is called %s", text.c_str(), type.c_str());
    spec.has_dtype = true;
  }
  for (size_t at = 0; at < extents.size();) {
    char* end = nullptr;
    errno = 0;
    const long long extent = std::strtoll(extents.c_str() + at, &end, 10);
    const auto next = static_cast<size_t>(end - extents.c_str());
    const bool sound = next > at && extents[at] != '-' && extents[at] != '+' && errno == 0;
    if (!sound || (next < extents.size() && (extents[next] != 'x' || next + 1 == extents.size()))) {
      Fail("shape %s: write extents by x, such as 16x32, then :dtype", text.c_str());
    }
    spec.shape.push_back(extent);
    if (!Sane(spec.shape)) Fail("shape %s: more than 10^12 elements", text.c_str());
    at = next + 1;
  }
  spec.has_shape = !spec.shape.empty();
  if (!spec.has_shape && !spec.has_dtype) Fail("shape %s: empty", text.c_str());
  if (spec.shape.size() > 5) Fail("shape %s: more than 5 dimensions", text.c_str());
  return spec;
}

double ElementAt(const Array& array, int64_t index) {
  const char* at = array.data.data() + index * pto_dtype_bytes(array.dtype);
  switch (array.dtype) {
    case PTO_DTYPE_I8:
      return Load<int8_t>(at);
    case PTO_DTYPE_U8:
      return Load<uint8_t>(at);
    case PTO_DTYPE_I16:
      return Load<int16_t>(at);
    case PTO_DTYPE_U16:
      return Load<uint16_t>(at);
    case PTO_DTYPE_I32:
      return Load<int32_t>(at);
    case PTO_DTYPE_U32:
      return Load<uint32_t>(at);
    case PTO_DTYPE_I64:
      return static_cast<double>(Load<int64_t>(at));
    case PTO_DTYPE_U64:
      return static_cast<double>(Load<uint64_t>(at));
    case PTO_DTYPE_F16:
      return pto::ValueOf(pto::FloatPartsOf(Load<uint16_t>(at), 5, 10));
    case PTO_DTYPE_BF16:
      return pto::ValueOf(pto::FloatPartsOf(Load<uint16_t>(at), 8, 7));
    case PTO_DTYPE_F32:
      return static_cast<double>(Load<float>(at));
    default:
      return SmallValue(array.dtype, Load<uint8_t>(at));
  }
}

void StoreElement(pto_dtype dtype, double value, char* out) {
  switch (dtype) {
    case PTO_DTYPE_I8:
      return StoreInteger<int8_t>(value, out);
    case PTO_DTYPE_U8:
      return StoreInteger<uint8_t>(value, out);
    case PTO_DTYPE_I16:
      return StoreInteger<int16_t>(value, out);
    case PTO_DTYPE_U16:
      return StoreInteger<uint16_t>(value, out);
    case PTO_DTYPE_I32:
      return StoreInteger<int32_t>(value, out);
    case PTO_DTYPE_U32:
      return StoreInteger<uint32_t>(value, out);
    case PTO_DTYPE_I64:
      return StoreInteger<int64_t>(value, out);
    case PTO_DTYPE_U64:
      return StoreInteger<uint64_t>(value, out);
    case PTO_DTYPE_F16:
      return Store(static_cast<uint16_t>(Encode(value, 5, 10)), out);
    case PTO_DTYPE_BF16:
      return Store(static_cast<uint16_t>(Encode(value, 8, 7)), out);
    case PTO_DTYPE_F32:
      return Store(Encode(value, 8, 23), out);
    default: {
      const uint32_t bits = Encode(value, 8, 23);
      return ConvertSmall(dtype, out, PTO_DTYPE_F32, &bits, 1);
    }
  }
}

namespace {

// Whether a type has all samples of a picture: as numbers from 0 to 1, or as they are.
bool HoldsSamples(pto_dtype dtype, pto_dtype samples) {
  const bool is_signed =
      dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32 || dtype == PTO_DTYPE_I64;
  return IsFloat(dtype) || pto_dtype_bits(dtype) >= pto_dtype_bits(samples) + (is_signed ? 1 : 0);
}

// The array x as numpy saves it with another element type.
std::string InNumpy(pto_dtype dtype) {
  switch (dtype) {
    case PTO_DTYPE_F16:
      return "x.astype(np.float16)";
    case PTO_DTYPE_F32:
      return "x.astype(np.float32)";
    case PTO_DTYPE_BF16:
      return "x.astype(ml_dtypes.bfloat16), or the bits as np.uint16";
    case PTO_DTYPE_E4M3:
      return "x.astype(ml_dtypes.float8_e4m3fn), or the bits as np.uint8";
    case PTO_DTYPE_E5M2:
      return "x.astype(ml_dtypes.float8_e5m2), or the bits as np.uint8";
    case PTO_DTYPE_E8M0:
      return "x.astype(ml_dtypes.float8_e8m0fnu), or the bits as np.uint8";
    default:
      break;
  }
  const bool integer = pto_dtype_bits(dtype) >= 8 && !IsFloat(dtype);
  if (!integer) return "its codes as np.uint8, one byte for each element";
  return std::string("x.astype(np.") + (pto_dtype_name(dtype)[0] == 'u' ? "u" : "") + "int" +
         std::to_string(pto_dtype_bits(dtype)) + ")";
}

}  // namespace

Array ReadArray(const std::string& path, const ShapeSpec& wish) {
  const bool picture = HasSuffix(path, ".png");
  Input in(path);
  Array array = picture ? ReadPng(&in) : ReadNpy(&in);
  if (wish.has_dtype && wish.dtype != array.dtype) {
    if (array.dtype == BitsOf(wish.dtype)) {
      array.dtype = wish.dtype;
    } else if (picture && HoldsSamples(wish.dtype, array.dtype)) {
      Array converted{wish.dtype, array.shape,
                      std::string(static_cast<size_t>(array.Count() * pto_dtype_bytes(wish.dtype)), '\0')};
      const double most = array.dtype == PTO_DTYPE_U16 ? 65535 : 255;
      const double unit = IsFloat(wish.dtype) ? most : 1;
      for (int64_t i = 0; i < array.Count(); ++i) {
        StoreElement(wish.dtype, ElementAt(array, i) / unit, converted.data.data() + i * pto_dtype_bytes(wish.dtype));
      }
      array = std::move(converted);
    } else {
      Fail("%s: holds %s where %s is asked for; save %s", path.c_str(), pto_dtype_name(array.dtype),
           pto_dtype_name(wish.dtype), InNumpy(wish.dtype).c_str());
    }
  }
  if (wish.has_shape && wish.shape != array.shape) {
    Array shaped = array;
    shaped.shape = wish.shape;
    if (shaped.Count() != array.Count()) {
      Fail("%s: has the shape %s where %s is asked for", path.c_str(), ShapeText(array.shape).c_str(),
           ShapeText(wish.shape).c_str());
    }
    return shaped;
  }
  return array;
}

void NeedFormat(const std::string& path) {
  if (HasSuffix(path, ".npy") || HasSuffix(path, ".png") || IsStream(path)) return;
  Fail("%s: name a .npy or .png file", path.c_str());
}

std::string FormatArray(const std::string& path, const Array& array) {
  return HasSuffix(path, ".png") ? FormatPng(array, path) : FormatNpy(array);
}

}  // namespace pto::cli

// Pictures as arrays: grey or RGB, of 8 or 16 bits.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/pixels.h"

namespace pto::cli {

namespace {

constexpr uint64_t kMaxPixels = uint64_t{1} << 28;
constexpr size_t kMaxExtraBytes = size_t{64} << 20;  // of a picture's profile, comments and the like
constexpr uint64_t kMostSqueezed = 1032;             // bytes that one byte of zlib's can encode

// The header: the first chunk, whose position and form are fixed.
struct Header {
  uint64_t width;
  uint64_t height;
  uint64_t bytes;  // of all pixels as the file has them
};

Header ReadHeader(std::string_view head, const std::string& name) {
  constexpr std::string_view kBegin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  if (head.size() < 26 || head.substr(0, 16) != kBegin) Fail("%s: is not a .png file", name.c_str());
  const auto byte = [&](size_t i) { return uint64_t{static_cast<unsigned char>(head[i])}; };
  const auto number = [&](size_t i) { return byte(i) << 24 | byte(i + 1) << 16 | byte(i + 2) << 8 | byte(i + 3); };
  constexpr uint64_t kChannels[] = {1, 1, 3, 1, 2, 1, 4};  // libpng judges the types that there are not
  Header header{number(16), number(20), 0};
  if (header.width * header.height > kMaxPixels) Fail("%s: more than 2^28 pixels", name.c_str());
  const uint64_t bits = byte(24) * (byte(25) < 7 ? kChannels[byte(25)] : 1);
  header.bytes = header.height * ((header.width * bits + 7) / 8);
  return header;
}

}  // namespace

Array ReadPng(Input* in) {
  const std::string& name = in->name();
  std::string bytes;
  in->Read(26, &bytes);
  const Header header = ReadHeader(bytes, name);
  if (in->sized() && header.bytes / kMostSqueezed > in->left()) {
    Fail("%s: %zu bytes cannot hold %llu x %llu pixels", name.c_str(), bytes.size() + in->left(),
         static_cast<unsigned long long>(header.height), static_cast<unsigned long long>(header.width));
  }
  bytes += in->ReadAll(header.bytes + header.bytes / 8 + kMaxExtraBytes);
  pixels picture;
  if (pixels_read(&picture, bytes.data(), bytes.size()) == 0) Fail("%s: %s", name.c_str(), picture.error);
  const std::unique_ptr<pixels, void (*)(pixels*)> released(&picture, pixels_free);
  Array array{picture.bits == 16 ? PTO_DTYPE_U16 : PTO_DTYPE_U8, {picture.rows, picture.cols}, ""};
  if (picture.channels > 1) array.shape.push_back(picture.channels);
  const auto size = static_cast<size_t>(array.Count() * pto_dtype_bytes(array.dtype));
  array.data.assign(reinterpret_cast<const char*>(picture.data), size);
  return array;
}

std::string FormatPng(const Array& array, const std::string& name) {
  const size_t rank = array.shape.size();
  const bool colour = rank == 3 && array.shape[2] == 3;
  if (rank != 2 && !colour) {
    Fail("%s: a picture is RxC or RxCx3, not %s", name.c_str(), ShapeText(array.shape).c_str());
  }
  if (array.Count() == 0 || array.Count() > static_cast<int64_t>(kMaxPixels) * 3) {
    Fail("%s: no picture has the shape %s", name.c_str(), ShapeText(array.shape).c_str());
  }
  // Floats are 0..1; u16 has samples of 16 bits, other integers have 0..255; what lies outside is cut off.
  const bool wide = array.dtype == PTO_DTYPE_U16;
  const bool unit = IsFloat(array.dtype);
  std::string samples = wide ? array.data : std::string(static_cast<size_t>(array.Count()), '\0');
  for (int64_t i = 0; i < array.Count() && !wide; ++i) {
    StoreElement(PTO_DTYPE_U8, ElementAt(array, i) * (unit ? 255 : 1), samples.data() + i);
  }
  pixels picture = {};
  picture.rows = static_cast<uint32_t>(array.shape[0]);
  picture.cols = static_cast<uint32_t>(array.shape[1]);
  picture.channels = colour ? 3 : 1;
  picture.bits = wide ? 16 : 8;
  picture.data = reinterpret_cast<unsigned char*>(samples.data());
  unsigned char* bytes = nullptr;
  size_t size = 0;
  if (pixels_write(&picture, &bytes, &size) == 0) Fail("%s: %s", name.c_str(), picture.error);
  const std::unique_ptr<unsigned char, decltype(&std::free)> freed(bytes, std::free);
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace pto::cli

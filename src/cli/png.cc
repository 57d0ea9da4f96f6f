// Pictures: 8-bit grey or RGB PNG through libpng.
#include <png.h>

#include <cmath>
#include <cstring>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"

namespace pto::cli {

namespace {

constexpr uint64_t kMaxPixels = uint64_t{1} << 28;
constexpr size_t kMaxExtraBytes = size_t{64} << 20;  // of a picture's profile, comments and the like
constexpr uint64_t kMostSqueezed = 1032;             // bytes that one byte of zlib's can stand for

// What the header says: the first chunk, whose place and form the format fixes.
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

// Frees what libpng holds, however the scope is left.
class Image {
 public:
  Image() { png_.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&png_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  png_image* operator->() { return &png_; }
  png_image* get() { return &png_; }

 private:
  png_image png_ = {};
};

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
  Image image;
  if (png_image_begin_read_from_memory(image.get(), bytes.data(), bytes.size()) == 0) {
    Fail("%s: %s", name.c_str(), image->message);
  }
  const bool colour = (image->format & PNG_FORMAT_FLAG_COLOR) != 0;
  image->format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Array array{PTO_DTYPE_U8, {image->height, image->width}, std::string(PNG_IMAGE_SIZE(*image.get()), '\0')};
  if (colour) array.shape.push_back(3);
  if (png_image_finish_read(image.get(), nullptr, array.data.data(), 0, nullptr) == 0) {
    Fail("%s: %s", name.c_str(), image->message);
  }
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
  // Floats are 0..1, integers 0..255; what lies outside is cut off.
  const bool unit = IsFloat(array.dtype);
  std::string pixels(static_cast<size_t>(array.Count()), '\0');
  for (int64_t i = 0; i < array.Count(); ++i) {
    StoreElement(PTO_DTYPE_U8, ElementAt(array, i) * (unit ? 255 : 1), pixels.data() + i);
  }
  Image image;
  image->height = static_cast<png_uint_32>(array.shape[0]);
  image->width = static_cast<png_uint_32>(array.shape[1]);
  image->format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(image.get(), nullptr, &size, 0, pixels.data(), 0, nullptr) == 0) {
    Fail("%s: %s", name.c_str(), image->message);
  }
  std::string out(size, '\0');
  if (png_image_write_to_memory(image.get(), out.data(), &size, 0, pixels.data(), 0, nullptr) == 0) {
    Fail("%s: %s", name.c_str(), image->message);
  }
  out.resize(size);
  return out;
}

}  // namespace pto::cli

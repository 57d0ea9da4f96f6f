// Pictures: 8-bit grey or RGB PNG through libpng.
#include <png.h>

#include <cmath>
#include <cstring>

#include "src/cli/array.h"
#include "src/cli/cli.h"

namespace pto::cli {

namespace {

constexpr uint64_t kMaxPixels = uint64_t{1} << 28;

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

Array ParsePng(std::string_view bytes, const std::string& name) {
  Image image;
  if (png_image_begin_read_from_memory(image.get(), bytes.data(), bytes.size()) == 0) {
    Fail("%s: %s", name.c_str(), image->message);
  }
  if (uint64_t{image->width} * image->height > kMaxPixels) Fail("%s: more than 2^28 pixels", name.c_str());
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
  const bool unit = array.dtype == PTO_DTYPE_F16 || array.dtype == PTO_DTYPE_BF16 || array.dtype == PTO_DTYPE_F32;
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

// Arrays as files hold them: .npy and .png, to and from packed elements.
#ifndef PTO_SRC_CLI_ARRAY_H_
#define PTO_SRC_CLI_ARRAY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"

namespace pto::cli {

class Input;

struct Array {
  pto_dtype dtype = PTO_DTYPE_F32;
  std::vector<int64_t> shape;  // the last one fastest
  std::string data;            // packed

  // No overflow: all shapes are Sane().
  int64_t Count() const {
    int64_t n = 1;
    for (const int64_t extent : shape) n *= extent;
    return n;
  }
};

// Whether a shape is one that this machine could hold, if no extent of it were 0.
bool Sane(const std::vector<int64_t>& shape);

// `RxC:dtype`: extents by x, then an element type; either part may be absent.
struct ShapeSpec {
  bool has_shape = false;
  bool has_dtype = false;
  std::vector<int64_t> shape;
  pto_dtype dtype = PTO_DTYPE_F32;
};
ShapeSpec ParseShape(const std::string& text);

// Arrays have elements of packed types as codes, a byte each; tiles and tensors have two a byte, rows of the last
// dimension from a byte each.
bool IsPacked(pto_dtype dtype);
std::string PackedData(const Array& array);
void SetPackedData(const std::string& packed, Array* array);

bool IsFloat(pto_dtype dtype);
// As what numpy has the bits of a type that it has not itself: u16 of bf16, u8 of floats of a byte; others as they are.
pto_dtype BitsOf(pto_dtype dtype);
// "f32", "bf16" ..., or a name of PTO-AS: "ui8", "half" ...; returns false for an unknown name.
bool FindDType(std::string_view name, pto_dtype* out);
std::string ShapeText(const std::vector<int64_t>& shape);

// By the suffix: .npy or .png. A wish for a type that numpy has not takes BitsOf() it; one for another
// type of a picture takes samples as they are for integers that hold all of them and as 0..1 for floats.
Array ReadArray(const std::string& path, const ShapeSpec& wish);
// Failure if the name of an output has neither suffix, unless it is a stream.
void NeedFormat(const std::string& path);
// The content of a file, in the format of its suffix.
std::string FormatArray(const std::string& path, const Array& array);

// The formats; `name` is for messages. The sizes in a header are compared with the size of the
// file before memory is allocated, and no more is read than the header has.
Array ReadNpy(Input* in);
std::string FormatNpy(const Array& array);
Array ReadPng(Input* in);  // samples as the file has them, u8 or u16: RxC, or RxCx3
std::string FormatPng(const Array& array, const std::string& name);

// Element `index` as a number.
double ElementAt(const Array& array, int64_t index);
// The nearest value of a type, ties to even; floats beyond the range are infinite, integers saturate and NaN is 0.
void StoreElement(pto_dtype dtype, double value, char* out);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_ARRAY_H_

// Crossing the border between the C header's types and the library's own, and
// the proof that both number things alike.
#ifndef PTO_SRC_API_API_ABI_H_
#define PTO_SRC_API_API_ABI_H_

#include <cstddef>
#include <cstring>

#include "include/pto_c.h"
#include "src/objects/context.h"
#include "src/objects/scalar.h"
#include "src/objects/tensor.h"
#include "src/objects/tile.h"

namespace pto {

template <class T, class C>
constexpr bool Same(T ours, C theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}

#define DTYPE(enumerator, c_name, ...) static_assert(Same(DType::enumerator, c_name));
#include "src/records/dtypes.inc"
static_assert(Same(Profile::kCpu, PTO_PROFILE_CPU) && Same(Profile::kA2A3, PTO_PROFILE_A2A3) &&
              Same(Profile::kA5, PTO_PROFILE_A5) && kProfileCount == PTO_PROFILE_A5 + 1);
static_assert(Same(Status::kOk, PTO_OK) && Same(Status::kNull, PTO_ERROR_NULL) &&
              Same(Status::kArgument, PTO_ERROR_ARGUMENT) && Same(Status::kDType, PTO_ERROR_DTYPE) &&
              Same(Status::kLayout, PTO_ERROR_LAYOUT) && Same(Status::kShape, PTO_ERROR_SHAPE) &&
              Same(Status::kAlias, PTO_ERROR_ALIAS) && Same(Status::kAddress, PTO_ERROR_ADDRESS) &&
              Same(Status::kMemory, PTO_ERROR_MEMORY) && Same(Status::kUnknown, PTO_ERROR_UNKNOWN) &&
              Same(Status::kProgram, PTO_ERROR_PROGRAM));
static_assert(Same(Location::kVec, PTO_LOCATION_VEC) && Same(Location::kMat, PTO_LOCATION_MAT) &&
              Same(Location::kLeft, PTO_LOCATION_LEFT) && Same(Location::kRight, PTO_LOCATION_RIGHT) &&
              Same(Location::kAcc, PTO_LOCATION_ACC) && Same(Location::kBias, PTO_LOCATION_BIAS) &&
              Same(Location::kScaling, PTO_LOCATION_SCALING) && Same(Location::kScaleLeft, PTO_LOCATION_SCALE_LEFT) &&
              Same(Location::kScaleRight, PTO_LOCATION_SCALE_RIGHT));
static_assert(Same(BLayout::kRowMajor, PTO_BLAYOUT_ROW_MAJOR) && Same(BLayout::kColMajor, PTO_BLAYOUT_COL_MAJOR));
static_assert(Same(SLayout::kNoneBox, PTO_SLAYOUT_NONE_BOX) && Same(SLayout::kRowMajor, PTO_SLAYOUT_ROW_MAJOR) &&
              Same(SLayout::kColMajor, PTO_SLAYOUT_COL_MAJOR));
static_assert(Same(Compact::kNormal, PTO_COMPACT_NORMAL) && Same(Compact::kRowPlusOne, PTO_COMPACT_ROW_PLUS_ONE) &&
              Same(Compact::kRowAlignedPadding, PTO_COMPACT_ROW_ALIGNED_PADDING));
static_assert(Same(Role::kOut, PTO_ROLE_OUT) && Same(Role::kIn, PTO_ROLE_IN) && Same(Role::kTmp, PTO_ROLE_TMP) &&
              Same(Role::kFlags, PTO_ROLE_FLAGS) && Same(Role::kTensorOut, PTO_ROLE_TENSOR_OUT) &&
              Same(Role::kTensorIn, PTO_ROLE_TENSOR_IN) && Same(Role::kInOut, PTO_ROLE_INOUT) &&
              Same(Role::kScalar, PTO_ROLE_SCALAR) && Same(Role::kInt, PTO_ROLE_INT) &&
              Same(Role::kMode, PTO_ROLE_MODE));
static_assert(Same(Extent::kSame, PTO_EXTENT_SAME) && Same(Extent::kRow, PTO_EXTENT_ROW) &&
              Same(Extent::kColumn, PTO_EXTENT_COLUMN) && Same(Extent::kRepeat, PTO_EXTENT_REPEAT) &&
              Same(Extent::kPart, PTO_EXTENT_PART) && Same(Extent::kBits, PTO_EXTENT_BITS) &&
              Same(Extent::kRowResults, PTO_EXTENT_ROW_RESULTS) && Same(Extent::kColResults, PTO_EXTENT_COL_RESULTS) &&
              Same(Extent::kFirst, PTO_EXTENT_FIRST) && Same(Extent::kTransposed, PTO_EXTENT_TRANSPOSED) &&
              Same(Extent::kWindow, PTO_EXTENT_WINDOW) && Same(Extent::kJoined, PTO_EXTENT_JOINED) &&
              Same(Extent::kWhole, PTO_EXTENT_WHOLE) && Same(Extent::kAround, PTO_EXTENT_AROUND) &&
              Same(Extent::kOwn, PTO_EXTENT_OWN) && Same(Extent::kDouble, PTO_EXTENT_DOUBLE) &&
              Same(Extent::kLeft, PTO_EXTENT_LEFT) && Same(Extent::kRight, PTO_EXTENT_RIGHT) &&
              Same(Extent::kIndex, PTO_EXTENT_INDEX) && Same(Extent::kBlockIndex, PTO_EXTENT_BLOCK_INDEX) &&
              Same(Extent::kRows, PTO_EXTENT_ROWS) && Same(Extent::kRecords, PTO_EXTENT_RECORDS) &&
              Same(Extent::kBins, PTO_EXTENT_BINS) && Same(Extent::kTableIndex, PTO_EXTENT_TABLE_INDEX) &&
              Same(Extent::kLeftScales, PTO_EXTENT_LEFT_SCALES) &&
              Same(Extent::kRightScales, PTO_EXTENT_RIGHT_SCALES) && Same(Extent::kRowGroups, PTO_EXTENT_ROW_GROUPS) &&
              Same(Extent::kColGroups, PTO_EXTENT_COL_GROUPS));
static_assert(Same(ScalarKind::kInt, PTO_SCALAR_INT) && Same(ScalarKind::kUint, PTO_SCALAR_UINT) &&
              Same(ScalarKind::kFloat, PTO_SCALAR_FLOAT) && Same(ScalarKind::kBits, PTO_SCALAR_BITS));
static_assert(sizeof(Scalar) == sizeof(pto_scalar) && offsetof(Scalar, kind) == offsetof(pto_scalar, kind));
static_assert(Same(TensorLayout::kND, PTO_LAYOUT_ND) && Same(TensorLayout::kDN, PTO_LAYOUT_DN) &&
              Same(TensorLayout::kNZ, PTO_LAYOUT_NZ) &&
              static_cast<int>(TensorLayout::kEnd) == PTO_LAYOUT_FRACTAL_Z_3D + 1);
static_assert(Same(kHighPrecision, PTO_HIGH_PRECISION));

inline pto_status Abi(Status status) { return static_cast<pto_status>(status); }

// A C caller may pass any integer as an enum. In C++ no expression may read such a
// value as its enum, so it is looked at by reference and read as bits.
template <class E>
int32_t RawEnum(const E& value) {
  int32_t raw = 0;
  static_assert(sizeof raw == sizeof value);
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}
template <class E>
bool InEnum(const E& value, int count) {
  const int32_t n = RawEnum(value);
  return n >= 0 && n < count;
}

// Operands of a call are listed alike, as Execute() takes them; const in the C
// signature means that a source is not written.
inline pto_tile* Source(const pto_tile* tile) { return const_cast<pto_tile*>(tile); }
inline pto_tensor* Source(const pto_tensor* tensor) { return const_cast<pto_tensor*>(tensor); }

inline Scalar Ours(const pto_scalar& scalar) { return {scalar.bits, scalar.kind, scalar.reserved}; }

// A tensor `offset` bytes after the beginning of storage, once its elements were found to lie in it; nullptr: the error
// is in the context.
pto_tensor* TensorIn(pto_context* ctx, const char* call, const pto_tensor_desc* desc, Storage* storage, int64_t offset);

// The first check of a typed copy: the caller's elements have the type of the tile or tensor.
template <class Handle>
Status CheckElement(pto_context* ctx, const char* call, const char* name, const Handle* handle, DType holds,
                    const pto_dtype& dtype) {
  if (ctx == nullptr) return Status::kNull;
  if (handle == nullptr) return ctx->error.Set(Rule::kNull, call, name, "%s is NULL", name);
  if (!InEnum(dtype, kDTypeCount)) {
    return ctx->error.Set(Rule::kDTypeKnown, call, "dtype", "dtype is %d where 0 to %d are known", RawEnum(dtype),
                          kDTypeCount - 1);
  }
  if (Same(holds, dtype)) return Status::kOk;
  return ctx->error.Set(Rule::kElementType, call, "dtype", "elements of %s where the %s holds %s",
                        pto_dtype_name(dtype), name, Info(holds).name);
}

}  // namespace pto

#endif  // PTO_SRC_API_API_ABI_H_

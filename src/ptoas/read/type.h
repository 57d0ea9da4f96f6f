// Types of PTO-AS: one plain struct for all kinds. A program keeps each distinct
// type once, so that equal types have equal addresses, however they were spelled.
#ifndef PTO_SRC_PTOAS_TYPE_H_
#define PTO_SRC_PTOAS_TYPE_H_

#include <cstdint>
#include <string_view>

#include "include/pto_c.h"

namespace pto::ptoas {

// Element and scalar types. iN is signless: the operation gives it a sign; uiN
// and siN are types of their own.
enum class Elem : uint8_t {
#define ELEMENT(enumerator, ...) enumerator,
#include "src/ptoas/read/elements.inc"
};

// A row of elements.inc, which explains the fields.
struct ElemInfo {
  const char* name;
  uint8_t bits;  // index counts as 64; 0 for kNone
  enum Class : uint8_t { kOther, kInt, kUnsigned, kSigned, kIndexClass, kFloat } kind;
  int dtype = -1;
  std::string_view aliases = {};
};
extern const ElemInfo kElemInfos[];  // by the number of the type
inline const ElemInfo& Info(Elem elem) { return kElemInfos[static_cast<int>(elem)]; }
// Knows the ISA pages' names too: half, float, int8, u8, uint8_t ... kNone: no such type.
Elem ElemByName(std::string_view name);
inline int BytesOf(Elem elem) { return (Info(elem).bits + 7) / 8; }
inline bool IsFloat(Elem elem) { return Info(elem).kind == ElemInfo::kFloat; }
inline bool IsInteger(Elem elem) { return Info(elem).kind != ElemInfo::kFloat && elem != Elem::kNone; }

// iN is treated as signed. False: the library has no such element type.
bool DTypeOf(Elem elem, pto_dtype* out);

// The scalar type as which an element is shown.
Elem ElemOf(pto_dtype dtype);

// The first nine have the values of pto_location.
enum class Loc : uint8_t { kVec, kMat, kLeft, kRight, kAcc, kBias, kScaling, kScaleLeft, kScaleRight };
inline constexpr int kLocCount = 9;
// Values of pto_blayout and pto_slayout.
enum class BLayout : uint8_t { kRowMajor, kColMajor };
enum class SLayout : uint8_t { kNoneBox, kRowMajor, kColMajor };
// A custom pad value is written with its bits: this and they.
inline constexpr int64_t kCustomPad = int64_t{1} << 32;
const char* NameOf(Loc loc);
const char* NameOf(BLayout layout);
const char* NameOf(SLayout layout);

enum class TypeKind : uint8_t {
  kScalar,         // elem: i1, i32, f32, index ...
  kTile,           // !pto.tile_buf<...>, !pto.tile<...>: dims = {rows, cols} and the tile fields
  kAnyTile,        // a tile type written `...`: agrees with every tile type
  kAnyView,        // a view type written `...`: agrees with every view
  kAnyScalar,      // a scalar type written `dtype`: agrees with every scalar type
  kPtr,            // !pto.ptr<elem>, !pto.ptr<elem, loc>; of rank 1: !pto.ptr<vector<dims[0] x elem>>
  kTensorView,     // !pto.tensor_view<dims x elem>
  kPartitionView,  // !pto.partition_tensor_view<dims x elem>
  kVector,         // vector<dims x elem>
  kNone,           // none
  kPipe,           // !pto.pipe
  kAsyncSession,   // !pto.async_session
  kAsyncEvent,     // !pto.async_event
  kEvent,          // !pto.event
  kEventIdArray,   // !pto.eventid_array<dims[0]>
  kLocalArray,     // !pto.local_array<dims x elem>
  kMultiTile,      // !pto.multi_tile_buf<tile, count=N>: the members of its tile, and count
  kPrefetch,       // !pto.prefetch_async_context
  kVreg,           // !pto.vreg<dims[0] x elem>: 256 bytes
  kMask,           // !pto.mask<b8>: dims[0] = 8, 16 or 32; 0: !pto.mask, of any granularity
  kAlign,          // !pto.align: the state of an unaligned stream
  kOpaque,         // memref<...> and types of other dialects: `text` is what was written
};

inline constexpr int64_t kDynamic = -1;  // `?`
inline constexpr int kMaxRank = 8;
inline constexpr int64_t kMaxLanes = int64_t{1} << 16;  // of a vector

struct Type {
  TypeKind kind = TypeKind::kScalar;
  Elem elem = Elem::kNone;
  uint8_t rank = 0;
  // Tiles only.
  Loc loc = Loc::kVec;
  BLayout blayout = BLayout::kRowMajor;
  SLayout slayout = SLayout::kNoneBox;
  uint8_t pad = 0;          // a pto_pad below PTO_PAD_CUSTOM; larger values are errors
  uint8_t compact = 0;      // a pto_compact; larger values are errors
  bool custom_pad = false;  // pad_bits instead of pad
  bool local = false;       // kPtr: into the on-chip memory of loc
  bool strided = false;     // kTensorView: a memref with these strides; kTile: with the strides of a larger tile
  uint8_t count = 0;        // kMultiTile: tiles
  int32_t fractal = 512;
  uint32_t pad_bits = 0;
  int64_t dims[kMaxRank] = {};  // kDynamic: `?`
  int64_t valid_row = 0;        // kDynamic: `?`
  int64_t valid_col = 0;
  int64_t strides[kMaxRank] = {};
  int64_t offset = 0;     // of a strided memref, unused: a view begins with its first element
  std::string_view text;  // kOpaque only

  int64_t rows() const { return dims[0]; }
  int64_t cols() const { return dims[1]; }
  // For a tile: the elements of its rows and columns, without what fills its boxes; -1: 2^60 or more.
  int64_t Bytes() const;
  bool IsTile() const { return kind == TypeKind::kTile || kind == TypeKind::kAnyTile; }
  bool IsView() const { return kind == TypeKind::kTensorView || kind == TypeKind::kPartitionView; }
  bool MayBeView() const { return IsView() || kind == TypeKind::kAnyView; }
  // Written without saying which: `...` or `dtype`.
  bool IsOpen() const {
    return kind == TypeKind::kAnyTile || kind == TypeKind::kAnyView || kind == TypeKind::kAnyScalar;
  }
  bool IsScalar(Elem e) const { return kind == TypeKind::kScalar && elem == e; }
  bool IsNumber() const { return kind == TypeKind::kScalar || kind == TypeKind::kAnyScalar; }
  bool IsIndex() const { return IsScalar(Elem::kIndex); }
  // Elements of a vector; 0 for another type, a dynamic extent, or too many elements.
  int64_t Lanes() const { return kind == TypeKind::kVector ? Elements() : 0; }
  int64_t Elements() const;  // of any type; 0 as for vectors
  // For a pointer to vectors the elements of one; else 0.
  int64_t LanesAt() const { return kind == TypeKind::kPtr && rank == 1 ? dims[0] : 0; }
};

// A tile's type without the strides of a larger one.
Type Dense(const Type& type);

// vector<4xi16>: how many records of each list a merge took.
inline bool IsCounts(const Type* type) {
  return type != nullptr && type->kind == TypeKind::kVector && type->Lanes() == 4 && type->elem == Elem::kI16;
}

// A tile of a kMultiTile.
Type SlotOf(const Type& tiles);

// Member by member. Types of one program are equal exactly when their addresses are.
bool SameType(const Type& a, const Type& b);

// Rule A2: equal, but `!pto.mask` agrees with every mask, `...` agrees with every tile, or every view, and `dtype` with
// every scalar, a left tile's blayout is the target's choice, and a type that was not written (nullptr) agrees with
// all.
bool TypesAgree(const Type* a, const Type* b);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_TYPE_H_

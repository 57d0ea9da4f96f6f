// A tile: geometry that was checked when it was made, packed so that a call can
// compare tiles with a few words, and counted storage.
#ifndef PTO_SRC_OBJECTS_TILE_H_
#define PTO_SRC_OBJECTS_TILE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "src/objects/layout.h"
#include "src/objects/storage.h"
#include "src/records/op_info.h"

namespace pto {

enum class Location : uint8_t {
  kVec = 0,
  kMat = 1,
  kLeft = 2,
  kRight = 3,
  kAcc = 4,
  kBias = 5,
  kScaling = 6,
  kScaleLeft = 7,
  kScaleRight = 8,
};
inline constexpr int kLocationCount = 9;
inline constexpr int64_t kKiB = 1024;

// An on-chip memory, and how many bytes of it the hardware has. The CPU profile has none of its own: its memories are
// as large as the context's limit.
struct LocationInfo {
  const char* name;
  ByProfile<int64_t> capacity;
};
inline constexpr LocationInfo kLocations[kLocationCount] = {
    {"vec", {.cpu = 0, .a2a3 = 192 * kKiB, .a5 = 256 * kKiB}},
    {"mat", {.cpu = 0, .a2a3 = 512 * kKiB, .a5 = 512 * kKiB}},
    {"left", {.cpu = 0, .a2a3 = 64 * kKiB, .a5 = 64 * kKiB}},
    {"right", {.cpu = 0, .a2a3 = 64 * kKiB, .a5 = 64 * kKiB}},
    {"acc", {.cpu = 0, .a2a3 = 128 * kKiB, .a5 = 256 * kKiB}},
    {"bias", {.cpu = 0, .a2a3 = 1 * kKiB, .a5 = 4 * kKiB}},
    {"scaling", {.cpu = 0, .a2a3 = 2 * kKiB, .a5 = 4 * kKiB}},
    {"scale_left", {.cpu = 0, .a2a3 = 0, .a5 = 4 * kKiB}},
    {"scale_right", {.cpu = 0, .a2a3 = 0, .a5 = 4 * kKiB}},
};
constexpr const LocationInfo& Info(Location location) { return kLocations[static_cast<int>(location)]; }
inline constexpr int64_t kOnChipAlignment = 32;
inline constexpr int64_t kMaxTileBytes = int64_t{1} << 40;

struct Geometry {
  DType dtype = DType::kF32;
  Location location = Location::kVec;
  BLayout blayout = BLayout::kRowMajor;
  SLayout slayout = SLayout::kNoneBox;
  uint8_t pad = 0;
  Compact compact = Compact::kNull;
  uint32_t pad_bits = 0;
  int32_t fractal = 512;
  int32_t rows = 1;
  int32_t cols = 1;
};

// The parts of a geometry that instructions compare, in one word: equal words
// mean equal element type, location and order of elements.
constexpr uint64_t PackKind(DType dtype, Location location, BLayout blayout, SLayout slayout) {
  return static_cast<uint64_t>(dtype) | static_cast<uint64_t>(location) << 8 | static_cast<uint64_t>(blayout) << 16 |
         static_cast<uint64_t>(slayout) << 24;
}
// Set on tiles that hold two elements per byte; calls unpack them first.
inline constexpr uint64_t kKindPacked = uint64_t{1} << 32;
inline constexpr uint64_t kKindDTypeMask = 0xff;
inline constexpr uint64_t kKindLocationMask = 0xff00;
inline constexpr uint64_t kKindBLayoutMask = 0xff0000;
// Everything but the element type of an unboxed row-major vector tile is 0.
static_assert(PackKind(DType{0}, Location::kVec, BLayout::kRowMajor, SLayout::kNoneBox) == 0);

constexpr uint64_t PackValid(int32_t rows, int32_t cols) {
  return static_cast<uint64_t>(static_cast<uint32_t>(rows)) << 32 | static_cast<uint32_t>(cols);
}

// A version that no tile of the process has had.
inline std::atomic<uint64_t> g_tile_versions{0};
inline uint64_t NewVersion() { return g_tile_versions.fetch_add(1, std::memory_order_relaxed) + 1; }

}  // namespace pto

// The struct of the public handle, hence its name and its place.
struct pto_tile {
  // Members that every call reads are first, in one cache line.
  uint64_t kind = 0;        // PackKind
  uint64_t valid = 0;       // PackValid
  uint8_t* data = nullptr;  // first element; nullptr for a manual tile without an address
  int64_t bytes = 0;        // size of the elements, all of them
  int64_t line = 0;         // layout.LineStep()
  // Another one whenever something else in here but `refs` is written: src/engine/kept.h.
  uint64_t version = pto::NewVersion();
  pto::ProfileSet ready = 0;  // profiles that accept the geometry; 0 without storage
  pto::ProfileSet legal = 0;  // profiles that accept the geometry
  pto::Geometry geometry;
  pto::Layout layout;
  pto::Storage* storage = nullptr;
  pto::RefCount refs;

  int32_t ValidRows() const { return static_cast<int32_t>(valid >> 32); }
  int32_t ValidCols() const { return static_cast<int32_t>(valid); }
  pto::DType dtype() const { return static_cast<pto::DType>(kind & pto::kKindDTypeMask); }
  // As engines see it: they get the tiles of packed types unpacked.
  int32_t ElementBytes() const { return pto::Info(dtype()).bytes; }
  int64_t ValidBytes() const { return int64_t{ValidRows()} * ValidCols() * ElementBytes(); }
  // Rows that there is storage for: in a compact tile perhaps no more than those that are valid, rounded up.
  int32_t StoredRows() const {
    if (geometry.compact != pto::Compact::kNormal || geometry.blayout != pto::BLayout::kColMajor || !layout.Boxed()) {
      return geometry.rows;
    }
    return static_cast<int32_t>(std::min<int64_t>(geometry.rows, layout.col_box / layout.box_cols));
  }
  bool RowMajorVector() const { return (kind & ~(pto::kKindDTypeMask | pto::kKindPacked)) == 0; }

  // Takes a reference to the storage and releases the former one.
  void SetStorage(pto::Storage* next, uint8_t* first) {
    pto::Storage::Release(storage);
    storage = next;
    data = first;
    version = pto::NewVersion();
    ready = first == nullptr ? pto::ProfileSet{0} : legal;
    // Devices address the memory of a tile in blocks; a view may begin within one.
    if (first != nullptr && (first - next->data) % pto::kOnChipAlignment != 0) ready &= pto::profiles::kCpu;
  }
};

namespace pto {

// A geometry rule that a tile breaks under a profile, or nothing.
struct GeometryFault {
  bool broken = false;
  Rule rule = Rule::kNull;
  int64_t value = 0;       // what the rule looks at: bytes of a line, rows or columns, bytes of the tile
  int64_t limit = 0;       // what it should be a multiple of, or at most
  const char* field = "";  // of the descriptor
};
GeometryFault CheckGeometry(const Geometry& geometry, Profile profile);

// Words a fault for a call. `operand` names the tile of an instruction; nullptr is a
// tile that is being made, and then the field is at fault.
struct Error;
Status RefuseGeometry(Error& error, const GeometryFault& fault, const Geometry& geometry, Profile profile,
                      const char* call, const char* operand);

// What the storage of a geometry holds.
int64_t StorageElements(const Geometry& geometry);
int64_t StorageBytes(const Geometry& geometry);

// A tile without storage; nullptr when memory is out. Precondition: the geometry's
// fields are in range and its size is at most kMaxTileBytes.
pto_tile* NewTile(const Geometry& geometry, int32_t valid_rows, int32_t valid_cols);

// A tile over the rectangle of rows x cols at (row, col) of another one, valid where
// that is; nullptr when memory is out. Precondition: the rectangle lies in the tile
// and begins with a byte and, when it is boxed, at the border of a box; the tile has storage.
pto_tile* NewView(const pto_tile& tile, int32_t row, int32_t col, int32_t rows, int32_t cols);

// A tile of another geometry over the bytes of one; nullptr when memory is out.
// Precondition: the tile has storage without gaps, and enough of it.
pto_tile* NewReshape(const pto_tile& tile, const Geometry& geometry, int32_t valid_rows, int32_t valid_cols);

// Precondition: the extents are in range. In a compact tile elements move: what its bytes mean is another tile.
void SetValid(pto_tile* tile, int32_t rows, int32_t cols);

// The elements lie as in a tile made from its geometry: it is not a strided view.
bool Dense(const pto_tile& tile);

void RetainTile(const pto_tile* tile);
void ReleaseTile(pto_tile* tile);

// memcpy() in pieces, which costs nothing. It avoids REP MOVSB, up to 30 times slower on some
// machines when `from` begins a few bytes before the place that `to` has in a page: glibc
// takes it for more than 2 KiB, and gcc for a memcpy() of known size, hence memmove().
inline void CopyBytes(uint8_t* to, const uint8_t* from, int64_t bytes) {
  constexpr int64_t kPiece = 1024;
  for (int64_t done = 0; done < bytes; done += kPiece) {
    std::memmove(to + done, from + done, static_cast<size_t>(std::min(kPiece, bytes - done)));
  }
}

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_TILE_H_

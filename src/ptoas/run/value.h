// Run-time values of a PTO-AS program: numbers, and counted handles of the C API.
#ifndef PTO_SRC_PTOAS_VALUE_H_
#define PTO_SRC_PTOAS_VALUE_H_

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "include/pto_c.h"

namespace pto::ptoas {

struct Box;
namespace vec {
// Gives a register back to its pool.
void Return(Box* box);
}  // namespace vec

// The object of a tile, a view or a pointer. Counted by the values that name it
// and by the boxes that share its storage, so that a tile whose box has one owner
// left has no other user. One thread at a time runs a program.
// Boxes that share refer to the one that had the storage first: never a chain, for
// a loop would make one of any length, and releasing it would go as deep.
struct Box {
  int64_t refs = 1;
  pto_tile* tile = nullptr;
  pto_tensor* tensor = nullptr;
  Box* root = nullptr;         // whose storage this one shares; a root has none itself
  int64_t bytes = 0;           // memory that counts for the box ...
  int64_t* account = nullptr;  // ... in this account
  int64_t address = -1;        // where the run placed the tile in the memory of its location; below 0: nowhere
  bool moved = false;          // the tile was given other storage after it was made
  bool carries = false;        // bound: its data moves with it to the first address of a run
  bool pooled = false;         // a vec::Register
  std::vector<Box*> tiles;     // of a multi_tile_buf
  // Memory that pointers with byte addresses are into: its first byte and how many there are.
  char* data = nullptr;
  int64_t extent = 0;
  std::vector<int64_t> words;  // events of an array, or elements of a vector: integers, or the bits of doubles

  // Takes over the caller's reference to a handle, when there is no memory too.
  static Box* OfTile(pto_tile* tile) {
    Box* box = new (std::nothrow) Box;
    if (box == nullptr) {
      pto_tile_release(tile);
      throw std::bad_alloc();
    }
    box->tile = tile;
    return box;
  }
  static Box* OfTensor(pto_tensor* tensor) {
    Box* box = new (std::nothrow) Box;
    if (box == nullptr) {
      pto_tensor_release(tensor);
      throw std::bad_alloc();
    }
    box->tensor = tensor;
    return box;
  }

  void Share(Box* whole) {
    root = whole->root != nullptr ? whole->root : whole;
    root->Retain();
  }
  void Retain() { ++refs; }
  void Release() {
    if (--refs != 0) return;
    if (pooled) return vec::Return(this);
    pto_tile_release(tile);
    pto_tensor_release(tensor);
    if (account != nullptr) *account -= bytes;
    if (root != nullptr) root->Release();
    for (Box* one : tiles) one->Release();
    delete this;
  }
};

enum class ValueKind : uint8_t {
  kNone,    // not assigned yet
  kInt,     // integer: sign-extended; i1 is 0 or 1
  kFloat,   // number
  kTile,    // box->tile
  kTensor,  // box->tensor: a tensor_view or partition_tensor_view
  kPtr,     // integer elements after the first of box->tensor, or of the storage of box->tile
  kArray,   // box->words
  kTiles,   // box->tiles
  kVector,  // box->words, which nothing changes once they are there
  kVreg,    // box is a vec::Register
  kMask,
  kAddress,  // a byte offset into box->data
};

// For messages, with its article.
inline const char* KindName(ValueKind kind) {
  static constexpr const char* kNames[] = {"nothing",  "an integer", "a float",  "a tile",
                                           "a tensor", "a pointer",  "an array", "several tiles",
                                           "a vector", "a register", "a mask",   "a pointer"};
  return kNames[static_cast<int>(kind)];
}

// Copies share the box.
class RunValue {
 public:
  RunValue() = default;
  RunValue(const RunValue& other) : kind_(other.kind_), box_(other.box_), bits_(other.bits_) {
    if (box_ != nullptr) box_->Retain();
  }
  RunValue(RunValue&& other) noexcept { Swap(other); }
  RunValue& operator=(RunValue other) noexcept {
    Swap(other);
    return *this;
  }
  ~RunValue() {
    if (box_ != nullptr) box_->Release();
  }

  static RunValue Int(int64_t value) {
    RunValue made;
    made.SetInt(value);
    return made;
  }
  static RunValue Float(double value) {
    RunValue made;
    made.SetFloat(value);
    return made;
  }
  // Takes over the caller's reference.
  static RunValue Of(ValueKind kind, Box* box, int64_t offset = 0) {
    RunValue made;
    made.kind_ = kind;
    made.box_ = box;
    made.bits_.integer = offset;
    return made;
  }

  void SetInt(int64_t value) {
    if (box_ != nullptr) std::exchange(box_, nullptr)->Release();
    kind_ = ValueKind::kInt;
    bits_.integer = value;
  }
  void SetFloat(double value) {
    if (box_ != nullptr) std::exchange(box_, nullptr)->Release();
    kind_ = ValueKind::kFloat;
    bits_.number = value;
  }

  ValueKind kind() const { return kind_; }
  bool Is(ValueKind kind) const { return kind_ == kind; }
  Box* box() const { return box_; }
  bool IsTile(const pto_tile* tile) const { return kind_ == ValueKind::kTile && box_->tile == tile; }
  int64_t integer() const { return bits_.integer; }
  double number() const { return bits_.number; }
  // Numbers of one kind, bit by bit.
  bool SameNumber(const RunValue& other) const {
    return kind_ == other.kind_ && std::memcmp(&bits_, &other.bits_, sizeof bits_) == 0;
  }

 private:
  void Swap(RunValue& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(box_, other.box_);
    std::swap(bits_, other.bits_);
  }

  ValueKind kind_ = ValueKind::kNone;
  Box* box_ = nullptr;
  union Bits {
    int64_t integer;
    double number;
  } bits_ = {0};
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VALUE_H_

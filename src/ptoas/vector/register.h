// Registers of the vector level: 256 bytes. A mask has a byte for each of its 256 bits, 0 or 1, so that masks are
// moved, taken apart and put together as registers are. Each value has one; a pool keeps the unused ones.
#ifndef PTO_SRC_PTOAS_VECTOR_REGISTER_H_
#define PTO_SRC_PTOAS_VECTOR_REGISTER_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "src/ptoas/run/value.h"

namespace pto::ptoas::vec {

class RegisterPool;

// The largest distance from a pointer, in elements. Larger ones are clamped to it, so that byte offsets do not
// overflow; no memory is that large.
inline constexpr int64_t kFarIndex = int64_t{1} << 48;

// In each byte of an inactive lane, to find programs that depend on it.
inline constexpr uint8_t kPoison = 0xA5;

// The mask of all lanes of 1, 2, 4 or 8 bytes.
inline const uint8_t* AllLanes(int lane_bytes) {
  struct Ones {
    constexpr Ones() {
      for (int width = 0; width < 4; ++width) {
        for (int i = 0; i < 256; i += 1 << width) of[width][i] = 1;
      }
    }
    uint8_t of[4][256] = {};
  };
  static constexpr Ones kOnes;
  return kOnes.of[lane_bytes == 1 ? 0 : lane_bytes == 2 ? 1 : lane_bytes == 4 ? 2 : 3];
}

struct alignas(64) Register : Box {
  uint8_t bytes[256];
  // For a mask whose active lanes of `width` bytes are the first ones: their number. Below 0: any mask.
  int16_t prefix = -1;
  uint8_t width = 0;
  RegisterPool* pool = nullptr;

  void SetPrefix(int lane_bytes, int lanes) {
    const auto on = static_cast<size_t>(lanes * lane_bytes);
    std::memcpy(bytes, AllLanes(lane_bytes), on);
    std::memset(bytes + on, 0, sizeof bytes - on);
    prefix = static_cast<int16_t>(lanes);
    width = static_cast<uint8_t>(lane_bytes);
  }
};

class RegisterPool {
 public:
  // An unused register, or nullptr if the pool is empty.
  Register* Take() {
    if (free_.empty()) return nullptr;
    Register* taken = free_.back();
    free_.pop_back();
    taken->refs = 1;
    taken->prefix = -1;
    return taken;
  }
  // One more. Throws std::bad_alloc only.
  Register* Grow() {
    free_.reserve(all_.size() + 1);
    all_.push_back(std::make_unique<Register>());
    Register* made = all_.back().get();
    made->pool = this;
    made->pooled = true;
    return made;
  }
  // Memory for the registers of strips of loops: see strip.h.
  uint8_t* Room() {
    if (room_ == nullptr) room_ = std::unique_ptr<StripRoom>(new StripRoom);
    return room_->bytes;
  }
  void Return(Register* unused) { free_.push_back(unused); }  // Grow() made room

 private:
  struct alignas(64) StripRoom {
    uint8_t bytes[size_t{256} * 256];
  };

  std::vector<std::unique_ptr<Register>> all_;
  std::vector<Register*> free_;
  std::unique_ptr<StripRoom> room_;
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_REGISTER_H_

// Cores of a block that take turns, and what their pipes carry. Include pto-launch.hpp, which includes this file.
#ifndef PTO_PTO_CORES_HPP_
#define PTO_PTO_CORES_HPP_

#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pto/pto-pipe.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace detail {

inline constexpr int kCube = 0;  // vector cores follow
inline constexpr int kMostCores = 3;

// What of a tile travels: its valid region, row by row.
struct Piece {
  pto_dtype dtype = PTO_DTYPE_F32;
  int32_t rows = 0;
  int32_t cols = 0;
  std::vector<char> data;

  const char* At(int64_t row, int64_t col) const { return data.data() + (row * cols + col) * pto_dtype_bytes(dtype); }
};

// A ring of slots one way between the cube core and the vector cores.
struct Ring {
  struct Entry {
    int lanes = 1;  // vector cores that have a part of it
    int pushed = 0;
    int freed = 0;
    std::array<Piece, 2> pieces;
  };
  int64_t slots = 0;
  std::deque<Entry> entries;  // from `first` on
  int64_t first = 0;
  std::array<int64_t, 2> pushed{};  // by lane, or by the cube core
  std::array<int64_t, 2> popped{};
  std::array<int64_t, 2> freed{};

  // Freed slots are known by halves of a ring, of a small one all at a time.
  bool HasSlot(int64_t number) const {
    const int64_t period = slots <= 2 ? slots : slots / 2;
    return number - first / period * period < slots;
  }
  Entry& At(int64_t number) {
    while (first + static_cast<int64_t>(entries.size()) <= number) entries.emplace_back();
    return entries[static_cast<size_t>(number - first)];
  }
  bool Ready(int64_t number) const {
    const int64_t at = number - first;
    if (at >= static_cast<int64_t>(entries.size())) return false;
    const Entry& entry = entries[static_cast<size_t>(at)];
    return entry.pushed == entry.lanes;
  }
};

// The cores of a block, of which one runs at a time: until it has to wait for another one, so that results are the same
// every time.
class Cores {
 public:
  explicit Cores(int vectors) : count_(1 + vectors) {}
  int vectors() const { return count_ - 1; }

  // What a core does first and last.
  void Enter(int which) {
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.wait(lock, [&] { return running_ == which; });
  }
  void Leave(int which) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_[static_cast<size_t>(which)] = true;
    Pass();
  }
  // Lets others run until ready() is true. False: it never will be; all cores that wait are told.
  template <typename Ready>
  bool Wait(int which, const std::string& what, Ready&& ready) {
    if (ready()) return true;
    std::unique_lock<std::mutex> lock(mutex_);
    auto& waits = waits_[static_cast<size_t>(which)];
    waits.what = what;
    waits.data = &ready;
    waits.ready = [](void* data) { return (*static_cast<std::remove_reference_t<Ready>*>(data))(); };
    Pass();
    turn_.wait(lock, [&] { return running_ == which; });
    waits.ready = nullptr;
    return ready();
  }
  // Who waits for what, when nobody can go on.
  const std::string& deadlock() const { return deadlock_; }

  Ring& RingOf(int pipe, int direction, int64_t slots) {
    Ring& ring = rings_[{pipe, direction}];
    ring.slots = slots;
    return ring;
  }

 private:
  struct Waits {
    std::string what;
    void* data = nullptr;
    bool (*ready)(void*) = nullptr;
  };
  static const char* NameOf(int which) {
    constexpr const char* kNames[] = {"the cube core", "vector core 0", "vector core 1"};
    return kNames[which];
  }
  // Gives the turn to the first core that can go on; when there is none, to each that waits, which fails.
  void Pass() {
    running_ = -1;
    for (int which = 0; which < count_ && running_ < 0; ++which) {
      const Waits& waits = waits_[static_cast<size_t>(which)];
      if (!ended_[static_cast<size_t>(which)] && (waits.ready == nullptr || waits.ready(waits.data))) running_ = which;
    }
    for (int which = 0; which < count_ && running_ < 0; ++which) {
      if (!ended_[static_cast<size_t>(which)]) running_ = which;
    }
    if (running_ >= 0 && deadlock_.empty() && waits_[static_cast<size_t>(running_)].ready != nullptr &&
        !waits_[static_cast<size_t>(running_)].ready(waits_[static_cast<size_t>(running_)].data)) {
      for (int which = 0; which < count_; ++which) {
        if (ended_[static_cast<size_t>(which)]) continue;
        deadlock_ += (deadlock_.empty() ? "" : "; ") + std::string(NameOf(which)) + " waits " +
                     waits_[static_cast<size_t>(which)].what;
      }
    }
    turn_.notify_all();
  }

  const int count_;
  std::mutex mutex_;
  std::condition_variable turn_;
  int running_ = 0;
  std::array<bool, kMostCores> ended_{};
  std::array<Waits, kMostCores> waits_;
  std::string deadlock_;
  std::map<std::pair<int, int>, Ring> rings_;
};

inline thread_local Cores* cores = nullptr;
inline thread_local int this_core = kCube;

[[gnu::cold]] inline void RaisePipe(const char* rule, const std::string& message, const char* remedy) {
  Raise(PTO_ERROR_PROGRAM, rule, "pipe", message.c_str(), remedy);
}

// The part of a tile of so many rows or columns that a lane has: from where, and how much.
inline std::pair<int32_t, int32_t> PartOf(int32_t extent, int lane) {
  const int32_t half = (extent + 1) / 2;
  return lane == 0 ? std::pair(0, half) : std::pair(half, extent - half);
}

// One end of a pipe, on the core that calls.
class End {
 public:
  explicit End(const PipeEnd& end)
      : pipe_(end.pipe), directions_(end.directions), slot_size_(end.slot_size), slots_(end.slots), split_(end.split) {}

  void Push(pto_tile* tile) {
    const bool cube = this_core == kCube;
    if (tile == nullptr || !Open(cube ? 1 : 2) || Idle()) return;
    const int64_t bytes = int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile) * pto_dtype_bytes(pto_tile_dtype(tile));
    if (bytes * (cube ? 1 : Lanes()) > slot_size_) {
      return RaisePipe("pipe-slot",
                       "a tile of " + std::to_string(bytes) + " bytes for slots of " + std::to_string(slot_size_),
                       "Give the pipe larger slots.");
    }
    if (cube && !Halves(tile)) return;
    Piece whole;
    if (!Read(tile, &whole)) return;
    const size_t lane = cube || split_ == 0 ? 0 : static_cast<size_t>(this_core - 1);
    const int64_t number = ring_->pushed[lane];
    if (!Wait("for a free slot", [&] { return ring_->HasSlot(number); })) return;
    ++ring_->pushed[lane];
    Ring::Entry& entry = ring_->At(number);
    entry.lanes = Lanes();
    if (!cube) {
      entry.pieces[lane] = std::move(whole);
      ++entry.pushed;
      return;
    }
    for (int to = 0; to < entry.lanes; ++to) entry.pieces[static_cast<size_t>(to)] = Cut(tile, whole, to);
    entry.pushed = entry.lanes;
  }

  void Pop(pto_tile* tile) {
    const bool cube = this_core == kCube;
    if (tile == nullptr || !Open(cube ? 2 : 1)) return;
    Piece came;
    came.dtype = pto_tile_dtype(tile);
    came.rows = pto_tile_valid_rows(tile);
    came.cols = pto_tile_valid_cols(tile);
    const size_t size = static_cast<size_t>(pto_dtype_bytes(came.dtype));
    came.data.assign(static_cast<size_t>(came.rows) * static_cast<size_t>(came.cols) * size, 0);
    if (!Idle()) {
      if (cube && !Halves(tile)) return;
      const size_t lane = cube ? 0 : static_cast<size_t>(this_core - 1);
      const int64_t number = ring_->popped[lane];
      if (!Wait("for a push", [&] { return ring_->Ready(number); })) return;
      const Ring::Entry& entry = ring_->At(number);
      if (entry.lanes != Lanes()) {
        return RaisePipe("pipe-sides", "a tile that was pushed with another split", "Use one split on both sides.");
      }
      for (int32_t r = 0; r < came.rows; ++r) {
        for (int32_t c = 0; c < came.cols; ++c) {
          int32_t row = r;
          int32_t col = c;
          int from = cube ? 0 : this_core - 1;
          if (cube && split_ != 0) {
            int32_t& along = ByRows() ? row : col;
            const int32_t half = PartOf(ByRows() ? pto_tile_rows(tile) : pto_tile_cols(tile), 1).first;
            from = along >= half ? 1 : 0;
            along -= from * half;
          }
          const Piece& piece = entry.pieces[static_cast<size_t>(from)];
          if (piece.dtype != came.dtype || row >= piece.rows || col >= piece.cols) {
            return RaisePipe("pipe-tile",
                             "element " + std::to_string(r) + ", " + std::to_string(c) + " of " +
                                 pto_dtype_name(came.dtype) + " where " + std::to_string(piece.rows) + "x" +
                                 std::to_string(piece.cols) + " of " + pto_dtype_name(piece.dtype) + " came",
                             "Pop a tile of the type and valid region that was pushed.");
          }
          std::memcpy(
              &came.data[(static_cast<size_t>(r) * static_cast<size_t>(came.cols) + static_cast<size_t>(c)) * size],
              piece.At(row, col), size);
        }
      }
      ++ring_->popped[lane];
    }
    pto_context* const ctx = CurrentContext();
    if (!came.data.empty() &&
        pto_tile_write(ctx, tile, came.data.data(), static_cast<int64_t>(came.data.size())) != PTO_OK) {
      RaiseFrom(ctx);
    }
  }

  void Free() {
    const bool cube = this_core == kCube;
    if (!Open(cube ? 2 : 1) || Idle()) return;
    const size_t lane = cube ? 0 : static_cast<size_t>(this_core - 1);
    if (ring_->freed[lane] == ring_->popped[lane]) {
      return RaisePipe("pipe-order", "a free of what was not popped", "Free each slot once, behind its pop.");
    }
    Ring::Entry& entry = ring_->At(ring_->freed[lane]++);
    entry.freed += cube ? entry.lanes : 1;
    while (!ring_->entries.empty() && ring_->entries.front().freed != 0 &&
           ring_->entries.front().freed == ring_->entries.front().lanes) {
      ring_->entries.pop_front();
      ++ring_->first;
    }
  }

 private:
  int Lanes() const { return split_ == 0 ? 1 : 2; }
  bool ByRows() const { return split_ == TILE_UP_DOWN || split_ == TILE_UP_DOWN_ODD; }
  // What is not split is between the cube core and the first vector core.
  bool Idle() const { return split_ == 0 && this_core > 1; }

  bool Open(int direction) {
    if ((directions_ & direction) == 0) {
      RaisePipe("pipe-sides", "a pipe that goes the other way",
                "Push at one end and pop at the other, or use DIR_BOTH.");
      return false;
    }
    if (Lanes() > cores->vectors()) {
      RaisePipe("pipe-sides", "a split where there is one vector core", "Launch two vector cores.");
      return false;
    }
    ring_ = &cores->RingOf(pipe_, direction, slots_);
    return true;
  }
  bool Halves(const pto_tile* tile) const {
    const int32_t extent = ByRows() ? pto_tile_rows(tile) : pto_tile_cols(tile);
    if ((split_ != TILE_UP_DOWN && split_ != TILE_LEFT_RIGHT) || extent % 2 == 0) return true;
    RaisePipe("pipe-slot", std::to_string(extent) + (ByRows() ? " rows" : " columns") + " in two halves",
              "Use an even number, or a split of odd ones.");
    return false;
  }
  template <typename Ready>
  bool Wait(const char* what, Ready&& ready) {
    const std::string text = std::string(what) + " of pipe " + std::to_string(pipe_);
    if (cores->Wait(this_core, text, ready)) return true;
    RaisePipe("deadlock", cores->deadlock(), "Match each push with one pop and one free.");
    return false;
  }
  static bool Read(const pto_tile* tile, Piece* piece) {
    piece->dtype = pto_tile_dtype(tile);
    piece->rows = pto_tile_valid_rows(tile);
    piece->cols = pto_tile_valid_cols(tile);
    piece->data.resize(static_cast<size_t>(pto_tile_valid_bytes(tile)));
    pto_context* const ctx = CurrentContext();
    if (piece->data.empty() ||
        pto_tile_read(ctx, tile, piece->data.data(), static_cast<int64_t>(piece->data.size())) == PTO_OK) {
      return true;
    }
    RaiseFrom(ctx);
    return false;
  }
  // The valid part of what a vector core gets.
  Piece Cut(const pto_tile* tile, const Piece& whole, int lane) const {
    if (split_ == 0) return whole;
    const auto [from, size] = PartOf(ByRows() ? pto_tile_rows(tile) : pto_tile_cols(tile), lane);
    const auto clamp = [first = from, most = size](int32_t valid) {
      return valid <= first ? 0 : valid - first < most ? valid - first : most;
    };
    Piece part;
    part.dtype = whole.dtype;
    part.rows = ByRows() ? clamp(whole.rows) : whole.rows;
    part.cols = ByRows() ? whole.cols : clamp(whole.cols);
    const auto line = static_cast<size_t>(part.cols * pto_dtype_bytes(part.dtype));
    for (int32_t r = 0; r < part.rows; ++r) {
      const char* const source = ByRows() ? whole.At(from + r, 0) : whole.At(r, from);
      part.data.insert(part.data.end(), source, source + line);
    }
    return part;
  }

  const int pipe_;
  const int directions_;
  const int64_t slot_size_;
  const int64_t slots_;
  const int split_;
  Ring* ring_ = nullptr;
};

// For the intrinsics of a core.
class Ends : public Exchange {
 public:
  void Push(const PipeEnd& end, pto_tile* tile) override { End(end).Push(tile); }
  void Pop(const PipeEnd& end, pto_tile* tile) override { End(end).Pop(tile); }
  void Free(const PipeEnd& end) override { End(end).Free(); }
};

}  // namespace detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CORES_HPP_

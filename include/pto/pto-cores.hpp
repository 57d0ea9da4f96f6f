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
#include <tuple>
#include <utility>
#include <vector>

#include "pto/pto-pipe.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace detail {

inline constexpr int kCube = 0;  // vector cores follow
inline constexpr int kMostCores = 3;

// What of a tile travels: its valid region, row by row, of packed types an element a byte.
struct Piece {
  pto_dtype dtype = PTO_DTYPE_F32;
  int32_t rows = 0;
  int32_t cols = 0;
  std::vector<char> data;

  const char* At(int64_t row, int64_t col) const { return data.data() + (row * cols + col) * pto_dtype_bytes(dtype); }

  // From what pto_tile_read() gives, where rows of packed types begin with a byte, or to what pto_tile_write() takes.
  void Repack(bool join) {
    if (pto_dtype_bits(dtype) >= 8) return;
    const int32_t line = (cols + 1) / 2;
    std::vector<char> to(static_cast<size_t>(rows) * static_cast<size_t>(join ? line : cols));
    for (int32_t r = 0; r < rows; ++r) {
      for (int32_t c = 0; c < cols; ++c) {
        const auto code = static_cast<size_t>(r) * static_cast<size_t>(cols) + static_cast<size_t>(c);
        const auto both = static_cast<size_t>(r) * static_cast<size_t>(line) + static_cast<size_t>(c / 2);
        const int shift = c % 2 * 4;
        if (join) {
          to[both] = static_cast<char>(to[both] | data[code] << shift);
        } else {
          to[code] = static_cast<char>(data[both] >> shift & 15);
        }
      }
    }
    data.swap(to);
  }
};

// A ring of slots one way between the cube core and a vector core.
struct Ring {
  struct Entry {
    bool split = false;  // a part of what was pushed
    bool slot = false;   // in global memory
    Piece piece;
  };
  int64_t slots = 0;
  std::deque<Entry> entries;  // that are pushed and not popped
  int64_t taken = 0;
  int64_t pushed = 0;
  int64_t popped = 0;
  int64_t freed = 0;

  // Freed slots are known by halves of a ring, of a small one all at a time.
  bool Full() const {
    const int64_t period = slots <= 2 ? slots : slots / 2;
    return taken - freed / period * period >= slots;
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
  // Lets others run until ready() is true, other blocks too where it is they who make it so. False: it never will be;
  // all cores that wait are told.
  template <typename Ready>
  bool Wait(int which, const std::string& what, const Ready& ready, bool blocks = false) {
    if (ready()) return true;
    std::unique_lock<std::mutex> lock(mutex_);
    auto& waits = waits_[static_cast<size_t>(which)];
    waits.what = what;
    waits.data = &ready;
    waits.ready = [](const void* data) { return (*static_cast<const Ready*>(data))(); };
    waits.blocks = blocks;
    Pass();
    turn_.wait(lock, [&] { return running_ == which; });
    waits.ready = nullptr;
    return ready();
  }
  // Who waits for what, when nobody can go on.
  const std::string& deadlock() const { return deadlock_; }

  Ring& RingOf(const PipeEnd& end, int direction, int lane) {
    Ring& ring = rings_[{end.pipe, direction, lane}];
    ring.slots = end.slots;
    return ring;
  }

 private:
  struct Waits {
    std::string what;
    const void* data = nullptr;
    bool (*ready)(const void*) = nullptr;
    bool blocks = false;
  };
  static const char* NameOf(int which) {
    constexpr const char* kNames[] = {"the cube core", "vector core 0", "vector core 1"};
    return kNames[which];
  }
  // Gives the turn to the first core that can go on; when there is none, and no other block can help, to each that
  // waits, which fails.
  void Pass() {
    running_ = Next();
    if (running_ == kNobody && deadlock_.empty()) {
      std::string who;
      bool blocks = false;
      for (int which = 0; which < count_; ++which) {
        const Waits& waits = waits_[static_cast<size_t>(which)];
        if (ended_[static_cast<size_t>(which)]) continue;
        who += (who.empty() ? "" : "; ") + std::string(NameOf(which)) + " waits " + waits.what;
        blocks |= waits.blocks;
      }
      const auto ready = [](const void* self) { return static_cast<const Cores*>(self)->Next() != kNobody; };
      if (!blocks) deadlock_ = who;
      if (blocks && !meeting->Wait(who, ready, this)) deadlock_ = meeting->deadlock();
      running_ = Next();
    }
    for (int which = 0; which < count_ && running_ == kNobody; ++which) {
      if (!ended_[static_cast<size_t>(which)]) running_ = which;
    }
    turn_.notify_all();
  }
  int Next() const {
    for (int which = 0; which < count_; ++which) {
      const Waits& waits = waits_[static_cast<size_t>(which)];
      if (!ended_[static_cast<size_t>(which)] && (waits.ready == nullptr || waits.ready(waits.data))) return which;
    }
    return kNobody;
  }

  static constexpr int kNobody = -1;
  const int count_;
  std::mutex mutex_;
  std::condition_variable turn_;
  int running_ = 0;
  std::array<bool, kMostCores> ended_{};
  std::array<Waits, kMostCores> waits_;
  std::string deadlock_;
  std::map<std::tuple<int, int, int>, Ring> rings_;  // by pipe, direction and vector core
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
  explicit End(const PipeEnd& end) : end_(end) {}

  void Push(pto_tile* tile, const Fixpipe* fixpipe) {
    if (tile == nullptr || !Open(true) || idle_) return;
    const bool cuts = first_ + 1 < last_;
    const pto_dtype dtype = fixpipe == nullptr ? pto_tile_dtype(tile) : fixpipe->to;
    const int64_t bytes = int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile) * pto_dtype_bits(dtype) / 8;
    if (bytes * (cuts ? 1 : Lanes()) > end_.slot_size) {
      return RaisePipe("pipe-slot",
                       "a tile of " + std::to_string(bytes) + " bytes for slots of " + std::to_string(end_.slot_size),
                       "Give the pipe larger slots.");
    }
    Piece whole;
    if ((cuts && !Halves(tile)) || !Allocated(false) ||
        !(fixpipe == nullptr ? Read(tile, &whole) : Convert(tile, *fixpipe, &whole)) || !Take()) {
      return;
    }
    for (int lane = first_; lane < last_; ++lane) Publish(lane, cuts ? Cut(tile, whole, lane) : whole);
  }

  void Pop(pto_tile* tile) {
    if (tile == nullptr || !Open(false)) return;
    Piece came;
    came.dtype = pto_tile_dtype(tile);
    came.rows = pto_tile_valid_rows(tile);
    came.cols = pto_tile_valid_cols(tile);
    const size_t size = static_cast<size_t>(pto_dtype_bytes(came.dtype));
    came.data.assign(static_cast<size_t>(came.rows) * static_cast<size_t>(came.cols) * size, 0);
    if (!idle_) {
      const bool joins = first_ + 1 < last_;
      if ((joins && !Halves(tile)) || !Await(false)) return;
      for (int32_t r = 0; r < came.rows; ++r) {
        for (int32_t c = 0; c < came.cols; ++c) {
          int32_t row = r;
          int32_t col = c;
          int from = first_;
          if (joins) {
            int32_t& along = ByRows() ? row : col;
            const int32_t half = PartOf(ByRows() ? pto_tile_rows(tile) : pto_tile_cols(tile), 1).first;
            from = along >= half ? 1 : 0;
            along -= from * half;
          }
          const Piece& piece = At(from).entries.front().piece;
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
      Popped();
    }
    came.Repack(true);
    pto_context* const ctx = CurrentContext();
    if (!came.data.empty() &&
        pto_tile_write(ctx, tile, came.data.data(), static_cast<int64_t>(came.data.size())) != PTO_OK) {
      RaiseFrom(ctx);
    }
  }

  void Free() {
    if (!Open(false)) return;
    // What is not split may have been popped by the number of the second vector core.
    if (end_.split == 0 && this_core != 1 && cores_->vectors() > 1 && (this_core == 2 || Freed())) {
      first_ = 1;
      last_ = 2;
      if (this_core == 2 && Freed()) return;
    }
    if (Freed()) {
      return RaisePipe("pipe-order", "a free of what was not popped", "Free each slot once, behind its pop.");
    }
    for (int lane = first_; lane < last_; ++lane) ++At(lane).freed;
  }

  // ---- slots in global memory ----

  void* Alloc(const Slot& slot) {
    if (!Open(true) || idle_ || !Fits(slot) || !Take()) return nullptr;
    return Place(slot, At(first_).taken - 1);
  }
  void PushSlot() {
    if (!Open(true) || idle_ || !Allocated(true)) return;
    for (int lane = first_; lane < last_; ++lane) Publish(lane, Piece()).slot = true;
  }
  void* PopSlot(const Slot& slot) {
    if (!Open(false) || idle_ || !Fits(slot) || !Await(true)) return nullptr;
    Popped();
    return Place(slot, At(first_).popped - 1);
  }

 private:
  int Lanes() const { return end_.split == 0 ? 1 : 2; }
  bool ByRows() const { return end_.split == TILE_UP_DOWN || end_.split == TILE_UP_DOWN_ODD; }
  Ring& At(int lane) const { return cores_->RingOf(end_, direction_, lane); }
  bool Freed() const { return At(first_).freed == At(first_).popped; }

  // Whose rings the core has to do with. What is not split is between the cube core and the first vector core, or the
  // one that is named; of what is split the cube core has both parts, or that one's.
  bool Open(bool sends) {
    const bool cube = this_core == kCube;
    direction_ = sends == cube ? 1 : 2;
    if ((end_.directions & direction_) == 0) {
      RaisePipe("pipe-sides", "a pipe that goes the other way",
                "Push at one end and pop at the other, or use DIR_BOTH.");
      return false;
    }
    if (Lanes() > cores_->vectors() || end_.lane >= cores_->vectors()) {
      RaisePipe("pipe-sides",
                end_.lane > 0 ? "a second vector core where there is one" : "a split where there is one vector core",
                "Launch two vector cores.");
      return false;
    }
    const bool both = end_.split != 0 && end_.lane < 0;
    first_ = end_.lane >= 0 ? end_.lane : both && !cube ? this_core - 1 : 0;
    last_ = first_ + (both && cube ? 2 : 1);
    idle_ = !cube && first_ != this_core - 1;
    return true;
  }

  // Whether a slot that was allocated is to be pushed next.
  bool Allocated(bool slot) {
    if (slot == (At(first_).taken > At(first_).pushed)) return true;
    RaisePipe("pipe-order", slot ? "no slot was allocated" : "a slot was allocated and not pushed yet",
              "Push a slot for each TALLOC, before the next tile.");
    return false;
  }
  bool Take() {
    const auto ready = [this] {
      for (int lane = first_; lane < last_; ++lane) {
        if (At(lane).Full()) return false;
      }
      return true;
    };
    if (!Wait("for a free slot", ready)) return false;
    for (int lane = first_; lane < last_; ++lane) ++At(lane).taken;
    return true;
  }
  Ring::Entry& Publish(int lane, Piece piece) {
    Ring& ring = At(lane);
    ++ring.pushed;
    ring.entries.push_back({end_.split != 0, false, std::move(piece)});
    return ring.entries.back();
  }
  bool Await(bool slot) {
    const auto ready = [this] {
      for (int lane = first_; lane < last_; ++lane) {
        if (At(lane).entries.empty()) return false;
      }
      return true;
    };
    if (!Wait("for a push", ready)) return false;
    for (int lane = first_; lane < last_; ++lane) {
      const Ring::Entry& entry = At(lane).entries.front();
      if (entry.split != (end_.split != 0)) {
        RaisePipe("pipe-sides", "a tile that was pushed with another split", "Use one split on both sides.");
        return false;
      }
      if (entry.slot != slot) {
        RaisePipe("pipe-tile", slot ? "a tile was pushed, and no slot" : "a slot was pushed, and no tile",
                  "Pop what was pushed: a tile, or a slot in global memory.");
        return false;
      }
    }
    return true;
  }
  void Popped() {
    for (int lane = first_; lane < last_; ++lane) {
      At(lane).entries.pop_front();
      ++At(lane).popped;
    }
  }

  bool Fits(const Slot& slot) {
    if (slot.memory == nullptr) {
      RaisePipe("pipe-order", "the pipe was made without slots in global memory",
                "Give the constructor of the pipe their memory.");
    } else if (const int64_t bytes = slot.bytes + (first_ != 0 ? slot.half : 0); bytes > end_.slot_size) {
      RaisePipe("pipe-slot", std::to_string(bytes) + " bytes in slots of " + std::to_string(end_.slot_size),
                "Give the pipe larger slots.");
    } else {
      return true;
    }
    return false;
  }
  // Those to the vector cores come first.
  void* Place(const Slot& slot, int64_t number) const {
    const bool second = direction_ == 2 && end_.directions == 3;
    char* const at =
        static_cast<char*>(slot.memory) + ((second ? end_.slots : 0) + number % end_.slots) * end_.slot_size;
    return first_ != 0 && end_.split != 0 ? at + slot.half : at;
  }

  bool Halves(const pto_tile* tile) const {
    const int32_t extent = ByRows() ? pto_tile_rows(tile) : pto_tile_cols(tile);
    if ((end_.split != TILE_UP_DOWN && end_.split != TILE_LEFT_RIGHT) || extent % 2 == 0) return true;
    RaisePipe("pipe-slot", std::to_string(extent) + (ByRows() ? " rows" : " columns") + " in two halves",
              "Use an even number, or a split of odd ones.");
    return false;
  }
  template <typename Ready>
  bool Wait(const char* what, const Ready& ready) {
    const std::string text = std::string(what) + " of pipe " + std::to_string(end_.pipe);
    if (cores_->Wait(this_core, text, ready)) return true;
    RaisePipe("deadlock", cores_->deadlock(), "Match each push with one pop and one free.");
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
      piece->Repack(false);
      return true;
    }
    RaiseFrom(ctx);
    return false;
  }
  // The same of sums that are converted, as TSTORE converts them.
  static bool Convert(const pto_tile* tile, const Fixpipe& fixpipe, Piece* piece) {
    using Words = Fixpipe::Words;
    pto_tile* const vector = quant_words.vector();
    uint64_t word = quant_words.scalar;
    if (fixpipe.words == Words::kVector) {
      if (vector == nullptr) {
        Raise(PTO_ERROR_NULL, "null", "fp", "a push by words of columns that were not set",
              "Call SET_QUANT_VECTOR before it.");
        return false;
      }
      std::memcpy(&word, pto_tile_data(vector), sizeof word);
    }
    const bool no_sign = fixpipe.to == PTO_DTYPE_I8 && (word >> 46 & 1) == 0;
    piece->dtype = no_sign ? PTO_DTYPE_U8 : fixpipe.to;
    piece->rows = pto_tile_valid_rows(tile);
    piece->cols = pto_tile_valid_cols(tile);
    piece->data.resize(static_cast<size_t>(piece->rows) * static_cast<size_t>(piece->cols) *
                       static_cast<size_t>(pto_dtype_bytes(piece->dtype)));
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = piece->dtype;
    desc.rank = 2;
    desc.dim0 = piece->rows;
    desc.dim1 = piece->cols;
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr || piece->data.empty()) return ctx != nullptr;
    pto_tensor* const slot = pto_tensor_wrap(ctx, &desc, piece->data.data(), static_cast<int64_t>(piece->data.size()));
    const pto_relu relu = fixpipe.relu ? PTO_RELU_NORMAL_RELU : PTO_RELU_NO_RELU;
    const pto_status status =
        slot == nullptr                   ? pto_context_error(ctx)
        : fixpipe.words == Words::kNone   ? pto_tstore_acc(ctx, slot, tile, PTO_ATOMIC_NONE, relu, 0)
        : fixpipe.words == Words::kScalar ? pto_tstore_quant(ctx, slot, tile, pto_bits(word), PTO_ATOMIC_NONE, relu, 0)
                                          : pto_tstore_fp(ctx, slot, tile, vector, PTO_ATOMIC_NONE, relu, 0);
    pto_tensor_release(slot);
    if (status != PTO_OK) RaiseFrom(ctx);
    return status == PTO_OK;
  }
  // The valid part of what a vector core gets.
  Piece Cut(const pto_tile* tile, const Piece& whole, int lane) const {
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

  const PipeEnd end_;
  Cores* const cores_ = cores;  // what a wait asks for is looked at on other threads, too
  int direction_ = 0;
  int first_ = 0;  // vector cores whose rings it is about, ...
  int last_ = 1;
  bool idle_ = false;  // ... of which this core is none
};

// For the intrinsics of a core.
class Ends : public Exchange {
 public:
  void Push(const PipeEnd& end, pto_tile* tile, const Fixpipe* fixpipe) override { End(end).Push(tile, fixpipe); }
  void Pop(const PipeEnd& end, pto_tile* tile) override { End(end).Pop(tile); }
  void Free(const PipeEnd& end) override { End(end).Free(); }
  void* Alloc(const PipeEnd& end, const Slot& slot) override { return End(end).Alloc(slot); }
  void PushSlot(const PipeEnd& end) override { End(end).PushSlot(); }
  void* PopSlot(const PipeEnd& end, const Slot& slot) override { return End(end).PopSlot(slot); }
};

}  // namespace detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CORES_HPP_

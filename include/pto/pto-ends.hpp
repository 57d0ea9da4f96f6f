// The data in pipes between the cores of a block, and the two ends of a pipe, for any way to run the cores.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_ENDS_HPP_
#define PTO_PTO_ENDS_HPP_

#include <cstring>
#include <utility>

#include "pto/pto-pipe.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

inline constexpr int kCube = 0;  // vector cores follow

// The part of a tile that a pipe carries: its valid region, row by row. Elements of packed types take a byte each.
struct Piece {
  pto_dtype dtype = PTO_DTYPE_F32;
  int32_t rows = 0;
  int32_t cols = 0;
  Text data;

  const char* At(int64_t row, int64_t col) const { return data.data() + (row * cols + col) * pto_dtype_bytes(dtype); }

  // From what pto_tile_read() gives, where rows of packed types begin with a byte, or to what pto_tile_write() takes.
  void Repack(bool join) {
    if (pto_dtype_bits(dtype) >= 8) return;
    const int32_t line = (cols + 1) / 2;
    Text to;
    to.resize(static_cast<size_t>(rows) * static_cast<size_t>(join ? line : cols));
    for (int32_t r = 0; r < rows; ++r) {
      for (int32_t c = 0; c < cols; ++c) {
        const auto code = static_cast<size_t>(r) * static_cast<size_t>(cols) + static_cast<size_t>(c);
        const auto both = static_cast<size_t>(r) * static_cast<size_t>(line) + static_cast<size_t>(c / 2);
        const int shift = c % 2 * 4;
        if (join) {
          to.data()[both] = static_cast<char>(to.data()[both] | data.data()[code] << shift);
        } else {
          to.data()[code] = static_cast<char>(data.data()[both] >> shift & 15);
        }
      }
    }
    data.swap(to);
  }
};

// A tile that was pushed and not popped.
struct RingEntry {
  bool split = false;  // a part of what was pushed
  bool slot = false;   // in global memory
  Piece piece;
};

// How far the two sides of a ring are.
struct RingCounts {
  int64_t slots = 0;
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

[[gnu::cold]] inline void RaisePipe(const char* rule, const Text& message, const char* remedy) {
  Raise(PTO_ERROR_PROGRAM, rule, "pipe", message.c_str(), remedy);
}

// The rows or columns that a lane has of `extent` ones: the first one, and how many.
inline std::pair<int32_t, int32_t> PartOf(int32_t extent, int lane) {
  const int32_t half = (extent + 1) / 2;
  return lane == 0 ? std::pair(0, half) : std::pair(half, extent - half);
}

// One end of a pipe, on the core that calls. `Link` has the rings, and waits for other cores.
template <typename Link>
class End {
 public:
  template <typename... Arguments>
  explicit End(const PipeEnd& end, const Arguments&... link) : end_(end), link_(link...) {}

  void Push(pto_tile* tile, const Fixpipe* fixpipe) {
    if (tile == nullptr || !Open(true) || idle_) return;
    const bool cuts = first_ + 1 < last_;
    const pto_dtype dtype = fixpipe == nullptr ? pto_tile_dtype(tile) : fixpipe->to;
    // A slot holds what one vector core has of a tile, or all of it.
    const int64_t whole_bytes =
        int64_t{pto_tile_valid_rows(tile)} * pto_tile_valid_cols(tile) * pto_dtype_bits(dtype) / 8;
    const int64_t bytes = cuts ? (whole_bytes + 1) / 2 : whole_bytes;
    if (bytes > end_.slot_size) {
      return RaisePipe("pipe-slot", "a tile of " + Decimal(bytes) + " bytes for slots of " + Decimal(end_.slot_size),
                       "Give the pipe larger slots.");
    }
    Piece whole;
    if ((cuts && !Halves(tile)) || !Allocated(false) ||
        !(fixpipe == nullptr ? Read(tile, &whole) : Convert(tile, *fixpipe, &whole)) || !Take()) {
      return;
    }
    for (int lane = first_; lane < last_; ++lane) Publish(lane, cuts ? Cut(tile, whole, lane) : whole, false);
  }

  void Pop(pto_tile* tile) {
    if (tile == nullptr || !Open(false)) return;
    Piece came;
    came.dtype = pto_tile_dtype(tile);
    came.rows = pto_tile_valid_rows(tile);
    came.cols = pto_tile_valid_cols(tile);
    const size_t size = static_cast<size_t>(pto_dtype_bytes(came.dtype));
    came.data.resize(static_cast<size_t>(came.rows) * static_cast<size_t>(came.cols) * size);
    if (!idle_) {
      const bool joins = first_ + 1 < last_;
      if ((joins && !Halves(tile)) || !Await(false)) return;
      auto&& first = At(first_).Front();
      auto&& last = At(last_ - 1).Front();
      const Piece* const pieces[] = {&first.piece, &last.piece};
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
          const Piece& piece = *pieces[from - first_];
          if (piece.dtype != came.dtype || row >= piece.rows || col >= piece.cols) {
            return RaisePipe("pipe-tile",
                             "element " + Decimal(r) + ", " + Decimal(c) + " of " + pto_dtype_name(came.dtype) +
                                 " where " + Decimal(piece.rows) + "x" + Decimal(piece.cols) + " of " +
                                 pto_dtype_name(piece.dtype) + " came",
                             "Pop a tile of the type and valid region that was pushed.");
          }
          std::memcpy(came.data.data() +
                          (static_cast<size_t>(r) * static_cast<size_t>(came.cols) + static_cast<size_t>(c)) * size,
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
    // The second vector core may have popped tiles that are not split, under its number.
    if (end_.split == 0 && link_.core() != 1 && link_.vectors() > 1 && (link_.core() == 2 || Freed())) {
      first_ = 1;
      last_ = 2;
      if (link_.core() == 2 && Freed()) return;
    }
    if (Freed()) {
      return RaisePipe("pipe-order", "a free of what was not popped", "Free each slot once, after its pop.");
    }
    for (int lane = first_; lane < last_; ++lane) ++CountsOf(lane).freed;
  }

  // ---- slots in global memory ----

  void* Alloc(const Slot& slot) {
    if (!Open(true) || idle_ || !Fits(slot) || !Take()) return nullptr;
    return Place(slot, CountsOf(first_).taken - 1);
  }
  void PushSlot() {
    if (!Open(true) || idle_ || !Allocated(true)) return;
    for (int lane = first_; lane < last_; ++lane) Publish(lane, Piece(), true);
  }
  void* PopSlot(const Slot& slot) {
    if (!Open(false) || idle_ || !Fits(slot) || !Await(true)) return nullptr;
    Popped();
    return Place(slot, CountsOf(first_).popped - 1);
  }

 private:
  int Lanes() const { return end_.split == 0 ? 1 : 2; }
  bool ByRows() const { return end_.split == TILE_UP_DOWN || end_.split == TILE_UP_DOWN_ODD; }
  decltype(auto) At(int lane) const { return link_.At(end_, direction_, lane); }
  RingCounts& CountsOf(int lane) const { return At(lane).counts; }
  bool Freed() const { return CountsOf(first_).freed == CountsOf(first_).popped; }

  // Whose rings the core has to do with. What is not split is between the cube core and the first vector core, or the
  // one that is named; of what is split the cube core has both parts, or that one's.
  bool Open(bool sends) {
    const bool cube = link_.core() == kCube;
    direction_ = sends == cube ? 1 : 2;
    if ((end_.directions & direction_) == 0) {
      RaisePipe("pipe-sides", "a pipe of the other direction",
                "Push at one end and pop at the other, or use DIR_BOTH.");
      return false;
    }
    if (Lanes() > link_.vectors() || end_.lane >= link_.vectors()) {
      RaisePipe("pipe-sides",
                end_.lane > 0 ? "a second vector core where there is one" : "a split where there is one vector core",
                "Launch two vector cores.");
      return false;
    }
    const bool both = end_.split != 0 && end_.lane < 0;
    first_ = end_.lane >= 0 ? end_.lane : both && !cube ? link_.core() - 1 : 0;
    last_ = first_ + (both && cube ? 2 : 1);
    idle_ = !cube && first_ != link_.core() - 1;
    return true;
  }

  // Whether a slot that was allocated is to be pushed next.
  bool Allocated(bool slot) {
    if (slot == (CountsOf(first_).taken > CountsOf(first_).pushed)) return true;
    RaisePipe("pipe-order", slot ? "no slot was allocated" : "a slot was allocated and not pushed yet",
              "Push a slot for each TALLOC, before the next tile.");
    return false;
  }
  bool Take() {
    const auto ready = [this] {
      for (int lane = first_; lane < last_; ++lane) {
        if (CountsOf(lane).Full()) return false;
      }
      return true;
    };
    if (!Wait("for a free slot", ready)) return false;
    for (int lane = first_; lane < last_; ++lane) ++CountsOf(lane).taken;
    return true;
  }
  void Publish(int lane, Piece piece, bool slot) {
    At(lane).Put({end_.split != 0, slot, std::move(piece)});
    ++CountsOf(lane).pushed;
  }
  bool Await(bool slot) {
    const auto ready = [this] {
      for (int lane = first_; lane < last_; ++lane) {
        if (At(lane).Empty()) return false;
      }
      return true;
    };
    if (!Wait("for a push", ready)) return false;
    for (int lane = first_; lane < last_; ++lane) {
      auto&& entry = At(lane).Front();
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
      At(lane).Drop();
      ++CountsOf(lane).popped;
    }
  }

  bool Fits(const Slot& slot) {
    if (slot.memory == nullptr) {
      RaisePipe("pipe-order", "the pipe was made without slots in global memory",
                "Give the constructor of the pipe their memory.");
    } else if (const int64_t bytes = slot.bytes + (first_ != 0 ? slot.half : 0); bytes > end_.slot_size) {
      RaisePipe("pipe-slot", Decimal(bytes) + " bytes in slots of " + Decimal(end_.slot_size),
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
    RaisePipe("pipe-slot", Decimal(extent) + (ByRows() ? " rows" : " columns") + " in two halves",
              "Use an even number, or a split of odd ones.");
    return false;
  }
  template <typename Ready>
  bool Wait(const char* what, const Ready& ready) {
    const Text text = Text(what) + " of pipe " + Decimal(end_.pipe);
    if (link_.Wait(text, ready)) return true;
    RaisePipe("deadlock", link_.deadlock(), "Match each push with one pop and one free.");
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
      part.data.append(source, line);
    }
    return part;
  }

  const PipeEnd end_;
  Link link_;
  int direction_ = 0;
  int first_ = 0;  // the operation uses the rings of vector cores `first_` to `last_` - 1
  int last_ = 1;
  bool idle_ = false;  // this core is not one of them, and has nothing to do
};

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_ENDS_HPP_

// Moves with a conversion on the way: what leaves an accumulator rectified, scaled or in another type.
#ifndef PTO_SRC_ENGINE_FIXPIPE_H_
#define PTO_SRC_ENGINE_FIXPIPE_H_

#include <cstdint>

#include "src/engine/execute.h"
#include "src/engine/rearrange.h"

namespace pto {

// Converts a window of the first source of a call, rows at a time, to rows without gaps. It uses part of the call's
// scratch.
class Fixpipe {
 public:
  // Whether the call does more than move bits.
  static bool Converts(const OpInfo& op, const Args& args);

  // The window begins at (row, col) of the source and has `cols` columns; results have this type.
  Fixpipe(pto_context* ctx, const OpInfo& op, const Args& args, DType to, int32_t row, int32_t col, int32_t cols);

  // Takes scratch for itself, and for `rows` rows of results at Results(). Fails if memory is out. The
  // quantisation words are read here.
  Status Prepare(int64_t rows);

  // Rows of the window from `row` on, to Results(); at most the prepared number.
  void Convert(int32_t row, int32_t rows);

  uint8_t* Results() const { return results_; }
  int32_t cols() const { return cols_; }
  // Rows of sources and results that fit in the nearest caches.
  int32_t Strip() const;

 private:
  struct Columns;
  void ReadWords();
  uint64_t WordAt(int32_t col) const;
  void ConvertLine(const uint8_t* from, uint8_t* to, int32_t count, int32_t col);

  pto_context* ctx_;
  const OpInfo& op_;
  const Args& args_;
  const pto_tile& src_;
  const pto_tile* fp_ = nullptr;
  DType to_;
  int32_t row_, col_, cols_;
  bool relu_, scales_, shifts_;
  bool saturates_;              // f16 and bf16 of plain sums
  uint8_t* rows_ = nullptr;     // of sources, packed
  uint8_t* results_ = nullptr;  // packed
  // The fields of words, an entry for each column: the scale; the offset, or how far to shift; the least result.
  double* scale_ = nullptr;
  int32_t* offset_ = nullptr;
  int32_t* low_ = nullptr;
};

}  // namespace pto

#endif  // PTO_SRC_ENGINE_FIXPIPE_H_

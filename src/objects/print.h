// Output to a context: text that the owner of the context reads.
#ifndef PTO_SRC_OBJECTS_PRINT_H_
#define PTO_SRC_OBJECTS_PRINT_H_

#include <cstdint>

struct pto_context;
struct pto_tile;

namespace pto {

// At most kLimit bytes, with the ending 0, and with a last line about the cut if they were too few.
class Output {
 public:
  static constexpr int64_t kLimit = int64_t{1} << 20;

  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  const char* text() const { return text_ == nullptr ? "" : text_; }
  int64_t bytes() const { return bytes_; }
  bool full() const { return full_; }

  // Appends the bytes, or only the whole lines that fit; false if memory is out.
  bool Append(const char* text, int64_t bytes);
  // Truncates to the first `bytes` bytes; 0 bytes release the memory.
  void Cut(int64_t bytes);

 private:
  bool Reserve(int64_t bytes);
  void Fill();

  char* text_ = nullptr;
  int64_t bytes_ = 0;
  int64_t room_ = 0;
  bool full_ = false;
};

// Same values as pto_print_format.
enum class PrintFormat : int32_t { kWidth8Precision4 = 0, kWidth8Precision2 = 1, kWidth10Precision6 = 2 };
inline constexpr int kPrintFormatCount = 3;

// The valid region, row by row, below a line with its size; false, and nothing printed, when memory is out.
bool PrintTile(pto_context* ctx, const pto_tile& tile, PrintFormat format);

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_PRINT_H_

// Helpers for functions of the cube: operands, ranges of bytes, saturation.
#ifndef PTO_SRC_PTOAS_VECTOR_CUBE_H_
#define PTO_SRC_PTOAS_VECTOR_CUBE_H_

#include <initializer_list>

#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {

inline constexpr int64_t kBlockBytes = 32;

class CubeAccess {
 public:
  CubeAccess(Machine& m, const Node& node, Frame frame) : m_(m), stmt_(*node.stmt), frame_(frame) {}

  // An operand that counts: extents, blocks, bytes.
  int64_t Count(size_t operand) const {
    constexpr int64_t kMost = int64_t{1} << 24;
    const int64_t count = m_.IntOf(stmt_, stmt_.operands[operand], frame_);
    if (count >= 0 && count <= kMost) return count;
    m_.Fail(stmt_, Rule::kMemoryRange, "%lld, where there are 0 to %lld", static_cast<long long>(count),
            static_cast<long long>(kMost));
  }
  RunValue Pointer(size_t operand) const { return m_.PointerAt(stmt_, stmt_.operands[operand], frame_); }
  uint8_t* Reach(const RunValue& address, int64_t offset, int64_t bytes) const {
    return reinterpret_cast<uint8_t*>(m_.Reach(stmt_, address, offset, bytes));
  }
  void Watch(std::initializer_list<Machine::BytesUsed> used) const {
    if (m_.watched()) [[unlikely]]
      m_.WatchBytes(stmt_, std::span(used.begin(), used.size()));
  }

 private:
  Machine& m_;
  const Stmt& stmt_;
  Frame frame_;
};

// The element type of a pointer.
DType ElementOf(const Stmt& stmt, size_t operand);
// Saturation by clauses: 1, 0, or below 0 for no clause.
int8_t SaturationOf(const Stmt& stmt);
// Without a clause bit 48 of the control word decides; 1, as at the start, is IEEE.
inline bool Saturates(Machine& m, int8_t clause) { return clause >= 0 ? clause != 0 : m.vector().Saturates(); }

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_CUBE_H_

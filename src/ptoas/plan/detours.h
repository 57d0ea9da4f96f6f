// Detours of matrices: what is loaded or moved for a product alone is not copied; the product reads it where it was.
//
//   scf.for %p = ... {                                    plain             plan
//     pto.tload   %x[%p] -> %am    (mat, in boxes)        copy              am is a view of %x
//     pto.tmov    %am -> %al       (left, in boxes)       copy              al is the view that am is
//     pto.tmatmul %al, %br -> %acc (acc, in boxes)        multiplies        multiplies %x and writes %s, in rows
//     pto.tmov    %acc -> %s       (vec, in rows)         copy              nothing
//   }
//
// A product has the same bits from any layout, as each sum is one chain over k. Like in a chain (plan.h), rounds that
// leave other bytes in %am, %al and %acc than the plain way are those before the last one. What must hold:
// - am, al, acc have memory of their own, and in the loop each is written by one statement of its body, then read by
//   products, or by the move of such a detour. Products may be in inner blocks.
// - Between the load and the last product nothing stores to global memory, no core waits, and nothing is written to
//   a tile that such a view is of.
// - Between a product and the move of its result nothing names the tile that the move writes.
#ifndef PTO_SRC_PTOAS_PLAN_DETOURS_H_
#define PTO_SRC_PTOAS_PLAN_DETOURS_H_

#include "src/engine/inst.h"
#include "src/ptoas/plan/uses.h"
#include "src/ptoas/run/code.h"

namespace pto::ptoas::plan {

struct Detour {
  enum class What : uint8_t { kCopy, kProduct, kResult };
  What what = What::kCopy;
  Node* node = nullptr;
  uint32_t reach = 0;  // kCopy, kResult: loops in which nothing else has the tile
  bool checked = false;
  bool print = false;
  bool on = false;  // in this round: kCopy: `view` is what the tile holds; kResult: the product wrote it
  // Of sources: the copies that have them; the first of a kCopy is its only one.
  struct Take {
    int8_t index = 0;
    Detour* copy = nullptr;
  };
  std::vector<Take> takes;
  Detour* result = nullptr;  // kProduct
  pto_tile view;
};

struct DetourOptions {
  bool print = false;
  int64_t least_bytes = 0;  // of a tile: to copy a smaller one takes less time than a detour
};

// Finds the detours of the body of the innermost loop.
void FindDetours(Code* body, const UsesOf& all, const Loops& loops, const DetourOptions& options, FuncCode* code);

}  // namespace pto::ptoas::plan

#endif  // PTO_SRC_PTOAS_PLAN_DETOURS_H_

// Which on-chip memory a run need not clear, because the text shows that the function writes these bytes before it
// reads them.
//
// A core finds zeros in its memory. To clear what an earlier run left there costs as much as a load of the same
// bytes, so what is loaded first is left as it is:
//
//     %a = alloc_tile addr = 0      bytes 0 to 1023
//     scf.for ...
//       tload ins(%v) outs(%a)      writes all of %a; every other use of %a follows it, in this round
//       tadds ins(%a, ...) ...
//
// A tile counts if its first use writes all of its bytes and all other uses follow in the block of that statement or
// in blocks within it: then none of them executes without it. A byte is spared if all tiles that have it count. Where
// the text does not show who has which bytes, nothing is spared. Statements that the run did not reach leave their
// tile as it was: whoever looks at tiles after a run clears those first (Machine::ClearUnwritten()).
#ifndef PTO_SRC_PTOAS_FIRST_WRITES_H_
#define PTO_SRC_PTOAS_FIRST_WRITES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/run/spans.h"

namespace pto::ptoas {

struct FirstWrites {
  struct Tile {
    const Stmt* writer;
    Span bytes;
  };
  std::vector<Tile> tiles;  // by the address of the writer
  Spans spared;             // of vector memory

  // Which of the tiles a statement writes: the first, and the one after the last.
  std::pair<int64_t, int64_t> Of(const Stmt& writer) const;
};

// Precondition: the program was verified.
FirstWrites FirstWritesOf(const Func& func);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_FIRST_WRITES_H_

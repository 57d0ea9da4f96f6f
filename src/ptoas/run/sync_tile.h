// Where the elements of tiles and tensors lie in memory.
#ifndef PTO_SRC_PTOAS_SYNC_TILE_H_
#define PTO_SRC_PTOAS_SYNC_TILE_H_

#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/run/sync_area.h"

namespace pto::ptoas::sync {

// A rectangle of elements of a tile; of a boxed one all of the boxes' lines that it has a part of.
struct Window {
  int64_t row = 0;
  int64_t col = 0;
  int64_t rows = 0;
  int64_t cols = 0;
};
Window ValidOf(const pto_tile* tile);
Area AreaOf(pto_tile* tile, const Window& window);

// All elements of a tensor; a transfer moves `rows` rows and `cols` columns at most. False: they lie in more pieces
// than are looked at, somewhere in the area that is given.
bool AreasOf(pto_tensor* tensor, int64_t rows, int64_t cols, std::vector<Area>* areas);

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_TILE_H_

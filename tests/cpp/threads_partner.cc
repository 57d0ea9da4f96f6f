// The second translation unit of test_threads: the header may be included in many.
#include <pto/pto-inst.hpp>

pto_context* PartnerContext() { return pto::CurrentContext(); }

float PartnerRsqrt(float value, int64_t address) {
  pto::Tile<pto::TileType::Vec, float, 16, 16> tile;
  pto::TASSIGN(tile, address);
  tile(0, 0) = value;
  pto::TRSQRT(tile, tile);
  return tile(0, 0);
}

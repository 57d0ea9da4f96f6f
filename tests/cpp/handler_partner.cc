// The part of test_handler that has exceptions: the two kinds of code share a program, and a context of
// the library's is each kind's own.
#include <pto/pto-inst.hpp>

const char* ThrownRule() {
  try {
    pto::Tile<pto::TileType::Vec, float, 16, 16, pto::BLayout::RowMajor, -1, -1>(17, 1).data();
  } catch (const pto::Error& error) {
    return error.rule() == "valid-range" ? "valid-range" : "?";
  }
  return "nothing thrown";
}

// Whether the compiler can link a fuzz target: tests/fuzz/meson.build asks.
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return 0; }

// The programs of the tests and examples, and something for each of their arguments.
#ifndef PTO_TESTS_PROGRAM_BIND_ALL_H_
#define PTO_TESTS_PROGRAM_BIND_ALL_H_

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "include/pto_c.h"

namespace pto_test {

// The global memory of a run.
inline uint64_t g_memory[1 << 12];

// Binds each of the first `most` arguments: pointers to all of the memory, integers to integer(i).
template <class Integer>
void BindAll(pto_context* ctx, pto_program* program, void* memory, int64_t bytes, int32_t most, Integer integer) {
  const int32_t count = std::min(pto_program_arg_count(program, nullptr), most);
  for (int32_t i = 0; i < count; ++i) {
    const char* name = pto_program_arg_name(program, nullptr, i);
    const int32_t dtype = pto_program_arg_dtype(program, nullptr, i);
    switch (pto_program_arg_kind(program, nullptr, i)) {
      case PTO_ARG_TENSOR: {
        pto_tensor_desc desc{};
        desc.struct_size = sizeof desc;
        desc.dtype = dtype < 0 ? PTO_DTYPE_F32 : static_cast<pto_dtype>(dtype);
        desc.rank = 1;
        desc.dim0 = bytes * 8 / pto_dtype_bits(desc.dtype);
        pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, memory, bytes);
        pto_program_bind_tensor(ctx, program, name, tensor);
        pto_tensor_release(tensor);
        break;
      }
      case PTO_ARG_TILE: {
        pto_tile* tile = pto_program_arg_tile(ctx, program, nullptr, i);
        // A type may ask for any size; large ones stay unbound.
        if (tile == nullptr) tile = pto_tile_create(ctx, PTO_DTYPE_F32, 4, 8);
        if (pto_tile_bytes(tile) <= 1 << 16) pto_program_bind_tile(ctx, program, name, tile);
        pto_tile_release(tile);
        break;
      }
      case PTO_ARG_INT:
        pto_program_bind_int(ctx, program, name, integer(i));
        break;
      case PTO_ARG_FLOAT:
        pto_program_bind_float(ctx, program, name, 0.5 + i);
        break;
      default:
        break;
    }
  }
}

inline void BindAll(pto_context* ctx, pto_program* program) {
  BindAll(ctx, program, g_memory, sizeof g_memory, INT32_MAX, [](int32_t i) { return 2 + i % 3; });
}

inline std::string TextOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  return whole.str();
}

// Their names, seen from the folder tests/ptoas.
inline std::vector<std::string> CorpusFiles(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const char* of : {"valid", "invalid", "lint", "lint_near", "sync", "../fuzz/seeds", "../../examples"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / of)) {
      if (entry.path().extension() == ".pto") {
        files.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace pto_test

#endif  // PTO_TESTS_PROGRAM_BIND_ALL_H_

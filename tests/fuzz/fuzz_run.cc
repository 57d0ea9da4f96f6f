// libFuzzer target: any bytes as a program, parsed, checked, printed and run with
// every argument bound. No crash, no leak, no handle left, bounded time and memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "include/pto_c.h"

namespace {

void Require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void BindAll(pto_context* ctx, pto_program* program, void* memory, int64_t bytes) {
  const int32_t count = pto_program_arg_count(program, nullptr);
  for (int32_t i = 0; i < count && i < 64; ++i) {
    const char* name = pto_program_arg_name(program, nullptr, i);
    const int32_t dtype = pto_program_arg_dtype(program, nullptr, i);
    switch (pto_program_arg_kind(program, nullptr, i)) {
      case PTO_ARG_TENSOR: {
        pto_tensor_desc desc{};
        desc.struct_size = sizeof desc;
        desc.dtype = dtype < 0 ? PTO_DTYPE_F32 : static_cast<pto_dtype>(dtype);
        desc.rank = 1;
        desc.dim0 = bytes / pto_dtype_bytes(desc.dtype);
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
        pto_program_bind_int(ctx, program, name, 8);
        break;
      case PTO_ARG_FLOAT:
        pto_program_bind_float(ctx, program, name, 0.5);
        break;
      default:
        break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1 << 14) return 0;
  static uint64_t memory[512];
  const int64_t before = pto_live_handles();
  pto_context* ctx = pto_context_create(static_cast<pto_profile>(size % 3));
  pto_program* program =
      pto_program_parse(ctx, reinterpret_cast<const char*>(data), static_cast<int64_t>(size), "fuzz");
  Require(program != nullptr, "a text answers a program");
  const pto_status status = pto_program_check(ctx, program);
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    Require(pto_program_diagnostic_text(program, i) != nullptr && pto_program_diagnostic_line(program, i) >= 1 &&
                pto_program_diagnostic_rule(program, i)[0] != '\0',
            "a diagnostic has its parts");
  }
  Require(pto_program_lint(ctx, program, nullptr) == status, "advice changes no answer");
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    Require(pto_program_diagnostic_line(program, i) >= 1, "advice has its place");
  }
  if (status == PTO_OK) {
    Require(pto_program_print(ctx, program, PTO_FORM_KEEP) != nullptr, "a correct program is printed");
    pto_program_limit_steps(ctx, program, 300);
    pto_program_limit_bytes(ctx, program, 1 << 18);
    pto_program_set_blocks(ctx, program, 2);
    pto_program_set_threads(ctx, program, 2);
    pto_program_set_trace(ctx, program, 1);
    pto_program_set_sync(ctx, program, static_cast<int32_t>(size / 3 % 2));
    BindAll(ctx, program, memory, sizeof memory);
    const pto_status ran = pto_program_run(ctx, program, nullptr);
    Require(pto_program_steps(program) <= 300, "the limit of statements holds");
    Require(ran == PTO_OK || pto_context_error(ctx) == ran, "a failing run leaves its error");
    Require(pto_program_trace(ctx, program) != nullptr, "there is a trace");
    for (int32_t i = 0; i < pto_program_tile_count(program); ++i) {
      pto_tile_release(pto_program_tile(ctx, program, pto_program_tile_name(program, i)));
    }
  } else {
    Require(pto_context_error(ctx) == PTO_ERROR_PROGRAM, "an incorrect program says so");
  }
  pto_program_release(program);
  pto_context_release(ctx);
  Require(pto_live_handles() == before, "no handle is left");
  return 0;
}

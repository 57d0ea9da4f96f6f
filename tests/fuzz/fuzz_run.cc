// libFuzzer target: any bytes as a program, parsed, checked, printed and run with
// every argument bound. No crash, no leak, no handle left, bounded time and memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "include/pto_c.h"
#include "tests/program/bind_all.h"

namespace {

void Require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1 << 14) return 0;
  static uint64_t memory[512];
  const int64_t before = pto_live_handles();
  pto_context* ctx = pto_context_create(static_cast<pto_profile>(size % 3));
  pto_program* program =
      pto_program_parse(ctx, reinterpret_cast<const char*>(data), static_cast<int64_t>(size), "fuzz");
  Require(program != nullptr, "parsing returns a program");
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
    pto_test::BindAll(ctx, program, memory, sizeof memory, 64, [](int32_t) { return 8; });
    const pto_status ran = pto_program_run(ctx, program, nullptr);
    Require(pto_program_steps(program) <= 300, "the limit of statements holds");
    Require(ran == PTO_OK || pto_context_error(ctx) == ran, "a failing run leaves its error");
    Require(pto_program_trace(ctx, program) != nullptr, "there is a trace");
    for (int32_t i = 0; i < pto_program_tile_count(program); ++i) {
      pto_tile_release(pto_program_tile(ctx, program, pto_program_tile_name(program, i)));
    }
  } else {
    Require(pto_context_error(ctx) == PTO_ERROR_PROGRAM, "an incorrect program reports an error");
  }
  pto_program_release(program);
  pto_context_release(ctx);
  Require(pto_live_handles() == before, "no handle is left");
  return 0;
}

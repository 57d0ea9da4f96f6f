// Which bytes a run leaves as an earlier run left them, and that no program sees the difference: each example runs
// after a program that filled the memory with other values. Then everything that it printed and that its tiles hold is
// the same as in a new context.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "src/objects/on_chip.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/run/chip.h"
#include "src/ptoas/run/first_writes.h"
#include "tests/ptoas/cmocka_cpp.h"

namespace pto::ptoas {
namespace {

#define TILE "!pto.tile_buf<vec, 8x8xf32>"             // 256 bytes
#define PART "!pto.tile_buf<vec, 8x8xf32, valid=8x7>"  // not all of them valid
#define OPEN "!pto.tile_buf<vec, 8x8xf32, valid=?x?>"
#define ROW "!pto.tile_buf<vec, 1x8xf32>"  // 32 bytes
#define FILL(tile) " pto.texpands ins(%one : f32) outs(" tile " : " TILE ")\n"
#define ADD(a, to) " pto.tadd ins(" a ", " a " : " TILE ", " TILE ") outs(" to " : " TILE ")\n"
#define SHOW(tile) " pto.tprint ins(" tile " : " TILE ")\n"

struct Example {
  const char* what;
  const char* body;
  const char* spared;  // as `begin-end` each; nullptr: nothing
};

constexpr Example kExamples[] = {
    {"written, then read", " %a = pto.alloc_tile addr = %a0 : " TILE "\n" FILL("%a") SHOW("%a"), "0-256"},
    {"read first", " %a = pto.alloc_tile addr = %a0 : " TILE "\n" SHOW("%a") FILL("%a") SHOW("%a"), ""},
    {"never used", " %a = pto.alloc_tile addr = %a0 : " TILE "\n", ""},
    {"read by the statement that writes it", " %a = pto.alloc_tile addr = %a0 : " TILE "\n" ADD("%a", "%a") SHOW("%a"),
     ""},
    {"bytes that are not valid",
     " %a = pto.alloc_tile addr = %a0 : " PART "\n"
     " pto.texpands ins(%one : f32) outs(%a : " PART ")\n"
     " %b = pto.alloc_tile addr = %a0 : " TILE "\n" SHOW("%b"),
     ""},
    {"a valid region that changes",
     " %a = pto.alloc_tile addr = %a0 valid_row = %c1 valid_col = %c1 : " OPEN "\n"
     " pto.texpands ins(%one : f32) outs(%a : " OPEN ")\n pto.set_validshape %a, %c8, %c8 : " OPEN "\n"
     " pto.tprint ins(%a : " OPEN ")\n",
     ""},
    {"a tile of the same bytes that is read",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %b = pto.alloc_tile addr = %a32 : " TILE "\n" SHOW("%b") FILL("%a") SHOW("%b"),
     "0-32"},
    {"two of the same bytes that are written",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %b = pto.alloc_tile addr = %a32 : " TILE "\n" FILL("%a") FILL("%b") SHOW("%b") SHOW("%a"),
     "0-288"},
    {"a part of it is written first",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %r = pto.subview %a[%c1, %c0] sizes [1, 8] : " TILE "\n"
     " pto.texpands ins(%one : f32) outs(%r : !pto.tile_buf<...>)\n" FILL("%a") SHOW("%a"),
     ""},
    {"a part of it is read first",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %r = pto.subview %a[%c1, %c0] sizes [1, 8] : " TILE "\n pto.tprint ins(%r : !pto.tile_buf<...>)\n" FILL("%a")
         SHOW("%a"),
     ""},
    {"written in a loop, read there",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.for %i = %c0 to %c2 step %c1 {\n" FILL("%a") SHOW("%a") " }\n",
     "0-256"},
    {"written in a loop, read after it",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.for %i = %c0 to %c0 step %c1 {\n" FILL("%a") " }\n" SHOW("%a"),
     ""},
    {"written in a loop that does not run",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.for %i = %c0 to %c0 step %c1 {\n" FILL("%a") SHOW("%a") " }\n",
     "0-256"},
    {"read before it in a later round",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.for %i = %c0 to %c2 step %c1 {\n" SHOW("%a") FILL("%a") " }\n",
     ""},
    {"written in one branch, read in the other",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.if %given {\n" FILL("%a") " } else {\n" SHOW("%a") " }\n",
     ""},
    {"written in a branch not taken",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.if %given {\n" FILL("%a") SHOW("%a") " }\n",
     "0-256"},
    {"one not reached has the bytes of one written",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %b = pto.alloc_tile addr = %a32 : " TILE "\n" FILL("%a") " scf.if %given {\n" FILL("%b") SHOW("%b") " }\n",
     "0-288"},
    {"the run ends before it is written",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " scf.if %given {\n  pto.trap\n }\n" FILL("%a") SHOW("%a"),
     "0-256"},
    {"the run ends after it was written",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n" FILL("%a") " %b = pto.alloc_tile addr = %a512 : " TILE
                                                               "\n scf.if %given {\n  pto.trap\n }\n" ADD("%a", "%b"),
     "0-256 512-768"},
    {"an address that the text does not show",
     " %k = arith.muli %c2, %c8 : index\n"
     " %m = arith.muli %k, %c2 : index\n %at = arith.index_cast %m : index to i64\n"
     " %a = pto.alloc_tile addr = %at : " TILE "\n" FILL("%a") SHOW("%a"),
     nullptr},
    {"its bytes are read by a pointer",
     " %a = pto.alloc_tile addr = %a0 : " TILE "\n"
     " %b = pto.alloc_tile addr = %a512 : " TILE "\n" FILL("%b") " %p = pto.tile_buf_addr %a : " TILE
                                                                 " -> !pto.ptr<f32, ub>\n" FILL("%a") SHOW("%a"),
     nullptr},
};

std::string TextOf(const Example& example) {
  std::string text;
  for (const char* name : {"dirt", "main"}) {
    text += std::string("func.func @") + name + "(%n: i1) attributes {pto.entry} {\n %given = arith.ori %n, %n : i1\n";
    for (int n : {0, 1, 2, 8})
      text += " %c" + std::to_string(n) + " = arith.constant " + std::to_string(n) + " : index\n";
    for (int n : {0, 32, 512})
      text += " %a" + std::to_string(n) + " = arith.constant " + std::to_string(n) + " : i64\n";
    text += " %one = arith.constant 1.0 : f32\n";
    if (std::string(name) == "main") text += example.body;
    if (std::string(name) == "dirt") {
      text +=
          " %d = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 32x32xf32>\n %seven = arith.constant 7.0 : f32\n"
          " pto.texpands ins(%seven : f32) outs(%d : !pto.tile_buf<vec, 32x32xf32>)\n";
    }
    text += " return\n}\n";
  }
  return text;
}

// How a run ends, what it prints, the bytes of its tiles, and the elements that it records.
std::string Run(pto_context* ctx, pto_program* program, int64_t given, pto_record what) {
  assert_int_equal(pto_program_record(ctx, program, what, 1 << 20), PTO_OK);
  assert_int_equal(pto_program_bind_int(ctx, program, "n", given), PTO_OK);
  const bool good = pto_program_run(ctx, program, "main") == PTO_OK;
  if (!good && std::string(pto_context_error_rule(ctx)) != "trap") fail_msg("%s", pto_context_error_message(ctx));
  std::string said = std::string(good ? "done " : "trap ") + pto_program_output(program);
  for (int32_t i = 0; i < pto_program_tile_count(program); ++i) {
    const char* name = pto_program_tile_name(program, i);
    pto_tile* tile = pto_program_tile(ctx, program, name);
    const auto* data = static_cast<const float*>(pto_tile_data(tile));
    said += std::string("\n") + name + ":";
    const int64_t count = data == nullptr ? 0 : int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile);
    for (int64_t k = 0; k < count; ++k) said += " " + std::to_string(data[k]);
    pto_tile_release(tile);
  }
  std::vector<uint8_t> elements(static_cast<size_t>(pto_program_event_count(program, PTO_EVENT_PART_ELEMENTS)));
  assert_int_equal(pto_program_read_events(ctx, program, PTO_EVENT_PART_ELEMENTS, 0, 1, elements.data(),
                                           static_cast<int64_t>(elements.size())),
                   PTO_OK);
  said += "\nrecorded:";
  for (const uint8_t byte : elements) said += " " + std::to_string(byte);
  return said;
}

pto_program* ParseIn(pto_context* ctx, const std::string& text) {
  pto_program* program = pto_program_parse(ctx, text.c_str(), static_cast<int64_t>(text.size()), "t.pto");
  assert_non_null(program);
  return program;
}

void TestNobodyCanTell(void**) {
  for (const Example& example : kExamples) {
    const std::string text = TextOf(example);
    pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
    std::string want[2][2];
    for (const bool records : {false, true}) {
      for (const int given : {0, 1}) {
        pto_program* fresh = ParseIn(ctx, text);
        want[records][given] = Run(ctx, fresh, given, records ? PTO_RECORD_TILES : PTO_RECORD_OFF);
        pto_program_release(fresh);
      }
    }
    pto_program* program = ParseIn(ctx, text);
    pto_tile* held = nullptr;
    assert_int_equal(pto_program_bind_int(ctx, program, "n", 0), PTO_OK);
    for (int round = 0; round < 8; ++round) {
      if (pto_program_run(ctx, program, "dirt") != PTO_OK) fail_msg("%s", pto_context_error_message(ctx));
      // Memory that the caller has a tile in stays its own.
      if (round == 3) held = pto_program_tile(ctx, program, "d");
      bool records = round % 5 == 0;
      for (const int given : {round / 2 % 2, 1 - round / 2 % 2, 1, 0, 1}) {
        if (round % 2 == 1) assert_int_equal(pto_program_run(ctx, program, "dirt"), PTO_OK);
        const std::string got = Run(ctx, program, given, records ? PTO_RECORD_TILES : PTO_RECORD_OFF);
        if (got != want[records][given]) {
          fail_msg("%s, round %d, %d: %s\nis not\n%s", example.what, round, given, got.c_str(),
                   want[records][given].c_str());
        }
        records = false;
      }
    }
    const auto* data = static_cast<const float*>(pto_tile_data(held));
    for (int i = 0; i < 1024; ++i) assert_true(data[i] == 7.0F);
    pto_tile_release(held);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

void TestSparedBytes(void**) {
  for (const Example& example : kExamples) {
    const std::string text = TextOf(example);
    Diagnostics found(text);
    const Program program = Parse(std::string_view(text), &found);
    assert_int_equal(found.errors(), 0);
    std::string spared;
    for (const Span& span : FirstWritesOf(*program.modules[0]->funcs[1]).spared) {
      spared += (spared.empty() ? "" : " ") + std::to_string(span.begin) + "-" + std::to_string(span.end);
    }
    const std::string want = example.spared == nullptr ? "" : example.spared;
    if (spared != want) fail_msg("%s: spares %s, not %s", example.what, spared.c_str(), want.c_str());
  }
}

// What a core's memory has of the block before.
void TestChip(void**) {
  pto_context* like = pto_context_create(PTO_PROFILE_CPU);
  Chip chip;
  const Spans none;
  Spans some;
  some.Add(0, 64);
  const auto bytes = [&] {
    int64_t size = 0;
    return OnChipBytes(chip.context(), PTO_LOCATION_VEC, &size);
  };
  const auto dirty = [&](int64_t begin, int64_t end) {
    chip.Use(PTO_LOCATION_VEC, begin, end);
    std::fill(bytes() + begin, bytes() + end, uint8_t{7});
  };
  const auto expect = [&](std::initializer_list<uint8_t> at_32_steps) {
    int64_t at = 0;
    for (const uint8_t value : at_32_steps) {
      for (const int64_t end = at + 32; at < end; ++at) assert_int_equal(bytes()[at], value);
    }
  };
  chip.Clean(like, none);
  dirty(32, 128);
  chip.Clean(like, some);
  expect({0, 7, 0, 0});
  // No tile was placed in the spared bytes, and the next block does not spare them.
  chip.Clean(like, none);
  expect({0, 0, 0, 0});
  dirty(0, 128);
  chip.Clean(like, some);
  Spans late;
  late.Add(32, 96);
  chip.ClearSpared(late);
  expect({7, 0, 0, 0});
  // A tile that lies in the memory keeps it.
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_U8;
  desc.rows = 1;
  desc.cols = 32;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile* tile = pto_tile_create_from(chip.context(), &desc);
  assert_int_equal(pto_tassign(chip.context(), tile, 0), PTO_OK);
  dirty(0, 32);
  chip.Clean(like, some);
  expect({0, 0, 0, 0});
  assert_int_equal(*static_cast<const uint8_t*>(pto_tile_data(tile)), 7);
  dirty(0, 32);
  chip.Clean(like, none);
  expect({0, 0, 0, 0});
  pto_tile_release(tile);
  pto_context_release(like);
}

// Against a set of single bytes.
void TestSpans(void**) {
  constexpr int kBytes = 48;
  uint32_t random = 1;
  const auto next = [&](uint32_t below) {
    random = random * 1664525 + 1013904223;
    return static_cast<int64_t>((random >> 16) % below);
  };
  for (int round = 0; round < 400; ++round) {
    Spans spans, others;
    std::vector<bool> bytes(kBytes), theirs(kBytes);
    for (int step = 0; step < 12; ++step) {
      const int64_t begin = next(kBytes);
      const int64_t end = begin + next(static_cast<uint32_t>(kBytes - begin) + 1);
      const int64_t what = next(3);
      int64_t fresh = 0, any = 0;
      for (int64_t i = begin; i < end; ++i) {
        const auto at = static_cast<size_t>(i);
        any += bytes[at];
        fresh += !bytes[at];
        if (what == 2) theirs[at] = true;
        if (what != 2) bytes[at] = what == 0;
      }
      if (begin < end) assert_int_equal(spans.Any(begin, end), any != 0);
      if (what == 0) assert_int_equal(spans.Add(begin, end), fresh);
      if (what == 1) spans.Remove(begin, end);
      if (what == 2) others.Add(begin, end);
    }
    std::vector<bool> held(kBytes), inside(kBytes), outside(kBytes);
    const auto mark = [](std::vector<bool>* set) {
      return [set](int64_t begin, int64_t end) {
        assert_true(begin < end);
        for (int64_t i = begin; i < end; ++i) (*set)[static_cast<size_t>(i)] = true;
      };
    };
    int64_t last = -1;
    for (const Span& span : spans) {
      assert_true(span.begin > last);
      last = span.end;
      mark (&held)(span.begin, span.end);
    }
    spans.EachInside(others, mark(&inside));
    spans.EachOutside(others, mark(&outside));
    for (size_t i = 0; i < kBytes; ++i) {
      assert_int_equal(held[i], bytes[i]);
      assert_int_equal(inside[i], bytes[i] && theirs[i]);
      assert_int_equal(outside[i], bytes[i] && !theirs[i]);
    }
  }
}

}  // namespace
}  // namespace pto::ptoas

int main() {
  using namespace pto::ptoas;
  const CMUnitTest tests[] = {
      cmocka_unit_test(TestNobodyCanTell),
      cmocka_unit_test(TestSparedBytes),
      cmocka_unit_test(TestChip),
      cmocka_unit_test(TestSpans),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}

// Properties of the programs of the tests and examples, whatever they compute. The argument is the folder tests/ptoas.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/profiles.h"
#include "tests/program/bind_all.h"

namespace {

using pto_test::BindAll;
using pto_test::g_memory;

int g_failures = 0;
int g_runs = 0;

void Expect(bool good, const std::string& what, const std::string& message) {
  if (good) return;
  std::printf("%s: %s\n", what.c_str(), message.c_str());
  ++g_failures;
}

class Program {
 public:
  Program(pto_context* ctx, const std::string& text)
      : ctx_(ctx), program_(pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "corpus.pto")) {}
  ~Program() { pto_program_release(program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pto_program* get() const { return program_; }
  bool Check() const { return pto_program_check(ctx_, program_) == PTO_OK; }

  // Runs it with the same data each time.
  pto_status Run() const {
    for (size_t i = 0; i < std::size(g_memory); ++i) g_memory[i] = 0x3C003C003C003C00U + i * 0x0001000300010003U;
    BindAll(ctx_, program_);
    pto_program_limit_steps(ctx_, program_, 20000);
    pto_program_limit_bytes(ctx_, program_, 1 << 24);
    return pto_program_run(ctx_, program_, nullptr);
  }

  // The results of a run: global memory, printed text, every tile that can be read.
  std::string Left() const {
    std::string left(reinterpret_cast<const char*>(g_memory), sizeof g_memory);
    left += pto_program_output(program_);
    for (int32_t i = 0; i < pto_program_tile_count(program_); ++i) {
      pto_tile* tile = pto_program_tile(ctx_, program_, pto_program_tile_name(program_, i));
      left += Bytes(tile);
      pto_tile_release(tile);
    }
    return left;
  }

  static std::string Bytes(pto_tile* tile) {
    // Of a tile without memory nothing can be read.
    const void* data = pto_tile_data(tile);
    if (data == nullptr) return "no memory";
    return {static_cast<const char*>(data), static_cast<size_t>(pto_tile_bytes(tile))};
  }

 private:
  pto_context* ctx_;
  pto_program* program_;
};

// Writes all over the on-chip memory of the lowest addresses.
constexpr char kDirt[] = R"(
func.func @dirt() {
  %a = arith.constant 0 : i64
  %x = arith.constant 77 : i32
  %v = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 128x128xi32>
  pto.texpands ins(%x : i32) outs(%v : !pto.tile_buf<...>)
  return
}
)";

// Every run begins with zeros on chip: the second run of a program leaves what the first left, after whatever else ran
// in the context; and a tile of an earlier run keeps what it held.
void RepeatsItself(const std::string& name, const std::string& text) {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  {
    const Program program(ctx, text);
    if (program.get() != nullptr && program.Check()) {
      const pto_status status = program.Run();
      const std::string left = program.Left();
      std::vector<pto_tile*> tiles;
      std::string held;
      for (int32_t i = 0; i < pto_program_tile_count(program.get()); ++i) {
        tiles.push_back(pto_program_tile(ctx, program.get(), pto_program_tile_name(program.get(), i)));
      }
      for (pto_tile* tile : tiles) held += Program::Bytes(tile);
      const Program dirt(ctx, kDirt);
      Expect(dirt.Run() == PTO_OK, name, pto_context_error_message(ctx));
      for (int round = 0; round < 2; ++round) {
        Expect(program.Run() == status, name, "another run ends in another way");
        Expect(program.Left() == left, name, "another run leaves something else");
      }
      // Tiles of arguments are the caller's, and a run may write them.
      if (pto_program_arg_count(program.get(), nullptr) == 0) {
        std::string holds;
        for (pto_tile* tile : tiles) holds += Program::Bytes(tile);
        Expect(holds == held, name, "a tile of the first run changed");
      }
      for (pto_tile* tile : tiles) pto_tile_release(tile);
    }
  }
  pto_context_release(ctx);
}

// Errors of runs that a check cannot know: data and how they are bound, limits, cores that wait.
bool OfDataOrLimits(std::string_view rule) {
  static constexpr std::string_view kRules[] = {
      "step-limit",    "byte-limit",  "memory",     "tensor-range", "index-range", "table-range",  "argument-type",
      "argument-kind", "unsupported", "core-tiles", "deadlock",     "trap",        "memory-range",
  };
  return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

// A run does not refuse a program that passes the check: a program without numbers has all but its data written in it.
void RunsIfChecked(const std::string& name, const std::string& text) {
  for (const pto_profile profile : ALL_PROFILES) {
    pto_context* ctx = pto_context_create(profile);
    {
      const Program program(ctx, text);
      // Numbers that are passed are data, and so are tiles without a type in the program.
      bool data = false;
      for (int32_t i = 0; i < pto_program_arg_count(program.get(), nullptr); ++i) {
        const pto_arg_kind kind = pto_program_arg_kind(program.get(), nullptr, i);
        pto_tile* tile = kind == PTO_ARG_TILE ? pto_program_arg_tile(ctx, program.get(), nullptr, i) : nullptr;
        data |= kind == PTO_ARG_INT || (kind == PTO_ARG_TILE && tile == nullptr);
        pto_tile_release(tile);
      }
      if (program.get() != nullptr && !data && program.Check() && pto_program_entry(program.get()) != nullptr) {
        const bool good = program.Run() == PTO_OK || OfDataOrLimits(pto_context_error_rule(ctx));
        Expect(good, name,
               std::string("profile ") + std::to_string(profile) + ", " + pto_context_error_rule(ctx) + ": " +
                   pto_context_error_message(ctx));
        g_runs += good ? 1 : 0;
      }
    }
    pto_context_release(ctx);
  }
}

// A number in a statement, and the rule that it breaks. Written as a constant, the check finds it; passed as an
// argument, the run does, by the same rule.
struct Mistake {
  const char* rule;
  int64_t number;
  const char* type;  // of %x
  const char* text;
};
constexpr Mistake kMistakes[] = {
    {"address-range", 1 << 20, "i64", "%t = pto.alloc_tile addr = %x : !pto.tile_buf<vec, 8x8xf32>"},
    {"address-range", 196608 - 224, "i64", "%t = pto.alloc_tile addr = %x : !pto.tile_buf<vec, 8x8xf32>"},
    {"address-range", -32, "i64", "%t = pto.alloc_tile addr = %x : !pto.tile_buf<vec, 8x8xf32>"},
    {"address-alignment", 8, "i64", "%t = pto.alloc_tile addr = %x : !pto.tile_buf<vec, 8x8xf32>"},
    {"address-range", 65536, "i64",
     "%t = pto.alloc_tile addr = %x : !pto.tile_buf<left, 16x16xf16, slayout=row_major>"},
    {"address-range", 1 << 20, "i64",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
     "  %u = pto.tassign %t, %x : !pto.tile_buf<vec, 8x8xf32> -> !pto.tile_buf<vec, 8x8xf32>"},
    {"view-range", 64, "index",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n  %v = pto.tgetval %t, %x : (!pto.tile_buf<vec, 8x8xf32>, "
     "index) -> f32"},
    {"view-range", 8, "index",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n  %s = pto.subview %t, %x, %c0 : !pto.tile<...>, index, "
     "index"},
    {"window", 5, "index",
     "%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n"
     "  %w = pto.partition_view %v, offsets = [%x, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> "
     "!pto.partition_tensor_view<4x8xf32>"},
    {"window", 5, "index",
     "%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n"
     "  %w = pto.partition_view %v, offsets = [%c4, %c0], sizes = [%x, %c8] : !pto.tensor_view<?x?xf32> -> "
     "!pto.partition_tensor_view<?x8xf32>"},
    {"tensor-stride", -1, "index",
     "%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%x, %c1] : !pto.tensor_view<?x?xf32>"},
    {"window", 7, "index",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
     "  %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n"
     "  %t = tload %v[%x, %c0] : !pto.tensor_view<8x8xf32> -> !pto.tile_buf<vec, 2x8xf32>"},
    {"transfer-covers", 4, "index",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
     "  %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n"
     "  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%x, %c8] : !pto.tensor_view<?x?xf32> -> "
     "!pto.partition_tensor_view<?x8xf32>\n"
     "  pto.tload ins(%w : !pto.partition_tensor_view<?x8xf32>) outs(%t : !pto.tile_buf<...>)"},
    {"valid-equal", 4, "index",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
     "  %u = pto.alloc_tile valid_row = %x valid_col = %c8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>\n"
     "  pto.tabs ins(%u : !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)"},
};

void FindsConstantMistakes() {
  for (const Mistake& mistake : kMistakes) {
    const std::string number = std::to_string(mistake.number);
    const std::string name = std::string(mistake.rule) + " " + number + ": " + mistake.text;
    const std::string body = std::string(
                                 "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                                 "  %c4 = arith.constant 4 : index\n  %c8 = arith.constant 8 : index\n  ") +
                             mistake.text + "\n  return\n}\n";
    const std::string constant = "func.func @f(%p: !pto.ptr<f32>) attributes {pto.entry} {\n  %x = arith.constant " +
                                 number + " : " + mistake.type + "\n" + body;
    const std::string argument =
        std::string("func.func @f(%p: !pto.ptr<f32>, %x: ") + mistake.type + ") attributes {pto.entry} {\n" + body;
    pto_context* ctx = pto_context_create(PTO_PROFILE_A2A3);
    {
      const Program one(ctx, constant);
      Expect(!one.Check(), name, "the check passes a constant");
      Expect(std::strcmp(pto_context_error_rule(ctx), mistake.rule) == 0, name, pto_context_error_message(ctx));
      const Program two(ctx, argument);
      Expect(two.Check(), name, pto_context_error_message(ctx));
      BindAll(ctx, two.get());
      pto_program_bind_int(ctx, two.get(), "x", mistake.number);
      Expect(pto_program_run(ctx, two.get(), nullptr) != PTO_OK, name, "the run passes an argument");
      Expect(std::strcmp(pto_context_error_rule(ctx), mistake.rule) == 0, name, pto_context_error_message(ctx));
    }
    pto_context_release(ctx);
  }
}

// The memory of the caller's context is the caller's: a run neither reads nor clears it.
void LeavesTheCallersMemory() {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_I32;
  desc.rows = 8;
  desc.cols = 8;
  desc.valid_rows = desc.valid_cols = PTO_VALID_ALL;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile* mine = pto_tile_create_from(ctx, &desc);
  Expect(pto_tassign(ctx, mine, 0) == PTO_OK, "tassign", pto_context_error_message(ctx));
  std::vector<int32_t> data(64, 5);
  pto_tile_write(ctx, mine, data.data(), 256);
  const Program dirt(ctx, kDirt);
  for (int round = 0; round < 2; ++round) Expect(dirt.Run() == PTO_OK, "dirt", pto_context_error_message(ctx));
  pto_tile_read(ctx, mine, data.data(), 256);
  Expect(data == std::vector<int32_t>(64, 5), "tassign", "a run changed a tile that the caller placed");
  // A program reads at that address what it wrote there: nothing.
  const Program reads(ctx, R"(
func.func @reads() {
  %a = arith.constant 0 : i64
  %v = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 1x8xi32>
  pto.tprint ins(%v : !pto.tile_buf<...>)
  return
}
)");
  Expect(reads.Run() == PTO_OK, "reads", pto_context_error_message(ctx));
  Expect(std::strcmp(pto_program_output(reads.get()), "%v: 1x8 of i32\n  0 0 0 0 0 0 0 0\n") == 0, "reads",
         pto_program_output(reads.get()));
  pto_tile_release(mine);
  pto_context_release(ctx);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  int programs = 0;
  for (const std::string& name : pto_test::CorpusFiles(folder)) {
    const std::string text = pto_test::TextOf(folder / name);
    // A file of lint has two programs, one after the other.
    constexpr std::string_view kMark = "// ---- and without ----";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(kMark, begin), text.size());
      RepeatsItself(name, text.substr(begin, end - begin));
      // Its loop counts beyond a view: lint reports it.
      if (name != "lint/loop-overrun.pto") RunsIfChecked(name, text.substr(begin, end - begin));
      begin = end + (end < text.size() ? kMark.size() : 0);
      ++programs;
    }
  }
  LeavesTheCallersMemory();
  FindsConstantMistakes();
  Expect(programs > 300, "corpus", std::to_string(programs) + " programs");
  Expect(g_runs > 300, "corpus", std::to_string(g_runs) + " programs that a check passes");
  std::printf("%d programs, %d runs after a check, %d failures\n", programs, g_runs, g_failures);
  return g_failures == 0 ? 0 : 1;
}

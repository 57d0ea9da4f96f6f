// Printing: what is printed parses to the same program, in each spelling, and
// printing that gives the same text. Over the corpus and over random programs. printed.txt holds how the programs of
// valid/ are printed, to the last blank; with --write as the last argument it is written instead of compared.
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/check/verifier.h"
#include "tests/ptoas/same_program.h"

namespace pto::ptoas {
namespace {

std::string golden_path;
bool write_golden = false;

void TestGoldenPrints(void**) {
  std::string text;
  for (const CorpusFile& file : Corpus("valid", 20)) {
    Diagnostics diagnostics;
    const Program program = Parse(file.text, &diagnostics);
    text += "==== " + file.name + "\n" + Print(program);
    for (int form = 0; form < 3; ++form) {
      const std::string printed = Print(program, static_cast<Spelling>(form));
      if (printed != Print(program)) text += "---- " + std::to_string(form) + "\n" + printed;
    }
  }
  if (write_golden) std::ofstream(golden_path, std::ios::binary) << text;
  std::ifstream golden(golden_path, std::ios::binary);
  std::istringstream found(text);
  std::string want;
  std::string got;
  int line = 1;
  for (; std::getline(golden, want) && std::getline(found, got); ++line) {
    if (want != got)
      fail_msg("printed.txt:%d: %s\nis now: %s\nIf that is meant, run this test with --write.", line, want.c_str(),
               got.c_str());
  }
  golden.clear();
  golden.seekg(0);
  assert_true(text == std::string(std::istreambuf_iterator<char>(golden), std::istreambuf_iterator<char>()));
}

void TestCorpus(void**) {
  size_t printed = 0;
  for (const CorpusFile& file : WholeCorpus()) {
    Diagnostics diagnostics;
    const Program program = Parse(file.text, &diagnostics);
    if (diagnostics.errors() != 0) continue;
    ++printed;
    AssertRoundTrip(program, file.name);
  }
  assert_true(printed >= 35);  // the invalid ones break rules of the verifier, most of them
}

void TestRandomPrograms(void**) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const std::string text = RandomProgram(&random);
    Checked checked;
    Check(text, &checked);
    const std::string name = "random program " + std::to_string(seed);
    if (checked.diagnostics.errors() != 0) {
      fail_msg("%s\n%s", checked.diagnostics.Render(checked.diagnostics.list()[0], name).c_str(), text.c_str());
    }
    AssertRoundTrip(checked.program, name);
  }
}

std::string Formatted(const char* text, Spelling form) {
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  assert_int_equal(diagnostics.errors(), 0);
  return Print(program, form);
}

void TestThreeSpellingsAreOneProgram(void**) {
  const char* texts[] = {
      "%d = tpow %a, %b, %t : !pto.tile<...>",
      "%d = pto.tpow %a, %b, %t : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
      ("pto.tpow ins(%a, %b, %t : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%d : "
       "!pto.tile_buf<...>)"),
  };
  for (const char* from : texts) {
    Diagnostics diagnostics;
    const Program program = Parse(from, &diagnostics);
    assert_int_equal(diagnostics.errors(), 0);
    for (const char* to : texts) {
      Diagnostics more;
      assert_true(SameProgram(program, Parse(to, &more)));
    }
    for (int form = 0; form < 3; ++form) {
      assert_string_equal(Print(program, static_cast<Spelling>(form)).c_str(),
                          (std::string(texts[form]) + "\n").c_str());
    }
  }
}

void TestDifferentProgramsDiffer(void**) {
  // Each differs from the first in one respect.
  const char* texts[] = {
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 2 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : i64\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%e = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %a, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tprelu %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%a = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 2} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1}",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<f32, 16, 16>",
      "%c = arith.constant 1 : index",
  };
  for (size_t i = 0; i < std::size(texts); ++i) {
    for (size_t k = 0; k < std::size(texts); ++k) {
      Diagnostics a;
      Diagnostics b;
      const bool same = SameProgram(Parse(texts[i], &a), Parse(texts[k], &b));
      assert_int_equal(a.errors() + b.errors(), 0);
      if (same != (i == k)) fail_msg("programs %zu and %zu compare %s", i, k, same ? "equal" : "different");
    }
  }
}

void TestComments(void**) {
  const char* text =
      "// first\nfunc.func @f() {  // after the brace\n  # second\n      %c   =   arith.constant 1:index  // third\n"
      "  // fourth\n}\n// fifth\n";
  assert_string_equal(Formatted(text, Spelling::kDps).c_str(),
                      "// first\nfunc.func @f() {\n  // after the brace\n  # second\n"
                      "  %c = arith.constant 1 : index  // third\n  // fourth\n}\n// fifth\n");
  // A type that is written again is read again where it has a comment in it.
  assert_string_equal(Formatted("func.func @f(%a: !pto.tile_buf<vec, // one\n8x8xf32>, %b: !pto.tile_buf<vec, // one\n"
                                "8x8xf32>) {\n}\n",
                                Spelling::kDps)
                          .c_str(),
                      "func.func @f(%a: !pto.tile_buf<vec, 8x8xf32>, %b: !pto.tile_buf<vec, 8x8xf32>) {\n"
                      "  // one\n  // one\n}\n");
}

// What generated programs found: each was accepted, and its print was not, or printed otherwise.
void TestPrintsAreReadAgain(void**) {
  const char* texts[] = {
      "#pto",  // no comment, though the text ends behind it
  };
  for (const char* text : texts) {
    Diagnostics diagnostics;
    Parse(text, &diagnostics);
    if (diagnostics.errors() != 0) continue;  // refused is as good
    for (int form = 0; form < 3; ++form) {
      const std::string printed = Formatted(text, static_cast<Spelling>(form));
      assert_string_equal(Formatted(printed.c_str(), static_cast<Spelling>(form)).c_str(), printed.c_str());
    }
  }
}

void TestTypes(void**) {
  // Every spelling of a tile prints as the compact one, with what differs from the defaults.
  const struct {
    const char* written;
    const char* printed;
  } kTypes[] = {
      {"!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, "
       "fractal=512, pad=0>",
       "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile_buf<loc=mat, dtype=bf16, rows=16, cols=32, v_row=?, v_col=8, blayout=col_major, slayout=row_major, "
       "fractal=1024, pad=3, compact=2>",
       "!pto.tile_buf<mat, 16x32xbf16, valid=?x8, blayout=col_major, slayout=row_major, fractal=1024, pad=3, "
       "compact=2>"},
      {"!pto.tile_buf< vec ,16x16xf32 , pad = 1, valid = 0x? >", "!pto.tile_buf<vec, 16x16xf32, valid=0x?, pad=1>"},
      {"!pto.tile<loc=vec, half, 16, 16, ColMajor, RowMajor, NZ, Zero>",
       "!pto.tile_buf<vec, 16x16xf16, blayout=col_major, slayout=row_major, pad=1>"},
      {"!pto.tile<f32,16,16>", "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile<16x32xui8>", "!pto.tile_buf<vec, 16x32xui8>"},
      {"!pto.ptr<f32, gm>", "!pto.ptr<f32>"},
      {"!pto.tensor_view<?x?x16xbf16>", "!pto.tensor_view<?x?x16xbf16>"},
      {"!pto.tile_view<1x0x10xf32>", "!pto.partition_tensor_view<1x0x10xf32>"},
      {"vector<4xi16>", "vector<4xi16>"},
      {"!pto.eventid_array<4>", "!pto.eventid_array<4>"},
      {"!pto.ptr<f32, ub>", "!pto.ptr<f32, vec>"},
      {"memref<4x4xf32, #pto.address_space<vec>>", "!pto.tile_buf<vec, 4x4xf32>"},
      {"memref<4x8xf32, strided<[1, 4]>, #pto.address_space<left>>", "!pto.tile_buf<left, 4x8xf32, blayout=col_major>"},
      {"memref<4x8xf32, affine_map<(d0, d1) -> (d1 + d0 * 8)>, #pto<address_space acc>>",
       "!pto.tile_buf<acc, 4x8xf32>"},
      {"memref<?x8xf32>", "!pto.tensor_view<?x8xf32>"},
      {"memref<?x8xf32, strided<[8, 1]>, #pto.address_space<gm>>", "!pto.tensor_view<?x8xf32>"},
      {"memref<?x8xf32, affine_map<(a, b) -> (a * 16 + b)>>",
       "memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>"},
      {"memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>",
       "memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>"},
      {"memref<4x8xf32, strided<[16, 1]>, #pto.address_space<vec>>",
       "memref<4x8xf32, strided<[16, 1]>, #pto.address_space<vec>>"},
      {"memref<4x8xf32, affine_map<(a, b) -> (a mod 2 + b)>>", "memref<4x8xf32, affine_map<(a, b) -> (a mod 2 + b)>>"},
  };
  for (const auto& type : kTypes) {
    Diagnostics diagnostics;
    const Program program = Parse(std::string("func.func private @f(") + type.written + ")", &diagnostics);
    if (diagnostics.errors() != 0) fail_msg("%s", diagnostics.Render(diagnostics.list()[0], type.written).c_str());
    assert_string_equal(ToString(program.modules[0]->funcs[0]->args[0]->type).c_str(), type.printed);
  }
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  using namespace pto::ptoas;
  if (argc < 2) return 2;
  SetCorpusFolder(argv[1]);
  golden_path = std::string(argv[1]) + "/printed.txt";
  write_golden = std::strcmp(argv[argc - 1], "--write") == 0;
  const CMUnitTest tests[] = {
      cmocka_unit_test(TestGoldenPrints),
      cmocka_unit_test(TestCorpus),
      cmocka_unit_test(TestRandomPrograms),
      cmocka_unit_test(TestThreeSpellingsAreOneProgram),
      cmocka_unit_test(TestDifferentProgramsDiffer),
      cmocka_unit_test(TestComments),
      cmocka_unit_test(TestPrintsAreReadAgain),
      cmocka_unit_test(TestTypes),
  };
  return cmocka_run_group_tests_name("print", tests, nullptr, nullptr);
}

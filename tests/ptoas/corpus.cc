// See corpus.h.
#include "corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cmocka_cpp.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/check/verifier.h"
#include "tests/common/only_op.h"
#include "tests/ptoas/same_program.h"

namespace pto::ptoas {
namespace {

std::string& Folder() {
  static std::string folder;
  return folder;
}

}  // namespace

size_t Sparse() { return in_thorough() ? 1 : 10; }

void SetCorpusFolder(const char* folder) { Folder() = folder; }

std::vector<CorpusFile> Corpus(const char* folder, size_t least) {
  std::vector<CorpusFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(Folder()) / folder)) {
    if (entry.path().extension() != ".pto") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(),
                     std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())});
  }
  std::sort(files.begin(), files.end(), [](const CorpusFile& a, const CorpusFile& b) { return a.name < b.name; });
  if (files.size() < least) fail_msg("%s holds %zu programs, fewer than %zu", folder, files.size(), least);
  return files;
}

std::vector<CorpusFile> WholeCorpus() {
  std::vector<CorpusFile> files = Corpus("valid", 15);
  const std::vector<CorpusFile> invalid = Corpus("invalid", 40);
  files.insert(files.end(), invalid.begin(), invalid.end());
  return files;
}

void Check(std::string_view text, Checked* checked) {
  checked->program = Parse(text, &checked->diagnostics);
  checked->parse_errors = checked->diagnostics.errors();
  Verify(checked->program, &checked->diagnostics);
}

void AssertRoundTrip(const Program& program, const std::string& name) {
  const std::string fault = FaultOfPrints(program);
  if (!fault.empty()) fail_msg("%s, %s", name.c_str(), fault.c_str());
}

// ---- random programs --------------------------------------------------------

namespace {

// Writes a function body; keeps the names that are defined, by what they are.
class Writer {
 public:
  explicit Writer(Random* random) : random_(random) {}

  std::string Run() {
    const bool bare = random_->Chance(25);
    if (bare) {
      tiles_ = {"u0", "u1"};
      Body(3, 10);
      return text_;
    }
    if (random_->Chance(50)) text_ += "module attributes {pto.target_arch = \"a5\", flag} {\n";
    const bool module = !text_.empty();
    text_ += "func.func @f" + std::to_string(random_->Below(9)) +
             "(%p: !pto.ptr<f32>, %n: index, %x: f32, %t: " + Tile() + ") attributes {pto.entry} {\n";
    tiles_ = {"t"};
    indices_ = {"n"};
    floats_ = {"x"};
    Body(4, 12);
    text_ += "return\n}\n";
    if (module) text_ += "}\n";
    return text_;
  }

 private:
  static std::string Tile() { return "!pto.tile_buf<vec, 16x16xf32>"; }
  std::string Fresh() { return "v" + std::to_string(count_++); }
  const std::string& Pick(const std::vector<std::string>& names) { return names[random_->Below(names.size())]; }
  std::string Type() {
    static const char* const kSpellings[] = {
        "!pto.tile_buf<vec, 16x16xf32>",
        "!pto.tile<f32, 16, 16>",
        "!pto.tile<16x16xf32>",
        "!pto.tile_buf<vec,16x16xf32,valid=16x16>",
        ("!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, "
         "fractal=512, pad=0>"),
        "!pto.tile<...>"};
    return kSpellings[random_->Below(std::size(kSpellings))];
  }
  std::string Index() {
    if (indices_.empty()) {
      const std::string name = Fresh();
      text_ += "%" + name + " = arith.constant " + std::to_string(random_->Below(100)) + " : index\n";
      indices_.push_back(name);
    }
    return Pick(indices_);
  }

  void Instruction() {
    static const struct {
      const char* name;
      size_t ins;
    } kInsts[] = {{"tpow", 2}, {"tpow", 3}, {"trsqrt", 1}, {"tprelu", 2}, {"tpartadd", 2}, {"tcolexpanddiv", 2}};
    const auto& inst = kInsts[random_->Below(std::size(kInsts))];
    std::string operands;
    std::string types;
    for (size_t i = 0; i < inst.ins; ++i) {
      if (i != 0) operands += ", ", types += ", ";
      operands += "%" + Pick(tiles_);
      types += Type();
    }
    const std::string attrs = random_->Chance(20) ? " {mode = 1 : i32, \"a b\" = [true, <nd>, #pto<cmp eq>]}" : "";
    const bool fresh = random_->Chance(30);
    const std::string dst = fresh ? Fresh() : Pick(tiles_);
    switch (random_->Below(3)) {
      case 0:
        text_ += "pto." + std::string(inst.name) + " ins(" + operands + " : " + types + ") outs(%" + Pick(tiles_) +
                 " : " + Type() + ")" + attrs + "\n";
        return;
      case 1:
        text_ += "%" + dst + " = " + inst.name + " " + operands + attrs +
                 (random_->Chance(50) ? " : " + Type() : std::string()) + "\n";
        break;
      default:
        text_ += "%" + dst + " = pto." + inst.name + " " + operands + attrs + " : (" + types + ") -> " + Type() + "\n";
    }
    if (fresh) tiles_.push_back(dst);
  }

  void Body(int depth, size_t most) {
    const std::vector<std::string> tiles = tiles_;
    const std::vector<std::string> indices = indices_;
    const std::vector<std::string> floats = floats_;
    for (size_t left = 1 + random_->Below(most); left > 0; --left) Statement(depth);
    tiles_ = tiles;
    indices_ = indices;
    floats_ = floats;
  }

  void Statement(int depth) {
    if (random_->Chance(15)) text_ += "// a comment\n";
    const std::string name = Fresh();
    const std::string i = Index();
    switch (random_->Below(depth > 0 ? 9 : 6)) {
      case 0:
        text_ += "%" + name + " = arith.constant " + std::to_string(random_->Below(1000)) + " : index\n";
        indices_.push_back(name);
        return;
      case 1:
        text_ += "%" + name + " = arith.addi %" + i + ", %" + Index() + " : index // trailing\n";
        indices_.push_back(name);
        return;
      case 2:
        text_ += "%" + name + " = pto.alloc_tile : " + Tile() + "\n";
        tiles_.push_back(name);
        return;
      case 3:
        text_ += "%" + name + " = pto.treshape %" + Pick(tiles_) + " : " + Type() + " -> " + Tile() + "\n";
        tiles_.push_back(name);
        return;
      case 6:
        text_ += "scf.for %" + name + " = %" + i + " to %" + i + " step %" + i + " {\n";
        indices_.push_back(name);
        Body(depth - 1, 4);
        indices_.pop_back();
        text_ += "}\n";
        return;
      case 7: {
        text_ += "%" + name + " = arith.cmpi slt, %" + i + ", %" + i + " : index\nscf.if %" + name + " {\n";
        Body(depth - 1, 3);
        text_ += random_->Chance(50) ? "} else {\n}\n" : "}\n";
        return;
      }
      case 8: {
        const std::string carried = Fresh();
        text_ += "%" + name + " = scf.for %k" + name + " = %" + i + " to %" + i + " step %" + i + " iter_args(%" +
                 carried + " = %" + Pick(tiles_) + ") -> (" + Tile() + ") {\n";
        tiles_.push_back(carried);
        Body(depth - 1, 3);
        tiles_.pop_back();
        text_ += "scf.yield %" + carried + " : " + Tile() + "\n}\n";
        tiles_.push_back(name);
        return;
      }
      default:
        Instruction();
    }
  }

  Random* random_;
  std::string text_;
  int count_ = 0;
  std::vector<std::string> tiles_, indices_, floats_;
};

}  // namespace

std::string RandomProgram(Random* random) { return Writer(random).Run(); }

}  // namespace pto::ptoas

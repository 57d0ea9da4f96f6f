// Plans change no bit: programs of the tree and random ones run with and without them (src/ptoas/plan/plan.h). Compared
// are status, diagnostics, steps, output, global memory, and all bytes of all tiles.
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <span>

#include "tests/program/bind_all.h"

namespace {

using pto_test::BindAll;

// What programs with long rows begin with.
constexpr char kWide[] = "// wide\n";

// The SIMD target of all runs.
const char* g_target = nullptr;

struct Left {
  std::string text;
  std::map<std::string, std::string> tiles;
  std::string memory;
};

// What a run with a plan of this mode leaves.
Left RunWith(const char* mode, pto_profile profile, const std::string& text, int64_t integer, int32_t blocks,
             int32_t threads, const std::string& printed = "") {
  setenv("PTO_PLAN", mode, 1);
  pto_context* ctx = pto_context_create_for(profile, g_target);
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "program");
  Left left;
  // Tensors of much memory are written past the caches.
  constexpr size_t kLarge = size_t{64} << 20;
  static std::vector<float> small(1 << 15);
  static float* const large = static_cast<float*>(std::calloc(kLarge, 1));
  const bool wide = text.rfind(kWide, 0) == 0;
  const std::span<float> memory = wide ? std::span(large, 200 * 1112) : std::span(small);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(static_cast<int>(i * 37 % 1001) - 500) / 64;
  BindAll(ctx, program, memory.data(), static_cast<int64_t>(wide ? kLarge : memory.size_bytes()), 64,
          [&](int32_t) { return integer; });
  pto_program_set_blocks(ctx, program, blocks);
  pto_program_set_threads(ctx, program, threads);
  pto_program_limit_steps(ctx, program, 2'000'000);
  int keeps = -1;
  if (!printed.empty()) {
    std::fflush(stderr);
    keeps = dup(2);
    if (std::freopen(printed.c_str(), "w", stderr) == nullptr) std::abort();
  }
  const pto_status status = pto_program_run(ctx, program, nullptr);
  if (keeps >= 0) {
    std::fflush(stderr);
    dup2(keeps, 2);
    close(keeps);
  }
  left.text = std::to_string(status) + " " + std::to_string(pto_program_steps(program)) + "\n";
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    left.text += std::string(pto_program_diagnostic_text(program, i)) + "\n";
  }
  left.text += pto_program_output(program);
  for (int32_t i = 0; i < pto_program_tile_count(program) && status == PTO_OK; ++i) {
    const char* name = pto_program_tile_name(program, i);
    pto_tile* tile = pto_program_tile(ctx, program, name);
    if (pto_tile_data(tile) != nullptr) {
      left.tiles[name].assign(static_cast<const char*>(pto_tile_data(tile)), static_cast<size_t>(pto_tile_bytes(tile)));
    }
    pto_tile_release(tile);
  }
  if (status == PTO_OK) {
    left.memory.assign(reinterpret_cast<const char*>(memory.data()), memory.size_bytes());
  }
  pto_program_release(program);
  pto_context_release(ctx);
  return left;
}

int g_failed = 0;

void Compare(const std::string& name, pto_profile profile, const std::string& text, int64_t integer, int32_t blocks,
             int32_t threads, const char* mode = "all") {
  const Left want = RunWith("off", profile, text, integer, blocks, threads);
  const Left got = RunWith(mode, profile, text, integer, blocks, threads);
  std::string what;
  if (want.text != got.text) what = "text:\n" + want.text + "with a plan:\n" + got.text;
  if (want.memory != got.memory) what += " memory";
  for (const auto& [tile, bytes] : want.tiles) {
    const auto found = got.tiles.find(tile);
    if (found == got.tiles.end() || found->second != bytes) what += " %" + tile;
  }
  if (what.empty()) return;
  ++g_failed;
  std::fprintf(stderr, "%s, integers %lld, %d blocks: the plan changes %s\n%s\n", name.c_str(),
               static_cast<long long>(integer), blocks, what.c_str(), g_failed < 3 ? text.c_str() : "");
}

std::string Slurp(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int Corpus(const std::filesystem::path& root) {
  int count = 0;
  for (const char* folder : {"tests/ptoas/valid", "examples", "bench/programs"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".pto") continue;
      const std::string text = Slurp(entry.path());
      for (const pto_profile profile : {PTO_PROFILE_CPU, PTO_PROFILE_A5}) {
        for (const int64_t integer : {16, 128, 384}) Compare(entry.path().string(), profile, text, integer, 2, 1);
        ++count;
      }
    }
  }
  return count;
}

// ---- random programs -----------------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(uint32_t seed) : random_(seed) {}

  std::string Text(bool wide, bool longer) {
    rows_ = 2 + Draw(19);
    cols_ = Draw(3) == 0 ? 64 : 8 * (1 + Draw(5));  // of units of relays, or not
    if (wide && cols_ == 64) cols_ = 16;
    if (wide) line("// wide");
    if (wide) cols_ *= 8;
    if (longer) cols_ = 1024 + 64 * Draw(2);  // ends of rows are worth computing twice
    stride_ = cols_ + 8 * Draw(3);
    valid_ = Draw(3) == 0 ? cols_ - Draw(5) : cols_;
    // The arguments are one memory: windows are apart, the same, or overlap.
    line("func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.entry} {");
    for (int i = 0; i < std::max(64, cols_ + 1); ++i)
      line(" %c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index");
    line(" %f = arith.constant 0.75 : f32");
    line(" %rows = arith.constant 200 : index\n %stride = arith.constant " + std::to_string(stride_) + " : index");
    line(
        " %v = pto.make_tensor_view %x, shape = [%rows, %stride], strides = [%stride, %c1] : "
        "!pto.tensor_view<?x?xf32>");
    const bool inside = Draw(2) == 0;
    const int tiles = wide ? 5 : 4;
    if (!inside) Tiles(tiles, "");
    line(" %b = pto.alloc_tile : " + RowType());
    line(" pto.texpands ins(%f : f32) outs(%b : " + RowType() + ")");
    for (int i = 0; i < 2; ++i) {
      const std::string n = std::to_string(i);
      line(" %k" + n + " = pto.alloc_tile : " + ColumnType());
      line(" %r" + n + " = pto.treshape %k" + n + " : " + ColumnType() + " -> " + TurnedType());
      line(" pto.texpands ins(%f : f32) outs(%r" + n + " : " + TurnedType() + ")");
    }
    line(" %h = pto.alloc_tile : !pto.tile_buf<vec, " + Size() + "xf16>");
    const bool parts = Draw(3) == 0 && !inside;
    if (parts) line(" %p = pto.subset %t3[%c0, %c0] sizes [" + std::to_string(rows_) + ", 8] : " + TileType());
    loop_ = 0;
    line(" scf.for %i = %c0 to %c3 step %c1 {");
    if (inside) Tiles(tiles, " ");
    const int statements = 3 + Draw(10);
    for (int i = 0; i < statements; ++i) Statement(parts);
    if (wide) Last();
    line(" }");
    if (!inside && Draw(2) == 0) {
      for (int i = 0; i < 4; ++i) Statement(parts);
    }
    line(" return\n}");
    return text_;
  }

 private:
  int Draw(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string Size() const { return std::to_string(rows_) + "x" + std::to_string(cols_); }
  std::string TileType() const {
    const std::string valid = valid_ == cols_ ? "" : ", valid=" + std::to_string(rows_) + "x" + std::to_string(valid_);
    return "!pto.tile_buf<vec, " + Size() + "xf32" + valid + ">";
  }
  std::string RowType() const { return "!pto.tile_buf<vec, 1x" + std::to_string(cols_) + "xf32>"; }
  std::string ColumnType() const {
    return "!pto.tile_buf<vec, " + std::to_string(rows_) + "x1xf32, blayout=col_major>";
  }
  std::string TurnedType() const { return "!pto.tile_buf<vec, 1x" + std::to_string(rows_) + "xf32>"; }

  void Tiles(int count, const std::string& indent) {
    for (int i = 0; i < count; ++i) {
      line(indent + " %t" + std::to_string(i) + " = pto.alloc_tile : " + TileType());
      if (Draw(2) == 0 || indent.empty()) {
        line(indent + " pto.texpands ins(%f : f32) outs(%t" + std::to_string(i) + " : " + TileType() + ")");
      }
    }
  }

  std::string Tile() { return "%t" + std::to_string(Draw(4)); }
  std::string Column() { return "%k" + std::to_string(Draw(2)); }

  std::string Window() {
    const std::string name = "%w" + std::to_string(windows_++);
    // Few places, so that windows meet.
    const std::string row = "%c" + std::to_string(Draw(4) == 0 ? Draw(3) : 21 * Draw(3));
    const std::string col = "%c" + std::to_string(Draw(2) * Draw(stride_ - valid_ + 1));
    line("  " + name + " = pto.partition_view %v, offsets = [" + row + ", " + col + "], sizes = [%c" +
         std::to_string(rows_) + ", %c" + std::to_string(valid_) + "] : !pto.tensor_view<?x?xf32> -> " + WindowType());
    return name;
  }
  std::string WindowType() const {
    return "!pto.partition_tensor_view<" + std::to_string(rows_) + "x" + std::to_string(valid_) + "xf32>";
  }

  void Op(const std::string& name, const std::vector<std::string>& in, const std::string& in_types,
          const std::string& out, const std::string& out_type) {
    std::string names;
    for (const std::string& one : in) names += (names.empty() ? "" : ", ") + one;
    line("  pto." + name + " ins(" + names + " : " + in_types + ") outs(" + out + " : " + out_type + ")");
  }

  // A tile that only a map writes and only a store reads, to other rows in each round.
  void Last() {
    const std::string t = TileType(), w = "%last";
    line("  %at = arith.muli %i, %c40 : index\n  %last = pto.partition_view %v, offsets = [%at, %c0], sizes = [%c" +
         std::to_string(rows_) + ", %c" + std::to_string(valid_) + "] : !pto.tensor_view<?x?xf32> -> " + WindowType());
    switch (Draw(4)) {
      case 0:
        Op("tadd", {Tile(), Tile()}, t + ", " + t, "%t4", t);
        break;
      case 1:
        Op("tmuls", {Tile(), "%f"}, t + ", f32", "%t4", t);
        break;
      case 2:
        Op("trowexpanddiv", {Tile(), Column()}, t + ", " + ColumnType(), "%t4", t);
        break;
      default:
        Op("tcolexpandmul", {Tile(), "%b"}, t + ", " + RowType(), "%t4", t);
        if (Draw(2) == 0) Op("texp", {"%t4"}, t, "%t4", t);
    }
    Op("tstore", {"%t4"}, t, w, WindowType());
  }

  void Statement(bool parts) {
    const std::string t = TileType();
    const std::string half = "!pto.tile_buf<vec, " + std::to_string(rows_) + "x8xf32>";
    const auto maps = [&](std::initializer_list<const char*> names) {
      return std::string(*(names.begin() + Draw(static_cast<int>(names.size()))));
    };
    switch (Draw(parts ? 23 : 22)) {
      case 0:
      case 1:
      case 2: {
        const std::string w = Window();
        return Op("tload", {w}, WindowType(), Tile(), t);
      }
      case 3:
      case 4: {
        const std::string w = Window();
        return Op("tstore", {Tile()}, t, w, WindowType());
      }
      case 5:
      case 17:
      case 18:
        return Op(maps({"tadd", "tsub", "tmul", "tdiv"}), {Tile(), Tile()}, t + ", " + t, Tile(), t);
      case 19:
        return Op(maps({"tadds", "tsubs", "tdivs"}), {Tile(), "%f"}, t + ", f32", Tile(), t);
      case 20:
        return Op(maps({"trowexpandadd", "trowexpandmul", "trowexpanddiv", "trowexpandexpdif"}), {Tile(), Column()},
                  t + ", " + ColumnType(), Tile(), t);
      case 21:
        return Op(maps({"tcolexpandadd", "tcolexpandsub", "tcolexpanddiv", "tcolexpandexpdif"}), {Tile(), "%b"},
                  t + ", " + RowType(), Tile(), t);
      case 6:
        return Op("tmax", {Tile(), Tile()}, t + ", " + t, Tile(), t);
      case 7:
        return Op("tmuls", {Tile(), "%f"}, t + ", f32", Tile(), t);
      case 8:
        return Op("texp", {Tile()}, t, Tile(), t);
      case 9:
        return Op("tmov", {Tile()}, t, Tile(), t);
      case 10:
        return Op("trowsum", {Tile()}, t, Column(), ColumnType());
      case 11:
        return Op("trowmax", {Tile()}, t, Column(), ColumnType());
      case 12:
        return Op("trowexpandsub", {Tile(), Column()}, t + ", " + ColumnType(), Tile(), t);
      case 13:
        return Op("tadd", {"%r" + std::to_string(Draw(2)), "%r" + std::to_string(Draw(2))},
                  TurnedType() + ", " + TurnedType(), "%r" + std::to_string(Draw(2)), TurnedType());
      case 14:
        return Op("tcolexpandmul", {Tile(), "%b"}, t + ", " + RowType(), Tile(), t);
      case 15:
        if (valid_ != cols_) return;
        Op("tcvt", {Tile()}, t, "%h", "!pto.tile_buf<vec, " + Size() + "xf16>");
        return Op("tcvt", {"%h"}, "!pto.tile_buf<vec, " + Size() + "xf16>", Tile(), t);
      case 16:
        if (Draw(3) != 0) return;
        return line("  pto.tsetval ins(%c" + std::to_string(Draw(2) == 0 ? 1 : cols_ - 1) + ", %f : index, f32) outs(" +
                    Tile() + " : " + t + ")");
      default:
        return Op("tmuls", {"%p", "%f"}, half + ", f32", "%p", half);
    }
  }

  std::minstd_rand random_;
  std::string text_;
  int rows_ = 0, cols_ = 0, stride_ = 0, valid_ = 0, windows_ = 0, loop_ = 0;
};

// Products in loops: a body that has detours, with some statements more, less or elsewhere.
class CubeWriter {
 public:
  explicit CubeWriter(uint32_t seed) : random_(seed) {}

  std::string Text() {
    Line("func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.entry} {");
    for (int i = 0; i < 64; ++i)
      Line(" %c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index");
    Line(" %f = arith.constant 0.75 : f32\n %rows = arith.constant 200 : index");
    Line(" %v = pto.make_tensor_view %x, shape = [%rows, %c48], strides = [%c48, %c1] : !pto.tensor_view<?x?xf32>");
    Line(
        " %d = pto.make_tensor_view %x, shape = [%c48, %rows], strides = [%c1, %c48] {layout = #pto.layout<dn>} : "
        "!pto.tensor_view<?x?xf32>");
    for (const auto& [name, type] : Types()) {
      Line(" %" + name + " = pto.alloc_tile : " + type);
      if (name == "s" || name == "u") Line(" pto.texpands ins(%f : f32) outs(%" + name + " : " + type + ")");
    }
    part_ = Draw(4) == 0;
    if (part_) Line(" %z = pto.subset %s[%c0, %c0] sizes [16, 8] : " + Types().at("s"));
    static const int kBody[] = {0, 1, 2, 3, 4, 6, 8, 9, 2, 1, 3, 4, 6, 10, 7};
    std::vector<int> body(std::begin(kBody), std::begin(kBody) + (Draw(2) == 0 ? 8 : 15));
    for (int i = Draw(4); i > 0; --i) {
      const auto at = body.begin() + Draw(static_cast<int>(body.size()));
      if (Draw(3) == 0) {
        body.erase(at);
      } else {
        body.insert(at, Draw(17));
      }
    }
    Line(" scf.for %i = %c0 to %c3 step %c1 {");
    size_t next = 0;
    if (Draw(2) == 0) {
      for (const size_t outer = static_cast<size_t>(Draw(4)); next < outer; ++next) Statement(body[next]);
      Line("  scf.for %j = " + std::string(Draw(3) == 0 ? "%i" : "%c0") + " to %c2 step %c1 {");
      const size_t end = body.size() - static_cast<size_t>(Draw(4));
      for (; next < end; ++next) Statement(body[next]);
      Line("  }");
    }
    for (; next < body.size(); ++next) {
      const bool branch = Draw(8) == 0;
      if (branch) Line("  %q" + std::to_string(names_++) + " = arith.cmpi eq, %i, %c1 : index");
      if (branch) Line("  scf.if %q" + std::to_string(names_ - 1) + " {");
      Statement(body[next]);
      if (branch) Line("  }");
    }
    Line(" }");
    for (int i = Draw(3); i > 0; --i) Statement(Draw(16));
    Line(" return\n}");
    return text_;
  }

 private:
  int Draw(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }
  void Line(const std::string& text) { text_ += text + "\n"; }
  static std::map<std::string, std::string> Types() {
    const std::string boxes = ", blayout=col_major, slayout=row_major>";
    return {{"am", "!pto.tile_buf<mat, 16x16xf32" + boxes},
            {"bm", "!pto.tile_buf<mat, 16x16xf32" + boxes},
            {"al", "!pto.tile_buf<left, 16x16xf32" + boxes},
            {"br", "!pto.tile_buf<right, 16x16xf32, blayout=row_major, slayout=col_major>"},
            {"acc", "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"},
            {"s", "!pto.tile_buf<vec, 16x16xf32>"},
            {"u", "!pto.tile_buf<vec, 16x16xf32>"}};
  }
  std::string Window() {
    const std::string name = "%w" + std::to_string(names_++);
    const bool turned = Draw(3) == 0;
    const std::string a = "%c" + std::to_string(17 * Draw(3)), b = "%c" + std::to_string(16 * Draw(3));
    Line("  " + name + " = pto.partition_view " +
         (turned ? "%d, offsets = [" + b + ", " + a : "%v, offsets = [" + a + ", " + b) +
         "], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> " + kWindow);
    return name;
  }
  void Op(const std::string& op, const std::vector<std::string>& in, const std::string& out) {
    std::string names, types;
    for (const std::string& one : in) {
      names += (names.empty() ? "" : ", ") + std::string(one[0] == '%' ? "" : "%") + one;
      types += (types.empty() ? "" : ", ") + (one[0] == '%' ? std::string(kWindow)
                                              : one == "f"  ? "f32"
                                                            : Types().at(one));
    }
    Line("  pto." + op + " ins(" + names + " : " + types + ") outs(" + (out[0] == '%' ? out : "%" + out) + " : " +
         (out[0] == '%' ? std::string(kWindow) : Types().at(out)) + ")");
  }
  void Statement(int what) {
    switch (what) {
      case 0:
        return Op("tload", {Window()}, "am");
      case 1:
        return Op("tload", {Window()}, "bm");
      case 2:
        return Op("tmov", {"am"}, "al");
      case 3:
        return Op("tmov", {"bm"}, "br");
      case 4:
        return Op("tmatmul", {"al", "br"}, "acc");
      case 5:
        return Op("tmatmul.acc", {"acc", "al", "br"}, "acc");
      case 6:
        return Op("tmov", {"acc"}, "s");
      case 7: {
        const std::string w = Window();
        return Op("tstore", {"s"}, w);
      }
      case 8:
        return Op("tmuls", {"s", "f"}, "s");
      case 9:
        return Op("tmov", {"s"}, "am");
      case 10:
        return Op("tadd", {"s", "u"}, "u");
      case 11:
        return Op("tload", {Window()}, "s");
      case 12:
        return Op("tmov", {"u"}, "s");
      case 13: {
        const std::string w = Window();
        return Op("tstore", {"acc"}, w);
      }
      case 14:
        return Op("tmov", {"acc"}, "u");
      case 15:
        if (!part_) return;
        return Line(
            "  pto.tmuls ins(%z, %f : !pto.tile_buf<vec, 16x8xf32>, f32) outs(%z : !pto.tile_buf<vec, 16x8xf32>)");
      default:
        return Line("  pto.tsetval ins(%c1, %f : index, f32) outs(%s : " + Types().at("s") + ")");
    }
  }

  static constexpr const char* kWindow = "!pto.partition_tensor_view<16x16xf32>";
  std::minstd_rand random_;
  std::string text_;
  int names_ = 0;
  bool part_ = false;
};

// ---- the plan that is printed
// ---------------------------------------------------------------------------------------

// Programs of a loop over 64 strips of %x; `body` loads, computes and stores.
std::string Loop(const std::string& before, const std::string& body, const std::string& after = "") {
  const std::string t = "!pto.tile_buf<vec, 32x128xf32>";
  const std::string w = "!pto.partition_tensor_view<32x128xf32>";
  std::string text =
      "func.func @main(%x: !pto.ptr<f32>) attributes {pto.entry} {\n %c0 = arith.constant 0 : index\n"
      " %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n %c3 = arith.constant 3 : index\n"
      " %c32 = arith.constant 32 : index\n %c128 = arith.constant 128 : index\n %c250 = arith.constant 250 : index\n"
      " %f = arith.constant 0.75 : f32\n"
      " %v = pto.make_tensor_view %x, shape = [%c250, %c128], strides = [%c128, %c1] : !pto.tensor_view<?x?xf32>\n"
      " %t = pto.alloc_tile : T\n %u = pto.alloc_tile : T\n pto.texpands ins(%f : f32) outs(%u : T)\n" +
      before +
      " scf.for %i = %c0 to %c3 step %c1 {\n  %at = arith.muli %i, %c32 : index\n  %to = arith.addi %at, %c128 : "
      "index\n"
      "  %w = pto.partition_view %v, offsets = [%at, %c0], sizes = [%c32, %c128] : !pto.tensor_view<?x?xf32> -> W\n"
      "  %y = pto.partition_view %v, offsets = [%to, %c0], sizes = [%c32, %c128] : !pto.tensor_view<?x?xf32> -> W\n"
      "  %below = arith.addi %i, %c1 : index\n"
      "  %z = pto.partition_view %v, offsets = [%below, %c0], sizes = [%c32, %c128] : !pto.tensor_view<?x?xf32> -> "
      "W\n" +
      body + " }\n" + after + " return\n}\n";
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 'T' && text[i + 1] != 'R') {
      out += t;
    } else if (text[i] == 'H') {
      out += "!pto.tile_buf<vec, 32x64xf32>";
    } else if (text[i] == 'C') {
      out += "!pto.tile_buf<vec, 32x1xf32, blayout=col_major>";
    } else if (text[i] == 'W') {
      out += w;
    } else {
      out += text[i];
    }
  }
  return out;
}

struct Said {
  const char* what;
  const char* before;
  const char* body;
  const char* after;
  const char* plan;  // how the first group's line ends; nullptr: there is no group
};

const Said kSaid[] = {
    {"a load that is read, and a store of what is written", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) tmuls tstore (no copy)"},
    {"the tile is loaded and then changed: the copy is saved, for a round writes all of it", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%t : T)\n"
     "  pto.tstore ins(%t : T) outs(%y : W)\n",
     "", "tload (no copy) tmuls tstore (no copy)"},
    {"veto: the address of the tile is taken", " %p = pto.tile_buf_addr %t : T -> !pto.ptr<f32, ub>\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload tmuls tstore (no copy)"},
    {"veto: another name of the tile's bytes", " %s = pto.subset %u[%c0, %c0] sizes [32, 8] : T\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) tmuls tstore"},
    {"veto: the windows overlap", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%z : W)\n",
     "", nullptr},
    {"one window, in place: what is stored is another tile until then", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%w : W)\n",
     "", "tload (no copy) tmuls tstore"},
    {"veto: in place, and what was loaded is read after the store", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%w : W)\n  pto.tadd ins(%t, %u : T, T) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload tmuls tstore tadd tstore (no copy)"},
    {"veto: in place, stored and then loaded", "",
     "  pto.tmuls ins(%u, %f : T, f32) outs(%u : T)\n  pto.tstore ins(%u : T) outs(%w : W)\n"
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tadd ins(%t, %u : T, T) outs(%t : T)\n",
     "", "tmuls tstore tload tadd"},
    {"veto: the next round reads what this one leaves", "",
     "  pto.tadd ins(%u, %t : T, T) outs(%u : T)\n  pto.tload ins(%w : W) outs(%t : T)\n"
     "  pto.tstore ins(%t : T) outs(%y : W)\n",
     "", nullptr},
    {"the tile changes once it is stored", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n  pto.tmuls ins(%u, %f : T, f32) outs(%u : T)\n",
     "", "tload (no copy) tmuls tstore tmuls"},
    {"veto: a part of what was loaded is written first", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.trowsum ins(%u : T) outs(%t : T)\n  pto.tadd ins(%t, %u : T, T) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload tmuls trowsum tadd tstore (no copy)"},
    {"veto: something else in the loop reads the tile", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n  %e = pto.tgetval ins(%u, %c1 : T, index) outs : f32\n",
     "", "tload (no copy) tmuls tstore"},
    // Relays: a map after a map, with the value before as the first or the second source; a sum after a map.
    {"maps of numbers and tiles", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmul ins(%t, %t : T, T) outs(%u : T)\n"
     "  pto.tadds ins(%u, %f : T, f32) outs(%u : T)\n  pto.tsub ins(%t, %u : T, T) outs(%u : T)\n"
     "  pto.texp ins(%u : T) outs(%u : T)\n  pto.tdiv ins(%t, %u : T, T) outs(%u : T)\n"
     "  pto.tsub ins(%u, %t : T, T) outs(%u : T)\n  pto.tdiv ins(%u, %t : T, T) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) [tmul tadds tsub texp tdiv tsub tdiv] tstore (no copy)"},
    {"a value that is read again later is stored", "",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %f : T, f32) outs(%u : T)\n"
     "  pto.texp ins(%u : T) outs(%t : T)\n  pto.tadd ins(%u, %t : T, T) outs(%t : T)\n"
     "  pto.tstore ins(%t : T) outs(%y : W)\n",
     "", "tload (no copy) [tmuls texp tadd] tstore (no copy)"},
    {"a NaN of inf - inf is canonical", " %m = arith.constant 3.0e38 : f32\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %m : T, f32) outs(%u : T)\n"
     "  pto.tsub ins(%u, %u : T, T) outs(%u : T)\n  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) [tmuls tsub] tstore (no copy)"},
    {"a sum of -0 is -0", " %k = pto.alloc_tile : C\n %m = arith.constant -1.0e-38 : f32\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.texp ins(%t : T) outs(%u : T)\n"
     "  pto.tmuls ins(%u, %m : T, f32) outs(%u : T)\n  pto.tmul ins(%u, %u : T, T) outs(%t : T)\n"
     "  pto.tmuls ins(%t, %m : T, f32) outs(%t : T)\n  pto.trowsum ins(%t : T) outs(%k : C)\n",
     "", "tload (no copy) [texp tmuls tmul tmuls trowsum]"},
    {"a sum of inf - inf is canonical", " %k = pto.alloc_tile : C\n %m = arith.constant 3.0e38 : f32\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmuls ins(%t, %m : T, f32) outs(%u : T)\n"
     "  pto.trowsum ins(%u : T) outs(%k : C)\n  pto.trowexpand ins(%k : C) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) [tmuls trowsum] trowexpand tstore (no copy)"},
    {"tiles of two widths", " %a = pto.alloc_tile : H\n pto.texpands ins(%f : f32) outs(%a : H)\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmul ins(%t, %t : T, T) outs(%u : T)\n"
     "  pto.tmuls ins(%u, %f : T, f32) outs(%u : T)\n  pto.tadds ins(%a, %f : H, f32) outs(%a : H)\n"
     "  pto.tmul ins(%a, %a : H, H) outs(%a : H)\n  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) [tmul tmuls] [tadds tmul] tstore (no copy)"},
    {"sums of rows end a relay", " %k = pto.alloc_tile : C\n",
     "  pto.tload ins(%w : W) outs(%t : T)\n  pto.tmul ins(%t, %t : T, T) outs(%u : T)\n"
     "  pto.trowsum ins(%u : T) outs(%k : C)\n  pto.trowexpandsub ins(%t, %k : T, C) outs(%u : T)\n"
     "  pto.trowexpandexpdif ins(%u, %k : T, C) outs(%u : T)\n  pto.trowexpandmul ins(%u, %k : T, C) outs(%u : T)\n"
     "  pto.tstore ins(%u : T) outs(%y : W)\n",
     "", "tload (no copy) [tmul trowsum] [trowexpandsub trowexpandexpdif trowexpandmul] tstore (no copy)"},
};

// Targets that are in use have relays.
bool HasRelays(const std::string& target) { return target != "SCALAR" && target != "SSE4"; }

void Says(const char* folder, const char* target) {
  const std::string file = std::string(folder) + "/plan-" + std::to_string(getpid());
  for (const Said& said : kSaid) {
    const std::string text = Loop(said.before, said.body, said.after);
    const Left left = RunWith("print,all", PTO_PROFILE_CPU, text, 0, 1, 1, file);
    const std::string plan = Slurp(file);
    std::string first = plan.substr(0, plan.find('\n'));
    first = first.find(": ", 6) == std::string::npos ? "" : first.substr(first.find(": ", 6) + 2);
    std::string want = said.plan == nullptr ? "" : said.plan;
    if (!HasRelays(target)) std::erase_if(want, [](char c) { return c == '[' || c == ']'; });
    if (left.text[0] == '0' && first == want) continue;
    ++g_failed;
    std::fprintf(stderr, "%s: the plan is \"%s\"\n%s", said.what, first.c_str(), left.text.c_str());
  }
  std::remove(file.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::filesystem::path root = argv[1];
  const int programs = argc > 2 ? std::atoi(argv[2]) : 1500;
  std::vector<const char*> targets;  // the best one first
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    if (pto_target_supported(i) != 0) targets.push_back(pto_target_name(i));
  }
  Says(std::filesystem::temp_directory_path().c_str(), targets.front());
  for (const char* target : targets) {
    g_target = target;
    for (const Said& said : kSaid) {
      // As users have them, chains that gain nothing rest in the second round.
      for (const char* mode : {"all", "on"}) {
        Compare(std::string(said.what) + " on " + target, PTO_PROFILE_CPU, Loop(said.before, said.body, said.after), 0,
                1, 1, mode);
      }
    }
  }
  g_target = nullptr;
  const int corpus = Corpus(root);
  int good = 0;
  for (int i = 0; i < programs; ++i) {
    const std::string text = Writer(static_cast<uint32_t>(i) * 7919 + 1).Text(i % 8 == 0, i % 24 == 0);
    g_target = targets[static_cast<size_t>(i / 3) % targets.size()];
    Compare("random " + std::to_string(i), PTO_PROFILE_CPU, text, 3, 1 + i % 2, 1);
    good += RunWith("all", PTO_PROFILE_CPU, text, 3, 1, 1).text[0] == '0' ? 1 : 0;
  }
  g_target = nullptr;
  int cubes = 0;
  for (int i = 0; i < programs; ++i) {
    const std::string text = CubeWriter(static_cast<uint32_t>(i) * 7919 + 1).Text();
    Compare("product " + std::to_string(i), PTO_PROFILE_CPU, text, 3, 1, 1);
    cubes += RunWith("all", PTO_PROFILE_CPU, text, 3, 1, 1).text[0] == '0' ? 1 : 0;
  }
  if (corpus < 50 || good < programs / 2 || cubes < programs / 2) {
    std::fprintf(stderr, "%d programs of the tree, %d and %d of %d random ones run\n", corpus, good, cubes, programs);
    ++g_failed;
  }
  return g_failed == 0 ? 0 : 1;
}

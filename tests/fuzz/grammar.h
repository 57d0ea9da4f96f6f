// Programs made from a grammar: bytes choose among its productions, so that deep, typed programs result.
#ifndef PTO_TESTS_FUZZ_GRAMMAR_H_
#define PTO_TESTS_FUZZ_GRAMMAR_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/grammar_simt.h"
#include "tests/fuzz/grammar_vector.h"

class Dice {
 public:
  Dice(const uint8_t* data, size_t size) : at_(data), left_(size) {}
  bool Empty() const { return left_ == 0; }
  uint32_t Below(uint32_t n) {
    if (left_ == 0) return 0;
    --left_;
    return *at_++ % n;
  }
  template <size_t N>
  const char* Of(const char* const (&list)[N]) {
    return list[Below(N)];
  }

 private:
  const uint8_t* at_;
  size_t left_;
};

class Grammar {
 public:
  // Plain programs have only what the second executor (second.h) knows, and no tile that nothing was written to.
  Grammar(Dice* dice, bool plain) : dice_(dice), plain_(plain) {}

  std::string Program() {
    Say("func.func private @twice(%v: i64) -> i64 {\n");
    Say("  %w = arith.addi %v, %v : i64\n  return %w : i64\n}\n");
    // Blocks: the number of bits, by a loop of branches.
    Say("func.func private @around(%v: i64) -> i64 {\n  %z = arith.constant 0 : i64\n  %o = arith.constant 1 : i64\n"
        "  cf.br ^head(%v, %z : i64, i64)\n^head(%x: i64, %n: i64):\n  %end = arith.cmpi eq, %x, %z : i64\n"
        "  cf.cond_br %end, ^done(%n : i64), ^more\n^more:\n  %y = arith.shrui %x, %o : i64\n"
        "  %m = arith.addi %n, %o : i64\n  cf.br ^head(%y, %m : i64, i64)\n^done(%r: i64):\n  return %r : i64\n}\n");
    // One way of several, by a number.
    Say("func.func private @choose(%v: i64) -> i64 {\n  %i = arith.trunci %v : i64 to i32\n  %o = arith.constant 100 : "
        "i64\n"
        "  cf.switch %i : i32, [default: ^rest, 1: ^one(%o : i64), 7: ^one(%v : i64)]\n^one(%x: i64):\n"
        "  %y = arith.muli %x, %o : i64\n  return %y : i64\n^rest:\n  return %v : i64\n}\n");
    // Work items: the second executor knows none.
    if (!plain_) text_ += WorkItems(dice_).Text();
    Say("func.func @main(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %n: index, %x: i64, %s: f32) attributes {pto.entry} "
        "{\n");
    values_ = {{"n", "index"}, {"x", "i64"}, {"s", "f32"}};
    for (const char* type : kScalars) Constant(type);
    for (const char* type : kTiles) Alloc(type);
    Statements(0);
    if (plain_) ShowAll();
    Say("  return\n}\n");
    return std::move(text_);
  }

 private:
  struct Value {
    std::string name;
    std::string type;
  };
  static constexpr const char* kScalars[] = {"index", "i64", "i32", "i16", "i8", "i1", "f32", "f16", "bf16", "f64"};
  static constexpr const char* kInts[] = {"index", "i64", "i32", "i16", "i8"};
  static constexpr const char* kFloats[] = {"f32", "f16", "bf16", "f64"};
  static constexpr const char* kMathFloats[] = {"f32", "f16", "bf16"};
  static constexpr const char* kTile = "!pto.tile_buf<vec, 4x8xf32>";
  static constexpr const char* kTiles[] = {kTile, "!pto.tile_buf<vec, 4x8xi32>", "!pto.tile_buf<vec, 4x16xi16>",
                                           "!pto.tile_buf<vec, 4x16xf16>", "!pto.tile_buf<vec, 4x8xui32>"};

  void Say(const std::string& text) { text_ += text; }
  std::string Fresh() { return "v" + std::to_string(++count_); }
  void Define(const std::string& name, const std::string& type) { values_.push_back({name, type}); }

  // Some value of a type; there is one of each scalar type, and a tile.
  std::string Use(const std::string& type) {
    std::vector<const Value*> fit;
    for (const Value& value : values_) {
      if (value.type == type) fit.push_back(&value);
    }
    return "%" + fit[dice_->Below(static_cast<uint32_t>(fit.size()))]->name;
  }

  void Constant(const std::string& type) {
    static constexpr const char* kIntegers[] = {"0", "1", "2", "7", "-1", "100", "0x7F", "-128"};
    static constexpr const char* kNumbers[] = {"0.0", "1.5", "-2.5e3", "0x7C00", "0x3C00", "1.0e-7"};
    // Where types end, and where they round.
    static constexpr struct {
      const char* type;
      const char* numbers[4];
    } kEdges[] = {{"index", {"9007199254740993", "-9223372036854775808", "16777217", "0x7FFFFFFFFFFFFFFF"}},
                  {"i64", {"9007199254740995", "-9223372036854775808", "33554435", "-2049"}},
                  {"i32", {"2147483647", "-2147483648", "16777219", "65520"}},
                  {"i16", {"32767", "-32768", "2049", "-2051"}},
                  {"f64", {"1.00000005960464488", "9.2233720368547758e18", "0x1", "1.0e300"}},
                  {"f32", {"16777216.0", "3.4028235e38", "0x1", "0x7F800000"}},
                  {"f16", {"65504.0", "0x1", "0xFC00", "2048.0"}},
                  {"bf16", {"256.0", "0x1", "0x7F80", "3.0e38"}}};
    const std::string name = Fresh();
    for (const auto& edge : kEdges) {
      if (type != edge.type || dice_->Below(3) != 0) continue;
      Say("  %" + name + " = arith.constant " + dice_->Of(edge.numbers) + " : " + type + "\n");
      return Define(name, type);
    }
    if (type == "i1") {
      Say("  %" + name + " = arith.constant " + (dice_->Below(2) != 0 ? "true" : "false") + "\n");
    } else {
      Say("  %" + name + " = arith.constant " +
          (type.find('f') != std::string::npos ? dice_->Of(kNumbers) : dice_->Of(kIntegers)) + " : " + type + "\n");
    }
    Define(name, type);
  }

  void Binary() {
    static constexpr const char* kIntOps[] = {"addi",      "subi",  "muli",  "andi",  "ori",   "xori",     "shli",
                                              "shrui",     "shrsi", "minsi", "maxui", "divsi", "remui",    "floordivsi",
                                              "ceildivui", "maxsi", "minui", "divui", "remsi", "ceildivsi"};
    static constexpr const char* kFloatOps[] = {"addf",     "subf",     "mulf",    "divf",   "remf",
                                                "maximumf", "minimumf", "maxnumf", "minnumf"};
    const bool floats = dice_->Below(3) == 0;
    const std::string type = floats ? dice_->Of(kFloats) : dice_->Of(kInts);
    const std::string op = floats ? dice_->Of(kFloatOps) : dice_->Of(kIntOps);
    const std::string name = Fresh();
    Say("  %" + name + " = arith." + op + " " + Use(type) + ", " + Use(type) + " : " + type + "\n");
    Define(name, type);
  }

  void Math() {
    static constexpr const char* kOne[] = {"exp", "exp2", "log", "rsqrt", "sqrt", "absf", "ceil", "roundeven"};
    static constexpr const char* kPlain[] = {"sqrt", "absf", "ceil", "floor", "trunc", "round", "roundeven"};
    static constexpr const char* kTwo[] = {"copysign", "powf"};
    static constexpr const char* kOfInts[] = {"absi", "ctlz", "cttz", "ctpop"};
    const uint32_t kind = dice_->Below(4);
    const std::string type = kind == 3 ? dice_->Of(kInts) : dice_->Of(kMathFloats);
    std::string operands = Use(type);
    if (kind == 1 || kind == 2) operands += ", " + Use(type);
    if (kind == 2) operands += ", " + Use(type);
    const std::string op = kind == 0   ? plain_ ? dice_->Of(kPlain) : dice_->Of(kOne)
                             : kind == 1 ? kTwo[plain_ ? 0 : dice_->Below(2)]
                           : kind == 2 ? "fma"
                                       : dice_->Of(kOfInts);
    const std::string name = Fresh();
    Say("  %" + name + " = math." + op + " " + operands + " : " + type + "\n");
    Define(name, type);
  }

  // Statements as compilers print them on request.
  void Generic() {
    const std::string name = Fresh();
    const std::string tile = Use(kTile);
    switch (dice_->Below(5)) {
      case 0:
        Say("  %" + name + " = \"arith.addi\"(" + Use("i64") + ", " + Use("i64") + ") : (i64, i64) -> i64\n");
        return Define(name, "i64");
      case 1:
        Say("  %" + name + " = \"arith.cmpf\"(" + Use("f32") + ", " + Use("f32") +
            ") <{predicate = " + std::to_string(dice_->Below(16)) + " : i64}> : (f32, f32) -> i1\n");
        return Define(name, "i1");
      case 2:
        Say("  \"pto.tmov\"(" + tile + ", " + Use(kTile) + ") : (" + kTile + ", " + kTile + ") -> ()\n");
        return;
      case 3:
        Say("  \"scf.if\"(" + Use("i1") + ") ({\n  \"pto.tprint\"(" + tile + ") : (" + kTile +
            ") -> ()\n  \"scf.yield\"() : () -> ()\n  }, {\n  }) : (i1) -> ()\n");
        return;
      default:
        Say("  %" + name + " = \"func.call\"(" + Use("i64") + ") <{callee = @around}> : (i64) -> i64\n");
        return Define(name, "i64");
    }
  }

  // A tile's memory by its address.
  void Address() {
    const std::string name = Fresh();
    const std::string pointer = "!pto.ptr<f32, vec>";
    Say("  %p" + name + " = pto.tile_buf_addr " + Use(kTile) + " : " + kTile + " -> " + pointer + "\n  %i" + name +
        " = arith.constant " + std::to_string(dice_->Below(32)) + " : index\n");
    Say("  pto.store_scalar " + Use("f32") + ", %p" + name + "[%i" + name + "] : " + pointer + ", f32\n  %" + name +
        " = pto.load_scalar %p" + name + "[%i" + name + "] : " + pointer + " -> f32\n");
    Define(name, "f32");
  }

  void Compare() {
    static constexpr const char* kInt[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    static constexpr const char* kFloat[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                             "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
    const bool floats = dice_->Below(3) == 0;
    const std::string type = floats ? dice_->Of(kFloats) : dice_->Of(kInts);
    const std::string name = Fresh();
    Say("  %" + name + " = arith." + (floats ? "cmpf " : "cmpi ") + (floats ? dice_->Of(kFloat) : dice_->Of(kInt)) +
        ", " + Use(type) + ", " + Use(type) + " : " + type + "\n");
    Define(name, "i1");
  }

  void Cast() {
    static constexpr const char* kCasts[][3] = {
        {"index_cast", "index", "i64"},  {"index_cast", "i32", "index"}, {"extsi", "i8", "i64"},
        {"extui", "i1", "i32"},          {"trunci", "i64", "i8"},        {"extf", "f16", "f32"},
        {"truncf", "f32", "f16"},        {"sitofp", "i64", "f32"},       {"uitofp", "i8", "f16"},
        {"fptosi", "f32", "i32"},        {"bitcast", "f32", "i32"},      {"bitcast", "i32", "f32"},
        {"fptoui", "f64", "i64"},        {"fptosi", "f16", "i8"},        {"fptoui", "bf16", "i16"},
        {"sitofp", "i1", "f64"},         {"sitofp", "i16", "bf16"},      {"uitofp", "i64", "f16"},
        {"uitofp", "i64", "f32"},        {"truncf", "f64", "bf16"},      {"truncf", "f64", "f16"},
        {"extf", "bf16", "f64"},         {"extf", "f32", "f64"},         {"bitcast", "i16", "f16"},
        {"bitcast", "bf16", "i16"},      {"bitcast", "f64", "i64"},      {"extsi", "i1", "i16"},
        {"index_castui", "i8", "index"}, {"trunci", "i32", "i1"},        {"extui", "i16", "i64"}};
    const auto& cast = kCasts[dice_->Below(std::size(kCasts))];
    const std::string name = Fresh();
    Say("  %" + name + " = arith." + cast[0] + " " + Use(cast[1]) + " : " + cast[1] + " to " + cast[2] + "\n");
    Define(name, cast[2]);
  }

  void Select() {
    const std::string type = dice_->Of(kScalars);
    const std::string name = Fresh();
    Say("  %" + name + " = arith.select " + Use("i1") + ", " + Use(type) + ", " + Use(type) + " : " + type + "\n");
    Define(name, type);
  }

  void Print() {
    const std::string type = dice_->Of({"i64", "i32", "f32", "f64", "i8", "bf16"});
    Say("  pto.print ins(\"" + std::string(dice_->Of({"%d", "a %d b", "%f\\n", "\\\\ %x", ""})) + "\", " + Use(type) +
        " : " + type + ")\n");
  }

  static std::string ElementOf(const std::string& tile) {
    const size_t at = tile.rfind('x') + 1;
    return tile.substr(at, tile.size() - at - 1);
  }
  // The number for an element that has a sign or none.
  static std::string ScalarOf(const std::string& tile) {
    const std::string element = ElementOf(tile);
    return element[0] == 'u' ? element.substr(1) : element;
  }

  void Alloc(const std::string& type) {
    const std::string name = Fresh();
    Say("  %" + name + " = pto.alloc_tile : " + type + "\n");
    if (plain_) Fill(name, type);
    Define(name, type);
  }

  void Fill(const std::string& name, const std::string& type) {
    const std::string scalar = ScalarOf(type);
    Say("  pto.texpands ins(" + Use(scalar) + " : " + scalar + ") outs(%" + name + " : " + type + ")\n");
  }

  // A sum, product ... of tiles of one type, or of a tile and a number.
  void Elementwise() {
    static constexpr const char* kTwo[] = {"tadd", "tsub", "tmul", "tmax", "tmin", "tpartadd", "tprelu"};
    static constexpr const char* kOne[] = {"tmov", "tabs", "tneg", "trelu"};
    static constexpr const char* kNumber[] = {"tadds", "tsubs", "tmuls", "tmaxs", "tmins"};
    const std::string tile = dice_->Of(kTiles);
    const std::string to = ") outs(" + Use(tile) + " : " + tile + ")\n";
    switch (dice_->Below(3)) {
      case 0:
        // Unsigned numbers have no opposite.
        return Say("  pto." + std::string(kOne[ElementOf(tile)[0] == 'u' ? 0 : dice_->Below(std::size(kOne))]) +
                   " ins(" + Use(tile) + " : " + tile + to);
      case 1:
        return Say("  pto." + std::string(dice_->Of(kTwo)) + " ins(" + Use(tile) + ", " + Use(tile) + " : " + tile +
                   ", " + tile + to);
      default:
        return Say("  pto." + std::string(dice_->Of(kNumber)) + " ins(" + Use(tile) + ", " + Use(ScalarOf(tile)) +
                   " : " + tile + ", " + ScalarOf(tile) + to);
    }
  }

  // Part of a tile, an element of it, or another valid region.
  void Part() {
    const std::string name = Fresh();
    const std::string tile = kTiles[dice_->Below(4)];  // with a sign, as numbers have one
    const std::string scalar = ScalarOf(tile);
    const std::string row = std::to_string(dice_->Below(4));
    const auto constant = [&](const std::string& letter, const std::string& number) {
      Say("  %" + letter + name + " = arith.constant " + number + " : index\n");
      return "%" + letter + name;
    };
    switch (dice_->Below(6)) {
      case 4: {  // one of several tiles
        const std::string tiles = "!pto.multi_tile_buf<" + tile + ", count=3>";
        Say("  %m" + name + " = pto.alloc_multi_tile : " + tiles + "\n  %i" + name + " = arith.andi " + Use("index") +
            ", " + constant("k", dice_->Below(8) == 0 ? "3" : "1") + " : index\n");
        for (const char* const which : {"0", "1", "2"}) {
          Say("  %" + std::string(1, static_cast<char>('p' + which[0] - '0')) + name + " = pto.multi_tile_get %m" +
              name + "[" + constant(std::string("n") + which, which) + "] : " + tiles + " -> " + tile +
              "\n  pto.texpands ins(" + Use(scalar) + " : " + scalar + ") outs(%" +
              std::string(1, static_cast<char>('p' + which[0] - '0')) + name + " : " + tile + ")\n");
        }
        Say("  %" + name + " = pto.multi_tile_get %m" + name + "[%i" + name + "] : " + tiles + " -> " + tile +
            "\n  pto.tadd ins(%" + name + ", " + Use(tile) + " : " + tile + ", " + tile + ") outs(%" + name + " : " +
            tile + ")\n  pto.tprint ins(%q" + name + " : " + tile + ")\n  %v" + name + " = pto.tile_valid_rows %" +
            name + " : " + tile + " -> index\n");
        return Define("v" + name, "index");
      }
      case 5: {  // an array of scalars
        const std::string array = "!pto.local_array<2x4x" + scalar + ">";
        const std::string zero = constant("z", "0");
        Say("  %m" + name + " = pto.declare_local_array -> " + array + "\n  %i" + name + " = arith.andi " +
            Use("index") + ", " + constant("k", dice_->Below(8) == 0 ? "7" : "3") + " : index\n");
        for (const char* const which : {"0", "1", "2", "3"}) {
          Say("  pto.local_array_set %m" + name + "[" + zero + ", " + constant(std::string("n") + which, which) +
              "], " + Use(scalar) + " : " + array + ", " + scalar + "\n");
        }
        Say("  %" + name + " = pto.local_array_get %m" + name + "[" + zero + ", %i" + name + "] : " + array + " -> " +
            scalar + "\n");
        return Define(name, scalar);
      }
      case 0: {
        const std::string at = constant("a", std::to_string(dice_->Below(32)));
        Say("  %" + name + " = pto.tgetval ins(" + Use(tile) + ", " + at + " : " + tile + ", index) outs : " + scalar +
            "\n");
        return Define(name, scalar);
      }
      case 1: {
        const std::string at = constant("a", std::to_string(dice_->Below(32)));
        return Say("  pto.tsetval ins(" + at + ", " + Use(scalar) + " : index, " + scalar + ") outs(" + Use(tile) +
                   " : " + tile + ")\n");
      }
      case 2: {
        const std::string r = constant("r", row);
        const std::string c = constant("c", "0");
        if (dice_->Below(2) == 0) {
          Say("  %" + name + " = pto.subset " + Use(tile) + "[" + r + ", " + c + "] sizes [1, 8] : " + tile + "\n");
        } else {
          std::string valid;
          if (dice_->Below(2) == 0) {
            const std::string one = constant("v", "1");
            Say("  %m" + name + " = arith.andi " + Use("index") + ", " + constant("k", "7") + " : index\n  %w" + name +
                " = arith.ori %m" + name + ", " + one + " : index\n");
            valid = " valid [" + one + ", %w" + name + "]";
          }
          Say("  %" + name + " = pto.subview " + Use(tile) + "[" + r + ", " + c + "] sizes [1, 8]" + valid + " : " +
              tile + "\n");
        }
        return Say("  pto.tprint ins(%" + name + " : !pto.tile_buf<...>)\n");
      }
      default: {
        const std::string loose = "!pto.tile_buf<vec, 4x8xf32, valid=?x?>";
        const std::string r = constant("r", "4");
        const std::string c = constant("c", "8");
        Say("  %" + name + " = pto.alloc_tile valid_row = " + r + " valid_col = " + c + " : " + loose + "\n");
        Say("  pto.texpands ins(" + Use("f32") + " : f32) outs(%" + name + " : " + loose + ")\n");
        Say("  pto.set_validshape %" + name + ", " + constant("s", row) + ", " +
            constant("t", std::to_string(dice_->Below(9))) + " : " + loose + "\n");
        Say("  pto.tadds ins(%" + name + ", " + Use("f32") + " : " + loose + ", f32) outs(%" + name + " : " + loose +
            ")\n");
        return Say("  pto.tprint ins(%" + name + " : " + loose + ")\n");
      }
    }
  }

  // All that a program has computed.
  void ShowAll() {
    for (const Value& value : values_) {
      const bool tile = value.type[0] == '!';
      if (tile) Say("  pto.tprint ins(%" + value.name + " : " + value.type + ")\n");
      if (!tile && value.type != "i1") Say("  pto.print ins(\"%d\", %" + value.name + " : " + value.type + ")\n");
    }
  }

  // An instruction, in one of its spellings.
  void Instruction() {
    static constexpr struct {
      const char* name;
      int sources;
    } kOps[] = {{"tmov", 1}, {"tpartadd", 2}, {"tprelu", 2}, {"trsqrt", 1}, {"tpow", 2}};
    const auto& op = kOps[dice_->Below(plain_ ? 3 : std::size(kOps))];
    std::string sources = Use(kTile);
    std::string types = kTile;
    for (int i = 1; i < op.sources; ++i) {
      sources += ", " + Use(kTile);
      types += std::string(", ") + kTile;
    }
    switch (dice_->Below(3)) {
      case 0:
        return Say("  pto." + std::string(op.name) + " ins(" + sources + " : " + types + ") outs(" + Use(kTile) +
                   " : " + kTile + ")\n");
      case 1: {
        const std::string name = Fresh();
        Say("  %" + name + " = pto." + op.name + " " + sources + " : (" + types + ") -> " + kTile + "\n");
        return Define(name, kTile);
      }
      default: {
        const std::string name = Fresh();
        Say("  %" + name + " = " + op.name + " " + sources + " : " + kTile + "\n");
        return Define(name, kTile);
      }
    }
  }

  // A part of the memory, to or from a tile.
  void Transfer() {
    const std::string id = Fresh();
    const std::string view = "!pto.tensor_view<16x8xf32>";
    const std::string part = "!pto.partition_tensor_view<4x8xf32>";
    const bool load = dice_->Below(2) == 0;
    Say("  %r" + id + " = arith.constant 16 : index\n  %c" + id + " = arith.constant 8 : index\n  %o" + id +
        " = arith.constant 1 : index\n  %f" + id + " = arith.constant 4 : index\n  %a" + id + " = arith.constant " +
        std::to_string(dice_->Below(13)) + " : index\n  %z" + id + " = arith.constant 0 : index\n");
    Say("  %" + id + " = pto.make_tensor_view %" + (load ? "p" : "q") + ", shape = [%r" + id + ", %c" + id +
        "], strides = [%c" + id + ", %o" + id + "] : " + view + "\n");
    Say("  %w" + id + " = pto.partition_view %" + id + ", offsets = [%a" + id + ", %z" + id + "], sizes = [%f" + id +
        ", %c" + id + "] : " + view + " -> " + part + "\n");
    if (load) return Say("  pto.tload ins(%w" + id + " : " + part + ") outs(" + Use(kTile) + " : " + kTile + ")\n");
    Say("  pto.tstore ins(" + Use(kTile) + " : " + kTile + ") outs(%w" + id + " : " + part + ")\n");
  }

  // Memory in MLIR's words: parts of views and of tiles, and elements of these.
  void Memref() {
    static constexpr const char* kVec = ", #pto.address_space<vec>>";
    static constexpr const char* kRows = "memref<2x4xf32, strided<[8, 1], offset: ?>";
    const std::string id = Fresh();
    const std::string row = "%j" + id;
    Say("  %i" + id + " = arith.constant " + dice_->Of({"3", "3", "3", "7"}) + " : index\n  %j" + id +
        " = arith.andi " + Use("index") + ", %i" + id + " : index\n  %o" + id + " = arith.constant 1 : index\n");
    std::string memref = "memref<16x8xf32>";
    std::string part = std::string(kRows) + ">";
    switch (dice_->Below(3)) {
      case 0:
        Say("  %r" + id + " = arith.constant 16 : index\n  %c" + id + " = arith.constant 8 : index\n  %" + id +
            " = pto.make_tensor_view %" + dice_->Of({"p", "q"}) + ", shape = [%r" + id + ", %c" + id +
            "], strides = [%c" + id + ", %o" + id + "] : memref<16x8xf32>\n  %d" + id + " = memref.dim %" + id +
            ", %o" + id + " : memref<16x8xf32>\n");
        Define("d" + id, "index");
        break;
      case 1:
        memref = std::string("memref<4x8xf32") + kVec;
        part = std::string(kRows) + kVec;
        Say("  %" + id + " = memref.alloc() : " + memref + "\n");
        break;
      default:
        // By columns.
        memref = std::string("memref<4x8xf32, strided<[1, 4]>") + kVec;
        part = std::string("memref<2x4xf32, strided<[1, 4], offset: ?>") + kVec;
        Say("  %" + id + " = memref.alloc() : " + memref + "\n");
    }
    if (memref.ends_with(kVec)) {
      Say("  pto.texpands ins(" + Use("f32") + " : f32) outs(%" + id + " : " + memref + ")\n");
    }
    Say("  memref.store " + Use("f32") + ", %" + id + "[" + row + ", 5] : " + memref + "\n  %w" + id +
        " = memref.subview %" + id + "[%o" + id + ", 2] [2, 4] [1, 1] : " + memref + " to " + part + "\n");
    Say("  memref.store " + Use("f32") + ", %w" + id + "[0, %o" + id + "] : " + part + "\n  %x" + id +
        " = memref.load %w" + id + "[0, 3] : " + part + "\n  %y" + id + " = memref.load %" + id + "[1, " + row +
        "] : " + memref + "\n");
    Define("x" + id, "f32");
    Define("y" + id, "f32");
  }

  // A tile in boxes: what lies where in its storage, and instructions between it and others.
  void Boxed() {
    static constexpr const char* kLayouts[] = {"blayout=col_major, slayout=row_major", "slayout=col_major",
                                               "slayout=row_major", "blayout=col_major, slayout=col_major",
                                               "blayout=col_major"};
    const std::string id = Fresh();
    const std::string size = dice_->Of({"16x16", "16x24", "32x16"});
    const std::string rows = size.substr(0, 2);
    const std::string cols = size.substr(3);
    const std::string plain = "!pto.tile_buf<vec, " + size + "xf32>";
    const std::string boxed = "!pto.tile_buf<vec, " + size + "xf32, " + dice_->Of(kLayouts) + ">";
    const std::string other = "!pto.tile_buf<vec, " + size + "xf32, " + dice_->Of(kLayouts) + ">";
    const std::string view = "!pto.tensor_view<" + size + "xf32>";
    const auto say = [&](const std::string& name, const std::string& source, const std::string& what) {
      Say("  pto." + name + " ins(" + source + ") outs(" + what + ")\n");
    };
    for (const auto& [letter, number] : {std::pair<std::string, std::string>{"r", rows}, {"c", cols}, {"s", "3"}}) {
      Say("  %" + letter + id + " = arith.constant " + number + " : index\n");
    }
    Say("  %o" + id + " = arith.constant 1 : index\n  %v" + id + " = pto.make_tensor_view %p, shape = [%r" + id +
        ", %c" + id + "], strides = [%s" + id + ", %o" + id + "] : " + view + "\n");
    for (const auto& [letter, type] : {std::pair<std::string, std::string>{"a", boxed}, {"b", other}, {"d", plain}}) {
      Say("  %" + letter + id + " = pto.alloc_tile : " + type + "\n");
    }
    say("tload", "%v" + id + " : " + view, "%a" + id + " : " + boxed);
    say("tmov", "%a" + id + " : " + boxed, "%b" + id + " : " + other);
    // Some of the places of the storage, in their order.
    Say("  %f" + id + " = arith.constant " + std::to_string(dice_->Below(37)) + " : index\n  %n" + id +
        " = arith.constant 256 : index\n  %j" + id + " = arith.constant 37 : index\n  %k" + id +
        " = arith.constant 31 : i32\n  %h" + id + " = scf.for %w" + id + " = %f" + id + " to %n" + id + " step %j" +
        id + " iter_args(%x" + id + " = %k" + id + ") -> (i32) {\n");
    Say("  %y" + id + " = pto.tgetval ins(%b" + id + ", %w" + id + " : " + other + ", index) outs : f32\n  %z" + id +
        " = arith.bitcast %y" + id + " : f32 to i32\n  %l" + id + " = arith.muli %x" + id + ", %k" + id +
        " : i32\n  %m" + id + " = arith.addi %l" + id + ", %z" + id + " : i32\n  scf.yield %m" + id + " : i32\n  }\n");
    Define("h" + id, "i32");
    Say("  %e" + id + " = arith.constant " + std::to_string(dice_->Below(256)) + " : index\n");
    Say("  pto.tsetval ins(%e" + id + ", " + Use("f32") + " : index, f32) outs(%a" + id + " : " + boxed + ")\n");
    say(dice_->Of({"tadd", "tmul", "tmax", "tsub"}), "%a" + id + ", %b" + id + " : " + boxed + ", " + other,
        "%d" + id + " : " + plain);
    say("tmov", "%d" + id + " : " + plain, "%a" + id + " : " + boxed);
    Say("  pto.tprint ins(%a" + id + " : " + boxed + ")\n");
    Say("  %g" + id + " = pto.tgetval ins(%a" + id + ", %e" + id + " : " + boxed + ", index) outs : f32\n");
    Define("g" + id, "f32");
  }

  void Scalars() {
    const std::string name = Fresh();
    const std::string at = Use("index");
    if (dice_->Below(2) == 0) {
      Say("  %" + name + " = pto.load_scalar %p[" + at + "] : !pto.ptr<f32> -> f32\n");
      return Define(name, "f32");
    }
    Say("  pto.store_scalar " + Use("f32") + ", %q[" + at + "] : !pto.ptr<f32>, f32\n");
  }

  void Retype() {
    const std::string name = Fresh();
    const std::string tile = Use(kTile);
    if (dice_->Below(2) == 0) {
      Say("  %" + name + " = pto.treshape " + tile + " : " + kTile + " -> !pto.tile_buf<vec, 8x4xf32>\n");
      Say("  %b" + name + " = pto.treshape %" + name + " : !pto.tile_buf<vec, 8x4xf32> -> " + kTile + "\n");
      return Define("b" + name, kTile);
    }
    Say("  pto.tprint ins(" + tile + " : " + kTile + ")\n");
  }

  void Call() {
    const std::string name = Fresh();
    Say("  %" + name + " = func.call @" + dice_->Of({"twice", "around", "choose"}) + "(" + Use("i64") +
        ") : (i64) -> i64\n");
    Define(name, "i64");
  }

  // Names that are defined inside stay there.
  template <class Body>
  void Scope(Body body) {
    const std::vector<Value> outside = values_;
    body();
    values_ = outside;
  }

  void For(int depth) {
    const std::string type = dice_->Of({"i64", "f32", kTile});
    const std::string i = Fresh();
    const std::string carried = Fresh();
    const std::string result = Fresh();
    const bool carries = dice_->Below(2) == 0;
    Say("  %l" + i + " = arith.constant 0 : index\n  %u" + i + " = arith.constant " + std::to_string(dice_->Below(4)) +
        " : index\n  %s" + i + " = arith.constant 1 : index\n");
    Say(std::string("  ") + (carries ? "%" + result + " = " : "") + "scf.for %" + i + " = %l" + i + " to %u" + i +
        " step %s" + i);
    if (carries) Say(" iter_args(%" + carried + " = " + Use(type) + ") -> (" + type + ")");
    Say(" {\n");
    Scope([&] {
      Define(i, "index");
      if (carries) Define(carried, type);
      Statements(depth + 1);
      if (carries) Say("  scf.yield " + Use(type) + " : " + type + "\n");
    });
    Say("  }\n");
    if (carries) Define(result, type);
  }

  void If(int depth) {
    const std::string type = dice_->Of({"i64", "f16", kTile});
    const std::string result = Fresh();
    const bool gives = dice_->Below(2) == 0;
    Say(std::string("  ") + (gives ? "%" + result + " = " : "") + "scf.if " + Use("i1") +
        (gives ? " -> (" + type + ")" : "") + " {\n");
    for (int branch = 0; branch < 2; ++branch) {
      if (branch == 1) {
        if (!gives && dice_->Below(2) == 0) break;
        Say("  } else {\n");
      }
      Scope([&] {
        Statements(depth + 1);
        if (gives) Say("  scf.yield " + Use(type) + " : " + type + "\n");
      });
    }
    Say("  }\n");
    if (gives) Define(result, type);
  }

  void While(int depth) {
    const std::string result = Fresh();
    const std::string a = Fresh();
    const std::string b = Fresh();
    Say("  %" + result + " = scf.while (%" + a + " = " + Use("i64") + ") : (i64) -> (i64) {\n");
    Scope([&] {
      Define(a, "i64");
      Statements(depth + 1);
      Say("  scf.condition(" + Use("i1") + ") " + Use("i64") + " : i64\n  } do {\n  ^bb0(%" + b + ": i64):\n");
    });
    Scope([&] {
      Define(b, "i64");
      Statements(depth + 1);
      Say("  scf.yield " + Use("i64") + " : i64\n");
    });
    Say("  }\n");
    Define(result, "i64");
  }

  void Statements(int depth) {
    if (dice_->Below(6) == 0) Say("  // a note, \xC3\xA4\n");
    for (uint32_t n = 1 + dice_->Below(depth == 0 ? 24 : 4); n > 0 && !dice_->Empty() && count_ < 400; --n) {
      switch (dice_->Below(depth < 5 ? 25 : 22)) {
        case 0:
          Constant(dice_->Of(kScalars));
          break;
        case 1:
        case 2:
          Binary();
          break;
        case 3:
          Compare();
          break;
        case 4:
          Cast();
          break;
        case 5:
          Select();
          break;
        case 6:
          Print();
          break;
        case 7:
          Alloc(dice_->Of(kTiles));
          break;
        case 8:
        case 9:
          Instruction();
          break;
        case 10:
          Transfer();
          break;
        case 11:
          Scalars();
          break;
        case 12:
          Retype();
          break;
        case 13:
          Call();
          break;
        case 14:
          Math();
          break;
        case 15:
          Generic();
          break;
        case 16:
          Address();
          break;
        case 17:
        case 18:
          Elementwise();
          break;
        case 19:
          Part();
          break;
        case 20:
          Memref();
          break;
        case 21:
          // The second executor knows no registers.
          if (!plain_ && dice_->Below(4) == 0) {
            text_ += WorkItems<Dice>::Launch(dice_, count_++, "%q");
          } else if (!plain_ && dice_->Below(2) == 0) {
            text_ += VectorScope(dice_, count_++).Text("%q");
          } else {
            Boxed();
          }
          break;
        case 22:
          For(depth);
          break;
        case 23:
          If(depth);
          break;
        default:
          While(depth);
      }
    }
  }

  Dice* dice_;
  bool plain_;
  std::string text_;
  std::vector<Value> values_;
  int count_ = 0;
};

#endif  // PTO_TESTS_FUZZ_GRAMMAR_H_

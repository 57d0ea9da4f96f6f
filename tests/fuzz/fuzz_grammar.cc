// libFuzzer target: the bytes choose among the productions of a grammar, so that deep,
// typed programs come out; some are mutated. A program as made is accepted. What is
// accepted prints in every spelling to text that prints the same, and that runs to the
// same status, output and memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "include/pto_c.h"

namespace {

std::string program_text;  // of the case under way, for messages

[[noreturn]] void Broken(const std::string& what, const std::string& more = "") {
  std::fprintf(stderr, "broken: %s\n%s\n---- the program:\n%s\n", what.c_str(), more.c_str(), program_text.c_str());
  std::abort();
}

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
  explicit Grammar(Dice* dice) : dice_(dice) {}

  std::string Program() {
    Say("func.func private @twice(%v: i64) -> i64 {\n");
    Say("  %w = arith.addi %v, %v : i64\n  return %w : i64\n}\n");
    // Blocks: the number of bits, by a loop of branches.
    Say("func.func private @around(%v: i64) -> i64 {\n  %z = arith.constant 0 : i64\n  %o = arith.constant 1 : i64\n"
        "  cf.br ^head(%v, %z : i64, i64)\n^head(%x: i64, %n: i64):\n  %end = arith.cmpi eq, %x, %z : i64\n"
        "  cf.cond_br %end, ^done(%n : i64), ^more\n^more:\n  %y = arith.shrui %x, %o : i64\n"
        "  %m = arith.addi %n, %o : i64\n  cf.br ^head(%y, %m : i64, i64)\n^done(%r: i64):\n  return %r : i64\n}\n");
    Say("func.func @main(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %n: index, %x: i64, %s: f32) attributes {pto.entry} "
        "{\n");
    values_ = {{"n", "index"}, {"x", "i64"}, {"s", "f32"}};
    for (const char* type : kScalars) Constant(type);
    Alloc();
    Statements(0);
    Say("  return\n}\n");
    return std::move(text_);
  }

 private:
  struct Value {
    std::string name;
    std::string type;
  };
  static constexpr const char* kScalars[] = {"index", "i64", "i32", "i8", "i1", "f32", "f16"};
  static constexpr const char* kInts[] = {"index", "i64", "i32", "i8"};
  static constexpr const char* kFloats[] = {"f32", "f16"};

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
    const std::string name = Fresh();
    if (type == "i1") {
      Say("  %" + name + " = arith.constant " + (dice_->Below(2) != 0 ? "true" : "false") + "\n");
    } else {
      Say("  %" + name + " = arith.constant " + (type[0] == 'f' ? dice_->Of(kNumbers) : dice_->Of(kIntegers)) + " : " +
          type + "\n");
    }
    Define(name, type);
  }

  void Binary() {
    static constexpr const char* kIntOps[] = {"addi",  "subi",  "muli",  "andi",       "ori",
                                              "xori",  "shli",  "shrui", "shrsi",      "minsi",
                                              "maxui", "divsi", "remui", "floordivsi", "ceildivui"};
    static constexpr const char* kFloatOps[] = {"addf", "subf", "mulf", "divf", "remf", "maximumf", "minnumf"};
    const bool floats = dice_->Below(3) == 0;
    const std::string type = floats ? dice_->Of(kFloats) : dice_->Of(kInts);
    const std::string op = floats ? dice_->Of(kFloatOps) : dice_->Of(kIntOps);
    const std::string name = Fresh();
    Say("  %" + name + " = arith." + op + " " + Use(type) + ", " + Use(type) + " : " + type + "\n");
    Define(name, type);
  }

  void Math() {
    static constexpr const char* kOne[] = {"exp", "exp2", "log", "rsqrt", "sqrt", "absf", "ceil", "roundeven"};
    static constexpr const char* kTwo[] = {"powf", "copysign"};
    static constexpr const char* kOfInts[] = {"absi", "ctlz", "cttz", "ctpop"};
    const uint32_t kind = dice_->Below(4);
    const std::string type = kind == 3 ? dice_->Of(kInts) : dice_->Of(kFloats);
    std::string operands = Use(type);
    if (kind == 1 || kind == 2) operands += ", " + Use(type);
    if (kind == 2) operands += ", " + Use(type);
    const std::string op = kind == 0   ? dice_->Of(kOne)
                           : kind == 1 ? dice_->Of(kTwo)
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
    static constexpr const char* kInt[] = {"eq", "ne", "slt", "sge", "ult", "uge"};
    static constexpr const char* kFloat[] = {"oeq", "olt", "une", "uno", "true", "ugt"};
    const bool floats = dice_->Below(3) == 0;
    const std::string type = floats ? dice_->Of(kFloats) : dice_->Of(kInts);
    const std::string name = Fresh();
    Say("  %" + name + " = arith." + (floats ? "cmpf " : "cmpi ") + (floats ? dice_->Of(kFloat) : dice_->Of(kInt)) +
        ", " + Use(type) + ", " + Use(type) + " : " + type + "\n");
    Define(name, "i1");
  }

  void Cast() {
    static constexpr const char* kCasts[][3] = {
        {"index_cast", "index", "i64"}, {"index_cast", "i32", "index"}, {"extsi", "i8", "i64"},
        {"extui", "i1", "i32"},         {"trunci", "i64", "i8"},        {"extf", "f16", "f32"},
        {"truncf", "f32", "f16"},       {"sitofp", "i64", "f32"},       {"uitofp", "i8", "f16"},
        {"fptosi", "f32", "i32"},       {"bitcast", "f32", "i32"},      {"bitcast", "i32", "f32"}};
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
    const std::string type = dice_->Of({"i64", "i32", "f32"});
    Say("  pto.print ins(\"" + std::string(dice_->Of({"%d", "a %d b", "%f\\n", "\\\\ %x", ""})) + "\", " + Use(type) +
        " : " + type + ")\n");
  }

  static constexpr const char* kTile = "!pto.tile_buf<vec, 4x8xf32>";

  void Alloc() {
    const std::string name = Fresh();
    Say("  %" + name + " = pto.alloc_tile : " + kTile + "\n");
    Define(name, kTile);
  }

  // An instruction, in one of its spellings.
  void Instruction() {
    static constexpr struct {
      const char* name;
      int sources;
    } kOps[] = {{"trsqrt", 1}, {"tmov", 1}, {"tpow", 2}, {"tpartadd", 2}, {"tprelu", 2}};
    const auto& op = kOps[dice_->Below(std::size(kOps))];
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
    Say("  %" + name + " = func.call @twice(" + Use("i64") + ") : (i64) -> i64\n");
    Define(name, "i64");
  }

  // What is defined inside stays there.
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
      switch (dice_->Below(depth < 5 ? 20 : 17)) {
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
          Alloc();
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
          For(depth);
          break;
        case 18:
          If(depth);
          break;
        default:
          While(depth);
      }
    }
  }

  Dice* dice_;
  std::string text_;
  std::vector<Value> values_;
  int count_ = 0;
};

void Mutate(Dice* dice, std::string* text) {
  static constexpr const char* kPieces[] = {"%v1",  "%",         "^head",  "<{", "({", "\"pto.tadd\"",
                                            "f32",  "i64",       "index",  "(",  ")",  "{",
                                            "}",    "[",         "]",      "<",  ">",  ",",
                                            ":",    "=",         "->",     "\"", "\n", "//",
                                            "0",    "-1",        "1e9",    "?",  "x",  "!pto.ptr<f32>",
                                            "pto.", "scf.yield", "{a = 1}"};
  for (uint32_t edits = 1 + dice->Below(4); edits > 0; --edits) {
    const auto place = [&] { return (dice->Below(256) << 8 | dice->Below(256)) % (text->size() + 1); };
    const size_t at = place();
    const size_t length = dice->Below(16);
    switch (dice->Below(4)) {
      case 0:
        text->erase(at, length);
        break;
      case 1:
        text->insert(at, dice->Of(kPieces));
        break;
      case 2:
        text->insert(place(), text->substr(at, 4 * length));
        break;
      default:
        text->replace(at, std::min(length, text->size() - at), dice->Of(kPieces));
    }
  }
}

// What a run leaves.
struct Outcome {
  pto_status status = PTO_OK;
  std::string rule;
  std::string output;
  std::vector<float> memory;
  bool operator==(const Outcome& other) const {
    return status == other.status && rule == other.rule && output == other.output &&
           std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(float)) == 0;
  }
};

pto_program* Parse(pto_context* ctx, const std::string& text) {
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "grammar");
  if (program == nullptr) Broken("a text answers a program");
  return program;
}

Outcome Run(pto_context* ctx, pto_program* program) {
  Outcome outcome;
  outcome.memory.resize(256);
  for (int i = 0; i < 128; ++i) outcome.memory[static_cast<size_t>(i)] = static_cast<float>(i - 40) / 8;
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = 128;
  for (int i = 0; i < 2; ++i) {
    pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, outcome.memory.data() + 128 * i, 512);
    pto_program_bind_tensor(ctx, program, i == 0 ? "p" : "q", tensor);
    pto_tensor_release(tensor);
  }
  pto_program_bind_int(ctx, program, "n", 5);
  pto_program_bind_int(ctx, program, "x", -3);
  pto_program_bind_float(ctx, program, "s", 0.75);
  pto_program_limit_steps(ctx, program, 2000);
  pto_program_limit_bytes(ctx, program, 1 << 20);
  outcome.status = pto_program_run(ctx, program, nullptr);
  if (outcome.status != PTO_OK) outcome.rule = pto_context_error_rule(ctx);
  outcome.output = pto_program_output(program);
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int64_t handles = pto_live_handles();
  Dice dice(data, size);
  const bool mutated = dice.Below(4) == 0;
  const uint32_t profile = dice.Below(3);
  program_text = Grammar(&dice).Program();
  if (mutated) Mutate(&dice, &program_text);
  pto_context* ctx = pto_context_create(static_cast<pto_profile>(profile));
  pto_program* program = Parse(ctx, program_text);
  const pto_status checked = pto_program_check(ctx, program);
  // Under A2A3 some instructions want operands that the grammar does not give them.
  if (checked != PTO_OK && !mutated && profile == PTO_PROFILE_CPU) {
    Broken("a program of the grammar is refused", pto_program_diagnostic_text(program, 0));
  }
  if (pto_program_lint(ctx, program, nullptr) != checked) Broken("advice changes no answer");
  if (checked == PTO_OK) {
    static constexpr pto_form kForms[] = {PTO_FORM_KEEP, PTO_FORM_ASM, PTO_FORM_SSA, PTO_FORM_DPS};
    std::string printed[std::size(kForms)];
    for (size_t f = 0; f < std::size(kForms); ++f) {
      const char* text = pto_program_print(ctx, program, kForms[f]);
      if (text == nullptr) Broken("what is accepted prints", pto_context_error_message(ctx));
      printed[f] = text;
    }
    const Outcome outcome = Run(ctx, program);
    for (size_t f = 0; f < std::size(kForms); ++f) {
      pto_program* again = Parse(ctx, printed[f]);
      if (pto_program_check(ctx, again) != PTO_OK)
        Broken("what is printed is accepted: " + printed[f], pto_context_error_message(ctx));
      if (pto_program_print(ctx, again, kForms[f]) != printed[f]) Broken("printing is stable: " + printed[f]);
      const Outcome other = Run(ctx, again);
      if (!(other == outcome))
        Broken("what is printed runs as the program: " + printed[f], outcome.rule + " and " + other.rule);
      pto_program_release(again);
    }
  }
  pto_program_release(program);
  pto_context_release(ctx);
  if (pto_live_handles() != handles) Broken("handles are left");
  return 0;
}

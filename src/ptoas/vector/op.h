// The operations of the vector level, one row each: what they take, how they are written, which elements they have.
//
//   rows_*.h ---- takes, makes, clauses ---> read/parse_op.cc, read/print_op.cc    text to tree and back
//            |--- types, choices, check ---> check/verify_op.cc
//            `--- name --------------------> vector/run_*.cc                       what runs it, by its name
//
// An operation is added as a row here and an entry in the list of its file in src/ptoas/vector. In the tree all of them
// are statements of one kind, StmtKind::kVectorOp; Stmt::vector is the row.
//
// The operands of an operation are written as words:
//
//   v     a register of the elements T               w     a register of any elements: the check of the row judges it
//   m     a mask of the granularity of T             m8 m16 m32   of that granularity     n    of any, the same each
//   time s     a scalar of T                              h     an i16                         i    an integer a the
//   state of an unaligned stream           p     a pointer into UB              g    into global memory l1 l0a l0b l0c
//   bt fb   into that memory          q     any pointer                    x    an integer or a pointer P
//   %pointer[%index]; P: writes the type of the index, P? may lack the index "key  a word of that choice: "lt", lt c a
//   mask, or the number of lanes (older spelling)     d   a register or a scalar of T ?     after a word: it may be
//   missing
//
// Of SIMT statements:
//
//   e     a number of T, or a vector of two            E     any of these             i1 i32 i64   that integer
//   G     %pointer[%index] in global memory
#ifndef PTO_SRC_PTOAS_VECTOR_OP_H_
#define PTO_SRC_PTOAS_VECTOR_OP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/ptoas/read/dialect.h"
#include "src/records/dtype.h"

namespace pto::ptoas {

struct Clause;
struct Stmt;

namespace vec {

inline constexpr int kRegisterBytes = 256;

// ---- words with a fixed meaning ----------------------------------------------

struct ChoiceValue {
  std::string_view word;
  int32_t code;
};
// The values of an attribute or of a positional word. Older spellings follow with the code of the newer one.
struct Choice {
  std::string_view key;
  std::span<const ChoiceValue> values;
  std::string_view also = {};  // another key of the attribute

  constexpr const ChoiceValue* Find(std::string_view word) const {
    for (const ChoiceValue& value : values) {
      if (value.word == word) return &value;
    }
    return nullptr;
  }
};

// ---- operands ------------------------------------------------------------------

enum class Kind : uint8_t {
  kVreg,
  kAnyVreg,
  kMask,  // bits: of T where it is 0
  kAnyMask,
  kScalar,  // of T
  kInt16,
  kInt,
  kAlign,
  kPointer,     // bits: the memory, a Loc, kGlobal or kAnySpace
  kPlaceIndex,  // the index of the pointer before
  kWord,        // a choice
  kLanes,       // a mask, or a count
  kVregOrScalar,
  kIntOrPointer,
  kNumber,  // a number of T, or several in a vector
  kAnyNumber,
  kIntOf,  // bits
};
inline constexpr uint8_t kGlobalSpace = 254, kAnySpace = 255;

struct Param {
  Kind kind = Kind::kInt;
  uint8_t bits = 0;
  bool maybe = false;
  bool typed = true;  // its type is written
};

inline constexpr size_t kMostParams = 14;
struct ParamList {
  Param all[kMostParams];
  uint8_t count = 0;
  constexpr const Param* begin() const { return all; }
  constexpr const Param* end() const { return all + count; }
};

constexpr Param ParamOf(std::string_view word) {
  Param param;
  if (word.back() == '?') {
    param.maybe = true;
    word.remove_suffix(1);
  }
  struct Known {
    std::string_view word;
    Kind kind;
    uint8_t bits;
  };
  constexpr Known kKnown[] = {
      {"v", Kind::kVreg, 0},
      {"w", Kind::kAnyVreg, 0},
      {"m", Kind::kMask, 0},
      {"m8", Kind::kMask, 8},
      {"m16", Kind::kMask, 16},
      {"m32", Kind::kMask, 32},
      {"n", Kind::kAnyMask, 0},
      {"s", Kind::kScalar, 0},
      {"h", Kind::kInt16, 0},
      {"i", Kind::kInt, 0},
      {"a", Kind::kAlign, 0},
      {"p", Kind::kPointer, 0},
      {"g", Kind::kPointer, kGlobalSpace},
      {"l1", Kind::kPointer, 1},
      {"l0a", Kind::kPointer, 2},
      {"l0b", Kind::kPointer, 3},
      {"l0c", Kind::kPointer, 4},
      {"bt", Kind::kPointer, 5},
      {"fb", Kind::kPointer, 6},
      {"q", Kind::kPointer, kAnySpace},
      {"x", Kind::kIntOrPointer, 0},
      {"c", Kind::kLanes, 0},
      {"d", Kind::kVregOrScalar, 0},
      {"e", Kind::kNumber, 0},
      {"E", Kind::kAnyNumber, 0},
      {"i1", Kind::kIntOf, 1},
      {"i32", Kind::kIntOf, 32},
      {"i64", Kind::kIntOf, 64},
  };
  if (word[0] == '"') {
    param.kind = Kind::kWord;
    param.typed = false;
    return param;
  }
  for (const Known& known : kKnown) {
    if (known.word != word) continue;
    param.kind = known.kind;
    param.bits = known.bits;
    return param;
  }
  throw "no such kind of operand";  // NOLINT: a row that does not compile
}

constexpr ParamList ParamsOf(std::string_view text) {
  ParamList list;
  while (!text.empty()) {
    const size_t end = text.find(' ') == text.npos ? text.size() : text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == text.size() ? end : end + 1);
    if (word[0] != 'P' && word[0] != 'G') {
      list.all[list.count++] = ParamOf(word);
      continue;
    }
    list.all[list.count++] = {.kind = Kind::kPointer, .bits = word[0] == 'G' ? kGlobalSpace : uint8_t{0}};
    list.all[list.count++] = {.kind = Kind::kPlaceIndex,
                              .maybe = word.size() > 1 && word[1] == '?',
                              .typed = word.size() > 1 && word[1] == ':'};
  }
  return list;
}

// ---- clauses: nburst(%n, %a, %b), sat, pad(%x) -----------------------------------

enum class TypeStyle : uint8_t { kPlain, kNamed, kParens };  // i64, i64; loop i64, i64; src_layout(i64, i64)
struct ClauseInfo {
  std::string_view word;
  uint8_t least = 0, most = 0;  // operands
  bool needed = false;
  bool repeats = false;
  TypeStyle types = TypeStyle::kPlain;
  std::span<const std::string_view> options =
      {};  // words, or keys of values: unit_flag(check_only), pre_quant(%s, mode = x)
};

// ---- rows ------------------------------------------------------------------------

// Where an operation belongs, where the program has scopes.
enum class Scope : uint8_t {
  kInside,
  kAnywhere,
  kOutside,
  kItem,  // in functions of work items
  kHost,  // outside of them, and of scopes
};

enum class Family : uint8_t {
  kUnary,
  kBinary,
  kScalar,
  kConvert,
  kReduce,
  kCompare,
  kMove,
  kMask,
  kLoad,
  kStore,
  kStream,
  kGather,
  kCopy,
  kState,
  kSort,
  kPointer,
  kCube,
  kSimt
};

// Further conditions, by name: check/verify_op.cc.
enum class Also : uint8_t {
  kNothing,
  kConvert,  // one of the pairs of elements
  kBitcast,
  kRound,  // of float elements
  kCarry,
  kWiden,  // sums of narrow elements
  kIndex,  // the index register fits
  kPack,
  kUnpack,
  kExpDif,
  kCastPtr,
  kSameSpace,
  kDup,
  kBroadcast,  // vbr, vci: only the result names the element
  kDense,      // pstu: pointer and mask have one width
  kCopy,       // both ends have elements of one width
  kMaskStep,   // ppack, punpack
  kCube,       // types and clauses of the cube: check/verify_cube.cc
  kStoreMask,  // vsts: the distribution chooses the mask
  kSimt,       // check/verify_simt.cc
};

// Whether a SIMT statement has the word `signed` or `unsigned`. Only integers have a sign.
enum class Signs : uint8_t { kNone, kMay, kMust };

// The numbers that a SIMT statement takes, a bit each, in the order of kNumberNames (rows_simt.h).
using NumberSet = uint16_t;

struct Op {
  std::string_view name;
  Family family = Family::kUnary;
  std::string_view takes = {};
  std::string_view makes = {};
  DTypeSet types = ~DTypeSet{0};  // of T
  const Choice* words[2] = {};    // of positional words, in their order
  const Choice* attrs[3] = {};    // of the dictionary
  std::span<const ClauseInfo> clauses = {};
  bool commas = false;  // before clauses
  Scope scope = Scope::kInside;
  Also also = Also::kNothing;
  std::string_view refused = {};  // why it is; it is read all the same
  std::string_view older = {};    // the operation that this is an older spelling of
  std::string_view does = {};     // one sentence
  // Of SIMT statements.
  NumberSet numbers = 0;           // T
  Signs signs = Signs::kNone;      // of clauses `signed` and `unsigned`
  ArithOp arith = ArithOp::kNone;  // what computes it, on each element
  std::string_view integer = {};   // an attribute that is a number
  bool group = false;              // the work items of a group meet there
  bool pointer_first = false;      // of two types: the operands are a number and a pointer
  // Found out from the words.
  ParamList in = {};
  ParamList out = {};

  constexpr size_t Least() const { return Count(in, false); }
  static constexpr size_t Count(const ParamList& list, bool all) {
    size_t count = 0;
    for (const Param& param : list) count += all || !param.maybe ? 1U : 0U;
    return count;
  }
};

// The row of a name, or nullptr.
const Op* Find(std::string_view name);
// Why a name that has no row is not executed, or nothing: it is not of this level.
std::string_view WhyRefused(std::string_view name);
std::span<const Op> AllOps();

// The code of an attribute as it is given, or `without`; the code of a positional word, by its number.
int32_t CodeOf(const Stmt& stmt, const Choice& choice, int32_t without);
int32_t WordOf(const Stmt& stmt, size_t number);
bool Has(const Stmt& stmt, const Choice& choice);

// The first clause with the word, or nullptr.
const Clause* GivenClause(const Stmt& stmt, std::string_view word);
// The value of an option of a clause, or without a key its only word. Empty if there is no such option.
std::string_view OptionOf(const Clause* clause, std::string_view key = {});

}  // namespace vec
}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VECTOR_OP_H_

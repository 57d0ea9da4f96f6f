// The tree of a PTO-AS program: modules, functions, blocks, statements, values.
// All three spellings of a statement give the same tree. Nodes are plain structs
// in the program's arena; strings are views into the program's own copy of the
// source; places are byte offsets into it (Diagnostics turns them into lines).
#ifndef PTO_SRC_PTOAS_AST_H_
#define PTO_SRC_PTOAS_AST_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/ptoas/read/arena.h"
#include "src/ptoas/read/decimal.h"
#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/statements.h"
#include "src/ptoas/read/type.h"
#include "src/ptoas/vector/op.h"
#include "src/records/op_info.h"
#include "src/records/profile.h"

namespace pto::ptoas {

struct Attr;
struct Block;
struct Func;
struct Stmt;

// ---- attributes -------------------------------------------------------------

struct NamedAttr {
  std::string_view name;        // without quotes
  const Attr* value = nullptr;  // nullptr: a bare name (unit attribute)
  uint32_t offset = 0;
};
using Dict = std::span<const NamedAttr>;

enum class AttrKind : uint8_t {
  kInt,     // integer; type may be nullptr
  kFloat,   // number, text; type may be nullptr
  kBool,    // integer 0 or 1
  kString,  // text: the part between the quotes, escapes as written
  kSymbol,  // text: the name without @
  kName,    // text: a bare identifier
  kPto,     // name and text: `cmp` and `eq` of #pto<cmp eq> or #pto.cmp<eq>; name is "" for <eq>;
            // dict holds the entries of tile_buf_config
  kArray,   // items; name is "" for [...], "array" for that, "dense" where the one item is a number or an array
  kDict,    // dict
  kType,    // type
};

struct Attr {
  AttrKind kind = AttrKind::kInt;
  std::string_view name;
  std::string_view text;  // numbers: as written
  int64_t integer = 0;    // kInt: modulo 2^64; hexadecimal is a bit pattern
  Decimal number;         // kFloat
  bool hex = false;       // kInt written 0x...: with a float type it is the bit pattern
  const Type* type = nullptr;
  std::span<const Attr* const> items;
  Dict dict;
  uint32_t offset = 0;
};

// Whether two words are the same except for the case of ASCII letters.
bool SameWord(std::string_view a, std::string_view b);

// nullptr when there is no entry of that name; &kUnitAttr for a unit attribute.
const Attr* FindAttr(Dict dict, std::string_view name);
extern const Attr kUnitAttr;
inline const Attr& ValueOf(const NamedAttr& entry) { return entry.value == nullptr ? kUnitAttr : *entry.value; }

// ---- values -----------------------------------------------------------------

enum class ValueOrigin : uint8_t {
  kArgument,       // of a func.func
  kBlockArgument,  // loop variable, iter_arg, argument of a while region
  kResult,         // Stmt::results of `def`
  kDestination,    // a new tile made by a one-line instruction inside a func.func: `def` is the
                   // instruction, the value is one of its outs; type may be unknown (below)
  kImplicit,       // of a file of bare statements: an operand without a definition; Func::args
};

// An SSA value. In `%x:3 = ...` the three share a name and have index 0, 1, 2.
struct Value {
  std::string_view name;  // without %
  uint32_t index = 0;
  uint32_t pack = 1;           // how many values share the name in one definition
  const Type* type = nullptr;  // nullptr: never written; kAnyTile: written as `...`
  uint32_t slot = 0;           // 0 .. Func::value_count - 1, in order of definition
  uint32_t offset = 0;
  uint32_t length = 0;
  ValueOrigin origin = ValueOrigin::kResult;
  // kImplicit: the first statement that uses the value writes it or uses it as scratch, so no binding is needed.
  bool written_first = false;
  bool placed_only = false;  // kImplicit: nothing but pto.tassign names it
  Stmt* def = nullptr;       // kResult, kDestination
  Value* shadows = nullptr;  // an earlier value of the same name: rule redefinition
  // kArgument, a pointer: the shape that all of its views have; `one_view`: there is such a shape (read/views.h).
  std::span<const int64_t> viewed;
  bool one_view = false;
  // kResult of make_tensor_view: the first load or store of it that names a layout, or else the first (read/views.h).
  const Stmt* moved = nullptr;
  Dict attrs;  // kArgument: its dictionary
};

// ---- operands ---------------------------------------------------------------

enum class OperandKind : uint8_t {
  kValue,    // %x, %x#1, or %x[indices]
  kLiteral,  // 3, 0x1F, 1.5, "text", <PIPE_M>, #pto.event<EVENT_ID0>: literal
  kAddress,  // @tile(0x1000): address
};

struct Operand {
  OperandKind kind = OperandKind::kValue;
  bool place = false;    // kVectorOp: a pointer, whose index in brackets is the next operand
  bool implied = false;  // kVectorOp: it is not written
  uint8_t group = 0;     // its `: types` group of ins(...)
  uint32_t index = 0;    // of %x#index
  uint32_t offset = 0;
  uint32_t length = 0;
  std::string_view name;       // kValue: without %; kAddress: the name before (...)
  Value* value = nullptr;      // kValue; nullptr: undefined (rule undefined-value)
  const Type* type = nullptr;  // as written at this use; nullptr: not written
  const Attr* literal = nullptr;
  int64_t address = 0;
  std::span<Operand> indices;
};

// ---- statements -------------------------------------------------------------

// How an instruction was written; no part of the program's meaning.
enum class Spelling : uint8_t {
  kAsm,  // %d = tadd %a, %b : T
  kSsa,  // %d = pto.tadd %a, %b : (T, T) -> T
  kDps,  // pto.tadd ins(%a, %b : T, T) outs(%d : T)
};

// What is around the operands of a kSync, kCoreSet or kCoreWait; no part of the meaning either.
enum class Around : uint8_t { kNothing, kBrackets, kIns };

// A block that a branch continues with, and the number of operands that it receives.
struct Successor {
  std::string_view label;  // without ^
  uint32_t offset = 0;
  uint32_t length = 0;
  uint32_t count = 0;
  Block* block = nullptr;  // nullptr: rule block-label
};

// nburst(%n, %a, %b), pad(%x), sat: a clause after the operands of an operation of the vector level.
struct Clause {
  const vec::ClauseInfo* info;
  uint16_t begin, end;  // its part of Stmt::operands
  Dict options;         // its words: `mode = x`, or bare ones
  uint32_t offset, length;
};

// Stmt::types are the types of the results, except for kArith; results is empty when the program names none of them, so
// ask it before results[0].
struct Stmt {
  const StmtInfo* info = kStmts;  // of an instruction of the op table, or of an unknown one: the first
  StmtKind kind = StmtKind::kInst;
  Spelling spelling = Spelling::kDps;
  Around around = Around::kNothing;
  ArithOp arith = ArithOp::kNone;
  CmpPredicate predicate = CmpPredicate::kNone;  // arith.cmpi and cmpf
  uint32_t offset = 0;                           // of the mnemonic
  uint32_t length = 0;
  std::string_view name;            // mnemonic without `pto.`, as the dialect or the table spells it
  const vec::Op* vector = nullptr;  // kVectorOp
  std::span<const Clause> clauses;  // kVectorOp
  const OpInfo* op = nullptr;       // kInst: the form that its operands choose; nullptr: not in the op table
  std::span<Operand> operands;
  std::span<const uint16_t> ends;  // of the operands of each name; empty: one has each name
  std::span<Operand> outs;
  std::span<Value* const> results;
  std::span<const Type* const> types;
  std::span<const int64_t> sizes;
  Dict attrs;
  const Attr* literal = nullptr;
  std::string_view symbol;
  uint32_t symbol_offset = 0;
  Func* callee = nullptr;  // kCall, kImportBuffer; nullptr: rule unknown-symbol
  std::span<Block* const> blocks;
  std::span<Successor> successors;  // kBranch: where the condition holds, where not; kSwitch: the default first
  std::span<const std::string_view> comments;  // lines before it, as written, with // or #
  std::string_view trailing_comment;           // on its last line

  bool Is(StmtName name) const { return info->id == name.id; }
  void Become(const StmtInfo& row) {
    info = &row;
    kind = row.kind;
    name = row.name;
  }
  // The operands of a name: none where the program leaves them out, or the statement has no such name.
  std::span<Operand> All(OperandName of) const {
    const uint8_t at = info->places[of.id];
    const std::span<Operand> side = at < kOutPlace ? operands : outs;
    const size_t place = at % kOutPlace;
    if (at == kNoPlace || (ends.empty() && place >= side.size())) return {};
    if (ends.empty() || at >= kOutPlace) return side.subspan(place, 1);
    const size_t begin = place == 0 ? 0 : ends[place - 1];
    return side.subspan(begin, ends[place] - begin);
  }
  // The only one, or the first; nullptr: none.
  const Operand* operator[](OperandName of) const {
    const std::span<Operand> all = All(of);
    return all.empty() ? nullptr : all.data();
  }
  // Its destination is global memory: the one-line spellings write it last.
  bool Stores() const { return op != nullptr && op->Stores(); }
};

// The integer of an attribute.
int64_t IntAttr(Dict attrs, std::string_view name, int64_t without);
inline int64_t IntAttr(const Stmt& stmt, std::string_view name, int64_t without) {
  return IntAttr(stmt.attrs, name, without);
}

// The parameters in a statement that makes a pipe, with defaults for those that it leaves out.
struct PipeShape {
  int64_t directions = 0;  // 1: to the vector cores, 2: to the cube core, 3: both
  int64_t slot_bytes = 0;
  int64_t slots = 0;        // of each direction
  int64_t local_slots = 0;  // of these in on-chip memory
  int64_t flag_base = -1;   // -1: none is given
  bool nosplit = false;
  bool operator==(const PipeShape&) const = default;
  int64_t FlagIds() const { return directions == 3 ? 4 : 2; }
};
PipeShape PipeShapeOf(const Stmt& made);

// A function may have several, one after the other; a region has one.
struct Block {
  std::string_view label;  // without ^; the first block needs none
  Block* next = nullptr;
  std::span<Value* const> args;
  std::span<Stmt* const> stmts;
  std::span<const std::string_view> closing_comments;  // before the closing brace
};

// ---- functions and modules --------------------------------------------------

enum class Visibility : uint8_t { kNone, kPublic, kPrivate };

struct Func {
  std::string_view name;  // "main" for bare statements
  // A file of bare statements: the arguments are the kImplicit values, in order
  // of first use (sources before destinations, statement by statement).
  bool bare = false;
  bool entry = false;  // pto.entry, hacc.entry, pto.aicore or pto.kernel is set, or bare
  bool simt = false;   // pto.simt_entry: work items run it
  Visibility visibility = Visibility::kNone;
  std::span<Value* const> args;
  std::span<const Type* const> result_types;
  Dict attrs;
  Block* body = nullptr;           // the first block; nullptr: a declaration
  CoreKind core = CoreKind::kAny;  // pto.kernel_kind of the function or its module
  Func* peer = nullptr;            // that runs on the other core, by the buffers that one imports from the other
  uint32_t value_count = 0;        // slots that an activation needs
  uint32_t offset = 0;             // of the name
  uint32_t length = 0;
  std::span<const std::string_view> comments;
};

// The address of a function's buffer: its base, or after the earlier buffers in the same memory; false if the
// buffer does not exist.
bool FindBuffer(const Func& func, std::string_view name, int64_t* address);

struct Module {
  bool implicit = false;  // the file does not say `module`
  std::string_view name;
  Dict attrs;
  std::span<Func* const> funcs;
  std::span<const std::string_view> comments;
  std::span<const std::string_view> closing_comments;
};

// The profile that pto.target_arch names by this word; case does not count.
std::optional<Profile> ProfileByArch(std::string_view word);

// Owns the source and the tree. Moves; the nodes stay where they are.
struct Program {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  std::string_view source;  // in the arena
  std::span<Module* const> modules;
  std::span<const std::string_view> closing_comments;
  // Of the first module that has a pto.target_arch. If none has, the profile of the caller decides.
  std::optional<Profile> arch;

  // The function to run when the caller names none: the only definition, or the
  // only one marked as entry; nullptr when that does not decide.
  Func* DefaultEntry() const;
};

// The integer a value is known to be: it is defined by arith.constant of an
// integer or index type. False when it is not.
bool ConstantOf(const Value* value, int64_t* out);
// The same of an operand, which may be a number itself.
bool ConstantOf(const Operand& operand, int64_t* out);

// The message for an instruction that libpto does not know.
std::string UnknownText(const Stmt& stmt);

// The type of a subview without a written type: its tile with the sizes for rows and columns, valid in all of them or
// in the constants of `valid`; not a tile where the type of its tile is not known.
Type SubviewType(const Operand& tile, std::span<const int64_t> sizes, std::span<const Operand> valid);

// Strings have no type.
inline bool IsString(const Operand& operand) {
  return operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kString;
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_AST_H_

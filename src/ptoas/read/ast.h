// The tree of a PTO-AS program: modules, functions, blocks, statements, values.
// All three spellings of a statement give the same tree. Nodes are plain structs
// in the program's arena; texts are views into the program's own copy of the
// source; places are byte offsets into it (Diagnostics turns them into lines).
#ifndef PTO_SRC_PTOAS_AST_H_
#define PTO_SRC_PTOAS_AST_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/ops/op_info.h"
#include "src/ptoas/read/arena.h"
#include "src/ptoas/read/decimal.h"
#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/type.h"

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
  kString,  // text: what stands between the quotes, escapes as written
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

// Whether two words are the same but for the case of ASCII letters.
bool SameWord(std::string_view a, std::string_view b);

// nullptr when there is no entry of that name; a unit attribute answers &kUnitAttr.
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
  kImplicit,       // of a file of bare statements: an operand nobody defines; Func::args
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
  // kImplicit: the first statement that uses the value writes it or scribbles in it, so nobody needs to bind it.
  bool written_first = false;
  bool placed_only = false;  // kImplicit: nothing but pto.tassign names it
  Stmt* def = nullptr;       // kResult, kDestination
  Value* shadows = nullptr;  // an earlier value of the same name: rule redefinition
  // kArgument, a pointer: the shape that all of its views have; `one_view`: there is such a shape (read/views.h).
  std::span<const int64_t> viewed;
  bool one_view = false;
  Dict attrs;                // kArgument: its dictionary
};

// ---- operands ---------------------------------------------------------------

enum class OperandKind : uint8_t {
  kValue,    // %x, %x#1, or %x[indices]
  kLiteral,  // 3, 0x1F, 1.5, "text", <PIPE_M>, #pto.event<EVENT_ID0>: literal
  kAddress,  // @tile(0x1000): address
};

struct Operand {
  OperandKind kind = OperandKind::kValue;
  uint8_t group = 0;   // which `: types` group of ins(...) it stood in
  uint32_t index = 0;  // of %x#index
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

// Operand order is given after each kind. Stmt::types are the types of the results,
// but for kArith; results is empty when the program names none of them, so ask it
// before results[0].
enum class StmtKind : uint8_t {
  // The generic instruction, however it was spelled: operands = sources, tmp and
  // scalars in the order written; outs = destinations; attrs. op is the record
  // or nullptr (rule unsupported-instruction or unknown-instruction).
  kInst,
  kConstant,   // literal; results[0]
  kArith,      // arith, predicate (of cmpi and cmpf); operands; results[0].
               // types[0]: the operands' type; for casts types = {from, to}, for fpowi {base, exponent}. Two results of
               // kIntExtended and kFloatTwo. Vectors: each element for itself
  kVector,     // code: VectorCode; results[0]. kExtract: vector, then an index a dimension; kInsert: value, vector,
               // indices; the others: the number that all elements are
  kFor,        // operands: lower, upper, step, then one init an iter_arg;
               // blocks[0].args: variable, then the iter_args; results
  kIf,         // operands[0]: condition; blocks: then [, else]
  kWhile,      // operands: inits; blocks: before, after; their args are the loop-carried values and what scf.condition
               // passes on
  kYield,      // operands, each with its type; last in a block. An omitted yield is absent.
  kCondition,  // operands[0]: condition, then what is passed on
  kReturn,     // operands
  kBranch,     // code: BranchCode; operands: the condition or the number of kSwitch, then what goes to each successor;
               // sizes: the numbers of the successors behind the first, which is the default
  kCall,       // symbol, callee; operands with types; results
  kSection,    // code: SectionCode; blocks[0]
  kMakeTensorView,  // operands: pointer, `split` sizes, then as many strides; attrs: layout; results[0]
  kPartitionView,   // operands: view (type written), `split` offsets, then as many sizes; results[0]
  kTensorViewDim,   // code: ViewQuery; operands: view, dimension; results[0]
  kAddressOf,       // operands: view or tile (type written); results[0] is a pointer
  kAllocTile,       // code: AllocCode; operands in the order addr, valid_row, valid_col, those present;
                    // has_* say which; results[0]
  kSetValidShape,   // operands: tile (type written), rows, cols
  kTreshape,        // operands: tile; results[0]
  kBitcast,         // operands: tile; results[0]
  kBindTile,        // operands: tile, then valid_row and valid_col, those present; results[0]
  kSubset,          // operands: tile (type written), row offset, column offset; sizes; results[0],
                    // its type is inferred and its valid extents are those known statically
  kTassign,         // operands: tile, address (a kValue, kLiteral or kAddress). results[0] is there
                    // in `%u = pto.tassign ...` only
  kScaleAddr,       // operands: matrix; outs[0]: the tile of its scales
  kAddPtr,          // operands: pointer, offset in elements; results[0]
  kLoadScalar,      // operands: pointer, offset in elements; results[0]
  kStoreScalar,     // operands: value, pointer, offset in elements
  kMemrefLoad,      // operands: view or tile (type written), an index a dimension; results[0]
  kMemrefStore,     // operands: value, then as above
  kTGetVal,         // operands: tile, offset; results[0]
  kTSetVal,         // operands: offset, value; outs[0]: tile
  kBlockQuery,      // code: QueryCode; results[0] is i64
  kEventArray,      // code: EventArrayCode; operands: array, index [, value]; results[0] of the others
  kAsync,           // code: AsyncCode; operands as written; results[0]
  kSync,            // an in-order machine does nothing: dialect says which; operands as written
  kPipe,            // code: PipeCode; operands: a tile or view, then the pipe, as far as they are written; of a pop
                    // without a pipe valid_row and valid_col (has_valid_*); of kInitAic and kInitAiv the buffers
                    // in the order gm_slot_buffer, c2v_consumer_buf, v2c_consumer_buf (has_addr, has_valid_row,
                    // has_valid_col); symbol, callee: peer_func of kImport; results[0]
  kCoreSync,        // code: CoreSyncCode, split: how it is written, as of kSync; operands: pipe, flag
  kPrint,           // operands[0]: the format, a string literal; operands[1]: the scalar
  kTPrint,          // operands[0]: tile
  kTrap,
  kMadMode,  // attributes: enable, mode
};

enum class SectionCode : uint8_t { kCube, kVector };
enum class BranchCode : uint8_t { kAlways, kCondition, kSwitch };
enum class VectorCode : uint8_t { kExtract, kInsert, kBroadcast, kSplat };
enum class PipeCode : uint8_t { kReserve, kImport, kInitAic, kInitAiv, kInit, kPush, kPop, kFree, kAlloc };
enum class CoreSyncCode : uint8_t { kSet, kWait };
// Which core of a block runs a function or a statement.
enum class CoreKind : uint8_t { kAny, kCube, kVector };
// pointer_cast is an alloc_tile with an address, written in another way; declare_tile makes a tile that has no
// memory before one is given to it.
enum class AllocCode : uint8_t { kAlloc, kPointerCast, kDeclare };
enum class ViewQuery : uint8_t { kDim, kStride };
enum class QueryCode : uint8_t { kBlockIdx, kBlockNum, kSubblockIdx, kSubblockNum };
enum class EventArrayCode : uint8_t { kDeclare, kGet, kSet };
// A session: scratch, workspace. A copy: dst, src, session [, peer]. A question whether it is done: event, session.
enum class AsyncCode : uint8_t { kSession, kCopy, kDone, kPrefetch };

// How an instruction was written; no part of the program's meaning.
enum class Spelling : uint8_t {
  kAsm,  // %d = tadd %a, %b : T
  kSsa,  // %d = pto.tadd %a, %b : (T, T) -> T
  kDps,  // pto.tadd ins(%a, %b : T, T) outs(%d : T)
};

// A block that a branch goes on with, and how many of the operands it takes.
struct Successor {
  std::string_view label;  // without ^
  uint32_t offset = 0;
  uint32_t length = 0;
  uint32_t count = 0;
  Block* block = nullptr;  // nullptr: rule block-label
};

struct Stmt {
  StmtKind kind = StmtKind::kInst;
  Spelling spelling = Spelling::kDps;
  uint8_t code = 0;  // SectionCode, BranchCode, VectorCode, AllocCode, ViewQuery, QueryCode, EventArrayCode, AsyncCode,
                     // PipeCode, CoreSyncCode
  ArithOp arith = ArithOp::kNone;
  CmpPredicate predicate = CmpPredicate::kNone;  // arith.cmpi and cmpf
  bool has_addr = false;                         // kAllocTile; has_valid_*: kBindTile too
  bool has_valid_row = false;
  bool has_valid_col = false;
  uint16_t split = 0;
  uint32_t offset = 0;  // of the mnemonic
  uint32_t length = 0;
  std::string_view name;               // mnemonic without `pto.`, as the dialect or the table spells it
  const OpInfo* op = nullptr;          // kInst: the form that its operands choose; nullptr: not in the op table
  const DialectOp* dialect = nullptr;  // nullptr: in the op table, or known to nobody
  std::span<Operand> operands;
  std::span<Operand> outs;
  std::span<Value* const> results;
  std::span<const Type* const> types;
  std::span<const int64_t> sizes;
  Dict attrs;
  const Attr* literal = nullptr;
  std::string_view symbol;
  uint32_t symbol_offset = 0;
  Func* callee = nullptr;  // kCall, kImport; nullptr: rule unknown-symbol
  std::span<Block* const> blocks;
  std::span<Successor> successors;  // kBranch: where the condition holds, where not; kSwitch: the default first
  std::span<const std::string_view> comments;  // lines before it, as written, with // or #
  std::string_view trailing_comment;           // on its last line

  // Its destination is global memory: the one-line spellings write it last.
  bool Stores() const { return op != nullptr ? op->Stores() : dialect != nullptr && dialect->store; }
};

// The integer of an attribute.
int64_t IntAttr(const Stmt& stmt, std::string_view name, int64_t without);

// The core that a statement of a pipe is for by its name; kAny: its section or function says.
CoreKind SideOf(const Stmt& stmt);

// What a statement that makes a pipe specifies, with the defaults of what it leaves out.
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

// Of a function there may be several, one after the other; of a region there is one.
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
  bool entry = false;  // pto.entry or hacc.entry is set, or bare
  Visibility visibility = Visibility::kNone;
  std::span<Value* const> args;
  std::span<const Type* const> result_types;
  Dict attrs;
  Block* body = nullptr;           // the first block; nullptr: a declaration
  CoreKind core = CoreKind::kAny;  // what pto.kernel_kind says, of the function or its module
  Func* peer = nullptr;            // that runs on the other core, by the buffers that one imports from the other
  uint32_t value_count = 0;        // slots that an activation needs
  uint32_t offset = 0;             // of the name
  uint32_t length = 0;
  std::span<const std::string_view> comments;
};

// Where a function's buffer of that name lies: at its base, or behind those before it in the same memory; false: there
// is none.
bool FindBuffer(const Func& func, std::string_view name, int64_t* address);

struct Module {
  bool implicit = false;  // the file does not say `module`
  std::string_view name;
  Dict attrs;
  std::span<Func* const> funcs;
  std::span<const std::string_view> comments;
  std::span<const std::string_view> closing_comments;
};

// What a module's pto.target_arch says; absent is not the same as a3 here,
// because the caller's profile decides then.
enum class Arch : uint8_t { kUnknown, kA2A3, kA5 };

// Owns the source and the tree. Moves; the nodes stay where they are.
struct Program {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  std::string_view source;  // in the arena
  std::span<Module* const> modules;
  std::span<const std::string_view> closing_comments;
  Arch arch = Arch::kUnknown;  // of the first module that says one

  // The function to run when the caller names none: the only definition, or the
  // only one marked as entry; nullptr when that does not decide.
  Func* DefaultEntry() const;
};

// The integer a value is known to be: it is defined by arith.constant of an
// integer or index type. False when it is not.
bool ConstantOf(const Value* value, int64_t* out);

// Strings have no type.
inline bool IsString(const Operand& operand) {
  return operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kString;
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_AST_H_

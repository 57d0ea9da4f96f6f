// The fields of a row of statements.h: what kind of statement it is, what its operands are, what it does to memory and
// to pipes.
#ifndef PTO_SRC_PTOAS_STMT_INFO_H_
#define PTO_SRC_PTOAS_STMT_INFO_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "src/ptoas/read/type.h"

namespace pto::ptoas {

// The identity of a statement for other code; rows that no code asks for share kOther.
enum class StmtKind : uint8_t {
  // The generic instruction, however it was spelled: operands = sources, tmp and
  // scalars in the order written; outs = destinations; attrs. op is the record
  // or nullptr (rule unsupported-instruction or unknown-instruction).
  kInst,
  kConstant,  // literal; results[0]
  kArith,     // arith, predicate (of cmpi and cmpf); operands; results[0].
              // types[0]: the operands' type; for casts types = {from, to}, for fpowi {base, exponent}. Two results of
              // kIntExtended and kFloatTwo. Vectors: each element for itself
  kFor,       // operands: lower, upper, step, then one init an iter_arg;
              // blocks[0].args: variable, then the iter_args; results
  kIf,        // blocks: then [, else]
  kWhile,     // operands: inits; blocks: before, after; their args are the loop-carried values and what scf.condition
              // passes on
  kYield,     // operands, each with its type; last in a block. An omitted yield is absent.
  kCondition,
  kReturn,   // operands
  kBranch,   // operands: what decides, then the operands of each successor; sizes: the numbers of the successors
             // after the first, which is the default
  kCall,     // symbol, callee; operands with types; results; of simt_launch the first three operands are its extents
  kSection,  // blocks[0]
  kMakeTensorView,
  kPartitionView,
  kAllocTile,
  kDeclareTile,  // a tile that has no memory before one is given to it
  kBindTile,
  kTreshape,
  kBitcast,
  kSubset,     // sizes; results[0]: its type is inferred and its valid extents are those known statically. sizes of a
               // subview may be kDynamic: all that is left of the tile
  kTassign,    // results[0] is there in `%u = pto.tassign ...` only
  kScaleAddr,  // operands: matrix; outs[0]: the tile of its scales
  kLoadScalar,
  kStoreScalar,
  kTSetVal,
  kPrint,    // operands[0]: the format, a string literal; operands[1]: the scalar
  kTPrint,   // operands[0]: tile
  kAsync,    // copies between views that are done later, and the waiting for them
  kComm,     // communication between ranks
  kSync,     // synchronisation that an in-order machine may ignore
  kSyncAll,  // cores of all blocks wait for each other
  kCoreSet,  // flags between the cores of a block
  kCoreWait,
  // Pipes between the cores of a block: what makes one, and what passes tiles through it.
  kReserveBuffer,
  kImportBuffer,  // symbol, callee: peer_func
  kMakePipe,
  kPush,
  kPop,
  kFree,
  kAllocSlot,
  kVectorOp,  // of the vector level: Stmt::vector
  kOther,
};

inline bool IsPipe(StmtKind kind) { return kind >= StmtKind::kReserveBuffer && kind <= StmtKind::kAllocSlot; }
inline bool IsCoreSync(StmtKind kind) { return kind == StmtKind::kCoreSet || kind == StmtKind::kCoreWait; }

// Which core of a block runs a function or a statement.
enum class CoreKind : uint8_t { kAny, kCube, kVector };

// The kind of an operand.
enum class Takes : uint8_t {
  kAny,
  kTile,
  kView,
  kPointer,
  kGlobal,     // a pointer to global memory
  kMemref,     // a view, or a tile in rows or in columns
  kVector,     // of known extents
  kElement,    // of what the statement is about: where nothing is written its type follows
  kIndex,      // an integer; a bare program's argument is an index
  kAddress,    // an integer; a bare program's argument is an i64
  kPlace,      // an integer, or @tile(0x1000)
  kDimension,  // of type index, which is not written
  kArray,
  kTiles,
  kEvents,
  kEvent,
  kSession,
  kPrefetch,  // a session, or a context of prefetches
};

// The effect of a statement on the memory of an operand.
enum class Uses : uint8_t {
  kEscapes,  // anything: from there on nothing is known
  kReads,
  kShares,  // the first: it is the memory of the result; the others are read
  kAsks,    // nothing
  kShape,   // its valid region
  kChanges,
};

enum class Count : uint8_t { kOne, kMaybe, kMany };

struct OperandInfo {
  std::string_view name;
  Takes takes = Takes::kAny;
  Count count = Count::kOne;
  Uses uses = Uses::kEscapes;  // where it is not the row's
  bool out = false;            // the first of the destinations
};

enum class Makes : uint8_t {
  kNothing,
  kWritten,    // the program has the type; @ where there is a form
  kUnnamed,    // the same, and the program need not name it
  kIndexType,  // these are not written
  kI64,
  kElement,  // of the memory
  kVector,   // the operand's
};

// Statements whose results are all that they are for, by what lint calls them.
enum class Made : uint8_t { kNothing, kConstant, kNumber, kView, kTile };

// How a statement orders pipes.
enum class Orders : uint8_t { kNothing, kBarrier, kPipeBarrier, kGet, kRelease, kSet, kWait };

struct Range {
  uint8_t least = 0, most = 0;
};

inline constexpr size_t kMostOperandNames = 5;  // of a statement
inline constexpr size_t kMostNames = 64;        // of operands of all statements

class OperandList {
 public:
  constexpr OperandList(std::initializer_list<OperandInfo> all) {  // NOLINT(google-explicit-constructor)
    std::copy(all.begin(), all.end(), all_);
    while (count_ < kMostOperandNames && !all_[count_].name.empty()) ++count_;
  }
  constexpr const OperandInfo* begin() const { return all_; }
  constexpr const OperandInfo* end() const { return all_ + count_; }
  constexpr size_t size() const { return count_; }
  constexpr const OperandInfo& operator[](size_t i) const { return all_[i]; }

 private:
  OperandInfo all_[kMostOperandNames];
  uint8_t count_ = 0;
};

struct StmtInfo {
  std::string_view name;  // as it is printed; of the pto dialect without `pto.`
  StmtKind kind = StmtKind::kOther;
  OperandList operands = {};
  std::string_view form = {};
  bool own = false;               // it is read by a function of its own, for it has other forms, too
  std::string_view counted = {};  // what the list < > takes; `#`: how many there are
  std::string_view as = {};       // the statement that this one is another spelling of, once it is read
  Makes makes = Makes::kNothing;
  TypeKind result = TypeKind::kOpaque;  // what `<...>` alone is as its type
  bool generic = true;                  // it has MLIR's generic form
  Range ins = {}, outs = {};            // of instructions that the op table does not have, and kScaleAddr
  CoreKind core = CoreKind::kAny;       // that it is for by its name
  Orders orders = Orders::kNothing;     // kSync
  bool events = false;                  // kSync: between instructions of one pipe it is a barrier of that
  Uses uses = Uses::kEscapes;
  Made made = Made::kNothing;
  bool effect = false;  // it does more than to make its result

  // Found out from the rows.
  uint16_t id = 0;                              // its place in kStmts
  uint8_t groups = 0;                           // how many operands have a name, destinations not counted
  bool fixed = true;                            // each is one
  std::array<uint8_t, kMostNames> places = {};  // of operands by the number of their name; kNoPlace
  uint16_t same = 0;                            // of `as`

  bool IsInstruction() const { return kind == StmtKind::kInst || kind == StmtKind::kScaleAddr; }
  bool Foreign() const;  // of another dialect than pto
};
inline constexpr uint8_t kNoPlace = 255;
inline constexpr uint8_t kOutPlace = 128;  // of destinations from here on

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_STMT_INFO_H_

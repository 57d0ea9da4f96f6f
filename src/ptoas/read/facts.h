// Facts about a function for lint and runs: its statements in the order of the text, and what they read and write.
#ifndef PTO_SRC_PTOAS_FACTS_H_
#define PTO_SRC_PTOAS_FACTS_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <vector>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

inline constexpr int kNowhere = -1;

// A statement with its place in the function. Numbers of sites go with the text.
struct StmtSite {
  const Stmt* stmt;
  const Block* block;
  int parent;   // the enclosing statement, or kNowhere
  int loop;     // the innermost loop around it
  int branch;   // the innermost scf.if around it
  int end = 0;  // the first site after everything inside it
};

enum class AccessKind : uint8_t {
  kRead,
  kWrite,    // all of the value's elements
  kChange,   // some of them, or depending on what was there
  kScratch,  // tmp
  kAlias,    // makes another value of the same memory
  kShape,    // its valid region
  kEscape,   // anything else: from here on nothing is known
};
inline constexpr size_t kAccessKinds = static_cast<size_t>(AccessKind::kEscape) + 1;

struct Access {
  int site;
  const Operand* operand;
  AccessKind kind;
};

// A tile that the function allocates at an address of its own choice, in the bytes from `first` to `end`, which is not
// among them.
struct PlacedTile {
  const Value* tile;
  int64_t first;  // -1: the text does not show it
  int64_t end;
};

class FuncFacts {
 public:
  explicit FuncFacts(const Func& func);

  const Func& func() const { return func_; }
  const std::vector<StmtSite>& sites() const { return sites_; }
  const StmtSite& at(int site) const { return sites_[static_cast<size_t>(site)]; }
  // Several blocks: the text is not the order of execution.
  bool branches() const { return branches_; }

  // By every operand that names the value, in the order of the text.
  const std::vector<Access>& AccessesOf(const Value& value) const { return accesses_[value.slot]; }
  // The value whose memory a tile or view is, or is a part of.
  const Value& RootOf(const Value& value) const { return roots_[value.slot] == nullptr ? value : *roots_[value.slot]; }
  // For the value and all that share its memory, in the order of the text.
  const std::vector<Access>& SharedAccesses(const Value& root) const { return shared_[root.slot]; }
  // The number of accesses of some kinds at sites in [first, end): found without visiting them,
  // for a program may ask of each of its statements about all of the others.
  int64_t Count(const Value& root, std::initializer_list<AccessKind> kinds, int first, int end) const;
  // The last access before a site that is not a read, or nullptr.
  const Access* LatestChange(const Value& root, int site) const;
  // Tiles that the function allocates in memory of their own, and that it knows all uses of.
  const std::vector<const Value*>& own_tiles() const { return own_tiles_; }
  // Tiles that it allocates at addresses, by memory and address.
  const std::vector<PlacedTile>& placed_tiles() const { return placed_tiles_; }
  // The site of a value's statement; for a block's argument the site of the statement with the block; else kNowhere.
  int SiteOf(const Value& value) const { return defined_[value.slot]; }
  // Whether a value changes from iteration to iteration, as far as its definition shows.
  bool DefinedIn(const Value& value, int loop) const { return SiteOf(value) >= loop && SiteOf(value) < at(loop).end; }
  bool Inside(int site, int outer) const { return site > outer && site < at(outer).end; }

 private:
  // The number of accesses of each kind up to one access, and the last one that is not a read: -1 if there is
  // none.
  struct Tally {
    std::array<int32_t, kAccessKinds> count{};
    int32_t change = -1;
  };

  void Place(const Stmt& stmt);
  void Walk(const Block& block, int parent, int loop, int branch);
  // The tally before a site.
  const Tally& TallyAt(const Value& root, int site) const;
  void Define(const Value& value, int site, const Value* shares);
  void Note(int site, const Operand& operand, AccessKind kind);
  void NoteAll(int site, std::span<const Operand> operands, AccessKind kind);
  void NoteInstruction(int site, const Stmt& stmt);
  void NoteStatement(int site, const Stmt& stmt);

  const Func& func_;
  bool branches_;
  std::vector<StmtSite> sites_;
  std::vector<std::vector<Access>> accesses_;
  std::vector<std::vector<Access>> shared_;
  std::vector<std::vector<Tally>> tallies_;  // of these
  std::vector<const Value*> roots_;
  std::vector<int> defined_;
  std::vector<const Value*> own_tiles_;
  std::vector<PlacedTile> placed_tiles_;
};

inline bool Writes(AccessKind kind) { return kind == AccessKind::kWrite || kind == AccessKind::kChange; }
inline bool Reads(AccessKind kind) { return kind == AccessKind::kRead || kind == AccessKind::kChange; }

inline bool IsLoop(const Stmt& stmt) { return stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kWhile; }

// Whether a statement first runs before all statements after it in the text: it depends on no condition
// that the tile's own allocation does not depend on.
inline bool RunsFirst(const FuncFacts& facts, int site, const Value& tile) {
  return facts.at(site).branch == facts.at(facts.SiteOf(tile)).branch;
}

// A tile whose whole geometry is known from the text.
inline bool IsStatic(const Type* type) {
  return type != nullptr && type->kind == TypeKind::kTile && type->valid_row != kDynamic && type->valid_col != kDynamic;
}

// The value that an operand names; nullptr for other operands and for an element of a view.
inline const Value* Named(const Operand& operand) {
  return operand.kind == OperandKind::kValue && operand.indices.empty() ? operand.value : nullptr;
}

// `sources` of an instruction by their place in the record; nullptr: not written.
const Operand* SourceOf(const Stmt& stmt, int index);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_FACTS_H_

// Programs that run here and not, or otherwise, on a device: rules of the other hardware profile, moves that a device
// makes block by block, what it packs or counts in another way.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/ptoas/check/check.h"
#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/pipe.h"

namespace pto::ptoas {

namespace {

// ---- the rules of other profiles ------------------------------------------

using Judged = std::unique_ptr<pto_context, void (*)(pto_context*)>;
Judged Judge(Profile profile) {
  Judged ctx(pto_context_create(static_cast<pto_profile>(profile)), pto_context_release);
  if (ctx == nullptr) throw std::bad_alloc();
  return ctx;
}

void OtherProfile(Lint& lint, Profile own, Profile other) {
  constexpr int kMany = 1000;
  Diagnostics there(lint.program().source, kMany);
  VerifyUnder(lint.program(), Judge(other).get(), nullptr, &there);
  // Each rule once, with how often.
  std::set<std::string_view> said;
  for (const Diagnostic& d : there.list()) {
    // A program of the vector level names its profile.
    if (std::string_view(d.rule) == pto::Info(Rule::kProfileLevel).id) continue;
    if (!d.error || !said.insert(d.rule).second) continue;
    const auto times = std::count_if(there.list().begin(), there.list().end(),
                                     [&](const Diagnostic& e) { return std::strcmp(e.rule, d.rule) == 0; });
    const std::string more = times > 1 ? ", and " + std::to_string(times - 1) + " more" : "";
    lint.FindAt(d.offset, d.length, "this runs on %s but not on %s: rule %s%s: %s", pto::Info(own).name,
                pto::Info(other).name, d.rule, more.c_str(), d.message.c_str());
  }
}

void OtherProfiles(Lint& lint) {
  const std::optional<Profile> own = lint.program().arch;
  if (!own || !IsHardware(*own)) return;
  constexpr int kMany = 1000;
  Diagnostics here(lint.program().source, kMany);
  if (!VerifyUnder(lint.program(), Judge(*own).get(), nullptr, &here)) return;
  for (int p = 0; p < kProfileCount; ++p) {
    const auto other = static_cast<Profile>(p);
    if (other != *own && IsHardware(other)) OtherProfile(lint, *own, other);
  }
}

// ---- moves that overlap --------------------------------------------------------

// The elements that an operand names, in the memory that they are in: rows and columns of the tile that has it.
struct Place {
  const Value* root;  // the tile; nullptr: a tile at an address that the text gives
  Loc loc;
  const Type* type;  // of the root
  int64_t address;   // of the root
  int64_t row = 0;
  int64_t col = 0;
  int64_t rows = 0;
  int64_t cols = 0;
  bool window = true;  // the rectangle is known; else any element of the root

  int64_t begin() const { return address + (window && rows > 0 && cols > 0 ? ByteOf(row, col) : 0); }
  int64_t end() const {
    return address +
           (window && rows > 0 && cols > 0 ? ByteOf(row + rows - 1, col + cols - 1) + Bytes() : type->Bytes());
  }

 private:
  int64_t Bytes() const { return std::max<int64_t>(Info(type->elem).bits / 8, 1); }
  int64_t ByteOf(int64_t r, int64_t c) const {
    const bool by_row = type->blayout == BLayout::kRowMajor;
    return (by_row ? r * type->cols() + c : c * type->rows() + r) * Info(type->elem).bits / 8;
  }
};

// nullopt: the text does not show enough.
std::optional<Place> PlaceOf(const FuncFacts& facts, const Operand& operand) {
  const Value* value = Named(operand);
  if (value == nullptr || value->type == nullptr || value->type->kind != TypeKind::kTile) return std::nullopt;
  const Value& root = facts.RootOf(*value);
  if (root.type == nullptr || root.type->kind != TypeKind::kTile) return std::nullopt;
  Place place{&root, root.type->loc, root.type, 0};
  const Type& own = *value->type;
  place.rows = own.valid_row == kDynamic ? own.rows() : own.valid_row;
  place.cols = own.valid_col == kDynamic ? own.cols() : own.valid_col;
  place.window = root.type->slayout == SLayout::kNoneBox;
  for (const Value* at = value; at != &root; at = at->def->operands[0].value) {
    int64_t row = 0;
    int64_t col = 0;
    if (at->def == nullptr || at->def->operands.empty() || at->def->operands[0].value == nullptr) return std::nullopt;
    if (at->def->kind != StmtKind::kSubset) {
      place.window = false;  // the elements are counted in another way
    } else if (!ConstantOf(*(*at->def)["row"], &row) || !ConstantOf(*(*at->def)["col"], &col)) {
      return std::nullopt;
    }
    place.row += row;
    place.col += col;
  }
  const Stmt* def = root.def;
  const bool placed = def != nullptr && def->kind == StmtKind::kAllocTile && (*def)["addr"] != nullptr &&
                      !def->results.empty() && def->results[0] == &root;
  if (!placed) return place;
  if (!ConstantOf(*(*def)["addr"], &place.address)) return std::nullopt;
  place.root = nullptr;
  return place;
}

bool SameRectangle(const Place& a, const Place& b) {
  return a.root == b.root && a.loc == b.loc && a.address == b.address && a.window && b.window && a.type == b.type &&
         a.row == b.row && a.col == b.col;
}

bool Overlap(const Place& a, const Place& b) {
  if (a.root != b.root || a.loc != b.loc) return false;
  const bool one_tile = a.address == b.address && a.type == b.type && a.window && b.window;
  if (!one_tile) return a.begin() < b.end() && b.begin() < a.end();
  return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols && b.col < a.col + a.cols;
}

// If source and destination overlap, a move of elements to other places reads some of them after it wrote there.
// An instruction that leaves each element where it is, or pads around it, does not.
void OverlappingMoves(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kInst || stmt.op == nullptr || stmt.outs.empty()) return;
    const OpInfo& op = *stmt.op;
    if ((op.walk != Walk::kMove && op.walk != Walk::kJoinCounts) || op.Pads()) return;
    const auto dst = PlaceOf(facts, stmt.outs[0]);
    if (!dst.has_value()) return;
    for (int i = op.Outputs(); i < op.Needed(); ++i) {
      const Operand* operand = SourceOf(stmt, i);
      if (operand == nullptr) continue;
      const auto src = PlaceOf(facts, *operand);
      const bool stays = op.operands[0].extent == Extent::kSame && op.operands[i].extent == Extent::kSame;
      if (!src.has_value() || !Overlap(*dst, *src) || (stays && SameRectangle(*dst, *src))) continue;
      lint.Find(*operand,
                "%%%.*s shares bytes with %%%.*s: a device moves block by block, and reads what it has written",
                PTO_NAME(operand->name), PTO_NAME(stmt.outs[0].name));
      return;
    }
  });
}

// ---- accumulators ----------------------------------------------------------------

// The matrix unit packs the boxes of an accumulator by its valid rows, rounded up to a box.
void LooseAccumulators(Lint& lint) {
  constexpr int64_t kBoxRows = 16;
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    const bool makes = stmt.kind == StmtKind::kAllocTile || stmt.kind == StmtKind::kDeclareTile;
    if (!makes || stmt.results.empty()) return;
    const Value& tile = *stmt.results[0];
    const Type* type = tile.type;
    if (type == nullptr || type->kind != TypeKind::kTile || type->loc != Loc::kAcc || type->compact != 0) return;
    int64_t valid = type->valid_row;
    if (const Operand* given = stmt["valid_row"]; given != nullptr && !ConstantOf(*given, &valid)) return;
    if (valid == kDynamic || (valid + kBoxRows - 1) / kBoxRows * kBoxRows >= type->rows()) return;
    lint.Find(tile,
              "accumulator %%%.*s has %lld rows and is valid in %lld: the matrix unit packs its columns by valid rows, "
              "as with compact=1",
              PTO_NAME(tile.name), static_cast<long long>(type->rows()), static_cast<long long>(valid));
  });
}

// ---- slots -------------------------------------------------------------------------

// A pipe, by what its statements name it.
std::string KeyOf(const Stmt& stmt) {
  const Operand* operand = stmt["pipe"];
  if (operand == nullptr) return "id " + std::to_string(IntAttr(stmt, "id", 0));
  const Value* pipe = Named(*operand);
  return pipe == nullptr ? "" : std::string(pipe->name);
}

// The tile that a pop gives; nullptr: it gives a slot in global memory, or none.
const Value* PoppedTile(const Stmt& stmt) {
  const Operand* named = stmt["tile"];
  const Value* made = !stmt.results.empty() ? stmt.results[0] : named == nullptr ? nullptr : named->value;
  return made != nullptr && made->type != nullptr && made->type->kind == TypeKind::kTile ? made : nullptr;
}

// A tfree hands back the slot of the earliest pop; on a device the tile lies in it.
void TilesAfterFree(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    // Where one block has all pops and frees of a pipe, it shows which free is whose.
    struct Uses {
      const Block* block = nullptr;
      bool apart = false;
      std::vector<int> sites;
    };
    std::map<std::string, Uses> pipes;
    for (size_t i = 0; i < facts.sites().size(); ++i) {
      const StmtSite& site = facts.sites()[i];
      const Stmt& stmt = *site.stmt;
      if (stmt.kind != StmtKind::kPop && stmt.kind != StmtKind::kFree) continue;
      Uses& uses = pipes[KeyOf(stmt)];
      if (uses.block == nullptr) uses.block = site.block;
      uses.apart |= uses.block != site.block;
      uses.sites.push_back(static_cast<int>(i));
    }
    for (const auto& pipe : pipes) {
      const auto& uses = pipe.second;
      if (pipe.first.empty() || uses.apart) continue;
      std::vector<const Value*> popped;
      size_t freed = 0;
      for (const int site : uses.sites) {
        const Stmt& stmt = *facts.at(site).stmt;
        if (stmt.kind == StmtKind::kPop) {
          popped.push_back(PoppedTile(stmt));
          continue;
        }
        const Value* tile = freed < popped.size() ? popped[freed] : nullptr;
        ++freed;
        if (tile == nullptr) continue;
        const auto& accesses = facts.SharedAccesses(facts.RootOf(*tile));
        const auto late = std::find_if(accesses.begin(), accesses.end(), [&](const Access& access) {
          return access.site > site && Reads(access.kind) && facts.at(access.site).block == uses.block;
        });
        // A pop into the same tile in between brings other elements.
        const bool again = std::any_of(uses.sites.begin(), uses.sites.end(), [&](int other) {
          return late != accesses.end() && other > site && other < late->site &&
                 facts.at(other).stmt->kind == StmtKind::kPop && PoppedTile(*facts.at(other).stmt) == tile;
        });
        if (late == accesses.end() || again) continue;
        lint.Find(*late->operand, "%%%.*s is read after its slot was freed, which the producer may fill again",
                  PTO_NAME(late->operand->name));
      }
    }
  }
}

// ---- flags --------------------------------------------------------------------------

// Here flags are of a pair of pipes. Where they are of the pipe that sets them, two pipes must not wait for one.
void SharedFlags(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    std::map<std::string, const Operand*> pending;  // by the pipe that sets and the id: the pipe that is to wait
    std::set<std::string> said;
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      if ((!stmt.Is("set_flag") && !stmt.Is("wait_flag")) || stmt.operands.size() != 3) continue;
      const Operand& waiting = *stmt["to"];
      if (stmt["pipe"]->literal == nullptr || waiting.literal == nullptr || stmt["id"]->literal == nullptr) continue;
      const std::string from(stmt["pipe"]->literal->text);
      const std::string_view to = waiting.literal->text;
      const std::string id(stmt["id"]->literal->text);
      const auto at = pending.find(from + " " + id);
      if (stmt.Is("wait_flag")) {
        if (at != pending.end() && at->second->literal->text == to) pending.erase(at);
      } else if (at == pending.end()) {
        pending[from + " " + id] = &waiting;
      } else if (at->second->literal->text != to && said.insert(at->first).second) {
        const std::string_view other = at->second->literal->text;
        lint.Find(stmt, "%s of %s is set for %.*s while %.*s has not waited for it", id.c_str(), from.c_str(),
                  PTO_NAME(to), PTO_NAME(other));
      }
    }
  }
}

}  // namespace

void Portability(Lint& lint) {
  OtherProfiles(lint);
  OverlappingMoves(lint);
  LooseAccumulators(lint);
  TilesAfterFree(lint);
  SharedFlags(lint);
}

void TargetArch(Lint& lint) {
  std::string known;
  for (const ProfileInfo& row : kProfiles) {
    if (!known.empty()) known += ", ";
    known += row.arches;
  }
  for (const Module* module : lint.program().modules) {
    const Attr* arch = FindAttr(module->attrs, "pto.target_arch");
    if (arch == nullptr || ProfileByArch(arch->text)) continue;
    lint.FindAt(arch->offset, static_cast<uint32_t>(arch->text.size()) + 2,
                "pto.target_arch is \"%.*s\", where %s are known: the rules of A2A3 apply", PTO_NAME(arch->text),
                known.c_str());
  }
}

}  // namespace pto::ptoas

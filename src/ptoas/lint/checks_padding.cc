// Reads of elements that nothing wrote, in tiles that were written in part. The text is walked once, as if each
// loop ran once and each branch were taken. A part of a tile, and another tile at the same address, are places in
// one memory.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/spans.h"

namespace pto::ptoas {

namespace {

// Where the elements of a tile are: lines of elements that follow each other.
struct Lines {
  int64_t first = 0;     // byte of the first element in the memory
  int64_t pitch = 0;     // bytes from line to line
  int64_t elem = 0;      // bytes of an element
  bool upright = false;  // a line is a column
};

class PaddingWalk {
 public:
  PaddingWalk(Lint& lint, const FuncFacts& facts) : lint_(lint), facts_(facts) {
    for (const Value* tile : facts.own_tiles()) Add(*tile, 0);
    for (const PlacedTile& tile : facts.placed_tiles()) Add(*tile.tile, tile.first);
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Access* a, const Access* b) { return a->site < b->site; });
  }

  void Run() {
    for (size_t i = 0; i < events_.size();) {
      const Stmt& stmt = *facts_.at(events_[i]->site).stmt;
      if (stmt.kind == StmtKind::kTassign || stmt.kind == StmtKind::kScaleAddr) return;
      size_t next = i;
      while (next < events_.size() && events_[next]->site == events_[i]->site) ++next;
      // A statement reads before it writes.
      for (size_t k = i; k < next; ++k) {
        if (events_[k]->kind == AccessKind::kRead) Read(*events_[k]);
      }
      for (; i < next; ++i) {
        const AccessKind kind = events_[i]->kind;
        if (kind == AccessKind::kShape) {
          Shape(*events_[i]);
        } else if (kind != AccessKind::kRead) {
          Write(*events_[i]);
        }
      }
    }
  }

 private:
  static constexpr int64_t kMostLines = 4096;

  void Add(const Value& tile, int64_t first) {
    if (tile.type == nullptr || tile.type->kind != TypeKind::kTile) return;
    first_.emplace(&tile, first);
    for (const Access& access : facts_.SharedAccesses(tile)) events_.push_back(&access);
  }

  // A tile without an address has a memory of its own.
  Spans& MemoryOf(const Value& root) {
    const bool own = (*root.def)["addr"] == nullptr;
    return own ? own_[&root] : places_[static_cast<size_t>(root.type->loc)];
  }
  const Value* RootOf(const Access& access) const {
    const Value& root = facts_.RootOf(*access.operand->value);
    const auto known = first_.find(&root);
    return known == first_.end() || known->second < 0 ? nullptr : &root;
  }

  // Only of tiles whose elements lie in lines, without boxes.
  bool LinesOf(const Value& value, Lines* out, int depth = 0) const {
    constexpr int kDeep = 8;
    const Type* type = value.type;
    const Stmt* def = value.def;
    if (type == nullptr || type->kind != TypeKind::kTile || def == nullptr || depth > kDeep) return false;
    const int64_t bits = Info(type->elem).bits;
    if (type->slayout != SLayout::kNoneBox || type->compact != 0 || bits % 8 != 0) return false;
    const bool upright = type->blayout != BLayout::kRowMajor;
    if (const auto root = first_.find(&value); root != first_.end()) {
      *out = {root->second, (upright ? type->rows() : type->cols()) * bits / 8, bits / 8, upright};
      return true;
    }
    const Value* from = def->operands.empty() ? nullptr : def->operands[0].value;
    if (from == nullptr || !LinesOf(*from, out, depth + 1)) return false;
    if (type->elem != from->type->elem || upright != out->upright) return false;
    if (def->Is("bind_tile")) return type->rows() == from->type->rows() && type->cols() == from->type->cols();
    const Operand* rows = def->kind == StmtKind::kSubset ? (*def)["row"] : nullptr;
    const Operand* cols = def->kind == StmtKind::kSubset ? (*def)["col"] : nullptr;
    int64_t row = 0;
    int64_t col = 0;
    if (rows == nullptr || cols == nullptr || !ConstantOf(*rows, &row) || !ConstantOf(*cols, &col)) return false;
    out->first += (upright ? col : row) * out->pitch + (upright ? row : col) * out->elem;
    return true;
  }

  // The valid region at this point of the text.
  bool ValidOf(const Value& value, Region* out) const {
    if (const auto set = shapes_.find(&value); set != shapes_.end()) {
      *out = set->second;
    } else if (value.type == nullptr || value.type->kind != TypeKind::kTile || value.def == nullptr) {
      return false;
    } else {
      *out = {value.type->valid_row, value.type->valid_col};
      const bool alloc = value.def->kind == StmtKind::kAllocTile;
      const Operand* rows = alloc ? (*value.def)["valid_row"] : nullptr;
      const Operand* cols = alloc ? (*value.def)["valid_col"] : nullptr;
      if ((rows != nullptr && !ConstantOf(*rows, &out->rows)) || (cols != nullptr && !ConstantOf(*cols, &out->cols)))
        return false;
    }
    return out->rows >= 0 && out->cols >= 0;
  }

  // After a branch the region may be another.
  void Shape(const Access& access) {
    const Stmt& stmt = *facts_.at(access.site).stmt;
    const Value& value = *access.operand->value;
    Region to;
    const bool known = ConstantOf(*stmt["rows"], &to.rows) && ConstantOf(*stmt["cols"], &to.cols);
    shapes_[&value] = known && RunsFirst(facts_, access.site, facts_.RootOf(value)) ? to : Region{};
  }

  // visit(first, end) for the bytes of the lines of a region, while it returns true. False: too many lines.
  template <class Visit>
  static bool EachLine(const Lines& lines, const Region& region, const Visit& visit) {
    const int64_t count = lines.upright ? region.cols : region.rows;
    const int64_t bytes = (lines.upright ? region.rows : region.cols) * lines.elem;
    if (count > kMostLines) return false;
    const bool whole = bytes == lines.pitch;
    for (int64_t i = 0; i < (whole ? 1 : count) && bytes > 0; ++i) {
      const int64_t first = lines.first + i * lines.pitch;
      if (!visit(first, first + (whole ? count * bytes : bytes))) break;
    }
    return true;
  }

  void Write(const Access& access) {
    const Value* root = RootOf(access);
    if (root == nullptr) {  // anywhere
      for (Spans& place : places_) place.Add(0, int64_t{1} << 41);
      return;
    }
    Spans& memory = MemoryOf(*root);
    Lines lines;
    Region region;
    const auto add = [&](int64_t first, int64_t end) {
      memory.Add(first, end);
      return true;
    };
    // A load may write to what pads the valid region, too.
    const Type* type = access.operand->value->type;
    const bool pads = type == nullptr || type->pad != 0 || type->custom_pad;
    const bool exact = access.kind == AccessKind::kWrite && !pads && LinesOf(*access.operand->value, &lines) &&
                       ValidOf(*access.operand->value, &region) && EachLine(lines, region, add);
    const int64_t first = first_.at(root);
    if (!exact) memory.Add(first, first + root->type->Bytes());
  }

  // The part of an operand that an instruction reads: the valid region of the lead operand.
  bool ReadOf(const Access& access, Region* out) const {
    const Stmt& stmt = *facts_.at(access.site).stmt;
    if (stmt.op == nullptr || !ValidOf(*access.operand->value, out)) return false;
    const OpInfo& op = *stmt.op;
    int index = 0;
    while (index < kMaxOperands && SourceOf(stmt, index) != access.operand) ++index;
    if (index == kMaxOperands || op.operands[index].role != Role::kIn) return false;
    const Extent extent = op.operands[index].extent;
    if (op.walk == Walk::kStore || index == op.lead) return extent == Extent::kSame;
    const auto at = static_cast<size_t>(op.lead);
    const Operand* lead = at < stmt.outs.size() ? &stmt.outs[at] : SourceOf(stmt, op.lead);
    Region has;
    if (lead == nullptr || lead->value == nullptr || !ValidOf(*lead->value, &has)) return false;
    if (extent != Extent::kSame && (extent != Extent::kRepeat || out->cols != has.cols)) return false;
    *out = {std::min(out->rows, has.rows), std::min(out->cols, has.cols)};
    return true;
  }

  void Read(const Access& access) {
    const Value* root = RootOf(access);
    Lines lines;
    Region region;
    if (root == nullptr || judged_.contains(root) || !RunsFirst(facts_, access.site, *root) ||
        !LinesOf(*access.operand->value, &lines) || !ReadOf(access, &region)) {
      return;
    }
    const Spans& memory = MemoryOf(*root);
    // If nothing was written to a tile, the check read-unwritten reports it.
    if (!memory.Any(first_.at(root), first_.at(root) + root->type->Bytes())) return;
    EachLine(lines, region, [&](int64_t first, int64_t end) {
      const int64_t missing = memory.FirstOutside(first, end);
      if (missing == end) return true;
      const int64_t line = (missing - lines.first) / lines.pitch;
      const int64_t along = (missing - lines.first) % lines.pitch / lines.elem;
      lint_.Find(*access.operand, "%%%.*s is read in %lldx%lld, and nothing was written to row %lld, column %lld",
                 PTO_NAME(access.operand->name), static_cast<long long>(region.rows),
                 static_cast<long long>(region.cols), static_cast<long long>(lines.upright ? along : line),
                 static_cast<long long>(lines.upright ? line : along));
      judged_.insert(root);
      return false;
    });
  }

  Lint& lint_;
  const FuncFacts& facts_;
  std::map<const Value*, int64_t> first_;  // of tiles that the function allocates; -1: anywhere
  std::vector<const Access*> events_;
  std::map<const Value*, Spans> own_;
  std::array<Spans, kLocCount> places_;
  std::map<const Value*, Region> shapes_;
  std::set<const Value*> judged_;
};

}  // namespace

void ReadPadding(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    // Another function, and another core, may write to tiles at addresses.
    const bool calls = std::any_of(facts.sites().begin(), facts.sites().end(), [](const StmtSite& site) {
      return site.stmt->kind == StmtKind::kCall || IsPipe(site.stmt->kind) || IsCoreSync(site.stmt->kind);
    });
    const bool shares = !facts.placed_tiles().empty() && (calls || lint.IsCalled(facts.func()));
    if (!facts.branches() && !shares) PaddingWalk(lint, facts).Run();
  }
}

void SourceCut(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.op == nullptr) return;
    const OpInfo& op = *stmt.op;
    if (op.walk == Walk::kLoad && !stmt.outs.empty()) {
      const Operand* from = SourceOf(stmt, op.TensorIndex());
      const Type* tile = stmt.outs[0].value == nullptr ? nullptr : stmt.outs[0].value->type;
      const Type* view = from == nullptr || from->value == nullptr ? nullptr : from->value->type;
      if (!IsStatic(tile) || view == nullptr || !view->IsView()) return;
      int64_t elements = 1;
      for (int i = 0; i < view->rank; ++i) {
        if (view->dims[i] == kDynamic) return;
        elements *= view->dims[i];
      }
      const int64_t taken = tile->valid_row * tile->valid_col;
      if (elements <= taken) return;
      lint.Find(*from, "%%%.*s has %lld elements, and the load takes %lld of them", PTO_NAME(from->name),
                static_cast<long long>(elements), static_cast<long long>(taken));
      return;
    }
    if (!op.Has(Rule::kValidCovers) || op.lead >= static_cast<int>(stmt.outs.size())) return;
    const Operand& dst = stmt.outs[static_cast<size_t>(op.lead)];
    const Type* to = dst.value == nullptr ? nullptr : dst.value->type;
    if (!IsStatic(to)) return;
    for (int i = op.Outputs(); i < op.Needed(); ++i) {
      const Operand* from = op.operands[i].extent == Extent::kSame ? SourceOf(stmt, i) : nullptr;
      const Type* type = from == nullptr || from->value == nullptr ? nullptr : from->value->type;
      if (!IsStatic(type) || (type->valid_row <= to->valid_row && type->valid_col <= to->valid_col)) continue;
      lint.Find(*from, "%%%.*s is valid in %lldx%lld, and %lldx%lld of it is read, as %%%.*s is valid",
                PTO_NAME(from->name), static_cast<long long>(type->valid_row), static_cast<long long>(type->valid_col),
                static_cast<long long>(to->valid_row), static_cast<long long>(to->valid_col), PTO_NAME(dst.name));
    }
  });
}

}  // namespace pto::ptoas

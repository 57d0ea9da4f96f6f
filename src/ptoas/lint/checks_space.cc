// Memory, layouts, profiles.
#include <algorithm>
#include <cstring>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

namespace {

// Statements between which a tile has to stay: of a loop that it outlives, the whole loop.
struct Life {
  int first, last;
  bool scratch;  // all that uses the tile has it as tmp and, under the profile, touches no byte of it
};
Life LifeOf(const FuncFacts& facts, const Value& tile, Profile profile) {
  Life life{facts.SiteOf(tile), facts.SiteOf(tile), true};
  bool used = false;
  for (const Access& access : facts.SharedAccesses(tile)) {
    const OpInfo* op = facts.at(access.site).stmt->op;
    life.scratch &= access.kind == AccessKind::kScratch && op != nullptr && !op->TouchesTmp(profile);
    if (!used) life.first = access.site;
    used = true;
    int last = access.site;
    for (int loop = facts.at(access.site).loop; loop != kNowhere && !facts.Inside(facts.SiteOf(tile), loop);
         loop = facts.at(loop).loop) {
      last = facts.at(loop).end - 1;
      life.first = std::min(life.first, loop);
    }
    life.last = std::max(life.last, last);
  }
  life.scratch &= used;
  return life;
}

bool OwnShape(const FuncFacts& facts, const Value& tile) {
  const auto& own = facts.AccessesOf(tile);
  return std::none_of(own.begin(), own.end(), [](const Access& access) {
    return access.kind == AccessKind::kAlias || access.kind == AccessKind::kShape;
  });
}

}  // namespace

void TmpUnneeded(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kInst || stmt.op == nullptr || stmt.op->TmpIndex() < 0 || stmt.outs.empty()) return;
    const OpInfo& op = *stmt.op;
    const Operand* tmp = SourceOf(stmt, op.TmpIndex());
    const Operand* lead = op.lead < op.Outputs() ? &stmt.outs[static_cast<size_t>(op.lead)] : SourceOf(stmt, op.lead);
    const Type* type = lead == nullptr ? nullptr : TypeOf(*lead);
    pto_dtype dtype = PTO_DTYPE_I8;
    if (tmp == nullptr || type == nullptr || type->kind != TypeKind::kTile || !DTypeOf(type->elem, &dtype)) return;
    const auto needs = [&](Profile profile) {
      return (op.dtypes[static_cast<int>(profile)] >> dtype & 1U) != 0 &&
             op.Applies(Rule::kTmpRequired, profile, static_cast<DType>(dtype));
    };
    for (int p = 0; p < kProfileCount; ++p) {
      if (needs(static_cast<Profile>(p))) return;
    }
    lint.Find(*tmp, "%.*s of %s needs no tmp under any profile", PTO_NAME(stmt.name), Info(type->elem).name);
  });
}

void TileTooLarge(Lint& lint) {
  lint.EachOwnTile([&](const FuncFacts& facts, const Value& tile) {
    if (!IsStatic(tile.type)) return;
    const Type& type = *tile.type;
    if (type.loc != Loc::kVec || type.slayout != SLayout::kNoneBox || type.pad != 0 || type.custom_pad ||
        !OwnShape(facts, tile))
      return;
    // Instructions that look at what lies around the valid region.
    for (const Access& access : facts.AccessesOf(tile)) {
      const OpInfo* op = facts.at(access.site).stmt->op;
      if (op == nullptr || op->walk == Walk::kMove) return;
    }
    const int line = 32 / std::max(BytesOf(type.elem), 1);
    const auto half = [](int64_t valid, int64_t all, int64_t unit) {
      return 2 * ((std::max<int64_t>(valid, 1) + unit - 1) / unit * unit) <= all;
    };
    const bool by_row = type.blayout == BLayout::kRowMajor;
    if (!half(type.valid_row, type.rows(), by_row ? 1 : line) && !half(type.valid_col, type.cols(), by_row ? line : 1))
      return;
    lint.Find(tile, "%%%.*s has %lldx%lld elements and is valid in %lldx%lld", PTO_NAME(tile.name),
              static_cast<long long>(type.rows()), static_cast<long long>(type.cols()),
              static_cast<long long>(type.valid_row), static_cast<long long>(type.valid_col));
  });
}

void Capacity(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    struct Event {
      int site;
      int64_t bytes;
      const Value* tile;
    };
    std::vector<Event> events[kLocCount];
    for (const Value* tile : facts.own_tiles()) {
      if (tile->type == nullptr || tile->type->kind != TypeKind::kTile) continue;
      const Life life = LifeOf(facts, *tile, static_cast<Profile>(pto_context_profile(lint.ctx())));
      if (life.scratch) continue;
      auto& list = events[static_cast<int>(tile->type->loc)];
      list.push_back({life.first, tile->type->Bytes(), tile});
      list.push_back({life.last + 1, -tile->type->Bytes(), tile});
    }
    for (int loc = 0; loc < kLocCount; ++loc) {
      const int64_t capacity = pto_context_capacity(lint.ctx(), static_cast<pto_location>(loc));
      // Ends are handled before beginnings.
      std::stable_sort(events[loc].begin(), events[loc].end(), [](const Event& a, const Event& b) {
        return a.site != b.site ? a.site < b.site : a.bytes < b.bytes;
      });
      int64_t most = 0;
      int64_t bytes = 0;
      const Value* at = nullptr;
      for (const Event& event : events[loc]) {
        bytes += event.bytes;
        if (bytes <= most) continue;
        most = bytes;
        at = event.tile;
      }
      if (at == nullptr || most <= capacity) continue;
      lint.Find(*at, "with %%%.*s, tiles of %lld bytes are in use at one time; %s has %lld in %s", PTO_NAME(at->name),
                static_cast<long long>(most), kProfiles[pto_context_profile(lint.ctx())].name,
                static_cast<long long>(capacity), NameOf(static_cast<Loc>(loc)));
    }
  }
}

// Operations that load or store the eight blocks of a register at a stride of blocks.
static void FindBlockStride(Lint& lint, const Stmt& stmt, int64_t bank) {
  constexpr int64_t kBlock = 32;
  const bool loads = stmt.vector != nullptr && stmt.vector->name == "vsldb";
  const bool stores = stmt.vector != nullptr && stmt.vector->name == "vsstb";
  int64_t blocks = 0;
  if ((!loads && !stores) || !ConstantOf(stmt.operands[loads ? 1 : 2], &blocks)) return;
  const int64_t bytes = kBlock * (blocks & 0xFFFF);
  if (bytes < bank || bytes % bank != 0) return;
  lint.Find(stmt, "the blocks of %.*s are %lld bytes apart", PTO_NAME(stmt.name), static_cast<long long>(bytes));
}

void BankStride(Lint& lint) {
  constexpr int64_t kBank = 4096;
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    FindBlockStride(lint, stmt, kBank);
    if (stmt.kind != StmtKind::kInst || stmt.op == nullptr || std::strcmp(stmt.op->mnemonic, "ttrans") != 0) return;
    for (const auto& list : {stmt.operands, stmt.outs}) {
      for (const Operand& operand : list) {
        const Type* type = TypeOf(operand);
        if (type == nullptr || type->kind != TypeKind::kTile || type->slayout != SLayout::kNoneBox) continue;
        const int64_t line = type->blayout == BLayout::kRowMajor ? type->cols() : type->rows();
        const int64_t lines = type->blayout == BLayout::kRowMajor ? type->rows() : type->cols();
        const int64_t bytes = line * Info(type->elem).bits / 8;
        if (bytes < kBank || bytes % kBank != 0 || lines < 8) continue;
        lint.Find(operand, "%%%.*s is walked across lines of %lld bytes", PTO_NAME(operand.name),
                  static_cast<long long>(bytes));
      }
    }
  });
}

void RaggedVector(Lint& lint) {
  constexpr int64_t kVector = 256;
  constexpr int64_t kBlock = 32;
  lint.EachOwnTile([&](const FuncFacts& facts, const Value& tile) {
    if (!IsStatic(tile.type) || tile.type->loc != Loc::kVec || tile.type->slayout != SLayout::kNoneBox) return;
    if (!OwnShape(facts, tile)) return;
    const int64_t bytes = tile.type->valid_col * Info(tile.type->elem).bits / 8;
    if (bytes <= kVector || bytes % kVector == 0 || bytes % kVector > kBlock) return;
    lint.Find(tile, "rows of %%%.*s have %lld bytes: %lld vectors of %lld, and %lld more", PTO_NAME(tile.name),
              static_cast<long long>(bytes), static_cast<long long>(bytes / kVector), static_cast<long long>(kVector),
              static_cast<long long>(bytes % kVector));
  });
}

}  // namespace pto::ptoas

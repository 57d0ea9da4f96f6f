// The level below tiles: stores that overwrite each other, masks of other lanes.
#include "src/ptoas/lint/checks.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

namespace {

// Bits of a lane of the masks that an operation makes, by its name; 0: of any.
int MaskLaneBits(std::string_view name) {
  if (name.ends_with("_b8")) return 8;
  if (name.ends_with("_b16")) return 16;
  return name.ends_with("_b32") ? 32 : 0;
}

// The elements of the first register of the row.
const Type* RegisterLanes(const Stmt& stmt) {
  for (size_t i = 0; i < stmt.vector->in.count && i < stmt.operands.size(); ++i) {
    const Value* value = Named(stmt.operands[i]);
    if (stmt.vector->in.all[i].kind == vec::Kind::kVreg && value != nullptr) return value->type;
  }
  return nullptr;
}

}  // namespace

// A store whose address and mask are made outside of the loop around it.
void SameBytes(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    if (stmt.vector == nullptr || stmt.vector->family != vec::Family::kStore || !stmt.types.empty()) return;
    const int loop = facts.at(site).loop;
    if (loop < 0) return;
    bool varies = false;
    bool register_varies = false;
    for (size_t i = 0; i < stmt.vector->in.count && i < stmt.operands.size(); ++i) {
      const Operand& operand = stmt.operands[i];
      if (operand.value == nullptr || !facts.DefinedIn(*operand.value, loop)) continue;
      (stmt.vector->in.all[i].kind == vec::Kind::kVreg ? register_varies : varies) = true;
    }
    if (varies || !register_varies) return;
    lint.Find(stmt, "%.*s writes the same bytes in each iteration of the loop", PTO_NAME(stmt.name));
  });
}

// A mask without a granularity that was made for lanes of another width.
void MaskLanes(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    const Type* lanes = stmt.vector == nullptr ? nullptr : RegisterLanes(stmt);
    if (lanes == nullptr || stmt.vector->family == vec::Family::kStore) return;
    const int wanted = std::min<int>(32, Info(lanes->elem).bits);
    for (size_t i = 0; i < stmt.vector->in.count && i < stmt.operands.size(); ++i) {
      const vec::Param& param = stmt.vector->in.all[i];
      const Value* mask = Named(stmt.operands[i]);
      if (param.kind != vec::Kind::kMask || param.bits != 0 || mask == nullptr || mask->def == nullptr) continue;
      const vec::Op* maker = mask->def->vector;
      const int made = maker == nullptr ? 0 : MaskLaneBits(maker->name);
      if (made == 0 || made == wanted) continue;
      lint.FindAt(stmt.operands[i].offset, stmt.operands[i].length,
                  "%%%.*s is a mask of %d-bit lanes, and %.*s has lanes of %d bits", PTO_NAME(mask->name), made,
                  PTO_NAME(stmt.name), wanted);
    }
  });
}

}  // namespace pto::ptoas

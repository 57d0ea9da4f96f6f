// Communication between ranks: the checks of its types. The run checks what depends on values.
#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/views.h"
#include "src/ptoas/read/wording.h"
#include "src/records/rule.h"

namespace pto::ptoas {

namespace {

// Whether two views have the same dimensions, as far as types show; leading ones do not matter.
bool SameDims(const Type& a, const Type& b, int but = 0) {
  const int rank = std::max(a.rank, b.rank);
  for (int i = 1; i <= rank; ++i) {
    const int64_t one = i > a.rank ? 1 : a.dims[a.rank - i];
    const int64_t other = i > b.rank ? 1 : b.dims[b.rank - i];
    if (i != but && one != other && one != kDynamic && other != kDynamic) return false;
  }
  return true;
}

// The second dimension from the end: rows.
constexpr int kRowsFromEnd = 2;

}  // namespace

bool Verifier::NeedRule(const Stmt& stmt, Rule rule, bool good, const std::string& message) {
  if (!good) diagnostics_->Add(pto::Info(rule).id, RemedyInText(rule), stmt.offset, stmt.length, message);
  return good;
}

void Verifier::CheckSignal(const Stmt& stmt) {
  const Type* signal = ViewOf(*stmt["signal"]);
  if (stmt.Is("comm.ttest") && !stmt.types[0]->IsScalar(Elem::kI1)) {
    return Error(TextRule::kTypeMismatch, stmt, "%.*s makes an i1, not %s", PTO_NAME(stmt.name),
                 Describe(stmt.types[0]).c_str());
  }
  if (signal == nullptr) return;
  if (!NeedRule(stmt, Rule::kSignal, signal->elem == Elem::kI32, "the signal is " + Describe(signal))) return;
  if (!stmt.Is("comm.tnotify")) return;
  bool one = true;
  for (int i = 0; i < signal->rank; ++i) one = one && (signal->dims[i] == 1 || signal->dims[i] == kDynamic);
  NeedRule(stmt, Rule::kSignal, one, "a notification is for one element, and the signal is " + Describe(signal));
}

// The views and staging tiles have the element type of `want`, and the tiles divide it.
bool Verifier::CheckCommTypes(const Stmt& stmt, const Type& want) {
  for (const Operand& operand : stmt.operands) {
    const Type* view = ViewOf(operand);
    if (view != nullptr && !NeedRule(stmt, Rule::kCommDType, view->elem == want.elem,
                                     "%" + std::string(operand.name) + " is of " + Info(view->elem).name + " where " +
                                         Info(want.elem).name + " is needed")) {
      return false;
    }
    const Type* tile = TypeOf(operand);
    if (tile == nullptr || tile->kind != TypeKind::kTile) continue;
    const std::string name = "%" + std::string(operand.name);
    if (!NeedRule(stmt, Rule::kStaging, tile->loc == Loc::kVec, name + " lies in " + NameOf(tile->loc)) ||
        !NeedRule(stmt, Rule::kCommDType, tile->elem == want.elem,
                  name + " is of " + Info(tile->elem).name + " where " + Info(want.elem).name + " is moved")) {
      return false;
    }
    const int64_t rows = want.rank < kRowsFromEnd ? 1 : want.dims[want.rank - kRowsFromEnd];
    const std::string fault = StagingFault(*tile, rows, want.dims[want.rank - 1]);
    if (!NeedRule(stmt, Rule::kStaging, fault.empty(), name + fault)) return false;
  }
  return true;
}

void Verifier::CheckComm(const Stmt& stmt) {
  if (stmt["signal"] != nullptr) return CheckSignal(stmt);
  const std::span<Operand> group = stmt.All("group");
  const Operand* dst = stmt["dst"];
  const Operand* src = stmt["src"];
  if (stmt.info->places[OperandName("group").id] == kNoPlace) {
    const Type* to = ViewOf(*dst);
    const Type* from = ViewOf(*src);
    if (to == nullptr || from == nullptr || !CheckCommTypes(stmt, *from)) return;
    NeedRule(stmt, Rule::kCommShape, SameDims(*to, *from), Describe(from) + " moves to " + Describe(to));
    return;
  }
  const int64_t root = IntAttr(stmt, "root", 0);
  const auto size = static_cast<int64_t>(group.size());
  if (!NeedRule(stmt, Rule::kGroup, size >= 1 && size <= 64 && root >= 0 && root < size,
                "the root is member " + std::to_string(root) + " of " + std::to_string(size))) {
    return;
  }
  const Type* first = ViewOf(group[0]);
  const Type* whole = ViewOf(dst != nullptr ? *dst : src != nullptr ? *src : group[0]);
  if (first == nullptr || whole == nullptr || !CheckCommTypes(stmt, *first)) return;
  for (const Operand& member : group) {
    const Type* type = ViewOf(member);
    if (type == nullptr ||
        NeedRule(stmt, Rule::kGroup, SameDims(*type, *first),
                 "%" + std::string(member.name) + " is " + Describe(type) + " where the first is " + Describe(first))) {
      continue;
    }
    return;
  }
  const bool parts = stmt.Is("comm.tgather") || stmt.Is("comm.tscatter");
  const bool same = SameDims(*whole, *first, parts ? kRowsFromEnd : 0);
  const int64_t rows = first->rank < kRowsFromEnd ? 1 : first->dims[first->rank - kRowsFromEnd];
  const int64_t has = whole->rank < kRowsFromEnd ? 1 : whole->dims[whole->rank - kRowsFromEnd];
  const bool room = !parts || rows == kDynamic || has == kDynamic || has >= rows * size;
  NeedRule(stmt, parts ? Rule::kGroupRows : Rule::kCommShape, same && room,
           Describe(whole) + " beside " + std::to_string(size) + " members of " + Describe(first));
}

}  // namespace pto::ptoas

// Statements that follow the grammar of their rows (statements.h), in their own form and in MLIR's generic one.
#include <algorithm>
#include <string>

#include "src/ptoas/read/form.h"
#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {
namespace {

// The meaning of `<...>` alone as the type of an operand.
TypeKind ShortOf(Takes takes) {
  switch (takes) {
    case Takes::kTile:
      return TypeKind::kTile;
    case Takes::kView:
    case Takes::kMemref:
      return TypeKind::kTensorView;
    case Takes::kPointer:
    case Takes::kGlobal:
    case Takes::kElement:
      return TypeKind::kPtr;
    case Takes::kVector:
      return TypeKind::kVector;
    case Takes::kArray:
      return TypeKind::kLocalArray;
    case Takes::kTiles:
      return TypeKind::kMultiTile;
    default:
      return TypeKind::kOpaque;
  }
}

}  // namespace

// Whether what an optional part begins with is here.
bool Parser::AtElement(const StmtInfo& info, const Element& element) const {
  switch (element.step) {
    case Step::kWord:
      return AtWord(WordOf(info, element));
    case Step::kPunct:
      return At(static_cast<char>(element.arg));
    case Step::kArrow:
      return tok_.kind == Tok::kArrow;
    default:
      return (tok_.kind == Tok::kValue && !AtResults()) || tok_.kind == Tok::kInt;
  }
}

// Whether the value here is a result of the next statement: %a = or %a:2 = or %a, %b =.
bool Parser::AtResults() const {
  const std::string_view source = program_->source;
  size_t at = tok_.offset + tok_.length;
  const auto skip = [&](std::string_view these) { at = std::min(source.find_first_not_of(these, at), source.size()); };
  constexpr std::string_view kBlanks = " \t\r\n";
  for (;;) {
    skip(kBlanks);
    if (source.substr(at).starts_with(':')) {
      ++at;
      skip("0123456789");
      skip(kBlanks);
    }
    if (!source.substr(at).starts_with(',')) return source.substr(at).starts_with('=');
    ++at;
    skip(kBlanks);
    at = std::min(source.find_first_of(" \t\r\n,:=", at), source.size());
  }
}

// One operand of a group; what a bare program's argument is supposed to be follows from what it is.
bool Parser::ParseFormOperand(const StmtInfo& info, const Element& element) {
  if (element.step == Step::kValue) return ParseResolved();
  const Takes takes = info.operands[element.arg].takes;
  return ParseResolvedOperand(takes == Takes::kIndex     ? Scalar(Elem::kIndex)
                              : takes == Takes::kAddress ? Scalar(Elem::kI64)
                                                         : nullptr);
}

// < a b c >: reads all operands, then checks their number. Brackets may be empty, and end with a comma.
bool Parser::ParseCounted(Stmt* stmt, const Element* counted, FormParts* parts) {
  const StmtInfo& info = *stmt->info;
  const Element* const first = counted + 1;
  const Element& close = first[counted->arg + 1];
  const bool brackets = close.step == Step::kPunct && close.arg == ']';
  const bool single = counted->arg == 1 && !brackets;  // any other is one too many
  const size_t base = operands_.size();
  const auto done = [&] { return brackets && At(']'); };
  if (!done()) {
    do {
      const size_t number = std::min<size_t>(operands_.size() - base, counted->arg - 1U);
      if (!ParseFormOperand(info, first[number])) return false;
    } while (!single && Accept(',') && !done());
  }
  const size_t count = operands_.size() - base + (single && At(',') ? 1 : 0);
  size_t least = 0;
  for (size_t i = 0; i < counted->arg; ++i) {
    least += info.operands[first[i].arg].count == Count::kOne;
    parts->ends[first[i].arg] = static_cast<uint16_t>(std::min(base + i + 1, operands_.size()) - parts->base);
  }
  parts->next = first[counted->arg - 1U].arg + 1U;
  if ((count >= least && count <= counted->arg) || (brackets && !done())) return true;
  std::string takes(info.counted);
  if (const size_t at = takes.find('#'); at != takes.npos) takes.replace(at, 1, std::to_string(count));
  return FailAt(*stmt, TextRule::kOperandCount, "%.*s takes %s", PTO_NAME(info.name), takes.c_str());
}

bool Parser::ParseForm(Stmt* stmt) {
  const StmtInfo& info = *stmt->info;
  const Marks start = Mark();
  FormParts parts;
  parts.base = start.operands;
  bool settled = false;
  const Element* const form = FormOf(info);
  for (const Element* at = form; at->step != Step::kEnd; ++at) {
    bool good = true;
    switch (at->step) {
      case Step::kPunct:
        good = Expect(static_cast<char>(at->arg));
        if (good && at != form && at[-1].step == Step::kList) CheckLists(*stmt, at[-1].arg, parts);
        break;
      case Step::kWord:
        good = ExpectWord(WordOf(info, *at));
        break;
      case Step::kArrow:
        good = ExpectArrow();
        break;
      case Step::kComma:
      case Step::kQuietComma:
        Accept(',');
        break;
      case Step::kValue:
      case Step::kOperand:
      case Step::kList: {
        parts.Begin(at->arg, operands_.size());
        if (at->step == Step::kList) {
          // Up to what closes the list.
          const char close = at[1].step == Step::kPunct ? static_cast<char>(at[1].arg) : ']';
          while (good && !At(close)) {
            good = ParseFormOperand(info, *at);
            if (!good || !Accept(',')) break;
          }
        } else {
          good = ParseFormOperand(info, *at);
        }
        parts.Begin(at->arg + 1U, operands_.size());
        break;
      }
      case Step::kCounted:
        parts.Begin(at[1].arg, operands_.size());
        good = ParseCounted(stmt, at, &parts);
        at += at->arg + 1;
        break;
      case Step::kDict:
        good = ParseOptionalDict(start.named);
        break;
      case Step::kDropDict:
        good = ParseOptionalDict(start.named);
        named_.resize(start.named);
        break;
      case Step::kType:
        parts.types[at->arg] = ParseType(ShortOf(info.operands[at->arg].takes));
        good = parts.types[at->arg] != nullptr;
        break;
      case Step::kResultType:
        parts.made = ParseType(info.result);
        good = parts.made != nullptr;
        break;
      case Step::kTypes:
        good = ParseTypesOf(start.operands);
        break;
      case Step::kRegion: {
        // Statements inside use names_, too.
        settled = true;
        DefineResults(stmt, {});
        Block* block = arena_->New<Block>();
        stmt->blocks = arena_->Copy(&block, 1);
        good = ParseBlock(block);
        break;
      }
      case Step::kMaybe:
        if (!AtElement(info, at[1])) {
          at += at->arg;
        } else if (Accept(',')) {
          // The comma may be there without the part.
          at += AtElement(info, at[2]) ? 1 : at->arg;
        }
        break;
      default:
        break;
    }
    if (!good) return false;
  }
  parts.Begin(kMostOperandNames, operands_.size());
  GiveFormTypes(*stmt, &parts);
  if (stmt->kind == StmtKind::kPartitionView && parts.made == nullptr) parts.made = PartType(parts);
  Finish(stmt, start);
  const StmtInfo& same = kStmts[info.same];
  if (!info.as.empty()) stmt->Become(same);
  if (!stmt->info->fixed) stmt->ends = arena_->Copy(parts.ends, stmt->info->groups);
  if (!settled) DefineMade(stmt, info, parts);
  return true;
}

void Parser::NameOperands(Stmt* stmt, std::initializer_list<size_t> counts) {
  FormParts parts;
  size_t end = 0;
  for (const size_t count : counts) parts.Begin(parts.next + 1, end += count);
  parts.Begin(kMostOperandNames, end);
  stmt->ends = arena_->Copy(parts.ends, stmt->info->groups);
}

// A list is as long as the one before it.
void Parser::CheckLists(const Stmt& stmt, size_t name, const FormParts& parts) {
  const OperandList& operands = stmt.info->operands;
  if (name < 2 || operands[name - 1].count != Count::kMany) return;
  const int first = parts.ends[name - 1] - parts.ends[name - 2];
  const int second = parts.ends[name] - parts.ends[name - 1];
  if (first == second) return;
  diagnostics_->Error(TextRule::kViewRank, stmt.offset, stmt.length, "%.*s and %.*s have %d and %d entries",
                      PTO_NAME(operands[name - 1].name), PTO_NAME(operands[name].name), first, second);
}

// The types that the operands were written with, or have without it.
void Parser::GiveFormTypes(const Stmt& stmt, FormParts* parts) {
  const StmtInfo& info = *stmt.info;
  const auto operand = [&](size_t group) {
    return &operands_[parts->base + (group == 0 ? 0 : parts->ends[group - 1])];
  };
  // The documents write the pointer's type first, some programs the value's.
  if (stmt.kind == StmtKind::kStoreScalar && parts->types[1]->kind != TypeKind::kPtr &&
      parts->types[0]->kind == TypeKind::kPtr) {
    std::swap(parts->types[0], parts->types[1]);
  }
  const Type* about = parts->made;  // what elements are of
  for (size_t i = 0; i < info.operands.size(); ++i) {
    if (info.operands[i].takes == Takes::kMemref) about = parts->types[i];
  }
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const Takes takes = info.operands[i].takes;
    const Type* type = parts->types[i];
    if (type == nullptr && takes == Takes::kDimension) type = Scalar(Elem::kIndex);
    if (type == nullptr && takes == Takes::kElement) type = Scalar(about->elem);
    if (type != nullptr) GiveType(operand(i), type);
    if (takes == Takes::kGlobal && type == nullptr && about != nullptr && about->IsView()) {
      Type pointer;
      pointer.kind = TypeKind::kPtr;
      pointer.elem = about->elem;
      Suppose(*operand(i), Intern(pointer));
    }
  }
}

void Parser::DefineMade(Stmt* stmt, const StmtInfo& info, const FormParts& parts) {
  switch (info.makes) {
    case Makes::kNothing:
      return DefineResults(stmt, {});
    case Makes::kUnnamed:
      if (!names_.empty()) {
        DefineResult(stmt, parts.made);
      } else {
        DefineResults(stmt, {});
      }
      stmt->types = arena_->Copy(&parts.made, 1);
      return;
    case Makes::kElement:
      return DefineResult(stmt, Scalar(parts.types[0]->elem));
    case Makes::kVector:
      return DefineResult(stmt, parts.types[1]);
    default:
      return DefineResult(stmt, ImpliedResult(info) != nullptr ? ImpliedResult(info) : parts.made);
  }
}

// The type of a part of a view where none is written: the constants among its sizes, and `?` for others.
const Type* Parser::PartType(const FormParts& parts) {
  const Type& whole = *parts.types[0];
  if (!whole.IsView()) return &whole;
  Type type;
  type.kind = TypeKind::kPartitionView;
  type.elem = whole.elem;
  for (size_t i = parts.ends[1]; i < parts.ends[2] && type.rank < kMaxRank; ++i) {
    int64_t size = kDynamic;
    if (!ConstantOf(operands_[parts.base + i], &size)) size = kDynamic;
    type.dims[type.rank++] = size;
  }
  return Intern(type);
}

// The type of a result that is not written.
const Type* Parser::ImpliedResult(const StmtInfo& info) {
  if (info.makes == Makes::kIndexType) return Scalar(Elem::kIndex);
  return info.makes == Makes::kI64 ? Scalar(Elem::kI64) : nullptr;
}

// ---- the generic form -------------------------------------------------------

// Which operands have which name, where that is not one each. False: the program does not show it.
bool Parser::GenericGroups(Stmt* stmt, const Generic& op, size_t count) {
  const StmtInfo& info = *stmt->info;
  uint16_t ends[kMostOperandNames] = {};
  // The only list is what the others leave over.
  const auto many = [](const OperandInfo& one) { return one.count == Count::kMany; };
  const size_t optional = static_cast<size_t>(std::count_if(
      info.operands.begin(), info.operands.end(), [](const OperandInfo& one) { return one.count != Count::kOne; }));
  const bool lists = std::any_of(info.operands.begin(), info.operands.end(), many);
  // Both lists of a view are as long.
  const auto others = static_cast<int64_t>(info.groups - optional);
  const int64_t length =
      optional == 1 ? static_cast<int64_t>(count) - others : SegmentOf(op.dict, static_cast<size_t>(others));
  if (lists && (length < 0 || length > 8)) return NoGenericForm(op);
  // Without sizes: all, or those that have to be there, or the first of them.
  const bool sizes = SegmentOf(op.dict, 0) >= 0;
  size_t end = 0;
  for (size_t i = 0; i < info.groups; ++i) {
    const bool needed = info.operands[i].count == Count::kOne;
    const bool given = needed || (sizes ? SegmentOf(op.dict, i) == 1 : i < count);
    end += lists && !needed ? static_cast<size_t>(length) : given ? 1 : 0;
    ends[i] = static_cast<uint16_t>(end);
  }
  const bool half = optional > 1 && !lists && !sizes && count + 1 == info.groups;
  if (end != count || half) return NoGenericForm(op);
  stmt->ends = arena_->Copy(ends, info.groups);
  return true;
}

// The operands of the statement, and how many of them have a type in its own form.
bool Parser::GenericForm(Stmt* stmt, Generic* op) {
  const StmtInfo& info = *stmt->info;
  const size_t count = operands_.size() - op->operands;
  const size_t made = types_.size() - op->results;
  const Type* implied = ImpliedResult(info);
  if (implied != nullptr && made == 1 && !GenericType(*op, types_[op->results], implied)) return false;
  const Element* const form = FormOf(info);
  size_t typed = form != nullptr ? 0 : stmt->kind == StmtKind::kTassign ? 1 : info.groups;
  if (info.operands.size() == 2 && info.operands[1].takes == Takes::kDimension) {
    typed = 2;
    if (op->results - op->types == 2 && !GenericType(*op, types_[op->types + 1], Scalar(Elem::kIndex))) return false;
  }
  if (info.fixed ? !GenericCount(*op, info.groups, info.groups) : !GenericGroups(stmt, *op, count)) return false;
  for (const Element* at = form; at != nullptr && at->step != Step::kEnd; ++at) {
    if (at->step != Step::kType) continue;
    typed = std::max<size_t>(typed, stmt->ends.empty() ? at->arg + 1U : stmt->ends[at->arg]);
  }
  const bool none = info.makes == Makes::kNothing || info.makes == Makes::kUnnamed;
  if (made > 1 || (made == 0 ? !none : info.makes == Makes::kNothing)) return NoGenericForm(*op);
  GenericOperands(op, typed);
  // Places of an element have no types in its own form.
  for (size_t i = 0; i < info.groups && !stmt->ends.empty(); ++i) {
    if (info.operands[i].count != Count::kMany) continue;
    for (size_t k = i == 0 ? 0 : stmt->ends[i - 1]; k < stmt->ends[i]; ++k) operands_[op->operands + k].type = nullptr;
  }
  stmt->operands = Commit(&operands_, op->operands);
  if (made == 1) {
    DefineResult(stmt, types_[op->results]);
  } else {
    DefineResults(stmt, {});
  }
  return true;
}

}  // namespace pto::ptoas

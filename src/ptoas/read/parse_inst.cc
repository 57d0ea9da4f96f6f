// The generic instruction in its three spellings. All give the same statement:
// operands, outs, attributes.
#include <algorithm>
#include <iterator>

#include "src/ptoas/read/parser_impl.h"
#include "src/records/attributes.h"
#include "src/records/text_form.h"

namespace pto::ptoas {
namespace {

// How many ins and outs an instruction takes: in any of its forms when it has records.
struct Counts {
  size_t min_ins = 0, max_ins = SIZE_MAX, min_outs = 0, max_outs = SIZE_MAX;
};

Counts CountsOf(const Stmt& stmt, std::span<const OpInfo* const> forms) {
  if (forms.empty()) {
    const StmtInfo& info = *stmt.info;
    if (info.name.empty() || !info.IsInstruction()) return {};
    return {info.ins.least, info.ins.most, info.outs.least, info.outs.most};
  }
  Counts counts{SIZE_MAX, 0, SIZE_MAX, 0};
  for (const OpInfo* op : forms) {
    const auto outs = static_cast<size_t>(op->Outputs());
    const int least = SourcesOf(*op, false).count - (AccumulatorOf(*op) >= 0 ? 1 : 0);
    counts.min_ins = std::min(counts.min_ins, static_cast<size_t>(least));
    counts.max_ins = std::max(counts.max_ins, static_cast<size_t>(SourcesOf(*op, true).count));
    counts.min_outs = std::min(counts.min_outs, outs);
    counts.max_outs = std::max(counts.max_outs, outs);
  }
  return counts;
}

// Whether what is known of an operand speaks against a number, or against anything else, in its place.
bool MayBe(const Operand& operand, const Type* written, bool number) {
  if (operand.kind == OperandKind::kLiteral) {
    return number == (operand.literal->kind == AttrKind::kInt || operand.literal->kind == AttrKind::kFloat);
  }
  // The type that is written here precedes the value's own, which may be known later.
  const Type* type = written != nullptr ? written : operand.type;
  if (type == nullptr && operand.value != nullptr) type = operand.value->type;
  return type == nullptr || type->IsNumber() == number;
}

// Whether an attribute is the one integer that an instruction takes.
bool IsInteger(const OpInfo& op, const NamedAttr& entry) {
  const int at = op.Find(Role::kInt);
  return at >= 0 && op.Count(Role::kInt) == 1 && ValueOf(entry).kind == AttrKind::kInt &&
         entry.name == op.operands[at].name;
}

size_t IntegersAmong(const OpInfo& op, Dict attrs) {
  return static_cast<size_t>(
      std::count_if(attrs.begin(), attrs.end(), [&](const NamedAttr& entry) { return IsInteger(op, entry); }));
}

}  // namespace

// The type of an operand that one is written for. The dialect counts the records of TMRGSORT in a vector<4xi16>, which
// is a tile here as it is in the ISA.
const Type* Parser::AsTaken(const Type* type) {
  const auto merges = [](const OpInfo* op) { return op->walk == Walk::kMergeLists; };
  return IsCounts(type) && std::any_of(forms_.begin(), forms_.end(), merges) ? AnyTile() : type;
}

// `{offset = 5}`: an integer of the instruction may be an attribute of its name. It follows the sources
// that operands_ ends with.
void Parser::TakeIntegers(Stmt* stmt) {
  const auto taken = [&](const NamedAttr& entry) {
    if (std::none_of(forms_.begin(), forms_.end(), [&](const OpInfo* op) { return IsInteger(*op, entry); })) {
      return false;
    }
    Attr plain = ValueOf(entry);
    plain.type = nullptr;
    Operand operand;
    operand.kind = OperandKind::kLiteral;
    operand.literal = arena_->Copy(&plain, 1).data();
    operand.offset = entry.offset;
    operand.length = static_cast<uint32_t>(entry.name.size());
    operands_.push_back(operand);
    return true;
  };
  const size_t named = named_.size();
  std::copy_if(stmt->attrs.begin(), stmt->attrs.end(), std::back_inserter(named_),
               [&](const NamedAttr& entry) { return !taken(entry); });
  stmt->attrs = Commit(&named_, named);
}

// Whether the source of this number is tmp, which needs no value.
bool Parser::IsScratch(size_t source, size_t count) const {
  return std::any_of(forms_.begin(), forms_.end(), [&](const OpInfo* op) {
    const TextOrder& order = SourcesOf(*op, count);
    return source < static_cast<size_t>(order.count) && op->operands[order.at[source]].role == Role::kTmp;
  });
}

// Whether the instruction reads its destination, too; the statement has `sources` sources.
bool Parser::IsRead(size_t out, size_t sources) const {
  return std::any_of(forms_.begin(), forms_.end(), [&](const OpInfo* op) {
    const int accumulator = AccumulatorOf(*op);
    if (accumulator >= 0 && !SourcesOf(*op, sources).Has(accumulator)) return true;
    return out < static_cast<size_t>(op->Outputs()) && op->operands[out].role == Role::kInOut;
  });
}

// How many of the operands that the generic form lists are destinations: as few as some form takes beside the other
// operands.
size_t Parser::OutsAmong(const Stmt& stmt, size_t count) const {
  const Counts counts = CountsOf(stmt, forms_);
  for (size_t outs = counts.min_outs; outs <= std::min(counts.max_outs, count); ++outs) {
    const bool fits = std::any_of(forms_.begin(), forms_.end(), [&](const OpInfo* op) {
      const size_t sources = count - outs + IntegersAmong(*op, stmt.attrs);
      return static_cast<size_t>(op->Outputs()) == outs &&
             static_cast<size_t>(SourcesOf(*op, sources).count) == sources;
    });
    if (fits) return outs;
  }
  for (size_t outs = counts.min_outs; outs <= std::min(counts.max_outs, count); ++outs) {
    if (count - outs >= counts.min_ins && count - outs <= counts.max_ins) return outs;
  }
  return std::min(counts.min_outs, count);
}

// The form that matches the number and kinds of the written operands, with one type each in `types`, and
// the attributes; of several the one with the fewest modes, of these the first.
void Parser::ChooseForm(Stmt* stmt, std::span<const Operand> sources, size_t outs, std::span<const Type* const> types) {
  if (forms_.size() < 2) return;
  int best = -kMaxOperands;
  for (const OpInfo* op : forms_) {
    const TextOrder& order = SourcesOf(*op, sources.size());
    const bool count = sources.size() == static_cast<size_t>(order.count);
    bool kinds = count;
    for (size_t i = 0; i < sources.size() && kinds; ++i) {
      kinds = MayBe(sources[i], types.size() == sources.size() ? types[i] : nullptr,
                    IsNumber(op->operands[order.at[i]].role));
    }
    const bool attributes = std::all_of(stmt->attrs.begin(), stmt->attrs.end(), [&](const NamedAttr& entry) {
      return FindAttribute(stmt->name, op, entry.name) != nullptr;
    });
    const int fits = (outs == static_cast<size_t>(op->Outputs()) ? 8 : 0) + 4 * count + 2 * kinds + attributes;
    const int score = fits * (kMaxOperands + 1) - op->Count(Role::kMode);
    if (score <= best) continue;
    best = score;
    stmt->op = op;
  }
  SettleTmp(stmt, sources.size());
}

// Where the last tile may be scratch or one more source: with ins/outs, which the dialect writes with tmp, it is tmp.
// The one-line forms come from documents without tmp and from programs that add it.
void Parser::SettleTmp(Stmt* stmt, size_t sources) {
  for (const OpInfo* other : forms_) {
    if (!DifferByTmp(*stmt->op, *other, sources)) continue;
    if (stmt->spelling == Spelling::kDps) {
      if (SourcesOf(*other, sources).Has(other->TmpIndex())) stmt->op = other;
      return;
    }
    diagnostics_->Error(TextRule::kAmbiguousForm, stmt->offset, stmt->length,
                        "the last of %zu tiles of %.*s may be a source or tmp", sources, PTO_NAME(stmt->name));
    return;
  }
}

bool Parser::CheckCounts(const Stmt& stmt) {
  const Counts counts = CountsOf(stmt, forms_);
  const auto check = [&](size_t count, size_t least, size_t most, const char* what) {
    if (count >= least && count <= most) return true;
    char range[48];
    if (least == most) {
      std::snprintf(range, sizeof range, "%zu", least);
    } else {
      std::snprintf(range, sizeof range, "%zu to %zu", least, most);
    }
    diagnostics_->Error(TextRule::kOperandCount, stmt.offset, stmt.length, "%.*s takes %s %s%s, not %zu",
                        PTO_NAME(stmt.name), range, what, Plural(most), count);
    return false;
  };
  return check(stmt.operands.size(), counts.min_ins, counts.max_ins, "input") &&
         check(stmt.outs.size(), counts.min_outs, counts.max_outs, "destination");
}

// ---- pto.tadd ins(%a, %b : T, T) outs(%d : T) -------------------------------

// Operands, dictionaries that go to the statement's, then the operands' types.
bool Parser::ParseGroup(uint8_t number, size_t named) {
  const size_t base = operands_.size();
  while (!At(')') && !At(':')) {
    if (At('{')) {
      if (!ParseDict(named)) return false;
    } else {
      Operand operand;
      if (!ParseOperand(&operand)) return false;
      operand.group = number;
      operands_.push_back(operand);
      // A dictionary may follow without a comma.
      if (At('{')) continue;
    }
    if (!Accept(',')) break;
  }
  if (!At(':')) return true;
  Advance();
  // Strings have no type.
  const Token at = tok_;
  size_t given = 0;
  size_t typed = 0;
  for (size_t i = base; i < operands_.size(); ++i) {
    const Operand& operand = operands_[i];
    typed += !IsString(operand);
  }
  const size_t types = types_.size();
  while (true) {
    const Type* type = ParseType(TypeKind::kTile);
    if (type == nullptr) return false;
    types_.push_back(AsTaken(type));
    ++given;
    // After the types, a comma before an operand begins the next group.
    if (!At(',') || given > typed) break;
    if (given == typed) break;
    Advance();
  }
  if (given == typed && At(',')) {
    const char* next = lexer_.SkipBlanks(lexer_.at());
    if (*next != '%' && *next != '"' && *next != '{' && !Is(*next, kDigitBit)) {
      // Not a group: one type too many.
      while (Accept(',')) {
        if (ParseType(TypeKind::kTile) == nullptr) return false;
        ++given;
      }
    }
  }
  if (given != typed) {
    WrongTypeCount(at.offset, at.length, given, typed);
  }
  size_t next = types;
  for (size_t i = base; i < operands_.size() && next < types_.size(); ++i) {
    const Operand& operand = operands_[i];
    if (IsString(operand)) continue;
    operands_[i].type = types_[next++];
  }
  types_.resize(types);
  return true;
}

// '(' group {',' group} ')'; operands are pushed, resolved by the caller.
bool Parser::ParseGroups(Stmt* stmt, size_t named) {
  if (!Expect('(')) return false;
  const int errors = diagnostics_->errors();
  const size_t base = operands_.size();
  uint8_t number = 0;
  do {
    if (!ParseGroup(number, named)) return false;
    if (number < 255) ++number;
  } while (Accept(','));
  if (!Expect(')')) return false;
  // All are typed or none; strings have no type.
  const Type* first = nullptr;
  bool any = false;
  for (size_t i = base; i < operands_.size(); ++i) {
    const Operand& operand = operands_[i];
    if (IsString(operand)) continue;
    if (!any) first = operand.type;
    any = true;
    if ((operand.type != nullptr) == (first != nullptr) || diagnostics_->errors() != errors) continue;
    diagnostics_->Error(TextRule::kTypeCount, operand.offset, operand.length,
                        "%.*s types some operands and not this one", PTO_NAME(stmt->name));
  }
  return true;
}

bool Parser::ParseDps(Stmt* stmt) {
  stmt->spelling = Spelling::kDps;
  const size_t named = named_.size();
  ReadSuffixes(*stmt);
  const size_t base = operands_.size();
  if (AcceptWord("ins") && !ParseGroups(stmt, named)) return false;
  const auto settle = [&](auto written_first) {
    for (size_t i = base; i < operands_.size(); ++i) {
      const Type* type = operands_[i].type;
      Resolve(&operands_[i], written_first(i - base));
      GiveType(&operands_[i], type);
    }
  };
  const size_t count = operands_.size() - base;
  settle([&](size_t i) { return IsScratch(i, count); });
  stmt->operands = Commit(&operands_, base);
  if (AcceptWord("outs")) {
    if (!ParseGroups(stmt, named)) return false;
    settle([&](size_t i) { return !IsRead(i, count); });
    stmt->outs = Commit(&operands_, base);
  }
  if (AtWord("maskPattern")) {
    NamedAttr entry{tok_.text, nullptr, tok_.offset};
    Advance();
    if (!Expect('=')) return false;
    entry.value = ParseAttr();
    if (entry.value == nullptr) return false;
    named_.push_back(entry);
  }
  if (!ParseOptionalDict(named)) return false;
  const size_t types = types_.size();
  if (tok_.kind == Tok::kArrow) {
    Advance();
    if (!ParseTypes()) return false;
  }
  stmt->attrs = TakeDict(named);
  stmt->types = Commit(&types_, types);
  operands_.insert(operands_.end(), stmt->operands.begin(), stmt->operands.end());
  TakeIntegers(stmt);
  for (size_t i = base + count; i < operands_.size(); ++i) {
    operands_[i].type = operands_[base].type == nullptr ? nullptr : Scalar(Elem::kI32);
  }
  stmt->operands = Commit(&operands_, base);
  ChooseForm(stmt, stmt->operands, stmt->outs.size(), {});
  TypesOfNumbers(*stmt);
  CheckCounts(*stmt);
  CheckWay(*stmt);
  DefineResults(stmt, stmt->types);
  return true;
}

// ---- %d = [pto.]tadd %a, %b [dict] [: signature] ----------------------------

// `textract %t[%r, %c]`: the integers of the instruction may be indices of its first tile.
void Parser::SpreadIndices(size_t base, size_t most) {
  if (operands_.size() == base) return;
  const std::span<Operand> indices = operands_[base].indices;
  const bool takes = !indices.empty() && operands_.size() - base + indices.size() <= most &&
                     std::any_of(forms_.begin(), forms_.end(), [&](const OpInfo* op) {
                       return op->Count(Role::kInt) == static_cast<int>(indices.size());
                     });
  if (!takes) return;
  operands_[base].indices = {};
  operands_.insert(operands_.end(), indices.begin(), indices.end());
}

bool Parser::ParseOneLine(Stmt* stmt, Spelling spelling) {
  stmt->spelling = spelling;
  const size_t named = named_.size();
  ReadSuffixes(*stmt);
  const size_t base = operands_.size();
  const Counts counts = CountsOf(*stmt, forms_);
  // An instruction that may have no operands has them on its own line, or none.
  if (AtOperand() && (counts.min_ins > 0 || !tok_.first_on_line)) {
    do {
      Operand operand;
      if (!ParseOperand(&operand)) return false;
      operands_.push_back(operand);
    } while (Accept(','));
  }
  SpreadIndices(base, counts.max_ins);
  // tstore %tile, %view: the destination is the last operand.
  const bool store = stmt->Stores();
  if (store && !names_.empty()) {
    return FailAt(*stmt, TextRule::kResultCount, "%.*s has no result: its destination is its last operand",
                  PTO_NAME(stmt->name));
  }
  const size_t last = operands_.size() - (store && operands_.size() > base ? 1 : 0);
  for (size_t i = base; i < operands_.size(); ++i) {
    Resolve(&operands_[i], i >= last || IsScratch(i - base, last - base));
  }
  if (!ParseOptionalDict(named)) return false;
  stmt->attrs = TakeDict(named);
  if (!store) TakeIntegers(stmt);
  const size_t ins_end = operands_.size();
  for (const ResultName& name : names_) {
    if (name.count != 1) {
      diagnostics_->Error(TextRule::kResultCount, name.offset, name.length, "destinations are named one by one");
    }
    Operand out;
    out.name = name.name;
    out.offset = name.offset;
    out.length = name.length;
    operands_.push_back(out);
  }
  const size_t outs = store ? last : ins_end;
  if (Accept(':')) {
    if (!ParseSignature(stmt, base, outs)) return false;
  } else {
    ChooseForm(stmt, {operands_.data() + base, outs - base}, operands_.size() - outs, {});
  }
  for (size_t i = base; i < outs; ++i) GiveType(&operands_[i], operands_[i].type);
  OneLineOuts(stmt, outs - base, outs);
  stmt->outs = Commit(&operands_, outs);
  stmt->operands = Commit(&operands_, base);
  TypesOfNumbers(*stmt);
  names_.clear();
  if (stmt->outs.empty() && counts.min_outs > 0) {
    diagnostics_->Error(TextRule::kResultCount, stmt->offset, stmt->length,
                        "%.*s has a destination: write '%%name =' before it", PTO_NAME(stmt->name));
    return true;
  }
  CheckCounts(*stmt);
  CheckWay(*stmt);
  return true;
}

// Destinations: values that exist already, or new ones. In a bare file a new one
// is an implicit argument, so that all spellings give the same program.
void Parser::OneLineOuts(Stmt* stmt, size_t sources, size_t outs) {
  for (size_t i = outs; i < operands_.size(); ++i) {
    Operand& out = operands_[i];
    const Type* type = out.type;
    const bool read = IsRead(i - outs, sources);
    if (out.value == nullptr) Resolve(&out, !read);
    if (!read && out.value == nullptr && out.kind == OperandKind::kValue && out.index == 0 && !names_.empty()) {
      Value* value = NewValue(out.name, out.offset, out.length, ValueOrigin::kDestination, type);
      value->def = stmt;
      Define(value);
      out.value = value;
    }
    GiveType(&out, type);
  }
}

static bool IsAnyScalar(const Type* type) { return type != nullptr && type->kind == TypeKind::kAnyScalar; }

// The type of a number that has no type, nor a definition that gives it one.
void Parser::TypesOfNumbers(const Stmt& stmt) {
  if (stmt.op == nullptr || !bare_ || !TakesNumbers(*stmt.op)) return;
  const TextOrder& order = SourcesOf(*stmt.op, stmt.operands.size());
  for (size_t i = 0; i < std::min(stmt.operands.size(), static_cast<size_t>(order.count)); ++i) {
    const Role role = stmt.op->operands[order.at[i]].role;
    if (!IsNumber(role)) continue;
    Operand& operand = stmt.operands[i];
    const Type* type = role == Role::kInt ? Scalar(Elem::kI32) : AnyScalar();
    // `dtype` is any type: of an integer that nothing else gives one, this.
    if (IsAnyScalar(operand.type) && (operand.value == nullptr || IsAnyScalar(operand.value->type)))
      GiveType(&operand, type);
    Suppose(operand, type);
  }
}

// Types of sources that are numbers among others: each takes the next one if that is of its kind. A tile
// without one has the last written type, a number the one that it is defined with.
void Parser::TypesOfSources(const OpInfo& op, std::span<Operand> sources, std::span<const Type* const> types,
                            size_t* used) {
  const TextOrder& order = SourcesOf(op, sources.size());
  const Type* tile = AnyTile();
  for (size_t i = 0; i < sources.size(); ++i) {
    if (IsString(sources[i])) continue;
    const bool number = i < static_cast<size_t>(order.count) && IsNumber(op.operands[order.at[i]].role);
    const bool fits = *used < types.size() && types[*used]->IsNumber() == number;
    const Type* type = fits ? types[(*used)++] : number ? AnyScalar() : tile;
    if (!number) tile = type;
    sources[i].type = type;
  }
}

// `%view[%i, %j] : T, index, index`: what indices are needs no type.
void Parser::DropTypesOfIndices(size_t base, size_t end, size_t types) {
  size_t indices = 0;
  for (size_t i = base; i < end; ++i) indices += operands_[i].indices.size();
  if (indices == 0 || types_.size() - types != end - base + indices) return;
  size_t from = types;
  for (size_t i = base; i < end; ++i) {
    types_[types++] = types_[from];
    from += 1 + operands_[i].indices.size();
  }
  types_.resize(types);
}

// T | T, T | (T, T) [-> T | (T, T) | ()]. Fewer types than operands: the last one
// is written for the rest. Without `->` a destination has the first tile type, or those
// that sources leave.
bool Parser::ParseSignature(Stmt* stmt, size_t base, size_t outs) {
  const size_t types = types_.size();
  const Token at = tok_;
  if (At('(')) {
    if (!ParseTypes()) return false;
  } else {
    do {
      if (!ParseTypes()) return false;
    } while (Accept(','));
  }
  for (size_t i = types; i < types_.size(); ++i) types_[i] = AsTaken(types_[i]);
  const bool store = stmt->Stores();
  const size_t ins_end = store ? operands_.size() : outs;
  DropTypesOfIndices(base, ins_end, types);
  const size_t given = types_.size() - types;
  const auto assign = [&](size_t from, size_t to, size_t first, size_t count) {
    size_t k = 0;
    for (size_t i = from; i < to && count > 0; ++i) {
      Operand& operand = operands_[i];
      if (IsString(operand)) continue;
      operand.type = types_[first + std::min(k++, count - 1)];
    }
    if (count > std::max<size_t>(k, 1) || (k == 0 && count > 1)) {
      WrongTypeCount(at.offset, at.length, count, k);
    }
  };
  const size_t count_in = ins_end - base;
  size_t from_out = types_.size();
  bool arrow = false;
  if (tok_.kind == Tok::kArrow) {
    arrow = true;
    Advance();
    do {
      if (!ParseTypes()) return false;
    } while (Accept(','));
    for (size_t i = from_out; i < types_.size(); ++i) types_[i] = AsTaken(types_[i]);
  }
  const std::span<Operand> sources(operands_.data() + base, count_in);
  const std::span<const Type* const> list(types_.data() + types, given);
  // A store's types end with its destination's.
  ChooseForm(stmt, sources.first(outs - base), operands_.size() - outs,
             given == count_in ? list.first(outs - base) : list);
  size_t left = 0;
  if (given == 0) {
    // `() -> T`: sources without types have what their definitions give them.
  } else if (stmt->op != nullptr && TakesNumbers(*stmt->op)) {
    size_t used = 0;
    TypesOfSources(*stmt->op, sources, list, &used);
    left = given - used;
    // If no source is a tile, the types of the destinations may follow.
    if (left != 0 && (arrow || left != operands_.size() - outs || stmt->op->Inputs() != 0)) {
      assign(base, ins_end, types, given);
      left = 0;
    }
  } else {
    assign(base, ins_end, types, given);
  }
  if (!store) {
    if (arrow) {
      assign(outs, operands_.size(), from_out, types_.size() - from_out);
    } else if (left != 0) {
      assign(outs, operands_.size(), types + given - left, left);
    } else if (given > 0 && stmt->op != nullptr && TakesNumbers(*stmt->op)) {
      const auto tile = std::find_if(list.begin(), list.end(), [](const Type* type) { return type->IsTile(); });
      for (size_t i = outs; i < operands_.size(); ++i) operands_[i].type = tile == list.end() ? AnyTile() : *tile;
    } else if (given > 0) {
      const Type* type = types_[types + given - 1];
      for (size_t i = 0; i < given; ++i) {
        if (types_[types + i]->IsTile()) {
          type = types_[types + i];
          break;
        }
      }
      for (size_t i = outs; i < operands_.size(); ++i) operands_[i].type = type;
    }
  }
  types_.resize(types);
  return true;
}

}  // namespace pto::ptoas

// Operations of the vector level. This file reads the operands of their rows (vector/op.h); the check judges the kinds.
//
//   %r = pto.mte_gm_ub %s, %d, %l2, %len nburst(%n, %a, %b) {attrs} : types, loop types -> types
//                      operands          clauses            dictionary
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

namespace {

const vec::ClauseInfo* ClauseOf(const vec::Op& op, std::string_view word) {
  for (const vec::ClauseInfo& info : op.clauses) {
    if (info.word == word) return &info;
  }
  return nullptr;
}

// Replaces an operand that the program leaves out.
constexpr Attr kNothing;

Operand Implied() {
  Operand operand;
  operand.kind = OperandKind::kLiteral;
  operand.literal = &kNothing;
  operand.implied = true;
  return operand;
}

}  // namespace

// %x, %p[%i], 3, "word", word
bool Parser::ParseVectorOperand(const vec::Op& op, size_t number) {
  const vec::Param* param = number < op.in.count ? &op.in.all[number] : nullptr;
  if (param != nullptr && param->kind == vec::Kind::kWord && tok_.kind == Tok::kIdent) {
    Attr* attr = arena_->New<Attr>();
    attr->kind = AttrKind::kString;
    attr->text = tok_.text;
    attr->offset = tok_.offset;
    Operand operand;
    operand.kind = OperandKind::kLiteral;
    operand.literal = attr;
    operand.offset = tok_.offset;
    operand.length = tok_.length;
    operands_.push_back(operand);
    Advance();
    return true;
  }
  Operand operand;
  if (!ParseOperand(&operand)) return false;
  Resolve(&operand, false);
  const std::span<Operand> indices = operand.indices;
  operand.indices = {};
  operand.place = !indices.empty();
  operands_.push_back(operand);
  operands_.insert(operands_.end(), indices.begin(), indices.end());
  return true;
}

// Up to the closing parenthesis: operands, and words with or without a value.
bool Parser::ParseClause(const vec::ClauseInfo& info, size_t base, std::vector<Clause>* clauses) {
  Clause clause{&info, static_cast<uint16_t>(operands_.size() - base), 0, {}, tok_.offset, tok_.length};
  const size_t named = named_.size();
  Advance();
  if (Accept('(')) {
    while (!At(')')) {
      if (tok_.kind == Tok::kIdent) {
        NamedAttr entry{tok_.text, nullptr, tok_.offset};
        Advance();
        if (Accept('=')) {
          if (tok_.kind == Tok::kValue) {
            // clip = %c: the value is an operand, and the word names it.
            if (!ParseResolvedOperand()) return false;
          } else {
            entry.value = ParseAttr(false);
            if (entry.value == nullptr) return false;
          }
        }
        named_.push_back(entry);
      } else if (!ParseResolvedOperand()) {
        return false;
      }
      if (!Accept(',')) break;
    }
    if (!Expect(')')) return false;
  }
  clause.end = static_cast<uint16_t>(operands_.size() - base);
  clause.options = TakeDict(named);
  clauses->push_back(clause);
  return true;
}

// Types with the words of clauses between them, and parentheses around some.
bool Parser::ParseVectorTypes(const vec::Op& op) {
  int open = 0;
  do {
    while (tok_.kind == Tok::kIdent && ClauseOf(op, tok_.text) != nullptr) Advance();
    if (Accept(',')) continue;  // nd2nz, shape
    while (Accept('(')) ++open;
    if (At(',') || tok_.kind == Tok::kArrow) continue;
    const Type* type = ParseType(TypeKind::kPtr);
    if (type == nullptr) return false;
    types_.push_back(type);
    while (open > 0 && Accept(')')) --open;
  } while (Accept(',') || (tok_.kind == Tok::kIdent && !tok_.first_on_line && ClauseOf(op, tok_.text) != nullptr));
  return open == 0 || Expect(')');
}

// Gives each operand its type. Indices may lack theirs, as may integers that are written.
void Parser::GiveVectorTypes(const Stmt& stmt, size_t base, size_t types, const Token& at) {
  const size_t given = types_.size() - types;
  const auto counts = [&](int strict) {
    size_t count = 0;
    for (size_t i = base; i < operands_.size(); ++i) {
      const Operand& operand = operands_[i];
      if (operand.implied || IsString(operand)) continue;
      if (strict < 2 && i > base && operands_[i - 1].place) continue;
      if (strict == 0 && operand.kind == OperandKind::kLiteral) continue;
      ++count;
    }
    return count;
  };
  int strict = 2;
  while (strict > 0 && counts(strict) != given) --strict;
  const size_t wanted = counts(strict);
  size_t next = 0;
  for (size_t i = base; i < operands_.size(); ++i) {
    Operand& operand = operands_[i];
    if (operand.implied || IsString(operand)) continue;
    const bool index = i > base && operands_[i - 1].place;
    if ((strict < 2 && index) || (strict == 0 && operand.kind == OperandKind::kLiteral)) {
      if (index) Suppose(operand, Scalar(Elem::kIndex));
      continue;
    }
    if (next < given) GiveType(&operand, types_[types + next]);
    ++next;
  }
  // The first documents wrote fewer types for copies.
  if (given != wanted && !(stmt.vector->also == vec::Also::kCopy && given < wanted && given >= 2)) {
    WrongTypeCount(at.offset, at.length, given, counts(1));
  }
}

// Operands that the row has and the program leaves out, so that each has the number of its row.
bool Parser::FillVectorOperands(Stmt* stmt, size_t base, size_t mains) {
  const vec::Op& op = *stmt->vector;
  std::vector<Operand> filled;
  size_t next = 0;
  for (size_t i = 0; i < op.in.count; ++i) {
    const vec::Param& param = op.in.all[i];
    const bool index = param.kind == vec::Kind::kPlaceIndex;
    const bool after_place = next > 0 && operands_[base + next - 1].place;
    bool there = next < mains;
    if (there && param.maybe) there = index ? after_place : mains - next >= vec::Op::Count(op.in, true) - i;
    if (there && index && !after_place) there = false;
    if (!there && !param.maybe) break;
    filled.push_back(there ? operands_[base + next++] : Implied());
  }
  if (next != mains || filled.size() != op.in.count) {
    size_t least = op.Least();
    return FailAt(*stmt, TextRule::kOperandCount, "%.*s takes %zu operand%s, not %zu", PTO_NAME(op.name), least,
                  Plural(least), mains);
  }
  const std::vector<Operand> rest(operands_.begin() + static_cast<std::ptrdiff_t>(base + mains), operands_.end());
  operands_.resize(base);
  operands_.insert(operands_.end(), filled.begin(), filled.end());
  operands_.insert(operands_.end(), rest.begin(), rest.end());
  return true;
}

bool Parser::ParseVectorOp(Stmt* stmt) {
  const vec::Op& op = *stmt->vector;
  stmt->arith = op.arith;
  const Marks start = Mark();
  std::vector<Clause> clauses;
  const auto at_clause = [&] { return tok_.kind == Tok::kIdent && ClauseOf(op, tok_.text) != nullptr; };
  size_t mains = 0;
  const bool takes = op.in.count != 0 || !op.refused.empty();
  const auto begins = [&] {
    if (tok_.first_on_line && tok_.kind == Tok::kValue) return false;  // the next statement
    return AtOperand() && !AtQuotedStatement();
  };
  const auto at_word = [&] {
    const size_t number = operands_.size() - start.operands;
    return number < op.in.count && op.in.all[number].kind == vec::Kind::kWord && tok_.kind == Tok::kIdent &&
           !at_clause();
  };
  if (takes && (begins() || at_word())) {
    do {
      if (at_clause()) break;
      if (!ParseVectorOperand(op, operands_.size() - start.operands)) return false;
    } while (Accept(','));
  }
  mains = operands_.size() - start.operands;
  while (at_clause()) {
    if (!ParseClause(*ClauseOf(op, tok_.text), start.operands, &clauses)) return false;
    Accept(',');
  }
  if (!ParseOptionalDict(start.named)) return false;
  if (!op.refused.empty()) {
    // Its operands are unknown.
    if (Accept(':') && !ParseVectorTypes(op)) return false;
    if (names_.empty()) types_.resize(start.types);
  } else {
    const size_t before = operands_.size();
    if (!FillVectorOperands(stmt, start.operands, mains)) return false;
    const size_t more = operands_.size() - before;
    for (Clause& clause : clauses) {
      clause.begin = static_cast<uint16_t>(clause.begin + more);
      clause.end = static_cast<uint16_t>(clause.end + more);
    }
  }
  const bool typed = std::any_of(operands_.begin() + static_cast<std::ptrdiff_t>(start.operands), operands_.end(),
                                 [](const Operand& one) { return !one.implied && !IsString(one); });
  const Token at = tok_;
  if (op.refused.empty() && Accept(':')) {
    if (typed) {
      if (!ParseVectorTypes(op)) return false;
      // Some programs write the type of the number first.
      if (op.pointer_first && types_.size() == start.types + 2 &&
          (types_[start.types]->kind == TypeKind::kPtr || types_[start.types + 1]->kind != TypeKind::kPtr)) {
        std::swap(types_[start.types], types_[start.types + 1]);
      }
      GiveVectorTypes(*stmt, start.operands, start.types, at);
      types_.resize(start.types);
    } else if (tok_.kind == Tok::kArrow) {
      return Expected("a type");
    } else if (!ParseVectorTypes(op)) {
      return false;
    }
  } else if (op.refused.empty() && typed) {
    return Expected("':'");
  }
  if (tok_.kind == Tok::kArrow) {
    Advance();
    types_.resize(start.types);
    if (!ParseVectorTypes(op)) return false;
  }
  stmt->types = arena_->Copy(types_.data() + start.types, types_.size() - start.types);
  types_.resize(start.types);
  Finish(stmt, start);
  stmt->clauses = arena_->Copy(clauses.data(), clauses.size());
  return DefineVectorResults(stmt);
}

bool Parser::DefineVectorResults(Stmt* stmt) {
  const vec::Op& op = *stmt->vector;
  const size_t count = stmt->types.size();
  const size_t least = vec::Op::Count(op.out, false);
  if (op.refused.empty() && (count < least || count > op.out.count)) {
    return FailAt(*stmt, TextRule::kResultCount, "%.*s makes %zu value%s, not %zu", PTO_NAME(op.name), least,
                  Plural(least), count);
  }
  if (count != 0 && names_.empty()) {
    return FailAt(*stmt, TextRule::kResultCount, "the statement makes %s: write '%%name =' before it",
                  count == 1 ? "a value" : "values");
  }
  DefineResults(stmt, stmt->types);
  return true;
}

// (%a, %b) { ^bb0(%x: T, %y: U): ... } : (T, U) -> ()
bool Parser::ParseStrictScope(Stmt* stmt) {
  const size_t base = operands_.size();
  if (!Expect('(')) return false;
  while (!At(')')) {
    if (!ParseResolvedOperand()) return false;
    if (!Accept(',')) break;
  }
  if (!Expect(')')) return false;
  const size_t count = operands_.size() - base;
  NameOperands(stmt, {count});
  const std::span<Operand> captures = Commit(&operands_, base);
  stmt->operands = captures;
  const Depth depth(this);
  if (TooDeep() || !Expect('{')) return false;
  ++braces_;
  const size_t mark = scope_.Mark();
  Block* block = arena_->New<Block>();
  if (tok_.kind == Tok::kLabel) {
    Advance();
    if (!ParseBlockArgs(block) || !Expect(':')) return false;
  }
  ParseStatements(block);
  scope_.Leave(mark);
  if (!At('}')) return Expected("'}'");
  --braces_;
  Advance();
  stmt->blocks = arena_->Copy(&block, 1);
  const size_t types = types_.size();
  const Token at = tok_;
  if (!Expect(':') || !ParseTypes() || !ExpectArrow() || !Expect('(') || !Expect(')')) return false;
  const size_t given = types_.size() - types;
  if (given != count) WrongTypeCount(at.offset, at.length, given, count);
  for (size_t i = 0; i < std::min(given, count); ++i) GiveType(&captures[i], types_[types + i]);
  types_.resize(types);
  names_.clear();
  return true;
}

// The clauses of an operation in the generic form: their operands are the last ones, in the order of the row. The
// segment sizes have a number for each operand, then one for each clause; without them only the clauses are there that
// must be. Options, and clauses without operands, are attributes: sat, unit_flag = {check_only}. `begin`: the number of
// operands before the clauses. They are taken off the attributes. False: the sizes or attributes do not fit.
bool Parser::GenericClauses(const Stmt& stmt, const Generic& op, size_t values, std::vector<NamedAttr>* kept,
                            std::vector<Clause>* clauses, size_t* begin) {
  const vec::Op& row = *stmt.vector;
  size_t mains = 0;
  for (const vec::Param& param : row.in) mains += param.kind != vec::Kind::kWord ? 1U : 0U;
  const bool segments = SegmentOf(op.dict, 0) >= 0;
  size_t all = 0;
  for (size_t i = 0; i < row.clauses.size(); ++i) {
    const vec::ClauseInfo& info = row.clauses[i];
    const int64_t size = segments ? SegmentOf(op.dict, mains + i) : info.needed ? info.least : 0;
    const auto found =
        std::find_if(kept->begin(), kept->end(), [&](const NamedAttr& entry) { return entry.name == info.word; });
    Dict options;
    if (found != kept->end()) {
      if (found->value != nullptr && found->value->kind != AttrKind::kDict) return false;
      if (found->value != nullptr) options = found->value->dict;
      kept->erase(found);
    } else if (size <= 0) {
      continue;
    }
    size_t left = static_cast<size_t>(std::max<int64_t>(size, 0));
    if (left > values - all) return false;
    do {
      const size_t count = info.repeats ? std::min<size_t>(left, info.most) : left;
      clauses->push_back(
          {&info, static_cast<uint16_t>(all), static_cast<uint16_t>(all + count), options, op.offset, op.length});
      all += count;
      left -= count;
    } while (left != 0);
  }
  *begin = values - all;
  return true;
}

// Words are attributes in this form and operands in the other.
bool Parser::GenericVectorOp(Stmt* stmt, Generic* op) {
  const vec::Op& row = *stmt->vector;
  stmt->arith = row.arith;
  if (!row.refused.empty()) return NoGenericForm(*op);
  GenericOperands(op, SIZE_MAX);
  std::vector<Operand> values(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), operands_.end());
  std::vector<Operand> filled;
  std::vector<NamedAttr> kept(stmt->attrs.begin(), stmt->attrs.end());
  std::vector<Clause> clauses;
  size_t begin = 0;
  if (!GenericClauses(*stmt, *op, values.size(), &kept, &clauses, &begin)) return NoGenericForm(*op);
  const std::vector<Operand> last(values.begin() + static_cast<std::ptrdiff_t>(begin), values.end());
  values.resize(begin);
  size_t next = 0;
  size_t word = 0;
  size_t needed = 0;
  for (const vec::Param& param : row.in) needed += param.kind != vec::Kind::kWord && !param.maybe ? 1U : 0U;
  size_t spare = values.size() < needed ? 0 : values.size() - needed;
  for (const vec::Param& param : row.in) {
    if (param.kind == vec::Kind::kWord) {
      const vec::Choice& choice = *row.words[word++];
      const auto found = std::find_if(kept.begin(), kept.end(), [&](const NamedAttr& entry) {
        return entry.name == choice.key || (!choice.also.empty() && entry.name == choice.also);
      });
      if (found == kept.end() || found->value == nullptr || found->value->kind != AttrKind::kString) {
        return NoGenericForm(*op);
      }
      Operand operand;
      operand.kind = OperandKind::kLiteral;
      operand.literal = found->value;
      operand.offset = found->value->offset;
      filled.push_back(operand);
      kept.erase(found);
      continue;
    }
    if (param.maybe && spare == 0) {
      filled.push_back(Implied());
      continue;
    }
    spare -= param.maybe ? 1U : 0U;
    if (next == values.size()) return GenericCount(*op, needed, needed);
    if (param.kind == vec::Kind::kPlaceIndex) filled.back().place = true;
    filled.push_back(values[next++]);
    if (param.kind == vec::Kind::kPlaceIndex && !param.typed)
      filled.back().type = nullptr;  // as its own form writes it
  }
  if (next != values.size()) return GenericCount(*op, needed, needed);
  for (Clause& clause : clauses) {
    clause.begin = static_cast<uint16_t>(clause.begin + filled.size());
    clause.end = static_cast<uint16_t>(clause.end + filled.size());
  }
  filled.insert(filled.end(), last.begin(), last.end());
  stmt->attrs = arena_->Copy(kept.data(), kept.size());
  stmt->clauses = arena_->Copy(clauses.data(), clauses.size());
  operands_.resize(op->operands);
  stmt->operands = arena_->Copy(filled.data(), filled.size());
  stmt->types = arena_->Copy(types_.data() + op->results, types_.size() - op->results);
  return DefineVectorResults(stmt);
}

}  // namespace pto::ptoas

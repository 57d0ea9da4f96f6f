// Statements of the pto dialect that have a syntax of their own.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"
#include "src/records/attributes.h"
#include "src/records/nearest.h"
#include "src/records/table.h"

namespace pto::ptoas {
namespace {

// Locations by their letters, in the order of Loc.
constexpr std::string_view kLocLetters = "vmlrabs";
static_assert(static_cast<int>(Loc::kScaling) == 6);

// `m2l`, `v2v` ...: from one location to another, or `s2d`, from any to any.
bool IsWay(std::string_view word) {
  const auto letter = [&](char c) { return kLocLetters.find(c) != kLocLetters.npos; };
  return word == "s2d" || (word.size() == 3 && letter(word[0]) && word[1] == '2' && letter(word[2]));
}

bool MovesTile(const OpInfo* op) { return op->walk == Walk::kMove; }

}  // namespace

std::string UnknownText(const Stmt& stmt) {
  Nearest nearest(stmt.name);
  for (const OpInfo* op : kOps) nearest.Offer(op->mnemonic);
  for (const StmtInfo& info : PtoStmts()) nearest.Offer(info.name);
  return "libpto does not know pto." + std::string(stmt.name.substr(0, 60)) + nearest.Question();
}

void Parser::Finish(Stmt* stmt, const Marks& start) {
  stmt->operands = Commit(&operands_, start.operands);
  stmt->attrs = TakeDict(start.named);
}

bool Parser::ParseTyped(const Marks& start, TypeKind abbreviated, const Type** type) {
  if (!ParseOptionalDict(start.named) || !Expect(':')) return false;
  *type = ParseType(abbreviated);
  return *type != nullptr;
}

bool Parser::ParseArrowType(TypeKind abbreviated, const Type** type) {
  if (!ExpectArrow()) return false;
  *type = ParseType(abbreviated);
  return *type != nullptr;
}

// The name in the table or the dialect; values of attributes may follow it, as in mgather.row.clamp.
void Parser::NameInstruction(Stmt* stmt, std::string_view mnemonic) {
  if (mnemonic == "tconcatidx") mnemonic = "tconcat";  // with counts
  if (constexpr std::string_view kComm = "comm."; mnemonic.starts_with(kComm) && FindStmt(mnemonic) == nullptr) {
    const StmtInfo* copies = FindStmt(mnemonic.substr(kComm.size()));
    if (copies != nullptr && copies->kind == StmtKind::kAsync) mnemonic = copies->name;
  }
  std::string_view name = mnemonic;
  while ((forms_ = FindInstruction(name)).empty() && FindStmt(name) == nullptr) {
    const size_t dot = name.rfind('.');
    if (dot == name.npos) break;
    name = name.substr(0, dot);
  }
  suffixes_ = forms_.empty() ? std::string_view() : mnemonic.substr(name.size());
  // exp, sqrt and their like are functions of numbers, and nearly the names of instructions: texp, tsqrt.
  const bool tiles = stmt->spelling == Spelling::kAsm || AtWord("ins") || AtWord("outs");
  if (!forms_.empty()) mnemonic = name;
  stmt->name = mnemonic;
  if (!forms_.empty()) {
    stmt->op = forms_[0];
    stmt->name = stmt->op->own_mnemonic ? stmt->op->name : stmt->op->mnemonic;
  } else if (const StmtInfo* info = FindStmt(mnemonic); info != nullptr) {
    stmt->Become(*info);
  } else if (const vec::Op* op = vec::Find(mnemonic); op != nullptr && !(op->arith != ArithOp::kNone && tiles)) {
    stmt->Become(InfoOf("vector level"));
    stmt->vector = op;
    stmt->name = op->name;
  }
}

bool Parser::ParsePto(Stmt* stmt, std::string_view mnemonic, Spelling one_line) {
  stmt->spelling = one_line;
  NameInstruction(stmt, mnemonic);
  if (stmt->vector != nullptr) return ParseVectorOp(stmt);
  if (FormOf(*stmt->info) != nullptr && !stmt->info->own) return ParseForm(stmt);
  if (!stmt->info->IsInstruction()) return ParseOwnForm(stmt);
  const bool unknown = forms_.empty() && stmt->info->name.empty() && one_line == Spelling::kSsa;
  return unknown ? ParseUnknown(stmt) : ParseInstruction(stmt, one_line);
}

bool Parser::ParseInstruction(Stmt* stmt, Spelling one_line) {
  return AtWord("ins") || AtWord("outs") ? ParseDps(stmt) : ParseOneLine(stmt, one_line);
}

// An instruction that libpto does not know. Where it is not written as instructions are it has a grammar of its own:
// nothing is reported about that, and all of it is left out.
bool Parser::ParseUnknown(Stmt* stmt) {
  const char* const after = lexer_.begin() + tok_.offset;
  const size_t said = diagnostics_->list().size();
  const size_t comments = lexer_.comments().size();
  const int braces = braces_;
  const bool good = ParseInstruction(stmt, Spelling::kSsa) && diagnostics_->list().size() == said;
  if (good && (tok_.first_on_line || At('}') || At(';') || AtWord("loc") || tok_.kind == Tok::kEnd)) return true;
  if (!diagnostics_->Full()) diagnostics_->Drop(said);
  if (const std::string_view why = vec::WhyRefused(stmt->name); !why.empty()) {
    FailAt(*stmt, TextRule::kUnsupportedInstruction, "%.*s is not executed: %.*s", PTO_NAME(stmt->name),
           static_cast<int>(why.size()), why.data());
  } else {
    FailAt(*stmt, TextRule::kUnknownInstruction, "%s", UnknownText(*stmt).c_str());
  }
  braces_ = braces;
  lexer_.comments().resize(std::min(comments, lexer_.comments().size()));
  AdvanceFrom(after);
  while (tok_.kind != Tok::kEnd && !At('}') && !AtStatement()) {
    At('{') || At('(') || At('[') ? SkipBalanced() : Advance();
  }
  return false;
}

// The words after the instruction's name, as if they were in the dictionary. The direction of a move is known from
// its operands, too.
void Parser::ReadSuffixes(const Stmt& stmt) {
  way_ = {};
  while (!suffixes_.empty()) {
    const std::string_view word = suffixes_.substr(1, suffixes_.find('.', 1) - 1);
    suffixes_.remove_prefix(word.size() + 1);
    Attr value;
    value.kind = AttrKind::kName;
    value.text = word;
    const AttributeInfo* info = nullptr;
    for (const OpInfo* form : forms_) {
      if (info == nullptr) info = FindAttributeByValue(*form, &value);
    }
    if (info != nullptr) {
      named_.push_back({info->key, arena_->Copy(&value, 1).data(), stmt.offset});
    } else if (IsWay(word) && std::all_of(forms_.begin(), forms_.end(), MovesTile)) {
      way_ = word;
    } else {
      diagnostics_->Error(TextRule::kAttributeValue, stmt.offset, stmt.length,
                          "'%.*s' is the value of no attribute of %.*s", PTO_NAME(word), PTO_NAME(stmt.name));
    }
  }
}

// The locations of both tiles of a move must match its name, as far as they are known.
void Parser::CheckWay(const Stmt& stmt) {
  if (way_.empty() || way_ == "s2d" || stmt.operands.empty() || stmt.outs.empty()) return;
  const Operand* ends[] = {&stmt.operands[0], &stmt.outs[0]};
  for (size_t i = 0; i < 2; ++i) {
    const Operand& end = *ends[i];
    const Type* type = end.value != nullptr && end.value->type != nullptr ? end.value->type : end.type;
    const Loc loc = static_cast<Loc>(kLocLetters.find(way_[2 * i]));
    if (type == nullptr || type->kind != TypeKind::kTile || type->loc == loc) continue;
    diagnostics_->Error(TextRule::kOperandType, end.offset, end.length, "%.*s.%.*s moves %s a tile of %s, not of %s",
                        PTO_NAME(stmt.name), PTO_NAME(way_), i == 0 ? "from" : "to", NameOf(loc), NameOf(type->loc));
  }
}

// Statements with a grammar of their own.
bool Parser::ParseOwnForm(Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::kTreshape:
      return ParseTreshape(stmt);
    case StmtKind::kSubset:
      return stmt->Is("subset") ? ParseSubset(stmt) : ParseSubview(stmt);
    case StmtKind::kTassign:
      return ParseTassign(stmt);
    case StmtKind::kTSetVal:
      return ParseTSetVal(stmt);
    case StmtKind::kPrint:
    case StmtKind::kTPrint:
      return ParsePrint(stmt);
    case StmtKind::kSync:
      return ParseSync(stmt);
    case StmtKind::kCoreSet:
    case StmtKind::kCoreWait:
      return ParseCoreSync(stmt);
    case StmtKind::kSyncAll:
      return ParseSyncAll(stmt);
    case StmtKind::kSection:
      return ParseStrictScope(stmt);
    case StmtKind::kOther:
      return ParseTGetVal(stmt);
    case StmtKind::kCall:
      return ParseLaunch(stmt);
    default:
      return ParsePipe(stmt);
  }
}

// ins(%t, %i : type, index) outs : type, or %t[%i] / %t, %i [: (types) -> type]
bool Parser::ParseTGetVal(Stmt* stmt) {
  const Marks start = Mark();
  const size_t base = start.operands;
  const Type* result = nullptr;
  const bool ins = AcceptWord("ins");
  if (ins && !Expect('(')) return false;
  do {
    Operand operand;
    if (!ParseOperand(&operand)) return false;
    Resolve(&operand, false);
    const std::span<Operand> indices = operand.indices;
    operand.indices = {};
    operands_.push_back(operand);
    operands_.insert(operands_.end(), indices.begin(), indices.end());
  } while (Accept(','));
  const auto operands = std::span(operands_).subspan(base);
  if (operands.size() != 2 || std::any_of(operands.begin(), operands.end(), IsString)) {
    return FailAt(*stmt, TextRule::kOperandCount, "tgetval takes a tile and an offset");
  }
  if (ins) {
    if (!ParseOperandTypes(base) || !Expect(')') || !ExpectWord("outs") || !Expect(':')) return false;
    result = ParseType();
    if (result == nullptr || !ParseOptionalDict(start.named)) return false;
  } else {
    if (!ParseOptionalDict(start.named)) return false;
    if (Accept(':')) {
      const size_t types = types_.size();
      do {
        if (!ParseTypes()) return false;
      } while (Accept(','));
      for (size_t i = 0; i < std::min<size_t>(2, types_.size() - types); ++i) {
        GiveType(&operands_[base + i], types_[types + i]);
      }
      types_.resize(types);
      if (!ParseArrowType(TypeKind::kOpaque, &result)) return false;
    }
  }
  Suppose(operands_[base + 1], Scalar(Elem::kIndex));
  FinishWith(stmt, start, result);
  return true;
}

// ins(%i, %x : index, type) outs(%t : type)
bool Parser::ParseTSetVal(Stmt* stmt) {
  if (!ParseDps(stmt)) return false;
  if (stmt->operands.size() != 2 || stmt->outs.size() != 1) {
    return FailAt(*stmt, TextRule::kOperandCount, "tsetval takes ins(offset, value) and outs(tile)");
  }
  return true;
}

// print ins("%f", %x : type); tprint ins(%t : type) or tprint %t [: type]
bool Parser::ParsePrint(Stmt* stmt) {
  const bool tile = stmt->kind == StmtKind::kTPrint;
  const bool good = AtWord("ins") ? ParseDps(stmt) : ParseOneLine(stmt, stmt->spelling);
  if (!good) return false;
  const size_t count = stmt->operands.size();
  if (tile ? count != 1
           : count == 0 || count > 2 || stmt->operands[0].kind != OperandKind::kLiteral ||
                 stmt->operands[0].literal->kind != AttrKind::kString) {
    return FailAt(*stmt, TextRule::kOperandCount, "%s",
                  tile ? "tprint takes a tile" : "print takes a format and a scalar");
  }
  if (!stmt->outs.empty()) {
    return FailAt(*stmt, TextRule::kResultCount, "%.*s makes no value", PTO_NAME(stmt->name));
  }
  return true;
}

// [operands], operands or ins(operands); pipes and flags are not counted
bool Parser::ParseSync(Stmt* stmt) {
  const Marks start = Mark();
  if (AtWord("ins")) {
    if (!ParseDps(stmt)) return false;
    stmt->around = Around::kIns;
    return true;
  }
  const bool bracketed = Accept('[');
  stmt->around = bracketed ? Around::kBrackets : Around::kNothing;
  if (bracketed ? !At(']') : AtOperand() && !AtQuotedStatement() && !(tok_.kind == Tok::kValue && tok_.first_on_line)) {
    do {
      if (!ParseResolvedOperand()) return false;
    } while (Accept(',') && !(bracketed && At(']')));
  }
  if ((bracketed && !Expect(']')) || !ParseOptionalDict(start.named)) return false;
  if (At(':') && !ParseOperandTypes(start.operands)) return false;
  Finish(stmt, start);
  DefineResults(stmt, {});
  return true;
}

}  // namespace pto::ptoas

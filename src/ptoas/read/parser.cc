// Files, blocks and statements; names and their values; going on after errors.
#include "src/ptoas/read/parser.h"

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <unordered_map>

#include "src/ptoas/read/parser_impl.h"
#include "src/ptoas/read/views.h"

namespace pto::ptoas {

Program Parse(std::string_view text, Diagnostics* diagnostics) {
  Program program;
  const bool fits = text.size() <= kMaxSourceBytes;
  const size_t bytes = fits ? text.size() : 0;
  // The lexer wants a zero byte after the text.
  char* copy = static_cast<char*>(program.arena->Allocate(bytes + 1, 1));
  if (bytes != 0) std::memcpy(copy, text.data(), bytes);
  copy[bytes] = 0;
  program.source = {copy, bytes};
  diagnostics->SetSource(program.source);
  if (!fits) {
    diagnostics->Error(TextRule::kSourceSize, 0, 0, "the program has %zu bytes, more than %zu", text.size(),
                       kMaxSourceBytes);
    return program;
  }
  // Programs are passed on as C strings, which end at a NUL; and data with a NUL was not meant as a program.
  if (const void* nul = std::memchr(copy, 0, bytes)) {
    diagnostics->Error(TextRule::kCharacter, static_cast<uint32_t>(static_cast<const char*>(nul) - copy), 1,
                       "the text contains byte 0x00; none of it is read");
    return program;
  }
  Parser parser(&program, diagnostics);
  parser.ParseFile();
  diagnostics->DropCounts();
  FindViews(&program);
  return program;
}

Parser::Parser(Program* program, Diagnostics* diagnostics)
    : program_(program),
      arena_(program->arena.get()),
      diagnostics_(diagnostics),
      lexer_(program->source, diagnostics),
      seed_(reinterpret_cast<uintptr_t>(program->arena.get())),
      scope_(seed_),
      implicit_scope_(seed_),
      written_(256) {}

// ---- tokens -----------------------------------------------------------------

bool Parser::Fail(TextRule rule, const char* format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diagnostics_->Error(rule, tok_.offset, tok_.length, "%s", text);
  return false;
}

// At a statement's name, for what is wrong with all of it.
bool Parser::FailAt(const Stmt& stmt, TextRule rule, const char* format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diagnostics_->Error(rule, stmt.offset, stmt.length, "%s", text);
  return false;
}

bool Parser::Expected(const char* what) {
  if (tok_.kind == Tok::kEnd) return Fail(TextRule::kSyntax, "expected %s, found the end of the program", what);
  const std::string_view found = program_->source.substr(tok_.offset, std::min<uint32_t>(tok_.length, 40));
  return Fail(TextRule::kSyntax, "expected %s, found '%.*s'", what, static_cast<int>(found.size()), found.data());
}

bool Parser::Expect(char c) {
  if (Accept(c)) return true;
  const char what[] = {'\'', c, '\'', 0};
  return Expected(what);
}

bool Parser::ExpectWord(std::string_view word) {
  if (AcceptWord(word)) return true;
  char what[40];
  std::snprintf(what, sizeof what, "'%.*s'", PTO_NAME(word));
  return Expected(what);
}

bool Parser::ExpectArrow() {
  if (tok_.kind != Tok::kArrow) return Expected("'->'");
  Advance();
  return true;
}

void Parser::FailNesting() {
  Fail(TextRule::kNesting, "more than %d regions, types or attributes inside one another", kMaxNesting);
}

bool Parser::TooDeep() {
  if (depth_ <= kMaxNesting) return false;
  FailNesting();
  return true;
}

void Parser::WrongTypeCount(uint32_t offset, uint32_t length, size_t given, size_t count, const char* what) {
  diagnostics_->Error(TextRule::kTypeCount, offset, length, "%zu type%s for %zu %s%s", given, Plural(given), count,
                      what, Plural(count));
}

Parser::Marks Parser::Mark() const {
  return {operands_.size(), values_.size(), types_.size(), named_.size(), attrs_.size(), blocks_.size(), stmts_.size()};
}

void Parser::Reset(const Marks& marks) {
  operands_.resize(marks.operands);
  values_.resize(marks.values);
  types_.resize(marks.types);
  named_.resize(marks.named);
  attrs_.resize(marks.attrs);
  blocks_.resize(marks.blocks);
  stmts_.resize(marks.stmts);
}

std::span<const std::string_view> Parser::TakeComments() {
  std::vector<Comment>& pending = lexer_.comments();
  if (pending.empty()) return {};
  std::string_view* texts = static_cast<std::string_view*>(
      arena_->Allocate(pending.size() * sizeof(std::string_view), alignof(std::string_view)));
  for (size_t i = 0; i < pending.size(); ++i) new (texts + i) std::string_view(pending[i].text);
  const size_t count = pending.size();
  pending.clear();
  return {texts, count};
}

// Whether the token looks like the first of a statement, and is the first on its line.
bool Parser::AtStatement() const {
  if (!tok_.first_on_line) return false;
  if (tok_.kind == Tok::kValue || tok_.kind == Tok::kString) return true;
  if ((tok_.kind == Tok::kBang || tok_.kind == Tok::kHash) && braces_ == 0) return true;
  if (tok_.kind != Tok::kIdent) return false;
  const std::string_view word = tok_.text;
  return word.find('.') != word.npos || word == "return" || word == "call" || word == "module" ||
         FindStmt(word) != nullptr || !FindInstruction(word).empty();
}

// Skips to where a statement may begin, or to the brace that ends the block.
// `braces` is how many were open when the statement began.
void Parser::Synchronise(int braces) {
  while (tok_.kind != Tok::kEnd && !AtStatement()) {
    if (At('{')) {
      SkipBalanced();
      continue;
    }
    if (At('}')) {
      if (braces_ <= braces) break;
      --braces_;
    }
    Advance();
  }
  braces_ = braces;
}

// From an opening bracket to after the closing one.
void Parser::SkipBalanced() {
  int open = 0;
  do {
    if (At('{') || At('(') || At('[')) ++open;
    if (At('}') || At(')') || At(']')) --open;
    Advance();
  } while (open > 0 && tok_.kind != Tok::kEnd);
}

// ---- file and functions -----------------------------------------------------

void Parser::ParseFile() {
  Advance();
  std::vector<Module*> modules;
  Module* implicit = arena_->New<Module>();
  implicit->implicit = true;
  ParseTopLevel(implicit, &modules);
  program_->closing_comments = TakeComments();
  program_->modules = arena_->Copy(modules.data(), modules.size());
  for (const Module* module : modules) {
    const Attr* arch = FindAttr(module->attrs, "pto.target_arch");
    if (arch == nullptr || program_->arch) continue;
    // As upstream: what is not known is A2 and A3. Lint reports it.
    program_->arch = ProfileByArch(arch->text).value_or(Profile::kA2A3);
  }
  ResolveCalls(modules);
}

void Parser::ParseTopLevel(Module* implicit, std::vector<Module*>* modules) {
  std::vector<Func*> funcs;
  bool mixed = false;
  const auto is_func = [this] { return AtWord("func.func") || AtWord("func") || AtGeneric("func.func"); };
  while (tok_.kind != Tok::kEnd) {
    const bool generic = AtGeneric("builtin.module");
    const bool declares = is_func() || generic || AtWord("module");
    const bool has_funcs = !funcs.empty() || !modules->empty();
    if (!mixed && (declares ? !bare_stmts_.empty() : has_funcs) && !At('}')) {
      mixed = true;
      Fail(TextRule::kMixedTopLevel,
           declares ? "a function after bare statements" : "a bare statement beside functions");
    }
    if (generic || AtWord("module")) {
      Module* module = arena_->New<Module>();
      module->comments = TakeComments();
      modules->push_back(module);
      if (!(generic ? ParseGenericModule(module) : ParseModule(module))) Synchronise(0);
    } else if (is_func()) {
      if (!ParseFunc(&funcs)) Synchronise(0);
    } else if (At('}')) {
      Expected("a statement or a function");
      Advance();
    } else if (tok_.kind == Tok::kBang || tok_.kind == Tok::kHash) {
      if (!ParseAlias()) Synchronise(0);
    } else {
      ParseBareStatement();
    }
  }
  if (!funcs.empty()) {
    implicit->funcs = arena_->Copy(funcs.data(), funcs.size());
    modules->insert(modules->begin(), implicit);
    CheckSymbols(implicit, funcs);
  }
  if (!bare_stmts_.empty()) {
    FinishBare(implicit);
    modules->insert(modules->begin(), implicit);
  }
}

void Parser::ParseBareStatement() {
  bare_ = true;
  const size_t base = stmts_.size();
  Stmt* stmt = ParseStatement();
  stmts_.resize(base);
  if (stmt != nullptr) bare_stmts_.push_back(stmt);
  bare_ = false;
}

// `pto.tassign %arg0, @tile(0x1000)` as the documents write it, where nothing else is
// called %arg0: the program's first tile. Other names stay arguments of their own.
void Parser::ResolvePlaced() {
  std::vector<Value*> tiles;
  for (Value* value : implicit_values_) {
    if (value->type == nullptr || value->type->IsTile()) tiles.push_back(value);
  }
  std::unordered_map<const Value*, Value*> stands_for;
  for (Value* value : placed_values_) {
    size_t number = 0;
    const std::string_view digits = value->name.substr(std::min<size_t>(value->name.size(), 3));
    const std::from_chars_result read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool counts = value->name.substr(0, 3) == "arg" && !digits.empty() && read.ec == std::errc() &&
                        read.ptr == digits.data() + digits.size();
    if (!value->placed_only) continue;
    if (counts && number < tiles.size()) {
      stands_for[value] = tiles[number];
    } else {
      implicit_values_.push_back(value);
    }
  }
  for (Stmt* stmt : tassigns_) {
    Operand& tile = stmt->operands[0];
    const auto found = stands_for.find(tile.value);
    if (found == stands_for.end()) continue;
    tile.value = found->second;
    GiveType(&tile, tile.type);
  }
}

// Makes `main` of the bare statements; what they use without a definition are its
// arguments.
void Parser::FinishBare(Module* implicit) {
  Func* func = arena_->New<Func>();
  func->bare = true;
  func->entry = true;
  func->name = "main";
  ResolvePlaced();
  func->args = arena_->Copy(implicit_values_.data(), implicit_values_.size());
  func->body = arena_->New<Block>();
  func->body->stmts = arena_->Copy(bare_stmts_.data(), bare_stmts_.size());
  func->value_count = value_count_;
  implicit->funcs = arena_->Copy(&func, 1);
}

// ---- blocks and statements --------------------------------------------------

bool Parser::ParseBlock(Block* block) {
  const Depth depth(this);
  if (TooDeep()) return false;
  if (!Expect('{')) return false;
  ++braces_;
  const size_t mark = scope_.Mark();
  ParseStatements(block);
  scope_.Leave(mark);
  if (!At('}')) return Expected("'}'");
  --braces_;
  Advance();
  return true;
}

// Up to the brace that closes the block, or to the label of the next one, which are not read.
void Parser::ParseStatements(Block* block) {
  const size_t base = stmts_.size();
  while (!At('}') && tok_.kind != Tok::kLabel && tok_.kind != Tok::kEnd) {
    Stmt* stmt = ParseStatement();
    if (stmt != nullptr) stmts_.push_back(stmt);
  }
  block->closing_comments = TakeComments();
  block->stmts = Commit(&stmts_, base);
}

// nullptr for one that cannot be read; always gets on.
Stmt* Parser::ParseStatement() {
  const Marks marks = Mark();
  const int braces = braces_;
  const uint32_t offset = tok_.offset;
  const std::span<const std::string_view> comments = TakeComments();
  Stmt* stmt = arena_->New<Stmt>();
  stmt->comments = comments;
  names_.clear();
  bool good = ParseResultNames();
  const std::vector<ResultName> names = names_.size() > 1 ? names_ : std::vector<ResultName>();
  const ResultName single = names_.empty() ? ResultName() : names_[0];
  good = good && ParseStatementBody(stmt);
  if (good) {
    SkipLocation();
    Accept(';');
    std::vector<Comment>& pending = lexer_.comments();
    if (!pending.empty() && !pending[0].own_line) {
      stmt->trailing_comment = pending[0].text;
      pending.erase(pending.begin());
    }
    return stmt;
  }
  Reset(marks);
  // Past the word that begins no statement, or it would be found to begin the next one.
  if (tok_.offset == offset && (tok_.kind == Tok::kIdent || tok_.kind == Tok::kString)) Advance();
  Synchronise(braces);
  if (tok_.offset == offset && tok_.kind != Tok::kEnd) Advance();
  // Its results count as defined, so that uses are not reported.
  names_ = names;
  if (names_.empty() && single.count != 0) names_.push_back(single);
  for (const ResultName& name : names_) {
    for (uint32_t i = 0; i < name.count; ++i) {
      Value* value = NewValue(name.name, name.offset, name.length, ValueOrigin::kResult, nullptr);
      value->index = i;
      Define(value);
    }
  }
  return nullptr;
}

// { %name [: count] , } =
bool Parser::ParseResultNames() {
  if (tok_.kind != Tok::kValue) return true;
  constexpr uint32_t kMostResults = 64;
  do {
    if (tok_.kind != Tok::kValue || tok_.indexed) return Expected("the name of a result");
    ResultName name{tok_.text, tok_.offset, tok_.length, 1};
    Advance();
    if (Accept(':')) {
      uint64_t count = 0;
      if (tok_.kind != Tok::kInt) return Expected("a number of results");
      if (!FitsInteger(&count) || count < 1 || count > kMostResults) {
        diagnostics_->Error(TextRule::kResultCount, tok_.offset, tok_.length, "a statement has 1 to %u results",
                            kMostResults);
        return false;
      }
      name.count = static_cast<uint32_t>(count);
      Advance();
    }
    names_.push_back(name);
  } while (Accept(','));
  return Expect('=');
}

bool Parser::ParseStatementBody(Stmt* stmt) {
  if (tok_.kind == Tok::kString) return ParseGeneric(stmt);
  if (tok_.kind != Tok::kIdent) return Expected("a statement");
  const std::string_view word = tok_.text;
  stmt->offset = tok_.offset;
  stmt->length = tok_.length;
  stmt->name = word;
  const size_t dot = word.find('.');
  const std::string_view prefix = dot == std::string_view::npos ? std::string_view() : word.substr(0, dot);
  const std::string_view rest = dot == std::string_view::npos ? word : word.substr(dot + 1);
  if (prefix == "pto") {
    Advance();
    return ParsePto(stmt, rest, Spelling::kSsa);
  }
  if (prefix == "arith" || prefix == "math") {
    Advance();
    if (prefix == "arith" && rest == "constant") return ParseConstant(stmt);
    const ArithOp op = FindArith(prefix, rest);
    if (op != ArithOp::kNone) return ParseArith(stmt, op);
  } else if (prefix == "scf" || prefix == "cf" || prefix == "memref" || prefix == "vector") {
    Advance();
    if (const StmtInfo* info = FindForeign(word); info != nullptr) {
      stmt->Become(*info);
      if (FormOf(*info) != nullptr) return ParseForm(stmt);
      return prefix == "scf" ? ParseScf(stmt) : prefix == "cf" ? ParseBranch(stmt) : ParseMemrefSubview(stmt);
    }
  } else if (prefix == "builtin" && FindForeign(word) != nullptr) {
    Advance();
    return ParseConversion(stmt);
  } else if (word == "return" || word == "func.return") {
    Advance();
    stmt->Become(InfoOf("return"));
    return ParsePassed(stmt);
  } else if (word == "call" || word == "func.call") {
    Advance();
    return ParseCall(stmt);
  } else if (prefix.empty() || !FindInstruction(prefix).empty() || !FindInstruction(word).empty() ||
             FindStmt(word) != nullptr || vec::Find(word) != nullptr) {
    Advance();
    return ParsePto(stmt, word, Spelling::kAsm);
  }
  diagnostics_->Error(TextRule::kUnknownStatement, stmt->offset, stmt->length, "no operation is called '%.*s'",
                      PTO_NAME(word));
  return false;
}

// ---- values -----------------------------------------------------------------

Value* Parser::NewValue(std::string_view name, uint32_t offset, uint32_t length, ValueOrigin origin, const Type* type) {
  Value* value = arena_->New<Value>();
  value->name = name;
  value->offset = offset;
  value->length = length;
  value->origin = origin;
  value->type = type;
  value->slot = value_count_++;
  return value;
}

void Parser::Define(Value* value) {
  value->shadows = scope_.Find(value->name, value->index);
  if (value->shadows == nullptr && bare_) value->shadows = implicit_scope_.Find(value->name, value->index);
  scope_.Add(value);
}

void Parser::DefineResults(Stmt* stmt, std::span<const Type* const> types) {
  size_t named = 0;
  for (const ResultName& name : names_) named += name.count;
  if (named == 0) return;
  if (named != types.size()) {
    diagnostics_->Error(TextRule::kResultCount, names_[0].offset, names_[0].length, "%zu name%s for %zu result%s",
                        named, Plural(named), types.size(), Plural(types.size()));
  }
  const size_t base = values_.size();
  for (const ResultName& name : names_) {
    for (uint32_t i = 0; i < name.count; ++i) {
      const size_t at = values_.size() - base;
      Value* value =
          NewValue(name.name, name.offset, name.length, ValueOrigin::kResult, at < types.size() ? types[at] : nullptr);
      value->index = i;
      value->pack = name.count;
      value->def = stmt;
      values_.push_back(value);
    }
  }
  for (size_t i = base; i < values_.size(); ++i) Define(values_[i]);
  stmt->results = Commit(&values_, base);
}

void Parser::Resolve(Operand* use, bool writes) {
  ResolveName(use, writes);
  for (Operand& index : use->indices) Resolve(&index, false);
}

void Parser::ResolveName(Operand* use, bool writes) {
  if (use->kind != OperandKind::kValue) return;
  use->value = scope_.Find(use->name, use->index);
  if (use->value != nullptr || !bare_ || use->index != 0) return;
  Value* value = implicit_scope_.Find(use->name, 0);
  if (value == nullptr) {
    value = NewValue(use->name, use->offset, use->length, ValueOrigin::kImplicit, nullptr);
    value->placed_only = true;
    implicit_scope_.Add(value);
    if (placing_) placed_values_.push_back(value);
  }
  use->value = value;
  if (placing_ || !value->placed_only) return;
  value->placed_only = false;
  value->written_first = writes;
  implicit_values_.push_back(value);
}

void Parser::GiveType(Operand* use, const Type* type) {
  if (type != nullptr && type->kind == TypeKind::kTile && type->strided) {
    // The definition of a part names the whole.
    type = Intern(Dense(*type));
  }
  Value* value = use->value;
  // A merge writes its counts to a tile (AsTaken), or to an existing vector.
  if (type != nullptr && type->kind == TypeKind::kAnyTile && value != nullptr && IsCounts(value->type)) {
    type = value->type;
  }
  use->type = type;
  if (type == nullptr || value == nullptr) return;
  if (value->origin != ValueOrigin::kImplicit && value->origin != ValueOrigin::kDestination) return;
  const bool vague = value->type == nullptr || (value->type->IsOpen() && TypesAgree(value->type, type));
  if (vague) value->type = type;
}

}  // namespace pto::ptoas

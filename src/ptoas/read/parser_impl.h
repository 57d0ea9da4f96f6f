// The parser's state and its functions, which are spread over parse*.cc by what
// they read. Each returns false, or nullptr, after it reported why it cannot go
// on; the statement is then given up and the next one is looked for.
#ifndef PTO_SRC_PTOAS_PARSER_IMPL_H_
#define PTO_SRC_PTOAS_PARSER_IMPL_H_

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/read/form.h"
#include "src/ptoas/read/lexer.h"
#include "src/ptoas/read/scope.h"

namespace pto::ptoas {

// Needed by the generic form only: how many operands or results belong to each group.
bool IsSegments(std::string_view name);
// The number of operands in the group of this number; -1: unknown.
int64_t SegmentOf(Dict dict, size_t number);
// Whether the word names a location, which the type gets: parse_tile_type.cc.
bool SetLoc(std::string_view word, Type* type);

class Parser {
 public:
  Parser(Program* program, Diagnostics* diagnostics);
  void ParseFile();

 private:
  // A name left of `=`; `count` is 3 in %x:3.
  struct ResultName {
    std::string_view name;
    uint32_t offset;
    uint32_t length;
    uint32_t count;
  };
  // Sizes of the scratch stacks; a failing statement restores them.
  struct Marks {
    size_t operands, values, types, named, attrs, blocks, stmts;
  };
  struct Depth {
    explicit Depth(Parser* p) : parser(p) { parser->deepest_ = std::max(parser->deepest_, ++parser->depth_); }
    ~Depth() { --parser->depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Parser* parser;
  };

  // ---- tokens (parser.cc)
  void Advance() {
    last_end_ = tok_.offset + tok_.length;
    lexer_.Next(&tok_);
  }
  // The same after the reader of types, which went up to `end`.
  void AdvanceFrom(const char* end) {
    last_end_ = lexer_.OffsetOf(end);
    lexer_.set_at(end);
    lexer_.Next(&tok_);
  }
  bool At(char c) const { return tok_.kind == Tok::kPunct && tok_.punct == c; }
  bool AtWord(std::string_view word) const { return tok_.kind == Tok::kIdent && tok_.text == word; }
  bool Accept(char c) {
    if (!At(c)) return false;
    Advance();
    return true;
  }
  bool AcceptWord(std::string_view word) {
    if (!AtWord(word)) return false;
    Advance();
    return true;
  }
  bool Expect(char c);
  bool ExpectWord(std::string_view word);
  bool ExpectArrow();
  // Reports "expected WHAT, found ..." at the current token; false.
  bool Expected(const char* what);
  [[gnu::format(printf, 3, 4)]] bool Fail(TextRule rule, const char* format, ...);
  [[gnu::format(printf, 4, 5)]] bool FailAt(const Stmt& stmt, TextRule rule, const char* format, ...);
  bool TooDeep();
  void FailNesting();
  // There are `given` types for `count` of `what`, "operand" or the like.
  void WrongTypeCount(uint32_t offset, uint32_t length, size_t given, size_t count, const char* what = "operand");

  // ---- file, functions, blocks (parser.cc, parse_func.cc)
  void ParseTopLevel(Module* implicit, std::vector<Module*>* modules);
  bool ParseModule(Module* module);
  bool ParseFunc(std::vector<Func*>* funcs);
  bool ParseFuncArgs(Func* func);
  void ParseBareStatement();
  void FinishBare(Module* implicit);
  void ResolvePlaced();
  void CheckSymbols(Module* module, std::span<Func* const> funcs);
  void ResolveCalls(std::span<Module* const> modules);
  // From `{` to `}`, both read. A new scope, in which `args` are already.
  bool ParseBlock(Block* block);
  bool ParseFuncs(Module* module);
  void SettleEntry(Func* func);
  // `generic`: the first block's arguments are the function's, and there may be no blocks.
  bool ParseBody(Func* func, bool generic = false);
  bool ParseLabel(Block* block, std::unordered_map<std::string_view, Block*>* labels);
  void ParseStatements(Block* block);
  Stmt* ParseStatement();
  bool ParseStatementBody(Stmt* stmt);
  bool ParseResultNames();
  void Synchronise(int braces);
  bool AtStatement() const;
  // An operation in quotes: MLIR's generic form.
  bool AtQuotedStatement() const { return tok_.kind == Tok::kString && tok_.first_on_line; }
  void SkipBalanced();
  std::span<const std::string_view> TakeComments();
  Marks Mark() const;
  void Reset(const Marks& marks);

  // ---- values (parser.cc)
  // ---- aliases and locations (parse_attr.cc)
  bool ParseAlias();  // !t = type, #a = attribute
  // The meaning of a name, written out where the name is: its length and depth, with the names in it.
  template <class T>
  struct Alias {
    const T* means;
    uint64_t bytes;
    int depth;
  };
  template <class T>
  using Aliases = std::unordered_map<std::string_view, Alias<T>>;
  // For this name. nullptr: it has no meaning, or one that would make the program too long or too deep, which was
  // reported.
  template <class T>
  const T* Meaning(const Aliases<T>& aliases);
  const Type* AliasedType();
  const Attr* AliasedAttr();
  // Skips loc(...): source locations are not part of a program.
  void SkipLocation() {
    if (AtWord("loc")) SkipLocationAtWord();
  }
  void SkipLocationAtWord();

  Value* NewValue(std::string_view name, uint32_t offset, uint32_t length, ValueOrigin origin, const Type* type);
  void Define(Value* value);
  // Makes the statement's results, one per type, named by the words before `=`.
  void DefineResults(Stmt* stmt, std::span<const Type* const> types);
  // The one result of a statement that only makes it: it has a name. What runs the statement
  // relies on that. (Calls, loops and branches do more, and their results need no name.)
  void DefineResult(Stmt* stmt, const Type* type) {
    if (names_.empty()) {
      diagnostics_->Error(TextRule::kResultCount, stmt->offset, stmt->length,
                          "the statement makes a value: write '%%name =' before it");
    }
    if (stmt->types.empty()) stmt->types = arena_->Copy(&type, 1);
    DefineResults(stmt, {&type, 1});
  }
  // Finds the value of a use; in a bare file makes an implicit argument of it.
  void Resolve(Operand* use, bool writes);
  void ResolveName(Operand* use, bool writes);
  // The type written at a use also defines the type of an implicit value.
  void GiveType(Operand* use, const Type* type);
  // In a bare file a value that has no type yet is of the type that this use asks for.
  void Suppose(const Operand& use, const Type* type) {
    if (bare_ && use.value != nullptr && use.value->type == nullptr) use.value->type = type;
  }

  // ---- types (parse_type.cc, parse_tile_type.cc)
  const Type* ParseType(TypeKind abbreviated = TypeKind::kOpaque);
  // One type or a list in parentheses, pushed on types_.
  bool ParseTypes();
  bool ParseTypeList(char close);
  const Type* Scalar(Elem elem);
  const Type* Intern(const Type& type);
  const Type* AnyTile() { return Any(TypeKind::kAnyTile, &any_tile_); }
  const Type* AnyScalar() { return Any(TypeKind::kAnyScalar, &any_scalar_); }
  const Type* Any(TypeKind kind, const Type** kept);
  bool RawType(std::string_view name, Type* type);
  bool RawOpen(const char* here, std::string_view placeholder);
  bool RawTile(Type* type);
  bool RawTileKeys(Type* type);
  bool RawTiles(Type* type);
  bool RawTileOptions(Type* type);
  bool RawTilePositional(Type* type);
  bool RawShape(Type* type);
  bool RawSpace(Type* type);
  static bool SpaceNamed(std::string_view word, Type* type);
  bool MemrefType(std::string_view text, Type* out);  // parse_memref.cc
  bool MemrefAttribute(std::string_view text, Type* type);
  bool ParseMemrefSubview(Stmt* stmt);
  bool SubviewOfTile(Stmt* stmt, const Marks& start, const Type& from, const Type& to);
  bool RawElem(Elem* elem);
  bool RawPointee(Type* type);
  bool RawEnum(const char* key, Type* type);
  bool RawExtent(int64_t* value);
  bool RawInt(int64_t* value);
  bool RawEat(char c);
  bool RawExpect(char c);
  std::string_view RawWord();
  [[gnu::format(printf, 3, 4)]] bool RawFail(TextRule rule, const char* format, ...);
  bool CheckTile(const Type& type, uint32_t offset, uint32_t length);
  bool CheckVreg(const Type& type, uint32_t offset, uint32_t length);
  bool RawMask(Type* type);

  // ---- attributes and operands (parse_attr.cc)
  bool ParseDict(size_t base);  // entries are pushed on named_
  bool ParseOptionalDict(size_t base) { return !At('{') || ParseDict(base); }
  Dict TakeDict(size_t base);  // from named_; reports duplicates
  const Attr* ParseAttr(bool typed = true);
  bool ParseNumber(Attr* attr);
  bool FitsInteger(uint64_t* value) const;  // tok_, which is an integer
  bool KeepAngles(Attr* attr);
  bool ParseFunctionType(Attr* attr);
  bool ParsePtoAttr(Attr* attr);
  bool ParseDense(Attr* attr);
  bool ParseAttrItems(Attr* attr, char close);
  bool ParseUse(Operand* use);
  bool ParseOperand(Operand* operand);
  bool ParseOperandList(char close);  // pushed on operands_
  bool ParseResolved();               // one use, resolved and pushed on operands_
  bool ParseUses();                   // %a, %b ... pushed on operands_; at least one
  // One operand of any kind, resolved and pushed on operands_, and what a value without a type is supposed to be.
  bool ParseResolvedOperand(const Type* supposed = nullptr);
  bool ParseBracketed(uint16_t* count);
  bool AtOperand() const;
  // `: T, T` for the operands from `base` on, exactly one each.
  bool ParseOperandTypes(size_t base);
  bool ParseTypesOf(size_t base);  // T, T: the same
  // The same for the types from `types` on, which were read from `at` on and are dropped.
  void GiveTypes(size_t base, size_t types, const Token& at);

  // ---- arith, scf, func (parse_std.cc)
  bool IsConstant(const Attr& literal);
  bool ParseConstant(Stmt* stmt);
  bool ParseArith(Stmt* stmt, ArithOp op);
  bool ParseConversion(Stmt* stmt);
  void DefineArith(Stmt* stmt, const Type* type);  // its results, of operands of this type
  // The type, or the vector of the same size, with another element type.
  const Type* Like(const Type& type, Elem elem);
  bool ParseScf(Stmt* stmt);
  bool ParseFor(Stmt* stmt);
  bool ParseIf(Stmt* stmt);
  bool ParseWhile(Stmt* stmt);
  bool ParseCondition(Stmt* stmt, const char* name);  // exactly one use, pushed on operands_
  bool ParseCarried();                                // %a = %x: a name and an operand
  // Defines a block argument, typed like the operand it begins with, for each name and operand carried.
  void DefineCarried(size_t names, size_t operands, std::span<const Type* const> types);
  bool ParsePassed(Stmt* stmt);  // [values : types] of yield, condition, return
  bool ParseBlockArgs(Block* block);
  bool ParseSuccessor(Successor* successor);
  bool ParseBranch(Stmt* stmt);
  bool ParseCall(Stmt* stmt);
  bool ParseCallee(Stmt* stmt);
  bool ParseCallArgs(Stmt* stmt, size_t all);
  bool ParseLaunch(Stmt* stmt);
  bool SkipFlags(std::string_view word);

  // ---- pto (parse_pto.cc, parse_tiles.cc)
  void NameInstruction(Stmt* stmt, std::string_view mnemonic);
  void ReadSuffixes(const Stmt& stmt);
  void CheckWay(const Stmt& stmt);
  bool ParsePto(Stmt* stmt, std::string_view mnemonic, Spelling one_line);
  bool ParseInstruction(Stmt* stmt, Spelling one_line);
  bool ParseUnknown(Stmt* stmt);
  bool ParseOwnForm(Stmt* stmt);
  bool ParseTreshape(Stmt* stmt);
  bool ParseMade(Stmt* stmt, const Type** type);
  bool ParseSubview(Stmt* stmt);
  bool ParseSubset(Stmt* stmt);
  bool ParseSizes(const Stmt& stmt, int64_t* sizes);
  const Type* SubsetType(size_t operands, const Type* written, const int64_t* sizes);
  void DefineSubview(Stmt* stmt, const Marks& start, const int64_t* sizes, const Type* to);
  bool ParseTassign(Stmt* stmt);
  bool ParseTGetVal(Stmt* stmt);
  bool ParseTSetVal(Stmt* stmt);
  bool ParsePrint(Stmt* stmt);
  // parse_pipe.cc
  bool ParsePipe(Stmt* stmt);
  bool ParseCoreSync(Stmt* stmt);
  bool ParseSyncAll(Stmt* stmt);
  bool ParseStrictScope(Stmt* stmt);
  bool ParsePipeOperands(Stmt* stmt, const Marks& start);
  void NamePipeOperands(Stmt* stmt);
  bool ParseBuffers(Stmt* stmt);
  void SettleCores(const Module& module);
  void SettlePeers();
  bool ParseSync(Stmt* stmt);
  // [dict] : type
  bool ParseTyped(const Marks& start, TypeKind abbreviated, const Type** type);
  // -> type
  bool ParseArrowType(TypeKind abbreviated, const Type** type);
  // How many operands each name has.
  void NameOperands(Stmt* stmt, std::initializer_list<size_t> counts);
  // Moves what operands_ and named_ hold above the marks into the statement.
  void Finish(Stmt* stmt, const Marks& start);
  void FinishWith(Stmt* stmt, const Marks& start, const Type* result) {
    Finish(stmt, start);
    DefineResult(stmt, result);
  }

  // ---- statements whose rows have their grammar (parse_form.cc)
  struct FormParts {
    size_t base = 0;                            // where the operands begin on operands_
    uint16_t ends[kMostOperandNames] = {};      // of the operands of each name, from there
    size_t next = 0;                            // the first name that has none yet
    const Type* types[kMostOperandNames] = {};  // as they are written
    const Type* made = nullptr;
    // From here on operands are of this name.
    void Begin(size_t name, size_t at) {
      while (next < name) ends[next++] = static_cast<uint16_t>(std::min<size_t>(at - base, UINT16_MAX));
    }
  };
  bool ParseForm(Stmt* stmt);
  bool AtResults() const;
  bool AtElement(const StmtInfo& info, const Element& element) const;
  bool ParseFormOperand(const StmtInfo& info, const Element& element);
  bool ParseCounted(Stmt* stmt, const Element* counted, FormParts* parts);
  void CheckLists(const Stmt& stmt, size_t name, const FormParts& parts);
  void GiveFormTypes(const Stmt& stmt, FormParts* parts);
  void DefineMade(Stmt* stmt, const StmtInfo& info, const FormParts& parts);
  const Type* ImpliedResult(const StmtInfo& info);
  const Type* PartType(const FormParts& parts);

  // ---- operations of the vector level (parse_op.cc)
  bool ParseVectorOp(Stmt* stmt);
  bool ParseVectorOperand(const vec::Op& op, size_t number);
  bool ParseClause(const vec::ClauseInfo& info, size_t base, std::vector<Clause>* clauses);
  bool ParseVectorTypes(const vec::Op& op);
  void GiveVectorTypes(const Stmt& stmt, size_t base, size_t types, const Token& at);
  bool FillVectorOperands(Stmt* stmt, size_t base, size_t mains);
  bool DefineVectorResults(Stmt* stmt);

  // ---- MLIR's generic form (parse_generic.cc)
  struct Generic {
    std::string_view name;
    uint32_t offset = 0, length = 0;
    size_t operands = 0;         // where they begin on operands_
    size_t types = 0;            // of operands, on types_
    size_t results = 0;          // types of results, on types_
    size_t written = SIZE_MAX;   // operands from this one on are destinations
    Dict dict;                   // properties and attributes
    std::vector<Block*> blocks;  // of regions
  };
  bool AtGeneric(std::string_view name) const;
  bool ParseGeneric(Stmt* stmt);
  bool ParseGenericParts(Stmt* stmt, Generic* op);
  bool ParseProperties();
  bool ParseRegions(Generic* op);
  bool ParseSignatureOf(Generic* op);
  bool GenericOperands(Generic* op, size_t typed);
  bool GenericCount(const Generic& op, size_t least, size_t most);
  bool NoGenericForm(const Generic& op);
  bool GenericType(const Generic& op, const Type* type, const Type* want);
  bool GenericArith(Stmt* stmt, Generic* op, std::string_view dialect, std::string_view rest);
  bool GenericControl(Stmt* stmt, Generic* op);
  bool GenericForeign(Stmt* stmt, Generic* op);
  bool GenericBranch(Stmt* stmt, const Generic& op, size_t count);
  bool GenericSwitch(Stmt* stmt, const Generic& op, size_t count);
  bool GenericVector(Stmt* stmt, Generic* op);
  bool GenericMemref(Stmt* stmt, Generic* op);
  bool GenericPto(Stmt* stmt, Generic* op, std::string_view mnemonic);
  bool GenericVectorOp(Stmt* stmt, Generic* op);
  static bool GenericClauses(const Stmt& stmt, const Generic& op, size_t values, std::vector<NamedAttr>* kept,
                             std::vector<Clause>* clauses, size_t* begin);
  bool GenericInstruction(Stmt* stmt, Generic* op);
  bool GenericForm(Stmt* stmt, Generic* op);
  bool GenericGroups(Stmt* stmt, const Generic& op, size_t count);
  bool GenericSubset(Stmt* stmt, Generic* op);
  bool GenericPrint(Stmt* stmt, Generic* op);
  bool GenericStoreScalar(Stmt* stmt, Generic* op);
  bool GenericSync(Stmt* stmt, Generic* op);
  bool ParseGenericFunc(std::vector<Func*>* funcs);
  bool ParseGenericModule(Module* module);
  void SettleFunc(Func* func, Dict dict);
  void DropYield(Block* block);

  // ---- the generic instruction (parse_inst.cc)
  size_t OutsAmong(const Stmt& stmt, size_t count) const;
  bool ParseDps(Stmt* stmt);
  void SettleTmp(Stmt* stmt, size_t sources);
  bool ParseOneLine(Stmt* stmt, Spelling spelling);
  void SpreadIndices(size_t base, size_t most);
  bool ParseGroups(Stmt* stmt, size_t named);
  bool ParseGroup(uint8_t number, size_t named);
  bool ParseSignature(Stmt* stmt, size_t operands, size_t outs);
  void DropTypesOfIndices(size_t base, size_t end, size_t types);
  void TypesOfSources(const OpInfo& op, std::span<Operand> sources, std::span<const Type* const> types, size_t* used);
  void TypesOfNumbers(const Stmt& stmt);
  void OneLineOuts(Stmt* stmt, size_t sources, size_t outs);
  void ChooseForm(Stmt* stmt, std::span<const Operand> sources, size_t outs, std::span<const Type* const> types);
  const Type* AsTaken(const Type* type);
  void TakeIntegers(Stmt* stmt);
  bool IsScratch(size_t source, size_t count) const;
  bool IsRead(size_t out, size_t sources) const;
  bool CheckCounts(const Stmt& stmt);

  template <class T>
  std::span<T> Commit(std::vector<T>* stack, size_t base) {
    const std::span<T> span = arena_->Copy(stack->data() + base, stack->size() - base);
    stack->resize(base);
    return span;
  }

  Program* program_;
  Arena* arena_;
  Diagnostics* diagnostics_;
  Lexer lexer_;
  Token tok_;
  uint32_t last_end_ = 0;  // where the token before tok_ ended
  int depth_ = 0;
  int deepest_ = 0;            // that depth_ was
  uint64_t expanded_ = 0;      // bytes of the expansions of aliases, at all their uses
  int braces_ = 0;             // open `{` of blocks and dictionaries
  const char* raw_ = nullptr;  // where the reader of types is

  Aliases<Type> type_aliases_;
  Aliases<Attr> attr_aliases_;

  uint64_t seed_;
  Scope scope_;
  Scope implicit_scope_;  // implicit values of a bare file: visible everywhere
  bool bare_ = false;
  uint32_t value_count_ = 0;
  std::vector<Value*> implicit_values_;  // in the order of their first use; placing does not count
  std::vector<Value*> placed_values_;    // of pto.tassign in a bare file, before any use
  std::vector<Stmt*> tassigns_;          // of a bare file
  bool placing_ = false;                 // what is resolved now is only given an address
  std::vector<Stmt*> bare_stmts_;
  Func* func_ = nullptr;  // that is being read
  std::vector<Stmt*> calls_;
  std::vector<std::pair<Func*, const Stmt*>> imports_;  // of buffers, and who does
  std::vector<Stmt*> branches_;                         // of the function being read
  std::vector<ResultName> names_;                       // of the statement being read
  std::span<const OpInfo* const> forms_;                // that its mnemonic has in the op table
  std::string_view suffixes_;                           // the suffixes of its name, each after a dot
  std::string_view way_;                                // `v2m` of these, where there is one

  // Scratch stacks: a list being read lies on top, and is copied when complete.
  std::vector<Operand> operands_;
  std::vector<Value*> values_;
  std::vector<const Type*> types_;
  std::vector<NamedAttr> named_;
  std::vector<const Attr*> attrs_;
  std::vector<Block*> blocks_;
  std::vector<Stmt*> stmts_;

  // Each type once: open addressing, a power of two of places.
  std::vector<const Type*> interned_;
  size_t interned_count_ = 0;
  const Type* scalars_[32] = {};
  const Type* any_tile_ = nullptr;
  const Type* any_scalar_ = nullptr;
  // Types by their source text: a program repeats a few types many times.
  struct Written {
    std::string_view text;
    const Type* type = nullptr;
  };
  std::vector<Written> written_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PARSER_IMPL_H_

// Attributes, numbers, and the operands of statements.
#include <algorithm>
#include <charconv>
#include <utility>

#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

const Attr kUnitAttr = [] {
  Attr attr;
  attr.kind = AttrKind::kBool;
  attr.text = "true";
  attr.integer = 1;
  return attr;
}();

static bool IsHex(std::string_view digits) { return digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X'); }

const Attr* FindAttr(Dict dict, std::string_view name) {
  for (const NamedAttr& entry : dict) {
    if (entry.name == name) return &ValueOf(entry);
  }
  return nullptr;
}

bool Parser::ParseDict(size_t) {
  if (!Expect('{')) return false;
  ++braces_;
  while (!At('}')) {
    NamedAttr entry;
    entry.offset = tok_.offset;
    if ((tok_.kind != Tok::kIdent && tok_.kind != Tok::kString) || tok_.text.empty()) {
      return Expected("the name of an attribute");
    }
    entry.name = tok_.text;
    Advance();
    if (Accept('=')) {
      entry.value = ParseAttr();
      if (entry.value == nullptr) return false;
    }
    named_.push_back(entry);
    if (!Accept(',')) break;
  }
  if (!Expect('}')) return false;
  --braces_;
  return true;
}

Dict Parser::TakeDict(size_t base) {
  const std::span<NamedAttr> dict = Commit(&named_, base);
  if (dict.size() < 2) return dict;
  std::vector<const NamedAttr*> order;
  for (const NamedAttr& entry : dict) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const NamedAttr* a, const NamedAttr* b) {
    return a->name != b->name ? a->name < b->name : a->offset < b->offset;
  });
  for (size_t i = 1; i < order.size(); ++i) {
    const std::string_view name = order[i]->name;
    if (name != order[i - 1]->name) continue;
    diagnostics_->Error(TextRule::kDuplicateAttribute, order[i]->offset, static_cast<uint32_t>(name.size()),
                        "the dictionary has '%.*s' already", PTO_NAME(name));
  }
  return dict;
}

bool Parser::FitsInteger(uint64_t* value) const {
  const std::string_view digits = tok_.text.substr(IsHex(tok_.text) ? 2 : 0);
  const std::from_chars_result result =
      std::from_chars(digits.data(), digits.data() + digits.size(), *value, IsHex(tok_.text) ? 16 : 10);
  return result.ec == std::errc();
}

// tok_ is the number; a sign may have been read before it.
bool Parser::ParseNumber(Attr* attr) {
  const bool negative = Accept('-');
  if (tok_.kind != Tok::kInt && tok_.kind != Tok::kFloat) return Expected("a number");
  attr->offset = tok_.offset;
  attr->text = tok_.text;
  const char* begin = tok_.text.data();
  if (tok_.kind == Tok::kFloat) {
    attr->kind = AttrKind::kFloat;
    ReadDecimal(tok_.text, &attr->number);
    if (negative) attr->number = {-attr->number.nearest, -attr->number.odd};
  } else {
    attr->kind = AttrKind::kInt;
    attr->hex = IsHex(tok_.text);
    uint64_t value = 0;
    if (!FitsInteger(&value) || (negative && value > uint64_t{1} << 63)) {
      diagnostics_->Error(TextRule::kNumber, tok_.offset, tok_.length, "the integer does not fit in 64 bits");
      value = 0;
    }
    attr->integer = static_cast<int64_t>(negative ? 0 - value : value);
  }
  if (negative) {
    // The text keeps its sign, without blanks after it.
    if (begin > lexer_.begin() && begin[-1] == '-') {
      attr->text = {begin - 1, tok_.text.size() + 1};
    } else {
      const std::span<char> joined = arena_->Copy((begin > lexer_.begin() ? begin - 1 : begin), tok_.text.size() + 1);
      joined[0] = '-';
      attr->text = {joined.data(), joined.size()};
    }
  }
  Advance();
  return true;
}

// ---- aliases and locations --------------------------------------------------

bool Parser::ParseAlias() {
  const Token name = tok_;
  const bool of_type = tok_.kind == Tok::kBang;
  const auto already = [&](const auto& aliases) {
    if (!aliases.contains(name.text)) return false;
    Fail(TextRule::kDuplicateSymbol, "'%.*s' has a meaning already",
         static_cast<int>(std::min<size_t>(name.length, 60)), program_->source.substr(name.offset).data());
    return true;
  };
  const bool known = of_type ? already(type_aliases_) : already(attr_aliases_);
  Advance();
  if (known || !Expect('=')) return false;
  const uint64_t before = expanded_;
  const int around = std::exchange(deepest_, depth_);
  const auto name_it = [&](auto* aliases, const auto* means) {
    if (means == nullptr) return false;
    (*aliases)[name.text] = {means, last_end_ - name.offset + expanded_ - before, deepest_ - depth_};
    deepest_ = std::max(deepest_, around);
    return true;
  };
  if (of_type) return name_it(&type_aliases_, ParseType());
  if (AtWord("loc")) {
    SkipLocation();
    return name_it(&attr_aliases_, &kUnitAttr);  // nothing but locations name it
  }
  return name_it(&attr_aliases_, ParseAttr());
}

template <class T>
const T* Parser::Meaning(const Aliases<T>& aliases) {
  const auto found = aliases.find(tok_.text);
  if (found == aliases.end()) return nullptr;
  const Alias<T>& alias = found->second;
  expanded_ += alias.bytes;
  const int deep = depth_ + std::max(alias.depth - 1, 0);
  deepest_ = std::max(deepest_, deep);
  if (deep > kMaxNesting) {
    FailNesting();
    return nullptr;
  }
  if (expanded_ > kMaxSourceBytes) {
    Fail(TextRule::kSourceSize, "after its names are expanded, the program has more than %zu bytes", kMaxSourceBytes);
    return nullptr;
  }
  return alias.means;
}

const Type* Parser::AliasedType() { return Meaning(type_aliases_); }
const Attr* Parser::AliasedAttr() { return Meaning(attr_aliases_); }

void Parser::SkipLocationAtWord() {
  const char* next = lexer_.SkipBlanks(lexer_.at());
  if (*next != '(') return;
  Advance();
  SkipBalanced();
}

bool Parser::ParseAttrItems(Attr* attr, char close) {
  const size_t base = attrs_.size();
  while (!At(close)) {
    const Attr* item = ParseAttr();
    if (item == nullptr) return false;
    attrs_.push_back(item);
    if (!Accept(',')) break;
  }
  attr->items = Commit(&attrs_, base);
  return Expect(close);
}

// The contents of dense<...>: one number for all elements, or brackets.
bool Parser::ParseDense(Attr* attr) {
  const Attr* item = ParseAttr();
  if (item == nullptr) return false;
  attr->items = arena_->Copy(&item, 1);
  return Expect('>');
}

// #pto.KIND<VALUE>, #pto<KIND VALUE>, <VALUE>; tok_ is the hash or the angle.
bool Parser::ParsePtoAttr(Attr* attr) {
  attr->kind = AttrKind::kPto;
  if (tok_.kind == Tok::kHash) {
    std::string_view name = tok_.text;
    if (name.substr(0, 4) == "pto.") name.remove_prefix(4);
    Advance();
    if (name != "pto") attr->name = name;
    if (!At('<')) return attr->name.empty() ? Expected("'<'") : true;
    Advance();
    if (name == "pto") {
      if (tok_.kind != Tok::kIdent) return Expected("the kind of an attribute");
      attr->name = tok_.text;
      Advance();
      if (Accept('>')) return true;
    }
  } else {
    Advance();
  }
  if (tok_.kind == Tok::kIdent || tok_.kind == Tok::kString) {
    attr->text = tok_.text;
    const NamedAttr first{tok_.text, nullptr, tok_.offset};
    Advance();
    if (At('=')) {
      // #pto.tile_buf_config<blayout=row_major, ...>
      const size_t base = named_.size();
      attr->text = {};
      NamedAttr entry = first;
      while (true) {
        if (!Expect('=')) return false;
        entry.value = ParseAttr();
        if (entry.value == nullptr) return false;
        named_.push_back(entry);
        if (!Accept(',')) break;
        if (tok_.kind != Tok::kIdent) return Expected("the name of an entry");
        entry = {tok_.text, nullptr, tok_.offset};
        Advance();
      }
      attr->dict = TakeDict(base);
    }
    return Expect('>');
  }
  if (tok_.kind == Tok::kInt || At('-')) {
    Attr number;
    if (!ParseNumber(&number)) return false;
    attr->text = number.text;
    return Expect('>');
  }
  return Expected("the value of an attribute");
}

// (types) -> types: an array called function; its number is the number of arguments.
bool Parser::ParseFunctionType(Attr* attr) {
  attr->kind = AttrKind::kArray;
  attr->name = "function";
  const size_t types = types_.size();
  if (!ParseTypes()) return false;
  attr->integer = static_cast<int64_t>(types_.size() - types);
  if (!ExpectArrow() || !ParseTypes()) return false;
  const size_t base = attrs_.size();
  for (size_t i = types; i < types_.size(); ++i) {
    Attr* item = arena_->New<Attr>();
    item->kind = AttrKind::kType;
    item->type = types_[i];
    item->offset = attr->offset;
    attrs_.push_back(item);
  }
  types_.resize(types);
  attr->items = Commit(&attrs_, base);
  return true;
}

// affine_map<...> and the like, as they are written.
bool Parser::KeepAngles(Attr* attr) {
  Advance();
  if (!At('<')) return Expected("'<'");
  int open = 0;
  do {
    if (At('<')) ++open;
    if (At('>')) --open;
    if (tok_.kind == Tok::kEnd) return Expected("'>'");
    Advance();
  } while (open > 0);
  attr->text = program_->source.substr(attr->offset, last_end_ - attr->offset);
  return true;
}

const Attr* Parser::ParseAttr(bool typed) {
  const Depth depth(this);
  if (TooDeep()) return nullptr;
  Attr* attr = arena_->New<Attr>();
  attr->offset = tok_.offset;
  if (tok_.kind == Tok::kHash && !attr_aliases_.empty()) {
    if (const Attr* aliased = AliasedAttr(); aliased != nullptr) {
      *attr = *aliased;
      attr->offset = tok_.offset;
      Advance();
      return attr;
    }
  }
  bool good = true;
  switch (tok_.kind) {
    case Tok::kInt:
    case Tok::kFloat:
      good = ParseNumber(attr);
      break;
    case Tok::kString:
      attr->kind = AttrKind::kString;
      attr->text = tok_.text;
      Advance();
      return attr;
    case Tok::kSymbol:
      attr->kind = AttrKind::kSymbol;
      attr->text = tok_.text;
      Advance();
      return attr;
    case Tok::kHash:
      return ParsePtoAttr(attr) ? attr : nullptr;
    case Tok::kBang:
      attr->kind = AttrKind::kType;
      attr->type = ParseType();
      return attr->type == nullptr ? nullptr : attr;
    case Tok::kIdent:
      if (tok_.text == "true" || tok_.text == "false") {
        attr->kind = AttrKind::kBool;
        attr->integer = tok_.text == "true";
        attr->text = tok_.text;
        Advance();
        return attr;
      }
      if (tok_.text == "dense" || tok_.text == "array") {
        // dense<[1, 2]>, dense<0>, array<i32: 1, 2>
        attr->kind = AttrKind::kArray;
        attr->name = tok_.text;
        Advance();
        if (!Expect('<')) return nullptr;
        if (attr->name == "array") {
          attr->type = ParseType();
          if (attr->type == nullptr) return nullptr;
          if (Accept('>')) return attr;
          if (!Expect(':')) return nullptr;
          return ParseAttrItems(attr, '>') ? attr : nullptr;
        }
        good = ParseDense(attr);
        break;
      }
      if (ElemByName(tok_.text) != Elem::kNone ||
          ((tok_.text == "vector" || tok_.text == "memref") && *lexer_.at() == '<')) {
        attr->kind = AttrKind::kType;
        attr->type = ParseType();
        return attr->type == nullptr ? nullptr : attr;
      }
      attr->kind = AttrKind::kName;
      attr->text = tok_.text;
      if (tok_.text == "affine_map" || tok_.text == "affine_set" || tok_.text == "strided") {
        return KeepAngles(attr) ? attr : nullptr;
      }
      Advance();
      if (At(':') && *lexer_.at() == ':') {
        // PowAlgorithm::HIGH_PRECISION, as the documents' C++ writes it.
        Advance();
        Advance();
        if (tok_.kind != Tok::kIdent) {
          Expected("a name after '::'");
          return nullptr;
        }
        attr->text = program_->source.substr(attr->offset, tok_.offset + tok_.length - attr->offset);
        Advance();
      }
      return attr;
    case Tok::kPunct:
      if (At('-')) {
        good = ParseNumber(attr);
        break;
      }
      if (At('<')) return ParsePtoAttr(attr) ? attr : nullptr;
      if (At('(')) return ParseFunctionType(attr) ? attr : nullptr;
      if (Accept('[')) {
        attr->kind = AttrKind::kArray;
        return ParseAttrItems(attr, ']') ? attr : nullptr;
      }
      if (At('{')) {
        const size_t base = named_.size();
        attr->kind = AttrKind::kDict;
        if (!ParseDict(base)) return nullptr;
        attr->dict = TakeDict(base);
        return attr;
      }
      [[fallthrough]];
    default:
      Fail(TextRule::kAttribute, "expected the value of an attribute");
      return nullptr;
  }
  if (!good) return nullptr;
  if (typed && Accept(':')) {
    attr->type = ParseType();
    if (attr->type == nullptr) return nullptr;
  }
  return attr;
}

// ---- operands ---------------------------------------------------------------

// A plain use: %name or %name#1.
bool Parser::ParseUse(Operand* use) {
  if (tok_.kind != Tok::kValue) return Expected("a value such as %x");
  use->kind = OperandKind::kValue;
  use->name = tok_.text;
  use->index = tok_.number;
  use->offset = tok_.offset;
  use->length = tok_.length;
  Advance();
  return true;
}

// Whether an operand may begin here.
bool Parser::AtOperand() const {
  switch (tok_.kind) {
    case Tok::kValue:
    case Tok::kInt:
    case Tok::kFloat:
    case Tok::kString:
    case Tok::kHash:
    case Tok::kSymbol:
      return true;
    default:
      return At('-') || At('<') || AtWord("true") || AtWord("false");
  }
}

// Any operand: a value with or without [indices], an immediate, an attribute, or
// @tile(0x1000). Values are not resolved yet: Resolve() needs to know their use.
bool Parser::ParseOperand(Operand* operand) {
  const Depth depth(this);
  if (TooDeep()) return false;
  operand->offset = tok_.offset;
  operand->length = tok_.length;
  if (tok_.kind == Tok::kValue) {
    if (!ParseUse(operand)) return false;
    if (!Accept('[')) return true;
    const size_t base = operands_.size();
    if (!ParseOperandList(']')) return false;
    operand->indices = Commit(&operands_, base);
    return true;
  }
  if (tok_.kind == Tok::kSymbol) {
    operand->kind = OperandKind::kAddress;
    operand->name = tok_.text;
    Advance();
    if (!Expect('(')) return false;
    Attr address;
    if (!ParseNumber(&address)) return false;
    if (address.kind != AttrKind::kInt) return Fail(TextRule::kNumber, "an address is an integer");
    operand->address = address.integer;
    operand->literal = arena_->Copy(&address, 1).data();
    return Expect(')');
  }
  if (!AtOperand()) return Expected("an operand such as %x or a number");
  operand->kind = OperandKind::kLiteral;
  const Token at = tok_;
  operand->literal = ParseAttr(false);
  operand->length = last_end_ - operand->offset;
  if (operand->literal == nullptr) return false;
  // #name may be an alias of any attribute, also of one that is not an operand.
  const AttrKind kind = operand->literal->kind;
  const bool stands = kind == AttrKind::kInt || kind == AttrKind::kFloat || kind == AttrKind::kBool ||
                      kind == AttrKind::kString || kind == AttrKind::kPto;
  if (stands && operand->literal->type == nullptr) return true;
  diagnostics_->Error(TextRule::kSyntax, at.offset, at.length, "expected an operand, but #%.*s does not name one",
                      PTO_NAME(at.text));
  return false;
}

bool Parser::ParseOperandList(char close) {
  while (!At(close)) {
    Operand operand;
    if (!ParseOperand(&operand)) return false;
    operands_.push_back(operand);
    if (!Accept(',')) break;
  }
  return Expect(close);
}

bool Parser::ParseResolved() {
  Operand use;
  if (!ParseUse(&use)) return false;
  Resolve(&use, false);
  operands_.push_back(use);
  return true;
}

// %a, %b ...: at least one, resolved.
bool Parser::ParseUses() {
  do {
    if (!ParseResolved()) return false;
  } while (Accept(','));
  return true;
}

bool Parser::ParseResolvedOperand(const Type* supposed) {
  Operand operand;
  if (!ParseOperand(&operand)) return false;
  Resolve(&operand, false);
  if (supposed != nullptr) Suppose(operand, supposed);
  operands_.push_back(operand);
  return true;
}

// [%a, 3, ...], resolved; *count is their number.
bool Parser::ParseBracketed(uint16_t* count) {
  if (!Expect('[')) return false;
  const size_t base = operands_.size();
  while (!At(']')) {
    if (!ParseResolvedOperand(Scalar(Elem::kIndex))) return false;
    if (!Accept(',')) break;
  }
  if (!Expect(']')) return false;
  *count = static_cast<uint16_t>(std::min<size_t>(operands_.size() - base, UINT16_MAX));
  return true;
}

bool Parser::ParseOperandTypes(size_t base) { return Expect(':') && ParseTypesOf(base); }

bool Parser::ParseTypesOf(size_t base) {
  const Token at = tok_;
  const size_t types = types_.size();
  do {
    const Type* type = ParseType(TypeKind::kTile);
    if (type == nullptr) return false;
    types_.push_back(type);
  } while (Accept(','));
  GiveTypes(base, types, at);
  return true;
}

void Parser::GiveTypes(size_t base, size_t types, const Token& at) {
  size_t count = 0;
  const size_t given = types_.size() - types;
  for (size_t i = base; i < operands_.size(); ++i) {
    if (IsString(operands_[i])) continue;
    if (count < given) GiveType(&operands_[i], types_[types + count]);
    ++count;
  }
  if (given != count) WrongTypeCount(at.offset, at.length, given, count);
  types_.resize(types);
}

}  // namespace pto::ptoas

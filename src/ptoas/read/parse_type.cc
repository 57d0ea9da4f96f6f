// Types. A dimension list such as 32x64xf32 is not a sequence of ordinary tokens, so
// the part between < and > is read character by character.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "src/ptoas/read/parser_impl.h"
#include "src/records/nearest.h"

namespace pto::ptoas {
namespace {

uint64_t HashType(const Type& type, uint64_t seed) {
  uint64_t words[8 + kMaxRank] = {
      static_cast<uint64_t>(type.kind) | static_cast<uint64_t>(type.elem) << 8 | uint64_t{type.rank} << 16 |
          uint64_t{type.custom_pad} << 22 | uint64_t{type.local} << 23 | static_cast<uint64_t>(type.loc) << 24 |
          static_cast<uint64_t>(type.blayout) << 32 | static_cast<uint64_t>(type.slayout) << 40 |
          uint64_t{type.pad} << 48 | uint64_t{type.compact} << 56,
      static_cast<uint64_t>(type.fractal) | uint64_t{type.pad_bits} << 32,
      static_cast<uint64_t>(type.valid_row),
      static_cast<uint64_t>(type.valid_col),
      HashText(type.text, seed),
      type.count,
  };
  for (int i = 0; i < type.rank; ++i) words[8 + i] = static_cast<uint64_t>(type.dims[i]);
  return HashText({reinterpret_cast<const char*>(words), sizeof words}, seed);
}

struct KnownType {
  const char* name;
  TypeKind kind;
};
constexpr KnownType kKnown[] = {
    {"pto.tile_buf", TypeKind::kTile},
    {"pto.tile", TypeKind::kTile},
    {"pto.ptr", TypeKind::kPtr},
    {"pto.tensor_view", TypeKind::kTensorView},
    {"pto.partition_tensor_view", TypeKind::kPartitionView},
    {"pto.tile_view", TypeKind::kPartitionView},
    {"pto.memref", TypeKind::kAnyView},
    {"pto.global", TypeKind::kAnyView},
    {"pto.pipe", TypeKind::kPipe},
    {"pto.async_session", TypeKind::kAsyncSession},
    {"pto.async_event", TypeKind::kAsyncEvent},
    {"pto.event", TypeKind::kEvent},
    {"pto.eventid_array", TypeKind::kEventIdArray},
    {"pto.local_array", TypeKind::kLocalArray},
    {"pto.multi_tile_buf", TypeKind::kMultiTile},
    {"pto.prefetch_async_context", TypeKind::kPrefetch},
    {"pto.vreg", TypeKind::kVreg},
    {"pto.mask", TypeKind::kMask},
    {"pto.align", TypeKind::kAlign},
    {"vector", TypeKind::kVector},
};

}  // namespace

const Type* Parser::Intern(const Type& type) {
  if ((interned_count_ + 1) * 2 > interned_.size()) {
    std::vector<const Type*> old = std::move(interned_);
    interned_.assign(std::max<size_t>(64, old.size() * 2), nullptr);
    for (const Type* t : old) {
      if (t == nullptr) continue;
      size_t at = HashType(*t, seed_) & (interned_.size() - 1);
      while (interned_[at] != nullptr) at = (at + 1) & (interned_.size() - 1);
      interned_[at] = t;
    }
  }
  size_t at = HashType(type, seed_) & (interned_.size() - 1);
  for (; interned_[at] != nullptr; at = (at + 1) & (interned_.size() - 1)) {
    if (SameType(*interned_[at], type)) return interned_[at];
  }
  Type* kept = arena_->New<Type>();
  *kept = type;
  ++interned_count_;
  return interned_[at] = kept;
}

const Type* Parser::Scalar(Elem elem) {
  const Type*& type = scalars_[static_cast<int>(elem)];
  if (type == nullptr) {
    Type fresh;
    fresh.elem = elem;
    type = Intern(fresh);
  }
  return type;
}

const Type* Parser::Any(TypeKind kind, const Type** kept) {
  if (*kept == nullptr) {
    Type fresh;
    fresh.kind = kind;
    *kept = Intern(fresh);
  }
  return *kept;
}

const Type* Parser::ParseType(TypeKind abbreviated) {
  const Token start = tok_;
  Type type;
  if (tok_.kind == Tok::kIdent) {
    const Elem elem = ElemByName(tok_.text);
    if (elem != Elem::kNone) {
      Advance();
      return Scalar(elem);
    }
    // `dtype`, as the documents write the type of a scalar, for an operand only.
    if (tok_.text == "dtype" && abbreviated == TypeKind::kTile) {
      Advance();
      return AnyScalar();
    }
    if (tok_.text == "none") {
      type.kind = TypeKind::kNone;
      Advance();
      return Intern(type);
    }
  }
  if (tok_.kind == Tok::kBang && !type_aliases_.empty()) {
    if (const Type* aliased = AliasedType(); aliased != nullptr) {
      Advance();
      return aliased;
    }
  }
  constexpr std::string_view kOwn = "pto.";
  if (tok_.kind == Tok::kBang && *lexer_.at() != '<' && tok_.text.starts_with(kOwn)) {
    if (const Elem elem = ElemByName(tok_.text.substr(kOwn.size())); elem != Elem::kNone) {
      Advance();
      return Scalar(elem);
    }
  }
  raw_ = lexer_.at();
  if (At('<') && abbreviated != TypeKind::kOpaque) {
    // `<f32>` where the operation fixes the kind.
    --raw_;
    const char* name = "pto.tile_buf";
    for (const KnownType& known : kKnown) {
      if (known.kind == abbreviated) {
        name = known.name;
        break;
      }
    }
    if (!RawType(name, &type)) return nullptr;
  } else if (tok_.kind == Tok::kBang || tok_.kind == Tok::kIdent) {
    // The text up to `>` decides; the bound keeps the search linear.
    constexpr size_t kLongest = 256;
    const char* begin = lexer_.begin() + start.offset;
    const size_t window = std::min(kLongest, static_cast<size_t>(lexer_.end() - begin));
    const void* close = *raw_ == '<' ? std::memchr(begin, '>', window) : nullptr;
    Written* slot = nullptr;
    std::string_view text;
    if (close != nullptr) {
      text = {begin, static_cast<size_t>(static_cast<const char*>(close) - begin) + 1};
      // Types that share a slot are only read again each time, so no seed: the work is the same in every run.
      slot = &written_[HashText(text, 0) & (written_.size() - 1)];
      if (slot->text == text) {
        AdvanceFrom(begin + text.size());
        return slot->type;
      }
    }
    const size_t comments = lexer_.comments().size();
    const size_t said = diagnostics_->list().size();
    if (!RawType(start.text, &type)) return nullptr;
    const Type* kept = Intern(type);
    // An error in a type is reported wherever it is written, whichever types are known here.
    const bool silent = lexer_.comments().size() == comments && diagnostics_->list().size() == said;
    if (slot != nullptr && raw_ == begin + text.size() && silent) *slot = {text, kept};
    AdvanceFrom(raw_);
    return kept;
  } else {
    Expected("a type");
    return nullptr;
  }
  AdvanceFrom(raw_);
  return Intern(type);
}

bool Parser::ParseTypeList(char close) {
  while (!At(close)) {
    const Type* type = ParseType(TypeKind::kTile);
    if (type == nullptr) return false;
    types_.push_back(type);
    if (!Accept(',')) break;
  }
  return Expect(close);
}

bool Parser::ParseTypes() {
  if (Accept('(')) return ParseTypeList(')');
  const Type* type = ParseType(TypeKind::kTile);
  if (type == nullptr) return false;
  types_.push_back(type);
  return true;
}

// ---- character by character -------------------------------------------------

bool Parser::RawFail(TextRule rule, const char* format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diagnostics_->Error(rule, lexer_.OffsetOf(raw_), 1, "%s", text);
  AdvanceFrom(raw_);
  return false;
}

bool Parser::RawEat(char c) {
  raw_ = lexer_.SkipBlanks(raw_);
  if (raw_ == lexer_.end() || *raw_ != c) return false;
  ++raw_;
  return true;
}

bool Parser::RawExpect(char c) {
  if (RawEat(c)) return true;
  return RawFail(TextRule::kType, "expected '%c' in a type", c);
}

// A keyword, which may be quoted, or "".
std::string_view Parser::RawWord() {
  const char* p = raw_ = lexer_.SkipBlanks(raw_);
  const bool quoted = *p == '"';
  if (quoted) ++p;
  const char* begin = p;
  if (Is(*p, kLetterBit)) {
    while (Is(*p, kLetterBit | kDigitBit)) ++p;
  }
  const std::string_view word(begin, static_cast<size_t>(p - begin));
  if (word.empty() || (quoted && *p != '"')) return {};
  raw_ = p + (quoted ? 1 : 0);
  return word;
}

bool Parser::RawInt(int64_t* value) {
  raw_ = lexer_.SkipBlanks(raw_);
  if (!Is(*raw_, kDigitBit)) return RawFail(TextRule::kType, "expected a number in a type");
  int64_t n = 0;
  const char* p = raw_;
  for (; Is(*p, kDigitBit); ++p) {
    if (n > (int64_t{1} << 50)) return RawFail(TextRule::kNumber, "the number is too large for a type");
    n = n * 10 + (*p - '0');
  }
  raw_ = p;
  *value = n;
  return true;
}

// `?` or a number; -1 is an old way to write `?`.
bool Parser::RawExtent(int64_t* value) {
  if (RawEat('?')) {
    *value = kDynamic;
    return true;
  }
  if (RawEat('-')) {
    if (!RawInt(value)) return false;
    if (*value != 1)
      return RawFail(TextRule::kType, "an extent is a number or '?', not -%lld", static_cast<long long>(*value));
    *value = kDynamic;
    return true;
  }
  return RawInt(value);
}

// The dialect's own element types may be written with its name in front: !pto.hif8.
bool Parser::RawElem(Elem* elem) {
  constexpr std::string_view kOwn = "!pto.";
  raw_ = lexer_.SkipBlanks(raw_);
  if (std::string_view(raw_, static_cast<size_t>(lexer_.end() - raw_)).starts_with(kOwn)) raw_ += kOwn.size();
  const std::string_view word = RawWord();
  *elem = ElemByName(word);
  if (*elem != Elem::kNone) return true;
  raw_ -= word.size();
  Nearest nearest(word);
  for (int i = 1; i <= static_cast<int>(Elem::kF4E1M2); ++i) nearest.Offer(Info(static_cast<Elem>(i)).name);
  return RawFail(TextRule::kType, "'%.*s' is not an element type%s", PTO_NAME(word), nearest.Question().c_str());
}

// What a pointer is to: an element, or vector<2xf16>.
bool Parser::RawPointee(Type* type) {
  raw_ = lexer_.SkipBlanks(raw_);
  const char* const start = raw_;
  if (RawWord() != "vector") {
    raw_ = start;
    return RawElem(&type->elem);
  }
  if (!RawExpect('<') || !RawShape(type)) return false;
  if (type->rank != 1 || type->dims[0] < 1) return RawFail(TextRule::kType, "a pointer is to vectors of known length");
  return RawExpect('>');
}

// { ( ? | number ) x } element
bool Parser::RawShape(Type* type) {
  raw_ = lexer_.SkipBlanks(raw_);
  while (*raw_ == '?' || Is(*raw_, kDigitBit)) {
    if (type->rank == kMaxRank) return RawFail(TextRule::kType, "a type has at most %d dimensions", kMaxRank);
    if (!RawExtent(&type->dims[type->rank])) return false;
    ++type->rank;
    if (*raw_ != 'x') return RawFail(TextRule::kType, "expected 'x' after a dimension");
    ++raw_;
  }
  return RawElem(&type->elem);
}

bool Parser::RawType(std::string_view name, Type* type) {
  const char* start = raw_;
  const KnownType* known = nullptr;
  for (const KnownType& k : kKnown) {
    if (name == k.name) known = &k;
  }
  const bool shaped =
      known != nullptr && (known->kind == TypeKind::kTensorView || known->kind == TypeKind::kPartitionView ||
                           known->kind == TypeKind::kAnyView);
  if (shaped && *raw_ == '<' && RawOpen(raw_ + 1, "MxNxdtype")) {
    type->kind = TypeKind::kAnyView;
    return RawExpect('>');
  }
  // Memrefs of the dialect have no meaning but that.
  if (known != nullptr && known->kind == TypeKind::kAnyView) known = nullptr;
  if (known == nullptr) {
    const bool dialect = tok_.kind == Tok::kBang || name == "memref" || name == "tensor" || name == "tuple";
    if (!dialect) {
      Fail(TextRule::kType, "'%.*s' is not a type", PTO_NAME(name));
      return false;
    }
    // Another dialect's type: kept as written up to the matching >.
    type->kind = TypeKind::kOpaque;
    const char* begin = lexer_.begin() + tok_.offset;
    int open = 0;
    if (*raw_ == '<') {
      do {
        if (raw_ == lexer_.end() || open > kMaxRank * 4) return RawFail(TextRule::kType, "the type is not closed");
        if (*raw_ == '<') ++open;
        if (*raw_ == '>' && raw_[-1] != '-') --open;
        ++raw_;
      } while (open > 0);
    }
    type->text = {begin, static_cast<size_t>(raw_ - begin)};
    if (name == "memref" && open == 0 && raw_[-1] == '>') {
      MemrefType(type->text.substr(name.size() + 1, type->text.size() - name.size() - 2), type);
    }
    return true;
  }
  type->kind = known->kind;
  switch (known->kind) {
    case TypeKind::kPipe:
    case TypeKind::kAsyncSession:
    case TypeKind::kAsyncEvent:
    case TypeKind::kEvent:
    case TypeKind::kPrefetch:
      return true;
    case TypeKind::kMultiTile:
      return RawExpect('<') && RawTiles(type) && RawExpect('>');
    case TypeKind::kTile:
      if (!RawExpect('<') || !RawTile(type) || !RawExpect('>')) return false;
      return type->kind == TypeKind::kAnyTile ||
             CheckTile(*type, lexer_.OffsetOf(start), static_cast<uint32_t>(raw_ - start));
    case TypeKind::kPtr:
      if (!RawExpect('<') || !RawPointee(type)) return false;
      if (RawEat(',') && !RawSpace(type)) return RawFail(TextRule::kType, "expected a memory space such as gm or vec");
      return RawExpect('>');
    case TypeKind::kAlign:
      return true;
    case TypeKind::kMask:
      return RawMask(type);
    case TypeKind::kVreg:
      return RawExpect('<') && RawShape(type) && RawExpect('>') &&
             CheckVreg(*type, lexer_.OffsetOf(start), static_cast<uint32_t>(raw_ - start));
    case TypeKind::kEventIdArray:
      type->rank = 1;
      return RawExpect('<') && RawInt(&type->dims[0]) && RawExpect('>');
    default:
      return RawExpect('<') && RawShape(type) && RawExpect('>');
  }
}

// The memory of a pointer or memref: global, or a location, by one of its names.
bool Parser::SpaceNamed(std::string_view word, Type* type) {
  static constexpr struct {
    std::string_view name;
    Loc loc;
  } kHardware[] = {{"ub", Loc::kVec},  {"l1", Loc::kMat},  {"l0a", Loc::kLeft},  {"l0b", Loc::kRight},
                   {"l0c", Loc::kAcc}, {"bt", Loc::kBias}, {"fb", Loc::kScaling}};
  type->local = word != "gm" && word != "zero";
  if (!type->local || SetLoc(word, type)) return true;
  for (const auto& known : kHardware) {
    if (word != known.name) continue;
    type->loc = known.loc;
    return true;
  }
  return false;
}

bool Parser::RawSpace(Type* type) {
  const std::string_view word = RawWord();
  if (SpaceNamed(word, type)) return true;
  raw_ -= word.size();
  return false;
}

// Steps over `...`, or what the documents write for a type that they leave open, if it is here.
bool Parser::RawOpen(const char* here, std::string_view placeholder) {
  here = lexer_.SkipBlanks(here);
  const std::string_view rest(here, static_cast<size_t>(lexer_.end() - here));
  for (const std::string_view open : {std::string_view("..."), placeholder}) {
    if (!rest.starts_with(open)) continue;
    raw_ = here + open.size();
    return true;
  }
  return false;
}

// <b8>, <b16>, <b32> or nothing
bool Parser::RawMask(Type* type) {
  type->rank = 1;
  if (*raw_ != '<') return true;
  ++raw_;
  const std::string_view word = RawWord();
  type->dims[0] = word == "b8" ? 8 : word == "b16" ? 16 : word == "b32" ? 32 : 0;
  if (type->dims[0] == 0) return RawFail(TextRule::kType, "expected b8, b16 or b32 in the type of a mask");
  return RawExpect('>');
}

bool Parser::CheckVreg(const Type& type, uint32_t offset, uint32_t length) {
  constexpr int64_t kBits = 2048;
  const int64_t lanes = type.rank == 1 ? type.dims[0] : 0;
  if (type.elem != Elem::kIndex && lanes > 0 && lanes * Info(type.elem).bits == kBits) return true;
  diagnostics_->Error(TextRule::kType, offset, length, "a register has %lld lanes of %s, not these",
                      type.elem == Elem::kIndex ? 0LL : static_cast<long long>(kBits / Info(type.elem).bits),
                      Info(type.elem).name);
  return false;
}

}  // namespace pto::ptoas

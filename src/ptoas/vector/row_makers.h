// Helpers for rows of the vector level: see op.h for the meaning of the words.
#ifndef PTO_SRC_PTOAS_VECTOR_ROW_MAKERS_H_
#define PTO_SRC_PTOAS_VECTOR_ROW_MAKERS_H_

#include "src/ptoas/vector/choices.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas::vec::rows {

using namespace dtypes;

inline constexpr DTypeSet kInt8 = kI8 | kU8, kInt16 = kI16 | kU16, kInt32 = kI32 | kU32, kInt64 = kI64 | kU64;
inline constexpr DTypeSet kInts = kInt8 | kInt16 | kInt32 | kInt64;
inline constexpr DTypeSet kTo32 = kInt8 | kInt16 | kInt32;
inline constexpr DTypeSet kFine = kF16 | kF32, kFloat = kFine | kBF16;
inline constexpr DTypeSet kAny = kInts | kFloat;

constexpr Op Make(std::string_view name, Family family, std::string_view takes, std::string_view makes, DTypeSet types,
                  std::string_view does) {
  return {.name = name, .family = family, .takes = takes, .makes = makes, .types = types, .does = does};
}
constexpr Op Unary(std::string_view name, DTypeSet types, std::string_view does) {
  return Make(name, Family::kUnary, "v m", "v", types, does);
}
constexpr Op Binary(std::string_view name, DTypeSet types, std::string_view does) {
  return Make(name, Family::kBinary, "v v m", "v", types, does);
}
constexpr Op WithScalar(std::string_view name, DTypeSet types, std::string_view does,
                        std::string_view takes = "v s m") {
  return Make(name, Family::kScalar, takes, "v", types, does);
}
constexpr Op Reduce(std::string_view name, DTypeSet types, std::string_view does) {
  return Make(name, Family::kReduce, "v m", "v", types, does);
}
constexpr Op Judged(Op op, Also also) {
  op.also = also;
  return op;
}
constexpr Op Worded(Op op, const Choice* first, const Choice* second = nullptr) {
  op.words[0] = first;
  op.words[1] = second;
  return op;
}
constexpr Op Keyed(Op op, const Choice* a, const Choice* b = nullptr, const Choice* c = nullptr) {
  op.attrs[0] = a;
  op.attrs[1] = b;
  op.attrs[2] = c;
  return op;
}
constexpr Op In(Op op, Scope scope) {
  op.scope = scope;
  return op;
}
constexpr Op Masks(std::string_view name, std::string_view takes, std::string_view makes, std::string_view does) {
  return Make(name, Family::kMask, takes, makes, kAny, does);
}
constexpr Op State(std::string_view name, std::string_view takes, std::string_view makes, std::string_view does) {
  return In(Make(name, Family::kState, takes, makes, kAny, does), Scope::kAnywhere);
}
constexpr Op Refused(std::string_view name, std::string_view why) {
  return {.name = name, .scope = Scope::kAnywhere, .refused = why};
}
constexpr Op Older(Op op, std::string_view newer) {
  op.older = newer;
  return op;
}

// ---- copies ----------------------------------------------------------------------

inline constexpr ClauseInfo kBursts[] = {{"nburst", 3, 3, true, false, TypeStyle::kPlain},
                                         {"loop", 3, 3, false, true, TypeStyle::kNamed},
                                         {"loop1", 3, 3, false, false, TypeStyle::kNamed},
                                         {"loop2", 3, 3, false, false, TypeStyle::kNamed},
                                         {"pad", 1, 3, false, false, TypeStyle::kNamed}};
inline constexpr std::span<const ClauseInfo> kWithoutPad = std::span(kBursts).first(4);
inline constexpr std::span<const ClauseInfo> kBurstOnly = std::span(kBursts).first(1);

constexpr Op Copy(std::string_view name, std::string_view takes, std::span<const ClauseInfo> clauses,
                  std::string_view does) {
  Op op = Judged(In(Make(name, Family::kCopy, takes, "", kAny, does), Scope::kAnywhere), Also::kCopy);
  op.clauses = clauses;
  return op;
}

inline constexpr std::string_view kNoMeaning = "no document gives it a meaning and no program uses it";
inline constexpr std::string_view kNoHardware = "no A5 hardware has it and no program uses it";

}  // namespace pto::ptoas::vec::rows

#endif  // PTO_SRC_PTOAS_VECTOR_ROW_MAKERS_H_

// Single elements: of vectors, and of the view or tile of a memref.
#include "src/ptoas/check/verify_impl.h"

namespace pto::ptoas {

// A vector has one index per dimension; known indices lie inside it.
void Verifier::CheckVector(const Stmt& stmt) {
  const Operand* value = stmt["value"];
  const Operand* whole = stmt["vector"];
  const Type* vector = value == nullptr ? TypeOf(*whole) : stmt.types[0];
  const Type* number = value == nullptr ? stmt.types[0] : TypeOf(*value);
  if (vector == nullptr || vector->Lanes() == 0) {
    return Error(TextRule::kOperandType, stmt, "%.*s takes a vector of known extents here, not %s", PTO_NAME(stmt.name),
                 vector == nullptr ? "this" : Describe(vector).c_str());
  }
  if (number == nullptr || !number->IsScalar(vector->elem)) {
    return Error(TextRule::kOperandType, stmt, "an element of %s is not %s", Describe(vector).c_str(),
                 number == nullptr ? "this" : Describe(number).c_str());
  }
  if (whole == nullptr) return;
  if (!TypesAgree(TypeOf(*whole), vector)) {
    return Error(TextRule::kTypeMismatch, stmt, "a part of %s makes %s", Describe(TypeOf(*whole)).c_str(),
                 Describe(vector).c_str());
  }
  CheckPlaces(stmt, stmt.All("places"), *vector);
}

void Verifier::CheckPlaces(const Stmt& stmt, std::span<const Operand> places, const Type& type) {
  if (places.size() != type.rank) {
    return Error(TextRule::kViewRank, stmt, "%zu place%s in %s", places.size(), Plural(places.size()),
                 Describe(&type).c_str());
  }
  for (size_t i = 0; i < places.size(); ++i) {
    int64_t at = 0;
    if (!ConstantOf(places[i], &at)) continue;
    if (at < 0 || (type.dims[i] != kDynamic && at >= type.dims[i])) {
      Error(TextRule::kViewRange, stmt, "place %lld in dimension %zu of %s", static_cast<long long>(at), i,
            Describe(&type).c_str());
    }
  }
}

// An array of scalars and the places of its elements.
void Verifier::CheckLocalArray(const Stmt& stmt) {
  const Operand* stored = stmt["value"];
  const bool declares = stmt.All("array").empty();
  const Type* array = declares ? stmt.types[0] : TypeOf(*stmt["array"]);
  if (array == nullptr || array->kind != TypeKind::kLocalArray || array->Elements() == 0) {
    return Error(TextRule::kOperandType, stmt, "%.*s takes an array of 1 to %lld scalars, not %s", PTO_NAME(stmt.name),
                 static_cast<long long>(kMaxLanes), array == nullptr ? "this" : Describe(array).c_str());
  }
  if (declares) return;
  const Type* value = stored != nullptr ? TypeOf(*stored) : stmt.types[0];
  if (value != nullptr && !value->IsScalar(array->elem)) {
    return Error(TextRule::kOperandType, stmt, "an element of %s is not %s", Describe(array).c_str(),
                 Describe(value).c_str());
  }
  CheckPlaces(stmt, stmt.All("places"), *array);
}

void Verifier::CheckDealloc(const Stmt& stmt) {
  const Operand& memory = *stmt["memory"];
  const Type* type = TypeOf(memory);
  NeedKind(stmt, memory, "a memref",
           memory.kind == OperandKind::kValue && type != nullptr && (type->IsTile() || type->MayBeView()));
}

void Verifier::CheckIndexMade(const Stmt& stmt) {
  if (stmt.types[0]->IsIndex()) return;
  Error(TextRule::kTypeMismatch, stmt, "%.*s makes an index, not %s", PTO_NAME(stmt.name),
        Describe(stmt.types[0]).c_str());
}

// On-chip memory of a memref lies in rows or in columns: boxed tiles have no element of two indices here.
void Verifier::CheckMemref(const Stmt& stmt) {
  const Operand* stored = stmt["value"];
  const Operand& memory = *stmt["memory"];
  const Type* type = TypeOf(memory);
  const bool view = type != nullptr && type->IsView();
  const bool tile = type != nullptr && type->kind == TypeKind::kTile && type->slayout == SLayout::kNoneBox;
  if (!NeedKind(stmt, memory, "a memref", memory.kind == OperandKind::kValue && (view || tile))) return;
  const Type* value = stored != nullptr ? TypeOf(*stored) : stmt.types[0];
  if (value != nullptr && !value->IsScalar(type->elem)) {
    return Error(TextRule::kViewElement, stmt, "%s in %s", Describe(value).c_str(), Describe(type).c_str());
  }
  CheckPlaces(stmt, stmt.All("places"), *type);
}

}  // namespace pto::ptoas

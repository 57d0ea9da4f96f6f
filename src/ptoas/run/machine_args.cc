// Arguments of the entry: what they take, and what they are bound to.
#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>

#include "src/ptoas/read/views.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/records/nearest.h"

namespace pto::ptoas {

namespace {

std::string ShapeText(std::span<const int64_t> dims) {
  std::string text;
  for (const int64_t dim : dims) text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text.empty() ? "1" : text;
}

// As large as a tensor may be.
constexpr int64_t kMemoryBytes = int64_t{1} << 40;

// No array has f64: one of 64-bit integers has its bits.
bool HasBitsOf(const Type& type, pto_dtype dtype) {
  return type.kind == TypeKind::kPtr && type.elem == Elem::kF64 && (dtype == PTO_DTYPE_I64 || dtype == PTO_DTYPE_U64);
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

ValueKind Machine::KindOf(const Type* type) {
  if (type == nullptr || type->IsTile()) return ValueKind::kTile;
  switch (type->kind) {
    case TypeKind::kPtr:
      return type->local ? ValueKind::kNone : ValueKind::kPtr;
    case TypeKind::kTensorView:
    case TypeKind::kPartitionView:
    case TypeKind::kAnyView:
      return ValueKind::kTensor;
    case TypeKind::kAnyScalar:
      return ValueKind::kFloat;
    case TypeKind::kScalar:
      return IsFloat(type->elem) ? ValueKind::kFloat : ValueKind::kInt;
    default:
      return ValueKind::kNone;
  }
}

// At the argument; an argument of bare statements has only the position of the entry.
void Machine::FailArgument(const Func& entry, const Value& argument, Rule rule, const std::string& message) {
  state_->argument_at_fault = argument.name;
  const bool placed = argument.length != 0;
  FailAt(rule, placed ? argument.offset : entry.offset, placed ? argument.length : entry.length,
         "%" + std::string(argument.name) + " " + message);
}

// A tensor over memory of unknown length: what the argument's type describes, or all that a tensor can have.
Box* Machine::MemoryOf(const Func& entry, const Value& argument, int64_t address) {
  const auto fail = [&](Rule rule, const std::string& message) { FailArgument(entry, argument, rule, message); };
  const ValueKind kind = argument.type == nullptr ? ValueKind::kNone : KindOf(argument.type);
  pto_dtype dtype = PTO_DTYPE_F32;
  if (kind != ValueKind::kPtr && kind != ValueKind::kTensor)
    fail(Rule::kArgumentKind, std::string("takes ") + KindName(KindOf(argument.type)) + " and is bound to an address");
  const Type& type = *argument.type;
  const bool bits_only = HasBitsOf(type, PTO_DTYPE_I64);
  if (bits_only) dtype = PTO_DTYPE_I64;
  if (!bits_only && !DTypeOf(type.elem, &dtype))
    fail(Rule::kArgumentType, "holds elements of a type that is not known");
  const int64_t bits = pto_dtype_bits(dtype);
  const bool pointer = kind == ValueKind::kPtr;
  int64_t dims[kMaxRank] = {kMemoryBytes * 8 / bits};
  if (!pointer) std::copy_n(type.dims, kMaxRank, dims);
  const int rank = pointer ? 1 : type.rank;
  if (std::find(dims, dims + rank, kDynamic) != dims + rank)
    fail(Rule::kArgumentShape, "is bound to an address, and its type does not give its shape");
  const pto_tensor_desc desc =
      TensorDesc(dtype, PTO_LAYOUT_ND, rank, dims, !pointer && type.strided ? type.strides : nullptr);
  pto_tensor* tensor = pto_tensor_wrap(ctx_, &desc, reinterpret_cast<void*>(address), kMemoryBytes);
  if (tensor == nullptr) {
    const std::string_view why = pto_context_error_message(ctx_);
    fail(Rule::kArgumentType, "cannot be bound to the address: " + std::string(why.substr(why.find(": ") + 2)));
  }
  return Box::OfTensor(tensor);
}

void Machine::BindArgument(const Func& entry, const Value& argument, const Binding& binding, Frame frame) {
  const auto fail = [&](Rule rule, const std::string& message) { FailArgument(entry, argument, rule, message); };
  // A tile that a bare statement names without a type may as well be a tensor.
  const bool untyped = argument.type == nullptr;
  if (binding.value.Is(ValueKind::kPtr)) {
    Box* memory = MemoryOf(entry, argument, binding.value.integer());
    frame[argument.slot] = RunValue::Of(KindOf(argument.type), memory);
    return;
  }
  const ValueKind kind = untyped && binding.value.Is(ValueKind::kTensor) ? ValueKind::kTensor : KindOf(argument.type);
  const ValueKind bound = binding.value.kind();
  if (!untyped && argument.type->kind == TypeKind::kAnyScalar &&
      (bound == ValueKind::kInt || bound == ValueKind::kFloat)) {
    frame[argument.slot] = bound == ValueKind::kFloat ? RunValue::Float(binding.number.odd) : binding.value;
    return;
  }
  const ValueKind takes = kind == ValueKind::kPtr ? ValueKind::kTensor : kind;
  if (kind == ValueKind::kNone) fail(Rule::kArgumentKind, "has a type that cannot be bound");
  if (bound != takes) {
    fail(Rule::kArgumentKind, std::string("takes ") + KindName(takes) + " and is bound to " + KindName(bound));
  }
  if (bound == ValueKind::kInt) {
    const IntRange range = RangeOf(argument.type->elem);
    const int64_t value = binding.value.integer();
    if (value < range.low || value > range.high) {
      fail(Rule::kArgumentRange, "is bound to " + std::to_string(value) + ", outside the range of " +
                                     Info(argument.type->elem).name + ": " + std::to_string(range.low) + " to " +
                                     std::to_string(range.high));
    }
    frame[argument.slot].SetInt(WrapInt(argument.type->elem, value));
    return;
  }
  if (bound == ValueKind::kFloat) {
    frame[argument.slot].SetFloat(RoundFloat(argument.type->elem, binding.number.For(argument.type->elem)));
    return;
  }
  Box* box = binding.value.box();
  const pto_dtype dtype = box->tile != nullptr ? pto_tile_dtype(box->tile) : pto_tensor_dtype(box->tensor);
  const bool typed = !untyped && !argument.type->IsOpen();
  if (typed && !DTypeAgrees(argument.type->elem, dtype) && !HasBitsOf(*argument.type, dtype)) {
    fail(Rule::kArgumentType,
         std::string("holds ") + Info(argument.type->elem).name + " and is bound to " + pto_dtype_name(dtype));
  }
  if (typed && kind == ValueKind::kTile) {
    const Type& type = *argument.type;
    if (type.rows() != pto_tile_rows(box->tile) || type.cols() != pto_tile_cols(box->tile)) {
      fail(Rule::kArgumentType, "is a tile of " + std::to_string(type.rows()) + "x" + std::to_string(type.cols()) +
                                    " and is bound to one of " + std::to_string(pto_tile_rows(box->tile)) + "x" +
                                    std::to_string(pto_tile_cols(box->tile)));
    }
  }
  if (typed && kind == ValueKind::kTensor) {
    const Type& type = *argument.type;
    bool same = type.rank == pto_tensor_rank(box->tensor);
    for (int i = 0; same && i < type.rank; ++i) {
      same = type.dims[i] == kDynamic || type.dims[i] == pto_tensor_dim(box->tensor, i);
      same = same && (!type.strided || type.strides[i] == pto_tensor_stride(box->tensor, i));
    }
    if (!same)
      fail(Rule::kArgumentType, "is a view of other dimensions or strides than the tensor that it is bound to");
  }
  if (kind == ValueKind::kPtr && argument.one_view && pto_tensor_rank(box->tensor) > 1) {
    int64_t dims[5];
    const auto rank = static_cast<size_t>(pto_tensor_rank(box->tensor));
    for (size_t i = 0; i < rank; ++i) dims[i] = pto_tensor_dim(box->tensor, static_cast<int32_t>(i));
    const std::span<const int64_t> shape = DropOnes({dims, rank});
    if (shape.size() > 1 && !std::equal(shape.begin(), shape.end(), argument.viewed.begin(), argument.viewed.end())) {
      const auto count = [](std::span<const int64_t> extents) {
        return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
      };
      const int64_t seen = count(argument.viewed);
      const int64_t there = count({dims, rank});
      // If the numbers differ, the order of elements is not all that is wrong.
      const auto number = [&](int64_t n) { return seen == there ? "" : " (" + std::to_string(n) + " elements)"; };
      fail(Rule::kArgumentShape, "is viewed as " + ShapeText(argument.viewed) + number(seen) +
                                     " and is bound to a tensor of " + ShapeText({dims, rank}) + number(there));
    }
  }
  box->carries = true;
  box->Retain();
  frame[argument.slot] = RunValue::Of(kind, box);
}

void Machine::BindArguments(const Func& entry, Frame frame) {
  const Bindings& bindings = *bindings_;
  bound_.assign(entry.args.size(), nullptr);
  for (size_t i = 0; i < entry.args.size() && arguments_.size() < entry.args.size() && !bindings.empty(); ++i) {
    arguments_[entry.args[i]->name] = i;
  }
  for (const Binding& binding : bindings) {
    const auto named = arguments_.find(binding.name);
    size_t at = named == arguments_.end() ? entry.args.size() : named->second;
    if (at == entry.args.size() && AllDigits(binding.name) && binding.name.size() < 7) at = std::stoul(binding.name);
    if (at >= entry.args.size()) {
      Nearest nearest(binding.name);
      for (const Value* argument : entry.args) nearest.Offer(argument->name);
      FailAt(Rule::kArgumentName, entry.offset, entry.length,
             "@" + std::string(entry.name) + " has no argument " + binding.name + nearest.Question("%"));
    }
    bound_[at] = &binding;
  }
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const Value& argument = *entry.args[i];
    if (bound_[i] != nullptr) {
      BindArgument(entry, argument, *bound_[i], frame);
    } else if (!argument.written_first && !IsCounts(argument.type)) {
      FailArgument(entry, argument, Rule::kUnboundArgument,
                   std::string("takes ") + KindName(KindOf(argument.type)) + " and is not bound");
    }
  }
}

}  // namespace pto::ptoas

// extern "C": the arguments of a program's functions, and what they are bound to.
#include <algorithm>
#include <functional>

#include "src/api/api_program.h"
#include "src/ptoas/run/tile_desc.h"

using pto::Abi;
using pto::Arguments;
using pto::FuncOf;
using pto::Guard;
using pto::Rule;
using pto::Status;
using pto::ptoas::Binding;
using pto::ptoas::Box;
using pto::ptoas::Decimal;
using pto::ptoas::Func;
using pto::ptoas::RunValue;
using pto::ptoas::ValueKind;

const Func* pto::FuncOf(const pto_program* program, const char* entry) {
  if (program == nullptr) return nullptr;
  if (entry == nullptr) return program->default_func;
  const auto found = program->funcs.find(entry);
  return found == program->funcs.end() ? nullptr : found->second;
}

namespace {

const pto::ptoas::Value* ArgOf(const pto_program* program, const char* entry, int32_t index) {
  const Func* func = FuncOf(program, entry);
  if (func == nullptr || index < 0 || static_cast<size_t>(index) >= func->args.size()) return nullptr;
  return func->args[static_cast<size_t>(index)];
}

const char* NameOf(const char* arg) { return arg[0] == '%' ? arg + 1 : arg; }

// `make` returns the value, kNone to take the binding back; it may throw std::bad_alloc,
// and then the binding is what it was.
template <class Make>
Status Bind(pto_context* ctx, pto_program* program, const char* call, const char* arg, Make make,
            const Decimal& number = {}) {
  const Status status = Arguments(ctx, call, program);
  if (status != Status::kOk) return status;
  if (arg == nullptr) return ctx->error.Set(Rule::kNull, call, "arg", "arg is NULL");
  return Guard(ctx, call, [&] {
    Binding made{NameOf(arg), make(), number, false};
    pto_program::Bound& bound = program->BoundNow();
    const auto at = bound.of.find(made.name);
    if (at != bound.of.end()) {
      const auto binding = at->second;
      binding->value = std::move(made.value);
      binding->number = number;
      binding->output = false;
      if (!binding->value.Is(ValueKind::kNone)) return Status::kOk;
      bound.of.erase(at);
      bound.bindings.erase(binding);
    } else if (!made.value.Is(ValueKind::kNone)) {
      pto::ptoas::Bindings one;
      one.push_back(std::move(made));
      bound.of.emplace(one.front().name, one.begin());
      bound.bindings.splice(bound.bindings.end(), one);
    }
    return Status::kOk;
  });
}

}  // namespace

extern "C" {

const char* pto_program_entry(const pto_program* program) {
  return program == nullptr || program->default_entry.empty() ? nullptr : program->default_entry.c_str();
}

int32_t pto_program_arg_count(const pto_program* program, const char* entry) {
  const Func* func = FuncOf(program, entry);
  return func == nullptr ? -1 : static_cast<int32_t>(func->args.size());
}

const char* pto_program_arg_name(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) return nullptr;
  const auto at = std::lower_bound(program->names.begin(), program->names.end(), arg,
                                   [](const auto& pair, const auto* key) { return std::less<>()(pair.first, key); });
  return at->second.c_str();
}

pto_arg_kind pto_program_arg_kind(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) return PTO_ARG_OTHER;
  switch (pto::ptoas::Machine::KindOf(arg->type)) {
    case ValueKind::kPtr:
    case ValueKind::kTensor:
      return PTO_ARG_TENSOR;
    case ValueKind::kTile:
      return PTO_ARG_TILE;
    case ValueKind::kInt:
      return PTO_ARG_INT;
    case ValueKind::kFloat:
      return PTO_ARG_FLOAT;
    default:
      return PTO_ARG_OTHER;
  }
}

int32_t pto_program_arg_dtype(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  pto_dtype dtype = PTO_DTYPE_I8;
  if (arg == nullptr || arg->type == nullptr || !pto::ptoas::DTypeOf(arg->type->elem, &dtype)) return -1;
  return dtype;
}

pto_tile* pto_program_arg_tile(pto_context* ctx, const pto_program* program, const char* entry, int32_t index) {
  static constexpr char kCall[] = "pto_program_arg_tile";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) {
    ctx->error.Set(Rule::kArgumentName, kCall, "index", "there is no argument %d", index);
    return nullptr;
  }
  const auto* type = arg->type;
  const auto valid = [](int64_t extent) { return extent == pto::ptoas::kDynamic ? int64_t{PTO_VALID_ALL} : extent; };
  pto_tile_desc desc{};
  if (type == nullptr || type->kind != pto::ptoas::TypeKind::kTile ||
      !pto::ptoas::TileDesc(*type, pto_context_profile(ctx), valid(type->valid_row), valid(type->valid_col), &desc)) {
    ctx->error.Set(Rule::kArgumentKind, kCall, "index", "the program does not say what tile argument %d is", index);
    return nullptr;
  }
  desc = pto::ptoas::Asked(desc);
  return pto_tile_create_from(ctx, &desc);
}

int32_t pto_program_arg_optional(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  return arg != nullptr && arg->written_first ? 1 : 0;
}

pto_status pto_program_bind_tensor(pto_context* ctx, pto_program* program, const char* arg, pto_tensor* tensor) {
  return Abi(Bind(ctx, program, "pto_program_bind_tensor", arg, [&] {
    return tensor == nullptr ? RunValue() : RunValue::Of(ValueKind::kTensor, Box::OfTensor(pto_tensor_retain(tensor)));
  }));
}

pto_status pto_program_bind_tile(pto_context* ctx, pto_program* program, const char* arg, pto_tile* tile) {
  return Abi(Bind(ctx, program, "pto_program_bind_tile", arg, [&] {
    return tile == nullptr ? RunValue() : RunValue::Of(ValueKind::kTile, Box::OfTile(pto_tile_retain(tile)));
  }));
}

pto_status pto_program_set_output(pto_context* ctx, pto_program* program, const char* arg, int32_t on) {
  static constexpr char kCall[] = "pto_program_set_output";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (arg == nullptr) return Abi(ctx->error.Set(Rule::kNull, kCall, "arg", "arg is NULL"));
  pto_program::Bound& bound = program->BoundNow();
  const auto found = bound.of.find(NameOf(arg));
  if (found == bound.of.end()) {
    return Abi(ctx->error.Set(Rule::kUnboundArgument, kCall, "arg", "%%%.64s is not bound", NameOf(arg)));
  }
  const RunValue& value = found->second->value;
  if (!value.Is(ValueKind::kTensor) && !value.Is(ValueKind::kTile)) {
    return Abi(ctx->error.Set(Rule::kArgumentKind, kCall, "arg", "%%%.64s is bound to %s", NameOf(arg),
                              pto::ptoas::KindName(value.kind())));
  }
  found->second->output = on != 0;
  return PTO_OK;
}

pto_status pto_program_bind_address(pto_context* ctx, pto_program* program, const char* arg, int64_t address) {
  return Abi(Bind(ctx, program, "pto_program_bind_address", arg,
                  [&] { return address == 0 ? RunValue() : RunValue::Of(ValueKind::kPtr, nullptr, address); }));
}

pto_status pto_program_bind_int(pto_context* ctx, pto_program* program, const char* arg, int64_t value) {
  return Abi(Bind(ctx, program, "pto_program_bind_int", arg, [&] { return RunValue::Int(value); }));
}

pto_status pto_program_bind_float(pto_context* ctx, pto_program* program, const char* arg, double value) {
  return Abi(Bind(ctx, program, "pto_program_bind_float", arg, [&] { return RunValue::Float(value); }, {value, value}));
}

pto_status pto_program_bind_decimal(pto_context* ctx, pto_program* program, const char* arg, const char* text) {
  static constexpr char kCall[] = "pto_program_bind_decimal";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (text == nullptr) return Abi(ctx->error.Set(Rule::kNull, kCall, "text", "text is NULL"));
  const bool negative = text[0] == '-';
  Decimal number;
  if (!pto::ptoas::ReadDecimal(text + (negative || text[0] == '+' ? 1 : 0), &number)) {
    return Abi(ctx->error.Set(Rule::kArgumentType, kCall, "text", "'%s' is not a decimal number", text));
  }
  if (negative) number = {-number.nearest, -number.odd};
  return Abi(Bind(
      ctx, program, kCall, arg, [&] { return RunValue::Float(number.nearest); }, number));
}

}  // extern "C"

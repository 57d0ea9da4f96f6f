// extern "C": the library as a whole and contexts.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "src/api/api_abi.h"

using pto::Abi;

namespace {

pto_context* Create(const pto_profile& profile, const char* target_name) {
  if (!pto::InEnum(profile, pto::kProfileCount)) return nullptr;
  return pto::NewContext(static_cast<pto::Profile>(profile), target_name);
}

}  // namespace

extern "C" {

int32_t pto_version(void) { return PTO_VERSION_MAJOR * 10000 + PTO_VERSION_MINOR * 100 + PTO_VERSION_PATCH; }

const char* pto_status_name(pto_status status) {
  return pto::InEnum(status, pto::kStatusCount) ? pto::kStatusNames[status] : "PTO_ERROR_?";
}

const char* pto_dtype_name(pto_dtype dtype) {
  return pto::InEnum(dtype, pto::kDTypeCount) ? pto::kDTypes[dtype].name : "?";
}

int32_t pto_dtype_bytes(pto_dtype dtype) {
  return pto::InEnum(dtype, pto::kDTypeCount) ? pto::kDTypes[dtype].bytes : 0;
}

int32_t pto_dtype_bits(pto_dtype dtype) { return pto::InEnum(dtype, pto::kDTypeCount) ? pto::kDTypes[dtype].bits : 0; }

int64_t pto_live_handles(void) { return pto::g_live_handles.load(std::memory_order_relaxed); }

int32_t pto_target_count(void) { return pto::TargetCount(); }

const char* pto_target_name(int32_t index) {
  return index >= 0 && index < pto::TargetCount() ? pto::TargetName(index) : nullptr;
}

int32_t pto_target_supported(int32_t index) {
  return index >= 0 && index < pto::TargetCount() && pto::TargetSupported(index) ? 1 : 0;
}

pto_context* pto_context_create(pto_profile profile) { return Create(profile, nullptr); }

pto_context* pto_context_create_for(pto_profile profile, const char* target_name) {
  return Create(profile, target_name);
}

pto_context* pto_context_retain(pto_context* ctx) {
  if (ctx != nullptr) ctx->refs.Retain();
  return ctx;
}

void pto_context_release(pto_context* ctx) { pto::ReleaseContext(ctx); }

pto_profile pto_context_profile(const pto_context* ctx) {
  return ctx == nullptr ? PTO_PROFILE_CPU : static_cast<pto_profile>(ctx->profile);
}

pto_status pto_context_limit_on_chip(pto_context* ctx, int64_t bytes) {
  static constexpr char kCall[] = "pto_context_limit_on_chip";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  const auto value = static_cast<long long>(bytes);
  if (bytes < 1) return Abi(ctx->error.Set(pto::Rule::kLimit, kCall, "bytes", "bytes is %lld", value));
  const bool placed = std::any_of(std::begin(ctx->on_chip), std::end(ctx->on_chip),
                                  [](const pto::Storage* memory) { return memory != nullptr; });
  if (pto::IsHardware(ctx->profile) || bytes > pto::kMaxTileBytes || placed) {
    return Abi(ctx->error.Set(pto::Rule::kOnChipLimit, kCall, "bytes", "%lld bytes under %s%s", value,
                              pto::Info(ctx->profile).name, placed ? ", where tiles have addresses already" : ""));
  }
  ctx->on_chip_limit = bytes;
  return PTO_OK;
}

pto_status pto_context_saturate(pto_context* ctx, int32_t saturates) {
  if (ctx == nullptr) return PTO_ERROR_NULL;
  ctx->saturates = saturates != 0;
  return PTO_OK;
}

int64_t pto_context_capacity(const pto_context* ctx, pto_location location) {
  if (ctx == nullptr || !pto::InEnum(location, pto::kLocationCount)) return 0;
  return ctx->Capacity(static_cast<pto::Location>(location));
}

pto_status pto_context_print(pto_context* ctx, const char* text) {
  static constexpr char kCall[] = "pto_context_print";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (text == nullptr) return Abi(ctx->error.Set(pto::Rule::kNull, kCall, "text", "text is NULL"));
  if (ctx->output.Append(text, static_cast<int64_t>(std::strlen(text)))) return PTO_OK;
  return Abi(ctx->error.Set(pto::Rule::kMemory, kCall, "", "no memory for a message"));
}

const char* pto_context_output(const pto_context* ctx) { return ctx == nullptr ? "" : ctx->output.text(); }

void pto_context_clear_output(pto_context* ctx) {
  if (ctx != nullptr) ctx->output.Cut(0);
}

const char* pto_context_target(const pto_context* ctx) { return ctx == nullptr ? "" : pto::TargetName(ctx->target); }

pto_status pto_context_error(const pto_context* ctx) {
  return ctx == nullptr ? PTO_ERROR_NULL : Abi(ctx->error.status);
}

const char* pto_context_error_message(const pto_context* ctx) { return ctx == nullptr ? "" : ctx->error.message; }

const char* pto_context_error_rule(const pto_context* ctx) { return ctx == nullptr ? "" : ctx->error.rule; }

const char* pto_context_error_operand(const pto_context* ctx) { return ctx == nullptr ? "" : ctx->error.operand; }

const char* pto_context_error_remedy(const pto_context* ctx) { return ctx == nullptr ? "" : ctx->error.remedy; }

}  // extern "C"

// extern "C": what a run recorded of its instructions: events, the trace, the report.
#include <cstring>
#include <limits>

#include "src/api/api_program.h"

using pto::Abi;
using pto::Arguments;
using pto::Guard;
using pto::Rule;
using pto::Shown;
using pto::Status;
using pto::ptoas::Diagnostic;

namespace {

constexpr int kParts = PTO_EVENT_PART_REGISTER_ELEMENTS + 1;

// Instructions have three parts, and statements of the vector level the same three.
const pto::ptoas::Kept& KeptOf(const pto::ptoas::Recorder& recorder, int part) {
  return part < PTO_EVENT_PART_VECTOR_EVENTS ? recorder.insts() : recorder.below();
}
int KindOf(int part) { return part % PTO_EVENT_PART_VECTOR_EVENTS; }

// During a run, events only: which tiles are kept is not known before its end. The recorder is held.
int64_t RecordedRows(const pto::ptoas::Recorder& recorder, const pto_event_part& part) {
  if (!pto::InEnum(part, kParts)) return 0;
  const int raw = pto::RawEnum(part);
  const pto::ptoas::Kept& kept = KeptOf(recorder, raw);
  if (KindOf(raw) == PTO_EVENT_PART_EVENTS) return static_cast<int64_t>(kept.events.size());
  if (recorder.running()) return 0;
  return static_cast<int64_t>(KindOf(raw) == PTO_EVENT_PART_TILES ? kept.tiles.size() : kept.data.size());
}

}  // namespace

extern "C" {

pto_status pto_program_set_trace(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_trace", program);
  if (status != Status::kOk) return Abi(status);
  program->options.record = on != 0 ? PTO_RECORD_TIMES : PTO_RECORD_OFF;
  program->options.record_bytes = pto::ptoas::RunOptions::kRecordBytes;
  return PTO_OK;
}

pto_status pto_program_record(pto_context* ctx, pto_program* program, pto_record what, int64_t max_bytes) {
  static constexpr char kCall[] = "pto_program_record";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (!pto::InEnum(what, PTO_RECORD_TILES + 1)) {
    return Abi(
        ctx->error.Set(Rule::kOperandValue, kCall, "what", "what is %d where 0 to 2 are known", pto::RawEnum(what)));
  }
  if (max_bytes < 1) {
    return Abi(
        ctx->error.Set(Rule::kLimit, kCall, "max_bytes", "max_bytes is %lld", static_cast<long long>(max_bytes)));
  }
  program->options.record = what;
  program->options.record_bytes = max_bytes;
  return PTO_OK;
}

int64_t pto_program_event_count(const pto_program* program, pto_event_part part) {
  if (program == nullptr) return 0;
  const auto held = program->launch.recorder().Hold();
  return RecordedRows(program->launch.recorder(), part);
}

int64_t pto_program_events_lost(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.recorder().lost();
}

pto_status pto_program_read_events(pto_context* ctx, const pto_program* program, pto_event_part part, int64_t first,
                                   int32_t fields, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_program_read_events";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (!pto::InEnum(part, kParts)) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, "part", "part is %d where 0 to %d are known",
                              pto::RawEnum(part), kParts - 1));
  }
  if (data == nullptr && bytes != 0) return Abi(ctx->error.Set(Rule::kNull, kCall, "data", "data is NULL"));
  const auto& recorder = program->launch.recorder();
  const int kind = KindOf(pto::RawEnum(part));
  const pto::ptoas::Kept& kept = KeptOf(recorder, pto::RawEnum(part));
  const bool elements = kind == PTO_EVENT_PART_ELEMENTS;
  if (!elements && fields < 1) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, "fields", "fields is %d", fields));
  }
  const auto held = recorder.Hold();
  const int64_t row = elements ? 1 : fields * int64_t{8};
  const int64_t there = RecordedRows(recorder, part);
  if (bytes < 0 || bytes % row != 0 || first < 0 || first > there || bytes / row > there - first) {
    return Abi(ctx->error.Set(Rule::kByteCount, kCall, "bytes",
                              "%lld bytes from row %lld on, of %lld rows of %lld bytes", static_cast<long long>(bytes),
                              static_cast<long long>(first), static_cast<long long>(there),
                              static_cast<long long>(row)));
  }
  const auto from = static_cast<size_t>(first);
  const auto count = static_cast<size_t>(bytes / row);
  if (count == 0) return PTO_OK;
  if (elements) {
    std::memcpy(data, kept.data.data() + from, count);
  } else if (kind == PTO_EVENT_PART_EVENTS) {
    recorder.ReadEvents(kept, from, count, static_cast<size_t>(fields), data);
  } else {
    recorder.ReadTiles(kept, from, count, static_cast<size_t>(fields), data);
  }
  return PTO_OK;
}

const char* pto_program_trace(pto_context* ctx, pto_program* program) {
  static constexpr char kCall[] = "pto_program_trace";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    program->answer = program->launch.Trace(0, std::numeric_limits<size_t>::max());
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

const char* pto_program_trace_part(pto_context* ctx, pto_program* program, int64_t first, int64_t count) {
  static constexpr char kCall[] = "pto_program_trace_part";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const int64_t there = RecordedRows(program->launch.recorder(), PTO_EVENT_PART_EVENTS);
  const bool before = first < 0 || first > there;
  if (before || count < 1) {
    ctx->error.Set(Rule::kOperandValue, kCall, before ? "first" : "count", "%lld events from %lld on, of %lld",
                   static_cast<long long>(count), static_cast<long long>(first), static_cast<long long>(there));
    return nullptr;
  }
  const Status status = Guard(ctx, kCall, [&] {
    program->answer = program->launch.Trace(static_cast<size_t>(first), static_cast<size_t>(count));
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

pto_status pto_program_mark(pto_context* ctx, pto_program* program, int64_t event, const char* note) {
  static constexpr char kCall[] = "pto_program_mark";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  const int64_t there = RecordedRows(program->launch.recorder(), PTO_EVENT_PART_EVENTS) +
                        RecordedRows(program->launch.recorder(), PTO_EVENT_PART_VECTOR_EVENTS);
  if (note != nullptr && (event < 0 || event >= there)) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, "event", "event is %lld of %lld",
                              static_cast<long long>(event), static_cast<long long>(there)));
  }
  return Abi(Guard(ctx, kCall, [&] {
    program->mark = note == nullptr ? pto::ptoas::Mark{} : pto::ptoas::Mark{event, note};
    return Status::kOk;
  }));
}

const char* pto_program_report(pto_context* ctx, pto_program* program) {
  static constexpr char kCall[] = "pto_program_report";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    std::vector<Diagnostic> notes;
    for (const Shown& shown : program->shown) notes.push_back(shown.diagnostic);
    program->answer = pto::ptoas::Report(program->launch.recorder(), program->name, program->program.source, notes,
                                         program->ended, program->mark);
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

}  // extern "C"

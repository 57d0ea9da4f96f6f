// The output of a program: printed text, the trace, its tiles.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_set>
#include <utility>

#include "src/ptoas/run/codes.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/records/plain_text.h"

namespace pto::ptoas {

void Machine::RunAttended(const Node& node, Frame frame) {
  if (node.site->adds) AwaitTurn();
  if (watched_) WatchInst(node, frame);
  if (options_.record != PTO_RECORD_OFF) return RunRecorded(*node.stmt, *node.site);
  Called(*node.stmt, RunInst(*node.site));
}

// Recording counts as memory of the run.
void Machine::RunRecorded(const Stmt& stmt, Site& site) {
  const int64_t before = recorder_->bytes();
  recorder_->Before(ctx_, stmt, site, std::max(options_.rank, 0), block_, core_.Index());
  const pto_status status = RunInst(site);
  recorder_->After(ctx_, site, status);
  Called(stmt, status);
  ChargeRecorded(stmt, before);
}

void Machine::ChargeRecorded(const Stmt& stmt, int64_t before) {
  const int64_t more = recorder_->bytes() - before;  // less, when tiles were thinned out
  if (more > 0) Charge(stmt, more);
  state_->bytes += more;
}

void Machine::Say(const Stmt& stmt, std::string_view text) {
  text = text.substr(0, kMaxOutputBytes - state_->output.size());
  const auto bytes = static_cast<int64_t>(text.size());
  Work(stmt, bytes);
  Charge(stmt, bytes);
  state_->bytes += bytes;
  state_->output.append(text);
}

bool Machine::OutputFull() const { return state_->output.size() >= kMaxOutputBytes; }

void Machine::Print(const Stmt& stmt, Frame frame) {
  // The format's directive marks the position of the number; libpto chooses its format.
  const Operand* format_operand = stmt["format"];
  const std::string_view format =
      format_operand == nullptr || format_operand->literal == nullptr ? "%d" : format_operand->literal->text;
  const Operand* printed = stmt["value"];
  const RunValue* value = printed == nullptr || printed->value == nullptr ? nullptr : &frame[printed->value->slot];
  if (value != nullptr && !value->Is(ValueKind::kInt) && !value->Is(ValueKind::kFloat)) {
    Fail(stmt, Rule::kUnassigned, "the value is not a number");
  }
  // The directive is looked for in each round: only for what is kept.
  if (OutputFull()) return;
  char number[64] = "";
  const size_t from = std::min(format.find('%'), format.size());
  const size_t last = format.find_first_of("diuxXfFeEgG", from);
  if (value != nullptr) {
    if (value->Is(ValueKind::kInt)) {
      const Type* type = printed->value->type;
      const int bits = type == nullptr || type->kind != TypeKind::kScalar ? 64 : Info(type->elem).bits;
      const bool is_unsigned =
          type != nullptr && type->kind == TypeKind::kScalar && Info(type->elem).kind == ElemInfo::kUnsigned;
      if (is_unsigned || (last != std::string_view::npos && format[last] == 'u')) {
        const uint64_t mask = bits < 1 || bits > 63 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
        std::snprintf(number, sizeof number, "%llu",
                      static_cast<unsigned long long>(static_cast<uint64_t>(value->integer()) & mask));
      } else {
        std::snprintf(number, sizeof number, "%lld", static_cast<long long>(value->integer()));
      }
    } else {
      std::snprintf(number, sizeof number, "%.9g", value->number());
    }
  }
  if (from == format.size()) number[0] = '\0';
  // The part of the directive between its sign and its letter is read, but not always printed.
  Work(stmt, static_cast<int64_t>(std::min(last, format.size()) - from));
  const std::string_view rest =
      from == format.size() ? std::string_view() : format.substr(last == std::string_view::npos ? from + 1 : last + 1);
  SayLines(stmt, format.substr(0, from));
  Say(stmt, number);
  SayLines(stmt, rest);
  const std::string_view end = rest.empty() && number[0] == '\0' ? format.substr(0, from) : rest;
  if (!end.ends_with("\\n")) Say(stmt, "\n");
}

// The text of a format, in which `\n` ends a line.
void Machine::SayLines(const Stmt& stmt, std::string_view text) {
  while (!text.empty() && !OutputFull()) {
    const size_t end = text.find("\\n");
    Say(stmt, Plain(text.substr(0, end), "\t"));
    if (end == std::string_view::npos) break;
    Say(stmt, "\n");
    text.remove_prefix(end + 2);
  }
}

void Machine::PrintTile(const Stmt& stmt, Frame frame) {
  const Operand& printed = *stmt["tile"];
  pto_tile* tile = ValueOf(stmt, printed, frame, ValueKind::kTile).box()->tile;
  if (options_.unset != nullptr) NeedTile(stmt, printed.name, tile);
  if (OutputFull()) return;
  const int32_t rows = pto_tile_valid_rows(tile);
  const int32_t cols = pto_tile_valid_cols(tile);
  const std::string head = "%" + std::string(printed.name) + ": " + std::to_string(rows) + "x" + std::to_string(cols) +
                           " of " + pto_dtype_name(pto_tile_dtype(tile)) + "\n";
  Say(stmt, head);
  const int64_t bytes = pto_tile_valid_bytes(tile);
  if (bytes > static_cast<int64_t>(kMaxOutputBytes) * 8) return Say(stmt, "  (too large to print)\n");
  Work(stmt, int64_t{rows} * cols);
  Charge(stmt, bytes);
  std::vector<char> data(static_cast<size_t>(bytes));
  if (pto_tile_read(ctx_, tile, data.data(), bytes) != PTO_OK) return Say(stmt, "  (no storage)\n");
  SpreadCodes(pto_tile_dtype(tile), rows, cols, &data);
  const Elem elem = ElemOf(pto_tile_dtype(tile));
  const auto size = static_cast<size_t>(pto_dtype_bytes(pto_tile_dtype(tile)));
  const char* at = data.data();
  for (int32_t r = 0; r < rows && !OutputFull(); ++r) {
    Say(stmt, " ");
    for (int32_t c = 0; c < cols && !OutputFull(); ++c, at += size) {
      uint64_t bits = 0;
      std::memcpy(&bits, at, size);
      const RunValue value = FromBits(elem, bits);
      char text[48];
      if (IsFloat(elem)) {
        std::snprintf(text, sizeof text, " %.9g", value.number());
      } else if (Info(elem).kind == ElemInfo::kUnsigned) {
        std::snprintf(text, sizeof text, " %llu", static_cast<unsigned long long>(bits));
      } else {
        std::snprintf(text, sizeof text, " %lld", static_cast<long long>(value.integer()));
      }
      Say(stmt, text);
    }
    Say(stmt, "\n");
  }
}

namespace {

// The values of a block and of those inside it, in the order of the text.
void ListValues(const Block& block, std::vector<const Value*>* values) {
  values->insert(values->end(), block.args.begin(), block.args.end());
  for (const Stmt* stmt : block.stmts) {
    for (const Block* inner : stmt->blocks) ListValues(*inner, values);
    values->insert(values->end(), stmt->results.begin(), stmt->results.end());
    for (const Operand& out : stmt->outs) {
      if (out.value != nullptr && out.value->origin == ValueOrigin::kDestination) values->push_back(out.value);
    }
  }
}

}  // namespace

bool Machine::IndexTiles() {
  ClearUnwritten();
  registers_shown_.clear();
  if (named_.empty()) {
    std::vector<const Value*> values(entry_->args.begin(), entry_->args.end());
    for (const Block* block = entry_->body; block != nullptr; block = block->next) ListValues(*block, &values);
    std::vector<Named> named;
    for (const Value* value : values) named.push_back({value});
    named_ = std::move(named);
  }
  const auto has = [this](const Named& one) { return IsShown(*one.value); };
  if (std::none_of(named_.begin(), named_.end(), [&](const Named& one) { return has(one) != one.has; })) return false;
  // Either all names are stored or, if memory runs out, none; then the next run tries again.
  decltype(tiles_) tiles;
  for (const Named& one : named_) {
    if (has(one)) tiles.insert_or_assign(one.value->name, one.value);
  }
  tiles_.swap(tiles);
  for (Named& one : named_) one.has = has(one);
  return true;
}

std::vector<std::string> Machine::TileNames() const {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for (const Named& one : named_) {
    if (one.has && known.insert(one.value->name).second) names.emplace_back(one.value->name);
  }
  return names;
}

bool Machine::IsShown(const Value& value) const {
  if (value.slot >= frame_.size()) return false;
  const RunValue& there = frame_[value.slot];
  return there.Is(ValueKind::kTile) || there.Is(ValueKind::kVreg) || there.Is(ValueKind::kMask);
}

pto_tile* Machine::TileOf(std::string_view name) {
  const auto found = tiles_.find(name);
  if (found == tiles_.end() || !IsShown(*found->second)) return nullptr;
  const Value& value = *found->second;
  if (frame_[value.slot].Is(ValueKind::kTile)) return frame_[value.slot].box()->tile;
  auto& shown = registers_shown_[&value];
  if (shown == nullptr) shown.reset(TileOfRegister(value));
  return shown.get();
}

void Machine::BlockIndex(const Node& node, Frame frame) {
  frame[node.out[0]].SetInt(int64_t{options_.first_block} + block_);
}
void Machine::BlockCount(const Node& node, Frame frame) {
  frame[node.out[0]].SetInt(std::max(options_.of_blocks, options_.blocks));
}
void Machine::LaneIndex(const Node& node, Frame frame) {
  frame[node.out[0]].SetInt(core_.alone ? options_.lane : core_.lane);
}
void Machine::LaneCount(const Node& node, Frame frame) { frame[node.out[0]].SetInt(core_.lanes); }

void Machine::Trap(const Stmt& stmt, Frame) { Fail(stmt, Rule::kTrap, "the program came to pto.trap"); }

static constexpr RunRow kReportRows[] = {
    {"get_block_idx", Do<&Machine::BlockIndex>},
    {"get_block_num", Do<&Machine::BlockCount>},
    {"get_subblock_idx", Do<&Machine::LaneIndex>},
    {"get_subblock_num", Do<&Machine::LaneCount>},
    {"print", Do<&Machine::Print>},
    {"tprint", Do<&Machine::PrintTile>},
    {"trap", Do<&Machine::Trap>},
};
const RunRows kReportRuns = kReportRows;

}  // namespace pto::ptoas

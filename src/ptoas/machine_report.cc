// What a program says and leaves behind: printed text, the trace, its tiles.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_set>

#include "src/ptoas/machine.h"
#include "src/ptoas/scalar.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

namespace {

constexpr size_t kMaxOutputBytes = size_t{1} << 20;

}  // namespace

void Machine::Say(std::string_view text) {
  const size_t room = kMaxOutputBytes - std::min(output_.size(), kMaxOutputBytes);
  output_.append(text.substr(0, room));
}

bool Machine::Print(const Stmt& stmt, Frame frame) {
  if (stmt.kind == StmtKind::kTPrint) {
    RunValue* tile = nullptr;
    if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &tile)) return false;
    PrintTile(stmt, tile->box()->tile);
    return true;
  }
  // The format's directive says where the number stands; how it looks is ours.
  std::string text = stmt.operands.empty() || stmt.operands[0].literal == nullptr
                         ? std::string("%d")
                         : std::string(stmt.operands[0].literal->text);
  std::string number;
  if (stmt.operands.size() > 1 && stmt.operands[1].value != nullptr) {
    const RunValue& value = frame[stmt.operands[1].value->slot];
    char digits[64];
    if (value.Is(ValueKind::kInt)) {
      std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(value.integer()));
    } else if (value.Is(ValueKind::kFloat)) {
      std::snprintf(digits, sizeof digits, "%.9g", value.number());
    } else {
      return Fail(stmt, Rule::kUnassigned, "the value is no number");
    }
    number = digits;
  }
  const size_t from = text.find('%');
  if (from != std::string::npos) {
    const size_t end = text.find_first_of("diuxXfFeEgG", from);
    text.replace(from, end == std::string::npos ? 1 : end - from + 1, number);
  }
  for (size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) text.replace(at, 2, "\n");
  if (text.empty() || text.back() != '\n') text += '\n';
  Say(text);
  return true;
}

void Machine::PrintTile(const Stmt& stmt, const pto_tile* tile) {
  const int32_t rows = pto_tile_valid_rows(tile);
  const int32_t cols = pto_tile_valid_cols(tile);
  const std::string_view name = stmt.operands[0].name;
  Say("%" + std::string(name) + ": " + std::to_string(rows) + "x" + std::to_string(cols) + " of " +
      pto_dtype_name(pto_tile_dtype(tile)) + "\n");
  if (output_.size() >= kMaxOutputBytes) return;
  const int64_t bytes = pto_tile_valid_bytes(tile);
  if (bytes > static_cast<int64_t>(kMaxOutputBytes) * 8) {
    Say("  (too large to print)\n");
    return;
  }
  std::vector<char> data(static_cast<size_t>(bytes));
  if (pto_tile_read(ctx_, tile, data.data(), bytes) != PTO_OK) {
    Say("  (no storage)\n");
    return;
  }
  const Elem elem = ElemOf(pto_tile_dtype(tile));
  const auto size = static_cast<size_t>(pto_dtype_bytes(pto_tile_dtype(tile)));
  const char* at = data.data();
  for (int32_t r = 0; r < rows; ++r) {
    std::string line = " ";
    for (int32_t c = 0; c < cols; ++c, at += size) {
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
      line += text;
    }
    Say(line + "\n");
  }
}

std::string Machine::Trace() const {
  std::string out = "[";
  char number[160];
  for (const TraceEvent& event : trace_) {
    if (out.size() > 1) out += ",";
    out += "\n{\"name\": \"" + std::string(event.stmt->name) + "\", \"cat\": \"instruction\", \"ph\": \"X\", ";
    std::snprintf(number, sizeof number,
                  "\"pid\": 0, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"offset\": %u}}", event.block,
                  static_cast<double>(event.begin_ns - trace_start_ns_) / 1000,
                  static_cast<double>(event.end_ns - event.begin_ns) / 1000, event.stmt->offset);
    out += number;
  }
  return out + "\n]\n";
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

std::vector<std::string> Machine::TileNames() const {
  std::vector<const Value*> values;
  if (entry_ == nullptr || entry_->body == nullptr) return {};
  values.insert(values.end(), entry_->args.begin(), entry_->args.end());
  ListValues(*entry_->body, &values);
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (const Value* value : values) {
    if (value->slot >= frame_.size() || !frame_[value->slot].Is(ValueKind::kTile)) continue;
    if (seen.insert(value->name).second) names.emplace_back(value->name);
  }
  return names;
}

pto_tile* Machine::TileOf(std::string_view name) const {
  if (entry_ == nullptr || entry_->body == nullptr) return nullptr;
  std::vector<const Value*> values(entry_->args.begin(), entry_->args.end());
  ListValues(*entry_->body, &values);
  pto_tile* tile = nullptr;
  for (const Value* value : values) {
    if (value->name != name || value->slot >= frame_.size() || !frame_[value->slot].Is(ValueKind::kTile)) continue;
    tile = frame_[value->slot].box()->tile;
  }
  return tile;
}

}  // namespace pto::ptoas

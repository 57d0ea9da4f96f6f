#include "src/ptoas/run/report.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "src/ops/plain_text.h"

namespace pto::ptoas {

namespace {

constexpr std::string_view kPage =
#include "src/ptoas/run/report_page.html.inc"
    ;
constexpr std::string_view kStyle =
#include "src/ptoas/run/report_style.css.inc"
    ;
constexpr std::string_view kScript =
#include "src/ptoas/run/report_script.js.inc"
    ;

constexpr size_t kEventFields = PTO_EVENT_TILES + 1;
constexpr size_t kTileFields = PTO_EVENT_TILE_DATA_BYTES + 1;

constexpr const char* kLocations[] = {"vec",  "mat",     "left",       "right",      "acc",
                                      "bias", "scaling", "scale left", "scale right"};

// A string of JSON within HTML: nothing in it ends the script that it stands in.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : Plain(text, "\n\t")) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '<') {
      out += "\\u003c";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

void AppendBase64(std::string* out, const void* data, size_t bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* from = static_cast<const unsigned char*>(data);
  size_t at = out->size();
  out->resize(at + (bytes + 2) / 3 * 4);
  char* to = out->data() + at;
  for (size_t i = 0; i < bytes; i += 3) {
    const size_t there = std::min<size_t>(3, bytes - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) word = word << 8 | (k < there ? from[i + k] : 0U);
    for (size_t k = 0; k < 4; ++k) *to++ = k <= there ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
}

// A column of a table in words as narrow as its numbers allow: their bytes, then all of them in base 64.
void AppendColumn(std::string* out, const std::vector<int64_t>& rows, size_t fields, size_t field) {
  int64_t least = 0;
  int64_t most = 0;
  for (size_t i = field; i < rows.size(); i += fields) {
    least = std::min(least, rows[i]);
    most = std::max(most, rows[i]);
  }
  const auto fits = [&](auto word) {
    using Word = std::numeric_limits<decltype(word)>;
    return least >= Word::min() && most <= Word::max();
  };
  const size_t bytes = fits(int8_t{}) ? 1 : fits(int16_t{}) ? 2 : fits(int32_t{}) ? 4 : 8;
  std::string packed;
  packed.reserve(rows.size() / fields * bytes);
  for (size_t i = field; i < rows.size(); i += fields) {
    char word[8];
    std::memcpy(word, &rows[i], sizeof word);  // the low bytes come first on the machines that there are
    packed.append(word, bytes);
  }
  *out += '"';
  *out += static_cast<char>('0' + bytes);
  AppendBase64(out, packed.data(), packed.size());
  *out += '"';
}

void AppendTable(std::string* out, const std::vector<int64_t>& rows, size_t fields) {
  *out += "{\"rows\":" + std::to_string(rows.size() / fields) + ",\"columns\":[";
  for (size_t field = 0; field < fields; ++field) {
    if (field != 0) *out += ',';
    AppendColumn(out, rows, fields, field);
  }
  *out += "]}";
}

// Lists of JSON.
template <class List, class Show>
std::string Joined(const List& list, Show show) {
  std::string out = "[";
  for (const auto& item : list) {
    if (out.size() > 1) out += ',';
    out += show(item);
  }
  return out + "]";
}

std::string NoteText(const Diagnostic& note) {
  return "{\"error\":" + std::string(note.error ? "true" : "false") + ",\"line\":" + std::to_string(note.line) +
         ",\"rule\":" + Quoted(note.rule) + ",\"message\":" + Quoted(note.message) +
         ",\"remedy\":" + Quoted(note.remedy == nullptr ? "" : note.remedy) + "}";
}

// Bytes of pages are many: they are written where they stay.
void AppendData(std::string* to, const Recorder& recorder, std::string_view name, std::string_view source,
                const std::vector<Diagnostic>& notes, bool ended, const Mark& mark) {
  std::string& out = *to;
  std::vector<int64_t> events(recorder.events().size() * kEventFields);
  std::vector<int64_t> tiles(recorder.tiles().size() * kTileFields);
  recorder.ReadEvents(0, recorder.events().size(), kEventFields, events.data());
  recorder.ReadTiles(0, recorder.tiles().size(), kTileFields, tiles.data());
  std::map<int64_t, std::string_view> ops;
  std::map<int64_t, bool> blocks;
  for (size_t i = 0; i < recorder.events().size(); ++i) {
    const Event& event = recorder.events()[i];
    ops.emplace(event.stmt->op->id, event.stmt->op->name);
    blocks.emplace(event.block, true);
  }
  // What operands are called, each once.
  std::map<uint32_t, size_t> at;
  std::vector<std::string_view> names;
  std::vector<size_t> tile_names;
  for (const TileRecord& tile : recorder.tiles()) {
    const auto [found, is_new] = at.emplace(tile.offset, names.size());
    if (is_new) names.push_back(source.substr(tile.offset, tile.length));
    tile_names.push_back(found->second);
  }
  std::vector<std::string_view> dtypes;
  for (int32_t i = 0; i <= PTO_DTYPE_I4; ++i) dtypes.emplace_back(pto_dtype_name(static_cast<pto_dtype>(i)));
  out += "{\"name\":" + Quoted(name) + ",\"text\":" + Quoted(source);
  out += ",\"notes\":" + Joined(notes, NoteText);
  out += ",\"ops\":{";
  for (const auto& [id, op] : ops) {
    if (out.back() != '{') out += ',';
    out += '"' + std::to_string(id) + "\":" + Quoted(op);
  }
  out += "},\"blocks\":" + Joined(blocks, [](const auto& block) { return std::to_string(block.first); });
  out += ",\"dtypes\":" + Joined(dtypes, Quoted) + ",\"locations\":" + Joined(kLocations, Quoted);
  out += ",\"names\":" + Joined(names, Quoted);
  out += ",\"tileNames\":" + Joined(tile_names, [](size_t i) { return std::to_string(i); });
  out += std::string(",\"ended\":") + (ended ? "true" : "false");
  out += ",\"marked\":" + std::to_string(mark.event) + ",\"mark\":" + Quoted(mark.note);
  out += ",\"lost\":" + std::to_string(recorder.lost()) + ",\"stride\":" + std::to_string(recorder.stride()) +
         ",\"limit\":" + std::to_string(recorder.max_bytes());
  out += ",\"events\":";
  AppendTable(&out, events, kEventFields);
  out += ",\"tiles\":";
  AppendTable(&out, tiles, kTileFields);
  out += ",\"elements\":\"";
  AppendBase64(&out, recorder.data().data(), recorder.data().size());
  out += "\"}";
}

}  // namespace

std::string Report(const Recorder& recorder, std::string_view name, std::string_view source,
                   const std::vector<Diagnostic>& notes, bool ended, const Mark& mark) {
  // Room for numbers of eight bytes, and for a text with two bytes a character; memory is taken as it is touched.
  const size_t numbers = recorder.events().size() * kEventFields + recorder.tiles().size() * (kTileFields + 1);
  std::string out;
  out.reserve(kPage.size() + kStyle.size() + kScript.size() + 2 * source.size() +
              (8 * numbers + recorder.data().size()) / 3 * 4 + (size_t{1} << 16));
  std::string_view rest = kPage;
  while (!rest.empty()) {
    const size_t at = std::min(rest.find('@'), rest.size());
    out += rest.substr(0, at);
    rest.remove_prefix(at);
    if (rest.empty()) break;
    const size_t end = rest.find('@', 1);
    const std::string_view what = rest.substr(1, end - 1);
    if (what == "STYLE") out += kStyle;
    if (what == "SCRIPT") out += kScript;
    if (what == "DATA") AppendData(&out, recorder, name, source, notes, ended, mark);
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace pto::ptoas

#include "src/ptoas/run/report.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <span>

#include "src/ptoas/run/room.h"
#include "src/records/dtype.h"
#include "src/records/plain_text.h"

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

constexpr size_t kEventFields = PTO_EVENT_PEER + 1;
constexpr size_t kTileFields = PTO_EVENT_TILE_DATA_BYTES + 1;

constexpr const char* kLocations[] = {"vec",     "mat",        "left",        "right",    "acc", "bias",
                                      "scaling", "scale left", "scale right", "register", "mask"};
static_assert(std::size(kLocations) == kMaskLocation + 1 && kRegisterLocation + 1 == kMaskLocation);

// A JSON string inside HTML: nothing in it ends the enclosing script.
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

// Two digits of base 64 for each twelve bits.
constexpr auto kDigits = [] {
  constexpr char kAll[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<char[2], 4096> digits{};
  for (unsigned bits = 0; bits < 4096; ++bits) {
    digits[bits][0] = kAll[bits >> 6];
    digits[bits][1] = kAll[bits & 63];
  }
  return digits;
}();

// Padded to four digits for three bytes; returns the place of the next.
char* Base64(const unsigned char* from, size_t bytes, char* to) {
  const auto put = [&to](uint32_t word) {
    std::memcpy(to, kDigits[word >> 12], 2);
    std::memcpy(to + 2, kDigits[word & 4095], 2);
    to += 4;
  };
  size_t i = 0;
  for (; i + 3 <= bytes; i += 3) put(static_cast<uint32_t>(from[i] << 16 | from[i + 1] << 8 | from[i + 2]));
  if (i == bytes) return to;
  put(static_cast<uint32_t>(from[i] << 16 | (i + 1 < bytes ? from[i + 1] << 8 : 0)));
  to[-1] = '=';
  if (i + 1 == bytes) to[-2] = '=';
  return to;
}

constexpr size_t Digits(size_t bytes) { return (bytes + 2) / 3 * 4; }

// By way of a few bytes that stay in the cache: a page's elements are most of it, and no memory is touched before it is
// written.
[[gnu::noinline]] void AppendBase64(std::string* out, const std::string& data) {
  constexpr size_t kPiece = 3072;
  char digits[Digits(kPiece)];
  for (size_t at = 0; at < data.size(); at += kPiece) {
    const size_t bytes = std::min(kPiece, data.size() - at);
    const char* end = Base64(reinterpret_cast<const unsigned char*>(data.data()) + at, bytes, digits);
    out->append(digits, static_cast<size_t>(end - digits));
  }
}

// A column's numbers in words as narrow as they allow.
struct Column {
  int64_t least = 0;
  int64_t most = 0;
  size_t bytes = 0;
  char* to = nullptr;

  template <class Word>
  bool Fits() const {
    return least >= std::numeric_limits<Word>::min() && most <= std::numeric_limits<Word>::max();
  }
};

// For each column the bytes of a word, then all of them in base 64. Rows are read a few at a time, once to know how
// wide columns are: a table of all would be larger than the page.
template <size_t kFields, class Read>
[[gnu::noinline]] void AppendTable(std::string* out, size_t rows, const Read& read) {
  constexpr size_t kBatch = 96;  // whole digits, whatever the width; they stay in the first cache
  std::vector<int64_t> batch(kBatch * kFields);
  Column columns[kFields];
  const auto each = [&](const auto& show) {
    for (size_t first = 0; first < rows; first += kBatch) {
      const size_t count = std::min(kBatch, rows - first);
      read(first, count, batch.data());
      for (size_t field = 0; field < kFields; ++field) show(&columns[field], &batch[field], count);
    }
  };
  each([](Column* column, const int64_t* number, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      column->least = std::min(column->least, number[i * kFields]);
      column->most = std::max(column->most, number[i * kFields]);
    }
  });
  *out += "{\"rows\":" + std::to_string(rows) + ",\"columns\":[";
  size_t begins[kFields];
  for (size_t field = 0; field < kFields; ++field) {
    Column& column = columns[field];
    column.bytes = column.Fits<int8_t>() ? 1 : column.Fits<int16_t>() ? 2 : column.Fits<int32_t>() ? 4 : 8;
    *out += field == 0 ? "\"" : ",\"";
    *out += static_cast<char>('0' + column.bytes);
    begins[field] = out->size();
    out->append(Digits(rows * column.bytes), '=');
    *out += '"';
  }
  *out += "]}";
  for (size_t field = 0; field < kFields; ++field) columns[field].to = out->data() + begins[field];
  each([](Column* column, const int64_t* number, size_t count) {
    unsigned char packed[8 * kBatch];
    const size_t bytes = column->bytes;
    // The low bytes come first on the machines that there are; what a word has beyond its own is written over by the
    // next.
    for (size_t i = 0; i + 1 < count; ++i) std::memcpy(packed + i * bytes, number + i * kFields, sizeof *number);
    std::memcpy(packed + (count - 1) * bytes, number + (count - 1) * kFields, bytes);
    column->to = Base64(packed, count * bytes, column->to);
  });
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

// Rows of the page: events of instructions and of the vector level, as they began, and the operands of both.
class PageRows {
 public:
  explicit PageRows(const Recorder& recorder) : recorder_(recorder) {
    const Growing<Event>& insts = recorder.events();
    const Growing<Event>& below = recorder.vector_events();
    if (!recorder.KeepsTiles() || below.size() == 0) return;
    order_.reserve(insts.size() + below.size());
    for (size_t i = 0, k = 0; i < insts.size() || k < below.size();) {
      const bool is_below = i == insts.size() || (k < below.size() && below[k].begin < insts[i].begin);
      order_.push_back({is_below, is_below ? k++ : i++});
    }
  }

  size_t events() const { return order_.empty() ? recorder_.events().size() : order_.size(); }
  size_t tiles() const { return recorder_.tiles().size() + (order_.empty() ? 0 : recorder_.below().tiles.size()); }
  const TileRecord& tile(size_t i) const {
    const size_t insts = recorder_.tiles().size();
    return i < insts ? recorder_.tiles()[i] : recorder_.below().tiles[i - insts];
  }
  // Where a marked event is among the events: an instruction, or after these a statement of the vector level.
  int64_t PlaceOf(int64_t marked) const {
    const size_t insts = recorder_.events().size();
    for (size_t i = 0; i < order_.size(); ++i) {
      if (static_cast<int64_t>(order_[i].at + (order_[i].below ? insts : 0)) == marked) return static_cast<int64_t>(i);
    }
    return marked;
  }
  void ReadEvents(size_t first, size_t count, int64_t* to) const {
    if (order_.empty()) return recorder_.ReadEvents(first, count, kEventFields, to);
    for (size_t i = first; i < first + count; ++i, to += kEventFields) {
      const Row& row = order_[i];
      recorder_.ReadEvents(row.below ? recorder_.below() : recorder_.insts(), row.at, 1, kEventFields, to);
      if (row.below) to[PTO_EVENT_FIRST_TILE] += static_cast<int64_t>(recorder_.tiles().size());
    }
  }
  void ReadTiles(size_t first, size_t count, int64_t* to) const {
    const size_t insts = recorder_.tiles().size();
    for (size_t i = first; i < first + count; ++i, to += kTileFields) {
      const bool below = i >= insts;
      recorder_.ReadTiles(below ? recorder_.below() : recorder_.insts(), below ? i - insts : i, 1, kTileFields, to);
      if (below) to[PTO_EVENT_TILE_DATA] += static_cast<int64_t>(recorder_.data().size());
    }
  }

 private:
  struct Row {
    bool below;
    size_t at;
  };
  const Recorder& recorder_;
  std::vector<Row> order_;  // empty: instructions only
};

// Bytes of pages are many: they are written where they stay. Only tables and elements take time.
[[gnu::cold]] void AppendData(std::string* to, const Recorder& recorder, std::string_view name, std::string_view source,
                              const std::vector<Diagnostic>& notes, bool ended, const Mark& mark) {
  std::string& out = *to;
  const PageRows rows(recorder);
  const bool lanes = rows.tiles() != recorder.tiles().size();
  std::map<int64_t, std::string_view> ops;
  std::map<int64_t, bool> blocks;
  for (size_t i = 0; i < recorder.events().size(); ++i) {
    const Event& event = recorder.events()[i];
    if (event.stmt->op != nullptr) ops.emplace(event.stmt->op->id, event.stmt->op->name);
    blocks.emplace(event.block, true);
  }
  for (size_t i = 0; i < recorder.vector_events().size(); ++i) blocks.emplace(recorder.vector_events()[i].block, true);
  // The names of operands, each once.
  std::map<uint32_t, size_t> at;
  std::vector<std::string_view> names;
  std::vector<size_t> tile_names;
  for (size_t i = 0; i < rows.tiles(); ++i) {
    const TileRecord& tile = rows.tile(i);
    const auto [found, is_new] = at.emplace(tile.offset, names.size());
    if (is_new) names.push_back(source.substr(tile.offset, tile.length));
    tile_names.push_back(found->second);
  }
  std::vector<std::string_view> dtypes;
  for (int32_t i = 0; i < kDTypeCount; ++i) dtypes.emplace_back(pto_dtype_name(static_cast<pto_dtype>(i)));
  out += "{\"name\":" + Quoted(name) + ",\"text\":" + Quoted(source);
  out += ",\"notes\":" + Joined(notes, NoteText);
  out += ",\"ops\":{";
  for (const auto& [id, op] : ops) {
    if (out.back() != '{') out += ',';
    out += '"' + std::to_string(id) + "\":" + Quoted(op);
  }
  out += "},\"blocks\":" + Joined(blocks, [](const auto& block) { return std::to_string(block.first); });
  out += ",\"dtypes\":" + Joined(dtypes, Quoted) + ",\"locations\":" +
         Joined(std::span(kLocations).first(lanes ? std::size(kLocations) : kRegisterLocation), Quoted);
  out += ",\"names\":" + Joined(names, Quoted);
  out += ",\"tileNames\":" + Joined(tile_names, [](size_t i) { return std::to_string(i); });
  out += std::string(",\"ended\":") + (ended ? "true" : "false");
  out += ",\"marked\":" + std::to_string(mark.event < 0 ? mark.event : rows.PlaceOf(mark.event)) +
         ",\"mark\":" + Quoted(mark.note);
  out += ",\"lost\":" + std::to_string(recorder.lost()) + ",\"stride\":" + std::to_string(recorder.stride()) +
         ",\"limit\":" + std::to_string(recorder.max_bytes());
  out += ",\"events\":";
  AppendTable<kEventFields>(&out, rows.events(),
                            [&](size_t first, size_t count, int64_t* at) { rows.ReadEvents(first, count, at); });
  out += ",\"tiles\":";
  AppendTable<kTileFields>(&out, rows.tiles(),
                           [&](size_t first, size_t count, int64_t* at) { rows.ReadTiles(first, count, at); });
  out += ",\"elements\":\"";
  if (lanes) {
    AppendBase64(&out, recorder.data() + recorder.below().data);
  } else {
    AppendBase64(&out, recorder.data());
  }
  out += "\"}";
}

}  // namespace

std::string Report(const Recorder& recorder, std::string_view name, std::string_view source,
                   const std::vector<Diagnostic>& notes, bool ended, const Mark& mark) {
  // Room for numbers of eight bytes, and for a program with two bytes per character; memory is used as it is touched.
  size_t numbers = 0;
  size_t bytes = 0;
  for (const Kept* kept : {&recorder.insts(), &recorder.below()}) {
    numbers += kept->events.size() * kEventFields + kept->tiles.size() * (kTileFields + 1);
    bytes += kept->data.size();
  }
  std::string out;
  Reserve(&out, kPage.size() + kStyle.size() + kScript.size() + 2 * source.size() + (8 * numbers + bytes) / 3 * 4 +
                    (size_t{1} << 16));
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

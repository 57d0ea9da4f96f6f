// Collecting diagnostics, finding their lines, drawing the excerpt.
#include "src/ptoas/read/diagnostic.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "src/ptoas/read/type.h"
#include "src/records/plain_text.h"

namespace pto::ptoas {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::vector<size_t> OrderOfPlaces(const std::vector<uint32_t>& offsets) {
  std::vector<size_t> order(offsets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b; });
  return order;
}

void Diagnostics::SetSource(std::string_view source) {
  source_ = source;
  places_.reset();
}

void Diagnostics::Error(TextRule rule, uint32_t offset, uint32_t length, const char* format, ...) {
  va_list args;
  va_start(args, format);
  AddFormatted(rule, offset, length, true, format, args);
  va_end(args);
}

void Diagnostics::Warn(TextRule rule, uint32_t offset, uint32_t length, const char* format, ...) {
  va_list args;
  va_start(args, format);
  AddFormatted(rule, offset, length, false, format, args);
  va_end(args);
}

void Diagnostics::AddFormatted(TextRule rule, uint32_t offset, uint32_t length, bool error, const char* format,
                               va_list args) {
  if (Full()) return;
  char text[512];
  const int n = std::vsnprintf(text, sizeof text, format, args);
  const size_t used = std::min(static_cast<size_t>(std::max(n, 0)), sizeof text - 1);
  Add(Info(rule).id, Info(rule).in_programs, offset, length, {text, used}, error);
}

void Diagnostics::Add(const char* rule, const char* remedy, uint32_t offset, uint32_t length, std::string_view message,
                      bool error) {
  added_ = false;
  if (Full() || (!error && warnings_ >= limit_)) return;
  // An error that two readers find at one place is reported once. A value of another type than the written one
  // is also a value that an operation does not accept.
  if (!list_.empty() && list_.back().offset == offset) {
    const std::string_view before = list_.back().rule;
    const bool type =
        before == Info(TextRule::kTypeMismatch).id && rule == std::string_view(Info(TextRule::kOperandType).id);
    if (before == rule || type) return;
  }
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.remedy = remedy;
  diagnostic.error = error;
  diagnostic.message = Plain(message);  // it may quote the source
  diagnostic.offset = offset;
  diagnostic.length = length;
  Locate(&diagnostic);
  list_.push_back(std::move(diagnostic));
  added_ = true;
  if (!error) {
    ++warnings_;
    return;
  }
  if (++errors_ < limit_) return;
  const RuleInfo& last = Info(Rule::kErrorLimit);
  Diagnostic more = list_.back();
  more.rule = last.id;
  more.remedy = last.in_programs;
  more.message = std::to_string(limit_) + " errors: the rest of the program is not reported";
  list_.push_back(std::move(more));
}

template <typename Gone>
void Diagnostics::DropIf(size_t kept, const Gone& gone) {
  if (Full()) return;
  for (size_t i = list_.size(); i-- > kept;) {
    if (!list_[i].error || !gone(i)) continue;
    --errors_;
    list_.erase(list_.begin() + static_cast<ptrdiff_t>(i));
  }
}

void Diagnostics::DropCounts() {
  const auto counts = [&](size_t i) {
    const std::string_view rule = list_[i].rule;
    return rule == Info(TextRule::kTypeCount).id || rule == Info(TextRule::kOperandCount).id;
  };
  DropIf(0, [&](size_t i) {
    if (!counts(i)) return false;
    for (size_t k = 0; k < list_.size(); ++k) {
      if (list_[k].error && list_[k].line == list_[i].line && !counts(k)) return true;
    }
    return false;
  });
}

void Diagnostics::DropErrors(size_t kept, std::span<const TextRule> rules) {
  DropIf(kept, [&](size_t i) {
    return std::none_of(rules.begin(), rules.end(),
                        [&](TextRule rule) { return list_[i].rule == std::string_view(Info(rule).id); });
  });
}

void Diagnostics::Unify(size_t kept, uint32_t offset) {
  const auto is = [&](size_t i, TextRule rule) { return list_[i].rule == std::string_view(Info(rule).id); };
  bool arithmetic = false;
  bool mismatch = false;
  // The types of an operation that libpto does not know or run do not matter.
  bool foreign = false;
  for (size_t i = kept; i < list_.size(); ++i) {
    foreign |= is(i, TextRule::kUnknownInstruction) || is(i, TextRule::kUnsupportedInstruction);
    arithmetic |= is(i, TextRule::kArithType);
    mismatch |= is(i, TextRule::kTypeMismatch) && list_[i].offset != offset;
  }
  DropIf(kept, [&](size_t i) {
    if (foreign) return is(i, TextRule::kUnsupportedType);
    const bool use = is(i, TextRule::kTypeMismatch);
    // An arithmetic statement that writes a wrong type has operands of another type.
    if (use && arithmetic) return true;
    // The result of an operand of a wrong type is wrong, too.
    const bool whole = list_[i].offset == offset;
    if (whole && mismatch) return true;
    for (size_t k = kept; k < list_.size(); ++k) {
      const bool made = is(k, TextRule::kOperandType);
      // "%x is i32, not f32" follows from "tadd takes a tile here, not f32".
      const Type* const written = list_[i].written;
      if (use && made && written != nullptr && list_[k].written != nullptr && TypesAgree(written, list_[k].written)) {
        return true;
      }
      const bool same = list_[k].offset == list_[i].offset ||
                        (list_[k].rule == list_[i].rule && list_[k].message == list_[i].message);
      if (k < i && list_[k].error && same) return true;
    }
    return false;
  });
}

void Diagnostics::Sort() {
  SortByPlace(&list_, list_.size() - (Full() ? 1 : 0), [](const Diagnostic& one) { return one.offset; });
}

TextPlace Diagnostics::PlaceAt(uint32_t offset) {
  if (places_ == nullptr) places_ = std::make_shared<const Places>(source_);
  return places_->At(offset);
}

void Diagnostics::Locate(Diagnostic* diagnostic) {
  const uint32_t size = static_cast<uint32_t>(source_.size());
  diagnostic->offset = std::min(diagnostic->offset, size);
  diagnostic->length = std::min(diagnostic->length, size - diagnostic->offset);
  const TextPlace place = PlaceAt(diagnostic->offset);
  diagnostic->line = place.line;
  diagnostic->column = place.column;
}

std::string Diagnostics::Excerpt(const Diagnostic& diagnostic) const {
  constexpr size_t kWidth = 160;
  const size_t offset = std::min<size_t>(diagnostic.offset, source_.size());
  // The stretch of the line that is shown; both ends fall on characters.
  size_t begin = offset;
  while (begin > 0 && source_[begin - 1] != '\n' && offset - begin < kWidth / 2) --begin;
  size_t end = offset;
  while (end < source_.size() && source_[end] != '\n' && end - begin < kWidth) ++end;
  while (begin < offset && IsContinuation(source_[begin])) ++begin;
  while (end > offset && end < source_.size() && IsContinuation(source_[end])) --end;
  if (end > offset && source_[end - 1] == '\r') --end;

  std::string text;
  std::string marks;
  size_t marked = offset;
  for (size_t at = begin; at < end;) {
    const size_t from = text.size();
    const size_t here = at;
    at += AppendPlain(source_.substr(0, end), at, "\t", &text);
    // A character that is shown as \xNN has four columns; all others have one.
    const bool escaped = text[from] == '\\' && source_[here] != '\\';
    const size_t columns = escaped ? text.size() - from : 1;
    if (here < offset) {
      marks.append(columns, text[from] == '\t' ? '\t' : ' ');
    } else if (here < offset + std::max<uint32_t>(diagnostic.length, 1)) {
      marks.append(columns, '^');
      marked = at;
    }
  }
  if (marked == offset) marks += '^';  // the end of the line, or of the text
  return text + '\n' + marks + '\n';
}

std::string Diagnostics::Render(const Diagnostic& diagnostic, std::string_view name) const {
  std::string text(name);
  text += ':' + std::to_string(diagnostic.line) + ':' + std::to_string(diagnostic.column);
  text += (diagnostic.error ? ": error: " : ": warning: ") + diagnostic.message + " [" + diagnostic.rule + "]\n";
  text += Excerpt(diagnostic);
  if (*diagnostic.remedy != '\0') text += std::string("help: ") + diagnostic.remedy + '\n';
  return text;
}

}  // namespace pto::ptoas

// Diagnostics of PTO-AS text: what is wrong, by which rule, where, and the line
// of source with a caret under it. The rules are rows of src/records/rules/.
#ifndef PTO_SRC_PTOAS_DIAGNOSTIC_H_
#define PTO_SRC_PTOAS_DIAGNOSTIC_H_

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/ptoas/read/places.h"
#include "src/records/rule.h"

namespace pto::ptoas {

struct Type;

// `%.*s` takes these two; names are cut so that messages stay short.
#define PTO_NAME(view) static_cast<int>((view).size() < 60 ? (view).size() : 60), (view).data()

using TextRule = Rule;

// The end of a counted noun: 1 input, 2 inputs.
constexpr const char* Plural(uint64_t count) { return count == 1 ? "" : "s"; }

struct Diagnostic {
  const char* rule = "";          // static text: the id of a rule, or of a check of lint
  const char* remedy = "";        // static text
  std::string message;            // one line, values included
  bool error = true;              // a warning keeps nothing from running
  uint32_t offset = 0;            // bytes into the source
  uint32_t length = 0;            // bytes
  int32_t line = 1;               // from 1
  int32_t column = 1;             // from 1, in characters (UTF-8 code points); a tab counts as one
  const Type* written = nullptr;  // the type that the text gives an operand, if the error is about it
};

// The indices of places in the order of the text; equal places keep their order.
std::vector<size_t> OrderOfPlaces(const std::vector<uint32_t>& offsets);
// Sorts the first elements by their places. std::stable_sort of such large elements is 50 KB of code.
template <typename T, typename OffsetOf>
void SortByPlace(std::vector<T>* list, size_t count, OffsetOf offset_of) {
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < count; ++i) offsets.push_back(offset_of((*list)[i]));
  std::vector<T> sorted;
  sorted.reserve(list->size());
  for (const size_t i : OrderOfPlaces(offsets)) sorted.push_back(std::move((*list)[i]));
  for (size_t i = count; i < list->size(); ++i) sorted.push_back(std::move((*list)[i]));
  *list = std::move(sorted);
}

// Collects diagnostics of one source. After `limit` errors a last one of rule
// error-limit is added and the rest are dropped; warnings beyond the limit are dropped
// too. The source must outlive it.
class Diagnostics {
 public:
  static constexpr int kDefaultLimit = 50;
  explicit Diagnostics(std::string_view source = {}, int limit = kDefaultLimit) : source_(source), limit_(limit) {}

  // Parse() calls it: from here on offsets are into this text.
  void SetSource(std::string_view source);

  [[gnu::format(printf, 5, 6)]] void Error(TextRule rule, uint32_t offset, uint32_t length, const char* format, ...);
  [[gnu::format(printf, 5, 6)]] void Warn(TextRule rule, uint32_t offset, uint32_t length, const char* format, ...);
  // The error that was reported last is about the type that the text gives an operand.
  void About(const Type* written) {
    if (added_) list_.back().written = written;
  }
  // For functions that have a format of their own.
  [[gnu::format(printf, 6, 0)]] void AddFormatted(TextRule rule, uint32_t offset, uint32_t length, bool error,
                                                  const char* format, va_list args);
  // For the rules of instructions: `rule` and `remedy` are static strings.
  void Add(const char* rule, const char* remedy, uint32_t offset, uint32_t length, std::string_view message,
           bool error = true);

  // In the order of places; Verify() calls it.
  void Sort();

  // For the same source: what the other knows of its lines is not computed again.
  void SharePlaces(const Diagnostics& other) { places_ = other.places_; }
  // For an offset into the source, or its end.
  TextPlace PlaceAt(uint32_t offset);

  const std::vector<Diagnostic>& list() const { return list_; }
  int errors() const { return errors_; }  // without warnings
  // Keeps the first `kept` diagnostics and drops the others.
  void Drop(size_t kept) {
    while (list_.size() > kept) {
      --(list_.back().error ? errors_ : warnings_);
      list_.pop_back();
    }
  }
  // Keeps one error for each cause, of the diagnostics after the first `kept`. They concern the statement at `offset`.
  void Unify(size_t kept, uint32_t offset);
  // If a line has other errors, drops those about numbers of operands and types: they follow from the others.
  void DropCounts();
  // Drops the diagnostics after the first `kept`, but no warnings and none of these rules.
  void DropErrors(size_t kept, std::span<const TextRule> rules);
  bool Full() const { return errors_ >= limit_; }
  std::string_view source() const { return source_; }

  // The line of source and a line of carets below, each ended by a newline. Tabs
  // are kept in both, other controls escaped; lines beyond 160 characters are cut around the place.
  std::string Excerpt(const Diagnostic& diagnostic) const;
  // "name:line:column: error: message [rule]" or "warning", the excerpt, and "help: remedy".
  std::string Render(const Diagnostic& diagnostic, std::string_view name) const;

 private:
  void Locate(Diagnostic* diagnostic);
  template <typename Gone>
  void DropIf(size_t kept, const Gone& gone);

  std::string_view source_;
  int limit_;
  int errors_ = 0;
  int warnings_ = 0;
  bool added_ = false;  // what was reported last is in the list
  std::vector<Diagnostic> list_;
  std::shared_ptr<const Places> places_;  // made at the first diagnostic
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_DIAGNOSTIC_H_

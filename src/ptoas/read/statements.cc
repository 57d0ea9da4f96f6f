// Tables that follow from the rows of statements, and look-up of their names.
#include "src/ptoas/read/statements.h"

#include "src/ptoas/read/form.h"
#include "src/records/table.h"

namespace pto::ptoas {
namespace {

using Table = std::array<StmtInfo, kStmtCount>;

constexpr char Fold(char c) { return c == '.' ? '_' : c; }

constexpr int Compare(std::string_view a, std::string_view b) {
  const size_t n = std::min(a.size(), b.size());
  for (size_t i = 0; i < n; ++i) {
    if (Fold(a[i]) != Fold(b[i])) return Fold(a[i]) < Fold(b[i]) ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

// The rows of the pto dialect are between the row of instructions and the rows of other dialects.
constexpr size_t kFirst = 1;
constexpr size_t kEnd = StmtName("arith").id;

constexpr Table Complete() {
  Table table;
  for (size_t i = 0; i < kStmtCount; ++i) {
    StmtInfo& info = table[i];
    info = rows::kRows[i];
    info.id = static_cast<uint16_t>(i);
    info.places.fill(kNoPlace);
    for (const OperandInfo& operand : info.operands) {
      info.places[rows::kOperandNames.Find(operand.name)] = operand.out ? kOutPlace : info.groups++;
      info.fixed = info.fixed && operand.count == Count::kOne;
    }
    for (size_t k = 0; k < kStmtCount && !info.as.empty(); ++k) {
      if (rows::kRows[k].name == info.as) info.same = static_cast<uint16_t>(k);
    }
  }
  return table;
}
constinit const Table kTable = Complete();

constexpr bool Ordered() {
  for (size_t i = kFirst + 1; i < kEnd; ++i) {
    if (Compare(rows::kRows[i - 1].name, rows::kRows[i].name) >= 0) return false;
  }
  return true;
}
static_assert(Ordered());

// Statements of the op table have no row. In few steps, which compilers count while they compile.
constexpr bool ApartFromTable() {
  for (size_t i = kFirst; i < kEnd; ++i) {
    for (const OpInfo* record : kOps) {
      const char* a = rows::kRows[i].name.data();
      const char* b = record->mnemonic;
      while (*a != 0 && *a == *b) ++a, ++b;
      if (*a == *b) return false;
    }
  }
  return true;
}
static_assert(ApartFromTable());

// Where each first letter begins, so that a look-up compares few names.
struct LetterIndex {
  constexpr LetterIndex() {
    for (int letter = 0; letter < 27; ++letter) {
      size_t i = kFirst;
      while (i < kEnd && rows::kRows[i].name[0] < 'a' + letter) ++i;
      first[letter] = i;
    }
  }
  size_t first[27] = {};
};
constexpr LetterIndex kLetters;

// ---- forms ------------------------------------------------------------------

constexpr size_t kMostElements = 30;
using Form = std::array<Element, kMostElements>;

constexpr uint8_t Group(const StmtInfo& row, std::string_view name) {
  uint8_t group = 0;
  while (row.operands[group].name != name) ++group;  // beyond the last: no constant
  return group;
}

constexpr Element ElementOf(const StmtInfo& row, std::string_view word, size_t at) {
  constexpr struct {
    std::string_view word;
    Step step;
  } kWords[] = {{"->", Step::kArrow}, {",?", Step::kComma},     {",-", Step::kQuietComma}, {"<", Step::kCounted},
                {"{}", Step::kDict},  {">", Step::kCountedEnd}, {"{-}", Step::kDropDict},  {"@", Step::kResultType},
                {"(?", Step::kMaybe}, {"types", Step::kTypes},  {"?)", Step::kMaybeEnd},   {"region", Step::kRegion}};
  for (const auto& known : kWords) {
    if (word == known.word) return {known.step, 0};
  }
  const std::string_view rest = word.substr(1);
  if (word[0] == '%') return {Step::kValue, Group(row, rest)};
  if (word[0] == '@') return {Step::kType, Group(row, rest)};
  if (word[0] == '$') {
    const bool list = rest.back() == '*';
    return {list ? Step::kList : Step::kOperand, Group(row, rest.substr(0, rest.size() - (list ? 1 : 0)))};
  }
  if (word.size() == 1 && (word[0] < 'a' || word[0] > 'z')) return {Step::kPunct, static_cast<uint8_t>(word[0])};
  return {Step::kWord, static_cast<uint8_t>(at)};
}

constexpr Form Compile(const StmtInfo& row) {
  Form form;
  size_t count = 0;
  size_t opened = 0;
  for (size_t at = 0; at < row.form.size();) {
    const size_t end = std::min(row.form.find(' ', at), row.form.size());
    const Element element = ElementOf(row, row.form.substr(at, end - at), at);
    if (element.step == Step::kMaybe || element.step == Step::kCounted) opened = count;
    if (element.step == Step::kMaybeEnd) form[opened].arg = static_cast<uint8_t>(count - opened);
    if (element.step == Step::kCountedEnd) form[opened].arg = static_cast<uint8_t>(count - opened - 1);
    form[count++] = element;
    at = end + 1;
  }
  return form;
}

constexpr std::array<Form, kStmtCount> CompileAll() {
  std::array<Form, kStmtCount> forms;
  for (size_t i = 0; i < kStmtCount; ++i) forms[i] = Compile(rows::kRows[i]);
  return forms;
}
constinit const std::array<Form, kStmtCount> kForms = CompileAll();

}  // namespace

const Element* FormOf(const StmtInfo& info) { return info.form.empty() ? nullptr : kForms[info.id].data(); }

const StmtInfo* const kStmts = kTable.data();

bool StmtInfo::Foreign() const { return id >= kEnd; }

const StmtInfo* FindStmt(std::string_view mnemonic) {
  if (mnemonic.empty() || mnemonic[0] < 'a' || mnemonic[0] > 'z') return nullptr;
  size_t low = kLetters.first[mnemonic[0] - 'a'];
  size_t high = kLetters.first[mnemonic[0] - 'a' + 1];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = Compare(kTable[middle].name, mnemonic);
    if (order == 0) return &kTable[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

const StmtInfo* FindForeign(std::string_view name) {
  const auto found =
      std::find_if(kTable.begin() + kEnd, kTable.end(), [&](const StmtInfo& info) { return info.name == name; });
  return found == kTable.end() ? nullptr : &*found;
}

std::span<const StmtInfo> PtoStmts() { return std::span(kTable).subspan(kFirst, kEnd - kFirst); }

}  // namespace pto::ptoas

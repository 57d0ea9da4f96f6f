// `pto diff`: compares two arrays and reports all differences. A NaN, an
// infinity or a sign on one side only is an error, whatever the tolerance.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/known.h"

namespace pto::cli {

namespace {

struct Tolerance {
  double ulp = 0;
  double rtol = 0;
  double atol = 0;
};

enum Kind { kEqual, kWithin, kValue, kNan, kInf, kSign, kKindCount };
constexpr const char* kKinds[kKindCount] = {"equal",           "within tolerance",     "values apart",
                                            "NaN on one side", "infinity on one side", "signs apart"};

// The values of a type of a byte or less, in order: their codes are in none, or in one of each type's own.
class Order {
 public:
  explicit Order(pto_dtype dtype) {
    if (pto_dtype_bits(dtype) > 8) return;
    Array codes{dtype, {256}, std::string(256, '\0')};
    for (int i = 0; i < 256; ++i) codes.data[static_cast<size_t>(i)] = static_cast<char>(i);
    for (int i = 0; i < 256; ++i) {
      if (const double value = ElementAt(codes, i); !std::isnan(value)) values_.push_back(value);
    }
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  }
  bool empty() const { return values_.empty(); }
  double Steps(double a, double b) const { return std::fabs(At(a) - At(b)); }

 private:
  double At(double value) const {
    return static_cast<double>(std::lower_bound(values_.begin(), values_.end(), value) - values_.begin());
  }
  std::vector<double> values_;
};

// Steps between two floats of a type, or between two integers. Exact below 2^53.
double Ulps(const Array& a, const Array& b, int64_t i, const Order& order) {
  if (!order.empty()) return order.Steps(ElementAt(a, i), ElementAt(b, i));
  const int32_t size = pto_dtype_bytes(a.dtype);
  uint64_t bits[2] = {};
  std::memcpy(&bits[0], a.data.data() + i * size, static_cast<size_t>(size));
  std::memcpy(&bits[1], b.data.data() + i * size, static_cast<size_t>(size));
  const uint64_t top = uint64_t{1} << (size * 8 - 1);
  const bool is_unsigned =
      a.dtype == PTO_DTYPE_U8 || a.dtype == PTO_DTYPE_U16 || a.dtype == PTO_DTYPE_U32 || a.dtype == PTO_DTYPE_U64;
  for (uint64_t& word : bits) {
    if (IsFloat(a.dtype)) {
      word = (word & top) != 0 ? top - (word & (top - 1)) : top + word;  // negative ones count down from zero
    } else if (!is_unsigned) {
      word ^= top;  // the order of signed numbers as unsigned ones
    }
  }
  return static_cast<double>(std::max(bits[0], bits[1]) - std::min(bits[0], bits[1]));
}

Kind Compare(const Array& a, const Array& b, int64_t i, const Order& order, const Tolerance& tolerance, double* ulps,
             double* relative) {
  const double x = ElementAt(a, i);
  const double y = ElementAt(b, i);
  *ulps = 0;
  *relative = 0;
  if (std::isnan(x) && std::isnan(y)) return kEqual;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (IsFloat(a.dtype) && std::signbit(x) != std::signbit(y)) {
    *ulps = Ulps(a, b, i, order);
    return kSign;
  }
  if (std::isinf(x) != std::isinf(y)) return kInf;
  *ulps = Ulps(a, b, i, order);
  if (*ulps == 0) return kEqual;
  *relative = y == 0 ? INFINITY : std::fabs(x - y) / std::fabs(y);
  // Integers of 64 bits may differ although their doubles do not: without a tolerance steps decide alone.
  const bool close =
      (tolerance.rtol > 0 && *relative <= tolerance.rtol) || (tolerance.atol > 0 && std::fabs(x - y) <= tolerance.atol);
  return *ulps <= tolerance.ulp || close ? kWithin : kValue;
}

std::string Place(const Array& array, int64_t index) {
  int64_t below = array.Count();
  std::string text = "[";
  for (const int64_t extent : array.shape) {
    below /= extent;
    if (text.size() > 1) text += ',';
    text += std::to_string(index / below);
    index %= below;
  }
  return text + ']';
}

std::string ValueText(const Array& array, int64_t index) {
  const double value = ElementAt(array, index);
  if (IsFloat(array.dtype)) return Format("%.9g", value);
  if (array.dtype == PTO_DTYPE_U64) {
    uint64_t word = 0;
    std::memcpy(&word, array.data.data() + index * 8, 8);
    return std::to_string(word);
  }
  if (array.dtype == PTO_DTYPE_I64) {
    int64_t word = 0;
    std::memcpy(&word, array.data.data() + index * 8, 8);
    return std::to_string(word);
  }
  return Format("%.0f", value);
}

// Where errors are: the rectangle around them, and the busiest row and column, of
// the array as a matrix whose columns are the last dimension.
class Clusters {
 public:
  Clusters(int64_t rows, int64_t cols) : shape_{static_cast<size_t>(rows), static_cast<size_t>(cols)} {}

  void Add(int64_t row, int64_t col) {
    if (count_ == 0) {  // arrays that are the same, or empty, need none of this
      rows_.resize(shape_[0]);
      cols_.resize(shape_[1]);
    }
    ++rows_[static_cast<size_t>(row)];
    ++cols_[static_cast<size_t>(col)];
    ++count_;
  }

  std::string Json() const {
    const Span rows = Range(rows_);
    const Span cols = Range(cols_);
    return Format("{\"rows\":[%zu,%zu],\"columns\":[%zu,%zu],\"busiest\":[%zu,%zu]}", rows.first, rows.last, cols.first,
                  cols.last, rows.top, cols.top);
  }

  void Print() const {
    const auto [first_row, last_row, top_row] = Range(rows_);
    const auto [first_col, last_col, top_col] = Range(cols_);
    const double area = static_cast<double>(last_row - first_row + 1) * static_cast<double>(last_col - first_col + 1);
    std::printf("  where    rows %zu..%zu of %zu, columns %zu..%zu of %zu; %.1f%% of that rectangle\n", first_row,
                last_row, rows_.size(), first_col, last_col, cols_.size(), 100.0 * static_cast<double>(count_) / area);
    std::printf("  busiest  row %zu (%lld), column %zu (%lld)\n", top_row, static_cast<long long>(rows_[top_row]),
                top_col, static_cast<long long>(cols_[top_col]));
  }

 private:
  struct Span {
    size_t first;
    size_t last;
    size_t top;
  };
  static Span Range(const std::vector<int64_t>& counts) {
    Span span{counts.size(), 0, 0};
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      span.first = std::min(span.first, i);
      span.last = i;
      if (counts[i] > counts[span.top]) span.top = i;
    }
    return span;
  }

  size_t shape_[2];
  std::vector<int64_t> rows_;
  std::vector<int64_t> cols_;
  int64_t count_ = 0;
};

// The whole comparison of two arrays.
struct Difference {
  int64_t of_kind[kKindCount] = {};
  int64_t first_of[kKindCount] = {};
  int64_t worst = -1;
  double worst_ulps = 0;
  double worst_relative = 0;
  double max_ulps = 0;
  int64_t bad = 0;
  // With --known-differences.
  bool explain = false;
  std::vector<Explained> explained;
  int64_t Unknown() const {
    int64_t left = bad;
    for (const Explained& one : explained) left -= one.count;
    return left;
  }
};

// The colour of an element in the picture of a difference: black where arrays are equal, green within the tolerance,
// from blue to yellow by the digits of the steps apart, and colours of their own if no number of steps describes it.
void Paint(Kind kind, double ulps, char* rgb) {
  static constexpr unsigned char kColours[kKindCount][3] = {{0, 0, 0},     {0, 96, 0},   {0, 0, 0},
                                                            {255, 0, 200}, {255, 60, 0}, {0, 190, 255}};
  unsigned char own[3];
  const unsigned char* colour = kColours[kind];
  if (kind == kValue) {
    const double t = std::min(1.0, std::log2(1 + ulps) / 24);
    own[0] = static_cast<unsigned char>(80 + 175 * t);
    own[1] = static_cast<unsigned char>(80 + 150 * t);
    own[2] = static_cast<unsigned char>(255 * (1 - t));
    colour = own;
  }
  std::memcpy(rgb, colour, 3);
}

std::string PlaceText(const char* name, const Array& a, const Array& b, int64_t at) {
  return std::string("\"") + name + "\":" + Place(a, at) + ",\"a\":" + Quote(ValueText(a, at)) +
         ",\"b\":" + Quote(ValueText(b, at));
}

void PrintJson(const Array& a, const Array& b, const Difference& d, const Clusters& clusters) {
  std::string out = "{\"same\":" + std::string(d.bad == 0 ? "true" : "false") +
                    ",\"dtype\":" + Quote(pto_dtype_name(a.dtype)) + ",\"shape\":[";
  for (size_t i = 0; i < a.shape.size(); ++i) out += (i == 0 ? "" : ",") + std::to_string(a.shape[i]);
  out += "],\"elements\":" + std::to_string(a.Count()) + ",\"different\":" + std::to_string(d.bad) +
         ",\"within\":" + std::to_string(d.of_kind[kWithin]) + Format(",\"max_ulp\":%.17g,\"kinds\":[", d.max_ulps);
  for (int kind = kValue; kind < kKindCount; ++kind) {
    if (d.of_kind[kind] == 0) continue;
    if (out.back() == '}') out += ',';
    out += "{\"kind\":" + Quote(kKinds[kind]) + ",\"count\":" + std::to_string(d.of_kind[kind]) + "," +
           PlaceText("first", a, b, d.first_of[kind]) + "}";
  }
  out += "]";
  if (d.worst >= 0) {
    out += ",\"worst\":{" + PlaceText("at", a, b, d.worst) + Format(",\"ulp\":%.17g", d.worst_ulps) +
           (std::isfinite(d.worst_relative) ? Format(",\"relative\":%.17g}", d.worst_relative) : "}");
  }
  if (d.bad != 0) out += ",\"where\":" + clusters.Json();
  if (d.explain) {
    out += ",\"known\":[";
    for (const Explained& one : d.explained) {
      out += std::string(out.back() == '}' ? "," : "") + "{\"id\":" + Quote(one.known->id) +
             ",\"count\":" + std::to_string(one.count) + "," + PlaceText("first", a, b, one.first) + "}";
    }
    out += "],\"unknown\":" + std::to_string(d.Unknown());
  }
  std::printf("%s}\n", out.c_str());
}

void PrintText(const Array& a, const Array& b, const Difference& d, const Clusters& clusters) {
  const Colours& colour = StdoutColours();
  const auto count = static_cast<long long>(a.Count());
  if (d.bad == 0) {
    std::printf("%ssame%s: %lld elements of %s", colour.good, colour.off, count, pto_dtype_name(a.dtype));
    if (d.of_kind[kWithin] != 0) {
      std::printf(", %lld of them within tolerance (at most %.0f ulp)", static_cast<long long>(d.of_kind[kWithin]),
                  d.max_ulps);
    }
    std::printf("\n");
    return;
  }
  std::printf("%sdifferent%s: %lld of %lld elements of %s\n", colour.error, colour.off, static_cast<long long>(d.bad),
              count, pto_dtype_name(a.dtype));
  for (int kind = kValue; kind < kKindCount; ++kind) {
    if (d.of_kind[kind] == 0) continue;
    const int64_t first = d.first_of[kind];
    std::printf("  %-20s %lld, the first at %s: %s against %s\n", kKinds[kind], static_cast<long long>(d.of_kind[kind]),
                Place(a, first).c_str(), ValueText(a, first).c_str(), ValueText(b, first).c_str());
  }
  if (d.worst >= 0) {
    std::printf("  worst    %s: %s against %s, %.0f ulp, relative %.3g\n", Place(a, d.worst).c_str(),
                ValueText(a, d.worst).c_str(), ValueText(b, d.worst).c_str(), d.worst_ulps, d.worst_relative);
  }
  clusters.Print();
  if (!d.explain) return;
  for (const Explained& one : d.explained) {
    std::printf("  known    %lld look like %s, the first at %s: %s\n", static_cast<long long>(one.count), one.known->id,
                Place(a, one.first).c_str(), one.known->text);
  }
  std::printf("  unknown  %lld\n", static_cast<long long>(d.Unknown()));
}

struct DiffOptions {
  std::string a;
  std::string b;
  std::string picture;
  std::string dtype;
  bool json = false;
  bool known = false;
  Tolerance tolerance;
};

int RunDiff(const DiffOptions& options) {
  ShapeSpec wish;
  wish.has_dtype = !options.dtype.empty();
  if (wish.has_dtype && !FindDType(options.dtype, &wish.dtype)) {
    Fail("--dtype %s: there is no such element type", options.dtype.c_str());
  }
  const Array a = ReadArray(options.a, wish);
  const Array b = ReadArray(options.b, wish);
  if (a.dtype != b.dtype || a.shape != b.shape) {
    const std::string what = ShapeText(a.shape) + " of " + pto_dtype_name(a.dtype) + " against " + ShapeText(b.shape) +
                             " of " + pto_dtype_name(b.dtype);
    if (options.json) {
      std::printf("{\"same\":false,\"shapes\":%s}\n", Quote(what).c_str());
    } else {
      std::printf("%sdifferent%s: %s\n", StdoutColours().error, StdoutColours().off, what.c_str());
    }
    return kFound;
  }
  const int64_t count = a.Count();
  const int64_t cols = a.shape.empty() ? 1 : std::max<int64_t>(a.shape.back(), 1);
  Clusters clusters(count == 0 ? 1 : count / cols, cols);
  Array picture{PTO_DTYPE_U8, {count / cols, cols, 3}, ""};
  if (!options.picture.empty()) picture.data.resize(static_cast<size_t>(count) * 3);
  const Order order(a.dtype);
  Difference d;
  d.explain = options.known;
  std::vector<int64_t> different;
  std::vector<double> steps;
  for (int64_t i = 0; i < count; ++i) {
    double ulps = 0;
    double relative = 0;
    const Kind kind = Compare(a, b, i, order, options.tolerance, &ulps, &relative);
    if (!options.picture.empty()) Paint(kind, ulps, &picture.data[static_cast<size_t>(i) * 3]);
    if (d.of_kind[kind]++ == 0) d.first_of[kind] = i;
    if (kind == kWithin || kind == kValue) d.max_ulps = std::max(d.max_ulps, ulps);
    if (kind <= kWithin) continue;
    clusters.Add(i / cols, i % cols);
    if (options.known) {
      different.push_back(i);
      steps.push_back(ulps);
    }
    if (kind == kValue && ulps > d.worst_ulps) {
      d.worst = i;
      d.worst_ulps = ulps;
      d.worst_relative = relative;
    }
  }
  if (options.known) d.explained = Explain(a, b, different, steps);
  d.bad = count - d.of_kind[kEqual] - d.of_kind[kWithin];
  if (!options.picture.empty()) {
    if (!HasSuffix(options.picture, ".png")) Fail("--picture %s: name a .png file", options.picture.c_str());
    WriteFile(options.picture, FormatPng(picture, options.picture));
  }
  (options.json ? PrintJson : PrintText)(a, b, d, clusters);
  return d.bad == 0 ? kOk : kFound;
}

}  // namespace

void AddDiff(CLI::App& app, int* code) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "Compares two arrays (.npy or .png): NaN, infinity and sign count too.");
  command->add_option("A", options->a, "The array under test")->required();
  command->add_option("B", options->b, "The reference")->required();
  command->add_option("--ulp", options->tolerance.ulp, "Steps between neighbouring values that are let pass")
      ->check(CLI::NonNegativeNumber)
      ->check(NotNan);
  command->add_option("--rtol", options->tolerance.rtol, "Relative error, against B, that is let pass")
      ->check(CLI::NonNegativeNumber)
      ->check(NotNan);
  command->add_option("--atol", options->tolerance.atol, "Absolute error that is let pass")
      ->check(CLI::NonNegativeNumber)
      ->check(NotNan);
  command->add_option("--dtype", options->dtype,
                      "Element type of floats of a byte, which a .npy does not say: e4m3 ...");
  command->add_flag("--json", options->json, "Prints what differs as JSON");
  command->add_flag(
      "--known-differences", options->known,
      "Explains elements that look like a known difference between libpto (A) and the vendor's simulator (B)");
  command->add_option("--picture", options->picture, "FILE: a .png of the error, one pixel per element");
  AddForce(command);
  command->callback([options, code] { *code = RunDiff(*options); });
}

}  // namespace pto::cli

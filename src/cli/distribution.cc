// Nothing here asks the C library for more than exact operations: a seed means the same numbers everywhere.
#include "src/cli/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "src/cli/cli.h"
#include "src/cli/numbers.h"
#include "src/records/dtype.h"

namespace pto::cli {

namespace {

// SplitMix64.
class Random {
 public:
  Random(uint64_t seed, const std::string& stream) : state_(seed) {
    for (const char c : stream) state_ = Next() ^ static_cast<unsigned char>(c);
  }
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t n) { return Next() % n; }
  double Unit() { return std::ldexp(static_cast<double>(Next() >> 11), -53); }  // from 0 to below 1

 private:
  uint64_t state_;
};

// The range of an element type.
struct Range {
  bool is_float;
  double most,
      least;     // integers: exact up to 2^53, which is enough to aim; a float's least is above 0 where it has no sign
  double tiny;   // the least normal number
  int fraction;  // stored bits
};
Range RangeOf(pto_dtype dtype) {
  const pto::DTypeInfo& info = pto::kDTypes[dtype];
  if (info.kind == pto::DTypeKind::kFloat) {
    return {true, info.largest, info.scale ? 1 / info.largest : -info.largest, info.least_normal,
            info.scale ? 1 : info.digits - 1};
  }
  const bool is_signed = info.kind == pto::DTypeKind::kSigned;
  const double most = std::ldexp(1, info.bits - (is_signed ? 1 : 0));
  return {false, most - 1, is_signed ? -most : 0, 1, 0};
}

double Sign(Random* random, const Range& range) { return range.least < 0 && random->Below(2) != 0 ? -1 : 1; }

double Uniform(Random* random, const Range& range) {
  if (range.is_float) return range.least > 0 ? random->Unit() : 2 * random->Unit() - 1;
  return std::floor(range.least + random->Unit() * (range.most - range.least + 1));
}

// The sum of twelve uniform numbers: near the normal distribution up to three or four deviations, and never beyond six.
double Normal(Random* random, const Range& range) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random->Unit();
  if (range.is_float) return range.least > 0 ? std::fabs(sum) : sum;
  const double middle = (range.least + range.most) / 2;
  return std::nearbyint(middle + sum * (range.most - range.least) / 12);
}

double Special(Random* random, const Range& range) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double floats[] = {0.0,
                           kInf,
                           std::numeric_limits<double>::quiet_NaN(),
                           1,
                           0.5,
                           2,
                           range.most,
                           range.tiny,
                           std::ldexp(range.tiny, -range.fraction),
                           range.tiny - std::ldexp(range.tiny, -range.fraction)};
  const double integers[] = {0, 1, 2, range.most, range.most - 1, range.least, range.least + 1, range.most / 2};
  if (!range.is_float) return integers[random->Below(std::size(integers))];
  return Sign(random, range) * floats[random->Below(std::size(floats))];
}

// Numbers halfway between two candidates of a rounding: halves, quarters below, and sums of
// a number and half a step of it.
double Ties(Random* random, const Range& range) {
  if (!range.is_float) {
    const auto odd = std::min<uint64_t>(64, static_cast<uint64_t>(range.most / 2) + 1);
    return std::floor(Sign(random, range) * static_cast<double>(random->Below(odd)) * 2 + 1);
  }
  const auto whole = static_cast<double>(random->Below(uint64_t{1} << std::min(range.fraction - 1, 12)));
  return Sign(random, range) * (whole + (random->Below(4) != 0 ? 0.5 : 0.25));
}

// About the largest number, its root and its logarithm, where sums, products and exponentials leave the range.
double Overflow(Random* random, const Range& range) {
  const double near = 1 + (random->Unit() - 0.5) / 8;
  const double borders[] = {range.most, range.most / 2, std::sqrt(range.most),
                            range.is_float ? std::logb(range.most) * 0.6875 : range.most / 3};
  const double value = Sign(random, range) * borders[random->Below(std::size(borders))] * near;
  return std::clamp(range.is_float ? value : std::nearbyint(value), range.least, range.most);
}

double Denormal(Random* random, const Range& range) {
  if (!range.is_float) return std::floor(Sign(random, range) * static_cast<double>(random->Below(2)));
  const double step = std::ldexp(range.tiny, -range.fraction);
  const double value =
      Sign(random, range) * step * static_cast<double>(random->Below(uint64_t{3} << (range.fraction - 1)));
  return range.least > 0 ? std::max(value, range.least) : value;
}

double Mixed(Random* random, const Range& range) {
  switch (random->Below(8)) {
    case 0:
      return Special(random, range);
    case 1:
      return Ties(random, range);
    case 2:
      return Overflow(random, range);
    case 3:
      return Denormal(random, range);
    default:
      return Normal(random, range);
  }
}

struct Named {
  Distribution distribution;
  double (*draw)(Random*, const Range&);
};
constexpr Named kAll[] = {
    {{"uniform", "floats from -1 to 1, integers of the whole range"}, Uniform},
    {{"normal", "deviation 1, or a twelfth of an integer's range, around the middle"}, Normal},
    {{"special", "zeros, infinities, NaN, the largest, the least normal and subnormal numbers"}, Special},
    {{"ties", "numbers half-way between others"}, Ties},
    {{"overflow", "numbers about the borders at which sums, products and exponentials overflow"}, Overflow},
    {{"denormal", "subnormal numbers and those just above"}, Denormal},
    {{"mixed", "half normal, an eighth of each of the others"}, Mixed},
};
constexpr auto kDistributions = [] {
  std::array<Distribution, std::size(kAll)> list;
  for (size_t i = 0; i < list.size(); ++i) list[i] = kAll[i].distribution;
  return list;
}();

const Named* Find(const std::string& name) {
  const auto* at =
      std::find_if(std::begin(kAll), std::end(kAll), [&](const Named& n) { return name == n.distribution.name; });
  return at == std::end(kAll) ? nullptr : at;
}

}  // namespace

std::span<const Distribution> Distributions() { return kDistributions; }

void NeedDistribution(const std::string& name) {
  if (Find(name) != nullptr) return;
  std::string names;
  for (const Named& n : kAll) names += std::string(names.empty() ? "" : ", ") + n.distribution.name;
  Fail("there is no distribution %s; there are %s", name.c_str(), names.c_str());
}

Array Draw(const std::string& distribution, pto_dtype dtype, const std::vector<int64_t>& shape, uint64_t seed,
           const std::string& stream) {
  NeedDistribution(distribution);
  const Named& how = *Find(distribution);
  const Range range = RangeOf(dtype);
  Random random(seed, stream + ":" + distribution);
  Array array;
  array.dtype = dtype;
  array.shape = shape;
  const auto bytes = static_cast<size_t>(pto_dtype_bytes(dtype));
  array.data.resize(static_cast<size_t>(array.Count()) * bytes);
  for (int64_t i = 0; i < array.Count(); ++i) {
    StoreElement(dtype, how.draw(&random, range), array.data.data() + static_cast<size_t>(i) * bytes);
  }
  return array;
}

namespace {

constexpr const char* kRandom = "random:";

}  // namespace

bool IsMade(const std::string& how) {
  return how == "zeros" || how == "iota" || how == "random" || how.rfind(kRandom, 0) == 0;
}

Array Make(const std::string& how, pto_dtype dtype, const std::vector<int64_t>& shape, const std::string& stream) {
  if (how.rfind("random", 0) == 0) {
    uint64_t seed = 0;
    const std::string text = how.substr(std::min(how.size(), std::string(kRandom).size()));
    if (!ParseInteger(text, &seed)) {
      Fail("--in %s=%s: write random:SEED, with a number from 0 to 18446744073709551615", stream.c_str(), how.c_str());
    }
    return Draw("uniform", dtype, shape, seed, stream);
  }
  const auto bytes = static_cast<size_t>(pto_dtype_bytes(dtype));
  Array array{dtype, shape, ""};
  array.data.assign(static_cast<size_t>(array.Count()) * bytes, '\0');
  if (how == "zeros") return array;
  const int bits = pto_dtype_bits(dtype);
  for (int64_t i = 0; i < array.Count(); ++i) {
    char* const at = array.data.data() + static_cast<size_t>(i) * bytes;
    if (IsFloat(dtype)) {
      StoreElement(dtype, static_cast<double>(i), at);
    } else {
      const uint64_t low =
          bits == 64 ? static_cast<uint64_t>(i) : static_cast<uint64_t>(i) & ((uint64_t{1} << bits) - 1);
      std::memcpy(at, &low, bytes);
    }
  }
  return array;
}

}  // namespace pto::cli

// numpy's .npy files: versions 1, 2 and 3, little-endian, every element type of
// libpto. bf16, which numpy has not, is written as <V2, as ml_dtypes does; floats of a byte are written as <V1.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"

namespace pto::cli {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kMaxHeaderBytes = size_t{1} << 20;
constexpr size_t kMaxRank = 64;  // numpy's own

struct Descr {
  const char* text;
  pto_dtype dtype;
};
constexpr Descr kDescrs[] = {
    {"|i1", PTO_DTYPE_I8},
    {"|u1", PTO_DTYPE_U8},
    {"<i2", PTO_DTYPE_I16},
    {"<u2", PTO_DTYPE_U16},
    {"<i4", PTO_DTYPE_I32},
    {"<u4", PTO_DTYPE_U32},
    {"<i8", PTO_DTYPE_I64},
    {"<u8", PTO_DTYPE_U64},
    {"<f2", PTO_DTYPE_F16},
    {"<V2", PTO_DTYPE_BF16},
    {"<f4", PTO_DTYPE_F32},
    // Other spellings of the same, read but not written.
    {"|V2", PTO_DTYPE_BF16},
    {"<i1", PTO_DTYPE_I8},
    {"<u1", PTO_DTYPE_U8},
    {"<V1", PTO_DTYPE_U8},  // bits of a float of a byte: which, the reader knows
    {"|V1", PTO_DTYPE_U8},
    {"<f1", PTO_DTYPE_E5M2},
};

// The header is a Python dictionary of three entries; this reads that much Python.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  void Read(std::string* descr, bool* fortran, std::vector<int64_t>* shape) {
    bool seen[3] = {};
    Expect('{');
    while (!Accept('}')) {
      const std::string key = String();
      Expect(':');
      if (key == "descr") {
        seen[0] = true;
        if (Peek() == '[') Fail("%s: structured element types are not supported", name_.c_str());
        *descr = String();
      } else if (key == "fortran_order") {
        seen[1] = true;
        *fortran = Truth();
      } else if (key == "shape") {
        seen[2] = true;
        *shape = Extents();
      } else {
        Bad();
      }
      if (!Accept(',') && Peek() != '}') Bad();
    }
    if (!seen[0] || !seen[1] || !seen[2]) Bad();
  }

 private:
  [[noreturn]] void Bad() { Fail("%s: the header is not an .npy header", name_.c_str()); }

  char Peek() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool Accept(char c) {
    if (Peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Expect(char c) {
    if (!Accept(c)) Bad();
  }
  std::string String() {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') Bad();
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) Bad();
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool Truth() {
    Peek();
    for (const std::string_view word : {"True", "False"}) {
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    Bad();
  }
  std::vector<int64_t> Extents() {
    std::vector<int64_t> extents;
    Expect('(');
    while (!Accept(')')) {
      int64_t value = 0;
      if (std::isdigit(static_cast<unsigned char>(Peek())) == 0) Bad();
      while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
        if (value > int64_t{1} << 56) Bad();
        value = value * 10 + (rest_.front() - '0');
        rest_.remove_prefix(1);
      }
      if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // Python 2 wrote these
      extents.push_back(value);
      if (extents.size() > kMaxRank) Fail("%s: more than %zu dimensions", name_.c_str(), kMaxRank);
      if (!Accept(',') && Peek() != ')') Bad();
    }
    return extents;
  }

  std::string_view rest_;
  const std::string& name_;
};

// Elements in the order of the first index fastest, put in the usual order.
std::string FromFortran(const std::string_view data, const std::vector<int64_t>& shape, size_t size) {
  std::string out(data.size(), '\0');
  std::vector<int64_t> index(shape.size(), 0);
  for (size_t from = 0; from < data.size(); from += size) {
    int64_t at = 0;
    for (size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
    std::memcpy(out.data() + static_cast<size_t>(at) * size, data.data() + from, size);
    for (size_t d = 0; d < shape.size() && ++index[d] == shape[d]; ++d) index[d] = 0;
  }
  return out;
}

// How numpy makes an .npy file of another one.
std::string Conversion(const std::string& name) {
  const size_t dot = name.rfind('.');
  const std::string suffix = dot == std::string::npos ? "" : name.substr(dot);
  const std::string read = suffix == ".csv"   ? "np.loadtxt(\"%s\", np.float32, delimiter=\",\")"
                           : suffix == ".txt" ? "np.loadtxt(\"%s\", np.float32)"
                           : suffix == ".bin" || suffix == ".raw"
                               ? "np.fromfile(\"%s\", np.float32).reshape(ROWS, COLS)"
                           : suffix == ".npz" ? "np.load(\"%s\")[\"NAME\"]"
                                              : "";
  if (read.empty()) return "";
  const size_t place = read.find("%s");
  return "; convert it: np.save(\"" + name.substr(0, dot) + ".npy\", " + read.substr(0, place) + name +
         read.substr(place + 2) + ")";
}

}  // namespace

Array ReadNpy(Input* in) {
  const char* name = in->name().c_str();
  std::string head;
  if (in->Read(10, &head) < 10 || head.substr(0, 6) != kMagic) {
    Fail("%s is not an .npy file. Inputs are .npy or .png files%s", name, Conversion(in->name()).c_str());
  }
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(head[i])); };
  const size_t major = byte(6);
  if (major < 1 || major > 3) Fail("%s: version %zu of .npy where 1 to 3 are known", name, major);
  if (major > 1 && in->Read(2, &head) < 2) Fail("%s: ends inside the header", name);
  const size_t length = major == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  std::string text;
  if (in->sized() && length > in->left()) Fail("%s: ends inside the header", name);
  if (length > kMaxHeaderBytes) Fail("%s: a header of %zu bytes", name, length);
  if (in->Read(length, &text) < length) Fail("%s: ends inside the header", name);
  std::string descr;
  bool fortran = false;
  Array array;
  HeaderReader(text, in->name()).Read(&descr, &fortran, &array.shape);
  const auto* known =
      std::find_if(std::begin(kDescrs), std::end(kDescrs), [&](const Descr& d) { return descr == d.text; });
  if (known == std::end(kDescrs)) {
    const char* const how = descr.starts_with('>') ? "; save it little-endian"
                            : descr == "|b1"       ? "; save x.astype(np.uint8)"
                                                   : "; save x.astype(np.float32), or another type that libpto has";
    Fail("%s: element type %s is not supported%s", name, descr.c_str(), how);
  }
  array.dtype = known->dtype;
  const auto size = static_cast<size_t>(pto_dtype_bytes(array.dtype));
  double want = static_cast<double>(size);
  for (const int64_t extent : array.shape) want *= static_cast<double>(extent);
  const auto bad = [&](size_t bytes) {
    Fail("%s: %zu bytes of data where the shape %s of %s has %.0f", name, bytes, ShapeText(array.shape).c_str(),
         pto_dtype_name(array.dtype), want);
  };
  if (in->sized() && static_cast<double>(in->left()) != want) bad(in->left());
  if (!Sane(array.shape) || want > static_cast<double>(kMaxFileBytes)) {
    Fail("%s: the shape %s is too large", name, ShapeText(array.shape).c_str());
  }
  const auto bytes = static_cast<size_t>(want);
  // One more byte, when there is one, is too much.
  const size_t found = in->Read(bytes + 1, &array.data);
  if (found != bytes) bad(found);
  if (fortran) array.data = FromFortran(array.data, array.shape, size);
  return array;
}

std::string FormatNpy(const Array& array) {
  const auto* known =
      std::find_if(std::begin(kDescrs), std::end(kDescrs), [&](const Descr& d) { return array.dtype == d.dtype; });
  const char* text = array.dtype > PTO_DTYPE_F32 ? "<V1" : known->text;
  std::string shape;
  for (const int64_t extent : array.shape) shape += std::to_string(extent) + (array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = Format("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", text, shape.c_str());
  // Data begins at a multiple of 64; the header ends in a newline.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header + array.data;
}

}  // namespace pto::cli

// The text of errors and output. <string> costs more time to compile than all the rest of these headers together, so
// they have a type of their own, which becomes a std::string wherever one is wanted. Include pto-inst.hpp, which
// includes this file.
#ifndef PTO_PTO_TEXT_HPP_
#define PTO_PTO_TEXT_HPP_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pto/pto-base.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// Bytes of its own, and a zero after them.
class Text {
 public:
  static constexpr size_t npos = static_cast<size_t>(-1);

  Text() = default;
  Text(const char* text) : Text(text, std::strlen(text)) {}
  Text(const char* data, size_t size) { assign(data, size); }
  // From a std::string and the like.
  template <typename String, typename = decltype(static_cast<const String*>(nullptr)->c_str()),
            typename = decltype(String::npos)>
  Text(const String& text) : Text(text.c_str(), text.size()) {}
  Text(const Text& text) : Text(text.data(), text.size()) {}
  Text(Text&& text) noexcept { swap(text); }
  Text& operator=(Text text) noexcept {
    swap(text);
    return *this;
  }
  ~Text() { std::free(data_); }

  const char* c_str() const noexcept { return data_ == nullptr ? "" : data_; }
  const char* data() const noexcept { return c_str(); }
  char* data() noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  size_t length() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const char* begin() const noexcept { return c_str(); }
  const char* end() const noexcept { return c_str() + size_; }
  // The place of the first `part`, npos without one.
  size_t find(const Text& part, size_t from = 0) const noexcept {
    const char* const at = from > size_ ? nullptr : std::strstr(c_str() + from, part.c_str());
    return at == nullptr ? npos : static_cast<size_t>(at - c_str());
  }

  // New bytes are zero.
  [[gnu::noinline]] void resize(size_t size) {
    auto* const data = static_cast<char*>(std::realloc(data_, size + 1));
    if (data == nullptr) std::abort();
    if (size > size_) std::memset(data + size_, 0, size - size_);
    data[size] = '\0';
    data_ = data;
    size_ = size;
  }
  void assign(const char* data, size_t size) {
    resize(size);
    std::memcpy(data_, data, size);
  }
  [[gnu::noinline]] Text& append(const char* data, size_t size) {
    const size_t before = size_;
    resize(before + size);
    std::memcpy(data_ + before, data, size);
    return *this;
  }
  void swap(Text& other) noexcept {
    char* const data = data_;
    const size_t size = size_;
    data_ = other.data_;
    size_ = other.size_;
    other.data_ = data;
    other.size_ = size;
  }

  // To a std::string or std::string_view.
  template <typename String, typename = decltype(String::npos), typename = typename String::traits_type>
  operator String() const {
    return String(c_str(), size_);
  }

  Text& operator+=(const Text& more) { return append(more.data(), more.size()); }
  friend Text operator+(Text a, const Text& b) {
    a += b;
    return a;
  }
  friend bool operator==(const Text& a, const Text& b) noexcept {
    return a.size_ == b.size_ && std::memcmp(a.c_str(), b.c_str(), a.size_) == 0;
  }
  friend bool operator!=(const Text& a, const Text& b) noexcept { return !(a == b); }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

// To std::cout and its like.
template <typename Stream>
auto operator<<(Stream& out, const Text& text) -> decltype(out.write(text.c_str(), std::ptrdiff_t{0})) {
  return out.write(text.c_str(), static_cast<std::ptrdiff_t>(text.size()));
}

namespace pto_detail {
[[gnu::cold, gnu::noinline]] inline Text Decimal(int64_t value) {
  char digits[24];
  return {digits, static_cast<size_t>(std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(value)))};
}
}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TEXT_HPP_

// The profiles whose rules apply to a call, and sets of them.
#ifndef PTO_SRC_RECORDS_PROFILE_H_
#define PTO_SRC_RECORDS_PROFILE_H_

#include <cstdint>

namespace pto {

// Same values as pto_profile.
enum class Profile : uint8_t { kCpu = 0, kA2A3 = 1, kA5 = 2 };
inline constexpr int kProfileCount = 3;
inline constexpr const char* kProfileNames[kProfileCount] = {"CPU", "A2A3", "A5"};

// A set of profiles, one bit each.
using ProfileSet = uint8_t;
constexpr ProfileSet Bit(Profile profile) { return static_cast<ProfileSet>(1U << static_cast<int>(profile)); }
namespace profiles {
inline constexpr ProfileSet kNone = 0;
inline constexpr ProfileSet kCpu = Bit(Profile::kCpu);
inline constexpr ProfileSet kA2A3 = Bit(Profile::kA2A3);
inline constexpr ProfileSet kA5 = Bit(Profile::kA5);
inline constexpr ProfileSet kHardware = kA2A3 | kA5;
inline constexpr ProfileSet kEvery = kCpu | kA2A3 | kA5;
}  // namespace profiles

// A value that must be given.
template <class T>
struct Stated {
  constexpr Stated(T stated) : value(stated) {}   // NOLINT(google-explicit-constructor)
  constexpr operator T() const { return value; }  // NOLINT(google-explicit-constructor)
  T value;
};

// A value for each profile, by its name: one that is left out does not compile.
template <class T>
struct ByProfile {
  Stated<T> cpu;
  Stated<T> a2a3;
  Stated<T> a5;
  constexpr T operator[](int profile) const {
    return profile == static_cast<int>(Profile::kCpu) ? cpu : profile == static_cast<int>(Profile::kA2A3) ? a2a3 : a5;
  }
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_PROFILE_H_

// The profiles whose rules apply to a call: a row for each, sets of them, and values by profile.
//
// A profile is a row of kProfiles. Code never compares with a profile: it asks the row for the property in which
// devices differ, so a new profile states each of them, and one that it leaves out does not compile. Records and tables
// name sets instead: profiles::kA5 is A5 and each profile whose row has it in `follows`.
#ifndef PTO_SRC_RECORDS_PROFILE_H_
#define PTO_SRC_RECORDS_PROFILE_H_

#include <cstdint>
#include <iterator>

namespace pto {

// Same values as pto_profile.
enum class Profile : uint8_t { kCpu = 0, kA2A3 = 1, kA5 = 2 };
inline constexpr int kProfileCount = 3;

// A value that must be given.
template <class T>
struct Stated {
  constexpr Stated(T stated) : value(stated) {}   // NOLINT(google-explicit-constructor)
  constexpr operator T() const { return value; }  // NOLINT(google-explicit-constructor)
  T value;
};

struct ProfileInfo {
  const char* name;
  const char* arches;                 // its words for pto.target_arch, with ", " between them
  Stated<Profile> follows;            // its rules, pipes and side effects in records and tables
  Stated<bool> equal_regions;         // operands are valid in the region that is needed; otherwise also in more
  Stated<bool> vector_level;          // has the level below tiles
  Stated<bool> stores_mat;            // TSTORE and TPRINT accept tiles in mat
  Stated<bool> loads_exponents;       // TLOAD accepts tensors of exponents of groups
  Stated<bool> loads_dn_into_nz;      // TLOAD turns DN into Nz; otherwise ND alone
  Stated<bool> windows_by_block;      // a window between tiles in vec begins at a block or a box
  Stated<bool> left_by_rows;          // left matrices have their boxes in rows; otherwise in columns
  Stated<bool> rounds_to_hf32;        // products of f32 may round factors to HF32; otherwise to TF32
  Stated<bool> fills_uncovered;       // TPARTMAX and TPARTMIN fill what neither source covers
  Stated<bool> indexes_down;          // MGATHER and MSCATTER accept indices of rows in a column, too
  Stated<bool> gathers_boxes;         // MGATHER reads rows of tables in boxes into tiles in boxes
  Stated<bool> full_index_rows;       // indices of TGATHER fill whole rows
  Stated<bool> finds_greater_i32;     // TGATHER by comparison finds i32 that are greater, too, not only equal ones
  Stated<bool> flags_by_vector_core;  // flags of a cube core name one of its vector cores
};

inline constexpr ProfileInfo kProfiles[] = {
    {.name = "CPU",
     .arches = "cpu",
     .follows = Profile::kCpu,
     .equal_regions = false,
     .vector_level = true,
     .stores_mat = false,
     .loads_exponents = false,
     .loads_dn_into_nz = false,
     .windows_by_block = false,
     .left_by_rows = false,
     .rounds_to_hf32 = false,
     .fills_uncovered = true,
     .indexes_down = true,
     .gathers_boxes = false,
     .full_index_rows = false,
     .finds_greater_i32 = true,
     .flags_by_vector_core = false},
    {.name = "A2A3",
     .arches = "a2, a3, a2a3",
     .follows = Profile::kA2A3,
     .equal_regions = true,
     .vector_level = false,
     .stores_mat = true,
     .loads_exponents = false,
     .loads_dn_into_nz = false,
     .windows_by_block = true,
     .left_by_rows = true,
     .rounds_to_hf32 = true,
     .fills_uncovered = false,
     .indexes_down = false,
     .gathers_boxes = true,
     .full_index_rows = false,
     .finds_greater_i32 = false,
     .flags_by_vector_core = false},
    {.name = "A5",
     .arches = "a5",
     .follows = Profile::kA5,
     .equal_regions = true,
     .vector_level = true,
     .stores_mat = false,
     .loads_exponents = true,
     .loads_dn_into_nz = true,
     .windows_by_block = false,
     .left_by_rows = false,
     .rounds_to_hf32 = false,
     .fills_uncovered = true,
     .indexes_down = true,
     .gathers_boxes = false,
     .full_index_rows = true,
     .finds_greater_i32 = true,
     .flags_by_vector_core = true},
};
static_assert(std::size(kProfiles) == kProfileCount);
constexpr const ProfileInfo& Info(Profile profile) { return kProfiles[static_cast<int>(profile)]; }

// A set of profiles, one bit each.
using ProfileSet = uint8_t;
constexpr ProfileSet Bit(Profile profile) { return static_cast<ProfileSet>(1U << static_cast<int>(profile)); }
// The profiles whose row has a property.
template <class Property>
constexpr ProfileSet ProfilesWith(Property property) {
  ProfileSet set = 0;
  for (const ProfileInfo& row : kProfiles) {
    if (property(row)) set = static_cast<ProfileSet>(set | 1U << (&row - kProfiles));
  }
  return set;
}
constexpr ProfileSet Followers(Profile of) {
  return ProfilesWith([of](const ProfileInfo& row) { return row.follows == of; });
}
namespace profiles {
inline constexpr ProfileSet kNone = 0;
inline constexpr ProfileSet kEvery = (1U << kProfileCount) - 1;
inline constexpr ProfileSet kCpu = Followers(Profile::kCpu);
inline constexpr ProfileSet kA2A3 = Followers(Profile::kA2A3);
inline constexpr ProfileSet kA5 = Followers(Profile::kA5);
inline constexpr ProfileSet kHardware = kEvery & ~kCpu;
inline constexpr ProfileSet kEqualRegions = ProfilesWith([](const ProfileInfo& row) { return row.equal_regions; });
}  // namespace profiles

// Whether the profile describes a device, with its memories and geometries of tiles. The others accept what any has.
constexpr bool IsHardware(Profile profile) { return (profiles::kHardware & Bit(profile)) != 0; }

// A value for each profile, by its name: one that is left out does not compile.
template <class T>
struct ByProfile {
  Stated<T> cpu;
  Stated<T> a2a3;
  Stated<T> a5;
  constexpr T operator[](int profile) const {
    static_assert(kProfileCount == 3, "a new profile has a field here, and a place in this list");
    return profile == 0 ? cpu : profile == 1 ? a2a3 : a5;
  }
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_PROFILE_H_

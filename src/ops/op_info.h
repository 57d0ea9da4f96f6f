// The record of an instruction. One constexpr record is the whole library's
// knowledge of it: header, entry point, checker, documentation, bindings, tests
// and the assembler read it. Records are in the family headers beside this file.
#ifndef PTO_SRC_OPS_OP_INFO_H_
#define PTO_SRC_OPS_OP_INFO_H_

#include <cstdint>

#include "src/ops/dtype.h"
#include "src/ops/lane.h"
#include "src/ops/rule.h"

namespace pto {

// Same values as pto_profile.
enum class Profile : uint8_t { kCpu = 0, kA2A3 = 1, kA5 = 2 };
inline constexpr int kProfileCount = 3;
inline constexpr const char* kProfileNames[kProfileCount] = {"CPU", "A2A3", "A5"};

// A set of profiles, one bit each.
using ProfileSet = uint8_t;
constexpr ProfileSet Bit(Profile profile) { return static_cast<ProfileSet>(1U << static_cast<int>(profile)); }
namespace profiles {
inline constexpr ProfileSet kCpu = Bit(Profile::kCpu);
inline constexpr ProfileSet kA2A3 = Bit(Profile::kA2A3);
inline constexpr ProfileSet kA5 = Bit(Profile::kA5);
inline constexpr ProfileSet kHardware = kA2A3 | kA5;
inline constexpr ProfileSet kEvery = kCpu | kA2A3 | kA5;
}  // namespace profiles

// Same values as pto_role.
enum class Role : uint8_t { kOut = 0, kIn = 1, kTmp = 2, kFlags = 3, kTensorOut = 4, kTensorIn = 5, kEnd = 255 };

struct Operand {
  const char* name = nullptr;
  Role role = Role::kEnd;
  const char* brief = nullptr;
};
constexpr Operand Out(const char* name, const char* brief) { return {name, Role::kOut, brief}; }
constexpr Operand In(const char* name, const char* brief) { return {name, Role::kIn, brief}; }
constexpr Operand Tmp(const char* brief) { return {"tmp", Role::kTmp, brief}; }
constexpr Operand Flags(const char* brief) { return {"flags", Role::kFlags, brief}; }
constexpr Operand TensorOut(const char* name, const char* brief) { return {name, Role::kTensorOut, brief}; }
constexpr Operand TensorIn(const char* name, const char* brief) { return {name, Role::kTensorIn, brief}; }

constexpr bool IsTensor(Role role) { return role == Role::kTensorOut || role == Role::kTensorIn; }
// Outputs come first, then inputs, then scratch, then flags.
constexpr int Rank(Role role) {
  return role == Role::kTensorOut ? 0 : role == Role::kTensorIn ? 1 : static_cast<int>(role);
}

// Same value as PTO_HIGH_PRECISION.
inline constexpr uint32_t kHighPrecision = 1;

// How an instruction moves over its operands: src/core/walk.cc and, for tensors, transfer.cc.
enum class Walk : uint8_t {
  kTile,       // every source moves with dst
  kColExpand,  // the last source gives one scalar a column, again for each row
  kPartial,    // sources may be valid in less than dst: combine, else copy
  kLoad,       // a tensor to a tile, bit for bit
  kStore,      // a tile to a tensor, bit for bit
};

// A rule of a record, and the profiles that apply it, on which element types of dst.
struct RuleUse {
  constexpr RuleUse() = default;
  constexpr RuleUse(Rule r, ProfileSet p = profiles::kEvery, DTypeSet d = ~DTypeSet{0})
      : rule(r), profiles(p), dtypes(d) {}
  Rule rule = Rule::kNull;
  ProfileSet profiles = 0;
  DTypeSet dtypes = 0;
};

inline constexpr int kMaxOperands = 6;
inline constexpr int kMaxTiles = 5;
inline constexpr int kMaxRules = 12;

struct OpInfo {
  int32_t id;         // stable, never reused
  const char* name;   // PTO-AS mnemonic
  const char* brief;  // one sentence, third person
  const char* formula;
  Operand operands[kMaxOperands];  // dst, sources, tmp, flags
  int sources = CountSources();    // derived: tiles that are read
  Walk walk;
  Lane lane;
  Lane high_lane = lane;           // under PTO_HIGH_PRECISION
  uint32_t flags = 0;              // flags the instruction takes
  DTypeSet dtypes[kProfileCount];  // element types of dst: CPU, A2A3, A5
  RuleUse rules[kMaxRules];
  // Element types that need no check but the quick one of Execute(); derived.
  DTypeSet quick[kProfileCount] = {QuickDTypes(Profile::kCpu), QuickDTypes(Profile::kA2A3), QuickDTypes(Profile::kA5)};
  const char* shapes;  // the rest is prose for the contract
  const char* outside = "Nothing outside the valid region of dst is written; an empty one is a no-op that succeeds.";
  const char* specials;
  const char* accuracy;
  const char* aliasing;
  const char* since;
  const char* source;  // where the ISA defines it

  constexpr int OperandCount() const {
    int n = 0;
    while (n < kMaxOperands && operands[n].role != Role::kEnd) ++n;
    return n;
  }
  constexpr int CountSources() const { return Count(Role::kIn); }
  constexpr int Count(Role role) const {
    int n = 0;
    for (const Operand& operand : operands) n += operand.role == role;
    return n;
  }
  // Operands before the flags: dst, sources, tmp. Each has its place in the tiles of a
  // call; that of a tensor, which travels beside them, is nullptr.
  constexpr int Tiles() const { return OperandCount() - 1; }
  constexpr int TensorIndex() const {
    for (int i = 0; i < kMaxOperands; ++i) {
      if (IsTensor(operands[i].role)) return i;
    }
    return -1;
  }
  constexpr bool Transfers() const { return walk == Walk::kLoad || walk == Walk::kStore; }
  constexpr int TmpIndex() const { return Count(Role::kTmp) == 0 ? -1 : Tiles() - 1; }
  constexpr bool Has(Rule rule) const {
    for (const RuleUse& use : rules) {
      if (use.profiles != 0 && use.rule == rule) return true;
    }
    return false;
  }
  constexpr bool Applies(Rule rule, Profile profile, DType dtype) const {
    for (const RuleUse& use : rules) {
      if (use.rule == rule && (use.profiles & Bit(profile)) != 0 && (use.dtypes & Bit(dtype)) != 0) return true;
    }
    return false;
  }

  // Element types for which the test in Execute() (equal kinds, row-major vector
  // tiles, regions that match, no partial overlap, no flags) is enough: no other
  // rule of the record applies under the profile.
  constexpr DTypeSet QuickDTypes(Profile profile) const {
    DTypeSet quick = dtypes[static_cast<int>(profile)];
    for (const RuleUse& use : rules) {
      if ((use.profiles & Bit(profile)) == 0) continue;
      switch (use.rule) {
        case Rule::kPrecisionFloat:
        case Rule::kLocationVec:
        case Rule::kRowMajor:
        case Rule::kSameDType:
        case Rule::kValidEqual:
        case Rule::kColVector:
        case Rule::kColsCovered:
        case Rule::kPartialValid:
          break;
        default:
          quick &= ~use.dtypes;
      }
    }
    return quick;
  }

  // What a record must be; src/ops/table.h asserts it for each.
  constexpr bool WellFormed() const {
    const int n = OperandCount();
    if (n < 2 || Count(Role::kOut) + Count(Role::kTensorOut) != 1) return false;
    if (Count(Role::kTmp) > 1 || Tiles() > kMaxTiles) return false;
    if (operands[n - 1].role != Role::kFlags || Count(Role::kFlags) != 1) return false;
    for (int i = 1; i < n; ++i) {
      if (Rank(operands[i].role) < Rank(operands[i - 1].role)) return false;
    }
    if (Transfers()) {
      const bool load = operands[0].role == Role::kOut && operands[1].role == Role::kTensorIn;
      const bool store = operands[0].role == Role::kTensorOut && operands[1].role == Role::kIn;
      return n == 3 && (walk == Walk::kLoad ? load : store) && flags == 0 &&
             ((dtypes[1] | dtypes[2]) & ~dtypes[0]) == 0;
    }
    if (Count(Role::kTensorOut) + Count(Role::kTensorIn) != 0) return false;
    if (sources < 1 || sources > 2 || (walk != Walk::kTile && sources != 2)) return false;
    if ((high_lane != lane) != ((flags & kHighPrecision) != 0)) return false;
    // The CPU profile runs whatever a hardware profile runs.
    return ((dtypes[1] | dtypes[2]) & ~dtypes[0]) == 0;
  }
};

}  // namespace pto

#endif  // PTO_SRC_OPS_OP_INFO_H_

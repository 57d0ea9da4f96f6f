// The record of an instruction. One constexpr record is the whole library's
// knowledge of it: header, entry point, checker, documentation, bindings, tests
// and the assembler read it. Records are in the family headers beside this file.
#ifndef PTO_SRC_RECORDS_OP_INFO_H_
#define PTO_SRC_RECORDS_OP_INFO_H_

#include <array>
#include <cstdint>

#include "src/records/dtype.h"
#include "src/records/extent.h"
#include "src/records/lane.h"
#include "src/records/mode.h"
#include "src/records/profile.h"
#include "src/records/rule.h"
#include "src/records/source.h"
#include "src/records/walk.h"

namespace pto {

// Same values as pto_role.
enum class Role : uint8_t {
  kOut = 0,
  kIn = 1,
  kTmp = 2,
  kFlags = 3,
  kTensorOut = 4,
  kTensorIn = 5,
  kInOut = 6,
  kScalar = 7,
  kInt = 8,
  kMode = 9,
  kEnd = 255,
};

constexpr bool IsTensor(Role role) { return role == Role::kTensorOut || role == Role::kTensorIn; }
constexpr bool IsTile(Role role) {
  return role == Role::kOut || role == Role::kIn || role == Role::kInOut || role == Role::kTmp;
}
constexpr bool IsWritten(Role role) { return role == Role::kOut || role == Role::kInOut || role == Role::kTensorOut; }
// Outputs come first, then inputs, scratch, scalars, integers and modes, flags.
constexpr int Rank(Role role) {
  switch (role) {
    case Role::kOut:
    case Role::kInOut:
    case Role::kTensorOut:
      return 0;
    case Role::kIn:
    case Role::kTensorIn:
      return 1;
    case Role::kTmp:
      return 2;
    case Role::kScalar:
      return 3;
    case Role::kInt:
    case Role::kMode:
      return 4;
    default:
      return 5;
  }
}

// For each profile and each type of the lead operand, the types that an operand may have. Operands of one map have the
// same, or any two of one group that mixes.
struct TypeMap {
  DTypeSet of[kProfileCount][kDTypeCount] = {};
  DTypeSet mixed[2] = {};
  int8_t apart = 0;      // differs where the operands of two maps with the same sets need not match
  bool as_lead = false;  // true for kAsLead alone

  constexpr bool operator==(const TypeMap&) const = default;

  constexpr bool Match(DType x, DType y) const {
    const DTypeSet both = Bit(x) | Bit(y);
    return x == y || (both & ~mixed[0]) == 0 || (both & ~mixed[1]) == 0;
  }

  // Under these profiles, the types beside each of these types of the lead operand.
  constexpr void Set(ProfileSet profiles, DTypeSet leads, DTypeSet types) {
    for (int p = 0; p < kProfileCount; ++p) {
      for (int d = 0; d < kDTypeCount; ++d) {
        if ((profiles >> p & 1U) != 0 && (leads >> d & 1U) != 0) of[p][d] = types;
      }
    }
  }
  // One set, whatever the lead operand holds.
  static constexpr TypeMap Any(DTypeSet set, int8_t apart = 0) {
    TypeMap map;
    map.apart = apart;
    for (auto& row : map.of) {
      for (DTypeSet& types : row) types = set;
    }
    return map;
  }
  // Under each profile, the types of the set that have the same width as the type of the lead operand.
  static constexpr TypeMap SameWidth(ByProfile<DTypeSet> sets) {
    TypeMap map;
    for (int p = 0; p < kProfileCount; ++p) {
      for (int lead = 0; lead < kDTypeCount; ++lead) {
        for (int d = 0; d < kDTypeCount; ++d) {
          if (kDTypes[d].bits == kDTypes[lead].bits) map.of[p][lead] |= sets[p] & DTypeSet{1} << d;
        }
      }
    }
    return map;
  }
};

// The type of the lead operand: the map of operands that name no other. Maps are compared by value, and no pointer to
// one is null: under -fsanitize=undefined gcc cannot compare addresses while it compiles.
inline constexpr TypeMap kAsLead = [] {
  TypeMap map;
  for (auto& row : map.of) {
    for (int d = 0; d < kDTypeCount; ++d) row[d] = DTypeSet{1} << d;
  }
  map.as_lead = true;
  return map;
}();
// What moves without more between memories: elements of one type, and f32 that becomes f16 or bf16.
inline constexpr TypeMap kMovedTypes = [] {
  TypeMap map;
  for (auto& row : map.of) {
    for (int d = 0; d < kDTypeCount; ++d) row[d] = DTypeSet{1} << d;
    row[static_cast<int>(DType::kF16)] |= dtypes::kF32;
    row[static_cast<int>(DType::kBF16)] |= dtypes::kF32;
  }
  return map;
}();
// A bias becomes f32, too: exactly. A2A3 has no bias of bf16.
inline constexpr TypeMap kMovedWholeTypes = [] {
  TypeMap map = kMovedTypes;
  for (auto& row : map.of) row[static_cast<int>(DType::kF32)] |= dtypes::kF16 | dtypes::kBF16;
  map.Set(profiles::kA2A3, dtypes::kF32, dtypes::kF32 | dtypes::kF16);
  return map;
}();
// As kMovedTypes, of what f32 becomes. A2A3 inserts nothing else.
inline constexpr TypeMap kInsertedTypes = [] {
  TypeMap map;
  for (auto& row : map.of) {
    for (int d = 0; d < kDTypeCount; ++d) row[d] = DTypeSet{1} << d;
    row[static_cast<int>(DType::kF32)] |= dtypes::kF16 | dtypes::kBF16;
  }
  return map;
}();

struct Operand {
  const char* name = nullptr;
  Role role = Role::kEnd;
  const char* brief = nullptr;
  Extent extent = Extent::kSame;
  const TypeMap* types = &kAsLead;  // operands of one map match
  const ModeInfo* mode = nullptr;   // set where the role is kMode
  const char* cpp_type = nullptr;   // in C++ no tile or integer, but part of this type
  const char* cpp_at =
      nullptr;  // for numbers: the index; the first of them adds the parameter, or it is another operand

  // Whether the operand has a list of element types; without one it has the type of the lead operand.
  constexpr bool Typed() const { return !types->as_lead; }
};
constexpr Operand Out(const char* name, const char* brief) { return {name, Role::kOut, brief}; }
constexpr Operand InOut(const char* name, const char* brief) { return {name, Role::kInOut, brief}; }
constexpr Operand In(const char* name, const char* brief) { return {name, Role::kIn, brief}; }
// A tile that is read or written otherwise than element by element, or of types of its own.
constexpr Operand Out(const char* name, Extent extent, const char* brief, const TypeMap* types = &kAsLead) {
  return {name, Role::kOut, brief, extent, types};
}
constexpr Operand In(const char* name, Extent extent, const char* brief, const TypeMap* types = &kAsLead) {
  return {name, Role::kIn, brief, extent, types};
}
constexpr Operand Tmp(const char* brief) { return {"tmp", Role::kTmp, brief}; }
constexpr Operand ScalarIn(const char* name, const char* brief, const TypeMap* types = &kAsLead) {
  return {name, Role::kScalar, brief, Extent::kSame, types};
}
constexpr Operand Int(const char* name, const char* brief) { return {name, Role::kInt, brief}; }
// One of an array, in C++ one parameter.
constexpr Operand IntAt(const char* name, const char* cpp_type, const char* cpp_at, const char* brief) {
  return {name, Role::kInt, brief, Extent::kSame, &kAsLead, nullptr, cpp_type, cpp_at};
}
constexpr Operand Mode(const char* name, const ModeInfo* mode, const char* brief) {
  return {name, Role::kMode, brief, Extent::kSame, &kAsLead, mode};
}
constexpr Operand Flags(const char* brief = "0") { return {"flags", Role::kFlags, brief}; }
constexpr Operand TensorOut(const char* name, const char* brief) { return {name, Role::kTensorOut, brief}; }
constexpr Operand TensorIn(const char* name, const char* brief) { return {name, Role::kTensorIn, brief}; }

// The ISA's families, in the order of its own book: what computes on tiles first, then what moves them.
enum class Family : uint8_t { kElementwise, kScalar, kReduce, kIrregular, kMemory, kRearrange, kMatrix, kEnd };
inline constexpr const char* kFamilyNames[] = {
    "elementwise tile-tile instructions",
    "tile-scalar instructions",
    "reduce and expand instructions",
    "irregular instructions",
    "memory and data movement",
    "layout and rearrangement",
    "matrix and matrix-vector instructions",
};
static_assert(sizeof(kFamilyNames) / sizeof(kFamilyNames[0]) == static_cast<size_t>(Family::kEnd));

// Same value as PTO_HIGH_PRECISION.
inline constexpr uint32_t kHighPrecision = 1;

// A record's source of a rule.
struct SourceUse {
  Rule rule = Rule::kNull;
  ProfileSet profiles = 0;
  SourceSet sources = 0;
};

// A rule of a record, and the profiles that apply it, on which types of the lead operand.
struct RuleUse {
  constexpr RuleUse() = default;
  constexpr RuleUse(Rule r, ProfileSet p = profiles::kEvery, DTypeSet d = ~DTypeSet{0})
      : rule(r), profiles(p), dtypes(d) {}
  Rule rule = Rule::kNull;
  ProfileSet profiles = 0;
  DTypeSet dtypes = 0;
  SourceSet sources[kProfileCount] = {};  // the source; derived
};

// The number and position of the operands of each kind: counted once, because every check of every call uses them.
struct OperandPlaces {
  int8_t count = 0;
  int8_t outputs = 0;
  int8_t inputs = 0;
  int8_t tmp = -1;
  int8_t scalar = -1;
};

inline constexpr int kMaxOperands = 17;

// For each operand the one whose element type it shares: the first of its map, or the lead operand.
struct OperandLikes {
  int8_t at[kMaxOperands] = {};
};

// What the test of the usual call asks of a record, counted once: a loop over operands in every call
// would cost more than the arithmetic of a small tile.
inline constexpr int kQuickSources = 3;
struct QuickForm {
  int8_t sources = -1;            // tiles that are read; -1: the instruction has no quick way
  int8_t scalar = -1;             // the place of the scalar among the sources of the kernel; -1: none
  int8_t at[kQuickSources] = {};  // the place of each tile among them
  Extent extents[kQuickSources] = {};
  bool repeats = false;
};

// Bytes of vector memory that an instruction of A2A3 uses as scratch where a program leaves tmp out.
inline constexpr int64_t kHiddenScratchBegin = int64_t{184} * 1024;
inline constexpr int64_t kHiddenScratchBytes = int64_t{8} * 1024;

// For a step that converts.
inline constexpr Lane kNoLane = static_cast<Lane>(255);

// A step of a chain: value = lane(value, an operand), or the value in another type, rounded to nearest, ties to
// even, saturating.
struct Step {
  Lane lane = kNoLane;
  int8_t operand = -1;  // of the lane, a tile or the scalar; -1: it has one source
  DType to = DType::kF32;
};
constexpr Step Do(Lane lane, int operand = -1) { return {lane, static_cast<int8_t>(operand)}; }
constexpr Step Become(DType type) { return {kNoLane, -1, type}; }
// The last of a chain.
constexpr Step BecomeDst() { return {kNoLane, 0}; }
inline constexpr int kMaxSteps = 5;

inline constexpr int kMaxTiles = 7;
inline constexpr int kMaxRules = 10;
inline constexpr int kMaxAllRules = 20;
inline constexpr int kMaxNumbers = 13;

struct RuleList {
  RuleUse at[kMaxAllRules] = {};
  int count = 0;

  constexpr void Add(RuleUse use) {
    if (use.profiles != 0) at[count++] = use;
  }
  constexpr bool Has(Rule rule) const {
    for (int i = 0; i < count; ++i) {
      if (at[i].rule == rule) return true;
    }
    return false;
  }
  constexpr const RuleUse* begin() const { return at; }
  constexpr const RuleUse* end() const { return at + count; }
};

// What a record must not be.
enum class Fault : uint8_t {
  kNone,
  kOperandCount,
  kTwoTmpsOrScalars,
  kFlagsAreNotLast,
  kOperandOrder,  // outputs, inputs, tmp, scalars, integers and modes, flags
  kModeWithoutValues,
  kRuleWithoutCheck,
  kRuleWithoutSource,
  kSourceWithoutRule,
  kTypeThatCpuLacks,
  kTypeThatLaneLacks,
  kOperandWithoutType,  // for a profile and a type of the lead operand
  kTransferOperands,
  kTensors,
  kChainWithoutSteps,
  kLead,
  kHighLaneWithoutFlag,
};

struct OpInfo {
  int32_t id;                   // stable, never reused
  const char* name;             // in C after pto_
  const char* mnemonic = name;  // in programs; forms of one instruction share it
  bool own_mnemonic = false;    // programs may also write its name
  const char* brief;            // one sentence, third person
  const char* formula;
  Operand operands[kMaxOperands];       // outputs, inputs, tmp, scalars, integers and modes, flags
  OperandPlaces places = FindPlaces();  // derived
  const char* cpp_order = "";           // in C++, where it is another: names
  // Parameters of the template in C++, if they are others than the tiles: names, and modes with `=` after
  // if they may be left out. `phase`, `precision`, `ctrl` and `fmatrix` are hints that change nothing. Several
  // lists are one overload each. `|` is between them, and before a list the name of the intrinsic if it is another;
  // a mode that only others have is the usual one.
  const char* cpp_template = "";
  bool cpp_zeros = false;  // in C++ integers may be left out: they are 0
  // In programs and in C++, the scalar follows this number of read tiles; -1: all of them.
  int8_t scalar_at = -1;
  int lead = 0;                     // the operand whose element type and valid region rule
  OperandLikes like = FindLikes();  // derived
  Walk walk = Walk::kMap;
  Lane lane = Lane::kCopy;
  Lane high_lane = lane;                                // under PTO_HIGH_PRECISION
  Step steps[kMaxSteps] = {};                           // of a chain
  uint32_t flags = 0;                                   // flags the instruction takes
  ProfileSet precise = profiles::kCpu | profiles::kA5;  // profiles under which PTO_HIGH_PRECISION has an effect
  ByProfile<DTypeSet> dtypes;                           // element types of the lead operand
  ProfileSet in_vec = profiles::kEvery;                 // profiles that want every tile in vector memory
  ProfileSet row_major = profiles::kHardware;           // profiles that want row-major tiles
  // Side effects on devices, for the checker of synchronisation. docs/sync.md names the sources.
  ProfileSet tmp_touched = profiles::kA2A3;        // profiles that use tmp; elsewhere no byte of it is touched
  ProfileSet hidden_scratch = profiles::kNone;     // profiles that overwrite kHiddenScratch where tmp is left out
  ProfileSet scalar_unit = profiles::kNone;        // profiles that run it on pipe S ...
  ProfileSet scalar_unit_alone = profiles::kNone;  // ... and which of these run it on V if there is a tmp
  RuleUse rules[kMaxRules] = {};                   // beside those that operands and walk bring
  SourceUse sources[kMaxRules] = {};               // the source, if it is not the usual one
  RuleList all = CollectRules();                   // derived: every rule, in the order in which they are looked at
  // Element types that need no check but the quick one of Execute(); derived.
  std::array<DTypeSet, kProfileCount> quick = QuickByProfile();
  QuickForm form = QuickFormOf();  // derived
  const char* shapes = "";         // the rest is prose for the contract
  const char* outside =
      "Nothing outside the valid region of dst is written. If it is empty, the call succeeds and does nothing.";
  const char* specials;
  const char* accuracy;
  const char* aliasing = "dst may overlap the sources in any way: the result is as if all sources were read first.";
  const char* others = "";  // what other implementations do, where they differ
  const char* since = "0.1";
  Family family;
  const char* source;  // what the ISA's document of the family calls it

  constexpr OperandPlaces FindPlaces() const {
    OperandPlaces p;
    while (p.count < kMaxOperands && operands[p.count].role != Role::kEnd) ++p.count;
    p.outputs = static_cast<int8_t>(Count(Role::kOut) + Count(Role::kInOut) + Count(Role::kTensorOut));
    p.inputs = static_cast<int8_t>(Count(Role::kIn) + Count(Role::kTensorIn));
    p.tmp = static_cast<int8_t>(Find(Role::kTmp));
    p.scalar = static_cast<int8_t>(Find(Role::kScalar));
    return p;
  }
  constexpr OperandLikes FindLikes() const {
    OperandLikes likes;
    for (int i = 0; i < kMaxOperands; ++i) {
      int first = operands[i].Typed() ? 0 : lead;
      while (operands[i].Typed() && *operands[first].types != *operands[i].types) ++first;
      likes.at[i] = static_cast<int8_t>(first);
    }
    return likes;
  }
  constexpr int OperandCount() const { return places.count; }
  constexpr int Count(Role role) const {
    int n = 0;
    for (const Operand& operand : operands) n += operand.role == role;
    return n;
  }
  constexpr int Find(Role role) const {
    for (int i = 0; i < kMaxOperands; ++i) {
      if (operands[i].role == role) return i;
    }
    return -1;
  }
  constexpr int Find(const ModeInfo& mode) const {
    for (int i = 0; i < kMaxOperands; ++i) {
      if (operands[i].mode == &mode) return i;
    }
    return -1;
  }
  constexpr int Find(Extent extent) const {
    for (int i = 0; i < Needed(); ++i) {
      if (operands[i].extent == extent) return i;
    }
    return -1;
  }
  // Tiles and tensors are first; each has its place in the tiles of a call. The place of a tensor,
  // which travels beside them, is nullptr: outputs, inputs from Outputs() on, tmp.
  constexpr int Tiles() const {
    int n = 0;
    while (n < kMaxOperands && (IsTile(operands[n].role) || IsTensor(operands[n].role))) ++n;
    return n;
  }
  constexpr int Outputs() const { return places.outputs; }
  constexpr int Inputs() const { return places.inputs; }
  // Outputs and inputs: all that a call must have.
  constexpr int Needed() const { return Outputs() + Inputs(); }
  constexpr int TensorIndex() const {
    for (int i = 0; i < kMaxOperands; ++i) {
      if (IsTensor(operands[i].role)) return i;
    }
    return -1;
  }
  // The second destination receives rows or columns in a type that may be narrow.
  constexpr bool FindsPlaces() const { return walk == Walk::kArgFold && Outputs() == 2; }
  // The operands are rows of different kinds: src/engine/rows.cc.
  constexpr bool ByRows() const { return Info(walk).by_rows; }
  // Elements outside the valid region are written, too.
  constexpr bool Pads() const { return Info(operands[0].extent).whole; }
  // One tile becomes another, bit for bit: whole, with padding around it, or its columns the rows. Asked of a record
  // that is known, where it must cost nothing.
  [[gnu::always_inline]] constexpr bool MovesWhole() const {
    const bool alike = operands[0].extent == Extent::kSame || operands[0].extent == Extent::kTransposed || Pads();
    return walk == Walk::kMove && Outputs() == 1 && Needed() == 2 && alike && operands[1].extent == Extent::kSame &&
           ScalarIndex() < 0 && Find(Role::kMode) < 0;
  }
  // If neither source has an element, the result is the neutral element of the combination (not under A2A3).
  constexpr bool FillsUncovered() const { return walk == Walk::kPartial && (lane == Lane::kMax || lane == Lane::kMin); }
  // Elements change their positions relative to other tiles.
  constexpr bool Shuffles() const { return walk == Walk::kZip || walk == Walk::kUnzip; }
  constexpr bool Transfers() const { return walk == Walk::kLoad || walk == Walk::kStore; }
  // A transfer of the bits of any type, with neither scalar, vector nor mode.
  constexpr bool MovesTensor() const {
    return Transfers() && Needed() == 2 && ScalarIndex() < 0 && Find(Role::kMode) < 0 && dtypes[0] == dtypes::kStored;
  }
  // The result is in global memory.
  constexpr bool Stores() const { return operands[0].role == Role::kTensorOut; }
  constexpr int TmpIndex() const { return places.tmp; }
  constexpr int ScalarIndex() const { return places.scalar; }
  // Integers and modes: their place among the numbers of a call.
  constexpr int Numbers() const { return Count(Role::kInt) + Count(Role::kMode); }
  constexpr int NumberOf(int operand) const {
    int n = 0;
    for (int i = 0; i < operand; ++i) n += operands[i].role == Role::kInt || operands[i].role == Role::kMode;
    return n;
  }
  constexpr bool Has(Extent extent) const { return Find(extent) >= 0; }
  constexpr bool Has(Rule rule) const {
    for (const RuleUse& use : all) {
      if (use.rule == rule) return true;
    }
    return false;
  }
  constexpr bool Applies(Rule rule, Profile profile, DType dtype) const {
    for (const RuleUse& use : all) {
      if (use.rule == rule && (use.profiles & Bit(profile)) != 0 && (use.dtypes & Bit(dtype)) != 0) return true;
    }
    return false;
  }
  // Whether the profile's device touches tmp. The profile CPU represents any device.
  constexpr bool TouchesTmp(Profile profile) const {
    return IsHardware(profile) ? (tmp_touched & Bit(profile)) != 0 : tmp_touched != 0;
  }
  // The type that PTO_HIGH_PRECISION makes a difference for.
  constexpr bool Precise(Profile profile) const {
    return (flags & kHighPrecision) != 0 && (precise & Bit(profile)) != 0;
  }

  // Rules that follow from the operands and the walk are implied; these are the rules of the record.
  constexpr RuleList CollectRules() const {
    RuleList list;
    if (!Transfers()) {
      list.Add({Rule::kLocationVec, in_vec});
      for (const Rule layout : {Rule::kRowMajor, Rule::kColVector, Rule::kRowVector}) {
        bool has = false;
        for (int i = 0; i < Needed(); ++i) has |= Info(operands[i].extent).layout == layout;
        if (has) list.Add({layout, row_major});
      }
      bool same = false;
      bool others_type = false;
      for (int i = 0; i < Needed(); ++i) {
        same |= like.at[i] != i;
        others_type |= operands[i].Typed();
      }
      if (same) list.Add(Rule::kSameDType);
      if (others_type) list.Add(Rule::kOperandDType);
      if (Count(Role::kScalar) != 0) list.Add(Rule::kScalarRange);
      if (Count(Role::kMode) != 0) list.Add(Rule::kMode);
      if (walk == Walk::kPartialArg) list.Add(Rule::kPairValid);
      if (walk == Walk::kPartial || walk == Walk::kPartialArg) {
        list.Add(Rule::kPartialValid);
      } else {
        bool beside = false;
        for (int i = 0; i < Needed(); ++i) beside |= i != lead && BesideLead(operands[i].extent);
        if (beside) list.Add({Rule::kValidEqual, profiles::kEqualRegions});
        if (beside) list.Add({Rule::kValidCovers, profiles::kEvery & ~profiles::kEqualRegions});
      }
      for (const ExtentInfo& extent : kExtents) {
        if (!Has(extent.extent)) continue;
        for (const Rule rule : extent.rules) {
          if (rule != kNoRule && !list.Has(rule)) list.Add(rule);
        }
      }
      if (FindsPlaces() && !list.Has(Rule::kIndexRange)) list.Add(Rule::kIndexRange);
    }
    if (Transfers() && Count(Role::kMode) != 0) list.Add(Rule::kMode);
    for (const RuleUse& use : rules) list.Add(use);
    for (int i = 0; i < list.count; ++i) {
      for (int p = 0; p < kProfileCount; ++p) {
        const auto profile = static_cast<Profile>(p);
        if ((list.at[i].profiles & Bit(profile)) != 0) list.at[i].sources[p] = SourcesOf(list.at[i].rule, profile);
      }
    }
    return list;
  }
  constexpr SourceSet SourcesOf(Rule rule, Profile profile) const {
    for (const SourceUse& use : sources) {
      if (use.rule == rule && (use.profiles & Bit(profile)) != 0) return use.sources;
    }
    return IsHardware(profile) ? Info(rule).sources.hardware : Info(rule).sources.cpu;
  }

  // Element types for which the test in Execute() (equal kinds, row-major vector
  // tiles, regions that match, no partial overlap, no flags) is enough: no other
  // rule of the record applies under the profile.
  constexpr DTypeSet QuickDTypes(Profile profile) const {
    const bool map = walk == Walk::kMap || walk == Walk::kPartial || walk == Walk::kMove;
    if (!ByRows() && (!map || lead != 0 || Outputs() != 1)) return 0;
    DTypeSet set = dtypes[static_cast<int>(profile)];
    // Operands may be of one type, which the test asks for; for rows it follows the map.
    for (int i = 0; i < Needed(); ++i) {
      if (ByRows() && Info(operands[i].extent).fit.rows == Fit::kUnknown) return 0;
      if (ByRows()) continue;
      for (int d = 0; d < kDTypeCount; ++d)
        set &= operands[i].types->of[static_cast<int>(profile)][d] | ~(DTypeSet{1} << d);
    }
    for (const RuleUse& use : all) {
      if ((use.profiles & Bit(profile)) == 0) continue;
      const Quick quick = Info(use.rule).quick;
      const bool covered = quick == Quick::kAlways || (quick == Quick::kByRows && ByRows()) ||
                           (quick == Quick::kUnderCpu && !IsHardware(profile));
      if (!covered) set &= ~use.dtypes;
    }
    return set;
  }

  constexpr std::array<DTypeSet, kProfileCount> QuickByProfile() const {
    std::array<DTypeSet, kProfileCount> sets = {};
    for (size_t p = 0; p < sets.size(); ++p) sets[p] = QuickDTypes(static_cast<Profile>(p));
    return sets;
  }

  constexpr QuickForm QuickFormOf() const {
    QuickForm f;
    const int scalars = Count(Role::kScalar);
    if (quick[0] == 0 || ByRows() || Inputs() + scalars > kQuickSources) return f;
    f.sources = static_cast<int8_t>(Inputs());
    if (scalars != 0) f.scalar = static_cast<int8_t>(scalar_at < 0 ? Inputs() : scalar_at);
    for (int i = 0; i < Inputs(); ++i) {
      f.at[i] = static_cast<int8_t>(i + (f.scalar >= 0 && f.scalar <= i ? 1 : 0));
      f.extents[i] = operands[Outputs() + i].extent;
      f.repeats |= f.extents[i] == Extent::kRepeat;
    }
    return f;
  }

  // The error in a record, if any; src/records/table.cc asserts that no record has one.
  constexpr Fault FindFault() const {
    const int n = OperandCount();
    if (n < 2 || Outputs() < 1 || Tiles() > kMaxTiles || Numbers() > kMaxNumbers) return Fault::kOperandCount;
    if (Count(Role::kTmp) > 1 || Count(Role::kScalar) > 1) return Fault::kTwoTmpsOrScalars;
    if (operands[n - 1].role != Role::kFlags || Count(Role::kFlags) != 1) return Fault::kFlagsAreNotLast;
    for (int i = 0; i < n; ++i) {
      if (i > 0 && Rank(operands[i].role) < Rank(operands[i - 1].role)) return Fault::kOperandOrder;
      if (operands[i].role == Role::kMode && operands[i].mode->Count() == 0) return Fault::kModeWithoutValues;
    }
    for (const RuleUse& use : all) {
      if (!Info(use.rule).checked) return Fault::kRuleWithoutCheck;
      for (int p = 0; p < kProfileCount; ++p) {
        if ((use.profiles >> p & 1U) != 0 && use.sources[p] == 0) return Fault::kRuleWithoutSource;
      }
    }
    for (const SourceUse& use : sources) {
      if (use.rule != Rule::kNull && !Has(use.rule)) return Fault::kSourceWithoutRule;
    }
    for (int p = 0; p < kProfileCount; ++p) {
      // The CPU profile runs whatever a hardware profile runs.
      if ((dtypes[p] & ~dtypes.cpu) != 0) return Fault::kTypeThatCpuLacks;
      if (((dtypes[p] & ~Info(lane).types) | (dtypes[p] & ~Info(high_lane).types)) != 0)
        return Fault::kTypeThatLaneLacks;
      for (int i = 0; i < Needed(); ++i) {
        for (int d = 0; d < kDTypeCount; ++d) {
          if ((dtypes[p] >> d & 1U) != 0 && operands[i].types->of[p][d] == 0) return Fault::kOperandWithoutType;
        }
      }
    }
    if (Transfers()) {
      const bool load = operands[0].role == Role::kOut && operands[1].role == Role::kTensorIn && n == 3;
      const bool store = operands[0].role == Role::kTensorOut && operands[1].role == Role::kIn;
      return (walk == Walk::kLoad ? load : store) && flags == 0 ? Fault::kNone : Fault::kTransferOperands;
    }
    if (Count(Role::kTensorOut) + Count(Role::kTensorIn) != (Info(walk).tensor ? 1 : 0)) return Fault::kTensors;
    // A chain may begin with a conversion to f32, as no steps do.
    const bool chain = steps[0].lane != kNoLane || steps[0].operand == 0 || steps[1].lane != kNoLane;
    if ((walk == Walk::kChain) != chain) return Fault::kChainWithoutSteps;
    if (lead >= Needed() || operands[lead].Typed() ||
        (operands[lead].extent != Extent::kSame && operands[lead].extent != Extent::kRecords))
      return Fault::kLead;
    return high_lane == lane || (flags & kHighPrecision) != 0 ? Fault::kNone : Fault::kHighLaneWithoutFlag;
  }
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_OP_INFO_H_

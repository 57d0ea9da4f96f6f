// The rules of instructions: each check states the offending values. This is the
// one place that words an instruction's errors. What a rule means and how to fix
// a call is in src/records/rules/.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>

#include "src/checks/check_impl.h"

namespace pto {

const char* LayoutName(const pto_tile& tile) {
  static constexpr const char* kNames[2][3] = {{"row-major", "boxed row-major/row-major", "boxed row-major/col-major"},
                                               {"col-major", "boxed col-major/row-major", "boxed col-major/col-major"}};
  return kNames[static_cast<int>(tile.geometry.blayout)][static_cast<int>(tile.geometry.slayout)];
}

namespace {

// A tile made under another profile may be illegal under this one.
Status CheckReady(const Subject& s, int i) {
  const pto_tile& tile = *s.tiles[i];
  if ((tile.ready & Bit(s.profile())) != 0) return Status::kOk;
  if (tile.data == nullptr) {
    return s.FailBy(Rule::kStorage, s.Name(i), "%s is a manual tile without an address", s.Name(i));
  }
  const GeometryFault fault = CheckGeometry(tile.geometry, s.profile());
  if (fault.broken) return RefuseGeometry(s.ctx->error, fault, tile.geometry, s.profile(), s.op.name, s.Name(i));
  return s.FailBy(Rule::kViewAlignment, s.Name(i),
                  "%s is a view that begins %lld bytes into its memory, no multiple of %lld", s.Name(i),
                  static_cast<long long>(tile.data - tile.storage->data), static_cast<long long>(kOnChipAlignment));
}

}  // namespace

Status CheckLocationVec(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.IsTensor(i) || s.tiles[i]->geometry.location == Location::kVec) continue;
    return s.Fail(s.Name(i), "%s lives in %s where vec is needed", s.Name(i), LocationName(*s.tiles[i]));
  }
  return Status::kOk;
}

Status CheckRowMajor(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.IsTensor(i)) continue;
    const pto_tile& tile = *s.tiles[i];
    const ExtentInfo& extent = Info(s.ExtentOf(i));
    if (extent.vector || tile.RowMajorVector() || (extent.upright && IsColumnVector(tile))) continue;
    return s.Fail(s.Name(i), "%s is %s where %s needs row-major", s.Name(i), LayoutName(tile), s.ProfileName());
  }
  return Status::kOk;
}

Status CheckVector(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& vector = *s.tiles[i];
    const ExtentInfo& extent = Info(s.ExtentOf(i));
    if (!extent.vector || extent.layout != s.rule) continue;
    if (vector.RowMajorVector() || IsColumnVector(vector)) continue;
    return s.Fail(s.Name(i), "%s is %s with %d columns where %s needs row-major, or col-major with one column",
                  s.Name(i), LayoutName(vector), vector.geometry.cols, s.ProfileName());
  }
  return Status::kOk;
}

Status CheckSameDType(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.op.operands[i].Typed() || s.DTypeOf(i) == s.LeadType()) continue;
    return s.Fail(s.Name(i), "%s holds %s where %s holds %s", s.Name(i), Info(s.DTypeOf(i)).name, s.LeadName(),
                  Info(s.LeadType()).name);
  }
  return Status::kOk;
}

namespace {

// The names of a set of types, for a message.
struct TypeNames {
  char text[8 * kDTypeCount] = "";  // names have at most six letters, and a space
  explicit TypeNames(DTypeSet set) {
    int n = 0;
    for (int d = 0; d < kDTypeCount; ++d) {
      if ((set >> d & 1U) == 0) continue;
      n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%s%s", n == 0 ? "" : " ", kDTypes[d].name);
    }
  }
};

}  // namespace

Status CheckOperandDType(const Subject& s) {
  const auto lead = static_cast<int>(s.DTypeOf(s.op.lead));
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (!s.op.operands[i].Typed()) continue;
    const TypeMap* types = s.op.operands[i].types;
    const DTypeSet set = types->of[static_cast<int>(s.profile())][lead];
    if ((set & Bit(s.DTypeOf(i))) != 0) continue;
    return s.Fail(s.Name(i), "%s holds %s where %s of %s allows %s under %s", s.Name(i), Info(s.DTypeOf(i)).name,
                  s.LeadName(), kDTypes[lead].name, set == 0 ? "none" : TypeNames(set).text, s.ProfileName());
  }
  // Operands of one map match.
  for (int i = 0; i < s.op.Needed(); ++i) {
    const TypeMap* types = s.op.operands[i].types;
    if (!s.op.operands[i].Typed()) continue;
    const int like = s.op.like.at[i];
    if (types->Match(s.DTypeOf(like), s.DTypeOf(i))) continue;
    return s.FailBy(Rule::kSameDType, s.Name(i), "%s holds %s where %s holds %s", s.Name(i), Info(s.DTypeOf(i)).name,
                    s.Name(like), Info(s.DTypeOf(like)).name);
  }
  return Status::kOk;
}

Status CheckScalarRange(const Subject& s) {
  const char* name = s.Name(s.op.ScalarIndex());
  const Scalar& scalar = *s.args.scalar;
  if (!KnownScalar(scalar)) {
    return s.FailBy(Rule::kScalarKind, name, "%s is of kind %d where 0 to %d are known", name, scalar.kind,
                    kScalarKindCount - 1);
  }
  uint64_t bits = 0;
  const DType dtype = ScalarType(s.op, s.profile(), s.tiles);
  const char* type = Info(dtype).name;
  if (ScalarBits(scalar, dtype, &bits)) return Status::kOk;
  switch (static_cast<ScalarKind>(scalar.kind)) {
    case ScalarKind::kInt:
      return s.Fail(name, "%s is %lld, which %s does not have", name, static_cast<long long>(scalar.bits), type);
    case ScalarKind::kUint:
      return s.Fail(name, "%s is %llu, which %s does not have", name, static_cast<unsigned long long>(scalar.bits),
                    type);
    case ScalarKind::kFloat: {
      double value = 0;
      std::memcpy(&value, &scalar.bits, sizeof value);
      return s.Fail(name, "%s is %.17g, which %s does not have", name, value, type);
    }
    default:
      return s.Fail(name, "%s is the bits 0x%llx, more than %s has", name, static_cast<unsigned long long>(scalar.bits),
                    type);
  }
}

Status CheckMode(const Subject& s) {
  for (int i = s.op.Needed(); i < s.op.OperandCount(); ++i) {
    if (s.op.operands[i].role != Role::kMode) continue;
    const int32_t value = s.args.numbers[s.op.NumberOf(i)];
    const ModeInfo& mode = *s.op.operands[i].mode;
    if (value >= 0 && value < mode.Count()) continue;
    return s.Fail(s.Name(i), "%s is %d where 0 to %d are known", s.Name(i), value, mode.Count() - 1);
  }
  return Status::kOk;
}

// Under the CPU profile a source may be valid in more than it is read in.
Status CheckValid(const Subject& s) {
  const pto_tile& lead = s.lead();
  // With a split, each vector core receives half.
  const AccSplit split = s.rule == Rule::kValidEqual ? SplitOf(s.op, s.args) : AccSplit();
  const uint64_t whole = PackValid(lead.ValidRows() * split.rows, lead.ValidCols() * split.cols);
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    if (!BesideLead(s.ExtentOf(i)) || tile.valid == (IsWritten(s.op.operands[i].role) ? lead.valid : whole)) continue;
    // Elements without an index are not moved.
    if (s.op.walk == Walk::kScatter && (s.rule == Rule::kValidCovers || Within(tile, lead))) continue;
    if (split.parts() != 1) {
      return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where each of two vector cores receives " PTO_REGION,
                    s.Name(i), tile.ValidRows(), tile.ValidCols(), lead.ValidRows(), lead.ValidCols());
    }
    if (s.rule == Rule::kValidCovers && !IsWritten(s.op.operands[i].role) && Within(lead, tile)) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION " (rows x columns)", s.Name(i),
                  tile.ValidRows(), tile.ValidCols(), s.LeadName(), lead.ValidRows(), lead.ValidCols());
  }
  return Status::kOk;
}

namespace {

// How many elements a vector has for the columns, or the rows, of another tile.
int32_t ElementsOf(const pto_tile& vector, bool row) {
  return row && !IsColumnVector(vector) ? vector.ValidCols() : vector.ValidRows();
}

}  // namespace

Status CheckColsCovered(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.ExtentOf(i) != Extent::kRow) continue;
    const pto_tile& vector = *s.tiles[i];
    const bool column = IsColumnVector(vector);
    const int32_t scalars = ElementsOf(vector, true);
    const int32_t lines = column ? vector.ValidCols() : vector.ValidRows();
    if (lines > 0 && scalars >= s.lead().ValidCols()) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " and gives %d scalars where %s has %d valid columns",
                  s.Name(i), vector.ValidRows(), vector.ValidCols(), lines > 0 ? scalars : 0, s.LeadName(),
                  s.lead().ValidCols());
  }
  return Status::kOk;
}

Status CheckRowsCovered(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const Extent extent = s.ExtentOf(i);
    if (extent != Extent::kColumn && extent != Extent::kRows) continue;
    const pto_tile& vector = *s.tiles[i];
    const bool any = extent == Extent::kRows || vector.ValidCols() > 0;
    if (any && vector.ValidRows() >= s.lead().ValidRows()) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s has %d valid rows", s.Name(i), vector.ValidRows(),
                  vector.ValidCols(), s.LeadName(), s.lead().ValidRows());
  }
  return Status::kOk;
}

// The source that fills a whole tile has the same number of elements.
Status CheckVectorEqual(const Subject& s) {
  const pto_tile& dst = s.lead();
  const pto_tile& src = *s.tiles[1];
  const bool row = s.ExtentOf(1) == Extent::kRow;
  const int32_t need = row ? dst.ValidCols() : dst.ValidRows();
  if (ElementsOf(src, row) == need || dst.ValidRows() == 0 || dst.ValidCols() == 0) return Status::kOk;
  return s.Fail(s.Name(1), "%s is valid in " PTO_REGION " where %s has %d valid %s", s.Name(1), src.ValidRows(),
                src.ValidCols(), s.LeadName(), need, row ? "columns" : "rows");
}

Status CheckRepeatValid(const Subject& s) {
  const pto_tile& lead = s.lead();
  bool full = false;
  int wrong = -1;
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.ExtentOf(i) != Extent::kRepeat) continue;
    const pto_tile& tile = *s.tiles[i];
    if (s.facts().equal_regions ? tile.valid == lead.valid : Within(lead, tile)) {
      full = true;
      continue;
    }
    const int32_t cols = tile.ValidCols();
    const bool legal =
        s.Covers(tile.ValidRows(), lead.ValidRows()) &&
        (s.facts().equal_regions ? cols == (IsColumnVector(tile) ? 1 : 32 / tile.ElementBytes()) : cols > 0);
    if (!legal && wrong < 0) wrong = i;
  }
  if (full && wrong < 0) return Status::kOk;
  const int at = wrong < 0 ? 1 : wrong;
  const pto_tile& tile = *s.tiles[at];
  if (full && s.facts().equal_regions && tile.ValidRows() == lead.ValidRows() && tile.ValidCols() == 1) {
    return s.Fail(s.Name(at),
                  "%s is valid in one column and is not column-major where dst is in " PTO_REGION
                  ": one element per row needs a column-major tile, or %d valid columns",
                  s.Name(at), lead.ValidRows(), lead.ValidCols(), 32 / tile.ElementBytes());
  }
  return s.Fail(s.Name(at), "%s is valid in " PTO_REGION " and %s in " PTO_REGION " where dst is in " PTO_REGION,
                s.Name(1), s.tiles[1]->ValidRows(), s.tiles[1]->ValidCols(), s.Name(2), s.tiles[2]->ValidRows(),
                s.tiles[2]->ValidCols(), lead.ValidRows(), lead.ValidCols());
}

Status CheckBitsCovered(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.ExtentOf(i) != Extent::kBits) continue;
    const pto_tile& bits = *s.tiles[i];
    const int64_t bytes = int64_t{bits.ValidCols()} * bits.ElementBytes();
    const int64_t need = (int64_t{s.lead().ValidCols()} + 7) / 8;
    if (bits.ValidRows() >= s.lead().ValidRows() && bytes >= need) continue;
    return s.Fail(s.Name(i), "%s is valid in %d rows of %lld bytes where %s needs %d rows of %lld bytes", s.Name(i),
                  bits.ValidRows(), static_cast<long long>(bytes), s.LeadName(), s.lead().ValidRows(),
                  static_cast<long long>(need));
  }
  return Status::kOk;
}

Status CheckResults(const Subject& s) {
  const bool by_row = s.rule == Rule::kRowResults;
  const pto_tile& lead = s.lead();
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.ExtentOf(i) != (by_row ? Extent::kRowResults : Extent::kColResults)) continue;
    const pto_tile& tile = *s.tiles[i];
    const bool legal = by_row ? tile.ValidRows() == lead.ValidRows() && tile.ValidCols() > 0 && lead.ValidCols() > 0
                              : tile.ValidCols() == lead.ValidCols() && tile.ValidRows() > 0;
    if (legal) continue;
    return s.Fail(s.Name(i),
                  "%s is valid in " PTO_REGION " where %s is in " PTO_REGION " (rows x columns): it needs %d valid %s",
                  s.Name(i), tile.ValidRows(), tile.ValidCols(), s.LeadName(), lead.ValidRows(), lead.ValidCols(),
                  by_row ? lead.ValidRows() : lead.ValidCols(), by_row ? "rows" : "columns");
  }
  return Status::kOk;
}

Status CheckFirstElement(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    if (s.ExtentOf(i) != Extent::kFirst || (tile.ValidRows() > 0 && tile.ValidCols() > 0)) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " and has no first element", s.Name(i), tile.ValidRows(),
                  tile.ValidCols());
  }
  return Status::kOk;
}

// The two sources whose regions form the region of dst are adjacent.
Status CheckPartialValid(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  if (dst.ValidRows() == 0 || dst.ValidCols() == 0) return Status::kOk;  // returns early, whatever the sources
  const int first = s.op.Outputs();
  const pto_tile& a = *s.tiles[first];
  const pto_tile& b = *s.tiles[first + 1];
  const bool covered = a.valid == dst.valid || b.valid == dst.valid;
  const int wide = !Within(a, dst) ? first : !Within(b, dst) ? first + 1 : -1;
  const bool filled = s.op.FillsUncovered() && s.facts().fills_uncovered;
  if ((covered || filled) && wide < 0) return Status::kOk;
  return s.Fail(s.Name(wide < 0 ? first : wide),
                "%s is valid in " PTO_REGION " and %s in " PTO_REGION " where dst is in " PTO_REGION, s.Name(first),
                a.ValidRows(), a.ValidCols(), s.Name(first + 1), b.ValidRows(), b.ValidCols(), dst.ValidRows(),
                dst.ValidCols());
}

// Values and their indices: outputs, then sources, half of each.
Status CheckPairValid(const Subject& s) {
  const int outputs = s.op.Outputs();
  const int pairs = s.op.Inputs() / 2;
  for (int i = 0; i <= pairs; ++i) {
    const int value = i == 0 ? 0 : outputs + i - 1;
    const int index = i == 0 ? 1 : value + pairs;
    const pto_tile& v = *s.tiles[value];
    const pto_tile& x = *s.tiles[index];
    if (v.valid == x.valid) continue;
    return s.Fail(s.Name(index), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION " (rows x columns)",
                  s.Name(index), x.ValidRows(), x.ValidCols(), s.Name(value), v.ValidRows(), v.ValidCols());
  }
  return Status::kOk;
}

Status CheckPrecisionFloat(const Subject& s) {
  if ((s.args.flags & kHighPrecision) == 0) return Status::kOk;
  return s.Fail("flags", "PTO_HIGH_PRECISION with %s under %s", Info(s.lead().dtype()).name, s.ProfileName());
}

// The rules of tmp that follow kTmpRequired in a record: a tile is there.
Status CheckTmpRequired(const Subject& s) {
  if (s.tmp() != nullptr) return CheckReady(s, s.op.TmpIndex());
  return s.Fail("tmp", "tmp is NULL where %s needs scratch for %s", s.ProfileName(), Info(s.LeadType()).name);
}

Status CheckTmpLayout(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  if (tmp.RowMajorVector()) return Status::kOk;
  return s.Fail("tmp", "tmp is %s in %s where row-major in vec is needed", LayoutName(tmp), LocationName(tmp));
}

Status CheckTmpValidEqual(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  const pto_tile& dst = *s.tiles[0];
  if (tmp.valid == dst.valid) return Status::kOk;
  return s.Fail("tmp", "tmp is valid in " PTO_REGION " where dst is in " PTO_REGION " (rows x columns)",
                tmp.ValidRows(), tmp.ValidCols(), dst.ValidRows(), dst.ValidCols());
}

Status CheckTmpCols(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  const pto_tile& dst = *s.tiles[0];
  if (tmp.ValidRows() > 0 && tmp.ValidCols() >= dst.ValidCols()) return Status::kOk;
  return s.Fail("tmp", "tmp is valid in " PTO_REGION " where dst has %d valid columns", tmp.ValidRows(),
                tmp.ValidCols(), dst.ValidCols());
}

Status CheckTmpSpareRow(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  const pto_tile& dst = *s.tiles[0];
  if (tmp.ValidRows() > dst.ValidRows() || tmp.ValidRows() > dst.ValidCols()) return Status::kOk;
  return s.Fail("tmp", "tmp has %d valid rows where dst is valid in " PTO_REGION " (rows x columns)", tmp.ValidRows(),
                dst.ValidRows(), dst.ValidCols());
}

Status CheckTmpTransposed(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  const pto_tile& src = *s.tiles[1];
  const int64_t size = Info(src.dtype()).bytes;
  const int64_t side = std::max<int64_t>(32 / size, 16);
  if (s.tiles[0]->layout.row_step % side != 0) return Status::kOk;  // the hardware copies element by element
  const int64_t bytes = src.ValidCols() * RoundUp(src.ValidRows(), side) * size;
  if (tmp.bytes >= bytes) return Status::kOk;
  return s.Fail("tmp", "tmp has %lld bytes where %lld are needed, %d columns of %d elements, rounded up to %lld",
                static_cast<long long>(tmp.bytes), static_cast<long long>(bytes), src.ValidCols(), src.ValidRows(),
                static_cast<long long>(side));
}

Status CheckTmpApart(const Subject& s) {
  const pto_tile& tmp = *s.tmp();
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (Apart(*s.tiles[i], tmp)) continue;
    return s.Fail("tmp", "tmp at %p shares memory with %s at %p", static_cast<const void*>(tmp.data), s.Name(i),
                  static_cast<const void*>(s.tiles[i]->data));
  }
  return Status::kOk;
}

Status CheckNoOverlap(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    for (int k = i + 1; k < s.op.Needed(); ++k) {
      if (Apart(*s.tiles[i], *s.tiles[k])) continue;
      return s.Fail(s.Name(k), "%s at %p shares memory with %s at %p, which %s forbids", s.Name(k),
                    static_cast<const void*>(s.tiles[k]->data), s.Name(i), static_cast<const void*>(s.tiles[i]->data),
                    s.ProfileName());
    }
  }
  return Status::kOk;
}

Status CheckDstApart(const Subject& s) {
  for (int i = s.op.Outputs(); i < s.op.Needed(); ++i) {
    if (Apart(*s.tiles[0], *s.tiles[i])) continue;
    return s.Fail(s.Name(i), "%s at %p shares memory with %s at %p, which %s forbids", s.Name(i),
                  static_cast<const void*>(s.tiles[i]->data), s.Name(0), static_cast<const void*>(s.tiles[0]->data),
                  s.ProfileName());
  }
  return Status::kOk;
}

// A type of places holds every row or column of the source. The contents of index tiles are checked when it runs.
Status CheckIndexRange(const Subject& s) {
  if (!s.op.FindsPlaces()) return Status::kOk;
  const int32_t count = PlacesOf(s.op, s.lead());
  if (HoldsPlaces(s.tiles[1]->dtype(), count)) return Status::kOk;
  return s.Fail(s.Name(1), "%s holds %s, which does not hold %d, the last of %d %s of %s", s.Name(1),
                Info(s.DTypeOf(1)).name, count - 1, count, s.op.Has(Extent::kRowResults) ? "columns" : "rows",
                s.LeadName());
}

// Rules that are about what tiles hold: the instruction looks at them when it runs, after all else.
Status CheckWhenRun(const Subject&) { return Status::kOk; }

namespace {

constexpr CheckFunction kChecks[] = {
#define PTO_RULE(name, ...) nullptr,
#define PTO_CHECK(name, check, ...) &check,
#include "src/records/rules/all.inc"
};

// By sums: clang gives up a constant that compares each id with all others letter by letter.
constexpr bool IdsDiffer() {
  uint64_t sums[std::size(kRules)] = {};
  for (size_t i = 0; i < std::size(kRules); ++i) {
    for (const char letter : std::string_view(kRules[i].id))
      sums[i] = (sums[i] ^ static_cast<uint64_t>(letter)) * 0x100000001b3U;
    for (size_t k = 0; k < i; ++k) {
      if (sums[k] == sums[i]) return false;
    }
  }
  return true;
}
static_assert(IdsDiffer(), "two rules have one id");

Status CheckFlags(const Subject& s, uint32_t flags) {
  if ((flags & ~s.op.flags) == 0) return Status::kOk;
  return s.FailBy(Rule::kFlags, "flags", "flags are 0x%x where 0x%x are known", flags, s.op.flags);
}

bool IsEmpty(const pto_tile& tile) { return tile.ValidRows() == 0 || tile.ValidCols() == 0; }

// An empty operand needs nothing: neither a source for its rows and columns, nor any region where the sources are
// empty, too.
bool Needless(const Subject& s, Rule rule) {
  if (Info(rule).for_dst) return true;
  if (Info(rule).status != Status::kShape) return false;
  for (int i = s.op.Outputs(); i < s.op.Needed(); ++i) {
    if (!s.IsTensor(i) && !IsEmpty(*s.tiles[i])) return false;
  }
  return true;
}

}  // namespace

bool WritesNothing(const OpInfo& op, const Args& args) {
  if (op.Pads()) return false;
  for (int i = 0; i < op.Outputs(); ++i) {
    // A tensor receives what the first source holds.
    const pto_tile& tile = *args.tiles[IsTensor(op.operands[i].role) ? op.Find(Role::kIn) : i];
    if (!IsEmpty(tile)) return false;
  }
  return true;
}

Status Check(pto_context* ctx, const OpInfo& op, const Args& args) {
  if (ctx == nullptr) return Status::kNull;
  Subject s{ctx, op, args};
  for (int i = 0; i < op.Needed(); ++i) {
    const bool there = s.IsTensor(i) ? args.tensor != nullptr : args.tiles[i] != nullptr;
    if (!there) return s.FailBy(Rule::kNull, s.Name(i), "%s is NULL", s.Name(i));
  }
  Status status = CheckFlags(s, args.flags);
  if (status != Status::kOk) return status;
  const DType dtype = s.LeadType();
  if ((op.dtypes[static_cast<int>(ctx->profile)] & Bit(dtype)) == 0) {
    return s.FailBy(Rule::kDType, s.LeadName(), "%s holds %s, which it does not take under %s", s.LeadName(),
                    Info(dtype).name, s.ProfileName());
  }
  for (int i = 0; i < op.Needed() && status == Status::kOk; ++i) {
    if (!s.IsTensor(i)) {
      status = CheckReady(s, i);
    } else if (args.tensor->storage->far != nullptr) {
      return s.FailBy(Rule::kFarWindow, s.Name(i), "%s is in the window of rank %d, which is on another machine",
                      s.Name(i), args.tensor->storage->rank);
    }
  }
  const bool nothing = WritesNothing(op, args);
  for (const RuleUse& use : op.all) {
    if (status != Status::kOk) return status;
    if ((use.profiles & Bit(ctx->profile)) == 0 || (use.dtypes & Bit(dtype)) == 0) continue;
    if (nothing && Needless(s, use.rule)) continue;
    s.rule = use.rule;
    status = kChecks[static_cast<int>(use.rule)](s);
  }
  return status;
}

}  // namespace pto

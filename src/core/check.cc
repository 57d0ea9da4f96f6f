// The rules of instructions: each check states the offending values. This is the
// one place that words an instruction's errors; what a rule means and how to mend
// a call stands in src/ops/rule.h.
#include "src/core/execute.h"

namespace pto {

namespace {

#define PTO_REGION "%dx%d"

// A call under test, and where its error goes.
struct Subject {
  pto_context* ctx;
  const OpInfo& op;
  pto_tile* const* tiles;
  const pto_tensor* tensor;

  const pto_tile& dst() const { return *tiles[0]; }
  const pto_tile* tmp() const { return op.TmpIndex() < 0 ? nullptr : tiles[op.TmpIndex()]; }
  const char* Name(int i) const { return op.operands[i].name; }
  Profile profile() const { return ctx->profile; }
  const char* ProfileName() const { return kProfileNames[static_cast<int>(ctx->profile)]; }

  template <class... Args>
  Status Fail(Rule rule, const char* operand, const char* format, Args... args) const {
// The format is a literal at each call below; -Wformat cannot follow it through a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    return ctx->error.Set(rule, op.name, operand, format, args...);
#pragma GCC diagnostic pop
  }
};

const char* LayoutName(const pto_tile& tile) {
  static constexpr const char* kNames[2][3] = {{"row-major", "boxed row-major/row-major", "boxed row-major/col-major"},
                                               {"col-major", "boxed col-major/row-major", "boxed col-major/col-major"}};
  return kNames[static_cast<int>(tile.geometry.blayout)][static_cast<int>(tile.geometry.slayout)];
}

const char* LocationName(const pto_tile& tile) { return kLocationNames[static_cast<int>(tile.geometry.location)]; }

// A tile made under another profile may be illegal under this one.
Status CheckReady(const Subject& s, int i) {
  const pto_tile& tile = *s.tiles[i];
  if ((tile.ready & Bit(s.profile())) != 0) return Status::kOk;
  if (tile.data == nullptr) {
    return s.Fail(Rule::kStorage, s.Name(i), "%s is a manual tile without an address", s.Name(i));
  }
  return RefuseGeometry(s.ctx->error, CheckGeometry(tile.geometry, s.profile()), tile.geometry, s.profile(), s.op.name,
                        s.Name(i));
}

Status CheckLocationVec(const Subject& s) {
  for (int i = 0; i <= s.op.sources; ++i) {
    if (s.tiles[i]->geometry.location == Location::kVec) continue;
    return s.Fail(Rule::kLocationVec, s.Name(i), "%s lives in %s where vec is needed", s.Name(i),
                  LocationName(*s.tiles[i]));
  }
  return Status::kOk;
}

Status CheckRowMajor(const Subject& s) {
  // The scalars of a column-expanding instruction have a rule of their own.
  const int matrices = s.op.walk == Walk::kColExpand ? s.op.sources - 1 : s.op.sources;
  for (int i = 0; i <= matrices; ++i) {
    if (s.tiles[i]->RowMajorVector()) continue;
    return s.Fail(Rule::kRowMajor, s.Name(i), "%s is %s where %s needs row-major", s.Name(i), LayoutName(*s.tiles[i]),
                  s.ProfileName());
  }
  return Status::kOk;
}

Status CheckColVector(const Subject& s) {
  const int i = s.op.sources;
  const pto_tile& vector = *s.tiles[i];
  if (vector.RowMajorVector() || IsColumnVector(vector)) return Status::kOk;
  return s.Fail(Rule::kColVector, s.Name(i),
                "%s is %s with %d columns where %s needs row-major, or col-major with one column", s.Name(i),
                LayoutName(vector), vector.geometry.cols, s.ProfileName());
}

Status CheckSameDType(const Subject& s) {
  for (int i = 1; i <= s.op.sources; ++i) {
    if (s.tiles[i]->dtype() == s.dst().dtype()) continue;
    return s.Fail(Rule::kSameDType, s.Name(i), "%s holds %s where dst holds %s", s.Name(i),
                  Info(s.tiles[i]->dtype()).name, Info(s.dst().dtype()).name);
  }
  return Status::kOk;
}

Status CheckValidEqual(const Subject& s) {
  const int matrices = s.op.walk == Walk::kColExpand ? s.op.sources - 1 : s.op.sources;
  for (int i = 1; i <= matrices; ++i) {
    const pto_tile& src = *s.tiles[i];
    if (src.valid == s.dst().valid) continue;
    return s.Fail(Rule::kValidEqual, s.Name(i),
                  "%s is valid in " PTO_REGION " where dst is in " PTO_REGION " (rows x columns)", s.Name(i),
                  src.ValidRows(), src.ValidCols(), s.dst().ValidRows(), s.dst().ValidCols());
  }
  return Status::kOk;
}

Status CheckColsCovered(const Subject& s) {
  const int i = s.op.sources;
  const pto_tile& vector = *s.tiles[i];
  const bool column = IsColumnVector(vector);
  const int32_t scalars = column ? vector.ValidRows() : vector.ValidCols();
  const int32_t lines = column ? vector.ValidCols() : vector.ValidRows();
  if (lines > 0 && scalars >= s.dst().ValidCols()) return Status::kOk;
  return s.Fail(Rule::kColsCovered, s.Name(i),
                "%s is valid in " PTO_REGION " and gives %d scalars where dst has %d valid columns", s.Name(i),
                vector.ValidRows(), vector.ValidCols(), lines > 0 ? scalars : 0, s.dst().ValidCols());
}

Status CheckPartialValid(const Subject& s) {
  const pto_tile& dst = s.dst();
  bool covered = false;
  int wide = 0;
  for (int i = 1; i <= s.op.sources; ++i) {
    const pto_tile& src = *s.tiles[i];
    covered |= src.valid == dst.valid;
    if (wide == 0 && (src.ValidRows() > dst.ValidRows() || src.ValidCols() > dst.ValidCols())) wide = i;
  }
  if (covered && wide == 0) return Status::kOk;
  const int at = wide == 0 ? 1 : wide;
  return s.Fail(Rule::kPartialValid, s.Name(at),
                "%s is valid in " PTO_REGION " and %s in " PTO_REGION " where dst is in " PTO_REGION, s.Name(1),
                s.tiles[1]->ValidRows(), s.tiles[1]->ValidCols(), s.Name(2), s.tiles[2]->ValidRows(),
                s.tiles[2]->ValidCols(), dst.ValidRows(), dst.ValidCols());
}

Status CheckPrecisionFloat(const Subject& s, uint32_t flags) {
  if ((flags & kHighPrecision) == 0) return Status::kOk;
  return s.Fail(Rule::kPrecisionFloat, "flags", "PTO_HIGH_PRECISION with %s under %s", Info(s.dst().dtype()).name,
                s.ProfileName());
}

// Rules of tmp come after kTmpRequired in a record, so that a tile is there.
Status CheckTmp(const Subject& s, Rule rule) {
  const pto_tile* tmp = s.tmp();
  const pto_tile& dst = s.dst();
  if (tmp == nullptr) {
    return s.Fail(Rule::kTmpRequired, "tmp", "tmp is NULL where %s needs scratch for %s", s.ProfileName(),
                  Info(dst.dtype()).name);
  }
  switch (rule) {
    case Rule::kTmpRequired:
      return CheckReady(s, s.op.TmpIndex());
    case Rule::kTmpDType:
      if (tmp->dtype() == DType::kU8) break;
      return s.Fail(rule, "tmp", "tmp holds %s where u8 is needed", Info(tmp->dtype()).name);
    case Rule::kTmpLayout:
      if (tmp->RowMajorVector()) break;
      return s.Fail(rule, "tmp", "tmp is %s in %s where row-major in vec is needed", LayoutName(*tmp),
                    LocationName(*tmp));
    case Rule::kTmpValidEqual:
      if (tmp->valid == dst.valid) break;
      return s.Fail(rule, "tmp", "tmp is valid in " PTO_REGION " where dst is in " PTO_REGION " (rows x columns)",
                    tmp->ValidRows(), tmp->ValidCols(), dst.ValidRows(), dst.ValidCols());
    case Rule::kTmpSpareRow:
      if (tmp->ValidRows() > dst.ValidRows()) break;
      return s.Fail(rule, "tmp", "tmp has %d valid rows where dst has %d and more are needed", tmp->ValidRows(),
                    dst.ValidRows());
    default:  // kTmpApart
      for (int i = 0; i <= s.op.sources; ++i) {
        if (Apart(*s.tiles[i], *tmp)) continue;
        return s.Fail(rule, "tmp", "tmp at %p shares memory with %s at %p", static_cast<const void*>(tmp->data),
                      s.Name(i), static_cast<const void*>(s.tiles[i]->data));
      }
  }
  return Status::kOk;
}

Status CheckNoOverlap(const Subject& s) {
  for (int i = 0; i <= s.op.sources; ++i) {
    for (int k = i + 1; k <= s.op.sources; ++k) {
      if (Apart(*s.tiles[i], *s.tiles[k])) continue;
      return s.Fail(Rule::kNoOverlap, s.Name(k), "%s at %p shares memory with %s at %p, which %s forbids", s.Name(k),
                    static_cast<const void*>(s.tiles[k]->data), s.Name(i), static_cast<const void*>(s.tiles[i]->data),
                    s.ProfileName());
    }
  }
  return Status::kOk;
}

Status CheckRule(const Subject& s, Rule rule, uint32_t flags) {
  switch (rule) {
    case Rule::kLocationVec:
      return CheckLocationVec(s);
    case Rule::kRowMajor:
      return CheckRowMajor(s);
    case Rule::kColVector:
      return CheckColVector(s);
    case Rule::kSameDType:
      return CheckSameDType(s);
    case Rule::kValidEqual:
      return CheckValidEqual(s);
    case Rule::kColsCovered:
      return CheckColsCovered(s);
    case Rule::kPartialValid:
      return CheckPartialValid(s);
    case Rule::kPrecisionFloat:
      return CheckPrecisionFloat(s, flags);
    case Rule::kNoOverlap:
      return CheckNoOverlap(s);
    default:
      return CheckTmp(s, rule);
  }
}

// Does the hardware move such a tile in the order of such a tensor?
bool Transferable(const pto_tile& tile, TensorLayout layout) {
  const Geometry& g = tile.geometry;
  if (g.location != Location::kVec) return true;
  if (g.slayout != SLayout::kNoneBox) return false;
  return g.rows == 1 || g.cols == 1 || (g.blayout == BLayout::kRowMajor) == (layout == TensorLayout::kND);
}

// The rules of TLOAD and TSTORE: `i` is the tile among the operands.
Status CheckTransferRule(const Subject& s, int i, Rule rule) {
  const pto_tile& tile = *s.tiles[i];
  const TensorShape& shape = s.tensor->shape;
  const char* tensor = s.Name(1 - i);
  switch (rule) {
    case Rule::kLocationLoad: {
      const bool from_mat = s.op.walk == Walk::kLoad || s.profile() == Profile::kA2A3;
      if (tile.geometry.location == Location::kVec || (from_mat && tile.geometry.location == Location::kMat)) break;
      return s.Fail(rule, s.Name(i), "%s lives in %s where %s needs %s", s.Name(i), LocationName(tile), s.ProfileName(),
                    from_mat ? "vec or mat" : "vec");
    }
    case Rule::kSameWidth:
      if (Info(shape.dtype).bytes == tile.ElementBytes()) break;
      return s.Fail(rule, tensor, "%s holds %s where %s holds %s", tensor, Info(shape.dtype).name, s.Name(i),
                    Info(tile.dtype()).name);
    case Rule::kTransferCount:
      if (shape.Count() == int64_t{tile.ValidRows()} * tile.ValidCols()) break;
      return s.Fail(rule, tensor, "%s has %lldx%lld elements where %s is valid in " PTO_REGION " (rows x columns)",
                    tensor, static_cast<long long>(shape.MatrixRows()), static_cast<long long>(shape.MatrixCols()),
                    s.Name(i), tile.ValidRows(), tile.ValidCols());
    default:  // kTransferLayout
      if (Transferable(tile, shape.layout)) break;
      return s.Fail(rule, s.Name(i), "%s is %s where %s is %s, which %s does not turn", s.Name(i), LayoutName(tile),
                    tensor, shape.layout == TensorLayout::kND ? "ND" : "DN", s.ProfileName());
  }
  return Status::kOk;
}

#undef PTO_REGION

Status CheckFlags(const Subject& s, uint32_t flags) {
  if ((flags & ~s.op.flags) == 0) return Status::kOk;
  return s.Fail(Rule::kFlags, "flags", "flags are 0x%x where 0x%x are known", flags, s.op.flags);
}

Status CheckTransfer(const Subject& s, uint32_t flags) {
  const int i = 1 - s.op.TensorIndex();
  for (int k = 0; k < 2; ++k) {
    if (k == i ? s.tiles[i] != nullptr : s.tensor != nullptr) continue;
    return s.Fail(Rule::kNull, s.Name(k), "%s is NULL", s.Name(k));
  }
  Status status = CheckFlags(s, flags);
  if (status == Status::kOk) status = CheckReady(s, i);
  for (const RuleUse& use : s.op.rules) {
    if (status != Status::kOk) return status;
    if ((use.profiles & Bit(s.profile())) != 0) status = CheckTransferRule(s, i, use.rule);
  }
  return status;
}

}  // namespace

Status Check(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags, const pto_tensor* tensor) {
  if (ctx == nullptr) return Status::kNull;
  const Subject s{ctx, op, tiles, tensor};
  if (op.Transfers()) return CheckTransfer(s, flags);
  for (int i = 0; i <= op.sources; ++i) {
    if (tiles[i] == nullptr) return s.Fail(Rule::kNull, s.Name(i), "%s is NULL", s.Name(i));
  }
  const Status known = CheckFlags(s, flags);
  if (known != Status::kOk) return known;
  const DType dtype = s.dst().dtype();
  if ((op.dtypes[static_cast<int>(ctx->profile)] & Bit(dtype)) == 0) {
    return s.Fail(Rule::kDType, s.Name(0), "dst holds %s, which it does not take under %s", Info(dtype).name,
                  s.ProfileName());
  }
  for (int i = 0; i <= op.sources; ++i) {
    const Status status = CheckReady(s, i);
    if (status != Status::kOk) return status;
  }
  for (const RuleUse& use : op.rules) {
    if ((use.profiles & Bit(ctx->profile)) == 0 || (use.dtypes & Bit(dtype)) == 0) continue;
    const Status status = CheckRule(s, use.rule, flags);
    if (status != Status::kOk) return status;
  }
  return Status::kOk;
}

}  // namespace pto

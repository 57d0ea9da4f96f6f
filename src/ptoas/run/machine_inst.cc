// Instructions: their operands are set where they changed, then the C API runs them.
#include <algorithm>
#include <iterator>
#include <vector>

#include "include/pto_c.h"
#include "src/objects/on_chip.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/records/attributes.h"
#include "src/records/text_form.h"

namespace pto::ptoas {

namespace {

// The tile whose region and type the others follow. It is set by the time that a stand-in is made.
const pto_tile* LeadOf(const Node& node) {
  const auto& args = node.site->args;
  const int lead = node.stmt->op->lead;
  return std::find_if(args.begin(), args.end(), [&](const SiteArg& arg) { return arg.index == lead; })->tile;
}

SiteArg& DestinationOf(Site& site) {
  return *std::find_if(site.args.begin(), site.args.end(), [](const SiteArg& arg) { return arg.index == 0; });
}
const SiteArg& DestinationOf(const Site& site) { return DestinationOf(const_cast<Site&>(site)); }

// The work of a product beside its elements: its multiplications, in units of the time of an element.
int64_t ProductWork(const OpInfo& op, const Site& site) {
  constexpr int64_t kPerElement = 64;
  if (op.walk != Walk::kMatMul) return 0;
  int64_t multiplications = 1;
  for (const SiteArg& arg : site.args) {
    if (arg.index == 0) multiplications *= int64_t{pto_tile_valid_rows(arg.tile)} * pto_tile_valid_cols(arg.tile);
    if (op.operands[arg.index].extent == Extent::kLeft) multiplications *= pto_tile_valid_cols(arg.tile);
  }
  return multiplications / kPerElement;
}

}  // namespace

// All that the execution before this one made sure of holds for this one, too.
[[gnu::always_inline]] inline bool Machine::IsSame(const Site& site, Frame frame) const {
  const Site::Same& same = site.same;
  if (same.era != state_->tiles_era) return false;
  bool is = true;
  for (int32_t i = 0; i < same.count; ++i) is &= frame[same.tiles[i].slot].IsTile(same.tiles[i].tile);
  for (const SiteNumber& number : site.numbers) {
    const Value* value = number.operand->value;
    is &= value == nullptr || frame[value->slot].SameNumber(number.holds);
  }
  return is;
}

void Machine::NoteSame(Site& site) const {
  site.ran = true;
  site.same.era = 0;
  if (attended_ || site.work >= kLongWork || site.counts >= 0 || site.first_column >= 0) return;
  if (site.args.size() > std::size(site.same.tiles)) return;
  site.same.count = 0;
  for (const SiteArg& arg : site.args) {
    if (arg.tensor || arg.makes || arg.own != StandIn::kNone) return;
    auto& one = site.same.tiles[site.same.count++];
    one.tile = arg.tile;
    one.slot = arg.slot;
  }
  site.same.steps = static_cast<int32_t>(site.work / kElementsPerStep);
  site.same.era = site.era;
}

void Machine::Inst(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.site != nullptr && IsSame(*node.site, frame)) [[likely]] {
    slice_ -= node.site->same.steps;
    if (slice_ < 0) Pause(stmt.offset, stmt.length);
    return Called(stmt, pto_inst_run(ctx_, node.site->inst));
  }
  SetOperands(node, frame);
  Site& site = *node.site;
  if (site.first_column >= 0) CopyColumn(node);
  Work(stmt, site.work);
  if (site.moves && core_.kind == CoreKind::kCube && !core_.alone && LeavesCore(site, frame)) {
    RunOnLanes(node, frame);
  } else {
    RunSite(node, frame);
  }
  if (site.counts >= 0) {
    const SiteArg& arg = site.args[static_cast<size_t>(site.counts)];
    frame[arg.slot] = CountsIn(stmt, arg);
  }
  NoteSame(site);
}

bool Machine::MakeReady(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const bool same = IsSame(*node.site, frame);
  if (!same) {
    SetOperands(node, frame);
    NoteSame(*node.site);
  }
  Work(stmt, node.site->work);
  if (watched_) WatchInst(node, frame);
  return same;
}

// Gives the instruction the operands that changed.
void Machine::SetOperands(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.site == nullptr) {
    Fail(stmt, Rule::kRunUnsupported, "%.*s is not an instruction of this library", static_cast<int>(stmt.name.size()),
         stmt.name.data());
  }
  Site& site = *node.site;
  if (site.inst == nullptr) MakeInst(stmt, site);
  for (SiteArg& arg : site.args) {
    if (arg.tensor) {
      SetTensor(node, arg, frame);
      continue;
    }
    // A stand-in's tile is in no slot, so it is always made here.
    const RunValue& value = frame[arg.slot];
    if (arg.makes || !value.Is(ValueKind::kTile) || value.box()->tile != arg.tile) {
      arg.own == StandIn::kNone ? SetTile(node, arg, frame) : MakeOwn(node, arg, frame);
    }
  }
  // Recompute only if a tile changed.
  const bool anew = site.era != state_->tiles_era;
  for (SiteNumber& number : site.numbers) {
    const Value* value = number.operand->value;
    if (!anew && (value == nullptr || frame[value->slot].SameNumber(number.holds))) continue;
    SetNumber(node, number, frame);
    if (value != nullptr) number.holds = frame[value->slot];
  }
  if (anew) {
    if (site.lacks_tmp) MakeTmp(node, nullptr, frame);
    if (site.mad >= 0) Called(stmt, pto_inst_set_int(ctx_, site.inst, site.mad, mad_));
    site.elements = 0;
    for (const SiteArg& arg : site.args) {
      const int64_t elements = int64_t{pto_tile_valid_rows(arg.tile)} * pto_tile_valid_cols(arg.tile);
      site.elements = std::max(site.elements, elements);
    }
    site.work = std::max(site.elements, ProductWork(*stmt.op, site));
    site.era = state_->tiles_era;
    site.seen.era = 0;
  }
}

void Machine::RunSite(const Node& node, Frame frame) {
  if (attended_) return RunAttended(node, frame);
  Called(*node.stmt, RunInst(*node.site));
}

// Sums leave the accumulator of a cube core for vector memory, which vector cores have. A tile without an address is
// the program's own idea of that memory, and stays with the cube core.
bool Machine::LeavesCore(const Site& site, Frame frame) const {
  const SiteArg& to = DestinationOf(site);
  return pto_tile_location(to.tile) == PTO_LOCATION_VEC && pto_tile_location(site.args[0].tile) == PTO_LOCATION_ACC &&
         frame[to.slot].box()->address >= 0;
}

// The destination is at the same address of one vector core, or of both.
void Machine::RunOnLanes(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  Site& site = *node.site;
  SiteArg& to = DestinationOf(site);
  int64_t modes[kMaxOperands] = {};
  ModesOf(stmt, modes);
  int64_t mode = 0;
  for (int i = 0; i < stmt.op->OperandCount(); ++i) {
    if (stmt.op->operands[i].mode == &kAccToVecMode) mode = modes[i];
  }
  pto_tile_desc desc = DescOf(to.tile);
  desc.storage = PTO_STORAGE_MANUAL;
  const int64_t address = frame[to.slot].box()->address;
  // Ends with the site as it is between statements, also when the run ends here.
  struct Restore {
    pto_context* ctx;
    SiteArg* arg;
    pto_tile* tile = nullptr;
    ~Restore() {
      ReceiveOn(ctx, 0);
      arg->tile = nullptr;
      pto_tile_release(tile);
    }
  };
  const int32_t first = mode == kAccToSecond ? 1 : 0;
  const int32_t last = mode >= kAccSplitRows ? 1 : first;
  for (int32_t lane = first; lane <= last; ++lane) {
    if (lane >= core_.lanes) {
      Fail(stmt, Rule::kRunUnsupported, "the program runs on %d vector core: there is no vector core %d", core_.lanes,
           lane);
    }
    Restore restore{ctx_, &to};
    Chip* chip = state_->chips[1 + lane];
    restore.tile = pto_tile_create_from(ctx_, &desc);
    if (restore.tile == nullptr) FailCall(stmt);
    if (pto_tassign(chip->context(), restore.tile, address) != PTO_OK) throw std::bad_alloc();
    const int64_t fresh = chip->Use(PTO_LOCATION_VEC, address, address + pto_tile_bytes(restore.tile));
    if (fresh > 0) Charge(stmt, fresh);
    state_->bytes += fresh;
    Called(stmt, pto_inst_set_tile(ctx_, site.inst, to.index, restore.tile));
    to.tile = restore.tile;
    site.seen.era = 0;
    ReceiveOn(ctx_, lane);
    RunSite(node, frame);
  }
}

// The tile for a vector of counts, or for one number in each row.
void Machine::MakeOwn(Node& node, SiteArg& arg, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const pto_profile profile = pto_context_profile(ctx_);
  pto_tile_desc desc{};
  const bool number = arg.own == StandIn::kNumber;
  if (number) {
    const pto_tile* const rows = LeadOf(node);
    ColumnDesc(profile, rows, IsFloatNumber(*arg.operand) ? ElemOf(pto_tile_dtype(rows)) : Elem::kI32, &desc);
  } else {
    CountsDesc(profile, &desc);
  }
  const RunValue made = MakeTile(stmt, desc, &node.site->own);
  pto_tile* const tile = made.box()->tile;
  if (number) {
    const RunValue value = arg.operand->value == nullptr ? RunValue() : frame[arg.operand->value->slot];
    Called(stmt, pto_texpands(ctx_, tile, ScalarOf(*arg.operand, value, pto_tile_dtype(tile)), 0));
  }
  if (tile == arg.tile) return;
  Called(stmt, pto_inst_set_tile(ctx_, node.site->inst, arg.index, tile));
  arg.tile = tile;
  node.site->era = 0;
}

// The instruction gets the first column of the program's operand: hardware repeats all others, too.
void Machine::CopyColumn(Node& node) {
  const Stmt& stmt = *node.stmt;
  Site& site = *node.site;
  const auto arg = std::find_if(site.args.begin(), site.args.end(),
                                [&](const SiteArg& one) { return one.index == site.first_column; });
  pto_tile* const whole = arg->tile;
  const int32_t rows = pto_tile_valid_rows(whole);
  const int64_t bytes = int64_t{rows} * pto_dtype_bytes(pto_tile_dtype(whole));
  if (rows == 0 || pto_tile_valid_cols(whole) == 0) return;  // the instruction reports what it lacks
  pto_tile* const first = pto_tile_view(ctx_, whole, 0, 0, rows, 1);
  if (first == nullptr) FailCall(stmt);
  Charge(stmt, bytes);
  std::vector<char> data(static_cast<size_t>(bytes));
  const pto_status read = pto_tile_read(ctx_, first, data.data(), bytes);
  pto_tile_release(first);
  Called(stmt, read);
  pto_tile_desc desc{};
  ColumnDesc(pto_context_profile(ctx_), whole, ElemOf(pto_tile_dtype(whole)), &desc);
  const RunValue made = MakeTile(stmt, desc, &site.own);
  Called(stmt, pto_tile_write(ctx_, made.box()->tile, data.data(), bytes));
  Called(stmt, pto_inst_set_tile(ctx_, site.inst, arg->index, made.box()->tile));
}

RunValue Machine::CountsIn(const Stmt& stmt, const SiteArg& arg) {
  RunValue made = MakeVector(stmt, kMostLists);
  const auto* const counts = static_cast<const int16_t*>(pto_tile_data(arg.tile));
  std::copy_n(counts, kMostLists, made.box()->words.begin());
  return made;
}

pto_status Machine::RunInst(const Site& site) {
  pto_status status = PTO_OK;
  MayHalt(site, [&](pto_context* ctx) { status = pto_inst_run(ctx, site.inst); });
  return status;
}

void Machine::MakeInst(const Stmt& stmt, Site& site) {
  site.inst = pto_inst_create(ctx_, stmt.op->name);
  if (site.inst == nullptr) FailCall(stmt);
  made_.emplace_back(&stmt, &site);
  NoteWriter(stmt, site);
  Called(stmt, SetAttributes(ctx_, site.inst, stmt));
  const int mode = stmt.op->Find(Role::kMode);
  if (mode >= 0 && stmt.op->operands[mode].mode == &kMadMode && GivenValue(stmt, kMadMode.attr).empty()) {
    site.mad = mode;
  }
}

// For the instructions that follow.
void Machine::SetControl(int64_t control) {
  vector_.control = control;
  pto_context_saturate(ctx_, vector_.Saturates() ? 1 : 0);
}

// pto.sethf32mode, pto.settf32mode: for the products that follow on this core.
void Machine::SetMad(const Stmt& stmt, Frame) {
  const int first = stmt.Is("sethf32mode") ? PTO_MAD_HF32_RINT : PTO_MAD_TF32_RINT;
  const int away = GivenValue(stmt, "mode") == "round_away" ? 1 : 0;
  mad_ = GivenValue(stmt, "enable") == "true" ? first + away : PTO_MAD_NONE;
  ++state_->tiles_era;  // what instructions have of it is old
}

void Machine::SetTile(Node& node, SiteArg& arg, Frame frame) {
  const bool unbound = frame[arg.slot].Is(ValueKind::kNone) && arg.operand->value != nullptr &&
                       arg.operand->value->origin == ValueOrigin::kImplicit;
  if (arg.scratch) {
    if (unbound) MakeTmp(node, &arg, frame);
  } else if (arg.makes || (unbound && node.stmt->op->operands[arg.index].role == Role::kOut)) {
    MakeDestination(node, arg, frame);
  }
  pto_tile* tile = ValueOf(*node.stmt, *arg.operand, frame, ValueKind::kTile).box()->tile;
  if (tile == arg.tile) return;
  // Made now and dropped by everyone else, the tile would be one that the instruction alone knows.
  Called(*node.stmt, pto_inst_set_tile(ctx_, node.site->inst, arg.index, tile));
  arg.tile = tile;
  node.site->era = 0;
}

void Machine::SetNumber(Node& node, const SiteNumber& number, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const OpInfo& op = *stmt.op;
  if (op.operands[number.index].role == Role::kInt) {
    const int64_t value = IntOf(stmt, *number.operand, frame);
    return Called(stmt, pto_inst_set_int(ctx_, node.site->inst, number.index, value));
  }
  RunValue value;
  if (number.operand->kind == OperandKind::kValue) {
    value = frame[number.operand->value->slot];
    if (!value.Is(ValueKind::kInt) && !value.Is(ValueKind::kFloat)) {
      Fail(stmt, Rule::kUnassigned, "%%%.*s is %s where a number is needed",
           static_cast<int>(number.operand->name.size()), number.operand->name.data(), KindName(value.kind()));
    }
  }
  // Tiles are set by now.
  int dtypes[kMaxOperands];
  std::fill(std::begin(dtypes), std::end(dtypes), kDTypeCount);
  for (const SiteArg& arg : node.site->args) dtypes[arg.index] = pto_tile_dtype(arg.tile);
  DType element = DType::kF32;
  ScalarTypeOf(op, static_cast<Profile>(pto_context_profile(ctx_)), dtypes, &element);
  const pto_scalar scalar = ScalarOf(*number.operand, value, static_cast<pto_dtype>(element));
  Called(stmt, pto_inst_set_scalar(ctx_, node.site->inst, number.index, scalar));
}

void Machine::SetTensor(Node& node, SiteArg& arg, Frame frame) {
  RunValue value = ValueOf(*node.stmt, *arg.operand, frame, ValueKind::kTensor);
  if (!arg.operand->indices.empty()) value = Window(*node.stmt, *arg.operand, value, node, frame);
  Called(*node.stmt, pto_inst_set_tensor(ctx_, node.site->inst, arg.index, value.box()->tensor));
}

// `%view[%i, %j]` in a one-line load or store: the tile's number of elements
// from there on, or all that follow when the load makes its tile.
RunValue Machine::Window(const Stmt& stmt, const Operand& operand, const RunValue& base, const Node& node,
                         Frame frame) {
  pto_tensor* tensor = base.box()->tensor;
  const int rank = pto_tensor_rank(tensor);
  if (static_cast<int>(operand.indices.size()) != rank) {
    Fail(stmt, Rule::kWindow, "%zu indices of a view of %d dimensions", operand.indices.size(), rank);
  }
  const pto_tile* tile = nullptr;
  for (const SiteArg& arg : node.site->args) {
    const RunValue& value = frame[arg.slot];
    if (!arg.tensor && !arg.makes && arg.own == StandIn::kNone && value.Is(ValueKind::kTile)) tile = value.box()->tile;
  }
  int64_t indices[5] = {};
  for (int i = 0; i < rank; ++i) indices[i] = IntOf(stmt, operand.indices[static_cast<size_t>(i)], frame);
  ViewPart part{};
  std::string why;
  if (!WindowOf(tensor, indices, tile, &part, &why)) Fail(stmt, Rule::kWindow, "%s", why.c_str());
  return View(stmt, base, part.desc, part.offset);
}

Given Machine::GivenTo(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  Given given;
  ModesOf(stmt, given.numbers);
  for (const SiteNumber& number : node.site->numbers) {
    if (stmt.op->operands[number.index].role == Role::kInt) {
      given.numbers[number.index] = IntOf(stmt, *number.operand, frame);
    }
  }
  for (const SiteArg& arg : node.site->args) {
    if (arg.index < stmt.op->Outputs() || arg.scratch || arg.own != StandIn::kNone) continue;
    const RunValue& value = frame[arg.slot];
    pto_tile_desc* const tile = &given.tiles[arg.index];
    if (value.Is(ValueKind::kTile)) *tile = DescOf(value.box()->tile);
    if (!value.Is(ValueKind::kTensor)) continue;
    RunValue window;
    const pto_tensor* tensor = value.box()->tensor;
    if (!arg.operand->indices.empty()) {
      window = Window(stmt, *arg.operand, value, node, frame);
      tensor = window.box()->tensor;
    }
    const int rank = pto_tensor_rank(tensor);
    Type as_large;
    as_large.kind = TypeKind::kTile;
    as_large.elem = ElemOf(pto_tensor_dtype(tensor));
    as_large.dims[0] = 1;
    for (int i = 0; i + 1 < rank; ++i) as_large.dims[0] *= pto_tensor_dim(tensor, i);
    as_large.dims[1] = pto_tensor_dim(tensor, rank - 1);
    if (!TileDesc(as_large, pto_context_profile(ctx_), as_large.rows(), as_large.cols(), tile)) *tile = {};
  }
  return given;
}

// The tile that a one-line instruction makes: of the type written, or else for what its sources hold.
void Machine::MakeDestination(Node& node, const SiteArg& arg, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Type* type = arg.operand->value->type;
  pto_tile_desc desc{};
  bool known =
      type != nullptr && type->kind == TypeKind::kTile && type->valid_row != kDynamic && type->valid_col != kDynamic;
  if (known) {
    if (!TileDesc(*type, pto_context_profile(ctx_), type->valid_row, type->valid_col, &desc)) {
      Fail(stmt, Rule::kRunUnsupported, "tiles of %s are not supported", Info(type->elem).name);
    }
  }
  known = known || DestinationDesc(*stmt.op, arg.index, pto_context_profile(ctx_), GivenTo(node, frame), &desc);
  if (!known) Fail(stmt, Rule::kUnassigned, "the size of the destination is unknown");
  Settle(stmt, *arg.operand->value, desc, &node.site->made, frame);
}

void Machine::Settle(const Stmt& stmt, const Value& value, const pto_tile_desc& desc, TileCache* cache, Frame frame) {
  frame[value.slot] = RunValue();  // what it was a round ago must not keep its tile from being taken again
  const auto place = places_.find(&value);
  pto_tile_desc placed = desc;
  if (place != places_.end()) placed.storage = PTO_STORAGE_MANUAL;
  RunValue made = MakeTile(stmt, placed, cache);
  if (place != places_.end()) Place(stmt, made.box(), place->second);
  frame[value.slot] = std::move(made);
}

// Scratch that the program leaves to the assembler, where the profile asks for it, or
// names without binding it.
void Machine::MakeTmp(Node& node, const SiteArg* named, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const auto dst = std::find_if(node.site->args.begin(), node.site->args.end(),
                                [](const SiteArg& arg) { return arg.index == 0 && !arg.tensor; });
  if (dst == node.site->args.end()) return;
  pto_tile_desc desc{};
  const bool needed = TmpDesc(*stmt.op, pto_context_profile(ctx_), frame[dst->slot].box()->tile, &desc);
  if (named != nullptr) return Settle(stmt, *named->operand->value, desc, &node.site->tmp, frame);
  if (!needed) return;
  const RunValue made = MakeTile(stmt, desc, &node.site->tmp);
  Called(stmt, pto_inst_set_tile(ctx_, node.site->inst, stmt.op->TmpIndex(), made.box()->tile));
}

static constexpr RunRow kInstRows[] = {
    {"", Do<&Machine::Inst>},
    {"sethf32mode", Do<&Machine::SetMad>},
    {"settf32mode", Do<&Machine::SetMad>},
};
const RunRows kInstRuns = kInstRows;

}  // namespace pto::ptoas

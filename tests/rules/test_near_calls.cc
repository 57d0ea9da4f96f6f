// What is returned to calls of instructions that are nearly right: of each instruction, for each profile and element
// type, a walk from operands as plain as they may be, a type, a size, a place, a layout or a number changed at each
// step. near_calls.txt has a number for each instruction and profile, of all that making the tiles, checking the call
// and running it answer, and of the bytes that it wrote (tests/common/golden.h).
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/golden.h"
#include "tests/common/layouts.h"
#include "tests/common/only_op.h"
#include "tests/common/profiles.h"
#include "tests/common/values.h"

namespace {

using pto_test::Answers;

constexpr int kOperands = 17;
constexpr int64_t kRoom = 1 << 16;  // of an operand
constexpr int32_t kNone = PTO_VALID_NONE;
constexpr int kSteps = 40;
constexpr const char* kProfiles[] = PROFILE_NAMES;

alignas(64) uint8_t g_memory[kOperands * kRoom];

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}
  template <class T, size_t N>
  T Of(const T (&values)[N]) {
    return values[Below(N)];
  }
  size_t Below(size_t n) { return static_cast<size_t>(values_random(&seed_) >> 16) % n; }
  bool OneIn(size_t n) { return Below(n) == 0; }

 private:
  uint64_t seed_;
};

// Where tiles live, and laid out as there.
struct Kind {
  pto_location location;
  int layout;
};
constexpr Kind kVec = {PTO_LOCATION_VEC, 0};
constexpr Kind kLeft = {PTO_LOCATION_LEFT, 4};
constexpr Kind kRight = {PTO_LOCATION_RIGHT, 3};
constexpr Kind kAcc = {PTO_LOCATION_ACC, 8};
constexpr Kind kMat = {PTO_LOCATION_MAT, 4};
constexpr Kind kScaling = {PTO_LOCATION_SCALING, 0};
constexpr Kind kBias = {PTO_LOCATION_BIAS, 0};
constexpr Kind kScaleLeft = {PTO_LOCATION_SCALE_LEFT, 10};
constexpr Kind kScaleRight = {PTO_LOCATION_SCALE_RIGHT, 13};
constexpr Kind kKinds[] = {kVec,
                           kVec,
                           {PTO_LOCATION_VEC, 1},
                           {PTO_LOCATION_MAT, 4},
                           kLeft,
                           kAcc,
                           kRight,
                           {PTO_LOCATION_LEFT, 2},
                           {PTO_LOCATION_MAT, 0},
                           kBias,
                           kAcc,
                           kScaleLeft,
                           kScaling,
                           {PTO_LOCATION_VEC, 4},
                           {PTO_LOCATION_MAT, 3},
                           kAcc,
                           kScaleRight};

struct Operand {
  int32_t role = 0;
  pto_tile_desc tile{};
  pto_tensor_desc tensor{};
  bool absent = false;
  int share = -1;  // the operand in whose memory it lies
  int64_t offset = 0;
  uint64_t fill = 0;
  int64_t number = 0;
  pto_scalar scalar = pto_int(1);
};

struct Call {
  int32_t op = 0;
  pto_profile profile = PTO_PROFILE_CPU;
  pto_dtype lead = PTO_DTYPE_F32;
  int count = 0;
  std::array<Operand, kOperands> operands;
};

bool IsTensor(const Operand& operand) {
  return operand.role == PTO_ROLE_TENSOR_OUT || operand.role == PTO_ROLE_TENSOR_IN;
}
bool IsWritten(const Operand& operand) { return operand.role == PTO_ROLE_OUT || operand.role == PTO_ROLE_INOUT; }
bool IsTile(const Operand& operand) {
  return IsWritten(operand) || operand.role == PTO_ROLE_IN || operand.role == PTO_ROLE_TMP;
}

void Put(const Kind& kind, pto_tile_desc* desc) {
  const test_layout& layout = k_layouts[kind.layout];
  desc->location = kind.location;
  desc->blayout = layout.blayout;
  desc->slayout = layout.slayout;
  desc->fractal = layout.fractal;
  desc->compact = layout.compact;
}

pto_dtype Lowest(uint32_t dtypes, pto_dtype otherwise) {
  for (int d = 0; d < 32; ++d) {
    if ((dtypes >> d & 1) != 0) return static_cast<pto_dtype>(d);
  }
  return otherwise;
}

// A type that the operand may have; now and then any.
pto_dtype DrawType(const Call& call, int i, Dice* dice) {
  const auto any = static_cast<pto_dtype>(dice->Below(18));
  const uint32_t may = pto_op_operand_dtypes(call.op, i, call.profile, call.lead);
  if (may == 0 || dice->OneIn(4)) return any;
  return Lowest(may >> any << any, Lowest(may, any));
}

void DrawTensor(pto_tensor_desc* desc, Dice* dice) {
  constexpr int64_t kDims[] = {0, 1, 1, 1, 2, 4, 8, 15, 16, 17, 32};
  desc->rank = 5;
  for (int64_t* dim : {&desc->dim0, &desc->dim1, &desc->dim2}) *dim = dice->OneIn(4) ? dice->Of(kDims) : 1;
  desc->dim3 = dice->OneIn(4) ? dice->Of(kDims) : 32;
  desc->dim4 = dice->OneIn(4) ? dice->Of(kDims) : 32;
  desc->layout = static_cast<pto_layout>(dice->OneIn(3) ? dice->Below(23) : dice->Below(3));
  if (desc->layout == PTO_LAYOUT_NZ && !dice->OneIn(4)) {
    desc->dim4 = 32 / std::max(1, pto_dtype_bytes(desc->dtype));
    desc->dim3 = 16;
    desc->dim2 = 2;
    desc->dim1 = 32 / desc->dim4;
  }
  desc->strided = dice->OneIn(4) ? 1 : 0;
  desc->stride4 = dice->OneIn(4) ? 2 : 1;
  desc->stride3 = 32 * desc->stride4;
  desc->stride2 = dice->OneIn(3) ? 8 : desc->stride3 * 32;
  desc->stride1 = desc->stride0 = desc->stride2;
}

// Operands as plain as they may be: 32x32, or what fits that.
Call Plain(int32_t op, pto_profile profile, pto_dtype lead) {
  Call call;
  call.op = op;
  call.profile = profile;
  call.lead = lead;
  call.count = pto_op_operand_count(op);
  bool product = false;
  bool converts = false;  // sums, on their way out of the accumulator
  for (int i = 0; i < call.count; ++i) {
    const char* mode = pto_op_operand_mode(op, i);
    product |= pto_op_operand_extent(op, i) == PTO_EXTENT_LEFT;
    converts |= mode != nullptr && std::strcmp(mode, "relu") == 0;
  }
  const bool one_row = std::strncmp(pto_op_name(op), "tgemv", 5) == 0;
  for (int i = 0; i < call.count; ++i) {
    Operand& operand = call.operands[static_cast<size_t>(i)];
    operand.role = pto_op_operand_role(op, i);
    const pto_dtype dtype = Lowest(pto_op_operand_dtypes(op, i, profile, lead), lead);
    int32_t rows = 32;
    int32_t cols = 32;
    Kind kind = product || (converts && operand.role == PTO_ROLE_IN) ? kAcc : converts ? kMat : kVec;
    switch (pto_op_operand_extent(op, i)) {
      case PTO_EXTENT_ROW:
        rows = 1;
        kind = product ? kBias : converts ? kScaling : kVec;
        break;
      case PTO_EXTENT_LEFT:
        kind = kLeft;
        break;
      case PTO_EXTENT_RIGHT:
        kind = kRight;
        break;
      case PTO_EXTENT_LEFT_SCALES:
        kind = kScaleLeft;
        break;
      case PTO_EXTENT_RIGHT_SCALES:
        kind = kScaleRight;
        break;
      case PTO_EXTENT_JOINED:
        cols = 16;
        break;
      case PTO_EXTENT_DOUBLE:
        cols = 64;
        break;
      case PTO_EXTENT_BINS:
        cols = 256;
        break;
      default:
        break;
    }
    operand.tile = layout_desc(&k_layouts[0], dtype, rows, cols);
    Put(kind, &operand.tile);
    if (one_row && kind.location != PTO_LOCATION_RIGHT) operand.tile.valid_rows = 1;
    operand.tensor.struct_size = sizeof operand.tensor;
    operand.tensor.dtype = dtype;
    operand.tensor.rank = 2;
    operand.tensor.dim0 = operand.tensor.dim1 = 32;
  }
  return call;
}

void ChangeTile(const Call& call, int i, Operand* operand, Dice* dice) {
  constexpr int32_t kSizes[] = {1, 1, 2, 8, 15, 16, 17, 32, 32, 32, 33, 64};
  constexpr int32_t kValid[] = {kNone, 1, 1, 2, 8, 15, 16, 17, 31, 32, PTO_VALID_ALL};
  constexpr int64_t kOffsets[] = {0, 0, 8, 32, 512, 1024};
  pto_tile_desc& desc = operand->tile;
  switch (dice->Below(10)) {
    case 0:
      desc.dtype = DrawType(call, i, dice);
      break;
    case 1:
      desc.rows = dice->Of(kSizes);
      break;
    case 2:
      desc.cols = dice->Of(kSizes);
      break;
    case 3:
      desc.valid_rows = dice->Of(kValid);
      break;
    case 4:
      desc.valid_cols = dice->Of(kValid);
      break;
    case 5:
      Put(dice->Of(kKinds), &desc);
      break;
    case 6:
      Put({desc.location, static_cast<int>(dice->Below(k_layout_count))}, &desc);
      break;
    case 7:
      operand->share = dice->OneIn(2) ? -1 : static_cast<int>(dice->Below(static_cast<size_t>(call.count)));
      operand->offset = dice->Of(kOffsets);
      break;
    case 8:
      operand->absent = dice->OneIn(operand->role == PTO_ROLE_TMP ? 2 : 8);
      desc.pad = static_cast<pto_pad>(dice->Below(4));
      break;
    default:
      operand->fill = dice->Below(4);
  }
  desc.valid_rows = std::min(desc.valid_rows, desc.rows);
  desc.valid_cols = std::min(desc.valid_cols, desc.cols);
}

void Change(Call* call, Dice* dice) {
  constexpr int64_t kNumbers[] = {-1, 0, 0, 1, 1, 2, 3, 4, 5, 8, 16, 31, 32, 255};
  const pto_scalar scalars[] = {pto_int(-1), pto_int(3), pto_float(0.5), pto_uint(255), pto_bits(1), pto_float(2)};
  const auto i = dice->Below(static_cast<size_t>(call->count));
  Operand& operand = call->operands[i];
  if (IsTile(operand)) return ChangeTile(*call, static_cast<int>(i), &operand, dice);
  if (IsTensor(operand)) {
    if (dice->OneIn(3)) operand.tensor.dtype = DrawType(*call, static_cast<int>(i), dice);
    return DrawTensor(&operand.tensor, dice);
  }
  operand.number = operand.role == PTO_ROLE_FLAGS ? static_cast<int64_t>(dice->Below(4)) : dice->Of(kNumbers);
  operand.scalar = dice->Of(scalars);
}

// Small numbers, ever smaller ones, or any elements.
void Fill(uint8_t* at, int64_t bytes, uint64_t fill, pto_dtype dtype) {
  if (pto_dtype_bits(dtype) == 0) return;
  const int32_t size = pto_dtype_bytes(dtype);
  if (fill == 3) return values_fill(dtype, at, bytes / size, fill);
  std::array<uint64_t, 32> numbers{};
  for (size_t n = 0; n < numbers.size(); ++n) {
    numbers[n] = values_is_float(dtype) != 0 ? values_of_float(dtype, static_cast<float>(n % 4)) : n;
  }
  uint64_t seed = fill;
  for (int64_t k = 0; k + size <= bytes; k += size) {
    values_set(dtype, at + k, numbers[(values_random(&seed) >> 20) % (numbers.size() >> (2 * fill))]);
  }
}

// What the call was refused with. Addresses are others in every process.
std::string MessageOf(pto_context* ctx) {
  std::string text = pto_context_error_message(ctx);
  for (size_t at = 0; (at = text.find("0x", at)) != std::string::npos; ++at) {
    const size_t end = std::min(text.find_first_not_of("0123456789abcdef", at + 2), text.size());
    text.erase(at, end - at);
  }
  return text;
}

// Makes what the call needs, checks it, runs it. Returns whether it was run. `before`: all memory before the run.
bool Ask(pto_context* ctx, const Call& call, Answers* answers, std::vector<uint8_t>* before = nullptr) {
  std::array<pto_tile*, kOperands> tiles{};
  std::array<int64_t, kOperands> begin{};
  pto_inst* inst = pto_inst_create(ctx, pto_op_name(call.op));
  const auto say = [&](pto_status status) {
    answers->Add(status == PTO_OK ? "ok" : MessageOf(ctx));
    return status == PTO_OK;
  };
  bool good = true;
  for (int i = 0; i < call.count; ++i) {
    const auto at = static_cast<size_t>(i);
    const Operand& operand = call.operands[at];
    begin[at] = (operand.share < 0 ? i : operand.share) * kRoom + (operand.share < 0 ? 0 : operand.offset);
    uint8_t* const data = g_memory + begin[at];
    const int64_t room = kRoom - (operand.share < 0 ? 0 : operand.offset);
    pto_status set = PTO_OK;
    if (IsTensor(operand)) {
      Fill(data, room / 8, operand.fill, operand.tensor.dtype);
      pto_tensor* tensor = pto_tensor_wrap(ctx, &operand.tensor, data, room);
      if (tensor == nullptr) good = say(pto_context_error(ctx));
      set = pto_inst_set_tensor(ctx, inst, i, tensor);
      pto_tensor_release(tensor);
    } else if (IsTile(operand)) {
      if (!operand.absent) {
        tiles[at] = pto_tile_wrap(ctx, &operand.tile, data, room);
        if (tiles[at] == nullptr) good = say(pto_context_error(ctx));
        Fill(data, pto_tile_bytes(tiles[at]), operand.fill, operand.tile.dtype);
      }
      set = pto_inst_set_tile(ctx, inst, i, tiles[at]);
    } else if (operand.role == PTO_ROLE_SCALAR) {
      set = pto_inst_set_scalar(ctx, inst, i, operand.scalar);
    } else {
      set = pto_inst_set_int(ctx, inst, i, operand.number);
    }
    if (set != PTO_OK) good = say(set);
  }
  good = say(pto_inst_check(ctx, inst)) && good;
  if (good) {
    if (before != nullptr) before->assign(std::begin(g_memory), std::end(g_memory));
    good = say(pto_inst_run(ctx, inst));
    for (size_t i = 0; i < static_cast<size_t>(call.count); ++i) {
      const bool tensor = call.operands[i].role == PTO_ROLE_TENSOR_OUT;
      if (!tensor && (tiles[i] == nullptr || !IsWritten(call.operands[i]))) continue;
      const int64_t bytes = tensor ? kRoom / 8 : pto_tile_bytes(tiles[i]);
      answers->Add(std::string_view(reinterpret_cast<const char*>(g_memory + begin[i]), static_cast<size_t>(bytes)));
    }
  }
  pto_inst_release(inst);
  for (pto_tile* tile : tiles) pto_tile_release(tile);
  return good;
}

std::string Group(int32_t op, int profile) { return std::string(pto_op_name(op)) + " " + kProfiles[profile]; }

std::string Line(const std::string& group, const pto_test::Window* print) {
  const size_t space = group.find(' ');
  const int32_t op = pto_op_find(group.substr(0, space).c_str());
  const auto profile = static_cast<pto_profile>(
      std::find(std::begin(kProfiles), std::end(kProfiles), group.substr(space + 1)) - std::begin(kProfiles));
  pto_context* ctx = pto_context_create(profile);
  Answers answers(print);
  std::memset(g_memory, 0, sizeof g_memory);
  Dice dice(static_cast<uint64_t>(op) * 3 + static_cast<uint64_t>(profile) + 1);
  int calls = 0;
  int run = 0;
  for (int d = 0; d < 18; ++d) {
    const auto lead = static_cast<pto_dtype>(d);
    if (pto_op_supports(op, profile, lead, 0) == 0) continue;
    Call call = Plain(op, profile, lead);
    answers.Case();
    bool good = Ask(ctx, call, &answers);
    run += good ? 1 : 0;
    for (int step = 0; step < kSteps; ++step) {
      Call next = call;
      for (size_t changes = 1 + dice.Below(3); changes > 0; --changes) Change(&next, &dice);
      answers.Case();
      const bool ran = Ask(ctx, next, &answers);
      run += ran ? 1 : 0;
      // A refused call shows little of rules that are asked later: from there the walk continues anywhere.
      if (ran || !good) call = next;
      good = ran || good;
    }
    calls += kSteps + 1;
  }
  pto_context_release(ctx);
  char line[96];
  std::snprintf(line, sizeof line, " %d %d %016llx", calls, run, static_cast<unsigned long long>(answers.sum()));
  return group + line + " " + answers.marks();
}

// An instruction with an empty destination succeeds and changes nothing, if its sources are empty, too, in rows or in
// columns. Returns the number of failures.
int CallsOfNothing() {
  int failures = 0;
  std::vector<std::string> good;
  for (int32_t at = 0; at < pto_op_count(); ++at) {
    const int32_t op = pto_op_at(at);
    for (int p = 0; p < k_profiles; ++p) {
      const auto profile = static_cast<pto_profile>(p);
      pto_context* ctx = pto_context_create(profile);
      for (int d = 0; d < 18; ++d) {
        const auto lead = static_cast<pto_dtype>(d);
        if (pto_op_supports(op, profile, lead, 0) == 0) continue;
        for (int way = 0; way < 2; ++way) {
          Call call = Plain(op, profile, lead);
          const int32_t extent = pto_op_operand_extent(op, 0);
          if (extent == PTO_EXTENT_WHOLE || extent == PTO_EXTENT_AROUND) continue;  // written whatever is valid
          for (int i = 0; i < call.count; ++i) {
            Operand& operand = call.operands[static_cast<size_t>(i)];
            if (!IsTile(operand) || operand.role == PTO_ROLE_TMP) continue;
            (way == 0 ? operand.tile.valid_rows : operand.tile.valid_cols) = kNone;
          }
          Answers answers(nullptr);
          std::vector<uint8_t> before;
          const bool ran = Ask(ctx, call, &answers, &before);
          // What a load pads is all of an empty tile.
          const bool pads = call.operands[1].role == PTO_ROLE_TENSOR_IN && call.count == 3;
          const bool same = !ran || pads || std::memcmp(before.data(), g_memory, sizeof g_memory) == 0;
          // Plain operands may live in a place or have a layout that is refused: of those nothing is said.
          const bool shape = !ran && pto_context_error(ctx) == PTO_ERROR_SHAPE;
          if (ran && (good.empty() || good.back() != Group(op, p))) good.push_back(Group(op, p));
          if (same && !shape) continue;
          ++failures;
          std::printf("%s of %s, empty in way %d: %s\n", Group(op, p).c_str(), pto_dtype_name(lead), way,
                      same ? pto_context_error_message(ctx) : "memory changed");
        }
      }
      pto_context_release(ctx);
    }
  }
  std::printf("%zu instructions and profiles succeed with nothing to do\n", good.size());
  return failures + (good.size() < 400 ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (CallsOfNothing() != 0) return 1;
  std::vector<std::string> groups;
  for (int32_t at = 0; at < pto_op_count(); ++at) {
    for (int profile = 0; profile < k_profiles; ++profile) groups.push_back(Group(pto_op_at(at), profile));
  }
  const auto covered = [](const std::string& group) { return only_op(group.substr(0, group.find(' ')).c_str()) != 0; };
  return pto_test::Golden(argc, argv, argc > 1 ? argv[1] : "", groups, Line, covered);
}

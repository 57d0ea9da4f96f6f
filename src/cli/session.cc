// Arguments from files and numbers, runs, and tiles and tensors to arrays.
#include "src/cli/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "src/cli/distribution.h"
#include "src/cli/numbers.h"
#include "src/cli/progress.h"
#include "src/records/nearest.h"
#include "src/records/profile.h"

namespace pto::cli {

namespace {

// The name in the help of the value of an option that sets an argument.
const char* ValueOf(std::string_view option) {
  static constexpr std::pair<std::string_view, const char*> kValues[] = {
      {"--shape", "RxC"}, {"--int", "N"}, {"--float", "X"}, {"--peer", "ARRAY@RANK"}};
  for (const auto& [name, value] : kValues) {
    if (option == name) return value;
  }
  return "FILE";
}

// Such a value for an argument, as it may be written; "": the option is for a file, but the text names none.
std::string ExampleFor(std::string_view option, const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  if (name.empty()) return "";
  const std::string value = option == "--shape"   ? "16x16:f32"
                            : option == "--int"   ? "8"
                            : option == "--float" ? "1.5"
                            : option == "--peer"  ? name + "@0"
                                                  : name.substr(name[0] == '%' ? 1 : 0) + ".npy";
  return ", such as " + name + "=" + value;
}

// How an argument is given, for whoever has given it in another way.
std::string TakesOf(pto_arg_kind kind, bool peer, const std::string& name) {
  if (peer) return ", as --peer has it";
  switch (kind) {
    case PTO_ARG_INT:
      return "; it is an integer: --int " + name + "=N";
    case PTO_ARG_FLOAT:
      return "; it is a number: --float " + name + "=X";
    case PTO_ARG_TENSOR:
    case PTO_ARG_TILE:
      return "; it is an array: --in " + name + "=FILE, or --shape " + name + "=RxC:DTYPE";
    default:
      return "";
  }
}

}  // namespace

Pairs Split(const std::vector<std::string>& texts, const char* option) {
  Pairs pairs;
  for (const std::string& text : texts) {
    const size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
      Fail("%s %s: write NAME=%s%s", option, text.c_str(), ValueOf(option), ExampleFor(option, text).c_str());
    const std::string name = text.substr(text[0] == '%' ? 1 : 0, at - (text[0] == '%' ? 1 : 0));
    if (!pairs.emplace(name, text.substr(at + 1)).second) Fail("%s: %s is given twice", option, name.c_str());
  }
  return pairs;
}

namespace {

std::vector<int64_t> MatrixOf(const std::vector<int64_t>& shape) {
  if (shape.empty()) return {1, 1};
  std::vector<int64_t> matrix = {1, shape.back()};
  for (size_t i = 0; i + 1 < shape.size(); ++i) matrix[0] *= shape[i];
  return matrix;
}

// Where an argument's data came from, for messages.
std::string Source(const std::string& name, const std::string& from) { return from.empty() ? "--shape " + name : from; }

}  // namespace

std::string Given::Of(const std::string& name, const std::string& number, int32_t rank) {
  const std::string at = rank < 0 ? "" : "@" + std::to_string(rank);
  std::string value;
  // An option for all ranks counts as used, too, if a rank has its own.
  for (const std::string& key : {name + at, number + at, name, number}) {
    const auto found = pairs_.find(key);
    if (found == pairs_.end()) continue;
    used_.insert(key);
    if (value.empty()) value = found->second;
  }
  return value;
}

Pairs Given::Left() const {
  Pairs left;
  for (const auto& [key, value] : pairs_) {
    if (!used_.contains(key)) left.emplace(key, value);
  }
  return left;
}

bool Session::Prepare(bool werror) {
  const bool good = TryPrepare(werror);
  if (!good) PrintDiagnostics(program());
  return good;
}

bool Session::TryPrepare(bool werror) {
  loaded_ = LoadProgram(options_.file, options_.profile, options_.target);
  const bool correct = IsCorrect(loaded_, werror);
  entry_ = options_.entry.empty() ? nullptr : options_.entry.c_str();
  // Errors in functions that the entry does not reach do not prevent a run; the run reports the others.
  bool binds = correct || (!werror && pto_program_arg_count(program(), entry_) >= 0);
  try {
    if (binds) Bind();
  } catch (const Failure&) {
    if (correct) throw;
    binds = false;  // errors of the program come first
  }
  return binds;
}

void Session::Limit() const {
  Must(pto_program_set_blocks(ctx(), program(), options_.blocks));
  Must(pto_program_set_threads(ctx(), program(), options_.threads));
  if (options_.schedule == "late-data") {
    Must(pto_program_set_late_data(ctx(), program(), 1));
  } else if (!options_.schedule.empty()) {
    int64_t seed = 0;
    const std::string prefix = "random:";
    if (!options_.schedule.starts_with(prefix) || !ParseInteger(options_.schedule.substr(prefix.size()), &seed)) {
      Fail("--schedule %s: write random:SEED or late-data", options_.schedule.c_str());
    }
    Must(pto_program_set_schedule(ctx(), program(), seed));
  }
  if (options_.on_chip_limit > 0) Must(pto_context_limit_on_chip(ctx(), options_.on_chip_limit));
  if (options_.max_steps > 0) Must(pto_program_limit_steps(ctx(), program(), options_.max_steps));
  if (options_.timeout > 0) {
    Must(pto_program_limit_time(ctx(), program(), static_cast<int64_t>(options_.timeout * 1000)));
  }
}

pto_status Session::Run(bool progress) {
  Limit();
  if (!progress) return pto_program_run(ctx(), program(), entry_);
  const Progress shown(program(), options_.blocks);
  return pto_program_run(ctx(), program(), entry_);
}

void Session::Must(pto_status status) const {
  if (status != PTO_OK) Fail("%s", Reason(ctx()).c_str());
}

bool Session::HasError() const {
  bool found = false;
  for (int32_t i = 0; i < pto_program_diagnostic_count(program()); ++i) {
    found |= pto_program_diagnostic_error(program(), i) != 0;
  }
  return found;
}

void Session::BlameArgument() const {
  const std::string name = pto_context_error_operand(ctx());
  const int32_t last = pto_program_diagnostic_count(program()) - 1;
  if (name.empty() || last < 0) return;
  const auto bound = bound_.find(name);
  const bool from_file = bound != bound_.end() && !bound->second.from.empty();
  Fail("%s: %s (line %d of the program)%s", from_file ? bound->second.from.c_str() : options_.file.c_str(),
       pto_program_diagnostic_message(program(), last), pto_program_diagnostic_line(program(), last),
       Advice(name).c_str());
}

// A question whether another argument is meant.
std::string Session::NearArgument(const std::string& name) const {
  Nearest nearest(name);
  for (int32_t i = 0; i < pto_program_arg_count(program(), entry_); ++i) {
    nearest.Offer(pto_program_arg_name(program(), entry_, i));
  }
  return nearest.Question();
}

// The options that give an argument what the run missed.
std::string Session::Advice(const std::string& name) const {
  const std::string rule = pto_context_error_rule(ctx());
  if (rule == "argument-shape") {
    const bool as_many =
        std::string_view(pto_context_error_message(ctx())).find(" elements)") == std::string_view::npos;
    return as_many ? "; add --flat to take the elements in their order"
                   : "; bind an array of that shape, or add --flat if the program moves the pointer within the array";
  }
  if (rule != "unbound-argument") return "";
  for (int32_t i = 0; i < pto_program_arg_count(program(), entry_); ++i) {
    if (name != pto_program_arg_name(program(), entry_, i)) continue;
    const pto_arg_kind kind = pto_program_arg_kind(program(), entry_, i);
    if (kind == PTO_ARG_INT) return "; add --int " + name + "=N";
    if (kind == PTO_ARG_FLOAT) return "; add --float " + name + "=X";
    const bool bound = std::any_of(bound_.begin(), bound_.end(),
                                   [i](const auto& one) { return one.second.index == i && one.second.loaded; });
    if (bound || kind != PTO_ARG_TENSOR) return "; add --in " + name + "=FILE, or --in " + name + "=zeros";
    return "; add --in " + name + "=FILE (or =zeros) for data, or --shape " + name + "=RxC for results";
  }
  return "";
}

struct Session::Options {
  Given in, out, shapes, ints, floats;
};

void Session::Bind() {
  Options given{{options_.in, "--in"},
                {options_.out, "--out"},
                {options_.shape, "--shape"},
                {options_.ints, "--int"},
                {options_.floats, "--float"}};
  const int32_t count = pto_program_arg_count(program(), entry_);
  // The message is the library's.
  if (count < 0 && entry_ != nullptr && pto_program_run(ctx(), program(), entry_) != PTO_OK) {
    Fail("%s: %s", options_.file.c_str(), Reason(ctx()).c_str());
  }
  ReadPeers();
  if (options_.ranks == 0) BindRank(&given, -1);
  for (int32_t rank = 0; rank < options_.ranks; ++rank) BindRank(&given, rank);
  if (options_.ranks > 0) PlaceWindows();
  for (int32_t rank = 0; rank < options_.ranks; ++rank) {
    if (Runs(rank)) AttachRank(rank);
  }
  if (IsOneRank()) MeetRanks();
  for (const Given* pairs : {&given.in, &given.shapes, &given.ints, &given.floats}) {
    const Pairs left = pairs->Left();
    if (left.empty()) continue;
    const std::string& name = left.begin()->first;
    Fail("%s: the entry has no argument %s%s", pairs->option(), name.c_str(), NearArgument(name).c_str());
  }
  // The others name values that the program makes: their tiles are read after the run.
  made_ = given.out.Left();
  if (options_.ranks > 0 && !made_.empty()) {
    Fail("--out: the entry has no argument %s; with --ranks, write ARGUMENT@RANK=FILE", made_.begin()->first.c_str());
  }
}

// Binds numbers; memory of ranks is bound once all of it is known.
void Session::BindRank(Options* given, int32_t rank) {
  const int32_t count = pto_program_arg_count(program(), entry_);
  for (int32_t i = 0; i < count; ++i) {
    const std::string name = pto_program_arg_name(program(), entry_, i);
    const std::string number = std::to_string(i);
    const std::string shape = given->shapes.Of(name, number, rank);
    const std::string integer = given->ints.Of(name, number, rank);
    const std::string real = given->floats.Of(name, number, rank);
    const std::string from = given->in.Of(name, number, rank);
    const pto_arg_kind kind = pto_program_arg_kind(program(), entry_, i);
    const bool memory = kind == PTO_ARG_TENSOR || kind == PTO_ARG_TILE;
    const bool peer = peers_.contains(name);
    const auto refuse = [&](const char* option, const std::string& text, bool fits) {
      if (!text.empty() && !fits) {
        Fail("%s %s: the argument takes something else%s", option, name.c_str(), TakesOf(kind, peer, name).c_str());
      }
    };
    refuse("--in", from, memory && !peer);
    refuse("--shape", shape, memory && !peer);
    // A number that the program leaves open is a float for the library, which takes an integer for it, too.
    refuse("--int", integer, kind == PTO_ARG_INT || kind == PTO_ARG_FLOAT);
    refuse("--float", real, kind == PTO_ARG_FLOAT);
    if (!integer.empty() || !real.empty()) {
      const NumberOf one{name, integer.empty() ? real : Number(integer, rank), !integer.empty()};
      if (rank >= 0) {
        numbers_[rank].push_back(one);
      } else {
        BindNumber(one.name, one.text, one.integer);
      }
    }
    if (!memory || peer) continue;
    Bound& bound = bound_[Key(name, rank)];
    bound.index = i;
    bound.rank = rank;
    bound.out = given->out.Of(name, number, rank);
    if (!Load(i, name, from, shape.empty() ? ShapeSpec{} : ParseShape(shape), &bound)) continue;
    bound.loaded = true;
    if (rank < 0) Attach(name, &bound);
  }
}

void Session::BindNumber(const std::string& name, const std::string& text, bool integer) {
  if (integer) {
    int64_t value = 0;
    if (!ParseInteger(text, &value)) Fail("--int %s=%s: is not a 64-bit integer", name.c_str(), text.c_str());
    Must(pto_program_bind_int(ctx(), program(), name.c_str(), value));
  } else {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0') Fail("--float %s=%s: is not a number", name.c_str(), text.c_str());
    // Decimal numbers are rounded once, to the type of the argument. Others are infinities, NaN and hexadecimal ones.
    const bool decimal = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
    Must(decimal ? pto_program_bind_decimal(ctx(), program(), name.c_str(), text.c_str())
                 : pto_program_bind_float(ctx(), program(), name.c_str(), value));
  }
}

void Session::Complete(int32_t index, const std::string& name, ShapeSpec* wish) const {
  const int32_t dtype = pto_program_arg_dtype(program(), entry_, index);
  if (!wish->has_shape) {
    const TileHandle tile(pto_program_arg_tile(ctx(), program(), entry_, index));
    if (tile == nullptr) Fail("%s: add --shape %s=RxC: its size is not known", name.c_str(), name.c_str());
    wish->shape = {pto_tile_valid_rows(tile.get()), pto_tile_valid_cols(tile.get())};
  }
  if (!wish->has_dtype && dtype < 0) {
    Fail("--shape %s: the program does not say the element type; add :dtype", name.c_str());
  }
  if (!wish->has_dtype) wish->dtype = static_cast<pto_dtype>(dtype);
  const double bytes = static_cast<double>(Array{wish->dtype, wish->shape, ""}.Count()) * pto_dtype_bytes(wish->dtype);
  if (bytes > static_cast<double>(kMaxFileBytes)) Fail("--shape %s: more than 8 GiB", name.c_str());
}

// The data of an argument; false: it has none, and the run will report that it is not bound.
bool Session::Load(int32_t index, const std::string& name, const std::string& from, ShapeSpec wish, Bound* bound) {
  const bool tensor = pto_program_arg_kind(program(), entry_, index) == PTO_ARG_TENSOR;
  const int32_t dtype = pto_program_arg_dtype(program(), entry_, index);
  if (IsMade(from)) {
    Complete(index, name, &wish);
    bound->array = Make(from, wish.dtype, wish.shape, name);
  } else if (!from.empty()) {
    // A picture, or the bits of bf16, is converted to the type in the program.
    if (!wish.has_dtype && dtype >= 0 && (HasSuffix(from, ".png") || BitsOf(static_cast<pto_dtype>(dtype)) != dtype)) {
      wish.has_dtype = true;
      wish.dtype = static_cast<pto_dtype>(dtype);
    }
    bound->from = from;
    bound->array = ReadArray(from, wish);
  } else if (const auto made = options_.arrays.find(name); made != options_.arrays.end()) {
    bound->array = made->second;
  } else {
    bound->result = !options_.zeros;
    if (wish.has_shape) {
      Complete(index, name, &wish);
      bound->array = Make("zeros", wish.dtype, wish.shape, name);
    } else if (tensor) {
      if (!bound->out.empty()) {
        Fail("--out %s: add --shape %s=RxC, since no --in gives its size", name.c_str(), name.c_str());
      }
      return false;
    }
  }
  return true;
}

void Session::Attach(const std::string& name, Bound* bound) {
  if (pto_program_arg_kind(program(), entry_, bound->index) == PTO_ARG_TENSOR) {
    BindTensor(name, bound);
  } else {
    BindTile(bound->index, name, bound);
  }
}

void Session::SetOutput(const std::string& name, const Bound& bound) {
  if (bound.result) Must(pto_program_set_output(ctx(), program(), name.c_str(), 1));
}

void Session::BindTensor(const std::string& name, Bound* bound) {
  std::vector<int64_t> shape = bound->array.shape;
  if (options_.flat) shape = {bound->array.Count()};
  const std::string source = Source(name, bound->from);
  if (shape.size() > 5) Fail("%s: has %zu dimensions where 5 are the most", source.c_str(), shape.size());
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = bound->array.dtype;
  desc.rank = static_cast<int32_t>(std::max<size_t>(shape.size(), 1));
  int64_t* const dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
  desc.dim0 = 1;
  for (size_t i = 0; i < shape.size(); ++i) *dims[i] = shape[i];
  const bool packed = IsPacked(desc.dtype);
  const bool placed = bound->place >= 0;
  bound->tensor.reset(placed   ? pto_world_tensor(ctx(), world_.get(), bound->rank, &desc, bound->place)
                      : packed ? pto_tensor_create(ctx(), &desc)
                               : pto_tensor_wrap(ctx(), &desc, bound->array.data.data(),
                                                 static_cast<int64_t>(bound->array.data.size())));
  if (bound->tensor == nullptr) Fail("%s: %s", source.c_str(), Reason(ctx()).c_str());
  if (packed || placed) {
    const std::string data = packed ? PackedData(bound->array) : bound->array.data;
    Must(pto_tensor_write(ctx(), bound->tensor.get(), data.data(), static_cast<int64_t>(data.size())));
  }
  Must(pto_program_bind_tensor(ctx(), program(), name.c_str(), bound->tensor.get()));
  SetOutput(name, *bound);
}

// A tile of the type that the program writes, or else as large as the data.
void Session::BindTile(int32_t index, const std::string& name, Bound* bound) {
  const bool data = !bound->array.data.empty() || !bound->array.shape.empty();
  const std::vector<int64_t> matrix = MatrixOf(bound->array.shape);
  const std::string source = Source(name, bound->from);
  bound->tile.reset(pto_program_arg_tile(ctx(), program(), entry_, index));
  if (bound->tile == nullptr) {
    if (!data) return;  // the program may make it
    pto_tile_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = bound->array.dtype;
    const int64_t line = IsHardware(static_cast<Profile>(pto_context_profile(ctx()))) ? 32 / pto_dtype_bytes(desc.dtype)
                         : IsPacked(desc.dtype)                                       ? 2
                                                                                      : 1;
    const int64_t cols = (matrix[1] + line - 1) / line * line;
    if (matrix[0] > INT32_MAX || cols > INT32_MAX) Fail("%s: is too large for a tile", source.c_str());
    desc.rows = static_cast<int32_t>(matrix[0]);
    desc.cols = static_cast<int32_t>(cols);
    desc.valid_rows = PTO_VALID_ALL;
    desc.valid_cols = PTO_VALID_ALL;
    bound->tile.reset(pto_tile_create_from(ctx(), &desc));
    if (bound->tile == nullptr) Fail("%s: %s", source.c_str(), Reason(ctx()).c_str());
  }
  if (data) {
    pto_tile* tile = bound->tile.get();
    if (bound->array.dtype != pto_tile_dtype(tile)) {
      Fail("%s: holds %s where the program declares %s", source.c_str(), pto_dtype_name(bound->array.dtype),
           pto_dtype_name(pto_tile_dtype(tile)));
    }
    if (matrix[0] > pto_tile_rows(tile) || matrix[1] > pto_tile_cols(tile)) {
      Fail("%s: has the shape %s where the tile has %dx%d", source.c_str(), ShapeText(bound->array.shape).c_str(),
           pto_tile_rows(tile), pto_tile_cols(tile));
    }
    Must(pto_tile_set_valid(ctx(), tile, static_cast<int32_t>(matrix[0]), static_cast<int32_t>(matrix[1])));
    const std::string data = IsPacked(bound->array.dtype) ? PackedData(bound->array) : bound->array.data;
    Must(pto_tile_write(ctx(), tile, data.data(), static_cast<int64_t>(data.size())));
  }
  Must(pto_program_bind_tile(ctx(), program(), name.c_str(), bound->tile.get()));
  SetOutput(name, *bound);
}

namespace {

// The array with what was read of a tile or a tensor.
Array Holding(Array array, std::string data) {
  if (IsPacked(array.dtype)) {
    SetPackedData(data, &array);
  } else {
    array.data = std::move(data);
  }
  return array;
}

}  // namespace

// The tiles that there are, after a name that none has.
std::string Session::TilesText() const {
  constexpr int32_t kMost = 8;
  const int32_t count = pto_program_tile_count(program());
  if (count == 0) return "; the run made no tile";
  std::string text = "; the tiles are";
  for (int32_t i = 0; i < std::min(count, kMost); ++i) {
    text += std::string(i == 0 ? " %" : ", %") + pto_program_tile_name(program(), i);
  }
  return text + (count > kMost ? " and " + std::to_string(count - kMost) + " more; --dump all prints them" : "");
}

Array Session::ReadTile(const std::string& name) const {
  const TileHandle tile(pto_program_tile(ctx(), program(), name.c_str()));
  if (tile == nullptr) Fail("%s%s", Reason(ctx()).c_str(), TilesText().c_str());
  return ReadTile(tile.get());
}

Array Session::ReadTile(pto_tile* tile) const {
  Array array;
  array.dtype = pto_tile_dtype(tile);
  array.shape = {pto_tile_valid_rows(tile), pto_tile_valid_cols(tile)};
  std::string data(static_cast<size_t>(pto_tile_valid_bytes(tile)), '\0');
  Must(pto_tile_read(ctx(), tile, data.data(), static_cast<int64_t>(data.size())));
  return Holding(std::move(array), std::move(data));
}

// A tensor has the array's memory, except for packed types and in windows.
Array Session::ReadTensor(const Bound& bound) const {
  if (!IsPacked(bound.array.dtype) && bound.place < 0) return bound.array;
  std::string data(static_cast<size_t>(pto_tensor_bytes(bound.tensor.get())), '\0');
  Must(pto_tensor_read(ctx(), bound.tensor.get(), data.data(), static_cast<int64_t>(data.size())));
  return Holding({bound.array.dtype, bound.array.shape, ""}, std::move(data));
}

void Session::TakeTargets(Targets* targets) const {
  const auto take = [&](const std::string& path) {
    NeedFormat(path);
    targets->Take(path);
  };
  for (const auto& [name, bound] : bound_) {
    if (!bound.out.empty() && Runs(bound.rank)) take(bound.out);
  }
  for (const auto& [name, path] : made_) take(path);
}

void Session::AddOutputs(Outputs* outputs) const {
  const auto add = [&](const std::string& path, const Array& array) { outputs->Add(path, FormatArray(path, array)); };
  for (const auto& [name, bound] : bound_) {
    if (bound.out.empty() || !Runs(bound.rank)) continue;
    add(bound.out, bound.tensor != nullptr ? ReadTensor(bound)
                   : options_.ranks > 0    ? ReadTile(bound.tile.get())
                                           : ReadTile(name));
  }
  for (const auto& [name, path] : made_) add(path, ReadTile(name));
}

void AddInOption(CLI::App* command, RunOptions* options) {
  command
      ->add_option("--in", options->in,
                   "NAME=FILE: an argument from a .npy or .png file, or made: zeros, iota, random:SEED")
      ->allow_extra_args(false);
}

void AddRunOptions(CLI::App* command, RunOptions* options) {
  command->add_option("--entry", options->entry, "The function to run");
  command->add_option("--profile", options->profile, "Whose rules apply; the default is the program's own, else cpu")
      ->transform(CLI::IsMember(ProfileWords(), CLI::ignore_case));
  command->add_option("--shape", options->shape, "NAME=RxC:DTYPE: shape and element type of an argument")
      ->allow_extra_args(false);
  command->add_option("--int", options->ints, "NAME=N: an integer argument")->allow_extra_args(false);
  command->add_option("--float", options->floats, "NAME=X: a floating-point argument")->allow_extra_args(false);
  command->add_flag("--flat", options->flat,
                    "Binds arrays as lists of elements, whatever shape the program gives them");
  AddInteger(command, "--ranks", &options->ranks, 1, 64,
             "Runs the program on a world of COUNT ranks; NAME@RANK=... is for one of them");
  command
      ->add_option("--peer", options->peers,
                   "NAME=ARRAY@RANK: binds a pointer to an array of another rank: a number, +N, -N or all")
      ->allow_extra_args(false);
  command->add_option("--schedule", options->schedule,
                      "random:SEED: ranks take turns in a random order; late-data: what tput sends arrives late");
  AddInteger(command, "--blocks", &options->blocks, 1, INT32_MAX, "How often the entry runs, as block 0, 1 ...");
  AddInteger(command, "--threads", &options->threads, 1, 1024, "How many blocks run at a time, at most");
  AddInteger(command, "--max-steps", &options->max_steps, 1,
             "Steps after which the run is ended: statements, and elements by the 64");
  command->add_option("--timeout", options->timeout, "Seconds after which the run is ended")
      ->check(CLI::Range(0.001, 1e9))
      ->check(NotNan);
  AddInteger(command, "--on-chip-limit", &options->on_chip_limit, 1,
             "Bytes of on-chip memory that each location has with cpu");
}

}  // namespace pto::cli

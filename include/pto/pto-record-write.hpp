// How a recording becomes a program. Include pto-record.hpp, which includes this file.
#ifndef PTO_PTO_RECORD_WRITE_HPP_
#define PTO_PTO_RECORD_WRITE_HPP_

#include "pto/pto-record.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// Elements that pto_dtype_bytes() bytes hold: two of a packed type.
inline int EachOf(pto_dtype dtype) { return pto_dtype_bits(dtype) < 8 ? 2 : 1; }

// The bits of element i as a number that constants of its type have: floats by their bits.
inline std::string NumberOf(const unsigned char* data, int64_t i, pto_dtype dtype) {
  uint64_t bits = 0;
  const int bytes = pto_dtype_bytes(dtype);
  const int each = EachOf(dtype);
  std::memcpy(&bits, data + i / each * bytes, static_cast<size_t>(bytes));
  if (each == 2) bits = bits >> i % 2 * 4 & 15;
  switch (dtype) {
    case PTO_DTYPE_I4:
      return std::to_string(static_cast<int>(bits ^ 8) - 8);
    case PTO_DTYPE_I8:
      return std::to_string(static_cast<int8_t>(bits));
    case PTO_DTYPE_I16:
      return std::to_string(static_cast<int16_t>(bits));
    case PTO_DTYPE_I32:
      return std::to_string(static_cast<int32_t>(bits));
    case PTO_DTYPE_I64:
      return std::to_string(static_cast<int64_t>(bits));
    case PTO_DTYPE_U8:
    case PTO_DTYPE_U16:
    case PTO_DTYPE_U32:
    case PTO_DTYPE_U64:
      return std::to_string(bits);
    default:
      return Say("0x%0*llX", 2 * bytes, static_cast<unsigned long long>(bits)).text;
  }
}

// Whether the lines of a tile do not follow each other: of a window, which programs have no type for.
inline bool HasGaps(const pto_tile* tile) {
  const int64_t dense = int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile) * pto_dtype_bits(pto_tile_dtype(tile)) / 8;
  return pto_tile_slayout(tile) == PTO_SLAYOUT_NONE_BOX && pto_tile_bytes(tile) > dense;
}

inline std::string TypeOf(const pto_tile* tile) {
  constexpr const char* kLocations[] = {"vec",  "mat",     "left",       "right",      "acc",
                                        "bias", "scaling", "scale_left", "scale_right"};
  constexpr const char* kOrders[] = {"none_box", "row_major", "col_major"};
  std::string type = Say("!pto.tile_buf<%s, %dx%dx%s", kLocations[pto_tile_location(tile)], pto_tile_rows(tile),
                         pto_tile_cols(tile), pto_dtype_name(pto_tile_dtype(tile)))
                         .text;
  if (pto_tile_valid_rows(tile) != pto_tile_rows(tile) || pto_tile_valid_cols(tile) != pto_tile_cols(tile)) {
    type += Say(", valid=%dx%d", pto_tile_valid_rows(tile), pto_tile_valid_cols(tile)).text;
  }
  if (pto_tile_blayout(tile) == PTO_BLAYOUT_COL_MAJOR) type += ", blayout=col_major";
  if (pto_tile_slayout(tile) != PTO_SLAYOUT_NONE_BOX) {
    type += Say(", slayout=%s, fractal=%d", kOrders[pto_tile_slayout(tile)], pto_tile_fractal(tile)).text;
  }
  if (pto_tile_pad(tile) == PTO_PAD_CUSTOM) {
    type += Say(", pad=%llu", static_cast<unsigned long long>((uint64_t{1} << 32) + pto_tile_pad_bits(tile))).text;
  } else if (pto_tile_pad(tile) != PTO_PAD_NULL) {
    type += Say(", pad=%d", static_cast<int>(pto_tile_pad(tile))).text;
  }
  if (pto_tile_compact(tile) != 0) type += Say(", compact=%d", static_cast<int>(pto_tile_compact(tile))).text;
  return type + ">";
}

// Null: programs have no name for it.
inline const char* LayoutName(pto_layout layout) {
  switch (layout) {
    case PTO_LAYOUT_ND:
      return "nd";
    case PTO_LAYOUT_DN:
      return "dn";
    case PTO_LAYOUT_NZ:
      return "nz";
    case PTO_LAYOUT_NC1HWC0:
      return "nc1hwc0";
    case PTO_LAYOUT_NDC1HWC0:
      return "ndc1hwc0";
    default:
      return nullptr;
  }
}

inline pto_tensor_desc DescOf(const pto_tensor* tensor) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = pto_tensor_dtype(tensor);
  desc.layout = pto_tensor_layout(tensor);
  desc.rank = 5;
  desc.strided = 1;
  int64_t* const dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
  int64_t* const strides[] = {&desc.stride0, &desc.stride1, &desc.stride2, &desc.stride3, &desc.stride4};
  for (int i = 0; i < 5; ++i) {
    *dims[i] = pto_tensor_dim(tensor, i);
    *strides[i] = pto_tensor_stride(tensor, i);
  }
  return desc;
}

// Bytes from the first element of a tensor to the end of the last one. With rows and columns, only the matrix at the
// origin counts that a transfer of this size moves.
inline int64_t SpanOf(const pto_tensor_desc& desc, int64_t rows, int64_t cols) {
  const int64_t dims[] = {desc.dim0, desc.dim1, desc.dim2, desc.dim3, desc.dim4};
  const int64_t strides[] = {desc.stride0, desc.stride1, desc.stride2, desc.stride3, desc.stride4};
  const unsigned row_dims = RowDims(static_cast<Layout>(desc.layout));
  int64_t last = 0;
  for (int i = 4; i >= 0; --i) {
    int64_t& left = (row_dims >> i & 1U) != 0 ? rows : cols;
    if (dims[i] == 0 || left == 0) return 0;
    last += (left < dims[i] ? left - 1 : dims[i] - 1) * strides[i];
    left = (left - 1) / dims[i] + 1;
  }
  return ((last + 1) * pto_dtype_bits(desc.dtype) + 7) / 8;
}

}  // namespace pto_detail

inline bool Recording::Begin() {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return false;
  if (pto_detail::follower != nullptr) return Refuse("a recording within a recording", "End the outer one first.");
  if (parts_.empty()) {
    profile_ = pto_context_profile(ctx);
    capacity_ = pto_context_capacity(ctx, PTO_LOCATION_VEC);
  } else if (pto_context_profile(ctx) != profile_) {
    return Refuse("a kernel under another profile than the one before it", "Record it by itself.");
  }
  pto_detail::follower = this;
  followed = ctx;
  pto_detail::context = nullptr;
  return true;
}

inline void Recording::End() {
  Forget();
  pto_detail::follower = nullptr;
  pto_detail::context = std::exchange(followed, nullptr);
}

// The kernel may have destroyed tiles, and other tiles may reuse their memory.
inline void Recording::Forget() {
  for (const auto& [tile, known] : tiles_) pto_tile_release(tile);
  tiles_.clear();
  on_chip_.clear();
  on_chip_shadow_.Clear();
  written_.clear();
}

inline const std::string& Recording::Constant(const std::string& type, const std::string& value) {
  std::string& name = constants_[{type, value}];
  if (name.empty()) {
    name = "%c" + std::to_string(constants_.size() - 1);
    head_ += "  " + name + " = arith.constant " + value + " : " + type + "\n";
  }
  return name;
}

// Where the memory of a location begins.
inline unsigned char* Recording::OnChip(pto_location location) {
  unsigned char*& first = on_chip_[location];
  if (first != nullptr) return first;
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_U8;
  desc.rows = 1;
  desc.cols = 32;
  desc.valid_rows = 1;
  desc.valid_cols = 32;
  desc.location = location;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile* const tile = pto_tile_create_from(followed, &desc);
  if (tile != nullptr && pto_tassign(followed, tile, 0) == PTO_OK) {
    first = static_cast<unsigned char*>(pto_tile_data(tile));
  }
  pto_tile_release(tile);
  return first;
}

// The statement that makes a tile; "" if there is no such statement.
inline std::string Recording::Definition(Known* tile, pto_location location) {
  const unsigned char* const first = OnChip(location);
  const auto address =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(tile->data) - reinterpret_cast<uintptr_t>(first));
  tile->placed = first != nullptr && tile->data >= first && address < pto_context_capacity(followed, location);
  if (tile->placed) return "pto.alloc_tile addr = " + Constant("i64", std::to_string(address)) + " : " + tile->type;
  const Known* same = nullptr;
  for (const auto& [handle, known] : tiles_) {
    if (known.data >= tile->data + tile->bytes || tile->data >= known.data + known.bytes) continue;
    if (known.data != tile->data || known.bytes != tile->bytes) return "";
    if (same == nullptr || known.name < same->name) same = &known;
  }
  if (same == nullptr) return "pto.alloc_tile : " + tile->type;
  return "pto.bind_tile " + same->name + " : " + same->type + " -> " + tile->type;
}

// What messages call a tile.
inline std::string Recording::Description(const Known& tile, const pto_tile* handle) {
  constexpr const char* kLocations[] = {"Vec",  "Mat",     "Left",      "Right",     "Acc",
                                        "Bias", "Scaling", "ScaleLeft", "ScaleRight"};
  std::string text = pto_detail::Say("the %s tile of %dx%d %s", kLocations[tile.location], pto_tile_rows(handle),
                                     pto_tile_cols(handle), pto_dtype_name(pto_tile_dtype(handle)))
                         .text;
  if (!tile.placed) return text;
  const auto address = reinterpret_cast<uintptr_t>(tile.data) - reinterpret_cast<uintptr_t>(OnChip(tile.location));
  return text + pto_detail::Say(" at 0x%llx", static_cast<unsigned long long>(address)).text;
}

inline Recording::Known Recording::Find(pto_tile* tile, bool passing) {
  Known next{"",
             "",
             pto_detail::TypeOf(tile),
             static_cast<unsigned char*>(pto_tile_data(tile)),
             pto_tile_bytes(tile),
             pto_tile_dtype(tile),
             pto_tile_location(tile),
             false};
  const auto found = tiles_.find(tile);
  // The instruction reports a tile without memory.
  if (next.data == nullptr) return next;
  if (found != tiles_.end() && found->second.data == next.data && found->second.type == next.type) return found->second;
  if (pto_detail::HasGaps(tile)) {
    refused_ = !Refuse("a window whose lines are apart, as TSUBVIEW makes it", "Use a tile of its own there.");
    return next;
  }
  next.made = Definition(&next, pto_tile_location(tile));
  if (next.made.empty()) {
    refused_ = !Refuse("a tile that shares some of another one's memory, which has no address",
                       "Give both tiles addresses by TASSIGN.");
    return next;
  }
  next.name = "%t" + std::to_string(names_++);
  described_[next.name] = Description(next, tile);
  Say(next.name + " = " + next.made);
  if (passing) {
    // Where it is nothing is known to be.
    pto_detail::Shadow nothing;
    Look(next, &nothing);
    return next;
  }
  // Its memory is not given to another tile while it is known.
  if (found == tiles_.end()) pto_tile_retain(tile);
  return tiles_[tile] = next;
}

// Elements that something else than an instruction wrote.
inline void Recording::Look(const Known& tile, pto_detail::Shadow* shadow) {
  const auto dtype = static_cast<pto_dtype>(tile.dtype);
  const std::string element_type = pto_dtype_name(dtype);
  const int bytes = pto_dtype_bytes(dtype);
  const int each = pto_detail::EachOf(dtype);
  std::vector<int64_t> before;
  bool all_fresh = true;
  const auto set = [&](int64_t i, const std::string& name) {
    return "pto.tsetval ins(" + Constant("index", std::to_string(i)) + ", " +
           Constant(element_type, pto_detail::NumberOf(tile.data, i, dtype)) + " : index, " + element_type + ") outs(" +
           name + " : " + tile.type + ")";
  };
  shadow->Look(tile.data, tile.bytes, bytes, [&](int64_t i, bool fresh) {
    constexpr unsigned char kZero[8] = {};
    all_fresh &= fresh;
    if (fresh && std::memcmp(tile.data + i * bytes, kZero, static_cast<size_t>(bytes)) == 0) return;
    for (int64_t element = i * each; element < (i + 1) * each; ++element) {
      if (fresh && tile.placed) {
        before.push_back(element);
      } else {
        Say(set(element, tile.name));
      }
    }
  });
  if (before.empty()) return;
  // The initial contents are loaded before everything else: it is unknown what wrote them, and in which order.
  std::string& first = Now().first;
  if (all_fresh && (tile.location == PTO_LOCATION_VEC || tile.location == PTO_LOCATION_MAT)) {
    first += Load(tile);
    return;
  }
  const std::string name = tile.name + "_before";
  first += "  " + name + " = " + tile.made + "\n";
  for (const int64_t i : before) first += "  " + set(i, name) + "\n";
}

// Brings all bytes of a tile at an address.
inline std::string Recording::Load(const Known& tile) {
  kept_.emplace_back(tile.data, tile.data + tile.bytes);
  unsigned char* const data = kept_.back().data();
  global_shadow_.Take(data, tile.bytes);
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_U8;
  desc.rank = 5;
  desc.strided = 1;
  desc.dim0 = desc.dim1 = desc.dim2 = desc.dim3 = 1;
  desc.dim4 = tile.bytes;
  desc.stride4 = 1;
  tensors_.push_back({data, desc, tile.bytes, tile.bytes});
  Define(tensors_.back());
  const std::string name = tile.name + "_before";
  const std::string view = "%g" + std::to_string(tensors_.size() - 1);
  const std::string type =
      pto_detail::Say("!pto.tile_buf<%s, 1x%lldxu8>", tile.location == PTO_LOCATION_VEC ? "vec" : "mat",
                      static_cast<long long>(tile.bytes))
          .text;
  return "  " + name + " = " + tile.made.substr(0, tile.made.find(" : ")) + " : " + type + "\n  pto.tload ins(" + view +
         " : " + TypeOf(tensors_.back()) + ") outs(" + name + " : " + type + ")\n";
}

inline size_t Recording::Find(pto_tensor* tensor, const pto_tile* window) {
  constexpr int64_t kAll = int64_t{1} << 40;
  Tensor next{static_cast<unsigned char*>(pto_tensor_data(tensor)), pto_detail::DescOf(tensor), 0, 0};
  next.bytes = pto_detail::SpanOf(next.desc, kAll, kAll);
  next.looked = window == nullptr
                    ? next.bytes
                    : pto_detail::SpanOf(next.desc, pto_tile_valid_rows(window), pto_tile_valid_cols(window));
  size_t i = tensors_.size();
  while (i > 0 &&
         (tensors_[i - 1].data != next.data || std::memcmp(&tensors_[i - 1].desc, &next.desc, sizeof next.desc) != 0)) {
    --i;
  }
  if (i == 0) {
    tensors_.push_back(next);
    Define(tensors_.back());
    return tensors_.size() - 1;
  }
  tensors_[i - 1].looked = next.looked;
  return i - 1;
}

inline void Recording::Look(size_t tensor) {
  const Tensor& one = tensors_[tensor];
  const int bytes = pto_dtype_bytes(one.desc.dtype);
  global_shadow_.Look(one.data, one.looked, bytes, [&](int64_t i, bool fresh) {
    if (fresh) return;  // an input
    const std::string type = pto_dtype_name(one.desc.dtype);
    const int each = pto_detail::EachOf(one.desc.dtype);
    for (int64_t element = i * each; element < (i + 1) * each; ++element) {
      Say("pto.store_scalar " + Constant(type, pto_detail::NumberOf(one.data, element, one.desc.dtype)) + ", %p" +
          std::to_string(tensor) + "[" + Constant("index", std::to_string(element)) + "] : !pto.ptr<" + type + ">, " +
          type);
    }
  });
}

// Defines what statements know a tensor by: the argument is a pointer. Of a layout that programs do not name it is the
// view itself.
inline void Recording::Define(const Tensor& tensor) {
  const std::string number = std::to_string(&tensor - tensors_.data());
  const std::string element = pto_dtype_name(tensor.desc.dtype);
  const char* const layout = pto_detail::LayoutName(tensor.desc.layout);
  const pto_tensor_desc& d = tensor.desc;
  described_["%p" + number] = described_["%g" + number] = "the GlobalTensor of " + SizeOf(d) + " " + element;
  if (layout == nullptr) {
    head_ += "  %p" + number + " = pto.tensor_view_addr %g" + number + " : " + TypeOf(tensor) + " -> !pto.ptr<" +
             element + ">\n";
    return;
  }
  std::string shape;
  std::string strides;
  for (const int64_t n : {d.dim0, d.dim1, d.dim2, d.dim3, d.dim4}) {
    shape += (shape.empty() ? "" : ", ") + Constant("index", std::to_string(n));
  }
  for (const int64_t n : {d.stride0, d.stride1, d.stride2, d.stride3, d.stride4}) {
    strides += (strides.empty() ? "" : ", ") + Constant("index", std::to_string(n));
  }
  head_ += "  %g" + number + " = pto.make_tensor_view %p" + number + ", shape = [" + shape + "], strides = [" +
           strides + "] {layout = #pto.layout<" + layout + ">} : " + TypeOf(tensor) + "\n";
}

// "8x16": without dimensions of 1 before it.
inline std::string Recording::SizeOf(const pto_tensor_desc& d) {
  std::string text;
  for (const int64_t dim : {d.dim0, d.dim1, d.dim2, d.dim3, d.dim4}) {
    if (!text.empty() || dim != 1) text += (text.empty() ? "" : "x") + std::to_string(dim);
  }
  return text.empty() ? "1" : text;
}

inline std::string Recording::TypeOf(const Tensor& tensor) {
  const pto_tensor_desc& d = tensor.desc;
  std::string type = "!pto.tensor_view<";
  for (const int64_t dim : {d.dim0, d.dim1, d.dim2, d.dim3, d.dim4}) type += std::to_string(dim) + "x";
  return type + pto_dtype_name(d.dtype) + ">";
}

inline bool Recording::Before(void (*function)(), uint32_t flags, const Given* operands, int count) {
  const pto_detail::Spelling* const op = pto_detail::SpellingOf(function);
  if (op == nullptr) return Refuse("an instruction that programs do not have", "Record the kernel without it.");
  site_ = places_.Now();
  mnemonics_.insert(op->name);
  if (pto_context_profile(followed) != profile_) {
    return Refuse("a kernel that changes its profile", "Call SetProfile() before the recording begins.");
  }
  if (blocks_ != 0 && Now().block < 0) {
    return Refuse("an instruction outside the Launch() that is recorded", "Record the launch alone.");
  }
  const pto_tile* window = nullptr;
  int tiles = 0;
  for (int i = 0; i < count; ++i) {
    if (operands[i].kind != Given::Kind::kTile) continue;
    window = operands[i].tile;
    ++tiles;
  }
  // Transfers move as much as the tile has.
  if (tiles != 1) window = nullptr;
  std::vector<std::pair<std::string, std::string>> names(static_cast<size_t>(count));
  written_.clear();
  for (int i = 0; i < count; ++i) {
    const Given& given = operands[i];
    auto& [name, type] = names[static_cast<size_t>(i)];
    if (given.kind == Given::Kind::kTile) {
      if (given.tile == nullptr) continue;
      const Known tile = Find(given.tile, given.passing);
      name = tile.name;
      type = tile.type;
      if (tile.data == nullptr) continue;
      if (!given.passing) Look(tile, &on_chip_shadow_);
      // Scratch follows the operands that are read. It is also written.
      if (!given.passing) written_.emplace_back(tile.data, tile.bytes);
    } else if (given.kind == Given::Kind::kTensor) {
      if (given.tensor == nullptr) continue;
      const size_t tensor = Find(given.tensor, window);
      Look(tensor);
      name = "%g" + std::to_string(tensor);
      type = TypeOf(tensors_[tensor]);
      if (i < op->outs) written_.emplace_back(tensors_[tensor].data, -tensors_[tensor].looked);
    } else if (given.kind == Given::Kind::kScalar) {
      name = pto_detail::Say("0x%llX", static_cast<unsigned long long>(given.bits)).text;
      type = "dtype";
    } else {
      name = std::to_string(static_cast<int64_t>(given.bits));
      type = "index";
    }
  }
  if (std::exchange(refused_, false)) return false;
  // Programs need one bit of the control word: whether sums saturate. The rounding of factors is an operand.
  if (const bool saturates = pto_detail::Saturates() != 0; saturates != saturates_) {
    saturates_ = saturates;
    const uint64_t word = saturates ? 0 : pto_detail::kControlIeee;
    Say("pto.set_ctrl " + Constant("i64", std::to_string(word)) + " : i64");
  }
  Say(Statement(*op, flags, operands, count, names));
  return true;
}

inline std::string Recording::Statement(const pto_detail::Spelling& op, uint32_t flags, const Given* operands,
                                        int count,
                                        const std::vector<std::pair<std::string, std::string>>& names) const {
  std::string read;
  std::string read_types;
  size_t sources = 0;
  uint64_t spelled = 0;  // operands that are not modes
  for (const char* in = op.ins; *in != '\0'; ++in) {
    const auto i = static_cast<size_t>(*in - 'a');
    spelled |= uint64_t{1} << i;
    if (names[i].first.empty()) continue;
    read += (sources++ == 0 ? "" : ", ") + names[i].first;
    read_types += (sources == 1 ? "" : ", ") + names[i].second;
  }
  std::string written;
  std::string written_types;
  for (size_t i = 0; i < static_cast<size_t>(op.outs); ++i) {
    written += (i == 0 ? "" : ", ") + names[i].first;
    written_types += (i == 0 ? "" : ", ") + names[i].second;
  }
  std::string attributes;
  std::string_view modes = op.modes;
  for (int i = op.outs; i < count; ++i) {
    if (operands[i].kind != Given::Kind::kNumber || (spelled >> i & 1) != 0) continue;
    // "cmpMode,EQ,NE ..."
    const std::string_view mode = modes.substr(0, modes.find(' '));
    modes.remove_prefix(std::min(modes.size(), mode.size() + 1));
    std::string_view value = mode;
    for (uint64_t skip = 0; skip <= operands[i].bits && !value.empty(); ++skip) {
      const size_t comma = value.find(',');
      value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
    }
    value = value.substr(0, value.find(','));
    // The instruction itself reports a value that the mode does not have.
    if (value.empty()) continue;
    attributes += (attributes.empty() ? " {" : ", ") + std::string(mode.substr(0, mode.find(','))) + " = ";
    attributes += value;
  }
  // The rest is an attribute with one value.
  if (const size_t comma = modes.find(',');
      comma != std::string_view::npos && modes.find(',', comma + 1) == std::string_view::npos) {
    attributes += std::string(attributes.empty() ? " {" : ", ") + std::string(modes.substr(0, comma)) + " = " +
                  std::string(modes.substr(comma + 1));
  }
  if ((flags & PTO_HIGH_PRECISION) != 0) {
    attributes += std::string(attributes.empty() ? " {" : ", ") + "precision_mode = HIGH_PRECISION";
  }
  if (pipe != nullptr) attributes += std::string(attributes.empty() ? " {" : ", ") + "libpto.pipe = PIPE_" + pipe;
  if (!attributes.empty()) attributes += "}";
  std::string text = std::string("pto.") + op.name;
  if (sources != 0) text += " ins(" + read + " : " + read_types + ")";
  return text + " outs(" + written + " : " + written_types + ")" + attributes;
}

inline void Recording::After() {
  for (const auto& [data, bytes] : written_) {
    bytes < 0 ? global_shadow_.Take(data, -bytes) : on_chip_shadow_.Take(data, bytes);
  }
}

inline void Recording::Flag(const char* statement, int from, int to, int id) {
  constexpr const char* kPipes[] = {"PIPE_S",    "PIPE_V", "PIPE_MTE1", "PIPE_MTE2",
                                    "PIPE_MTE3", "PIPE_M", "PIPE_ALL",  "PIPE_FIX"};
  site_ = places_.Now();
  // First the writes of the kernel.
  if (from == PIPE_S || from == PIPE_ALL) LookAtAll();
  if (to < 0) return Say(pto_detail::Say("pto.%s <%s>", statement, kPipes[from]).text);
  Say(pto_detail::Say("pto.%s[<%s>, <%s>, <EVENT_ID%d>]", statement, kPipes[from], kPipes[to], id).text);
}

inline void Recording::LookAtAll() {
  std::vector<const Known*> all;
  for (const auto& [tile, known] : tiles_) all.push_back(&known);
  std::sort(all.begin(), all.end(), [](const Known* a, const Known* b) { return a->name < b->name; });
  for (const Known* tile : all) Look(*tile, &on_chip_shadow_);
  for (size_t i = 0; i < tensors_.size(); ++i) Look(i);
}

inline void Recording::Block(int64_t block, int64_t blocks) {
  Forget();
  if (block < 0) {
    parts_.push_back({-1, "", "", {}});
    return;
  }
  // The first of a launch.
  if (parts_.empty() || Now().block < 0) {
    if (!parts_.empty() || blocks_ != 0) {
      Refuse("a Launch() beside what was recorded before", "Record the launch by itself.");
      return;
    }
  }
  blocks_ = blocks;
  saturates_ = false;  // as each block begins
  parts_.push_back({block, "", "", {}});
}

inline std::string Recording::ArgumentOf(size_t tensor) const {
  return (pto_detail::LayoutName(tensors_[tensor].desc.layout) == nullptr ? "%g" : "%p") + std::to_string(tensor);
}

// Makes text and program of what is recorded.
inline void Recording::Finish() {
  if (!text_.empty()) return;
  std::string body;
  own_.clear();
  origins_.clear();
  for (const Part& part : parts_) {
    if (part.first.empty() && part.body.empty()) continue;
    const std::string is = "%is" + std::to_string(part.block);
    if (part.block >= 0) {
      body += "  " + is + " = arith.cmpi eq, %block, " + Constant("i64", std::to_string(part.block)) +
              " : i64\n  scf.if " + is + " {\n";
    }
    body += part.first;
    if (!part.first.empty()) {
      own_.push_back(LinesOf(body));
      body += "  pto.barrier <PIPE_ALL>\n";
    }
    int line = LinesOf(body);
    for (const auto& [statement, site] : part.origins) origins_[line++] = {statement, site, part.block};
    body += part.body;
    if (part.block >= 0) body += "  }\n";
  }
  // Without one, a program runs under any profile.
  const std::string arch = profile_ == PTO_PROFILE_CPU ? std::string()
                                                       : std::string(" attributes {pto.target_arch = \"") +
                                                             pto_detail::ArchOf(profile_) + "\"}";
  text_ = "module" + arch + " {\nfunc.func @kernel(";
  memory_.Clear();
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const bool view = pto_detail::LayoutName(tensors_[i].desc.layout) == nullptr;
    text_ += (i == 0 ? "" : ", ") + ArgumentOf(i) + ": " +
             (view ? TypeOf(tensors_[i]) : std::string("!pto.ptr<") + pto_dtype_name(tensors_[i].desc.dtype) + ">");
    memory_.Add(tensors_[i].data, tensors_[i].bytes);
  }
  text_ += ") attributes {pto.entry} {\n" + head_;
  if (blocks_ != 0) text_ += "  %block = pto.get_block_idx\n";
  const int above = LinesOf(text_) + 1;
  for (int& line : own_) line += above;
  for (auto& [line, origin] : std::exchange(origins_, {})) origins_.emplace_hint(origins_.end(), line + above, origin);
  text_ += body + "  return\n}\n}\n";
  Parse();
}

inline void Recording::Parse() {
  pto_context* const now = CurrentContext();
  pto_program_release(std::exchange(program_, nullptr));
  pto_context_release(ctx_);
  ctx_ = now == nullptr ? nullptr : pto_context_create_for(profile_, pto_context_target(now));
  if (ctx_ == nullptr || !memory_.Make()) {
    pto_detail::Raise(PTO_ERROR_MEMORY, "memory", "", "no memory for the recorded program", "Record less.");
    return;
  }
  pto_detail::Limit(ctx_, capacity_);
  program_ = pto_program_parse(ctx_, text_.data(), static_cast<int64_t>(text_.size()), "kernel");
  bool good = program_ != nullptr;
  for (size_t i = 0; i < tensors_.size() && good; ++i) {
    pto_tensor* const tensor =
        pto_tensor_wrap(ctx_, &tensors_[i].desc, memory_.Find(tensors_[i].data), tensors_[i].bytes);
    good = tensor != nullptr && pto_program_bind_tensor(ctx_, program_, &ArgumentOf(i)[1], tensor) == PTO_OK;
    pto_tensor_release(tensor);
  }
  if (good && blocks_ != 0) good = pto_program_set_blocks(ctx_, program_, static_cast<int32_t>(blocks_)) == PTO_OK;
  if (!good) pto_detail::RaiseFrom(ctx_);
}

// The diagnostics of the program have its findings.
inline pto_status Recording::Run(pto_record what, int64_t max_bytes, bool sync) {
  Finish();
  if (program_ == nullptr) return PTO_ERROR_MEMORY;
  memory_.Reset(
      [this](uintptr_t begin, size_t bytes, unsigned char* to) { global_shadow_.CopyFirst(begin, bytes, to); });
  if (pto_program_record(ctx_, program_, what, max_bytes) != PTO_OK ||
      pto_program_set_sync(ctx_, program_, sync) != PTO_OK) {
    pto_detail::RaiseFrom(ctx_);
  }
  const pto_status status = pto_program_run(ctx_, program_, nullptr);
  if (status != PTO_OK && pto_program_diagnostic_count(program_) == 0) pto_detail::RaiseFrom(ctx_);
  return status;
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_RECORD_WRITE_HPP_

// Types, attributes and operands as text.
#include <algorithm>
#include <iterator>

#include "src/ptoas/read/lexer.h"
#include "src/ptoas/read/print_impl.h"
#include "src/ptoas/read/printer.h"

namespace pto::ptoas {

std::string ToString(const Type* type, Spelling form) { return Printer(form, false).TypeText(type); }

void Printer::Dims(const Type& type) {
  for (int i = 0; i < type.rank; ++i) {
    out_ += type.dims[i] == kDynamic ? "?" : std::to_string(type.dims[i]);
    out_ += 'x';
  }
  out_ += Info(type.elem).name;
}

void Printer::Memref(const Type& type, const char* space) {
  out_ += "memref<";
  Dims(type);
  out_ += ", strided<[";
  for (int i = 0; i < type.rank; ++i) out_ += (i == 0 ? "" : ", ") + std::to_string(type.strides[i]);
  out_ += ']';
  if (type.offset != 0) out_ += ", offset: " + (type.offset == kDynamic ? "?" : std::to_string(type.offset));
  out_ += std::string(">, #pto.address_space<") + space + ">>";
}

void Printer::TileType(const Type& type) {
  out_ += "!pto.tile_buf<";
  out_ += NameOf(type.loc);
  out_ += ", ";
  Dims(type);
  // The fields that differ from the defaults.
  if (type.valid_row != type.rows() || type.valid_col != type.cols()) {
    const auto extent = [](int64_t n) { return n == kDynamic ? std::string("?") : std::to_string(n); };
    out_ += ", valid=" + extent(type.valid_row) + 'x' + extent(type.valid_col);
  }
  if (type.blayout != BLayout::kRowMajor) out_ += std::string(", blayout=") + NameOf(type.blayout);
  if (type.slayout != SLayout::kNoneBox) out_ += std::string(", slayout=") + NameOf(type.slayout);
  if (type.fractal != 512) out_ += ", fractal=" + std::to_string(type.fractal);
  if (type.custom_pad) {
    out_ += ", pad=" + std::to_string(kCustomPad | type.pad_bits);
  } else if (type.pad != 0) {
    out_ += ", pad=" + std::to_string(type.pad);
  }
  if (type.compact != 0) out_ += ", compact=" + std::to_string(type.compact);
  out_ += '>';
}

void Printer::PrintType(const Type* type) {
  if (type == nullptr) {
    out_ += '?';
    return;
  }
  const auto shaped = [&](const char* name) {
    out_ += name;
    out_ += '<';
    Dims(*type);
    out_ += '>';
  };
  switch (type->kind) {
    case TypeKind::kScalar:
      out_ += Info(type->elem).name;
      return;
    case TypeKind::kAnyScalar:
      out_ += "dtype";
      return;
    case TypeKind::kAnyTile:
      out_ += form_ == Spelling::kDps ? "!pto.tile_buf<...>" : "!pto.tile<...>";
      return;
    case TypeKind::kAnyView:
      out_ += "!pto.partition_tensor_view<...>";
      return;
    case TypeKind::kTile:
      return type->strided ? Memref(*type, NameOf(type->loc)) : TileType(*type);
    case TypeKind::kMultiTile:
      out_ += "!pto.multi_tile_buf<";
      TileType(*type);
      out_ += ", count=" + std::to_string(type->count) + '>';
      return;
    case TypeKind::kPtr:
      out_ += type->LanesAt() == 0 ? "!pto.ptr<" : "!pto.ptr<vector<";
      Dims(*type);
      if (type->LanesAt() != 0) out_ += '>';
      if (type->local) out_ += std::string(", ") + NameOf(type->loc);
      out_ += '>';
      return;
    case TypeKind::kTensorView:
      if (type->strided) return Memref(*type, "gm");
      return shaped("!pto.tensor_view");
    case TypeKind::kPartitionView:
      return shaped("!pto.partition_tensor_view");
    case TypeKind::kVector:
      return shaped("vector");
    case TypeKind::kLocalArray:
      return shaped("!pto.local_array");
    case TypeKind::kPrefetch:
      out_ += "!pto.prefetch_async_context";
      return;
    case TypeKind::kNone:
      out_ += "none";
      return;
    case TypeKind::kPipe:
      out_ += "!pto.pipe";
      return;
    case TypeKind::kAsyncSession:
      out_ += "!pto.async_session";
      return;
    case TypeKind::kAsyncEvent:
      out_ += "!pto.async_event";
      return;
    case TypeKind::kEvent:
      out_ += "!pto.event";
      return;
    case TypeKind::kVreg:
      return shaped("!pto.vreg");
    case TypeKind::kMask:
      out_ += "!pto.mask";
      if (type->dims[0] != 0) out_ += "<b" + std::to_string(type->dims[0]) + '>';
      return;
    case TypeKind::kAlign:
      out_ += "!pto.align";
      return;
    case TypeKind::kEventIdArray:
      out_ += "!pto.eventid_array<" + std::to_string(type->dims[0]) + '>';
      return;
    case TypeKind::kOpaque:
      out_ += type->text;
      return;
  }
}

void Printer::Types(std::span<const Type* const> types) {
  const char* comma = "";
  for (const Type* type : types) {
    out_ += comma;
    comma = ", ";
    PrintType(type);
  }
}

void Printer::ResultTypes(std::span<const Type* const> types) {
  if (types.size() == 1) return PrintType(types[0]);
  out_ += '(';
  Types(types);
  out_ += ')';
}

// A name that is not a plain identifier is quoted.
void Printer::Symbol(std::string_view name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return Is(c, kValueBit); });
  out_ += plain ? "@" : "@\"";
  out_ += name;
  if (!plain) out_ += '"';
}

void Printer::Word(std::string_view text) {
  const bool plain = !text.empty() && Is(text[0], kLetterBit) &&
                     std::all_of(text.begin(), text.end(), [](char c) { return Is(c, kIdentBit); });
  if (!plain) out_ += '"';
  out_ += text;
  if (!plain) out_ += '"';
}

// The part between the angles of an attribute: a word, an integer, or entries.
void Printer::PtoValue(const Attr& attr) {
  const char* comma = "";
  for (const NamedAttr& entry : attr.dict) {
    out_ += comma;
    comma = ", ";
    Word(entry.name);
    out_ += '=';
    PrintAttr(*entry.value);
  }
  if (!attr.dict.empty()) return;
  const std::string_view digits = attr.text.substr(attr.text.starts_with('-'));
  const bool integer = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  if (!integer) return Word(attr.text);
  out_ += attr.text;
}

void Printer::PrintDict(Dict dict) {
  out_ += '{';
  const char* comma = "";
  for (const NamedAttr& entry : dict) {
    out_ += comma;
    comma = ", ";
    Word(entry.name);
    if (entry.value == nullptr) continue;
    out_ += " = ";
    PrintAttr(*entry.value);
  }
  out_ += '}';
}

void Printer::PrintAttr(const Attr& attr) {
  // Kinds that are written #pto<kind value>; the others are #pto.kind<value>.
  static constexpr std::string_view kSpaced[] = {
      "cmp",        "round_mode",        "saturation_mode", "st_phase",   "atomic_type",    "relu_pre_mode",
      "gather_oob", "scatter_atomic_op", "scatter_oob",     "quant_type", "precision_mode",
  };
  switch (attr.kind) {
    case AttrKind::kInt:
    case AttrKind::kFloat:
    case AttrKind::kBool:
    case AttrKind::kName:
      out_ += attr.text;
      break;
    case AttrKind::kString:
      out_ += '"';
      out_ += attr.text;
      out_ += '"';
      break;
    case AttrKind::kSymbol:
      Symbol(attr.text);
      break;
    case AttrKind::kPto: {
      if (attr.name.empty()) {
        out_ += '<';
        PtoValue(attr);
        out_ += '>';
        return;
      }
      if (std::find(std::begin(kSpaced), std::end(kSpaced), attr.name) != std::end(kSpaced) && attr.dict.empty()) {
        out_ += "#pto<";
        out_ += attr.name;
        if (!attr.text.empty()) {
          out_ += ' ';
          PtoValue(attr);
        }
        out_ += '>';
        return;
      }
      out_ += "#pto.";
      out_ += attr.name;
      if (attr.text.empty() && attr.dict.empty()) return;
      out_ += '<';
      PtoValue(attr);
      out_ += '>';
      return;
    }
    case AttrKind::kArray: {
      if (attr.name == "function") {
        const auto args = static_cast<size_t>(attr.integer);
        const auto list = [&](std::span<const Attr* const> items) {
          out_ += '(';
          const char* before = "";
          for (const Attr* item : items) {
            out_ += before;
            before = ", ";
            PrintType(item->type);
          }
          out_ += ')';
        };
        list(attr.items.first(args));
        out_ += " -> ";
        return list(attr.items.subspan(args));
      }
      const bool typed = attr.name == "array";
      if (typed) {
        out_ += "array<";
        PrintType(attr.type);
        if (!attr.items.empty()) out_ += ": ";
      } else {
        out_ += attr.name.empty() ? "[" : "dense<";
      }
      const char* comma = "";
      for (const Attr* item : attr.items) {
        out_ += comma;
        comma = ", ";
        PrintAttr(*item);
      }
      out_ += attr.name.empty() ? "]" : ">";
      if (typed) return;
      break;
    }
    case AttrKind::kDict:
      return PrintDict(attr.dict);
    case AttrKind::kType:
      return PrintType(attr.type);
  }
  if (attr.type != nullptr) {
    out_ += " : ";
    PrintType(attr.type);
  }
}

void Printer::PrintOperand(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kValue:
      out_ += '%';
      out_ += operand.name;
      if (operand.index != 0 || (operand.value != nullptr && operand.value->pack > 1)) {
        out_ += '#' + std::to_string(operand.index);
      }
      if (operand.indices.empty()) return;
      out_ += '[';
      Operands(operand.indices);
      out_ += ']';
      return;
    case OperandKind::kLiteral:
      return PrintAttr(*operand.literal);
    case OperandKind::kAddress:
      Symbol(operand.name);
      out_ += '(';
      out_ += operand.literal->text;
      out_ += ')';
      return;
  }
}

void Printer::Operands(std::span<const Operand> operands) {
  const char* comma = "";
  for (const Operand& operand : operands) {
    out_ += comma;
    comma = ", ";
    PrintOperand(operand);
  }
}

void Printer::OperandTypes(std::span<const Operand> operands) {
  const char* comma = "";
  for (const Operand& operand : operands) {
    if (IsString(operand)) continue;
    out_ += comma;
    comma = ", ";
    PrintType(operand.type);
  }
}

}  // namespace pto::ptoas

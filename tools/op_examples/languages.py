"""An example in C, C++, PTO-AS and Python, from its record."""
import re

import numpy as np

from records import Tensor, Tile

C_TYPES = {"i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t", "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t", "u64": "uint64_t",
           "f16": "uint16_t", "bf16": "uint16_t", "f32": "float", "e4m3": "uint8_t", "e8m0": "uint8_t"}
CPP_TYPES = {**C_TYPES, "f16": "half", "bf16": "bfloat16_t", "e4m3": "float8_e4m3_t", "e8m0": "float8_e8m0_t"}
TEXT_TYPES = {"u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64", "e4m3": "f8E4M3FN", "e8m0": "f8E8M0FNU"}
NUMPY_TYPES = {"i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64",
               "u64": "uint64", "f16": "float16", "f32": "float32"}
# Layouts: the order of the boxes, and the order of the elements inside.
BOXES = {"nz": ("COL", "ROW"), "zn": ("ROW", "COL"), "zz": ("ROW", "ROW"), "nn": ("COL", "COL"), "col": ("COL", None)}
# Attributes that the PTO-AS form must have.
NEEDED = {"tquant": "quant_type = #pto<quant_type INT8_SYM>", "tquant_asym": "quant_type = #pto<quant_type INT8_ASYM>"}
WIDTH = 88
CPP_TILES = {"left": "TileLeft", "right": "TileRight", "acc": "TileAcc", "scale_left": "TileLeftScale", "scale_right": "TileRightScale"}


def code_of(value, dtype):
    """The bits of a number as a float of a byte."""
    if np.isnan(value):
        return {"e8m0": 255, "e4m3": 127}[dtype]
    if np.signbit(value):
        return code_of(-value, dtype) | 128
    codes = {"e8m0": lambda c: 2.0 ** (c - 127), "e4m3": lambda c: (c & 7) / 8 * 2.0 ** -6 if c < 8 else (1 + (c & 7) / 8) * 2.0 ** ((c >> 3) - 7)}[dtype]
    return next(c for c in range(127 if dtype == "e4m3" else 255) if codes(c) == value)


def decoded(codes, dtype):
    """The numbers of a tile's bits as NumPy has them."""
    if dtype in NUMPY_TYPES:
        return codes
    table = np.empty(256)
    for c in range(256):
        if dtype == "e8m0":
            table[c] = np.nan if c == 255 else 2.0 ** (c - 127)
        else:
            m = c & 127
            size = np.nan if m == 127 else (m & 7) / 8 * 2.0 ** -6 if m < 8 else (1 + (m & 7) / 8) * 2.0 ** ((m >> 3) - 7)
            table[c] = -size if c > 127 else size
    return table[codes.view(np.uint8)]


def number(value, dtype="f32"):
    if dtype[0] in "iu":
        return "%d" % value if abs(int(value)) < 2 ** 31 else "0x%XU" % value if int(value) < 2 ** 32 else "0x%XULL" % value
    return "-0.0" if value == 0 and np.signbit(value) else "%.9g" % value


def nested(values, dtype, left="{", right="}", write=number):
    if values.ndim == 1:
        return left + ", ".join(write(x, dtype) for x in values) + right
    return left + ", ".join(nested(row, dtype, left, right, write) for row in values) + right


def wrapped(head, text, indent):
    """A long line as several, which fit a page of the site; an assignment is not cut at its sign."""
    lines, (line, *words) = [], text.replace(" = ", "\0=\0").split(" ")
    line = head + line
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = " " * indent + word
        else:
            line += " " + word
    return "\n".join(lines + [line]).replace("\0", " ")


class Example:
    def __init__(self, name, record, prototype, usual, assembly, keys):
        self.name, self.record, self.keys = name, record, keys
        self.operands = record["operands"]
        self.prototype, self.usual = prototype, usual  # operands of C in order: (kind, name); the usual value of a mode
        self.mnemonic, self.sources = assembly
        self.outputs = [n for kind, n in prototype if kind in ("pto_tile *", "pto_tensor *") and n in self.operands and n != "tmp"]
        # Sources first, as a reader wants them.
        self.tiles = sorted((n for _, n in prototype if isinstance(self.operands.get(n), Tile)), key=lambda n: n in self.outputs)
        unknown = set(self.operands) - {n for _, n in prototype}
        assert not unknown, (name, unknown)

    def inputs(self):
        return [n for n in self.tiles if self.operands[n].given is not None]

    @staticmethod
    def loop(spec, space, form, value):
        """Prints the elements of a tensor, in C and C++."""
        end = '(i + 1) % {} == 0 ? "\\n" : " "'.format(spec.shape[-1])
        return '  for (int i = 0; i < %d; ++i) %sprintf("%s%%s", %s, %s);' % (np.prod(spec.shape), space, form, value, end)

    # ---- C ----
    def c_call(self):
        values = ["ctx"]
        for kind, name in self.prototype:
            value = self.operands.get(name)
            if kind == "pto_scalar":
                kind = "float" if isinstance(value, float) else "uint" if value > 2 ** 31 else "int"
                value = "pto_%s(%s)" % (kind, number(value, "f32" if kind == "float" else "u64"))
            elif isinstance(value, Tile):
                value = name
            elif name == "tmp":
                value = "NULL"
            elif kind in self.usual:
                value = self.usual[kind] if value is None else "PTO_%s_%s" % (kind[4:].upper(), value)
            elif name == "flags":
                value = 0
            values.append(str(value))
        return "pto_%s(%s)" % (self.name, ", ".join(values))

    def c(self):
        lines = ["#include <pto_c.h>", "#include <stdio.h>", "", "int main(void) {", "  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);"]
        for name in self.tiles:
            spec = self.operands[name]
            if spec.given is not None or isinstance(spec, Tensor):
                values = spec.given if spec.given is not None else np.zeros(spec.shape)
                codes = values if spec.dtype in NUMPY_TYPES else np.vectorize(lambda x: code_of(x, spec.dtype))(values)
                const = "" if isinstance(spec, Tensor) else "const "
                head = "  %s%s %s_values[] = " % (const, C_TYPES[spec.dtype], name)
                flat = nested(codes.reshape(-1), spec.dtype if spec.dtype in NUMPY_TYPES else "u8")
                if spec.given is None:
                    lines.append("  %s %s_values[%d];" % (C_TYPES[spec.dtype], name, values.size))
                else:
                    if spec.dtype not in NUMPY_TYPES:
                        lines.append(wrapped("  /* ", "The bits of %s as %s. */" % (", ".join("%g" % x for x in values.reshape(-1)), spec.dtype), 5))
                    lines.append(wrapped(head, flat + ";", 6))
            p = "PTO_DTYPE_" + spec.dtype.upper()
            if isinstance(spec, Tensor):
                dims = ", ".join(".dim%d = %d" % pair for pair in enumerate(spec.shape))
                dims += ", .layout = PTO_LAYOUT_" + spec.layout if spec.layout != "row" else ""
                fields = ".struct_size = sizeof(pto_tensor_desc), .dtype = %s, .rank = %d, %s" % (p, len(spec.shape), dims)
                lines.append(wrapped("  const pto_tensor_desc %s_desc = " % name, "{%s};" % fields, 6))
                lines.append("  pto_tensor *%s = pto_tensor_wrap(ctx, &%s_desc, %s_values, sizeof %s_values);" % ((name,) * 4))
                continue
            if spec.at == "vec" and spec.layout == "row" and not spec.pad:
                lines.append("  pto_tile *%s = pto_tile_create(ctx, %s, %d, %d);" % (name, p, *spec.alloc))
                if spec.alloc != spec.shape:
                    lines.append("  pto_tile_set_valid(ctx, %s, %d, %d);" % (name, *spec.shape))
            else:
                fields = [".struct_size = sizeof(pto_tile_desc)", ".dtype = " + p, ".rows = %d" % spec.alloc[0], ".cols = %d" % spec.alloc[1]]
                fields += [".valid_rows = %d" % spec.shape[0], ".valid_cols = %d" % spec.shape[1]] if spec.alloc != spec.shape else []
                fields += [".location = PTO_LOCATION_" + spec.at.upper()]
                if spec.layout in BOXES:
                    fields += [".blayout = PTO_BLAYOUT_%s_MAJOR" % BOXES[spec.layout][0]]
                    fields += [".slayout = PTO_SLAYOUT_%s_MAJOR" % BOXES[spec.layout][1]] if BOXES[spec.layout][1] else []
                    fields += [".fractal = %d" % spec.fractal] if spec.fractal != 512 else []
                fields += [".pad = PTO_PAD_" + spec.pad.upper()] if spec.pad else []
                lines.append(wrapped("  const pto_tile_desc %s_desc = " % name, "{" + ", ".join(fields) + "};", 6))
                lines.append("  pto_tile *%s = pto_tile_create_from(ctx, &%s_desc);" % (name, name))
            if spec.given is not None:
                lines.append("  pto_tile_write(ctx, %s, %s_values, sizeof %s_values);" % (name, name, name))
        lines.append("")
        lines += [wrapped("  const pto_status status = ", self.c_call() + ";", 6), "  if (status != PTO_OK) puts(pto_context_error_message(ctx));"]
        for name in self.outputs:
            if isinstance(self.operands[name], Tensor):
                spec = self.operands[name]
                form = "%g" if spec.dtype == "f32" else "%d"
                lines.append(self.loop(spec, "", form, name + "_values[i]"))
            else:
                lines.append("  pto_tprint(ctx, %s, PTO_PRINT_FORMAT_WIDTH8_PRECISION4);" % name)
        if not all(isinstance(self.operands[n], Tensor) for n in self.outputs):
            lines.append("  fputs(pto_context_output(ctx), stdout);")
        lines.append("")
        lines += ["  pto_%s_release(%s);" % ("tensor" if isinstance(self.operands[n], Tensor) else "tile", n) for n in self.tiles]
        return "\n".join(lines + ["  pto_context_release(ctx);", "}"]) + "\n"

    # ---- C++ ----
    def cpp_tile(self, spec):
        element, (rows, cols) = CPP_TYPES[spec.dtype], spec.alloc
        valid = ", %d, %d" % spec.shape if spec.alloc != spec.shape else ""
        if spec.at in CPP_TILES:
            return "%s<%s, %d, %d%s>" % (CPP_TILES[spec.at], element, rows, cols, valid)
        place = {"vec": "Vec", "mat": "Mat", "bias": "Bias", "scaling": "Scaling"}[spec.at]
        more = ""
        if spec.layout in BOXES:
            box, inner = BOXES[spec.layout]
            more = ", BLayout::%sMajor, %d, %d" % (box.capitalize(), *spec.shape) + (", SLayout::%sMajor" % inner.capitalize() if inner else "")
        elif valid or spec.pad:
            more = ", BLayout::RowMajor, %d, %d" % spec.shape
            more += ", SLayout::NoneBox, 512, PadValue::%s" % spec.pad.capitalize() if spec.pad else ""
        return "Tile<TileType::%s, %s, %d, %d%s>" % (place, element, rows, cols, more)

    def cpp(self):
        lines = ["#include <pto/pto-inst.hpp>", "#include <cstdio>", "using namespace pto;", "", "int main() {"]
        text = self.record["cpp"]
        for name in self.tiles:
            spec = self.operands[name]
            if text and not re.search(r"\b%s\b" % name, text):
                continue
            if name == "executed":
                continue
            if isinstance(spec, Tensor):
                values = spec.given if spec.given is not None else np.zeros(spec.shape)
                if len(spec.shape) != 2:
                    lines.append("  ConvTile<TileType::Mat, float, 256, Layout::NC1HWC0, ConvTileShape<%s>> %s;" % (", ".join(map(str, spec.shape)), name))
                    lines.append("  for (int i = 0; i < %d; ++i) %s.data()[i] = %s;" % (values.size, name, "i + 1"))
                    continue
                rows, cols = spec.shape
                lines.append(wrapped("  %s %s_values[%d]%s" % (CPP_TYPES[spec.dtype], name, values.size, "" if spec.given is None else " = "),
                                     ("" if spec.given is None else nested(values.reshape(-1), spec.dtype)) + ";", 6))
                lines.append(wrapped("  ", "GlobalTensor<%s, Shape<1, 1, 1, %d, %d>, Stride<%d, %d, %d, %d, 1>> %s(%s_values);"
                                     % (CPP_TYPES[spec.dtype], rows, cols, *[rows * cols] * 3, cols, name, name), 6))
                continue
            if spec.given is not None:
                kind = "float" if spec.dtype not in NUMPY_TYPES else CPP_TYPES[spec.dtype]
                values = nested(spec.given.reshape(-1), spec.dtype if spec.dtype in NUMPY_TYPES else "f32")
                lines.append(wrapped("  const %s %s_values[] = " % (kind, name), values + ";", 6))
            lines.append("  %s %s;" % (self.cpp_tile(spec), name))
            if spec.given is not None:
                value = "%s_values[i]" % name if spec.dtype in NUMPY_TYPES else "%s(%s_values[i])" % (CPP_TYPES[spec.dtype], name)
                place = "0, i" if spec.shape[0] == 1 else "i, 0" if spec.shape[1] == 1 else "i / %d, i %% %d" % (spec.shape[1], spec.shape[1])
                lines.append("  for (int i = 0; i < %d; ++i) %s(%s) = %s;" % (np.prod(spec.shape), name, place, value))
        lines.append("")
        if not text:
            values = []
            for kind, name in self.prototype:
                value = self.operands.get(name)
                if isinstance(value, Tile) and name != "tmp":
                    values.append(name)
                elif kind == "pto_scalar":
                    lead = next(n for n in self.tiles)
                    values.append(re.sub(r"^(-?\d+)$", r"\1.0", number(value)) + "F" if isinstance(value, float) else number(value, "u64"))
            if "tmp" in self.operands:
                values.append("tmp")
            values += [str(self.operands[n]) for kind, n in self.prototype if kind == "int32_t"]
            text = "%s(%s);" % (self.mnemonic.upper(), ", ".join(values))
        lines += ["  " + line if len(line) < 98 else wrapped("  ", line, 6) for line in text.split("\n")]
        for name in self.outputs:
            spec = self.operands[name]
            if isinstance(spec, Tensor):
                form, cast = ("%g", "double(%s_values[i])" % name) if spec.dtype in ("f32", "f16") else ("%d", "%s_values[i]" % name)
                lines.append(self.loop(spec, "std::", form, cast))
            elif name == "executed":
                lines.append('  std::printf("%d %d ", executed.mrgSortList0, executed.mrgSortList1);')
                lines.append('  std::printf("%d %d\\n", executed.mrgSortList2, executed.mrgSortList3);')
            else:
                lines.append("  TPRINT(%s);" % name)
                lines.append("  std::fputs(Output().c_str(), stdout);")
                lines.append("  ClearOutput();")
        # One print for all of them.
        once, seen = [], sum(line.startswith("  TPRINT(") for line in lines)
        for line in lines:
            if line.startswith("  ClearOutput"):
                continue
            if line.startswith("  std::fputs"):
                seen -= 1
                if seen:
                    continue
            once.append(line)
        return "\n".join(once + ["}"]) + "\n"

    # ---- PTO-AS ----
    def text_type(self, spec):
        element = TEXT_TYPES.get(spec.dtype, spec.dtype)
        if isinstance(spec, Tensor):
            return "!pto.%stensor_view<%sx%s>" % ("" if self.record["text"] else "partition_", "x".join(map(str, spec.shape)), element)
        more = ", valid=%dx%d" % spec.shape if spec.alloc != spec.shape else ""
        if spec.layout in BOXES:
            box, inner = BOXES[spec.layout]
            more += (", blayout=col_major" if box == "COL" else "") + (", slayout=%s_major" % inner.lower() if inner else "")
            more += ", fractal=%d" % spec.fractal if spec.fractal != 512 else ""
        more += ", pad=%d" % (("zero", "max", "min").index(spec.pad) + 1) if spec.pad else ""
        return "!pto.tile_buf<%s, %dx%dx%s%s>" % (spec.at, *spec.alloc, element, more)

    def text(self):
        values, types = [], []
        for name in self.sources:
            value = self.operands.get(name)
            if isinstance(value, Tile):
                values.append("%" + name)
                types.append(self.text_type(value))
            elif value is not None:
                values.append(number(value) if isinstance(value, int) is False else "%d" % value)
                if isinstance(value, float) and "." not in values[-1]:
                    values[-1] += ".0"
                types.append("f32" if isinstance(value, float) else "i64" if abs(value) >= 2 ** 31 else "i32")
        attributes = ["%s = %s" % (key, values[self.operands[n]]) for n, (key, values) in self.keys.items() if n in self.operands]
        attributes += [NEEDED[self.name]] if self.name in NEEDED else []
        outs = "outs(%s : %s)" % (", ".join("%" + n for n in self.outputs), ", ".join(self.text_type(self.operands[n]).replace(" ", "\0") for n in self.outputs))
        attribute = " {%s}" % ", ".join(attributes) if attributes else ""
        name = "pto.%s " % self.mnemonic
        if not values:
            return wrapped(name + ("ins(%s) " % attribute.strip() if attribute else ""), outs, 10) + "\n"
        glued = [type.replace(" ", "\0") for type in types]
        ins = "ins(%s%s" % (", ".join(values), attribute)
        line = "%s%s : %s)" % (name, ins, ", ".join(glued))
        if len(line) > WIDTH:
            line = wrapped(name, ins, 8) + "\n" + wrapped("        : ", ", ".join(glued) + ")", 10)
        return self.record["text"] + line.replace("\0", " ") + "\n" + wrapped("    ", outs, 10) + "\n"

    # ---- Python ----
    def python(self):
        lines = ["import libpto", "", "ctx = libpto.Context(libpto.Profile.CPU)"]
        if any(isinstance(self.operands[n], Tensor) or (self.operands[n].given is not None and self.operands[n].dtype not in NUMPY_TYPES) for n in self.tiles):
            lines.insert(1, "import numpy as np")
        for name in self.tiles:
            spec = self.operands[name]
            write = lambda x, dtype: "0x%X" % x if dtype[0] in "iu" and x >= 2 ** 31 else "%d" % x if dtype[0] in "iu" else number(x, dtype)
            values = None if spec.given is None else nested(spec.given, spec.dtype, "[", "]", write)
            if values and spec.dtype not in NUMPY_TYPES:
                lines.append("# The codes of %s as %s." % (", ".join("%g" % x for x in spec.given.reshape(-1)), spec.dtype))
                values = "np.array(%s, np.uint8)" % nested(np.vectorize(lambda x: code_of(x, spec.dtype))(spec.given), "u8", "[", "]")
            if isinstance(spec, Tensor):
                kind = NUMPY_TYPES[spec.dtype]
                text = "np.array(%s, np.%s)" % (values, kind) if values else "np.zeros(%s, np.%s)" % (spec.shape, kind)
                layout = ", layout=libpto.Layout." + spec.layout if spec.layout != "row" else ""
                lines += [wrapped("%s_values = " % name, text, 4), "%s = libpto.Tensor.wrap(ctx, %s_values%s)" % (name, name, layout)]
                continue
            more = ""
            more += ", valid=(%d, %d)" % spec.shape if spec.alloc != spec.shape else ""
            more += ", location=libpto.Location." + spec.at.upper() if spec.at != "vec" else ""
            if spec.layout in BOXES:
                box, inner = BOXES[spec.layout]
                more += ", blayout=libpto.BLayout.COL_MAJOR" if box == "COL" else ""
                more += ", slayout=libpto.SLayout.%s_MAJOR" % inner if inner else ""
                more += ", fractal=%d" % spec.fractal if spec.fractal != 512 else ""
            more += ", pad=libpto.Pad." + spec.pad.upper() if spec.pad else ""
            if values and spec.alloc == spec.shape:
                lines.append(wrapped("%s = " % name, 'libpto.Tile.copy(ctx, %s, "%s"%s)' % (values, spec.dtype, more), 4))
                continue
            lines.append(wrapped("%s = " % name, 'libpto.Tile(ctx, "%s", %d, %d%s)' % (spec.dtype, *spec.alloc, more), 4))
            if values:
                lines.append(wrapped("%s." % name, "write(ctx, %s)" % values, 4))
        lines.append("")
        values, keyword = [], False
        for kind, name in self.prototype:
            value = self.operands.get(name)
            if value is None:
                keyword = True
                continue
            keyword = keyword or name == "tmp" or kind in self.usual
            if isinstance(value, Tile):
                value = name
            elif kind in self.usual:
                value = "libpto.%s.%s" % ("".join(part.capitalize() for part in kind[4:].split("_")), value)
            elif isinstance(value, int) and value >= 2 ** 31:
                value = "0x%X" % value
            values.append("%s=%s" % (name, value) if keyword else str(value))
        lines.append(wrapped("", "ctx.%s(%s)" % (self.name, ", ".join(values)), 4))
        for name in self.outputs:
            if isinstance(self.operands[name], Tensor):
                lines.append("print(%s_values)" % name)
            elif self.operands[name].dtype in NUMPY_TYPES:
                lines.append("print(%s.read(ctx))" % name)
            else:
                lines.append("ctx.tprint(%s)" % name)
        if any(line.startswith("ctx.tprint") for line in lines):
            lines.append("print(ctx.output)")
        return "\n".join(lines) + "\n"

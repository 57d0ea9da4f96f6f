#!/usr/bin/env python3
"""Writes a C++ program that calls every overload of the ISA's intrinsics, intrinsics.tsv, as its signature has it: all template
parameters and arguments, and again without those that have defaults; with an event where it takes some. Builds it with warnings
as errors and runs it, so that a call that the library refuses is found, too.

usage: overloads.py COMPILER STD INCLUDE_DIR LIBRARY TEST_DIR
"""
import os
import re
import subprocess
import sys
import tempfile

# Overloads without a form in the table of instructions, and why. Names whose overloads are all missing, or a name and a part of the
# signature that selects some of them.
WITHOUT = {
    "cores": "what passes between cores: TBROADCAST TGET TGET_ASYNC TNOTIFY TPUT TPUT_ASYNC TREDUCE "
             "TTEST TWAIT",
    "pipes": "between the cores of a launch; tests of their own, test_pipes.cc, test_fixpipe.cc and test_meetings.cc: SYNCALL TALLOC TFREE TPOP TPUSH",
    "storage": "made of tiles themselves, not of their elements; tests of its own: TASSIGN",
}
PARTS = {
    "pto::Grid": "cores in a grid",
    "CollEngine": "a group of cores",
    "bool interleave": "an undocumented order of exponents that only A5 has",
    "store_mode": "exponents in boxes: TMOV of exp to a tile of boxes makes them",
}

TYPES = """
using namespace pto;
constexpr int kRows = 16, kCols = 32;
template <typename T, int R = kRows, int C = kCols> using Vec = Tile<TileType::Vec, T, R, C>;
using F = Vec<float>; using H = Vec<half>; using I = Vec<int32_t>; using U = Vec<uint32_t>; using S = Vec<int16_t>;
using US = Vec<uint16_t>; using B = Vec<uint8_t>; using B8 = Vec<int8_t>;
using Row = Vec<float, 1>; using RowI = Vec<int32_t, 1>; using RowU = Vec<uint32_t, 1>; using RowB = Vec<uint8_t, 1>;
using Col = Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor>;
using ColU = Tile<TileType::Vec, uint32_t, kRows, 1, BLayout::ColMajor>;
using ColI = Tile<TileType::Vec, int32_t, kRows, 1, BLayout::ColMajor>; using ColB = Tile<TileType::Vec, uint8_t, 32, 1, BLayout::ColMajor>;
using Mask = Vec<uint8_t, kRows, 32>;
using Wide = Vec<float, kRows, 2 * kCols>; using Tall = Vec<float, kCols, kRows>; using Places = Vec<int32_t, 1, kRows>;
using Pairs = Vec<float, 1, 128>; using Line = Vec<float, 1, 64>; using LineI = Vec<uint32_t, 1, 64>;
using Four = Vec<float, 1, 512>; using Three = Vec<float, 1, 384>; using Two = Vec<float, 1, 256>;
using Bins = Vec<uint32_t, kRows, 256>; using Counts = Tile<TileType::Vec, int32_t, kRows, 1, BLayout::ColMajor>;
using Left = TileLeft<half, kRows, kCols>; using Right = TileRight<half, kCols, kRows>; using Acc = TileAcc<float, kRows, kRows>;
using LeftRow = TileLeft<half, kRows, kCols, 1, kCols>; using AccRow = TileAcc<float, kRows, kRows, 1, kRows>;
using LeftF = Tile<TileType::Left, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor>;
using Image = ConvTile<TileType::Mat, float, 1024, Layout::NC1HWC0, ConvTileShape<1, 2, 4, 4, 8>>;
using Bias = Tile<TileType::Bias, float, 1, kRows>;
using E8 = Vec<float8_e4m3_t>; using Exps = Tile<TileType::Vec, float8_e8m0_t, kRows, 32, BLayout::RowMajor, kRows, 1>;
using Most = Tile<TileType::Vec, float, kRows, 8, BLayout::RowMajor, kRows, 1>;
using LeftMx = TileLeft<float8_e4m3_t, kRows, 64>; using RightMx = TileRight<float8_e4m3_t, 64, kRows>;
using LeftScales = TileLeftScale<float8_e8m0_t, kRows, 2>; using RightScales = TileRightScale<float8_e8m0_t, 2, kRows>;
using LeftRowMx = TileLeft<float8_e4m3_t, kRows, 64, 1, 64>; using LeftRowScales = TileLeftScale<float8_e8m0_t, kRows, 2, 1, 2>;
using Mat = Tile<TileType::Mat, half, kRows, kRows, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using MatF = Tile<TileType::Mat, float, kRows, kRows, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using MatB = Tile<TileType::Mat, int8_t, kRows, kCols, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using VecH = Tile<TileType::Vec, half, kRows, kRows>; using VecF = Tile<TileType::Vec, float, kRows, kRows>;
using VecB = Tile<TileType::Vec, int8_t, kRows, 32, BLayout::RowMajor, kRows, kRows>;
using Words = Tile<TileType::Scaling, uint64_t, 1, kRows>;
using Global = GlobalTensor<float, Shape<1, 1, 1, kRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
using GlobalA = GlobalTensor<float, Shape<1, 1, 1, kRows, kRows>, Stride<1, 1, 1, kRows, 1>>;
using GlobalI = GlobalTensor<int32_t, Shape<1, 1, 1, 1, kRows>, Stride<1, 1, 1, kRows, 1>>;
using Zz = Tile<TileType::Vec, float8_e8m0_t, kRows, 2, BLayout::RowMajor, kRows, 2, SLayout::RowMajor, 32>;
using ExpsZz = Tile<TileType::Vec, float8_e8m0_t, kRows, 32, BLayout::RowMajor, kRows, 2>;
using GlobalB = GlobalTensor<int8_t, Shape<1, 1, 1, kRows, kRows>, Stride<1, 1, 1, kRows, 1>>;
"""
STORAGE = {"GlobalI": "int32_t", "Global": "float", "GlobalA": "float", "GlobalB": "int8_t"}

# The types of the tiles and tensors of an intrinsic, argument by argument; of others each is F. Of several lines the first
# whose pattern is found in the name and signature.
OPERANDS = [
    (r"^MGATHER .*Scratch", "MatF GlobalA GlobalI GlobalI"), (r"^MGATHER ", "F Global Places"), (r"^MSCATTER ", "Global F Places"),
    (r"^T(AND|OR|SHL|SHR|NOT|ANDS|ORS|SHLS|SHRS|XOR|XORS) ", "I I I I"),
    (r"^TADDDEQRELU ", "H I I F"), (r"^TADDRELUCONV |^TSUBRELUCONV ", "H F F"),
    (r"^TCI .*Tmp", "RowI RowI"), (r"^TCI ", "RowI"), (r"^TTRI ", "I"),
    (r"^TCMPS? ", "Mask F F"), (r"^TSEL ", "F Mask F F F"), (r"^TSELS ", "F Mask F F"),
    (r"^TCOLARG.*Val", "Row RowI F F"), (r"^TCOLARG", "RowI F F"), (r"^TCOL(MAX|MIN|PROD|SUM) ", "Row F F"),
    (r"^TCOLEXPAND ", "F Row"), (r"^TCOLEXPAND", "F F Row"),
    (r"^TROWARG.*Val", "Col ColI F F"), (r"^TROWARG", "ColI F F"), (r"^TROW(MAX|MIN|PROD|SUM) ", "Col F F"),
    (r"^TROWEXPAND ", "F Col"), (r"^TROWEXPAND", "F F Col F"),
    (r"^TCONCAT .*DstIdx", "Wide F F Counts Counts Counts"), (r"^TCONCAT .*Idx", "Wide F F Counts Counts"),
    (r"^TCONCAT ", "Wide F F"), (r"^TCVT ", "H F F"), (r"^TPAIRREDUCESUM ", "F F"),
    (r"^TPARTARG", "F F F I I I"), (r"^TPRELU ", "F F F B"),
    (r"^TDEINTERLEAVE .*& src;", "F F Wide"),
    (r"^TGATHER .*cmpMode", "U F I ColU B"), (r"^TGATHER .*maskPattern", "F F"), (r"^TGATHER ", "F F I I"),
    (r"^TSCATTER .*maskPattern", "F F"), (r"^TSCATTER ", "F F I"), (r"^TGATHERB ", "F F U"),
    (r"^TMATMUL_MX .*cIn", "Acc Acc LeftMx LeftScales RightMx RightScales"),
    (r"^TMATMUL_MX ", "Acc LeftMx LeftScales RightMx RightScales Bias"),
    (r"^TGEMV_MX .*cIn", "AccRow AccRow LeftRowMx LeftRowScales RightMx RightScales"),
    (r"^TGEMV_MX ", "AccRow LeftRowMx LeftRowScales RightMx RightScales Bias"),
    (r"^TGET_SCALE_ADDR ", "LeftScales LeftMx"),
    (r"^TDEQUANT ", "F B8 Col Col"), (r"^TQUANT .*TileDataTmp", "B8 F Col F Col"), (r"^TQUANT .*TileDataExp", "E8 F Exps Most Most"),
    (r"^TQUANT ", "B8 F Col Col"),
    (r"^TGEMV_ACC ", "AccRow AccRow LeftRow Right"), (r"^TGEMV_BIAS ", "AccRow LeftRow Right Bias"), (r"^TGEMV ", "AccRow LeftRow Right"),
    (r"^TMATMUL_ACC .*cIn", "Acc Acc Left Right"), (r"^TMATMUL_BIAS ", "Acc Left Right Bias"), (r"^TMATMUL", "Acc Left Right"),
    (r"^THISTOGRAM ", "Bins US ColB"), (r"^TRANDOM ", "U"),
    (r"^TMRGSORT .*src3", "Four Four Pairs Pairs Pairs Pairs"), (r"^TMRGSORT .*src2", "Three Three Pairs Pairs Pairs"),
    (r"^TMRGSORT .*src1", "Two Two Pairs Pairs"), (r"^TMRGSORT ", "Four Four"), (r"^TSORT32 ", "Pairs Line LineI Pairs"),
    (r"^TMOV .*TmpTileData", "Zz ExpsZz B"),
    (r"^(TMOV|TMOV_FP|TEXTRACT|TEXTRACT_FP|TINSERT|TINSERT_FP) .*AccToVecMode.*(fp|preQuant)", "VecB Acc Words"),
    (r"^(TMOV|TEXTRACT|TINSERT) .*AccToVecMode", "VecF Acc"),
    (r"^(TMOV|TMOV_FP|TEXTRACT|TEXTRACT_FP|TINSERT|TINSERT_FP) .*(fp|preQuant)", "MatB Acc Words"),
    (r"^(TMOV|TEXTRACT|TINSERT) .*ReluPreMode", "Mat Acc"), (r"^TINSERT .*TInsertMode", "Mat Mat"),
    (r"^SET_QUANT_VECTOR ", "Words"), (r"^TSTORE(_FP)? .*(fp|preQuant)", "GlobalB Acc Words"), (r"^TSTORE .*ReluPreMode", "GlobalA Acc"),
    (r"^TPREFETCH_ASYNC ", "Global PrefetchAsyncContext"), (r"^TSTORE ", "Global F"), (r"^(TLOAD|TPREFETCH|TPRINT) ", "F Global"),
    (r"^TIMG2COL ", "LeftF Image"), (r"^SET(FMATRIX|_IMG2COL_...) |^SET_IMG2COL_PADDING ", "Image"),
    (r"^TFILLPAD .*Mat", "MatF MatF"), (r"^TTRANS ", "Tall F F"),
]
# Values of template parameters and of arguments that are numbers, by type.
VALUES = {
    "Coalesce": "Coalesce::Row", "GatherOOB": "GatherOOB::Clamp", "GatherExec": "GatherExec::SIMT", "ScatterOOB": "ScatterOOB::Clamp",
    "ScatterAtomicOp": "ScatterAtomicOp::Add", "ScatterConflict": "ScatterConflict::Default", "AccPhase": "AccPhase::Final",
    "STPhase": "STPhase::Final", "ReluPreMode": "ReluPreMode::NormalRelu", "AccToVecMode": "AccToVecMode::SingleModeVec0",
    "AtomicType": "AtomicType::AtomicAdd", "MaskPattern": "MaskPattern::P1111", "CmpMode": "CmpMode::GE", "bool": "false",
    "int": "0", "float": "1.0F", "uint16_t": "0", "uint32_t": "64", "uint64_t": "kWord", "RoundMode": "RoundMode::CAST_RINT",
    "SaturationMode": "SaturationMode::ON", "HistByte": "HistByte::BYTE_0", "PadValue": "PadValue::Zero",
    "TFillPadMode": "TFillPadMode::Normal", "TInsertMode": "TInsertMode::SPLIT2", "PrintFormat": "PrintFormat::Width8_Precision4",
    "SetFmatrixMode": "SetFmatrixMode::FMATRIX_B_MANUAL", "Op": "Op::VECTOR", "T": "int32_t", "MrgSortExecutedNumList": "MrgSortExecutedNumList()", "TRandomKey": "", "TRandomCounter": "",
}
# Arguments whose name shows what they are.
NAMED = {"grp_axis": "1", "mx_alg": "MxQuantAlg::OcpMxFp8E4M3", "quant_type": "QuantType::INT8_SYM"}


def split(text):
    return [part.strip() for part in text.split(";") if part.strip()]


def without(name, signature):
    for part, why in PARTS.items():
        if part in name + " " + signature:
            return why
    for reason in WITHOUT.values():
        why, names = reason.split(": ", 1) if reason.count(": ") == 1 else reason.rsplit(": ", 1)
        if name in names.split():
            return why
    return None


class Call:
    """One overload, with operands of fitting types."""

    def __init__(self, row):
        self.name, templates, arguments = row[:3]
        signature = "%s %s %s" % (self.name, templates, arguments)
        types = next((types for pattern, types in OPERANDS if re.search(pattern, signature)), "F F F F F F F").split()
        self.templates = [t for t in split(templates) if not t.startswith("requires") and "..." not in t]
        self.events = "WaitEvents" in templates
        self.locals = []
        self.arguments = []  # text, whether it has a default
        bound = {}
        for argument in split(arguments):
            if argument == "events...":
                continue
            declared, _, default = argument.partition("=")
            kind, name = declared.strip().rsplit(" ", 1)
            kind = kind.replace("typename ", "").strip()
            if kind.endswith("&") and kind[:-1] in VALUES:
                self.locals.append("%s %s{};" % (kind[:-1], name))
                value = name
            elif kind.endswith(("&", "*")):
                value = "&" * kind.endswith("*") + name
                one, _, extent = types.pop(0).partition("(")
                bound[kind[:-1]] = one
                if one in STORAGE:
                    self.locals.append("static %s %s_data[1024] = {}; %s %s(%s_data);" % (STORAGE[one], name, one, name, name))
                else:
                    self.locals.append("%s %s%s;" % (one, name, extent and "(" + extent))
            elif "::DType" in kind:
                value = "static_cast<%s::DType>(1)" % bound.get(kind.split("::")[0], types[0] if types else "F")
            else:
                value = "1" if self.name == "TCI" else VALUES[kind]
            self.arguments.append((value, bool(default)))
        self.bound = bound

    def template(self, parameter):
        declared = parameter.partition("=")[0].strip()
        kind, name = declared.rsplit(" ", 1)
        if kind == "typename":
            return self.bound.get(name, "int32_t")
        if name == "quant_type" and "TileDataExp" in self.bound:
            return "QuantType::MXFP8"
        if name in NAMED:
            return NAMED[name]
        if kind == "auto":
            return parameter.partition("=")[2].strip()
        if self.name == "TRANDOM":
            return "10"
        return VALUES[kind]

    def text(self, defaults, explicit, event):
        """The call, nothing: it has no such spelling."""
        chosen = self.templates
        if not explicit:
            # No argument has the type that SET_QUANT_SCALAR is for.
            if any(("typename" not in t or self.name == "SET_QUANT_SCALAR") and "=" not in t for t in self.templates):
                return None
            chosen = []
        listed = "<%s>" % ", ".join(map(self.template, chosen)) if chosen else ""
        if self.name == "TSYNC" and not self.arguments and not listed and not event:
            return None
        values = [value for value, default in self.arguments if defaults or not default] + (["event"] if event else [])
        # An event after omitted arguments would take their place.
        if event and not (defaults or not any(default for _, default in self.arguments)):
            return None
        return "%s%s(%s);" % (self.name, listed, ", ".join(values))


def program(rows):
    called, spellings = [], 0
    lines = ["#include <pto/pto-record.hpp>", "#include <cstdio>", TYPES, "constexpr uint64_t kWord = 0x3F800000 | uint64_t{1} << 46;",
             "RecordEvent event;", "int failed = 0;"]
    names = []
    for number, row in enumerate(rows):
        if without(row[0], row[1] + row[2]):
            continue
        call = Call(row)
        texts = []
        for explicit in (True, False):
            for defaults in (True, False):
                for event in (False, True):
                    text = call.text(defaults, explicit, event) if not event or call.events else None
                    if text and text not in texts:
                        texts.append(text)
        # In each form there is a value anew: some write what they read.
        lines.append("void Call%d() {" % number)
        for text in texts:
            lines.append("  { %s %s }" % (" ".join(call.locals), text))
        lines.append("}")
        names.append((number, row[0]))
        spellings += len(texts)
        called.append(row)
    lines.append("int main() {")
    lines.append("  const struct { const char* name; void (*call)(); } calls[] = {")
    lines += ["    {\"%s, line %d\", Call%d}," % (name, number + 2, number) for number, name in names]
    lines.append("""  };
  for (const auto& one : calls) {
    try {
      one.call();
      // As a program it does the same.
      Recording recording;
      recording.Of(one.call);
      if (recording.Run() != PTO_OK || !recording.Findings().empty()) {
        ++failed;
        std::fprintf(stderr, "%s, recorded: %s\\n", one.name, recording.Findings()[0].text.c_str());
      }
    } catch (const Error& error) {
      ++failed;
      std::fprintf(stderr, "%s: %s\\n", one.name, error.what());
    }
  }
  return failed == 0 ? 0 : 1;
}""")
    return "\n".join(lines) + "\n", len(called), spellings


def main():
    compiler, std, include, library, tests = sys.argv[1:6]
    with open(os.path.join(tests, "intrinsics.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    text, called, spellings = program(rows)
    absent = [row for row in rows if without(row[0], row[1] + row[2])]
    assert called + len(absent) == len(rows) and called > 200, (called, len(absent))
    print("%d of %d overloads in %d calls; without a form:" % (called, len(rows), spellings))
    for reason in sorted({without(row[0], row[1] + row[2]) for row in absent}):
        names = sorted({row[0] for row in absent if without(row[0], row[1] + row[2]) == reason})
        print("  %s: %s" % (reason, " ".join(names)))
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "overloads.cc"), os.path.join(folder, "overloads")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        command = [compiler, "-std=" + std, "-O0", "-Wall", "-Wextra", "-Wno-unused-variable", "-Werror", "-I" + include, source,
                   library, "-Wl,-rpath," + os.path.dirname(library), "-o", binary]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            with open("overloads-failed.cc", "w", encoding="utf-8") as file:
                file.write(text)
            print(done.stderr[:6000])
            return 1
        done = subprocess.run([binary], capture_output=True, text=True)
        print(done.stdout[-500:], done.stderr[:6000])
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())

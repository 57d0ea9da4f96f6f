#!/usr/bin/env python3
"""The command ptoas: its command line, and kernels that it writes, rewritten, compiled and run as compilers do.

usage: test_assembler.py PTO LIBRARY ROOT
"""
import ctypes
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

PTO, LIBRARY, ROOT = (pathlib.Path(os.path.abspath(argument)) for argument in sys.argv[1:4])
del sys.argv[1:4]


def ask(option):
    return pathlib.Path(subprocess.run([PTO, "info", option], capture_output=True, text=True, check=True).stdout.strip())


PTOAS = ask("--assembler-folder") / "ptoas"
COMPILER = ask("--simulator-toolchain") / "g++-15"
FLAGS = ("-shared -O0 -fPIC -std=c++23 -fpermissive -Wno-macro-redefined -Wno-ignored-attributes -D__CPU_SIM -DPTO_CPU_MAX_THREADS=1 "
         "-DNDEBUG").split()
BYTES = 1 << 18  # of each pointer's memory
# ./dev test takes one program of the corpus in eight, as one source: half of what a source takes is the header.
THOROUGH = "PTO_TEST_THOROUGH" in os.environ
UNITS = 4 if THOROUGH else 1

ADD = """// Tensor, AICORE and "pto-inst.hpp": words that compilers look for. \\ ?? \u00e9
// using namespace pto;
func.func @add(%Tensor: !pto.ptr<f32>, %out: !pto.ptr<f32>, %n: i32, %more: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k = arith.index_cast %n : i32 to index
  %base = arith.constant 0 : i64
  %from = pto.make_tensor_view %Tensor, shape = [%k, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %to = pto.make_tensor_view %out, shape = [%k, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %tile = pto.alloc_tile addr = %base valid_row = %k : !pto.tile_buf<vec, 4x8xf32, valid=?x8>
  pto.tload ins(%from : !pto.tensor_view<?x8xf32>) outs(%tile : !pto.tile_buf<vec, 4x8xf32, valid=?x8>)
  pto.tadds ins(%tile, %more : !pto.tile_buf<vec, 4x8xf32, valid=?x8>, f32) outs(%tile : !pto.tile_buf<vec, 4x8xf32, valid=?x8>)
  pto.tstore ins(%tile : !pto.tile_buf<vec, 4x8xf32, valid=?x8>) outs(%to : !pto.tensor_view<?x8xf32>)
  return
}
"""
SCALE = """func.func @scale(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %base = arith.constant 0 : i64
  %in = pto.make_tensor_view %src, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %out = pto.make_tensor_view %dst, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %tile = pto.alloc_tile addr = %base : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%in : !pto.tensor_view<8x8xf32>) outs(%tile : !pto.tile_buf<vec, 8x8xf32>)
  pto.trsqrt ins(%tile : !pto.tile_buf<vec, 8x8xf32>) outs(%tile : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%tile : !pto.tile_buf<vec, 8x8xf32>) outs(%out : !pto.tensor_view<8x8xf32>)
  return
}
"""


def rewritten(text):
    """What a compiler makes of the assembler's output before it compiles it."""
    lines = [line for line in text.splitlines() if not re.search(r"#include.*(pto-inst|cstdint|tensor\.h)", line)
             and not re.match(r"\s*using namespace pto;", line) and not line.startswith("set_ffts_base_addr(")]
    text = re.sub(r'(?:extern\s+"C"\s+)?(?:__global__\s+)?AICORE\s+void', "static __aicore__ void", "\n".join(lines))
    return re.sub(r"\bTensor\b", "ChipTensor", re.sub(r"\bAICORE\b", "__aicore__", text))


def kernels_of(text):
    """Name and types of the parameters of each kernel of a rewritten source."""
    for name, parameters in re.findall(r"static __aicore__ void (\w+)\((.*)\) \{", text):
        yield name, [p.rsplit(" ", 1)[0] for p in parameters.split(", ") if p]


def wrapped(space, text):
    """In a namespace, with functions that take words as the runtime passes them."""
    includes = re.findall(r"^#include.*", text, re.M)
    body = re.sub(r"^#include.*", "", text, flags=re.M)
    out = "\n".join(includes) + f"\nnamespace {space} {{\n{body}\n}}\n"
    for name, types in kernels_of(text):
        values = []
        for i, kind in enumerate(types):
            if kind.endswith("*"):
                values.append(f"reinterpret_cast<{kind}>(args[{i}])")
            elif kind in ("float", "half", "bfloat16_t", "double"):
                values.append(f"static_cast<{kind}>(0.5F)")
            else:
                values.append(f"static_cast<{kind}>(args[{i}])")
        out += f'extern "C" void {space}_{name}(int64_t *args) {{ (void)args; {space}::{name}({", ".join(values)}); }}\n'
    return out


class Descriptor(ctypes.Structure):
    """pto_tensor_desc"""
    _fields_ = [(name, ctypes.c_int32) for name in ("struct_size", "dtype", "layout", "rank", "strided")] + [
        (f"{name}{i}", ctypes.c_int64) for name in ("dim", "stride") for i in range(5)]


class Library:
    """libpto by its C functions."""

    def __init__(self):
        self.lib = ctypes.CDLL(str(LIBRARY))
        for name in ("pto_context_create", "pto_program_parse", "pto_tensor_wrap", "pto_program_arg_name"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.lib.pto_program_arg_name.restype = self.lib.pto_context_error_rule.restype = ctypes.c_char_p

    def __getattr__(self, name):
        return getattr(self.lib, name)

    def run(self, text, profile, entry, memories, integer):
        """The program with its pointers bound to tensors of one dimension; the rule that ended its run, or nothing."""
        ctx = ctypes.c_void_p(self.pto_context_create(profile))
        program = ctypes.c_void_p(self.pto_program_parse(ctx, text, ctypes.c_int64(len(text)), b"program"))
        self.pto_program_limit_steps(ctx, program, ctypes.c_int64(1000000))
        for i, memory in enumerate(memories):
            name, index = str(i).encode(), ctypes.c_int32(i)
            kind = self.pto_program_arg_kind(program, entry, index)
            if kind == 2:
                self.pto_program_bind_int(ctx, program, name, ctypes.c_int64(integer))
            elif kind == 3:
                self.pto_program_bind_float(ctx, program, name, ctypes.c_double(0.5))
            elif b"%" + self.pto_program_arg_name(program, entry, index) + b": !pto.ptr" in text:
                dtype = self.pto_program_arg_dtype(program, entry, index)
                width = self.pto_dtype_bits(dtype)
                desc = Descriptor(ctypes.sizeof(Descriptor), dtype, 0, 1, 0, len(memory) * 8 // width)
                tensor = ctypes.c_void_p(self.pto_tensor_wrap(ctx, ctypes.byref(desc), memory, ctypes.c_int64(len(memory))))
                assert self.pto_program_bind_tensor(ctx, program, name, tensor) == 0
                self.pto_tensor_release(tensor)
            else:
                assert self.pto_program_bind_address(ctx, program, name, ctypes.c_int64(ctypes.addressof(memory))) == 0
        rule = None if self.pto_program_run(ctx, program, entry) == 0 else self.pto_context_error_rule(ctx).decode()
        self.pto_program_release(program)
        self.pto_context_release(ctx)
        return rule


class Assembler(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ptoas(self, *arguments, code=0, stdin=""):
        done = subprocess.run([PTOAS, *arguments], input=stdin, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, (arguments, done.stdout[-2000:], done.stderr[-2000:]))
        self.stderr = done.stderr
        return done.stdout

    def compile(self, name, text, *more):
        source = self.folder / (name + ".cpp")
        source.write_text("#include <pto/pto-inst.hpp>\nusing namespace pto;\n" + text)
        done = subprocess.run([COMPILER, *FLAGS, *(more or ["-D__DAV_VEC__"]), "-o", self.folder / (name + ".so"), source], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        return self.folder / (name + ".so")

    def test_every_program_of_the_corpus(self):
        programs = sorted([*(ROOT / "tests/ptoas/valid").glob("*.pto"), *(ROOT / "tests/ptoas/sync").glob("*.pto"), *(ROOT / "examples").glob("*.pto")])
        total = len(programs)
        if not THOROUGH:
            programs = programs[::8]
        units, kernels, none = [[] for _ in range(UNITS)], [], []
        for i, path in enumerate(programs):
            done = subprocess.run([PTOAS, path, "--pto-arch=cpu", "--pto-level=level3"], capture_output=True, text=True)
            if done.returncode != 0:
                self.assertRegex(done.stderr, r"no public function|error: ", path)
                none.append(path.name)
                continue
            text = rewritten(done.stdout)
            units[i % UNITS].append(wrapped(f"c{i}", text))
            profile = int(re.search(r"constexpr int kProfile = (\d);", text)[1])
            kernels += [(path, i, profile, name, types) for name, types in kernels_of(text)]
        self.assertGreater(len(kernels), 200 * len(programs) // total, none)
        os.environ["PTO_ON_ERROR"] = "return"
        # Neither core's kind: each kernel runs its whole block.
        loaded = [ctypes.CDLL(str(self.compile(f"unit{n}", "\n".join(unit), "-DNO_KIND"))) for n, unit in enumerate(units)]
        library, numbers, good, longer = Library(), random.Random(38), 0, 0
        data = bytes(numbers.randrange(40) for _ in range(BYTES))
        # What programs print, and errors of those that refuse this data.
        quiet, keep = os.open(os.devnull, os.O_WRONLY), [os.dup(stream) for stream in (1, 2)]
        for stream in (1, 2):
            os.dup2(quiet, stream)
        try:
            for path, i, profile, name, types in kernels:
                ours, theirs = ([ctypes.create_string_buffer(data, BYTES) for _ in types] for _ in range(2))
                rule = library.run(path.read_bytes(), profile, name.encode(), ours, 1)
                good += rule is None
                if rule in ("tensor-range", "step-limit"):  # a kernel cannot know that its memory is too short, and has no limit
                    longer += 1
                    continue
                words = [ctypes.addressof(m) if t.endswith("*") else 1 for m, t in zip(theirs, types)]
                getattr(loaded[i % UNITS], f"c{i}_{name}")((ctypes.c_int64 * (len(types) + 1))(*words))
                for n, (mine, other) in enumerate(zip(ours, theirs)):
                    self.assertEqual(mine.raw == other.raw, True, (path.name, name, n))
        finally:
            ctypes.CDLL(None).fflush(None)
            for stream, kept in zip((1, 2), keep):
                os.dup2(kept, stream)
        # Of a run that an error ends early the memory is compared, too.
        print(f"{len(programs)} programs, {len(kernels)} kernels: {good} ran to their end, {longer} need more memory or time, {len(none)} have no kernel")
        self.assertGreater(good, 150 * len(programs) // total)

    def test_arguments_reach_the_program(self):
        """Two sources as they are written, not rewritten, with a library for each kind of core."""
        (self.folder / "add.pto").write_text(ADD)
        self.ptoas("add.pto", "-o", "add.cpp", "--pto-level=level3", "--pto-arch", "a3")
        text = (self.folder / "add.cpp").read_text()
        self.assertIn("__global__ AICORE void add(__gm__ float* arg0, __gm__ float* arg1, int32_t arg2, float arg3) {", text)
        for form, source in (("written", text), ("rewritten", rewritten(text))):
            self.assertNotIn("ChipTensor", source)
            entry = "extern \"C\" void entry(float *a, float *b, int n, float more) { add(a, b, n, more); }\n"
            run = ctypes.CDLL(str(self.compile(form, source + "\n" + entry))).entry
            a, b = ((ctypes.c_float * 40)(*(f * i for i in range(40))) for f in (1, 0))
            run(a, b, 3, ctypes.c_float(0.25))
            self.assertEqual(list(b), [i + 0.25 if i < 24 else 0 for i in range(40)])

    def test_kinds_of_cores(self):
        """A program of a cube core and vector cores: the kernel of the cube core runs all of it."""
        text = (ROOT / "tests/ptoas/sync/good_cores_flag.pto").read_text()
        source = rewritten(self.ptoas("-", "--pto-level=level3", stdin=text))
        (name, types), = kernels_of(source)
        results = {}
        for kind in ("CUBE", "VEC"):
            library = ctypes.CDLL(str(self.compile(kind, wrapped("k", source), f"-D__DAV_{kind}__")))
            memory = [ctypes.create_string_buffer(bytes([n + 1]) * 65536, 1 << 17) for n in range(len(types))]
            before = [m.raw for m in memory]
            getattr(library, f"k_{name}")((ctypes.c_int64 * len(types))(*(ctypes.addressof(m) for m in memory)))
            results[kind] = [m.raw for m in memory] != before
        self.assertEqual(results, {"CUBE": True, "VEC": False})

    def test_a_kernel_knows_its_core(self):
        """Under a runtime with hooks a vector core has its number; in a launch of libpto a block has its own."""
        text = """func.func @where(%out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = pto.get_block_idx
  %lane = pto.get_subblock_idx
  %at = arith.index_cast %block : i64 to index
  pto.store_scalar %lane, %out[%at] : !pto.ptr<i64>, i64
  return
}
"""
        source = self.ptoas("-", stdin=text) + """
#include <pto/pto-launch.hpp>
extern "C" void foreign(int64_t *out, int lane) {
  static int of_thread;
  of_thread = lane;
  uint32_t (*hook)() = []() -> uint32_t { return static_cast<uint32_t>(of_thread); };
  pto_sim_register_hooks(reinterpret_cast<void *>(hook), nullptr);
  where(out);
  pto_sim_register_hooks(nullptr, nullptr);
}
extern "C" void launched(int64_t *out) { pto::Launch(3, [=] { out[get_block_idx()] = 7; where(out); out[get_block_idx()] += 10; }); }
"""
        library = ctypes.CDLL(str(self.compile("where", source)))
        out = (ctypes.c_int64 * 4)(9, 9, 9, 9)
        for lane in (1, 0):
            library.foreign(out, lane)
            self.assertEqual(list(out), [lane, 9, 9, 9])
        library.launched(out)
        self.assertEqual(list(out), [10, 10, 10, 9])

    def test_an_error_in_a_kernel_ends_the_process(self):
        (self.folder / "add.pto").write_text(ADD)
        source = self.ptoas("add.pto", "--pto-level=level3") + "\nextern \"C\" void entry(float *a) { add(a, a, 9, 1); }\n"
        library = self.compile("nine", source)
        run = f"import ctypes; ctypes.CDLL({str(library)!r}).entry((ctypes.c_float * 99)()); print('went on')"
        for environment, code, printed in (({}, 70, ""), ({"PTO_ON_ERROR": "return"}, 0, "went on\n")):
            done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, env={**os.environ, "PTO_ON_ERROR": "", **environment})
            self.assertEqual((done.returncode, done.stdout), (code, printed), done.stderr)
            self.assertRegex(done.stderr, r"add.pto:11:\d+: error: .*9")
        done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True,
                              env={**os.environ, "PTO_LIBRARY": "/none.so", "PTO_ON_ERROR": "return"})
        self.assertEqual(done.returncode, 0, "PTO_LIBRARY is a wish: the loader's search follows")

    def test_options(self):
        (self.folder / "add.pto").write_text(ADD)
        # What the compiler calls, in both spellings.
        for more in (["--pto-arch", "a5"], ["-pto-arch=a5"], ["--mlir-print-ir-after-all", "--mlir-print-ir-module-scope", "--mlir-print-ir-tree-dir=dump"]):
            self.ptoas("add.pto", "-o", "out.cpp", "--enable-insert-sync", "--pto-level=level3", *more)
            self.assertEqual("kProfile = 2" in (self.folder / "out.cpp").read_text(), "a5" in more[-1])
        self.assertIn("--mlir-print-ir-tree-dir does nothing", self.stderr)
        self.assertEqual(self.ptoas("--emit=check", "add.pto", "--pto-level=level3"), "")
        self.assertIn("pto.tadds", self.ptoas("add.pto", "--emit-pto-ir", "--pto-level", "level3"))
        self.assertIn("--pto-level", self.ptoas("--help"))
        self.assertIn("libpto 0.1", self.ptoas("--version"))
        for arguments, said in ((["--pto-arhc", "a3"], "did you mean --pto-arch"), (["--wrong"], "--enable-insert-sync"), (["--pto-arch", "a4"], "a3|a5"),
                                (["--pto-arch"], "needs a value"), (["--emit-vpto"], "no such backend"), (["--pto-backend=vpto"], "no such backend"),
                                (["--enable-insert-sync", "--enable-graph-sync-solver"], "exclude"), (["b.pto"], "two inputs"),
                                (["--emit-pto-ir=maybe"], "takes no value")):
            self.ptoas("add.pto", *arguments, code=2)
            self.assertIn(said, self.stderr)
            self.assertRegex(self.stderr, "^ptoas: error: ")
        self.ptoas("none.pto", code=2)
        (self.folder / "binary").write_bytes(b"PTOBC\0\x01")
        self.ptoas("binary", code=2)
        self.assertIn("binary form", self.stderr)

    def test_levels(self):
        """Addresses and tassign are for level3, and tassign excludes the automatic modes."""
        text = """func.func @f() {
  %base = arith.constant 0 : i64  // not pto.tassign, pto.alloc_tile
  %alloc_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %a = pto.alloc_tile addr = %base : !pto.tile_buf<vec, 8x8xf32>
  %b = "pto.alloc_tile"(%base) {operandSegmentSizes = array<i32: 1, 0, 0>} : (i64) -> !pto.tile_buf<vec, 8x8xf32>
  %m = pto.alloc_multi_tile addr = %base : !pto.multi_tile_buf<!pto.tile_buf<vec, 8x8xf32>, count=2>
  pto.tassign %alloc_tile, %base : !pto.tile_buf<vec, 8x8xf32>, i64
  return
}
"""
        places = ["stdin:4:8: error: addr of alloc_tile ", "stdin:5:9: error: addr of alloc_tile ", "stdin:6:8: error: addr of alloc_multi_tile ",
                  "stdin:7:3: error: tassign "]
        for level in ([], ["--pto-level=level1"], ["--pto-level", "level2"]):
            self.assertEqual(self.ptoas("-", *level, stdin=text, code=1), "")
            self.assertEqual([line[:len(place)] for line, place in zip(re.findall(".*error.*", self.stderr), places, strict=True)], places)
        self.assertIn("kProfile", self.ptoas("-", "--pto-level=level3", stdin=text))
        for mode in ("--enable-insert-sync", "--enable-inject-barrier-all-sync", "--enable-graph-sync-solver"):
            self.ptoas("-", "--pto-level=level3", mode, stdin=text, code=1)
            self.assertEqual(re.findall(".*error.*", self.stderr), [f"stdin:7:3: error: tassign excludes {mode}"])
        without = re.sub("addr = %base |.*(tassign|array).*\n", "", text)
        self.assertIn("kProfile", self.ptoas("-", stdin=without))

    def test_a_program_with_an_error_writes_nothing(self):
        (self.folder / "bad.pto").write_text(ADD.replace("pto.tadds", "pto.tadsd").replace("  return", '  return loc("kernel.py":7:3)'))
        for more in ([], ["--emit=check"]):
            self.ptoas("bad.pto", "-o", "bad.cpp", *more, code=1)
            self.assertRegex(self.stderr, r"bad.pto:\d+:\d+: error: ")
            self.assertFalse((self.folder / "bad.cpp").exists())
        # Nothing that a kernel can be made of.
        self.ptoas("-", stdin="func.func private @f() {\n  return\n}\n", code=1)
        self.assertIn("no public function", self.stderr)

    def test_flags_are_inserted(self):
        (self.folder / "scale.pto").write_text(SCALE)
        without, text = (self.ptoas("scale.pto", "--pto-level=level3", *more) for more in ([], ["--enable-insert-sync"]))
        self.assertEqual((without.count("pto.set_flag"), text.count("pto.set_flag"), text.count("pto.wait_flag")), (0, 2, 2))
        (self.folder / "fixed.pto").write_text(self.ptoas("scale.pto", "--enable-insert-sync", "--emit-pto-ir", "--pto-level=level3"))
        done = subprocess.run([PTO, "check", "--sync", "fixed.pto", "--shape", "src=64:f32", "--shape", "dst=64:f32"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (self.folder / "add.pto").write_text(ADD)
        self.ptoas("add.pto", "--enable-insert-sync", "--pto-level=level3")
        self.assertIn("%n has no value", self.stderr)


unittest.main()

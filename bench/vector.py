#!/usr/bin/env python3
"""./dev bench vector: what programs below tiles cost.

Prints the table of the vector level: the time of a statement, of a loop over UB against the same loop in C, of softmax and
layer norm against tile programs, and of reading. Everything is processor time, of this machine, in one run: each pair of
programs takes turns, and the least of several rounds counts. Ratios mean something on a busy machine, nanoseconds less.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PTO = ROOT / "build/src/cli/pto"
ROUNDS = 5
VREG, MASK, UB = "!pto.vreg<64xf32>", "!pto.mask<b32>", "!pto.ptr<f32, ub>"


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s\n%s%s" % (command, done.stdout, done.stderr))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(*commands):
    """The least time of each command; they take turns."""
    times = [[] for _ in commands]
    for _ in range(ROUNDS):
        for taken, command in zip(times, commands):
            taken.append(seconds(command))
    return [min(taken) for taken in times]


def run(program, *options):
    return [PTO, "run", program, "--max-steps", "100000000000", *options]


def loop(folder, name, body, rounds):
    text = ["func.func @main() {", "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
            "%lanes = arith.constant 64 : index", "%end = arith.constant 16384 : index",
            "%%rounds = arith.constant %d : index" % rounds, "%zero = arith.constant 0 : i64", "%s = arith.constant 1.5 : f32",
            "%%p = pto.castptr %%zero : i64 -> %s" % UB, "pto.vecscope {", "%%m = pto.pset_b32 \"PAT_ALL\" : %s" % MASK,
            "%%v = pto.vlds %%p[%%c0] : %s -> %s" % (UB, VREG), "%%w = pto.vbr %%s : f32 -> %s" % VREG,
            "scf.for %r = %c0 to %rounds step %c1 {", *body, "}", "}", "return", "}"]
    path = os.path.join(folder, name + ".pto")
    with open(path, "w") as out:
        out.write("\n".join(text) + "\n")
    return path


def statements(folder):
    """Nanoseconds of a statement: 20 of them in a loop, less the loop."""
    rounds = 200000
    forms = {"vadd": "%%v, %%w, %%m : %s, %s, %s -> %s" % (VREG, VREG, MASK, VREG), "vmuls": "%%v, %%s, %%m : %s, f32, %s -> %s" % (VREG, MASK, VREG),
             "vlds": "%%p[%%c0] : %s -> %s" % (UB, VREG), "vsts": "%%v, %%p[%%c0], %%m : %s, %s, %s" % (VREG, UB, MASK)}
    forms["vmul"] = forms["vsel"] = forms["vadd"]
    names = ["vadd", "vmul", "vsel", "vmuls", "vlds", "vsts"]
    programs = [loop(folder, "empty", [], rounds)]
    for name in names:
        made = "" if name == "vsts" else "%%x%d = "
        programs.append(loop(folder, name, [(made % i if made else "") + "pto." + name + " " + forms[name].replace("%%", "%") for i in range(20)], rounds))
    empty, *times = least(*[run(program) for program in programs])
    for name, time in zip(names, times):
        print("| `%s` f32, all lanes, a statement | %.1f ns | %s |" % (name, (time - empty) / rounds / 20 * 1e9,
                                                                   "<= 12 (AVX-512), <= 16 (AVX2)" if name in ("vadd", "vmul", "vsel") else ""))


LOOP_IN_C = """
#include <immintrin.h>
#include <stdlib.h>
static float ub[16384] __attribute__((aligned(64)));
int main(int argc, char** argv) {
  const long rounds = atol(argv[1]);
  for (long r = 0; r < rounds; ++r) {
    for (int i = 0; i < 16384; i += LANES) {
      REG v = LOAD(ub + i);
      const REG s = SET(1.5f);
      v = OP(mul)(v, s);
      v = OP(add)(v, s);
      v = OP(max)(v, s);
      v = OP(min)(v, s);
      STORE(ub + i, v);
    }
    __asm__ volatile("" ::: "memory");
  }
  return ub[5] == 77;
}
#ifdef __AVX512F__
"""
MACROS = {16: ("__m512", "_mm512"), 8: ("__m256", "_mm256")}


def against_c(folder):
    rounds = 3000
    body = ["scf.for %i = %c0 to %end step %lanes {", "%%a = pto.vlds %%p[%%i] : %s -> %s" % (UB, VREG)]
    for name, value, to in (("vmuls", "%a", "%b"), ("vadds", "%b", "%d"), ("vmaxs", "%d", "%e"), ("vmins", "%e", "%f")):
        body.append("%s = pto.%s %s, %%s, %%m : %s, f32, %s -> %s" % (to, name, value, VREG, MASK, VREG))
    body += ["pto.vsts %%f, %%p[%%i], %%m : %s, %s, %s" % (VREG, UB, MASK), "}"]
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    lanes = 16 if "avx512f" in flags else 8
    register, prefix = MACROS[lanes]
    source = os.path.join(folder, "loop.c")
    with open(source, "w") as out:
        out.write(LOOP_IN_C.replace("#ifdef __AVX512F__\n", ""))
    subprocess.run(["gcc", "-O3", "-march=native", "-DLANES=%d" % lanes, "-DREG=" + register, "-DOP(x)=%s_##x##_ps" % prefix,
                    "-DLOAD=%s_load_ps" % prefix, "-DSTORE=%s_store_ps" % prefix, "-DSET=%s_set1_ps" % prefix, source, "-o",
                    os.path.join(folder, "loop")], check=True)
    many = 100 * rounds
    ours, nothing, c = least(run(loop(folder, "loop", body, rounds)), run(loop(folder, "none", [], 1)), [os.path.join(folder, "loop"), str(many)])
    print("| load + 4 operations + store over 64 KiB of UB, of the same in C | %.2f | >= 0.25 |" % ((c / many) / ((ours - nothing) / rounds)))


LAYER_NORM = """module attributes {pto.target_arch = "a5"} {
  func.func @layernorm(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index, %m: index) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %by = arith.constant 0.000244140625 : f32
    %eps = arith.constant 0.00001 : f32
    %xs = pto.make_tensor_view %x, shape = [%n, %m], strides = [%m, %c1] : !pto.tensor_view<?x?xf32>
    %ys = pto.make_tensor_view %y, shape = [%n, %m], strides = [%m, %c1] : !pto.tensor_view<?x?xf32>
    %mean = pto.alloc_tile : !pto.tile_buf<vec, 8x1xf32, blayout=col_major>
    %mean_row = pto.treshape %mean : !pto.tile_buf<vec, 8x1xf32, blayout=col_major> -> !pto.tile_buf<vec, 1x8xf32>
    %var = pto.alloc_tile : !pto.tile_buf<vec, 8x1xf32, blayout=col_major>
    %var_row = pto.treshape %var : !pto.tile_buf<vec, 8x1xf32, blayout=col_major> -> !pto.tile_buf<vec, 1x8xf32>
    scf.for %i = %c0 to %n step %c8 {
      %t = pto.alloc_tile valid_col = %m : !pto.tile_buf<vec, 8x4096xf32, valid=8x?>
      %q = pto.alloc_tile valid_col = %m : !pto.tile_buf<vec, 8x4096xf32, valid=8x?>
      %w = pto.partition_view %xs, offsets = [%i, %c0], sizes = [%c8, %m] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x?xf32>
      %to = pto.partition_view %ys, offsets = [%i, %c0], sizes = [%c8, %m] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x?xf32>
      pto.tload ins(%w : !pto.partition_tensor_view<8x?xf32>) outs(%t : !pto.tile_buf<...>)
      pto.trowsum ins(%t : !pto.tile_buf<...>) outs(%mean : !pto.tile_buf<...>)
      pto.tmuls ins(%mean_row, %by : !pto.tile_buf<...>, f32) outs(%mean_row : !pto.tile_buf<...>)
      pto.trowexpandsub ins(%t, %mean : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)
      pto.tmul ins(%t, %t : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%q : !pto.tile_buf<...>)
      pto.trowsum ins(%q : !pto.tile_buf<...>) outs(%var : !pto.tile_buf<...>)
      pto.tmuls ins(%var_row, %by : !pto.tile_buf<...>, f32) outs(%var_row : !pto.tile_buf<...>)
      pto.tadds ins(%var_row, %eps : !pto.tile_buf<...>, f32) outs(%var_row : !pto.tile_buf<...>)
      pto.tsqrt ins(%var_row : !pto.tile_buf<...>) outs(%var_row : !pto.tile_buf<...>)
      pto.trowexpanddiv ins(%t, %var : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)
      pto.tstore ins(%t : !pto.tile_buf<...>) outs(%to : !pto.partition_tensor_view<8x?xf32>)
    }
    return
  }
}
"""


AGAIN = """  func.func @again(%%x: !pto.ptr<f32, gm>, %%y: !pto.ptr<f32, gm>, %%n: index, %%m: index, %%times: index) attributes {pto.entry} {
    %%zero = arith.constant 0 : index
    %%one = arith.constant 1 : index
    scf.for %%k = %%zero to %%times step %%one {
      func.call @%s(%%x, %%y, %%n, %%m) : (!pto.ptr<f32, gm>, !pto.ptr<f32, gm>, index, index) -> ()
    }
    return
  }
}
"""


def again(folder, program):
    """A program whose function is called several times: what a run costs before its first row is taken off."""
    with open(program) as file:
        text = file.read().rstrip()
    path = os.path.join(folder, "again_" + os.path.basename(program))
    with open(path, "w") as out:
        out.write(text[:-1] + AGAIN % text.split("func.func @")[1].split("(")[0])
    return path


def against_tiles(folder):
    norm = os.path.join(folder, "layernorm.pto")
    with open(norm, "w") as out:
        out.write(LAYER_NORM)
    pairs = (("softmax", "vector_softmax.pto", ROOT / "examples/softmax.pto"), ("layer norm", "vector_layernorm.pto", norm))
    arrays = ["--in", "x=iota", "--shape", "x=1024x4096:f32", "--shape", "y=1024x4096:f32", "--int", "m=4096", "--int", "n=1024"]
    for name, ours, tiles in pairs:
        commands = [run(again(folder, program), "--entry", "again", *arrays, "--int", "times=%d" % times)
                    for program in (ROOT / "examples" / ours, tiles) for times in (21, 1)]
        vector, no_vector, tile, no_tile = least(*commands)
        print("| %s below tiles, 1024x4096 f32, of the same with tiles | %.2f | >= 0.4 |" % (name, (tile - no_tile) / (vector - no_vector)))


def reading(folder):
    count = 100000
    body = ["%%x%d = pto.vadd %%v, %%w, %%m : %s, %s, %s -> %s" % (i, VREG, VREG, MASK, VREG) for i in range(count)]
    large = loop(folder, "large", body, 1)
    time, nothing = least([PTO, "check", large], [PTO, "check", loop(folder, "none", [], 1)])
    print("| parse and check | %.0f MB/s | >= 40 |" % (os.path.getsize(large) / (time - nothing) / 1e6))


def main():
    with tempfile.TemporaryDirectory() as folder:
        print("| what | is | must |\n|---|---|---|")
        statements(folder)
        against_c(folder)
        against_tiles(folder)
        reading(folder)
        library = max((ROOT / "build").glob("libpto.so.*.*.*"), key=lambda path: path.stat().st_mtime)
        text = int(subprocess.run(["size", library], capture_output=True, text=True, check=True).stdout.split("\n")[1].split()[0])
        print("| text of libpto.so (build time: ./dev bench build) | %.2f MB | <= 6.0 |" % (text / 1e6))


if __name__ == "__main__":
    main()

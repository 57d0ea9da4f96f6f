"""./dev bench programs: whole programs of examples/ against numpy and against one fused C loop each, on one thread.

Contestants run in turn; a figure is the median of the rounds, a ratio the median of the ratios round by round. Arrays are
those of the caller in all of them, and the program was parsed before: what is timed is Program.run(), a call of numpy's
functions, a call of the loop. Results are compared first."""
import argparse
import ctypes
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

import libpto

ROOT = pathlib.Path(__file__).resolve().parent.parent
RNG = np.random.default_rng(1)
COMPILERS = (("gcc -O3", ["-O3", "-march=native"]), ("gcc -Ofast", ["-Ofast", "-march=native", "-lmvec"]))


def softmax(x, out=None):
    """With one array for all steps: those that numpy makes for results cost it more than the steps."""
    e = np.subtract(x, x.max(axis=1, keepdims=True), out=out)
    np.exp(e, out=e)
    e /= e.sum(axis=1, keepdims=True)
    return e


def photo():
    shape, light = (512, 512), np.linspace(0.4, 1, 512, dtype=np.float32)[None]
    image, out, space = RNG.random(shape, np.float32), np.empty(shape, np.float32), np.empty(shape, np.float32)

    def by_numpy():
        u = np.divide(image, light, out=space)
        np.power(u, np.float32(0.9), out=u)
        u -= np.float32(0.35)
        np.multiply(u, np.float32(0.7), out=u, where=u < 0)
        u += np.float32(0.35)
        u *= light
        return u

    return "512x512", {"photo": image, "light": light, "out": out}, {}, (image, light, out, 512, 512), by_numpy, 1e-6


def rows():
    x = RNG.standard_normal((1024, 4096), np.float32)
    y, space = np.empty_like(x), np.empty_like(x)
    return "1024x4096", {"x": x, "y": y}, {"n": 1024, "m": 4096}, (x, y, 1024, 4096), lambda: softmax(x, space), 1e-5


def gemm():
    a, b = (RNG.standard_normal((512, 512), np.float32).astype(np.float16) for _ in range(2))
    c = np.empty((512, 512), np.float32)
    return ("512x512x512", {"a": a, "b": b, "c": c}, {"m": 512, "n": 512, "k": 512}, (a, b, c, 512, 512, 512),
            lambda: a.astype(np.float32) @ b.astype(np.float32), 1e-3)


def attention(n=4096):
    q, k, v = (RNG.standard_normal((n, 64), np.float32).astype(np.float16) for _ in range(3))
    out, space = np.empty((n, 64), np.float16), np.empty((n, n), np.float32)

    def by_numpy():
        wide = [x.astype(np.float32) for x in (q, k, v)]
        scores = np.matmul(wide[0], wide[1].T, out=space)
        scores *= np.float32(0.125)
        return (softmax(scores, scores) @ wide[2]).astype(np.float16)

    return "%dx64" % n, {"q": q, "k": k, "v": v, "out": out}, {"n": n}, (q, k, v, out, n), by_numpy, 2e-3


def call(function, values):
    function.restype = None
    given = [ctypes.c_void_p(v.ctypes.data) if isinstance(v, np.ndarray) else ctypes.c_int64(v) for v in values]
    return lambda: function(*given)


def measure(name, loops, rounds):
    size, arrays, numbers, values, by_numpy, tolerance = {"photo": photo, "softmax": rows, "gemm": gemm, "attention": attention}[name]()
    out = values[{"photo": 2, "softmax": 1, "gemm": 2, "attention": 3}[name]]
    ctx = libpto.Context(profile=libpto.Profile.A5)
    program = libpto.Program(ctx, (ROOT / "examples" / (name + ".pto")).read_text(), name)
    for arg, array in arrays.items():
        program.bind(ctx, arg, libpto.Tensor.wrap(ctx, array))
    for arg, number in numbers.items():
        program.bind(ctx, arg, number)
    if name == "photo":
        libpto.raw.pto_program_set_blocks(ctx, program, 8)
    contestants = {"libpto": lambda: libpto.raw.pto_program_run(ctx, program, None), "numpy": by_numpy}
    contestants.update({label: call(getattr(library, name), values) for label, library in loops.items()})
    want = by_numpy().astype(np.float64)  # a copy
    for label, run in contestants.items():
        out.fill(0)
        answer = run()
        got = out if answer is None else answer  # numpy answers
        error = np.abs(got.astype(np.float64) - want).max()
        assert error <= tolerance * max(1, np.abs(want).max()), "%s: %s is wrong by %g" % (name, label, error)
    taken = {label: [] for label in contestants}
    for _ in range(rounds):
        for label in RNG.permutation(list(contestants)):
            start = time.perf_counter()
            contestants[label]()
            taken[label].append(time.perf_counter() - start)
    ms = statistics.median(taken["libpto"]) * 1e3
    ratios = [statistics.median(t / p for t, p in zip(taken[label], taken["libpto"])) for label in contestants if label != "libpto"]
    print("| %s %s | %.2f | %s |" % (name, size, ms, " | ".join("%.2f" % r for r in ratios)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="*", default=["photo", "softmax", "gemm", "attention"])
    options = parser.parse_args()
    folder = ROOT / "build" / "bench-programs"
    folder.mkdir(parents=True, exist_ok=True)
    loops = {}
    for label, flags in COMPILERS:
        library = folder / (label.replace(" ", "") + ".so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", str(ROOT / "bench/programs.c"), "-o", str(library), *flags, "-lm"], check=True)
        loops[label] = ctypes.CDLL(str(library))
    print("| program | libpto, ms | %s |" % " | ".join(["numpy %s" % np.__version__, *loops]))
    print("|---|---|" + "---|" * (1 + len(loops)))
    for name in options.only:
        measure(name, loops, options.rounds)


if __name__ == "__main__":
    sys.exit(main())

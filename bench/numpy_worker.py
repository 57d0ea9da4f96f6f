"""Times numpy for the benchmark driver, which writes one request per line and reads one result per line.

Request: op dtype rows cols repetitions; answer: nanoseconds of thread CPU time in all, or "none" where numpy has
no such operation. The request "load BYTES" reads that number of bytes of each operand from the file that the driver names.
"""
import mmap
import sys
import time

import numpy as np

np.seterr(all="ignore")
SOURCES = 4

# Where the ufunc writes its result itself: of a and b, of a and a scalar, of a and one row or column of b, of a alone.
BINARY = {
    "tadd": np.add, "tsub": np.subtract, "tmul": np.multiply, "tdiv": np.divide, "tmax": np.maximum, "tmin": np.minimum,
    "tand": np.bitwise_and, "tor": np.bitwise_or, "txor": np.bitwise_xor, "tshl": np.left_shift, "tshr": np.right_shift,
    "tpow": np.power, "tfmod": np.fmod, "trem": np.remainder,
}
UNARY = {
    "tabs": np.absolute, "tneg": np.negative, "tnot": np.invert, "tlog": np.log, "texp": np.exp, "tsqrt": np.sqrt,
    "trecip": np.reciprocal,
}
FOLDS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
FLOATS_ONLY = {"tdiv", "tdivs", "tcolexpanddiv", "trowexpanddiv", "trecip"}


def operation(op, a, b, d, d1):
    """The call, or None. d: rows x cols of the type of a; d1: the same number of elements, one after another."""
    rows, cols = a.shape
    name, _, variant = op.partition(".")
    kind = a.dtype.kind
    if kind == "i" and name in FLOATS_ONLY:
        return None
    scalar = a.dtype.type(1.5 if kind == "f" else 3)
    if variant == "part":
        r, c = rows // 2, cols // 2

        def part():
            np.add(a[:r, :c], b[:r, :c], out=d[:r, :c])
            np.copyto(d[:r, c:], a[:r, c:])
            np.copyto(d[r:], a[r:])

        return part
    if name in ("tpow", "tpows") and kind == "i" and (b < 0).any():
        return None
    if name in BINARY:
        return lambda: BINARY[name](a, b, out=d)
    if name.startswith("tpart") and "t" + name[5:] in BINARY:
        return lambda: BINARY["t" + name[5:]](a, b, out=d)
    if name in UNARY:
        return lambda: UNARY[name](a, out=d)
    if name.endswith("s") and name[:-1] in BINARY:
        return lambda: BINARY[name[:-1]](a, scalar, out=d)
    for axis, prefix in ((0, "tcolexpand"), (1, "trowexpand")):
        f = BINARY.get("t" + name[len(prefix):]) if name.startswith(prefix) else None
        if f is not None:
            line = b.ravel()[:cols].reshape(1, cols) if axis == 0 else b.ravel()[:rows].reshape(rows, 1)
            return lambda: f(a, line, out=d)
    for axis, prefix in ((0, "tcol"), (1, "trow")):
        f = FOLDS.get(name[len(prefix):]) if name.startswith(prefix) else None
        if f is not None:
            out = d1[: cols if axis == 0 else rows]
            return lambda: f.reduce(a, axis=axis, out=out, dtype=a.dtype)
        if name == prefix + "argmax":
            return lambda: np.argmax(a, axis=axis)
    if name == "trsqrt":
        one = a.dtype.type(1)

        def rsqrt():
            np.sqrt(a, out=d)
            np.divide(one, d, out=d)

        return rsqrt
    if name == "tprelu":

        def prelu():
            np.multiply(a, b, out=d)
            np.copyto(d, a, where=a > 0)

        return prelu
    if name == "tcmp":
        return lambda: np.packbits(a > b, bitorder="little")
    if name == "ttrans":
        return lambda: np.copyto(d, a.T)
    if name in ("tmov", "tload", "tstore"):
        return lambda: np.copyto(d, a)
    if name == "tgather" and a.itemsize == 4:
        places = b.view(np.int32).ravel()
        return lambda: np.take(a.ravel(), places, out=d1)
    if name == "tsort32" and kind == "f" and cols % 32 == 0:
        return lambda: np.argsort(a.reshape(-1, 32), axis=1)
    if name == "texpands":
        return lambda: d.fill(scalar)
    return None


def convert(a, d):
    if d.dtype.kind == "i" and a.dtype.kind == "f":
        info = np.iinfo(d.dtype)
        work = np.empty_like(a)

        def rounded():
            np.rint(a, out=work)
            np.clip(work, info.min, info.max, out=work)
            np.copyto(d, work, casting="unsafe")

        return rounded
    return lambda: np.copyto(d, a, casting="unsafe")


def main():
    types = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "i16": np.int16, "i8": np.int8}
    try:
        import ml_dtypes

        types.update(e4m3=ml_dtypes.float8_e4m3fn, e5m2=ml_dtypes.float8_e5m2, bf16=ml_dtypes.bfloat16)
    except ImportError:
        pass
    stride = int(sys.argv[2])
    memory = mmap.mmap(-1, (SOURCES + 1) * stride, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    for line in sys.stdin:
        if line.startswith("load"):
            size = int(line.split()[1])
            with open(sys.argv[1], "rb") as operands:
                for k in range(SOURCES):
                    operands.readinto(memoryview(memory)[k * stride : k * stride + size])
            print("loaded", flush=True)
            continue
        op, name, rows, cols, repetitions = line.split()
        rows, cols = int(rows), int(cols)
        source, _, target = name.partition(">")
        target = target or source
        answer = "none"
        if source in types and target in types:
            a, b = (np.frombuffer(memory, types[source], rows * cols, k * stride).reshape(rows, cols) for k in (0, 1))
            d = np.frombuffer(memory, types[target], rows * cols, SOURCES * stride).reshape(rows, cols)
            run = convert(a, d) if op == "tcvt" else operation(op, a, b, d, d.ravel())
            if run is not None:
                run()
                start = time.thread_time_ns()
                for _ in range(int(repetitions)):
                    run()
                answer = str(time.thread_time_ns() - start)
        print(answer, flush=True)


if __name__ == "__main__":
    main()

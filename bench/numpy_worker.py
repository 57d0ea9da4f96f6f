"""Times numpy for the benchmark driver, which writes one request a line and reads one answer a line.

Request: op dtype rows cols repetitions; answer: nanoseconds of thread CPU time an element, or "none" where numpy has
no such operation. The request "load" reads a and b, one after another, from the file that the driver names.
"""
import mmap
import sys
import time

import numpy as np

np.seterr(all="ignore")


def operation(op, d, a, b, rows, cols):
    kind = a.dtype.kind
    if op in ("pow", "pow_mixed", "pow_wide"):
        if kind == "i" and (b < 0).any():
            return None
        return lambda: np.power(a, b, out=d)
    if op == "rsqrt":
        one = a.dtype.type(1)

        def rsqrt():
            np.sqrt(a, out=d)
            np.divide(one, d, out=d)

        return rsqrt
    if op == "prelu":

        def prelu():
            np.multiply(a, b, out=d)
            np.copyto(d, a, where=a > 0)

        return prelu
    if op == "coldiv":
        if kind == "i":
            return None
        return lambda: np.divide(a, b[0], out=d)
    if op == "partadd":
        return lambda: np.add(a, b, out=d)
    if op == "partadd_part":
        r, c = rows // 2, cols // 2

        def part():
            np.add(a[:r, :c], b[:r, :c], out=d[:r, :c])
            np.copyto(d[:r, c:], a[:r, c:])
            np.copyto(d[r:], a[r:])

        return part
    return None


def main():
    types = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "i16": np.int16, "i8": np.int8}
    stride = int(sys.argv[2])
    memory = mmap.mmap(-1, 3 * stride, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    for line in sys.stdin:
        if line == "load\n":
            with open(sys.argv[1], "rb") as operands:
                operands.readinto(memoryview(memory)[: 2 * stride])
            print("loaded", flush=True)
            continue
        op, name, rows, cols, repetitions = line.split()
        rows, cols = int(rows), int(cols)
        answer = "none"
        if name in types:
            a, b, d = (
                np.frombuffer(memory, types[name], rows * cols, k * stride).reshape(rows, cols) for k in range(3)
            )
            run = operation(op, d, a, b, rows, cols)
            if run is not None:
                run()
                start = time.thread_time_ns()
                for _ in range(int(repetitions)):
                    run()
                answer = str((time.thread_time_ns() - start) / (int(repetitions) * rows * cols))
        print(answer, flush=True)


if __name__ == "__main__":
    main()

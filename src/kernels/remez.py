"""Minimax polynomials, for the scripts beside this one."""
import struct

from mpmath import cos, log, lu_solve, matrix, mp, mpf, pi

mp.prec = 700


def f32(x):
    """x rounded to f32 (through f64: no constant here is near a tie)."""
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def l2(x):
    return log(x) / log(mpf(2))


def remez(f, weight, lo, hi, degree):
    """Coefficients of the p that minimises max |weight (p - f)|, and that maximum."""
    n = degree + 1
    nudge = (hi - lo) * mpf(10) ** -7

    def off_zero(x):  # f has a removable singularity at 0
        return x if abs(x) > mpf(10) ** -12 else x + nudge

    xs = [off_zero((lo + hi) / 2 - (hi - lo) / 2 * cos(pi * k / n)) for k in range(n + 1)]
    for _ in range(20):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, x in enumerate(xs):
            for k in range(n):
                a[i, k] = x**k
            a[i, n] = (-1) ** i / weight(x)
            b[i] = f(x)
        s = lu_solve(a, b)
        c = [s[k] for k in range(n)]

        def err(x):
            return weight(x) * (sum(c[k] * x**k for k in range(n)) - f(x))

        grid = [off_zero(lo + (hi - lo) * i / 800) for i in range(801)]
        extrema, run = [], []
        for x in grid:
            e = err(x)
            if run and (e > 0) != (run[-1][1] > 0):
                extrema.append(max(run, key=lambda t: abs(t[1])))
                run = []
            run.append((x, e))
        extrema.append(max(run, key=lambda t: abs(t[1])))
        if len(extrema) < n + 1:
            break
        while len(extrema) > n + 1:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        xs = [x for x, _ in extrema]
        worst = max(abs(e) for _, e in extrema)
        if worst / min(abs(e) for _, e in extrema) < mpf("1.001"):
            break
    return c, max(abs(e) for _, e in extrema)

#!/usr/bin/env python3
"""Prints pow_tables.h: every table and polynomial of the power kernels.

Needs python3-mpmath. Run as: python3 src/kernels/gen_pow_tables.py > src/kernels/pow_tables.h

x ** y = 2 ** (y log2 x). A positive x is z 2^e with z in [0.75, 1.5), so that x next to 1 has
e = 0 and log2 x keeps its relative accuracy. The top mantissa bits of z choose a c close to 1/z,
and r = z c - 1 is small and *exact*: c has so few bits that z c - 1 needs no rounding.
log2 x = (e - log2 c) + log2(1 + r). For z next to 1, c is 1 and log2 c is 0.

2 ** t: t = k / n + f with k an integer, |f| <= 1 / 2n; 2 ** t = 2 ** (k / n) 2 ** f, the first
factor from a table, the second from a polynomial whose constant term is exactly 1.

All polynomials are minimax (Remez), found here in 200-bit arithmetic.
"""
import struct

from mpmath import exp, floor, log, mpf, nint

from remez import f32, l2, remez

LINES = []


def array(name, ctype, values):
    suffix = "f" if ctype == "float" else ""
    if ctype == "float":
        values = [f32(v) for v in values]
    LINES.append(f"inline constexpr {ctype} {name}[{len(values)}] = {{")
    for v in values:
        LINES.append(f"    {float(v).hex()}{suffix},")
    LINES.append("};")


def words(name, ctype, bits, values, per_line):
    LINES.append(f"inline constexpr {ctype} {name}[{len(values)}] = {{")
    for i in range(0, len(values), per_line):
        row = ", ".join(f"0x{v:0{bits // 4}x}" for v in values[i : i + per_line])
        LINES.append(f"    {row},")
    LINES.append("};")


def interval(i, n):
    """The z with table index i of n (the top mantissa bits)."""
    lo, hi = 1 + mpf(i) / n, 1 + mpf(i + 1) / n
    return (lo, hi) if i < n // 2 else (lo / 2, hi / 2)


LN2 = log(mpf(2))
C1 = 1 / LN2

# f32: 32 intervals. z has 24 bits, so c = m / 2^k keeps z c - 1 exact while |r| is small enough
# for the bits of the product that are left.
inverse = []
for i in range(32):
    lo, hi = interval(i, 32)
    best = (None, mpf(1))
    if i not in (0, 31):
        ulp_z = mpf(2) ** (-23 if i < 16 else -24)
        for k in range(3, 9):
            for m in range(int(floor(2**k / hi)), int(floor(2**k / lo)) + 2):
                c = mpf(m) / 2**k
                r = max(abs(lo * c - 1), abs(hi * c - 1))
                odd, kk = m, k
                while odd % 2 == 0:
                    odd, kk = odd // 2, kk - 1
                exact = r <= ulp_z * mpf(2) ** (24 - kk)
                if exact and (best[0] is None or r < best[0]):
                    best = (r, c)
    inverse.append(best[1])
r_max = max(
    max(abs(interval(i, 32)[0] * c - 1), abs(interval(i, 32)[1] * c - 1))
    for i, c in enumerate(inverse)
)
LINES.append(f"// f32: |r| <= {float(r_max):.6f}. -log2 c = kLogHi32 + kLogLo32; kLogHi32 is a multiple")
LINES.append("// of 2^-16, so that adding the exponent is exact.")
array("kInv32", "float", inverse)
logs = [-l2(c) for c in inverse]
high = [nint(x * 65536) / 65536 for x in logs]
array("kLogHi32", "float", high)
array("kLogLo32", "float", [x - h for x, h in zip(logs, high)])
c1_high, c2 = mpf(f32(C1)), mpf(f32(-C1 / 2))
LINES.append("// log2(1 + r) = (kLog1Hi + kLog1Lo) r + kLog2 r^2 + r^2 (kLogTail polynomial in r).")
LINES.append(f"inline constexpr float kLog1Hi = {float(c1_high).hex()}f;")
LINES.append(f"inline constexpr float kLog1Lo = {f32(C1 - c1_high).hex()}f;")
LINES.append(f"inline constexpr float kLog2 = {float(c2).hex()}f;")
tail, error = remez(
    lambda r: (l2(1 + r) - C1 * r) / r**2 - c2, abs, -mpf(r_max), mpf(r_max), 4
)
LINES.append(f"// Error relative to log2(1 + r): 2^{float(l2(error / C1)):.1f}.")
array("kLogTail", "float", tail)

LINES.append("// 2^(k/32) = kExpHi32 + kExpLo32.")
powers = [mpf(2) ** (mpf(k) / 32) for k in range(32)]
high = [mpf(f32(x)) for x in powers]
array("kExpHi32", "float", high)
array("kExpLo32", "float", [x - h for x, h in zip(powers, high)])
limit = mpf(1) / 64 + mpf(2) ** -16
poly, error = remez(
    lambda f: (exp(f * LN2) - 1) / f, lambda f: abs(f) / exp(f * LN2), -limit, limit, 2
)
LINES.append(f"// 2^f = 1 + f (polynomial in f), |f| <= 1/64: relative error 2^{float(l2(error)):.1f}.")
array("kExpPoly32", "float", poly)

# The narrow formats: the logarithm's high part has few enough bits that its product with an
# exponent of 11 bits (f16; |e| < 32) or 8 bits (bf16; |e| < 256) is exact in f32.
LINES.append("// f16 and bf16: -log2 c = kLogHiNarrow + kLogLoNarrow, the former a multiple of 1/32.")


def narrow(suffix, cs, r_low, r_high, log_degree, n, exp_degree):
    logs = [-l2(c) for c in cs]
    high = [nint(x * 32) / 32 for x in logs]
    array(f"kLogHiNarrow{suffix}", "float", high)
    array(f"kLogLoNarrow{suffix}", "float", [x - h for x, h in zip(logs, high)])
    poly, error = remez(lambda r: l2(1 + r) / r, lambda r: mpf(1), r_low, r_high, log_degree)
    LINES.append(f"// log2(1 + r) = r (polynomial in r): relative error 2^{float(l2(error / C1)):.1f}.")
    array(f"kLogPolyNarrow{suffix}", "float", poly)
    limit = mpf(1) / (2 * n) + mpf(2) ** -16
    poly, error = remez(
        lambda f: (exp(f * LN2) - 1) / f, lambda f: abs(f) / exp(f * LN2), -limit, limit, exp_degree
    )
    LINES.append(
        f"// 2^f = 1 + f (polynomial in f), |f| <= 1/{2 * n}: relative error 2^{float(l2(error)):.1f}."
    )
    array(f"kExpPolyNarrow{suffix}", "float", poly)


narrow("", inverse, -mpf(r_max), mpf(r_max), 3, 32, 1)

# The same with tables of 8, which are one register of AVX2. z has at most 11 bits, so that a c of
# 15 keeps r exact.
inverse = []
for i in range(8):
    lo, hi = interval(i, 8)
    inverse.append(mpf(1) if i in (0, 7) else nint(2 / (lo + hi) * 2**14) / 2**14)
LINES.append("// With tables of 8.")
array("kInv8", "float", inverse)
r_low = min(interval(i, 8)[0] * c - 1 for i, c in enumerate(inverse))
r_high = max(interval(i, 8)[1] * c - 1 for i, c in enumerate(inverse))
narrow("8", inverse, r_low, r_high, 5, 8, 2)
LINES.append("// The bits of 2^(j/8) less j << 20: adding k << 20 with j = k mod 8 gives 2^(k/8).")
bits = [
    (struct.unpack("<I", struct.pack("<f", f32(powers[4 * j])))[0] - (j << 20)) % 2**32
    for j in range(8)
]
words("kExpBits8", "uint32_t", 32, bits, 4)

# f64: 16 intervals; the arguments are f32, so a c of 29 bits or fewer keeps z c exact even where
# there is no fused multiply-add.
inverse = []
for i in range(16):
    lo, hi = interval(i, 16)
    inverse.append(mpf(1) if i in (0, 15) else nint(2 / (lo + hi) * 2**20) / 2**20)
LINES.append("// f64, 16 intervals; -log2 c rounded to f64.")
array("kInv16", "double", inverse)
array("kLog16", "double", [-l2(c) for c in inverse])
r_low = min(interval(i, 16)[0] * c - 1 for i, c in enumerate(inverse))
r_high = max(interval(i, 16)[1] * c - 1 for i, c in enumerate(inverse))
poly, error = remez(lambda r: l2(1 + r) / r, lambda r: mpf(1), r_low, r_high, 8)
LINES.append(f"// log2(1 + r) = r (polynomial in r): relative error 2^{float(l2(error / C1)):.1f}.")
array("kLogPoly", "double", poly)

LINES.append("// The bits of 2^(j/16) less j << 48: adding k << 48 with j = k mod 16 gives 2^(k/16).")
bits = [
    (struct.unpack("<Q", struct.pack("<d", float(mpf(2) ** (mpf(j) / 16))))[0] - (j << 48))
    % 2**64
    for j in range(16)
]
words("kExpBits16", "uint64_t", 64, bits, 4)
limit = mpf(1) / 32
poly, error = remez(
    lambda f: (exp(f * LN2) - 1) / f, lambda f: abs(f) / exp(f * LN2), -limit, limit, 4
)
LINES.append(f"// 2^f = 1 + f (polynomial in f), |f| <= 1/32: relative error 2^{float(l2(error)):.1f}.")
array("kExpPoly16", "double", poly)

LINES.append("// Fractions in 32-bit words, the most significant first: ln 2 and 1 / ln 2 - 1.")


def fraction(x, count):
    v = int(floor(x * mpf(2) ** (32 * count)))
    return [(v >> (32 * (count - 1 - i))) & 0xFFFFFFFF for i in range(count)]


words("kLn2Words", "uint32_t", 32, fraction(LN2, 16), 8)
words("kLog2eWords", "uint32_t", 32, fraction(C1 - 1, 16), 8)

print("// Generated by src/kernels/gen_pow_tables.py; do not edit.")
print("#ifndef PTO_SRC_KERNELS_POW_TABLES_H_\n#define PTO_SRC_KERNELS_POW_TABLES_H_\n")
print("#include <cstdint>\n\nnamespace pto {\n")
print("\n".join(LINES))
print("\n}  // namespace pto\n\n#endif  // PTO_SRC_KERNELS_POW_TABLES_H_")

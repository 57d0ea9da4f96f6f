"""What the operations of the vector level compute, once more: numbers of Python, which share no code with the library.

A register is 256 bytes. A mask is a list of 256 bits. Lanes are numbers: int, or float for f16, bf16 and f32.
"""
import math
import struct
from fractions import Fraction

CODES = {"i8": "b", "ui8": "B", "si8": "b", "i16": "h", "ui16": "H", "i32": "i", "ui32": "I", "i64": "q", "ui64": "Q",
         "f16": "e", "bf16": "H", "f32": "f"}
FLOATS = ("f16", "bf16", "f32")
LEAST = {"f16": -24, "bf16": -133, "f32": -149}  # exponent of the least number
DIGITS = {"f16": 11, "bf16": 8, "f32": 24}
LARGEST = {"f16": 65504.0, "bf16": 2.0 ** 128 - 2.0 ** 120, "f32": 2.0 ** 128 - 2.0 ** 104}


def size(t):
    return struct.calcsize(CODES[t])


def bits(t):
    return 8 * size(t)


def is_float(t):
    return t in FLOATS


def signed(t):
    return not t.startswith("u")


def limits(t):
    n = bits(t)
    return (-(1 << n - 1), (1 << n - 1) - 1) if signed(t) else (0, (1 << n) - 1)


def wrap(t, value):
    value &= (1 << bits(t)) - 1
    return value - (1 << bits(t)) if signed(t) and value >> bits(t) - 1 else value


def lanes(register, t):
    values = struct.unpack("<%d%s" % (256 // size(t), CODES[t]), register)
    if t == "bf16":
        return list(struct.unpack("<128f", b"".join(struct.pack("<I", v << 16) for v in values)))
    return list(values)


def whole(q, mode):
    """A Fraction as an integer, rounded by the mode."""
    low = math.floor(q)
    if q == low or mode == "F":
        return low
    if mode == "C":
        return low + 1
    if mode in "ZO":
        toward = low if q > 0 else low + 1
        return toward if mode == "Z" or toward % 2 else toward + (1 if q > 0 else -1)
    if q - low != Fraction(1, 2):
        return low + (q - low > Fraction(1, 2))
    if mode == "A":
        return low + 1 if q > 0 else low
    return low + low % 2


def rounded(t, x, mode="R", saturate=False):
    """A float or a Fraction as a number of t, rounded once."""
    if isinstance(x, float):
        if math.isnan(x):
            return x
        if math.isinf(x):
            return math.copysign(LARGEST[t], x) if saturate else x
        if x == 0:
            return x
    q = Fraction(x)
    if q == 0:
        return 0.0
    exponent = max(math.floor(math.log2(abs(q.numerator)) - math.log2(q.denominator)) - DIGITS[t] + 1, LEAST[t])
    while abs(q) >= Fraction(2) ** (exponent + DIGITS[t]):
        exponent += 1
    while exponent > LEAST[t] and abs(q) < Fraction(2) ** (exponent + DIGITS[t] - 1):
        exponent -= 1
    unit = Fraction(2) ** exponent
    n = whole(q / unit, mode)
    if abs(n * unit) > LARGEST[t]:
        return math.copysign(LARGEST[t] if saturate else math.inf, q)
    return math.copysign(float(n * unit), q)


def pattern(t, x):
    """The bits of a lane."""
    if not is_float(t):
        return x & (1 << bits(t)) - 1
    if math.isnan(x):
        return {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000}[t]
    if t == "f16":
        return struct.unpack("<H", struct.pack("<e", x))[0] if abs(x) <= 65504 else 0x7C00 | (x < 0) << 15
    word = struct.unpack("<I", struct.pack("<f", x))[0] if abs(x) <= LARGEST["f32"] else 0x7F800000 | (x < 0) << 31
    return word >> 16 if t == "bf16" else word


def register(t, values):
    return b"".join(pattern(t, v).to_bytes(size(t), "little") for v in values)


def active(mask, t):
    return mask[::size(t)]


def fl(t, f):
    """A function of floats, whose result is rounded to t."""
    def g(*xs):
        try:
            return rounded(t, f(*xs))
        except (ZeroDivisionError, ValueError, OverflowError):
            return None
    return g


def add(t, a, b):
    if not is_float(t):
        return wrap(t, a + b)
    if math.isfinite(a) and math.isfinite(b) and (a or b):
        q = Fraction(a) + Fraction(b)
        return rounded(t, q) if q else (0.0 if a != -a else a + b)
    return a + b


def mul(t, a, b):
    if not is_float(t):
        return wrap(t, a * b)
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b
    q = Fraction(a) * Fraction(b)
    sign = math.copysign(1, a) * math.copysign(1, b)
    return math.copysign(rounded(t, q), sign)


def fused(t, a, b, c):
    if not is_float(t):
        return wrap(t, a * b + c)
    if not all(map(math.isfinite, (a, b, c))):
        if math.isfinite(a) and math.isfinite(b):
            return c
        return a * b + c
    q = Fraction(a) * Fraction(b) + Fraction(c)
    if q:
        return rounded(t, q)
    product = math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b))
    return product + c if not Fraction(a) * Fraction(b) else 0.0


def div(t, a, b):
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)) or (a == 0 and b == 0):
        return math.nan
    sign = math.copysign(1, a) * math.copysign(1, b)
    if math.isinf(a) or b == 0:
        return math.copysign(math.inf, sign)
    if math.isinf(b):
        return math.copysign(0.0, sign)
    return math.copysign(rounded(t, Fraction(a) / Fraction(b)), sign)


def sqrt(t, a):
    if math.isnan(a) or a < 0:
        return math.nan
    if a == 0 or math.isinf(a):
        return a
    # Twice the digits needed, and a bit for a nonzero rest.
    scale = 200
    q = Fraction(a) * Fraction(4) ** scale
    root = math.isqrt(q.numerator // q.denominator)
    exact = q.denominator == 1 and root * root == q.numerator
    return rounded(t, Fraction(2 * root + (not exact), 2) / Fraction(2) ** scale)


def order(x):
    return (x, math.copysign(1, x)) if isinstance(x, float) else (x, 0)


def best(largest):
    def g(t, a, b):
        if is_float(t) and (math.isnan(a) or math.isnan(b)):
            return math.nan
        return (max if largest else min)(a, b, key=order)
    return g


def relu(t, a):
    return a if is_float(t) and math.isnan(a) else a if a > 0 else 0.0 if is_float(t) else 0


def leaky(t, a, b):
    return a if a >= 0 else mul(t, a, b)


def bitwise(f):
    def g(t, *xs):
        n = f(*(pattern(t, x) for x in xs)) & (1 << bits(t)) - 1
        return lanes(n.to_bytes(size(t), "little") * (256 // size(t)), t)[0]
    return g


def shift(left):
    def g(t, a, b):
        count = b % bits(t)
        return wrap(t, a << count if left else a >> count)
    return g


UNARY = {"vabs": lambda t, a: abs(a) if is_float(t) else wrap(t, abs(a)), "vneg": lambda t, a: -a if is_float(t) else wrap(t, -a),
         "vsqrt": sqrt, "vrelu": relu, "vnot": bitwise(lambda a: ~a), "vrec": lambda t, a: div(t, 1.0, a),
         "vmov": lambda t, a: a, "vbcnt": lambda t, a: bin(pattern(t, a)).count("1")}
BINARY = {"vadd": add, "vsub": lambda t, a, b: add(t, a, -b), "vmul": mul, "vdiv": div, "vmax": best(True),
          "vmin": best(False), "vand": bitwise(lambda a, b: a & b), "vor": bitwise(lambda a, b: a | b),
          "vxor": bitwise(lambda a, b: a ^ b), "vshl": shift(True), "vshr": shift(False), "vprelu": leaky,
          "vaddrelu": lambda t, a, b: relu(t, add(t, a, b)), "vsubrelu": lambda t, a, b: relu(t, add(t, a, -b))}
SCALAR = {"vadds": "vadd", "vsubs": "vsub", "vmuls": "vmul", "vmaxs": "vmax", "vmins": "vmin", "vlrelu": "vprelu",
          "vands": "vand", "vors": "vor", "vxors": "vxor", "vshls": "vshl", "vshrs": "vshr"}
COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


def lanewise(f, t, on, *registers, inactive=None):
    """f of each active lane; inactive lanes are 0, or copied from a register."""
    zero = 0.0 if is_float(t) else 0
    columns = list(zip(*(lanes(r, t) for r in registers)))
    kept = [zero] * len(columns) if inactive is None else lanes(inactive, t)
    return register(t, [f(t, *c) if o else k for c, o, k in zip(columns, active(on, t), kept)])


# ---- conversions --------------------------------------------------------------------------

def convert(x, t, u, mode, saturate):
    if is_float(u):
        if is_float(t) and math.isnan(x):
            return 0.0 if saturate and size(u) <= size(t) else x
        return rounded(u, x if is_float(t) else Fraction(x), mode, saturate)
    low, high = limits(u)
    if is_float(t):
        if math.isnan(x):
            return 0
        if math.isinf(x):
            wide = (1 << 63) - 1 if x > 0 else -(1 << 63)
            return (high if x > 0 else low) if saturate else wrap(u, wide)
        x = whole(Fraction(x), mode)
    return min(max(x, low), high) if saturate else wrap(u, x)


def vcvt(a, on, t, u, mode, saturate, part):
    ratio = max(size(t), size(u)) // min(size(t), size(u))
    xs, act = lanes(a, t), active(on, t)
    if size(u) > size(t):
        xs, act = xs[part::ratio], act[part::ratio]
    zero = 0.0 if is_float(u) else 0
    ys = [convert(x, t, u, mode, saturate) if o else zero for x, o in zip(xs, act)]
    if size(u) < size(t):
        out = [zero] * (256 // size(u))
        out[part::ratio] = ys
        ys = out
    return register(u, ys)


def vtrc(t, mode):
    def g(t, x):
        if not math.isfinite(x):
            return x
        return math.copysign(float(whole(Fraction(x), mode)), x)
    return g


# ---- sums ---------------------------------------------------------------------------------

def tree(t, xs):
    """f16 is summed as f32 and rounded at the end; integers of any width."""
    sum_type = "f32" if is_float(t) else None
    while len(xs) > 1:
        xs = [add(sum_type, a, b) if sum_type else a + b for a, b in zip(xs[::2], xs[1::2])]
    return rounded(t, xs[0]) if is_float(t) else xs[0]


def masked(a, on, t, neutral):
    return [x if o else neutral for x, o in zip(lanes(a, t), active(on, t))]


def vcadd(a, on, t, u):
    total = tree(t, masked(a, on, t, 0.0 if is_float(t) else 0))
    return register(u, [wrap(u, total) if not is_float(u) else total] + [0.0 if is_float(u) else 0] * (256 // size(u) - 1))


def groups(a, on, t, f, neutral, count=8):
    xs = masked(a, on, t, neutral)
    n = len(xs) // count
    ys = [f(xs[g * n:(g + 1) * n]) for g in range(count)]
    zero = 0.0 if is_float(t) else 0
    return register(t, [y if is_float(t) else wrap(t, y) for y in ys] + [zero] * (len(xs) - count))


def neutral(t, largest):
    if is_float(t):
        return -math.inf if largest else math.inf
    return limits(t)[0 if largest else 1]


def extreme(xs, t, largest):
    at = 0
    for i, x in enumerate(xs):
        held = xs[at]
        if is_float(t) and math.isnan(held):
            break
        if (is_float(t) and math.isnan(x)) or (order(x) > order(held) if largest else order(x) < order(held)):
            at = i
    return at


def vcmax(a, on, t, largest):
    xs = masked(a, on, t, neutral(t, largest))
    at = extreme(xs, t, largest)
    out = register(t, [xs[at]] + [0.0 if is_float(t) else 0] * (len(xs) - 1))
    return out[:size(t)] + at.to_bytes(size(t), "little") + out[2 * size(t):]


# ---- moves --------------------------------------------------------------------------------

def cut(data, width):
    return [data[i:i + width] for i in range(0, len(data), width)]


def interleave(a, b, width):
    z = [x for pair in zip(cut(a, width), cut(b, width)) for x in pair]
    n = len(z) // 2
    return join(z[:n], a), join(z[n:], a)


def deinterleave(a, b, width):
    z = cut(a, width) + cut(b, width)
    return join(z[::2], a), join(z[1::2], a)


def join(parts, like):
    return b"".join(parts) if isinstance(like, bytes) else [x for part in parts for x in part]


def mask_of(width, on):
    out = [0] * 256
    out[::width] = [int(bool(o)) for o in on]
    return out


def pack_bits(mask):
    return bytes(sum(mask[i + k] << k for k in range(8)) for i in range(0, len(mask), 8))

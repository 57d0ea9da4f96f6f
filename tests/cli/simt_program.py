"""Programs of work items, for the tests of SIMT: numbers and their bytes, functions under construction, and the comparison.

A program is one function of work items: each loads its inputs by its number from x, and stores its results to y.
"""
import math
import struct

import npy
import vector_oracle as o
from harness import CommandTest

INTS = ("i8", "i16", "i32", "i64")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, 3.5, math.inf, -math.inf, math.nan, 65504.0, 65520.0, 1e-45, -6e-8, 88.5, 3.0e38]
HEAD = "module attributes {pto.target_arch = \"a5\"} {\n"


def wide(t):
    """Bytes of a number."""
    return 2 * wide(t[9:-1]) if t.startswith("vector") else {"f64": 8, "f8E4M3FN": 1, "f8E5M2": 1, "i1": 1}.get(t) or o.size(t)


def encode(t, value):
    if t.startswith("vector"):
        return b"".join(encode(t[9:-1], v) for v in value)
    if t == "f64":
        return struct.pack("<d", value)
    if t.startswith("f8"):
        return bytes([small_code(t, value)])
    return o.pattern(t, value).to_bytes(o.size(t), "little")


def decode(t, data):
    if t.startswith("vector"):
        half = len(data) // 2
        return decode(t[9:-1], data[:half]), decode(t[9:-1], data[half:])
    if t == "f64":
        return struct.unpack("<d", data)[0]
    if t.startswith("f8"):
        return small_value(t, data[0])
    if t == "bf16":
        return struct.unpack("<f", bytes(2) + data)[0]
    return struct.unpack("<" + o.CODES[t], data)[0]


def small_value(t, code):
    digits, bias = (3, 7) if t == "f8E4M3FN" else (2, 15)
    sign, e, f = -1.0 if code & 128 else 1.0, (code & 127) >> digits, code & (1 << digits) - 1
    if (code & 127) == 127 if digits == 3 else e == 31:
        return math.nan if digits == 3 or f else sign * math.inf
    if e == 0:
        return sign * f * 2.0 ** (1 - bias - digits)
    return sign * (1 + f / 2.0 ** digits) * 2.0 ** (e - bias)


def small_code(t, value):
    """The nearest code, an even one of two; beyond the largest number that one."""
    finite = [c for c in range(128) if math.isfinite(small_value(t, c))]
    if math.isnan(value):
        return next(c for c in range(128) if math.isnan(small_value(t, c)))
    sign = 128 if math.copysign(1, value) < 0 else 0
    value = abs(value)
    return sign | min(finite, key=lambda c: (abs(small_value(t, c) - min(value, small_value(t, finite[-1]))), c % 2))


def same(a, b):
    if isinstance(a, tuple):
        return all(map(same, a, b))
    if isinstance(a, float):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return a == b


class Items:
    """A function of work items under construction."""

    def __init__(self, nx, ny=1, nz=1):
        self.extents = (nx, ny, nz)
        self.count = nx * ny * nz
        self.lines, self.data, self.checks, self.out, self.names = [], bytearray(), [], 0, 0

    def say(self, form, *args):
        self.names += 1
        r = "%%v%d" % self.names
        self.lines.append(form.format(*args, r=r))
        return r

    def constant(self, t, value):
        return self.say("{r} = arith.constant {0} : {1}", value, t)

    def pointer(self, base, at, t):
        q = self.say("{r} = pto.addptr {0}, {1} : !pto.ptr<ui8, gm> -> !pto.ptr<ui8, gm>", base, self.constant("index", at))
        return self.say("{r} = pto.castptr {0} : !pto.ptr<ui8, gm> -> !pto.ptr<{1}, gm>", q, t)

    def load(self, t, values):
        """A number for each work item."""
        if t == "i1":
            word = self.load("i32", values)
            return self.say("{r} = arith.cmpi ne, {0}, {1} : i32", word, self.constant("i32", 0))
        self.data += bytes(-len(self.data) % 16)
        at = len(self.data)
        for value in values:
            self.data += encode(t, value)
        return self.say("{r} = pto.load {0}[%id] : !pto.ptr<{1}, gm> -> {1}", self.pointer("%x", at, t), t)

    def expect(self, value, t, want, what, close=0):
        if t == "i1":
            value = self.say("{r} = arith.extui {0} : i1 to i32", value)
            t, want = "i32", [int(w) for w in want]
        self.out += -self.out % 16
        self.checks.append((self.out, t, want, what, close))
        self.say("pto.store {0}, {1}[%id] : !pto.ptr<{2}, gm>, {2}", value, self.pointer("%y", self.out, t), t)
        self.out += self.count * wide(t)

    def groups(self, values):
        """The values of each group of 32."""
        return [values[i:i + 32] for i in range(0, self.count, 32)]

    def text(self, attributes="pto.simt_entry"):
        nx, ny, nz = self.extents
        body = ["%tx = pto.get_tid_x : i32", "%ty = pto.get_tid_y : i32", "%tz = pto.get_tid_z : i32",
                "%dx = pto.get_block_dim_x : i32", "%dy = pto.get_block_dim_y : i32",
                "%a0 = arith.muli %tz, %dy : i32", "%a1 = arith.addi %a0, %ty : i32", "%a2 = arith.muli %a1, %dx : i32",
                "%lin = arith.addi %a2, %tx : i32", "%id = arith.index_cast %lin : i32 to index"]
        return (HEAD + "func.func @f(%x: !pto.ptr<ui8, gm>, %y: !pto.ptr<ui8, gm>) attributes {" + attributes + "} {\n"
                + "\n".join(body + self.lines) + "\nreturn\n}\n"
                + "func.func @main(%x: !pto.ptr<ui8, gm>, %y: !pto.ptr<ui8, gm>) attributes {pto.aicore} {\n"
                + "".join("%%n%d = arith.constant %d : i32\n" % (i, n) for i, n in enumerate((nx, ny, nz)))
                + "pto.simt_launch @f<<<%n0, %n1, %n2>>>(%x, %y) : (!pto.ptr<ui8, gm>, !pto.ptr<ui8, gm>) -> ()\nreturn\n}\n}\n")


class Case(CommandTest):
    def judge(self, p, *options):
        self.write("p.pto", p.text())
        npy.save(self.path("x.npy"), "u8", (max(1, len(p.data)),), p.data or b"\0")
        self.pto("run", "p.pto", "--flat", "--in", "x=x.npy", "--shape", "y=%d:u8" % p.out, "--out", "y=y.npy", *options)
        y = bytes(npy.load(self.path("y.npy"))[2])
        for at, t, want, what, close in p.checks:
            size = wide(t)
            for i, w in enumerate(want):
                got = decode(t, y[at + i * size:at + (i + 1) * size])
                if w is None or same(got, w):
                    continue
                near = close and not isinstance(got, tuple) and math.isfinite(w) and abs(got - w) <= close * max(abs(w), 2.0 ** o.LEAST[t])
                self.assertTrue(near, "%s, work item %d: %r, not %r" % (what, i, got, w))
        return y

    def numbers(self, t, r, n):
        if t.startswith("vector"):
            return [tuple(pair) for pair in zip(self.numbers(t[9:-1], r, n), self.numbers(t[9:-1], r, n))]
        if t == "i1":
            return [r.randint(0, 1) for _ in range(n)]
        if t == "f64":
            return [r.uniform(-1e100, 1e100) for _ in range(n)]
        if t.startswith("f8"):
            return [small_value(t, r.randint(0, 120)) for _ in range(n)]
        if o.is_float(t):
            return [o.rounded(t, r.choice(SPECIAL) if r.random() < 0.3 else r.uniform(-9, 9)) for _ in range(n)]
        low, high = o.limits(t)
        return [r.choice((low, high, 0, 1, -1)) if r.random() < 0.3 else r.randint(low, high) for _ in range(n)]

    def calm(self, t, r, n):
        """Numbers without NaN."""
        values = self.numbers(t, r, n)
        fix = lambda v: 0.25 if isinstance(v, float) and math.isnan(v) else v
        return [tuple(map(fix, v)) if isinstance(v, tuple) else fix(v) for v in values]

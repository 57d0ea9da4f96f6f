"""The vector level: every operation, for each of its element types, under masks of all kinds, against an oracle of its own.

One program for each element type: its statements read registers from one array and write their results to another.
"""
import math
import os
import random
import re
import struct
import sys
import unittest

import npy
import vector_oracle as o
from harness import ROOT, CommandTest

INTS = ("i8", "ui8", "i16", "ui16", "i32", "ui32")
WIDE = INTS + ("i64", "ui64")
FINE = ("f16", "f32")
ALL = WIDE + o.FLOATS
TYPES = {"vabs": INTS + o.FLOATS, "vneg": INTS + o.FLOATS, "vsqrt": FINE, "vrelu": ("i32",) + FINE, "vnot": ALL, "vrec": FINE,
         "vmov": ALL, "vbcnt": INTS, "vadd": ALL, "vsub": ALL, "vmul": INTS[2:] + o.FLOATS, "vdiv": FINE,
         "vmax": INTS + o.FLOATS, "vmin": INTS + o.FLOATS, "vand": ALL, "vor": ALL, "vxor": ALL, "vshl": WIDE, "vshr": WIDE,
         "vprelu": FINE, "vaddrelu": ("i32",) + FINE, "vsubrelu": ("i32",) + FINE}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, math.inf, -math.inf, math.nan, 65504.0, -65504.0, 3.0e38, 1e-45, -6e-8, 88.5]
RND = {"R": 1}


def vreg(t):
    return "!pto.vreg<%dx%s>" % (256 // o.size(t), t)


def mask_type(t):
    return "!pto.mask<b%d>" % min(32, o.bits(t))


class Program:
    """Statements, the bytes that they read and what is expected of the bytes that they write."""

    def __init__(self):
        self.lines, self.data, self.checks, self.names = [], bytearray(), [], 0
        self.out = 0

    def name(self):
        self.names += 1
        return "%%v%d" % self.names

    def say(self, form, *args, **more):
        """A statement; {r} in its form is a new name, which is returned."""
        r = self.name()
        self.lines.append(form.format(*args, r=r, **more))
        return r

    def pointer(self, t, at):
        number = self.say("{r} = arith.constant {0} : i64", at)
        return self.say("{r} = pto.castptr {0} : i64 -> !pto.ptr<{1}, ub>", number, t)

    def place(self, data):
        """The address of bytes in UB, on a block of 32 bytes."""
        self.data += bytes(-len(self.data) % 32)
        at = len(self.data)
        self.data += data
        return at

    def load(self, data, t):
        p = self.pointer(t, self.place(data))
        return self.say("{r} = pto.vlds {0}[%c0] : !pto.ptr<{1}, ub> -> {2}", p, t, vreg(t))

    def mask(self, bits, t):
        p = self.pointer("ui8", self.place(o.pack_bits(bits)))
        return self.say('{r} = pto.plds {0}[%c0], "NORM" : !pto.ptr<ui8, ub>, index -> {1}', p, mask_type(t))

    def scalar(self, t, value):
        text = "0x%X" % o.pattern(t, value) if o.is_float(t) else str(value)
        return self.say("{r} = arith.constant {0} : {1}", text, t)

    def room(self, count):
        at = self.out
        self.out += count + -count % 32
        return at

    def expect(self, value, t, want, what, close=0):
        self.at_end(at := self.room(256), want, t, what, close)
        p = self.pointer(t, Case.OUT + at)
        on = self.say('{r} = pto.pset_b{0} "PAT_ALL" : !pto.mask<b{0}>', min(32, o.bits(t)))
        dist = "" if o.bits(t) < 64 else ' {dist = "NORM_B32"}'
        self.lines.append("pto.vsts %s, %s[%%c0], %s%s : %s, !pto.ptr<%s, ub>, %s"
                          % (value, p, on, dist, vreg(t), t, mask_type(t)))

    def expect_mask(self, value, t, want, what):
        self.at_end(at := self.room(32), o.pack_bits(want), "ui8", what, 0)
        p = self.pointer("ui8", Case.OUT + at)
        self.lines.append('pto.psts %s, %s[%%c0], "NORM" : %s, !pto.ptr<ui8, ub>, index' % (value, p, mask_type(t)))

    def at_end(self, at, want, t, what, close=0):
        self.checks.append((at, want, t, what, close))

    def text(self):
        head = ["func.func @main(%x: !pto.ptr<ui8, gm>, %y: !pto.ptr<ui8, gm>) {", "%c0 = arith.constant 0 : index",
                "%zero = arith.constant 0 : i64", "%one = arith.constant 1 : i64",
                "%%in = arith.constant %d : i64" % len(self.data), "%%size = arith.constant %d : i64" % max(self.out, 1),
                "%%to = arith.constant %d : i64" % Case.OUT,
                "%src = pto.castptr %zero : i64 -> !pto.ptr<ui8, ub>", "%dst = pto.castptr %to : i64 -> !pto.ptr<ui8, ub>",
                "pto.mte_gm_ub %x, %src, %zero, %in nburst(%one, %in, %in) : !pto.ptr<ui8, gm>, !pto.ptr<ui8, ub>, "
                "i64, i64, i64, i64, i64"]
        tail = ["pto.mte_ub_gm %dst, %y, %size nburst(%one, %size, %size) : !pto.ptr<ui8, ub>, !pto.ptr<ui8, gm>, "
                "i64, i64, i64, i64", "return", "}"]
        return "\n".join(head + self.lines + tail) + "\n"


class Case(CommandTest):
    OUT = 1 << 22  # where results lie in UB, beyond what A5 has: the CPU profile has more

    def run_program(self, p, *options):
        self.write("p.pto", p.text())
        npy.save(self.path("x.npy"), "u8", (len(p.data),), p.data)
        self.pto("run", "p.pto", "--flat", "--in", "x=x.npy", "--shape", "y=%d:u8" % p.out, "--out", "y=y.npy", *options)
        return bytes(npy.load(self.path("y.npy"))[2])

    def judge(self, p, *options):
        y = self.run_program(p, *options)
        for at, want, t, what, close in p.checks:
            got = y[at:at + len(want)]
            if got == want:
                continue
            have, need = (o.lanes(r, t) if len(r) == 256 else list(r) for r in (got, want))
            for i, (a, b) in enumerate(zip(have, need)):
                if a == b and (not o.is_float(t) or math.copysign(1, a) == math.copysign(1, b)):
                    continue
                if o.is_float(t) and math.isnan(a) and math.isnan(b):
                    continue
                step = abs(a - b) / max(abs(b) * 2.0 ** (1 - o.DIGITS[t]), 2.0 ** o.LEAST[t]) if o.is_float(t) else math.inf
                self.assertLessEqual(step, close, "%s, lane %d: %r, not %r" % (what, i, a, b))

    def numbers(self, t, r):
        n = 256 // o.size(t)
        if o.is_float(t):
            values = [o.rounded(t, r.choice(SPECIAL) if r.random() < 0.3 else r.uniform(-4, 4)) for _ in range(n)]
        else:
            low, high = o.limits(t)
            values = [r.choice((low, high, 0, 1, -1 if low else 1)) if r.random() < 0.3 else r.randint(low, high)
                      for _ in range(n)]
        return o.register(t, values)

    def masks(self, t, r):
        n = 256 // o.size(t)
        step = min(4, o.size(t))
        lanes = 256 // step
        for on in ([1] * lanes, [0] * lanes, [i < 5 for i in range(lanes)], [i < lanes - 1 for i in range(lanes)],
                   [r.random() < 0.5 for _ in range(lanes)]):
            yield o.mask_of(step, on)

    def covers(self, *names):
        COVERED.update(names)


COVERED = set()


class Lanewise(Case):
    def test_each_type(self):
        for t in ALL:
            with self.subTest(t):
                r = random.Random(t)
                p = Program()
                a, b, c = (self.numbers(t, r) for _ in range(3))
                ra, rb, rc = (p.load(x, t) for x in (a, b, c))
                scalar = o.lanes(self.numbers(t, r), t)[7]
                rs = p.scalar(t, scalar)
                shift = p.say("{r} = arith.constant {0} : i16", o.bits(t) - 3)
                every = o.register(t, [scalar] * (256 // o.size(t)))
                for number, on in enumerate(self.masks(t, r)):
                    m = p.mask(on, t)
                    v, k = vreg(t), mask_type(t)
                    for name, f in o.UNARY.items():
                        if t in TYPES[name]:
                            x = p.say("{r} = pto.{0} {1}, {2} : {3}, {4} -> {3}", name, ra, m, v, k)
                            p.expect(x, t, o.lanewise(f, t, on, a), "%s %s %d" % (name, t, number))
                    for name, f in o.BINARY.items():
                        if t in TYPES[name]:
                            x = p.say("{r} = pto.{0} {1}, {2}, {3} : {4}, {4}, {5} -> {4}", name, ra, rb, m, v, k)
                            p.expect(x, t, o.lanewise(f, t, on, a, b), "%s %s %d" % (name, t, number))
                    for name, like in o.SCALAR.items():
                        shifts = like in ("vshl", "vshr")
                        ints_only = name in ("vands", "vors", "vxors")
                        if t not in TYPES[like] or (not shifts and t in ("i64", "ui64") and not ints_only):
                            continue
                        if ints_only and o.is_float(t):
                            continue
                        x = p.say("{r} = pto.{0} {1}, {2}, {3} : {4}, {5}, {6} -> {4}", name, ra, shift if shifts else rs, m, v,
                                  "i16" if shifts else t, k)
                        other = o.register(t, [o.bits(t) - 3] * (256 // o.size(t))) if shifts else every
                        p.expect(x, t, o.lanewise(o.BINARY[like], t, on, a, other), "%s %s %d" % (name, t, number))
                    if t in INTS[2:] + o.FLOATS:
                        x = p.say("{r} = pto.vmula {0}, {1}, {2}, {3} : {4}, {4}, {4}, {5} -> {4}", rc, ra, rb, m, v, k)
                        want = o.lanewise(o.fused, t, on, a, b, c, inactive=c)
                        p.expect(x, t, want, "vmula %s %d" % (t, number))
                    if t in FINE:
                        x = p.say("{r} = pto.vaxpy {0}, {1}, {2}, {3} : {4}, {4}, {5}, {6} -> {4}", ra, rb, rs, m, v, t, k)
                        p.expect(x, t, o.lanewise(o.fused, t, on, a, every, b, inactive=b), "vaxpy %s %d" % (t, number))
                    for mode, f in o.COMPARE.items():
                        if t in ("i64", "ui64"):
                            continue
                        x = p.say('{r} = pto.vcmp {0}, {1}, {2}, "{3}" : {4}, {4}, {5} -> {5}', ra, rb, m, mode, v, k)
                        want = [f(x_, y_) and q for x_, y_, q in zip(o.lanes(a, t), o.lanes(b, t), o.active(on, t))]
                        p.expect_mask(x, t, o.mask_of(o.size(t), want), "vcmp %s %s %d" % (mode, t, number))
                        x = p.say('{r} = pto.vcmps {0}, {1}, {2}, "{3}" : {4}, {5}, {6} -> {6}', ra, rs, m, mode, v, t, k)
                        want = [f(x_, scalar) and q for x_, q in zip(o.lanes(a, t), o.active(on, t))]
                        p.expect_mask(x, t, o.mask_of(o.size(t), want), "vcmps %s %s %d" % (mode, t, number))
                    x = p.say("{r} = pto.vsel {0}, {1}, {2} : {3}, {3}, {4} -> {3}", ra, rb, m, v, k)
                    p.expect(x, t, o.lanewise(lambda t, q, _: q, t, on, a, b, inactive=b), "vsel %s %d" % (t, number))
                self.judge(p)
        self.covers(*o.UNARY, *o.BINARY, *o.SCALAR, "vmula", "vaxpy", "vcmp", "vcmps", "vsel")

    def test_functions(self):
        """Within one unit of the last place of f32; correctly rounded in f16, where no tie is near."""
        for t in FINE:
            r = random.Random(t)
            p = Program()
            values = [o.rounded(t, r.uniform(-8, 8)) for _ in range(256 // o.size(t))]
            values[:6] = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0]
            a = p.load(o.register(t, values), t)
            for on in self.masks(t, r):
                m = p.mask(on, t)
                for name, f in {"vexp": lambda x: math.exp(x) if not x > 700 else math.inf,
                                "vln": lambda x: -math.inf if x == 0 else math.nan if not x > 0 else math.log(x),
                                "vrsqrt": lambda x: math.copysign(math.inf, x) if x == 0 else math.nan if not x > 0
                                else 1 / math.sqrt(x)}.items():
                    x = p.say("{r} = pto.{0} {1}, {2} : {3}, {4} -> {3}", name, a, m, vreg(t), mask_type(t))
                    want = [o.rounded(t, f(v)) if q else 0.0 for v, q in zip(values, o.active(on, t))]
                    p.expect(x, t, o.register(t, want), name + " " + t, close=1)
                for part, word in enumerate(("EVEN", "ODD")):
                    x = p.say('{r} = pto.vexpdif {0}, {0}, {1}, "{2}" : {3}, {3}, {4} -> !pto.vreg<64xf32>', a, m, word, vreg(t),
                              mask_type(t))
                    every = 2 if t == "f16" else 1
                    at = part if t == "f16" else 0
                    want = [math.exp(v - v) if q else 0.0 for v, q in zip(values[at::every], o.active(on, t)[at::every])]
                    p.expect(x, "f32", o.register("f32", want), "vexpdif " + t, close=1)
            self.judge(p)
        self.covers("vexp", "vln", "vrsqrt", "vexpdif")

    def test_carries(self):
        for t in ("i32", "ui32"):
            r = random.Random(t)
            p = Program()
            a, b = self.numbers(t, r), self.numbers(t, r)
            ra, rb = p.load(a, t), p.load(b, t)
            v, k = vreg(t), mask_type(t)
            carry = [r.random() < 0.5 for _ in range(64)]
            rc = p.mask(o.mask_of(4, carry), t)
            xs, ys = o.lanes(a, "ui32"), o.lanes(b, "ui32")
            for on in self.masks(t, r):
                m = p.mask(on, t)
                act = o.active(on, t)
                for name, sign, takes in (("vaddc", 1, 0), ("vaddcs", 1, 1), ("vsubc", -1, 0), ("vsubcs", -1, 1)):
                    low, high = p.name(), p.name()
                    extra = (rc + ", ", k + ", ") if takes else ("", "")
                    p.lines.append("%s, %s = pto.%s %s, %s, %s%s : %s, %s, %s%s -> %s, %s"
                                   % (low, high, name, ra, rb, extra[0], m, v, v, extra[1], k, v, k))
                    sums = []
                    for x, y, c in zip(xs, ys, carry):
                        into = (c if sign > 0 else c - 1) if takes else 0
                        sums.append(x + sign * y + into)
                    p.expect(low, "ui32", o.register("ui32", [s % (1 << 32) if q else 0 for s, q in zip(sums, act)]), name)
                    out = [(s >> 32 != 0) == (sign > 0) and q for s, q in zip(sums, act)]
                    p.expect_mask(high, t, o.mask_of(4, out), name)
                low, high = p.name(), p.name()
                p.lines.append("%s, %s = pto.vmull %s, %s, %s : %s, %s, %s -> %s, %s" % (low, high, ra, rb, m, v, v, k, v, v))
                products = [x * y if q else 0 for x, y, q in zip(o.lanes(a, t), o.lanes(b, t), act)]
                p.expect(low, "ui32", o.register("ui32", [x % (1 << 32) for x in products]), "vmull")
                p.expect(high, "ui32", o.register("ui32", [x >> 32 & 0xFFFFFFFF for x in products]), "vmull")
            # The stores above name registers of t as ui32: the same bytes.
            p.lines = [re.sub(r"vreg<64xui32>, !pto.ptr<ui32", "vreg<64x%s>, !pto.ptr<ui32" % t, line) for line in p.lines]
            self.judge(p)
        self.covers("vaddc", "vaddcs", "vsubc", "vsubcs", "vmull")

    def test_poison(self):
        p = Program()
        a = p.load(o.register("f32", [1.0] * 64), "f32")
        m = p.mask(o.mask_of(4, [i < 3 for i in range(64)]), "f32")
        x = p.say("{r} = pto.vadd {0}, {0}, {1} : {2}, {2}, {3} -> {2}", a, m, vreg("f32"), mask_type("f32"))
        p.expect(x, "f32", o.register("f32", [2.0] * 3 + [0.0] * 61), "vadd")
        self.judge(p)
        y = self.run_program(p, "--poison-inactive")
        self.assertEqual(y[:256], o.register("f32", [2.0] * 3) + b"\xa5" * 244)


class Conversions(Case):
    def test_each_pair(self):
        with open(os.path.join(ROOT, "src", "ptoas", "check", "verify_op.cc")) as file:
            text = file.read()
        pairs = re.findall(r"\{DType::k(\w+), DType::k(\w+), (true|false), (true|false)\}", text)
        self.assertEqual(len(pairs), 36)
        for source, target, rnd, sat in pairs:
            t, u = (x.lower().replace("u", "ui") for x in (source, target))
            with self.subTest(t + " to " + u):
                r = random.Random(t + u)
                p = Program()
                ratio = max(o.size(t), o.size(u)) // min(o.size(t), o.size(u))
                a = self.numbers(t, r)
                if o.is_float(t):
                    values = o.lanes(a, t)
                    values[::3] = [o.rounded(t, r.uniform(-70000, 70000)) for _ in values[::3]]
                    a = o.register(t, values)
                ra = p.load(a, t)
                for number, on in enumerate(self.masks(t, r)):
                    m = p.mask(on, t)
                    for mode in ("RAFCZO" if number == 4 else "RZ") if rnd == "true" else "R":
                        for saturate in (1, 0) if sat == "true" else (0,):
                            for part in range(ratio):
                                attrs = []
                                if rnd == "true":
                                    attrs.append('rnd = "%s"' % mode)
                                if sat == "true":
                                    attrs.append('sat = "%s"' % ("SAT" if saturate else "NOSAT"))
                                if ratio > 1:
                                    attrs.append('part = "%s"' % ((["EVEN", "ODD"] if ratio == 2 else ["P0", "P1", "P2", "P3"])[part]))
                                x = p.say("{r} = pto.vcvt {0}, {1}{2} : {3}, {4} -> {5}", ra, m,
                                          " {%s}" % ", ".join(attrs) if attrs else "", vreg(t), mask_type(t), vreg(u))
                                p.expect(x, u, o.vcvt(a, on, t, u, mode, saturate, part), " ".join([t, u, mode, str(attrs)]))
                self.judge(p)
        self.covers("vcvt")

    def test_rounding(self):
        for t in o.FLOATS:
            r = random.Random(t)
            p = Program()
            a = self.numbers(t, r)
            ra = p.load(a, t)
            for on in self.masks(t, r):
                m = p.mask(on, t)
                for mode in "RAFCZ":
                    x = p.say('{r} = pto.vtrc {0}, {1}, "{2}" : {3}, {4} -> {3}', ra, m, mode, vreg(t), mask_type(t))
                    p.expect(x, t, o.lanewise(o.vtrc(t, mode), t, on, a), "vtrc %s %s" % (t, mode))
            self.judge(p)
        p = Program()
        a = bytes(range(256))
        x = p.say("{r} = pto.vbitcast {0} : {1} -> {2}", p.load(a, "f32"), vreg("f32"), vreg("ui8"))
        p.expect(x, "ui8", a, "vbitcast")
        bits = [i % 5 == 0 for i in range(256)]
        m = p.say("{r} = pto.pbitcast {0} : !pto.mask<b8> -> !pto.mask<b32>", p.mask(o.mask_of(1, bits), "i8"))
        p.expect_mask(m, "i32", o.mask_of(1, bits), "pbitcast")
        self.judge(p)
        self.covers("vtrc", "vbitcast", "pbitcast")


class Reductions(Case):
    def test_each_type(self):
        for t in ALL:
            if t in ("i64", "ui64", "bf16"):
                continue
            with self.subTest(t):
                r = random.Random(t)
                p = Program()
                v, k = vreg(t), mask_type(t)
                zero = 0.0 if o.is_float(t) else 0
                for special in (False, True):
                    a = self.numbers(t, r)
                    if o.is_float(t) and not special:
                        a = o.register(t, [o.rounded(t, r.uniform(-4, 4)) for _ in range(256 // o.size(t))])
                    ra = p.load(a, t)
                    for on in self.masks(t, r):
                        m = p.mask(on, t)
                        u = {"i8": "i16", "ui8": "ui16", "i16": "i32", "ui16": "ui32"}.get(t, t)
                        x = p.say("{r} = pto.vcadd {0}, {1} : {2}, {3} -> {4}", ra, m, v, k, vreg(u))
                        p.expect(x, u, o.vcadd(a, on, t, u), "vcadd " + t)
                        if o.size(t) == 1:
                            continue
                        x = p.say("{r} = pto.vcgadd {0}, {1} : {2}, {3} -> {2}", ra, m, v, k)
                        p.expect(x, t, o.groups(a, on, t, lambda xs: o.tree(t, xs), zero), "vcgadd " + t)
                        for name, largest in (("max", True), ("min", False)):
                            x = p.say("{r} = pto.vcg{0} {1}, {2} : {3}, {4} -> {3}", name, ra, m, v, k)
                            want = o.groups(a, on, t, lambda xs: xs[o.extreme(xs, t, largest)], o.neutral(t, largest))
                            p.expect(x, t, want, "vcg%s %s" % (name, t))
                            x = p.say("{r} = pto.vc{0} {1}, {2} : {3}, {4} -> {3}", name, ra, m, v, k)
                            p.expect(x, t, o.vcmax(a, on, t, largest), "vc%s %s" % (name, t))
                        if o.is_float(t):
                            x = p.say("{r} = pto.vcpadd {0}, {1} : {2}, {3} -> {2}", ra, m, v, k)
                            n = 128 // o.size(t)
                            p.expect(x, t, o.groups(a, on, t, lambda xs: o.tree(t, xs), 0.0, count=n), "vcpadd " + t)
                self.judge(p)
        self.covers("vcadd", "vcgadd", "vcgmax", "vcgmin", "vcmax", "vcmin", "vcpadd")


class Moves(Case):
    def test_each_type(self):
        for t in INTS + o.FLOATS:
            with self.subTest(t):
                r = random.Random(t)
                p = Program()
                n = 256 // o.size(t)
                v, k, w = vreg(t), mask_type(t), o.size(t)
                a, b = self.numbers(t, r), self.numbers(t, r)
                ra, rb = p.load(a, t), p.load(b, t)
                s = o.lanes(a, t)[3]
                x = p.say("{r} = pto.vbr {0} : {1} -> {2}", p.scalar(t, s), t, v)
                p.expect(x, t, o.register(t, [s] * n), "vbr")
                for name, f in (("vintlv", o.interleave), ("vdintlv", o.deinterleave)):
                    low, high = p.name(), p.name()
                    p.lines.append("%s, %s = pto.%s %s, %s : %s, %s -> %s, %s" % (low, high, name, ra, rb, v, v, v, v))
                    for x, want in zip((low, high), f(a, b, w)):
                        p.expect(x, t, want, name + " " + t)
                index = [r.randrange(1 << 8 * w) for _ in range(n)]
                it = {1: "ui8", 2: "ui16", 4: "ui32"}[w]
                x = p.say("{r} = pto.vselr {0}, {1} : {2}, {3} -> {2}", ra, p.load(o.register(it, index), it), v, vreg(it))
                lanes = o.cut(a, w)
                p.expect(x, t, b"".join(lanes[i % n] for i in index), "vselr " + t)
                for on in self.masks(t, r):
                    m, act = p.mask(on, t), o.active(on, t)
                    x = p.say("{r} = pto.vdup {0}, {1} : {2}, {3} -> {4}", p.scalar(t, s), m, t, k, v)
                    p.expect(x, t, b"".join(o.register(t, [s]) if q else bytes(w) for q in act), "vdup " + t)
                    for position, at in (("LOWEST", 0), ("HIGHEST", n - 1)):
                        x = p.say('{r} = pto.vdup {0}, {1} {{position = "{2}"}} : {3}, {4} -> {3}', ra, m, position, v, k)
                        p.expect(x, t, b"".join(lanes[at] if q else bytes(w) for q in act), "vdup " + t)
                    x = p.say("{r} = pto.vsqz {0}, {1} : {2}, {3} -> {2}", ra, m, v, k)
                    p.expect(x, t, b"".join(q for q, y in zip(lanes, act) if y).ljust(256, b"\0"), "vsqz " + t)
                    if t in ("i8", "i16", "i32"):
                        x = p.say("{r} = pto.vusqz {0}, {1} : {2}, {3} -> {2}", ra, m, v, k)
                        p.expect(x, t, o.register(t, [o.wrap(t, sum(act[:i])) for i in range(n)]), "vusqz " + t)
                if t in ("i8", "i16", "i32") + FINE:
                    for order, sign in (("ASC", 1), ("DESC", -1)):
                        start = 2.5 if o.is_float(t) else 100
                        x = p.say('{r} = pto.vci {0} {{order = "{1}"}} : {2} -> {3}', p.scalar(t, start), order, t, v)
                        values = [start + sign * i for i in range(n)]
                        want = [o.rounded(t, y) if o.is_float(t) else o.wrap(t, y) for y in values]
                        p.expect(x, t, o.register(t, want), "vci " + t)
                if t in INTS and w > 1:
                    u = {2: "ui8", 4: "ui16"}[w]
                    for half in ("LOWER", "HIGHER"):
                        x = p.say('{r} = pto.vpack {0}, "{1}" : {2} -> {3}', ra, half, v, vreg(u))
                        data = b"".join(y[:w // 2] for y in lanes)
                        p.expect(x, u, data + bytes(128) if half == "LOWER" else bytes(128) + data, "vpack " + t)
                if t in INTS and w < 4:
                    for name, ext in (("vsunpack", True), ("vzunpack", False)):
                        for part in (0, 1):
                            u = {1: "i16", 2: "i32"}[w]
                            x = p.say("{r} = pto.{0} {1}, {2} : {3}, index -> {4}", name, ra,
                                      p.say("{r} = arith.constant {0} : index", part), v, vreg(u))
                            half = a[128 * part:128 * part + 128] * 2
                            values = o.lanes(half, ("i" if ext else "ui") + str(8 * w))[:n // 2]
                            p.expect(x, u, o.register(u, [o.wrap(u, y) for y in values]), name + " " + t)
                self.judge(p)
        self.covers("vbr", "vintlv", "vdintlv", "vselr", "vdup", "vsqz", "vusqz", "vci", "vpack", "vsunpack", "vzunpack")


class Masks(Case):
    def test_patterns(self):
        patterns = {"PAT_ALL": lambda i, n: 1, "PAT_ALLF": lambda i, n: 0, "PAT_H": lambda i, n: i < n // 2,
                    "PAT_Q": lambda i, n: i < n // 4, "PAT_M3": lambda i, n: i % 3 == 0, "PAT_M4": lambda i, n: i % 4 == 0}
        for count in (1, 2, 3, 4, 8, 16, 32, 64, 128):
            patterns["PAT_VL%d" % count] = lambda i, n, count=count: i < count
        p = Program()
        for width, t in ((1, "i8"), (2, "i16"), (4, "i32")):
            n = 256 // width
            for name, f in patterns.items():
                for op in ("pset", "pge"):
                    x = p.say('{r} = pto.{0}_b{1} "{2}" : !pto.mask<b{1}>', op, 8 * width, name)
                    p.expect_mask(x, t, o.mask_of(width, [f(i, n) for i in range(n)]), name)
            for count in (0, 1, n - 1, n, n + 7, 3 * n):
                rest = p.name()
                mask = p.name()
                p.lines.append("%s, %s = pto.plt_b%d %s : i32 -> !pto.mask<b%d>, i32"
                               % (mask, rest, 8 * width, p.say("{r} = arith.constant {0} : i32", count), 8 * width))
                p.expect_mask(mask, t, o.mask_of(width, [i < count for i in range(n)]), "plt %d" % count)
                x = p.say("{r} = pto.vbr {0} : i32 -> {1}", rest, vreg("i32"))
                p.expect(x, "i32", o.register("i32", [max(count - n, 0)] * 64), "plt %d" % count)
            self.covers(*("%s_b%d" % (op, 8 * width) for op in ("pset", "pge", "plt")))
        self.judge(p)

    def test_algebra(self):
        r = random.Random(1)
        p = Program()
        a, b, c = ([int(r.random() < 0.5) for _ in range(256)] for _ in range(3))
        ra, rb, rc = (p.mask(x, "i8") for x in (a, b, c))
        k = "!pto.mask<b8>"
        for name, f in {"pand": lambda x, y: x & y, "por": lambda x, y: x | y, "pxor": lambda x, y: x ^ y}.items():
            x = p.say("{r} = pto.{0} {1}, {2}, {3} : {4}, {4}, {4} -> {4}", name, ra, rb, rc, k)
            p.expect_mask(x, "i8", [f(i, j) & q for i, j, q in zip(a, b, c)], name)
        x = p.say("{r} = pto.pnot {0}, {1} : {2}, {2} -> {2}", ra, rc, k)
        p.expect_mask(x, "i8", [(1 - i) & q for i, q in zip(a, c)], "pnot")
        x = p.say("{r} = pto.psel {0}, {1}, {2} : {3}, {3}, {3} -> {3}", ra, rb, rc, k)
        p.expect_mask(x, "i8", [i if q else j for i, j, q in zip(a, b, c)], "psel")
        for half, low in (("LOWER", True), ("HIGHER", False)):
            x = p.say('{r} = pto.ppack {0}, "{1}" : {2} -> {2}', ra, half, k)
            p.expect_mask(x, "i8", a[::2] + [0] * 128 if low else [0] * 128 + a[::2], "ppack")
            x = p.say('{r} = pto.punpack {0}, "{1}" : {2} -> {2}', ra, half, k)
            part = a[:128] if low else a[128:]
            p.expect_mask(x, "i8", [q for y in part for q in (y, 0)], "punpack")
        for width in (1, 2, 4):
            t = "i%d" % (8 * width)
            ma, mb = p.mask(a, t), p.mask(b, t)
            for name, f in (("pintlv", o.interleave), ("pdintlv", o.deinterleave)):
                low, high = p.name(), p.name()
                p.lines.append("{0}, {1} = pto.{2}_b{3} {4}, {5} : {6}, {6} -> {6}, {6}".format(
                    low, high, name, 8 * width, ma, mb, mask_type(t)))
                for x, want in zip((low, high), f(a, b, width)):
                    p.expect_mask(x, t, want, name)
                self.covers("%s_b%d" % (name, 8 * width))
        self.judge(p)
        self.covers("pand", "por", "pxor", "pnot", "psel", "ppack", "punpack")


class Memory(Case):
    def test_loads(self):
        r = random.Random(2)
        data = bytes(r.randrange(256) for _ in range(1024))
        dists = {"NORM": lambda m, w: m[:256], "BRC_BLK": lambda m, w: m[:32] * 8, "BLK": lambda m, w: m[:32] * 8,
                 "UNPK4": lambda m, w: b"".join(bytes([x, 0, 0, 0]) for x in m[:64])}
        for w in (1, 2, 4):
            n = 8 * w
            dists["BRC_B%d" % n] = lambda m, _, w=w: m[:w] * (256 // w)
            dists["UNPK_B%d" % n] = lambda m, _, w=w: b"".join(x + bytes(w) for x in o.cut(m[:128], w))
            if w < 4:
                dists["US_B%d" % n] = lambda m, _, w=w: b"".join(x * 2 for x in o.cut(m[:128], w))
                dists["DS_B%d" % n] = lambda m, _, w=w: b"".join(o.cut(m[:512], w)[::2])
            if w > 1:
                dists["E2B_B%d" % n] = lambda m, _, w=w: b"".join(x * (32 // w) for x in o.cut(m[:8 * w], w))
        p = Program()
        at = p.place(data)
        for t in ("f32", "i16", "ui8"):
            for name, f in dists.items():
                for offset in (0, 96, 33 * o.size(t)):
                    index = p.say("{r} = arith.constant {0} : index", offset // o.size(t))
                    base = p.pointer(t, at)
                    x = p.say('{r} = pto.vlds {0}[{1}] {{dist = "{2}"}} : !pto.ptr<{3}, ub> -> {4}', base, index, name, t, vreg(t))
                    start = offset // o.size(t) * o.size(t)
                    p.expect(x, t, f(data[start:], o.size(t)), "vlds %s %s %d" % (name, t, offset))
            v, q = p.name(), p.name()
            step = p.say("{r} = arith.constant 8 : index")
            p.lines.append("%s, %s = pto.vlds %s[%s] : !pto.ptr<%s, ub> -> %s, !pto.ptr<%s, ub>" % (v, q, base, step, t, vreg(t), t))
            p.expect(v, t, data[:256], "vlds before it advances")
            x = p.say("{r} = pto.vlds {0}[%c0] : !pto.ptr<{1}, ub> -> {2}", q, t, vreg(t))
            p.expect(x, t, data[8 * o.size(t):][:256], "vlds where it advanced to")
            v, q = p.name(), p.name()
            p.lines.append("%s, %s = pto.vlds_post %s[%s] : !pto.ptr<%s, ub> -> %s, !pto.ptr<%s, ub>"
                           % (v, q, base, step, t, vreg(t), t))
            p.expect(v, t, data[:256], "vlds_post")
            for name, w in (("DINTLV_B8", 1), ("DINTLV_B16", 2), ("DINTLV_B32", 4), ("BDINTLV", 32), ("DINTLV", o.size(t))):
                low, high = p.name(), p.name()
                p.lines.append('%s, %s = pto.vldsx2 %s[%s], "%s" : !pto.ptr<%s, ub>, index -> %s, %s'
                               % (low, high, base, step, name, t, vreg(t), vreg(t)))
                parts = o.cut(data[8 * o.size(t):][:512], w)
                p.expect(low, t, b"".join(parts[::2]), name)
                p.expect(high, t, b"".join(parts[1::2]), name)
            align = p.say("{r} = pto.vldas {0} : !pto.ptr<{1}, ub> -> !pto.align", base, t)
            v, more = p.name(), p.name()
            p.lines.append("%s, %s = pto.vldus %s, %s : !pto.ptr<%s, ub>, !pto.align -> %s, !pto.align" % (v, more, base, align, t, vreg(t)))
            p.expect(v, t, data[:256], "vldus")
            v, more, q = p.name(), p.name(), p.name()
            p.lines.append("%s, %s, %s = pto.vldus %s[%s], %s : !pto.ptr<%s, ub>, !pto.align -> %s, !pto.align, !pto.ptr<%s, ub>"
                           % (v, more, q, base, step, align, t, vreg(t), t))
            p.expect(v, t, data[8 * o.size(t):][:256], "vldus of three results")
            on = [r.random() < 0.5 for _ in range(64)]
            m = p.mask(o.mask_of(4, on), "i32")
            x = p.say("{r} = pto.vsldb {0}, {1}, {2}, {3} : !pto.ptr<{4}, ub>, i16, i16, !pto.mask<b32> -> {5}", base,
                      p.say("{r} = arith.constant 3 : i16"), p.say("{r} = arith.constant 2 : i16"), m, t, vreg(t))
            want = b"".join(data[32 * (2 + 3 * b):][:32] if on[b] else bytes(32) for b in range(8))
            p.expect(x, t, want, "vsldb")
        self.judge(p)
        self.covers("vlds", "vlds_post", "vldsx2", "vldas", "vldus", "vsldb")

    def test_stores(self):
        r = random.Random(3)
        p = Program()

        def store(form, want, what, **names):
            """A store to fresh bytes. All are compared: bytes that it leaves alone are 0."""
            at = p.room(1024)
            p.at_end(at, want.ljust(1024, b"\0"), "ui8", what)
            p.lines.append(form.format(p=p.pointer(names["t"], Case.OUT + at), **names))

        for t in ("f32", "i16", "ui8"):
            a, b = self.numbers(t, r), self.numbers(t, r)
            ra, rb = p.load(a, t), p.load(b, t)
            c = 7
            index = p.say("{r} = arith.constant {0} : index", c)
            skip = bytes(c * o.size(t))
            for w in (1, 2, 4):
                k = "!pto.mask<b%d>" % (8 * w)
                for lanes in ([1] * (256 // w), [0] * (256 // w), [i < 9 for i in range(256 // w)],
                              [r.random() < 0.5 for _ in range(256 // w)]):
                    m = p.mask(o.mask_of(w, lanes), "i%d" % (8 * w))
                    more = dict(t=t, a=ra, i=index, m=m, v=vreg(t), k=k, w=8 * w)
                    parts = o.cut(a, w)
                    store('pto.vsts {a}, {p}[{i}], {m} {{dist = "NORM_B{w}"}} : {v}, !pto.ptr<{t}, ub>, {k}',
                          skip + b"".join(x if q else bytes(w) for x, q in zip(parts, lanes)), "NORM_B%d" % (8 * w), **more)
                    store('pto.vsts {a}, {p}[{i}], {m} {{dist = "1PT_B{w}"}} : {v}, !pto.ptr<{t}, ub>, {k}',
                          skip + a[:w], "1PT_B%d" % (8 * w), **more)
                    if w > 1:
                        store('pto.vsts {a}, {p}[{i}], {m} {{dist = "PK_B{w}"}} : {v}, !pto.ptr<{t}, ub>, {k}',
                              skip + b"".join(x[:w // 2] if q else bytes(w // 2) for x, q in zip(parts, lanes)),
                              "PK_B%d" % (8 * w), **more)
                    if w == 4:
                        store('pto.vsts {a}, {p}[{i}], {m} {{dist = "PK4_B32"}} : {v}, !pto.ptr<{t}, ub>, {k}',
                              skip + b"".join(x[:1] if q else bytes(1) for x, q in zip(parts, lanes)), "PK4_B32", **more)
                        store('pto.vsts {a}, {p}[{i}], {m} {{dist = "PK_B64"}} : {v}, !pto.ptr<{t}, ub>, {k}',
                              skip + b"".join(x[:4] if q else bytes(4) for x, q in zip(o.cut(a, 8), lanes[::2])), "PK_B64", **more)
                        store('pto.vsstb {a}, {p}, {s}, {f}, {m} : {v}, !pto.ptr<{t}, ub>, i16, i16, {k}',
                              bytes(64) + b"".join((a[32 * x:32 * x + 32] if lanes[x] else bytes(32)) + bytes(64) for x in range(8)),
                              "vsstb", s=p.say("{r} = arith.constant 3 : i16"), f=p.say("{r} = arith.constant 2 : i16"), **more)
                store('pto.vstsx2 {a}, {b}, {p}[{i}], "INTLV_B{w}", {m} : {v}, {v}, !pto.ptr<{t}, ub>, index, {k}',
                      skip + b"".join(x for pair in zip(o.cut(a, w), o.cut(b, w)) for x in pair), "vstsx2", b=rb, **more)
            on = p.say('{r} = pto.pset_b{0} "PAT_ALL" : {1}', o.bits(t), mask_type(t))
            n = p.name()
            store("{n} = pto.vsts {a}, {p}[{i}], {m} : {v}, !pto.ptr<{t}, ub>, {k} -> !pto.ptr<{t}, ub>\n"
                  "pto.vsts {b}, {n}[%c0], {m} : {v}, !pto.ptr<{t}, ub>, {k}", a[:7 * o.size(t)] + b, "vsts that advances",
                  n=n, b=rb, **{**more, "m": on, "k": mask_type(t)})
            n = p.name()
            store("{n} = pto.vsts_post {a}, {p}[{i}], {m} : {v}, !pto.ptr<{t}, ub>, {k} -> !pto.ptr<{t}, ub>", a, "vsts_post",
                  n=n, **{**more, "m": on, "k": mask_type(t)})
            first = p.say("{r} = pto.init_align : !pto.align")
            count = p.say("{r} = arith.constant 5 : i32")
            n = p.name()
            store("{n} = pto.vstus {f}, {c}, {a}, {p} : !pto.align, i32, {v}, !pto.ptr<{t}, ub> -> !pto.align\n"
                  "pto.vstas {n}, {p}, {c} : !pto.align, !pto.ptr<{t}, ub>, i32", a[:5 * o.size(t)], "vstus", n=n, f=first, c=count,
                  **more)
            lanes = [r.random() < 0.5 for _ in range(256 // o.size(t))]
            m = p.mask(o.mask_of(o.size(t), lanes), t)
            kept = b"".join(x for x, q in zip(o.cut(a, o.size(t)), lanes) if q)
            p.lines.append('pto.sprclr "AR"')
            z = p.say("{r} = pto.vsqz {0}, {1} : {2}, {3} -> {2}", ra, m, vreg(t), mask_type(t))
            n, n2 = p.name(), p.name()
            store('{n} = pto.vstur {f}, {z}, {p}, "POST_UPDATE" : !pto.align, {v}, !pto.ptr<{t}, ub> -> !pto.align\n'
                  '{n2} = pto.vstur {n}, {z}, {p}, "NO_POST_UPDATE" : !pto.align, {v}, !pto.ptr<{t}, ub> -> !pto.align\n'
                  "pto.vstar {n2}, {p} : !pto.align, !pto.ptr<{t}, ub>", kept * 2, "vstur", n=n, n2=n2, z=z, f=first, **more)
        for w in (2, 4):
            lanes = [r.random() < 0.5 for _ in range(256 // w)]
            t = "ui%d" % (8 * w)
            m = p.mask(o.mask_of(w, lanes), t)
            n, q, n2, q2 = (p.name() for _ in range(4))
            dense = o.pack_bits([int(x) for x in lanes])
            store("{n}, {q} = pto.pstu {f}, {m}, {p} : !pto.align, {k}, !pto.ptr<{t}, ub> -> !pto.align, !pto.ptr<{t}, ub>\n"
                  "{n2}, {q2} = pto.pstu {n}, {m}, {q} : !pto.align, {k}, !pto.ptr<{t}, ub> -> !pto.align, !pto.ptr<{t}, ub>",
                  dense * 2, "pstu", n=n, q=q, n2=n2, q2=q2, f=first, m=m, k=mask_type(t), t=t)
        bits = [int(r.random() < 0.5) for _ in range(256)]
        m = p.mask(bits, "i8")
        for op in ("psts", "psti"):
            store('pto.{op} {m}, {p}[%c0], "PK" : !pto.mask<b8>, !pto.ptr<{t}, ub>, index', o.pack_bits(bits[::2]), "PK", op=op, m=m, t="ui8")
        image = bytes(r.randrange(256) for _ in range(64))
        base = p.pointer("ui8", p.place(image))
        every = [image[i // 8] >> i % 8 & 1 for i in range(512)]
        for op in ("plds", "pldi"):
            for dist, want in (("NORM", every[:256]), ("US", [x for x in every[:128] for _ in range(2)]), ("DS", every[::2])):
                x = p.say('{r} = pto.{0} {1}[%c0], "{2}" : !pto.ptr<ui8, ub>, index -> !pto.mask<b8>', op, base, dist)
                p.expect_mask(x, "i8", want, op + " " + dist)
        self.judge(p)
        self.covers("vsts", "vsts_post", "vstsx2", "vsstb", "vstus", "vstas", "vstur", "vstar", "sprclr", "init_align", "pstu", "psts",
                    "psti", "plds", "pldi")

    def test_gather(self):
        r = random.Random(4)
        p = Program()
        data = bytes(r.randrange(256) for _ in range(1024))
        at = p.place(data)
        for t, it in (("f32", "i32"), ("i32", "i32"), ("i16", "i16"), ("f16", "ui16")):
            w, n = o.size(t), 256 // o.size(t)
            index = [r.randrange(1024 // w) for _ in range(n)]
            rx = p.load(o.register(it, index), it)
            base = p.pointer(t, at)
            parts = o.cut(data, w)
            for on in self.masks(t, r):
                m, act = p.mask(on, t), o.active(on, t)
                want = b"".join(parts[i] if q else bytes(w) for i, q in zip(index, act))
                for op in ("vgather2", "vgather2_bc")[:2 if w == 4 else 1]:
                    x = p.say("{r} = pto.{0} {1}, {2}, {3} : !pto.ptr<{4}, ub>, {5}, {6} -> {7}", op, base, rx, m, t, vreg(it),
                              mask_type(t), vreg(t))
                    p.expect(x, t, want, op + " " + t)
                if w != 4:
                    continue
                offsets = [32 * r.randrange(32) for _ in range(64)]
                x = p.say("{r} = pto.vgatherb {0}, {1}, {2} : !pto.ptr<{3}, ub>, {4}, {5} -> {6}", base,
                          p.load(o.register("i32", offsets), "i32"), m, t, vreg("i32"), mask_type(t), vreg(t))
                blocks = [data[offsets[b]:offsets[b] + 32] if act[b] else bytes(32) for b in range(8)]
                p.expect(x, t, b"".join(blocks), "vgatherb")
                a = self.numbers(t, r)
                to = list(range(64))
                r.shuffle(to)
                want = [bytes(4)] * 64
                for i, x in enumerate(o.cut(a, 4)):
                    if act[i]:
                        want[to[i]] = x
                out = p.room(256)
                p.at_end(out, b"".join(want), "ui8", "vscatter")
                p.lines.append("pto.vscatter %s, %s, %s, %s : %s, !pto.ptr<%s, ub>, %s, %s"
                               % (p.load(a, t), p.pointer(t, Case.OUT + out), p.load(o.register("i32", to), "i32"), m, vreg(t), t,
                                  vreg("i32"), mask_type(t)))
            x = p.say("{r} = pto.vgather2 {0}, {1}, {2} : !pto.ptr<{3}, ub>, {4}, index -> {5}", base, rx,
                      p.say("{r} = arith.constant 9 : index"), t, vreg(it), vreg(t))
            p.expect(x, t, b"".join(parts[i] for i in index[:9]).ljust(256, b"\0"), "vgather2 of 9 lanes")
        self.judge(p)
        self.covers("vgather2", "vgather2_bc", "vgatherb", "vscatter")


HEAD = """func.func @main(%x: !pto.ptr<i32, gm>, %y: !pto.ptr<i32, gm>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  %c40 = arith.constant 40 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %c512 = arith.constant 512 : i64
  %c1024 = arith.constant 1024 : i64
  %f = arith.constant 0 : i1
  %k = arith.constant 7 : i32
  %a = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>
  %b = pto.castptr %c1024 : i64 -> !pto.ptr<i32, ub>
"""
TAIL = "  return\n}\n"
IN = "!pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64"
OUT = "!pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64"
UB = "!pto.ptr<i32, ub>, !pto.ptr<i32, ub>"


class Sorting(Case):
    def test_sorts(self):
        """Descending, NaN last; equal scores keep their order, whatever their indices are."""
        r = random.Random(5)
        for t in FINE:
            p = Program()
            scores = [o.rounded(t, r.choice([1.0, -1.0, 0.0, -0.0, math.nan, math.inf, r.uniform(-2, 2)])) for _ in range(96)]
            indices = [r.randrange(1 << 32) for _ in range(96)]
            data = b"".join(o.pattern(t, s).to_bytes(o.size(t), "little") for s in scores)
            out = p.room(768)
            rank = lambda i: (math.isnan(scores[i]), 0 if math.isnan(scores[i]) else -scores[i])
            order = [i for g in range(3) for i in sorted(range(32 * g, 32 * g + 32), key=rank)]
            record = lambda i: o.pattern(t, scores[i]).to_bytes(4, "little") + indices[i].to_bytes(4, "little")
            p.at_end(out, b"".join(map(record, order)), "ui8", "vbitsort " + t)
            dst = p.pointer(t, Case.OUT + out)
            p.lines.append("pto.vbitsort %s, %s, %s, %s : !pto.ptr<%s, ub>, !pto.ptr<%s, ub>, !pto.ptr<ui32, ub>, index"
                           % (dst, p.pointer(t, p.place(data)), p.pointer("ui32", p.place(struct.pack("<96I", *indices))),
                              p.say("{r} = arith.constant 3 : index"), t, t))
            # Three lists of 32 records and none; then until one ends.
            lists = [p.pointer(t, Case.OUT + out + 256 * g) for g in (0, 1, 2, 2)]
            merged = sorted(order, key=rank)
            left = {g: 32 for g in range(3)}
            short = []
            for i in merged:
                short.append(i)
                left[i // 32] -= 1
                if left[i // 32] == 0:
                    break
            for config, want in ((0x0701, merged), (0x1701, short)):
                at = p.room(768)
                p.at_end(at, b"".join(map(record, want)).ljust(768, b"\0"), "ui8", "vmrgsort4 " + t)
                p.lines.append("pto.vmrgsort4 %s, %s, %s, %s : %s, i64, i64"
                               % (p.pointer(t, Case.OUT + at), ", ".join(lists),
                                  p.say("{r} = arith.constant {0} : i64", 32 | 32 << 16 | 32 << 32),
                                  p.say("{r} = arith.constant {0} : i64", config), ", ".join(["!pto.ptr<%s, ub>" % t] * 5)))
                counts = [p.name() for _ in range(4)]
                p.lines.append("%s = pto.get_vms4_sr : i16, i16, i16, i16" % ", ".join(counts))
                for count, n in zip(counts, [sum(i // 32 == g for i in want) for g in range(4)]):
                    x = p.say("{r} = pto.vbr {0} : i16 -> {1}", count, vreg("i16"))
                    p.expect(x, "i16", o.register("i16", [n] * 128), "get_vms4_sr")
            self.judge(p)
        self.covers("vbitsort", "vmrgsort4", "get_vms4_sr")


class Copies(Case):
    def copies(self, body, *options, code=0, size=256):
        self.write("c.pto", HEAD + body + TAIL)
        npy.save(self.path("x.npy"), "i32", (size,), list(range(size)))
        self.stderr_of = self.pto("run", "c.pto", "--in", "x=x.npy", "--shape", "y=256:i32", "--out", "y=y.npy", *options, code=code)
        return npy.load(self.path("y.npy"))[2] if code == 0 else self.stderr_of + self.stderr

    def everything(self, body):
        return self.copies(body + "  pto.mte_ub_gm %b, %y, %c1024 nburst(%c1, %c0, %c0) : " + OUT + "\n")

    def test_bursts(self):
        y = self.copies("  pto.mte_gm_ub %x, %a, %c0, %c64 nburst(%c3, %c128, %c64) : " + IN + "\n"
                        "  pto.mte_ub_gm %a, %y, %c32 nburst(%c3, %c64, %c128) : " + OUT + "\n")
        want = [0] * 256
        for i in range(3):
            want[32 * i:32 * i + 8] = range(32 * i, 32 * i + 8)
        self.assertEqual(y, want)

    def test_loops(self):
        """The first loop is the inner one."""
        y = self.everything("  pto.mte_gm_ub %x, %b, %c0, %c8 nburst(%c2, %c64, %c8) loop(%c2, %c512, %c32) loop(%c2, %c8, %c128) : "
                            + IN + ", loop i64, i64, i64, loop i64, i64, i64\n")
        want = [0] * 256
        for outer in range(2):
            for inner in range(2):
                for burst in range(2):
                    source = (8 * outer + 512 * inner + 64 * burst) // 4
                    target = (128 * outer + 32 * inner + 8 * burst) // 4
                    want[target:target + 2] = range(source, source + 2)
        self.assertEqual(y, want)

    def test_pad(self):
        y = self.everything("  pto.mte_gm_ub %x, %b, %c0, %c40 nburst(%c2, %c64, %c128) pad(%k, %c2, %c1) : " + IN + ", pad i32, i64, i64\n")
        want = [0] * 256
        for i in range(2):
            want[32 * i:32 * i + 16] = [7] * 2 + list(range(16 * i, 16 * i + 10)) + [7] * 4
        self.assertEqual(y, want)
        y = self.everything("  pto.mte_gm_ub %x, %b, %c0, %c40 nburst(%c1, %c64, %c64) pad(%k) : " + IN + ", pad i32\n")
        self.assertEqual(y, list(range(10)) + [7] * 6 + [0] * 240)

    def test_blocks(self):
        start = "  pto.mte_gm_ub %x, %a, %c0, %c1024 nburst(%c1, %c0, %c0) : " + IN + "\n"
        want = [0] * 256
        for i in range(3):
            want[32 * i:32 * i + 8] = range(24 * i, 24 * i + 8)
        self.assertEqual(self.everything(start + "  pto.mte_ub_ub %a, %b, %c1 nburst(%c3, %c2, %c3) : " + UB + ", i64, i64, i64, i64\n"), want)
        self.assertEqual(self.everything(start + "  pto.copy_ubuf_to_ubuf %a, %b, %c0, %c3, %c1, %c2, %c3 : " + UB
                                         + ", i64, i64, i64, i64, i64\n"), want)

    def test_older(self):
        body = ("  pto.set_loop_size_outtoub %c2, %c3 : i64, i64\n  pto.set_loop1_stride_outtoub %c128, %c32 : i64, i64\n"
                "  pto.set_loop2_stride_outtoub %c512, %c128 : i64, i64\n"
                "  pto.copy_gm_to_ubuf %x, %b, %c0, %c1, %c32, %c0, %c0, %f, %c0, %c0, %c0 : "
                "!pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64, i1, i64, i64, i64\n")
        want = [0] * 256
        for second in range(2):
            for first in range(3):
                source, target = (512 * second + 128 * first) // 4, (128 * second + 32 * first) // 4
                want[target:target + 8] = range(source, source + 8)
        self.assertEqual(self.everything(body), want)
        body = ("  pto.mte_gm_ub %x, %a, %c0, %c1024 nburst(%c1, %c0, %c0) : " + IN + "\n"
                "  pto.set_loop_size_ubtoout %c1, %c2 : i64, i64\n  pto.set_loop1_stride_ubtoout %c512, %c64 : i64, i64\n"
                "  pto.set_loop2_stride_ubtoout %c512, %c64 : i64, i64\n"
                "  pto.copy_ubuf_to_gm %a, %y, %c0, %c2, %c8, %c0, %c8, %c32 : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, "
                "i64, i64, i64, i64, i64, i64\n")
        want = [0] * 256
        for loop in range(2):
            for burst in range(2):
                source, target = (512 * loop + 32 * burst) // 4, (64 * loop + 8 * burst) // 4
                want[target:target + 2] = range(source, source + 2)
        self.assertEqual(self.copies(body), want)

    def test_beyond(self):
        """An array that is too short is refused with what it lacks; slack makes that a warning."""
        body = "  pto.mte_gm_ub %x, %b, %c0, %c1024 nburst(%c1, %c0, %c0) : " + IN + "\n"
        text = self.copies(body, code=1, size=250)
        self.assertRegex(text, r"1024 bytes at 0, where the memory has 1000: 24 too many \[memory-range\]")
        body += "  pto.mte_ub_gm %b, %y, %c1024 nburst(%c1, %c0, %c0) : " + OUT + "\n"
        self.assertEqual(self.copies(body, "--slack", "64", size=250), list(range(250)) + [0] * 6)
        self.assertIn("24 bytes are after the end of the array", self.stderr_of + self.stderr)
        self.copies(body, "--slack", "16", code=1, size=250)
        self.covers("mte_gm_ub", "mte_ub_gm", "mte_ub_ub", "copy_gm_to_ubuf", "copy_ubuf_to_gm", "copy_ubuf_to_ubuf")
        for side in ("outtoub", "ubtoout"):
            self.covers("set_loop_size_" + side, "set_loop1_stride_" + side, "set_loop2_stride_" + side)

    def test_state(self):
        body = ("  %old = pto.get_ctrl : i64\n  %s = pto.sbitset1 %old, %c3 : i64, i64 -> i64\n"
                "  %t = pto.sbitset1 %s, %c8 : i64, i64 -> i64\n  %u = pto.sbitset0 %t, %c3 : i64, i64 -> i64\n"
                "  pto.set_ctrl %u : i64\n  %new = pto.get_ctrl : i64\n  pto.print ins(\"%d\", %new : i64)\n"
                "  %at = pto.castptr %b : !pto.ptr<i32, ub> -> i64\n  pto.print ins(\"%d\", %at : i64)\n"
                "  %i = arith.constant 1 : index\n  %p1 = pto.addptr %b, %i : <i32, ub> -> <i32, ub>\n"
                "  pto.store_scalar %k, %p1[%i] : !pto.ptr<i32, ub>, i32\n"
                "  %half = pto.castptr %b : !pto.ptr<i32, ub> -> !pto.ptr<i16, ub>\n  %four = arith.constant 4 : index\n"
                "  %v = pto.load_scalar %half[%four] : !pto.ptr<i16, ub> -> i16\n  pto.print ins(\"%d\", %v : i16)\n"
                "  pto.vecscope {\n    pto.mem_bar \"VST_VLD\"\n  }\n")
        self.copies(body)
        self.assertEqual(self.stderr_of, "%d\n1024\n7\n" % (256 + (1 << 48)))
        self.covers("get_ctrl", "set_ctrl", "sbitset0", "sbitset1", "castptr", "mem_bar")


class Examples(Case):
    def example(self, name, arrays, out, *options):
        """Runs an example under A5 on arrays of floats or integers."""
        args = []
        for key, (t, shape, values) in arrays.items():
            npy.save(self.path(key + ".npy"), t, shape, values)
            args += ["--in", "%s=%s.npy" % (key, key)]
        key, shape = out
        self.pto("run", os.path.join(ROOT, "examples", name), *args, "--shape", "%s=%s" % (key, shape), "--out", key + "=out.npy",
                 *options)
        return npy.load(self.path("out.npy"))[2]

    def close(self, got, want, within=2e-6):
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            self.assertLess(abs(a - b), within * (1 + abs(b)))

    def rows(self, n, m):
        r = random.Random(n * m)
        return [[o.rounded("f32", r.uniform(-6, 6)) for _ in range(m)] for _ in range(n)]

    def test_softmax(self):
        for m in (64, 200, 1):
            x = self.rows(5, m)
            y = self.example("vector_softmax.pto", {"x": ("f32", (5, m), sum(x, []))}, ("y", "5x%d:f32" % m), "--int", "n=5",
                             "--int", "m=%d" % m)
            exps = [[math.exp(v - max(row)) for v in row] for row in x]
            self.close(y, [e / sum(row) for row in exps for e in row])

    def test_layernorm(self):
        x = self.rows(3, 256)
        y = self.example("vector_layernorm.pto", {"x": ("f32", (3, 256), sum(x, []))}, ("y", "3x256:f32"), "--int", "n=3", "--int", "m=256")
        want = []
        for row in x:
            mean = sum(row) / 256
            root = math.sqrt(sum((v - mean) ** 2 for v in row) / 256 + 1e-5)
            want += [(v - mean) / root for v in row]
        self.close(y, want)

    def test_quantise(self):
        x = [o.rounded("f32", v) for row in self.rows(1, 1024) for v in row]
        q = self.example("vector_quantise.pto", {"x": ("f32", (1024,), x)}, ("q", "1024:i8"), "--float", "scale=25.5")
        self.assertEqual(q, [min(max(round(o.mul("f32", v, 25.5)), -128), 127) for v in x])

    def test_gather(self):
        r = random.Random(6)
        table = [o.rounded("f32", r.uniform(-1, 1)) for _ in range(4096)]
        index = [r.randrange(4096) for _ in range(1024)]
        s = self.example("vector_gather.pto", {"table": ("f32", (4096,), table), "rows": ("i32", (16, 64), index)}, ("sums", "16:f32"))
        self.assertEqual(s, [o.tree("f32", [table[i] for i in index[64 * k:64 * k + 64]]) for k in range(16)])

    def test_tiles(self):
        x = sum(self.rows(16, 64), [])
        y = self.example("vector_tiles.pto", {"x": ("f32", (16, 64), x)}, ("y", "16x64:f32"))
        self.assertEqual(y, [o.add("f32", abs(v), 1.0) for v in x])


class Synchronisation(Case):
    def check(self, name, drop=None, *options):
        """The findings of an example without the n-th line that has some text."""
        with open(os.path.join(ROOT, "examples", name)) as file:
            lines = file.read().split("\n")
        if drop:
            at = [i for i, line in enumerate(lines) if drop in line]
            del lines[at[0]]
        self.write("p.pto", "\n".join(lines))
        return self.pto("run", "p.pto", "--sync", *options, code=1 if drop else 0) + self.stderr

    def test_flags(self):
        softmax = ("--shape", "x=2x100:f32", "--shape", "y=2x100:f32", "--int", "n=2", "--int", "m=100")
        quantise = ("--shape", "x=1024:f32", "--shape", "q=1024:i8", "--float", "scale=1")
        gather = ("--shape", "table=4096:f32", "--shape", "rows=16x64:i32", "--shape", "sums=16:f32")
        tiles = ("--shape", "x=16x64:f32", "--shape", "y=16x64:f32")
        for name, shapes in (("softmax", softmax), ("quantise", quantise), ("gather", gather), ("tiles", tiles)):
            self.assertEqual(self.check("vector_%s.pto" % name, None, *shapes), "")
        for name, shapes, drop, rule, says in (
                ("quantise", quantise, 'wait_flag["PIPE_MTE2"', "sync-race", r"vlds \(V\) reads .* mte_gm_ub \(MTE2\)"),
                ("quantise", quantise, 'wait_flag["PIPE_V"', "sync-race", r"mte_ub_gm \(MTE3\) reads .* vsts \(V\)"),
                ("tiles", tiles, 'wait_flag["PIPE_MTE2"', "sync-race", r"vlds \(V\) reads .* tload \(MTE2\)"),
                ("softmax", softmax, 'wait_flag["PIPE_MTE3"', "sync-race", r"mte_gm_ub \(MTE2\) writes .* mte_ub_gm \(MTE3\)"),
                ("softmax", softmax, "mem_bar", "sync-mem-bar", r"vlds reads bytes of %exps that vsts at line \d+ stored")):
            found = self.check("vector_%s.pto" % name, drop, *shapes)
            self.assertRegex(found, says + r".*\[%s\]" % rule)


class Entries(Case):
    def test_marks(self):
        """pto.aicore and pto.kernel mark the entry of a module with several functions."""
        for mark in ("pto.aicore", "pto.kernel"):
            self.write("e.pto", "func.func @one() {\n  return\n}\nfunc.func @two() attributes {%s} {\n  %%x = arith.constant 5 : i32\n"
                       "  pto.print ins(\"%%d\", %%x : i32)\n  return\n}\n" % mark)
            self.assertEqual(self.pto("run", "e.pto"), "5\n")


class Profiles(Case):
    def test_alignment(self):
        """Under A5 a plain load begins on a block of 32 bytes; the CPU profile asks for nothing."""
        body = HEAD + ("  %i = arith.constant 3 : index\n  pto.vecscope {\n"
                       "    %v = pto.vlds %a[%i] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n  }\n") + TAIL
        self.write("a.pto", body)
        shapes = ("--shape", "x=8:i32", "--shape", "y=8:i32")
        self.pto("run", "a.pto", *shapes)
        text = self.pto("run", "a.pto", *shapes, "--profile", "a5", code=1)
        self.assertIn("the address 12 is not a multiple of 32 [vector-align]", text + self.stderr)

    def test_level(self):
        self.write("a.pto", HEAD + "  pto.sprclr \"AR\"\n" + TAIL)
        text = self.pto("check", "a.pto", "--profile", "a2a3", code=1)
        self.assertIn("[profile-level]", text + self.stderr)


class Everything(unittest.TestCase):
    def test_each_row_has_a_test(self):
        """Runs last: every executed operation was in a program above."""
        with open(os.path.join(ROOT, "src", "ptoas", "vector", "rows.h")) as file:
            text = file.read()
        rows = re.findall(r'^    (?:\w+\()*"(\w+)"', text, re.MULTILINE)
        refused = re.findall(r'^    Refused\("(\w+)"', text, re.MULTILINE)
        self.assertGreater(len(rows), 140)
        if not sys.argv[1:]:
            self.assertEqual(sorted(set(rows) - set(refused) - COVERED), [])


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in (Lanewise, Conversions, Reductions, Moves, Masks, Memory, Sorting, Copies, Examples, Synchronisation, Entries, Profiles, Everything):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

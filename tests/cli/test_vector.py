"""The vector level: every operation of registers and masks, for each of its element types, under masks of all kinds, against
an oracle of its own.

One program for each element type: its statements read registers from one array and write their results to another.
"""
import math
import os
import random
import re
import sys
import unittest

import vector_oracle as o
from harness import ROOT
from vector_program import ALL, COVERED, FINE, INTS, TYPES, Case, Program, mask_type, rows, settle_digests, vreg


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

    def test_poison_everywhere(self):
        """Each operation with a mask shows its inactive lanes; the named ones keep them, conversions have 0 there."""
        for t in ("f32", "i32"):
            p = Program()
            r = random.Random(t + "poison")
            data = self.numbers(t, r)
            a, b = p.load(data, t), p.load(self.numbers(t, r), t)
            scalar, shift = p.scalar(t, 2.0 if t == "f32" else 2), p.say("{r} = arith.constant 1 : i16")
            v, k = vreg(t), mask_type(t)
            blocks = p.pointer(t, p.place(bytes(512)))
            index = p.load(o.register("i32", range(64)), "i32")
            offsets = p.load(o.register("i32", [32 * (i % 8) for i in range(64)]), "i32")
            for on in ([i % 3 == 0 for i in range(64)], [i < 5 for i in range(64)]):
                m = p.mask(o.mask_of(4, on), t)
                made = {name: "%s, %s : %s, %s -> %s" % (a, m, v, k, v) for name in (*o.UNARY, "vexp", "vln", "vrsqrt") if t in TYPES.get(name, FINE)}
                made.update({name: "%s, %s, %s : %s, %s, %s -> %s" % (a, b, m, v, v, k, v) for name in o.BINARY if t in TYPES[name]})
                for name, like in o.SCALAR.items():
                    if t in TYPES[like] and not (t == "f32" and name in ("vands", "vors", "vxors")):
                        shifts = like in ("vshl", "vshr")
                        made[name] = "%s, %s, %s : %s, %s, %s -> %s" % (a, shift if shifts else scalar, m, v, "i16" if shifts else t, k, v)
                made["vdup"] = "%s, %s : %s, %s -> %s" % (scalar, m, t, k, v)
                if t == "f32":
                    made["vtrc"] = '%s, %s, "R" : %s, %s -> %s' % (a, m, v, k, v)
                    made["vexpdif"] = '%s, %s, %s, "ODD" : %s, %s, %s -> %s' % (a, b, m, v, v, k, v)
                made["vgather2"] = "%s, %s, %s : !pto.ptr<%s, ub>, %s, %s -> %s" % (blocks, index, m, t, vreg("i32"), k, v)
                for name, form in made.items():
                    x = p.say("{r} = pto.{0} {1}", name, form)
                    p.at_end(at := p.room(256), on, t, name)
                    p.lines.append("pto.vsts %s, %s[%%c0], %s : %s, !pto.ptr<%s, ub>, %s" % (
                        x, p.pointer(t, Case.OUT + at), p.say('{r} = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>'), v, t, k))
                wide = [q for q in on[:8] for _ in range(8)]
                for name, form in (("vgatherb", "%s, %s, %s : !pto.ptr<%s, ub>, %s, %s -> %s" % (blocks, offsets, m, t, vreg("i32"), k, v)),
                                   ("vsldb", "%s, %s, %s, %s : !pto.ptr<%s, ub>, i16, i16, %s -> %s" % (blocks, shift, shift, m, t, k, v))):
                    x = p.say("{r} = pto.{0} {1}", name, form)
                    p.at_end(at := p.room(256), wide, t, name)
                    p.lines.append("pto.vsts %s, %s[%%c0], %s : %s, !pto.ptr<%s, ub>, %s" % (
                        x, p.pointer(t, Case.OUT + at), p.say('{r} = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>'), v, t, k))
            plain, poisoned = self.run_program(p), self.run_program(p, "--poison-inactive")
            for at, on, _, name, _ in p.checks:
                for i, q in enumerate(on):
                    there, shown = (y[at + 4 * i:at + 4 * i + 4] for y in (plain, poisoned))
                    self.assertEqual(shown, there if q else b"\xa5" * 4, "%s %s %d" % (name, t, i))
                    self.assertTrue(q or there == bytes(4), name)


class Conversions(Case):
    def test_each_pair(self):
        with open(os.path.join(ROOT, "src", "ptoas", "vector", "conversions.h")) as file:
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

    def test_control(self):
        """With bit 60 of CTRL, bit 59 decides for the core, not the statement."""
        values = [1e6, -1e6, math.nan, math.inf] + [1.5] * 60
        a = o.register("f32", values)
        for word, control, saturates in (("SAT", 0, 1), ("NOSAT", 0, 0), ("SAT", 3 << 59, 0), ("NOSAT", 1 << 60, 1), ("SAT", 1 << 59, 1)):
            p = Program()
            ra = p.load(a, "f32")
            p.lines.append("pto.set_ctrl %s : i64" % p.say("{r} = arith.constant {0} : i64", control))
            m = p.mask(o.mask_of(4, [1] * 64), "f32")
            x = p.say('{r} = pto.vcvt {0}, {1} {{rnd = "R", sat = "%s", part = "EVEN"}} : {2}, {3} -> {4}' % word, ra, m, vreg("f32"),
                      mask_type("f32"), vreg("f16"))
            p.expect(x, "f16", o.vcvt(a, o.mask_of(4, [1] * 64), "f32", "f16", "R", saturates, 0), "%s %x" % (word, control))
            self.judge(p)

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


    def test_older_name(self):
        for t, it in (("f32", "i32"), ("ui8", "ui8"), ("bf16", "i16")):
            r = random.Random(t + "older")
            p = Program()
            a, n = self.numbers(t, r), 256 // o.size(t)
            index = [r.randrange(-n, n) if o.signed(it) else r.randrange(n) for _ in range(n)]
            x = p.say("{r} = pto.vperm {0}, {1} : {2}, {3} -> {2}", p.load(a, t), p.load(o.register(it, index), it), vreg(t), vreg(it))
            lanes = o.cut(a, o.size(t))
            p.expect(x, t, b"".join(lanes[i % n] for i in index), "vperm " + t)
            self.judge(p)
        self.covers("vperm")


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


class Targets(Case):
    def test_same_bits(self):
        """Every SIMD target of the machine computes the same bits: one program of all that kernels and loops compute."""
        names = self.targets()
        self.assertTrue(names)
        for t in ("f32", "f16", "bf16", "i32", "i16", "ui8"):
            r = random.Random(t + "targets")
            p = Program()
            a, b = (p.load(self.numbers(t, r), t) for _ in range(2))
            scalar = p.scalar(t, o.lanes(self.numbers(t, r), t)[3])
            v, k = vreg(t), mask_type(t)
            for on in self.masks(t, r):
                m = p.mask(on, t)
                made = [p.say("{r} = pto.{0} {1}, {2} : {3}, {4} -> {3}", name, a, m, v, k)
                        for name in ("vexp", "vln", "vsqrt", "vrsqrt", "vrec", *o.UNARY) if t in TYPES.get(name, FINE)]
                made += [p.say("{r} = pto.{0} {1}, {2}, {3} : {4}, {4}, {5} -> {4}", name, a, b, m, v, k)
                         for name in o.BINARY if t in TYPES[name]]
                if t in INTS[2:] + o.FLOATS:
                    made.append(p.say("{r} = pto.vmula {0}, {0}, {1}, {2} : {3}, {3}, {3}, {4} -> {3}", a, b, m, v, k))
                made.append(p.say("{r} = pto.vadds {0}, {1}, {2} : {3}, {4}, {5} -> {3}", a, scalar, m, v, t, k))
                for x in made:
                    p.expect(x, t, b"", "")
            outcomes = {}
            for name in names:
                os.environ["PTO_TARGET"] = name
                self.addCleanup(os.environ.pop, "PTO_TARGET", None)
                outcomes[name] = self.run_program(p)
            self.assertEqual(len(set(outcomes.values())), 1, (t, list(outcomes)))
            del os.environ["PTO_TARGET"]
            self.pin(outcomes[names[0]], lambda: self.run_program(p))

    def test_programs(self):
        """Whole programs, with strips and without."""
        for name, *arguments in PROGRAMS:
            out = re.search(r"--out \w+=(\S+)", " ".join(arguments)).group(1)

            def run(*options):
                self.pto("run", os.path.join(ROOT, "examples", name), *" ".join(arguments).split(), *options)
                with open(self.path(out), "rb") as file:
                    return file.read()

            result = run()
            self.assertEqual(run("--sync"), result, name)
            self.pin(result, run)


PROGRAMS = (
    ("vector_softmax.pto", "--in x=random:1 --shape x=9x300:f32 --int n=9 --int m=300 --shape y=9x300:f32 --out y=y.npy"),
    ("vector_layernorm.pto", "--in x=random:2 --shape x=9x256:f32 --int n=9 --int m=256 --shape y=9x256:f32 --out y=y.npy"),
    ("vector_quantise.pto", "--in x=random:3 --shape x=1024:f32 --float scale=100.0 --shape q=1024:i8 --out q=q.npy"),
    ("vector_gather.pto", "--in table=random:4 --shape table=4096:f32 --in rows=iota --shape rows=16x64:i32 --shape sums=16:f32 --out sums=s.npy"),
    ("vector_cube.pto", "--in a=random:5 --shape a=64x64:f16 --in b=random:6 --shape b=64x64:f16 --in bias=random:7 --shape bias=64:f32",
     "--shape y=64x64:f32 --out y=y.npy"),
)


class Everything(unittest.TestCase):
    def test_each_row_has_a_test(self):
        """Runs last: every executed operation was in a program above."""
        names = rows(memory=False)
        self.assertGreater(len(names), 90)
        if not sys.argv[1:]:
            self.assertEqual(sorted(names - COVERED), [])
            settle_digests(self)


def load_tests(loader, tests, pattern):
    Case.PINNED = True
    suite = unittest.TestSuite()
    for case in (Lanewise, Conversions, Reductions, Moves, Masks, Targets, Everything):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

"""The cube below tiles: matrices to L1 and L0, products, the way out, cores that wait for each other.

Each program works on global arrays of bytes. What it should store is computed here, in numbers of Python.
"""
import math
import os
import random
import re
import struct
import sys
import unittest
from fractions import Fraction

import npy
import vector_oracle as o
from cube_program import Cube, get, ptr, put, size, times
from harness import ROOT, CommandTest

COVERED = set()
class Case(CommandTest):
    KIND = " attributes {pto.kernel_kind = #pto.kernel_kind<cube>}"

    def run_program(self, p, *options, text=None, code=0):
        self.write("p.pto", text or p.text(self.KIND))
        npy.save(self.path("x.npy"), "u8", (max(len(p.x), 1),), p.x or b"\0")
        said = self.pto("run", "p.pto", "--in", "x=x.npy", "--shape", "y=%d:u8" % p.size, "--out", "y=y.npy", *options, code=code)
        return bytes(npy.load(self.path("y.npy"))[2]) if code == 0 else said + self.stderr

    def numbers(self, r, t, count):
        """Small ones, whose products and sums are exact."""
        if t == "i8":
            return [r.randint(-128, 127) for _ in range(count)]
        return [r.randint(-8, 8) / 2 for _ in range(count)]

    def covers(self, *names):
        COVERED.update(names)


class Products(Case):
    def test_types(self):
        """Each element type, sizes that are not whole boxes, both profiles. hif8 has a few codes here."""
        codes = {0x08: 1.0, 0x00: 0.0, 0x97: -3.75}
        for t in ("f16", "bf16", "f32", "i8", "hif8"):
            r = random.Random(t)
            p, want = Cube(1 << 14), []
            sums = "i32" if t == "i8" else "f32"
            for m, n, k in ((16, 16, 32), (40, 24, 17), (1, 50, 33), (5, 7, 64), (33, 16, 8)):
                a, b = ([r.choice(list(codes)) for _ in range(c)] if t == "hif8" else self.numbers(r, t, c) for c in (m * k, k * n))
                p.out(p.product(t, a, b, m, n, k, sums=sums, clauses="disable_gemv"), m, n, sums=sums, at=4 * len(want))
                values = ([codes[v] for v in x] if t == "hif8" else x for x in (a, b))
                want += times(*values, m, n, k)
            for profile in ("cpu", "a5"):
                got = get(sums, self.run_program(p, "--profile", profile))
                self.assertEqual(got[:len(want)], want, (t, profile))
                self.assertEqual(set(got[len(want):]), {0})
        self.covers("mad", "mte_gm_l1_frac", "mte_l1_l0a", "mte_l1_l0b", "mte_l0c_gm")

    def test_orders(self):
        """Matrices that come transposed, and sources that are."""
        r = random.Random(3)
        m, n, k = 24, 40, 48
        for t in ("f16", "f32"):
            a, b = self.numbers(r, t, m * k), self.numbers(r, t, k * n)
            turned_a = [a[i * k + q] for q in range(k) for i in range(m)]
            turned_b = [b[q * n + j] for j in range(n) for q in range(k)]
            p = Cube(4 * m * n)
            left = p.factor("a", t, p.boxes(t, turned_a, k, m, 0), m, k, turned=True, starts=False)
            right = p.factor("b", t, p.boxes(t, turned_b, n, k, 1 << 17, "dn2nz"), k, n, starts=False)
            p.out(p.mad("mad", t, left, right, m, n, k), m, n)
            self.assertEqual(get("f32", self.run_program(p)), times(a, b, m, n, k))

    def test_groups(self):
        """Several matrices at once: each at its own distance."""
        p = Cube(512)
        values = list(range(60))
        x, to = p.array("ui16", values), p.pointer("ui16", "l1", 0)
        p.say("pto.mte_gm_l1_frac %s, %s, nd2nz, shape(%s), src_layout(%s), dst_group(%s), ctrl(%s, %s) : %s, %s, nd2nz, "
              "shape i64, i64, src_layout(i64, i64), dst_group i64, i64, i64, i64, ctrl i64, i1"
              % (x, to, p.numbers(2, 18), p.numbers(40, 80), p.numbers(1, 1, 3, 7), p.number(0), p.number("false", "i1"),
                 ptr("ui16", "gm"), ptr("ui16", "l1")))
        u = p.pointer("ui16", "ub", 0)
        p.say("pto.mte_l1_ub %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (to, u, p.number(16), p.numbers(1, 0, 0), ptr("ui16", "l1"), ptr("ui16", "ub")))
        p.say("pto.mte_ub_gm %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (u, p.part("%y", "ui16", 0), p.number(512), p.numbers(1, 0, 0), ptr("ui16", "ub"), ptr("ui16", "gm")))
        got = get("ui16", self.run_program(p, text=p.text()))
        want = [0] * 256
        for i in range(2):
            for j in range(18):
                want[16 * (j // 16 * 3 + i) + j % 16] = values[20 * i + j]
        self.assertEqual(got, want)
        self.covers("mte_l1_ub")

    def test_row(self):
        """Without disable_gemv one row of the left matrix lies in one piece."""
        r = random.Random(4)
        n, k = 20, 40
        a, b = self.numbers(r, "f16", k), self.numbers(r, "f16", k * n)
        p = Cube(4 * n)
        l1 = p.pointer("f16", "l1", 0)
        p.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (p.array("f16", a), l1, p.number(2 * k), p.numbers(1, 0, 0), ptr("f16", "gm"), ptr("f16", "l1")))
        # The bytes as they are: 40 elements are less than the boxes of 16 rows, which follow unset.
        left = p.factor("a", "f16", l1, 1, k)
        right = p.factor("b", "f16", p.boxes("f16", b, k, n, 1 << 17), k, n, turned=True)
        p.out(p.mad("mad", "f16", left, right, 1, n, k), 1, n)
        self.assertEqual(get("f32", self.run_program(p)), times(a, b, 1, n, k))
        self.covers("mte_gm_l1")

    def test_starts(self):
        """Sums that go on from the accumulator, or begin with a bias of f16, bf16 or f32."""
        r = random.Random(5)
        m, n, k = 17, 20, 16
        a, b = self.numbers(r, "f16", m * k), self.numbers(r, "f16", k * n)
        once = times(a, b, m, n, k)
        p = Cube(4 * m * n)
        left = p.factor("a", "f16", p.boxes("f16", a, m, k, 0), m, k)
        right = p.factor("b", "f16", p.boxes("f16", b, k, n, 1 << 17), k, n, turned=True)
        p.mad("mad", "f16", left, right, m, n, k, "unit_flag(check_only) n_dir")
        p.out(p.mad("mad_acc", "f16", left, right, m, n, k, "unit_flag(check_and_set) disable_gemv n_dir"), m, n,
              clauses=", unit_flag(check_and_clear), nz2nd")
        self.assertEqual(get("f32", self.run_program(p)), [2 * v for v in once])
        for t in ("f16", "bf16", "f32"):
            bias = self.numbers(r, t, 32)
            p = Cube(4 * m * n)
            left = p.factor("a", "f16", p.boxes("f16", a, m, k, 0), m, k)
            right = p.factor("b", "f16", p.boxes("f16", b, k, n, 1 << 17), k, n, turned=True)
            l1, bt = p.pointer(t, "l1", 1 << 18), p.pointer("f32", "bt", 64)
            p.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                  % (p.array(t, bias), l1, p.number(32 * size(t)), p.numbers(1, 0, 0), ptr(t, "gm"), ptr(t, "l1")))
            p.say("pto.mte_l1_bt %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                  % (l1, bt, p.number(size(t)), p.numbers(1, 0, 0), ptr(t, "l1"), ptr("f32", "bt")))
            p.out(p.mad("mad_bias", "f16", left, right, m, n, k, bias=bt), m, n)
            self.assertEqual(get("f32", self.run_program(p)), [v + bias[i % n] for i, v in enumerate(once)])
        self.covers("mad_acc", "mad_bias", "mte_l1_bt")

    def test_rounding(self):
        """tf32_mode rounds factors to 10 bits of the fraction; one times a power of two shows it."""
        unit = 2.0 ** -10
        a = [1 + unit / 2, 1 + unit * 1.5, 1 + unit * 0.75, -1 - unit / 2, 1 + unit / 4, 1.0, 2.0, 4.0] * 2
        b = [1.0 if q == j else 0.0 for q in range(16) for j in range(16)]
        for mode, ties in (("round_even", [1.0, 1 + 2 * unit, 1 + unit, -1.0, 1.0]),
                           ("round_away", [1 + unit, 1 + 2 * unit, 1 + unit, -1 - unit, 1.0])):
            p = Cube(64)
            p.out(p.product("f32", a, b, 1, 16, 16, clauses="disable_gemv tf32_mode(%s)" % mode), 1, 16)
            self.assertEqual(get("f32", self.run_program(p)), (ties + [1.0, 2.0, 4.0]) * 2)
        p = Cube(64)
        p.out(p.product("f32", a, b, 1, 16, 16, clauses="disable_gemv"), 1, 16)
        self.assertEqual(get("f32", self.run_program(p)), a)

    def test_saturation(self):
        """sat: infinities are the largest number, NaN is 0; nosat, and nothing, are IEEE. Bit 48 of CTRL decides without a clause."""
        a = [math.inf, math.nan, -math.inf, 1.0] + [0.0] * 12
        b = [float(q == j) for q in range(16) for j in range(16)]
        largest = o.LARGEST["f32"]
        for clause, control, saturates in (("sat", None, 1), ("nosat", 0, 0), ("", None, 0), ("", 0, 1)):
            p = Cube(64)
            if control is not None:
                p.say("pto.set_ctrl %s : i64" % p.number(control))
            p.out(p.product("f32", a, b, 1, 16, 16, clauses=("disable_gemv " + clause).strip()), 1, 16)
            got = get("f32", self.run_program(p))
            if saturates:
                self.assertEqual(got, [largest, 0.0, -largest, 1.0] + [0.0] * 12)
            else:
                self.assertTrue(all(math.isnan(v) for v in got), got)

    def test_scales(self):
        """Block scales: bytes that are exponents, one for 32 elements along k."""
        r = random.Random(8)
        code = {0x00: 0.0, 0x38: 1.0, 0x40: 2.0, 0x30: 0.5, 0xB8: -1.0, 0x3C: 1.5, 0xC0: -2.0}
        for m, n, k in ((16, 16, 64), (32, 48, 128)):
            a, b = ([r.choice(list(code)) for _ in range(c)] for c in (m * k, k * n))
            sa, sb = ([r.randint(125, 129) for _ in range(c * k // 32)] for c in (m, n))
            bias = self.numbers(r, "f32", n)
            want = []
            for i in range(m):
                for j in range(n):
                    want.append(sum(code[a[i * k + q]] * code[b[q * n + j]] * 2.0 ** (sa[i * k // 32 + q // 32] + sb[j * k // 32 + q // 32] - 254)
                                    for q in range(k)))
            p = Cube(4 * m * n * 3)
            left = p.factor("a", "e4m3", p.boxes("e4m3", a, m, k, 0), m, k)
            l1 = p.boxes("e4m3", b, k, n, 1 << 17, turned=True)
            right = p.factor("b", "e4m3", l1, k, n, turned=True)
            for side, to, values, x, y in (("a", left, sa, m, k), ("b", right, sb, k, n)):
                at = p.pointer("e4m3", "l1", 1 << 18)
                p.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                      % (p.array("e4m3", values), at, p.number(len(values)), p.numbers(1, 0, 0), ptr("e4m3", "gm"), ptr("e4m3", "l1")))
                p.say("pto.mte_l1_l0%s_mx %s, %s, %s : %s, %s, i64, i64"
                      % (side, at, to, p.numbers(x, y), ptr("e4m3", "l1"), ptr("e4m3", "l0" + side)))
            p.out(p.mad("mad_mx", "e4m3", left, right, m, n, k, "unit_flag(check_only) disable_gemv sat"), m, n)
            p.out(p.mad("mad_mx_acc", "e4m3", left, right, m, n, k, "nosat"), m, n, at=4 * m * n)
            l1, bt = p.pointer("f32", "l1", 1 << 18), p.pointer("f32", "bt", 0)
            p.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                  % (p.array("f32", bias), l1, p.number(4 * n), p.numbers(1, 0, 0), ptr("f32", "gm"), ptr("f32", "l1")))
            p.say("pto.mte_l1_bt %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                  % (l1, bt, p.number(n // 8), p.numbers(1, 0, 0), ptr("f32", "l1"), ptr("f32", "bt")))
            p.out(p.mad("mad_mx_bias", "e4m3", left, right, m, n, k, bias=bt), m, n, at=8 * m * n)
            got = get("f32", self.run_program(p, "--profile", "a5"))
            self.assertEqual(got, want + [2 * v for v in want] + [v + bias[i % n] for i, v in enumerate(want)])
        self.covers("mad_mx", "mad_mx_acc", "mad_mx_bias", "mte_l1_l0a_mx", "mte_l1_l0b_mx")

    def test_old_loads(self):
        """Boxes as they are, by copies that compilers make."""
        r = random.Random(9)
        m, n, k = 32, 16, 32
        a, b = self.numbers(r, "f16", m * k), self.numbers(r, "f16", k * n)
        turned = [b[q * n + j] for j in range(n) for q in range(k)]
        p = Cube(4 * 16 * n)
        for side, values, rows, at in (("a", a, m, 0), ("b", turned, n, 1 << 17)):
            to = p.pointer("f16", "l0" + side, 0)
            first = 1 if side == "a" else 0
            p.say("pto.load_cbuf_to_c%s %s, %s, %s : %s, %s, i64, i64, i64, i64, i64, i64"
                  % (side, p.boxes("f16", values, rows, k, at), to, p.numbers(first, 0, 1, k // 16, rows // 16, 1),
                     ptr("f16", "l1"), ptr("f16", "l0" + side)))
        p.out(p.mad("mad", "f16", p.pointer("f16", "l0a", 0), p.pointer("f16", "l0b", 0), 16, n, k), 16, n)
        self.assertEqual(get("f32", self.run_program(p)), times(a[16 * k:], b, 16, n, k))
        self.covers("load_cbuf_to_ca", "load_cbuf_to_cb")


class WayOut(Case):
    M, N = 20, 40

    def sums(self, values, size_of_y, sums="f32"):
        """A program whose accumulator holds these: they times the unit matrix."""
        m, n = self.M, self.N
        p = Cube(size_of_y)
        t = "i8" if sums == "i32" else "f32"
        unit = [1 if i == j else 0 for i in range(n) for j in range(n)]
        c = p.product(t, values, [float(v) for v in unit] if t == "f32" else unit, m, n, n, clauses="disable_gemv", sums=sums)
        return p, c

    def table(self, p, t, values, at, unit):
        """Words or slopes in the fixpipe buffer."""
        l1, fb = p.pointer(t, "l1", 1 << 18), p.pointer("f32", "fb", at)
        data = put(t, values)
        p.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (p.array(t, values), l1, p.number(len(data)), p.numbers(1, 0, 0), ptr(t, "gm"), ptr(t, "l1")))
        p.say("pto.mte_l1_fb %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (l1, fb, p.number(-(-len(data) // 64)), p.numbers(1, 0, 0), ptr(t, "l1"), ptr("f32", "fb")))
        return fb

    def values(self, seed):
        r = random.Random(seed)
        values = [o.rounded("f32", r.uniform(-50, 50)) for _ in range(self.M * self.N)]
        values[:4] = [70000.0, -70000.0, 0.0, -0.0]
        return values

    def test_modes(self):
        values = self.values(1)
        count = self.M * self.N
        scale = 1.25
        r = random.Random(2)
        scales = [struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", r.uniform(0.5, 2)))[0] & 0xFFFFE000))[0]
                  for _ in range(self.N)]
        slopes = [o.rounded("f32", r.uniform(-1, 1)) for _ in range(self.N)]
        words = [struct.unpack("<I", struct.pack("<f", s))[0] | (j - 20 & 511) << 37 | (j % 2) << 46 for j, s in enumerate(scales)]
        f32 = lambda v: o.rounded("f32", Fraction(v)) if v else v
        relus = {"no_relu": lambda v, j: v, "normal_relu": lambda v, j: max(v, 0.0), "scalar_relu": lambda v, j: v if v >= 0 else f32(v * 0.25),
                 "vector_relu": lambda v, j: v if v >= 0 else f32(v * slopes[j])}
        for mode in ("f32_f16", "f32_bf16", "qf322f16_pre_scalar", "qf322bf16_pre_scalar", "qf322f32_pre_scalar", "qf322f16_pre_vec",
                     "qf322f32_pre_vec", "qf322b8_pre_scalar", "qf322b8_pre_vec"):
            t = "i8" if "b8" in mode else "f32" if "f32_pre" in mode else "bf16" if "bf16" in mode else "f16"
            p, c = self.sums(values, 5 * count * o.size(t))
            vec = mode.endswith("_vec")
            quant, kind = (self.table(p, "ui64", words, 0, 8), ptr("f32", "fb")) if vec else (p.number(scale, "f32"), "f32")
            table = self.table(p, "f32", slopes, 65536 + 64, 4)
            want, cases = [], []
            for relu, clip, saturate in (("no_relu", None, "sat"), ("normal_relu", None, "nosat"), ("scalar_relu", 30.0, ""),
                                         ("vector_relu", None, "sat"), ("no_relu", 8.0, "sat")):
                if clip is not None and t in ("f32", "bf16"):
                    continue
                slope = {"scalar_relu": p.number(0.25, "f32") + ", ", "vector_relu": table + ", "}.get(relu, "")
                types = ", " + kind + {"scalar_relu": ", f32", "vector_relu": ", " + ptr("f32", "fb")}.get(relu, "")
                limit = ", clip = " + p.number(clip, "f16") if clip is not None else ""
                clauses = (", pre_quant(%s, mode = %s), pre_relu(%smode = %s%s), nz2nd, loop3(%s)%s"
                           % (quant, mode, slope, relu, limit, p.numbers(1, 0, 0), ", " + saturate if saturate else ""))
                types += (", f16" if clip is not None else "") + ", i64, i64, i64"
                p.out(c, self.M, self.N, clauses=clauses, types=types, t=t, at=len(want) * o.size(t))
                cases.append((mode, relu, clip, saturate))
                for i, v in enumerate(values):
                    j = i % self.N
                    v = relus[relu](f32(v * (1.0 if mode.startswith("f32_") else scales[j] if vec else scale)), j)
                    v = min(v, clip) if clip is not None else v
                    if t == "i8":
                        whole = o.whole(Fraction(min(max(v, -256.0), 255.0)), "R")
                        low, high = (-128, 127) if not vec or j % 2 else (0, 255)
                        want.append(o.wrap("i8", min(max(whole + (j - 20 if vec else 0), low), high)))
                    else:
                        want.append(o.rounded(t, v, saturate=saturate == "sat") + 0.0)
            got = [v + 0 for v in get(t, self.run_program(p, "--profile", "a5"))]
            for i, case in enumerate(cases):
                self.assertEqual(got[i * count:(i + 1) * count], want[i * count:(i + 1) * count], case)
        self.covers("mte_l1_fb")

    def test_ints(self):
        r = random.Random(3)
        values = [r.randint(-128, 127) for _ in range(self.M * self.N)]
        for mode, t in (("deqf16", "f16"), ("qs322bf16_pre", "bf16"), ("req8", "i8")):
            p, c = self.sums(values, len(values) * o.size(t), "i32")
            p.out(c, self.M, self.N, clauses=", pre_quant(%s, mode = %s), nz2nd" % (p.number(0.75, "f32"), mode), types=", f32", sums="i32", t=t)
            want = [o.rounded(t, Fraction(3 * v, 4)) if t != "i8" else o.whole(Fraction(3 * v, 4), "R") for v in values]
            self.assertEqual(get(t, self.run_program(p)), want)

    def test_turned(self):
        values = [float(i) for i in range(self.M * self.N)]
        p, c = self.sums(values, 4 * self.N * 24)
        p.out(c, self.M, self.N, clauses=", nz2dn(%s)" % p.number(1), types=", i64", pitch=24)
        got = get("f32", self.run_program(p))
        self.assertEqual(got, [values[i * self.N + j] if i < self.M else 0.0 for j in range(self.N) for i in range(24)])

    def test_atomics(self):
        """Read, combined and written; two blocks add up."""
        values = [float(i % 97 - 48) for i in range(self.M * self.N)]
        for op, f in (("add", lambda a, b: a + b), ("max", max), ("min", min)):
            p, c = self.sums(values, 4 * len(values))
            p.out(c, self.M, self.N)
            p.mad("mad", "f32", p.pointer("f32", "l0a", 0), p.pointer("f32", "l0b", 0), self.M, self.N, 0)
            p.out(c, self.M, self.N, clauses=", nz2nd, atomic(type = f32, op = %s)" % op)
            self.assertEqual([v + 0 for v in get("f32", self.run_program(p))], [f(v, 0.0) + 0 for v in values])
        p, c = self.sums(values, 4 * len(values))
        p.out(c, self.M, self.N, clauses=", nz2nd, atomic(type = f32, op = add)")
        self.assertEqual([v + 0 for v in get("f32", self.run_program(p, "--blocks", "3", "--threads", "2"))], [3 * v + 0 for v in values])

    def test_l1(self):
        """Back to L1, and from there to UB."""
        values = [float(i % 61 - 30) for i in range(self.M * self.N)]
        p, c = self.sums(values, 2 * len(values))
        l1, u = p.pointer("f16", "l1", 1 << 18), p.pointer("f16", "ub", 4096)
        p.say("pto.mte_l0c_l1 %s, %s, %s, pre_quant(%s, mode = f32_f16), nz2nd : %s, %s, i64, i64, i64, i64, f32"
              % (c, l1, p.numbers(self.M, self.N, 32, self.N), p.number(1.0, "f32"), ptr("f32", "l0c"), ptr("f16", "l1")))
        p.say("pto.mte_l1_ub %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (l1, u, p.number(5), p.numbers(10, 0, 0), ptr("f16", "l1"), ptr("f16", "ub")))
        p.say("pto.mte_ub_gm %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
              % (u, p.part("%y", "f16", 0), p.number(2 * len(values)), p.numbers(1, 0, 0), ptr("f16", "ub"), ptr("f16", "gm")))
        self.assertEqual(get("f16", self.run_program(p, text=p.text())), values)
        self.covers("mte_l0c_l1")


SECTIONS = """
  pto.section.cube {{
{cube}
  }}
  pto.section.vector {{
    %lane = pto.get_subblock_idx
    %at = arith.index_cast %lane : i64 to index
{vector}
  }}
"""


class Cores(Case):
    def mixed(self, p, cube, vector, *options):
        """Statements of the cube core, and of both vector cores; %at is the number of one of them."""
        text = p.text(" attributes {pto.aicore}")
        text = text.replace("return\n", SECTIONS.format(cube="\n".join(cube), vector="\n".join(vector)) + "return\n")
        return self.run_program(p, *options, text=text)

    def test_to_vector_cores(self):
        """The sums to one vector core, or halves to both, which wait for them and store them."""
        m, n = 32, 32
        values = [float(i) for i in range(m * n)]
        unit = [float(i == j) for i in range(n) for j in range(n)]
        for target in ("0", "1", "split_m", "split_n"):
            p = Cube(8 * m * n)
            c = p.product("f32", values, unit, m, n, n)
            cube, p.lines = p.lines, [line for line in p.lines if "arith.constant" in line]
            cube = [line for line in cube if "arith.constant" not in line]
            u, half = p.pointer("f32", "ub", 1024), p.number(m * n, "index")
            mode = p.number(int(target)) if target.isdigit() else target
            cube.append("pto.mte_l0c_ub %s, %s, %s, dst_mode(%s), unit_flag(check_only), nz2nd, loop3(%s), sat : %s, %s, i64, i64, i64, i64%s, i64, i64, i64"
                        % (c, u, p.numbers(m, n, m, n), mode, p.numbers(1, 0, 0), ptr("f32", "l0c"), ptr("f32", "ub"), ", i64" if target.isdigit() else ""))
            cube += ["pto.sync.set <PIPE_FIX>, 1", "pto.sync.set <PIPE_FIX>, 17", "pto.sync.wait <PIPE_FIX>, 0", "pto.sync.wait <PIPE_FIX>, 16"]
            vector = ["pto.sync.wait <PIPE_MTE3>, 1", "%%d = arith.muli %%at, %s : index" % half,
                      "%%y32 = pto.castptr %%y : !pto.ptr<ui8, gm> -> %s" % ptr("f32", "gm"),
                      "%%to = pto.addptr %%y32, %%d : %s -> %s" % (ptr("f32", "gm"), ptr("f32", "gm")),
                      "pto.mte_ub_gm %s, %%to, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                      % (u, p.number(4 * m * n), p.numbers(1, 0, 0), ptr("f32", "ub"), ptr("f32", "gm")),
                      "pto.sync.set <PIPE_MTE3>, 0"]
            for profile in ("cpu", "a5"):
                got = get("f32", self.mixed(p, cube, vector, "--profile", profile))
                want = [0.0] * (2 * m * n)
                for i in range(m):
                    for j in range(n):
                        lane, at = {"0": (0, i * n + j), "1": (1, i * n + j), "split_m": (i // 16, i % 16 * n + j),
                                    "split_n": (j // 16, i * n + j % 16)}[target]
                        want[lane * m * n + at] = values[i * n + j]
                self.assertEqual(got, want, (target, profile))
        self.covers("mte_l0c_ub")

    def test_round_trip(self):
        """UB to L1, and back into the UB of each vector core: the cores wait for each other both ways."""
        values = list(range(256))
        p = Cube(1024)
        x = p.array("i16", values)
        u, l1, back = p.pointer("i16", "ub", 0), p.pointer("i16", "l1", 4096), p.pointer("i16", "ub", 8192)
        into, out = "%s, %s, i64, i64, i64, i64" % (ptr("i16", "gm"), ptr("i16", "ub")), "%s, %s, i64, i64, i64, i64" % (ptr("i16", "ub"), ptr("i16", "gm"))
        elements, half = p.number(256, "index"), p.number(512, "index")
        cube = ["pto.sync.wait <PIPE_MTE1>, 0", "pto.sync.wait <PIPE_MTE1>, 16"]
        for lane in (0, 1):
            cube.append("pto.copy_cbuf_to_ubuf %s, %s, %s : %s, %s, i64, i64, i64, i64, i64"
                        % (l1, back, p.numbers(lane, 2, 4, 4, 0), ptr("i16", "l1"), ptr("i16", "ub")))
        cube += ["pto.sync.set <PIPE_MTE1>, 2", "pto.sync.set <PIPE_MTE1>, 18"]
        vector = ["pto.mte_gm_ub %s, %s, %s nburst(%s) : %s, i64" % (x, u, p.numbers(0, 512), p.numbers(1, 512, 512), into),
                  "pto.copy_ubuf_to_cbuf %s, %s, %s : %s, %s, i64, i64, i64, i64, i64"
                  % (u, l1, p.numbers(0, 2, 4, 4, 4), ptr("i16", "ub"), ptr("i16", "l1")),
                  "pto.mte_ub_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                  % (u, l1, p.number(1), p.numbers(1, 0, 0), ptr("i16", "ub"), ptr("i16", "l1")),
                  "pto.sync.set <PIPE_MTE3>, 0", "pto.sync.wait <PIPE_V>, 2",
                  "%%y16 = pto.castptr %%y : !pto.ptr<ui8, gm> -> %s" % ptr("i16", "gm"),
                  "%%d = arith.muli %%at, %s : index" % elements, "%%to = pto.addptr %%y16, %%d : %s -> %s" % (ptr("i16", "gm"), ptr("i16", "gm")),
                  "pto.mte_ub_gm %s, %%to, %s nburst(%s) : %s" % (back, p.number(512), p.numbers(1, 512, 512), out)]
        got = get("i16", self.mixed(p, cube, vector))
        want = values[:64] + values[128:192] + [0] * 128
        self.assertEqual(got, want * 2)
        self.covers("copy_cbuf_to_ubuf", "copy_ubuf_to_cbuf", "mte_ub_l1")

    def test_older_copies(self):
        p = Cube(512)
        x, l1, fb = p.array("ui64", list(range(64))), p.pointer("ui64", "l1", 0), p.pointer("ui64", "fb", 0)
        p.say("pto.copy_gm_to_cbuf %s, %s, %s : %s, %s, i64, i64, i64, i64"
              % (x, l1, p.numbers(2, 64, 256, 128), ptr("ui64", "gm"), ptr("ui64", "l1")))
        p.say("pto.copy_cbuf_to_fbuf %s, %s, %s : %s, %s, i64, i64, i64, i64"
              % (l1, fb, p.numbers(2, 1, 1, 0), ptr("ui64", "l1"), ptr("ui64", "fb")))
        y = p.part("%y", "ui64", 0)
        for i in range(16):
            v = p.name()
            p.say("%s = pto.load_scalar %s[%s] : %s -> ui64" % (v, fb, p.number(i, "index"), ptr("ui64", "fb")))
            p.say("pto.store_scalar %s, %s[%s] : %s, ui64" % (v, y, p.number(i, "index"), ptr("ui64", "gm")))
        got = get("ui64", self.run_program(p, text=p.text()))
        self.assertEqual(got[:16], list(range(8)) + list(range(32, 40)))
        self.covers("copy_gm_to_cbuf", "copy_cbuf_to_fbuf")


class Example(Case):
    NAME = os.path.join(ROOT, "examples", "vector_cube.pto")

    def test_values(self):
        r = random.Random(11)
        a, b = ([r.randint(-8, 8) / 4 for _ in range(4096)] for _ in range(2))
        bias = [r.randint(-30, 30) / 2 for _ in range(64)]
        for name, t, shape, values in (("a", "f16", (64, 64), a), ("b", "f16", (64, 64), b), ("bias", "f32", (64,), bias)):
            npy.save(self.path(name + ".npy"), t, shape, values)
        want = [max(v + bias[i % 64], 0.0) for i, v in enumerate(times(a, b, 64, 64, 64))]
        for profile in ("cpu", "a5"):
            self.pto("run", self.NAME, "--in", "a=a.npy", "--in", "b=b.npy", "--in", "bias=bias.npy", "--shape", "y=64x64:f32",
                     "--out", "y=y.npy", "--profile", profile)
            self.assertEqual(npy.load(self.path("y.npy"))[2], want)

    def test_races(self):
        """Flags between the pipes of the cube core, and between cores: each that is left out is found."""
        with open(self.NAME) as file:
            text = file.read()
        shapes = [x for s in ("a=64x64:f16", "b=64x64:f16", "bias=64:f32", "y=64x64:f32") for x in ("--shape", s)]
        self.write("p.pto", text)
        self.assertEqual(self.pto("run", "p.pto", "--sync", *shapes) + self.stderr, "")
        for was, becomes, says in (
                ('pto.wait_flag["PIPE_MTE2", "PIPE_MTE1", "EVENT_ID0"]', "", r"mte_l1_l0a \(MTE1\) reads .* mte_gm_l1_frac \(MTE2\)"),
                ('pto.wait_flag["PIPE_MTE1", "PIPE_M", "EVENT_ID0"]', "", r"mad \(M\) reads .* mte_l1_l0[ab] \(MTE1\)"),
                ('pto.wait_flag["PIPE_M", "PIPE_FIX", "EVENT_ID0"]', "", r"mte_l0c_ub \(FIX\) reads .* mad \(M\)"),
                ("pto.sync.wait <PIPE_V>, 1", "pto.sync.wait <PIPE_MTE2>, 1", r"vlds \(V\) reads .* mte_l0c_ub \(FIX\)")):
            self.assertIn(was, text)
            self.write("p.pto", text.replace(was, becomes))
            self.assertRegex(self.pto("run", "p.pto", "--sync", *shapes, code=1) + self.stderr, says + r".*\[sync-race\]")


class Refusals(Case):
    def test_programs(self):
        """What is wrong is said by the check, with its rule."""
        head = "func.func @main(%p: !pto.ptr<f16, l0a>, %q: !pto.ptr<f16, l0b>, %c: !pto.ptr<f32, l0c>, %g: !pto.ptr<f32, gm>, %h: !pto.ptr<f16, gm>, %n: i64, %f: f32) {\n"
        product = "pto.mad %p, %q, %c, %n, %n, %n {} : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64"
        out = "pto.mte_l0c_gm %c, {}, %n, %n, %n, %n, %n, %n{} : !pto.ptr<f32, l0c>, !pto.ptr<{}, gm>, i64, i64, i64, i64, i64, i64{}"
        for line, rule, says in (
                (product.replace("{}", "sat nosat"), "vector-mode", "exclude each other"),
                (product.replace("{}", "tf32_mode(round_even)"), "vector-mode", "rounds f32"),
                (product.replace("{}", "unit_flag(check_all)"), "vector-mode", "not 'check_all'"),
                (product.replace("{}", "").replace("pto.mad ", "pto.mad_mx "), "vector-element", "takes f8E4M3FN"),
                (out.format("%h", "", "f16", ""), "vector-element", "without pre_quant"),
                (out.format("%g", ", nz2nz", "f32", ""), "vector-mode", "not documented"),
                (out.format("%h", ", pre_quant(%f, mode = qf322f17_pre)", "f16", ", f32"), "vector-mode", "did you mean"),
                (out.format("%h", ", pre_quant(%f, mode = qf322s4_pre)", "f16", ", f32"), "vector-mode", "no document settles"),
                (out.format("%g", ", pre_relu(mode = scalar_relu)", "f32", ""), "operand-count", "a slope"),
                (out.format("%g", ", nz2nd, atomic(type = f16, op = add)", "f32", ""), "vector-mode", "does not fit"),
                ("pto.mad_raw %p, %q, %c, %n : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64", "unsupported-instruction", "packed by a compiler")):
            self.write("p.pto", head + line + "\nreturn\n}\n")
            said = self.pto("check", "p.pto", code=1) + self.stderr
            self.assertIn("[%s]" % rule, said, line)
            self.assertIn(says, said, line)

    def test_runs(self):
        """What only a run sees: beyond a memory, a start, more rounds than are documented."""
        p = Cube(64)
        c = p.product("f32", [1.0] * 256, [1.0] * 256, 16, 16, 16)
        p.out(c, 16, 16)
        self.assertIn("[memory-range]", self.run_program(p, code=1))
        p = Cube(1024)
        p.mad("mad", "f16", p.pointer("f16", "l0a", 65536 - 256), p.pointer("f16", "l0b", 0), 16, 16, 16)
        self.assertIn("512 bytes at 65280, where the memory has 65536: 256 too many", self.run_program(p, "--profile", "a5", code=1))
        p = Cube(1024)
        p.out(p.product("f32", [1.0] * 256, [1.0] * 256, 16, 16, 16), 16, 16, clauses=", nz2nd, loop3(%s)" % p.numbers(2, 0, 0), types=", i64, i64, i64")
        self.assertIn("loop3", self.run_program(p, code=1))

    def test_printed(self):
        """What is printed is read again as the same."""
        p = Cube(1024)
        r = random.Random(1)
        c = p.product("f32", [1.0] * 256, [1.0] * 256, 16, 16, 16, clauses="unit_flag(check_and_set) disable_gemv sat tf32_mode(round_away) n_dir")
        p.out(c, 16, 16, clauses=", unit_flag(check_only), pre_quant(%s, mode = qf322f32_pre_scalar), pre_relu(mode = normal_relu), nz2nd, "
              "loop3(%s), sat(preserve_nan), atomic(type = f32, op = add)" % (p.number(2.0, "f32"), p.numbers(1, 0, 0)), types=", f32, i64, i64, i64")
        self.write("p.pto", p.text(self.KIND))
        once = self.pto("fmt", "p.pto")
        self.write("q.pto", once)
        self.assertEqual(self.pto("fmt", "q.pto"), once)
        self.assertIn("atomic(type = f32, op = add)", once)


class Everything(unittest.TestCase):
    def test_each_row_has_a_test(self):
        with open(os.path.join(ROOT, "src", "ptoas", "vector", "rows_cube.h")) as file:
            text = file.read()
        text = text[text.index("kCubeOps"):]
        rows = re.findall(r'^    (?:\w+\()*"(\w+)"', text, re.MULTILINE)
        refused = re.findall(r'^    Refused\("(\w+)"', text, re.MULTILINE)
        self.assertGreater(len(rows), 35)
        if not sys.argv[1:]:
            self.assertEqual(sorted(set(rows) - set(refused) - COVERED), [])


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in (Products, WayOut, Cores, Example, Refusals, Everything):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

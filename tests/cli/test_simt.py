"""SIMT: every statement of work items against a reference of its own, and launches of all shapes."""
import math
import os
import random
import re
import struct
import unittest

import npy
import vector_oracle as o
from harness import ROOT, CommandTest
from simt_program import Case, HEAD, INTS, Items, same, small_code, small_value, wide


def each(f):
    """A function of numbers, also of pairs."""
    return lambda *xs: tuple(f(*ys) for ys in zip(*xs)) if isinstance(xs[0], tuple) else f(*xs)


def unsigned(t, v):
    return v & (1 << o.bits(t)) - 1


def number_or(pick):
    def g(a, b):
        if math.isnan(a) or math.isnan(b):
            return b if math.isnan(a) else a
        return pick((a, b), key=o.order)
    return g


class Numbers(Case):
    def test_functions(self):
        """Each function of numbers, of each type that it takes; the curved ones within an ulp of f32."""
        exact = {"absf": (("f32", "vector<2xf16>", "vector<2xbf16>"), lambda t: abs),
                 "sqrt": (("f16", "f32", "vector<2xf16>"), lambda t: lambda a: o.sqrt(t, a)),
                 "fma": (("f16", "bf16", "f32", "vector<2xf16>", "vector<2xbf16>"), lambda t: lambda a, b, c: o.fused(t, a, b, c)),
                 "fmax": (("f32", "bf16", "vector<2xf16>", "vector<2xbf16>"), lambda t: number_or(max)),
                 "fmin": (("f32", "bf16", "vector<2xf16>", "vector<2xbf16>"), lambda t: number_or(min))}

        def whole(pick):
            return lambda t: lambda a: a if not math.isfinite(a) else math.copysign(float(pick(abs(a) if pick in (away,) else a)), a)

        def away(a):
            return math.floor(a + 0.5)
        rounded = ("f16", "bf16", "f32")
        exact.update({"ceil": (rounded, whole(math.ceil)), "floor": (rounded, whole(math.floor)), "rint": (rounded, whole(round)),
                      "round": (rounded, whole(away))})
        curved = {"exp": math.exp, "log": math.log, "pow": math.pow}
        r = random.Random(1)
        p = Items(40)
        for name, (types, function) in exact.items():
            for t in types:
                e = t[9:-1] if t.startswith("vector") else t
                f = each(function(e))
                count = f.__code__.co_argcount or {"fma": 3, "fmax": 2, "fmin": 2}.get(name, 1)
                inputs = [self.calm(t, r, 40) if name == "fma" else self.numbers(t, r, 40) for _ in range(count)]
                names = [p.load(t, values) for values in inputs]
                v = p.say("{r} = pto.{0} {1} : {2} -> {3}", name, ", ".join(names), ", ".join([t] * count), t)
                p.expect(v, t, [f(*xs) for xs in zip(*inputs)], "%s %s" % (name, t))
        for name, f in curved.items():
            for t in ("f16", "f32", "vector<2xf16>"):
                e = t[9:-1] if t.startswith("vector") else t
                count = 2 if name == "pow" else 1
                inputs = [[o.rounded(e, r.uniform(0.1, 5)) for _ in range(40)] for _ in range(count)]
                want = [o.rounded(e, f(*xs)) for xs in zip(*inputs)]
                if e != t:
                    inputs, want = [[(x, x) for x in xs] for xs in inputs], [(w, w) for w in want]
                names = [p.load(t, values) for values in inputs]
                v = p.say("{r} = pto.{0} {1} : {2} -> {3}", name, ", ".join(names), ", ".join([t] * count), t)
                p.expect(v, t, want, "%s %s" % (name, t), 0 if e != t else 2.0 ** (1 - o.DIGITS[t]))
        self.judge(p)

    def test_generic_form(self):
        """Statements without words in MLIR's generic form; `pto fmt` writes the other one."""
        p = Items(40)
        r = random.Random(8)
        votes, a, b, s = [r.randint(0, 1) for _ in range(40)], *(self.numbers("i32", r, 40) for _ in range(3))
        f = self.numbers("f32", r, 40)
        v, x, y, q, g = p.load("i1", votes), p.load("i32", a), p.load("i32", b), p.load("i32", s), p.load("f32", f)
        p.expect(p.say('{r} = "pto.vote_any"({0}) : (i1) -> i1', v), "i1", [any(k) for k in p.groups(votes) for _ in k], "vote_any")
        p.expect(p.say('{r} = "pto.get_laneid"() : () -> i32'), "i32", [i % 32 for i in range(40)], "get_laneid")
        p.expect(p.say('{r} = "pto.absf"({0}) : (f32) -> f32', g), "f32", [abs(k) for k in f], "absf")
        k = p.say('{r} = "pto.shuffle_idx"({0}, {1}) {{width = 16 : i32}} : (i32, i32) -> i32', x, p.load("i32", [3] * 40))
        p.expect(k, "i32", [a[i // 16 * 16 + 3] for i in range(40)], "shuffle_idx")
        p.say('"pto.syncthreads"() : () -> ()')
        p.say('{r} = "pto.prmt"({0}, {1}, {2}) : (i32, i32, i32) -> i32', x, y, q)
        self.judge(p)
        text = self.pto("fmt", "p.pto")
        self.assertNotIn('"pto.', text)
        self.assertIn("{width = 16 : i32} : i32, i32 -> i32", text)

    def test_integers(self):
        r = random.Random(2)
        p = Items(64)
        for t in ("i32", "i64"):
            a, b = (self.numbers(t, r, 64) for _ in range(2))
            va, vb = p.load(t, a), p.load(t, b)
            for word in ("signed", "unsigned"):
                value = (lambda v: v) if word == "signed" else (lambda v: unsigned(t, v))
                v = p.say("{r} = pto.mulhi {0}, {1} {2} : {3}, {3} -> {3}", va, vb, word, t)
                p.expect(v, t, [o.wrap(t, value(x) * value(y) >> o.bits(t)) for x, y in zip(a, b)], "mulhi %s %s" % (t, word))
                if t == "i32":
                    v = p.say("{r} = pto.mul_i32toi64 {0}, {1} {2} : i32, i32 -> i64", va, vb, word)
                    p.expect(v, "i64", [o.wrap("i64", value(x) * value(y)) for x, y in zip(a, b)], "mul_i32toi64 " + word)
        a, b, s = (self.numbers("i32", r, 64) for _ in range(3))
        v = p.say("{r} = pto.prmt {0}, {1}, {2} : i32, i32, i32 -> i32", p.load("i32", a), p.load("i32", b), p.load("i32", s))

        def permute(x, y, q):
            source = unsigned("i32", y).to_bytes(4, "little") + unsigned("i32", x).to_bytes(4, "little")
            return struct.unpack("<i", bytes(source[(q >> 4 * i) & 7] for i in range(4)))[0]
        p.expect(v, "i32", [permute(*xs) for xs in zip(a, b, s)], "prmt")
        self.judge(p)

    def test_conversions(self):
        r = random.Random(3)
        p = Items(96)
        floats = ("f16", "bf16", "f32")

        def say(value, words, s, d):
            return p.say("{r} = pto.convert {0} {1} : {2} -> {3}", value, words, s, d)
        for s in floats:
            a = self.numbers(s, r, 96)
            va = p.load(s, a)
            for d in ("i32", "i64"):
                for mode in "rfcz":
                    for word in ("signed", "unsigned"):
                        low, high = o.limits(d) if word == "signed" else (0, (1 << o.bits(d)) - 1)

                        def convert(x):
                            if math.isnan(x):
                                return 0
                            return o.wrap(d, min(max(x if math.isinf(x) else o.whole(o.Fraction(x), mode.upper()), low), high)
                                          if math.isfinite(x) else (high if x > 0 else low))
                        v = say(va, "round(%s) sat %s" % (mode, word), s, d)
                        p.expect(v, d, [convert(x) for x in a], "convert %s %s %s %s" % (s, d, mode, word))
            for d in floats:
                if d == s:
                    continue
                for mode in "rfczo" if s == "f32" else "rfcz":
                    for sat in ("sat", "nosat"):
                        v = say(va, "round(%s) %s" % (mode, sat), s, d)
                        p.expect(v, d, [o.rounded(d, x, mode.upper(), sat == "sat") for x in a], "convert %s %s %s %s" % (s, d, mode, sat))
        for s in ("i32", "i64"):
            a = self.numbers(s, r, 96)
            va = p.load(s, a)
            for d in floats:
                for mode in "rfcz":
                    for word in ("signed", "unsigned"):
                        for sat in ("sat", "nosat"):
                            want = [o.rounded(d, o.Fraction(x if word == "signed" else unsigned(s, x)), mode.upper(), sat == "sat") for x in a]
                            p.expect(say(va, "round(%s) %s %s" % (mode, sat, word), s, d), d, want, "convert %s %s %s %s" % (s, d, mode, word))
        two = self.numbers("vector<2xf32>", r, 96)
        v2 = p.load("vector<2xf32>", two)
        for e in ("f16", "bf16"):
            half = say(v2, "round(r) nosat", "vector<2xf32>", "vector<2x%s>" % e)
            want = [tuple(o.rounded(e, x) for x in pair) for pair in two]
            p.expect(half, "vector<2x%s>" % e, want, "convert pairs " + e)
            p.expect(say(half, "round(r) nosat", "vector<2x%s>" % e, "vector<2xf32>"), "vector<2xf32>", want, "convert back " + e)
        for e in ("f8E4M3FN", "f8E5M2"):
            want = [tuple(small_value(e, small_code(e, x)) for x in pair) for pair in two]
            p.expect(say(v2, "round(r) sat", "vector<2xf32>", "vector<2x%s>" % e), "vector<2x%s>" % e, want, "convert pairs " + e)
        self.judge(p)


class Groups(Case):
    def test_launches(self):
        """Coordinates, votes, shuffles and reductions under launches of all shapes."""
        shapes = [(1, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (1, 1, 50), (3, 5, 7), (2048, 1, 1)]
        r = random.Random(4)
        shapes += [(r.randint(1, 12), r.randint(1, 12), r.randint(1, 12)) for _ in range(2)]
        for shape in shapes:
            with self.subTest(shape):
                self.launch(Items(*shape), r)

    def launch(self, p, r):
        n = p.count
        nx, ny, nz = p.extents
        ids = [(i % nx, i // nx % ny, i // nx // ny) for i in range(n)]
        for axis, letter in enumerate("xyz"):
            p.expect(p.say("{r} = pto.get_tid_%s : i32" % letter), "i32", [i[axis] for i in ids], "tid " + letter)
            p.expect(p.say("{r} = pto.get_block_dim_%s : i32" % letter), "i32", [p.extents[axis]] * n, "dim " + letter)
            p.expect(p.say("{r} = pto.get_grid_dim_%s : i32" % letter), "i32", [0] * n, "grid " + letter)
            p.expect(p.say("{r} = pto.get_block_idx_%s : i32" % letter), "i32", [0] * n, "block " + letter)
        p.expect(p.say("{r} = pto.get_laneid : i32"), "i32", [i % 32 for i in range(n)], "laneid")
        p.expect(p.say("{r} = pto.get_veccoreid : i32"), "i32", [0] * n, "veccoreid")
        for name, holds in (("eq", lambda a, b: a == b), ("le", lambda a, b: a <= b), ("lt", lambda a, b: a < b),
                            ("ge", lambda a, b: a >= b), ("gt", lambda a, b: a > b)):
            want = [o.wrap("i32", sum(1 << b for b in range(32) if holds(b, i % 32))) for i in range(n)]
            p.expect(p.say("{r} = pto.get_lanemask_%s : i32" % name), "i32", want, "lanemask " + name)
        for odds in (0.5,) if n > 500 else (0.5, 0.03, 0.97, 0, 1):
            votes = [r.random() < odds for _ in range(n)]
            v = p.load("i1", votes)
            for name, f, t in (("all", all, "i1"), ("any", any, "i1"), ("uni", lambda g: all(g) or not any(g), "i1"),
                               ("ballot", lambda g: o.wrap("i32", sum(1 << k for k, b in enumerate(g) if b)), "i32")):
                want = [f(g) for g in p.groups(votes) for _ in g]
                p.expect(p.say("{r} = pto.vote_{0} {1} : i1 -> {2}", name, v, t), t, want, "vote " + name)
        for t in ("i32",) if n > 500 else ("i32", "i64", "f16", "f32", "vector<2xf16>"):
            values = self.numbers(t, r, n)
            places = [r.randint(-3, 40) for _ in range(n)]
            v, k = p.load(t, values), p.load("i32", places)
            for name, f in (("idx", lambda own, x: x), ("up", lambda own, x: own - x), ("down", lambda own, x: own + x),
                            ("bfly", lambda own, x: own ^ x)):
                for width in (None, 16, 32):
                    w = width or 32
                    want = []
                    for i in range(n):
                        base = i // w * w
                        at = f(i - base, places[i])
                        want.append(values[base + at] if 0 <= at < w and base + at < n else values[i])
                    s = p.say("{r} = pto.shuffle_{0} {1}, {2} {3} : {4}, i32 -> {4}", name, v, k,
                              "" if width is None else "{width = %d : i32}" % width, t)
                    p.expect(s, t, want, "shuffle %s %s %s" % (name, t, width))
        for t in ("i32",) if n > 500 else ("i32", "f16", "f32"):
            values = self.numbers(t, r, n)
            v = p.load(t, values)
            for word in ("signed", "unsigned") if t == "i32" else ("",):
                value = (lambda x: x & 0xFFFFFFFF) if word == "unsigned" else (lambda x: x)

                def extreme(pick):
                    def f(g):
                        if t == "i32":
                            return o.wrap(t, pick(map(value, g)))
                        best = g[0]
                        for x in g[1:]:
                            best = number_or(pick)(best, x)
                        return best
                    return f

                def total(g):
                    s = g[0]
                    for x in g[1:]:
                        s = o.add(t, s, x)
                    return s
                for name, f in (("add", total), ("max", extreme(max)), ("min", extreme(min))):
                    want = [f(g) for g in p.groups(values) for _ in g]
                    p.expect(p.say("{r} = pto.redux_{0} {1} {2} : {3} -> {3}", name, v, word, t), t, want, "redux %s %s" % (name, t))
        self.judge(p)

    def test_flow(self):
        """Branches and loops on numbers of work items; a whole group may meet in a branch, and all of them in a loop."""
        n = 70
        p = Items(n)
        rounds = [(7 * i) % 5 for i in range(n)]
        k = p.load("i32", rounds)
        p.lines.append("""%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%group = arith.constant 32 : i32
%limit = arith.index_cast KK : i32 to index
%sum:2 = scf.for %i = %c0 to %limit step %c1 iter_args(%a = %zero, %b = %one) -> (i32, i32) {
  %j = arith.index_cast %i : index to i32
  %odd = arith.andi %j, %one : i32
  %is = arith.cmpi eq, %odd, %one : i32
  %more = scf.if %is -> (i32) {
    %t = arith.addi %b, %lin : i32
    scf.yield %t : i32
  } else {
    %t = arith.subi %b, %lin : i32
    scf.yield %t : i32
  }
  scf.yield %more, %a : i32, i32
}
%halved = scf.while (%w = %lin) : (i32) -> i32 {
  %on = arith.cmpi sgt, %w, %group : i32
  scf.condition(%on) %w : i32
} do {
^bb0(%w: i32):
  %half = arith.shrsi %w, %one : i32
  scf.yield %half : i32
}
%first = arith.cmpi slt, %lin, %group : i32
%voted = scf.if %first -> (i32) {
  %v = pto.vote_ballot %first : i1 -> i32
  scf.yield %v : i32
} else {
  scf.yield %zero : i32
}
%added = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %lin) -> (i32) {
  pto.syncthreads
  %r = pto.redux_add %a signed : i32 -> i32
  scf.yield %r : i32
}""".replace("KK", k))

        def loop(i):
            a, b = 0, 1
            for j in range(rounds[i]):
                a, b = (b + i if j % 2 else b - i), a
            return a, b
        p.expect("%sum#0", "i32", [loop(i)[0] for i in range(n)], "for")
        p.expect("%sum#1", "i32", [loop(i)[1] for i in range(n)], "for")

        def halve(i):
            while i > 32:
                i >>= 1
            return i
        p.expect("%halved", "i32", [halve(i) for i in range(n)], "while")
        p.expect("%voted", "i32", [-1 if i < 32 else 0 for i in range(n)], "vote in a branch")
        sums = [sum(g) * len(g) for g in p.groups(list(range(n))) for _ in g]
        p.expect("%added", "i32", sums, "sums in a loop")
        self.judge(p)

    def test_lock_step(self):
        """Work items load before any of them stores, as in a group of the device; pto.syncthreads orders all of them."""
        n = 100
        p = Items(n)
        p.say("pto.store %lin, {0}[%id] : !pto.ptr<i32, gm>, i32", p.pointer("%y", 0, "i32"))
        p.out = 4 * n
        p.say("pto.syncthreads")
        p.lines += ["%%last = arith.constant %d : index" % (n - 1), "%mirror = arith.subi %last, %id : index"]
        q = p.pointer("%y", 0, "i32")
        other = p.say("{r} = pto.load {0}[%mirror] : !pto.ptr<i32, gm> -> i32", q)
        p.say("pto.threadfence")
        p.say("pto.threadfence_block")
        p.say("pto.store {0}, {1}[%id] : !pto.ptr<i32, gm>, i32", other, q)
        t = [p.say("{r} = pto.get_clock64 : i64"), p.say("{r} = pto.get_clock64 : i64")]
        p.expect(p.say("{r} = arith.cmpi slt, {0}, {1} : i64", *t), "i1", [1] * n, "clock64")
        t = [p.say("{r} = pto.get_clock32 : i32"), p.say("{r} = pto.get_clock32 : i32")]
        p.expect(p.say("{r} = arith.cmpi slt, {0}, {1} : i32", *t), "i1", [1] * n, "clock32")
        y = self.judge(p)
        self.assertEqual(list(struct.unpack("<100i", y[:400])), list(range(n - 1, -1, -1)))


class Memory(Case):
    TYPES = INTS + ("f16", "bf16", "f32", "f64", "ui8", "ui16", "ui32", "ui64", "vector<2xf16>", "vector<2xbf16>", "vector<2xf32>",
                    "vector<2xf8E4M3FN>", "vector<2xf8E5M2>")

    def test_loads(self):
        """pto.ldg and pto.stg, pto.load_scalar and pto.store_scalar, of each type."""
        r = random.Random(5)
        p = Items(45)
        for t in self.TYPES:
            values = [abs(v) for v in self.numbers(t[1:], r, 45)] if t[0] == "u" else self.numbers(t, r, 45)
            if t in ("ui8", "ui16", "ui32", "ui64"):
                values = [v & (1 << o.bits(t)) - 1 for v in values]
            p.load(t, values)
            source = p.names - 1
            for cache in ("", " l1cache(uncache)", " l1cache(cache) l2cache(nmfv)"):
                v = p.say("{r} = pto.ldg %v{0}[%id]{1} : !pto.ptr<{2}, gm> -> {2}", source, cache, t)
                p.out += -p.out % 16
                p.checks.append((p.out, t, values, "ldg stg " + t, 0))
                p.say("pto.stg {0}, {1}[%id]{2} : !pto.ptr<{3}, gm>, {3}", v, p.pointer("%y", p.out, t), cache, t)
                p.out += 45 * wide(t)
        self.judge(p)
        self.write("t.pto", self.pto("fmt", "p.pto"))
        with open(self.path("t.pto")) as file:
            self.assertEqual(self.pto("fmt", "t.pto"), file.read())

    def atomics(self, t):
        """Name, words and what it makes of the element and its operands."""
        e = t[9:-1] if t.startswith("vector") else t
        add = each(lambda a, b: o.add(e, a, b))
        sub = each(lambda a, b: o.add(e, a, -b))
        ops = [("exch", "", lambda a, b: b), ("add", "", add), ("sub", "", sub)]
        if o.is_float(e):
            return ops + [("max", "", each(number_or(max))), ("min", "", each(number_or(min)))]
        for word, value in (("signed", lambda v: v), ("unsigned", lambda v: unsigned(t, v))):
            ops += [("max", word, lambda a, b, value=value: max(a, b, key=value)), ("min", word, lambda a, b, value=value: min(a, b, key=value))]
        return ops + [("and", "unsigned", lambda a, b: a & b), ("or", "signed", lambda a, b: a | b), ("xor", "", lambda a, b: a ^ b),
                      ("add", "signed", add)]

    def test_atomics(self):
        """Each atomic operation on one element by all work items in their order, with the old elements, in both memories."""
        n = 37
        for place in ("gm", "ub"):
            r = random.Random(place)
            p = Items(n)
            p.out = 16
            ub = 0
            for t in ("i32", "i64", "f16", "bf16", "f32", "vector<2xf16>", "vector<2xbf16>"):
                if t == "i64" and place == "ub":
                    continue
                for number, (name, word, f) in enumerate(self.atomics(t)):
                    start = self.calm(t, r, 1)[0]
                    values = self.calm(t, r, n)
                    hint = ("", " l2cache(nmfv)", " l2cache(naci)")[number % 3]
                    if place == "gm":
                        p.out += -p.out % 16
                        at = p.pointer("%y", p.out, t)
                        p.out += 16
                    else:
                        at = p.say("{r} = pto.castptr {0} : i64 -> !pto.ptr<{1}, ub>", p.constant("i64", ub), t)
                        ub += 16
                    first = p.load(t, [start] * n)
                    p.say("pto.store {0}, {1}[%zero] : !pto.ptr<{2}, {3}>, {2}", first, at, t, place)
                    p.say("pto.syncthreads")
                    old = p.say("{r} = pto.atomic_{0} {1}, {2}{3} {4} : !pto.ptr<{5}, {6}>, {5} -> {5}", name, at, p.load(t, values),
                                hint, word, t, place)
                    want, now = [], start
                    for v in values:
                        want.append(now)
                        now = f(now, v)
                    p.expect(old, t, want, "atomic_%s %s %s" % (name, t, word))
                    p.say("pto.syncthreads")
                    p.expect(p.say("{r} = pto.load {0}[%zero] : !pto.ptr<{1}, {2}> -> {1}", at, t, place), t, [now] * n,
                             "after atomic_%s %s" % (name, t))
                if t in ("f16", "bf16"):
                    continue
                start, other = self.calm(t, r, 2)
                compare = [start if r.random() < 0.2 else other for _ in range(n)]
                values = self.calm(t, r, n)
                if place == "gm":
                    p.out += -p.out % 16
                    at = p.pointer("%y", p.out, t)
                    p.out += 16
                else:
                    at = p.say("{r} = pto.castptr {0} : i64 -> !pto.ptr<{1}, ub>", p.constant("i64", ub), t)
                    ub += 16
                p.say("pto.store {0}, {1}[%zero] : !pto.ptr<{2}, {3}>, {2}", p.load(t, [start] * n), at, t, place)
                old = p.say("{r} = pto.atomic_cas {0}, {1}, {2} {3} : !pto.ptr<{4}, {5}>, {4}, {4} -> {4}", at, p.load(t, compare),
                            p.load(t, values), "signed" if t[0] == "i" else "l2cache(nmfv)", t, place)
                want, now = [], start
                for c, v in zip(compare, values):
                    want.append(now)
                    now = v if same(now, c) else now
                p.expect(old, t, want, "atomic_cas " + t)
            p.lines.insert(0, "%zero = arith.constant 0 : index")
            self.judge(p)

    def test_scalar_kernel(self):
        """Atomic operations, pto.ldg and pto.stg outside of work items, and the other way to launch them."""
        self.write("k.pto", HEAD + """func.func @item(%p: !pto.ptr<i32, ub>) attributes {pto.simt_entry, pto.simt_max_threads = 60 : i32} {
  %one = arith.constant 1 : i32
  %old = pto.atomic_add %p, %one signed : !pto.ptr<i32, ub>, i32 -> i32
  return
}
func.func @main(%y: !pto.ptr<i32, gm>) attributes {pto.aicore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %n3 = arith.constant 3 : i32
  %n4 = arith.constant 4 : i32
  %n5 = arith.constant 5 : i32
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.store_vfsimt_info %n3, %n4, %n5 : i32, i32, i32
  func.call @item(%p) : (!pto.ptr<i32, ub>) -> ()
  func.call @item(%p) : (!pto.ptr<i32, ub>) -> ()
  %sum = pto.load %p[%c0] : !pto.ptr<i32, ub> -> i32
  %old = pto.atomic_add %y, %sum l2cache(wtsred) signed : !pto.ptr<i32, gm>, i32 -> i32
  %now = pto.ldg %y[%c0] l1cache(uncache) l2cache(nmpref) : !pto.ptr<i32, gm> -> i32
  pto.stg %now, %y[%c1] : !pto.ptr<i32, gm>, i32
  return
}
}
""")
        npy.save(self.path("y.npy"), "i32", (2,), [1000, 7])
        self.pto("run", "k.pto", "--in", "y=y.npy", "--out", "y=out.npy")
        self.assertEqual(npy.load(self.path("out.npy"))[2], [1120, 1120])
        # Blocks add one after another, whatever the threads.
        self.pto("run", "k.pto", "--blocks", "8", "--threads", "4", "--in", "y=y.npy", "--out", "y=out.npy")
        self.assertEqual(npy.load(self.path("out.npy"))[2], [1960, 1960])

    def test_f64_array(self):
        """Libpto has no arrays of f64; one of 64-bit integers has their bits."""
        self.write("d.pto", HEAD + """func.func @f(%x: !pto.ptr<f64, gm>, %y: !pto.ptr<f64, gm>) attributes {pto.simt_entry} {
  %tid = pto.get_tid_x : i32
  %id = arith.index_cast %tid : i32 to index
  %c1 = arith.constant 1 : index
  %v = pto.ldg %x[%id] : !pto.ptr<f64, gm> -> f64
  %w = arith.addf %v, %v : f64
  %q = pto.addptr %y, %c1 : !pto.ptr<f64, gm> -> !pto.ptr<f64, gm>
  pto.stg %w, %q[%id] : !pto.ptr<f64, gm>, f64
  return
}
func.func @main(%x: !pto.ptr<f64, gm>, %y: !pto.ptr<f64, gm>) attributes {pto.aicore} {
  %n = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  pto.simt_launch @f<<<%n, %one, %one>>>(%x, %y) : (!pto.ptr<f64, gm>, !pto.ptr<f64, gm>) -> ()
  return
}
}
""")
        bits = lambda *values: list(struct.unpack("<%dq" % len(values), struct.pack("<%dd" % len(values), *values)))
        npy.save(self.path("x.npy"), "i64", (3,), bits(0.1, -1e300, 5e-324))
        npy.save(self.path("y.npy"), "i64", (4,), [7] * 4)
        self.pto("run", "d.pto", "--in", "x=x.npy", "--in", "y=y.npy", "--out", "y=out.npy")
        self.assertEqual(npy.load(self.path("out.npy"))[2], [7] + bits(0.2, -2e300, 1e-323))

    def test_slots(self):
        """pto.keep and pto.resume, of each type, from launch to launch."""
        types = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32")
        r = random.Random(6)
        n = 50
        p = Items(n)
        slot = 0
        keeps, resumes = [], []
        for t in types:
            values = self.numbers(t, r, n)
            v = p.load(t, values)
            keeps.append("pto.keep %s {slot = %d : i64} : %s" % (v, slot, t))
            resumes.append((slot, t, values))
            slot += 2 if t == "i64" else 1
        p.lines += keeps
        q = Items(n)
        for slot, t, values in resumes:
            q.expect(q.say("{r} = pto.resume {{slot = {0} : i64}} : {1}", slot, t), t, values, "slot of " + t)
        # Resumes come first.
        q.lines.sort(key=lambda line: "pto.resume" not in line)
        text = p.text().replace("func.func @main", q.text().split("func.func @main")[0].replace(HEAD, "").replace("@f(", "@g(") + "func.func @main")
        text = text.replace("-> ()\nreturn", "-> ()\npto.simt_launch @g<<<%n0, %n1, %n2>>>(%x, %y) : (!pto.ptr<ui8, gm>, !pto.ptr<ui8, gm>) -> ()\nreturn")
        p.text, p.out, p.checks = lambda: text, q.out, q.checks
        self.judge(p)


class Examples(CommandTest):
    def test_histogram(self):
        r = random.Random(7)
        x = [r.choice((3, 17, 40, r.randint(0, 63))) for _ in range(5000)]
        npy.save(self.path("x.npy"), "i32", (5000,), x)
        args = ("--in", "x=x.npy", "--int", "n=5000", "--shape", "counts=64:i32", "--shape", "most=1:i32", "--out", "counts=c.npy",
                "--out", "most=m.npy")
        self.pto("run", os.path.join(ROOT, "examples", "simt_histogram.pto"), "--profile", "a5", *args)
        counts = [x.count(v) for v in range(64)]
        self.assertEqual(npy.load(self.path("c.npy"))[2], counts)
        self.assertEqual(npy.load(self.path("m.npy"))[2], [counts.index(max(counts))])
        self.pto("run", os.path.join(ROOT, "examples", "simt_histogram.pto"), "--sync", *args)
        self.assertNotIn("[sync", self.stderr)


class Names(unittest.TestCase):
    def test_every_name(self):
        """Each row of rows_simt.h is in a program of these files."""
        with open(os.path.join(ROOT, "src", "ptoas", "vector", "rows_simt.h")) as file:
            text = file.read()
        names = set(re.findall(r'(?:Math|Atomic|Query|Slot|Meet|Shuffle|Simt)\("(\w+)"', text))
        self.assertGreater(len(names), 60)
        here = ""
        for test in (__file__, __file__.replace("test_simt", "test_simt_refused")):
            with open(test) as file:
                here += file.read()
        spelled = {"get_%s_%s" % (n, a) for n in ("tid", "block_dim", "grid_dim", "block_idx") for a in "xyz"}
        spelled |= {"get_lanemask_" + n for n in ("eq", "le", "lt", "ge", "gt")} | {"vote_" + n for n in ("all", "any", "uni", "ballot")}
        spelled |= {"shuffle_" + n for n in ("idx", "up", "down", "bfly")} | {"redux_" + n for n in ("add", "max", "min")}
        spelled |= {"atomic_" + n for n in ("add", "sub", "exch", "max", "min", "and", "or", "xor")}
        self.assertEqual({n for n in names if n not in spelled and not re.search(r"pto\.%s\b|\"%s\"" % (n, n), here)}, set())


if __name__ == "__main__":
    unittest.main()

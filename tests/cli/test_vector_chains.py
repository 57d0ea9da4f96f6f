"""The vector level: random programs of registers and masks against the oracle, and every input of 8 and 16 bits.

Statements take what earlier ones made, in a loop that carries registers, masks and numbers, with branches in it. So registers
are made anew, moved, shared and given back, which programs of one statement each do not test.
"""
import math
import os
import random
import re
import unittest

import vector_oracle as o
from harness import ROOT, THOROUGH
from vector_program import ALL, FINE, INTS, TYPES, Case, Program, mask_type, vreg

SEEDS = range(300) if THOROUGH else range(2)
ROUNDS = 3
LOGIC = {"pand": lambda x, y: x & y, "por": lambda x, y: x | y, "pxor": lambda x, y: x ^ y}
WIDER = {"i8": "i16", "ui8": "ui16", "i16": "i32", "ui16": "ui32"}


class Chain:
    """A body as text, and as steps over a dictionary of names: registers are bytes, masks lists of 256 bits."""

    def __init__(self, p, r, types):
        self.p, self.r, self.types = p, r, types
        self.vregs, self.masks, self.steps, self.lines = [], [], [], []  # (name, type) each

    def name(self):
        return self.p.name()

    def vreg(self, t):
        return self.r.choice([name for name, of in self.vregs if of == t])

    def mask(self, t):
        return self.r.choice([name for name, of in self.masks if of == mask_type(t)])

    def make(self, t, form, f, *args):
        """A statement that makes a register; f takes the values of `args`."""
        name = self.name()
        self.lines.append("%s = pto.%s" % (name, form))
        self.steps.append(lambda env: env.update({name: f(*(env[x] for x in args))}))
        self.vregs.append((name, t))
        return name

    def make_mask(self, t, form, f, *args):
        name = self.name()
        self.lines.append("%s = pto.%s" % (name, form))
        self.steps.append(lambda env: env.update({name: f(*(env[x] for x in args))}))
        self.masks.append((name, mask_type(t)))

    def pair(self, form, f, t, *args, masks=False):
        low, high = self.name(), self.name()
        self.lines.append("%s, %s = pto.%s" % (low, high, form))
        self.steps.append(lambda env: env.update(zip((low, high), f(*(env[x] for x in args)))))
        (self.masks if masks else self.vregs).extend((x, mask_type(t) if masks else t) for x in (low, high))

    def statement(self):
        r = self.r
        t = r.choice(self.types)
        v, k, w = vreg(t), mask_type(t), o.size(t)
        a, b, c, m = self.vreg(t), self.vreg(t), self.vreg(t), self.mask(t)
        kind = r.choice(("unary", "unary", "binary", "binary", "binary", "scalar", "fused", "select", "select", "compare", "compare", "logic",
                         "logic", "lanes", "move", "sum", "bits", "memory", "branch", "widen"))
        if kind == "unary":
            name = r.choice([n for n in o.UNARY if t in TYPES[n]])
            self.make(t, "%s %s, %s : %s, %s -> %s" % (name, a, m, v, k, v), lambda x, on: o.lanewise(o.UNARY[name], t, on, x), a, m)
        elif kind == "binary":
            name = r.choice([n for n in o.BINARY if t in TYPES[n]])
            self.make(t, "%s %s, %s, %s : %s, %s, %s -> %s" % (name, a, b, m, v, v, k, v),
                      lambda x, y, on: o.lanewise(o.BINARY[name], t, on, x, y), a, b, m)
        elif kind == "scalar" and t not in ("i64", "ui64"):
            name = r.choice([n for n, like in o.SCALAR.items() if t in TYPES[like] and like not in ("vshl", "vshr", "vand", "vor", "vxor")])
            number = o.rounded(t, r.uniform(-3, 3)) if o.is_float(t) else r.randint(*o.limits(t))
            every = o.register(t, [number] * (256 // w))
            self.make(t, "%s %s, %s, %s : %s, %s, %s -> %s" % (name, a, self.p.scalar(t, number), m, v, t, k, v),
                      lambda x, on: o.lanewise(o.BINARY[o.SCALAR[name]], t, on, x, every), a, m)
        elif kind == "fused" and t in INTS[2:] + o.FLOATS:
            self.make(t, "vmula %s, %s, %s, %s : %s, %s, %s, %s -> %s" % (c, a, b, m, v, v, v, k, v),
                      lambda z, x, y, on: o.lanewise(o.fused, t, on, x, y, z, inactive=z), c, a, b, m)
        elif kind == "select":
            self.make(t, "vsel %s, %s, %s : %s, %s, %s -> %s" % (a, b, m, v, v, k, v),
                      lambda x, y, on: o.lanewise(lambda _, q, __: q, t, on, x, y, inactive=y), a, b, m)
        elif kind == "compare" and t not in ("i64", "ui64"):
            mode = r.choice(list(o.COMPARE))
            self.make_mask(t, 'vcmp %s, %s, %s, "%s" : %s, %s, %s -> %s' % (a, b, m, mode, v, v, k, k),
                           lambda x, y, on: o.mask_of(w, [o.COMPARE[mode](i, j) and q for i, j, q in
                                                          zip(o.lanes(x, t), o.lanes(y, t), o.active(on, t))]), a, b, m)
        elif kind == "logic":
            n, q = self.mask(t), self.mask(t)
            which = r.choice(("pnot", "psel", "pair", *LOGIC))
            if which == "pnot":
                self.make_mask(t, "pnot %s, %s : %s, %s -> %s" % (n, m, k, k, k), lambda x, on: [(1 - i) & j for i, j in zip(x, on)], n, m)
            elif which == "psel":
                self.make_mask(t, "psel %s, %s, %s : %s, %s, %s -> %s" % (n, q, m, k, k, k, k),
                               lambda x, y, on: [i if s else j for i, j, s in zip(x, y, on)], n, q, m)
            elif which == "pair":
                f = r.choice((("pintlv", o.interleave), ("pdintlv", o.deinterleave)))
                step = min(4, w)
                self.pair("%s_b%d %s, %s : %s, %s -> %s, %s" % (f[0], 8 * step, n, q, k, k, k, k), lambda x, y: f[1](x, y, step), t, n, q,
                          masks=True)
            else:
                self.make_mask(t, "%s %s, %s, %s : %s, %s, %s -> %s" % (which, n, q, m, k, k, k, k),
                               lambda x, y, on: [LOGIC[which](i, j) & s for i, j, s in zip(x, y, on)], n, q, m)
        elif kind == "lanes" and w < 8:
            f = r.choice((("vintlv", o.interleave), ("vdintlv", o.deinterleave)))
            self.pair("%s %s, %s : %s, %s -> %s, %s" % (f[0], a, b, v, v, v, v), lambda x, y: f[1](x, y, w), t, a, b)
        elif kind == "move" and w < 8:
            lanes = lambda x: o.cut(x, w)
            if r.random() < 0.5:
                self.make(t, "vsqz %s, %s : %s, %s -> %s" % (a, m, v, k, v),
                          lambda x, on: b"".join(q for q, s in zip(lanes(x), o.active(on, t)) if s).ljust(256, b"\0"), a, m)
            else:
                at = r.choice((("LOWEST", 0), ("HIGHEST", 256 // w - 1)))
                self.make(t, 'vdup %s, %s {position = "%s"} : %s, %s -> %s' % (a, m, at[0], v, k, v),
                          lambda x, on: b"".join(lanes(x)[at[1]] if s else bytes(w) for s in o.active(on, t)), a, m)
        elif kind == "sum" and w in (2, 4) and t != "bf16":
            largest = r.random() < 0.5
            which = "max" if largest else "min"
            if r.random() < 0.5:
                self.make(t, "vc%s %s, %s : %s, %s -> %s" % (which, a, m, v, k, v), lambda x, on: o.vcmax(x, on, t, largest), a, m)
            else:
                self.make(t, "vcg%s %s, %s : %s, %s -> %s" % (which, a, m, v, k, v),
                          lambda x, on: o.groups(x, on, t, lambda xs: xs[o.extreme(xs, t, largest)], o.neutral(t, largest)), a, m)
        elif kind == "bits" and not o.is_float(t):  # a NaN of the oracle has other bits
            u = r.choice(self.types)
            self.make(u, "vbitcast %s : %s -> %s" % (a, v, vreg(u)), lambda x: x, a)
        elif kind == "widen" and t in WIDER and WIDER[t] in self.types:
            u, part = WIDER[t], r.choice((0, 1))
            attr = ' {part = "%s"}' % ("EVEN", "ODD")[part]
            self.make(u, "vcvt %s, %s%s : %s, %s -> %s" % (a, m, attr, v, k, vreg(u)), lambda x, on: o.vcvt(x, on, t, u, "R", 0, part), a, m)
        elif kind == "memory":
            # A store of the active lanes over another register, and a load that is not at its start.
            at = self.p.place(bytes(512))
            shift = r.randrange(0, 256 // w)
            p, i = self.p.pointer(t, at), self.p.say("{r} = arith.constant {0} : index", shift)
            full = self.p.say('{r} = pto.pset_b{0} "PAT_ALL" : {1}', min(32, 8 * w), k)
            dist = "" if w < 8 else ' {dist = "NORM_B32"}'
            whole = lambda name: self.lines.append("pto.vsts %s, %s[%%c0], %s%s : %s, !pto.ptr<%s, ub>, %s" % (name, p, full, dist, v, t, k))
            whole(a)
            if w < 8:
                self.lines.append("pto.vsts %s, %s[%s], %s : %s, !pto.ptr<%s, ub>, %s" % (b, p, i, m, v, t, k))
            ub = ("ub", at)

            def store(env):
                held = bytearray(env.get(ub, bytes(512)))
                held[:256] = env[a]
                if w < 8:
                    for lane, on in enumerate(o.active(env[m], t)):
                        if on:
                            place = w * (shift + lane)
                            held[place:place + w] = env[b][w * lane:w * lane + w]
                env[ub] = bytes(held)
            self.steps.append(store)
            far = self.p.say("{r} = arith.constant {0} : index", r.randrange(0, 256 // w))
            offset = int(self.p.lines[-1].split()[3]) * w
            name = self.name()
            self.lines.append("%s = pto.vlds %s[%s] : !pto.ptr<%s, ub> -> %s" % (name, p, far, t, v))
            self.steps.append(lambda env: env.update({name: env[ub][offset:offset + 256]}))
            self.vregs.append((name, t))
        elif kind == "branch":
            name, limit = self.name(), r.randrange(ROUNDS + 1)
            on = self.name()
            self.lines.append("%s = arith.cmpi slt, %%round, %s : index" % (on, self.p.say("{r} = arith.constant {0} : index", limit)))
            inner = self.name()
            self.lines.append("%s = scf.if %s -> (%s) {\n%s = pto.vsel %s, %s, %s : %s, %s, %s -> %s\nscf.yield %s : %s\n} else {\nscf.yield %s : %s\n}"
                              % (name, on, v, inner, a, b, m, v, v, k, v, inner, v, c, v))
            self.steps.append(lambda env: env.update({name: o.lanewise(lambda _, q, __: q, t, env[m], env[a], env[b], inactive=env[b])
                                                      if env["round"] < limit else env[c]}))
            self.vregs.append((name, t))


class Chains(Case):
    def test_programs(self):
        for seed in SEEDS:
            with self.subTest(seed):
                self.judge(self.program(random.Random(seed)))

    def program(self, r):
        p = Program()
        types = r.sample(ALL, 3)
        chain = Chain(p, r, types)
        env, carried = {}, []
        for t in types:
            for _ in range(3):
                data = self.numbers(t, r)
                name = p.load(data, t)
                env[name] = data
                chain.vregs.append((name, t))
            for on in self.masks(t, r):
                name = p.mask(on, t)
                env[name] = on
                chain.masks.append((name, mask_type(t)))
        for pool in (chain.vregs, chain.masks):
            for name, t in r.sample(pool, 3):
                held = p.name()
                carried.append([held, name, t if pool is chain.masks else vreg(t), t])
                pool.append((held, t))
        for _ in range(25):
            chain.statement()
        for one in carried:
            pool = chain.masks if one[2] == one[3] else chain.vregs
            one.append(r.choice([name for name, t in pool if t == one[3]]))
        results = [p.name() for _ in carried]
        kinds = ", ".join(one[2] for one in carried)
        head = ["%one_round = arith.constant 1 : index", "%%rounds = arith.constant %d : index" % ROUNDS,
                "%s = scf.for %%round = %%c0 to %%rounds step %%one_round iter_args(%s) -> (%s) {"
                % (", ".join(results), ", ".join("%s = %s" % (one[0], one[1]) for one in carried), kinds)]
        p.lines += head + chain.lines + ["scf.yield %s : %s" % (", ".join(one[4] for one in carried), kinds), "}"]
        for one in carried:
            env[one[0]] = env[one[1]]
        for i in range(ROUNDS):
            env["round"] = i
            for step in chain.steps:
                step(env)
            env.update(zip([one[0] for one in carried], [env[one[4]] for one in carried]))
        for result, one in zip(results, carried):
            if one[2] == one[3]:
                width = int(one[2].split("b")[-1][:-1])
                p.expect_mask(result, "i%d" % width, env[one[0]], one[0])
            else:
                p.expect(result, one[3], env[one[0]], one[0])
        return p


FUNCTIONS = {"vexp": lambda x: math.exp(x) if not x > 700 else math.inf,
             "vln": lambda x: -math.inf if x == 0 else math.nan if not x > 0 else math.inf if x == math.inf else math.log(x),
             "vrsqrt": lambda x: math.copysign(math.inf, x) if x == 0 else math.nan if not x > 0 else 1 / math.sqrt(x)}


class Inputs(Case):
    """Every input of 8 and 16 bits; of 16 bits a sample unless the run is thorough. Kernels of conversions are held against all
    inputs of 32 bits in tests/kernels/test_convert.cc."""

    def registers(self, t):
        data = b"".join(i.to_bytes(o.size(t), "little") for i in range(1 << o.bits(t)))
        return o.cut(data, 256)[:: 1 if THOROUGH else 128]

    def check(self, t, statements):
        """`statements`: a form with the names of a register and a mask, the type of the result, what it is, a tolerance."""
        registers = self.registers(t)
        p = Program()
        w = o.size(t)
        source = p.pointer(t, p.place(b"".join(registers)))
        on = o.mask_of(w, [i % 7 != 2 for i in range(256 // w)])
        m = p.mask(on, t)
        lanes, end = (p.say("{r} = arith.constant {0} : index", n) for n in (256 // w, 256 // w * len(registers)))
        body = ["%%from = pto.vlds %s[%%i] : !pto.ptr<%s, ub> -> %s" % (source, t, vreg(t))]
        for form, u, f, what, close in statements:
            at = p.room(256 * len(registers))
            to, full, x, i = p.pointer("ui8", Case.OUT + at), p.name(), p.name(), p.name()
            p.lines.append('%s = pto.pset_b%d "PAT_ALL" : %s' % (full, min(32, o.bits(u)), mask_type(u)))
            body += ["%s = pto.%s" % (x, form % {"in": "%from", "m": m, "v": vreg(t), "k": mask_type(t), "u": vreg(u)}),
                     "%s = arith.muli %%i, %%width : index" % i,
                     "pto.vsts %s, %s[%s], %s {dist = \"NORM_B%d\"} : %s, !pto.ptr<ui8, ub>, %s" % (x, to, i, full, min(32, o.bits(u)), vreg(u), mask_type(u))]
            for k, register in enumerate(registers):
                p.at_end(at + 256 * k, f(register, on), u, what, close)
        p.lines += ["%%width = arith.constant %d : index" % w, "scf.for %%i = %%c0 to %s step %s {" % (end, lanes), *body, "}"]
        self.judge(p)

    def test_unary(self):
        for t in ("i8", "ui8", "i16", "ui16", "f16", "bf16"):
            with self.subTest(t):
                # A float of Python does not keep the bits of a NaN.
                bits = "ui%d" % o.bits(t)
                statements = [(name + " %(in)s, %(m)s : %(v)s, %(k)s -> %(v)s", t,
                               lambda x, on, f=f, as_t=bits if name == "vnot" else t: o.lanewise(f, as_t, on, x), name + " " + t, 0)
                              for name, f in o.UNARY.items() if t in TYPES[name]]
                if o.is_float(t):
                    statements += [('vtrc %%(in)s, %%(m)s, "%s" : %%(v)s, %%(k)s -> %%(v)s' % mode, t,
                                    lambda x, on, mode=mode: o.lanewise(o.vtrc(t, mode), t, on, x), "vtrc %s %s" % (mode, t), 0) for mode in "RAFCZ"]
                if t in FINE:
                    statements += [(name + " %(in)s, %(m)s : %(v)s, %(k)s -> %(v)s", t,
                                    lambda x, on, f=f: o.lanewise(lambda t, q: o.rounded(t, f(q)), t, on, x), name + " " + t, 1)
                                   for name, f in FUNCTIONS.items()]
                self.check(t, statements)

    def test_conversions(self):
        with open(os.path.join(ROOT, "src", "ptoas", "vector", "conversions.h")) as file:
            pairs = re.findall(r"\{DType::k(\w+), DType::k(\w+), (true|false), (true|false)\}", file.read())
        for t in ("i8", "ui8", "i16", "ui16", "f16", "bf16"):
            statements = []
            for source, target, rnd, sat in pairs:
                if source.lower().replace("u", "ui") != t:
                    continue
                u = target.lower().replace("u", "ui")
                ratio = max(o.size(t), o.size(u)) // min(o.size(t), o.size(u))
                words = {1: [""], 2: ["EVEN", "ODD"], 4: ["P0", "P1", "P2", "P3"]}[ratio]
                for mode in "RAFCZO" if rnd == "true" else "R":
                    for saturate in (1, 0) if sat == "true" else (0,):
                        for part, word in enumerate(words):
                            attrs = ['rnd = "%s"' % mode] * (rnd == "true") + ['sat = "%s"' % ("SAT" if saturate else "NOSAT")] * (sat == "true")
                            attrs += ['part = "%s"' % word] * (ratio > 1)
                            statements.append(("vcvt %(in)s, %(m)s" + (" {%s}" % ", ".join(attrs) if attrs else "") + " : %(v)s, %(k)s -> %(u)s", u,
                                               lambda x, on, u=u, mode=mode, saturate=saturate, part=part: o.vcvt(x, on, t, u, mode, saturate, part),
                                               " ".join([t, u, *attrs]), 0))
            with self.subTest(t):
                for first in range(0, len(statements), 12):
                    self.check(t, statements[first:first + 12])


if __name__ == "__main__":
    unittest.main()

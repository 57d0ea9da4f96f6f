"""Loops over registers run several rounds at a time (src/ptoas/vector/strip.h): the same bytes as round by round.

Random loops are held against an interpreter of Python numbers that shares no code with the library, and against the machine
without strips: a run that is recorded has none.
"""
import random
import re
import struct
import subprocess
import unittest

import npy
from harness import PTO, THOROUGH, CommandTest

SIZE = 1 << 17  # bytes of UB that the programs work on
CODES = {"i32": "i", "i16": "h", "f32": "f", "f16": "e"}
# Each of the few seeds notices a condition of strips that is left out.
SEEDS = range(400) if THOROUGH else (1, 4, 10, 55, 301)


def vreg(t):
    return "!pto.vreg<%dx%s>" % (256 // struct.calcsize(CODES[t]), t)


class Loop:
    """A random loop as text, and as steps for the interpreter: closures over a dictionary of names."""

    def __init__(self, r, t, number, ints):
        self.r, self.t, self.n, self.ints = r, t, number, ints
        self.w = struct.calcsize(CODES[t])
        self.lanes = 256 // self.w
        self.mask = "!pto.mask<b%d>" % (8 * self.w)
        self.head, self.body, self.steps, self.names = [], [], [], 0
        self.carried = []  # name, type, first name, name of the next value
        self.make()

    def name(self):
        self.names += 1
        return "%%l%d_%d" % (self.n, self.names)

    def constant(self, value, t):
        name = self.name()
        self.head.append("%s = arith.constant %s : %s" % (name, value, t))
        return name

    def pointer(self):
        far = self.r.choice((0, 0, self.w, -self.w, 32, -32, 256, -256, 512, 1024, -768, 256 * 15, 256 * 16, 256 * 17, 9000, -9000))
        at = SIZE // 2 + far
        name = self.name()
        number = self.constant(at, "i64")
        self.head.append("%s = pto.castptr %s : i64 -> !pto.ptr<%s, ub>" % (name, number, self.t))
        return name, at

    def make(self):
        r, t, w = self.r, self.t, self.w
        self.rounds = r.choice((1, 2, 3, 5, 16, 17, 18, 33, 40))
        step = r.choice((self.lanes, self.lanes, self.lanes, self.lanes // 2, 2 * self.lanes, 1, self.lanes + 1))
        low = r.choice((0, 0, 3, -self.lanes))
        self.range = range(low, low + self.rounds * step - r.choice((0, 0, step - 1)), step)
        low, high, step = (self.constant(v, "index") for v in (self.range.start, self.range.stop, step))
        self.loop = "scf.for %%i%d = %s to %s step %s" % (self.n, low, high, step)
        variable = "%%i%d" % self.n
        # The mask: all lanes, what is left of a number, or few lanes.
        kind = r.choice(("all", "all", "plt", "plt", "rest", "few", "inside", "third", "fixed"))
        self.scalars = [(self.constant(v, "i16"), v) for v in (1, 3)]
        on = self.name()
        self.takes = lambda env, i: i < self.active(env)
        if kind in ("all", "few", "inside", "third"):
            lines = self.body if kind == "inside" else self.head
            pattern = {"few": "PAT_VL3", "third": "PAT_M3"}.get(kind, "PAT_ALL")
            lines.append('%s = pto.pset_b%d "%s" : %s' % (on, 8 * w, pattern, self.mask))
            count = 3 if kind == "few" else self.lanes
            self.active = lambda env: count
            if kind == "third":
                self.takes = lambda env, i: i % 3 == 0
        elif kind == "fixed":  # of a number that no round changes, computed in each
            number = self.name()
            self.body += ["%s = arith.addi %s, %s : i32" % (number, self.constant(5, "i32"), self.constant(4, "i32")),
                          "%s, %s = pto.plt_b%d %s : i32 -> %s, i32" % (on, self.name(), 8 * w, number, self.mask)]
            self.active = lambda env: 9
        else:
            total = len(self.range) * self.lanes - r.choice((0, 1, self.lanes // 2, 5 * self.lanes + 1, -7))
            first = self.constant(max(total, 0), "i32")
            left = self.name()
            if kind == "plt":
                rest = self.name()
                self.carried.append((rest, "i32", first, left))
            else:  # counted from the variable
                number, by, rest = self.name(), self.name(), self.name()
                each = self.constant(self.lanes, "i32")
                one = self.constant(self.range.step, "i32")
                self.body += ["%s = arith.index_cast %s : index to i32" % (number, variable), "%s = arith.muli %s, %s : i32" % (by, number, each),
                              "%s = arith.subi %s, %s : i32" % (rest, first, by)]
                if self.range.step != 1 or self.range.start != 0:
                    del self.body[-2:]
                    self.body.append("%s = arith.subi %s, %s : i32" % (rest, first, one))
                    self.steps.append(lambda env: env.update({rest: max(total, 0) - self.range.step}))
                else:
                    self.steps.append(lambda env: env.update({rest: max(total, 0) - env["i"] * self.lanes}))
            self.body.append("%s, %s = pto.plt_b%d %s : i32 -> %s, i32" % (on, left, 8 * w, rest, self.mask))

            def plt(env):
                number = env[rest] & 0xFFFFFFFF
                env[on] = min(number, self.lanes)
                env[left] = number - env[on]
            self.steps.append(plt)
            self.active = lambda env: env[on]
        self.on = on
        # Registers that are made before the loop, and sums.
        outside = self.name()
        p, at = self.pointer()
        zero = self.constant(0, "index")
        self.head.append("%s = pto.vlds %s[%s] : !pto.ptr<%s, ub> -> %s" % (outside, p, zero, t, vreg(t)))
        self.before = [(outside, at)]
        registers = [outside]
        sums = []
        for _ in range(r.choice((0, 0, 1, 2))):
            name = self.name()
            sums.append(name)
            registers.append(name)
        pointers = [self.pointer() for _ in range(r.choice((1, 2, 2, 3)))]
        posts = []
        for p, at in pointers:
            if r.random() < 0.25:
                name, after = self.name(), self.name()
                self.carried.append((name, "!pto.ptr<%s, ub>" % t, p, after))
                posts.append([name, after, False])
        for _ in range(r.choice((2, 3, 5, 8))):
            registers.append(self.statement(r.choice(("load", "load", "map", "map", "map", "map", "store")), registers, pointers, posts, variable))
            registers = [x for x in registers if x]
        self.statement("store", [x for x in registers if x not in sums] or registers, pointers, posts, variable)
        for name, after, used in posts:
            if not used:
                self.body.append("%s = pto.addptr %s, %s : !pto.ptr<%s, ub> -> !pto.ptr<%s, ub>" % (after, name, zero, t, t))
                self.steps.append(lambda env, name=name, after=after: env.update({after: env[name]}))
        for name in sums:
            made = self.statement("map", [name] + registers, pointers, posts, variable) if r.random() < 0.8 else r.choice(registers)
            if made == outside:
                made = name
            # Registers do not change places.
            self.carried.append((name, vreg(t), outside, made if made == name or made not in sums else name))
        self.sums = sums

    def place(self, pointers, posts, variable):
        """Text of an address and a function of the environment that gives its byte."""
        r, w = self.r, self.w
        p, at = r.choice(pointers)
        kind = r.choice(("i", "i", "i", "sum", "product", "fixed"))
        if kind == "i":
            return "%s[%s]" % (p, variable), lambda env: at + env["i"] * w
        if kind == "fixed":
            off = r.choice((0, 1, self.lanes, 8))
            return "%s[%s]" % (p, self.constant(off, "index")), lambda env: at + off * w
        by = r.choice((1, -1, 8, self.lanes, -self.lanes, 100)) if kind == "sum" else r.choice((2, -1, 1))
        name = self.name()
        self.body.append("%s = arith.%s %s, %s : index" % (name, "addi" if kind == "sum" else "muli", variable, self.constant(by, "index")))
        return "%s[%s]" % (p, name), (lambda env: at + (env["i"] + by) * w) if kind == "sum" else (lambda env: at + env["i"] * by * w)

    def statement(self, kind, registers, pointers, posts, variable):
        r, t, w = self.r, self.t, self.w
        free = [post for post in posts if not post[2]]
        if kind == "load":
            name = self.name()
            if free and r.random() < 0.6:
                post = r.choice(free)
                post[2] = True
                off = r.choice((self.lanes, self.lanes, 1, 0, 8))
                self.body.append("%s, %s = pto.vlds %s[%s] : !pto.ptr<%s, ub> -> %s, !pto.ptr<%s, ub>"
                                 % (name, post[1], post[0], self.constant(off, "index"), t, vreg(t), t))

                def load(env, post=post):
                    env[name] = self.get(env, env[post[0]])
                    env[post[1]] = env[post[0]] + off * w
                self.steps.append(load)
                return name
            text, at = self.place(pointers, posts, variable)
            self.body.append("%s = pto.vlds %s : !pto.ptr<%s, ub> -> %s" % (name, text, t, vreg(t)))
            self.steps.append(lambda env: env.update({name: self.get(env, at(env))}))
            return name
        if kind == "store":
            value = r.choice(registers)
            if free and r.random() < 0.5:
                post = r.choice(free)
                post[2] = True
                off = r.choice((self.lanes, self.lanes, 1, 0, 8))
                self.body.append("%s = pto.vsts %s, %s[%s], %s : %s, !pto.ptr<%s, ub>, %s -> !pto.ptr<%s, ub>"
                                 % (post[1], value, post[0], self.constant(off, "index"), self.on, vreg(t), t, self.mask, t))

                def store(env, post=post):
                    self.put(env, env[post[0]], env[value])
                    env[post[1]] = env[post[0]] + off * w
                self.steps.append(store)
                return None
            text, at = self.place(pointers, posts, variable)
            self.body.append("pto.vsts %s, %s, %s : %s, !pto.ptr<%s, ub>, %s" % (value, text, self.on, vreg(t), t, self.mask))
            self.steps.append(lambda env: self.put(env, at(env), env[value]))
            return None
        return self.map(registers)

    def map(self, registers):
        r, t = self.r, self.t
        name = self.name()
        v, m = vreg(t), self.mask
        a, b, c = registers[0] if registers[0] in (x[0] for x in self.carried) else r.choice(registers), r.choice(registers), r.choice(registers)
        names = ["vadd", "vsub", "vmax", "vsel", "vmov", "vmuls", "vadds", "vmula"]
        if self.ints:
            names += ["vshls", "vnot"]
        else:
            names += ["vmul", "vdiv", "vrelu", "vaxpy", "vsqrt"] + (["vexpdif"] if t == "f32" else [])
        op = r.choice(names)
        zero = lambda f: lambda env, *x: [f(*lanes) if self.takes(env, i) else 0 for i, lanes in enumerate(zip(*x))]
        scalar, number = r.choice(self.scalars)
        if op in ("vmuls", "vadds", "vaxpy"):
            scalar = self.constant("%d%s" % (number, "" if self.ints else ".5"), t)
        if op in ("vadd", "vsub", "vmax", "vmul", "vdiv"):
            self.body.append("%s = pto.%s %s, %s, %s : %s, %s, %s -> %s" % (name, op, a, b, self.on, v, v, m, v))
            f = {"vadd": lambda x, y: x + y, "vsub": lambda x, y: x - y}.get(op, max)
            run = lambda env: zero(f)(env, env[a], env[b])
        elif op == "vexpdif":
            self.body.append('%s = pto.vexpdif %s, %s, %s, "ODD" : %s, %s, %s -> %s' % (name, a, b, self.on, v, v, m, v))
        elif op == "vsel":
            self.body.append("%s = pto.vsel %s, %s, %s : %s, %s, %s -> %s" % (name, a, b, self.on, v, v, m, v))
            run = lambda env: [x if self.takes(env, i) else y for i, (x, y) in enumerate(zip(env[a], env[b]))]
        elif op == "vmula":
            self.body.append("%s = pto.vmula %s, %s, %s, %s : %s, %s, %s, %s -> %s" % (name, a, b, c, self.on, v, v, v, m, v))
            run = lambda env: [x + y * z if self.takes(env, i) else x for i, (x, y, z) in enumerate(zip(env[a], env[b], env[c]))]
        elif op == "vaxpy":
            self.body.append("%s = pto.vaxpy %s, %s, %s, %s : %s, %s, %s, %s -> %s" % (name, a, b, scalar, self.on, v, v, t, m, v))
        elif op in ("vmov", "vnot", "vrelu", "vsqrt"):
            self.body.append("%s = pto.%s %s, %s : %s, %s -> %s" % (name, op, a, self.on, v, m, v))
            run = lambda env: zero((lambda x: x) if op == "vmov" else lambda x: ~x)(env, env[a])
        else:
            self.body.append("%s = pto.%s %s, %s, %s : %s, %s, %s -> %s" % (name, op, a, scalar, self.on, v, "i16" if op == "vshls" else t, m, v))
            f = {"vmuls": lambda x: x * number, "vadds": lambda x: x + number, "vshls": lambda x: x << number}[op]
            run = lambda env: zero(f)(env, env[a])
        if self.ints:
            self.steps.append(lambda env: env.update({name: self.wrap(run(env))}))
        return name

    # ---- the interpreter -------------------------------------------------------------------

    def wrap(self, values):
        half = 1 << 8 * self.w - 1
        return [(x + half) % (2 * half) - half for x in values]

    def get(self, env, at):
        return list(struct.unpack_from("<%d%s" % (self.lanes, CODES[self.t]), env["ub"], at))

    def put(self, env, at, values):
        for i in range(self.lanes):
            if self.takes(env, i):
                struct.pack_into("<" + CODES[self.t], env["ub"], at + i * self.w, values[i])

    def run(self, ub):
        env = {"ub": ub}
        for name, at in self.before:
            env[name] = self.get(env, at)
        for name, t, first, after in self.carried:
            env[name] = env[first] if first in env else self.number(first)
        for i in self.range:
            env["i"] = i
            for step in self.steps:
                step(env)
            following = [env[after] for _, _, _, after in self.carried]
            for (name, _, _, _), value in zip(self.carried, following):
                env[name] = value
        for k, name in enumerate(self.sums):
            struct.pack_into("<%d%s" % (self.lanes, CODES[self.t]), ub, 512 * self.n + 256 * k, *env[name])

    def number(self, name):
        for line in self.head:
            if line.startswith(name + " = arith.constant "):
                return int(line.split()[3])
            if line.startswith(name + " = pto.castptr "):
                return self.number(line.split()[3])
        raise KeyError(name)

    def text(self):
        lines = list(self.head)
        if self.carried:
            results = ["%%r%d_%d" % (self.n, k) for k in range(len(self.carried))]
            lines.append("%s = %s iter_args(%s) -> (%s) {" % (
                ", ".join(results), self.loop, ", ".join("%s = %s" % (c[0], c[2]) for c in self.carried), ", ".join(c[1] for c in self.carried)))
            lines += self.body
            lines.append("scf.yield %s : %s" % (", ".join(c[3] for c in self.carried), ", ".join(c[1] for c in self.carried)))
        else:
            lines += [self.loop + " {"] + self.body
        lines.append("}")
        full = self.name()
        lines.append('%s = pto.pset_b%d "PAT_ALL" : %s' % (full, 8 * self.w, self.mask))
        for k, name in enumerate(self.sums):
            result = "%%r%d_%d" % (self.n, [c[0] for c in self.carried].index(name))
            at, p, zero = self.name(), self.name(), self.name()
            lines += ["%s = arith.constant %d : i64" % (at, 512 * self.n + 256 * k), "%s = arith.constant 0 : index" % zero,
                      "%s = pto.castptr %s : i64 -> !pto.ptr<%s, ub>" % (p, at, self.t),
                      "pto.vsts %s, %s[%s], %s : %s, !pto.ptr<%s, ub>, %s" % (result, p, zero, full, vreg(self.t), self.t, self.mask)]
        return lines


HEAD = ["func.func @main(%x: !pto.ptr<ui8, gm>, %y: !pto.ptr<ui8, gm>) {", "%zero = arith.constant 0 : i64", "%one = arith.constant 1 : i64",
        "%%size = arith.constant %d : i64" % SIZE, "%ub = pto.castptr %zero : i64 -> !pto.ptr<ui8, ub>",
        "pto.mte_gm_ub %x, %ub, %zero, %size nburst(%one, %size, %size) : !pto.ptr<ui8, gm>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64"]
TAIL = ["pto.mte_ub_gm %ub, %y, %size nburst(%one, %size, %size) : !pto.ptr<ui8, ub>, !pto.ptr<ui8, gm>, i64, i64, i64, i64", "return", "}"]


class Strips(CommandTest):
    def result(self, loops, data, *options, env=None):
        lines = list(HEAD)
        for loop in loops:
            lines += ["pto.vecscope {"] + loop.text() + ["}"]
        self.write("p.pto", "\n".join(lines + TAIL) + "\n")
        npy.save(self.path("x.npy"), "u8", (SIZE,), data)
        self.pto("run", "p.pto", "--flat", "--in", "x=x.npy", "--shape", "y=%d:u8" % SIZE, "--out", "y=y.npy", *options, env=env)
        return bytes(npy.load(self.path("y.npy"))[2])

    def differ(self, got, want):
        return [i for i in range(SIZE) if got[i] != want[i]][:8] if got != want else []

    def test_interpreter(self):
        for seed in SEEDS:
            r = random.Random(seed)
            loops = [Loop(r, r.choice(("i32", "i16")), n, True) for n in range(8)]
            data = r.randbytes(SIZE)
            want = bytearray(data)
            for loop in loops:
                loop.run(want)
            self.assertEqual(self.differ(self.result(loops, data), want), [], "seed %d" % seed)

    def test_targets(self):
        """The strips of each SIMD target have the bits of the first one's machine."""
        r = random.Random(30)
        loops = [Loop(r, t, n, False) for n, t in enumerate(("f32", "f16", "f32", "f32", "f16", "f32"))]
        data = r.randbytes(SIZE)
        want = self.result(loops, data, "--trace", self.path("t.json"))
        for name in re.findall(r"[A-Z][A-Z0-9_]+", re.search(r"targets +(.*)", self.pto("info")).group(1)):
            with self.subTest(name):
                self.assertEqual(self.differ(self.result(loops, data, env={"PTO_TARGET": name}), want), [])

    def test_machine(self):
        """Floats of any bits, by kernels of the same names: a recorded run has no strips."""
        for seed in SEEDS:
            r = random.Random(seed)
            loops = [Loop(r, r.choice(("f32", "f32", "f16", "i32", "i16")), n, False) for n in range(8)]
            for loop in loops:
                if loop.t[0] == "i":
                    loop.__init__(r, loop.t, loop.n, True)
            data = r.randbytes(SIZE)
            self.assertEqual(self.differ(self.result(loops, data), self.result(loops, data, "--trace", self.path("t.json"))), [],
                             "seed %d" % seed)


class Outer(CommandTest):
    def test_numbers_that_an_outer_loop_changes(self):
        """What no round of a loop changes is made anew when the loop is entered again, at the first round already."""
        text = """func.func @main(%y: !pto.ptr<i32, gm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %lanes = arith.constant 64 : index
  %end = arith.constant 320 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bytes = arith.constant 3840 : i64
  %ten = arith.constant 10 : i32
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    scf.for %j = %c0 to %c3 step %c1 {
      %row = arith.muli %j, %end : index
      %q = pto.addptr %p, %row : !pto.ptr<i32, ub> -> !pto.ptr<i32, ub>
      %jj = arith.index_cast %j : index to i32
      scf.for %i = %c0 to %end step %lanes {
        %v = pto.vlds %q[%i] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>
        %k = arith.addi %jj, %ten : i32
        BODY
        pto.vsts %w, %q[%i], %m : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32>
      }
    }
  }
  pto.mte_ub_gm %p, %y, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64
  return
}
"""
        v, k = "!pto.vreg<64xi32>", "!pto.mask<b32>"
        for body, want in (("%%w = pto.vadds %%v, %%k, %%m : %s, i32, %s -> %s" % (v, k, v), lambda j, lane: j + 10),
                           ("%%b = pto.vbr %%k : i32 -> %s\n%%w = pto.vadd %%v, %%b, %%m : %s, %s, %s -> %s" % (v, v, v, k, v),
                            lambda j, lane: j + 10),
                           ("%%on, %%left = pto.plt_b32 %%k : i32 -> %s, i32\n%%w = pto.vadds %%v, %%ten, %%on : %s, i32, %s -> %s" % (k, v, k, v),
                            lambda j, lane: 10 if lane < j + 10 else 0),
                           ("%%on, %%left = pto.plt_b32 %%k : i32 -> %s, i32\n%%w = pto.vadds %%v, %%left, %%m : %s, i32, %s -> %s" % (k, v, k, v),
                            lambda j, lane: 0)):
            self.write("o.pto", text.replace("BODY", body))
            self.pto("run", "o.pto", "--shape", "y=960:i32", "--out", "y=y.npy")
            self.assertEqual(npy.load(self.path("y.npy"))[2], [want(i // 320, i % 64) for i in range(960)], body)


class Verdicts(CommandTest):
    """Limits and errors name the same statement and round."""
    PROGRAM = """func.func @main() {
  %c0 = arith.constant 0 : index
  %lanes = arith.constant 64 : index
  %end = arith.constant 6400 : index
  %at = arith.constant {at} : i64
  %p = pto.castptr %at : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %s = arith.constant 1.5 : f32
    %sum = pto.vbr %s : f32 -> !pto.vreg<64xf32>
    %r = scf.for %i = %c0 to %end step %lanes iter_args(%a = %sum) -> (!pto.vreg<64xf32>) {
      %v = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %w = pto.vadds %v, %s, %m : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.vreg<64xf32>
      pto.vsts %w, %p[%i], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      %b = pto.vadd %a, %w, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
      scf.yield %b : !pto.vreg<64xf32>
    }
  }
  return
}
"""

    def verdict(self, at, *options):
        self.write("v.pto", self.PROGRAM.replace("{at}", str(at)))
        return self.run_pto("run", "v.pto", *options)

    def run_pto(self, *args):
        done = subprocess.run([PTO, *args], cwd=self.folder.name, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def both(self, at, *options):
        plain = self.verdict(at, *options)
        self.assertEqual(plain, self.verdict(at, *options, "--trace", self.path("t.json")))
        return plain

    def test_steps(self):
        for limit in (12, 13, 14, 15, 16, 17, 18, 19, 100, 101, 102, 103, 104, 105, 606, 607, 608, 609, 610, 611, 612, 613, 614, 615, 616, 617):
            self.both(0, "--max-steps", str(limit))
        self.assertEqual(self.both(0, "--max-steps", "617")[0], 0)
        code, out, err = self.both(0, "--max-steps", "300")
        self.assertEqual(code, 1)
        self.assertIn("300 steps were taken", out + err)

    def test_memory(self):
        """The last round that leaves the memory is named as it is round by round; A5 has 256 KiB."""
        for at in (262144 - 25600, 262144 - 25568, 262144 - 12800, 262144, 7, -256):
            code = self.both(at, "--profile", "a5")[0]
            self.assertEqual(code, 0 if at == 262144 - 25600 else 1, at)


if __name__ == "__main__":
    unittest.main()

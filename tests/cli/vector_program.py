"""Programs of registers and masks for tests, and what their results are held against: see test_vector.py."""
import hashlib
import math
import os
import re
import sys

import npy
import vector_oracle as o
from harness import ROOT, THOROUGH, CommandTest

INTS = ("i8", "ui8", "i16", "ui16", "i32", "ui32")
WIDE = INTS + ("i64", "ui64")
FINE = ("f16", "f32")
ALL = WIDE + o.FLOATS
TYPES = {"vabs": INTS + o.FLOATS, "vneg": INTS + o.FLOATS, "vsqrt": FINE, "vrelu": ("i32",) + FINE, "vnot": ALL, "vrec": FINE,
         "vmov": ALL, "vbcnt": INTS, "vadd": ALL, "vsub": ALL, "vmul": INTS[2:] + o.FLOATS, "vdiv": FINE,
         "vmax": INTS + o.FLOATS, "vmin": INTS + o.FLOATS, "vand": ALL, "vor": ALL, "vxor": ALL, "vshl": WIDE, "vshr": WIDE,
         "vprelu": FINE, "vaddrelu": ("i32",) + FINE, "vsubrelu": ("i32",) + FINE}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, math.inf, -math.inf, math.nan, 65504.0, -65504.0, 3.0e38, 1e-45, -6e-8, 88.5]


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
    PINNED = False
    OUT = 1 << 22  # where results lie in UB, beyond what A5 has: the CPU profile has more

    def run_program(self, p, *options):
        self.write("p.pto", p.text())
        npy.save(self.path("x.npy"), "u8", (len(p.data),), p.data)
        self.pto("run", "p.pto", "--flat", "--in", "x=x.npy", "--shape", "y=%d:u8" % p.out, "--out", "y=y.npy", *options)
        return bytes(npy.load(self.path("y.npy"))[2])

    def judge(self, p, *options):
        y = self.run_program(p, *options)
        self.pin(y, lambda: self.run_program(p, *options))
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

    def pin(self, result, run):
        """The bits are the ones in vector_digests.txt, which every SIMD target of every machine computes."""
        if not Case.PINNED:
            return
        test = self.id().split(".", 1)[1]
        key = "%s %d" % (test, sum(name.startswith(test + " ") for name in SEEN))
        SEEN[key] = hashlib.sha256(result).hexdigest()
        if not WRITE:
            self.assertEqual(SEEN[key], digests().get(key), "%s: if that is meant, run this test with --write" % key)
        for target in self.targets() if THOROUGH else []:
            os.environ["PTO_TARGET"] = target
            try:
                self.assertEqual(run(), result, (key, target))
            finally:
                del os.environ["PTO_TARGET"]

    def targets(self):
        return re.findall(r"[A-Z][A-Z0-9_]+", re.search(r"targets +(.*)", self.pto("info")).group(1))

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

# Digests of results. `--write` writes them.
WRITE = "--write" in sys.argv
if WRITE:
    sys.argv.remove("--write")
DIGESTS = os.path.join(ROOT, "tests", "cli", "vector_digests.txt")
SEEN = {}


def digests():
    with open(DIGESTS) as file:
        return dict(line.rsplit(" ", 1) for line in file.read().splitlines() if line[0] != "#")


def settle_digests(case):
    """After all tests: the file has no other digests."""
    if WRITE:
        with open(DIGESTS, "w") as file:
            file.write("# Written by test_vector.py --write: a test, the number of its program, SHA-256 of the results.\n")
            file.writelines("%s %s\n" % one for one in sorted(SEEN.items()))
    case.assertEqual(sorted(SEEN), sorted(digests()))


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


def rows(memory):
    """The operations that are executed, of memory and state or of registers."""
    with open(os.path.join(ROOT, "src", "ptoas", "vector", "rows.h")) as file:
        text = file.read()
    starts = list(re.finditer(r'^    (?:\w+\(\s*)*"(\w+)"', text, re.MULTILINE))
    found = set()
    for at, end in zip(starts, [m.start() for m in starts[1:]] + [len(text)]):
        row, name = text[at.start():end], at.group(1)
        touches = re.search(r"\b(Copy|State)\(|Family::k(Load|Store|Stream|Gather|Sort|Pointer|State)\b", row)
        if "Refused(" not in row and bool(touches or name in ("pldi", "plds", "psti", "psts")) == memory:
            found.add(name)
    return found

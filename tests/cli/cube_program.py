"""Programs of the cube for tests: arrays of bytes in and out, and the usual steps between them."""
import struct

import vector_oracle as o

NAMES = {"hif8": "!pto.hif8", "e4m3": "f8E4M3FN"}
SIZES = {"hif8": 1, "e4m3": 1}


def size(t):
    return SIZES.get(t) or o.size(t)


def put(t, values):
    """Numbers as bytes of an element type."""
    if t in SIZES:
        return bytes(values)
    if t == "bf16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    return struct.pack("<%d%s" % (len(values), o.CODES[t]), *values)


def get(t, data):
    count = len(data) // o.size(t)
    if t == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[2 * i:2 * i + 2])[0] for i in range(count)]
    return list(struct.unpack("<%d%s" % (count, o.CODES[t]), data))


class Cube:
    """A program for arrays of bytes; `x` is what it reads, `y` what it writes."""

    def __init__(self, size_of_y):
        self.x, self.size, self.lines, self.names, self.known = bytearray(), size_of_y, [], 0, {}

    def number(self, value, t="i64"):
        if (value, t) not in self.known:
            self.names += 1
            self.known[value, t] = "%%n%d" % self.names
            self.lines.insert(0, "%%n%d = arith.constant %s : %s" % (self.names, value, t))
        return self.known[value, t]

    def numbers(self, *values):
        return ", ".join(self.number(v) for v in values)

    def name(self):
        self.names += 1
        return "%%v%d" % self.names

    def pointer(self, t, space, at):
        r = self.name()
        self.lines.append("%s = pto.castptr %s : i64 -> %s" % (r, self.number(at), ptr(t, space)))
        return r

    def array(self, t, values):
        """Global memory that holds these."""
        at = len(self.x)
        self.x += put(t, values)
        self.x += bytes(-len(self.x) % 64)
        return self.part("%x", t, at)

    def part(self, array, t, at):
        moved, r = self.name(), self.name()
        self.lines.append("%s = pto.addptr %s, %s : !pto.ptr<ui8, gm> -> !pto.ptr<ui8, gm>" % (moved, array, self.number(at, "index")))
        self.lines.append("%s = pto.castptr %s : !pto.ptr<ui8, gm> -> %s" % (r, moved, ptr(t, "gm")))
        return r

    def say(self, line):
        self.lines.append(line)

    # ---- the usual steps

    def boxes(self, t, values, rows, cols, at, order="nd2nz", turned=False):
        """A matrix of rows x cols to L1 at a byte: in boxes, its rows rounded up to 16; to 32 for bytes that are turned."""
        unit = max(16, 32 // size(t)) if turned else 16
        wide = -(-rows // unit) * unit
        if turned and size(t) == 1 and cols <= 16:
            # Rows of 16 bytes, which follow each other.
            to = self.pointer(t, "l1", at)
            x = self.array(t, [values[i * cols + j] if j < cols else 0 for i in range(rows) for j in range(16)])
            self.say("pto.mte_gm_l1 %s, %s, %s nburst(%s) : %s, %s, i64, i64, i64, i64"
                     % (x, to, self.number(16 * rows), self.numbers(1, 0, 0), ptr(t, "gm"), ptr(t, "l1")))
            return to
        src = values if order == "nd2nz" else [values[i * cols + j] for j in range(cols) for i in range(rows)]
        line = (cols if order == "nd2nz" else rows) * size(t)
        x, to = self.array(t, src), self.pointer(t, "l1", at)
        self.say("pto.mte_gm_l1_frac %s, %s, %s, shape(%s), src_layout(%s), dst_group(%s), ctrl(%s, %s) : %s, %s, %s, "
                 "shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1"
                 % (x, to, order, self.numbers(rows, cols), self.number(line), self.numbers(1, 1, wide, 0), self.number(0),
                    self.number("false", "i1"), ptr(t, "gm"), ptr(t, "l1"), order))
        return to

    def factor(self, side, t, source, a, b, at=0, turned=False, starts=True):
        to = self.pointer(t, "l0" + side, at)
        self.say("pto.mte_l1_l0%s %s, %s, %s%s%s : %s, %s, %s"
                 % (side, source, to, self.numbers(a, b), ", " + self.numbers(0, 0) if starts else "",
                    " {transpose = true}" if turned else "", ptr(t, "l1"), ptr(t, "l0" + side), ", ".join(["i64"] * (4 if starts else 2))))
        return to

    def mad(self, op, t, a, b, m, n, k, clauses="", sums="f32", bias=None, at=0):
        c = self.pointer(sums, "l0c", at)
        self.say("pto.%s %s, %s, %s, %s%s%s : %s, %s, %s, %si64, i64, i64"
                 % (op, a, b, c, bias + ", " if bias else "", self.numbers(m, n, k), " " + clauses if clauses else "",
                    ptr(t, "l0a"), ptr(t, "l0b"), ptr(sums, "l0c"), ptr(sums, "bt") + ", " if bias else ""))
        return c

    def out(self, c, m, n, at=0, clauses=", nz2nd", types="", sums="f32", t=None, pitch=None):
        """The sums to the array y, at a byte."""
        t = t or sums
        self.say("pto.mte_l0c_gm %s, %s, %s%s : %s, %s, i64, i64, i64, i64, i64, i64%s"
                 % (c, self.part("%y", t, at), self.numbers(m, n, -(-m // 16) * 16, pitch or n, 0, 0), clauses,
                    ptr(sums, "l0c"), ptr(t, "gm"), types))

    def product(self, t, a, b, m, n, k, **more):
        """From arrays to sums."""
        left = self.factor("a", t, self.boxes(t, a, m, k, 0), m, k)
        right = self.factor("b", t, self.boxes(t, b, k, n, 1 << 17, turned=True), k, n, turned=True)
        return self.mad("mad", t, left, right, m, n, k, **more)

    def text(self, attributes=""):
        return "\n".join(["func.func @main(%%x: !pto.ptr<ui8, gm>, %%y: !pto.ptr<ui8, gm>)%s {" % attributes] + self.lines
                         + ["return", "}", ""])


def ptr(t, space):
    return "!pto.ptr<%s, %s>" % (NAMES.get(t, t), space)


def times(a, b, m, n, k):
    return [sum(a[i * k + q] * b[q * n + j] for q in range(k)) for i in range(m) for j in range(n)]

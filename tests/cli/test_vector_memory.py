"""The vector level: loads, stores, streams, gathering, sorting and copies, against element maps written from the catalogue."""
import math
import random
import struct
import sys
import unittest

import npy
import vector_oracle as o
from vector_program import COVERED, FINE, HEAD, IN, OUT, TAIL, UB, Case, Program, mask_type, rows, vreg


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

    def test_numbers_beyond_reason(self):
        """Lengths and counts below 0 and strides that no memory has are refused; no bursts take no time, however many loops."""
        huge = "  %big = arith.constant 16777216 : i64\n"
        loops = ("loop(%big, %c8, %c8) loop(%c0, %c8, %c8) loop(%big, %c8, %c8)", ", loop i64, i64, i64" * 3)
        for burst in ("%c8 nburst(%c0", "%c0 nburst(%big", "%c8 nburst(%big"):
            self.copies(huge + "  pto.mte_gm_ub %x, %a, %c0, " + burst + ", %c8, %c8) " + loops[0] + " : " + IN + loops[1] + "\n")
        for number, burst in (("-8", "%n nburst(%c1, %c8, %c8)"), ("-1", "%c8 nburst(%n, %c8, %c8)"), ("16777217", "%c8 nburst(%n, %c8, %c8)"),
                              ("4611686018427387904", "%c8 nburst(%c2, %n, %c8)"), ("-4611686018427387904", "%c8 nburst(%c2, %c8, %n)"),
                              ("-1", "%c8 nburst(%c1, %c8, %c8) loop(%n, %c8, %c8)"), ("-1", "%c8 nburst(%c1, %c8, %c8) pad(%k, %n, %c1)")):
            types = ", loop i64, i64, i64" if "loop" in burst else ", pad i32, i64, i64" if "pad" in burst else ""
            text = self.copies("  %%n = arith.constant %s : i64\n  pto.mte_gm_ub %%x, %%a, %%c0, %s : %s%s\n" % (number, burst, IN, types), code=1)
            self.assertRegex(text, r"%%n is %s, where -?\d+ to \d+ are possible \[memory-range\]" % number)
        text = self.copies("  %n = arith.constant 4611686018427387904 : i64\n  pto.mte_ub_ub %a, %b, %c1 nburst(%c2, %n, %c1) : " + UB
                           + ", i64, i64, i64, i64\n", code=1)
        self.assertIn("where -1073741824 to 1073741824 are possible [memory-range]", text)

    def test_indices_beyond_memory(self):
        """2^62 elements of 4 bytes are 2^64 bytes, which are not none."""
        vector = "!pto.ptr<i32, ub> -> !pto.vreg<64xi32>"
        for statement in ("%v = pto.vlds %a[%far] : " + vector, "%v = pto.load_scalar %a[%far] : !pto.ptr<i32, ub> -> i32",
                          "%v, %w = pto.vldsx2 %a[%far], \"DINTLV_B32\" : !pto.ptr<i32, ub>, index -> !pto.vreg<64xi32>, !pto.vreg<64xi32>",
                          "%m = pto.plds %a[%far], \"NORM\" : !pto.ptr<i32, ub>, index -> !pto.mask<b32>",
                          "pto.store_scalar %k, %a[%far] : !pto.ptr<i32, ub>, i32"):
            for number in ("4611686018427387904", "-4611686018427387904", "9223372036854775807"):
                text = self.copies("  %%far = arith.constant %s : index\n  %s\n" % (number, statement), code=1)
                self.assertRegex(text, r"bytes at -?1125899906842624, where the memory has \d+: 112589[89]\d+ too many \[memory-range\]")
        text = self.copies("  %huge = arith.constant 9223372036854775800 : i64\n  %i = arith.constant 2 : index\n"
                           "  %q = pto.castptr %huge : i64 -> !pto.ptr<i32, ub>\n  %v = pto.vlds %q[%i] : " + vector + "\n", "--profile", "a5", code=1)
        self.assertIn("[memory-range]", text)

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


class Everything(unittest.TestCase):
    def test_each_row_has_a_test(self):
        """Runs last: every executed operation was in a program above."""
        names = rows(memory=True)
        self.assertGreater(len(names), 40)
        if not sys.argv[1:]:
            self.assertEqual(sorted(names - COVERED), [])


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in (Memory, Sorting, Copies, Everything):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

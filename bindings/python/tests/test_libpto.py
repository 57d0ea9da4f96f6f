"""The Python binding: the vectors that every language runs, data in and out, errors, lifetimes.

usage: test_libpto.py VECTORS [UNITTEST ARGUMENTS]; the package is on PYTHONPATH
"""
import collections
import copy
import faulthandler
import gc
import inspect
import multiprocessing
import os
import pickle
import re
import sys
import threading
import time
import unittest

import numpy as np

import libpto
from case import Case

faulthandler.enable()
# A process that a test starts imports this file without arguments.
VECTORS = sys.argv.pop(1) if len(sys.argv) > 1 else None
NUMPY = {"bf16": np.uint16, "f16": np.float16, "f32": np.float32}
NUMPY.update({"%s%d" % (kind[0], bits): np.dtype("%s%d" % (kind, bits)) for kind in ("int", "uint") for bits in (8, 16, 32, 64)})


def cases():
    case = None
    with open(VECTORS) as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "case":
                name, profile, op, flags = rest.split(" ")
                case = {"name": name, "profile": libpto.Profile[profile], "op": op, "flags": int(flags), "operands": [], "help": "", "data": []}
            elif word in ("tile", "tensor", "scalar", "int", "same", "none"):
                case["operands"].append([word] + rest.split(" "))
            elif word == "data":
                case["data"].append(rest.split(" "))
            elif word in ("want", "text", "help"):
                case[word] = rest
            elif word == "end":
                yield case


def elements(digits, dtype, rows, cols):
    held = libpto.DType[dtype.upper()]
    if dtype not in NUMPY:
        data = np.frombuffer(bytes.fromhex(digits), np.uint8)
        if held in libpto._arrays.PACKED:  # one element per byte
            data = np.stack([data & 15, data >> 4], 1).reshape(rows, -1)[:, :cols].copy()
        return data.reshape(rows, cols).view(libpto._arrays.NUMPY[held])
    size = np.dtype(NUMPY[dtype]).itemsize
    packed = np.frombuffer(bytes.fromhex(digits), np.dtype("u1" if size == 1 else ">u%d" % size))
    return packed.astype("u%d" % size).view(NUMPY[dtype]).reshape(rows, cols)


def make(ctx, words):
    if words[0] == "int":
        return int(words[2])
    if words[0] == "scalar":
        return scalar(int(words[2]), int(words[3], 16))
    kind, _, dtype, rows, cols = words[:5]
    held = libpto.DType[dtype.upper()]
    rows, cols = int(rows), int(cols)
    if kind == "tensor":
        tensor = libpto.Tensor(ctx, held, (rows, cols))
        tensor.write(ctx, elements(words[5], dtype, rows, cols))
        return tensor
    valid_rows, valid_cols, blayout, slayout, fractal, location, address = (int(w) for w in words[5:12])
    tile = libpto.Tile(ctx, held, rows, cols, blayout=blayout, slayout=slayout, fractal=fractal, location=location,
                    storage=libpto.Storage.OWNED if address == -1 else libpto.Storage.MANUAL)
    if address >= 0:
        ctx.tassign(tile, address)
    if words[12] != "-":
        tile.write(ctx, elements(words[12], dtype, rows, cols))
    tile.set_valid(ctx, valid_rows, valid_cols)
    return tile


def scalar(kind, bits):
    """As users have it; a type without numbers in Python is passed as its bits."""
    if kind == libpto.ScalarKind.FLOAT:
        return float(np.uint64(bits).view(np.float64))
    if kind == libpto.ScalarKind.INT:
        return int(np.uint64(bits).view(np.int64))
    return libpto.Scalar(bits, libpto.ScalarKind(kind))


class Conformance(unittest.TestCase):
    def run_case(self, case, as_object):
        with libpto.Context(case["profile"]) as ctx:
            made, operands = {}, []
            for words in case["operands"]:
                if words[0] == "same":
                    made[words[1]] = made[words[2]]
                elif words[0] != "none":
                    made[words[1]] = make(ctx, words)
                operands.append(made.get(words[1]))
            got, text, remedy = "0 - -", None, ""
            try:
                if case["op"] == "copy":
                    pass
                elif as_object:
                    inst = libpto.Inst(ctx, case["op"])
                    for i, operand in enumerate(operands):
                        kind = case["operands"][i][0]
                        if operand is not None:
                            {"int": inst.set_int, "scalar": inst.set_scalar}.get(
                                kind, inst.set_tensor if isinstance(operand, libpto.Tensor) else inst.set_tile)(ctx, i, operand)
                    inst.set_int(ctx, len(operands), case["flags"])
                    inst.run(ctx)
                else:
                    named = {words[1]: operand for words, operand in zip(case["operands"], operands)}
                    getattr(ctx, case["op"])(**named, flags=case["flags"])
            except libpto.Error as error:
                got = "%d %s %s" % (error.status, error.rule or "-", error.operand or "-")
                text, remedy = str(error), error.remedy
            self.assertEqual(case["want"], got, case["name"])
            self.assertSaid(case["help"], remedy, case["name"])
            if "text" in case:
                self.assertSaid(case["text"], text, case["name"])
            for name, data in case["data"]:
                written = made[name]
                if isinstance(written, libpto.Tile) and case["op"] != "copy":
                    written.set_valid(ctx)
                wanted = elements(data, written.dtype.name.lower(), *written.shape)
                self.assertEqual(wanted.tobytes(), written.read(ctx).tobytes(), case["name"])

    def assertSaid(self, in_c, said, name):
        """A message of the vectors, with the language's names in place of C's."""
        pieces = re.split(r"\b(?:NULL|(?:pto|PTO)_\w+)\b", in_c)
        self.assertRegex(said, "^" + r"[\w.]+".join(map(re.escape, pieces)) + "$", name)
        self.assertNotRegex(said, r"\b(NULL|pto_|PTO_)", name)

    def test_every_vector(self):
        count = 0
        only = os.environ.get("PTO_TEST_OP", "").split()
        for case in cases():
            if only and case["op"] not in only:
                continue
            self.run_case(case, False)
            if case["op"] != "copy":
                self.run_case(case, True)
            count += 1
        self.assertGreater(count, 0 if only else 100)


class Binding(Case):
    def test_wrap_is_the_arrays_memory(self):
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        with libpto.Tile.wrap(self.ctx, array) as tile:
            self.ctx.tpartadd(tile, tile, tile)
            np.testing.assert_array_equal(array, [[0, 2, 4], [6, 8, 10]])
            array[0, 0] = 7
            self.assertEqual(7, tile.read(self.ctx)[0, 0])

    def test_a_tile_keeps_what_it_wraps(self):
        tiles = [libpto.Tile.wrap(self.ctx, np.full((64, 64), i, np.float32)) for i in range(50)]
        views = [tile.view(self.ctx, 63, 63, 1, 1) for tile in tiles]
        inst = libpto.Inst(self.ctx, "tpartadd")
        out = libpto.Tile(self.ctx, libpto.DType.F32, 64, 64)
        for i, operand in enumerate((out, tiles[20], tiles[22])):
            inst.set_tile(self.ctx, i, operand)
        del tiles, operand
        gc.collect()
        junk = [np.full((64, 64), -1, np.float32) for _ in range(50)]
        self.assertEqual(list(range(50)), [int(v.read(self.ctx)[0, 0]) for v in views])
        del views
        gc.collect()
        junk += [np.full((64, 64), -1, np.float32) for _ in range(50)]
        inst.run(self.ctx)
        self.assertTrue((out.read(self.ctx) == 42).all())

    def test_read_into_an_array(self):
        tile = libpto.Tile.copy(self.ctx, np.array([[1, 2], [3, 4]], np.int16))
        out = np.zeros((2, 2), np.int16)
        self.assertIs(out, tile.read(self.ctx, out))
        self.assertEqual(4, out[1, 1])
        for wrong in (np.zeros((4,), np.int16), np.zeros((2, 4), np.int16)[:, ::2], np.frombuffer(bytes(8), np.int16).reshape(2, 2)):
            self.assertRaises(ValueError, tile.read, self.ctx, wrong)
        self.assertEqual("element-type", self.refusal(tile.read, self.ctx, np.zeros((2, 2), np.float16)).rule)

    def test_strided_arrays_are_written(self):
        tile = libpto.Tile(self.ctx, libpto.DType.I32, 2, 2)
        tile.write(self.ctx, np.arange(8, dtype=np.int32).reshape(2, 4)[:, ::2])
        np.testing.assert_array_equal(tile.read(self.ctx), [[0, 2], [4, 6]])

    def test_scalars(self):
        def fill(dtype, scalar):
            tile = libpto.Tile(self.ctx, dtype, 1, 1)
            self.ctx.texpands(tile, scalar)
            return tile.read(self.ctx)[0, 0]

        for number in (7, 7.0, np.int8(7), np.uint64(7), np.float16(7), np.float32(7), np.float64(7), np.array(7)):
            self.assertEqual(7, fill(libpto.DType.F32, number))
        self.assertEqual(-2**63 + 1, fill(libpto.DType.I64, -2**63 + 1))
        self.assertEqual(2**64 - 1, fill(libpto.DType.U64, np.uint64(2**64 - 1)))
        self.assertEqual(0x7fc00001, fill(libpto.DType.F32, libpto.Scalar.of_bits(0x7fc00001)).view(np.uint32))
        for dtype, number in ((libpto.DType.I64, 2**63), (libpto.DType.I64, 2.5), (libpto.DType.U64, -1)):
            self.assertEqual("scalar-range", self.refusal(fill, dtype, number).rule)
        self.assertEqual("scalar-kind", self.refusal(fill, libpto.DType.I64, libpto.Scalar(1, 9)).rule)
        for wrong in (2**64, -2**63 - 1):
            self.assertRaises(OverflowError, fill, libpto.DType.I64, wrong)
        for wrong in ("7", None, (1, 2, 3)):
            self.assertRaises(TypeError, fill, libpto.DType.I64, wrong)
        tiles = [libpto.Tile.copy(self.ctx, np.full((1, 1), x, np.float32)) for x in (0, 2)]
        self.ctx.tpows(*tiles, 3)  # tmp may be left out, and so is last
        self.assertEqual(8, tiles[0].read(self.ctx)[0, 0])
        self.ctx.tcvt(tiles[0], tiles[1], libpto.Round.FLOOR, libpto.Sat.ON)
        for tile in tiles:
            tile.close()

    def test_errors(self):
        tile = libpto.Tile.copy(self.ctx, np.ones((2, 2), np.float32))
        narrow = libpto.Tile(self.ctx, libpto.DType.F32, 2, 1)
        error = self.refusal(self.ctx.tpow, tile, tile, narrow)
        self.assertEqual("tpow: exp is valid in 2x1 where dst is in 2x2 (rows x columns)", str(error))
        self.assertEqual(("valid-covers", "exp", libpto.Status.SHAPE), (error.rule, error.operand, error.status))
        self.assertEqual("null", self.refusal(self.ctx.tpow, None, tile, tile).rule)
        self.assertEqual("flags", self.refusal(self.ctx.tpow, tile, tile, tile, None, 2).rule)
        self.assertRaises(OverflowError, self.ctx.tpow, tile, tile, tile, None, 1 << 32)
        self.assertRaises(TypeError, self.ctx.tpow, tile)
        self.assertRaises(TypeError, self.ctx.tpow, tile, tile, self.ctx)
        self.assertRaises(TypeError, tile.write, None, np.ones((2, 2), np.float32))
        self.assertRaises(TypeError, tile.write, self.ctx, np.ones((2, 2), np.complex64))
        self.assertRaises(ValueError, tile.write, self.ctx, np.ones((4, 1), np.float32))
        self.assertEqual("element-type", self.refusal(tile.write, self.ctx, np.ones((2, 2), np.int32)).rule)
        self.assertEqual("dtype-known", self.refusal(libpto.Tile, self.ctx, 99, 1, 1).rule)
        self.assertEqual("unknown-instruction", self.refusal(libpto.Inst, self.ctx, "tp\u00f6w").rule)
        self.assertEqual(libpto.Status.UNKNOWN, self.refusal(libpto.Context, target="ABACUS").status)
        self.assertEqual(libpto.Status.ARGUMENT, self.refusal(libpto.Context, 9).status)
        self.assertTrue((tile.read(self.ctx) == 1).all())

    def test_remedies_are_pythons(self):
        tile = libpto.Tile(self.ctx, libpto.DType.F32, 2, 2)
        error = self.refusal(self.ctx.tpow, tile, tile, libpto.Tile(self.ctx, libpto.DType.F32, 2, 1))
        self.assertEqual("Widen the valid regions of the sources with Tile.set_valid.", error.remedy)
        error = self.refusal(self.ctx.tpow, None, tile, tile)
        self.assertEqual(("tpow: dst is None", "Pass the handle; only tmp may be None, where the profile does not need it."),
                         (str(error), error.remedy))
        self.assertEqual("Use one of the DType values.", self.refusal(libpto.Tile, self.ctx, 99, 1, 1).remedy)
        error = self.refusal(tile.set_valid, self.ctx, 3, 3)
        self.assertIn("VALID_ALL", error.remedy)
        self.assertRegex(str(error), "^Tile.set_valid: ")
        # Whatever is named exists.
        for c_name in re.findall(r"pto_[a-z]+(?:_[a-z]+)+", " ".join(dir(libpto.raw))):
            where = libpto
            for part in libpto._handle._WORDS[c_name].split("."):
                where = getattr(where, part)

    def test_foreign_byte_order(self):
        values = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
        foreign = values.astype(values.dtype.newbyteorder("S"))
        self.assertFalse(foreign.dtype.isnative)
        tile = libpto.Tile.copy(self.ctx, foreign)
        np.testing.assert_array_equal(values, tile.read(self.ctx))
        libpto.Tensor(self.ctx, libpto.DType.F32, (2, 3)).write(self.ctx, foreign)
        for sharing in (lambda: libpto.Tile.wrap(self.ctx, foreign), lambda: libpto.Tensor.wrap(self.ctx, foreign),
                        lambda: tile.read(self.ctx, foreign)):
            with self.assertRaisesRegex(TypeError, "newbyteorder"):
                sharing()

    def test_handles_are_not_copied(self):
        tile = libpto.Tile(self.ctx, libpto.DType.F32, 1, 1)
        handles = [self.ctx, tile, libpto.Tensor(self.ctx, libpto.DType.F32, (2,)), libpto.Inst(self.ctx, "tpow"),
                   libpto.Program(self.ctx, "%d = tpow %b, %e, %t : !pto.tile<...>\n")]
        for handle in handles:
            for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "libpto.%s is native" % type(handle).__name__):
                    duplicate(handle)
            self.assertTrue(repr(handle).startswith("<libpto." + type(handle).__name__), repr(handle))
        self.assertEqual("<libpto.Tile of F32, 1x1: [[0]]>", repr(tile))
        tile.close()
        self.assertEqual("<libpto.Tile closed>", repr(tile))

    def test_errors_travel_between_processes(self):
        tile = libpto.Tile(self.ctx, libpto.DType.F32, 2, 2)
        error = self.refusal(self.ctx.tpow, tile, tile, libpto.Tile(self.ctx, libpto.DType.F32, 2, 1))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((libpto.Error, str(error), vars(error)), (type(again), str(again), vars(again)))
        # A pool waits for ever for a result that it cannot take out of its pickle.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            with self.assertRaises(libpto.Error) as caught:
                pool.apply_async(libpto.Context, (9,)).get(60)
        self.assertEqual(libpto.Status.ARGUMENT, caught.exception.status)

    def test_wrong_kinds_are_refused(self):
        tile, tensor = libpto.Tile(self.ctx, libpto.DType.F32, 1, 1), libpto.Tensor(self.ctx, libpto.DType.F32, (1,))
        for call in (lambda: self.ctx.tpow(tile, tensor, tile), lambda: self.ctx.tload(tensor, tensor), lambda: tile.read(tile),
                     lambda: self.ctx.tpow(tile, 1 << 20, tile), lambda: libpto.raw.pto_tile_rows(tensor), lambda: tile.read(None),
                     lambda: libpto.raw.pto_tile_rows(12345)):
            self.assertRaises(TypeError, call)

    def test_closing_while_others_compute(self):
        """Calls, getters, copies and closes of the same handles on many threads: results or exceptions."""
        end = time.monotonic() + 60
        unexpected, done = [], collections.Counter()
        wanted = {"renewed": 100, "calls": 5000, "closed": 20, "in use": 20}
        shared = {}

        def more():
            return time.monotonic() < end and any(done[what] < count for what, count in wanted.items())

        def renew():
            with libpto.Context() as own:
                while more():
                    for handle in list(shared.values()):
                        handle.close()
                    shared.update(a=libpto.Tile(own, libpto.DType.F32, 96, 96), t=libpto.Tensor.wrap(own, np.ones((96, 96), np.float32)),
                                  i=libpto.Inst(own, "tpartadd"), p=libpto.Program(own, "%d = tpow %a\n"))
                    done["renewed"] += 1
                    time.sleep(0.0005)

        def use(own):
            while more():
                a, t, i, p = (shared.get(name) for name in "atip")
                for call in (lambda: own.tpartadd(a, a, a), lambda: a.read(own), lambda: a.rows, lambda: own.tload(a, t), lambda: t.shape,
                             lambda: i.set_tile(own, 0, a), lambda: i.run(own), lambda: p.diagnostics, lambda: repr(a),
                             lambda: a.set_valid(own, 90, 90), lambda: own.tassign(a, 64), lambda: p.bind(own, "a", a),
                             lambda: p.check(own)):
                    try:
                        call()
                        done["calls"] += 1
                    except ValueError as error:
                        done["closed"] += 1
                        if not re.search("is closed|the array is", str(error)):
                            unexpected.append(error)
                    except RuntimeError as error:
                        done["in use"] += 1
                        if "in use" not in str(error):
                            unexpected.append(error)
                    except libpto.Error:
                        done["refused"] += 1
                    except (AttributeError, TypeError):
                        if None not in (a, t, i, p):
                            raise

        contexts = [libpto.Context() for _ in range(3)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        threads = [threading.Thread(target=renew)] + [threading.Thread(target=use, args=(ctx,)) for ctx in contexts + contexts[:1]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
        for handle in contexts + list(shared.values()):
            handle.close()
        self.assertEqual([], unexpected)
        for what, count in wanted.items():
            self.assertGreaterEqual(done[what], count, done)

    def test_python_runs_while_the_library_does(self):
        """Another thread counts while one call is inside the library."""
        tile = libpto.Tile.copy(self.ctx, np.full((2048, 2048), 1.5, np.float32))
        counted, inside = [0], threading.Event()

        def work():
            inside.set()
            for _ in range(3):
                self.ctx.tpow(tile, tile, tile, None, libpto.Flags.HIGH_PRECISION)
            inside.clear()

        interval = sys.getswitchinterval()
        sys.setswitchinterval(5)  # Python's lock changes hands only where a call gives it away
        thread = threading.Thread(target=work)
        thread.start()
        inside.wait()
        while inside.is_set():
            counted[0] += 1
            time.sleep(0)
        thread.join()
        sys.setswitchinterval(interval)
        self.assertGreater(counted[0], 3)

    def test_use_after_close(self):
        tile = libpto.Tile(self.ctx, libpto.DType.F32, 1, 1)
        other = libpto.Tile(self.ctx, libpto.DType.F32, 1, 1)
        tile.close()
        tile.close()
        self.assertTrue(tile.closed)
        self.assertRaises(ValueError, lambda: tile.rows)
        self.assertRaises(ValueError, tile.read, self.ctx)
        self.assertRaises(ValueError, self.ctx.tpow, other, tile, other)
        self.ctx.close()
        self.assertRaises(ValueError, self.ctx.tpow, other, other, other)
        self.assertRaises(ValueError, libpto.Tile, self.ctx, libpto.DType.F32, 1, 1)

    def test_many_handles_leave_nothing(self):
        for _ in range(200_000):
            libpto.Tile(self.ctx, libpto.DType.F32, 1, 1).close()
        for _ in range(20_000):
            libpto.Tile(self.ctx, libpto.DType.F32, 1, 1)

    def test_errors_of_threads_do_not_mix(self):
        wrong = []

        def work(cols):
            with libpto.Context() as ctx, libpto.Tile(ctx, libpto.DType.F32, 2, 16) as tile, libpto.Tile(ctx, libpto.DType.F32, 2, cols) as exp:
                for _ in range(1000):
                    try:
                        ctx.tpow(tile, tile, exp)
                        wrong.append("no error")
                    except libpto.Error as error:
                        if "2x%d " % cols not in str(error):
                            wrong.append(str(error))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(3, 11)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)

    def test_tensors(self):
        array = np.arange(12, dtype=np.float32).reshape(3, 4)
        tensor = libpto.Tensor.wrap(self.ctx, array)
        window = tensor.view(self.ctx, libpto.DType.F32, (2, 2), (4, 1), offset=5)
        tile = libpto.Tile(self.ctx, libpto.DType.F32, 2, 2)
        self.ctx.tload(tile, window)
        np.testing.assert_array_equal(tile.read(self.ctx), array[1:, 1:3])
        self.ctx.tpartadd(tile, tile, tile)
        self.ctx.tstore(window, tile)
        self.assertEqual(20, array[2, 2])
        self.assertEqual((3, 4), tensor.shape)

    def test_pads_of_ones_own_and_packed_tiles(self):
        with libpto.Context() as ctx:
            src = libpto.Tile(ctx, libpto.DType.U16, 2, 3, valid=(1, 2))
            dst = libpto.Tile(ctx, libpto.DType.U16, 2, 3, pad=libpto.Pad.CUSTOM, pad_bits=0x12345678)
            ctx.tfillpad(dst, src)
            self.assertEqual(dst.read(ctx).tolist(), [[0, 0, 0x5678], [0x5678] * 3])
            self.assertEqual((dst.pad, dst.pad_bits), (libpto.Pad.CUSTOM, 0x12345678))
            packed = libpto.Tile(ctx, libpto.DType.F32, 32, 16, blayout=libpto.BLayout.COL_MAJOR, slayout=libpto.SLayout.ROW_MAJOR,
                                 compact=libpto.Compact.NORMAL)
            self.assertEqual(packed.compact, libpto.Compact.NORMAL)

    def test_what_is_printed_is_read(self):
        with libpto.Context() as ctx:
            tile = libpto.Tile.copy(ctx, np.array([[7, -8]], np.int32))
            ctx.tprint(tile)
            ctx.print("end")
            self.assertEqual(ctx.output, "TPRINT 1x2\n       7       -8\nend")
            ctx.clear_output()
            self.assertEqual(ctx.output, "")
            ctx.tprint(tile, libpto.PrintFormat.WIDTH10_PRECISION6)
            self.assertEqual(ctx.output, "TPRINT 1x2\n         7         -8\n")
            with self.assertRaises(libpto.Error) as caught:
                ctx.tprint(tile, 3)
            self.assertEqual(caught.exception.rule, "mode")

    def test_on_chip_memory_is_as_large_as_asked(self):
        with libpto.Context() as ctx:
            self.assertEqual(ctx.capacity(libpto.Location.VEC), 1 << 30)
            ctx.limit_on_chip(1 << 33)
            tile = libpto.Tile(ctx, libpto.DType.F32, 1, 8, storage=libpto.Storage.MANUAL)
            ctx.tassign(tile, (1 << 33) - 32)
            with self.assertRaises(libpto.Error) as caught:
                ctx.tassign(tile, 1 << 33)
            self.assertEqual(caught.exception.rule, "address-range")
            with self.assertRaises(libpto.Error) as caught:
                ctx.limit_on_chip(4096)
            self.assertEqual(caught.exception.rule, "on-chip-limit")

    def test_arrays_over_tiles_outlive_them(self):
        filled = np.arange(64, dtype=np.float32).reshape(8, 8)
        manual = libpto.Tile(self.ctx, libpto.DType.F32, 8, 8, storage=libpto.Storage.MANUAL)
        self.ctx.tassign(manual, 0)
        owned = libpto.Tile(self.ctx, libpto.DType.F32, 8, 8)
        by_column = libpto.Tile(self.ctx, libpto.DType.F32, 8, 8, blayout=libpto.BLayout.COL_MAJOR)
        tensor = libpto.Tensor(self.ctx, libpto.DType.F32, (8, 8), (24, 1))
        for of, holder in (("manual", manual), ("owned", owned), ("by column", by_column), ("tensor", tensor)):
            with self.subTest(of):
                holder.write(self.ctx, filled)
                seen = [np.asarray(holder), np.from_dlpack(holder), np.array(holder, np.float64)]
                if of == "owned":
                    window = holder.view(self.ctx, 2, 3, 4, 5)
                    np.testing.assert_array_equal(filled[2:6, 3:8], np.asarray(window))
                    window.set_valid(self.ctx, 2, 2)
                    np.testing.assert_array_equal(filled[2:4, 3:5], np.from_dlpack(window))
                    window.close()
                seen[0][1, 2] = 99
                self.assertEqual(99, holder.read(self.ctx)[1, 2])
                if of == "manual":
                    self.ctx.tassign(holder, 4096)
                holder.close()
                gc.collect()
                junk = [libpto.Tile(self.ctx, libpto.DType.F32, 8, 8) for _ in range(100)]
                for tile in junk:
                    tile.write(self.ctx, np.full((8, 8), -1, np.float32))
                for array in seen[:2]:
                    self.assertEqual((99, 63), (array[1, 2], array[7, 7]))
                self.assertEqual((10, 63), (seen[2][1, 2], seen[2][7, 7]))
                for tile in junk:
                    tile.close()
                del seen, array
        boxed = libpto.Tile(self.ctx, libpto.DType.F32, 16, 16, blayout=libpto.BLayout.COL_MAJOR, slayout=libpto.SLayout.ROW_MAJOR)
        boxed.write(self.ctx, np.arange(256, dtype=np.float32).reshape(16, 16))
        self.assertEqual(255, np.asarray(boxed)[15, 15])
        self.assertRaises(BufferError, np.from_dlpack, boxed)
        self.assertEqual((0, 3), np.asarray(libpto.Tile(self.ctx, libpto.DType.F32, 2, 3, valid=(0, 3))).shape)

    def test_memory_of_others(self):
        class Foreign:  # what torch and others look like
            def __init__(self, array):
                self.array = array

            def __dlpack__(self):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return (1, 0)

        array = np.arange(6, dtype=np.int32).reshape(2, 3)
        wrapped = libpto.Tile.wrap(self.ctx, Foreign(array))
        array[0, 0] = 50
        self.assertEqual(50, wrapped.read(self.ctx)[0, 0])
        self.assertEqual(50, libpto.Tile.copy(self.ctx, Foreign(array)).read(self.ctx)[0, 0])
        self.assertEqual(libpto.BLayout.COL_MAJOR, libpto.Tile.wrap(self.ctx, Foreign(array.T)).blayout)
        self.assertRaises(ValueError, libpto.Tile.wrap, self.ctx, Foreign(array[:, ::2]))  # strided
        with self.assertRaisesRegex(TypeError, "list can be shared.*copy"):
            libpto.Tile.wrap(self.ctx, [[1, 2]])
        self.assertRaises(TypeError, libpto.Tile.copy, self.ctx, Foreign(np.zeros((1, 1), np.complex64)))
        capsule = array.__dlpack__()
        libpto.raw.dlpack_take(capsule)
        self.assertRaises(TypeError, libpto.raw.dlpack_take, capsule)
        # bf16 has a name in DLPack, and works in both directions.
        bf16 = libpto.Tile.copy(self.ctx, np.array([[0x3F80, 0x4000]], np.uint16), dtype=libpto.DType.BF16)
        again = libpto.Tile.wrap(self.ctx, bf16)
        self.assertEqual((libpto.DType.BF16, "<libpto.Tile of BF16, 1x2: [[1 2]]>"), (again.dtype, repr(again)))

    def test_names_and_pictures(self):
        for shown in (str, repr, "{}".format, "{:s}".format):
            self.assertEqual("DType.F32", shown(libpto.DType.F32))
        self.assertEqual("0x0a", "%#04x" % libpto.DType.F32)
        self.assertEqual("Flags.HIGH_PRECISION|Flags(4)", str(libpto.Flags(5)))
        tile = libpto.Tile.copy(self.ctx, np.arange(64, dtype=np.float32).reshape(8, 8) - np.inf)
        self.assertIn("[[-inf -inf ... -inf] [-inf -inf ... -inf] ... [", repr(tile))
        picture = libpto.Tile.copy(self.ctx, np.arange(10000, dtype=np.float32).reshape(100, 100))._repr_html_()
        self.assertEqual((24 * 24, 1, 1), (picture.count("<td"), picture.count('title="9999"'), picture.count('title="0"')))
        self.assertLess(len(picture), 100_000)
        for odd in (tile, libpto.Tile(self.ctx, libpto.DType.F32, 2, 3, valid=(0, 3)), libpto.Tensor(self.ctx, libpto.DType.I8, (2, 3, 4)),
                    libpto.Tile(self.ctx, libpto.DType.F32, 8, 8, storage=libpto.Storage.MANUAL)):
            self.assertIn("libpto.T", odd._repr_html_())

    def test_generated_methods_are_the_librarys(self):
        """The facts from the header against the library's own table."""
        raw, had = libpto.raw, set()
        for i in range(raw.pto_op_count()):
            op = raw.pto_op_at(i)
            name = raw.pto_op_name(op)
            had.add(name)
            operands = [(raw.pto_op_operand_name(op, k), raw.pto_op_operand_role(op, k)) for k in range(raw.pto_op_operand_count(op))]
            optional = (libpto.Role.MODE, libpto.Role.TMP, libpto.Role.FLAGS)
            last = [n for n, role in operands if role == libpto.Role.MODE] + [n for n, role in operands if role in optional[1:]]
            needed = [n for n, role in operands if role not in optional]
            wanted = needed + last
            signature = inspect.signature(getattr(libpto.Context, name))
            self.assertEqual(["self"] + wanted, list(signature.parameters), name)
            defaults = {n: p.default for n, p in signature.parameters.items() if p.default is not p.empty}
            made = [n for n, default in defaults.items() if default is libpto._ops._LEFT_OUT]
            self.assertIn(made, ([], needed[-1:]), name)
            self.assertEqual(made + last, list(defaults), name)
            self.assertIn(raw.pto_op_brief(op).rstrip("."), " ".join(getattr(libpto.Context, name).__doc__.split()), name)
        # Communication between ranks has no row in the table: a method for each function of the header.
        had.update(name[len("pto_"):] for name in dir(raw) if name.startswith("pto_comm_"))
        self.assertEqual(had, {name for name in vars(libpto._ops.Instructions) if not name.startswith("_")})

    def test_unknown_values(self):
        self.assertEqual(77, libpto.Status(77))
        self.assertIsInstance(libpto.Status(77), libpto.Status)


if __name__ == "__main__":
    unittest.main()

"""The Python binding: the vectors that every language runs, data in and out, errors, lifetimes.

usage: test_pto.py VECTORS [UNITTEST ARGUMENTS]; the package is on PYTHONPATH
"""
import gc
import sys
import threading
import unittest

import numpy as np

import pto

VECTORS = sys.argv.pop(1)
NUMPY = {"bf16": np.uint16, "f16": np.float16, "f32": np.float32}
NUMPY.update({"%s%d" % (kind[0], bits): np.dtype("%s%d" % (kind, bits)) for kind in ("int", "uint") for bits in (8, 16, 32, 64)})


def cases():
    case = None
    with open(VECTORS) as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "case":
                name, profile, op, flags = rest.split(" ")
                case = {"name": name, "profile": pto.Profile[profile], "op": op, "flags": int(flags), "operands": [], "help": ""}
            elif word in ("tile", "tensor", "same", "none"):
                case["operands"].append([word] + rest.split(" "))
            elif word in ("want", "text", "help", "data"):
                case[word] = rest
            elif word == "end":
                yield case


def elements(digits, dtype, rows, cols):
    size = np.dtype(NUMPY[dtype]).itemsize
    packed = np.frombuffer(bytes.fromhex(digits), np.dtype("u1" if size == 1 else ">u%d" % size))
    return packed.astype("u%d" % size).view(NUMPY[dtype]).reshape(rows, cols)


def make(ctx, words):
    kind, _, dtype, rows, cols = words[:5]
    held = pto.DType[dtype.upper()]
    rows, cols = int(rows), int(cols)
    if kind == "tensor":
        tensor = pto.Tensor(ctx, held, (rows, cols))
        tensor.write(ctx, elements(words[5], dtype, rows, cols))
        return tensor
    valid_rows, valid_cols, blayout, slayout, fractal, location, address = (int(w) for w in words[5:12])
    tile = pto.Tile(ctx, held, rows, cols, blayout=blayout, slayout=slayout, fractal=fractal, location=location,
                    storage=pto.Storage.OWNED if address == -1 else pto.Storage.MANUAL)
    if address >= 0:
        ctx.tassign(tile, address)
    if words[12] != "-":
        tile.write(ctx, elements(words[12], dtype, rows, cols))
    tile.set_valid(ctx, valid_rows, valid_cols)
    return tile


class Conformance(unittest.TestCase):
    def run_case(self, case, as_object):
        with pto.Context(case["profile"]) as ctx:
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
                    inst = pto.Inst(ctx, case["op"])
                    for i, operand in enumerate(operands):
                        if operand is not None:
                            (inst.set_tensor if isinstance(operand, pto.Tensor) else inst.set_tile)(ctx, i, operand)
                    inst.set_int(ctx, len(operands), case["flags"])
                    inst.run(ctx)
                else:
                    getattr(ctx, case["op"])(*operands, case["flags"])
            except pto.Error as error:
                got = "%d %s %s" % (error.status, error.rule or "-", error.operand or "-")
                text, remedy = str(error), error.remedy
            self.assertEqual(case["want"], got, case["name"])
            self.assertEqual(case["help"], remedy, case["name"])
            if "text" in case:
                self.assertEqual(case["text"], text, case["name"])
            if case["data"] != "-":
                first = operands[0]
                if isinstance(first, pto.Tile) and case["op"] != "copy":
                    first.set_valid(ctx)
                wanted = elements(case["data"], case["operands"][0][2], *first.shape)
                self.assertEqual(wanted.tobytes(), first.read(ctx).tobytes(), case["name"])

    def test_every_vector(self):
        count = 0
        for case in cases():
            self.run_case(case, False)
            if case["op"] != "copy":
                self.run_case(case, True)
            count += 1
        self.assertGreater(count, 100)


class Binding(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.before = pto.live_handles()
        self.ctx = pto.Context()

    def tearDown(self):
        self.ctx.close()
        gc.collect()
        self.assertEqual(self.before, pto.live_handles())

    def refusal(self, function, *args, **keywords):
        with self.assertRaises(pto.Error) as caught:
            function(*args, **keywords)
        return caught.exception

    def test_wrap_is_the_arrays_memory(self):
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        with pto.Tile.wrap(self.ctx, array) as tile:
            self.ctx.tpartadd(tile, tile, tile)
            np.testing.assert_array_equal(array, [[0, 2, 4], [6, 8, 10]])
            array[0, 0] = 7
            self.assertEqual(7, tile.read(self.ctx)[0, 0])

    def test_a_tile_keeps_what_it_wraps(self):
        tiles = [pto.Tile.wrap(self.ctx, np.full((64, 64), i, np.float32)) for i in range(50)]
        views = [tile.view(self.ctx, 63, 63, 1, 1) for tile in tiles]
        inst = pto.Inst(self.ctx, "tpartadd")
        out = pto.Tile(self.ctx, pto.DType.F32, 64, 64)
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
        tile = pto.Tile.copy(self.ctx, np.array([[1, 2], [3, 4]], np.int16))
        out = np.zeros((2, 2), np.int16)
        self.assertIs(out, tile.read(self.ctx, out))
        self.assertEqual(4, out[1, 1])
        for wrong in (np.zeros((4,), np.int16), np.zeros((2, 4), np.int16)[:, ::2], np.frombuffer(bytes(8), np.int16).reshape(2, 2)):
            self.assertRaises(ValueError, tile.read, self.ctx, wrong)
        self.assertEqual("element-type", self.refusal(tile.read, self.ctx, np.zeros((2, 2), np.float16)).rule)

    def test_strided_arrays_are_written(self):
        tile = pto.Tile(self.ctx, pto.DType.I32, 2, 2)
        tile.write(self.ctx, np.arange(8, dtype=np.int32).reshape(2, 4)[:, ::2])
        np.testing.assert_array_equal(tile.read(self.ctx), [[0, 2], [4, 6]])

    def test_errors(self):
        tile = pto.Tile.copy(self.ctx, np.ones((2, 2), np.float32))
        wide = pto.Tile(self.ctx, pto.DType.F32, 2, 3)
        error = self.refusal(self.ctx.tpow, tile, tile, wide)
        self.assertEqual("tpow: exp is valid in 2x3 where dst is in 2x2 (rows x columns)", str(error))
        self.assertEqual(("valid-equal", "exp", pto.Status.SHAPE), (error.rule, error.operand, error.status))
        self.assertEqual("null", self.refusal(self.ctx.tpow, None, tile, tile).rule)
        self.assertEqual("flags", self.refusal(self.ctx.tpow, tile, tile, tile, None, 2).rule)
        self.assertRaises(OverflowError, self.ctx.tpow, tile, tile, tile, None, 1 << 32)
        self.assertRaises(TypeError, self.ctx.tpow, tile, tile)
        self.assertRaises(TypeError, self.ctx.tpow, tile, tile, self.ctx)
        self.assertRaises(TypeError, tile.write, None, np.ones((2, 2), np.float32))
        self.assertRaises(TypeError, tile.write, self.ctx, np.ones((2, 2), np.complex64))
        self.assertRaises(ValueError, tile.write, self.ctx, np.ones((4, 1), np.float32))
        self.assertEqual("element-type", self.refusal(tile.write, self.ctx, np.ones((2, 2), np.int32)).rule)
        self.assertEqual("dtype-known", self.refusal(pto.Tile, self.ctx, 99, 1, 1).rule)
        self.assertEqual("unknown-instruction", self.refusal(pto.Inst, self.ctx, "tp\u00f6w").rule)
        self.assertEqual(pto.Status.UNKNOWN, self.refusal(pto.Context, target="ABACUS").status)
        self.assertEqual(pto.Status.ARGUMENT, self.refusal(pto.Context, 9).status)
        self.assertTrue((tile.read(self.ctx) == 1).all())

    def test_use_after_close(self):
        tile = pto.Tile(self.ctx, pto.DType.F32, 1, 1)
        other = pto.Tile(self.ctx, pto.DType.F32, 1, 1)
        tile.close()
        tile.close()
        self.assertTrue(tile.closed)
        self.assertRaises(ValueError, lambda: tile.rows)
        self.assertRaises(ValueError, tile.read, self.ctx)
        self.assertRaises(ValueError, self.ctx.tpow, other, tile, other)
        self.ctx.close()
        self.assertRaises(ValueError, self.ctx.tpow, other, other, other)
        self.assertRaises(ValueError, pto.Tile, self.ctx, pto.DType.F32, 1, 1)

    def test_many_handles_leave_nothing(self):
        for _ in range(200_000):
            pto.Tile(self.ctx, pto.DType.F32, 1, 1).close()
        for _ in range(20_000):
            pto.Tile(self.ctx, pto.DType.F32, 1, 1)

    def test_errors_of_threads_do_not_mix(self):
        wrong = []

        def work(cols):
            with pto.Context() as ctx, pto.Tile(ctx, pto.DType.F32, 2, 2) as tile, pto.Tile(ctx, pto.DType.F32, 2, cols) as exp:
                for _ in range(1000):
                    try:
                        ctx.tpow(tile, tile, exp)
                        wrong.append("no error")
                    except pto.Error as error:
                        if "2x%d " % cols not in str(error):
                            wrong.append(str(error))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(3, 11)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)

    def test_bf16_travels_as_bits(self):
        bits = np.array([[0x3F80, 0x4000]], np.uint16)
        tile = pto.Tile.copy(self.ctx, bits, dtype=pto.DType.BF16)
        self.ctx.tpartadd(tile, tile, tile)
        np.testing.assert_array_equal(tile.read(self.ctx), [[0x4000, 0x4080]])

    def test_tensors(self):
        array = np.arange(12, dtype=np.float32).reshape(3, 4)
        tensor = pto.Tensor.wrap(self.ctx, array)
        window = tensor.view(self.ctx, pto.DType.F32, (2, 2), (4, 1), offset=5)
        tile = pto.Tile(self.ctx, pto.DType.F32, 2, 2)
        self.ctx.tload(tile, window)
        np.testing.assert_array_equal(tile.read(self.ctx), array[1:, 1:3])
        self.ctx.tpartadd(tile, tile, tile)
        self.ctx.tstore(window, tile)
        self.assertEqual(20, array[2, 2])
        self.assertEqual((3, 4), tensor.shape)

    def test_programs(self):
        text = "%d = tpow %base, %exp, %tmp : !pto.tile<...>\n"
        with pto.Program(self.ctx, text, "t.pto") as program:
            for name in ("base", "exp", "tmp"):
                program.bind(self.ctx, name, pto.Tile.wrap(self.ctx, np.array([[2, 3]], np.float32)))
            gc.collect()
            program.run(self.ctx)
            np.testing.assert_array_equal(program.tile(self.ctx, "d").read(self.ctx), [[4, 27]])
            self.assertEqual("argument-name", self.refusal(program.tile, self.ctx, "nothing").rule)
        wrong = pto.Program(self.ctx, "%d = tpower %a")
        self.assertEqual(pto.Status.PROGRAM, self.refusal(wrong.run, self.ctx).status)
        self.assertIn("tpower", "".join(wrong.diagnostics))
        self.assertEqual(1, pto.ArgKind.TILE)

    def test_unknown_values(self):
        self.assertEqual(77, pto.Status(77))
        self.assertIsInstance(pto.Status(77), pto.Status)


if __name__ == "__main__":
    unittest.main()

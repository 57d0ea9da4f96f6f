"""What a Python user may pass: arrays in any order, lists, whatever is a number, and what a call leaves out."""
import dataclasses
import gc
import unittest

import numpy as np

import libpto
from case import Case


class Index:
    """An integer type of a program's own."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Float:
    def __float__(self):
        return 0.5


class Sharing(Case):
    def test_shared_bits_keep_their_type(self):
        ones = np.ones((2, 2), np.int32)
        for dtype in (libpto.DType.F32, "f32", np.float32, libpto.DType.U32, libpto.DType.I16):
            for wrap in (libpto.Tile.wrap, libpto.Tensor.wrap):
                with self.assertRaisesRegex(TypeError, "int32 cannot be shared as .*array.view"):
                    wrap(self.ctx, ones, dtype=dtype)
        bits = np.array([[0x3F80, 0x4000]], np.uint16)
        for wrap in (libpto.Tile.wrap, libpto.Tensor.wrap):  # NumPy has no bf16
            self.assertEqual("[[1 2]]", repr(wrap(self.ctx, bits, dtype="bf16")).rpartition(": ")[2][:-1])
        codes = np.full((1, 4), 0x38, np.uint8)
        self.assertEqual("<libpto.Tile of E4M3, 1x4: [[1 1 1 1]]>", repr(libpto.Tile.wrap(self.ctx, codes, "e4m3")))
        with self.assertRaisesRegex(TypeError, "use copy"):
            libpto.Tile.wrap(self.ctx, codes, "e2m1")
        fixed = np.ones((2, 2), np.float32)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "writeable"):
            libpto.Tile.wrap(self.ctx, fixed)

    def test_the_layout_is_the_arrays_order(self):
        """Element (i, j) of the tile is array[i, j], or the array is refused."""
        rows = np.arange(6, dtype=np.float32).reshape(2, 3)
        columns = np.asfortranarray(rows)
        row, column = libpto.BLayout.ROW_MAJOR, libpto.BLayout.COL_MAJOR
        for array, layout in ((rows, row), (columns, column), (rows.T, column), (columns.T, row), (rows[:1], row), (rows[:1].T, row)):
            for given in ({}, {"blayout": layout}, {"blayout": int(layout)}):
                with libpto.Tile.wrap(self.ctx, array, **given) as tile:
                    self.assertEqual(layout, tile.blayout)
                    np.testing.assert_array_equal(array, tile.read(self.ctx))
                    array[0, 0] += 1
                    np.testing.assert_array_equal(array, tile.read(self.ctx))
        self.assertEqual(column, libpto.Tile.wrap(self.ctx, rows[:1], blayout=column).blayout)  # one row has both orders
        for array, layout, why in ((rows, column, "columns one after another"), (columns, row, "rows one after another"),
                                   (rows[:, ::2], None, "contiguous"), (rows[:, ::-1], None, "contiguous")):
            with self.assertRaisesRegex(ValueError, why):
                libpto.Tile.wrap(self.ctx, array, **({} if layout is None else {"blayout": layout}))
        boxes = np.zeros((16, 16), np.float32)
        with self.assertRaisesRegex(ValueError, "boxes; use copy"):
            libpto.Tile.wrap(self.ctx, boxes, blayout=column, slayout=libpto.SLayout.ROW_MAJOR)
        with self.assertRaisesRegex(ValueError, "the array has 3 dimensions; a tile has 2"):
            libpto.Tile.wrap(self.ctx, np.zeros((1, 2, 3), np.float32))

    def test_tensors_over_strided_arrays(self):
        array = np.arange(120, dtype=np.int32).reshape(4, 5, 6)
        for view in (array[::2, 1:4, 2::3], array.T, array.transpose(1, 0, 2), array[1:2], array[:, :1, ::5], np.asfortranarray(array), array[:, 2:2]):
            with libpto.Tensor.wrap(self.ctx, view) as tensor:
                self.assertEqual(view.shape, tensor.shape)
                np.testing.assert_array_equal(view, tensor.read(self.ctx))
                if view.size:
                    more = view + 1
                    tensor.write(self.ctx, more)
                    np.testing.assert_array_equal(more, view)  # the array itself
        square = np.arange(16, dtype=np.float32).reshape(4, 4)
        turned = libpto.Tensor.wrap(self.ctx, square.T[:, :2])
        del square
        gc.collect()
        tile = libpto.Tile(self.ctx, "f32", 4, 2)
        self.ctx.tload(tile, turned)
        self.assertEqual([[0, 4], [1, 5], [2, 6], [3, 7]], tile.read(self.ctx).tolist())
        by_column = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
        self.assertEqual(5, libpto.Tensor.wrap(self.ctx, by_column, layout=libpto.Layout.DN).read(self.ctx)[1, 2])
        with self.assertRaisesRegex(ValueError, "negative strides"):
            libpto.Tensor.wrap(self.ctx, array[::-1])
        odd = np.ndarray((2,), np.int32, np.zeros(12, np.uint8), 0, (6,))
        with self.assertRaisesRegex(ValueError, "not multiples"):
            libpto.Tensor.wrap(self.ctx, odd)


class Values(Case):
    def test_names_of_element_types(self):
        names = [libpto.DType.F32, 10, "f32", "F32", "float32", np.float32, np.dtype("f4"), "<f4", np.int32(10), np.array(1, np.float32).dtype]
        for name in names:
            self.assertEqual(libpto.DType.F32, libpto.Tile(self.ctx, name, 1, 1).dtype)
            self.assertEqual(libpto.DType.F32, libpto.Tensor(self.ctx, name, (2,)).dtype)
            self.assertEqual(libpto.DType.F32, libpto.Tile.copy(self.ctx, [[1]], dtype=name).dtype)
        self.assertEqual(libpto.DType.I64, libpto.Tile(self.ctx, int, 1, 1).dtype)
        for name in ("bf16", "bfloat16", "e4m3", "float8_e4m3fn"):
            self.assertIn(libpto.Tile(self.ctx, name, 1, 2).dtype, (libpto.DType.BF16, libpto.DType.E4M3))
        for wrong in (float, "f64", "float64", np.complex64, object, None, 2.5):
            with self.assertRaisesRegex(TypeError, "no element type .*use one of i8, u8"):
                libpto.Tile(self.ctx, wrong, 1, 1)
        try:
            import ml_dtypes
        except ImportError:
            return
        self.assertEqual(libpto.DType.BF16, libpto.Tile(self.ctx, ml_dtypes.bfloat16, 1, 1).dtype)
        self.assertEqual(libpto.DType.E5M2, libpto.Tile(self.ctx, np.dtype(ml_dtypes.float8_e5m2), 1, 1).dtype)

    def test_whatever_is_an_index_or_a_float(self):
        ints = (Index, np.int64, np.uint8, lambda value: np.array(value), int)
        for integer in ints:
            tile = libpto.Tile(self.ctx, libpto.DType.F32, integer(2), integer(4), valid=(integer(2), integer(3)))
            tile.set_valid(self.ctx, integer(1), integer(2))
            self.assertEqual((1, 2), tile.view(self.ctx, integer(0), integer(0), integer(1), integer(2)).shape)
            self.assertEqual((2, 3), libpto.Tensor(self.ctx, integer(10), (integer(2), integer(3)), (integer(4), integer(1))).shape)
            self.ctx.texpands(tile, integer(7), flags=integer(0))
            self.assertEqual(7, tile.read(self.ctx)[0, 0])
        for number in (np.float32(0.5), np.float64(0.5), np.float16(0.5), np.array(0.5), Float(), 0.5):
            tile = libpto.Tile.copy(self.ctx, [[1, 2]], dtype="f32")
            self.assertEqual([[1.5, 2.5]], self.ctx.tadds(tile, number).read(self.ctx).tolist())
            inst = libpto.Inst(self.ctx, "texpands")
            inst.set_tile(self.ctx, np.int64(0), tile)
            inst.set_float(self.ctx, np.int64(1), number)
            inst.run(self.ctx)
            self.assertEqual([[0.5, 0.5]], tile.read(self.ctx).tolist())
        for wrong in (2.5, "2", None, np.array([2, 3])):
            with self.assertRaises(TypeError):
                libpto.Tile(self.ctx, "f32", wrong, 1)
        with self.assertRaisesRegex(OverflowError, "rows is 2147483648, which is not from"):
            libpto.Tile(self.ctx, "f32", np.int64(1 << 31), 1)

    def test_lists_and_float64_are_converted(self):
        tile = libpto.Tile.copy(self.ctx, [[1, 2], [3, 4.5]], dtype="f16")
        self.assertEqual([[1, 2], [3, 4.5]], tile.read(self.ctx).tolist())
        tile.write(self.ctx, np.array([[0.1, 2049], [2051, 65520]]))
        np.testing.assert_array_equal(tile.read(self.ctx), np.array([[0.1, 2048], [2052, np.inf]], np.float16))
        whole = libpto.Tile.copy(self.ctx, np.array([[1.0, -128.0]]), dtype=np.int8)
        self.assertEqual([[1, -128]], whole.read(self.ctx).tolist())
        libpto.Tensor(self.ctx, "u64", (2,)).write(self.ctx, [2**64 - 1, 0])
        for wrong in ([[300, 0]], [[2.5, 0]], np.array([[128.0, 0]]), [[float("nan"), 0]], np.array([[0, np.inf]])):
            error = self.refusal(whole.write, self.ctx, wrong)
            self.assertEqual(("scalar-range", libpto.Status.ARGUMENT, "array"), (error.rule, error.status, error.operand))
            self.assertRegex(str(error), "which i8 does not have")
        self.assertEqual([[1, -128]], whole.read(self.ctx).tolist())
        with self.assertRaisesRegex(TypeError, "list has no element type; pass dtype"):
            libpto.Tile.copy(self.ctx, [[1, 2]])
        with self.assertRaisesRegex(TypeError, "no elements of type float64; convert the array"):
            libpto.Tile.copy(self.ctx, np.ones((1, 2)))
        with self.assertRaisesRegex(TypeError, "not converted to e4m3"):
            libpto.Tile.copy(self.ctx, [[1.0]], dtype="e4m3")
        self.assertEqual("element-type", self.refusal(whole.write, self.ctx, np.ones((1, 2), np.int32)).rule)  # has its own type
        for ragged in ([[1, 2], [3]], [["1", "2"]], [[None, 1]]):
            with self.assertRaises((ValueError, TypeError)):
                whole.write(self.ctx, ragged)

    def test_numbers_round_as_scalars_do(self):
        """The library's own rounding, of numbers that lie at and beside the middle between neighbours."""
        rng = np.random.default_rng(35)
        middles = (rng.integers(0, 2**32, 2000, np.uint64) << np.uint64(32)).view(np.float64)
        doubles = [float(x) for x in middles] + [float(x) for x in np.nextafter(middles, np.inf)]
        for bits, place in ((8, 8), (11, 11), (24, 24)):  # digits of bf16, f16, f32
            for odd in range(2 ** (bits - 1) + 1, 2 ** (bits - 1) + 9):
                middle = (odd + 0.5) * 2.0 ** (1 - place)
                doubles += [middle, np.nextafter(middle, 0), np.nextafter(middle, 9), -middle, middle * 2.0**-140, middle * 2.0**-20]
        doubles += [0.0, -0.0, np.inf, -np.inf, np.nan, 3.4028235677973366e38, 65519.99999999999, 2**-150, 2**-1074]
        integers = [2**53 + 1, 2**63 - 1, -(2**60 + 2**36), (2**25 + 3) << 37, ((2**25 + 3) << 37) + 1, -(((2**24 + 1) << 38) + 1)]
        for dtype in ("f32", "f16", "bf16"):
            one = libpto.Tile(self.ctx, dtype, 1, 1)
            for numbers, source in ((doubles, np.array([doubles])), (integers, [integers])):
                wanted = []
                for number in numbers:
                    self.ctx.texpands(one, number)
                    wanted.append(one.read(self.ctx).tobytes())
                got = libpto.Tile.copy(self.ctx, source, dtype=dtype).read(self.ctx)
                for number, want, had in zip(numbers, wanted, got.reshape(-1)):
                    self.assertEqual(want, had.tobytes(), (dtype, number))


class Calls(Case):
    def test_modes_have_defaults(self):
        src = libpto.Tile.copy(self.ctx, [[2.5, -3.5]], dtype="f32")
        dst = libpto.Tile(self.ctx, "i32", 1, 2)
        for call, want in ((lambda: self.ctx.tcvt(dst, src), [2, -4]), (lambda: self.ctx.tcvt(dst, src, mode=libpto.Round.FLOOR), [2, -4]),
                           (lambda: self.ctx.tcvt(dst, src, libpto.Round.CEIL, libpto.Sat.ON), [3, -3]),
                           (lambda: self.ctx.tcvt(dst, src, sat_mode=libpto.Sat.OFF, mode=libpto.Round.TRUNC), [2, -3])):
            self.assertIs(dst, call())
            self.assertEqual([want], dst.read(self.ctx).tolist())
        a, b = (libpto.Tile.copy(self.ctx, np.full((2, 2), 3, np.float32)) for _ in "ab")
        product = libpto.Tile(self.ctx, "f32", 2, 2)
        self.ctx.tmatmul(product, a, b)
        self.assertEqual(18, product.read(self.ctx)[1, 1])
        self.ctx.tmatmul(product, a, b, mad=libpto.Mad.TF32_RINT)
        self.assertEqual(18, product.read(self.ctx)[1, 1])

    def test_results_are_made(self):
        a = libpto.Tile.copy(self.ctx, [[1, 2, 3], [4, 5, 6]], dtype="f32")
        b = libpto.Tile.copy(self.ctx, [[2, 2, 2], [0.5, 1, 2]], dtype="f32")
        for made, want in ((self.ctx.tadd(a, b), [[3, 4, 5], [4.5, 6, 8]]), (self.ctx.tpow(a, b), [[1, 4, 9], [2, 5, 36]]),
                           (self.ctx.tpow(a, b, tmp=b), [[1, 4, 9], [2, 5, 36]]), (self.ctx.tadds(a, 2.5), [[3.5, 4.5, 5.5], [6.5, 7.5, 8.5]]),
                           (self.ctx.trowexpandsub(a, self.ctx.trowsum(a)), [[-5, -4, -3], [-11, -10, -9]]),
                           (self.ctx.trowexpandsub(self.ctx.trowsum(a), a), [[5, 4, 3], [11, 10, 9]]), (self.ctx.trowsum(a), [[6], [15]]), (self.ctx.tcolmax(a), [[4, 5, 6]]), (self.ctx.ttrans(a), [[1, 4], [2, 5], [3, 6]]),
                           (self.ctx.tmatmul(a, self.ctx.ttrans(b)), [[12, 8.5], [30, 19]]), (self.ctx.trelu(self.ctx.tneg(a)), [[0] * 3] * 2)):
            self.assertEqual(want, made.read(self.ctx).tolist())
        half = libpto.Tile.copy(self.ctx, np.eye(2, dtype=np.float16))
        self.assertEqual(libpto.DType.F32, self.ctx.tmatmul(half, half).dtype)
        # It has the layout and the valid region of the sources.
        wide = libpto.Tile(self.ctx, "f32", 8, 16, valid=(2, 3), blayout=libpto.BLayout.COL_MAJOR)
        made = self.ctx.tadd(wide, wide)
        self.assertEqual(((2, 3), 8, 16, libpto.BLayout.COL_MAJOR), (made.shape, made.rows, made.cols, made.blayout))
        for call, what in ((lambda: self.ctx.tcvt(a), "element type of dst"), (lambda: self.ctx.trowsum(half), r"element type of dst \(F16 or F32\)"),
                           (lambda: self.ctx.tadd(a, half), "shape of dst")):
            with self.assertRaisesRegex(TypeError, what + ".* does not follow from the operands; pass the result as dst"):
                call()
        for call in (lambda: self.ctx.tadd(a), lambda: self.ctx.tadd(a, 2), lambda: self.ctx.tadd(src0=a, src1=b), lambda: self.ctx.tadd(dst=a, src1=b),
                     lambda: self.ctx.texpands(3)):
            self.assertRaises(TypeError, call)
        whole = libpto.Tile.copy(self.ctx, [[1, 2, 3], [4, 5, 6]], dtype="i32")
        self.assertEqual("same-dtype", self.refusal(self.ctx.tadd, a, whole).rule)  # sources that do not fit are the library's to refuse

    def test_made_results_are_those_of_tiles_given(self):
        """Every instruction that makes its result, on hardware's profiles too: both forms give the same bits, or neither does."""
        done = set()
        for profile in libpto.Profile:
            with libpto.Context(profile) as ctx:
                for name, method in vars(libpto._ops.Instructions).items():
                    if name.startswith("_") or method.__annotations__["return"] == "None":
                        continue
                    plan = libpto._result._Plan(name)
                    self.assertEqual(libpto.Role.OUT, libpto.raw.pto_op_operand_role(plan.op, 0), name)
                    for dtype in (libpto.DType.F32, libpto.DType.F16, libpto.DType.I32):
                        values = np.arange(1, 257, dtype=libpto._arrays.NUMPY[dtype]).reshape(16, 16) % 16
                        sources = [libpto.Tile.copy(ctx, values) if i in plan.extents else 1 for i in plan.given]
                        try:
                            made = getattr(ctx, name)(*sources)
                        except (TypeError, libpto.Error):
                            continue  # the result is not clear, or the instruction does not take these
                        given = libpto.Tile(ctx, made.dtype, made.rows, made.cols, valid=made.shape, location=made.location, blayout=made.blayout,
                                            slayout=made.slayout, fractal=made.fractal)
                        self.assertIs(given, getattr(ctx, name)(given, *sources))
                        self.assertEqual(made.read(ctx).tobytes(), given.read(ctx).tobytes(), name)
                        done.add((profile, name))
        for profile, least in zip(libpto.Profile, (70, 40, 50)):
            self.assertGreater(len([1 for where, _ in done if where == profile]), least, profile)


SCALE = """func.func @scale(%x: !pto.partition_tensor_view<2x3xf32>, %y: !pto.partition_tensor_view<2x3xf32>, %s: f32, %n: i32) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x3xf32>
  pto.tload ins(%x : !pto.partition_tensor_view<2x3xf32>) outs(%t : !pto.tile_buf<vec, 2x3xf32>)
  pto.tmuls ins(%t, %s : !pto.tile_buf<vec, 2x3xf32>, f32) outs(%t : !pto.tile_buf<vec, 2x3xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 2x3xf32>) outs(%y : !pto.partition_tensor_view<2x3xf32>)
  return
}
"""


class Bindings(Case):
    def test_arrays_and_numbers_by_name(self):
        with libpto.Program(self.ctx, SCALE, "scale.pto") as program:
            kind, dtype = libpto.ArgKind, libpto.DType
            self.assertEqual([(0, "x", kind.TENSOR, dtype.F32, False), (1, "y", kind.TENSOR, dtype.F32, False), (2, "s", kind.FLOAT, dtype.F32, False),
                              (3, "n", kind.INT, dtype.I32, False)], list(map(dataclasses.astuple, program.arguments())))
            self.assertEqual(("scale", None), (program.entry, program.profile))
            source = np.arange(12, dtype=np.float32).reshape(3, 4)
            out = np.zeros((3, 2), np.float32)
            program.bind(self.ctx, "x", source.T[1:3])  # strided
            program.bind(self.ctx, 1, out.T)
            program.bind(self.ctx, "s", np.float32(2))
            program.bind(self.ctx, "n", np.int64(3))
            gc.collect()
            program.run(self.ctx)
            np.testing.assert_array_equal(2 * source.T[1:3], out.T)
            program.bind(self.ctx, "x", [[1, 2, 3], [4, 5, 6.5]])
            program.bind(self.ctx, "s", 3)  # an int where a float is meant
            program.run(self.ctx)
            self.assertEqual([[3, 6, 9], [12, 15, 19.5]], out.T.tolist())
            program.bind(self.ctx, "s", "0.5")  # a decimal number
            program.run(self.ctx)
            self.assertEqual([[0.5, 1, 1.5], [2, 2.5, 3.25]], out.T.tolist())
            for name in ("z", "%x", "4", 9):
                error = self.refusal(program.bind, self.ctx, name, 1)
                self.assertEqual("argument-name", error.rule)
                self.assertIn("there are x, y, s, n", str(error))
                self.assertEqual("argument-name", self.refusal(program.unbind, self.ctx, name).rule)
            self.assertEqual("argument-name", self.refusal(program.bind, self.ctx, "z", out).rule)
            for name, wrong in (("s", [2.0]), ("n", 2.5), ("x", np.ones((2, 3), np.complex64)), ("x", "abc"), ("n", out)):
                with self.assertRaises((TypeError, ValueError), msg=name):
                    program.bind(self.ctx, name, wrong)
            with self.assertRaisesRegex(TypeError, "float64"):
                program.bind(self.ctx, "y", np.zeros((2, 3)))  # a copy would not show the result
            program.unbind(self.ctx, "s")
            self.assertEqual("unbound-argument", self.refusal(program.run, self.ctx).rule)

    def test_a_binding_that_is_taken_back_keeps_nothing(self):
        with libpto.Program(self.ctx, SCALE) as program:
            before = libpto.live_handles()
            for name in ("x", "0"):  # one argument under two names
                program.bind(self.ctx, name, np.ones((2, 3), np.float32))
            gc.collect()
            self.assertEqual((before + 1, 1), (libpto.live_handles(), len([held for held in program._bound.values() if held is not None])))
            program.unbind(self.ctx, "x")
            gc.collect()
            self.assertEqual((before, 0), (libpto.live_handles(), len([held for held in program._bound.values() if held is not None])))
            self.assertEqual("unbound-argument", self.refusal(program.run, self.ctx).rule)

    def test_tiles_as_arrays(self):
        with libpto.Program(self.ctx, "%d = tadd %a, %b\n") as program:
            program.bind(self.ctx, "a", libpto.Tile.copy(self.ctx, [[1, 2]], dtype="f32"))
            program.bind(self.ctx, "b", np.array([[3, 4]], np.float32))
            program.run(self.ctx)
            self.assertEqual([[4, 6]], program.tile(self.ctx, "d").read(self.ctx).tolist())
            self.assertEqual("argument-name", self.refusal(program.bind, self.ctx, "c", 1).rule)
            with self.assertRaisesRegex(TypeError, "no element type that the program names"):
                program.bind(self.ctx, "b", [[1, 2]])
        typ = "!pto.tile_buf<vec, 2x8xf32>"
        with libpto.Program(self.ctx, "func.func @f(%t: " + typ + ") {\n pto.tadd ins(%t, %t : " + typ + ", " + typ + ") outs(%t : " + typ + ")\n return\n}\n") as program:
            array = np.ones((2, 8), np.float32)
            program.bind(self.ctx, "t", array)
            program.run(self.ctx)
            self.assertEqual(32, array.sum())
        with libpto.Program(self.ctx, "nonsense %") as program:
            program.bind(self.ctx, "t", 1)  # what is wrong with the text, a run reports
            self.assertEqual(libpto.Status.PROGRAM, self.refusal(program.run, self.ctx).status)

    def test_what_a_program_can_be_set_to(self):
        with libpto.Program(self.ctx, SCALE) as program:
            for form in libpto.Form:
                self.assertIn("tmuls", program.print(self.ctx, form))
            for name, value in (("x", np.ones((2, 3), np.float32)), ("y", np.ones((2, 3), np.float32)), ("s", 2), ("n", 0)):
                program.bind(self.ctx, name, value)
            steps = []
            for blocks in (1, np.int64(3)):
                program.set_blocks(self.ctx, blocks)
                program.run(self.ctx)
                steps.append(program.blocks_so_far)
            self.assertEqual([1, 3], steps)
            program.set_threads(self.ctx, 2)
            program.set_output(self.ctx, 0)
            self.assertEqual("unbound-argument", self.refusal(program.run, self.ctx).rule)  # nothing wrote what it reads
            program.set_output(self.ctx, 0, False)
            program.set_trace(self.ctx, True)
            program.run(self.ctx)
            self.assertIn("tmuls", program.trace(self.ctx))
            program.set_sync(self.ctx, True)
            self.refusal(program.run, self.ctx)  # no flag orders load, sum and store
            self.assertIn("error", "".join(program.diagnostics))
            for function, rule in ((program.set_blocks, "blocks"), (program.set_threads, "threads")):
                self.assertEqual(rule, self.refusal(function, self.ctx, 0).rule)


if __name__ == "__main__":
    unittest.main()

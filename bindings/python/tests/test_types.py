"""Element types that NumPy has not: bf16, floats of a byte, and two elements a byte."""
import unittest

import numpy as np

import libpto
from case import Case


class Types(Case):
    def test_bf16_travels_as_bits(self):
        bits = np.array([[0x3F80, 0x4000]], np.uint16)
        tile = libpto.Tile.copy(self.ctx, bits, dtype=libpto.DType.BF16)
        self.ctx.tpartadd(tile, tile, tile)
        np.testing.assert_array_equal(tile.read(self.ctx).view(np.uint16), [[0x4000, 0x4080]])

    def test_floats_of_a_byte(self):
        codes = np.arange(256, dtype=np.uint8).reshape(8, 32)
        held = {libpto.DType.E4M3: "float8_e4m3fn", libpto.DType.E5M2: "float8_e5m2", libpto.DType.HIF8: "", libpto.DType.E8M0: "float8_e8m0fnu"}
        values = libpto.Tile(self.ctx, libpto.DType.F32, 8, 32)
        for dtype, name in held.items():
            tile = libpto.Tile.copy(self.ctx, codes, dtype=dtype)
            np.testing.assert_array_equal(tile.read(self.ctx).view(np.uint8), codes)
            self.ctx.tcvt(values, tile, libpto.Round.RINT, libpto.Sat.ON)
            known = {libpto.DType.E4M3: [1, 448], libpto.DType.E5M2: [1, 57344], libpto.DType.HIF8: [1, 32768], libpto.DType.E8M0: [1, 2.0**127]}[dtype]
            at = {libpto.DType.E4M3: [0x38, 0x7E], libpto.DType.E5M2: [0x3C, 0x7B], libpto.DType.HIF8: [0x08, 0x6E], libpto.DType.E8M0: [127, 254]}[dtype]
            np.testing.assert_array_equal(values.read(self.ctx).reshape(-1)[at], known)
            self.assertIn("<libpto.Tile of %s, 8x32: [[" % dtype.name, repr(tile))
            if dtype != libpto.DType.HIF8:
                self.assertEqual(dtype, libpto.Tile.wrap(self.ctx, tile).dtype)  # through DLPack
            try:
                import ml_dtypes
            except ImportError:
                continue
            if not hasattr(ml_dtypes, name or "none"):
                continue
            array = codes.view(getattr(ml_dtypes, name))
            again = libpto.Tile.copy(self.ctx, array)
            self.assertEqual((dtype, array.dtype), (again.dtype, again.read(self.ctx).dtype))
            np.testing.assert_array_equal(values.read(self.ctx), array.astype(np.float32))

    def test_packed_types(self):
        """One element per byte in arrays, two in tiles and tensors."""
        codes = np.random.default_rng(4).integers(0, 16, (5, 7), np.uint8)
        values = {libpto.DType.E2M1: [0, 0.5, 1, 1.5, 2, 3, 4, 6], libpto.DType.E1M2: [k / 4 for k in range(8)]}
        for dtype in (libpto.DType.E2M1, libpto.DType.E1M2, libpto.DType.I4):
            numbers = np.array([*range(8), *range(-8, 0)] if dtype == libpto.DType.I4 else values[dtype] + [-v for v in values[dtype]], np.float32)
            tile = libpto.Tile(self.ctx, dtype, 6, 8, valid=(5, 7))
            tile.write(self.ctx, codes)
            self.assertEqual(24, tile.bytes)
            np.testing.assert_array_equal(tile.read(self.ctx).view(np.uint8), codes)
            wide = libpto.Tile(self.ctx, libpto.DType.F32, 5, 7)
            self.ctx.tcvt(wide, tile, libpto.Round.RINT, libpto.Sat.ON)
            np.testing.assert_array_equal(wide.read(self.ctx), numbers[codes])
            self.assertIn("<libpto.Tile of %s, 5x7" % dtype.name, repr(tile))
            with self.assertRaises(BufferError):
                np.from_dlpack(tile)
            tensor = libpto.Tensor(self.ctx, dtype, (4, 3, 6))
            given = np.resize(codes, (4, 3, 6))
            tensor.write(self.ctx, given)
            np.testing.assert_array_equal(tensor.read(self.ctx).view(np.uint8), given)
            with self.assertRaisesRegex(libpto.Error, "cuts a byte"):
                libpto.Tensor(self.ctx, dtype, (4, 3))
        self.assertEqual((0, 3), libpto.Tile(self.ctx, libpto.DType.I4, 2, 4, valid=(0, 3)).read(self.ctx).shape)


if __name__ == "__main__":
    unittest.main()

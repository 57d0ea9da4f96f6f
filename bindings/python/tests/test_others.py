"""Arrays of other libraries: ml_dtypes' small types and JAX, which check_others.py installs."""
import unittest

import jax.numpy
import ml_dtypes
import numpy as np

import libpto
from case import Case


class Others(Case):
    def test_floats_of_a_byte_as_ml_dtypes_rounds(self):
        rng = np.random.default_rng(18)
        bits = np.concatenate([np.arange(65536, dtype=np.uint32) << 16, (np.arange(65536, dtype=np.uint32) << 16) + 1,
                               rng.integers(0, 2**32, 2**18, np.uint32)])
        given = bits.view(np.float32).reshape(1, -1)
        src = libpto.Tile.copy(self.ctx, given)
        for dtype, name in ((libpto.DType.E4M3, "float8_e4m3fn"), (libpto.DType.E5M2, "float8_e5m2"), (libpto.DType.E8M0, "float8_e8m0fnu")):
            if not hasattr(ml_dtypes, name):
                continue
            dst = libpto.Tile(self.ctx, dtype, *given.shape)
            self.ctx.tcvt(dst, src, libpto.Round.RINT, libpto.Sat.OFF)
            ours, theirs = dst.read(self.ctx), given.astype(getattr(ml_dtypes, name))
            free = np.isnan(ours.astype(np.float32)) & np.isnan(theirs.astype(np.float32))
            if dtype == libpto.DType.E8M0:  # of subnormals ml_dtypes 0.6 does not give the nearest: 2^-127 + 2^-149 becomes 2^-126
                free |= np.abs(given) < 2.0**-126
            np.testing.assert_array_equal(np.where(free, 0, ours.view(np.uint8)), np.where(free, 0, theirs.view(np.uint8)))

    def test_packed_types_as_ml_dtypes_rounds(self):
        bits = np.concatenate([np.arange(65536, dtype=np.uint32) << 16, (np.arange(65536, dtype=np.uint32) << 16) + 1])
        given = bits.view(np.float32).reshape(256, 512)
        src = libpto.Tile.copy(self.ctx, given)
        if hasattr(ml_dtypes, "float4_e2m1fn"):
            dst = libpto.Tile(self.ctx, libpto.DType.E2M1, *given.shape)
            self.ctx.tcvt(dst, src, libpto.Round.RINT, libpto.Sat.OFF)
            with np.errstate(invalid="ignore"):
                ours, theirs = dst.read(self.ctx), given.astype(ml_dtypes.float4_e2m1fn)
            self.assertEqual(theirs.dtype, ours.dtype)
            # The type has no NaN: ours is -0, ml_dtypes makes it a zero of the other sign.
            numbers = ~np.isnan(given)
            np.testing.assert_array_equal(ours.view(np.uint8)[numbers], theirs.view(np.uint8)[numbers])
            np.testing.assert_array_equal(ours.view(np.uint8)[~numbers], 8)
            with self.assertRaisesRegex(TypeError, "use copy"):
                libpto.Tile.wrap(self.ctx, theirs)
        if hasattr(ml_dtypes, "int4"):
            numbers = np.arange(-8, 8).astype(ml_dtypes.int4).reshape(2, 8)
            tile = libpto.Tile.copy(self.ctx, numbers)
            self.assertEqual(libpto.DType.I4, tile.dtype)
            np.testing.assert_array_equal(tile.read(self.ctx).astype(np.int32), numbers.astype(np.int32))

    def test_jax(self):
        """Both ways through DLPack; JAX's arrays do not change, so a tile of one is a copy."""
        for name in ("bfloat16", "float16", "float32", "int8", "uint8", "int16", "int32"):
            with self.subTest(dtype=name):
                given = jax.numpy.arange(6, dtype=name).reshape(2, 3)
                tile = libpto.Tile.copy(self.ctx, given)
                self.assertEqual((2, 3), tile.shape)
                again = jax.numpy.from_dlpack(tile)
                self.assertEqual((given.dtype, [[0, 1, 2], [3, 4, 5]]), (again.dtype, again.tolist()))


if __name__ == "__main__":
    unittest.main()

"""Programs that move rows and elements of memory by indices, and find places of elements, in the three spellings."""
import random
import unittest

from harness import CommandTest

import npy

ROWS, COLS, TABLE = 4, 8, 10

PROGRAM = """
func.func @main(%%x: !pto.ptr<f32>, %%i: !pto.ptr<i32>, %%t: !pto.ptr<f32>, %%out: !pto.ptr<f32>) {
  %%c1 = arith.constant 1 : index
  %%rows = arith.constant %(rows)d : index
  %%cols = arith.constant %(cols)d : index
  %%many = arith.constant %(table)d : index
  %%irows = arith.constant %(irows)d : index
  %%icols = arith.constant %(icols)d : index
  %%xv = pto.make_tensor_view %%x, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : !pto.tensor_view<%(rows)dx%(cols)dxf32>
  %%iv = pto.make_tensor_view %%i, shape = [%%irows, %%icols], strides = [%%icols, %%c1] : !pto.tensor_view<%(irows)dx%(icols)dxi32>
  %%tv = pto.make_tensor_view %%t, shape = [%%many, %%cols], strides = [%%cols, %%c1] : !pto.tensor_view<%(table)dx%(cols)dxf32>
  %%ov = pto.make_tensor_view %%out, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : !pto.tensor_view<%(rows)dx%(cols)dxf32>
  %%a = pto.alloc_tile : !pto.tile_buf<vec, %(rows)dx%(cols)dxf32>
  %%n = pto.alloc_tile : !pto.tile_buf<vec, %(irows)dx%(icols)dxi32>
  pto.tload ins(%%xv : !pto.tensor_view<%(rows)dx%(cols)dxf32>) outs(%%a : !pto.tile_buf<vec, %(rows)dx%(cols)dxf32>)
  pto.tload ins(%%iv : !pto.tensor_view<%(irows)dx%(icols)dxi32>) outs(%%n : !pto.tile_buf<vec, %(irows)dx%(icols)dxi32>)
  %(scatter)s
  %(gather)s
  pto.tstore ins(%%b : !pto.tile_buf<vec, %(rows)dx%(cols)dxf32>) outs(%%ov : !pto.tensor_view<%(rows)dx%(cols)dxf32>)
  return
}
"""


class Tables(CommandTest):
    def program(self, irows, icols, spelling, gather, scatter):
        sizes = {"rows": ROWS, "cols": COLS, "table": TABLE, "irows": irows, "icols": icols}
        tile = "!pto.tile_buf<vec, %dx%dxf32>" % (ROWS, COLS)
        index = "!pto.tile_buf<vec, %dx%dxi32>" % (irows, icols)
        view = "!pto.tensor_view<%dx%dxf32>" % (TABLE, COLS)
        alloc = "%%b = pto.alloc_tile : %s\n  " % tile
        lines = {
            "dps": (alloc + "pto.mgather ins(%%tv, %%n : %s, %s) outs(%%b : %s) %s" % (view, index, tile, gather),
                    "pto.mscatter ins(%%a, %%n : %s, %s) outs(%%tv : %s) %s" % (tile, index, view, scatter)),
            "ssa": ("%%b = pto.mgather %%tv, %%n %s : (%s, %s) -> %s" % (gather, view, index, tile),
                    "pto.mscatter %%a, %%n, %%tv %s : (%s, %s, %s) -> ()" % (scatter, tile, index, view)),
            "asm": ("%%b = mgather %%tv, %%n %s : %s, %s -> %s" % (gather, view, index, tile),
                    "mscatter %%a, %%n, %%tv %s : %s, %s, %s" % (scatter, tile, index, view)),
        }
        sizes["gather"], sizes["scatter"] = lines[spelling]
        return PROGRAM % sizes

    def run_tables(self, by_row, gather, scatter, spelling, index):
        numbers = random.Random(len(gather) + len(scatter))
        shape = (1, ROWS) if by_row else (ROWS, COLS)
        x = [float(numbers.randint(-9, 9)) for _ in range(ROWS * COLS)]
        table = [float(numbers.randint(-9, 9)) for _ in range(TABLE * COLS)]
        npy.save(self.path("x.npy"), "f32", (ROWS, COLS), x)
        npy.save(self.path("i.npy"), "i32", shape, index)
        npy.save(self.path("t.npy"), "f32", (TABLE, COLS), table)
        self.write("p.pto", self.program(*shape, spelling, gather, scatter))
        self.pto("run", "p.pto", "--werror", "--in", "x=x.npy", "--in", "i=i.npy", "--in", "t=t.npy", "--out", "t=u.npy",
                 "--shape", "out=%dx%d" % (ROWS, COLS), "--out", "out=o.npy")
        return x, table, npy.load(self.path("u.npy"))[2], npy.load(self.path("o.npy"))[2]

    def test_rows_and_elements(self):
        for spelling in ("dps", "ssa", "asm"):
            # Rows, added: two of them to row 3, one outside, which is dropped; read back, the one outside is zeros.
            x, table, scattered, gathered = self.run_tables(
                True, "{gatherOob = #pto<gather_oob zero>}",
                "{scatterAtomicOp = #pto<scatter_atomic_op add>, scatterOob = #pto<scatter_oob skip>}", spelling, [3, 7, 3, 10])
            want = list(table)
            for row, at in ((0, 3), (1, 7), (2, 3)):
                for col in range(COLS):
                    want[at * COLS + col] += x[row * COLS + col]
            self.assertEqual(scattered, want)
            self.assertEqual(gathered, [want[at * COLS + col] if at < TABLE else 0.0 for at in (3, 7, 3, 10) for col in range(COLS)])
            # Elements: the last that is written stays, and one outside wraps.
            index = [(at * 7) % 20 for at in range(ROWS * COLS)]
            index[5] = 2 * TABLE * COLS + 1
            x, table, scattered, gathered = self.run_tables(
                False, "{coalesce = elem, gatherOob = wrap}", "{coalesce = #pto<coalesce elem>, scatterOob = ScatterOOB::Wrap}",
                spelling, index)
            want = list(table)
            for value, at in zip(x, index):
                want[at % len(want)] = value
            self.assertEqual(scattered, want)
            self.assertEqual(gathered, [want[at % len(want)] for at in index])

    def test_an_index_outside_is_refused(self):
        self.write("p.pto", self.program(1, ROWS, "dps", "", ""))
        for name, dtype, shape in (("x", "f32", (ROWS, COLS)), ("i", "i32", (1, ROWS)), ("t", "f32", (TABLE, COLS))):
            npy.save(self.path(name + ".npy"), dtype, shape, [TABLE if dtype == "i32" else 1.0] * (shape[0] * shape[1]))
        self.pto("run", "p.pto", "--in", "x=x.npy", "--in", "i=i.npy", "--in", "t=t.npy", "--out", "t=u.npy",
                 "--shape", "out=%dx%d" % (ROWS, COLS), "--out", "out=o.npy", code=1)
        self.assertIn("[table-range]", self.stderr)
        self.assertIn("scatterOob", self.stderr)
        self.assertNotIn("u.npy", self.files())

    def test_places_of_elements(self):
        numbers = random.Random(5)
        x = [float(numbers.randint(0, 3)) for _ in range(ROWS * COLS)]
        limits = [0, 1, 2, 3]
        npy.save(self.path("x.npy"), "f32", (ROWS, COLS), x)
        npy.save(self.path("k.npy"), "i32", (ROWS, 1), limits)
        self.write("p.pto", """
          func.func @main(%x: !pto.tile_buf<vec, 4x8xf32>, %k: !pto.tile_buf<vec, 4x1xi32, blayout=col_major>,
                          %d: !pto.tile_buf<vec, 4x8xui32>, %c: !pto.tile_buf<vec, 4x1xui32, blayout=col_major>) {
            %o = arith.constant 100 : i32
            pto.tgather ins(%x, %k, %o, {cmpMode = #pto<cmp GT>} : !pto.tile_buf<vec, 4x8xf32>,
              !pto.tile_buf<vec, 4x1xi32, blayout=col_major>, i32)
              outs(%d, %c : !pto.tile_buf<vec, 4x8xui32>, !pto.tile_buf<vec, 4x1xui32, blayout=col_major>)
            return
          }""")
        npy.save(self.path("d.npy"), "u32", (ROWS, COLS), [7] * (ROWS * COLS))
        self.pto("run", "p.pto", "--werror", "--in", "x=x.npy", "--in", "k=k.npy", "--in", "d=d.npy", "--out", "d=e.npy",
                 "--out", "c=c.npy")
        found = npy.load(self.path("e.npy"))[2]
        for row, limit in enumerate(limits):
            want = [100 + at for at in range(row * COLS, row * COLS + COLS) if x[at] > limit]
            self.assertEqual(found[row * COLS:row * COLS + COLS], want + [7] * (COLS - len(want)))
            self.assertEqual(npy.load(self.path("c.npy"))[2][row], len(want))


if __name__ == "__main__":
    unittest.main(verbosity=1)

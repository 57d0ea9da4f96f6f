"""Programs that convolve: an image is unfolded, and a product with the filter does the rest."""
import random
import unittest

from harness import CommandTest

import npy

# Two blocks of 8 channels, 5 x 6 pixels; a filter of 2 x 3 for 16 results, padded on the left.
BLOCKS, HEIGHT, WIDTH, C0 = 2, 5, 6, 8
FILTER_H, FILTER_W, LEFT, RESULTS = 2, 3, 1, 16
DOWN, ACROSS = HEIGHT - FILTER_H + 1, WIDTH + LEFT - FILTER_W + 1
K = BLOCKS * FILTER_H * FILTER_W * C0

PROGRAM = """
func.func @main(%%x: !pto.ptr<f32>, %%w: !pto.tile_buf<right, %(k)dx16xf32>, %%y: !pto.tile_buf<acc, %(m)dx16xf32>) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%blocks = arith.constant 2 : index
  %%h = arith.constant 5 : index
  %%width = arith.constant 6 : index
  %%eight = arith.constant 8 : index
  %%line = arith.constant 48 : index
  %%plane = arith.constant 240 : index
  %%image = arith.constant 480 : index
  %%zero = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%two = arith.constant 2 : i32
  %%three = arith.constant 3 : i32
  %%pad = arith.constant %(pad)s : f32
  %%v = pto.make_tensor_view %%x, shape = [%%c1, %%blocks, %%h, %%width, %%eight],
    strides = [%%image, %%plane, %%line, %%eight, %%c1] {layout = #pto.layout<%(layout)s>} : !pto.tensor_view<1x2x5x6x8xf32>
  %%left = pto.alloc_tile : !pto.tile_buf<left, %(m)dx%(k)dxf32>
  pto.timg2col ins(%%v, %%pad, %%zero, %%zero, %%two, %%three, %%one, %%one, %%one, %%one, %%one, %%zero, %%zero, %%zero, %%zero
    : !pto.tensor_view<1x2x5x6x8xf32>, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
    outs(%%left : !pto.tile_buf<left, %(m)dx%(k)dxf32>)
  pto.tmatmul ins(%%left, %%w : !pto.tile_buf<left, %(m)dx%(k)dxf32>, !pto.tile_buf<right, %(k)dx16xf32>)
    outs(%%y : !pto.tile_buf<acc, %(m)dx16xf32>)
  return
}
"""


class Images(CommandTest):
    def run_convolution(self, layout, code=0):
        numbers = random.Random(3)
        image = [float(numbers.randint(-4, 4)) for _ in range(BLOCKS * HEIGHT * WIDTH * C0)]
        weights = [float(numbers.randint(-4, 4)) for _ in range(K * RESULTS)]
        npy.save(self.path("x.npy"), "f32", (1, BLOCKS, HEIGHT, WIDTH, C0), image)
        npy.save(self.path("w.npy"), "f32", (K, RESULTS), weights)
        self.write("p.pto", PROGRAM % {"m": DOWN * ACROSS, "k": K, "pad": "3.0", "layout": layout})
        self.pto("run", "p.pto", "--werror", "--in", "x=x.npy", "--in", "w=w.npy", "--out", "y=y.npy", code=code)
        return image, weights

    def test_a_convolution(self):
        for layout in ("nc1hwc0", "ndc1hwc0"):
            image, weights = self.run_convolution(layout)
            want = []
            for y in range(DOWN):
                for x in range(ACROSS):
                    for result in range(RESULTS):
                        total = 0.0
                        for block in range(BLOCKS):
                            for ky in range(FILTER_H):
                                for kx in range(FILTER_W):
                                    for c in range(C0):
                                        at = x + kx - LEFT
                                        value = image[((block * HEIGHT + y + ky) * WIDTH + at) * C0 + c] if at >= 0 else 3.0
                                        weight = ((block * FILTER_H + ky) * FILTER_W + kx) * C0 + c
                                        total += value * weights[weight * RESULTS + result]
                        want.append(total)
            self.assertEqual(list(npy.load(self.path("y.npy"))[2]), want)

    def test_another_order_is_refused(self):
        self.run_convolution("nd", code=1)
        self.assertIn("[image-layout]", self.stderr)
        self.assertIn("#pto.layout<nc1hwc0>", self.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)

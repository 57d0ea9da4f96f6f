"""Times numpy's product of matrices of f32 on one thread, beside ./dev bench products: Gop/s, the median of the rounds."""
import statistics
import sys
import time

import numpy

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
line = "numpy %s" % numpy.__version__
for m, n, k in ((16, 16, 16), (64, 64, 64), (128, 128, 128), (256, 256, 256), (1, 1024, 1024)):
    a, b = (numpy.random.default_rng(1).standard_normal(shape).astype(numpy.float32) for shape in ((m, k), (k, n)))
    c = numpy.empty((m, n), numpy.float32)
    times = max(1, 20_000_000 // (m * n * k))
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(times):
            numpy.matmul(a, b, out=c)
        taken.append((time.perf_counter() - start) / times)
    line += " | %dx%dx%d %.1f" % (m, n, k, 2e-9 * m * n * k / statistics.median(taken))
print(line)

"""What NumPy computes for an example, and how it is compared with what the library did."""
import numpy as np

from records import Tile
from languages import NUMPY_TYPES


def power(x, y):
    with np.errstate(all="ignore"):
        return np.power(x, y)


def fma(x, y, z):
    """Rounded once: products of f32 are exact in f64, and the sums of the examples are, too."""
    return np.float32(np.float64(x) * np.float64(y) + np.float64(z))


def chain(a, b, start=0):
    """A product of matrices: fused multiply-adds in the order of k, from +0, an accumulator or a bias on."""
    result = np.float32(start) + np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        result = fma(a[:, k:k + 1], b[k:k + 1], result)
    return result


def larger(x, y):
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where((x == 0) & (y == 0), x + y, np.where(x > y, x, y)))


def smaller(x, y):
    return -larger(-x, -y)


def rectified(x):
    return np.where(x > 0, x, np.where(np.isnan(x), x, 0))


def fmod(x, y):
    return np.float32(np.fmod(np.float64(x), np.float64(y)))


def floored(x, y):
    """The remainder of a floored division; one that is zero has the sign of the dividend."""
    rest = np.float32(np.mod(np.float64(x), np.float64(y)))
    return np.where(rest == 0, np.copysign(np.float32(0), x), rest)


def folded(both, x, axis):
    result, *rest = np.moveaxis(x, axis, 0)
    for line in rest:
        result = both(result, line)
    return np.expand_dims(result, axis)


def left(x, count):
    return x << (np.broadcast_to(count, x.shape) & 31)


def right(x, count):
    return x >> (np.broadcast_to(count, x.shape) & 31)


def bits(truth):
    return np.packbits(truth, axis=1, bitorder="little")


def unbits(mask, cols):
    return np.unpackbits(mask, axis=1, bitorder="little")[:, :cols] != 0


def part(x, y, both):
    result = x.copy()
    rows, cols = y.shape
    result[:rows, :cols] = both(x[:rows, :cols], y)
    return result


def padded(x, rows, cols, pad):
    result = np.full((rows, cols), pad, np.float32)
    result[:x.shape[0], :x.shape[1]] = x
    return result


def placed(dst, src, row, col):
    result = dst.copy()
    result[row:row + src.shape[0], col:col + src.shape[1]] = src
    return result


def rows_placed(table, src, rows):
    result = table.copy()
    result[rows] = src
    return result


def scattered(dst, src, indexes):
    result = np.zeros(dst.shape, np.float32).reshape(-1)
    result[indexes.reshape(-1)] = src.reshape(-1)
    return result.reshape(dst.shape)


def joined(x, y, left, right):
    return np.array([np.concatenate([a[:n], b[:m]]) for a, b, n, m in zip(x, y, left, right)])


def records_of(*lists):
    return [tuple(pair) for one in lists for row in np.asarray(one) for pair in row.reshape(-1, 2)]


def merged(*lists):
    return np.array(sorted(records_of(*lists), key=lambda record: -record[0])).reshape(1, -1)


def sort_records(values, indices):
    order = np.argsort(-values[0], kind="stable")
    return np.stack([values[0][order], indices[0][order].view(np.float32)], 1).reshape(1, -1)


def f64(x):
    return np.float64(x)


def once(x):
    """Rounded to f32 once, by way of f64."""
    return np.float32(x)


def typed(spec):
    if spec.given is None:
        return np.zeros(spec.shape, NUMPY_TYPES.get(spec.dtype, "float64"))
    return np.asarray(spec.given).astype(NUMPY_TYPES.get(spec.dtype, "float64"))


def near(x):
    """Rounded to f32 by way of f64. The library may be one unit in the last place away."""
    return np.float32(x)


def philox(counter, key):
    """Philox4x32 with ten rounds, from its paper."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.array([c])


def mx(x, axis):
    """Elements of e4m3, in groups of at most 32 along an axis, and what they were multiplied by."""
    scaling = 2.0 ** (8 - np.floor(np.log2(np.abs(x).max(axis, keepdims=True))))
    digits, exponent = np.frexp(x * scaling)
    return np.ldexp(np.rint(digits * 16) / 16, exponent), scaling


def expected(example, wants, operands):
    with np.errstate(all="ignore"):
        return [np.asarray(eval(want, {**globals(), **operands})) for want in wants]


def compare(example, results):
    values = {n: typed(v) if isinstance(v, Tile) else np.float32(v) if isinstance(v, float) else v for n, v in example.operands.items()}
    wants = example.record["want"]
    for (name, result), formula, want in zip(results.items(), wants, expected(example, wants, values), strict=True):
        check(name, result, want, formula.startswith("near("))


def check(name, result, want, near=False):
    result = np.asarray(result)
    if want.dtype.kind in "iub" and result.dtype.kind in "iu" and want.dtype != result.dtype:
        want = want.astype(np.int64).astype(result.dtype)
    elif result.dtype.kind in "iu":
        info = np.iinfo(result.dtype)
        want = np.clip(np.nan_to_num(want.astype(np.float64), posinf=info.max, neginf=info.min), info.min, info.max).astype(result.dtype)
    else:
        with np.errstate(all="ignore"):
            want = want.astype(result.dtype)
    assert want.size == result.size, "%s: %s where %s is expected" % (name, result.shape, want.shape)
    same = (result.reshape(-1) == want.reshape(-1)) | (np.isnan(result.reshape(-1).astype(np.float64)) & np.isnan(want.reshape(-1).astype(np.float64)))
    if near:
        with np.errstate(all="ignore"):
            same |= np.abs(result.reshape(-1) - want.reshape(-1)) <= np.spacing(np.abs(want.reshape(-1)))
    if result.dtype.kind == "f":
        same &= (result.reshape(-1) != 0) | (np.signbit(result.reshape(-1)) == np.signbit(want.reshape(-1)))
    assert same.all(), "%s is\n%s\nNumPy computes\n%s" % (name, result, want.reshape(result.shape))

"""What an instruction makes of special values, as a table: computed with the library, and compared with NumPy.

A record has the kind of table, or the cases themselves: a value of each operand for each case.
"""
import contextlib
import copy
import io
import re

import numpy as np

import expect
from records import Fill, Lists, Tile
from languages import NUMPY_TYPES, decoded

LARGEST, TINY = np.finfo(np.float32).max, np.float32(1e-45)
FLOATS = np.float32([-np.inf, -1, -0.0, 0, 1, np.inf, np.nan])
MORE_FLOATS = np.float32([-np.inf, -LARGEST, -1, -0.0, 0, TINY, 1, LARGEST, np.inf, np.nan])
INTS = np.int32([-2 ** 31, -1, 0, 1, 2, 2 ** 31 - 1])
SHIFTED, COUNTS = np.int32([-2 ** 31, -8, 1, 3]), np.int32([0, 1, 31, 32, -1])
PAIRS = np.float32([[1, np.nan], [np.nan, 1], [np.inf, -np.inf], [-0.0, 0], [0, -0.0], [-0.0, -0.0], [LARGEST, LARGEST], [2, 2]])


def shown(x):
    return re.sub(r"\.0$", "", str(np.float32(x) if isinstance(x, np.float16) else x))


def run(example):
    """The arrays of the outputs, as the Python example computes them."""
    space = {"nan": np.nan, "inf": np.inf}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(example.python(), example.name, "exec"), space)
    results = {}
    for name in example.outputs:
        spec = example.operands[name]
        results[name] = decoded(space[name].read(space["ctx"]), spec.dtype)
    return results, space


def variant(example, values):
    """The example with other values of some operands, and its results."""
    other = copy.copy(example)
    other.operands = dict(example.operands)
    for name, value in values.items():
        spec = other.operands[name]
        if isinstance(spec, Tile):
            spec = copy.copy(spec)
            spec.values = np.broadcast_to(value, spec.shape).copy()
            value = spec
        other.operands[name] = value
    return other, run(other)[0]


def table_of_fill(example, fill):
    def results(value):
        other, found = variant(example, {fill.name: value})
        if fill.checked:
            expect.compare(other, found)
        return found
    found = [results(value) for value in fill.values]
    lines = []
    for name, first in found[0].items():
        with np.errstate(all="ignore"):
            differs = [(one[name] != first) & ~(np.isnan(np.float64(one[name])) & np.isnan(np.float64(first))) for one in found]
        depends = np.flatnonzero(np.any(differs, 0))
        if depends.size:
            lines.append(["`%s`" % name] + [shown(one[name].reshape(-1)[depends[fill.at]]) for one in found])
    text = "Each column is a run in which `%s` is the value%s. The other rows have an element that depends on it.\n\n"
    tile = isinstance(example.operands[fill.name], Tile)
    return text % (fill.name, " in every element" if tile else "") + rows_of(
        ["`%s`" % fill.name] + [shown(np.float32(v) if isinstance(v, float) else v) for v in fill.values], lines)


def table_of_lists(example, lists):
    other, results = variant(example, lists.values)
    if lists.checked:
        expect.compare(other, results)
    step = 2 if example.record["index_bits"] else 1  # records: their values alone
    rows = {n: np.ravel(np.float32(v)) for n, v in lists.values.items()} | {n: np.ravel(v)[::step] for n, v in results.items()}
    width = max(map(len, rows.values()))
    text = "Elements of one run, in their order%s.\n\n" % (", without the indices" if step == 2 else "")
    return text + rows_of(["operand", *map(str, range(width))], [["`%s`" % n] + [shown(x) for x in v] + [""] * (width - len(v)) for n, v in rows.items()])


def rounding(example):
    """What each mode of a conversion makes of ties and of other numbers: to integers and to narrower floats."""
    import libpto
    parts = []
    for dtype, values in (("i32", [-2.6, -2.5, -1.5, -0.5, 0.4, 0.5, 1.5, 2.5]), ("f16", [-2049, 2049, 2051, 2049.5, 1 / 3])):
        lines = []
        for mode in libpto.Round:
            with libpto.Context() as ctx:
                src = libpto.Tile.copy(ctx, np.float32([values]))
                dst = libpto.Tile(ctx, dtype, 1, len(values))
                ctx.tcvt(dst, src, mode=mode)
                lines.append(["`%s`" % mode.name] + [shown(x) for x in dst.read(ctx)[0]])
        parts.append(rows_of(["f32 to %s" % dtype] + [shown(np.float32(x)) for x in values], lines))
    return "\n".join(parts)


def call(example, given):
    """The results of the instruction for other operands than the example has."""
    import libpto
    with libpto.Context() as ctx:
        tiles, arguments, rows, cols = {}, {}, *next(v.shape for v in given.values() if isinstance(v, np.ndarray))
        kind = example.record["special"] if isinstance(example.record["special"], str) else "cases"
        cols = 1 if kind == "dot" else cols
        for form, name in example.prototype:
            spec = example.operands.get(name)
            if isinstance(given.get(name), np.ndarray):
                tiles[name] = arguments[name] = libpto.Tile.copy(ctx, given[name].astype(NUMPY_TYPES[spec.dtype]))
            elif isinstance(spec, Tile):
                valid = (rows, 1) if kind == "row" else (1, cols) if kind == "col" else (rows, -(-cols // 8)) if kind.startswith("compare") else (rows, cols)
                tiles[name] = arguments[name] = libpto.Tile(ctx, spec.dtype, valid[0], valid[1])
            elif form in example.usual and spec is not None:
                arguments[name] = getattr(getattr(libpto, "".join(part.capitalize() for part in form[4:].split("_"))), spec)
            elif spec is not None or name in given:
                arguments[name] = given.get(name, spec)
        getattr(ctx, example.name)(**arguments)
        out = [tiles[n].read(ctx).copy() for n in example.outputs]
        return [expect.unbits(out[0], cols).astype(np.int64)] if kind.startswith("compare") else out


def compared(example, given):
    """The same, after NumPy has agreed."""
    results, wants = call(example, given), example.record["want"]
    values = {n: v for n, v in example.operands.items() if not isinstance(v, Tile)} | given
    values = {n: np.float32(v) if isinstance(v, float) else v for n, v in values.items()}
    if isinstance(example.record["special"], str) and example.record["special"].startswith("compare"):
        wants = [wants[0][5:-1]]
    for name, result, formula, want in zip(example.outputs, results, wants, expect.expected(example, wants, values)):
        expect.check("%s of special values" % name, result, want, formula.startswith("near("))
    return results


def table_of_cases(example, cases):
    numbers = {n: v for n, v in cases.items() if not isinstance(v, list)}
    given = {n: np.array(v, NUMPY_TYPES[example.operands[n].dtype]) for n, v in cases.items() if isinstance(v, list)}
    given = {n: v.reshape(len(v), -1) for n, v in given.items()}
    rows = dict(given) | dict(zip(example.outputs, compared(example, given | numbers)))
    names = {n: "`%s`" % n + (" before" if n in given and n in example.outputs else "") for n in rows}
    lines = [[names[n]] + [", ".join(map(shown, row)) for row in values] for n, values in given.items()]
    lines += [["`%s`" % n] + [", ".join(map(shown, row)) for row in rows[n]] for n in example.outputs]
    return rows_of(lines[0], lines[1:])


def table_of_dots(example):
    """Products of a row and a column of two elements each."""
    lefts = np.float32([[np.inf, 1], [np.inf, 1], [np.nan, 0], [-0.0, -0.0], [LARGEST, LARGEST], [TINY, 0]])
    rights = np.float32([[0, 1], [1, -np.inf], [0, 1], [1, 1], [2, -2], [0.5, 1]])
    sums = [compared(example, {"a": a.reshape(1, 2), "b": b.reshape(2, 1)})[0].item() for a, b in zip(lefts, rights)]
    pair = lambda v: "%s, %s" % tuple(map(shown, v))
    return rows_of(["a row of `a`", *map(pair, lefts)], [["a column of `b`", *map(pair, rights)], ["`dst`", *(shown(np.float32(x)) for x in sums)]])


def rows_of(header, lines):
    table = [header, ["---"] * len(header)] + lines
    return "".join("| %s |\n" % " | ".join(line) for line in table)


def table(example):
    kind = example.record["special"]
    if not kind:
        return None
    if isinstance(kind, Fill):
        return table_of_fill(example, kind)
    if isinstance(kind, Lists):
        return table_of_lists(example, kind)
    if isinstance(kind, dict):
        return table_of_cases(example, kind)
    if kind == "dot":
        return table_of_dots(example)
    inputs = [n for n in example.inputs() if n not in example.outputs]
    scalar = next((n for form, n in example.prototype if form == "pto_scalar"), None)
    out = example.outputs[0]
    ints = example.operands[inputs[0]].dtype == "i32"
    if kind in ("unary", "convert"):
        values = INTS if ints else np.append(MORE_FLOATS, np.float32(3e9)) if kind == "convert" else MORE_FLOATS
        result, = compared(example, {inputs[0]: values.reshape(1, -1)})
        return rows_of(["`%s`" % inputs[0]] + [shown(x) for x in values], [["`%s`" % out] + [shown(x) for x in result[0]]])
    if kind in ("row", "col"):
        pairs = PAIRS if kind == "row" else PAIRS.T.copy()
        results = compared(example, {inputs[0]: pairs})
        return rows_of(["a %s of `%s`" % ("row" if kind == "row" else "column", inputs[0])] + ["%s, %s" % (shown(x), shown(y)) for x, y in PAIRS],
                       [["`%s`" % n] + [shown(x) for x in result.reshape(-1)] for n, result in zip(example.outputs, results)])
    left = SHIFTED if "shift" in kind else INTS if ints else FLOATS
    right = COUNTS if "shift" in kind else INTS if ints else FLOATS
    rows, cols = np.meshgrid(left, right, indexing="ij")
    if kind.endswith("scalar"):
        columns = []
        for x in right:
            try:
                columns.append(compared(example, {inputs[0]: left.reshape(1, -1).copy(), scalar: float(x) if not ints else int(x)})[0][0])
            except Exception as error:
                if not getattr(error, "rule", None):
                    raise
                columns.append(["[%s](../../troubleshooting.md#%s)" % (error.rule, error.rule)] * len(left))
        result, names = list(zip(*columns)), (inputs[0], scalar)
    else:
        given = {"trow": (cols.T.copy(), left.reshape(-1, 1).copy()), "tcol": (rows, right.reshape(1, -1).copy())}.get(kind, (rows, cols))
        if kind == "trow":  # the scalars of the rows are the columns of the table
            given = (np.broadcast_to(left, (len(right), len(left))).copy(), right.reshape(-1, 1).copy())
        result, names = compared(example, dict(zip(inputs, given)))[0], inputs
        result = result.T if kind == "trow" else result
    head = ["`%s` \\ `%s`" % tuple(names[:2])] + [shown(x) for x in right]
    return rows_of(head, [["**%s**" % shown(x)] + [cell if isinstance(cell, str) else shown(cell) for cell in line] for x, line in zip(left, result)])

"""The numbers of an example as grids of text; elements that an instruction moves are in brackets."""
import numpy as np

from records import Tensor

WIDTH = 88


def shown(x):
    if not np.isfinite(x) or x != int(x):
        return "%.6g" % x
    return "0x%X" % int(x) if x >= 2 ** 32 else "%d" % x


def grid(title, array, marked=None):
    array = array.reshape(-1, array.shape[-1])
    cut = array.shape[1] > 16
    form = lambda i, j: "%s" if marked is None else "[%s]" if marked[i, j] else " %s "
    texts = [[form(i, j) % shown(float(x)) for j, x in enumerate(row) if not cut or j < 8 or j == len(row) - 1] for i, row in enumerate(array)]
    width = max(len(text) for row in texts for text in row)
    lines = []
    for row in texts:
        cells = [text.rjust(width) for text in row]
        if cut:
            cells.insert(8, "...")
        lines.append(("" if marked is not None else " ").join(cells))
    return [title] + lines


def beside(blocks):
    """Grids side by side, in bands that fit the width."""
    bands, band, used = [], [], 0
    for block in blocks:
        width = max(map(len, block))
        if band and used + 4 + width > WIDTH:
            bands.append(band)
            band, used = [], 0
        band.append((width, block))
        used += width + (4 if used else 0)
    bands.append(band)
    text = []
    for band in bands:
        height = max(len(block) for _, block in band)
        for i in range(height):
            text.append("    ".join((block[i] if i < len(block) else "").ljust(width) for width, block in band).rstrip())
        text.append("")
    return "\n".join(text[:-1]) + "\n"


def draw(example, results):
    operands, moved = example.operands, example.record["moved"]
    kind = operands[example.outputs[0]].dtype
    sources = [n for n in example.inputs() if n != "tmp" and (n not in results or np.any(operands[n].given))]
    data = [n for n in sources if operands[n].dtype == kind and n not in results]
    blocks = []
    told = np.concatenate([np.asarray(results[n]).reshape(-1) for n in results])
    for n in sources:
        values = np.asarray(operands[n].given)
        values = np.squeeze(values) if values.ndim > 2 else values
        marked = np.isin(values.reshape(-1, values.shape[-1]), told) if moved and n in data else None
        blocks.append(grid(n + (" before" if n in results else ""), values, marked))
    held = np.concatenate([np.asarray(operands[n].given).reshape(-1) for n in data]) if data else np.array([])
    for n, values in results.items():
        if example.record["index_bits"]:
            values = np.where(np.arange(values.shape[1]) % 2 == 1, values.view(np.uint32), values)
        marked = np.isin(values.reshape(-1, values.shape[-1]), held) if moved and operands[n].dtype == kind else None
        blocks.append(grid(n + (" after" if n in sources else ""), values, marked))
    return beside(blocks)

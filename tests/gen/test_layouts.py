#!/usr/bin/env python3
"""docs/layouts.svg is what tools/layouts.py prints, and its formulas are the formulas of the tile model.

usage: test_layouts.py ROOT
"""
import importlib.util
import pathlib
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("layouts", root / "tools" / "layouts.py")
    layouts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layouts)
    printed = (root / "docs" / "layouts.svg").read_text()
    assert printed == layouts.svg() + "\n", "docs/layouts.svg is stale: tools/layouts.py > docs/layouts.svg"
    # Offsets that the tile model states for a tile of f32 of 16 rows a box: Nz, and what follows for the others.
    known = {"ND": ((0, 8, 8), (1, 0, 32)), "DN": ((1, 0, 1), (0, 1, 32)), "Nz": ((0, 7, 7), (1, 0, 8), (15, 7, 127), (16, 0, 128), (0, 8, 256)),
             "Zz": ((0, 7, 7), (0, 8, 128), (16, 0, 512)), "Zn": ((7, 0, 7), (0, 1, 8), (0, 16, 128), (8, 0, 256)),
             "Nn": ((7, 0, 7), (0, 1, 8), (8, 0, 128), (0, 16, 512))}
    for layout in layouts.LAYOUTS:
        offsets = sorted(layouts.offset(layout, row, col) for row in range(layouts.ROWS) for col in range(layouts.COLS))
        assert offsets == list(range(layouts.ROWS * layouts.COLS)), layout[0]
        for row, col, at in known[layout[0]]:
            assert layouts.offset(layout, row, col) == at, (layout[0], row, col)


main()

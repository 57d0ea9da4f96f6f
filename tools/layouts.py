#!/usr/bin/env python3
"""Prints docs/layouts.svg: in which order the six layouts of tiles hold the elements of 32x32 numbers of f32.

usage: tools/layouts.py > docs/layouts.svg

A line connects the elements in the order of their offsets; dots are the first elements of boxes, with their offsets. The
formulas are from the tile model; r and c are row and column, IR and IC the rows and columns of a box, / is div.
"""
ROWS, COLS = 32, 32
CELL = 6
LEFT, TOP = 20, 74
BOXED = 16, 8  # 512 bytes of f32, row by row
UPRIGHT = 8, 16  # the same, column by column

# Name, what it is, box (none: the tile is not boxed), columns of boxes first, columns of a box first, formula.
LAYOUTS = (
    ("ND", "row-major", None, False, False, "r Cols + c"),
    ("DN", "column-major", None, False, True, "c Rows + r"),
    ("Nz", "boxes in columns, rows in a box", BOXED, True, False, "c/IC Rows IC + r/IR IR IC + r%IR IC + c%IC"),
    ("Zz", "boxes in rows, rows in a box", BOXED, False, False, "r/IR Cols IR + c/IC IR IC + r%IR IC + c%IC"),
    ("Zn", "boxes in rows, columns in a box", UPRIGHT, False, True, "r/IR Cols IR + c/IC IR IC + c%IC IR + r%IR"),
    ("Nn", "boxes in columns, columns in a box", UPRIGHT, True, True, "c/IC Rows IC + r/IR IR IC + c%IC IR + r%IR"),
)


def offset(layout, row, col):
    _, _, box, boxes_down, down, _ = layout
    rows, cols = box or (ROWS, COLS)
    box_row, box_col = row // rows, col // cols
    before = box_col * ROWS * cols + box_row * rows * cols if boxes_down else box_row * COLS * rows + box_col * rows * cols
    row, col = row % rows, col % cols
    return before + (col * rows + row if down else row * cols + col)


def center(cell):
    row, col = cell
    return "%g,%g" % (col * CELL + CELL / 2, row * CELL + CELL / 2)


def picture(layout, x):
    name, words, box, _, _, formula = layout
    cells = {offset(layout, row, col): (row, col) for row in range(ROWS) for col in range(COLS)}
    rows, cols = box or (ROWS, COLS)
    out = ['<g transform="translate(%d,%d)">' % (x, TOP),
           '<text class="name" y="-38">%s</text>' % name,
           '<text y="-24">%s</text>' % words,
           '<text class="formula" y="-10">%s</text>' % formula]
    for row in range(0, ROWS, rows):
        for col in range(0, COLS, cols):
            out.append('<rect x="%d" y="%d" width="%d" height="%d"/>' % (col * CELL, row * CELL, cols * CELL, rows * CELL))
    out.append('<polyline points="%s"/>' % " ".join(center(cells[at]) for at in range(ROWS * COLS)))
    for at in range(0, ROWS * COLS, rows * cols):
        cx, cy = center(cells[at]).split(",")
        out.append('<circle cx="%s" cy="%s" r="3"/>' % (cx, cy))
        out.append('<text class="offset" x="%g" y="%g">%d</text>' % (float(cx) + 6, float(cy) + 10, at))
    out.append("</g>")
    return out


def svg():
    step = 300
    height = TOP + ROWS * CELL + 34
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">'
           % (LEFT + 3 * step, 2 * height),
           "<!-- Printed by tools/layouts.py; change that. -->",
           "<title>The six layouts of tiles: the order of 32 x 32 elements of f32 in memory</title>",
           "<style>rect{fill:#f4f6f8;stroke:#8795a1}polyline{fill:none;stroke:#2b6cb0;stroke-width:.8}circle{fill:#c05621}"
           ".name{font-size:15px;font-weight:bold}.formula{font-family:monospace;font-size:9px}"
           ".offset{font-weight:bold;fill:#c05621;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>",
           '<rect style="fill:#fff;stroke:none" width="100%" height="100%"/>']
    for n, layout in enumerate(LAYOUTS):
        if n == 3:
            out.append('<g transform="translate(0,%d)">' % height)
        out += picture(layout, LEFT + n % 3 * step)
    out += ["</g>", "</svg>"]
    return "\n".join(out)


if __name__ == "__main__":
    print(svg())

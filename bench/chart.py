"""Draws bench.json as a chart: how many times slower each peer is than libpto, a panel an f32 operation, at one size.

usage: chart.py BENCH.json OUT.svg [SIZE]
"""
import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "libpto"  # the same data gives the same file
matplotlib.rcParams["svg.fonttype"] = "none"  # text as text: a third of the size
import matplotlib.pyplot as plt  # noqa: E402

GREY, RED, BLUE = "#8a8f98", "#d0453b", "#2867b2"


def main():
    size = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [r for r in json.load(file) if r["section"] == "peers" and r["n"] == size and r["dtype"] == "f32"]
    panels = {}
    for row in rows:
        if row["name"] != "libpto" and row["ratio"] < 1000:
            panels.setdefault((row["op"], row["dtype"]), []).append(row)
    if not panels:
        sys.exit(f"chart: no measurement at {size}x{size} in {sys.argv[1]}")
    columns = 4
    lines = (len(panels) + columns - 1) // columns
    figure, axes = plt.subplots(lines, columns, figsize=(16, 2.1 * lines), squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.set_visible(False)
    for axis, ((op, dtype), peers) in zip(axes.flat, panels.items()):
        peers.sort(key=lambda r: r["ratio"], reverse=True)
        colours = [BLUE if r["name"].startswith("libpto") else RED if r["mark"] == "x" else GREY for r in peers]
        names = [f"{r['name']} {r['mark']}" for r in peers]
        spread = [[r["ratio"] - r["low"] for r in peers], [r["high"] - r["ratio"] for r in peers]]
        axis.set_xscale("log")
        axis.barh(names, [r["ratio"] - 1 for r in peers], left=1, color=colours, xerr=spread, error_kw={"elinewidth": 0.8})
        axis.axvline(1, color="black", linewidth=1)
        axis.set_xlim(0.3, 250)
        axis.set_xticks([0.5, 1, 2, 5, 10, 50, 200], ["0.5", "1", "2", "5", "10", "50", "200"])
        axis.minorticks_off()
        axis.tick_params(labelsize=7)
        axis.set_title(f"{op} {dtype}", fontsize=9)
    figure.suptitle(
        f"Time of a peer / time of libpto at {size}x{size}, one thread (right of the line: libpto is faster).\n"
        "x red: wrong for some operands; ~: not correctly rounded",
        fontsize=10,
    )
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    figure.savefig(sys.argv[2], metadata={"Date": None})


main()

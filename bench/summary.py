"""Prints bench.json as the tables of docs/lab-book.md: libpto against the best peer whose results are right.

usage: summary.py BENCH.json...   (of runs of parts of the cases)
"""
import json
import sys

TYPES = ["f32", "f16", "bf16", "i32", "i16", "i8"]
PLAIN = ("tadd tsub tmul tmin tmax tabs tneg trelu tnot tand tor txor tshl tshr taddc tsubc tmuladddst tfusedmuladd "
         "tfusedmuladdrelu tsubrelu tprelu tadds tsubs tmuls tmaxs tmins tands tors txors tshls tshrs tlrelu taxpy taddsc "
         "tsubsc texpands tcolexpand trowexpand tcolexpandadd tcolexpandsub tcolexpandmul tcolexpandmax tcolexpandmin "
         "trowexpandadd trowexpandsub trowexpandmul trowexpandmax trowexpandmin tpartadd tpartmul tpartmax tpartmin").split()
DIVIDES = "tdiv tdivs tdivs_scalar tcolexpanddiv trowexpanddiv tsqrt trecip trsqrt".split()
FLOATS = ["f32", "f16", "bf16"]
# Family, instructions, types, the contestant that has to be faster, the peers that count (None: all that are right;
# else a prefix of their names), and the target of the ratio by size.
MUSTS = [
    ("+ - x min max bits shifts, scalar forms, expands, part", PLAIN, TYPES, "libpto", None, {64: 0.95, 4096: 1.1}),
    ("division, square root, reciprocal", DIVIDES, FLOATS, "libpto", None, {64: 1.0, 4096: 1.1}),
    ("exp f32 against SLEEF u10", ["texp"], ["f32"], "libpto", "sleef", {64: 1.6, 4096: 1.3}),
    ("log f32 against SLEEF u10", ["tlog"], ["f32"], "libpto", "sleef", {64: 2.2, 4096: 1.9}),
    ("exp correctly rounded against glibc's loop", ["texp"], ["f32"], "libpto precise", "gcc -O3", {64: 1.6, 4096: 1.6}),
    ("log correctly rounded against glibc's loop", ["tlog"], ["f32"], "libpto precise", "gcc -O3", {64: 1.4, 4096: 1.4}),
    ("exp, log of f16 and bf16 against SLEEF", ["texp", "tlog"], ["f16", "bf16"], "libpto", "sleef", {64: 4, 4096: 4}),
    ("compare, select", ["tcmp", "tcmps", "tsel", "tsels"], TYPES, "libpto", None, {64: 1.0, 4096: 1.1}),
    ("f32 to f16", ["tcvt"], ["f32>f16"], "libpto", None, {64: 1.0, 1024: 0.95}),
    ("f16 to f32", ["tcvt"], ["f16>f32"], "libpto", None, {64: 0.95, 1024: 0.95}),
    ("f32 to bf16", ["tcvt"], ["f32>bf16"], "libpto", None, {64: 1.4, 1024: 1.3}),
    ("f32 to e4m3", ["tcvt"], ["f32>e4m3"], "libpto", None, {64: 5.0, 1024: 5.0}),
    ("e4m3 to f32", ["tcvt"], ["e4m3>f32"], "libpto", None, {64: 1.0, 1024: 1.0}),
    ("f32 to and from e5m2, hif8", ["tcvt"], ["f32>e5m2", "e5m2>f32", "f32>hif8", "hif8>f32"], "libpto", None, {64: 1.0, 1024: 1.0}),
    ("f32 to i8", ["tcvt"], ["f32>i8"], "libpto", None, {64: 2.0, 1024: 1.6}),
    ("row sum", ["trowsum"], ["f32"], "libpto", None, {64: 2.0, 1024: 0.92}),
    ("row max, NaN wins", ["trowmax"], ["f32"], "libpto", None, {64: 3.0, 1024: 0.92}),
    ("row max, peers that drop NaN", ["trowmax"], ["f32"], "libpto", "", {64: 1.25, 1024: 0.92}),
    ("column sum", ["tcolsum"], ["f32"], "libpto", None, {64: 1.0, 1024: 0.88}),
]


def best(rows, ours, wanted=None):
    """The ratio and name of the fastest peer to one of ours; None where there is no peer."""
    own = next((r for r in rows if r["name"] == ours), None)
    peers = [r for r in rows if not r["name"].startswith("libpto")]
    if wanted is None:
        peers = [r for r in peers if r["mark"] != "x"]
    else:
        peers = [r for r in peers if r["name"].startswith(wanted)]
    if own is None or not peers:
        return None
    peer = min(peers, key=lambda r: r["ns"])
    ratio = peer["ratio"] if ours == "libpto" else peer["ns"] / own["ns"]
    return ratio, peer["name"] + (f" {peer['mark']}" if peer["mark"] else "")


def musts(cases):
    print("| family | size | target | lowest | where | cases below |\n|---|---|---|---|---|---|")
    for family, ops, types, ours, wanted, limits in MUSTS:
        for n, limit in limits.items():
            found = []
            for (op, dtype), by_size in cases.items():
                if op not in ops or dtype not in types or n not in by_size:
                    continue
                answer = best(by_size[n], ours, wanted)
                if answer:
                    found.append((answer[0], f"{op} {dtype}, {answer[1]}"))
            if not found:
                continue
            found.sort()
            below = [f for f in found if f[0] < limit]
            lost = "**" if below else ""
            print(f"| {family} | {n}x{n} | {limit} | {lost}{found[0][0]:.2f}{lost} | {found[0][1]} | {len(below)} of {len(found)} |")


def ratios(cases):
    sizes = sorted({n for by_size in cases.values() for n in by_size})
    print(f"\nEach cell: ns per element at 64x64, then the ratios at {', '.join(f'{n}x{n}' for n in sizes)}.\n")
    print("| instruction | " + " | ".join(TYPES) + " |\n|---|" + "---|" * len(TYPES))
    lines = {}
    for (op, dtype), by_size in cases.items():
        cell = []
        for n in sizes:
            answer = best(by_size.get(n, []), "libpto")
            lost = "**" if answer and answer[0] < 1 else ""
            cell.append(f"{lost}{answer[0]:.2f}{lost}" if answer else "-")
        own = next((r["ns"] for r in by_size.get(64, []) if r["name"] == "libpto"), 0)
        lines.setdefault(op if ">" not in dtype else f"{op} {dtype}", {})[dtype] = f"{own:.3f}: " + " ".join(cell)
    for op, cells in lines.items():
        if all(t in TYPES for t in cells):
            print(f"| {op} | " + " | ".join(cells.get(t, "") for t in TYPES) + " |")
        else:
            print(f"| {op} | " + " ".join(cells.values()) + " |" + " |" * (len(TYPES) - 1))


def main():
    rows = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            rows += json.load(file)
    cases = {}
    for row in rows:
        if row["section"] == "peers":
            cases.setdefault((row["op"], row["dtype"]), {}).setdefault(row["n"], []).append(row)
    musts(cases)
    ratios(cases)
    # Every run measures these; of several the first one's count.
    tails = sorted({(r["op"], r["dtype"]): r for r in reversed(rows) if r["section"] == "tail"}.values(), key=lambda r: -r["ratio"])
    if tails:
        slow = [f"{r['op']} {r['dtype']} {r['ratio']:.2f}" for r in tails if r["ratio"] > 1.35]
        middle = tails[len(tails) // 2]["ratio"]
        print(f"\n63x63 in 64 against 64x64: median {middle:.2f}; above 1.35 are {len(slow)} of {len(tails)}"
              + (": " + ", ".join(slow) if slow else "") + ".")
    print("\n| 16x16 f32, all checks on | call, ns | above the bare kernel, ns |\n|---|---|---|")
    for row in reversed({r["op"]: r for r in reversed(rows) if r["section"] == "call"}.values()):
        print(f"| {row['op']} | {row['ns']:.1f} | {row['ns'] * (1 - 1 / row['ratio']):.1f} |")


if __name__ == "__main__":
    main()

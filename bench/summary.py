"""Prints bench.json as the tables of docs/performance.md: libpto against the best peer whose results are right.

usage: summary.py BENCH.json
"""
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    cases = {}
    for row in rows:
        if row["section"] == "peers":
            cases.setdefault((row["op"], row["dtype"]), {}).setdefault(row["n"], []).append(row)
    sizes = sorted({n for by_size in cases.values() for n in by_size})
    print("| operation | type |" + "".join(f" {n}x{n}: ns, best peer, ratio |" for n in sizes))
    print("|---|---|" + "---|" * len(sizes))
    for (op, dtype), by_size in cases.items():
        line = f"| {op} | {dtype} |"
        for n in sizes:
            ours = next(r for r in by_size[n] if r["name"] == "libpto")
            peers = [r for r in by_size[n] if not r["name"].startswith("libpto") and r["mark"] != "x"]
            best = min(peers, key=lambda r: r["ratio"])
            mark = f" {best['mark']}" if best["mark"] else ""
            lost = "**" if best["ratio"] < 1 else ""
            line += f" {ours['ns']:.3f}, {best['name']}{mark}, {lost}{best['ratio']:.2f}{lost} |"
        print(line)
    print("\n| 63x63 inside 64x64 | " + " | ".join(sorted({r["dtype"] for r in rows if r["section"] == "tail"})) + " |")
    types = sorted({r["dtype"] for r in rows if r["section"] == "tail"})
    print("|---|" + "---|" * len(types))
    tails = {}
    for row in rows:
        if row["section"] == "tail":
            tails.setdefault(row["op"], {})[row["dtype"]] = row["ratio"]
    for op, by_type in tails.items():
        print(f"| {op} | " + " | ".join(f"{by_type[t]:.2f}" if t in by_type else "" for t in types) + " |")
    print("\n| 16x16 f32, all checks on | call, ns | above the bare kernel, ns |\n|---|---|---|")
    for row in rows:
        if row["section"] == "call":
            print(f"| {row['op']} | {row['ns']:.1f} | {row['ns'] * (1 - 1 / row['ratio']):.1f} |")


main()

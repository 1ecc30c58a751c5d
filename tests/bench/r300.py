#!/usr/bin/env python3
"""How well src/move/target/r300.c says what Mesa's r300 compiler makes of programs.

    tests/bench/r300.py CSV OUT

CSV is the folder with r300.csv, whose columns are example, options, compiler, pairs, tex and nodes.  OUT has the programs that it is of: a
folder for each level without blanks, below it one for each example.  Those that were measured are written by commit db1876e:

    for o in -O0 -O1 -O2 -O3 "-O2 --target=r420" "-O3 --target=r420"; do fpmove --batch examples $o -o "OUT/${o// /}"; done

Prints, for each compiler and level: R^2 of pairs and of nodes, the sums that are simulated and measured, and the worst case.
BUILD (build) is where the library is, CC (cc) compiles the counter."""
import csv
import glob
import os
import subprocess
import sys
import tempfile


def r2(said, true):
    mean = sum(true) / len(true)
    return 1 - sum((a - b) ** 2 for a, b in zip(said, true)) / sum((b - mean) ** 2 for b in true)


def count(files):
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.environ.get("BUILD", "build")
    with tempfile.TemporaryDirectory() as work:
        counter = work + "/r300_count"
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-O1", "-I" + here + "/../../src", "-I" + build, here + "/r300_count.c",
                        build + "/libfpmove.a", "-lmcpp", "-lm", "-o", counter], check=True)
        lines = subprocess.run([counter, *files], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.rsplit(" ", 3)[0]: [int(n) for n in line.rsplit(" ", 3)[1:]] for line in lines}


def show(name, rows):
    pairs, nodes = ([(r["said"][k], int(r[what])) for r in rows] for k, what in ((0, "pairs"), (2, "nodes")))
    worst = max(rows, key=lambda r: abs(r["said"][0] - int(r["pairs"])))
    print(f"{name:28} pairs {r2(*zip(*pairs)):.3f} ({sum(a for a, _ in pairs)} of {sum(b for _, b in pairs)}),"
          f" nodes {r2(*zip(*nodes)):.3f} ({sum(a for a, _ in nodes)} of {sum(b for _, b in nodes)}),"
          f" worst {worst['example']}: {worst['said'][0]} of {worst['pairs']}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = list(csv.DictReader(open(sys.argv[1] + "/r300.csv")))
    for r in rows:
        folder = f"{sys.argv[2]}/{r['options'].replace(' ', '')}/{r['example']}"
        found = [f for f in sorted(glob.glob(folder + "/*")) if "ps_2_0" in open(f).read()]
        if len(found) != 1:
            sys.exit(f"{folder}: one pixel program is wanted")
        r["file"] = found[0]
    said = count(sorted({r["file"] for r in rows}))
    for r in rows:
        r["said"] = said[r["file"]]
    for compiler in sorted({r["compiler"] for r in rows}):
        of = [r for r in rows if r["compiler"] == compiler]
        for options in dict.fromkeys(r["options"] for r in of):
            show(f"{compiler} {options}", [r for r in of if r["options"] == options])
        show(f"{compiler} all", of)


main()

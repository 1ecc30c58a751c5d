#!/usr/bin/env python3
"""compare.py DIFFERENCES FOLDER WINE OURS: compares the verdicts of Wine's assembler (WINE, as src/d3d9/assembling.c
writes it) with those of `fpmove --check` (OURS, its messages) on the programs of FOLDER.  Prints TAP, with a test for
each family of programs, the first word of a name, and one for the list of differences."""

import fnmatch
import os
import re
import sys

differences, folder, wine_file, ours_file = sys.argv[1:]

wine = {}
with open(wine_file, encoding="latin-1") as f:
    for line in f:
        verdict, name, *rest = line.rstrip("\n").split("\t")
        if verdict in ("ok", "fail"):
            wine[os.path.basename(name)[:-4]] = (verdict == "ok", rest[0] if rest else "")

ours = {name: set() for name in wine}
message = re.compile(r"(?:.*/)?([^/]+)\.asm:(?:\d+:\d+:)? ?error: .*\[([a-z0-9-]+)\]$")
with open(ours_file, encoding="latin-1") as f:
    for line in f:
        m = message.match(line.rstrip("\n"))
        if m:
            ours[m[1]].add(m[2])

listed = []
with open(differences, encoding="utf-8") as f:
    for line in f:
        if line.strip() and not line.startswith("#"):
            sign, pattern, reason = line.split(None, 2)
            listed.append([sign, pattern, reason, 0])


def is_listed(sign, name):
    found = False
    for entry in listed:
        if entry[0] == sign and fnmatch.fnmatchcase(name, entry[1]):
            entry[3] += 1
            found = True
    return found


families, agreed, expected = {}, {}, {}
for name, (takes, text) in wine.items():
    family = name.split("-")[0]
    bad = families.setdefault(family, [])
    sign = None
    if not takes and not ours[name]:
        sign, what = "+", "Wine turns it down: " + text
    elif takes and ours[name] & {"syntax", "model"}:
        sign, what = "-", "our reader turns down what Wine takes"
    if sign is None:
        agreed[family] = agreed.get(family, 0) + 1
    elif is_listed(sign, name):
        expected[family] = expected.get(family, 0) + 1
    else:
        bad.append("%s: %s" % (name, what))

programs = [n for n in os.listdir(folder) if n.endswith(".asm")]
results = [(len(wine) == len(programs) >= 300, "Wine and fpmove judged %d programs" % len(wine), [])]
for family in sorted(families):
    results.append((not families[family], "%s: %d agree, %d differ as listed"
                    % (family, agreed.get(family, 0), expected.get(family, 0)), families[family]))
unused = ["no difference fits %s %s" % (e[0], e[1]) for e in listed if e[3] == 0]
results.append((not unused, "every listed difference exists", unused))
print("1..%d" % len(results))
for number, (good, name, notes) in enumerate(results, 1):
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))
    for note in notes:
        print("#   " + note)
sys.exit(0 if all(r[0] for r in results) else 1)

#!/usr/bin/env python3
"""Holds moved effects against those given.

    compare.py slots DESCRIPTION REPORT NOTES   the slots that it wants, and what it says that stays and why
    compare.py registers BEFORE AFTER REPORT    what MojoShader sets: all constants are where they were, and those that a
                                                vertex program needs now hold what the pixel program's hold
    compare.py images PIXELS                    what Wine draws, of FILE and of moved/FILE
"""
import json
import os
import sys


def fail(*words):
    print("#", *words)
    fail.any = True


fail.any = False


def pairs(report):
    with open(report) as f:
        return json.load(f)["pairs"]


def slots(description, report, notes):
    found = {p["ps"]["file"].split("#")[1]: p for p in pairs(report)}
    said = open(notes).read()
    for line in open(description):
        words = line.split()
        if words[:1] == ["#"] and words[1:2] in (["want"], ["lone"]):
            pair = found.pop(words[2], None)
            want = [int(words[3]), int(words[4])]
            if not pair or pair["ps"]["slots"] != want:
                fail(words[2], "wanted", want, "got", pair and pair["ps"]["slots"])
            elif words[1] == "lone" and pair["vs"]["file"]:
                fail(words[2], "has a vertex program")
            elif not all(c["by_name"] for c in pair["constants"]):
                fail(words[2], "needs a constant that no name tells")
        if words[:1] == ["#"] and words[1:2] in (["stays"], ["lone"]):
            technique, name = words[2].split("/")
            how, why = ("stays as it is", words[3:]) if words[1] == "stays" else ("is planned without its vertex program", words[5:])
            note = f"technique {technique} pass {name} {how}: {' '.join(why)} ["
            if note not in said:
                fail("not said:", note)
            said = said.replace(note, "")
    if found or "stays as it is" in said or "is planned without" in said:
        fail("not wanted:", *found, said)


def registers(before, after, report):
    rows = []
    for name in before, after:
        rows.append({})
        for line in open(name):
            words = line.split(" ")
            if len(words) == 9:
                rows[-1][words[1], words[2], words[3], words[4]] = words[5:]
    old, new = rows
    if not old:
        fail("no register is set")
    for key, value in old.items():
        if new.get(key) != value:
            fail(key, "was", value, "is", new.get(key))
    named = 0
    for pair in pairs(report):
        technique, name = pair["ps"]["file"].split("#")[1].split("/")
        for c in pair["constants"]:
            want, got = old.get((technique, name, "ps", f"c{c['ps']}")), new.get((technique, name, "vs", f"c{c['vs']}"))
            named += 1
            if not want or got != want:
                fail(c, "wanted", want, "got", got)
    return named


def xnb(before, effect_before, after, effect_after):
    old, given, new, moved = (open(name, "rb").read() for name in (before, effect_before, after, effect_after))
    at = old.index(given)
    wanted = bytearray(old.replace(given, moved))
    for place, size in (6, len(wanted)), (at - 4, len(moved)):
        wanted[place:place + 4] = size.to_bytes(4, "little")
    if new != wanted or old[6:10] != len(old).to_bytes(4, "little"):
        fail(after, "is not the .xnb with the moved effect in it")


def alike(one, other):
    return all(abs(a - b) <= 1e-4 * max(map(abs, one)) for a, b in zip(one, other))


def images(pixels):
    rows = {}
    for line in open(pixels):
        words = line.rstrip("\n").split("\t")
        if len(words) == 5:
            rows[tuple(words[:4])] = [float(x) for x in words[4].split()]
        elif words[0] != "summary":
            fail(*words)
    moved = 0
    for key, old in rows.items():
        folder, name = os.path.split(key[0])
        if os.path.basename(folder) == "moved":
            continue
        new = rows.get((os.path.join(folder, "moved", name), *key[1:]))
        # Wine 8 and 10 draw two colours in one o# wrongly.  A technique that draws the same in another way tells whether this Wine does.
        apart = rows.get((key[0], key[1] + "_apart", *key[2:]))
        if apart and not alike(old, apart):
            print("#", *key, "is drawn wrongly as given, and not compared")
        elif not new or len(set(old)) < 8 or not alike(old, new):
            fail(*key, "differs, or is of one colour")
        moved += old != new
    if not rows or not moved:
        fail("nothing was drawn, or nothing moved")


{"slots": slots, "registers": registers, "images": images, "xnb": xnb}[sys.argv[1]](*sys.argv[2:])
sys.exit(fail.any)

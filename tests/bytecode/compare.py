#!/usr/bin/env python3
"""compare.py IN OURS WINE: checks that the bytecode of each program in the folder OURS is the one that WINE (as src/d3d9/assembling.c
writes it) gives for the text of the same name in IN.  Declarations are sorted; for a register with one lane, Wine writes all four
into the mask."""

import os
import struct
import sys

DEF, DEFI, DEFB, DCL, COMMENT, END = 81, 48, 47, 31, 0xFFFE, 0xFFFF
RASTOUT, DEPTHOUT, FOG = 4, 9, 1


def one_lane(token):
    kind = token >> 28 & 7 | token >> 8 & 0x18
    return kind == DEPTHOUT or kind == RASTOUT and token & 0x7FF >= FOG


def statements(tokens):
    found, at = [], 1
    while tokens[at] != END:
        code = tokens[at] & 0xFFFF
        if code == COMMENT:
            at += 1 + (tokens[at] >> 16 & 0x7FFF)
            continue
        if code == DEF:
            n = 5
        elif tokens[0] >> 8 & 0xFF > 1:
            n = tokens[at] >> 24 & 15
        else:
            n = 0
            while tokens[at + 1 + n] >> 31:
                n += 1
        words = list(tokens[at:at + 1 + n])
        if n and code not in (DEF, DEFI, DEFB, DCL) and one_lane(words[1]):
            words[1] |= 0xF0000
        found.append(words)
        at += 1 + n
    order = {DCL, DEF, DEFI, DEFB}
    declared = [s for s in found if s[0] & 0xFFFF in order]
    return [tokens[0]] + sorted(declared) + [s for s in found if s[0] & 0xFFFF not in order]


def main(folder, ours, wine):
    differ = compared = 0
    with open(wine, encoding="latin-1") as lines:
        for line in lines:
            verdict, name, *rest = line.rstrip("\n").split("\t")
            if verdict != "ok":
                differ += verdict == "fail"
                continue
            want = struct.unpack(">%dI" % (len(rest[0]) // 8), bytes.fromhex(rest[0]))
            with open(os.path.join(ours, os.path.relpath(name, folder)), "rb") as f:
                data = f.read()
            got = struct.unpack("<%dI" % (len(data) // 4), data)
            compared += 1
            if statements(want) != statements(got):
                differ += 1
                print("#   %s: %s" % (name, next((a, b) for a, b in zip(statements(want), statements(got)) if a != b)))
    print("#   %d programs compared, %d differ" % (compared, differ))
    return differ > 0 or compared < 250


sys.exit(main(*sys.argv[1:]))

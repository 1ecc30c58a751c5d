#!/usr/bin/env python3
"""Writes programs that each load one or two resources of a GPU, and their list for `fpmove-gpu time --batch`.

    gpu_rates.py DIR LIST

A name is what a pixel does: scalar multiply-adds (fma), interpolated scalars (var), texture reads
(tex) by other samplers, addresses or interpolators, and other opcodes, each so many times."""
import os, sys

out = sys.argv[1]  # folder of the programs
os.makedirs(out, exist_ok=True)
lines = []
VS = "vs_1_1\ndcl_position v0\n" + "".join("dcl_texcoord%d v%d\n" % (n, n + 1) for n in range(8)) + "mov oPos, v0\n"


def pair(group, name, lanes, samplers, body, vertex=""):
    """Returns declarations that read so many lanes of each t#."""
    ps = "ps_2_0\n" + "".join("dcl t%d.%s\n" % (n, "xyzw"[:k]) for n, k in enumerate(lanes) if k)
    ps += "".join("dcl_2d s%d\n" % s for s in range(samplers))
    vs = VS + "".join("mov oT%d, v%d\n" % (n, n + 1) for n, k in enumerate(lanes) if k) + vertex
    base = os.path.join(out, group + "-" + name)
    open(base + ".vsh", "w").write(vs)
    open(base + ".psh", "w").write(ps + "\n".join(["mov r0, c0"] + body) + "\nmov oC0, r0\n")
    lines.append('"%s.vsh" "%s.psh"' % (base, base))


def scalars(n):
    """Returns a sum of n interpolated scalars."""
    lanes = [min(4, n - 4 * t) for t in range(8) if n > 4 * t]
    return lanes, ["add r0.%s, r0, t%d" % ("xyzw"[:k], t) for t, k in enumerate(lanes)]


def alternating(text, n):
    """Returns n instructions in two independent chains; {0} and {1} stand for the chains' registers."""
    chain = ["mov r0, t0", "mov r1, c1"] + [text.format("r%d" % (k % 2), "r%d" % (1 - k % 2), k % 16) for k in range(n)]
    return chain + ["add r0, r0, r1"]


def mads(n):
    return ["mad r0, r0, c%d, t0.x" % (k % 16) for k in range(n)]


def reads(n, address, use=1):
    """Returns n texture reads, each used by `use` vector instructions; address: the code for r1, and the read."""
    return sum([[line % {"n": k, "c": k % 24 + 1} for line in address] +
                ["mad r0, r1, c%d, r0" % j for j in range(use)] for k in range(n)], [])


ADDED = ["add r1.xy, t0, c%(c)d", "texld r1, r1, s0"]
OWN = ["texld r1, t%(n)d, s0"]
SAMPLERS = ["texld r1, t0, s%(n)d"]
PROJECTED = ["texldp r1, t%(n)d, s0"]
DIVIDED = ["rcp r1.w, t%(n)d.w", "mul r1.xy, t%(n)d, r1.w", "texld r1, r1, s0"]

for n in (0, 4, 8, 16, 24, 32, 48, 64, 96, 128):
    pair("fma", str(4 * n), [4], 0, alternating("mad {0}, {0}, c{2}, t0", n))
for n in (1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32):
    pair("var", str(n), scalars(n)[0], 0, scalars(n)[1])
for n in (8, 16, 32):
    for k in (16, 32, 64):
        pair("var%d" % n, "fma%d" % (4 * k), scalars(n)[0], 0, scalars(n)[1] + mads(k))
for n in (1, 2, 3, 4, 6, 8, 12, 16):
    pair("tex", "samplers%d" % n, [2], n, reads(n, SAMPLERS))
for n in (1, 2, 4, 8, 12, 16, 24):
    pair("tex", "added%d" % n, [2], 1, reads(n, ADDED))
for n in (1, 2, 3, 4, 6, 8):
    pair("tex", "own%d" % n, [2] * n, 1, reads(n, OWN))
for n in (1, 2, 3, 4, 6, 8):
    pair("tex", "projected%d" % n, [4] * n, 1, reads(n, PROJECTED))
    pair("tex", "divided%d" % n, [4] * n, 1, reads(n, DIVIDED))
for n in (1, 2, 3, 4):
    pair("tex", "dependent%d" % n, [2], 1, ["texld r1, t0, s0"] + ["texld r1, r1, s0"] * (n - 1) + ["mad r0, r1, c1, r0"])
for n in (2, 4, 8):
    for k in (1, 2, 4, 8, 16):
        pair("tex%d" % n, "fma%d" % (4 * n * k), [2], 1, reads(n, ADDED, k))
    for k in (4, 8, 16, 24, 32):
        pair("tex%d" % n, "var%d" % k, scalars(k)[0], n, scalars(k)[1] + reads(n, SAMPLERS))
for n in (4, 8, 16, 32):
    for op in ("rsq", "exp", "log"):
        pair(op, str(n), [4], 0, alternating(op + " {0}.x, {0}.x", n))
    for k in (4, 8, 16):
        pair("var%d" % n, "rsq%d" % k, scalars(n)[0], 0,
             scalars(n)[1] + ["mov r1, c0"] + ["rsq r1.x, r1.x"] * k + ["add r0, r0, r1.x"])
for op in ("mad {0}, {0}, c1, t0", "add {0}, {0}.yzxw, {1}", "mov {0}, {0}.yzxw", "abs {0}, -{0}", "mad_sat {0}, {0}, c1, t0",
           "max {0}, {0}, c1", "cmp {0}, {0}, c1, {0}", "cmp {0}, {1}.x, c1, {0}", "frc {0}, {0}", "lrp {0}, {1}, {0}, t0",
           "dp3 {0}.x, {0}, c1", "dp4 {0}.x, {0}, c1", "dp2add {0}.x, {0}, c1, c2.x", "crs {0}.xyz, {1}, c1", "m4x4 {0}, {1}, c4",
           "nrm {0}.xyz, {1}", "pow {0}.x, {1}.x, c1.x", "sincos {0}.xy, {1}.x, c0, c1", "rcp {0}.x, {1}.y"):
    for n in (16, 32):
        pair(op.format("a", "b").replace(", ", "-").replace(" ", "-"), str(n), [4], 0, alternating(op, n))
for n in (1, 2, 3, 4):
    pair("colours", str(n), [4], 0, ["mov oC%d, r0" % k for k in range(1, n)])
for n in (0, 16, 32, 64, 100):
    pair("vertex", str(n), [4], 0, ["mov r0, t0"],
         "mov r0, v1\n" + "".join("mad r0, r0, v2, c%d\n" % (k + 1) for k in range(n)) + "mov oT0, r0\n")
for n in (1, 2, 4, 8):
    pair("outputs", str(n), [1] * n, 0, ["add r0.x, r0, t%d" % t for t in range(n)])
open(sys.argv[2], "w").write("\n".join(lines) + "\n")

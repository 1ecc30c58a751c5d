#!/usr/bin/env python3
"""programs.py FOLDER FPMOVE: writes several hundred small programs into a folder, one file each, for tests/agree/run to compare
the verdicts of Wine's assembler and of fpmove on them.

Each table below varies one thing in a correct program, so that a verdict is about that thing.  The name tells it; `differences`
refers to names.  The examples of FPMOVE's rules are written, too."""

import re
import subprocess
import sys

OPS = {  # operands that suit the opcode in a pixel program; v0 stands in for IN in a vertex program
    "abs": "r1, IN", "add": "r1, IN, c4", "cmp": "r1, IN, r0, c4", "crs": "r1.xyz, IN, c4",
    "dp2add": "r1, IN, c4, r0.x", "dp3": "r1, IN, c4", "dp4": "r1, IN, c4", "dst": "r1, IN, c4",
    "exp": "r1, IN.x", "expp": "r1, IN.x", "frc": "r1.xy, IN", "lit": "r1, IN", "log": "r1, IN.x",
    "logp": "r1, IN.x", "lrp": "r1, IN, c4, r0", "m3x2": "r1.xy, IN, c4", "m3x3": "r1.xyz, IN, c4",
    "m3x4": "r1, IN, c4", "m4x3": "r1.xyz, IN, c4", "m4x4": "r1, IN, c4", "mad": "r1, IN, c4, r0",
    "max": "r1, IN, c4", "min": "r1, IN, c4", "mov": "r1, IN", "mova": "a0.x, IN.x", "mul": "r1, IN, c4",
    "nop": "", "nrm": "r1.xyz, IN", "pow": "r1, IN.x, r0.x", "rcp": "r1, IN.x", "rsq": "r1, IN.x",
    "sge": "r1, IN, c4", "sgn": "r1, IN, r2, r3", "sincos": "r1.xy, IN.x, c4, c5", "slt": "r1, IN, c4",
    "sub": "r1, IN, c4", "texkill": "IN", "texld": "r1, IN, s0", "texldb": "r1, IN, s0",
    "texldp": "r1, IN, s0",
    # opcodes of other models, and flow control
    "cnd": "r1, IN, c4, r0", "bem": "r1.xy, c4, r0", "texcoord": "t1", "tex": "t1", "texcrd": "r1.xyz, IN",
    "texldl": "r1, IN, s0", "texldd": "r1, IN, s0, r0, r0", "dsx": "r1, r0", "dsy": "r1, r0", "phase": "",
    "if": "b0", "else": "", "endif": "", "rep": "i0", "endrep": "", "loop": "aL, i0", "endloop": "", "ret": "",
    "call": "l0", "label": "l0", "break": "", "breakp": "p0", "setp_gt": "p0, r0, c4", "if_gt": "r0.x, r0.y",
    "defi": "i0, 0, 1, 2, 3", "defb": "b0, true", "unknown": "r1, IN", "movx": "r1, IN", "texm3x3": "t1, IN",
}
MODELS = ["vs_1_1", "vs_2_0", "ps_2_0", "ps_2_x", "vs_2_x", "vs_3_0", "ps_3_0"]
REGISTER_MODELS = ["vs_1_1", "vs_2_0", "ps_2_0", "vs_3_0", "ps_3_0"]
REGISTERS = {  # kind: numbers to try, or none for a register without a number
    "r": [0, 11, 12, 31, 32], "v": [0, 1, 2, 9, 10, 15, 16], "t": [0, 7, 8], "c": [0, 31, 32, 95, 223, 224, 255, 256], "a": [0, 1],
    "s": [0, 15, 16], "oD": [0, 1, 2], "oT": [0, 7, 8], "oC": [0, 3, 4], "oPos": [None], "oFog": [None],
    "oPts": [None], "oDepth": [None], "i": [0], "b": [0], "p": [0], "aL": [None], "o": [0, 11, 12], "vPos": [None], "vFace": [None],
    "l": [0], "x": [0], "oFace": [None],
}
programs = {}


def program(name, model, body, before="", after=True):
    """Adds a program: declarations, a write of r0, the body, and the output that the model requires."""
    vertex, linked = model.startswith("vs"), model.endswith("3_0")
    if vertex:
        head = model + "\ndcl_position v0\n" + ("dcl_position o0\n" if linked else "") + before + "mov r0, v0\n"
        tail = "mov %s, v0\n" % ("o0" if linked else "oPos")
    else:
        head = model + ("\ndcl_texcoord v0" if linked else "\ndcl t0") + "\ndcl_2d s0\n" + before + "mov r0, IN\n"
        tail = "mov oC0, r0\n"
    assert name not in programs, name
    programs[name] = (head + body + "\n" + (tail if after else "")).replace("IN", "v0" if vertex or linked else "t0")


def raw(name, text):
    assert name not in programs, name
    programs[name] = text


def both(name, body, before=""):
    program(name + "-vs", "vs_1_1", body, before)
    program(name + "-ps", "ps_2_0", body, before)
    program(name + "-vs3", "vs_3_0", body, before)
    program(name + "-ps3", "ps_3_0", body, before)


# Every opcode in every model.
for op, operands in OPS.items():
    for model in MODELS:
        alone = op == "sincos" and model.endswith("3_0")  # without its two constants
        program("op-%s-%s" % (model, op), model, op + " " + (operands[: operands.index(", c4")] if alone else operands))

# One operand too few, one too many.
for op, operands in OPS.items():
    if op in ("cnd", "unknown", "movx") or operands.count(",") == 0:
        continue
    model = "ps_3_0" if op in ("dsx", "dsy", "texldd", "texldl") else "ps_2_0" if op not in ("dst", "expp", "lit", "logp", "mova", "sge", "slt", "sgn") else "vs_2_0"
    program("few-" + op, model, op + " " + operands[: operands.rindex(",")])
    program("many-" + op, model, op + " " + operands + ", r0")

# Every register, written and read.
for kind, numbers in REGISTERS.items():
    for number in numbers:
        name = kind + ("" if number is None else str(number))
        for model in REGISTER_MODELS:
            linked = model.endswith("3_0") and (kind in ("v", "o") and number > 0)
            before = "dcl_texcoord1 %s\n" % name if linked or (kind == "v" and number > 0 and model[0] == "v") else ""
            if model == "ps_3_0" and name in ("vPos", "vFace"):
                before = "dcl %s\n" % name
            program("write-%s-%s" % (model, name), model, "mov %s, r0" % name, before)
            program("read-%s-%s" % (model, name), model, "mov r1, %s" % name, before)

# Suffixes.
for suffix in "_sat _pp _sat_pp _pp_sat _x2 _d2 _centroid _abs _SAT _ _2d".split():
    for op, operands in (("mul", "r1, IN, c4"), ("mov", "r1, IN"), ("frc", "r1.xy, IN")):
        both("suffix-%s%s" % (op, suffix), "%s%s %s" % (op, suffix, operands))
    program("suffix-texld" + suffix, "ps_2_0", "texld%s r1, t0, s0" % suffix)
    program("suffix-texkill" + suffix, "ps_2_0", "texkill%s t0" % suffix)
    program("suffix-nop" + suffix, "ps_2_0", "nop%s" % suffix)

# Sources as written.
for name, source in {
    "negated": "-r0", "negated-swizzled": "-r0.x", "negated-twice": "--r0", "plus": "+r0", "invert": "1-r0", "bias": "r0_bias",
    "bx2": "r0_bx2", "x2": "r0_x2", "abs": "r0_abs", "dz": "r0_dz", "dw": "r0_dw", "not": "!r0", "space": "- r0", "x": "r0.x",
    "xx": "r0.xx", "xy": "r0.xy", "xyz": "r0.xyz", "xyzw": "r0.xyzw", "wzyx": "r0.wzyx", "rgba": "r0.rgba", "r": "r0.r",
    "mixed-names": "r0.xgba", "five": "r0.xyzwx", "bad-letter": "r0.q", "empty": "r0.", "capital": "R0.XYZW", "spaced-dot": "r0 .x",
    "spaced-dot-2": "r0. x", "number": "1.0", "integer": "1", "no-number": "r", "negative-number": "r-1", "hex": "r0x1",
    "zero": "r00", "long-number": "r0000001", "huge": "r99999999999", "huge-constant": "c99999999999", "parenthesis": "(r0)",
    "brackets": "c[4]", "brackets-register": "r[0]", "base-and-index": "c4[2]", "sum": "c[1+2]", "product": "c[2*2]",
    "difference": "c[4-2]", "nested": "c[(1+2)]", "name": "colour", "string": "\"r0\"", "swizzle-twice": "r0.x.y",
    "brackets-swizzled": "c[4].x", "a0": "c[a0.x]", "a0-plus": "c[a0.x+3]", "plus-a0": "c[3+a0.x]", "a0-bare": "c[a0]",
    "a0-y": "c[a0.y]", "a0-minus": "c[a0.x-3]", "a0-twice": "c[a0.x+a0.x]", "a0-scaled": "c[2*a0.x]", "a0-base": "c1[a0.x+2]",
    "a0-sums": "c[2+a0.x+12]", "a0-far": "c[a0.x+95]", "a0-temp": "r[a0.x]", "a0-input": "v[a0.x]", "r0-index": "c[r0.x]",
    "a0-swizzled": "c[a0.x+3].wzyx", "a0-negated": "-c[a0.x+3]", "a1": "c[a1.x]", "aL": "c[aL]", "o-temp": "o[a0.x]", "negated-abs": "-r0_abs",
    "abs-swizzled": "r0_abs.wzyx", "abs-lane": "-r0_abs.y", "swizzled-abs": "r0.x_abs", "abs-twice": "r0_abs_abs", "abs-constant": "c4_abs",
    "abs-brackets": "c[4]_abs", "abs-input": "IN_abs.x", "abs-capital": "R0_ABS", "a0-abs": "c[a0.x+3]_abs.x", "a0-w": "-c[a0.w+3]",
    "open-bracket": "c[4", "empty-brackets": "c[]",
}.items():
    both("source-" + name, "mov r1, " + source)
    if "a0" in name:
        program("source-written-" + name, "vs_1_1", "mov a0.x, r0.x\nmov r1, " + source)
        program("source-written2-" + name, "vs_2_0", "mova a0, r0\nmov r1, " + source)
        program("source-written3-" + name, "vs_3_0", "mova a0, r0\nmov r1, " + source)

# Destinations as written.
for name, dst in {
    "x": "r1.x", "xy": "r1.xy", "xyzw": "r1.xyzw", "xw": "r1.xw", "rgb": "r1.rgb", "mixed": "r1.xgb", "order": "r1.yx", "twice": "r1.xx",
    "five": "r1.xyzwx", "bad": "r1.q", "empty": "r1.", "negated": "-r1", "brackets": "r[1]", "number": "1", "name": "result", "modifier": "r1_sat",
    "relative": "c[a0.x]", "bias": "r1_bias", "spaced": "r1 . x",
}.items():
    both("destination-" + name, "mov %s, r0" % dst)

# Masks of opcodes that need one, swizzles of opcodes that need none.
for op in ("m3x2", "m3x3", "m3x4", "m4x3", "m4x4", "frc", "crs", "nrm", "sincos", "texld", "exp", "rcp", "pow"):
    operands = OPS[op][OPS[op].index(","):]
    for mask in ("", ".x", ".y", ".xy", ".xyz", ".w"):
        program("mask-%s-%s" % (op, mask[1:] or "none"), "ps_2_0", "%s r1%s%s" % (op, mask, operands))
for name, text in {
    "rcp-bare": "rcp r1, r0", "rsq-bare": "rsq r1, r0", "exp-bare": "exp r1, r0", "log-bare": "log r1, r0", "rcp-xy": "rcp r1, r0.xy",
    "m4x4-negated-matrix": "m4x4 r1, r0, -c0", "m4x4-swizzled-matrix": "m4x4 r1, r0, c0.x", "m4x4-alias": "m4x4 r0, r0, c0",
    "oPos-scalar": "mov oPos.x, r0.x",
}.items():
    both("operand-" + name, text)
for name, text in {
    "texld-swizzled": "texld r1, t0.wzyx, s0", "texld-negated": "texld r1, -t0, s0", "texld-constant": "texld r1, c0, s0",
    "texld-no-sampler": "texld r1, t0, r0", "texld-sampler-swizzled": "texld r1, t0, s0.x", "texld-to-t": "texld t0, t0, s0",
    "texld-two": "texld r1, s0", "texkill-negated": "texkill -r0", "texkill-swizzled": "texkill r0.x", "texkill-masked": "texkill r0.xyz",
    "texkill-constant": "texkill c0", "mov-sampler": "mov r1, s0", "add-sampler": "add r1, r0, s0", "sampler-negated": "texld r1, t0, -s0",
    "oDepth-bare": "mov oDepth, r0", "oDepth-x": "mov oDepth, r0.x", "oDepth-masked": "mov oDepth.x, r0.x", "oC0-read": "mov r1, oC0",
    "oC1-masked": "mov oC1.x, r0", "oC1-sat": "mov_sat oC1, r0", "oC1-pp": "mov_pp oC1, r0", "two-constants": "add r1, c0, c1",
    "two-inputs": "add r1, t0, t1", "crs-alias": "crs r0.xyz, r0, t0",
}.items():
    program("operand-" + name, "ps_2_0", text)
for name, text in {
    "oFog-bare": "mov oFog, r0", "oFog-x": "mov oFog.x, r0.x", "oFog-w": "mov oFog.w, r0.w", "oPts-y": "mov oPts.y, r0.y",
    "a0-bare": "mov a0, r0", "a0-x": "mov a0.x, r0.x", "a0-y": "mov a0.y, r0.x", "a0-read": "mov r1, a0.x", "a0-add": "add a0.x, r0.x, r0.x",
    "a0-mova": "mova a0.x, r0.x", "oT-read": "mov r1, oT0", "oPos-read": "mov r1, oPos",
}.items():
    program("operand-%s-vs_1_1" % name, "vs_1_1", text)
    program("operand-%s-vs_2_0" % name, "vs_2_0", text)

# Declarations.
USAGES = "position blendweight blendindices normal psize texcoord tangent binormal tessfactor positiont color fog depth sample".split()
for usage in USAGES + ["position0", "texcoord15", "texcoord16", "colour", "weight", "texcoord_pp", "texcoord-1", ""]:
    for model in ("vs_1_1", "ps_2_0"):
        program("dcl-%s-%s" % (model, usage or "bare"), model, "nop", "dcl%s v1\n" % (usage and "_" + usage))
for name, line in {
    "t1": "dcl t1", "t1-xy": "dcl t1.xy", "t1-yz": "dcl t1.yz", "t1-rg": "dcl t1.rg", "t1-pp": "dcl_pp t1", "t1-centroid": "dcl_centroid t1",
    "t1-both": "dcl_pp_centroid t1.xy", "v1-xyz": "dcl v1.xyz", "s1": "dcl s1", "s1-2d": "dcl_2d s1", "s1-cube": "dcl_cube s1", "s1-volume": "dcl_volume s1",
    "s1-1d": "dcl_1d s1", "s1-3d": "dcl_3d s1", "s1-masked": "dcl_2d s1.x", "t1-2d": "dcl_2d t1", "r1": "dcl r1", "c1": "dcl c1", "two": "dcl t1, t2",
    "none": "dcl", "number": "dcl 1", "texcoord-t1": "dcl_texcoord0 t1", "negated": "dcl -t1", "sat": "dcl_sat t1", "oC0": "dcl oC0", "case": "DCL_2D S1",
    "swizzle-order": "dcl t1.yx", "2d-pp": "dcl_2d_pp s1", "pp-2d": "dcl_pp_2d s1",
}.items():
    both("declare-" + name, "nop", line + "\n")
for name, line in {
    "plain": "def c0, 1, 2, 3, 4", "floats": "def c0, 1.0, -.5, 1., +2.5", "f": "def c0, 1.0f, 2f, 0.5F, 1.f", "exponents": "def c0, 1e-3, 1E+5, 1e5, 1.5e-10",
    "three": "def c0, 1, 2, 3", "five": "def c0, 1, 2, 3, 4, 5", "none": "def c0", "equals": "def c0 = 1, 2, 3, 4", "spaces": "def c0 1 2 3 4", "r0": "def r0, 1, 2, 3, 4",
    "masked": "def c0.x, 1, 2, 3, 4", "names": "def c0, a, b, c, d", "registers": "def c0, r0, r1, r2, r3", "big": "def c0, 1e38, 1e39, 0, 0", "tiny": "def c0, 1e-45, 1e-60, 0, 0",
    "hex": "def c0, 0x10, 0, 0, 0", "brackets": "def c[0], 1, 2, 3, 4", "minus-space": "def c0, - 1, 2, 3, 4", "twice-negative": "def c0, --1, 2, 3, 4", "trailing-comma": "def c0, 1, 2, 3, 4,",
    "negative-index": "def c-1, 0, 0, 0, 0", "c31": "def c31, 0, 0, 0, 0", "c32": "def c32, 0, 0, 0, 0", "c95": "def c95, 0, 0, 0, 0", "v0": "def v0, 0, 0, 0, 0", "no-comma": "def c0, 1 2, 3, 4",
    "pp": "def_pp c0, 0, 0, 0, 0", "expression": "def c0, 1+1, 0, 0, 0", "upper": "DEF C0, 0, 0, 0, 0", "inf": "def c0, inf, 0, 0, 0", "many-digits": "def c0, 0.333333333333333333333333, 0, 0, 0",
}.items():
    both("define-" + name, "nop", line + "\n")
both("define-late", "def c0, 0, 0, 0, 0")
program("declare-late-ps", "ps_2_0", "dcl t1")
program("declare-late-vs", "vs_1_1", "dcl_normal v1")

# Model 3: usages of outputs and of a pixel program's inputs, which divide the lanes of a register among them.
for usage in USAGES + ["position1", "psize1", "texcoord15", "texcoord16", "color2", "colour", "texcoord_pp", ""]:
    dcl = "dcl" + (usage and "_" + usage)
    program("link-o-%s" % (usage or "bare"), "vs_3_0", "mov o1, r0", dcl + " o1\n")
    program("link-v-%s" % (usage or "bare"), "ps_3_0", "mov r1, v1", dcl + " v1\n")
for mask in "x y z w xy yz xw yzw xyz xyzw rg ba yx xx".split():
    program("link-o-mask-" + mask, "vs_3_0", "mov o1.%s, r0" % mask, "dcl_texcoord o1.%s\n" % mask)
    program("link-v-mask-" + mask, "ps_3_0", "mov r1.%s, v1" % mask, "dcl_texcoord1 v1.%s\n" % mask)
    program("link-oC-mask-" + mask, "ps_3_0", "mov oC1.%s, r0" % mask)
for name, (model, before, body) in {
    "o-packed": ("vs_3_0", "dcl_texcoord o1.xy\ndcl_texcoord3 o1.zw\n", "mov o1, r0"),
    "o-packed-kinds": ("vs_3_0", "dcl_normal o1.xyz\ndcl_fog o1.w\n", "mov o1, r0"),
    "v-packed": ("ps_3_0", "dcl_texcoord1 v1.xy\ndcl_texcoord3 v1.zw\n", "mov r1, v1"),
    "o-pp": ("vs_3_0", "dcl_texcoord_pp o1\n", "mov o1, r0"), "v-pp": ("ps_3_0", "dcl_texcoord1_pp v1.xy\n", "mov r1.xy, v1"),
    "v-centroid": ("ps_3_0", "dcl_texcoord1_centroid v1\n", "mov r1, v1"),
    "v-both": ("ps_3_0", "dcl_color1_pp_centroid v1\n", "mov r1, v1"), "o-twice": ("vs_3_0", "dcl_texcoord o1\ndcl_texcoord o2\n", "mov o1, r0\nmov o2, r0"),
    "vPos": ("ps_3_0", "dcl vPos\n", "mov r1.xy, vPos"), "vPos-masked": ("ps_3_0", "dcl vPos.xy\n", "mov r1.xy, vPos"),
    "vPos-bare-read": ("ps_3_0", "", "mov r1.xy, vPos"), "vPos-usage": ("ps_3_0", "dcl_position vPos.xy\n", "mov r1.xy, vPos"),
    "vPos-numbered": ("ps_3_0", "dcl vPos0.xy\n", "mov r1.xy, vPos0"), "vPos-lower": ("ps_3_0", "dcl VPOS.xy\n", "mov r1.xy, vpos"),
    "vFace": ("ps_3_0", "dcl vFace\n", "mov r1, vFace"), "vFace-lane": ("ps_3_0", "dcl vFace\n", "cmp r1, vFace.x, r0, c4"),
    "vFace-masked": ("ps_3_0", "dcl vFace.x\n", "mov r1, vFace.x"), "vFace-sign": ("ps_3_0", "dcl vFace\n", "mul r1, r0, -vFace"),
    "vFace-vs": ("vs_3_0", "dcl vFace\n", "nop"), "vPos-vs": ("vs_3_0", "dcl vPos\n", "nop"),
    "s-vs": ("vs_3_0", "dcl_2d s0\n", "texldl r1, r0, s0"), "s3-vs": ("vs_3_0", "dcl_cube s3\n", "texldl r1, r0, s3"),
    "s4-vs": ("vs_3_0", "dcl_2d s4\n", "texldl r1, r0, s4"), "s-vs_2_x": ("vs_2_x", "dcl_2d s0\n", "nop"),
    "texld-vs": ("vs_3_0", "dcl_2d s0\n", "texld r1, r0, s0"), "o-read": ("vs_3_0", "dcl_texcoord o1\n", "mov r1, o1"),
    "o-add": ("vs_3_0", "dcl_texcoord o1\n", "mad_sat o1.xz, r0, c4_abs, -c5"), "o-pieces": ("vs_3_0", "dcl_texcoord o1\n", "mov o1.x, r0\nmov o1.yzw, r0"),
    "o-sat-pp": ("vs_3_0", "dcl_texcoord o1\n", "mov_pp o1, r0"), "o-indexed": ("vs_3_0", "dcl_texcoord o1\n", "mova a0.x, r0.x\nmov o[a0.x], r0"),
    "oPts": ("vs_3_0", "dcl_psize o1\n", "mov o1.x, r0.x"), "oT": ("vs_3_0", "", "mov oT0, r0"), "color": ("vs_3_0", "dcl_color o11\n", "mov o11, r0"),
    "two-constants-vs": ("vs_3_0", "", "mad r1, c4, c5, c6"), "two-inputs-vs": ("vs_3_0", "dcl_normal v1\n", "add r1, v0, v1"),
    "two-constants-ps": ("ps_3_0", "", "mad r1, c4, c5, c6"), "two-inputs-ps": ("ps_3_0", "dcl_normal v1\n", "add r1, v0, v1"),
    "swizzle": ("ps_3_0", "", "mov r1, r0.zzxy"), "swizzle-short": ("ps_3_0", "", "mov r1.xy, r0.zx"),
    "oC-add": ("ps_3_0", "", "add_sat oC1, r0, -c4.wzyx"), "oC-twice": ("ps_3_0", "", "mov oC1, r0\nmov oC1.x, c4"), "oC-texld": ("ps_3_0", "", "texld oC1, r0, s0"),
    "oDepth-lane": ("ps_3_0", "", "mov oDepth, r0.x"), "oDepth-masked": ("ps_3_0", "", "mov oDepth.x, r0"), "oDepth-add": ("ps_3_0", "", "add oDepth, r0.x, c4.y"),
    "texld-mask": ("ps_3_0", "", "texld r1.xz, v0, s0"), "texld-swizzle": ("ps_3_0", "", "texld r1, v0.yxzw, s0"), "texld-negated": ("ps_3_0", "", "texld r1, -v0, s0"),
    "texld-abs": ("ps_3_0", "", "texld r1, r0_abs, s0"), "texld-constant": ("ps_3_0", "", "texld r1, c4, s0"), "texld-sampler-swizzle": ("ps_3_0", "", "texld r1, v0, s0.yxzw"),
    "texld-sat": ("ps_3_0", "", "texld_sat r1, v0, s0"), "texld-pp": ("ps_3_0", "", "texld_pp r1, v0, s0"), "texldl-mask": ("ps_3_0", "", "texldl r1.w, v0, s0"),
    "texldd-swizzle": ("ps_3_0", "", "texldd r1, v0.xy, s0, r0.zw, -c4"), "texkill-input": ("ps_3_0", "", "texkill v0"), "texkill-masked": ("ps_3_0", "", "texkill r0.xyz"),
    "dsx-mask": ("ps_3_0", "", "dsx_pp r1.xy, -v0.yx"), "dsy-sat": ("ps_3_0", "", "dsy_sat r1, r0"), "dsx-abs": ("ps_3_0", "", "dsx r1, r0_abs"),
    "sincos-vs": ("vs_3_0", "", "sincos r1.xy, r0.w"), "sincos-mask": ("ps_3_0", "", "sincos r1.y, c4.w"), "sincos-bare": ("ps_3_0", "", "sincos r1.xy, r0"),
    "sincos-constants": ("ps_3_0", "", "sincos r1.xy, r0.x, c4, c5"), "mova-lanes": ("vs_3_0", "", "mova a0.xzw, r0\nmov r1, c[a0.z+12]"),
    "mova-abs": ("vs_3_0", "", "mova a0.y, -r0_abs.w\nmov r1, c[a0.y+12]"), "mova-vs_2_x": ("vs_2_x", "", "mova a0.xy, r0\nmov r1, c[a0.y+12]"),
    "abs-vs_2_x": ("vs_2_x", "", "mov r1, r0_abs"), "abs-ps_2_x": ("ps_2_x", "", "mov r1, r0_abs"), "sat-vs_2_x": ("vs_2_x", "", "mov_sat r1, r0"),
    "matrix": ("vs_3_0", "", "m4x4 r1, r0, c4\nm3x2 r1.xy, r0, c250"), "matrix-temporaries": ("vs_3_0", "", "m3x3 r1.xyz, r0, r4"),
    "c255-vs": ("vs_3_0", "def c255, 1, 2, 3, 4\n", "mov r1, c255"), "c223-ps": ("ps_3_0", "def c223, 1, 2, 3, 4\n", "mov r1, c223"),
    "lit-vs": ("vs_3_0", "", "lit r1, r0"), "crs-output": ("vs_3_0", "dcl_texcoord o1\n", "crs o1.xyz, r0, c4"), "predicate": ("ps_3_0", "", "setp_gt p0, r0, c4\n(p0) mov r1, r0"),
}.items():
    program("linked-" + name, model, body, before)

# Text.
VERSIONS = ("vs_1_1 vs.1.1 VS_1_1 vs_1_0 vs_1_2 vs_2_0 vs_2_1 vs_2_x vs_2_a vs_2_sw vs_3_0 vs_3_x vs_3_sw vs_1 vs_11 vs_1_1_1 ps_2_0 ps.2.0 PS_2_0 ps_2_1 ps_2_x ps_2_a ps_2_b ps_2_sw "
            "ps_1_1 ps_1_4 ps_3_0 ps_3_x ps_3_sw ps_2 gs_4_0 vs_4_0").split()
for version in VERSIONS:
    vertex = version.lower().startswith("v")
    position = "dcl_position o0\nmov o0, v0\n" if "_3_" in version else "mov oPos, v0\n"
    raw("version-" + version, version + "\n" + ("dcl_position v0\n" + position if vertex else "mov oC0, c0\n"))
raw("version-none", "mov r0, c0\n")
raw("version-empty", "")
raw("version-late", "mov r0, c0\nps_2_0\nmov oC0, r0\n")
raw("version-comment-before", "// vs_1_1\n\n; x\nps_2_0\nmov oC0, c0\n")
for name, line in {
    "comment": "mov r1, r0 // x ' \" y", "semicolon": "mov r1, r0 ; x", "block": "mov /* x\ny */ r1, r0", "open-block": "/* x", "tabs": "mov\tr1,\tr0",
    "no-spaces": "mov r1,r0", "many-spaces": "   mov    r1  ,   r0   ", "two-lines": "mov r1,\nr0", "one-line": "mov r1, r0 mov r1, r0", "no-comma": "mov r1 r0",
    "two-commas": "mov r1,, r0", "leading-comma": "mov , r1, r0", "trailing-comma": "mov r1, r0,", "joined": "movr1, r0", "coissue": "mov r1, r0\n+ mov r1, r0", "coissue-2": "+mov r1, r0",
    "upper": "MOV R1, R0", "mixed": "Mov r1, R0", "garbage": "@#$", "dollar": "mov r1, $0", "brace": "{ mov r1, r0 }", "colon": "start: mov r1, r0", "carriage-return": "mov r1, r0\r\nmov r1, r0\r\n",
    "form-feed": "mov r1, r0\f", "predicate": "(p0) mov r1, r0", "empty": "", "only-register": "r1", "only-number": "5", "define": "#define X r0\nmov r1, X", "if-0": "#if 0\nx y z\n#endif\nmov r1, r0",
    "continued": "mov r1, \\\nr0", "second-version": "ps_2_0", "high-bytes": "mov r1, r0 // \xe4\xf6", "tilde": "~", "end": "end",
}.items():
    both("text-" + name, line)



def rule_examples(fpmove):
    """Returns the wrong and the right program of each rule, as `--rules=ID` shows them."""
    ids = [line.split()[0] for line in subprocess.check_output([fpmove, "--rules"], text=True).splitlines()]
    for rule in ids:
        about = subprocess.check_output([fpmove, "--rules=" + rule], text=True)
        for which, lines in re.findall(r"\n  (wrong|right):\n((?:    .*\n)+)", about):
            times = re.compile(r"    (.*?)(?:    // (\d+) times)?$", re.M)
            raw("rule-%s-%s" % (rule, which), "".join((line + "\n") * int(n or 1) for line, n in times.findall(lines)))


if __name__ == "__main__":
    rule_examples(sys.argv[2])
    for name, text in programs.items():
        with open("%s/%s.asm" % (sys.argv[1], name), "w", encoding="latin-1", newline="") as f:
            f.write(text)

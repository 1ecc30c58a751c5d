#!/usr/bin/env python3
"""model3.py FOLDER: writes every other pair of the folder as one of model 3 beside it, except pairs with instructions that model 3 lacks.
The pixel program's inputs get their numbers in reverse order."""

import os
import re
import sys


def vertex(text):
    text = re.sub(r"^vs[._]\d[._]\d", "vs_3_0", text, flags=re.M | re.I)
    used = sorted(set(re.findall(r"\boT(\d)", text)))
    colours = sorted(set(re.findall(r"\boD(\d)", text)))
    dcls = ["dcl_position o11"] + ["dcl_texcoord%s o%s" % (n, n) for n in used] + ["dcl_color%s o%d" % (n, 8 + int(n)) for n in colours]
    text = re.sub(r"\boPos\b", "o11", re.sub(r"\boT(\d)", r"o\1", text))
    text = re.sub(r"\boD(\d)", lambda m: "o%d" % (8 + int(m[1])), text)
    return text.replace("vs_3_0", "vs_3_0\n" + "\n".join(dcls), 1)


def pixel(text):
    text = re.sub(r"^ps[._]2[._]0", "ps_3_0", text, flags=re.M | re.I)
    text = re.sub(r"\bdcl(_\w+)? t(\d)", r"dcl_texcoord\2\1 t\2", re.sub(r"\bdcl(_\w+)? v(\d)", r"dcl_color\2\1 v\2", text))
    return re.sub(r"\bt(\d)", lambda m: "v%d" % (9 - int(m[1])), text)


folder = sys.argv[1]
for name in sorted(os.listdir(folder))[::2]:
    texts = [open(os.path.join(folder, name, f)).read() for f in ("vp.vsh", "fp.psh")]
    old = r"sincos|oFog|oPts|\ba0\b|#|vs_[23]|ps_3|ps_2_[^0]|dcl_\w+_\w+"
    if any(re.search(old, re.sub(r"(//|;).*", "", t)) for t in texts):
        continue
    os.makedirs(os.path.join(folder, "model3-" + name))
    for f, t in zip(("vp.vsh", "fp.psh"), (vertex(texts[0]), pixel(texts[1]))):
        open(os.path.join(folder, "model3-" + name, f), "w").write(t)

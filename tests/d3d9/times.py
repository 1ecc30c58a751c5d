"""times.py RATES: prints JSON like that of fpmove-d3d9 calibrate --json, read from RATES, with the times of an invented chip, in ps a pixel:
a scalar operation takes 10, an interpolated scalar 80, a texture read 300, a special function 40, a colour 500, one after the other."""
import json
import re
import sys

LANE, VARYING, TEXTURE, SPECIAL, COLOUR, SLOT, INTERPOLATOR = 10, 80, 300, 40, 500, 30, 4000


def ps(family, n):
    word = re.sub(" [0-9]+$", "", family)
    last = int(family.split()[-1]) if word != family else 0
    reads = {"tex by sampler": 2, "tex at sums": 2, "tex at inputs": 4 * n, "texldp": 4 * n, "divided": 4 * n}
    if family in reads:
        return reads[family] * VARYING + n * TEXTURE + 4 * n * LANE
    return {
        "fma": lambda: 4 * VARYING,
        "fma by": lambda: 4 * VARYING + (n + last) * LANE,
        "var": lambda: n * (VARYING + LANE),
        "var and fma": lambda: last * (VARYING + LANE) + n * LANE,
        "tex and fma": lambda: 2 * VARYING + last * (TEXTURE + 2 * LANE) + n * LANE,
        "tex and var": lambda: n * (VARYING + LANE) + last * (TEXTURE + 6 * LANE),
        "dependent": lambda: 2 * VARYING + n * TEXTURE + n // max(last, 1) * 6 * LANE,
        "rsq": lambda: VARYING + n * SPECIAL,
        "exp": lambda: VARYING + n * SPECIAL,
        "var and rsq": lambda: last * (VARYING + LANE) + n * SPECIAL,
        "colours": lambda: 4 * VARYING + (n - 1) * COLOUR,
        "vertex": lambda: 4 * VARYING + (6 * n * SLOT + 4 * INTERPOLATOR + 20000) / 16,
        "interpolators": lambda: n * VARYING + (n * INTERPOLATOR + 20000) / 16,
    }[word]()


made = json.load(open(sys.argv[1]))
for rate in made["rates"]:
    ns = (COLOUR + ps(rate["family"], int(rate["name"]))) / 1000
    rate["ns_pixel"] = {"low": 0.99 * ns, "median": ns, "high": 1.01 * ns}
made["device"]["adapter"] = "Chip/1 (none)"
json.dump(made, sys.stdout)

"""dumped.py FPMOVE EXAMPLE...: checks the texts of --dump for each example, using nothing but what is printed:

values  runs each instruction of the FP, lane by lane, with random inputs and constants; the printed normal form of a lane must give
        the same number, and equal lanes must have equal value numbers and no others.
passes  each pass must begin with the slots that the one before it left, and the last end with those of the new program.
plan    each interpolator that an operand reads must carry, by `layout`, the values that the operand wants.
Prints how many lanes and operands it checked; an error ends it with status 1."""
import json
import math
import random
import re
import subprocess
import sys

LANES = "xyzw"
FUNCTIONS = {
    "rcp": lambda x: 1 / x, "rsq": lambda x: 1 / math.sqrt(abs(x)), "exp": lambda x: 2**x, "log": lambda x: math.log2(abs(x)),
    "frc": lambda x: x - math.floor(x), "abs": abs, "max": max, "min": min, "sat": lambda x: min(max(x, 0), 1),
    "cmp": lambda x, y, z: y if x >= 0 else z, "pow": lambda x, y: abs(x)**y, "cos": math.cos, "sin": math.sin,
}
PICKS = "max|min|abs|sat|cmp|frc"  # for some inputs their result equals an operand


def fail(why):
    sys.exit(f"dumped.py: {why}")


def run(fpmove, folder, *options):
    made = subprocess.run([fpmove, f"{folder}/vp.vsh", f"{folder}/fp.psh", *options], capture_output=True, text=True)
    return made.stdout if made.returncode == 0 else fail(f"{folder} {options}: {made.stderr}")


class Machine:
    """Returns the FP's registers; unknown values, and results of them, are None."""

    def __init__(self, source):
        self.numbers = random.Random(1)
        self.lanes, self.forms = {}, {}
        for reg, values in re.findall(r"^\s*def\s+(c\d+)\s*,([^/;\n]*)", source, re.M | re.I):
            for lane, value in zip(LANES, values.split(",")):
                self.lanes[f"{reg}.{lane}"] = float(value.strip().rstrip("fF"))

    def lane(self, name):
        if name in self.forms:
            return self.form(self.forms[name])
        if name not in self.lanes:
            self.lanes[name] = self.numbers.uniform(0.25, 4) if name[0] == "c" else None
        return self.lanes[name]

    def form(self, text):
        """Returns a normal form as printed."""
        names = {f"{a}_{b}": self.lane(f"{a}.{b}") for a, b in re.findall(r"\b([tcv]\d+)\.([xyzw])", text)}
        names.update({f"n{a}": self.lane(f"#{a}") for a in re.findall(r"#(\d+)", text)})
        return eval(re.sub(r"\b([tcv]\d+)\.([xyzw])", r"\1_\2", text.replace("#", "n")), {"__builtins__": {}}, {**FUNCTIONS, **names})

    def operand(self, text, lane):
        sign, reg, letters = re.fullmatch(r"(-?)(\w+)(?:\.(\w+))?", text).groups()
        letters = letters or LANES
        x = self.lane(f"{reg}.{letters[min(lane, len(letters) - 1)]}")
        return -x if sign and x is not None else x

    def result(self, op, args, lane):
        def dot(n):
            return sum(self.operand(args[0], k) * self.operand(args[1], k) for k in range(n))
        saturated, op = op.endswith("_sat"), re.sub(r"_(sat|pp)", "", op)
        try:
            x = [self.operand(a, lane) for a in args]
            value = {
                "mov": lambda: x[0], "add": lambda: x[0] + x[1], "sub": lambda: x[0] - x[1], "mul": lambda: x[0] * x[1],
                "mad": lambda: x[0] * x[1] + x[2], "lrp": lambda: x[0] * (x[1] - x[2]) + x[2], "dp3": lambda: dot(3),
                "dp4": lambda: dot(4), "dp2add": lambda: dot(2) + self.operand(args[2], 0),
            }.get(op, lambda: FUNCTIONS[op](*[self.operand(a, 0) for a in args]) if op in ("rcp", "rsq", "exp", "log", "pow")
                  else FUNCTIONS[op](*x))()
        except (TypeError, KeyError, ZeroDivisionError, OverflowError, ValueError):
            return None
        return FUNCTIONS["sat"](value) if saturated and value is not None else value


def close(a, b):
    return abs(a - b) <= 1e-7 * max(1, abs(a), abs(b))


def check_values(folder, text, source):
    m, numbers, forms, checked, last = Machine(source), {}, {}, 0, None
    m.forms = dict(re.findall(r" (#\d+) (?:constant|affine): ([^;\n]*)", text))
    for line in text.splitlines():
        lane = re.fullmatch(r" +([tv]\d)?\.([xyzw]) (#\d+) (constant|affine): ([^;]*)(;.*)?", line)
        instr = re.fullmatch(r" *\d* +([a-z]\w*(?: .*)?)", line)
        if lane and lane[1]:
            # An input of the VP that is only itself may have any value; others have their printed one.
            name = f"{lane[1]}.{lane[2]}"
            m.lanes[name] = m.numbers.uniform(0.25, 4) if lane[5] == name else m.form(lane[5])
        elif lane:
            value, form = last.get(lane[2]), m.form(lane[5])
            if value is None or form is None:
                continue
            if not close(value, form):
                fail(f"{folder}: {line.strip()} is {form}, and the program computes {value}")
            for name, other in numbers.items():
                if close(value, other) != (name == lane[3]) and (name == lane[3] or not re.search(PICKS, lane[5] + forms[name])):
                    fail(f"{folder}: {line.strip()} is {value}, and {name} is {other}")
            numbers[lane[3]], forms[lane[3]] = value, lane[5]
            checked += 1
        elif instr and not line.lstrip().startswith("where"):
            op, *args = [a.strip() for a in re.split(r"[ ,]+", instr[1])]
            reg, _, mask = args[0].partition(".") if args else ("", "", "")
            last = {}
            for k, letter in enumerate(LANES):
                if letter in (mask or LANES):
                    last[letter] = m.result(op, args[1:], k)
            for letter, value in last.items():
                m.lanes[f"{reg}.{letter}"] = value
    return checked


def check_passes(folder, text, report):
    for name, key in (("pixel program", "ps"), ("vertex program", "vs")):
        part = re.search(rf"^  {name}\n((?:     .*\n)*)", text, re.M)[1]
        at = None
        for before, after in re.findall(r"^     \S[^\n]*: (?:(\d+) -> )?(\d+) slots$", part, re.M):
            if before and int(before) != at:
                fail(f"{folder}: {name}: a pass begins with {before} slots, and {at} were left")
            at = int(after)
        if at != report["pairs"][0][key]["slots"][1]:
            fail(f"{folder}: {name}: the last pass leaves {at} slots, and the program has others")


def check_plan(folder, plan, layout):
    carried = {name: value for name, value in re.findall(r"^ +([tv]\d\.[xyzw]) (#\d+) ", layout.split("after:")[-1], re.M)}
    checked = 0
    for values, sign, reg, letters in re.findall(r" = ((?:#\d+ ?)+): straight from an interpolator, (-?)([tv]\d)\.(\w+)", plan):
        for value, letter in zip(values.split(), letters):
            if not sign and carried.get(f"{reg}.{letter}", value) != value:
                fail(f"{folder}: {reg}.{letter} is {value} to an operand, and carries {carried[f'{reg}.{letter}']}")
            checked += not sign and f"{reg}.{letter}" in carried
    return checked


def main():
    fpmove, lanes, operands = sys.argv[1], 0, 0
    for folder in sys.argv[2:]:
        with open(f"{folder}/fp.psh") as f:
            source = f.read()
        dump = run(fpmove, folder, "--dump=all", "-q")
        parts = dict(re.findall(r"^== (\w+): [^\n]*\n(.*?)(?=^== |\Z)", dump, re.M | re.S))
        if list(parts) != ["values", "alternatives", "plan", "layout", "passes"]:
            fail(f"{folder}: all are {list(parts)}")
        again = "moved again:" in dump
        lanes += check_values(folder, re.split(r"^(?:moved again|the variant that)", parts["values"], flags=re.M)[0], source)
        check_passes(folder, parts["passes"], json.loads(run(fpmove, folder, "--report=-", "-q")))
        operands += 0 if again else check_plan(folder, parts["plan"], parts["layout"])
    print(f"{lanes} lanes, {operands} operands")


main()

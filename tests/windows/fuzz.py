"""fuzz.py SEED N FPMOVE.EXE FPMOVE: N odd paths and response files, in the folder it is started in, which has vp.vsh, fp.psh and want/ with
what they become.  No run may crash, take a minute, or write but where it was told to; what an output folder's name means is computed here
by the rules of fpmove(1), and what a response file says is what fpmove makes of it.  Prints what is wrong, and at last how many of each status."""
import collections, os, random, subprocess, sys

seed, number, exe, native = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
r = random.Random(seed)
PARTS = ["nul", "con", "aux", "prn", "com1", "lpt9", "COM\u00b9", "conin$", "nul.txt", "con.vsh", "a", "b c", "x.", "x..", "x ", " x", "x. .", "...", ".", "'", "%TEMP%",
         "$x", "~", "\u00e9", "e\u0301", "\U0001f642", "\u6f22\u5b57", "\ufeffx", "\u202ex", "-", "--help", "@a", "a,b", "[", "a&b", "^", "!", "(", "\u00a0"]
BAD = [":", "nul:", "a:b", "x::$DATA", "*", "?", "<", ">", "|", "\"", "\t", "\x01", "\x7f"]

def part():
    k = r.random()
    if k < 0.6: return r.choice(PARTS)
    if k < 0.7: return r.choice(BAD)
    if k < 0.8: return r.choice(PARTS) * r.randrange(1, 90)
    return "".join(chr(r.choice([r.randrange(32, 127), r.randrange(0xa0, 0x250), r.randrange(0x3040, 0x30ff)])) for _ in range(r.randrange(1, 9)))

def tree():
    return {os.path.join(d, f): open(os.path.join(d, f), "rb").read() for d, _, files in os.walk(b".") for f in files if f not in (b"out.txt", b"err.txt", b"args.rsp")}

def run(command):
    with open("out.txt", "wb") as out, open("err.txt", "wb") as err:
        try: status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=60).returncode
        except subprocess.TimeoutExpired: return "hang", b""
    said = open("err.txt", "rb").read()
    # Wine's server was about to end, so that the program did not start.
    return run(command) if said.startswith(b"wine client error") else (status, said)

def folder(path):
    """Returns the folder that an output folder's name means: without dots and blanks at the end of names, with slashes of either kind; None
    if it means none."""
    names = [n.rstrip(". ") if n != ".." else n for n in path.replace("\\", "/").split("/")]
    return "./" + "/".join(n for n in names if n)

counts, wrong = collections.Counter(), 0
def tell(what, *about):
    global wrong
    wrong += 1
    print("# trial", trial, "of seed", seed, what, *[ascii(x) for x in about])

def try_folder():
    names = [part() for _ in range(r.randrange(1, 4))]
    path = "base/" + "".join(n + r.choice("/\\") for n in names)[:-1]
    # Below Wine, names that are too long for the disk become shorter ones.
    if any(len(n.encode()) > 255 for n in names): return
    before = tree()
    status, said = run(["wine", exe, "-q", "vp.vsh", "fp.psh", "-o", path])
    after = tree()
    new = {n: text for n, text in after.items() if before.get(n) != text}
    counts[f"folder {status}"] += 1
    if status not in (0, 2) or (status == 2) != bool(said): tell("status", status, path, said)
    if any(n not in after for n in before): tell("a file is gone", path)
    if status == 2 and new: tell("refused, and written", path, list(new))
    want = folder(path).encode()
    if status == 0 and new and {n.lower(): text for n, text in new.items()} != {os.path.join(want, f.encode()).lower(): open("want/" + f, "rb").read() for f in ("vp.vsh", "fp.psh")}:
        tell("written elsewhere", path, list(new), want)
    if status == 0 and not new and any(not os.path.exists(os.path.join(want, f)) for f in (b"vp.vsh", b"fp.psh")): tell("not written", path)
    if status == 2 and not any(c in path for c in '<>:"|?*') and all(ord(c) >= 32 for c in path):
        tell("refused", path, said)

def try_input():
    path = r.choice(["", "z:", "c:", "C:\\", "\\\\?\\", "\\\\.\\", "//", "\\\\no-such-server\\", "/", "..\\..\\", "nul", "con:", "q:"]) + "".join(part() + r.choice(["", "/", "\\"]) for _ in range(r.randrange(0, 3)))
    if not path or path[0] in "-@" or "\0" in path: return
    before = tree()
    status, said = run(["wine", exe, "-q", path, "fp.psh", "-o", "new"])
    counts[f"input {status}"] += 1
    if status not in (1, 2) or not said: tell("status", status, path, said)
    if tree() != before: tell("something is written", path)

def try_response():
    """Writes the same bytes as a response file for both programs."""
    words = [r.choice(["vp.vsh", "fp.psh", "--check", "-q", "--no-such", "\"vp.vsh\"", "v\"p.v\"sh", "\\\"", "\\\\\"", "\"a b\"", "\"", "a\\b", "''", "@args.rsp", "@none", "-O1", "--stats", "#", "\ud800", "x\udc00y", "\u00e9"]) for _ in range(r.randrange(0, 7))]
    text = "".join(w + r.choice([" ", "\n", "\r\n", "\t", "  "]) for w in words)
    how = r.randrange(4)
    data = [text.encode("utf-8", "surrogatepass"), b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass"), b"\xfe\xff" + text.encode("utf-16-be", "surrogatepass"),
            bytes(r.randrange(256) for _ in range(r.randrange(40)))][how]
    open("args.rsp", "wb").write(data)
    before = tree()
    got = run(["wine", exe, "@args.rsp", "--check"]) + (open("out.txt", "rb").read(),)
    if tree() != before: tell("something is written", data)
    want = run([native, "@args.rsp", "--check"]) + (open("out.txt", "rb").read(),)
    counts[f"response {got[0]}"] += 1
    if got[0] != want[0] or (b"\\" not in data and got != want): tell("another verdict", data, got, want)

for trial in range(number):
    r.choice([try_folder, try_input, try_response])()
print("#", dict(sorted(counts.items())))
sys.exit(wrong > 0)

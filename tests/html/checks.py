"""Uses the page of --html in Chromium as a reader does: checks.py FOLDER, where tests/html/run made the pages."""
import json, sys
import drawings
from browser import Browser, check, done

made = sys.argv[1]
browser = Browser(made + "/profile")
COUNT_PARSED = "window.parsed = 0; JSON.parse = (parse => text => { parsed += text.length; return parse(text); })(JSON.parse);"
ROWS = "[...document.querySelectorAll('#pairs tbody tr')]"
CELL = ROWS + ".map(tr => tr.children[%d].textContent)"

# Finds the lowest contrast of visible text, as WCAG 2 defines it, and its place.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const rgba = colour => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
      known.set(colour, canvas.getImageData(0, 0, 1, 1).data);
    }
    return known.get(colour);
  };
  const light = colour => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
    const v = rgba(colour)[k] / 255;
    return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const ground = e => { while (e && rgba(getComputedStyle(e).backgroundColor)[3] < 255) e = e.parentElement; return e ? getComputedStyle(e).backgroundColor : "white"; };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let least = [99, ""], n = 0;
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || e.closest("script, svg, .unseen") || !e.checkVisibility()) continue;
    const two = [light(getComputedStyle(e).color), light(ground(e))].sort((a, b) => b - a), ratio = (two[0] + 0.05) / (two[1] + 0.05);
    n++;
    if (ratio < least[0]) least = [ratio, e.outerHTML.slice(0, 90) + " in " + e.parentElement.outerHTML.slice(0, 60)];
  }
  return {n, ratio: least[0], where: least[1]};
})()"""


def contrast(page, what):
    for dark in (False, True):
        page.media(dark)
        page.settle()
        seen = page.js(CONTRAST)
        check(f"contrast of at least 4.5: {what}, {'dark' if dark else 'light'}", seen["n"] > 5 and seen["ratio"] >= 4.5, seen)


def the_list():
    p = browser.page(made + "/many.html", before=COUNT_PARSED)
    n, parsed, whole = p.js("data.length"), p.js("parsed"), p.js("document.documentElement.textContent.length")
    check(f"many pairs: {n}", n > 1900, n)
    check("all are counted", p.js(f"document.querySelector('#totals').textContent.includes({n})"))
    rows, laid_out = p.js(ROWS + ".length"), p.js("document.querySelectorAll('body :not(script)').length")
    check("at first only a part of the rows is loaded", 50 < rows < 1000 and 500 < laid_out < 8000, (rows, laid_out))
    check(f"of the pairs only what the table shows is read: {100 * parsed // whole}%", 0 < parsed < whole / 4, parsed)
    p.click("#pairs th:nth-child(3) button")
    falling = [int(s.split()[-1]) for s in p.js(CELL % 2) if s.split()[-1].isdigit()]
    check("a click sorts, most first", falling == sorted(falling, reverse=True) and falling[0] > 50, falling[:5])
    p.js("document.querySelector('#pairs th:nth-child(3) button').focus()")
    p.key("Enter")
    rising = [int(s.split()[-1]) for s in p.js(CELL % 2) if s.split()[-1].isdigit()]
    check("Enter in the head reverses the order", rising == sorted(rising) and rising[0] < 5, rising[:5])
    sorts = p.js("[...document.querySelectorAll('#pairs th')].map(th => th.getAttribute('aria-sort'))")
    check("that column says so, and no other", sorts[2] == "ascending" and not any(sorts[:2] + sorts[3:]), sorts)
    at = p.js("[...document.querySelectorAll('#pairs th')].findIndex(th => th.textContent === 'saved, %')")
    p.click(f"#pairs th:nth-child({at + 1}) button")
    saved = list(zip(p.js(CELL % at), p.js(CELL % 2)))
    check("so does the column of the share that is saved", saved == sorted(saved, key=lambda s: -int(s[0][:-1])) and
          all(share == f"{100 - 100 * int(slots.split()[-1]) / int(slots.split()[0]):.0f}%" for share, slots in saved if "." not in share) and
          int(saved[0][0][:-1]) > 50, saved[:5])
    p.js("document.getElementById('filter').focus()")
    p.type("17/conv improved")
    left = list(zip(p.js(CELL % 0), p.js(CELL % 1)))
    check("the filter takes words", len(left) >= 2 and all("17/conv" in a and b == "improved" for a, b in left), left)
    check("and says how many are left", p.js("document.getElementById('count').textContent").startswith(f"{len(left)} of {n}"))
    check("folders common to all pairs are left out", left[0][0].startswith("17/convolution3/"), left[0])
    p.close()


def keys_and_addresses():
    p = browser.page(made + "/many.html")
    p.js("scrollTo(0, 900)")
    p.settle()
    p.js("document.querySelectorAll('#pairs a')[40].focus()")
    file, place = p.js("document.activeElement.textContent"), p.js("scrollY")
    p.key("Enter")
    opened = p.js("({name: document.querySelector('#detail h1').textContent, hash: location.hash, list: document.getElementById('list').checkVisibility(),"
                  " title: document.title, y: scrollY})")
    check("Enter on a pair opens it, from its top", opened["name"] == file and not opened["list"] and opened["y"] == 0, opened)
    check("its address has its name", file.split()[0].split("/")[1] in opened["hash"] and "index" not in opened["hash"], opened)
    check("its name is the title", " ".join(file.split()) in opened["title"], opened)
    p.key("Escape")
    back = p.js("({focus: document.activeElement.textContent, y: scrollY, list: document.getElementById('list').checkVisibility(), hash: location.hash})")
    check("Esc leads back to its row, scrolled as it was", back == {"focus": file, "y": place, "list": True, "hash": ""}, (back, place))
    p.key("Enter")
    p.js("history.back()")
    p.js("new Promise(done => setTimeout(done, 100))")
    back = p.js("({focus: document.activeElement.textContent, y: scrollY, list: document.getElementById('list').checkVisibility()})")
    check("so does the Back button", back == {"focus": file, "y": place, "list": True}, (back, place))
    p.js("history.forward()")
    p.js("new Promise(done => setTimeout(done, 100))")
    check("and Forward leads to the pair", p.js("document.querySelector('#detail h1').textContent") == file, p.js("location.hash"))
    p.click("#detail nav a:last-child")
    after = p.js("({name: document.querySelector('#detail h1').textContent, next: data[shown[41]].address === location.hash})")
    check("Next leads to the next row's pair", after["next"] and after["name"] != file, after)
    p.click("#close")
    check("the button to all pairs closes it", p.js("document.getElementById('list').checkVisibility()"))
    p.close()
    for many, say in (("/many.html", "a shared address opens its pair"), ("/few.html", "in another report, too")):
        p = browser.page(made + many, hash=opened["hash"])
        check(say, p.js("document.querySelector('#detail h1').textContent").split("/")[-1] == file.split("/")[-1], p.js("document.title"))
        p.close()
    p = browser.page(made + "/many.html", hash="#no/such,pair%")
    check("an unknown address shows the list", p.js("document.getElementById('list').checkVisibility()"))
    p.close()


def tab_order():
    for page, least in (("few.html", 20), ("one.html", 12)):
        p = browser.page(f"{made}/{page}")
        p.js("window.stops = []; addEventListener('focusin', e => stops.push(e.target))")
        outlines = []
        for _ in range(least):
            p.key("Tab")
            outlines.append(p.js("(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)(getComputedStyle(document.activeElement))"))
        in_order = p.js("stops.every((e, i) => !i || stops[i - 1].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)")
        check(f"{page}: Tab goes through the page in its order, {least} stops", in_order and p.js("new Set(stops).size") == least, p.js("stops.length"))
        check(f"{page}: the focus is seen at each", all(outlines), outlines)
        p.close()


def one_pair():
    p = browser.page(made + "/one.html")
    shown = p.js("({list: document.getElementById('list').checkVisibility(), detail: document.getElementById('detail').checkVisibility()})")
    check("a single pair is open at once, without a table", shown == {"list": False, "detail": True}, shown)
    tiles = p.js("[...document.querySelectorAll('.tiles div')].map(e => e.textContent)")
    check("slots of both programs, interpolators, constants, proof first",
          [t.split("\u2192")[0] for t in tiles[:3]] == ["Pixel program, slots16 ", "Vertex program, slots2 ", "Interpolators1 "] and
          tiles[3].startswith("Constants to set2") and tiles[4].startswith("Proofequal"), tiles)
    sets = p.js("[...document.querySelectorAll('.constants code')].map(e => e.textContent)")
    check("constants in a row are one line", sets == ["VP c94\u2013c95 = FP c2\u2013c3"] or len(sets) == 1 and "\u2013" in sets[0], sets)
    where = p.js("['.tiles', '.constants', '.diff.pixel', '.diff.vertex'].map(s => document.querySelector(s).getBoundingClientRect().top)")
    check("then the diffs", where == sorted(where), where)
    p.click(".switch")
    hidden = p.js("[document.querySelector('.why').checkVisibility(), document.querySelector('.switch').getAttribute('aria-pressed')]")
    p.click(".switch")
    check("reasons are text that folds away", hidden == [False, "false"] and p.js("document.querySelector('.why').checkVisibility()"), hidden)
    check("no text is only in a title", p.js("document.querySelectorAll('#detail [title]').length") == 0)
    kinds = p.js("""[...new Set([...document.querySelectorAll('.diff.pixel tbody tr')].map(tr => tr.className))].sort().join()""")
    legend = p.js("[...document.querySelectorAll('.side .legend')[0].querySelectorAll('li')].map(e => e.className).sort().join()")
    check("the legend names the kinds of lines there are", kinds == legend and "gone" in kinds, (kinds, legend))
    rules = p.js("Object.entries(CONDITIONS).map(([rule, [text]]) => [document.getElementById('detail').innerText.split(text).length - 1,"
                 " [...document.querySelectorAll('.diff .why')].filter(e => e.textContent.startsWith(rule)).length])")
    check("C1, C2 and C4 are explained once, and lines name them", [r[0] for r in rules] == [1, 1, 0, 1] and [r[1] for r in rules] == [3, 1, 0, 3], rules)
    colours = p.js("['op', 'input', 'const', 'sampler', 'output', 'number', 'note'].map(c => [c, getComputedStyle(document.querySelector('.code .' + c) || document.body).color])")
    check("opcodes, registers by kind, numbers and comments have colours", len({c for _, c in colours}) == 7, colours)
    made_by = p.js("[document.body.innerText.split('fpmove 0').length, document.querySelector('footer').innerText]")
    check("version, date and options are in the footer and nowhere else", made_by[0] == 2 and
          made_by[1].startswith("Made by fpmove 0") and made_by[1].endswith(" on 1970-01-02 with -O2 --target=slots"), made_by)
    purposes = p.js("[...document.querySelectorAll('.diff.vertex :is(.arrived, .remark, .came)')].map(tr => tr.cells[2].textContent)")
    check("each new line of the VP says what it is for", purposes == ["for FP lines 8, 9", "for FP lines 6, 7", "for FP lines 11, 13", "t1.x t2.x: for FP lines 6, 7",
          "t1.y t2.y: for FP lines 8, 9", "t1.xy: for FP lines 10, 11, 12, 13", "t2.xy: for FP lines 11, 13"], purposes)
    contrast(p, "a pair")
    p.media(False, kind="print")
    check("on paper without buttons", not p.js("document.querySelector('.switch').checkVisibility()"))
    p.close()


# Checks that each column of a diff is the whole file, that unchanged lines are equal on both sides, and that notes stand beside their
# lines.
DIFFS = """data.flatMap((_, i) => {
  const p = load_pair(i), wrong = [];
  if (!p.text) return [];
  opened = i; show(i);
  for (const [side, keys, texts] of [["pixel", ["ps", "pa"], p.text.ps], ["vertex", ["vb", "vs"], p.text.vs]])
    keys.forEach((key, k) => {
      const cells = [...document.querySelectorAll(`.diff.${side} [data-${key}].code`)];
      const numbers = cells.map(c => Number(c.previousElementSibling.textContent));
      if (cells.map(c => c.textContent).join("\\n") !== split_lines(texts[k]).join("\\n")) wrong.push(name(p) + " " + key);
      if (cells.some((c, n) => Number(c.getAttribute("data-" + key)) !== (k ? numbers[n] : n + 1) || numbers[n] !== (k ? p.written : p.numbers)[keys[1] === "pa" ? "ps" : "vs"][n])) wrong.push(name(p) + " number " + key);
    });
  for (const tr of document.querySelectorAll(".diff tr.same"))
    if (same_by(tr.cells[1].textContent) !== same_by(tr.cells[4].textContent)) wrong.push(name(p) + ": " + tr.textContent);
  for (const tr of document.querySelectorAll(".diff.vertex :is(.came, .arrived)"))
    if (!/^([vo]s_|([tv]\\d+\\.[xyzw]+ ?)*(: )?for (FP|VP) line|for o(Pos|Fog|Pts))/.test(tr.cells[2].textContent)) wrong.push(name(p) + " serves nothing: " + tr.cells[4].textContent);
  for (const tr of document.querySelectorAll(".diff tr:is(.changed, .left, .came)")) {
    const [old, fresh] = [1, 4].map(k => plain(tr.cells[k].textContent));
    if (old === fresh || (!old && !fresh)) wrong.push(name(p) + " is coloured: " + tr.textContent);
  }
  for (const line of p.lines) {
    const says = document.querySelector(`.diff.pixel [data-ps="${line.line}"].code`).parentElement.cells[2].textContent;
    for (const e of line.lanes)
      if (!says.includes(e.outcome) || (e.rule && !says.includes(e.rule))) wrong.push(name(p) + ": " + line.text + ": " + says);
  }
  return wrong;
})"""


def diffs():
    p = browser.page(made + "/few.html")
    wrong = p.js(DIFFS)
    preprocessed = p.js("(() => { show(data.findIndex(q => name(q).includes('lightmap')));"
                        " return [...document.querySelectorAll('.diff.pixel tr')].map(tr => [tr.cells[0].textContent, tr.cells[1].textContent]); })()")
    check("a preprocessed program's lines have the numbers they have in the file", ["11", "add r0.xy, t0, c0"] in preprocessed and
          ["18", "mov oC0, r0"] in preprocessed, preprocessed)
    both = p.js("(() => { show(data.findIndex(q => name(q).includes('both.asm'))); const of = s => [...document.querySelectorAll(s)].map(td => td.textContent);"
                " return [of('.diff.pixel .code[data-ps]'), of('.diff.vertex .number:first-child'), of('.diff.vertex .number:nth-child(4)'), of('.diff.vertex .code[data-vs]')]; })()")
    written = open(made + "/few/out/both.asm").read().splitlines()
    check("a file with both programs is parted, with the numbers of the lines in it", both[0][-1] == "mov oC0, r0" and [n for n in both[1] if n][0] == "21" and
          p.js("document.querySelectorAll('.diff.vertex .arrived').length") == 5 and
          [written[int(n) - 1] for n in both[2] if n] == both[3], both)
    check(f"diffs of {p.js('data.length')} pairs: whole, numbered, and each line with what became of it", wrong == [], wrong)
    p.close()


# Checks that each moved line links to the lines of the vertex program that compute it, which are marked and scrolled into view, and back.
LINKS = """data.flatMap((_, i) => {
  const p = load_pair(i), wrong = [];
  if (!p.text) return [];
  $("list").hidden = true; $("detail").hidden = false;
  show(i);
  const written = Object.fromEntries(split_lines(p.text.vs[1]).map((l, k) => [p.written.vs[k], l])), seen = e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom <= innerHeight;
  for (const line of p.lines) {
    const moved = line.lanes.filter(e => e.outcome === "moved" && e.vs_lines), row = document.querySelector(`.diff.pixel .code[data-ps="${line.line}"]`).parentElement;
    if (!moved.length) continue;
    window.followed = (window.followed || 0) + 1;
    const complain = what => wrong.push(name(p) + ":" + line.line + " " + what);
    for (const e of moved)
      if (/^t/.test(e.at || "") && !e.vs_lines.some(n => written[n].toLowerCase().includes("o" + e.at.split(".")[0]))) complain("no VP line writes " + e.at);
    row.querySelector("button.goes").click();
    const expected = new Set(line.lanes.flatMap(e => e.vs_lines || [])), marked = [...document.querySelectorAll(".diff .marked.code[data-vs]")];
    if (marked.length !== expected.size || marked.some(c => !expected.has(Number(c.getAttribute("data-vs"))))) complain("marks " + marked.map(c => c.getAttribute("data-vs")));
    const there = document.activeElement.closest(".diff.vertex tr");
    if (!there || !there.querySelector(".marked.code") || !seen(there)) { complain("leads nowhere"); continue; }
    there.querySelector("button.goes").click();
    const back = document.activeElement.closest(".diff.pixel tr");
    if (!back || !seen(back) || !row.querySelector(".code[data-ps]").classList.contains("marked")) complain("no way back");
  }
  return wrong;
})"""


def links():
    p = browser.page(made + "/few.html")
    wrong = p.js(LINKS)
    n = p.js("window.followed")
    check(f"{n} moved lines lead to the vertex program's lines that compute them, and back", wrong == [] and n > 200, wrong)
    p.close()
    p = browser.page(made + "/one.html")
    p.js("document.querySelector('.diff.pixel .gone button.goes').focus()")
    p.key("Enter")
    there = p.js("[document.activeElement.textContent, scrollY > 0, document.getElementById('said').textContent]")
    check("Enter follows a moved line", there[0].startswith("t0.xy: for FP line") and there[1] and "VP line" in there[2], there)
    p.key("Enter")
    check("and leads back", p.js("document.activeElement.closest('.diff.pixel tr') !== null"), p.js("document.activeElement.outerHTML"))
    p.click(".diff.pixel .gone .code")
    check("so does a click on the line", p.js("document.activeElement.closest('.diff.vertex tr') !== null"))
    contrast(p, "what is marked")
    ways = {}
    for calm in (True, False):
        p.media(False, calm=calm)
        ways[calm] = p.js("(() => { let way; Element.prototype.scrollIntoView = o => { way = o.behavior; }; document.querySelector('.diff.pixel .gone button.goes').click(); return way; })()")
    check("with reduced motion there is no smooth scrolling", ways == {True: "instant", False: "smooth"}, ways)
    p.close()


def renamed():
    p = browser.page(made + "/bump.html")
    rows = p.js("""[...document.querySelectorAll('.diff :is(.renamed, .changed)')].map(tr => [tr.className, tr.cells[4].textContent,
        [...tr.querySelectorAll('td:not(.says), .differs')].every(e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)')])""")
    quiet = ["texld r0, t0, s1", "mad r2.xyz, r0.w, c1, t1", "mul r0.xyz, r0, v3.w", "dp3 r1.x, v3, c4", "mad oD0.xyz, r1, c6.y, c6.y"]
    check("lines with other registers alone have no colour", rows == [[kind, text, kind == "renamed"] for kind, text, _ in rows] and
          [text for kind, text, _ in rows if kind == "renamed"] == quiet, rows)
    check("a lane that carries something else is a change", ["changed", "mov oT1.xyz, c95", False] in rows, rows)
    check("a blank that differs is none", p.js("same_by('dp4 r0.x, v0, c[a0.x+20] ; row') === same_by('dp4 r0.x,v0, c[a0.x + 20]')"))
    check("two stages of the paper's method are not drawn", p.js("[document.querySelectorAll('.plot').length, load_pair(0).frontier.length]") == [0, 2])
    p.close()


def rejected():
    p = browser.page(made + "/rejected.html")
    text = p.js("document.getElementById('detail').textContent")
    check("a rejected pair shows its errors with the line", "frob" in text and "fp.psh:3" in text and "^" in text, text)
    check("a program's text is only text", p.js("document.title") != "hostile" and p.js("window.hostile === undefined"), p.js("document.title"))
    contrast(p, "a rejected pair")
    p.close()


def narrow():
    for page, what in (("few.html", "the list"), ("one.html", "a pair"), ("rejected.html", "a rejected pair")):
        p = browser.page(f"{made}/{page}", width=390, height=844)
        wide = p.js("[document.documentElement.scrollWidth <= 390, getComputedStyle(document.body).overflowX, getComputedStyle(document.documentElement).overflowX]")
        check(f"nothing scrolls sideways at 390 pixels: {what}", wide == [True, "visible", "visible"], wide)
        if page == "one.html":
            check("side by side becomes one above the other", p.js("""[...document.querySelectorAll('.diff.pixel tr.changed')].every(tr =>
                tr.cells[4].getBoundingClientRect().top >= tr.cells[1].getBoundingClientRect().bottom)"""))
        p.close()


def list_contrast():
    p = browser.page(made + "/few.html")
    contrast(p, "the list")
    p.close()


for part in (the_list, keys_and_addresses, tab_order, one_pair, diffs, links, renamed, rejected, narrow, list_contrast):
    part()
for part in drawings.PARTS:
    part(browser, made)
done(browser)

"""The drawings of the page of --html: contents of interpolators, the dataflow with its cut, the slots, the totals of a batch."""
import re

from browser import check

# Draws the dataflow of every pair at a width.  Follows each line in steps: none may cross a node, except at its ends.
FLOWS = """data.map((_, i) => load_pair(i)).filter(p => p.text).map(p => {
  const svg = svg_element("svg", {}), wrong = [];
  document.body.append(svg);
  drawFlow(svg, p, %d);
  const boxes = [...svg.querySelectorAll(".node rect")].map(r => ["x", "y", "width", "height"].map(a => Number(r.getAttribute(a))));
  const [left, , wide] = svg.getAttribute("viewBox").split(" ").map(Number), paths = [...svg.querySelectorAll(".edges path")];
  for (const path of paths) {
    const length = path.getTotalLength();
    for (let at = 1; at < length; at += 3) {
      const {x, y} = path.getPointAtLength(at);
      if (boxes.some(([a, b, w, h]) => x > a && x < a + w && y > b + .5 && y < b + h - .5)) { wrong.push(name(p) + ": a line through a node"); break; }
    }
  }
  boxes.forEach(([a, b, w, h], k) => {
    if (a < left || a + w > left + wide) wrong.push(name(p) + ": a node beyond the edge");
    if (boxes.some(([c, d, v, g], j) => j < k && a < c + v && c < a + w && b < d + g && d < b + h)) wrong.push(name(p) + ": a node over another");
  });
  const lines = new Set([...svg.querySelectorAll("[data-ps]")].map(g => Number(g.getAttribute("data-ps"))));
  if (p.lines.some(l => !lines.has(l.line))) wrong.push(name(p) + ": a line is missing");
  const drawn = new Set([...svg.querySelectorAll("[data-lane]")].flatMap(g => g.getAttribute("data-lane").split(" "))), before = p.lanes[0].map(c => c.reg);
  for (const {reg, lanes} of p.lanes[1])
    lanes.forEach((lane, k) => {
      if (lane && lane.value && lane.ps.length && (!lane.was || !before.includes(reg)) && !drawn.has(reg + "." + "xyzw"[k])) wrong.push(`${name(p)}: ${reg} lane ${k} is missing`);
    });
  svg.remove();
  return {wrong, wide, paths: paths.length};
})"""

# Checks each lane that is drawn against the texts: the line that writes it, the lines that read it, and whether it was there before.
LANES = """data.map((_, i) => load_pair(i)).filter(p => p.text).flatMap(p => p.lanes.flatMap((side, after) => side.flatMap(c => c.lanes.flatMap((lane, k) => {
  if (!lane) return [];
  const line = (side, n) => split_lines(p.text[side][after])[(after ? p.written : p.numbers)[side].indexOf(n)].replace(/(;|\\/\\/).*/, "").toLowerCase(), out = c.reg.replace("t", "ot").replace("v", "od");
  const wrong = [];
  // Beside a text that was preprocessed stand the lines of its files.
  if (p.at && !after) return [];
  if (lane.vs && !new RegExp("\\\\b" + out + "\\\\b").test(line("vs", lane.vs))) wrong.push("VP " + line("vs", lane.vs));
  for (const n of lane.ps) if (!new RegExp("\\\\b" + c.reg + "\\\\b").test(line("ps", n))) wrong.push("FP " + line("ps", n));
  if (!after && lane.was) wrong.push("before");
  return wrong.map(w => name(p) + " " + c.reg + "." + "xyzw"[k] + ": " + w);
}))))"""


def flows(browser, made):
    p = browser.page(made + "/few.html")
    for width in (1350, 340):
        seen = p.js(FLOWS % width)
        wrong = [w for one in seen for w in one["wrong"]]
        lines = sum(one["paths"] for one in seen)
        check(f"dataflow, {width} wide: no line of {lines} runs through a node, all is within, nothing is missing", lines > 1000 and not wrong, wrong[:5])
        if width == 1350:
            check("and it fits the width", all(one["wide"] <= width for one in seen), [one["wide"] for one in seen if one["wide"] > width])
    wrong = p.js(LANES)
    check("lanes: the lines that write and read each are those of the texts", wrong == [], wrong[:5])
    p.close()


def width_of(p):
    return p.js("document.querySelector('.flow svg').getBoundingClientRect().width")


def pair(browser, made):
    p = browser.page(made + "/one.html")
    p.settle()
    values = p.js("[...document.querySelectorAll('.rides td[data-lane]')].map(e => [e.dataset.lane, e.className, e.querySelector('code').textContent])")
    check("interpolators: two lanes as before, four new ones with the VP's values",
          [v[:2] for v in values] == [["t0.x", "rode"], ["t0.y", "rode"], ["t1.x", "fresh"], ["t1.y", "fresh"], ["t2.x", "fresh"], ["t2.y", "fresh"]] and
          "1 / c94.y" in values[3][2] + values[5][2], values)
    cut = p.js("[...document.querySelectorAll('.flow .chip')].map(e => e.getAttribute('data-lane'))")
    check("the cut names the lanes that carry moved values", sorted(" ".join(cut).split()) == ["t1.x", "t1.y", "t2.x", "t2.y"], cut)
    kinds = p.js("['went', 'otherwise', 'stays'].map(k => document.querySelectorAll('.flow .node.' + k).length)")
    check("moved and staying instructions differ", kinds == [8, 1, 7], kinds)
    p.js("document.querySelector('.flow .chip').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    check("a click on the cut marks its lanes", set(cut[0].split()) <= set(p.js("[...document.querySelectorAll('.rides .marked')].map(e => e.dataset.lane)")), cut[0])
    first = width_of(p)
    p.js("[...document.querySelectorAll('.zoom button')][1].click()")
    larger = width_of(p)
    p.js("document.querySelector('.flow').dispatchEvent(new WheelEvent('wheel', {deltaY: 200, ctrlKey: true, bubbles: true, cancelable: true}))")
    wheel = width_of(p)
    p.js("document.querySelector('.flow').dispatchEvent(new KeyboardEvent('keydown', {key: '+', bubbles: true}))")
    key = width_of(p)
    p.js("[...document.querySelectorAll('.zoom button')][2].click()")
    check("buttons, wheel and keys change the scale; Fit brings it back", larger > first * 1.2 and wheel < larger * .7 and key > wheel * 1.2 and width_of(p) == first,
          (first, larger, wheel, key, width_of(p)))
    p.js("document.querySelector('.flow .node').focus()")
    before = p.js("document.activeElement.textContent")
    p.key("ArrowDown")
    below = p.js("[document.activeElement.textContent, document.activeElement.classList.contains('node'), document.querySelectorAll('.flow .lit').length]")
    check("an arrow key goes to the next node, whose lines stand out", below[0] != before and below[1] and below[2] > 0, (before, below))
    ticks = p.js("[...document.querySelectorAll('.plot text')].map(e => e.textContent)")
    spots = p.js("['.stage', '.given', '.result'].map(c => document.querySelectorAll('.plot ' + c).length)")
    check("slots: both axes have a name and numbers from 0 on, and all points are there",
          ticks.count("0") == 2 and "20" in ticks and "slots of the vertex program" in ticks and "slots of the pixel program" in ticks and spots == [7, 1, 1], (ticks, spots))
    p.close()
    p = browser.page(made + "/one.html", width=390, height=844)
    p.settle()
    fits = p.js("(f => [f.scrollWidth <= f.clientWidth, document.documentElement.scrollWidth])(document.querySelector('.flow'))")
    check("on a phone the dataflow fits its width", fits[0] and fits[1] <= 390, fits)
    p.close()


# Returns the frames of blocks, each with the lines inside, and the number of nodes that cross an edge of one.
FRAMES = """(svg => {
  const box = r => ["x", "y", "width", "height"].map(a => Number(r.getAttribute(a))), nodes = [...svg.querySelectorAll(".node[data-ps]")];
  return [...svg.querySelectorAll(".frame")].map(f => {
    const [x, y, w, h] = box(f), lines = [];
    let crossed = 0;
    for (const n of nodes) {
      const [a, b, v, g] = box(n.querySelector("rect"));
      if (a > x && b > y && a + v < x + w && b + g < y + h) lines.push(Number(n.getAttribute("data-ps")));
      else if (b + g > y && b < y + h) crossed++;
    }
    return [f.textContent, lines.sort((a, b) => a - b), crossed];
  });
})(document.querySelector('.flow svg'))"""


def blocks(browser, made):
    p = browser.page(made + "/flow.html")
    p.settle()
    frames = p.js(FRAMES)
    check("each block is a frame around its lines, without those that moved", frames == [["if b0", [7, 9, 10], 0], ["if_lt r1.x, c1.x", [9, 10], 0], ["else", [12], 0],
          ["rep i0", [16, 17, 18, 19], 0], ["label l0", [27], 0]], frames)
    seen = p.js(FLOWS % 1000)[0]
    check("and its lines run through no node", [w for w in seen["wrong"] if "missing" not in w] == [], seen["wrong"])
    p.close()


HEADS = "[...document.querySelectorAll('#pairs th')].map(th => th.textContent)"
SHARES = "[...document.querySelectorAll('.savings button')].map(b => Number(b.querySelector('b').textContent))"


def batch(browser, made):
    p = browser.page(made + "/few.html")
    counts, made_pairs = p.js(SHARES), p.js("data.filter(done).length")
    check("the histogram has every pair that was not rejected once", sum(counts) == made_pairs and len(counts) > 4, (counts, made_pairs))
    most = counts.index(max(counts)) + 1
    p.click(f".savings button:nth-child({most})")
    shown = p.js("[shown.length, document.getElementById('filter').value]")
    p.click(f".savings button:nth-child({most})")
    check("a bar lists its pairs, and all again", shown[0] == max(counts) and shown[1] and p.js("shown.length === data.length"), shown)
    said = p.js("document.querySelector('footer').textContent")
    check("version, level and target are shown", "-O2 --target=slots" in said and "fpmove 0" in said, said)
    row = p.js("[...[...document.querySelectorAll('#pairs tbody tr')].find(tr => tr.textContent.includes('rejected')).cells].map(c => c.textContent)")
    check("a rejected pair has dashes, not zeros", row[1] == "rejected" and row[3] == "\u2013" and row[-3:] == ["\u2013"] * 3, row)
    check("no chips without the option", not p.js(CELLS), p.js(CELLS))
    check("no cost column if the cost is the slots", "cost" not in p.js(HEADS), p.js(HEADS))
    p.close()
    p = browser.page(made + "/costs.html")
    at = p.js(HEADS).index("cost") if "cost" in p.js(HEADS) else -1
    cells = p.js(f"[...document.querySelectorAll('#pairs tbody tr')].map(tr => tr.cells[{at}].textContent)")
    said = p.js("document.querySelector('footer').textContent")
    check("a cost column for a target that has costs", at > 0 and any("\u2192" in c for c in cells) and "\u2013" in cells, (p.js(HEADS), cells))
    check("a row for the chip that the pairs were planned for", [c[0] for c in p.js(CELLS)] == ["h200"], p.js(CELLS))
    check("and its options are said", "h200" in said and "--drop-in" in said, said)
    p.close()


CELLS = "[...document.querySelectorAll('.chips tbody tr')].map(tr => [...tr.cells].map(c => c.textContent))"
BARS = "[...document.querySelectorAll('.chips tbody .bar')].map(b => [...b.children].map(i => i.getBoundingClientRect().width / b.getBoundingClientRect().width))"


def chips(browser, made):
    p = browser.page(made + "/chip.html")
    cells, bars = p.js(CELLS), p.js(BARS)
    told = [line.split() for line in open(made + "/chip.txt") if re.match(r"(r300|adreno|mali|gcn|rdna|intel|terascale|evergreen|gma950|nv50|h200) ?", line)]
    for t in told:
        if t[3][0] not in "+-":  # the change rounds to 0, so its cell is blank
            t.insert(3, "")
    check("a row for each chip of --stats, with its numbers", len(told) == len(cells) == 14 and
          all(t[0] == c[0] and f"{t[1]} \u2192 {t[2]}" == c[2] and t[3].replace("-", "\u2212") == c[3] for t, c in zip(told, cells)), (told, cells))
    check("error and use of the estimate, as in --stats", all(t[4:] == [c[4][1:], c[5]] for t, c in zip(told, cells) if c[4] != "\u2013"), (told, cells))
    ratios = [float(t[2]) / float(t[1]) for t in told]
    check("bars are as long as the numbers say", all(abs(b[1] / b[0] - r) < .06 for b, r in zip(bars, ratios)) and any(b[1] > b[0] for b in bars), (bars, ratios))
    p.close()
    p = browser.page(made + "/chips.html")
    sums = p.js(CELLS)
    check("the page of a batch has the sums of its pairs", len(sums) == 14 and
          p.js("data.filter(done).reduce((s, p) => s + p.plan.targets[0].pixel[0], 0).toFixed(1)") == sums[0][2].split()[0], sums[:1])
    p.close()


PARTS = (flows, pair, blocks, batch, chips)

// Draws the dataflow of the given pixel program.  Instructions that moved to the vertex program are above the cut, the interpolator lanes that
// carry their values are on it, and instructions that stay are below it.  A block of flow control is a frame around its instructions.

// Returns, for each instruction, the band (a part of the drawing from top to bottom) in which it is drawn if it stays.  An instruction that opens a
// block has a band of its own; those in the block and those behind it have later bands.
function bands(p) {
  let band = 2;
  const ends = new Set(p.frames.flat()), opens = new Set(p.frames.map(([first]) => first));
  return p.lines.map((_, k) => {
    if (ends.has(k)) band++;
    return opens.has(k) ? band++ : band;
  });
}

// Returns {nodes, lines}: the nodes and edges of the drawing.  The lanes of an instruction that are on the same side of the cut form one node.
function flow(p) {
  const nodes = [], edges = new Map(), chips = new Map(), of = p.lines.map(() => ({}));
  const into = p.lines.map(() => []), low_band = bands(p), closes = new Set(p.frames.map(([, last]) => last));
  for (const [first] of p.frames) closes.delete(first);
  for (const edge of p.graph) into[edge[1]].push(edge);
  const lane = (k, letter) => p.lines[k].lanes.find(l => (l.lanes || "").includes(letter)) || p.lines[k].lanes[0];
  const gone = l => l.outcome === "dead" || l.outcome === "folded", otherwise = l => l.outcome === "merged" || l.outcome === "regrouped";
  p.lines.forEach((line, k) => {
    if (closes.has(k)) return;
    const above = l => l.outcome === "moved" || gone(l) || l.part_of || (l.vs_lines && !l.ps_lines);
    for (const l of line.lanes) {
      const letters = l.lanes || "", left = line.lanes.length > 1 && l.outcome === "dead";
      const before = into[k].filter(([, , , to]) => !to || !letters || [...to].some(x => letters.includes(x)));
      const low = !above(l) || before.some(([from, , carried]) => [...carried].some(x => of[from][x] && of[from][x].band));
      let node = nodes.find(n => n.k === k && n.band === (low ? low_band[k] : 0));
      if (left) continue;
      if (!node) {
        node = {k, i: nodes.length, band: low ? low_band[k] : 0, from: [], line: line.line, number: p.numbers.ps[line.line - 1], text: line.text, kinds: new Set(), lanes: ""};
        nodes.push(node);
      }
      node.kinds.add(gone(l) ? "gone" : otherwise(l) ? "otherwise" : low ? "stays" : "went");
      node.lanes += letters;
      for (const x of letters || "-") of[k][x] = node;
    }
  });
  for (const [from, to, carried, read] of p.graph)
    for (const x of from < to ? carried : "") { // leaves out values that a loop passes to its next round
      const a = of[from][x], b = of[to][read[0] || "-"] || Object.values(of[to])[0];
      if (!a || !b) continue;
      const l = lane(from, x), at = !a.band && b.band && l.at ? l.at.replace(/\..*/, ".") + l.at.split(".")[1][l.lanes.indexOf(x)] : "";
      const key = a.i + " " + b.i;
      if (!edges.has(key)) edges.set(key, {from: a.i, to: b.i, key: "", at: new Set()});
      if (at) edges.get(key).at.add(at);
    }
  // The lanes that one instruction sends across the cut form one node.  Instructions that send the same lanes share the node.
  const lines = [], brings = new Map();
  for (const e of edges.values()) brings.set(e.from, new Set([...brings.get(e.from) || [], ...e.at]));
  for (const e of edges.values()) {
    if (!e.at.size) {
      lines.push({...e, kind: !nodes[e.from].band && nodes[e.to].band ? "rest" : ""});
      continue;
    }
    const text = join_lanes([...brings.get(e.from)]);
    if (!chips.has(text)) {
      chips.set(text, {i: nodes.length, band: 1, from: [], at: brings.get(e.from), text, kinds: new Set(["chip"]), sources: new Set()});
      nodes.push(chips.get(text));
    }
    const chip = chips.get(text);
    if (!chip.sources.has(e.from)) lines.push({from: e.from, to: chip.i, key: "cut", kind: "cut"});
    chip.sources.add(e.from);
    lines.push({from: chip.i, to: e.to, key: "", kind: "cut"});
  }
  add_new_lanes(p, nodes, lines);
  for (const l of lines) nodes[l.to].from.push(l.from);
  const split = new Set(nodes.filter((n, i) => nodes.some((m, j) => i !== j && m.k !== undefined && m.k === n.k)));
  for (const n of nodes) {
    n.from = [...new Set(n.from)];
    const text = n.band === 1 ? n.text : n.text + (split.has(n) ? "  [." + n.lanes + "]" : "");
    n.text = text.length > 30 ? text.slice(0, 29) + "\u2026" : text;
    n.w = Math.round(6.95 * (n.text.length + (n.line ? String(n.number).length + 1.5 : 0)) + 14);
  }
  return {nodes, lines};
}
// Adds nodes on the cut for new lanes: those that the vertex program writes but no edge names, since their values are computed in another way than
// before.  Edges lead from the instructions that became part of a lane to the node, and on to the instructions that read the lane.
function add_new_lanes(p, nodes, lines) {
  const drawn = new Set(nodes.flatMap(n => [...n.at || []])), before = new Set(p.lanes[0].map(c => c.reg)), all = new Map();
  for (const {reg, lanes} of p.lanes[1])
    lanes.forEach((l, k) => {
      const at = reg + "." + "xyzw"[k];
      if (!l || l.value === undefined || !l.ps.length || drawn.has(at) || (l.was && before.has(reg))) return;
      const where = (test, above) => nodes.filter(n => n.line && !n.band === above && p.lines[n.k].lanes.some(test)).map(n => n.i);
      const named = e => [e.at || "", ...e.part_of || []].some(place => lanes_at(place).includes(at)), read = e => (e.ps_lines || []).some(n => l.ps.includes(n));
      const serving = p.serves.filter(([, places]) => places.split(" ").flatMap(lanes_at).includes(at)).map(([n]) => n);
      const serves = e => (e.vs_lines || []).some(n => serving.includes(n));
      // Only the last ones of the instructions that became part of the lane lead to it.
      const parts = [named, read, serves].map(test => where(test, true)).find(list => list.length) || [];
      const from = parts.filter(i => !lines.some(e => e.from === i && parts.includes(e.to))), below = where(read, false);
      const onward = i => lines.filter(e => e.from === i).flatMap(e => nodes[e.to].band === 1 ? onward(e.to) : nodes[e.to].band ? e.to : []);
      const to = below.length ? below : [...new Set(where(read, true).flatMap(onward))], key = from + "|" + to;
      all.set(key, {from, to, at: [...(all.get(key) || {at: []}).at, at]});
    });
  for (const {from, to, at} of all.values()) {
    const chip = {i: nodes.length, band: 1, from: [], at: new Set(at), text: join_lanes(at), kinds: new Set(["chip"])};
    nodes.push(chip);
    const replaced = lines.filter(l => !(l.kind === "rest" && from.includes(l.from) && to.includes(l.to)));
    lines.splice(0, lines.length, ...replaced, ...from.map(i => ({from: i, to: chip.i, key: "cut", kind: "cut"})), ...to.map(i => ({from: chip.i, to: i, key: "", kind: "cut"})));
  }
}
// Returns a list of lanes as text, those of a register together: "t1.xy t2.z".
function join_lanes(lanes) {
  const by = new Map();
  const place = l => l.split(".")[0] + "xyzw".indexOf(l.split(".")[1]);
  for (const [reg, x] of lanes.sort((a, b) => place(a) < place(b) ? -1 : 1).map(l => l.split("."))) by.set(reg, (by.get(reg) || "") + x);
  return [...by].map(([reg, letters]) => reg + "." + letters).join(" ");
}

// Lets the user zoom and scroll the drawing in its box; zooming keeps the place under the pointer.  Returns a function that fits the drawing to the
// box.
function zoomable(box, svg, bar) {
  let scale = 1, fit = 1, held = 0;
  const shown = element("span", {role: "status"});
  const zoom = (to, x = box.clientWidth / 2, y = box.clientHeight / 2) => {
    to = Math.min(4, Math.max(Math.min(fit, .25), to));
    const left = (box.scrollLeft + x) * to / scale - x, top = (box.scrollTop + y) * to / scale - y;
    scale = to;
    svg.setAttribute("width", svg.viewBox.baseVal.width * scale);
    svg.setAttribute("height", svg.viewBox.baseVal.height * scale);
    box.scrollTo(left, top);
    shown.textContent = Math.round(100 * scale) + "%";
  };
  const button = (text, label, act) => {
    const b = element("button", {type: "button", "aria-label": label}, text);
    b.addEventListener("click", act);
    return b;
  };
  const within = e => [e.clientX - box.getBoundingClientRect().left, e.clientY - box.getBoundingClientRect().top];
  bar.append(button("\u2212", "Smaller", () => zoom(scale / 1.25)), shown, button("+", "Larger", () => zoom(scale * 1.25)),
    button("Fit", "Fit the width", () => zoom(fit)));
  box.addEventListener("wheel", e => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoom(scale * Math.exp(-e.deltaY / 300), ...within(e));
  }, {passive: false});
  box.addEventListener("keydown", e => {
    const to = {"+": scale * 1.25, "=": scale * 1.25, "-": scale / 1.25, "0": fit}[e.key];
    if (to && !e.ctrlKey && !e.metaKey) { e.preventDefault(); zoom(to); }
  });
  box.addEventListener("pointerdown", e => {
    if (e.pointerType !== "mouse" || e.button || e.target.closest("[data-ps], [data-lane]")) return;
    held = 1;
    box.setPointerCapture(e.pointerId);
  });
  box.addEventListener("pointermove", e => { if (held) box.scrollBy(-e.movementX, -e.movementY); });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { held = 0; });
  let apart = 0;
  const distance = t => Math.hypot(t[0].clientX - t[1].clientX, t[0].clientY - t[1].clientY);
  box.addEventListener("touchstart", e => { if (e.touches.length === 2) apart = distance(e.touches); }, {passive: true});
  box.addEventListener("touchmove", e => {
    if (e.touches.length !== 2 || !apart) return;
    e.preventDefault();
    zoom(scale * distance(e.touches) / apart, ...within(e.touches[0]));
    apart = distance(e.touches);
  }, {passive: false});
  return () => { fit = Math.min(1, box.clientWidth / svg.viewBox.baseVal.width); zoom(fit); };
}

// Makes arrow keys move the focus from node to node, so that the Tab key stops only once in the drawing.
function move_focus_by_arrows(svg, all) {
  svg.addEventListener("keydown", e => {
    const places = all(), d = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]}[e.key], here = places.get(e.target);
    if (!d || !here) return;
    e.preventDefault();
    let best = Infinity, to = null;
    for (const [g, at] of places) {
      const x = at[0] - here[0], y = at[1] - here[1], along = x * d[0] + y * d[1], aside = Math.abs(x * d[1] + y * d[0]);
      if (along > 1 && along + 2 * aside < best) { best = along + 2 * aside; to = g; }
    }
    if (!to) return;
    e.target.setAttribute("tabindex", -1);
    to.setAttribute("tabindex", 0);
    to.focus();
  });
}

function drawFlow(svg, p, width) {
  const {nodes, lines} = flow(p), MARGIN = 26, drawing = lay_out(nodes, lines, width - 4), places = new Map();
  const {height, at} = drawing, high = height + 2 * MARGIN;
  const ups = nodes.filter(n => !n.band).map(n => at[n.i][1]), crossings = nodes.filter(n => n.band === 1).map(n => at[n.i][1]);
  const cut = crossings.length ? (Math.min(...crossings) + Math.max(...crossings) + ROW) / 2 : ups.length ? Math.max(...ups) + ROW + SPACE / 2 : -MARGIN;
  svg.setAttribute("viewBox", `-2 ${-MARGIN} ${drawing.width + 4} ${high}`);
  svg.replaceChildren();
  if (ups.length)
    svg.append(svg_element("rect", {class: "vertex", x: -2, y: -MARGIN, width: drawing.width + 4, height: cut + MARGIN}),
      svg_element("path", {class: "cutline", d: `M-2 ${cut}H${drawing.width + 2}`}), svg_element("text", {class: "caption", x: 4, y: 16 - MARGIN}, "Vertex program"));
  svg.append(svg_element("text", {class: "caption", x: 4, y: height + MARGIN - 6}, "Pixel program"));
  for (const [first, last] of p.frames) {
    const tops = nodes.filter(n => n.band > 1 && n.k >= first && n.k < last).map(n => at[n.i][1]), top = Math.min(...tops) - 9;
    const depth = Math.min(3, p.frames.filter(([a, b]) => a < first && last <= b).length), inset = 2 + 4 * depth;
    const frame = svg_element("rect", {class: "frame", x: inset, y: top, width: drawing.width - 2 * inset, height: Math.max(...tops) + ROW + 7 - 2 * depth - top, rx: 6},
      svg_element("title", {}, p.lines[first].text));
    if (tops.length) svg.append(frame);
  }
  const touching = nodes.map(() => new Set()), paths = svg_element("g", {class: "edges"}), path_elements = new Map();
  for (const l of drawing.lines)
    for (const d of l.pieces) {
      if (!path_elements.has(d)) path_elements.set(d, svg_element("path", {d, class: l.kind}));
      touching[l.from].add(path_elements.get(d));
      touching[l.to].add(path_elements.get(d));
    }
  paths.append(...path_elements.values());
  svg.append(paths);
  nodes.forEach((n, i) => {
    const label = svg_element("text", {x: at[i][0], y: at[i][1] + 16, "text-anchor": "middle"});
    if (n.line) label.append(svg_element("tspan", {class: "line"}, n.number + " "));
    label.append(n.text);
    const g = svg_element("g", {class: "node " + [...n.kinds].sort().join("-"), role: "button", tabindex: places.size ? -1 : 0,
      ...(n.line ? {"data-ps": n.line} : {"data-lane": [...n.at].join(" ")})},
      svg_element("rect", {x: at[i][0] - n.w / 2, y: at[i][1], width: n.w, height: ROW, rx: n.band === 1 ? ROW / 2 : 4}), label);
    for (const [event, lit] of [["pointerenter", true], ["pointerleave", false], ["focus", true], ["blur", false]])
      g.addEventListener(event, () => touching[i].forEach(line => line.classList.toggle("lit", lit)));
    places.set(g, at[i]);
    svg.append(g);
  });
  return places;
}

function dataflow(p) {
  if (!p.lines.length) return null;
  const svg = svg_element("svg", {role: "group", "aria-label": "Dataflow of the pixel program with the cut"});
  const box = element("div", {class: "flow", tabindex: 0, "aria-label": "Dataflow: + and - zoom, arrow keys go from line to line"}, svg);
  const sign = (kind, text) => element("span", {class: "sign " + kind}, text);
  const zoom = element("span", {class: "zoom"}), fit = zoomable(box, svg, zoom);
  const key = element("div", {class: "key"}, sign("went", "moved to the vertex program"), sign("stays", "stays"), sign("otherwise", "merged or computed in another way"), sign("gone", "folded or dead"),
    sign("chip", "lanes that carry moved or new values"), ...(p.frames.length ? [sign("block", "block of flow control")] : []), element("span", {class: "space"}), zoom);
  let width = 0, places = new Map();
  // The drawing is made for the width of its box, and again when that has changed by a fifth or more, as when a phone is turned.
  const draw = () => {
    const now = box.clientWidth;
    if (!now || (width && Math.abs(now - width) < width / 5)) return;
    width = now;
    places = drawFlow(svg, p, width);
    fit();
  };
  move_focus_by_arrows(svg, () => places);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
  return element("div", {class: "dataflow"}, key, box);
}

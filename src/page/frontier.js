// Returns the numbers to mark on an axis: from 0 to at least `most`, in about five round steps.
function ticks(most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200].find(s => most / s <= 6) || 500, list = [];
  for (let n = 0; n < most + step; n += step) list.push(n);
  return list;
}

// Plots the slots of the VP and the FP: for the stages of the paper's method, which moves one instruction after another, and for this pair.
// Returns null for fewer than three stages, which make no curve.
function frontier(p) {
  if (p.frontier.length < 3) return null;
  const given = [0, p.vs.slots[0], p.ps.slots[0]], result = [0, p.vs.slots[1], p.ps.slots[1]], W = Math.max(300, Math.min(720, innerWidth - 60)), H = 340, L = 56, B = 48, R = 20, T = 14;
  const points = p.frontier, all = [...points, given, result];
  const across = ticks(Math.max(...all.map(q => q[1]))), up = ticks(Math.max(...all.map(q => q[2])));
  const px = n => L + (W - L - R) * n / across.at(-1), py = n => H - B - (H - B - T) * n / up.at(-1);
  const text = (x, y, anchor, what, kind) => svg_element("text", {x, y, "text-anchor": anchor, ...(kind ? {class: kind} : {})}, what);
  const svg = svg_element("svg", {class: "plot", viewBox: `0 0 ${W} ${H}`, width: W, role: "img", "aria-label":
    `Slots: given VP ${given[1]}, FP ${given[2]}; this pair VP ${result[1]}, FP ${result[2]}; ` +
    `the paper\u2019s method ${points.map(q => `${q[0]} moved: VP ${q[1]}, FP ${q[2]}`).join("; ")}`});
  for (const n of across) svg.append(svg_element("path", {class: "grid", d: `M${px(n)} ${T}V${H - B}`}), text(px(n), H - B + 17, "middle", String(n)));
  for (const n of up) svg.append(svg_element("path", {class: "grid", d: `M${L} ${py(n)}H${W - R}`}), text(L - 8, py(n) + 4, "end", String(n)));
  svg.append(svg_element("path", {class: "axis", d: `M${L} ${T}V${H - B}H${W - R}`}),
    text((L + W - R) / 2, H - 8, "middle", "slots of the vertex program"),
    svg_element("text", {transform: `translate(14 ${(T + H - B) / 2}) rotate(-90)`, "text-anchor": "middle"}, "slots of the pixel program"));
  svg.append(svg_element("path", {class: "way", d: "M" + points.map(q => px(q[1]) + " " + py(q[2])).join("L")}));
  const spot = (q, kind, r) => svg.append(svg_element("circle", {cx: px(q[1]), cy: py(q[2]), r, class: kind}));
  for (const q of points) spot(q, "stage", 4);
  spot(given, "given", 5);
  spot(result, "result", 6.5);
  const key = (kind, what) => element("span", {}, svg_element("svg", {width: 14, height: 14, class: "spot"}, svg_element("circle", {cx: 7, cy: 7, r: 5, class: kind})), " " + what);
  return element("div", {class: "slots"}, svg, element("p", {class: "key"}, key("given", `as given: VP ${given[1]}, FP ${given[2]}`),
    key("stage", `the paper\u2019s method, one move after the other: to VP ${points.at(-1)[1]}, FP ${points.at(-1)[2]}`),
    key("result", `this pair: VP ${result[1]}, FP ${result[2]}`)));
}

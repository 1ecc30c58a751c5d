// VP against FP slots: the paper's method with one moved instruction after the other, and this pair.
function frontier(p) {
  const points = p.frontier, result = [0, p.vs.slots[1], p.ps.slots[1]], W = 420, H = 200, L = 40, B = 30;
  const all = [...points, result], vmax = Math.max(1, ...all.map(q => q[1])), pmax = Math.max(1, ...all.map(q => q[2]));
  const px = q => L + (W - L - 14) * q[1] / vmax, py = q => H - B - (H - B - 14) * q[2] / pmax;
  const svg = drawn("svg", {width: W, height: H, role: "img", "aria-label": "VP and FP slots by moved instructions"});
  svg.append(drawn("path", {d: `M${L} 8 V${H - B} H${W - 8}`, fill: "none", stroke: "var(--line)"}),
    drawn("path", {d: "M" + points.map(q => px(q) + " " + py(q)).join(" L"), fill: "none", stroke: "var(--soft)", "stroke-width": 1.5}),
    drawn("text", {x: W - 8, y: H - 8, "text-anchor": "end"}, "VP slots, up to " + vmax),
    drawn("text", {x: 4, y: 14}, "FP"), drawn("text", {x: 4, y: 28}, String(pmax)), drawn("text", {x: 4, y: H - B}, "0"));
  for (const q of points)
    svg.append(drawn("circle", {cx: px(q), cy: py(q), r: 3, fill: "var(--soft)"},
      drawn("title", {}, `the paper's method, ${q[0]} moved: VP ${q[1]}, FP ${q[2]} slots`)));
  svg.append(drawn("circle", {cx: px(result), cy: py(result), r: 5, class: "result", fill: "none", stroke: "var(--after)", "stroke-width": 2.5},
    drawn("title", {}, `this pair: VP ${result[1]}, FP ${result[2]} slots`)));
  return svg;
}

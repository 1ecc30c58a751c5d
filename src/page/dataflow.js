// Instructions in rows by how far they are from the inputs; red: what crosses the cut.
function dataflow(p) {
  const n = p.instrs.length, depth = new Array(n).fill(0), rows = [], x = [], W = 190, H = 46;
  for (const [from, to] of p.graph) if (from >= 0) depth[to] = Math.max(depth[to], depth[from] + 1);
  for (let i = 0; i < n; i++) { const r = rows[depth[i]] = rows[depth[i]] || []; x[i] = r.length; r.push(i); }
  const wide = Math.max(1, ...rows.map(r => r.length)) * W, high = rows.length * H + 10;
  const svg = drawn("svg", {width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "dataflow"});
  const px = i => x[i] * W + W / 2, py = i => depth[i] * H + 18;
  for (const [from, to, carried, cut] of p.graph) {
    if (from < 0) continue;
    svg.append(drawn("path", {d: `M${px(from)} ${py(from) + 12} C${px(from)} ${py(from) + 30} ${px(to)} ${py(to) - 30} ${px(to)} ${py(to) - 12}`,
      fill: "none", stroke: cut ? "var(--cut)" : "var(--soft)", "stroke-width": cut ? 2.2 : 1}, drawn("title", {}, carried)));
  }
  p.instrs.forEach((i, k) => {
    const label = i.text.length > 24 ? i.text.slice(0, 23) + "\u2026" : i.text;
    svg.append(drawn("g", {}, drawn("title", {}, i.text + "\n" + i.why),
      drawn("rect", {x: px(k) - W / 2 + 6, y: py(k) - 12, width: W - 12, height: 24, rx: 5, stroke: "var(--line)",
        fill: i.state === 1 ? "var(--moved)" : "var(--paper)"}),
      drawn("text", {x: px(k), y: py(k) + 4, "text-anchor": "middle"}, label)));
  });
  return element("div", {class: "graph"}, svg);
}

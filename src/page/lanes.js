// Shows each lane of each interpolator: its value, the line of the vertex program that writes it, and the lines that read it.
const line_list = (word, list) => `${word} ${list.length > 3 ? list.slice(0, 2).join(", ") + " \u2026" : list.join(", ")}`;
// Returns a map from interpolator lanes, "t1.x", to the lines of the given pixel program whose moved values the lanes carry.
function lines_by_lane(p) {
  const by = new Map();
  for (const line of p.lines)
    for (const l of line.lanes)
      if (l.outcome === "moved") for (const lane of lanes_at(l.at || "")) by.set(lane, [...by.get(lane) || [], p.numbers.ps[line.line - 1]]);
  return by;
}
function lane_cell(lane, place, by) {
  if (!lane) return element("td", {class: "free"}, element("small", {}, "free"));
  const after = by !== undefined, idle = !lane.ps.length, moved = after && lane.was && lane.was !== place;
  const fresh = after && lane.value !== undefined && !lane.was, from = after ? by.get(place) || [] : [];
  const way = (lane.vs ? "VP " + lane.vs : "") + (idle ? "" : ` \u2192 ${line_list("FP", lane.ps)}`);
  const state = idle ? "not read" : lane.value === undefined ? "not written" : moved ? "was in " + lane.was : fresh ? "new" : "";
  const value = from.length ? line_list(from.length > 1 ? "lines" : "line", from) : "";
  const td = element("td", {class: idle ? "idle" : fresh ? "fresh" : "rode",
    ...(after ? {role: "button", tabindex: 0, "data-lane": place} : {})},
    element("code", {}, lane.value === undefined ? "?" : lane.value), ...[way, [state, value].filter(Boolean).join(" \u00b7 ")].map(t => element("small", {}, t)));
  return td;
}
function lane_table(title, list, by) {
  const head = element("tr", {}, element("th", {}), ...[..."xyzw"].map(l => element("th", {scope: "col"}, l)));
  const rows = list.map(c => element("tr", {}, element("th", {scope: "row"}, c.reg, ...(c.kind ? [element("small", {}, c.kind)] : [])),
    ...c.lanes.map((lane, k) => lane_cell(lane, c.reg + "." + "xyzw"[k], by))));
  return element("div", {}, element("h3", {}, title),
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
}
function lanes(p) {
  const [before, after] = p.lanes || [[], []], count = list => list.reduce((n, c) => n + c.lanes.filter(Boolean).length, 0);
  if (!before.length && !after.length) return null;
  const sign = (kind, text) => element("span", {class: "sign " + kind}, text);
  const title = (word, list) => `${word}: ${count(list)} lanes in ${list.length} interpolator${list.length === 1 ? "" : "s"}`;
  return element("div", {}, element("div", {class: "key"}, sign("rode", "was there before"), sign("fresh", "new"), sign("idle", "written, but not read"), sign("free", "free"),
    element("span", {}, "VP 9 \u2192 FP 7: line 9 of the vertex program writes it, line 7 of the pixel program reads it"),
    element("span", {}, "line 13: the value that line 13 of the given pixel program computed")),
    element("div", {class: "rides"}, lane_table(title("Before", before), before), lane_table(title("After", after), after, lines_by_lane(p))));
}

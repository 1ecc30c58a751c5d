// What all pairs come to, for the top of the page.
function totals() {
  const sum = f => data.reduce((s, p) => s + f(p), 0), count = s => data.filter(p => p.status === s).length;
  const total = (label, value) => element("span", {}, label + " ", element("b", {}, String(value)));
  return element("div", {id: "totals"}, total("pairs", data.length), total("improved", count("improved")),
    total("unchanged", count("unchanged")), total("rejected", count("rejected")), total("failed", count("failed")),
    total("FP slots", sum(p => p.ps.slots[0]) + " \u2192 " + sum(p => p.ps.slots[1])),
    total("VP slots", sum(p => p.vs.slots[0]) + " \u2192 " + sum(p => p.vs.slots[1])));
}

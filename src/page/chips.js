// Tables of the estimated cost of a pixel on each chip that --target names: bars and numbers, before and after.

// Makes the table row of a chip.
function chip_row({target, unit, pixel, error, pays_from}) {
  const most = Math.max(...pixel, 1e-9), width = n => "width:" + (100 * n / most).toFixed(1) + "%", tenth = n => n.toFixed(1);
  const moved = tenth(pixel[0]) !== tenth(pixel[1]), kind = moved && (pixel[1] < pixel[0] ? "good" : "bad");
  // Rounded up as in the table of --stats, so that the pair pays from the shown number on.
  const pays = pays_from === undefined ? [] : [element("td", {}, pays_from === null ? "never" : pays_from <= 0 ? "at any" : (Math.ceil(pays_from * 100) / 100).toPrecision(3).replace(/\.?0+$/, ""))];
  return element("tr", {class: kind || false}, element("th", {scope: "row"}, target),
    element("td", {}, element("span", {class: "bar", "aria-hidden": "true"}, element("i", {style: width(pixel[0])}), element("i", {style: width(pixel[1])}))),
    element("td", {}, moved ? tenth(pixel[0]) + " \u2192 " + tenth(pixel[1]) : tenth(pixel[0])), element("td", {}, element("b", {}, moved ? percent(pixel).replace(/[ ()]/g, "") : "as before")),
    element("td", {}, error ? "\u00b1" + error + "%" : "\u2013"), ...pays, element("td", {class: "soft"}, unit));
}
function chip_table(rows, heads) {
  const head = ["target", "before and after", "a pixel, estimated", "change", "error", ...heads, "counted in"];
  return element("div", {class: "chips"}, element("table", {}, element("thead", {}, element("tr", {}, ...head.map(h => element("th", {scope: "col"}, h)))),
    element("tbody", {}, ...rows.map(chip_row))));
}
function chips(p) {
  const rows = p.plan && p.plan.targets;
  return rows && rows.length ? [chip_table(rows, ["pays from"]),
    element("p", {class: "soft"}, "Pays from: the least number of pixels for each vertex with which the pair is faster. With fewer, the longer vertex program costs more than the pixel program saves.")] : [];
}
// Makes the table of the sums over all pairs, as if each pair were drawn equally often; returns an empty list if there are no estimates.
function all_chips() {
  const sums = new Map();
  for (const row of data.filter(done).flatMap(p => p.plan.targets || [])) {
    const sum = sums.get(row.target) || {target: row.target, unit: row.unit, error: row.error, pixel: [0, 0]};
    sum.pixel = sum.pixel.map((n, k) => n + row.pixel[k]);
    sums.set(row.target, sum);
  }
  return sums.size ? [element("h2", {}, "A pixel of all pairs, by chip"), chip_table([...sums.values()], [])] : [];
}

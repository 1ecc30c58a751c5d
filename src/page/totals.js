// Shows the sums of all pairs at the top of the page of a batch.  An effect counts as one pair, as in the summary line and the report of the batch.
const sums = JSON.parse($("sums").textContent);
const percent_saved = p => p.ps.slots[0] ? 100 * (p.ps.slots[0] - p.ps.slots[1]) / p.ps.slots[0] : 0;

// Pairs are grouped by the share of pixel slots that they save: none, up to 10%, up to 20% and so on.  The filter finds the name of each group.
const saving_group = p => Math.max(0, Math.ceil(percent_saved(p) / 10));
const group_name = k => k ? (10 * k - 9) + "-" + 10 * k + "%" : "0%";
data.forEach((p, i) => { if (done(p)) words[i] += " saved:" + group_name(saving_group(p)); });
function savings() {
  const counts = [0, 0];
  for (const p of data.filter(done)) counts[saving_group(p)] = (counts[saving_group(p)] || 0) + 1;
  const most = Math.max(...counts.filter(Boolean), 1), bars = element("div", {class: "bars", role: "group", "aria-label": "Pairs by saving"});
  for (let k = 0; k < counts.length; k++) {
    const n = counts[k] || 0, word = "saved:" + group_name(k), button = element("button", {type: "button", "aria-pressed": "false",
      "aria-label": `${n} pairs save ${group_name(k)}`, class: !k && "none"},
    element("b", {}, n ? String(n) : ""), element("i", {style: `height:${(70 * n / most).toFixed(1)}%`}), element("span", {}, k ? "\u2264" + 10 * k + "%" : "0%"));
    button.addEventListener("click", () => {
      $("filter").value = $("filter").value === word ? "" : word;
      $("filter").dispatchEvent(new Event("input"));
    });
    $("filter").addEventListener("input", () => button.setAttribute("aria-pressed", String($("filter").value === word)));
    bars.append(button);
  }
  return element("div", {class: "savings"}, element("h2", {}, "Savings"), bars,
    element("p", {class: "key"}, "Pairs by the share of their pixel slots that they save. Choose a bar to list its pairs."));
}
function totals() {
  const of = data.filter(done), sum = f => [0, 1].map(k => of.reduce((s, p) => s + f(p)[k], 0));
  const others = ["unchanged", "rejected", "failed"].map(s => [sums[s], s]).filter(([n]) => n).map(([n, s]) => n + " " + s).join(", ");
  const program = (label, two) => tile(label, change(two), two[0] !== two[1] ? percent(two).replace(/[ ()]/g, "") : "as before");
  return element("div", {id: "totals"},
    element("dl", {class: "tiles"}, tile("Pairs", sums.pairs, sums.pairs === data.length ? "" : `with ${data.length} rows below, as each pass of an effect has its own`),
      tile("Improved", sums.improved, others, "good"), program("Pixel slots", sums.ps_slots), program("Vertex slots", sums.vs_slots), program("Interpolators", sum(p => p.interpolators))),
    savings(), ...all_chips());
}

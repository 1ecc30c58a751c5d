// Returns false for a pair that was rejected or failed: it has no new programs.
const done = p => p.status === "improved" || p.status === "unchanged";
const dash = "\u2013";
const cost = p => p.plan.cost && p.plan.cost.map(n => Number(n.toFixed(2)));
const two = get => [p => done(p) ? get(p)[1] : get(p)[0], p => done(p) ? change(get(p)) : get(p)[0], true];
// The columns: [title, value to sort by, content of the cell, true if the first click sorts in descending order].
const columns = [
  ["pair", p => name(p), p => [element("a", {href: p.address}, name(p))]],
  ["status", p => p.status, p => [element("span", {class: p.status}, p.status)]],
  ["FP slots", ...two(p => p.ps.slots)],
  ["saved", p => done(p) ? p.ps.slots[0] - p.ps.slots[1] : -1, p => done(p) ? [bar(p.ps.slots)] : dash, true],
  ["saved, %", p => done(p) ? percent_saved(p) : -Infinity, p => done(p) ? percent_saved(p).toFixed(0) + "%" : dash, true],
  // With the target "slots" the cost equals the FP slots, and the table has no column for it.
  ...(data.some(p => done(p) && cost(p).join() !== p.ps.slots.join()) ? [["cost", p => done(p) ? cost(p)[1] : -1, p => done(p) ? change(cost(p)) : dash, true]] : []),
  ["VP slots", ...two(p => p.vs.slots)],
  ["interp.", ...two(p => p.interpolators)],
  ["dep. order", ...two(p => p.ps.dependent_reads)],
  ["constants", p => done(p) ? p.constants.length : -1, p => done(p) ? p.constants.length : dash, true],
  ["proof", p => p.proof.result, p => p.proof.result === "none" ? dash : p.proof.result],
  ["optimal", p => p.plan.optimal ? 1 : 0, p => p.plan.optimal ? "yes" : p.plan.gap !== undefined ? "gap " + p.plan.gap : dash, true],
];
let most = 1;
for (const p of data) most = Math.max(most, p.ps.slots[0]);
function bar(two) {
  const width = n => "width:" + (100 * n / most).toFixed(1) + "%", saved = two[0] - two[1];
  return element("span", {class: "saved"}, element("span", {class: "bar", "aria-hidden": "true"},
    element("i", {style: width(two[0])}), element("i", {style: width(two[1])})), element("span", {}, String(saved)));
}

const CHUNK = 200;
let order = data.map((_, i) => i), shown = [], key = -1, down = false, rendered = 0;
const words = data.map(p => (name(p) + " " + p.status + " " + p.rules.join(" ")).toLowerCase());

function row(i) {
  const tr = element("tr", {"data-pair": i});
  for (const [title, , cell] of columns) {
    const content = cell(data[i]);
    tr.append(element("td", {"data-title": title}, ...(Array.isArray(content) ? content : [String(content)])));
  }
  return tr;
}
// Adds the next CHUNK rows to the table, and more if needed to make `least` rows.
function add_rows(least = 0) {
  const body = document.querySelector("#pairs tbody"), end = Math.min(Math.max(least, rendered + CHUNK), shown.length);
  const rows = document.createDocumentFragment();
  for (; rendered < end; rendered++) rows.append(row(shown[rendered]));
  body.append(rows);
}
function list() {
  const text = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = order.filter(i => text.every(t => words[i].includes(t)));
  $("count").textContent = shown.length + " of " + data.length + " pairs";
  document.querySelector("#pairs tbody").replaceChildren();
  rendered = 0;
  add_rows();
}
function sort(column) {
  down = key === column ? !down : Boolean(columns[column][3]);
  key = column;
  const values = data.map(columns[column][1]);
  order = data.map((_, i) => i).sort((a, b) => {
    const x = values[a], y = values[b];
    return (x < y ? -1 : x > y ? 1 : a - b) * (down && x !== y ? -1 : 1);
  });
  document.querySelectorAll("#pairs th").forEach((th, i) => {
    if (i === column) th.setAttribute("aria-sort", down ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  });
  list();
}
// Returns the row of a pair, and adds rows to the table until it is there; null if the filter hides the pair.
function row_of(i) {
  if (shown.indexOf(i) >= rendered) add_rows(shown.indexOf(i) + 1);
  return document.querySelector(`#pairs tr[data-pair="${i}"]`);
}

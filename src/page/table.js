const columns = [
  ["pair", p => name(p), p => name(p)],
  ["status", p => p.status, p => p.status],
  ["FP slots", p => p.ps.slots[1], p => change(p.ps.slots)],
  ["saved", p => p.ps.slots[0] - p.ps.slots[1], p => [bar(p.ps.slots)]],
  ["VP slots", p => p.vs.slots[1], p => change(p.vs.slots)],
  ["interp.", p => p.interpolators[1], p => change(p.interpolators)],
  ["dep. reads", p => p.ps.dependent_reads[1], p => change(p.ps.dependent_reads)],
  ["constants", p => p.constants.length, p => p.constants.length],
  ["proof", p => p.proof.result, p => p.proof.result],
  ["optimal", p => p.plan.optimal ? 1 : 0, p => p.plan.optimal ? "yes" : p.plan.gap !== undefined ? "gap " + p.plan.gap : "-"],
];
let most = 1;
for (const p of data) most = Math.max(most, p.ps.slots[0]);
function bar(two) {
  const width = n => "width:" + (100 * n / most).toFixed(1) + "%";
  return element("span", {class: "bar", title: change(two)}, element("i", {style: width(two[0])}),
    element("i", {style: width(two[1])}));
}

let order = data.map((_, i) => i), shown = [], open = -1, key = -1, down = false, rendered = 0;
const words = data.map(p => (name(p) + " " + p.status + " " + p.rules.join(" ")).toLowerCase());

function row(i) {
  const p = data[i];
  const tr = element("tr", {"data-pair": i, class: i === open ? "open" : p.status, tabindex: 0});
  for (const [, , cell] of columns) {
    const content = cell(p);
    tr.append(element("td", {title: cell === columns[0][2] && content}, ...(Array.isArray(content) ? content : [String(content)])));
  }
  return tr;
}
function more() {
  const body = document.querySelector("#pairs tbody"), end = Math.min(rendered + CHUNK, shown.length);
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
  more();
}
function sort(column) {
  down = key === column ? !down : column > 1 && column !== 8;
  key = column;
  const value = columns[column][1];
  order = data.map((_, i) => i).sort((a, b) => {
    const x = value(data[a]), y = value(data[b]);
    return (x < y ? -1 : x > y ? 1 : a - b) * (down && x !== y ? -1 : 1);
  });
  document.querySelectorAll("#pairs th").forEach((th, i) => {
    if (i === column) th.setAttribute("aria-sort", down ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  });
  list();
}

// Shows the facts that decide whether to use a pair: slots, interpolators, constants to set, proof, messages.
function percent([a, b]) {
  const whole = a ? Math.round(100 * Math.abs(b - a) / a) : 0;
  return whole ? ` (${b > a ? "+" : "\u2212"}${whole}%)` : "";
}
const difference = ([a, b]) => a === b ? "as before" : `${Math.abs(b - a)} ${b < a ? "fewer" : "more"}`;
const counted = (n, one) => n + " " + one + (n === 1 ? "" : "s");
function tile(label, value, more, kind) {
  return element("div", {class: kind || false}, element("dt", {}, label), element("dd", {}, element("b", {}, String(value)), ...(more ? [element("span", {}, more)] : [])));
}
function plan_tile(p) {
  if (p.plan.optimal) return tile("Choice of moves", "optimal", "the search knows no cheaper plan");
  return tile("Choice of moves", p.plan.gap === undefined ? "\u2013" : "within " + p.plan.gap, p.plan.gap === undefined ? "no search" : "of the best, in slots");
}
function proof_tile(p) {
  const {result, trials} = p.proof;
  return tile("Proof", result === "none" ? "not run" : result, result === "equal" ? `to the given pair, in ${counted(trials, "trial")}` : "",
    result === "equal" ? "good" : result === "different" ? "bad" : "");
}
function tiles(p) {
  const set = p.constants.length + (p.preshader || []).filter(c => c.vs !== undefined || c.ps !== undefined).length;
  return element("dl", {class: "tiles"},
    tile("Pixel program, slots", change(p.ps.slots), difference(p.ps.slots) + percent(p.ps.slots), p.ps.slots[1] < p.ps.slots[0] ? "good" : ""),
    tile("Vertex program, slots", change(p.vs.slots), difference(p.vs.slots)),
    tile("Interpolators", change(p.interpolators), difference(p.interpolators)),
    tile("Constants to set", set, set ? "by the application" : "nothing changes for the application"),
    proof_tile(p), plan_tile(p));
}
function measures(p) {
  const rows = [["arithmetic", p.ps.arith], ["texture reads", p.ps.tex], ["dependent read order", p.ps.dependent_reads],
    ["FP temporaries", p.ps.temps], ["VP temporaries", p.vs.temps], ["VP constants", p.vs.consts]];
  const round = n => Number(n.toFixed(2)), cost = p.plan.cost && p.plan.cost.map(round);
  if (cost && cost[0] !== p.ps.slots[0]) rows.push(["cost", cost]);
  return element("dl", {class: "measures"}, ...rows.map(([label, two]) => element("div", {class: two[0] !== two[1] && "differs"}, element("dt", {}, label), element("dd", {}, String(change(two))))));
}

// Joins consecutive constants to ranges if they are set from consecutive constants.
function ranges(constants) {
  const list = [];
  for (const c of constants) {
    const last = list.at(-1);
    if (last && c.vs === last.vs + last.n && c.ps === last.ps + last.n) last.n++;
    else list.push({vs: c.vs, ps: c.ps, n: 1, names: []});
    if (c.name && !list.at(-1).names.includes(c.name)) list.at(-1).names.push(c.name);
  }
  return list;
}
const range = (first, n) => "c" + first + (n > 1 ? "\u2013c" + (first + n - 1) : "");
function constants(p) {
  const sets = ranges(p.constants).map(c => [`VP ${range(c.vs, c.n)}`, `= FP ${range(c.ps, c.n)}`, c.names.join(", ")]);
  const computed = (p.preshader || []).map(c => [(c.vs === undefined ? `FP c${c.ps}` : `VP c${c.vs}`) + "." + c.lanes, "by the preshader\u2019s function", c.name || ""]);
  const rows = [...sets, ...computed];
  if (!rows.length) return [];
  const item = ([to, from, names]) => element("li", {}, element("code", {}, to + " " + from), " ", element("span", {class: "soft"}, names));
  return [element("ul", {class: "constants"}, ...rows.map(item)),
    element("p", {class: "soft"}, "--constants and --report write this list; --drop-in moves only what needs none.")];
}

// Returns the line of a diff that belongs to the place of a message, as the attribute data-to names it ("ps 12"); undefined if there is none.
function cell_of(p, d) {
  const of = p.text && d.line ? [["ps", p.ps.file, p.numbers.ps], ["vb", p.vs.file, p.numbers.vs]] : [];
  const found = of.find(([, file, numbers]) => file === d.file && numbers.includes(d.line));
  return found && found[0] + " " + (found[2].indexOf(d.line) + 1);
}
function message(p, d) {
  const place = d.line ? `${d.file}:${d.line}:${d.column}` : d.file || "", text = [element("b", {}, d.severity), " ", d.text];
  const to = cell_of(p, d);
  const where = to ? element("button", {class: "place", "data-to": to}, place) : element("span", {class: "place"}, place);
  return element("li", {class: d.severity}, ...text, ...(place ? [" ", where] : []),
    ...(d.excerpt === undefined ? [] : [element("pre", {tabindex: 0}, d.excerpt)]));
}
function messages(p) {
  const hints = (p.hints || []).map(h => element("li", {class: "hint"}, element("b", {}, "hint"), " ", `${h.text}: ${h.why}`));
  // Messages of the rule "constants" are left out: the constants have a section of their own.
  const said = p.diagnostics.filter(d => d.rule !== "constants");
  const all = [...said.map(d => message(p, d)), ...hints];
  return all.length ? element("ul", {class: "messages"}, ...all) : null;
}

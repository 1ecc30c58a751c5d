// Explanations of the outcomes of an instruction's lanes.  The legend shows those that occur.
const FATES = {
  moved: "the vertex program computes it, or the application does",
  kept: "the pixel program still computes it as it did",
  recomputed: "the pixel program still computes it, from other values",
  merged: "the instructions that read it compute it as well",
  folded: "its value is a known number",
  regrouped: "the values that depended on it are computed in another way",
  dead: "no output depends on it",
};
// The conditions of the paper, each with the reasons that say no more than the condition.  For these, the legend explains the condition and lines
// only name it.
const CONDITIONS = {
  C1: ["this opcode runs only in the pixel program"],
  C2: ["a sampler is read by the pixel program only", "a pixel output is written by the pixel program only"],
  C3: ["not linear in the inputs, so it does not commute with interpolation"],
  C4: ["uses a value that stays in the pixel program"],
};
const KINDS = {
  same: "stays", renamed: "only registers or lanes renamed", remark: "only a comment or blank", changed: "changed", left: "removed", came: "added", gone: "moved to the vertex program",
  arrived: "added for the pixel program", shifted: "stays, but in another place",
};
const some_of = numbers => numbers.length > 6 ? numbers.slice(0, 4).join(", ") + " \u2026 " + numbers.at(-1) : numbers.join(", ");
const lines_of = (word, numbers) => numbers && numbers.length ? `${word} line${numbers.length > 1 ? "s" : ""} ${some_of(numbers)}` : "";

// Returns a text that says where the value of a group of lanes is now.
function whereabouts(e) {
  const into = [lines_of("VP", e.vs_lines), lines_of("new", e.ps_lines)].filter(Boolean).join(" and ");
  switch (e.outcome) {
  case "moved":
    return [e.at ? (e.negated ? "as minus, to " : "to ") + e.at + (/^c/.test(e.at) ? ", which the application sets" : "")
      : e.part_of ? "into " + e.part_of.join(", ") : "", lines_of("VP", e.vs_lines)].filter(Boolean).join(", ");
  case "folded": return (e.value === undefined ? "" : "to " + e.value) + (e.at ? " in " + e.at : "");
  case "merged": return into && "into " + into;
  case "recomputed": case "regrouped": return into && "in " + into;
  default: return "";
  }
}
function fate(line, e) {
  const part = line.lanes.length > 1 && e.lanes ? "." + e.lanes + " " : "", where = whereabouts(e);
  const leads = e.outcome !== "kept" && (e.vs_lines || e.ps_lines || /^[tv]/.test(e.at || ""));
  const word = element("b", {class: e.outcome}, e.outcome), rest = where && " " + where;
  const says = leads ? element("button", {class: "goes", "data-ps": line.line}, part, word, rest) : element("span", {}, part, word, rest);
  return says;
}
// Returns an element with the reason of an outcome.  Names only the rule if the legend or the line before has the same reason.
function reason(e, last) {
  const because = e.because ? ` (line ${e.because})` : "", told = e.rule && (e.why === last || (CONDITIONS[e.rule] || []).includes(e.why));
  return element("span", {class: "why"}, told ? e.rule + because : (e.rule ? e.rule + ": " : "") + e.why + because);
}
// Returns [content, why] for the cell beside a line of the given pixel program: what happened to its lanes and why, and the last reason in it.
// `last` is the reason of the cell before, which is not repeated.
function fates_of(lines, last) {
  const cell = [];
  let why = last;
  for (const line of lines)
    for (const e of line.lanes) {
      cell.push(fate(line, e));
      if (e.why) cell.push(reason(e, why));
      why = e.why;
    }
  return [cell, why];
}
// Returns a map from lines of the new vertex program to their purposes: {places: outputs that depend on the line, lines: the instructions of the
// given FP that it computes (if `moved`) or whose values depend on it, vs: VP lines that need it, for a line without an instruction}.
function purposes(p, after) {
  const of = new Map(), readers = new Map(p.lanes[1].flatMap(c => c.lanes.map((l, k) => [c.reg + "." + "xyzw"[k], l ? l.ps : []])));
  const lines_with = (key, wanted) => p.lines.filter(l => l.lanes.some(e => (e[key] || []).some(n => wanted.includes(n))));
  for (const [n, places] of p.serves) {
    const from = lines_with("vs_lines", [n]), moved = from.length > 0;
    of.set(n, {places, moved, lines: moved ? from : lines_with("ps_lines", places.split(" ").flatMap(lanes_at).flatMap(lane => readers.get(lane) || []))});
  }
  // A line without an instruction, such as a def, serves the instructions that name its register.
  const names = after.map(text => plain(text).match(/(?<![\w.])[cvo]\w*\d+/g) || []);
  after.forEach((text, k) => {
    const register = plain(text.replace(/.*\/\/ fpmove:/, "")).match(/\b[cvo]\w*\d+/), n = p.written.vs[k];
    if (of.has(n) || !register) return;
    const vs = p.written.vs.filter((m, j) => of.has(m) && of.get(m).places !== undefined && names[j].includes(register[0]));
    if (vs.length) of.set(n, {vs, lines: [...new Set(vs.flatMap(m => of.get(m).lines))].sort((a, b) => a.line - b.line)});
  });
  return of;
}
// Returns the content of the cell beside a line of the new vertex program, which says what the line is for.
function origin(p, k, {places, moved, lines, vs = []}) {
  const of = lines.length ? lines_of("FP", lines.map(l => p.numbers.ps[l.line - 1])) : places ? "" : lines_of("VP", vs);
  const text = places && of ? `${places}: for ${of}` : "for " + (places || of || "a block of flow control");
  const to = moved ? {"data-vs": k} : lines.length ? {"data-to": "ps " + lines[0].line} : null;
  return [to ? element("button", {class: "goes", ...to}, text) : text];
}

function number(n, numbers) { return element("td", {class: "number"}, n < 0 ? "" : String(numbers[n])); }
function code(list, key, n, differ) {
  return n < 0 ? element("td", {class: "none"}) : element("td", {class: "code", ["data-" + key]: n}, ...coloured(list, differ));
}
// Returns a table body with the rows of one program's diff.  `before` and `after` are [key of the data attribute of lines, lines, line numbers].
// The attribute of an old line is its place in the text, since a file may be included twice; that of a new line is its line number.
function diff_body(rows, before, after, notes) {
  const body = element("tbody", {});
  for (const row of rows) {
    const {i, k, kind} = row, a = i < 0 ? [] : tokens(before[1][i]), b = k < 0 ? [] : tokens(after[1][k]);
    const [lost, fresh] = kind === "changed" || kind === "renamed" ? token_differences(a, b) : [];
    body.append(element("tr", {class: kind}, number(i, before[2]), code(a, before[0], i < 0 ? i : i + 1, lost), element("td", {class: "says"}, ...notes(row)),
      number(k, after[2]), code(b, after[0], k < 0 ? k : after[2][k], fresh)));
  }
  return body;
}
const CONTEXT = 4, LONG = 24;
// Hides each long run of unchanged lines, but for a few at its ends, behind a row with a button that shows them.
function fold(body) {
  const rows = [...body.rows];
  for (let from = 0, to; from < rows.length; from = to + 1) {
    for (to = from; to < rows.length && rows[to].className === "same"; to++);
    if (to - from < LONG) continue;
    const inner = rows.slice(from && from + CONTEXT, to === rows.length ? to : to - CONTEXT);
    const button = element("button", {}, `Show ${inner.length} lines that stay`);
    const stand_in = element("tr", {class: "fold"}, element("td", {colspan: 5}, button));
    for (const tr of inner) {
      tr.hidden = true;
      tr.unfold = () => { stand_in.remove(); inner.forEach(t => { t.hidden = false; }); };
    }
    button.addEventListener("click", () => { inner[0].unfold(); inner[0].cells[1].tabIndex = -1; inner[0].cells[1].focus(); });
    inner[0].before(stand_in);
  }
}
function legend(rows, fates = [], rules = []) {
  const list = (words, meaning) => words.length ? [element("dl", {}, ...words.map(w => element("div", {}, element("dt", {class: w}, w), element("dd", {}, meaning(w)))))] : [];
  const kinds = Object.entries(KINDS).filter(([kind]) => rows.some(r => r.kind === kind));
  return element("div", {class: "legend"},
    element("ul", {}, ...kinds.map(([kind, text]) => element("li", {class: kind}, text))),
    ...list(fates, f => FATES[f]), ...list(rules, r => CONDITIONS[r].join("; ")));
}
function diff_table(title, kind, names, body) {
  const head = text => element("th", {scope: "col", colspan: text === names[1] ? false : 2}, text);
  const widths = element("colgroup", {}, ...["number", "", "says", "number", ""].map(c => element("col", {class: c || false})));
  return element("table", {class: "diff " + kind, "aria-label": title}, widths, element("thead", {}, element("tr", {}, ...names.map(head))), body);
}

// Returns [table, legend, body] of the pixel program's diff: old line, what happened to it, new line.
function pixel_side(p) {
  const [before, after] = p.text.ps.map(split_lines), lines = p.lines, at = new Map();
  for (const l of lines) at.set(l.line, [...(at.get(l.line) || []), l]);
  const stays = e => e.outcome === "kept" || e.outcome === "recomputed";
  const goes = i => at.has(i + 1) ? new Set(at.get(i + 1).flatMap(l => l.lanes.filter(stays).flatMap(e => (e.ps_lines || []).map(n => n - p.first.ps + 1)))) : undefined;
  const keeps = i => at.has(i + 1) && at.get(i + 1).every(l => l.lanes.every(e => e.outcome === "kept"));
  const rows = diff_rows(before, after, goes, keeps);
  for (const r of rows)
    if (r.kind === "left" && (at.get(r.i + 1) || []).some(l => l.lanes.some(e => e.outcome === "moved"))) r.kind = "gone";
  let last = "";
  const body = diff_body(rows, ["ps", before, p.numbers.ps], ["pa", after, p.written.ps], ({i}) => {
    const [cell, why] = fates_of(at.get(i + 1) || [], last);
    last = why;
    return cell;
  });
  const occur = (words, key) => Object.keys(words).filter(w => lines.some(l => l.lanes.some(e => e[key] === w)));
  return [diff_table("Pixel program", "pixel", ["before", "what happened to it", "after"], body),
    legend(rows, occur(FATES, "outcome"), occur(CONDITIONS, "rule")), body];
}
// Returns [table, legend, body] of the vertex program's diff: old line, purpose of the new line, new line.
function vertex_side(p) {
  const [before, after] = p.text.vs.map(split_lines), stays = new Map(), of = purposes(p, after);
  for (const [n, , was] of p.serves) {
    const i = was ? p.numbers.vs.indexOf(was) : -1;
    if (i >= 0) stays.set(i, (stays.get(i) || new Set()).add(n - p.first.vs + 1));
  }
  const goes = i => stays.get(i), rows = diff_rows(before, after, goes, goes), purpose = k => of.get(p.written.vs[k]);
  for (const r of rows)
    if (r.kind === "came" && purpose(r.k) && purpose(r.k).lines.length) r.kind = "arrived";
  const told = ({k, kind}) => k >= 0 && purpose(k) && (purpose(k).moved || ["came", "arrived", "changed"].includes(kind) || (kind === "remark" && /fpmove:/.test(after[k])));
  const body = diff_body(rows, ["vb", before, p.numbers.vs], ["vs", after, p.written.vs], row => told(row) ? origin(p, p.written.vs[row.k], purpose(row.k)) : []);
  return [diff_table("Vertex program", "vertex", ["before", "what it is for", "after"], body), legend(rows), body];
}

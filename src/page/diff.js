// Returns a line in the form in which fpmove writes it, without comment, so that lines of all dialects compare equal.
function plain(line) {
  return line.toLowerCase().replace(/(;|\/\/).*/, "").replace(/\s+/g, " ").replace(/ ?([-+[\]]) ?/g, "$1").replace(/ ?, ?/g, ", ").trim()
    .replace(/^([vp]s)[._](.)[._]/, "$1_$2_").replace(/^(dcl_[a-z]+)0 /, "$1 ")
    .replace(/\.([rgba]+)\b/g, (_, lanes) => "." + [...lanes].map(l => "xyzw"["rgba".indexOf(l)]).join(""))
    .replace(/(?<![\w.])(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?f?/g, number => String(parseFloat(number)));
}
// Returns the text by which two lines are compared: that of plain(), or the line itself if it is only a comment.
const same_by = line => plain(line) || line.trim();

// Aligns the items of two lists of n and m items, in order, so that the sum of score(i, k) over the pairs is greatest.  Items whose score is 0 are
// never paired.  Returns a row [i, k] for each pair, and [i, -1] or [-1, k] for each item that stands alone.
function align(n, m, score) {
  const best = [];
  for (let i = n; i >= 0; i--) {
    best[i] = new Uint16Array(m + 1);
    for (let k = m - 1; i < n && k >= 0; k--)
      best[i][k] = Math.max(best[i + 1][k], best[i][k + 1], score(i, k) && score(i, k) + best[i + 1][k + 1]);
  }
  const rows = [];
  for (let i = 0, k = 0; i < n || k < m;) {
    const s = i < n && k < m ? score(i, k) : 0;
    if (s && best[i][k] === s + best[i + 1][k + 1]) rows.push([i++, k++]);
    else if (i < n && (k === m || best[i][k] === best[i + 1][k])) rows.push([i++, -1]);
    else rows.push([-1, k++]);
  }
  return rows;
}
// Aligns two lists as align() does, but pairs their equal items at both ends at once, and aligns only the rest.  If the rest is far longer than a
// program, none of its items are paired.
const MOST = 1 << 24;
function align_middle(n, m, same, score) {
  let head = 0, tail = 0;
  while (head < n && head < m && same(head, head)) head++;
  while (tail < n - head && tail < m - head && same(n - 1 - tail, m - 1 - tail)) tail++;
  const rows = [];
  for (let i = 0; i < head; i++) rows.push([i, i]);
  const a = n - head - tail, b = m - head - tail;
  const middle = a * b <= MOST ? align(a, b, (i, k) => score(i + head, k + head)) : [...Array(a).keys()].map(i => [i, -1]).concat([...Array(b).keys()].map(k => [-1, k]));
  for (const [i, k] of middle)
    rows.push([i < 0 ? -1 : i + head, k < 0 ? -1 : k + head]);
  for (let i = tail; i > 0; i--) rows.push([n - i, m - i]);
  return rows;
}
function split_lines(text) {
  const lines = text.split("\n").map(l => l.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
// Returns how similar two split lines are: 0 if their opcodes differ, else 2 plus the number of equal operands.
function likeness(a, b) {
  return a[0] && a[0] === b[0] ? 2 + a.filter((operand, o) => o && operand === b[o]).length : 0;
}
// Returns a key of a split line without register numbers, so that lines with other registers compare equal.  If `known` (the lines compute the
// same), the key also leaves out lanes, except the number of lanes that the line writes.
function shape(line, known) {
  const count = (_, lanes) => "." + lanes.length, registers = line.slice(1).map(o => o.replace(/^(-|!|1-)?[a-z]+\d+/, "$1r"));
  return [line[0], ...registers.map((r, n) => !known ? r : n ? r.replace(/\.[xyzw]+/, "") : (r + (r.includes(".") ? "" : ".xyzw")).replace(/\.([xyzw]+)/, count))].join();
}
// Returns the rows of a diff as {i, k, kind}: the indices of an old and a new line, or -1.  goes(i) returns the set of new lines, counted from 1,
// that now compute old line i, or undefined if only the texts of the lines can tell.  keeps(i) returns true if these compute it from the same
// values.
function diff_rows(before, after, goes, keeps) {
  const was = before.map(same_by), is = after.map(same_by), split = line => plain(line).split(/ |, /);
  const was_split = before.map(split), is_split = after.map(split), known = before.map((_, i) => goes(i));
  const score = (i, k) => known[i] ? (known[i].has(k + 1) ? (was[i] === is[k] ? 9 : 7) : 0)
    : was[i] === is[k] ? (was[i] ? 8 : 1) : likeness(was_split[i], is_split[k]);
  const same = (i, k) => was[i] === is[k] && (!known[i] || known[i].has(k + 1));
  const stays_at = new Set(known.flatMap(set => set ? [...set] : []));
  const renamed = (i, k) => (keeps(i) || /^d(ef|cl)/.test(was[i])) && shape(was_split[i], keeps(i)) === shape(is_split[k], keeps(i));
  const alone = ({i, k}) => !plain(i < 0 ? after[k] : before[i]) ? "remark" : i < 0 ? (stays_at.has(k + 1) ? "shifted" : "came") : known[i] && known[i].size ? "shifted" : "left";
  return align_middle(before.length, after.length, same, score).map(([i, k]) =>
    ({i, k, kind: i < 0 || k < 0 ? alone({i, k}) : was[i] === is[k] ? "same" : renamed(i, k) ? "renamed" : "changed"}));
}
// Returns two sets of indices: the tokens of line a that line b lacks, and those of b that a lacks; without punctuation.
function token_differences(a, b) {
  const solid = list => list.map((t, k) => [t[1].toLowerCase(), k]).filter(([t]) => t.trim());
  const x = solid(a), y = solid(b), lost = new Set(), fresh = new Set();
  for (const [i, k] of align(x.length, y.length, (i, k) => Number(x[i][0] === y[k][0]))) {
    if (k < 0 && a[x[i][1]][0] !== "mark") lost.add(x[i][1]);
    if (i < 0 && b[y[k][1]][0] !== "mark") fresh.add(y[k][1]);
  }
  return [lost, fresh];
}

// A line as fpmove writes it, without its comment: in whatever dialect it is given, it is the same line.
function plain(line) {
  return line.toLowerCase().replace(/(;|\/\/).*/, "").replace(/\s+/g, " ").replace(/ ?, ?/g, ", ").trim()
    .replace(/^([vp]s)[._](.)[._]/, "$1_$2_").replace(/^(dcl_[a-z]+)0 /, "$1 ")
    .replace(/\.([rgba]+)\b/g, (_, lanes) => "." + [...lanes].map(l => "xyzw"["rgba".indexOf(l)]).join(""))
    .replace(/(?<![\w.])(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?f?/g, number => String(parseFloat(number)));
}
// What two lines must share to be one line; of one that holds only a comment, the comment.
const same_by = line => plain(line) || line.trim();

// Puts the items of two lists beside each other, in order, so that the sum of score(i, k) is greatest; what has no score
// stands alone.  [i, k] for each row; -1: nothing there.
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
// The same for lists that begin and end alike, as programs mostly do.  What lies between is not compared line by line if it
// is far longer than a program.
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
// How alike are two lines: 0, not at all, unless they have one opcode.
function likeness(a, b) {
  return a[0] && a[0] === b[0] ? 2 + a.filter((operand, o) => o && operand === b[o]).length : 0;
}
// The rows of a diff: {i, k, kind}, lines counted from 0.  goes(i): the set of lines after where line i is computed now,
// from 1; undefined where only the lines themselves can tell.
function diff_rows(before, after, goes) {
  const was = before.map(same_by), is = after.map(same_by), split = line => plain(line).split(/ |, /);
  const was_split = before.map(split), is_split = after.map(split), known = before.map((_, i) => goes(i));
  const score = (i, k) => known[i] ? (known[i].has(k + 1) ? (was[i] === is[k] ? 9 : 7) : 0)
    : was[i] === is[k] ? (was[i] ? 8 : 1) : likeness(was_split[i], is_split[k]);
  const same = (i, k) => was[i] === is[k] && (!known[i] || known[i].has(k + 1));
  const stays_at = new Set(known.flatMap(set => set ? [...set] : []));
  const alone = ({i, k}) => i < 0 ? (stays_at.has(k + 1) ? "shifted" : "came") : known[i] && known[i].size ? "shifted" : "left";
  return align_middle(before.length, after.length, same, score).map(([i, k]) =>
    ({i, k, kind: i < 0 || k < 0 ? alone({i, k}) : was[i] === is[k] ? "same" : "changed"}));
}
// Which tokens of two lines the other does not have, but for commas and the like.
function token_differences(a, b) {
  const solid = list => list.map((t, k) => [t[1].toLowerCase(), k]).filter(([t]) => t.trim());
  const x = solid(a), y = solid(b), lost = new Set(), fresh = new Set();
  for (const [i, k] of align(x.length, y.length, (i, k) => Number(x[i][0] === y[k][0]))) {
    if (k < 0 && a[x[i][1]][0] !== "mark") lost.add(x[i][1]);
    if (i < 0 && b[y[k][1]][0] !== "mark") fresh.add(y[k][1]);
  }
  return [lost, fresh];
}

// A line as fpmove writes it, without its comment: in whatever dialect it is given, it is the same line.
function plain(line) {
  return line.toLowerCase().replace(/(;|\/\/).*/, "").replace(/\s+/g, " ").replace(/ ?, ?/g, ", ").trim()
    .replace(/^([vp]s)[._](.)[._]/, "$1_$2_").replace(/^(dcl_[a-z]+)0 /, "$1 ")
    .replace(/\.([rgba]+)\b/g, (_, lanes) => "." + [...lanes].map(l => "xyzw"["rgba".indexOf(l)]).join(""));
}
// Lines of `after` that `before` does not have, by their longest common subsequence.
function added(before, after) {
  before = before.map(plain);
  after = after.map(plain);
  const n = before.length, m = after.length, best = [];
  for (let i = n; i >= 0; i--) {
    best[i] = new Uint16Array(m + 1);
    for (let k = m - 1; i < n && k >= 0; k--)
      best[i][k] = before[i] === after[k] ? best[i + 1][k + 1] + 1 : Math.max(best[i + 1][k], best[i][k + 1]);
  }
  const fresh = new Set();
  for (let i = 0, k = 0; k < m;)
    if (i < n && before[i] === after[k]) { i++; k++; }
    else if (i < n && best[i + 1][k] >= best[i][k + 1]) i++;
    else fresh.add(k++);
  return fresh;
}

// Where a moved instruction went: the new line of the vertex program that is most like it.
function destination(text, lines, fresh) {
  const opcode = text.split(/[ _]/)[0], target = (text.match(/ ([a-z0-9.]+)/i) || [])[1];
  let found = -1, best = 0;
  fresh.forEach(k => {
    const line = lines[k].split(/\s*(?:;|\/\/)/)[0];
    const score = line === text ? 4 : (line.split(" ")[0] === opcode ? 2 : 0) + ((line.match(/ ([a-z0-9.]+)/i) || [])[1] === target ? 1 : 0);
    if (score > best) { best = score; found = k; }
  });
  return found;
}
function sides(p) {
  const fates = new Map();
  for (const i of p.instrs) fates.set(i.line, i);
  const vsAfter = p.text.vs[1].split("\n"), fresh = added(p.text.vs[0].split("\n"), vsAfter);
  const vs = program("Vertex program after", p.text.vs[1], (span, k) => { if (fresh.has(k)) span.classList.add("new"); });
  const ps = program("Pixel program before: what became of each line", p.text.ps[0], (span, k) => {
    const i = fates.get(k + 1);
    if (!i) return;
    span.title = i.why;
    if (i.state) span.classList.add(i.state === 1 ? "moved" : "part");
    const to = i.state ? destination(i.text, vsAfter, fresh) : -1;
    if (to < 0) return;
    span.classList.add("goes");
    span.addEventListener("click", () => {
      vs.querySelectorAll(".target").forEach(e => e.classList.remove("target"));
      const e = vs.querySelectorAll("span")[to];
      e.classList.add("target");
      e.scrollIntoView({block: "nearest"});
    });
  });
  return element("div", {class: "sides"}, ps, vs,
    program("Pixel program after", p.text.ps[1]), program("Vertex program before", p.text.vs[0]));
}

// Lays out a graph of nodes {band, from: [indices of nodes], w: width} in rows from top to bottom, within a width.  All rows of a band are above
// the rows of the next band.  An edge {from, to, key} bends only between rows, and has a place of its own in each row that it passes, so that no
// edge runs through a node.  Edges of one node with the same key share a path as far as they go together.
const ROW = 24, SPACE = 32, GAP = 12, PASS = 8;

// Assigns nodes to rows, from the bottom up: each node goes as close to its readers as the width allows.  If a row has no room for all, nodes
// without inputs go first, so that few edges run side by side; then nodes with the longest path from the top.  Returns the rows from the top, as
// lists of indices.
function assign_rows(nodes, width) {
  const depth = nodes.map(() => 0), readers = nodes.map(() => 0), rows = [], left = [];
  const deepen = i => depth[i] = nodes[i].from.reduce((d, f) => Math.max(d, depth[f] + 1), 0);
  nodes.map((_, i) => i).sort((a, b) => nodes[a].band - nodes[b].band || a - b).forEach(deepen);
  for (const n of nodes) {
    for (const f of n.from) readers[f]++;
    left[n.band] = (left[n.band] || 0) + 1;
  }
  let ready = nodes.map((_, i) => i).filter(i => !readers[i]);
  for (let done = 0; done < nodes.length;) {
    while (!left[left.length - 1]) left.pop();
    const band = left.length - 1, here = new Set(), leaf = i => nodes[i].from.length ? 0 : 1;
    let wide = -GAP;
    for (const i of ready.filter(i => nodes[i].band === band).sort((a, b) => leaf(b) - leaf(a) || depth[b] - depth[a] || b - a))
      if (!here.size || wide + nodes[i].w + GAP <= width) { here.add(i); wide += nodes[i].w + GAP; }
    ready = ready.filter(i => !here.has(i));
    for (const i of here)
      for (const f of nodes[i].from) if (!--readers[f]) ready.push(f);
    left[band] -= here.size;
    done += here.size;
    rows.push([...here].sort((a, b) => a - b));
  }
  return rows.reverse();
}

// Sets x of a row's items, without changing their order or overlapping them, so that the sum of squared distances from their wished places is
// least.  Items that push each other form a block, which stands at the weighted average of their wishes.
function place_row(row, wish, width) {
  const blocks = [];
  let at = 0;
  row.forEach((item, k) => {
    if (k) at += (row[k - 1].w + item.w) / 2 + (item.passes && row[k - 1].passes ? 4 : GAP);
    item.off = at;
    let b = {sum: (wish(item) - at) * item.pull, pull: item.pull, n: 1};
    for (let a; (a = blocks[blocks.length - 1]) && a.sum / a.pull > b.sum / b.pull; blocks.pop())
      b = {sum: a.sum + b.sum, pull: a.pull + b.pull, n: a.n + b.n};
    blocks.push(b);
  });
  const low = row[0].w / 2, high = Math.max(low, width - at - row[row.length - 1].w / 2);
  let k = 0;
  for (const b of blocks)
    for (const end = k + b.n; k < end; k++) row[k].x = row[k].off + Math.min(high, Math.max(low, b.sum / b.pull));
}

// Returns the edges, each with its `trail`: the items (nodes, or new items in rows that the edge only passes) that it connects from top to bottom.
function trails(rows, items, edges) {
  const lines = [], chains = new Map();
  for (const e of edges) {
    const key = e.from + " " + e.key;
    chains.set(key, [...chains.get(key) || [], e]);
  }
  const link = (a, b) => { a.down.push(b); b.up.push(a); };
  for (const chain of chains.values()) {
    const trail = [items[chain[0].from]], first = trail[0].row;
    for (const e of chain.sort((a, b) => items[a.to].row - items[b.to].row)) {
      for (let row = first + trail.length; row < items[e.to].row; row++) {
        const pass = {passes: true, w: PASS, pull: 6, up: [], down: [], x: 0, row};
        rows[row].push(pass);
        link(trail[trail.length - 1], pass);
        trail.push(pass);
      }
      link(trail[items[e.to].row - first - 1], items[e.to]);
      lines.push({...e, trail: [...trail.slice(0, items[e.to].row - first), items[e.to]]});
    }
  }
  return lines;
}

// Sweeps down and up over the rows and moves each item to the average place of its neighbours in other rows.  The first sweeps also sort each row
// by that place; the later ones keep the order.
function sweep(rows, width) {
  const SORTED = 16, ROUNDS = 40;
  const mean = (list, otherwise) => {
    let sum = 0, n = 0;
    for (const i of list) { const f = i.passes ? 4 : 1; sum += f * i.x; n += f; }
    return n ? sum / n : otherwise;
  };
  for (const row of rows) place_row(row, () => width / 2, width);
  for (let round = 0; round < ROUNDS; round++) {
    const down = round % 2 === 0, sorts = round < SORTED;
    for (const row of down ? rows : [...rows].reverse()) {
      const wish = i => mean(!sorts ? [...i.up, ...i.down] : down ? i.up : i.down, i.x);
      if (sorts) {
        const wishes = new Map(row.map(i => [i, wish(i)]));
        row.sort((a, b) => wishes.get(a) - wishes.get(b));
      }
      place_row(row, wish, width);
    }
  }
}

// Straightens edges: an item that only passes a row, or whose edge is the only one at both ends, moves in line with its neighbour in `before` ("up"
// or "down"), as far as the other items of its row leave room.
function straighten(rows, width, before, after) {
  const line = i => i[before].length === 1 && (i.passes || i[before][0][after].length === 1);
  const apart = (a, b) => (a.w + b.w) / 2 + (a.passes && b.passes ? 4 : GAP);
  for (const row of rows)
    for (const left of [true, false])
      for (let n = 0; n < row.length; n++) {
        const k = left ? n : row.length - 1 - n, i = row[k], to = line(i) ? i[before][0].x : i.x;
        if (left ? to < i.x : to > i.x)
          i.x = left ? Math.max(to, k ? row[k - 1].x + apart(row[k - 1], i) : i.w / 2)
            : Math.min(to, row[k + 1] ? row[k + 1].x - apart(i, row[k + 1]) : width - i.w / 2);
      }
}

// Returns the x at which an edge leaves or reaches an item.  The edges of an item stand side by side, in the order of their other ends.
function port(item, list, other) {
  if (item.passes) return item.x;
  const ends = [...new Set(list)].sort((a, b) => a.x - b.x), step = Math.min(12, (item.w - 12) / ends.length);
  return item.x + (ends.indexOf(other) - (ends.length - 1) / 2) * step;
}
// Returns the path of an edge as a list of SVG paths from row to row.  Edges that run together have equal pieces.
function pieces(trail) {
  return trail.slice(1).map((b, k) => {
    const a = trail[k], x0 = port(a, a.down, b).toFixed(1), x1 = port(b, b.up, a).toFixed(1), y0 = a.row * (ROW + SPACE) + ROW, y1 = b.row * (ROW + SPACE);
    return `M${x0} ${y0}C${x0} ${y0 + SPACE / 2} ${x1} ${y1 - SPACE / 2} ${x1} ${y1}` + (b.passes ? `V${y1 + ROW}` : "");
  });
}

// Returns {width, height, at, lines}: `at` is [centre x, top y] of each node, and `lines` are the edges with the `pieces` of their paths.
function lay_out(nodes, edges, width) {
  for (let room = width; ; room *= 0.85) {
    const items = nodes.map(n => ({w: n.w, pull: 1, up: [], down: [], x: 0, row: 0}));
    const rows = assign_rows(nodes, room).map(row => row.map(i => items[i]));
    rows.forEach((row, y) => row.forEach(item => item.row = y));
    const lines = trails(rows, items, edges);
    const wide = Math.max(width, ...rows.map(r => r.reduce((s, i) => s + i.w + (i.passes ? 6 : GAP), 0)));
    // Edges that pass a row take room, too.  If a row is too wide, the next try puts fewer nodes into each.
    if (wide > width && room > width / 3) continue;
    sweep(rows, wide);
    for (let k = 0; k < 3; k++) {
      straighten([...rows].reverse(), wide, "down", "up");
      straighten(rows, wide, "up", "down");
    }
    return {width: wide, height: rows.length * (ROW + SPACE) - SPACE, at: items.map(i => [i.x, i.row * (ROW + SPACE)]),
      lines: lines.map(l => ({...l, pieces: pieces(l.trail)}))};
  }
}

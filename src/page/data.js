"use strict";
// The element of a pair holds two lines of JSON: what the table needs, and the rest, which is parsed only when the pair is opened.
const elements = [...document.querySelectorAll('script[type="application/json"]:not([id])')];
const parse_part = (i, k) => JSON.parse(elements[i].textContent.split("\n", 2)[k]);
const data = elements.map((_, i) => parse_part(i, 0));
const $ = id => document.getElementById(id);
function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) e.setAttribute(key, value);
  e.append(...children);
  return e;
}
function svg_element(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// Rows do not show the folders that all pairs share.  A single pair keeps the last of these folders, which may be its name.
const paths = data.flatMap(p => [p.vs.file, p.ps.file]).filter(Boolean);
const folder = path => path.slice(0, path.lastIndexOf("/") + 1), above = path => folder(path.slice(0, -1));
let shared = paths.length ? folder(paths[0]) : "";
for (const path of paths)
  while (!path.startsWith(shared)) shared = above(shared);
if (data.length === 1) shared = above(shared);
// Returns a list: the folder of both files ("" if they differ), then the names of the files below it; one name if both programs are in one file.
function folder_and_files(p) {
  const vs = p.vs.file || "?", ps = p.ps.file || "?", both = folder(vs) === folder(ps) ? folder(vs) : "";
  const files = vs === ps ? [ps] : [vs, ps];
  return [both, ...files.map(f => f.slice(both.length))];
}
function name(p) {
  const [both, ...files] = folder_and_files(p);
  return both.slice(shared.length) + files.map(f => both ? f : f.slice(f === "?" ? 0 : shared.length)).join("  ");
}
// The address of a pair (the # part of the URL) is made of its files, not of its index, so that it also works in a later report.
const addresses = new Map();
data.forEach((p, i) => {
  const [both, ...files] = folder_and_files(p), base = both + files.join(",");
  let address = base;
  for (let n = 2; addresses.has(address); n++) address = base + "~" + n;
  addresses.set(address, i);
  p.address = "#" + encodeURIComponent(address).replace(/%2F/g, "/").replace(/%2C/g, ",");
});
// Returns the index of the pair with this address, or undefined if there is none.
function pair_at(hash) {
  try {
    return addresses.get(decodeURIComponent(hash.slice(1)));
  } catch (e) {
    return undefined;
  }
}
function change(two) { return two[0] === two[1] ? two[0] : two[0] + " \u2192 " + two[1]; }
const lines_in = text => text.split("\n").length - text.endsWith("\n");
// Returns all data of a pair.  Its `lines` count the lines of the texts that are shown.  p.numbers and p.written map these lines to the line
// numbers of the input and output files.
function load_pair(i) {
  const p = {...data[i], ...parse_part(i, 1)};
  if (!p.text) return p;
  p.numbers = p.numbers || {};
  p.preprocessed = Object.values(p.numbers).some(list => list.some((n, k) => n !== list[0] + k));
  const count = (text, first) => [...Array(lines_in(text)).keys()].map(k => k + first);
  for (const l of p.lines) {
    for (const e of l.lanes) e.why = p.reasons[e.why];
    l.outcome = l.lanes.every(e => e.outcome === l.lanes[0].outcome) ? l.lanes[0].outcome : "part";
  }
  if (p.at) p.lines.forEach((l, k) => { l.line = p.at[k]; });
  p.first = p.first || {vs: 1, ps: 1};
  p.written = {};
  for (const side of ["vs", "ps"]) {
    p.numbers[side] = p.numbers[side] || count(p.text[side][0], 1);
    p.written[side] = count(p.text[side][1], p.first[side]);
  }
  return p;
}

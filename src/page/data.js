"use strict";
// Each pair's element has two lines: what the table needs, and the rest.
const elements = [...document.querySelectorAll('script[type="application/json"]:not([id])')];
const half = (i, k) => JSON.parse(elements[i].textContent.split("\n", 2)[k]);
const data = elements.map((_, i) => half(i, 0));
const $ = id => document.getElementById(id);
const CHUNK = 200;
function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) e.setAttribute(key, value);
  e.append(...children);
  return e;
}
function drawn(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// Folders that all pairs are in are not repeated in each row.
const paths = data.flatMap(p => [p.vs.file, p.ps.file]).filter(Boolean);
let shared = data.length > 1 ? paths[0].slice(0, paths[0].lastIndexOf("/") + 1) : "";
for (const path of paths)
  while (!path.startsWith(shared)) shared = shared.slice(0, shared.lastIndexOf("/", shared.length - 2) + 1);
function name(p) {
  const vs = (p.vs.file || "?").slice(p.vs.file ? shared.length : 0), ps = (p.ps.file || "?").slice(p.ps.file ? shared.length : 0);
  const folder = vs.slice(0, vs.lastIndexOf("/") + 1);
  if (vs === ps) return ps;
  return folder && ps.startsWith(folder) ? folder + "  " + vs.slice(folder.length) + "  " + ps.slice(folder.length) : vs + "  " + ps;
}
function change(two) { return two[0] === two[1] ? two[0] : two[0] + " \u2192 " + two[1]; }

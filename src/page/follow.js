// Elements have attributes for the lines and lanes that they show, so that clicks can follow a value: data-ps is a line of the given pixel program,
// data-pa of the new one; data-vs is a line of the new vertex program; data-lane is a lane of an interpolator.
const LINKS = ["lane", "vs", "ps", "pa"];
const held = (e, kind) => (e.getAttribute("data-" + kind) || "").split(" ").filter(Boolean);
const lanes_at = register => /^[tv]\d+\./.test(register) ? [...register.split(".")[1]].map(l => register.split(".")[0] + "." + l) : [];

function entries(p) {
  return (p.lines || []).flatMap(l => l.lanes.map(e => ({ps: [String(l.line)], vs: (e.vs_lines || []).map(String),
    pa: (e.ps_lines || []).map(String), lane: [e.at || "", ...(e.part_of || [])].flatMap(lanes_at)})));
}
// Returns the sets {lane, vs, ps, pa} of all lines and lanes that hold a value that the element shows.  `all` lists the lines and lanes of each
// group of lanes of the given pixel program.
function connected(all, from) {
  const kind = LINKS.find(k => held(from, k).length), values = held(from, kind);
  const on = all.filter(e => e[kind].some(v => values.includes(v)));
  const set = k => new Set([...on.flatMap(e => e[k]), ...(k === kind ? values : [])]);
  return {lane: set("lane"), vs: set("vs"), ps: set("ps"), pa: set("pa")};
}
const reduced_motion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function scroll_to(e) {
  const tr = e.closest("tr");
  if (tr && tr.hidden) tr.unfold();
  e.scrollIntoView({block: "center", behavior: reduced_motion() ? "instant" : "smooth"});
  const stop = tr && tr.querySelector("button.goes") || e;
  if (stop === e && !e.hasAttribute("tabindex")) e.setAttribute("tabindex", -1);
  stop.focus({preventScroll: true});
}
// Returns the element to go to, or undefined.  A line of the given pixel program in a diff leads to the line of the new vertex program that
// computes its value, or else of the new pixel program.  Other elements lead to a line of the given pixel program.
function destination(panel, from, found) {
  const line = kind => [...found[kind]].map(n => panel.querySelector(`.diff .code[data-${kind}="${n}"]`)).find(Boolean);
  return from.closest(".diff") && held(from, "ps").length ? line("vs") || line("pa") : line("ps");
}
function follow(panel, p, all, from) {
  const found = connected(all, from), to = destination(panel, from, found);
  panel.querySelectorAll("[data-lane],[data-vs],[data-ps],[data-pa]").forEach(e => {
    e.classList.toggle("marked", LINKS.some(k => held(e, k).some(v => found[k].has(v))));
  });
  const say = (word, set) => set.size ? [word + " " + [...set].join(", ")] : [];
  $("said").textContent = "Marked: " + [...say("FP line", new Set([...found.ps].map(n => p.numbers.ps[n - 1]))), ...say("VP line", found.vs), ...say("interpolator lane", found.lane)].join("; ");
  if (to) scroll_to(to);
}
function follow_clicks(panel, p) {
  const all = entries(p);
  const act = event => {
    const to = event.target.closest("[data-to]"), [kind, line] = to ? to.getAttribute("data-to").split(" ") : [];
    const cell = to && panel.querySelector(`.diff .code[data-${kind}="${line}"]`);
    if (cell) scroll_to(cell);
    const from = event.target.closest("[data-lane],[data-vs],[data-ps]");
    if (!from || !panel.contains(from) || String(getSelection())) return;
    // A row without a button is of a line that stays in its place, from which no click leads anywhere.
    const row = from.closest(".diff tr");
    if (row && !row.querySelector("button.goes")) return;
    event.preventDefault();
    follow(panel, p, all, from);
  };
  panel.onclick = act;
  panel.onkeydown = event => {
    if ((event.key === "Enter" || event.key === " ") && event.target.getAttribute("role") === "button") act(event);
  };
}

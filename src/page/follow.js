// Lines and lanes that belong together carry their numbers: data-ps, a line of the pixel program as given; data-pa, as
// written; data-vs, a line of the vertex program as written; data-lane, a lane of an interpolator.
const THREADS = ["lane", "vs", "ps", "pa"];
const held = (e, kind) => (e.getAttribute("data-" + kind) || "").split(" ").filter(Boolean);
const lanes_at = register => /^[tv]\d+\./.test(register) ? [...register.split(".")[1]].map(l => register.split(".")[0] + "." + l) : [];

function entries(p) {
  return (p.lines || []).flatMap(l => l.lanes.map(e => ({ps: [String(l.line)], vs: (e.vs_lines || []).map(String),
    pa: (e.ps_lines || []).map(String), lane: [e.at || "", ...(e.part_of || [])].flatMap(lanes_at)})));
}
// All that hangs together with what the element shows.
function thread(all, from) {
  const kind = THREADS.find(k => held(from, k).length), values = held(from, kind);
  const on = all.filter(e => e[kind].some(v => values.includes(v)));
  const set = k => new Set([...on.flatMap(e => e[k]), ...(k === kind ? values : [])]);
  return {lane: set("lane"), vs: set("vs"), ps: set("ps"), pa: set("pa")};
}
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function bring(e) {
  const tr = e.closest("tr");
  if (tr && tr.hidden) tr.unfold();
  e.scrollIntoView({block: "center", behavior: calm() ? "instant" : "smooth"});
  const stop = tr && tr.querySelector("button.goes") || e;
  if (stop === e && !e.hasAttribute("tabindex")) e.setAttribute("tabindex", -1);
  stop.focus({preventScroll: true});
}
// A line of the pixel program leads to the vertex program; all else leads to the line of the pixel program.
function destination(panel, from, found) {
  const line = kind => [...found[kind]].map(n => panel.querySelector(`.diff .code[data-${kind}="${n}"]`)).find(Boolean);
  return from.closest(".diff") && held(from, "ps").length ? line("vs") || line("pa") : line("ps");
}
function follow(panel, p, all, from) {
  const found = thread(all, from), to = destination(panel, from, found);
  panel.querySelectorAll("[data-lane],[data-vs],[data-ps],[data-pa]").forEach(e => {
    e.classList.toggle("marked", THREADS.some(k => held(e, k).some(v => found[k].has(v))));
  });
  const say = (word, set) => set.size ? [word + " " + [...set].join(", ")] : [];
  $("said").textContent = "Marked: " + [...say("FP line", new Set([...found.ps].map(n => p.numbers.ps[n - 1]))), ...say("VP line", found.vs), ...say("interpolator lane", found.lane)].join("; ");
  if (to) bring(to);
}
function follow_clicks(panel, p) {
  const all = entries(p);
  const act = event => {
    const to = event.target.closest("[data-to]"), [kind, line] = to ? to.getAttribute("data-to").split(" ") : [];
    const cell = to && panel.querySelector(`.diff .code[data-${kind}="${line}"]`);
    if (cell) bring(cell);
    const from = event.target.closest("[data-lane],[data-vs],[data-ps]");
    if (!from || !panel.contains(from) || String(getSelection())) return;
    // A line that stays where it is leads nowhere.
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

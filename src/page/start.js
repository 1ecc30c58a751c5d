// Fills the page; runs after all other scripts.  The address decides what is shown, so that Back, Forward and copied addresses work.
let opened = -1, place = 0;

function open_list() {
  const closed = opened;
  opened = -1;
  $("detail").hidden = true;
  $("detail").replaceChildren();
  $("list").hidden = false;
  document.title = "fpmove report";
  if (closed < 0) return;
  const tr = row_of(closed);
  if (tr) tr.querySelector("a").focus({preventScroll: true});
  scrollTo({top: place, behavior: "instant"});
  if (tr && (tr.getBoundingClientRect().bottom < 0 || tr.getBoundingClientRect().top > innerHeight)) tr.scrollIntoView({block: "center", behavior: "instant"});
}
function open_pair(i) {
  if (opened < 0) place = scrollY;
  opened = i;
  $("list").hidden = true;
  $("detail").hidden = false;
  show(i);
  scrollTo({top: 0, behavior: "instant"});
  const first = $("detail").querySelector("h1");
  first.tabIndex = -1;
  first.focus({preventScroll: true});
}
function route() {
  const i = data.length === 1 ? 0 : pair_at(location.hash);
  if (i === undefined) open_list();
  else if (i !== opened) open_pair(i);
}
// Shows the list in place of the pair, if the page has several pairs.
function leave() {
  if (data.length === 1) return;
  history.pushState(null, "", location.pathname + location.search);
  route();
}
function fill_table() {
  columns.forEach(([title], i) => {
    const button = element("button", {}, title);
    button.addEventListener("click", () => sort(i));
    document.querySelector("#pairs thead tr").append(element("th", {scope: "col"}, button));
  });
  $("filter").addEventListener("input", list);
  document.querySelector("#pairs tbody").addEventListener("click", e => {
    const tr = e.target.closest("tr");
    if (tr && !e.target.closest("a") && !String(getSelection())) location.hash = data[tr.dataset.pair].address;
  });
  addEventListener("scroll", () => {
    if (opened < 0 && innerHeight + scrollY > $("pairs").offsetTop + $("pairs").offsetHeight - 600) add_rows();
  }, {passive: true});
  list();
}
function fill_footer() {
  const {fpmove, day, level, target, options} = JSON.parse($("run").textContent);
  const date = new Date(864e5 * day).toISOString().slice(0, 10), given = ["-O" + level, "--target=" + target, ...options].join(" ");
  document.querySelector("footer").append(`Made by fpmove ${fpmove} on ${date} with `, element("code", {}, given));
}
fill_footer();
history.scrollRestoration = "manual";
if (data.length !== 1) {
  $("totals").replaceWith(totals());
  fill_table();
}
addEventListener("hashchange", route);
addEventListener("popstate", route);
addEventListener("keydown", e => {
  if (e.key === "Escape" && opened >= 0 && !e.defaultPrevented) leave();
});
route();

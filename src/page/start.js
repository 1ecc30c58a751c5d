// All scripts are read: fill the page.
{
  $("totals").replaceWith(totals());
  columns.forEach(([title], i) => {
    const th = element("th", {scope: "col"}, title);
    th.addEventListener("click", () => sort(i));
    document.querySelector("#pairs thead tr").append(th);
  });
  $("filter").addEventListener("input", list);
  document.querySelector("#pairs tbody").addEventListener("click", e => {
    const tr = e.target.closest("tr");
    if (tr) show(Number(tr.dataset.pair));
  });
  document.querySelector("#pairs tbody").addEventListener("keydown", e => {
    if (e.key === "Enter" && e.target.dataset.pair) show(Number(e.target.dataset.pair));
  });
  addEventListener("scroll", () => {
    if (innerHeight + scrollY > document.querySelector("#pairs").offsetTop + document.querySelector("#pairs").offsetHeight - 600) more();
  }, {passive: true});
  list();
  if (/^#\d+$/.test(location.hash) && data[location.hash.slice(1)]) show(Number(location.hash.slice(1)));
}

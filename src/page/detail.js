function show(i) {
  open = i;
  history.replaceState(null, "", "#" + i);
  document.querySelectorAll("#pairs tbody tr").forEach(tr => tr.classList.toggle("open", Number(tr.dataset.pair) === i));
  const p = {...data[i], ...half(i, 1)}, panel = $("detail"), close = element("button", {}, "Close");
  close.addEventListener("click", () => { panel.hidden = true; open = -1; });
  panel.replaceChildren(element("h2", {}, name(p) + "  "), close);
  if (p.why) panel.append(element("p", {class: "note"}, "Unchanged: " + p.why));
  for (const d of p.diagnostics)
    panel.append(element("p", {class: d.severity === "error" ? "rejected" : "note"},
      (d.file || "") + (d.line ? ":" + d.line + ":" + d.column : "") + ": " + d.severity + ": " + d.text));
  if (p.constants.length)
    panel.append(element("p", {}, "The application must set " + p.constants.map(c => `VP c${c.vs} = FP c${c.ps}`).join(", ") + "."));
  if (p.preshader && p.preshader.length)
    panel.append(element("p", {}, "The preshader sets " + p.preshader.map(c => (c.vs === undefined ? `FP c${c.ps}` : `VP c${c.vs}`) + "." + c.lanes).join(", ") + "."));
  if (p.text) {
    panel.append(sides(p));
    panel.append(element("h2", {}, "Dataflow of the pixel program; red: carried by interpolators"), dataflow(p));
    if (p.frontier.length > 1 || p.status === "improved")
      panel.append(element("h2", {}, "VP and FP slots: the paper\u2019s method, one move after the other; green: this pair"), frontier(p));
  }
  panel.hidden = false;
  panel.scrollIntoView({block: "start"});
}

function section(title, ...content) {
  const inner = content.filter(Boolean);
  return inner.length ? [element("section", {}, element("h2", {}, title), ...inner)] : [];
}
// Makes the section of one program: its diff, and a switch that hides the reasons.
function program_section(p, title, file, slots, [table, key, body], reasons) {
  fold(body);
  const button = element("button", {class: "switch", "aria-pressed": "true"}, "Reasons");
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!table.classList.toggle("short")));
  });
  const head = element("div", {class: "head"}, element("h2", {}, title), element("span", {class: "soft"}, `${file || ""}, ${change(slots)} slots${p.preprocessed ? "; before: as the preprocessor left it" : ""}`),
    ...(reasons ? [button] : []));
  return element("section", {class: "side"}, head, key, table);
}
function heading(p, i) {
  const bar = element("header", {class: "bar-top"}, element("h1", {}, name(p)), element("span", {class: "status " + p.status}, p.status));
  if (data.length === 1) return bar;
  const at = shown.indexOf(i), step = (title, k) => k >= 0 && k < shown.length && at >= 0
    ? [element("a", {href: data[shown[k]].address, class: "button"}, title)] : [];
  const close = element("button", {id: "close"}, "All pairs");
  close.addEventListener("click", leave);
  bar.prepend(close);
  bar.append(element("nav", {"aria-label": "Pairs"}, ...step("Previous", at - 1), ...step("Next", at + 1)));
  return bar;
}
function show(i) {
  const p = load_pair(i), panel = $("detail");
  panel.replaceChildren(heading(p, i));
  if (p.why) panel.append(element("p", {class: "lead"}, "Unchanged: " + p.why));
  if (p.text) panel.append(tiles(p), measures(p));
  panel.append(...section("Messages", messages(p)), ...section("The application must set", ...constants(p)));
  if (p.text) {
    panel.append(...section("Estimated time of a pixel, by chip", ...chips(p)),
      program_section(p, "Pixel program", p.ps.file, p.ps.slots, pixel_side(p), p.lines.length),
      ...section("Values in the interpolators", lanes(p)),
      program_section(p, "Vertex program", p.vs.file, p.vs.slots, vertex_side(p), false),
      ...section("Dataflow of the pixel program, and the cut", dataflow(p)),
      ...section("Slots of both programs", frontier(p)));
  }
  follow_clicks(panel, p);
  document.title = name(p) + " \u2013 fpmove";
}

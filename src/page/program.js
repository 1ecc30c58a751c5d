function program(title, text, decorate) {
  const pre = element("pre", {});
  text.split("\n").forEach((line, k, all) => {
    if (k === all.length - 1 && !line) return;
    const span = element("span", {}, line);
    if (decorate) decorate(span, k);
    pre.append(span);
  });
  return element("div", {}, element("h2", {}, title), pre);
}

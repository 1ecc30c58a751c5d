// The kinds of registers, by the letters of their names; page styles colour them.
const REGISTERS = {r: "temp", v: "input", t: "input", c: "const", i: "const", b: "const", s: "sampler", a: "address",
  opos: "output", ofog: "output", opts: "output", ot: "output", od: "output", oc: "output", odepth: "output"};
const TOKEN = /(;.*|\/\/.*|\/\*.*?(?:\*\/|$)|^\s*#.*)|([a-z_]\w*)|(\d+\.?[\w.]*(?:(?<=e)[-+]\d+)?|\.\d\w*)|(\.[xyzwrgba]+)|(\s+)|(.)/giy;

// Splits a line of assembly into tokens [kind, text], whose texts together are the line.
function tokens(line) {
  const list = [];
  let opcode = true, last = "";
  for (const [text, note, word, number, swizzle, space] of line.matchAll(TOKEN)) {
    if (note) last = "note";
    else if (word && opcode) last = "op";
    else if (word) last = REGISTERS[word.toLowerCase().replace(/\d+$/, "")] || "word";
    else if (number) last = /^[vp]s$/i.test((list.at(-2) || list.at(-1) || ["", ""])[1]) ? "op" : "number";
    else if (!swizzle && !space) last = "mark";
    // A line may have two opcodes, the second behind a plus.
    opcode = opcode && !word || (text === "+" && opcode);
    list.push([space ? "" : last, text]);
  }
  return list;
}
// Returns the tokens as coloured elements.  `differ` is the set of the indices of tokens that the other side lacks.
function coloured(list, differ) {
  return list.map(([kind, text], k) => element("span", {class: (kind + (differ && differ.has(k) ? " differs" : "")).trim() || false}, text));
}

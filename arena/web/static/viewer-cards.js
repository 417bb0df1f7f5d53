// Cards, drawn by us.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 62;
const HEIGHT = 88;

// Each suit in a square of 20 by 20.
const SUITS = {
  s: "M10 1C7 6 1 8 1 13a4 4 0 0 0 8 1q0 3-2 5h6q-2-2-2-5a4 4 0 0 0 8-1C19 8 13 6 10 1Z",
  h: "M10 19C4 14 1 10 1 6a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 4-3 8-9 13Z",
  d: "M10 0 18 10 10 20 2 10Z",
  c: "M10 1a4 4 0 0 1 3 7 4 4 0 1 1-2 6q0 3 2 5H7q2-2 2-5a4 4 0 1 1-2-6 4 4 0 0 1 3-7Z",
};
// The stars of Claro differ in their points as well as in colour.
const POINTS = [5, 4, 6];

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A card of `match` face up, or face down where `code` is null. With `free` it costs nothing.
export function card(match, code, { free = false, silent = false } = {}) {
  const name = match.cardName(code) + (free ? `, ${match.words["costs nothing"]}` : "");
  const said = silent ? { "aria-hidden": "true" } : { role: "img", "aria-label": name };
  const made = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "playing-card", ...said });
  if (code === null) made.append(...back());
  else if (match.stars) made.append(...numbered(match, code));
  else made.append(...suited(code, free));
  return made;
}

function sheet(kind) {
  const [x, wide, tall] = [1.25, WIDTH - 2.5, HEIGHT - 2.5];
  return element("rect", { class: kind, x, y: x, width: wide, height: tall, rx: 6.5 });
}

function back() {
  const lines = element("path", {
    class: "weave",
    d: "M9 27 27 9M9 45 45 9M9 63 53 19M13 79 53 39M31 79 53 57M53 27 35 9M53 45 17 9M53 63 9 19M49 79 9 39M31 79 9 57",
  });
  return [sheet("back"), element("rect", { class: "frame", x: 7, y: 7, width: 48, height: 74, rx: 4 }), lines];
}

function suited(code, free) {
  const rank = code[0] === "T" ? "10" : code[0];
  const suit = code[1];
  const kind = `rank suit-${suit}${rank.length > 1 ? " long" : ""}`;
  const corner = element("text", { class: kind, x: 6, y: 27 }, rank);
  const small = element("path", { class: `suit-${suit}`, d: SUITS[suit], transform: "translate(41 9) scale(0.75)" });
  const large = element("path", { class: `suit-${suit}`, d: SUITS[suit], transform: "translate(14 38) scale(1.7)" });
  return [sheet(free ? "face free" : "face"), corner, small, large];
}

function numbered(match, code) {
  const shown = match.stars[code];
  const joker = code.startsWith("J");
  const parts = [sheet(joker ? "face wild" : "face")];
  if (!joker) parts.push(element("text", { class: "number", x: WIDTH / 2, y: 42 }, code));
  const middle = joker ? 34 : 64;
  const apart = joker ? 0 : 18;
  shown.forEach((colour, at) => {
    const x = WIDTH / 2 + (at - (shown.length - 1) / 2) * apart;
    const y = joker ? 20 + at * 24 : middle;
    parts.push(star(colour, x, y, joker ? 11 : 9));
  });
  return parts;
}

export function star(colour, x, y, size) {
  const points = POINTS[colour % POINTS.length];
  const inner = points === 4 ? 0.4 : points === 5 ? 0.45 : 0.58;
  const corners = Array.from({ length: points * 2 }, (_, at) => {
    const angle = (Math.PI * at) / points - Math.PI / 2;
    const far = at % 2 ? size * inner : size;
    return `${(x + far * Math.cos(angle)).toFixed(1)},${(y + far * Math.sin(angle)).toFixed(1)}`;
  });
  return element("polygon", { class: `star star-${colour}`, points: corners.join(" ") });
}

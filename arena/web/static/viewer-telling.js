// What is said of a step, as it stands on a page: cards and names marked.

import { star, element } from "./viewer-cards.js";
import { make } from "./viewer-table.js";

// The words for a step as `eyes` may hear them.
export function told(match, step, eyes, brief = false) {
  return match.pieces(step, eyes, brief).map((piece) => {
    if (piece.player !== undefined) return make("b", { class: "player" }, match.players[piece.player]);
    if (piece.fault !== undefined) return make("span", { class: "fault" }, piece.fault);
    return piece.card === undefined ? piece : cardInText(match, piece.card);
  });
}

function cardInText(match, code) {
  const shown = make("span", { "aria-hidden": "true", class: match.stars ? "card-n" : `card-${code[1]}` }, match.cardText(code));
  if (match.stars && !code.startsWith("J")) {
    for (const colour of match.stars[code]) {
      shown.append(element("svg", { viewBox: "0 0 20 20", class: "small-star" }, star(colour, 10, 10, 9)));
    }
  }
  return make("span", {}, shown, make("span", { class: "unseen" }, match.cardName(code)));
}

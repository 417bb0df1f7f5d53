// The table as whoever sits at it sees it: the others above the middle, in the order of their turns.

import { Hand } from "./play-hand.js";
import { Table, make } from "./viewer-table.js";

export class Seats extends Table {
  // Draws the others into `place`, and the person's own seat into `own`.
  constructor(place, own, match, changed) {
    super(place, match);
    const mine = this.seats[match.own];
    mine.panel.querySelector("h2").append(" ", make("span", { class: "chip you" }, match.words.you));
    mine.hand.setAttribute("aria-label", match.words["your hand"]);
    own.replaceChildren(mine.panel);
    this.hand = new Hand(mine.hand, match, changed);
  }

  lay(place) {
    const { players, own, game } = this.match;
    const others = players.slice(1).map((_, at) => this.seats[(own + 1 + at) % players.length].panel);
    place.className = `felt at-table others-${others.length} game-${game}`;
    place.replaceChildren(make("div", { class: "others" }, ...others), this.middle);
  }

  showHand(parts, hand, seat, step) {
    if (seat !== this.match.own) {
      super.showHand(parts, hand, seat, step);
      return;
    }
    const mine = step.seat === seat ? [step.drawn, ...(step.refilled ?? [])] : [];
    this.hand.show(
      hand.filter((code) => code !== null),
      { fresh: new Set(mine), isFree: (code) => this.match.isFree(code, step.position) },
    );
  }
}

// Draws the table: every seat, what lies in the middle, what has just happened.

import { card } from "./viewer-cards.js";

const SHOWN_OF_PILE = 4;

export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export class Table {
  // Draws into `place`, an empty element.
  constructor(place, match) {
    this.match = match;
    this.seats = match.players.map((name, seat) => this.seat(name, seat));
    this.middle = make("div", { class: "middle" });
    this.lay(place);
  }

  // Puts the seats round the middle.
  lay(place) {
    place.classList.add(`seats-${this.match.players.length}`, `game-${this.match.game}`);
    place.replaceChildren(...this.seats.map((seat) => seat.panel), this.middle);
  }

  seat(name, number) {
    const parts = {
      flag: make("span", { class: "flag" }),
      hand: make("ul", { class: "hand" }),
      tally: make("p", { class: "tally" }),
    };
    const title = make("h2", {}, make("span", { class: "place" }, String(number)), " ", make("span", { class: "name", title: name }, name));
    parts.panel = make("section", { class: `seat seat-${number}`, "aria-label": name }, make("header", {}, title, parts.flag), parts.hand, parts.tally);
    return parts;
  }

  // Shows a step as `eyes` see it.
  show(step, eyes) {
    this.seats.forEach((parts, seat) => this.showSeat(parts, seat, step, eyes));
    if (step.end) this.middle.replaceChildren(...this.roundEnd(step));
    else if (step.result) this.middle.replaceChildren(...this.result(step));
    else this.middle.replaceChildren(...this.piles(step));
    this.middle.className = `middle${step.end || step.result ? " outcome" : ""}`;
  }

  showSeat(parts, seat, step, eyes) {
    const { position } = step;
    const acts = position.to_act.includes(seat);
    const hand = this.match.hand(position, seat, eyes);
    parts.panel.classList.toggle("acting", acts);
    parts.panel.classList.toggle("moved", step.seat === seat);
    parts.panel.classList.toggle("claiming", step.kind === "claim" && step.seat === seat);
    parts.panel.classList.toggle("passed", this.isPassed(position, seat));
    parts.panel.classList.toggle("won", this.good(step, seat));
    parts.panel.classList.toggle("lost", step.end?.claimer === seat && !step.end.success);
    parts.flag.replaceChildren(...this.flags(step, seat, acts));
    this.showHand(parts, hand, seat, step);
    parts.tally.replaceChildren(...this.tally(step, seat, hand));
  }

  showHand(parts, hand, seat, step) {
    parts.hand.replaceChildren(...this.cards(hand, seat, step));
  }

  isPassed(position, seat) {
    return position.turn > 0 && position.passed[seat];
  }

  good(step, seat) {
    if (step.result) return step.result.ranks[seat] === 1;
    return step.end ? step.end.winner === seat || (step.end.claimer === seat && step.end.success) : false;
  }

  // The one thing about a seat that matters most now.
  flags(step, seat, acts) {
    const { words } = this.match;
    const { position } = step;
    const mine = step.seat === seat;
    let flag = null;
    if (step.fault && mine) flag = ["fault", words[step.fault]];
    else if (step.end?.points) flag = ["added", `+${step.end.points[seat]}`];
    else if (step.kind === "claim" && mine) flag = ["claim", "CLAIM!"];
    else if (acts && position.claim_open) flag = ["open", words["claim open"]];
    else if (acts) flag = ["turn", words["your move"]];
    else if (this.isPassed(position, seat)) flag = ["pass", words["has passed"]];
    return flag ? [make("span", { class: `chip ${flag[0]}`, title: flag[1] }, flag[1])] : [];
  }

  cards(hand, seat, step) {
    const fresh = step.seat === seat ? new Set([step.drawn, ...(step.refilled ?? [])]) : new Set();
    if (!hand.length) return [make("li", { class: "none" }, this.match.words["no card"])];
    // One unseen card that was just drawn is the last of those face down.
    const unseen = step.seat === seat && step.from === "deck" ? hand.lastIndexOf(null) : -1;
    return hand.map((code, at) => {
      const isFresh = (code !== null && fresh.has(code)) || at === unseen;
      const free = code !== null && this.match.isFree(code, step.position);
      return make("li", { class: isFresh ? "fresh" : undefined }, card(this.match, code, { free }));
    });
  }

  tally(step, seat, hand) {
    const { words } = this.match;
    const { position } = step;
    const parts = [];
    const cost = position.costs[seat];
    if (cost !== null && hand.every((code) => code !== null)) {
      parts.push(make("span", { class: "cost" }, `${words.cost} `, make("b", {}, String(cost))));
    }
    const total = this.match.stars ? this.starCount(position.totals[seat]) : make("b", {}, String(position.totals[seat]));
    parts.push(make("span", { class: "total" }, this.match.stars ? "" : `${words.total} `, total));
    return parts;
  }

  starCount(count) {
    const shown = "★".repeat(count) + "☆".repeat(Math.max(0, 3 - count));
    return make("span", { class: "stars", role: "img", "aria-label": `${count} ★` }, shown);
  }

  // The middle of the table while a round is played.
  piles(step) {
    const { words, game } = this.match;
    const { position } = step;
    const piles = [this.deck(position.deck), this.pile(step)];
    if (step.kind === "claim") piles.unshift(make("h2", { class: "verdict called" }, "CLAIM!"));
    if (position.zero) {
      const zero = card(this.match, position.zero, { free: true });
      piles.push(this.spot("zero", words[`zero.${game}`], zero, ""));
    } else {
      const discards = position.discarded ? card(this.match, null, { silent: true }) : this.gap();
      piles.push(this.spot("discards", words.discards, discards, String(position.discarded)));
    }
    return piles;
  }

  deck(count) {
    const layers = Math.min(4, Math.ceil(count / 12));
    const stack = make("span", { class: "layers" });
    for (let at = 0; at < layers; at += 1) stack.append(card(this.match, null, { silent: true }));
    if (!layers) stack.append(this.gap());
    return this.spot("deck", this.match.words["deck pile"], stack, String(count));
  }

  pile(step) {
    const { position } = step;
    const shown = position.pile.slice(-SHOWN_OF_PILE);
    const fresh = new Set(step.moved ?? []);
    const fan = make("span", { class: "fan" });
    for (const code of shown) {
      const made = card(this.match, code, { free: this.match.isFree(code, position) });
      if (fresh.has(code)) made.classList.add("fresh");
      fan.append(made);
    }
    if (!shown.length) fan.append(this.gap());
    const name = this.match.stars ? "played" : "pile";
    return this.spot("pile", this.match.words[name], fan, String(position.pile.length));
  }

  spot(kind, label, content, count) {
    const caption = make("span", { class: "label" }, label, count === "" ? null : make("b", {}, ` ${count}`));
    return make("div", { class: `spot ${kind}` }, content, caption);
  }

  gap() {
    return make("span", { class: "gap" });
  }

  // How a round came out: what was claimed, and against what.
  roundEnd(step) {
    const { words } = this.match;
    const { end } = step;
    if (end.winner !== undefined) return this.starWon(end);
    const heading = make("h2", { class: "verdict" });
    if (end.claimer === null) heading.append(words["round over"].split(",")[0], ": ", words[end.reason]);
    else {
      heading.classList.add(end.success ? "held" : "failed");
      heading.append(end.success ? "✓ " : "✗ ", words[end.success ? "held" : "failed"]);
    }
    const order = end.costs.map((_, seat) => seat).sort((one, other) => end.costs[one] - end.costs[other]);
    const rows = order.map((seat) => this.outcome(end, seat));
    const head = [words.player, words.cost, end.claimer === null ? "" : words.compared, "+", words.total];
    return [heading, this.compare(head, rows)];
  }

  outcome(end, seat) {
    const { words, players } = this.match;
    const claimed = end.claimer !== null;
    const lower = claimed && seat !== end.claimer && end.costs[seat] <= end.costs[end.claimer];
    let compared = "";
    if (claimed) compared = seat === end.claimer ? "CLAIM!" : words[lower ? "at or below" : "above"];
    return make(
      "tr",
      { class: seat === end.claimer ? "claimer" : lower ? "lower" : undefined },
      make("th", { scope: "row", title: players[seat] }, players[seat]),
      make("td", {}, String(end.costs[seat])),
      make("td", { class: "compared" }, compared),
      make("td", {}, `+${end.points[seat]}`),
      make("td", {}, String(end.totals[seat])),
    );
  }

  starWon(end) {
    const { words, players } = this.match;
    const heading = make("h2", { class: "verdict held" }, `★ ${players[end.winner]}`);
    const why = make("p", {}, capital(words[end.reason]));
    const fan = make("span", { class: "fan" }, ...end.played.slice(-6).map((code) => card(this.match, code)));
    return [heading, why, fan];
  }

  result(step) {
    const { words, players } = this.match;
    const { ranks, totals, faults, reason } = step.result;
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
    const rows = order.map((seat) =>
      make(
        "tr",
        { class: ranks[seat] === 1 ? "claimer" : undefined },
        make("td", {}, String(ranks[seat])),
        make("th", { scope: "row", title: players[seat] }, players[seat]),
        make("td", {}, this.match.stars ? this.starCount(totals[seat]) : String(totals[seat])),
        make("td", { class: "faults" }, faults[seat].length ? `${faults[seat].length} ✗` : ""),
      ),
    );
    const head = [words.rank, words.player, words.total, words.faults];
    return [make("h2", { class: "verdict held" }, this.winners(ranks)), make("p", {}, capital(words[reason])), this.compare(head, rows)];
  }

  winners(ranks) {
    const { words, players } = this.match;
    const seats = ranks.map((_, seat) => seat).filter((seat) => ranks[seat] === 1);
    const said = words[seats.length === 1 ? "wins" : "shares"];
    return seats.map((seat) => said.replace(/\{.*\}/, () => players[seat])).join(", ");
  }

  compare(head, rows) {
    const { words } = this.match;
    const cells = head.map((text) => {
      if (!text) return make("td");
      return make("th", { scope: "col", class: text === words.player ? "name" : undefined }, capital(text));
    });
    return make("table", { class: "compare" }, make("thead", {}, make("tr", {}, ...cells)), make("tbody", {}, ...rows));
  }
}

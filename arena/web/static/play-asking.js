// What a person is asked, and the buttons with which it is answered.

import { make } from "./viewer-table.js";

const BUTTONS = ["deck", "pile", "claim", "play", "discard", "ready"];
const BURNING = ["deck", "pile", "claim"];

export class Asking {
  // `send` takes an action to the arena.
  constructor(parts, match, hand, send) {
    this.parts = parts;
    this.match = match;
    this.hand = hand;
    this.send = send;
    this.question = null;
    this.step = null;
    this.kind = "turn";
    for (const name of BUTTONS) parts[name].onclick = () => this.pressed(name);
  }

  // Asks a question at the table as it is after `step`; null for none.
  ask(question, step) {
    const same = question?.number === this.question?.number;
    this.question = question;
    this.step = step;
    if (question) this.kind = question.kind;
    else if (step.kind === "round") this.kind = "turn";
    if (same) this.show();
    else this.hand.ask(...this.choices());
  }

  // How cards are chosen now, and which.
  choices() {
    const { question } = this;
    if (question?.kind === "discard") return ["any", question.discard];
    if (question?.kind !== "turn") return [null, []];
    return this.match.stars ? ["one", question.play] : ["rank", question.burn.flat()];
  }

  // What a button would answer now; undefined where that isn't allowed.
  action(name) {
    const { question } = this;
    const { chosen } = this.hand;
    if (!question) return undefined;
    if (name === "ready") return question.kind === "ready" ? { ready: true } : undefined;
    if (name === "claim") return question.claim ? { claim: true } : undefined;
    if (name === "discard") return question.kind === "discard" ? { discard: chosen } : undefined;
    if (!chosen.length) return undefined;
    if (name === "play") return { play: chosen[0] };
    // The last card named lies on top, so the order of choosing counts.
    return question.draw.includes(name) ? { burn: chosen, draw: name } : undefined;
  }

  pressed(name) {
    const action = this.action(name);
    if (action) this.send(action);
    else if (this.question && !this.hand.chosen.length && name !== "claim") this.parts.refused.textContent = this.match.words["choose first"];
  }

  // Says what is asked, and what each button would do now.
  show() {
    const { parts, match, question } = this;
    parts.refused.textContent = "";
    const mine = make("span", { class: "unseen" }, `${match.words["your turn"]}. `);
    parts.ask.replaceChildren(...(question ? [mine, this.asked()] : [this.waits()]));
    parts.orelse.textContent = question ? match.words[this.named("or else")] : "\u00a0";
    const shown = this.buttons();
    const focused = BUTTONS.find((name) => parts[name] === document.activeElement);
    for (const name of BUTTONS) {
      parts[name].hidden = !shown.includes(name);
      parts[name].replaceChildren(...this.label(name));
      parts[name].setAttribute("aria-disabled", String(!this.action(name)));
    }
    if (focused && parts[focused].hidden) this.refocus();
    parts.dock.dataset.asked = question?.number ?? "";
  }

  buttons() {
    if (this.kind !== "turn") return [this.kind];
    return this.match.stars ? ["play"] : BURNING;
  }

  named(text) {
    return this.kind === "turn" ? `${text} turn.${this.match.game}` : `${text} ${this.kind}`;
  }

  asked() {
    const { match, hand, step } = this;
    const { chosen } = hand;
    if (this.kind === "turn" && match.stars && !step.position.pile.length) return match.words["ask lead"];
    if (this.kind === "turn" && !match.stars && chosen.length > 1) {
      return match.say("on top", { card: match.cardText(chosen.at(-1)) });
    }
    return match.words[this.named("ask")];
  }

  waits() {
    const { match, step } = this;
    const others = (step?.position.to_act ?? []).filter((seat) => seat !== match.own);
    if (!others.length) return this.match.words.waits;
    return match.say("waits for", { names: others.map((seat) => match.players[seat]).join(", ") });
  }

  // Where a button is narrow, the rest of its label is only heard.
  label(name) {
    const { match, question, hand, step } = this;
    const { words, game } = match;
    const count = hand.chosen.length;
    const more = (text, rest) => [make("span", {}, text, make("span", { class: "more" }, ` ${rest}`))];
    switch (name) {
      case "deck":
        return more(words[`do deck.${game}`], words["from the deck"]);
      case "pile":
        if (question?.takeable) return [match.say(`do take.${game}`, { card: match.cardText(question.takeable) })];
        return more(words[`do pile.${game}`], words["from the pile"]);
      case "claim":
        return [this.action(name) ? match.say("do claim with", { cost: step.position.costs[match.own] }) : words["do claim"]];
      case "play":
        return [count ? match.say("do play card", { card: match.cardText(hand.chosen[0]) }) : words["do play"]];
      case "discard":
        return [match.say(`do discard ${["none", "one"][count] ?? "some"}`, { count })];
      default:
        return [words["do ready"]];
    }
  }

  // Whoever had the focus on a button that is gone goes on with what there is now.
  refocus() {
    if (this.kind === "ready") this.parts.ready.focus();
    else this.hand.focus();
  }
}

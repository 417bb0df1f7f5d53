// A person's own cards, as buttons: some can be chosen, and the order of choosing is kept.

import { card } from "./viewer-cards.js";
import { make } from "./viewer-table.js";

// What one more card does to those that are chosen.
const CHOOSING = {
  // Cards of one rank: another rank begins anew.
  rank: (chosen, code) => [...chosen.filter((other) => other[0] === code[0]), code],
  one: (_, code) => [code],
  any: (chosen, code) => [...chosen, code],
};

export class Hand {
  // Shows cards in `list`; `changed` hears when others are chosen.
  constructor(list, match, changed) {
    this.list = list;
    this.match = match;
    this.changed = changed;
    this.items = new Map();
    this.chosen = [];
    this.may = new Set();
    this.choose = null;
  }

  // Shows the cards `codes`. Those that stay keep their buttons, and so the focus.
  show(codes, { fresh, isFree }) {
    const gone = [...this.items.keys()].filter((code) => !codes.includes(code));
    const focused = codes.length && gone.some((code) => this.items.get(code).contains(document.activeElement));
    for (const code of gone) {
      this.items.get(code).remove();
      this.items.delete(code);
    }
    codes.forEach((code, at) => {
      const item = this.items.get(code) ?? this.item(code, isFree(code));
      item.classList.toggle("fresh", fresh.has(code));
      if (this.list.children[at] !== item) this.list.insertBefore(item, this.list.children[at] ?? null);
    });
    this.chosen = this.chosen.filter((code) => this.items.has(code));
    this.mark();
    if (focused) this.focus();
  }

  item(code, free) {
    const name = this.match.cardName(code) + (free ? `, ${this.match.words["costs nothing"]}` : "");
    const button = make("button", { type: "button", class: "own-card", "aria-label": name, "data-card": code }, card(this.match, code, { free, silent: true }));
    button.addEventListener("click", () => this.pressed(code));
    const item = make("li", {}, button);
    this.items.set(code, item);
    return item;
  }

  // Lets some cards be chosen, `how` as above; null for none.
  ask(how, may = []) {
    this.choose = how && CHOOSING[how];
    this.may = new Set(may);
    // Where there is no choice it is made.
    this.chosen = how === "one" && may.length === 1 ? [...may] : [];
    this.mark();
    this.changed();
  }

  pressed(code) {
    if (!this.choose || !this.may.has(code)) return;
    if (this.chosen.includes(code)) this.chosen = this.chosen.filter((other) => other !== code);
    else this.chosen = this.choose(this.chosen, code);
    this.mark();
    this.changed();
  }

  mark() {
    for (const [code, item] of this.items) {
      const button = item.firstChild;
      button.setAttribute("aria-pressed", String(this.chosen.includes(code)));
      button.setAttribute("aria-disabled", String(!this.choose || !this.may.has(code)));
    }
    this.list.classList.toggle("choosing", Boolean(this.choose));
  }

  focus() {
    this.list.querySelector("button")?.focus();
  }
}

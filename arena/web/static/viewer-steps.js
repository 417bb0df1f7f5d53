// A match as steps: how things lie after each, and what is said of it.

const MARK = /\{(@?)(\w+)\}/g;
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUIT_WORDS = { s: "of spades", h: "of hearts", d: "of diamonds", c: "of clubs" };

export class Match {
  // `table` is what is known before the first step.
  constructor(table) {
    this.game = table.game;
    this.players = table.players;
    this.words = table.words;
    this.stars = table.stars;
    this.colours = table.colours;
    this.options = table.options;
    this.steps = [];
    this.byId = new Map();
    for (const step of table.steps ?? []) this.add(step);
  }

  get last() {
    return this.steps.length - 1;
  }

  // Takes a step in; what it tells of the position is what has changed.
  add(told) {
    const { at, ...step } = told;
    const { hand, ...changed } = at;
    const before = this.steps[this.last]?.position;
    const position = { ...before, ...changed };
    if (hand) position.hands = position.hands.map((held, seat) => hand[seat] ?? held);
    const made = { ...step, index: this.steps.length, position };
    this.steps.push(made);
    this.byId.set(made.id, made.index);
  }

  // The first step of a round, or of the last one that there is before it.
  round(number) {
    const at = this.byId.get(`r${number}`);
    return at ?? (number < 1 ? 0 : this.last);
  }

  get rounds() {
    return this.steps.length ? this.steps[this.last].position.round : 0;
  }

  // The next step after `index` in which something went wrong; undefined if there is none.
  faultAfter(index) {
    return this.steps.find((step) => step.index > index && step.faultBegins)?.index;
  }

  get faults() {
    return this.steps.filter((step) => step.faultBegins).length;
  }

  // What is said of a step to `eyes`: a seat, "open" for everything, or "none" for a spectator.
  // `brief` is without the points that a round's end adds, for where the table shows them.
  pieces(step, eyes, brief = false) {
    const whole = step.veiled && eyes !== "open" && eyes !== step.seat ? step.veiled : step.say;
    const text = brief && step.end ? whole.split(". ")[0] : whole;
    const pieces = [];
    if (step.seat !== undefined) pieces.push({ player: step.seat }, " ");
    let end = 0;
    for (const found of text.matchAll(MARK)) {
      pieces.push(text.slice(end, found.index));
      pieces.push(found[1] ? { player: Number(found[2]) } : { card: found[2] });
      end = found.index + found[0].length;
    }
    pieces.push(text.slice(end));
    if (step.fault) pieces.push(" · ", { fault: this.say("fault", { why: this.words[step.fault] }) });
    return pieces;
  }

  say(name, parts = {}) {
    return this.words[name].replace(/%\((\w+)\)s/g, (_, part) => parts[part]);
  }

  // A hand as `eyes` see it: card codes, null for one face down.
  hand(position, seat, eyes) {
    return position.hands[seat].map((held) => {
      if (held === "?") return null;
      const known = held.endsWith("*");
      const code = known ? held.slice(0, -1) : held;
      return known || eyes === "open" || eyes === seat ? code : null;
    });
  }

  isFree(code, position) {
    return Boolean(position.zero) && code[0] === position.zero[0];
  }

  // A card in words, as it is read aloud.
  cardName(code) {
    if (code === null) return this.words["unseen card"];
    if (this.stars) return this.claroName(code);
    const rank = code[0] === "T" ? "10" : this.words[code[0]] ?? code[0];
    return `${rank} ${this.words[SUIT_WORDS[code[1]]]}`;
  }

  claroName(code) {
    const name = code.startsWith("J") ? this.words["joker card"] : code;
    const shown = this.stars[code].map((at) => this.colours[at]).join(", ");
    return shown ? `${name} ${this.say("with stars", { stars: shown })}` : name;
  }

  // A card as it is written: K♥, or Claro's number.
  cardText(code) {
    if (this.stars) return code.startsWith("J") ? "★" : code;
    return `${code[0] === "T" ? "10" : code[0]}${SUITS[code[1]]}`;
  }
}

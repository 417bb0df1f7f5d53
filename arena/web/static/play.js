// A seat at a table: shows what happens there, asks its person, takes the answers to the arena.

import { Asking } from "./play-asking.js";
import { Clock } from "./play-clock.js";
import { once } from "./play-once.js";
import { Seats } from "./play-seats.js";
import { Match } from "./viewer-steps.js";
import { make } from "./viewer-table.js";
import { told } from "./viewer-telling.js";

// Milliseconds for which a move of another is shown, and all that come before one's own turn.
const MOVE = 600;
const MOVES = 1800;
// Milliseconds after which there is no more of what was before we came.
const SETTLED = 1000;
const AGAIN = 2000;
// Faults after which one is asked again.
const PASSING = ["TIMEOUT", "ILLEGAL", "MALFORMED"];

const still = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 55.99rem)");

class Seat {
  constructor(root) {
    this.root = root;
    this.parts = Object.fromEntries([...document.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.title = document.title;
    const { clock, bar, number, hurry } = this.parts;
    this.clock = new Clock({ box: clock, bar, number, said: hurry }, (count) => this.match.say("hurry", { count }));
    this.parts.leave.addEventListener("click", () => this.parts.sure.showModal());
    this.parts.stay.addEventListener("click", () => this.parts.sure.close());
    // The table's address leads to the replay from now on: going back from there must lead on.
    this.parts.replay.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      location.replace(event.currentTarget.href);
    });
    this.ready = this.parts.waiting.textContent;
    this.parts.waiting.hidden = false;
    this.connect();
  }

  get step() {
    return this.match?.steps[this.match.last];
  }

  // --- what the arena tells

  connect() {
    const source = new EventSource(this.root.dataset.events);
    const hear = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
    hear("table", (table) => this.begin(table));
    hear("step", (step) => this.hear(step));
    hear("question", (question) => this.asked(question));
    hear("over", (outcome) => this.over(outcome));
    hear("draining", (draining) => this.drains(draining));
    // What is still so comes again, before all else.
    source.addEventListener("open", () => (this.draining = null));
    hear("cut", () => this.lost());
    source.addEventListener("error", () => this.lost());
    this.source = source;
  }

  lost() {
    this.parts.state.textContent = this.stops ? this.root.dataset.stopped : this.root.dataset.lost;
    this.parts.state.hidden = false;
    if (this.source.readyState === EventSource.CONNECTING) return;
    this.source.close();
    this.askWhy();
    setTimeout(() => this.connect(), AGAIN);
  }

  // An event source does not tell why it was refused: whoever isn't signed in any more, say.
  async askWhy() {
    const enough = new AbortController();
    try {
      const answer = await fetch(this.root.dataset.events, { headers: { Accept: "application/json" }, signal: enough.signal });
      if (answer.status >= 400) this.parts.state.textContent = (await answer.json()).sentence;
    } catch {
      // It is the connection.
    }
    enough.abort();
  }

  // An arena that is drained begins no match, and perhaps stops; null: it goes on.
  drains(draining) {
    this.draining = draining;
    this.tell(draining ? this.drained(draining) : "");
  }

  get stops() {
    return typeof this.draining?.left === "number";
  }

  drained({ left }) {
    const { drains, stops } = this.root.dataset;
    if (left === null) return drains;
    const until = new Date(Date.now() + 1000 * left);
    return stops.replace("%(time)s", until.toLocaleTimeString(document.documentElement.lang));
  }

  // Beside the cards; above, as long as there are none.
  tell(text) {
    const { draining, waiting } = this.parts;
    if (this.root.hidden) waiting.textContent = text || this.ready;
    if (draining.textContent === text) return;
    draining.replaceChildren(...(text ? [make("p", { class: "note" }, text)] : []));
  }

  // Each connection tells the match from its beginning.
  begin(table) {
    this.parts.state.hidden = true;
    if (!this.draining) this.tell("");
    this.focused = document.activeElement?.dataset.card;
    this.match = new Match(table);
    this.match.own = table.seat;
    this.seats = new Seats(this.parts.table, this.parts.own, this.match, () => this.asking.show());
    this.asking = new Asking(this.parts, this.match, this.seats.hand, (action) => this.send(action));
    this.parts.log.replaceChildren();
    this.coming = [];
    this.question = null;
    this.outcome = null;
    this.caughtUp = false;
    clearTimeout(this.shows);
    this.shows = setTimeout(() => this.catchUp(), SETTLED);
  }

  hear(step) {
    this.coming.push(step);
    if (this.caughtUp && !this.shows) this.next();
  }

  // Nobody is asked any more, or this: time runs from when it is heard.
  asked(question) {
    if (this.question?.kind === "ready" && this.sent !== this.question.number && this.clock.over) {
      this.notice(this.match.words["began without you"]);
    }
    this.question = question;
    if (question && question.number !== this.sent) this.clock.start(question.left, question.all);
    else this.clock.stop();
    this.settle();
  }

  over(outcome) {
    this.source.close();
    this.parts.state.hidden = true;
    this.question = null;
    this.outcome = outcome;
    this.clock.stop();
    if (!this.match) {
      // Nothing was seen of it: its page knows where to go, if it will be there.
      if (this.stops) this.tell(this.root.dataset.back);
      else location.reload();
      return;
    }
    this.catchUp();
    this.settle();
  }

  // --- what is shown

  // What was before we came is shown at once, unless nothing is dealt yet.
  catchUp() {
    clearTimeout(this.shows);
    this.shows = 0;
    if (!this.step && !this.coming.length) {
      this.shows = setTimeout(() => this.catchUp(), SETTLED);
      return;
    }
    this.parts.scroll.setAttribute("aria-busy", "true");
    for (const step of this.coming.splice(0)) this.take(step);
    this.parts.scroll.removeAttribute("aria-busy");
    this.caughtUp = true;
    this.reveal();
    this.show();
    this.settle();
    if (this.focused) this.root.querySelector(`[data-card="${this.focused}"]`)?.focus();
  }

  // On a phone there is room for the table alone.
  reveal() {
    this.parts.waiting.hidden = true;
    if (!this.root.hidden) return;
    this.root.hidden = false;
    if (narrow.matches) this.root.scrollIntoView();
  }

  // Shows the moves that have come, one after the other.
  next() {
    this.shows = 0;
    while (this.coming.length) {
      this.take(this.coming.shift());
      this.show();
      if (!still.matches && this.step.seat !== this.match.own) {
        this.shows = setTimeout(() => this.next(), Math.min(MOVE, MOVES / (this.coming.length + 1)));
        return;
      }
    }
    this.settle();
  }

  // All moves are shown: now the question, or how the match came out.
  settle() {
    if (!this.caughtUp) {
      if (this.coming.length) this.catchUp();
      return;
    }
    if (this.shows) return;
    const asks = this.question?.number === this.sent ? null : this.question;
    this.asking.ask(asks, this.step);
    document.title = asks ? `● ${this.match.words["your turn"]} · ${this.title}` : this.title;
    if (this.outcome) this.finish();
  }

  // Takes a step in, and tells it.
  take(step) {
    const { match } = this;
    match.add(step);
    const said = told(match, this.step, match.own);
    this.parts.log.append(make("li", { class: step.seat === undefined ? "event" : undefined }, ...said));
    if (this.passes && step.end) this.parts.notice.hidden = true;
    if (step.seat !== match.own) return;
    if (step.fault) this.notice(this.why(step.fault), " ", ...told(match, { ...this.step, fault: undefined }, match.own));
    else if (step.kind === "pass") this.notice(match.words["you pass"]);
    else this.parts.notice.hidden = true;
    this.passes = step.kind === "pass";
  }

  why(fault) {
    const { words } = this.match;
    if (fault === "TIMEOUT") return words["too late"];
    return PASSING.includes(fault) ? words["not allowed"] : this.match.say("you are out", { why: words[fault] });
  }

  notice(...said) {
    this.parts.notice.replaceChildren(...said);
    this.parts.notice.hidden = false;
  }

  show() {
    this.seats.show(this.step, this.match.own);
    this.parts.where.textContent = this.where();
    this.toNewest();
    this.asking.step = this.step;
    this.asking.show();
    if (this.step.end || this.step.result) this.toOutcome();
  }

  // How a round came out must not lie under one's own cards.
  toOutcome() {
    const { bottom } = this.seats.middle.getBoundingClientRect();
    if (bottom > this.parts.dock.getBoundingClientRect().top) this.root.scrollIntoView();
  }

  toNewest() {
    this.parts.scroll.scrollTop = this.parts.scroll.scrollHeight;
  }

  where() {
    const { match } = this;
    const { round, lap, turn } = this.step.position;
    const parts = [`${match.words.round} ${round}`];
    if (!match.stars && turn) {
      const opens = match.game === "claim" ? match.options.claim_laps + 1 : 2;
      parts.push(`${match.words.lap} ${lap}`, match.say(`claims ${lap < opens ? "later" : "now"}.${match.game}`, { lap: opens }));
    }
    return parts.join(" · ");
  }

  finish() {
    const { match, parts } = this;
    const { replay, why } = this.outcome;
    const ranks = this.step.result?.ranks;
    const rank = ranks?.[match.own];
    const first = ranks?.filter((other) => other === 1).length;
    let text = `${match.words.spoilt} ${why}`;
    if (rank === 1) text = match.words[first > 1 ? "you share" : "you win"];
    else if (ranks) text = match.say("you came", { rank, seats: ranks.length });
    parts.outcome.textContent = text;
    parts.replay.hidden = !replay;
    if (replay) parts.replay.href = replay;
    parts.asks.hidden = true;
    parts.leave.hidden = true;
    parts.end.hidden = false;
    parts.end.classList.toggle("won", rank === 1);
    this.toNewest();
    parts.outcome.focus({ preventScroll: true });
    this.tell(this.draining ? this.root.dataset.back : "");
  }

  // --- what the person answers

  async send(action) {
    const { number } = this.question;
    this.sent = number;
    this.clock.stop();
    this.parts.notice.hidden = true;
    this.settle();
    const body = new URLSearchParams({ [this.root.dataset.wordField]: this.root.dataset.word, number, action: JSON.stringify(action) });
    let refused = this.match.words["no answer"];
    try {
      const answer = await fetch(this.root.dataset.answer, { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.ok) return;
      refused = (await answer.json()).sentence;
    } catch {
      // What can't be reached can be tried again.
    }
    this.sent = undefined;
    this.asked(this.question && { ...this.question, left: this.clock.left });
    this.parts.refused.textContent = refused;
  }
}

// A page that a browser has kept shows what was when it was left.
addEventListener("pageshow", (event) => event.persisted && location.reload());
for (const form of document.forms) once(form);
new Seat(document.querySelector("[data-events]"));

// The viewer: steps through a match, or follows one that is being played.

import { Table } from "./viewer-table.js";
import { told } from "./viewer-telling.js";

const SECOND = 1000;
// How much longer than other steps these are shown.
const LONGER = { claim: 2, round_end: 3, result: 3 };

export class Viewer {
  constructor(root) {
    this.root = root;
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.eyes = this.parts.eyes?.value ?? "none";
    this.at = 0;
    this.timer = null;
    this.listen();
  }

  // Shows a match from the step that the address names, or from its beginning.
  begin(match) {
    this.match = match;
    this.table = new Table(this.parts.table, match);
    this.fillRounds();
    this.grown();
    this.root.hidden = false;
    document.documentElement.classList.add("viewing");
    this.show(this.wanted() ?? 0, { quiet: !location.hash });
    if (location.hash) this.comeIntoView();
  }

  // The address names a row of the list, too: until a page is loaded, a browser may scroll there.
  comeIntoView() {
    this.root.scrollIntoView();
    if (document.readyState === "complete") return;
    addEventListener("load", () => requestAnimationFrame(() => this.root.scrollIntoView()), { once: true });
  }

  // The match has more steps than before.
  grown() {
    this.parts.slider.max = String(Math.max(0, this.match.last));
    if (this.parts.round.options.length !== this.match.rounds) this.fillRounds();
    if (this.parts.fault) this.parts.fault.disabled = !this.match.faults;
  }

  fillRounds() {
    const options = Array.from({ length: this.match.rounds }, (_, at) => new Option(String(at + 1), String(at + 1)));
    this.parts.round.replaceChildren(...options);
  }

  wanted() {
    return this.match.byId.get(decodeURIComponent(location.hash.slice(1)));
  }

  show(index, { quiet = false } = {}) {
    if (this.match.last < 0) return;
    this.at = Math.max(0, Math.min(this.match.last, index));
    const step = this.match.steps[this.at];
    this.table.show(step, this.eyes);
    const { position } = step;
    this.parts.said.replaceChildren(...this.told(step, true));
    this.parts.where.textContent = this.where(step);
    this.parts.slider.value = String(this.at);
    this.parts.slider.setAttribute("aria-valuetext", this.where(step));
    this.parts.round.value = String(position.round);
    this.parts.link.href = `#${step.id}`;
    for (const name of ["first", "back"]) this.parts[name].disabled = this.at === 0;
    for (const name of ["next", "last"]) this.parts[name].disabled = this.at === this.match.last;
    this.mark(step);
    if (!quiet) history.replaceState(null, "", `#${step.id}`);
  }

  where(step) {
    const { words } = this.match;
    const { position } = step;
    const parts = [`${words.round} ${position.round}`];
    const turn = step.id.match(/t(\d+)$/)?.[1];
    if (turn) {
      parts.push(`${words.turn} ${turn}`);
      if (!this.match.stars) parts.push(`${words.lap} ${Math.ceil(turn / this.match.players.length)}`);
    }
    parts.push(`${words.step} ${this.at + 1} ${words.of} ${this.match.last + 1}`);
    return parts.join(" · ");
  }

  // What is said of a step to whoever looks.
  told(step, brief = false) {
    return told(this.match, step, this.eyes, brief);
  }

  // Marks the step's row in the list of all turns, and keeps it in sight there.
  mark(step) {
    for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
    const row = document.getElementById(step.id);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    const box = row.closest(".scroll");
    if (!box) return;
    const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }

  // --- playing

  get playing() {
    return this.timer !== null;
  }

  play() {
    if (this.at === this.match.last) this.show(0);
    this.pressed(true);
    this.wait();
  }

  wait() {
    const step = this.match.steps[this.at];
    const speed = Number(this.parts.speed.value);
    this.timer = setTimeout(() => this.tick(), ((LONGER[step.kind] ?? 1) * SECOND) / speed);
  }

  tick() {
    this.show(this.at + 1);
    if (this.at === this.match.last) this.pause();
    else this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.pressed(false);
  }

  pressed(playing) {
    const { play } = this.parts;
    play.setAttribute("aria-label", playing ? play.dataset.pause : play.dataset.play);
    play.title = play.getAttribute("aria-label");
    play.classList.toggle("playing", playing);
    // Whoever listens is told of the step where it stops, and not of all on the way.
    this.parts.said.setAttribute("aria-live", playing ? "off" : "polite");
    if (playing) this.uncover();
  }

  // --- asked by a person

  go(index) {
    if (this.playing) this.pause();
    this.show(index);
    this.uncover();
  }

  // On a small screen what steers must not lie on the cards, if there is room for both.
  uncover() {
    const { table, said } = this.parts;
    const steer = said.closest(".steer").getBoundingClientRect();
    const felt = table.getBoundingClientRect();
    if (felt.bottom > steer.top + 1 && felt.top > 0) this.root.scrollIntoView();
  }

  goToFault() {
    const next = this.match.faultAfter(this.at) ?? this.match.faultAfter(-1);
    if (next !== undefined) this.go(next);
  }

  // A round back goes to the beginning of this one first.
  goToRound(by) {
    const { round } = this.match.steps[this.at].position;
    const begun = this.match.round(round);
    this.go(this.match.round(by < 0 && this.at > begun ? round : round + by));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  look(eyes) {
    this.eyes = /^\d+$/.test(eyes) ? Number(eyes) : eyes;
    this.show(this.at, { quiet: true });
  }

  listen() {
    const { parts } = this;
    const pressed = {
      first: () => this.go(0),
      back: () => this.go(this.at - 1),
      play: () => this.toggle(),
      next: () => this.go(this.at + 1),
      last: () => this.go(this.match.last),
      fault: () => this.goToFault(),
      link: () => this.copy(),
    };
    for (const [name, act] of Object.entries(pressed)) parts[name]?.addEventListener("click", act);
    parts.slider.addEventListener("input", () => this.go(Number(parts.slider.value)));
    parts.round.addEventListener("change", () => this.go(this.match.round(Number(parts.round.value))));
    parts.eyes?.addEventListener("change", () => this.look(parts.eyes.value));
    for (const rows of document.querySelectorAll("[data-rows]")) {
      rows.addEventListener("click", (event) => this.clicked(event));
    }
    addEventListener("hashchange", () => {
      const index = this.wanted();
      if (index !== undefined && index !== this.at) this.go(index);
    });
    addEventListener("keydown", (event) => this.key(event));
  }

  clicked(event) {
    const link = event.target.closest("a[href^='#']");
    const index = link && this.match.byId.get(link.hash.slice(1));
    if (index === undefined || index === null) return;
    event.preventDefault();
    this.go(index);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.match) return;
    const { target } = event;
    if (target.closest("input:not([type=range]), select, textarea, [contenteditable]")) return;
    // What has the focus has its own meaning for these.
    if (event.key === " " && target.closest("button, a, summary, input")) return;
    if (target.closest("input[type=range]") && event.key.length > 1) return;
    if (target.closest(".scroll") && /^(Home|End|Page)/.test(event.key)) return;
    const act = {
      ArrowRight: () => (event.shiftKey ? this.goToRound(1) : this.go(this.at + 1)),
      ArrowLeft: () => (event.shiftKey ? this.goToRound(-1) : this.go(this.at - 1)),
      PageDown: () => this.goToRound(1),
      PageUp: () => this.goToRound(-1),
      Home: () => this.go(0),
      End: () => this.go(this.match.last),
      " ": () => this.toggle(),
      f: () => this.goToFault(),
      h: () => this.nextEyes(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  nextEyes() {
    const { eyes } = this.parts;
    if (!eyes) return;
    eyes.selectedIndex = (eyes.selectedIndex + 1) % eyes.options.length;
    this.look(eyes.value);
  }

  async copy() {
    const address = new URL(this.parts.link.href, location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      this.parts.note.textContent = this.match.words.copied;
    } catch {
      // The address bar has it as well.
    }
  }
}

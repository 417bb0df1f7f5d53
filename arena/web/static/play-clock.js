// The time that is left for an answer: as a number, as a bar, and said when it runs short.

const SECOND = 1000;
const SAID = [10, 5];
const LATE = 5;

export class Clock {
  // `parts` are the elements box, bar, number and said; `say` makes words of a number of seconds.
  constructor(parts, say) {
    this.parts = parts;
    this.say = say;
    this.ticking = 0;
    this.until = 0;
  }

  // Counts down from `left` of `all` seconds.
  start(left, all) {
    this.stop();
    this.until = performance.now() + left * SECOND;
    this.parts.bar.max = all;
    this.toSay = SAID.filter((seconds) => seconds < left);
    this.parts.box.classList.add("runs");
    this.ticking = setInterval(() => this.tick(), SECOND / 5);
    this.tick();
  }

  get over() {
    return this.left === 0;
  }

  get left() {
    return Math.max(0, (this.until - performance.now()) / SECOND);
  }

  tick() {
    const seconds = Math.ceil(this.left);
    this.parts.bar.value = this.left;
    this.parts.number.textContent = String(seconds);
    this.parts.box.classList.toggle("late", seconds <= LATE);
    if (seconds <= this.toSay[0]) {
      while (seconds <= this.toSay[0]) this.toSay.shift();
      this.parts.said.textContent = this.say(seconds);
    }
  }

  stop() {
    clearInterval(this.ticking);
    this.parts.said.textContent = "";
    this.parts.box.classList.remove("runs", "late");
  }
}

// Follows the match that the page names while it is being played.

import { Match } from "./viewer-steps.js";
import { make } from "./viewer-table.js";
import { Viewer } from "./viewer.js";

const root = document.querySelector("[data-live-match]");
const page = Object.fromEntries(
  [...document.querySelectorAll("[data-part-of-page]")].map((part) => [part.dataset.partOfPage, part]),
);
const rows = page.list.querySelector("tbody");
const viewer = new Viewer(root);
const source = new EventSource(root.dataset.liveMatch);
let match = null;
let coming = [];
let drawn = 0;
// Whether the newest step is shown, as long as nobody goes back to look at others.
let follows = true;

// Each connection tells the match from its beginning.
source.addEventListener("table", (event) => {
  follows = match === null || viewer.at === match.last;
  match = new Match(JSON.parse(event.data));
  coming = [];
  rows.replaceChildren();
  viewer.begin(match);
  page.list.hidden = false;
  page.state.textContent = match.words.live;
});

// Many steps may come at once: they are taken in together before the next picture.
source.addEventListener("step", (event) => {
  coming.push(JSON.parse(event.data));
  drawn ||= requestAnimationFrame(draw);
});

// Beside the match, as long as the arena begins no other; what is still so comes again.
source.addEventListener("draining", (event) => drains(JSON.parse(event.data)));
source.addEventListener("open", () => drains(""));

source.addEventListener("over", (event) => {
  source.close();
  over(JSON.parse(event.data));
});

source.addEventListener("cut", (event) => {
  source.close();
  page.over.textContent = JSON.parse(event.data).why;
  page.over.hidden = false;
});

source.addEventListener("error", () => {
  if (match) page.state.textContent = match.words.lost;
});

function drains(told) {
  page.draining.textContent = told;
  page.draining.hidden = !told;
}

function draw() {
  drawn = 0;
  const first = match.last < 0;
  if (match.last >= 0) follows = viewer.at === match.last && !viewer.playing;
  for (const step of coming) {
    match.add(step);
    rows.append(row(match.steps[match.last]));
  }
  coming = [];
  viewer.grown();
  viewer.show(follows ? match.last : viewer.at, { quiet: true });
  if (first) viewer.uncover();
}

function row(step) {
  const turn = step.id.match(/^r(\d+)t(\d+)$/);
  const name = turn ? `${turn[1]}.${turn[2]}` : String(step.position.round);
  const link = make("a", { href: `#${step.id}` }, name);
  return make("tr", { id: step.id }, make("td", {}, link), make("td", {}, ...viewer.told(step)));
}

function over({ done, replay }) {
  if (!match) {
    // Nothing was seen of it: its page knows where to go.
    location.reload();
    return;
  }
  if (drawn) draw();
  const { words } = match;
  page.state.hidden = true;
  page.over.replaceChildren(done ? words.ended : words.spoilt, " ");
  if (done && replay) page.over.append(make("a", { href: replay }, words.replay));
  else if (done) page.over.append(words["no replay yet"]);
  page.over.hidden = false;
}

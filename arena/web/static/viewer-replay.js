// Shows the replay that the page names.

import { Match } from "./viewer-steps.js";
import { Viewer } from "./viewer.js";

const root = document.querySelector("[data-replay]");
const viewer = new Viewer(root);
const answer = await fetch(root.dataset.replay);
if (answer.ok) viewer.begin(new Match(await answer.json()));
else root.dataset.failed = String(answer.status);

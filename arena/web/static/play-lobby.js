// Offers a seat for the person and for each bot that is chosen, and no more.

import { once } from "./play-once.js";

const form = document.querySelector("form.sit");
const { seat } = form.elements;
// The first one is none: by chance.
const seats = [...seat.options];
const places = [...form.querySelectorAll("[name^=opponent]")];

function offer() {
  const wanted = seat.value;
  const bots = places.filter((place) => place.value).length;
  seat.replaceChildren(...seats.slice(0, bots + 2));
  seat.value = wanted;
  if (seat.selectedIndex < 0) seat.selectedIndex = 0;
}

form.addEventListener("change", offer);
// A browser that comes back to the page fills in again what was there.
addEventListener("pageshow", offer);
// But what is played meanwhile is not on a page that it has kept.
addEventListener("pageshow", (event) => event.persisted && location.reload());
once(form);

// Follows a tournament or a submission while it goes on; without scripts its page is loaded anew.
"use strict";
(() => {
  const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

  function follow(place, kind, tell) {
    const source = new EventSource(place.dataset.live);
    for (const shown of place.querySelectorAll("[data-follows]")) shown.hidden = false;
    for (const hidden of place.querySelectorAll("[data-reload]")) hidden.hidden = true;
    source.addEventListener(kind, (event) => {
      const told = JSON.parse(event.data);
      if (told.state !== place.dataset.state) {
        // Another state has other things on its page.
        source.close();
        location.reload();
        return;
      }
      tell(place, told);
    });
  }

  function tournament(place, told) {
    for (const name of ["ended", "matches", "holes", "voids"]) {
      for (const shown of place.querySelectorAll(`[data-told="${name}"]`)) shown.textContent = number(told[name]);
    }
    const full = place.querySelector("[data-bar] .full");
    if (full && told.matches) full.setAttribute("width", String((100 * told.ended) / told.matches));
    for (const name of ["trouble", "draining"]) {
      for (const shown of place.querySelectorAll(`[data-told="${name}"]`)) {
        shown.textContent = told[name];
        shown.hidden = !told[name];
      }
    }
    for (const list of place.querySelectorAll("[data-playing-list]")) {
      list.replaceChildren(
        ...told.playing.map(({ match, address }) => {
          const item = document.createElement("li");
          const link = document.createElement("a");
          const name = document.createElement("code");
          link.href = address;
          name.textContent = match;
          link.append(name);
          item.append(link);
          return item;
        }),
      );
      list.parentElement.hidden = told.playing.length === 0;
    }
  }

  function submission(place, told) {
    for (const shown of place.querySelectorAll('[data-told="trouble"]')) {
      shown.textContent = told.trouble;
      shown.hidden = !told.trouble;
    }
  }

  for (const place of document.querySelectorAll("[data-live]")) {
    if (place.dataset.kind === "submission") follow(place, "submission", submission);
    else follow(place, "progress", tournament);
  }
})();

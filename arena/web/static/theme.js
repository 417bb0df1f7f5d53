// Light or dark as its reader likes it; without scripts it is as the system has it.
"use strict";
(() => {
  const KEY = "arena-theme";
  const root = document.documentElement;
  let kept = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // Nothing may be kept here.
  }
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  addEventListener("DOMContentLoaded", () => {
    const dark = () =>
      (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(dark()));
      button.addEventListener("click", () => {
        root.dataset.theme = dark() ? "light" : "dark";
        button.setAttribute("aria-pressed", String(dark()));
        try {
          localStorage.setItem(KEY, root.dataset.theme);
        } catch {
          // Then only for this page.
        }
        dispatchEvent(new Event("arena-theme"));
      });
    }
  });
})();

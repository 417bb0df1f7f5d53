// Two clicks ask for one thing.

export function once(form) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  // A browser that comes back to the page may send it again.
  addEventListener("pageshow", () => (sent = false));
}

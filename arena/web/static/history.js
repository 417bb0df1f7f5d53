// Draws a history of ratings; its numbers are in the table below it, too.
"use strict";
(async () => {
  const DASHES = ["solid", "dash", "dot", "dashdot"];
  for (const place of document.querySelectorAll("[data-history]")) {
    const answer = await fetch(place.dataset.history);
    if (!answer.ok) continue;
    const told = await answer.json();
    place.hidden = false;

    const draw = () => {
      const colour = (name) => shown(place, name);
      const lines = told.bots.map((bot, at) => ({
        x: told.matches,
        y: bot.scores,
        name: `${bot.bot} v${bot.version}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
        mode: told.matches.length > 1 ? "lines" : "markers",
        line: { width: 2.5, dash: DASHES[Math.floor(at / 4) % DASHES.length] },
      }));
      const axis = { gridcolor: colour("--line"), zerolinecolor: colour("--line"), linecolor: colour("--line") };
      Plotly.react(
        place,
        lines,
        {
          paper_bgcolor: "rgba(0,0,0,0)",
          plot_bgcolor: "rgba(0,0,0,0)",
          font: { color: colour("--ink"), family: getComputedStyle(place).fontFamily, size: 14 },
          colorway: ["--accent", "--gold", "--blue", "--red"].map(colour),
          margin: { l: 56, r: 16, t: 16, b: 56 },
          xaxis: { ...axis, title: { text: "matches" }, rangemode: "tozero" },
          yaxis: { ...axis, title: { text: "score" } },
          legend: { orientation: "h", y: 1.04, yanchor: "bottom" },
          hovermode: "x unified",
          hoverlabel: { bgcolor: colour("--surface"), font: { color: colour("--ink") } },
        },
        { displayModeBar: false, responsive: true },
      );
    };
    draw();
    addEventListener("arena-theme", draw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  // A colour of the style sheet as it is seen now, light or dark.
  function shown(place, name) {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    place.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }
})();

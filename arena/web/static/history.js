// Draws a history of ratings; its numbers are in the table below it, too.
"use strict";
(() => {
  const DASHES = ["solid", "dash", "dot", "dashdot"];
  // Each by itself: of one that does not come the table remains.
  document.querySelectorAll("[data-history]").forEach(chart);

  async function chart(place) {
    const answer = await fetch(place.dataset.history);
    if (!answer.ok) return;
    const told = await answer.json();
    place.hidden = false;

    const draw = () => {
      const colour = (name) => shown(place, name);
      const colours = ["--accent", "--gold", "--blue", "--red"].map(colour);
      const band = "band" in place.dataset;
      const lines = told.bots.flatMap((bot, at) => {
        const line = { color: colours[at % colours.length], width: 2.5, dash: DASHES[Math.floor(at / colours.length) % DASHES.length] };
        return band ? banded(bot, line, told.bots.length > 1, at === told.bots.length - 1) : [scored(told.matches, bot, line)];
      });
      const most = Math.max(...told.bots.map((bot) => (bot.matches ?? told.matches).at(-1)));
      const axis = { gridcolor: colour("--line"), zerolinecolor: colour("--line"), linecolor: colour("--line") };
      Plotly.react(
        place,
        lines,
        {
          paper_bgcolor: "rgba(0,0,0,0)",
          plot_bgcolor: "rgba(0,0,0,0)",
          font: { color: colour("--ink"), family: getComputedStyle(place).fontFamily, size: 14 },
          margin: { l: 56, r: 16, t: 16, b: 56 },
          xaxis: { ...axis, title: { text: band ? "matches of its own" : "matches" }, rangemode: "tozero", dtick: most < 5 ? 1 : undefined },
          yaxis: { ...axis, title: { text: band ? "score and strength" : "score" } },
          legend: { orientation: "h", y: 1.04, yanchor: "bottom", traceorder: "normal" },
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

  // The score of one bot among others.
  function scored(matches, bot, line) {
    return {
      x: matches,
      y: bot.scores,
      name: `${bot.bot} v${bot.version}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
      mode: matches.length > 1 ? "lines" : "markers",
      line,
    };
  }

  // A version's score, its strength, and the band that is three sigmas wide to each side of that;
  // the score is the band's lower end. A single moment has no width: there the band is a bar.
  function banded(bot, line, several, isLast) {
    const { matches: x, scores: score, mu } = bot;
    const three = bot.sigma.map((sigma) => 3 * sigma);
    const mode = x.length > 1 ? "lines" : "markers";
    const named = several ? `score of v${bot.version}` : "score";
    const group = { x, mode, cliponaxis: false, legendgroup: `v${bot.version}` };
    const fillcolor = line.color.replace("rgb(", "rgba(").replace(")", ", 0.16)");
    const aside = { hoverinfo: "skip", showlegend: false };
    return [
      { ...group, ...aside, y: mu.map((middle, at) => middle + three[at]), line: { ...line, width: 0 }, marker: { opacity: 0 } },
      {
        ...group,
        y: score,
        name: named,
        line,
        marker: { color: line.color, size: 9 },
        fill: "tonexty",
        fillcolor,
        customdata: mu.map((middle, at) => [middle, three[at]]),
        hovertemplate: "%{y:.2f}, strength %{customdata[0]:.2f} ± %{customdata[1]:.2f}",
      },
      {
        ...group,
        ...aside,
        y: mu,
        name: "strength, ± 3 sigma",
        showlegend: isLast,
        line: { ...line, width: 1.5, dash: "dot" },
        marker: { color: line.color, size: 6 },
        error_y: { type: "data", array: three, color: fillcolor, width: 0, thickness: 14, visible: x.length === 1 },
      },
    ];
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

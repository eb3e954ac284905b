// What a round came to: the score on a line with people and published agents, and a table of scenarios.

import { el, svg } from "../../shared/dom.js";
import { capital } from "../words.js";

const [WIDTH, EDGE] = [760, 34];
const ROW = 17; // pixels of a row of names

export function resultOf(record) {
  const { score, scenarios, published, player, file } = record;
  return [
    el("p", { class: "big" }, "Your Phy-Q score: ", el("strong", {}, score.toFixed(1))),
    el("p", { class: "muted" }, "People have 100, shooting at random has 0. Scenarios 1 and 2 (*) do not count."),
    line(score, player, published),
    table(scenarios),
    el("p", { class: "muted" }, "Let an agent play the same tasks, and compare:"),
    el("pre", {}, `comphy phyq evaluate --agent bambirds --round ${file} --json out/bambirds_round.json\ncomphy phyq compare ${file} out/bambirds_round.json`),
  ];
}

// Names stand in rows of their own where they would run into each other.
function line(score, player, published) {
  const marks = [
    { name: "people", score: 100, kind: "people" },
    { name: player, score, kind: "yours" },
    ...published.filter((one) => one.score > 10 || one.name === "random").map((one) => ({ ...one, kind: "agent" })),
  ].sort((one, other) => one.score - other.score);
  const [low, high] = [Math.min(-10, score - 5), Math.max(115, score + 8)];
  const x = (value) => EDGE + ((WIDTH - 2 * EDGE) * (value - low)) / (high - low);
  const ends = []; // of the last name in each row
  const drawn = marks.map((one) => {
    const half = 4 * one.name.length;
    let row = ends.findIndex((end) => end < x(one.score) - half - 6);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = x(one.score) + half;
    return svg("g", { class: one.kind }, svg("circle", { cx: x(one.score), cy: 26, r: one.kind === "yours" ? 9 : 6 }),
      svg("line", { x1: x(one.score), x2: x(one.score), y1: 34, y2: 44 + ROW * row }),
      svg("text", { x: x(one.score), y: 58 + ROW * row }, one.name));
  });
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${58 + ROW * ends.length}`, class: "scale", role: "img", "aria-label": `Scores: ${marks.map((one) => `${one.name} ${one.score.toFixed(0)}`).join(", ")}` },
    svg("line", { class: "axis", x1: EDGE, x2: WIDTH - EDGE, y1: 26, y2: 26 }), drawn);
}

function table(scenarios) {
  const bar = (share, kind) => el("span", { class: `bar ${kind}`, style: { "--share": share } });
  return el("table", {},
    el("thead", {}, el("tr", {}, ["Scenario", "you", "people", ""].map((words) => el("th", { scope: "col" }, words || el("span", { class: "unseen" }, "Both as bars"))))),
    el("tbody", {}, scenarios.map(({ number, name, yours, people, counts }) => el("tr", {},
      el("th", { scope: "row" }, `${number} ${capital(name)}${counts ? "" : " *"}`),
      el("td", {}, yours === null ? "–" : yours.toFixed(2)), el("td", {}, people.toFixed(2)),
      el("td", {}, bar(yours ?? 0, "yours"), bar(people, "people"))))));
}

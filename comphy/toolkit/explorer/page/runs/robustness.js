// How accuracies hold when frames are compressed, noisy, darker, or filmed otherwise: a row for each condition, a dot with its
// interval for each run.

import { el, svg } from "../shared/dom.js";
import { colorOf } from "../shared/plot.js";
import { remember } from "../shared/router.js";

const ROW = 22;
const EDGE = { right: 16, top: 6, bottom: 22 };
const WIDEST = 760;
const percent = (share) => (100 * share).toFixed(1);

export function robustness(tables, chosen, room) {
  if (!tables.length) return null;
  const columns = [...new Set(tables.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row.columns))))];
  const place = el("div", {});
  const draw = (column) => place.replaceChildren(dots(tables, column, Math.min(room, WIDEST)));
  const select = el("select", { onchange: () => {
    remember({ stressed: select.value });
    draw(select.value);
  } }, columns.map((value) => el("option", { value, selected: value === chosen.stressed }, value.replaceAll("_", " "))));
  draw(select.value);
  return el("section", {}, el("h2", {}, "Robustness"), el("p", { class: "muted" }, "Accuracy in % by what happened to the frames, with 95 % intervals. The line is the accuracy on frames as drawn."),
    el("form", { class: "filters plain", onsubmit: (event) => event.preventDefault() }, el("label", {}, el("span", {}, "Accuracy"), select)), place);
}

function dots(tables, column, width) {
  const names = [...new Map(tables.flatMap(({ rows }) => rows).map((row) => [row.name, row.about])).entries()];
  const left = width < 500 ? 120 : 230;
  const height = EDGE.top + ROW * names.length + EDGE.bottom;
  const figures = tables.flatMap(({ rows }) => rows.flatMap((row) => row.columns[column] ?? []));
  const least = Math.floor(10 * Math.min(...figures)) / 10;
  const most = Math.max(Math.ceil(10 * Math.max(...figures)) / 10, least + 0.1);
  const x = (value) => left + ((width - left - EDGE.right) * (value - least)) / (most - least);
  const y = (name) => EDGE.top + ROW * (names.findIndex(([one]) => one === name) + 0.5);
  const steps = Array.from({ length: Math.round(10 * (most - least)) + 1 }, (_, k) => least + k / 10).filter((_, k, all) => all.length < 7 || k % 2 === 0);
  const bottom = height - EDGE.bottom;
  const mark = (table, number, row) => {
    const [accuracy, low, high] = row.columns[column];
    const at = y(row.name) + 5 * (number - (tables.length - 1) / 2);
    return svg("g", { style: { color: colorOf(number) } }, svg("title", {}, `${table.run}, ${row.about}: ${percent(accuracy)} (${percent(low)} to ${percent(high)}), ${row.sets} sets`),
      svg("line", { x1: x(low), x2: x(high), y1: at, y2: at, stroke: "currentColor", "stroke-width": 2 }), svg("circle", { cx: x(accuracy), cy: at, r: 4, fill: "currentColor" }));
  };
  const drawing = svg("svg", { class: "plot dots-plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Robustness: ${column.replaceAll("_", " ")}` },
    steps.map((value) => svg("g", {}, svg("line", { x1: x(value), x2: x(value), y1: EDGE.top, y2: bottom, class: "grid" }), svg("text", { x: x(value), y: height - 6, class: "tick step" }, Math.round(100 * value)))),
    names.map(([name, about]) => svg("text", { x: left - 10, y: y(name) + 4, class: "tick value" }, left > 200 ? about : name)),
    tables.map(({ rows: [first] }, number) => first?.columns[column] && svg("line", { x1: x(first.columns[column][0]), x2: x(first.columns[column][0]), y1: EDGE.top, y2: bottom, stroke: colorOf(number), "stroke-dasharray": "3 3" })),
    tables.flatMap((table, number) => table.rows.filter((row) => row.columns[column]).map((row) => mark(table, number, row))));
  const legend = el("ul", { class: "legend" }, tables.map(({ run }, number) => el("li", {}, el("i", { class: "dot", style: { background: colorOf(number) } }), run)));
  return el("figure", {}, drawing, legend);
}

// Curves: a line for each series, axes with round numbers, and a legend.

import { el, svg } from "./dom.js";

const HEIGHT = 260;
const WIDEST = 760;
const EDGE = { left: 52, right: 22, top: 10, bottom: 26 };
const COLORS = ["#3b7dd8", "#c9581d", "#2b8f63", "#b3398f", "#8a7200", "#7069d8"]; // readable on light and on dark
export const colorOf = (number) => COLORS[number % COLORS.length];
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

// `series`: { label, group, kind, points: [[x, y], …] }. A group has a colour, a kind a dash. With `even`, both axes go from
// 0 to 1, and a diagonal shows where x is y.
export function plot(series, words, room, even = false) {
  const width = Math.min(room, WIDEST);
  const groups = [...new Set(series.map(({ group }) => group))];
  const kinds = [...new Set(series.map(({ kind }) => kind))];
  const look = ({ group, kind }) => ({ stroke: colorOf(groups.indexOf(group)), "stroke-dasharray": DASHES[kinds.indexOf(kind) % DASHES.length] });
  const all = even ? [[0, 0], [1, 1]] : series.flatMap(({ points }) => points);
  const [xs, ys] = [0, 1].map((k) => ticks(all.map((point) => point[k])));
  const x = scaled(xs, EDGE.left, width - EDGE.right);
  const y = scaled(ys, HEIGHT - EDGE.bottom, EDGE.top);
  const drawing = svg("svg", { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": words },
    ys.map((value) => svg("g", {}, svg("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value), class: "grid" }), svg("text", { x: EDGE.left - 8, y: y(value) + 4, class: "tick value" }, short(value)))),
    xs.map((value) => svg("text", { x: x(value), y: HEIGHT - 6, class: "tick step" }, short(value))),
    even && svg("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "diagonal" }),
    series.map((one) => curve(one.points.map(([step, value]) => [x(step), y(value)]), look(one), one.label)),
    even && series.flatMap((one) => one.points.map(([step, value]) => svg("circle", { cx: x(step), cy: y(value), r: 3.5, fill: look(one).stroke }))));
  const legend = el("ul", { class: "legend" }, series.map((one) => el("li", {},
    svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, svg("line", { x1: 0, x2: 26, y1: 5, y2: 5, "stroke-width": 2, ...look(one) })), one.label)));
  return el("figure", {}, drawing, legend);
}

const curve = (places, look, label) =>
  svg("polyline", { points: places.map((place) => place.map((one) => one.toFixed(1)).join(",")).join(" "), class: "curve", ...look }, svg("title", {}, label));

const scaled = (values, from, to) => (value) => from + ((to - from) * (value - values[0])) / (values.at(-1) - values[0]);

// Round numbers around values, at least two.
function ticks(values) {
  const [low, high] = values.reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [Infinity, -Infinity]);
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => span / one <= 5);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

export const short = (value) => (Math.abs(value) >= 1000 ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : String(Number(value.toPrecision(3))));

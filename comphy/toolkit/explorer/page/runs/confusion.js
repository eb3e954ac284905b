// What runs take for what: of a family of questions, how often each true answer was given which one.

import { load } from "../shared/data.js";
import { el, plural } from "../shared/dom.js";
import { remember } from "../shared/router.js";

export class Confusion {
  constructor(chosen) {
    this.chosen = chosen;
    this.tables = new Map(); // by split
    this.place = el("div", { class: "matrices" });
    this.element = el("section", {}, el("h2", {}, "Confusion by family"));
  }

  async open(split) {
    if (!this.tables.has(split)) this.tables.set(split, (await load(`api/runs/splits/${split}/confusion`)).confusion);
    const table = this.tables.get(split);
    const families = [...new Map(table.map(({ kind, family }) => [`${kind}/${family}`, { kind, family }])).entries()];
    const size = (key) => table.filter(({ kind, family }) => `${kind}/${family}` === key).flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell[2], 0);
    const largest = families.map(([key]) => key).reduce((best, key) => (size(key) > size(best) ? key : best), families[0]?.[0]);
    const now = families.some(([key]) => key === this.chosen.confusion) ? this.chosen.confusion : largest;
    const words = ({ kind, family }) => [kind, family !== kind && family.replaceAll("_", " ")].filter(Boolean).join(" · ");
    const select = el("select", { onchange: () => this.choose(table, select.value) }, families.map(([value, one]) => el("option", { value, selected: value === now }, words(one))));
    this.element.replaceChildren(el("h2", {}, "Confusion by family"),
      el("form", { class: "filters plain", onsubmit: (event) => event.preventDefault() }, el("label", {}, el("span", {}, "Family"), select)), this.place);
    this.show(table, now);
  }

  choose(table, key) {
    this.chosen.confusion = key;
    remember({ confusion: key });
    this.show(table, key);
  }

  show(table, key) {
    this.place.replaceChildren(...table.filter(({ kind, family }) => `${kind}/${family}` === key).map(matrix));
    this.place.append(key.startsWith("factual") ? "" : el("p", { class: "muted" }, "Every choice of a question is a case: it is correct or wrong, and was held to be so."));
  }
}

// Rows are true answers, columns given ones; the darker a cell, the larger its share of the row.
function matrix({ run, cells }) {
  const counts = new Map(cells.map(([truth, given, count]) => [`${truth}\n${given}`, count]));
  const [truths, givens] = [0, 1].map((k) => [...new Set(cells.map((cell) => cell[k]))]);
  const order = (a, b) => (Number(a) || 0) - (Number(b) || 0) || a.localeCompare(b);
  const rows = truths.sort(order);
  const columns = [...new Set([...givens, ...truths])].sort((a, b) => rows.includes(b) - rows.includes(a) || order(a, b));
  const total = (truth) => cells.filter((cell) => cell[0] === truth).reduce((sum, cell) => sum + cell[2], 0);
  const cell = (truth, given) => {
    const count = counts.get(`${truth}\n${given}`) ?? 0;
    const share = count / total(truth);
    return el("td", { class: `cell${truth === given ? " agreed" : ""}`, style: { "--share": share }, title: `${truth}, taken for ${given}: ${count} of ${total(truth)}` }, count ? String(count) : el("span", { class: "muted" }, "·"));
  };
  const all = cells.reduce((sum, one) => sum + one[2], 0);
  return el("div", {}, el("h3", {}, run), el("div", { class: "wide" }, el("table", { class: "matrix" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "truth ↓ given →"), columns.map((given) => el("th", { scope: "col" }, given)))),
    el("tbody", {}, rows.map((truth) => el("tr", {}, el("th", { scope: "row" }, truth), columns.map((given) => cell(truth, given))))))),
  el("p", { class: "muted" }, `${plural(all, "case")}`));
}

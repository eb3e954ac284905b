// The runs: how good they are, where they are wrong, and where one is right and another wrong.

import { Confusion } from "../runs/confusion.js";
import { pairTable } from "../runs/pair.js";
import { robustness } from "../runs/robustness.js";
import { load } from "../shared/data.js";
import { el, plural } from "../shared/dom.js";
import { plot, short } from "../shared/plot.js";
import { remember } from "../shared/router.js";
import { addressOf, stepThrough } from "../shared/steps.js";

const AT_ONCE = 100; // questions that are listed before more are asked for
const percent = (share) => (100 * share).toFixed(1);

export function showRuns(root, { query }, site) {
  document.title = "Runs · comphy";
  const place = el("div", {}, el("h1", {}, "Runs"));
  root.append(place);
  if (!site.runs.length) {
    place.append(el("p", { class: "muted" }, "No run is open. Name runs that answered the questions of a source:"), el("pre", {}, "comphy explore out/comphy --run out/runs/pcr --run out/runs/blind_lstm"));
    return () => {};
  }
  const aborted = new AbortController();
  const waiting = el("p", { role: "status" }, "Reading answers …");
  place.append(waiting);
  let view = null;
  load("api/runs", aborted.signal).then(({ splits }) => {
    waiting.remove();
    view = new RunsView(place, splits, site, query);
  }).catch((error) => {
    if (error.name !== "AbortError") waiting.replaceWith(el("p", { class: "problem", role: "alert" }, error.message));
  });
  return () => {
    aborted.abort();
    view?.close();
  };
}

class RunsView {
  constructor(place, splits, site, query) {
    Object.assign(this, { place, splits, site, questions: new Map(), shown: AT_ONCE });
    this.chosen = { split: splits[0]?.split, wrong: site.runs[0], right: "", kind: "", ...Object.fromEntries(query) };
    this.body = el("div", {});
    this.list = el("div", {});
    place.append(this.body);
    this.training = el("div", {});
    this.pair = el("div", {});
    this.confusion = new Confusion(this.chosen);
    this.listen = (event) => this.key(event);
    addEventListener("keydown", this.listen);
    this.show();
    this.openCurves();
  }

  // What training logged more than once; figures of one name and several stages or splits share a plot.
  async openCurves() {
    const { curves } = await load("api/runs/curves").catch(() => ({ curves: [] }));
    const series = curves.flatMap(({ run, series: several }) => several.map(({ name, points }) => ({ label: `${run}: ${name}, last ${short(points.at(-1)[1])}`, group: run, kind: name, points, figure: name.split("/").at(-1) }))).filter(({ points }) => points.length > 1);
    const figures = [...new Set(series.map(({ figure }) => figure))].sort((a, b) => (b === "loss") - (a === "loss") || a.localeCompare(b));
    if (!figures.length) return;
    const place = el("div", {});
    const select = el("select", { onchange: () => draw(select.value) }, figures.map((value) => el("option", { value, selected: value === this.chosen.curve }, value.replaceAll("_", " "))));
    const draw = (figure) => {
      this.chosen.curve = figure === figures[0] ? null : figure;
      remember({ curve: this.chosen.curve });
      place.replaceChildren(plot(series.filter((one) => one.figure === figure), `${figure} over steps of training`, place.clientWidth));
    };
    this.training.replaceChildren(el("section", { class: "training" }, el("h2", {}, "Training"), el("form", { class: "filters plain", onsubmit: (event) => event.preventDefault() }, el("label", {}, el("span", {}, "Figure"), select)), place));
    draw(select.value);
  }

  // j and k lead down and up the list of answers.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !["j", "k"].includes(event.key) || event.target.matches?.("input, select")) return;
    const links = [...this.list.querySelectorAll(".asked a")];
    const at = links.indexOf(document.activeElement);
    const link = links[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "center" });
    event.preventDefault();
  }

  close() {
    removeEventListener("keydown", this.listen);
  }

  get board() {
    return this.splits.find(({ split }) => split === this.chosen.split) ?? this.splits[0];
  }

  show() {
    const { board } = this;
    const split = this.splits.length > 1 && el("div", { class: "chips", role: "group", "aria-label": "Split" },
      this.splits.map((one) => el("button", { class: "chip", "aria-pressed": String(one === board), onclick: () => this.set({ split: one.split }) }, one.split)));
    this.body.replaceChildren(...[split, this.table(board), this.families(board), this.confusion.element, this.twoRuns(board), this.calibration(board), robustness(board.robustness, this.chosen, this.place.clientWidth), this.training, el("h2", { class: "apart" }, "Answers"), this.filters(board), this.list].filter(Boolean));
    this.confusion.open(board.split).catch((error) => this.confusion.element.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message)));
    this.fill();
  }

  set(given) {
    Object.assign(this.chosen, given);
    remember(this.chosen);
    this.shown = AT_ONCE;
    this.show();
  }

  table({ columns, systems, split, sets }) {
    const best = Object.fromEntries(columns.map((column) => [column, Math.max(...systems.map((one) => one.columns[column].accuracy))]));
    const cell = (one, column) => {
      const { accuracy, low, high } = one.columns[column];
      return el("td", { class: "figure" }, el("span", { class: accuracy === best[column] ? "strong" : "" }, percent(accuracy)), one.below_best.includes(column) ? el("sup", { title: "below the best beyond chance" }, "↓") : "",
        el("span", { class: "interval" }, `${percent(low)} – ${percent(high)}`), el("span", { class: "meter", style: { "--share": accuracy } }));
    };
    const head = [el("th", { scope: "col" }, "run"), ...columns.map((column) => el("th", { scope: "col", class: "figure" }, column.replaceAll("_", " ")))];
    return el("section", {}, el("h2", {}, `Accuracy in % on ${split}`), el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, systems.map((one) => el("tr", {}, el("th", { scope: "row", class: "run" }, one.name), columns.map((column) => cell(one, column))))))),
    el("p", { class: "muted" }, `${plural(sets, "set")}, with 95 % intervals. ↓ is below the best of its column beyond chance.`));
  }

  families({ systems }) {
    const names = [...new Map(systems.flatMap((one) => one.families).map((one) => [`${one.kind} ${one.family}`, one])).values()];
    const share = (system, { kind, family }) => system.families.find((one) => one.kind === kind && one.family === family);
    const rows = names.map((name) => el("tr", {}, el("td", {}, `${name.kind} · ${name.family.replaceAll("_", " ")}`), el("td", { class: "figure muted" }, String(name.count)),
      systems.map((system) => {
        const found = share(system, name);
        return el("td", { class: "figure" }, found ? percent(found.accuracy) : "", el("span", { class: "meter", style: { "--share": found?.accuracy ?? 0 } }));
      })));
    const head = ["family", "questions", ...systems.map(({ name }) => name)].map((words, k) => el("th", { scope: "col", class: k ? "figure" : "" }, words));
    return el("details", {}, el("summary", {}, "By family of questions"), el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))));
  }

  // Whether a run that is 87 % sure is right in 87 % of all cases: a plot for each kind of question.
  calibration({ calibration }) {
    const kinds = [...new Set(calibration.flatMap(({ kinds: told }) => Object.keys(told)))];
    if (!kinds.length) return null;
    const series = (kind) => calibration.filter((one) => one.kinds[kind]).map(({ run, kinds: { [kind]: { error, points } } }) => ({ label: `${run}, expected calibration error ${percent(error)} %`, group: run, kind, points }));
    const room = Math.min(this.place.clientWidth, 420);
    const plots = kinds.map((kind) => el("div", {}, el("h3", {}, kind), plot(series(kind), `Calibration of ${kind} answers`, room, true)));
    return el("section", {}, el("h2", {}, "Calibration"), el("p", { class: "muted" }, "How often answers are right, by how sure the run was of them. On the diagonal, both are the same."), el("div", { class: "plots" }, plots));
  }

  // Who is right where: the first two, or those that are chosen.
  twoRuns({ systems }) {
    const names = systems.map(({ name }) => name);
    if (names.length < 2) return null;
    const one = names.includes(this.chosen.one) ? this.chosen.one : names[0];
    const other = names.includes(this.chosen.other) && this.chosen.other !== one ? this.chosen.other : names.find((name) => name !== one);
    const choice = (key, words, now) => {
      const select = el("select", { onchange: () => this.set({ [key]: select.value }) }, names.map((value) => el("option", { value, selected: value === now }, value)));
      return el("label", {}, el("span", {}, words), select);
    };
    this.compared = [one, other];
    return el("section", {}, el("h2", {}, "Two runs"), names.length > 2 ? el("form", { class: "filters plain", onsubmit: (event) => event.preventDefault() }, choice("one", "One", one), choice("other", "The other", other)) : "", this.pair);
  }

  filters({ systems }) {
    const choice = (name, words, options) => {
      const select = el("select", { onchange: () => this.set({ [name]: select.value }) }, options.map(([value, text]) => el("option", { value, selected: this.chosen[name] === value }, text)));
      return el("label", {}, el("span", {}, words), select);
    };
    const names = systems.map(({ name }) => [name, name]);
    return el("form", { class: "filters plain", onsubmit: (event) => event.preventDefault() },
      choice("wrong", "Wrong by", [["", "anyone or nobody"], ...names]), choice("right", "Right by", [["", "anyone or nobody"], ...names]),
      choice("kind", "Kind", [["", "any"], ...["factual", "predictive", "counterfactual", "explanatory"].map((one) => [one, one])]));
  }

  async fill() {
    const { split } = this.board;
    if (!this.questions.has(split)) {
      this.list.replaceChildren(el("p", { role: "status" }, "Reading answers …"));
      try {
        this.questions.set(split, (await load(`api/runs/splits/${split}`)).questions);
      } catch (error) {
        this.list.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
        return;
      }
    }
    const list = (given) => {
      this.set(given);
      this.list.scrollIntoView({ block: "start" });
    };
    if (this.board.systems.length > 1) this.pair.replaceChildren(pairTable(this.questions.get(split), this.compared, list));
    const { wrong, right, kind } = this.chosen;
    const by = (question, name) => question.answers.find(({ run }) => run === name);
    const found = this.questions.get(split).filter((one) => (!wrong || by(one, wrong)?.right === false) && (!right || by(one, right)?.right === true) && (!kind || one.kind === kind));
    stepThrough(found);
    const more = found.length > this.shown && el("button", { onclick: () => { this.shown += AT_ONCE; this.fill(); } }, `Show ${Math.min(AT_ONCE, found.length - this.shown)} more`);
    this.list.replaceChildren(el("p", { class: "count", role: "status" }, `${plural(found.length, "question")} of ${this.questions.get(split).length.toLocaleString("en")}`),
      el("p", { class: "count by-keys" }, el("kbd", {}, "j"), " and ", el("kbd", {}, "k"), " step through them, here and in the sets."),
      el("ol", { class: "questions" }, found.slice(0, this.shown).map((one) => this.question(one))), more || "");
  }

  question({ set, id, kind, family, text, truth, answers }) {
    return el("li", {}, el("p", { class: "asked" }, el("a", { class: "strong", href: addressOf({ set, id }) }, text), el("span", { class: "muted" }, `set ${set} · ${kind}${family && family !== kind ? ` · ${family.replaceAll("_", " ")}` : ""}`)),
      el("p", {}, "Truth: ", el("span", { class: "correct" }, truth)),
      answers.map(({ run, words, right }) => el("p", { class: "given" }, el("span", { class: right ? "correct" : "problem" }, right ? "✓" : "✗"), ` ${run}: ${words}`)));
  }
}

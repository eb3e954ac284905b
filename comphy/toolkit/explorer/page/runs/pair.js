// Two runs compared: how many questions both, one, or neither of them answered rightly.

import { el } from "../shared/dom.js";

// `choose({ wrong, right })` lists the questions that one got right and the other wrong.
export function pairTable(questions, [first, second], choose) {
  const right = ({ answers }, run) => answers.find((one) => one.run === run)?.right;
  const both = questions.filter((one) => right(one, first) !== undefined && right(one, second) !== undefined);
  const kinds = ["all", ...new Set(both.map(({ kind }) => kind))];
  const row = (kind) => {
    const among = both.filter((one) => kind === "all" || one.kind === kind);
    const count = (a, b) => among.filter((one) => right(one, first) === a && right(one, second) === b).length;
    const only = (good, bad, found) => el("td", { class: "figure" }, found ? el("button", { class: "frame", onclick: () => choose({ right: good, wrong: bad, kind: kind === "all" ? "" : kind }), "aria-label": `List the ${found} that ${good} has right and ${bad} wrong` }, String(found)) : "0");
    return el("tr", {}, el("th", { scope: "row" }, kind), el("td", { class: "figure" }, String(count(true, true))), only(first, second, count(true, false)), only(second, first, count(false, true)), el("td", { class: "figure" }, String(count(false, false))));
  };
  const head = ["questions", "both right", `only ${first}`, `only ${second}`, "neither"].map((words, k) => el("th", { scope: "col", class: k ? "figure" : "" }, words));
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, kinds.map(row))));
}

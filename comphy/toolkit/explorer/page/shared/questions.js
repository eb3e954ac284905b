// The questions of a set: answers and choices in sight, how they follow folded, evidence that leads to its frame.

import { code, el } from "./dom.js";

// Signs and words, not colours alone, tell right from wrong.
const verdict = (correct) =>
  correct === null ? el("span", { class: "verdict" }, "unknown") : el("span", { class: correct ? "verdict correct" : "verdict" }, correct ? "✓ correct" : "✗ wrong");

export function questionList(set, actions) {
  const remark = set.remark ? el("p", { class: "muted" }, set.remark) : "";
  return el("div", {}, remark, el("ol", { class: "questions" }, set.questions.map((question) => el("li", { id: `question-${question.id}` }, ...parts(question, set, actions)))));
}

function parts(question, set, actions) {
  const sort = [question.kind, question.family !== question.kind && question.family.replaceAll("_", " ")].filter(Boolean).join(" · ");
  return [
    el("p", { class: "asked" }, el("span", { class: "strong" }, question.text), el("span", { class: "muted" }, sort)),
    question.choices.length ? choices(question) : el("p", {}, "Answer: ", el("span", { class: "correct" }, question.answer ?? "unknown")),
    question.problem && el("p", { class: "problem" }, `Problem: ${question.problem}`),
    question.evidence.length > 0 && evidence(question, actions),
    question.steps.length > 0 && details(question, actions),
    (!set.asked || set.asked.includes(question.text)) && el("p", { class: "shown" }, el("button", { class: "chip", onclick: () => actions.ask(question.text) }, set.asked ? "What the model says" : "Ask the model")),
  ].filter(Boolean);
}

const choices = (question) =>
  el("ul", { class: "choices" }, question.choices.map((choice) => el("li", {}, el("span", { class: "muted" }, String(choice.id)), verdict(choice.correct), el("span", {}, choice.text))));

const evidence = (question, actions) =>
  el("p", { class: "shown" }, el("span", { class: "muted" }, "Seen in"),
    question.evidence.map(({ video, frame, words }) => el("button", { class: "chip", onclick: () => actions.seek(video, frame) }, words)));

function details(question, actions) {
  const run = question.run && question.premise
    ? el("p", {}, "In the other world ", el("button", { class: "chip", onclick: () => actions.choose(question.run) }, question.premise)) : "";
  const rows = question.steps.map((step) => row(String(step.number), call(step), step.result));
  const judged = question.verdicts.map(({ choice, event, holds, steps }) => {
    const said = steps.map((step) => `${step.call}: ${step.result.join(", ")}`).join(", ");
    return row("", el("span", {}, `choice ${choice}`), [event, el("span", {}, `${said}, so `, verdict(holds))]);
  });
  return el("details", {}, el("summary", {}, "How it follows"), run, el("table", { class: "trace" }, el("tbody", {}, rows, judged)),
    el("p", {}, el("span", { class: "muted" }, "Program "), code(question.program.join(" "))));
}

const call = (step) => {
  const others = step.takes.length && !(step.takes.length === 1 && step.takes[0] === step.number - 1);
  return el("span", {}, code(step.call), others ? el("span", { class: "of" }, ` of ${step.takes.join(", ")}`) : "");
};

const row = (number, first, lines) =>
  el("tr", {}, number ? el("th", { scope: "row", class: "muted" }, number) : el("td"), el("th", { scope: "row" }, first), el("td", {}, lines.map((line) => el("div", {}, line))));

// A question in plain words: the answer, how sure it is, and every step by the model and by the truth.

import { postStream } from "./data.js";
import { code, el } from "./dom.js";

const EXAMPLES = ["What will happen next?", "Are there any charged objects?", "How many objects are heavy?", "How many collisions are there?"];
const LIKELY = 0.5;
const percent = (chance) => `${Math.round(100 * chance)}\u00a0%`;

export class Ask {
  // `answerers`: who can be asked; `actions`: light(numbers), seek(video, frame), imagine(motion, words) and remember(query)
  // of the page; `query`: of its address.
  constructor(set, path, answerers, actions, query) {
    Object.assign(this, { set, path, answerers, actions });
    const question = query.get("ask") ?? "";
    this.input = set.asked ? this.choice(set.asked, question) : el("input", { type: "text", class: "line", "aria-label": "Question", list: "suggestions", maxlength: 400, placeholder: "Ask about this set, such as: What will happen next?", value: question, autocomplete: "off" });
    const suggestions = [...new Set([...EXAMPLES, ...set.questions.map(({ text }) => text)])];
    const free = [el("button", { class: "primary" }, "Ask"), el("datalist", { id: "suggestions" }, suggestions.map((value) => el("option", { value })))];
    this.by = el("select", { "aria-label": "Answered by", onchange: () => this.told && this.ask(this.told.asked) }, answerers.map((name) => el("option", { value: name, selected: name === query.get("by") }, `by ${name}`)));
    this.result = el("div", { class: "answer", "aria-live": "polite" });
    const form = el("form", { class: "asking", onsubmit: (event) => this.submit(event) }, this.input, this.by, set.asked ? [] : free);
    this.element = el("section", {}, el("h2", {}, set.asked ? "Asked" : "Ask"), form, this.result);
    if (question) this.ask({ question });
  }

  // The questions of an exported page.
  choice(asked, now) {
    return el("select", { class: "line", "aria-label": "Question", onchange: (event) => this.submit(event) },
      el("option", { value: "" }, "Choose a question …"), asked.map((value) => el("option", { value, selected: value === now }, value)));
  }

  submit(event) {
    event.preventDefault();
    const question = this.input.value.trim();
    if (question) this.ask({ question });
  }

  async ask(asked) {
    this.aborted?.abort();
    const { signal } = (this.aborted = new AbortController());
    this.told = { asked, alone: this.by.value === this.answerers.at(-1) };
    const by = this.by.value;
    this.actions.remember({ ...(asked.question ? { ask: asked.question } : {}), by: by === this.answerers[0] ? null : by });
    this.show();
    try {
      await postStream(this.path, { ...asked, by }, (lines) => {
        for (const line of lines) this.take(line);
      }, signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.take({ error: error.message });
    }
    delete this.told.stage;
    this.show();
  }

  take(line) {
    Object.assign(this.told, line);
    if (line.reply?.imagined) this.actions.imagine({ ...line.reply.imagined, objects: this.set.objects }, this.told.read.reading || this.told.asked.question || "");
    this.show();
  }

  show() {
    const { stage, error, readings, read, reply, alone } = this.told;
    const parts = [];
    if (error) parts.push(el("p", { class: "problem", role: "alert" }, error));
    if (readings?.length) parts.push(el("p", { class: "shown" }, el("span", { class: "muted" }, "Did you mean"), readings.map((words) => el("button", { class: "chip", onclick: () => this.choose(words) }, words))));
    if (reply) parts.push(...this.answer(reply));
    if (alone && read?.steps.length) parts.push(el("p", { class: "sentence" }, answerOf(read)));
    if (stage && !error && !reply) parts.push(el("p", { class: "muted busy", role: "status" }, stage));
    if (read) parts.push(...this.how(read, reply));
    this.result.replaceChildren(...parts);
  }

  choose(words) {
    this.input.value = words;
    this.ask({ question: words });
  }

  answer({ sentence, sure, several, others, remarks, clip, can_be_drawn: canBeDrawn }) {
    const { certainty, reading } = this.told.read;
    const doubts = [`${percent(sure)} sure${several ? " of the least sure part" : ""}`];
    if (others.length) doubts.push(`otherwise ${others.map(({ words, chance }) => `${words} (${percent(chance)})`).join(", ")}`);
    if (certainty < 0.9) doubts.push(`understood with ${percent(certainty)} certainty${reading ? ` as: ${reading}` : ""}`);
    return [el("p", { class: "sentence" }, sentence), el("p", { class: "muted" }, doubts.join("; ")), ...remarks.map((words) => el("p", { class: "muted" }, words)),
      ...(canBeDrawn && !this.set.asked && !clip ? [this.clipMaker()] : []), ...(clip ? [el("video", { class: "clip", src: clip, controls: true, loop: true, playsinline: true, preload: "metadata", "aria-label": "Recorded, and as the model imagines it" })] : [])];
  }

  // Films take long to draw: they are made if somebody wants them.
  clipMaker() {
    const status = el("span", { role: "status", class: "muted" });
    const button = el("button", { class: "chip", onclick: () => this.makeClip(button, status) }, "Make a clip of what it imagines");
    return el("p", { class: "shown" }, button, status);
  }

  async makeClip(button, status) {
    const { reply, asked } = this.told;
    button.disabled = true;
    status.classList.add("busy");
    try {
      await postStream(this.path.replace(/ask$/, "clip"), { ...asked, by: this.by.value }, (lines) => {
        for (const { stage, clip, error } of lines) {
          status.textContent = error ?? stage ?? "";
          if (clip) reply.clip = `media/clips/${clip}`;
        }
      }, this.aborted.signal);
    } catch (error) {
      if (error.name !== "AbortError") status.textContent = error.message;
    }
    button.disabled = false;
    status.classList.remove("busy");
    if (reply.clip && this.told.reply === reply) this.show();
  }

  how(read, reply) {
    const { alone } = this.told;
    const steps = reply?.steps ?? read.steps.map((step) => ({ ...step, items: null }));
    const truth = new Map(read.steps.map((step) => [step.number, step]));
    const first = steps.find((step) => step.same === false)?.number;
    const rows = inTree(steps).map(([step, depth]) => this.row(step, depth, truth.get(step.number), step.number === first));
    const program = el("input", { type: "text", class: "line code", "aria-label": "Program", value: read.program, maxlength: 400 });
    const run = (event) => {
      event.preventDefault();
      this.ask({ program: program.value });
    };
    return [
      read.problem && el("p", { class: "muted" }, `No truth to compare with: ${read.problem}`),
      el("table", { class: "steps" }, el("thead", {}, el("tr", {}, ["step", !alone && "by the model", "by the simulator"].filter(Boolean).map((words) => el("th", { scope: "col" }, words)))), el("tbody", {}, rows)),
      reply && read.steps.length > 0 && el("p", { class: "muted" }, first === undefined ? "Every step that can be compared is the same." : `They first differ in step ${first}.`),
      el("details", {}, el("summary", {}, "Program"), this.set.asked ? el("p", {}, code(read.program)) : el("form", { class: "asking", onsubmit: run }, program, el("button", {}, "Run it"))),
    ].filter(Boolean);
  }

  row(step, depth, truth, isFirst) {
    const items = (list) => (list ?? []).map((item) => this.item(typeof item === "string" ? { words: item } : item));
    const words = [...(step.items ?? []).filter(({ chance }) => (chance ?? 1) > LIKELY).map((item) => item.words), ...(truth?.items ?? [])];
    const numbers = this.set.objects.flatMap((object, number) => (words.some((one) => one.includes(object.name)) ? [number] : []));
    const frames = words.map((one) => Number(/frame (\d+)$/.exec(one)?.[1] ?? NaN)).filter((frame) => frame >= 0);
    const [point, leave] = [() => this.actions.light(numbers, frames), () => this.actions.light([])];
    return el("tr", { class: isFirst ? "differs" : "", tabindex: 0, onpointerenter: point, onpointerleave: leave, onfocusin: point, onfocusout: leave },
      el("td", { style: { "padding-left": `${depth * 12}px` } }, el("span", { class: "muted" }, `${step.number} `), code(step.call), isFirst ? el("span", { class: "problem" }, " first difference") : ""),
      !this.told.alone && el("td", {}, step.items ? items(step.items) : el("span", { class: "muted" }, "…")), el("td", {}, truth ? items(truth.items) : ""));
  }

  // A result in words; a frame that it names can be gone to.
  item({ words, chance }) {
    const [, before, frame] = /^(.*?)(?:at )?frame (\d+)$/.exec(words) ?? [null, words, null];
    return el("div", { class: chance !== undefined && chance !== null && chance <= LIKELY ? "muted" : "" }, before,
      frame !== null && el("button", { class: "frame", onclick: () => this.actions.seek("target", Number(frame)) }, `frame ${frame}`),
      chance !== undefined && chance !== null ? el("span", { class: "muted" }, ` ${percent(chance)}`) : "");
  }

  close() {
    this.aborted?.abort();
  }
}

// What the last step of the truth found; an open question asks for all of it.
const answerOf = ({ steps }) => (steps.at(-1)?.items ?? []).join("; ");

// Steps from the last to those that it takes, with their depths.
function inTree(steps) {
  const byNumber = new Map(steps.map((step) => [step.number, step]));
  const taken = new Set(steps.flatMap(({ takes }) => takes));
  const walk = (step, depth) => [[step, depth], ...step.takes.flatMap((number) => (byNumber.has(number) ? walk(byNumber.get(number), depth + 1) : []))];
  return steps.filter(({ number }) => !taken.has(number)).reverse().flatMap((step) => walk(step, 0));
}

// What if an object were heavier, charged otherwise, or began elsewhere: sliders whose world Bullet simulates at once, and
// the learned dynamics of a model beside it.

import { post } from "./data.js";
import { el, tag } from "./dom.js";
import { signOf } from "./layers.js";
import { readableOn } from "./scene.js";

const MASSES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10];
const CHARGES = [-2, 2];
const REACH = 8; // how far from the table's middle an object may start

export class WhatIf {
  // `models`: whose learned dynamics can be asked. `show` takes the changed world as Bullet moves it, and as the model does
  // (null until it is there), or null for both where nothing is changed.
  constructor(set, path, models, show, changes = {}) {
    Object.assign(this, { set, models, show, changes, version: 0 });
    const say = (place, words, isProblem) => {
      place.textContent = words;
      place.className = isProblem ? "problem" : "muted";
    };
    this.status = el("p", { role: "status", class: "muted" });
    this.learnedStatus = el("p", { role: "status", class: "muted" });
    this.bullet = new World(path, (words, isProblem) => say(this.status, words, isProblem), () => this.display());
    this.learned = new World(path, (words, isProblem) => say(this.learnedStatus, words, isProblem), () => this.display());
    this.beside = el("div", { class: "beside" }); // the page shows the world there
    this.by = el("select", { onchange: () => this.ask() }, models.map((name) => el("option", { value: name }, name)), el("option", { value: "" }, "nobody"));
    this.rows = set.objects.map((object, number) => this.row(object, number));
    this.element = el("section", { class: "whatif" }, el("h2", {}, "What if"),
      el("p", { class: "muted" }, "Move a slider, or drag the ring of an object on the table to where it should start. Bullet simulates the world at once; the learned dynamics of a model moves it, too, from the same start."),
      el("div", { class: "rows" }, this.rows.map(({ element }) => element)),
      el("div", { class: "chips" }, models.length ? el("label", { class: "by" }, el("span", { class: "muted" }, "Learned dynamics of"), this.by) : "",
        el("button", { class: "chip", onclick: () => this.unchanged() }, "Simulate it unchanged"), el("button", { class: "chip reset", onclick: () => this.reset() }, "As it was")),
      this.status, this.learnedStatus, this.beside);
    // A model takes seconds to load: whoever comes near gets it loaded.
    for (const near of ["pointerenter", "focusin"]) this.element.addEventListener(near, () => this.warmUp(path), { once: true });
    this.fill();
    if (this.isChanged) this.ask();
  }

  get isChanged() {
    return Object.keys(this.changes).length > 0;
  }

  warmUp(path) {
    if (this.by.value && !this.warm) post(path, { changes: {}, by: this.by.value }).catch(() => {});
    this.warm = true;
  }

  row(object, number) {
    const slider = (name, given, words, value) => {
      const input = el("input", { type: "range", ...given, "aria-label": `${words} of the ${object.name}`, oninput: () => this.change(number, { [name]: value(Number(input.value)) }) });
      const output = el("output");
      return { input, output, cell: el("label", {}, el("span", { class: "muted" }, words), input, output) };
    };
    const mass = slider("mass", { min: 0, max: MASSES.length - 1, step: 1 }, "mass", (at) => MASSES[at]);
    const charge = slider("charge", { min: CHARGES[0], max: CHARGES[1], step: 1 }, "charge", (at) => at);
    const start = ["away from the camera", "to the right"].map((words, k) => el("input", { type: "number", min: -REACH, max: REACH, step: 0.1, "aria-label": `Start of the ${object.name}, ${words}`, onchange: () => this.place(number, start) }));
    const element = el("div", { class: "row" }, tag(number, object, readableOn(object.rgb)), mass.cell, charge.cell, el("span", { class: "start" }, el("span", { class: "muted" }, "start"), start));
    return { element, mass, charge, start };
  }

  // The camera looks along the negative x axis: away from it is less x.
  place(number, [away, right]) {
    const [x, y] = [-Number(away.value), Number(right.value)];
    if (away.value !== "" && right.value !== "" && Math.max(Math.abs(x), Math.abs(y)) <= REACH) this.change(number, { start: [x, y] });
    else this.fill();
  }

  fill() {
    const begins = this.set.videos[0].positions[0];
    this.set.objects.forEach((object, number) => {
      const { mass, charge, start } = this.rows[number];
      const now = { mass: object.mass, charge: object.charge, start: begins[number], ...this.changes[number] };
      mass.input.value = MASSES.indexOf(MASSES.find((one) => one >= now.mass) ?? MASSES.at(-1));
      mass.output.textContent = now.mass;
      charge.input.value = now.charge;
      charge.output.textContent = Math.abs(now.charge) > 1 ? `${now.charge > 0 ? "+" : "−"}${Math.abs(now.charge)}` : signOf(now.charge);
      [start[0].value, start[1].value] = [-now.start[0], now.start[1]].map((one) => String(Math.round(one * 100) / 100));
      for (const [name, { cell }] of Object.entries({ mass, charge })) cell.classList.toggle("changed", this.changes[number]?.[name] !== undefined);
    });
  }

  change(number, given) {
    const object = this.set.objects[number];
    const now = { ...this.changes[number], ...given };
    if (now.mass === object.mass) delete now.mass;
    if (now.charge === object.charge) delete now.charge;
    if (Object.keys(now).length) this.changes[number] = now;
    else delete this.changes[number];
    this.fill();
    if (this.isChanged) this.ask();
    else this.reset();
  }

  unchanged() {
    this.changes = {};
    this.fill();
    this.ask();
  }

  // Forgets all changes; tells the page unless it is the page that asks.
  reset(tell = true) {
    this.changes = {};
    this.version += 1;
    this.fill();
    this.bullet.forget();
    this.learned.forget();
    if (tell) this.show(null, null, this.changes);
  }

  ask() {
    this.version += 1;
    this.bullet.ask(this.version, { changes: this.changes }, "Bullet");
    if (this.by.value) this.learned.ask(this.version, { changes: this.changes, by: this.by.value }, this.by.value);
    else this.learned.forget();
  }

  // A world of earlier sliders is not shown beside one of these.
  display() {
    const { bullet, learned, version } = this;
    if (bullet.version !== version) return;
    this.show(bullet.motion, learned.version === version ? { ...learned.motion, objects: bullet.motion.objects } : null, this.changes);
  }
}

// The answers to one kind of question, asked one at a time; what changed meanwhile is asked about next.
class World {
  constructor(path, say, onMotion) {
    Object.assign(this, { path, say, onMotion });
  }

  forget() {
    Object.assign(this, { version: null, motion: null, next: null });
    this.say("");
  }

  async ask(version, question, who) {
    this.next = { version, question, who };
    if (this.asking) return;
    this.asking = true;
    while (this.next) {
      const { version: now, question: given, who: by } = this.next;
      this.next = null;
      const begin = performance.now();
      const waiting = setTimeout(() => this.say(`${by} is at work …`), 400);
      try {
        const motion = await post(this.path, given);
        clearTimeout(waiting);
        this.say(`${by}: in ${((performance.now() - begin) / 1000).toFixed(2)} s`);
        Object.assign(this, { version: now, motion });
        this.onMotion();
      } catch (error) {
        clearTimeout(waiting);
        this.say(error.message, true);
      }
    }
    this.asking = false;
  }
}

// The changed world in words.
export function inWords(set, changes) {
  const words = Object.entries(changes).map(([number, { mass, charge, start }]) => {
    const parts = [mass !== undefined && `had mass ${mass}`, charge !== undefined && `had charge ${charge}`, start && "began elsewhere"].filter(Boolean);
    return `the ${set.objects[number].name} ${parts.join(" and ")}`;
  });
  return words.length ? `If ${words.join(" and ")}` : "Nothing changed";
}

// What if an object were heavier, charged otherwise, or began elsewhere: sliders whose world Bullet simulates at once.

import { post } from "./data.js";
import { el, tag } from "./dom.js";
import { signOf } from "./layers.js";
import { readableOn } from "./scene.js";

const MASSES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10];
const CHARGES = [-2, 2];

export class WhatIf {
  // `show` takes the motion of the changed world, or null where nothing is changed.
  constructor(set, path, show, changes = {}) {
    Object.assign(this, { set, path, show, changes });
    this.status = el("p", { role: "status", class: "muted" });
    this.rows = set.objects.map((object, number) => this.row(object, number));
    this.element = el("section", { class: "whatif" }, el("h2", {}, "What if"),
      el("p", { class: "muted" }, "Move a slider, or drag the ring of an object on the table to where it should start. The world is simulated at once."),
      el("table", {}, el("tbody", {}, this.rows.map(({ element }) => element))),
      el("div", { class: "chips" }, el("button", { class: "chip", onclick: () => this.reset() }, "As it was")), this.status);
    this.display();
    if (this.isChanged) this.ask();
  }

  get isChanged() {
    return Object.keys(this.changes).length > 0;
  }

  row(object, number) {
    const slider = (name, given, words, value) => {
      const input = el("input", { type: "range", ...given, "aria-label": `${words} of the ${object.name}`, oninput: () => this.change(number, { [name]: value(Number(input.value)) }) });
      const output = el("output");
      return { input, output, cell: el("td", {}, el("label", {}, el("span", { class: "muted" }, words), input, output)) };
    };
    const mass = slider("mass", { min: 0, max: MASSES.length - 1, step: 1 }, "mass", (at) => MASSES[at]);
    const charge = slider("charge", { min: CHARGES[0], max: CHARGES[1], step: 1 }, "charge", (at) => at);
    const element = el("tr", {}, el("th", { scope: "row" }, tag(number, object, readableOn(object.rgb))), mass.cell, charge.cell);
    return { element, mass, charge };
  }

  display() {
    this.set.objects.forEach((object, number) => {
      const { mass, charge, element } = this.rows[number];
      const now = { mass: object.mass, charge: object.charge, ...this.changes[number] };
      mass.input.value = MASSES.indexOf(MASSES.find((one) => one >= now.mass) ?? MASSES.at(-1));
      mass.output.textContent = now.mass;
      charge.input.value = now.charge;
      charge.output.textContent = Math.abs(now.charge) > 1 ? `${now.charge > 0 ? "+" : "−"}${Math.abs(now.charge)}` : signOf(now.charge);
      element.classList.toggle("changed", Boolean(this.changes[number]));
    });
  }

  change(number, given) {
    const object = this.set.objects[number];
    const now = { ...this.changes[number], ...given };
    if (now.mass === object.mass) delete now.mass;
    if (now.charge === object.charge) delete now.charge;
    if (Object.keys(now).length) this.changes[number] = now;
    else delete this.changes[number];
    this.display();
    this.ask();
  }

  // Forgets all changes; tells the page unless it is the page that asks.
  reset(tell = true) {
    this.changes = {};
    this.display();
    this.status.textContent = "";
    if (tell) this.show(null, this.changes);
  }

  // One question at a time; what changed meanwhile is asked about next.
  async ask() {
    if (!this.isChanged) return this.show(null, this.changes);
    if (this.asking) {
      this.again = true;
      return undefined;
    }
    this.asking = true;
    const begin = performance.now();
    try {
      const motion = await post(this.path, { changes: this.changes });
      this.status.textContent = `Simulated in ${((performance.now() - begin) / 1000).toFixed(2)} s`;
      this.status.className = "muted";
      if (this.isChanged) this.show(motion, this.changes);
    } catch (error) {
      this.status.textContent = error.message;
      this.status.className = "problem";
    }
    this.asking = false;
    if (this.again) {
      this.again = false;
      return this.ask();
    }
    return undefined;
  }
}

// The changed world in words.
export function inWords(set, changes) {
  const words = Object.entries(changes).map(([number, { mass, charge, start }]) => {
    const parts = [mass !== undefined && `had mass ${mass}`, charge !== undefined && `had charge ${charge}`, start && "began elsewhere"].filter(Boolean);
    return `the ${set.objects[number].name} ${parts.join(" and ")}`;
  });
  return words.length ? `If ${words.join(" and ")}` : "";
}

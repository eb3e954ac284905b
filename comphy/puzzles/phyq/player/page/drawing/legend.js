// Small pictures of what there is in levels, drawn as in them.

import { el } from "../../shared/dom.js";
import { LevelPaper } from "./level.js";

const ENTRIES = [
  ["wood", "wood", { kind: "block", material: "wood", shape: "RectFat" }],
  ["stone", "stone: heavy, hard", { kind: "block", material: "stone", shape: "RectFat" }],
  ["ice", "ice: light, breaks", { kind: "block", material: "ice", shape: "RectFat" }],
  ["platform", "platform: never moves", { kind: "platform", width: 0.8, height: 0.34 }],
  ["pig", "pig: get them all", { kind: "pig", shape: "BasicMedium" }],
  ["yellow", "tap: speeds up", null],
  ["blue", "tap: becomes three", null],
  ["white", "tap: drops an egg", null],
  ["black", "tap: explodes", null],
];

export class Legend {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.pictures = ENTRIES.map(([name, , thing]) => ({ name, thing, canvas: el("canvas", { "aria-hidden": "true" }) }));
    this.element = el("ul", {}, ENTRIES.map(([, words], k) => el("li", {}, this.pictures[k].canvas, words)));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  draw() {
    for (const { name, thing, canvas } of this.pictures) {
      const half = thing ? 0.52 : 1.6 * this.catalogue.birds[name].radius;
      const paper = new LevelPaper(canvas, this.catalogue, { left: -half, right: half, bottom: -half, top: half });
      paper.begin();
      if (thing) paper.thing(thing, 0, [0, 0, 0]);
      else paper.bird(name, [0, 0, 0]);
    }
  }
}

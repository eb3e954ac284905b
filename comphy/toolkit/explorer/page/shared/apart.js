// Where two futures of the same world differ: how far each object is from where the other has it, over time, and which
// objects collide in only one of them.

import { el, svg, tag } from "./dom.js";
import { css, readableOn } from "./scene.js";

const HALF = 0.2; // half the width of an object, in units of the scene: further apart, two places are different
const HEIGHT = 84;
const LEFT = 30;

export class Apart {
  // `first` and `second`: motions of the same objects, by whom `names` says.
  constructor(objects, first, second, names, clock) {
    Object.assign(this, { objects, clock, frames: Math.min(first.positions.length, second.positions.length) });
    this.distances = objects.map((_, k) => Array.from({ length: this.frames }, (__, f) => distance(first.positions[f][k], second.positions[f][k])));
    this.drawing = svg("svg", { class: "parting", role: "img", "aria-label": "Distance between the two futures of each object over time" });
    this.drawing.addEventListener("pointerdown", (event) => this.seek(event));
    this.element = el("div", {}, el("p", {}, this.words(names)), ...this.only(first, second, names), this.drawing);
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.element);
  }

  words([first, second]) {
    const begins = this.distances.map((list) => list.findIndex((one) => one > HALF));
    const parting = begins.filter((frame) => frame >= 0);
    if (!parting.length) return `${first} and ${second} agree: no object is ever more than half its width from where the other has it.`;
    const frame = Math.min(...parting);
    const object = this.objects[begins.indexOf(frame)].name;
    const most = Math.max(...this.distances.map((list) => list.at(-1)));
    return `${first} and ${second} part at frame ${frame}, the ${object} first. At the end, objects are up to ${most.toFixed(1)} apart; each is 0.4 wide.`;
  }

  only(first, second, names) {
    const pairs = (motion) => new Map(motion.collisions.map(({ objects, frame }) => [[...objects].sort().join(" "), frame]).reverse());
    const [ours, theirs] = [pairs(first), pairs(second)];
    const told = (own, other, name) => [...own].filter(([pair]) => !other.has(pair)).map(([pair, frame]) =>
      el("p", { class: "only" }, `Only by ${name}: `, pair.split(" ").map((number) => tag(number, this.objects[number], readableOn(this.objects[number].rgb))), " collide, ",
        el("button", { class: "frame", onclick: () => this.clock.seek(frame) }, `frame ${frame}`)));
    return [...told(ours, theirs, names[0]), ...told(theirs, ours, names[1])];
  }

  x(frame) {
    return LEFT + ((this.width - LEFT - 8) * frame) / (this.frames - 1);
  }

  seek(event) {
    const x = event.clientX - this.drawing.getBoundingClientRect().left;
    this.clock.seek(((x - LEFT) / (this.width - LEFT - 8)) * (this.frames - 1));
  }

  draw() {
    this.width = Math.max(200, this.element.clientWidth);
    const most = Math.max(2 * HALF, ...this.distances.flat());
    const y = (value) => HEIGHT - 14 - ((HEIGHT - 22) * value) / most;
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const level = (value, words) => [svg("line", { x1: LEFT, x2: this.width - 8, y1: y(value), y2: y(value), class: "grid" }), svg("text", { x: LEFT - 5, y: y(value) + 4, class: "tick value" }, words)];
    const lines = this.distances.map((list, k) => {
      const points = list.map((one, f) => `${this.x(f).toFixed(1)},${y(one).toFixed(1)}`).join(" ");
      return svg("g", {}, svg("title", {}, this.objects[k].name), svg("polyline", { points, class: "curve halo" }), svg("polyline", { points, class: "curve", stroke: css(this.objects[k].rgb) }));
    });
    this.head = svg("line", { y1: 4, y2: HEIGHT - 12, class: "head" });
    this.drawing.replaceChildren(...level(0, "0"), ...level(most, most.toFixed(1)), ...lines, svg("text", { x: LEFT, y: HEIGHT - 2, class: "tick" }, "apart, over time"), this.head);
    this.show();
  }

  show() {
    if (!this.head) return;
    for (const end of ["x1", "x2"]) this.head.setAttribute(end, this.x(Math.min(this.clock.at, this.frames - 1)));
  }

  close() {
    this.resized.disconnect();
  }
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

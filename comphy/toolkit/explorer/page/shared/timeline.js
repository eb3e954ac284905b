// A lane for each object, a bar while it is in the picture, and a sign for each event, which a click leads to.

import { el, svg } from "./dom.js";
import { css, readableOn } from "./scene.js";

const LANE = 26;
const LEFT = 30; // before the first frame
const COLORS = { collision: "var(--ink)", attraction: "#b3398f", repulsion: "#c2540a", in: "var(--good)", out: "var(--muted)" };
const VERBS = { collision: "collide", attraction: "attract", repulsion: "repel", in: "comes in", out: "leaves" };
const SIGNS = { in: "M-5,-6 L6,0 L-5,6 Z", out: "M-5,-6 L6,0 L-5,6 Z" };

export class Timeline {
  constructor(set, video, clock) {
    Object.assign(this, { set, video, clock });
    this.drawing = svg("svg", { class: "lanes", role: "group", "aria-label": "Events of the target" });
    this.element = el("div", { class: "timeline" }, this.drawing, legend());
    this.drawing.addEventListener("pointerdown", (event) => this.scrub(event, true));
    this.drawing.addEventListener("pointermove", (event) => event.buttons && this.scrub(event));
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.element);
  }

  x(frame) {
    return LEFT + ((this.width - LEFT - 8) * frame) / (this.video.frames - 1);
  }

  scrub(event, begins = false) {
    if (event.target.closest("[role=button]")) return;
    if (begins) this.drawing.setPointerCapture(event.pointerId);
    const x = event.clientX - this.drawing.getBoundingClientRect().left;
    this.clock.seek(((x - LEFT) / (this.width - LEFT - 8)) * (this.video.frames - 1));
  }

  draw() {
    const { set, video } = this;
    this.width = Math.max(200, this.element.clientWidth);
    const height = LANE * set.objects.length + 20;
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.drawing.setAttribute("height", height);
    const parts = [];
    if (video.frames > video.visible) {
      const x = this.x(video.visible);
      parts.push(svg("rect", { x, y: 0, width: this.x(video.frames - 1) - x, height: height - 18, class: "future" }));
      const words = this.width > 560 ? "hidden future" : "hidden";
      parts.push(svg("text", { x: x + 4, y: height - 4, class: "tick" }, words));
    }
    for (let s = 0; s * set.fps < video.visible; s += 1) {
      parts.push(svg("line", { x1: this.x(s * set.fps), x2: this.x(s * set.fps), y1: 0, y2: height - 18, class: "grid" }));
      parts.push(svg("text", { x: this.x(s * set.fps) - 3, y: height - 4, class: "tick" }, `${s} s`));
    }
    set.objects.forEach((object, number) => parts.push(...this.lane(object, number)));
    for (const event of this.inOrder()) parts.push(this.event(event));
    this.head = svg("line", { y1: 0, y2: height - 16, class: "head" });
    this.marked = svg("g", { class: "marked" });
    this.drawing.replaceChildren(...parts, this.marked, this.head);
    this.show();
  }

  inOrder() {
    return [...this.video.events].sort((a, b) => a.frame - b.frame);
  }

  y(number) {
    return LANE * (number + 0.5) + 2;
  }

  lane(object, number) {
    const y = this.y(number);
    const bars = (this.video.inside[this.video.numbers.indexOf(number)] ?? []).map(([first, last]) =>
      svg("rect", { x: this.x(first), y: y - 4, width: Math.max(1, this.x(last) - this.x(first)), height: 8, rx: 3, fill: css(object.rgb), class: "bar" }));
    return [
      ...bars,
      svg("rect", { x: 3, y: y - 9, width: 20, height: 18, rx: 5, fill: css(object.rgb) }, svg("title", {}, object.name)),
      svg("text", { x: 13, y: y + 4.5, class: "lane", style: { fill: readableOn(object.rgb) } }, String(number)),
    ];
  }

  event({ kind, frame, objects }) {
    const x = this.x(frame);
    const rows = objects.map((number) => this.y(number)).sort((a, b) => a - b);
    const words = `${objects.map((number) => this.set.objects[number].name).join(" and ")} ${VERBS[kind]}, frame ${frame}`;
    const marks = rows.map((y, k) => sign(kind, x, y, k === 0));
    const group = svg("g", { role: "button", tabindex: 0, class: "event", "aria-label": words, style: { color: COLORS[kind] } },
      svg("title", {}, words),
      svg("rect", { x: x - 8, y: rows[0] - 9, width: 16, height: rows.at(-1) - rows[0] + 18, class: "hit" }),
      rows.length > 1 && svg("line", { x1: x, x2: x, y1: rows[0], y2: rows.at(-1), class: "link" }), ...marks);
    group.addEventListener("click", () => this.clock.seek(frame));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.clock.seek(frame);
    });
    return group;
  }

  // Frames that something on the page points at.
  mark(frames) {
    this.marked?.replaceChildren(...frames.map((frame) => svg("line", { x1: this.x(frame), x2: this.x(frame), y1: 0, y2: LANE * this.set.objects.length + 4 })));
  }

  show() {
    if (!this.head) return;
    const x = this.x(this.clock.at);
    this.head.setAttribute("x1", x);
    this.head.setAttribute("x2", x);
  }

  close() {
    this.resized.disconnect();
  }
}

function sign(kind, x, y, upper) {
  if (kind === "collision") return svg("circle", { cx: x, cy: y, r: 5, class: "mark" });
  if (SIGNS[kind]) return svg("path", { d: SIGNS[kind], transform: `translate(${x} ${y})`, class: kind === "in" ? "mark" : "mark hollow" });
  const up = upper === (kind === "attraction"); // points to the other object, or away from it
  return svg("path", { d: up ? "M-6,-4 L6,-4 L0,6 Z" : "M-6,4 L6,4 L0,-6 Z", transform: `translate(${x} ${y})`, class: "mark" });
}

function legend() {
  const entries = Object.entries(VERBS).map(([kind, words]) => {
    const drawing = svg("svg", { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true", style: { color: COLORS[kind] } }, sign(kind, 0, 0, true));
    return el("span", {}, drawing, words);
  });
  return el("div", { class: "legend" }, entries, el("span", {}, el("i", { class: "sample" }), "in the picture"));
}

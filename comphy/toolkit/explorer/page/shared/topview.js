// The table from above, the camera at the bottom: paths, and where everything is now.

import { el } from "./dom.js";
import { css, readableOn } from "./scene.js";
import { fitted } from "./stage.js";

const SIDE = 4.7; // of the table that is shown, to each side, in units of the scene
const [FAR, NEAR] = [5.9, -4.9];
const RADIUS = 0.2;
const GHOST = "#ff543c";
const LEARNED = "#3b7dd8";

export class TopView {
  // `onStart(number, [x, y])` is called while the start of an object is dragged; without it, nothing can be.
  constructor(set, video, onStart = null) {
    Object.assign(this, { set, video, onStart });
    this.canvas = el("canvas", { class: "top", role: "img", "aria-label": "The table from above" });
    this.caption = el("figcaption");
    this.element = el("figure", {}, this.canvas, this.caption);
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.canvas);
    if (onStart) this.listen();
  }

  listen() {
    this.canvas.addEventListener("pointerdown", (event) => {
      this.held = this.startAt(event);
      if (this.held !== null) this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      this.canvas.style.cursor = this.startAt(event) === null ? "" : "grab";
      if (this.held !== null && event.buttons) this.onStart(this.held, this.ground(event));
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (this.held = null));
    this.held = null;
  }

  // Where a pointer is on the table.
  ground(event) {
    const box = this.canvas.getBoundingClientRect();
    const unit = box.width / (2 * SIDE);
    const round = (value) => Math.round(value * 100) / 100;
    return [round((event.clientY - box.top) / unit - FAR), round((event.clientX - box.left) / unit - SIDE)];
  }

  starts() {
    return (this.ghost ?? this.video).positions[0];
  }

  startAt(event) {
    if (this.frame === undefined) return null;
    const [x, y] = this.ground(event);
    const found = this.starts().findIndex((place) => Math.hypot(place[0] - x, place[1] - y) < 0.35);
    return found < 0 ? null : found;
  }

  show(frame, { ghost, learned = null, lit }) {
    Object.assign(this, { frame, ghost, learned, lit });
    this.caption.textContent = `From above; the camera is at the bottom${learned ? ". Red dashes: by Bullet, blue ones: by the learned dynamics" : ghost ? ". Red dashes: the other world" : ""}`;
    this.draw();
  }

  // Right as in the picture, up is away from the camera.
  at([x, y]) {
    return [(y + SIDE) * this.scale, (FAR + x) * this.scale];
  }

  draw() {
    if (this.frame === undefined || !this.video.positions.length) return;
    const context = (this.context = fitted(this.canvas));
    this.scale = this.canvas.width / (2 * SIDE);
    const paint = getComputedStyle(this.canvas);
    const [ink, muted, card] = ["--ink", "--muted", "--card"].map((name) => paint.getPropertyValue(name));
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.lineJoin = context.lineCap = "round";
    this.drawView(card, muted);
    const frame = Math.min(this.frame, this.video.frames - 1);
    this.video.numbers.forEach((number, k) => this.drawPath(this.video, k, this.set.objects[number], frame));
    for (const { at, frame: when } of this.video.collisions) if (when <= frame) this.cross(this.at(at), ink);
    for (const [ghost, color] of [[this.ghost, GHOST], [this.learned, LEARNED]]) ghost?.positions[0].forEach((_, k) => this.drawGhost(ghost, k, frame, color));
    if (this.onStart) for (const place of this.starts()) this.drawStart(place, muted);
    this.video.numbers.forEach((number, k) => this.drawObject(number, k, frame));
  }

  // The part of the table that the camera sees, and the camera.
  drawView(fill, line) {
    const { camera } = this.set;
    const ground = (u, v) => {
      const ray = [0, 1, 2].map((i) => camera.forward[i] + (camera.right[i] * (u - camera.width / 2)) / camera.focal + (camera.down[i] * (v - camera.height / 2)) / camera.focal);
      const share = (RADIUS - camera.position[2]) / ray[2];
      return this.at([camera.position[0] + share * ray[0], camera.position[1] + share * ray[1]]);
    };
    const corners = [[0, 0], [camera.width, 0], [camera.width, camera.height], [0, camera.height]].map(([u, v]) => ground(u, v));
    const { context } = this;
    context.beginPath();
    for (const corner of corners) context.lineTo(...corner);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.stroke();
    const [x, y] = this.at(camera.position);
    context.beginPath();
    for (const [dx, dy] of [[-0.2, 0.14], [0.2, 0.14], [0, -0.2]]) context.lineTo(x + dx * this.scale, y + dy * this.scale);
    context.fillStyle = line;
    context.fill();
  }

  drawPath(motion, k, object, frame) {
    const { context, video } = this;
    const line = (first, last, alpha, dashes) => {
      context.beginPath();
      for (let f = first; f <= last; f += 1) context.lineTo(...this.at(motion.positions[f][k]));
      context.setLineDash(dashes);
      context.lineWidth = 0.055 * this.scale;
      context.strokeStyle = css(object.rgb, alpha);
      context.stroke();
      context.setLineDash([]);
    };
    const end = motion.positions.length - 1;
    line(0, Math.min(video.visible - 1, end), 0.28, []);
    if (end >= video.visible) line(video.visible - 1, end, 0.28, [5, 5]);
    line(0, Math.min(frame, end), 1, []);
  }

  drawGhost(ghost, k, frame, color) {
    const { context } = this;
    const end = Math.min(frame, ghost.positions.length - 1);
    context.beginPath();
    for (let f = 0; f <= end; f += 1) context.lineTo(...this.at(ghost.positions[f][k]));
    context.lineWidth = 0.04 * this.scale;
    context.strokeStyle = color;
    context.setLineDash([4, 4]);
    context.stroke();
    this.shape(this.at(ghost.positions[end][k]), ghost.objects[k].shape);
    context.stroke();
    context.setLineDash([]);
  }

  // A ring where an object starts, which can be dragged.
  drawStart(place, color) {
    this.context.beginPath();
    this.context.arc(...this.at(place), 0.3 * this.scale, 0, 2 * Math.PI);
    this.context.lineWidth = 1.5;
    this.context.strokeStyle = color;
    this.context.setLineDash([3, 3]);
    this.context.stroke();
    this.context.setLineDash([]);
  }

  drawObject(number, k, frame) {
    const { context } = this;
    const object = this.set.objects[number];
    const [x, y] = this.at(this.video.positions[frame][k]);
    this.shape([x, y], object.shape);
    context.fillStyle = css(object.rgb);
    context.fill();
    context.lineWidth = this.lit?.has(number) ? 0.1 * this.scale : 1;
    context.strokeStyle = this.lit?.has(number) ? "#ffc400" : readableOn(object.rgb);
    context.stroke();
    context.font = `700 ${0.26 * this.scale}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = readableOn(object.rgb);
    context.fillText(String(number), x, y);
  }

  shape([x, y], shape) {
    const radius = RADIUS * this.scale;
    this.context.beginPath();
    if (shape === "cube") this.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  cross([x, y], color) {
    const { context } = this;
    const arm = 0.09 * this.scale;
    context.beginPath();
    for (const side of [1, -1]) {
      context.moveTo(x - arm, y - side * arm);
      context.lineTo(x + arm, y + side * arm);
    }
    context.lineWidth = 0.045 * this.scale;
    context.strokeStyle = color;
    context.stroke();
  }

  close() {
    this.resized.disconnect();
  }
}


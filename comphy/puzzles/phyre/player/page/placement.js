// The balls that the player places, by mouse, finger or keys, and what the server says about their places.

import { ask } from "../player/ask.js";

const FIRST_RADIUS = 14;
const GRIP = 4; // scene pixels around a ball in which it is still taken hold of

export class Placement {
  constructor(task, { radii, scene_pixels: side }, onChange) {
    Object.assign(this, { task, radii, onChange, middle: Math.floor(side / 2) });
    this.balls = []; // [x, y, radius] in whole pixels
    this.sizes = Array(task.balls).fill(FIRST_RADIUS); // radii of balls to come, too
    this.problems = [];
    this.selected = 0;
    this.checked = true;
    this.settled = Promise.resolve(); // fulfilled when the server has said all about where the balls are now
  }

  get complete() {
    return this.balls.length === this.task.balls;
  }

  // By what the server has said so far; whoever acts on it waits until it is settled and looks again.
  get ready() {
    return (this.complete || this.balls.length === 0) && this.problems.length === 0;
  }

  // Takes hold of the ball there, places a new one, or moves the selected one there. Returns what to add to a pointer's
  // place to get the ball's.
  take([x, y]) {
    const hit = this.balls.findIndex(([bx, by, radius]) => Math.hypot(bx - x, by - y) <= radius + GRIP);
    if (hit >= 0) {
      this.select(hit);
      return [this.balls[hit][0] - x, this.balls[hit][1] - y];
    }
    if (!this.complete) {
      this.selected = this.balls.length;
      this.balls.push([0, 0, this.sizes[this.selected]]);
    }
    this.move([x, y]);
    return [0, 0];
  }

  select(k) {
    this.selected = k;
    this.onChange();
  }

  move([x, y]) {
    this.change(this.selected, ([, , radius]) => [Math.floor(x), Math.floor(y), radius]);
  }

  // For keys: places a new ball in the middle, or takes the other one.
  next() {
    if (this.complete) {
      this.select((this.selected + 1) % this.balls.length);
      return;
    }
    this.selected = this.balls.length;
    this.balls.push([this.middle, this.middle, this.sizes[this.selected]]);
    this.check();
  }

  nudge(dx, dy) {
    if (!this.balls.length) this.next();
    this.change(this.selected, ([x, y, radius]) => [x + dx, y + dy, radius]);
  }

  grow(by) {
    this.resize(this.sizes[this.selected] + by, this.selected);
  }

  resize(radius, k) {
    const [least, most] = this.radii;
    this.sizes[k] = Math.min(Math.max(radius, least), most);
    this.change(k, ([x, y]) => [x, y, this.sizes[k]]);
    this.onChange();
  }

  place(balls) {
    this.balls = balls.map((ball) => [...ball]);
    balls.forEach(([, , radius], k) => (this.sizes[k] = radius));
    this.selected = 0;
    this.check();
  }

  change(k, changed) {
    if (!this.balls[k]) return;
    this.balls[k] = changed(this.balls[k]);
    this.check();
  }

  // One question at a time; what changed meanwhile is asked about next.
  check() {
    this.checked = false;
    this.onChange();
    if (!this.asking) this.settled = this.askAll();
  }

  async askAll() {
    this.asking = true;
    try {
      while (!this.checked) {
        this.checked = true;
        this.problems = (await ask("check", { task: this.task.id, balls: this.balls })).problems;
      }
    } catch (error) {
      this.problems = [{ ball: 0, body: null, reason: error.message }];
    } finally {
      this.asking = false;
    }
    this.onChange();
  }
}

// The shot that is being aimed: by pulling, by keys, by sliders, or through a point that was clicked on.

import { ask } from "../player/ask.js";
import { shotOf } from "./flight.js";

const NO_PULL = 0.12; // metres; who lets go so near the rest did not mean to shoot
const FIRST = [25, 1, null];

export class Aim {
  constructor(catalogue, onChange) {
    Object.assign(this, { catalogue, onChange });
    [this.degrees, this.stretch, this.tap] = FIRST;
    this.shown = false; // whether the bird is seen pulled
    this.arcs = []; // of the point that was clicked on last
  }

  // As the server takes it, but for the time of the next shot.
  get shot() {
    return [this.degrees, this.stretch, this.tap];
  }

  set(degrees, stretch) {
    const { steepest, stretch: [least, most] } = this.catalogue;
    const within = (value, low, high) => Math.min(Math.max(value, low), high);
    this.degrees = Math.round(10 * within(degrees, -steepest, steepest)) / 10;
    this.stretch = Math.round(1000 * within(stretch, least, most)) / 1000;
    this.shown = true;
    this.onChange();
  }

  setTap(tap) {
    this.tap = tap;
    this.shown = true;
    this.onChange();
  }

  // Follows a pointer that pulls. Returns whether letting go would shoot.
  pull([dx, dy]) {
    const far = Math.hypot(dx, dy) >= NO_PULL && dx < 0.02;
    if (far) this.set(...shotOf([dx, dy], this.catalogue));
    else this.hide();
    return far;
  }

  hide() {
    this.shown = false;
    this.onChange();
  }

  // The low arc through a point, then the high one. Returns words for the player.
  async through(place) {
    const same = this.target && Math.hypot(this.target[0] - place[0], this.target[1] - place[1]) < 0.5;
    if (!same) {
      this.arcs = (await ask("aim", { x: place[0], y: place[1], stretch: this.catalogue.stretch[1] })).shots;
      [this.target, this.turn] = [place, -1];
    }
    if (!this.arcs.length) return "That is out of reach. Birds can roll, bounce and push things.";
    this.turn = (this.turn + 1) % this.arcs.length;
    this.set(this.arcs[this.turn][0], this.arcs[this.turn][1]);
    return this.turn === 0 ? "The low arc through this point. Click again for the high one; shoot with Space." : "The high arc through this point. Shoot with Space.";
  }
}

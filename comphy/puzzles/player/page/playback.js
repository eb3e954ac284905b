// A recording and the step of it that is being shown.

import { Clock } from "../shared/clock.js";

export class Playback extends Clock {
  constructor(recording, stepsPerSecond, onChange, onReveal = () => {}) {
    super(recording.steps, stepsPerSecond, onChange);
    Object.assign(this, { recording, onReveal });
    this.revealed = false; // the verdict is kept back until the end has been seen or the player looks around
  }

  get step() {
    return this.at;
  }

  get seconds() {
    return this.at / this.rate;
  }

  seek(step) {
    this.reveal();
    super.seek(step);
  }

  reveal() {
    if (!this.revealed) this.onReveal();
    this.revealed = true;
  }

  finish() {
    this.reveal();
  }
}

// The pose at a place between two recorded frames: their mean, weighted.
export function between(poses, at) {
  const place = Math.min(Math.max(at, 0), poses.length - 1);
  const [before, after] = [poses[Math.floor(place)], poses[Math.ceil(place)]];
  const share = place - Math.floor(place);
  return before.map((value, i) => value + (after[i] - value) * share);
}

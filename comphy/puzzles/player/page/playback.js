// A recording and the step of it that is being shown.

export class Playback {
  constructor(recording, stepsPerSecond, onChange, onReveal = () => {}) {
    Object.assign(this, { recording, stepsPerSecond, onChange, onReveal });
    this.step = 0;
    this.speed = 1;
    this.playing = false;
    this.revealed = false; // the verdict is kept back until the end has been seen or the player looks around
  }

  get ended() {
    return this.step >= this.recording.steps;
  }

  get seconds() {
    return this.step / this.stepsPerSecond;
  }

  play() {
    if (this.ended) this.step = 0;
    this.playing = true;
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
    this.onChange();
  }

  pause() {
    this.playing = false;
    this.onChange();
  }

  seek(step) {
    this.step = Math.min(Math.max(step, 0), this.recording.steps);
    this.playing = false;
    this.reveal();
    this.onChange();
  }

  reveal() {
    if (!this.revealed) this.onReveal();
    this.revealed = true;
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : now - this.last;
    this.last = now;
    this.step = Math.min(this.step + (passed / 1000) * this.stepsPerSecond * this.speed, this.recording.steps);
    if (this.ended) {
      this.playing = false;
      this.reveal();
    } else {
      requestAnimationFrame((then) => this.tick(then));
    }
    this.onChange();
  }
}

// The pose at a place between two recorded frames: their mean, weighted.
export function between(poses, at) {
  const place = Math.min(Math.max(at, 0), poses.length - 1);
  const [before, after] = [poses[Math.floor(place)], poses[Math.ceil(place)]];
  const share = place - Math.floor(place);
  return before.map((value, i) => value + (after[i] - value) * share);
}

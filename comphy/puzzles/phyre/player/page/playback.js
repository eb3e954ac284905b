// A recorded attempt and the step that is being shown.

export class Playback {
  constructor(attempt, stepsPerSecond, onChange, onReveal) {
    Object.assign(this, { attempt, stepsPerSecond, onChange, onReveal });
    this.step = 0;
    this.speed = 1;
    this.playing = false;
    this.revealed = false; // the verdict is kept back until the end has been seen or the player looks around
  }

  get ended() {
    return this.step >= this.attempt.steps;
  }

  get seconds() {
    return this.step / this.stepsPerSecond;
  }

  // For how many steps the goal has held at the step that is shown.
  get held() {
    const now = Math.floor(this.step);
    const touch = this.attempt.touches.find(([first, last]) => first <= now && now <= last);
    return touch ? now - touch[0] + 1 : 0;
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
    this.step = Math.min(Math.max(step, 0), this.attempt.steps);
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
    this.step = Math.min(this.step + (passed / 1000) * this.stepsPerSecond * this.speed, this.attempt.steps);
    if (this.ended) {
      this.playing = false;
      this.reveal();
    } else {
      requestAnimationFrame((then) => this.tick(then));
    }
    this.onChange();
  }

  // Poses of the moving bodies by their numbers; between two recorded frames, their mean.
  poses() {
    const { poses, stride, moving } = this.attempt;
    const at = Math.min(this.step / stride, poses.length - 1);
    const [before, after] = [poses[Math.floor(at)], poses[Math.ceil(at)]];
    const share = at - Math.floor(at);
    const between = (k) => before[k].map((value, i) => value + (after[k][i] - value) * share);
    return new Map(moving.map((body, k) => [body, between(k)]));
  }
}

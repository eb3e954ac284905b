// The one time that all videos of a page share, counted in frames.

export class Clock {
  constructor(frames, fps, onChange) {
    Object.assign(this, { frames, fps, onChange, at: 0, speed: 1, playing: false });
  }

  get frame() {
    return Math.min(Math.floor(this.at + 1e-6), this.frames - 1);
  }

  get ended() {
    return this.at >= this.frames - 1;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.ended) this.at = 0;
    this.playing = true;
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
    this.onChange();
  }

  pause() {
    this.playing = false;
    this.at = this.frame;
    this.onChange();
  }

  seek(frame) {
    this.at = Math.min(Math.max(Math.round(frame), 0), this.frames - 1);
    this.playing = false;
    this.onChange();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250);
    this.last = now;
    this.at = Math.min(this.at + (passed / 1000) * this.fps * this.speed, this.frames - 1);
    if (this.ended) this.playing = false;
    else requestAnimationFrame((then) => this.tick(then));
    this.onChange();
  }
}

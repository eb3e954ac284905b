// A time that runs, is stopped and is moved; all that a page plays follows one.

const LONGEST = 250; // milliseconds between two frames of the screen; a page that was out of sight goes on where it was

export class Clock {
  // Counts from 0 to `end`, `rate` a second.
  constructor(end, rate, onChange) {
    Object.assign(this, { end, rate, onChange, at: 0, speed: 1, playing: false });
  }

  get ended() {
    return this.at >= this.end;
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
    this.onChange();
  }

  seek(at) {
    this.at = Math.min(Math.max(at, 0), this.end);
    this.pause();
  }

  // Called at the end of what was played, before anybody is told of the change.
  finish() {}

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min(now - this.last, LONGEST);
    this.last = now;
    this.at = Math.min(this.at + (passed / 1000) * this.rate * this.speed, this.end);
    if (this.ended) {
      this.playing = false;
      this.finish();
    } else {
      requestAnimationFrame((then) => this.tick(then));
    }
    this.onChange();
  }
}

// The one time that all videos of a page share. It stands still on whole frames.
export class FrameClock extends Clock {
  constructor(frames, fps, onChange) {
    super(frames - 1, fps, onChange);
    Object.assign(this, { frames, fps });
  }

  get frame() {
    return Math.min(Math.floor(this.at + 1e-6), this.end);
  }

  pause() {
    this.at = this.frame;
    super.pause();
  }

  seek(frame) {
    super.seek(Math.round(frame));
  }
}

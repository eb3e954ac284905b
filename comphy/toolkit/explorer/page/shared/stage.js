// One video with what is drawn over it. Where there is no video file, until it has come, where it cannot be decoded, and
// after its end, the frames are drawn from the simulator's motion.

import { el } from "./dom.js";
import { drawLayers } from "./layers.js";
import { paint, posesAt } from "./scene.js";
import { tracer } from "./tracer.js";

const DRIFT = 2; // frames between a playing video and the clock that are put up with
const STILL = 300; // milliseconds without a change after which a drawn frame is drawn finer
const FINE = 2; // pixels drawn for one shown
const QUICK = 120; // milliseconds for a frame up to which a machine draws finer ones
const LATE = 500; // milliseconds after which frames are drawn for a video that has not come

export class Stage {
  // `film` is the element of the video file, or null.
  constructor(set, video, film, title) {
    Object.assign(this, { set, video, shown: -1, view: { layers: new Set() } });
    this.drawn = el("canvas", { class: "drawn" });
    this.over = el("canvas", { class: "over" });
    this.badge = el("span", { class: "badge", hidden: true });
    this.place = el("div", { class: "stage" }, this.drawn, this.over, this.badge);
    this.element = el("figure", {}, this.place, el("figcaption", {}, title));
    if (film) this.open(film);
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.place);
  }

  get knowsMotion() {
    return this.video.positions.length > 0;
  }

  open(film) {
    const { src } = film;
    this.film = film;
    this.film.addEventListener("error", () => this.lose());
    this.film.addEventListener("loadeddata", () => this.draw());
    if (this.film.readyState >= HTMLMediaElement.HAVE_METADATA) this.makeSeekable(src);
    else this.film.addEventListener("loadedmetadata", () => this.makeSeekable(src), { once: true });
    this.place.prepend(this.film);
    this.coming = setTimeout(() => {
      this.late = true;
      this.draw();
    }, LATE);
    if (this.film.requestVideoFrameCallback) this.watch();
    if (this.film.error) this.lose();
  }

  // A simple web server sends no parts of files, so that the video could only be played from its beginning: it is fetched
  // whole.
  async makeSeekable(src) {
    const { film } = this;
    if (!film || (film.seekable.length && film.seekable.end(0) > 0)) return;
    const whole = await fetch(src).then((response) => response.blob()).catch(() => null);
    if (!whole || this.film !== film) return;
    this.whole = URL.createObjectURL(whole);
    film.addEventListener("loadeddata", () => this.clock && this.follow(this.clock), { once: true });
    film.src = this.whole;
  }

  // Layers are drawn for the frame that the video really shows, which may be one behind the clock.
  watch() {
    this.film?.requestVideoFrameCallback((_, { mediaTime }) => {
      this.presented = Math.round(mediaTime * this.set.fps);
      this.draw();
      this.watch();
    });
  }

  // A file that does not decode.
  lose() {
    this.film?.remove();
    this.film = null;
    this.note = this.knowsMotion ? "The video file cannot be decoded: drawn from the simulation" : "The video file cannot be decoded";
    this.draw();
  }

  show(clock, view) {
    Object.assign(this, { view, clock });
    this.playing = clock.playing;
    this.frame = Math.min(clock.frame, this.video.frames - 1);
    this.past = clock.frame >= this.video.visible;
    if (this.film && !this.past) this.follow(clock);
    else this.film?.pause();
    this.draw();
  }

  follow(clock) {
    const { film, set } = this;
    if (clock.playing && !film.paused && Math.abs(film.currentTime * set.fps - clock.at) < DRIFT) return;
    if (clock.playing) {
      film.playbackRate = clock.speed;
      if (Math.abs(film.currentTime * set.fps - clock.at) >= DRIFT) film.currentTime = (clock.at + 0.5) / set.fps;
      if (film.paused) film.play().catch(() => {});
    } else {
      film.pause();
      const wanted = (this.frame + 0.5) / set.fps;
      if (Math.abs(film.currentTime - wanted) > 0.2 / set.fps) film.currentTime = wanted;
    }
  }

  setSpeed(speed) {
    if (this.film) this.film.playbackRate = speed;
  }

  draw() {
    if (this.frame === undefined) return;
    const { set, video, view } = this;
    const isLate = this.late && this.film?.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
    const isDrawn = (!this.film || this.past || isLate) && this.knowsMotion;
    const frame = isDrawn || this.presented === undefined ? this.frame : Math.min(this.presented, video.visible - 1);
    this.drawn.hidden = !isDrawn;
    this.badge.hidden = !(this.note || (this.past && video.frames > video.visible) || !this.knowsMotion && !this.film);
    this.badge.textContent = this.note ?? (this.past ? "hidden future: no video shows it" : "no video");
    if (isDrawn) this.paint(frame);
    const context = fitted(this.over);
    context.clearRect(0, 0, this.over.width, this.over.height);
    drawLayers(context, { set, video, frame, ...view, scale: this.over.width / set.camera.width, shrunk: this.over.clientWidth / set.camera.width });
  }

  paint(frame) {
    const key = `${frame} ${this.drawn.clientWidth}`;
    if (this.painted === key) return;
    this.painted = key;
    clearTimeout(this.waiting);
    this.paintAt(frame, this.playing ? undefined : 1);
    if (!this.playing && (tracer()?.took ?? Infinity) < QUICK) this.waiting = setTimeout(() => this.drawn.isConnected && this.paintAt(frame, FINE), STILL);
  }

  paintAt(frame, scale) {
    const objects = this.video.numbers.map((number) => this.set.objects[number]);
    paint(fitted(this.drawn), this.set.camera, objects, posesAt(this.video, frame), scale);
  }

  close() {
    this.resized.disconnect();
    clearTimeout(this.waiting);
    clearTimeout(this.coming);
    if (this.film) this.film.removeAttribute("src");
    if (this.whole) URL.revokeObjectURL(this.whole);
    this.film = null;
  }
}

// The context of a canvas whose pixels are those of the screen.
export function fitted(canvas) {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  return context;
}

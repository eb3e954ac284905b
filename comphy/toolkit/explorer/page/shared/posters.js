// Pictures of the grid: frames of videos, or drawn here, a few between two frames of the screen.

import { el } from "./dom.js";
import { paint, paintFlat } from "./scene.js";
import { beginTracer, tracer, tracerIsReady } from "./tracer.js";

const BUDGET = 10; // milliseconds of drawing between two frames of the screen
const [WIDTH, HEIGHT] = [300, 200];

export class Posters {
  constructor(source, site) {
    Object.assign(this, { source, site, waiting: new Map(), running: false });
    if (!source.has_videos) beginTracer();
    this.first = new Promise((done) => (this.shown = done)); // a picture is there, or cannot be
  }

  show(place, row) {
    if (row.error) this.refuse(place, row.error);
    else if (this.source.has_videos) this.fetch(place, row);
    else this.queue(place, row);
  }

  refuse(place, words) {
    place.append(el("span", { class: "problem" }, words));
    this.shown();
  }

  fetch(place, row) {
    const picture = el("img", { alt: "", loading: "lazy", src: `media/${this.source.number}/${row.i}/poster.jpg?frame=${row.n ?? 0}` });
    picture.addEventListener("load", this.shown);
    picture.addEventListener("error", () => {
      this.shown();
      picture.remove();
      if (row.p) this.queue(place, row);
    });
    place.append(picture);
  }

  queue(place, row) {
    if (!row.p) {
      this.shown();
      return;
    }
    this.waiting.set(place, row);
    if (this.running) return;
    this.running = true;
    requestAnimationFrame(() => this.work());
  }

  forget(place) {
    this.waiting.delete(place);
  }

  work() {
    if (!tracerIsReady()) {
      this.outline();
      return;
    }
    const end = performance.now() + BUDGET;
    for (const [place, row] of this.waiting) {
      this.waiting.delete(place);
      place.replaceChildren(this.drawn(row, paint));
      this.shown();
      if (performance.now() > end) break;
    }
    this.running = this.waiting.size > 0;
    if (this.running) requestAnimationFrame(() => this.work());
  }

  // Flat outlines are seen while the shader is waited for, which takes a machine without a graphics card a while.
  outline() {
    for (const [place, row] of this.waiting) place.replaceChildren(this.drawn(row, paintFlat));
    this.shown();
    requestAnimationFrame(() => setTimeout(() => {
      tracer();
      this.work();
    }));
  }

  drawn(row, how) {
    const canvas = el("canvas", { width: WIDTH, height: HEIGHT });
    const objects = row.o.map(([color, shape, material]) => ({ rgb: this.site.colors[color], shape, material }));
    how(canvas.getContext("2d"), this.source.camera, objects, row.p, 1);
    return canvas;
  }

  close() {
    this.waiting.clear();
  }
}

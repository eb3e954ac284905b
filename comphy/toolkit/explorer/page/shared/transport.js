// Play, pause, step, scrub and speed: buttons and keys of one clock.

import { el } from "./dom.js";

const SPEEDS = [["0.25", "¼×"], ["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

export class Transport {
  constructor(clock, onSpeed) {
    this.clock = clock;
    this.button = el("button", { class: "primary play", onclick: () => clock.toggle() }, "Play");
    this.range = el("input", {
      type: "range", min: 0, max: clock.frames - 1, step: 1, "aria-label": "Frame",
      oninput: () => clock.seek(Number(this.range.value)),
    });
    this.range.value = 0;
    this.output = el("output", { class: "clock" });
    const speed = el("select", { "aria-label": "Speed", onchange: () => this.setSpeed(Number(speed.value), onSpeed) },
      SPEEDS.map(([value, words]) => el("option", { value, selected: value === "1" }, words)));
    const step = (by, words, sign) =>
      el("button", { title: `${words} (${by < 0 ? "←" : "→"})`, "aria-label": words, onclick: () => this.step(by) }, sign);
    this.element = el("div", { class: "transport" }, this.button, step(-1, "One frame back", "‹"),
      step(1, "One frame on", "›"), this.range, this.output, speed);
    this.listen = (event) => this.key(event);
    addEventListener("keydown", this.listen);
    this.show();
  }

  setSpeed(speed, onSpeed) {
    this.clock.speed = speed;
    onSpeed(speed);
  }

  step(by) {
    this.clock.seek(this.clock.frame + by);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target !== this.range && event.target.matches?.("input, select, textarea"))) return;
    const { clock } = this;
    const isButton = event.target.closest?.("button, a, summary, [role=button]");
    if (event.key in KEYS) clock.seek(clock.frame + KEYS[event.key] * (event.shiftKey ? 10 : 1));
    else if (event.key === "Home") clock.seek(0);
    else if (event.key === "End") clock.seek(clock.frames - 1);
    else if (event.key === " " && !isButton) clock.toggle();
    else return;
    event.preventDefault();
  }

  show() {
    const { clock } = this;
    this.button.textContent = clock.playing ? "Pause" : clock.ended ? "Replay" : "Play";
    this.range.value = clock.frame;
    this.output.textContent = `${(clock.frame / clock.fps).toFixed(2)} s · ${clock.frame}`;
    this.range.setAttribute("aria-valuetext", `frame ${clock.frame}, ${(clock.frame / clock.fps).toFixed(2)} seconds`);
  }

  close() {
    removeEventListener("keydown", this.listen);
    this.clock.playing = false;
  }
}

// The shot in numbers, to set it exactly: angle, stretch, and a tap that is planned before.

import { el } from "../shared/dom.js";

const LATEST_TAP = 6; // seconds

export class ShotCard {
  constructor(player) {
    this.player = player;
    const { steepest, stretch: [least, most] } = player.catalogue;
    const { aim } = player;
    this.degrees = slider("Angle", { min: -steepest, max: steepest, step: 0.1 }, (value) => aim.set(value, aim.stretch));
    this.stretch = slider("Stretch", { min: 100 * least, max: 100 * most, step: 1 }, (value) => aim.set(aim.degrees, value / 100));
    this.tap = slider("Tap", { min: 0, max: LATEST_TAP, step: 0.02 }, (value) => aim.setTap(value || null));
    this.element = el("div", { class: "shot" }, this.degrees.element, this.stretch.element, this.tap.element);
  }

  show() {
    const { aim, canShoot, current, catalogue } = this.player;
    const hasPower = Boolean(current && catalogue.birds[current].power);
    this.degrees.show(aim.degrees, `${aim.degrees.toFixed(1)}°`, canShoot);
    this.stretch.show(100 * aim.stretch, `${Math.round(100 * aim.stretch)} %`, canShoot);
    this.tap.show(aim.tap ?? 0, aim.tap === null ? "by hand" : `${aim.tap.toFixed(2)} s`, canShoot && hasPower);
    this.tap.element.hidden = !hasPower;
  }
}

function slider(name, range, change) {
  const input = el("input", { type: "range", ...range, "aria-label": name, oninput: () => change(Number(input.value)) });
  const output = el("output");
  return {
    element: el("label", {}, el("span", {}, name), input, output),
    show(value, words, enabled) {
      input.value = value;
      input.disabled = !enabled;
      input.setAttribute("aria-valuetext", words);
      output.textContent = words;
    },
  };
}

// Draws levels and games of Phy-Q, in metres, y up.

import { Paper } from "../../player/paper.js";
import { drawBird, drawEgg, drawPig } from "./creatures.js";
import { flightOf, placeAt, powerBegins, pullOf } from "../flight.js";
import { drawBand, drawFork, drawLandscape } from "./landscape.js";
import { drawBlock, drawPlatform } from "./materials.js";

const PIG_POINTS = "+5000";

export class LevelPaper extends Paper {
  constructor(canvas, catalogue, view) {
    super(canvas, view);
    this.catalogue = catalogue;
  }

  landscape() {
    drawLandscape(this, this.catalogue.ground);
  }

  thing(thing, number, pose = [thing.x, thing.y, thing.angle]) {
    if (pose === null) return;
    const corners = this.catalogue.shapes[thing.shape];
    if (thing.kind === "pig") drawPig(this, corners, pose);
    else if (thing.kind === "platform") this.at(pose, () => drawPlatform(this, thing.width, thing.height));
    else this.at(pose, () => drawBlock(this, thing.material ?? "TNT", thing.shape, corners, number));
  }

  bird(kind, pose) {
    drawBird(this, kind, this.catalogue.birds[kind].radius, pose);
  }

  flyer({ bird, egg, pose }) {
    if (egg) drawEgg(this, pose);
    else this.bird(bird, pose);
    if (pose[1] > this.view.top) this.above(pose[0]);
  }

  // The slingshot with a bird pulled as far as `shot` says, or without one.
  sling(bird, shot) {
    const { release, ground, birds } = this.catalogue;
    const [dx, dy] = shot ? pullOf(shot) : [0, 0];
    const place = [release[0] + dx, release[1] + dy];
    const radius = bird ? birds[bird].radius : 0;
    drawFork(this, release, ground);
    drawBand(this, release, place, radius, true);
    if (bird) this.bird(bird, [...place, shot ? Math.atan2(-dy, -dx) : 0]);
    drawBand(this, release, place, radius, false);
  }

  // Birds that wait on the ground behind the slingshot.
  waiting(birds) {
    const { release, ground, birds: kinds } = this.catalogue;
    birds.forEach((kind, k) => this.bird(kind, [release[0] - 0.75 - 0.62 * k, ground + kinds[kind].radius, 0]));
  }

  // The predicted flight; with a tap, where it will be.
  arc(shot, hasPower) {
    const places = flightOf(shot, this.catalogue);
    places.forEach(([x, y], k) => {
      this.disc(x, y, Math.max(0.09 - 0.0008 * k, 1.5 * this.pixel), "#ffffff");
      this.ring(x, y, Math.max(0.09 - 0.0008 * k, 1.5 * this.pixel), "#33475b", [], 1);
    });
    if (hasPower && shot[2] !== null) this.cross(placeAt(shot, shot[2], this.catalogue));
    else if (hasPower) this.gate(placeAt(shot, powerBegins(shot, this.catalogue), this.catalogue));
  }

  trail(places, color) {
    for (const [x, y] of places) this.disc(x, y, Math.max(0.05, this.pixel), color);
  }

  cross([x, y]) {
    const { context } = this;
    this.disc(x, y, 0.2, "#ffffff");
    this.ring(x, y, 0.2, "#b4460a");
    context.beginPath();
    for (const [dx, dy] of [[-0.1, 0], [0.1, 0]]) context.lineTo(x + dx, y + dy);
    context.moveTo(x, y - 0.1);
    context.lineTo(x, y + 0.1);
    context.stroke();
  }

  // From here on a bird's power works.
  gate([x, y]) {
    if (Number.isFinite(x)) this.ring(x, y, 0.18, "#b4460a", [0.09, 0.07]);
  }

  invite([x, y]) {
    this.ring(x, y, 0.42, "#b4460a", [0.14, 0.1]);
    const { context } = this;
    context.strokeStyle = "#b4460a";
    context.beginPath();
    context.moveTo(x - 0.6, y - 0.1);
    context.lineTo(x - 1.5, y - 0.34);
    context.moveTo(x - 1.22, y - 0.1);
    context.lineTo(x - 1.5, y - 0.34);
    context.lineTo(x - 1.14, y - 0.44);
    context.stroke();
  }

  puff({ place: [x, y], share }, isPig) {
    const { context } = this;
    context.globalAlpha = 0.75 * (1 - share);
    for (let k = 0; k < 7; k += 1) {
      const angle = (2 * Math.PI * k) / 7;
      const away = 0.15 + 0.5 * share;
      this.disc(x + away * Math.cos(angle), y + away * Math.sin(angle), 0.16 * (1 - share) + 0.05, "#ffffff");
    }
    context.globalAlpha = 1;
    if (isPig) this.words(PIG_POINTS, x, y + 0.5 + 0.5 * share, "#2f6b14", 1 - share ** 3);
  }

  blast({ x, y, radius, share }) {
    const { context } = this;
    context.globalAlpha = 0.4 * (1 - share);
    this.disc(x, y, radius * Math.min(1, 0.3 + 1.6 * share), "#ff9a3d");
    context.globalAlpha = 1 - share;
    this.ring(x, y, radius * Math.min(1, 0.3 + 1.6 * share), "#d9480f");
    context.globalAlpha = 1;
  }

  words(text, x, y, color, alpha = 1) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.scale(this.pixel, -this.pixel);
    context.font = "600 15px system-ui, sans-serif";
    context.textAlign = "center";
    context.globalAlpha = alpha;
    context.lineWidth = 4;
    context.strokeStyle = "#ffffff";
    context.strokeText(text, 0, 0);
    context.fillStyle = color;
    context.fillText(text, 0, 0);
    context.restore();
  }

  // A bird that flies above the picture.
  above(x) {
    const { context, view } = this;
    context.fillStyle = "#b4460a";
    context.beginPath();
    for (const [dx, dy] of [[0, -0.1], [-0.25, -0.5], [0.25, -0.5]]) context.lineTo(x + dx, view.top + dy);
    context.fill();
  }
}

// A level alone, small.
export function paintThumbnail(canvas, { things, view }, catalogue) {
  const paper = new LevelPaper(canvas, catalogue, view);
  paper.begin();
  paper.landscape();
  things.forEach((thing, k) => paper.thing(thing, k));
}

// The page: one task, the balls of the player, and the attempt that is being watched, if there is one.

import { ask } from "./api.js";
import { Paper } from "./drawing.js";
import { Gallery } from "./gallery.js";
import { listenToKeys, listenToBoard } from "./input.js";
import { Panel } from "./panel.js";
import { Placement } from "./placement.js";
import { Playback } from "./playback.js";
import { addAttempt, markSolved } from "./score.js";

const FIRST_TASK = "00002:000";
const WRONG = "#9c1414";
const SELECTED = "#0b57d0";

class Player {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.paper = new Paper(document.querySelector("#board"), catalogue.scene_pixels, catalogue.mark);
    this.panel = new Panel(this);
    const [tiers, list] = [document.querySelector("#tiers"), document.querySelector("#gallery")];
    this.gallery = new Gallery(catalogue, tiers, list, (id) => (location.hash = id));
    this.message = null; // of an error; stays until the next move
    addEventListener("hashchange", () => this.open(location.hash.slice(1)));
    new ResizeObserver(() => this.show()).observe(this.paper.canvas);
    listenToBoard(this);
    listenToKeys(this);
  }

  async open(taskId) {
    this.opening = taskId;
    let task;
    try {
      task = await ask("task", { task: taskId });
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.opening !== taskId) return;
    this.task = task;
    this.playback?.pause();
    this.playback = null;
    this.message = null;
    this.placement = new Placement(this.task, this.catalogue.radii, () => this.show());
    this.gallery.show(this.task);
    this.panel.open();
    this.show();
  }

  // The task that many places further in its template's list.
  go(by) {
    const next = this.task.tasks[this.task.tasks.indexOf(this.task.id) + by];
    if (next) location.hash = next;
  }

  // What the one big button does: run, pause, go on or replay.
  async run() {
    if (this.playback) {
      if (this.playback.playing) this.playback.pause();
      else this.playback.play();
    } else if (this.placement.ready && !this.waiting) {
      await this.attempt();
    }
  }

  // An attempt counts when it is run; watching without balls or a shown solution is none.
  async attempt(counts = this.placement.balls.length > 0) {
    const { task, placement } = this;
    const balls = [...placement.balls];
    this.waiting = true;
    try {
      await placement.settled;
      if (!placement.ready) return;
      const attempt = await ask("attempt", { task: task.id, balls });
      if (placement !== this.placement || String(balls) !== String(placement.balls)) return;
      const number = counts ? addAttempt(task.id) : null;
      const onReveal = () => counts && attempt.solved && markSolved(task.id, number);
      this.playback = new Playback(attempt, this.catalogue.steps_per_second, () => this.show(), onReveal);
      this.playback.speed = this.panel.speed;
      this.playback.play();
    } catch (error) {
      this.fail(error);
    } finally {
      this.waiting = false;
    }
  }

  // Back to the start, where the balls can be moved.
  reset() {
    this.playback?.pause();
    this.playback = null;
    this.message = null;
    this.show();
  }

  clear() {
    this.reset();
    this.placement.place([]);
  }

  async showSolution() {
    this.reset();
    this.placement.place(this.task.solution);
    await this.attempt(false);
  }

  fail(error) {
    this.message = error.message;
    this.show();
  }

  show() {
    this.panel.showStatus();
    if (!this.task) return;
    this.draw();
    this.panel.show();
  }

  draw() {
    const { paper, task, placement, playback } = this;
    const poses = playback?.poses();
    const inTheWay = playback ? [] : placement.problems.map((problem) => problem.body);
    paper.begin();
    task.bodies.forEach((body, k) => paper.body(body, poses?.get(k), inTheWay.includes(k) ? WRONG : null));
    placement.balls.forEach(([x, y, radius], k) => {
      const pose = poses?.get(task.bodies.length + k) ?? [x, y, 0];
      paper.body({ ...this.catalogue.player, radius }, pose);
      if (!playback) this.drawRing(k, x, y, radius);
    });
  }

  drawRing(k, x, y, radius) {
    const wrong = this.placement.problems.some((problem) => problem.ball === k);
    if (wrong) this.paper.ring(x, y, radius, WRONG, [3, 2]);
    else if (k === this.placement.selected) this.paper.ring(x, y, radius + 2, SELECTED);
  }
}

try {
  const player = new Player(await ask("tiers"));
  await player.open(location.hash.slice(1) || FIRST_TASK);
} catch (error) {
  document.querySelector("#status").textContent = error.message;
}

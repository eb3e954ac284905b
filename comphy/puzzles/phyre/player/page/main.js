// The page: one task, the balls of the player, and the attempt that is being watched, if there is one.

import { ask } from "../player/ask.js";
import { Gallery } from "../player/gallery.js";
import { listenToKeys } from "../player/keys.js";
import { Scores } from "../player/score.js";
import { dress, find } from "../player/skeleton.js";
import { beside, followAddress } from "../player/tasks.js";
import { Attempt } from "./attempt.js";
import { paintThumbnail, ScenePaper } from "./drawing.js";
import { act, listenToBoard } from "./input.js";
import { Placement } from "./placement.js";
import { Surroundings } from "./surroundings.js";

const FIRST_TASK = "00002:000";
const WRONG = "#9c1414";
const SELECTED = "#0b57d0";
const PAUSE = 900; // milliseconds between two attempts of an agent
const TITLES = { ball: "One ball", two_balls: "Two balls" };
const DRESS = {
  name: "PHYRE",
  rule: "Place balls, then let go. Two bodies have to touch for three seconds.",
  groups: "Balls to place",
  board: "The scene. Click to place a ball.",
  hand: "Balls",
  icon: "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#f34f46'/><circle cx='8' cy='4' r='1.7' fill='#fab9b5'/></svg>",
  keys: [
    [["Space"], "run, pause, replay"],
    [["B"], "place a ball, or take the other one"],
    [["←", "→"], "step through time, or move the ball"],
    [["↑", "↓"], "move the ball; with Shift ten pixels"],
    [["+", "−"], "radius; the wheel too"],
    [["R"], "back to start"],
    [[",", "."], "previous and next attempt of an agent"],
    [["[", "]"], "previous and next task"],
  ],
};

class Player {
  constructor(catalogue) {
    this.name = DRESS.name;
    this.catalogue = catalogue;
    this.scores = new Scores("phyre");
    this.paper = new ScenePaper(find("board"), catalogue);
    this.panel = new Surroundings(this);
    this.gallery = new Gallery({
      groups: catalogue.tiers.map((tier) => ({ ...tier, title: TITLES[tier.name] ?? tier.name })),
      buttons: find("groups"),
      list: find("gallery"),
      paint: (canvas, template) => paintThumbnail(canvas, template.bodies, catalogue),
      onChoose: (id) => (location.hash = id),
    });
    this.message = null; // of an error; stays until the next move
    new ResizeObserver(() => this.show()).observe(this.paper.canvas);
    listenToBoard(this);
    listenToKeys((event) => act(this, event));
  }

  open(task) {
    this.task = { ...task, group: task.tier };
    this.stop();
    this.placement = new Placement(this.task, this.catalogue, () => this.show());
    this.gallery.show(this.task);
    this.panel.open();
    this.show();
  }

  go(by) {
    const next = beside(this.task, by);
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
  async attempt(counts = this.placement.balls.length > 0 && !this.watched) {
    const { task, placement, scores } = this;
    const balls = [...placement.balls];
    this.waiting = true;
    try {
      await placement.settled;
      if (!placement.ready) return;
      const recording = await ask("attempt", { task: task.id, balls });
      if (placement !== this.placement || String(balls) !== String(placement.balls)) return;
      const number = counts ? scores.addAttempt(task.id) : null;
      const onReveal = () => this.revealed(counts && recording.solved ? number : null);
      this.playback = new Attempt(recording, this.catalogue.steps_per_second, () => this.show(), onReveal);
      this.playback.speed = this.panel.speed;
      this.playback.play();
    } catch (error) {
      this.fail(error);
    } finally {
      this.waiting = false;
    }
  }

  // The end has been seen: an attempt that counts is solved, and an agent goes on.
  revealed(solvedAt) {
    if (solvedAt) this.scores.markSolved(this.task.id, solvedAt);
    if (this.watched && this.playback.ended) this.goingOn = setTimeout(() => this.playback?.ended && this.watchBeside(1), PAUSE);
  }

  stop() {
    clearTimeout(this.goingOn);
    this.playback?.pause();
    Object.assign(this, { playback: null, message: null, watched: null, thinking: null });
  }

  // Back to the start, where the balls can be moved.
  reset() {
    this.stop();
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

  // The attempts of an agent, one after the other.
  async showAgent(agent) {
    const { task } = this;
    this.clear();
    this.thinking = agent;
    this.show();
    try {
      const { tries } = await ask("agent", { task: task.id, agent });
      if (task !== this.task || this.thinking !== agent) return;
      this.thinking = null;
      if (!tries.length) throw new Error(`${agent} tries nothing here.`);
      this.watched = { agent, tries };
      await this.watchAttempt(0);
    } catch (error) {
      if (task !== this.task) return;
      this.thinking = null;
      this.fail(error);
    }
  }

  async watchAttempt(at) {
    const { watched } = this;
    this.stop();
    this.watched = { ...watched, at };
    this.placement.place(watched.tries[at]);
    await this.attempt();
  }

  watchBeside(by) {
    const { watched } = this;
    if (watched?.tries[watched.at + by] && !this.waiting) this.watchAttempt(watched.at + by);
  }

  fail(error) {
    this.message = error.message;
    this.show();
  }

  show() {
    if (this.task) this.draw();
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

dress(DRESS);
try {
  const player = new Player(await ask("tiers"));
  await followAddress(FIRST_TASK, (task) => player.open(task), (error) => player.fail(error));
} catch (error) {
  find("status").textContent = error.message;
}

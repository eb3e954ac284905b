// What is around the scene and PHYRE's own: the goal with its colours, balls, attempts.

import { el } from "../shared/dom.js";
import { Panel } from "../player/panel.js";
import { find } from "../player/skeleton.js";
import { BallCard } from "./ballcard.js";
import { status } from "./status.js";

export class Surroundings extends Panel {
  constructor(player) {
    super(player);
    this.clear = el("button", { onclick: () => player.clear() }, "Remove balls");
    find("reset").after(this.clear);
    this.agents = el("select", { "aria-label": "Agent" }, player.catalogue.agents.map((name) => el("option", {}, name)));
    this.watch = el("button", { onclick: () => player.showAgent(this.agents.value) }, "Watch it play");
    const go = (by, words, sign) => el("button", { "aria-label": words, title: `${words} ( ${by < 0 ? "," : "."} )`, onclick: () => player.watchBeside(by) }, sign);
    this.tries = [go(-1, "Previous attempt", "‹"), go(1, "Next attempt", "›")];
    find("buttons").after(el("section", { id: "agents" }, el("h3", {}, "Agents"), el("div", { class: "watch" }, this.agents, this.watch, this.tries)));
  }

  open() {
    super.open();
    const { task } = this.player;
    find("goal").replaceChildren(...goalParts(task));
    this.cards = Array.from({ length: task.balls }, (_, k) => new BallCard(this.player, k));
    find("hand").lastElementChild.replaceChildren(...this.cards.map((card) => card.element));
  }

  show() {
    this.showStatus(status(this.player));
    const { playback, placement, task, scores } = this.player;
    if (!task) return;
    this.showTime();
    this.markTouches(playback);
    find("run").textContent = this.runLabel();
    find("run").classList.toggle("primary", Boolean(playback) || placement.balls.length > 0);
    find("run").disabled = !playback && !placement.ready;
    find("reset").disabled = !playback;
    this.clear.disabled = placement.balls.length === 0;
    find("attempts").textContent = inWords(scores.of(task.id));
    this.showAgents();
    for (const card of this.cards) card.show();
  }

  showAgents() {
    const { watched, thinking, waiting } = this.player;
    this.watch.disabled = Boolean(thinking);
    this.tries.forEach((button, k) => {
      button.hidden = !watched;
      button.disabled = Boolean(waiting) || !watched?.tries[watched.at + (k ? 1 : -1)];
    });
  }

  runLabel() {
    const { playback, placement } = this.player;
    if (!playback) return placement.balls.length ? "Run" : "Only watch";
    if (playback.playing) return "Pause";
    return playback.ended ? "Replay" : "Go on";
  }

  markTouches(playback) {
    if (this.marked !== playback) this.mark(playback?.recording.touches ?? [], playback?.recording.steps ?? 1);
    this.marked = playback;
    find("marks").hidden = !playback?.revealed;
  }
}

function inWords({ attempts, solvedAt }) {
  if (attempts === 0) return "None yet.";
  return solvedAt ? `${attempts}, solved with number ${solvedAt}.` : `${attempts}, not solved yet.`;
}

// The goal in words, with a dot of its colour before each of the two bodies.
function goalParts({ goal, goal_colors: colors }) {
  return goal.split(/(?<=the )(.+?)(?= is touching|\.$)/).map((words, k) =>
    k % 2 === 0 ? words : el("b", { style: { "--of": colors[(k - 1) / 2] } }, words));
}

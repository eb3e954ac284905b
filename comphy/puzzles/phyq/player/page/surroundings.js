// What is around the scene and Phy-Q's own: the shot in numbers, five attempts, who can be watched, what is what.

import { el } from "../shared/dom.js";
import { Panel } from "../player/panel.js";
import { find } from "../player/skeleton.js";
import { Legend } from "./drawing/legend.js";
import { ATTEMPTS, worth } from "./rounds/scores.js";
import { ShotCard } from "./shotcard.js";
import { status } from "./status.js";
import { ABOUT, capital } from "./words.js";

export class Surroundings extends Panel {
  constructor(player) {
    super(player);
    this.card = new ShotCard(player);
    find("hand").lastElementChild.append(this.card.element);
    find("reset").textContent = "Try again";
    find("solution").textContent = "Certified solution";
    this.agents = el("select", { "aria-label": "Agent" }, player.catalogue.agents.map((name) => el("option", {}, name)));
    this.watch = el("button", { onclick: () => player.showAgent(this.agents.value) }, "Watch it play");
    find("buttons").prepend(el("h3", {}, "Watch"));
    find("buttons").append(el("span", { class: "watch" }, this.agents, this.watch));
    this.badge = el("p", { class: "badge", hidden: true });
    find("frame").append(this.badge);
    find("description").replaceWith(el("details", {}, el("summary", {}, "Hint: how it is built"), el("p", { id: "description" })));
    const row = el("div", { class: "below" });
    find("status").before(row);
    row.append(find("status"), find("reset"));
    const legend = new Legend(player.catalogue);
    document.querySelector("aside").append(el("section", { class: "legend" }, el("h3", {}, "What is what"), legend.element));
    legend.draw();
  }

  open() {
    super.open();
    const { task, round } = this.player;
    if (round) document.title = `Task ${round.place + 1} · ${this.player.name}`;
    // What a task is about is for its player to find out in a round.
    find("name").textContent = round ? `Task ${round.place + 1} of ${round.tasks.length}` : `${task.scenario} ${capital(task.name)}`;
    find("goal").textContent = round ? "Five attempts. The fewer you need, the more it is worth." : ABOUT[task.scenario];
    document.querySelector(".picker").hidden = Boolean(round);
    find("board").setAttribute("aria-label", boardWords(task));
    find("description").closest("section").hidden = Boolean(round);
  }

  show() {
    this.showStatus(status(this.player));
    const { player } = this;
    if (!player.task) return;
    this.showTime(player.canSeek);
    this.markDeaths(player.playback);
    this.showButtons();
    this.card.show();
    find("attempts").replaceChildren(...dots(player.attemptsShown));
    this.badge.hidden = !player.watched;
    this.badge.textContent = player.watched?.title ?? "";
  }

  showButtons() {
    const { player } = this;
    find("run").textContent = player.runLabel;
    find("run").disabled = !player.runLabel || player.waiting;
    if (!player.runLabel) find("run").textContent = "…";
    find("run").classList.toggle("primary", Boolean(player.runLabel) && (player.canTap || player.canShoot || player.over));
    find("reset").hidden = !player.playback && !player.decided;
    find("reset").textContent = player.resetLabel;
    find("reset").classList.toggle("primary", (player.over && player.status !== "won") || player.decided);
    find("buttons").hidden = !player.mayWatch;
    for (const button of [this.watch, find("solution")]) button.disabled = Boolean(player.waiting);
    for (const option of find("speed").options) option.disabled = Boolean(player.round) && Number(option.value) < 1;
  }

  // Where pigs die, once it has been seen.
  markDeaths(playback) {
    const pigs = (playback?.recording.deaths ?? []).filter(([, thing]) => this.player.task.things[thing].kind === "pig");
    if (this.marked !== playback) this.mark(pigs.map(([step]) => [step - 3, step + 3]), playback?.recording.steps ?? 1);
    this.marked = playback;
    find("marks").hidden = !playback?.revealed;
  }
}

// One for each attempt: what it would be worth, failed, or won.
function dots({ used, solvedAt, practice }) {
  const found = Array.from({ length: ATTEMPTS }, (_, k) => {
    const number = k + 1;
    const state = number === solvedAt ? "won" : number <= used ? "failed" : "left";
    return el("span", { class: `dot ${state}`, title: `Attempt ${number}: ${state}, worth ${worth(number).toFixed(1)}` },
      state === "failed" ? "✕" : worth(number).toFixed(1));
  });
  return [el("span", { class: "dots" }, found), el("span", { class: "muted" }, attemptWords(used, solvedAt, practice))];
}

function attemptWords(used, solvedAt, practice) {
  if (solvedAt) return `Solved: ${worth(solvedAt).toFixed(1)} of 1`;
  if (used >= ATTEMPTS) return "Five attempts, no success: 0 of 1";
  return practice ? "For practice: you have seen how it is done" : `${ATTEMPTS - used} of ${ATTEMPTS} left`;
}

function boardWords(task) {
  const pigs = task.things.filter((thing) => thing.kind === "pig").length;
  return `The level: a slingshot at the left, ${pigs} pigs, birds: ${task.birds.join(", ")}. Pull the bird, or aim with the arrow keys and shoot with Space.`;
}

// A round of 32 tasks as people had it. The server keeps it in a file; the page shows how far it is, and the score.

import { ask } from "../../player/ask.js";
import { find } from "../../player/skeleton.js";
import { el } from "../../shared/dom.js";
import { resultOf } from "./result.js";

const NAME = "phyq player"; // under which the browser remembers a player's name

// The player and the number in an address such as round/ann/1; null if it is none.
export function roundOf(address) {
  const [kind, name, number] = address.split("/");
  return kind === "round" && name ? [decodeURIComponent(name), Number(number) || 1] : null;
}

export class Round {
  constructor(player) {
    this.player = player;
    this.free = el("button", { onclick: () => (location.hash = this.player.task?.id ?? "") }, "Free play");
    this.begun = el("button", { onclick: () => this.dialog.showModal() }, "A round with a score");
    find("groups").append(this.free, this.begun);
    this.progress = el("nav", { id: "progress", "aria-label": "Tasks of the round", hidden: true });
    find("gallery").after(this.progress);
    this.result = el("section", { id: "result", hidden: true });
    document.querySelector("main").append(this.result);
    this.dialog = this.startDialog();
    document.body.append(this.dialog);
    this.mark();
  }

  startDialog() {
    const name = el("input", { type: "text", maxlength: 24, value: localStorage.getItem(NAME) ?? "you", "aria-label": "Your name" });
    const number = el("select", { "aria-label": "Round" }, [1, 2, 3, 4, 5].map((one) => el("option", { value: one }, `Round ${one}`)));
    const go = () => {
      localStorage.setItem(NAME, name.value);
      dialog.close();
      location.hash = `round/${encodeURIComponent(name.value)}/${number.value}`;
    };
    const dialog = el("dialog", { "aria-label": "Begin a round" },
      el("h2", {}, "A round with a score"),
      el("p", {}, "32 tasks, as the people had who define the score of 100: two of each scenario, four of manoeuvring. ",
        "You have five attempts at each; a success with attempt k is worth (6 − k) / 5. ",
        "Solutions and agents are shown after a task is decided."),
      el("p", {}, "The round is kept in a file, so you can go on later."),
      el("div", { class: "asked" }, el("label", {}, "Name ", name), number),
      el("div", { class: "buttons" }, el("button", { class: "primary", onclick: go }, "Begin or go on"), el("button", { onclick: () => dialog.close() }, "Not now")));
    name.addEventListener("keydown", (event) => event.key === "Enter" && go());
    return dialog;
  }

  // Opens the round at its first task that is not decided.
  async enter(name, number) {
    try {
      const record = await ask("round", { player: name, number });
      this.player.leaveTask();
      this.player.round = this;
      this.take(record);
      this.mark();
      await this.next();
    } catch (error) {
      this.player.fail(error);
    }
  }

  leave() {
    this.player.round = null;
    this.result.hidden = true;
    document.body.classList.remove("finished");
    this.mark();
  }

  take(record) {
    this.record = record;
    this.tasks = record.tasks;
    this.show();
  }

  get who() {
    return { player: this.record.player, number: this.record.number };
  }

  get place() {
    return this.tasks.findIndex((one) => one.id === this.player.task?.id);
  }

  of(taskId) {
    return this.tasks.find((one) => one.id === taskId);
  }

  decided(taskId) {
    return this.of(taskId)?.worth !== null && this.of(taskId)?.worth !== undefined;
  }

  attemptsOf(taskId) {
    const { used, solved } = this.of(taskId);
    return { used, solvedAt: solved ? used : null, practice: false };
  }

  // Returns the number of the attempt that begins.
  async begin(taskId) {
    const record = await ask("begin", { ...this.who, task: taskId });
    const { used } = record.tasks.find((one) => one.id === taskId);
    this.of(taskId).used = used; // what it is worth is told at its end
    this.show();
    return used;
  }

  async end(taskId, shots, seconds) {
    this.take(await ask("end", { ...this.who, task: taskId, shots, seconds }));
  }

  get finished() {
    return this.tasks.every((one) => one.worth !== null);
  }

  // After an attempt that was given up.
  async refresh() {
    this.take(await ask("round", this.who));
  }

  async next() {
    const open = this.tasks.find((one) => one.worth === null);
    if (!open) {
      this.finish();
      return;
    }
    const task = await ask("task", { task: open.id });
    if (this.player.round === this) this.player.open(task);
    this.show();
  }

  finish() {
    document.body.classList.add("finished");
    this.result.replaceChildren(...resultOf(this.record));
    this.result.hidden = false;
    document.title = `Phy-Q score of ${this.record.player}`;
    find("status").textContent = `The round is finished. Phy-Q score: ${this.record.score.toFixed(1)}.`;
    this.show();
  }

  mark() {
    const playing = Boolean(this.player.round);
    this.free.setAttribute("aria-pressed", !playing);
    this.begun.setAttribute("aria-pressed", playing);
    find("gallery").hidden = playing;
    this.progress.hidden = !playing;
  }

  show() {
    const done = this.tasks.filter((one) => one.worth !== null);
    const points = done.reduce((sum, one) => sum + one.worth, 0);
    const cells = this.tasks.map((one, k) => el("span", {
      class: `cell ${one.worth === null ? "open" : one.worth > 0 ? "won" : "lost"}`, "aria-current": one.id === this.player.task?.id ? "step" : null,
      title: one.worth === null ? `Task ${k + 1}` : `Task ${k + 1}: ${one.id}, ${one.name}`,
    }, one.worth === null ? String(k + 1) : one.worth.toFixed(1)));
    this.progress.replaceChildren(
      el("h3", {}, `${this.record.player}, round ${this.record.number}`),
      el("p", {}, `${done.length} of ${this.tasks.length} tasks, ${points.toFixed(1)} points`),
      el("div", { class: "cells" }, cells),
      el("p", { class: "muted" }, "Kept in ", el("code", {}, this.record.file)),
    );
  }
}

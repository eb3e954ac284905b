// Everything around the scene: title, status, time line, balls, attempts.

import { BallCard } from "./ballcard.js";
import { inWords, score } from "./score.js";
import { status } from "./status.js";

const find = (id) => document.querySelector(`#${id}`);

export class Panel {
  constructor(player) {
    this.player = player;
    find("run").addEventListener("click", () => player.run());
    find("reset").addEventListener("click", () => player.reset());
    find("clear").addEventListener("click", () => player.clear());
    find("solution").addEventListener("click", () => player.showSolution());
    find("previous").addEventListener("click", () => player.go(-1));
    find("next").addEventListener("click", () => player.go(1));
    find("task").addEventListener("change", (event) => (location.hash = event.target.value));
    find("time").addEventListener("input", (event) => player.playback?.seek(Number(event.target.value)));
    find("speed").addEventListener("change", () => player.playback && (player.playback.speed = this.speed));
  }

  get speed() {
    return Number(find("speed").value);
  }

  // What stays the same while a task is open.
  open() {
    const { task } = this.player;
    document.title = `${task.name} ${task.id} · PHYRE`;
    find("name").textContent = task.name;
    find("goal").replaceChildren(...goalParts(task));
    find("description").textContent = task.description;
    find("link").href = `#${task.id}`;
    find("task").replaceChildren(...task.tasks.map((id) => new Option(id, id, false, id === task.id)));
    find("previous").disabled = task.id === task.tasks[0];
    find("next").disabled = task.id === task.tasks.at(-1);
    find("solution").hidden = !task.solution;
    this.cards = Array.from({ length: task.balls }, (_, k) => new BallCard(this.player, k));
    find("balls").replaceChildren(...this.cards.map((card) => card.element));
  }

  show() {
    this.showTime();
    const { playback, placement, task } = this.player;
    find("run").textContent = this.runLabel();
    find("run").classList.toggle("primary", Boolean(playback) || placement.balls.length > 0);
    find("run").disabled = !playback && !placement.ready;
    find("reset").disabled = !playback;
    find("clear").disabled = placement.balls.length === 0;
    find("attempts").textContent = inWords(score(task.id));
    for (const card of this.cards) card.show();
  }

  showStatus() {
    const { kind, words } = status(this.player);
    find("status").dataset.kind = kind;
    find("status").textContent = words;
  }

  runLabel() {
    const { playback, placement } = this.player;
    if (!playback) return placement.balls.length ? "Run" : "Only watch";
    if (playback.playing) return "Pause";
    return playback.ended ? "Replay" : "Go on";
  }

  showTime() {
    const { playback } = this.player;
    const time = find("time");
    time.disabled = !playback;
    time.max = playback?.attempt.steps ?? 0;
    time.value = playback?.step ?? 0;
    find("clock").textContent = `${(playback?.seconds ?? 0).toFixed(1)} s`;
    if (this.marked !== playback) this.markTouches(playback);
    find("touches").hidden = !playback?.revealed;
  }

  markTouches(playback) {
    this.marked = playback;
    const marks = (playback?.attempt.touches ?? []).map(([first, last]) => {
      const mark = document.createElement("i");
      mark.style.left = `${(100 * first) / playback.attempt.steps}%`;
      mark.style.width = `${(100 * (last - first + 1)) / playback.attempt.steps}%`;
      return mark;
    });
    find("touches").replaceChildren(...marks);
  }
}

// The goal in words, with a dot of its colour before each of the two bodies.
function goalParts({ goal, goal_colors: colors }) {
  return goal.split(/(?<=the )(.+?)(?= is touching|\.$)/).map((words, k) => {
    if (k % 2 === 0) return words;
    const name = document.createElement("b");
    name.textContent = words;
    name.style.setProperty("--of", colors[(k - 1) / 2]);
    return name;
  });
}

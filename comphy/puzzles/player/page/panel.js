// Everything around the scene that puzzles share: title, choice of a task, status, time line, attempts.

import { find } from "./skeleton.js";

export class Panel {
  constructor(player) {
    this.player = player;
    find("run").addEventListener("click", () => player.run());
    find("reset").addEventListener("click", () => player.reset());
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
    const { task, name } = this.player;
    document.title = `${task.name} ${task.id} · ${name}`;
    find("name").textContent = task.name;
    find("description").textContent = task.description;
    find("link").href = `#${task.id}`;
    find("task").replaceChildren(...task.tasks.map((id) => new Option(id, id, false, id === task.id)));
    find("previous").disabled = task.id === task.tasks[0];
    find("next").disabled = task.id === task.tasks.at(-1);
    find("solution").hidden = !task.solution;
  }

  showStatus({ kind, words }) {
    find("status").dataset.kind = kind;
    if (find("status").textContent !== words) find("status").textContent = words;
  }

  showTime(canSeek = true) {
    const { playback } = this.player;
    const time = find("time");
    time.disabled = !playback || !canSeek;
    time.max = playback?.recording.steps ?? 0;
    time.value = playback?.step ?? 0;
    find("clock").textContent = `${(playback?.seconds ?? 0).toFixed(1)} s`;
    time.setAttribute("aria-valuetext", find("clock").textContent);
  }

  // `marks` are pairs of a first and a last step, drawn below the time line.
  mark(marks, steps) {
    find("marks").replaceChildren(...marks.map(([first, last]) => {
      const mark = document.createElement("i");
      mark.style.left = `${(100 * first) / steps}%`;
      mark.style.width = `${(100 * (last - first + 1)) / steps}%`;
      return mark;
    }));
  }
}

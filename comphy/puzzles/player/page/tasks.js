// Opens the task that the address names, and the task beside it.

import { ask } from "./ask.js";

// `open` gets each task that is opened, `fail` the error of one that cannot be. `others` takes addresses that are no tasks.
export function followAddress(first, open, fail, others = () => null) {
  let opening = null;
  const follow = async () => {
    const id = (opening = location.hash.slice(1) || first);
    const taken = others(id);
    if (taken) return taken;
    try {
      const task = await ask("task", { task: id });
      if (opening === id) open(task);
    } catch (error) {
      if (opening === id) fail(error);
    }
    return null;
  };
  addEventListener("hashchange", follow);
  return follow();
}

// The task that many places further in its template's list; null if there is none.
export const beside = (task, by) => task.tasks[task.tasks.indexOf(task.id) + by] ?? null;

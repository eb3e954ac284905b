// Mouse, fingers and keys.

import { ARROWS } from "../player/keys.js";

const WHEEL_STEP = 60; // of a wheel's travel for one pixel of radius

export function listenToBoard(player) {
  const { canvas } = player.paper;
  let grip = null;
  let travel = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !player.task) return;
    canvas.setPointerCapture(event.pointerId);
    if (player.playback) player.reset();
    grip = player.placement.take(player.paper.place(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = player.paper.place(event);
    player.placement.move([x + grip[0], y + grip[1]]);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (grip = null));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      if (!player.task || player.playback) return;
      travel -= event.deltaY;
      const steps = Math.trunc(travel / WHEEL_STEP);
      travel -= steps * WHEEL_STEP;
      if (steps) player.placement.grow(steps);
    },
    { passive: false },
  );
}

// What a key does; false if nothing.
export function act(player, event) {
  if (!player.task) return false;
  const reach = event.shiftKey ? 10 : 1;
  const arrow = ARROWS[event.key];
  if (arrow && player.playback) player.playback.seek(Math.round(player.playback.step) + arrow[0] * 2 * reach);
  else if (arrow) player.placement.nudge(arrow[0] * reach, arrow[1] * reach);
  else if (event.key === " ") player.run();
  else if (event.key.toLowerCase() === "r") player.reset();
  else if (event.key.toLowerCase() === "b" && !player.playback) player.placement.next();
  else if ("+=".includes(event.key) && !player.playback) player.placement.grow(1);
  else if (event.key === "-" && !player.playback) player.placement.grow(-1);
  else if (event.key === "," || event.key === ".") player.watchBeside(event.key === "," ? -1 : 1);
  else if (event.key === "[") player.go(-1);
  else if (event.key === "]") player.go(1);
  else return false;
  return true;
}

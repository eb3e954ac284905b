// Mouse, fingers and keys.

const WHEEL_STEP = 60; // of a wheel's travel for one pixel of radius
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

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

export function listenToKeys(player) {
  // After a click on a button the space bar means the scene again, not the button.
  addEventListener("click", (event) => event.detail > 0 && event.target.closest?.("button")?.blur());
  addEventListener("keydown", (event) => {
    if (!player.task || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    if (event.target.matches("input") && event.key in ARROWS) return;
    if (event.target.matches("button") && event.key === " ") return;
    if (act(player, event)) event.preventDefault();
  });
}

function act(player, event) {
  const reach = event.shiftKey ? 10 : 1;
  const arrow = ARROWS[event.key];
  if (arrow && player.playback) player.playback.seek(Math.round(player.playback.step) + arrow[0] * 2 * reach);
  else if (arrow) player.placement.nudge(arrow[0] * reach, arrow[1] * reach);
  else if (event.key === " ") player.run();
  else if (event.key.toLowerCase() === "r") player.reset();
  else if ("+=".includes(event.key) && !player.playback) player.placement.grow(1);
  else if (event.key === "-" && !player.playback) player.placement.grow(-1);
  else if (event.key === "[") player.go(-1);
  else if (event.key === "]") player.go(1);
  else return false;
  return true;
}

// Mouse, fingers and keys.

import { ARROWS } from "../player/keys.js";

const GRIP = 1.1; // metres around the bird in which it is taken hold of, and at least so many pixels
const GRIP_PIXELS = 44;
const PULL_PIXELS = 60; // of a pointer's way for the full stretch, at least
const CLICK_PIXELS = 7; // whoever moves less has clicked

export function listenToBoard(player) {
  const { canvas } = player.paper;
  let press = null; // where a pointer went down: its place in the window, and whether it holds the bird
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !player.task) return;
    if (player.canTap) {
      player.tap();
      return;
    }
    if (!player.canShoot) return;
    canvas.setPointerCapture(event.pointerId);
    press = { x: event.clientX, y: event.clientY, holds: nearBird(player, event), far: false };
    if (press.holds) player.take();
  });
  canvas.addEventListener("pointermove", (event) => {
    canvas.style.cursor = cursor(player, event, press);
    if (!press) return;
    const way = [event.clientX - press.x, event.clientY - press.y];
    if (!press.holds && Math.hypot(...way) > CLICK_PIXELS) {
      press.holds = true;
      player.take();
    }
    if (press.holds && player.canShoot) press.far = player.aim.pull(way.map((pixels, i) => (i ? -1 : 1) * (pixels / pullPixels(player.paper))));
  });
  canvas.addEventListener("pointerup", (event) => {
    const ended = press;
    press = null;
    if (!ended || !player.canShoot) return;
    if (ended.holds && ended.far) player.shoot();
    else if (ended.holds) player.aim.hide();
    else player.aimAt(player.paper.place(event));
  });
  canvas.addEventListener("pointercancel", () => {
    if (press?.holds) player.aim.hide();
    press = null;
  });
}

// Pixels of the window for a metre of stretch: as drawn, or more where the picture is small.
const pullPixels = (paper) => Math.max(PULL_PIXELS, 1 / paper.pixel);

function nearBird(player, event) {
  const [x, y] = player.paper.place(event);
  const [rx, ry] = player.catalogue.release;
  return Math.hypot(x - rx, y - ry) < Math.max(GRIP, GRIP_PIXELS * player.paper.pixel);
}

function cursor(player, event, press) {
  if (player.canTap) return "pointer";
  if (!player.canShoot) return "default";
  if (press?.holds) return "grabbing";
  return nearBird(player, event) ? "grab" : "crosshair";
}

// What a key does; false if nothing.
export function act(player, event) {
  if (!player.task) return false;
  const arrow = ARROWS[event.key];
  const reach = event.shiftKey ? 0.1 : 1;
  const key = event.key.toLowerCase();
  if (arrow && player.canShoot) player.aim.set(player.aim.degrees + arrow[1] * reach, player.aim.stretch + arrow[0] * 0.05 * reach);
  else if (arrow && player.canSeek) player.playback.seek(Math.round(player.playback.step) + (arrow[0] || arrow[1]) * 5 * (event.shiftKey ? 10 : 1));
  else if (key === " ") player.run();
  else if (key === "a") player.aimAtNext();
  else if (key === "r") player.reset();
  else if (key === "s") player.skip();
  else if (key === "escape") player.aim.hide();
  else if (key === "[") player.go(-1);
  else if (key === "]") player.go(1);
  else return false;
  return true;
}

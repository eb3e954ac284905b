// The page that all puzzles share (index.html), dressed as one of them.

import { el } from "../shared/dom.js";

export const find = (id) => document.querySelector(`#${id}`);

// `icon` is an SVG of 16 by 16, `board` says what the canvas is, `keys` are pairs of keys and what they do.
export function dress({ name, rule, groups, board, hand, icon, keys }) {
  document.title = name;
  document.querySelector("link[rel=icon]").href = `data:image/svg+xml,${encodeURIComponent(icon)}`;
  find("game").textContent = name;
  find("rule").textContent = rule;
  find("groups").setAttribute("aria-label", groups);
  find("board").setAttribute("aria-label", board);
  find("hand").querySelector("h3").textContent = hand;
  find("keys").replaceChildren(...keys.map(([pressed, does]) =>
    el("div", {}, el("dt", {}, ...pressed.map((key) => el("kbd", {}, key))), el("dd", {}, does))));
  for (const link of find("pages").children) link.toggleAttribute("aria-current", link.textContent === name);
}

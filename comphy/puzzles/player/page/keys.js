// Keys of the whole page. `act` says whether a key means something; fields and buttons keep theirs.

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function listenToKeys(act) {
  // After a click on a button the space bar means the scene again, not the button.
  addEventListener("click", (event) => event.detail > 0 && event.target.closest?.("button")?.blur());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select") || event.target.closest("dialog")) return;
    if (event.target.matches("input") && event.key in ARROWS) return;
    if (event.target.matches("button, summary") && event.key === " ") return;
    if (act(event)) event.preventDefault();
  });
}

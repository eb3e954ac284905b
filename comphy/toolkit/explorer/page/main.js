// The page: the view that the address names, and a message where something fails.

import { load } from "./shared/data.js";
import { code, el } from "./shared/dom.js";
import { route } from "./shared/router.js";
import { browse } from "./views/browse.js";
import { showRuns } from "./views/runs.js";
import { showSet } from "./views/set.js";

const VIEWS = { browse, set: showSet, runs: showRuns };
const root = document.querySelector("main");
let leave = () => {};

function open(site) {
  const now = route();
  const view = VIEWS[now.view] ? now.view : "browse";
  leave();
  root.replaceChildren();
  leave = VIEWS[view](root, now, site) ?? (() => {});
  for (const link of document.querySelectorAll("header nav a")) {
    link.toggleAttribute("aria-current", link.dataset.view === view || (view === "set" && link.dataset.view === "browse"));
  }
  if (view !== "browse") scrollTo(0, 0);
}

// What an exported page cannot show is not offered, and it says so.
function leaveOutServed(site) {
  for (const link of document.querySelectorAll("[data-served]")) link.remove();
  if (!site.runs.length) document.querySelector("[data-view=runs]").remove();
  document.body.append(el("footer", { class: "muted" }, "Exported from ", code("comphy explore"), ", which also takes questions of your own, simulates changed worlds and has puzzles to play."));
}

try {
  const site = await load("api/sources");
  if (site.exported) leaveOutServed(site);
  addEventListener("hashchange", () => open(site));
  history.scrollRestoration = "manual";
  open(site);
} catch (error) {
  root.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
}

// The page: the view that the address names, and a message where something fails.

import { load } from "./shared/data.js";
import { el } from "./shared/dom.js";
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

try {
  const site = await load("api/sources");
  addEventListener("hashchange", () => open(site));
  history.scrollRestoration = "manual";
  open(site);
} catch (error) {
  root.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
}

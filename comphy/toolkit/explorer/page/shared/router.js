// Addresses of views: #/set/0/12?frame=30 is the view `set` with the parts 0 and 12. Every state that is worth a link is in
// the address.

export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view, parts, query: new URLSearchParams(query) };
}

export function address(view, parts = [], query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const words = new URLSearchParams(given).toString();
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}${words ? `?${words}` : ""}`;
}

// Changes the query of the present view without a step in the browser's history.
export function remember(query) {
  const now = route();
  for (const [name, value] of Object.entries(query)) {
    if (value === "" || value === null || value === undefined) now.query.delete(name);
    else now.query.set(name, value);
  }
  history.replaceState(null, "", address(now.view, now.parts, Object.fromEntries(now.query)));
}

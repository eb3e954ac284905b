// The grid of sets. Only the cards in sight exist; filters are applied to what the catalogue says of each set, and to what
// the server finds in questions.

import { load, stream } from "../shared/data.js";
import { el, plural } from "../shared/dom.js";
import { Posters } from "../shared/posters.js";
import { address, remember } from "../shared/router.js";

const EVENTS = { collision: "collisions", attraction: "attraction", repulsion: "repulsion", in: "something comes in", out: "something leaves" };
const CAPTION = 54; // pixels below a poster
const GAP = 16;
const WIDEST = 250;
const catalogues = new Map(); // by source: kept while the page is open
const places = new Map(); // where each grid was left

export function browse(root, { parts, query }, site) {
  const source = site.sources[Number(parts[0] ?? 0)];
  if (!source) {
    root.append(welcome(site));
    return () => {};
  }
  const view = new Browse(source, site, query);
  root.append(...view.elements);
  view.open();
  return () => view.close();
}

function welcome(site) {
  const words = site.sources.length ? "There is no such source here." : "No dataset is open.";
  return el("section", { class: "empty" }, el("h1", {}, words),
    el("p", {}, "Make a small dataset and open it: "), el("pre", {}, "comphy demo\ncomphy explore demo"),
    el("p", {}, "Or name one, the published ComPhy release, CLEVRER, or a folder of your own videos: "),
    el("pre", {}, "comphy explore FOLDER"),
    el("p", {}, "Or play a puzzle: ", el("a", { href: "phyre/" }, "PHYRE"), ", ", el("a", { href: "phyq/" }, "Phy-Q"), "."));
}

class Browse {
  constructor(source, site, query) {
    Object.assign(this, { source, site, found: [], cards: new Map(), focused: 0 });
    this.filters = Object.fromEntries(["split", "family", "objects", "event", "asked", "stability", "wrong", "words"].map((name) => [name, query.get(name) ?? ""]));
    this.posters = new Posters(source, site);
    this.count = el("p", { class: "count", role: "status" }, "Loading …");
    this.bar = el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() });
    this.grid = el("div", { class: "grid", role: "group", "aria-label": "Sets" });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => this.focus(event));
    this.aborted = new AbortController();
    this.scrolled = () => this.draw();
    this.resized = new ResizeObserver(() => this.draw());
    this.elements = [el("div", { class: "browse" }, this.title(), this.bar, this.count, this.grid)];
  }

  title() {
    const { source, site } = this;
    const others = site.sources.length > 1 && el("select", { "aria-label": "Source", onchange: (event) => (location.hash = address("browse", [event.target.value])) },
      site.sources.map((one) => el("option", { value: String(one.number), selected: one === source }, one.name)));
    return el("div", { class: "title" }, el("h1", {}, source.name), el("span", { class: "muted" }, `${source.kind}, ${plural(source.sets, "set")}`), others);
  }

  async open() {
    const { signal } = this.aborted;
    document.title = `${this.source.name} · comphy`;
    addEventListener("scroll", this.scrolled, { passive: true });
    this.resized.observe(this.grid);
    this.listen = (event) => this.shortcut(event);
    addEventListener("keydown", this.listen);
    this.showFilters({ families: {}, stability: false });
    try {
      const reading = this.read(signal);
      await Promise.race([this.posters.first, reading.then(() => this.found.length && this.posters.first)]);
      this.asked = await load(`api/sources/${this.source.number}/questions`, signal);
      this.showFilters(this.asked);
      await Promise.all([reading, this.search()]);
      scrollTo(0, places.get(this.source.number) ?? 0);
    } catch (error) {
      if (error.name !== "AbortError") this.count.textContent = error.message;
    }
  }

  async read(signal) {
    const { number, sets } = this.source;
    const rows = catalogues.get(number) ?? [];
    catalogues.set(number, rows);
    this.rows = rows;
    this.filter();
    if (rows.length === sets) return;
    await stream(`api/sources/${number}/catalogue?from=${rows.length}`, (more) => {
      rows.push(...more);
      this.filter();
    }, signal);
  }

  close() {
    places.set(this.source.number, scrollY);
    this.aborted.abort();
    this.resized.disconnect();
    this.posters.close();
    removeEventListener("scroll", this.scrolled);
    removeEventListener("keydown", this.listen);
  }

  showFilters({ families, stability }) {
    const choice = (name, words, options) => {
      const select = el("select", { name, onchange: () => this.set(name, select.value) }, el("option", { value: "" }, "any"),
        options.map(([value, text]) => el("option", { value, selected: this.filters[name] === value }, text)));
      return el("label", {}, el("span", {}, words), select);
    };
    const words = el("input", { type: "search", name: "words", placeholder: "words of a question, or a set's number", value: this.filters.words, oninput: () => this.set("words", words.value) });
    const kinds = ["factual", "predictive", "counterfactual", "explanatory"];
    const ranked = Object.keys(families).sort((a, b) => kinds.includes(b) - kinds.includes(a) || a.localeCompare(b));
    this.words = words;
    const held = this.bar.contains(document.activeElement) ? document.activeElement.name : null;
    this.bar.replaceChildren(
      el("label", { class: "words" }, el("span", {}, "Search"), words),
      choice("split", "Split", ["train", "val", "test"].map((one) => [one, one])),
      choice("family", "Hidden", [["mass", "mass"], ["charge", "charge"], ["both", "both"]]),
      choice("objects", "Objects", ["2", "3", "4", "5", "6"].map((one) => [one, one])),
      choice("event", "Event", Object.entries(EVENTS)),
      ranked.length ? choice("asked", "Questions", ranked.map((one) => [one, `${one.replaceAll("_", " ")} (${families[one]})`])) : "",
      stability ? choice("stability", "Physics", [["stable", "stable"], ["chaotic", "chaotic"]]) : "",
      this.source.number === 0 && this.site.runs.length ? choice("wrong", "Wrong by", this.site.runs.map((one) => [one, one])) : "",
      el("button", { type: "button", class: "reset", onclick: () => this.reset() }, "Reset"),
    );
    if (held) this.bar.querySelector(`[name=${held}]`)?.focus(); // whoever types already goes on
    if (held === "words") words.setSelectionRange(words.value.length, words.value.length);
  }

  reset() {
    for (const name of Object.keys(this.filters)) this.filters[name] = "";
    remember(this.filters);
    this.showFilters(this.asked ?? { families: {}, stability: false });
    this.search();
    this.words.focus();
  }

  set(name, value) {
    this.filters[name] = value;
    remember({ [name]: value });
    this.search();
  }

  // What only questions tell is looked up by the server.
  async search() {
    const { words, asked, stability, wrong } = this.filters;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const isNumber = /^\d+$/.test(words.trim());
    let among = null;
    if ((words.trim() && !isNumber) || asked || stability) {
      const query = new URLSearchParams({ words: isNumber ? "" : words, family: asked, stability });
      try {
        among = new Set((await load(`api/sources/${this.source.number}/search?${query}`)).sets);
      } catch (error) {
        this.count.textContent = error.message;
        return;
      }
    }
    if (wrong) {
      this.wrong ??= (await load("api/runs/wrong").catch(() => ({ sets: {} }))).sets;
      const sets = new Set(this.wrong[wrong] ?? []);
      among = among ? new Set([...among].filter((index) => sets.has(index))) : sets;
    }
    if (turn !== this.turn) return;
    this.among = among;
    this.number = isNumber ? Number(words) : null;
    this.filter();
    scrollTo(0, 0);
  }

  filter() {
    const { split, family, objects, event } = this.filters;
    this.found = (this.rows ?? []).filter((row) =>
      (!split || row.s === split) && (!family || row.f === family) && (!objects || row.o?.length === Number(objects)) &&
      (!event || row.e?.[event]) && (!this.among || this.among.has(row.i)) && (this.number === null || this.number === undefined || row.i === this.number));
    const reading = this.rows && this.rows.length < this.source.sets ? `, ${plural(this.rows.length, "set")} of ${this.source.sets.toLocaleString("en")} read so far` : "";
    this.count.textContent = `${plural(this.found.length, "set")}${this.found.length ? "" : ": no set has all of this"}${reading}`;
    this.focused = Math.min(this.focused, Math.max(0, this.found.length - 1));
    this.draw();
  }

  measure() {
    const width = this.grid.clientWidth;
    this.columns = Math.max(width < 520 ? 2 : 1, Math.ceil((width + GAP) / (WIDEST + GAP)));
    this.wide = (width - GAP * (this.columns - 1)) / this.columns;
    this.high = Math.round((this.wide * 2) / 3 + CAPTION);
  }

  // Keeps the cards in sight, and some more above and below.
  draw() {
    if (!this.grid.isConnected || !this.grid.clientWidth) return;
    this.measure();
    const { columns, wide, high, found, cards } = this;
    this.grid.style.height = `${Math.ceil(found.length / columns) * (high + GAP)}px`;
    const top = -this.grid.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / (high + GAP)) - 1) * columns;
    const last = Math.min(found.length, (Math.ceil((top + innerHeight) / (high + GAP)) + 1) * columns);
    const kept = new Set(found.slice(first, last).map((row) => row.i));
    for (const [index, card] of cards) if (!kept.has(index)) this.drop(index, card);
    for (let k = first; k < last; k += 1) {
      const row = found[k];
      const card = cards.get(row.i) ?? this.card(row);
      card.dataset.at = k;
      card.tabIndex = k === this.focused ? 0 : -1;
      card.style.transform = `translate(${(k % columns) * (wide + GAP)}px, ${Math.floor(k / columns) * (high + GAP)}px)`;
      card.style.width = `${wide}px`;
      if (!cards.has(row.i)) {
        cards.set(row.i, card);
        this.grid.append(card);
        this.posters.show(card.firstChild, row);
      }
    }
  }

  drop(index, card) {
    this.posters.forget(card.firstChild);
    card.remove();
    this.cards.delete(index);
  }

  card(row) {
    const met = row.e?.collision ?? 0;
    const facts = row.error ? "cannot be read" : [row.f && `${row.f} family`, row.s, met ? plural(met, "collision") : row.f && "no collision"].filter(Boolean).join(" · ");
    const names = (row.o ?? []).map(([color, shape, material]) => `${color} ${material} ${shape}`).join(", ");
    const dots = (row.o ?? []).map(([color]) => el("i", { style: { background: `rgb(${this.site.colors[color].join(" ")})` } }));
    return el("a", { class: `card${row.error ? " bad" : ""}`, href: address("set", [this.source.number, row.i]), title: row.error ?? names },
      el("div", { class: "poster" }), el("span", { class: "name" }, `Set ${row.i}`, el("span", { class: "dots" }, dots)), el("span", { class: "muted" }, facts));
  }

  shortcut(event) {
    if (event.key === "/" && !event.target.matches("input, select")) {
      event.preventDefault();
      this.words.focus();
    }
  }

  focus(event) {
    const card = event.target.closest(".card");
    if (card) this.focused = Number(card.dataset.at);
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -3 * this.columns, PageDown: 3 * this.columns, Home: -Infinity, End: Infinity }[event.key];
    if (!by || !this.found.length) return;
    event.preventDefault();
    this.focused = Math.min(Math.max(this.focused + by, 0), this.found.length - 1);
    const middle = Math.floor(this.focused / this.columns) * (this.high + GAP) + this.high / 2;
    const top = this.grid.getBoundingClientRect().top + middle;
    if (top < this.high || top > innerHeight - this.high / 2) scrollBy(0, top - innerHeight / 2);
    this.draw();
    this.cards.get(this.found[this.focused].i)?.focus({ preventScroll: true });
  }
}

// One set: its videos in step, what is known of them, other worlds, and its questions.

import { load } from "../shared/data.js";
import { Apart } from "../shared/apart.js";
import { Ask } from "../shared/ask.js";
import { FrameClock } from "../shared/clock.js";
import { el, tag } from "../shared/dom.js";
import { openFilm } from "../shared/film.js";
import { LAYERS, signOf } from "../shared/layers.js";
import { questionList } from "../shared/questions.js";
import { address, remember } from "../shared/router.js";
import { readableOn } from "../shared/scene.js";
import { SEEN_LAYERS, Seen } from "../shared/seen.js";
import { placeOf } from "../shared/steps.js";
import { Stage } from "../shared/stage.js";
import { Timeline } from "../shared/timeline.js";
import { TopView } from "../shared/topview.js";
import { Transport } from "../shared/transport.js";
import { WhatIf, inWords } from "../shared/whatif.js";

export function showSet(root, { parts, query }, site) {
  const [number, index] = parts.map(Number);
  const place = el("div", { class: "set" }, el("p", { role: "status" }, "Loading …"));
  root.append(place);
  const aborted = new AbortController();
  let view = null;
  load(`api/sources/${number}/sets/${index}`, aborted.signal)
    .then(async (set) => {
      const films = set.videos.map((video) => openFilm(number, index, video));
      await new Promise((done) => setTimeout(done)); // so that the videos are on their way while the page is built
      if (!aborted.signal.aborted) view = new SetView(place, set, site, number, query, films);
    })
    .catch((error) => {
      if (error.name === "AbortError") return;
      const back = el("a", { href: address("browse", [number]) }, "Back to the sets");
      place.replaceChildren(el("h1", {}, `Set ${index}`), el("p", { class: "problem", role: "alert" }, error.message), el("p", {}, back));
    });
  return () => {
    aborted.abort();
    view?.close();
  };
}

class SetView {
  constructor(place, set, site, number, query, films) {
    const source = site.sources[number];
    Object.assign(this, { place, set, source, lit: new Set(), runs: new Map() });
    const [target, ...references] = set.videos;
    this.target = target;
    this.models = site.exported ? [] : site.answerers.slice(0, -1);
    this.known = { ...(set.objects.length ? LAYERS : {}), ...(this.models.length ? SEEN_LAYERS : {}) };
    this.layers = new Set((query.get("layers") ?? "numbers").split(",").filter((name) => name in this.known));
    this.seen = new Seen(`api/sources/${source.number}/sets/${set.index}/seen`, site.colors, () => this.show());
    this.clock = new FrameClock(target.frames, set.fps, () => this.show());
    this.stages = [target, ...references].map((video, k) => new Stage(set, video, films[k], video.title));
    this.timeline = set.objects.length ? new Timeline(set, target, this.clock) : null;
    const drag = source.simulated ? (number, start) => this.whatIf.change(number, { start }) : null;
    this.top = set.objects.length ? new TopView(set, target, drag) : null;
    this.whatIf = source.simulated ? this.openWhatIf(this.models, query) : null;
    this.transport = new Transport(this.clock, (speed) => this.stages.forEach((stage) => stage.setSpeed(speed)));
    const canAsk = !set.asked || set.asked.length > 0;
    this.ask = canAsk ? new Ask(set, `api/sources/${source.number}/sets/${set.index}/ask`, site.answerers, this.actions(), query) : null;
    this.listed = number === 0 ? placeOf(set.index, query.get("question")) : null;
    document.title = `Set ${set.index} · ${source.name} · comphy`;
    this.listen = (event) => this.key(event);
    addEventListener("keydown", this.listen);
    this.build();
    this.clock.seek(Number(query.get("frame") ?? 0) || 0);
    this.look();
    if (query.get("run")) this.choose(query.get("run"));
    if (number === 0 && site.runs.length) this.showAnswers();
    if (query.get("question")) this.showQuestion(query.get("question"));
  }

  // What runs answered, below each question.
  async showAnswers() {
    const { answers } = await load(`api/runs/sets/${this.set.index}`).catch(() => ({ answers: {} }));
    for (const [id, given] of Object.entries(answers)) {
      const lines = given.map(({ run, words, right }) => el("p", { class: "given" }, el("span", { class: right ? "correct" : "problem" }, right ? "✓" : "✗"), ` ${run}: ${words}`));
      document.getElementById(`question-${id}`)?.append(...lines);
    }
  }

  showQuestion(id) {
    const item = document.getElementById(`question-${id}`);
    item?.classList.add("sought");
    item?.querySelector("details")?.setAttribute("open", "");
    requestAnimationFrame(() => item?.scrollIntoView({ block: "center" }));
  }

  build() {
    const { set, stages } = this;
    const [target, ...references] = stages;
    this.chips = this.layerChips();
    this.beside = el("div", { class: "beside" });
    this.worlds = el("div", {});
    this.place.replaceChildren(
      this.title(),
      el("div", { class: "videos" },
        el("div", { class: "main" }, target.element, this.transport.element, this.chips, this.seen.status),
        el("div", { class: "side" }, this.beside, el("div", { class: "four" }, references.map((stage) => stage.element)))),
      this.ask?.element ?? "",
      this.timeline ? el("section", {}, el("h2", {}, "Events"), this.timeline.element) : "",
      el("div", { class: "pair" }, this.top ? el("section", {}, el("h2", {}, "Table"), this.top.element) : "",
        el("div", {}, set.objects.length ? this.objects() : "", this.whatIf?.element ?? "", set.runs.length ? this.runList() : "")),
      el("section", {}, el("h2", {}, "Questions"), questionList(set, this.actions())),
      this.keys(),
    );
  }

  title() {
    const { set, source } = this;
    const go = (by, words, sign) => {
      const to = this.neighbour(by);
      return to === null ? "" : el("a", { class: "button", href: to, "aria-label": words, title: `${words} (${by < 0 ? "[" : "]"})` }, sign);
    };
    const facts = [set.family && `${set.family} family`, `${set.split} split`].filter(Boolean).join(" · ");
    return el("div", { class: "title" }, el("h1", {}, el("a", { href: address("browse", [source.number]) }, source.name), " / ", `Set ${set.index}`),
      el("span", { class: "muted" }, facts), this.listed ? this.inList(this.listed) : "", el("span", { class: "picker" }, go(-1, "Previous set", "‹"), go(1, "Next set", "›")));
  }

  // The answer's place in the list of the runs' page.
  inList({ at, of, before, after }) {
    const link = (to, words, key) => (to ? el("a", { class: "button", href: to, title: `Key ${key}` }, words) : "");
    return el("span", { class: "listed" }, link(before, "Previous answer", "k"), el("span", { class: "muted" }, `answer ${at + 1} of ${of.toLocaleString("en")}`), link(after, "Next answer", "j"));
  }

  // The address of the set before or after this one, null where there is none.
  neighbour(by) {
    const index = this.set.neighbours[by < 0 ? 0 : 1];
    return index === null ? null : address("set", [this.source.number, index], this.kept());
  }

  kept() {
    return { layers: [...this.layers].join(",") };
  }

  layerChips() {
    const chips = Object.entries(this.known).map(([name, words], k) =>
      el("button", { class: "chip", "data-layer": name, title: `Key ${k + 1}`, onclick: () => this.toggle(name) }, words));
    return chips.length ? el("div", { class: "chips", role: "group", "aria-label": "Layers" }, chips) : "";
  }

  toggle(name) {
    if (!this.layers.delete(name)) this.layers.add(name);
    remember(this.kept());
    this.look();
    this.show();
  }

  // Layers of what a run saw need it to look: the one that is asked, or the first.
  look() {
    if (!Object.keys(SEEN_LAYERS).some((name) => this.layers.has(name))) return;
    const by = this.ask?.by.value;
    this.seen.look(this.models.includes(by) ? by : this.models[0]);
  }

  objects() {
    const rows = this.set.objects.map((object, number) =>
      el("tr", { onpointerenter: () => this.light([number]), onpointerleave: () => this.light([]) },
        el("td", {}, tag(number, object, readableOn(object.rgb))), el("td", {}, object.name),
        el("td", { class: object.heavy ? "strong" : "muted" }, object.heavy ? "heavy" : "light"),
        el("td", { class: object.charge ? "strong" : "muted" }, signOf(object.charge))));
    return el("section", {}, el("h2", {}, "Objects"), el("table", {}, el("thead", {}, el("tr", {}, ["#", "object", "mass", "charge"].map((word) => el("th", { scope: "col" }, word)))), el("tbody", {}, rows)));
  }

  runList() {
    const { set } = this;
    const tags = (pair) => pair.map((number) => tag(number, set.objects[number], readableOn(set.objects[number].rgb)));
    const items = set.runs.map((run) => {
      const consequences = [
        ...run.gained.map((pair) => el("span", { class: "gained", title: "collide only there" }, "+ ", tags(pair))),
        ...run.lost.map((pair) => el("span", { class: "lost", title: "collide only here" }, "− ", tags(pair))),
        ...run.recounted.map((pair) => el("span", { class: "muted", title: "collide in both, not equally often" }, "· ", tags(pair))),
      ];
      return el("button", { class: "world", "data-run": run.key, "aria-pressed": "false", onclick: () => this.choose(this.ghost?.key === run.key ? null : run.key) },
        el("span", {}, `if ${run.premise}`), el("span", { class: "consequences" }, consequences.length ? consequences : el("span", { class: "muted" }, "the same collisions")));
    });
    this.worlds.replaceChildren(...items);
    return el("section", {}, el("h2", {}, "Other worlds"), el("p", { class: "muted" }, "Choose one to see it beside the target, in step, and as a ghost over it. + pairs collide only there, − only here."), this.worlds);
  }

  openWhatIf(models, query) {
    let changes = {};
    try {
      changes = JSON.parse(query.get("if") ?? "{}");
    } catch {
      // a link that was cut off begins with the world as it is
    }
    return new WhatIf(this.set, `api/sources/${this.source.number}/sets/${this.set.index}/what-if`, models, (motion, learned, now) => this.imagine(motion, learned, now), changes);
  }

  // Shows the world of the sliders, as Bullet and as a model move it, or none.
  imagine(motion, learned, changes) {
    this.wanted = null;
    remember({ run: null, if: motion ? JSON.stringify(changes) : null });
    const words = inWords(this.set, changes);
    this.setGhost(motion ? { key: null, ...motion } : null, `${words}. By Bullet`, learned, this.whatIf.beside);
  }

  // Shows a counterfactual run, or none.
  async choose(key) {
    this.wanted = key;
    if (key && !this.runs.has(key)) {
      try {
        this.runs.set(key, await load(`api/sources/${this.source.number}/sets/${this.set.index}/runs/${encodeURIComponent(key)}`));
      } catch (error) {
        this.beside.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
        return;
      }
    }
    if (this.wanted !== key || !this.place.isConnected) return;
    this.whatIf?.reset(false);
    remember({ run: key, if: null });
    const run = this.set.runs.find((one) => one.key === key);
    this.setGhost(key ? { key, ...this.runs.get(key) } : null, `If ${run?.premise ?? key}`);
  }

  // Another world, over the target and beside it; and `learned`, the same one as a model moves it.
  setGhost(ghost, title, learned = null, place = this.beside) {
    for (const part of [this.other, this.second, this.apart]) part?.close();
    Object.assign(this, { ghost, learned });
    this.other = ghost ? this.otherStage(ghost, title) : null;
    this.second = learned ? this.otherStage(learned, `By the learned dynamics of ${learned.by}, from the true start; dashed: Bullet`) : null;
    this.apart = learned ? new Apart(ghost.objects, ghost, learned, ["Bullet", learned.by], this.clock) : null;
    for (const empty of [this.beside, this.whatIf?.beside]) empty?.replaceChildren();
    place.replaceChildren(...[this.other, this.second, this.apart].filter(Boolean).map(({ element }) => element));
    for (const button of this.worlds.children) button.setAttribute("aria-pressed", String(Boolean(ghost?.key) && button.dataset.run === ghost.key));
    this.show();
  }

  otherStage(motion, title) {
    const frames = motion.positions.length;
    const set = { ...this.set, objects: motion.objects };
    const video = { ...this.target, ...motion, frames, visible: Math.min(frames, this.target.visible), boxes: [] };
    return new Stage(set, video, null, title);
  }

  light(numbers, frames = []) {
    this.lit = new Set(numbers);
    this.timeline?.mark(frames);
    this.show();
  }

  actions() {
    return {
      seek: (video, frame) => {
        this.clock.seek(frame);
        this.stages[this.set.videos.findIndex((one) => one.name === video)]?.element.scrollIntoView({ block: "center" });
      },
      ask: (words) => {
        this.ask.choose(words);
        this.ask.element.scrollIntoView({ block: "center" });
      },
      light: (numbers, frames) => this.light(numbers, frames),
      remember,
      imagine: (motion, words) => {
        this.whatIf?.reset(false);
        this.setGhost(motion, `As the model imagines it. ${words}`);
      },
      choose: (key) => this.choose(key).then(() => this.stages[0].element.scrollIntoView({ block: "center" })),
    };
  }

  show() {
    const { clock, layers, lit } = this;
    this.stages.forEach((stage, k) => stage.show(clock, { layers, lit, seen: this.seen, ghost: k === 0 ? this.ghost : null }));
    this.other?.show(clock, { layers, lit });
    this.second?.show(clock, { layers, lit, ghost: this.ghost });
    this.apart?.show();
    this.timeline?.show();
    this.top?.show(clock.frame, { ghost: this.ghost, learned: this.learned, lit });
    this.transport?.show();
    for (const chip of this.chips?.children ?? []) chip.setAttribute("aria-pressed", layers.has(chip.dataset.layer));
    if (!clock.playing) remember({ frame: clock.frame || null });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input:not([type=range]), select, textarea")) return;
    const name = Object.keys(this.known)[Number(event.key) - 1];
    if (name) this.toggle(name);
    else if (event.key === "[" || event.key === "]") location.hash = this.neighbour(event.key === "[" ? -1 : 1) ?? location.hash;
    else if (this.listed && (event.key === "j" || event.key === "k")) location.hash = this.listed[event.key === "j" ? "after" : "before"] ?? location.hash;
    else return;
    event.preventDefault();
  }

  keys() {
    const entries = [["Space", "play, pause"], ["← →", "a frame back or on; with Shift ten"], ["Home End", "first and last frame"], [`1 … ${Object.keys(this.known).length}`, "layers"], ["[ ]", "previous and next set"], ...(this.listed ? [["k j", "previous and next answer of the list"]] : [])];
    return el("section", { class: "keys" }, el("h2", {}, "Keys"), el("dl", {}, entries.map(([keys, words]) => el("div", {}, el("dt", {}, keys.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, words)))));
  }

  close() {
    removeEventListener("keydown", this.listen);
    this.transport.close();
    for (const part of [...this.stages, this.other, this.second, this.apart, this.timeline, this.top, this.ask, this.seen]) part?.close();
  }
}

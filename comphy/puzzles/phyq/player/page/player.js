// One task, the game that is played or watched, and the shot that is being aimed.

import { ask } from "../player/ask.js";
import { listenToKeys } from "../player/keys.js";
import { find } from "../player/skeleton.js";
import { beside } from "../player/tasks.js";
import { Aim } from "./aim.js";
import { Game } from "./attempt.js";
import { LevelPaper } from "./drawing/level.js";
import { drawGame } from "./drawing/picture.js";
import { act, listenToBoard } from "./input.js";
import { FreeScores } from "./rounds/scores.js";
import { ScenarioGallery } from "./scenarios.js";
import { Surroundings } from "./surroundings.js";
import { DRESS, inWords } from "./words.js";

export class Player {
  constructor(catalogue) {
    this.name = DRESS.name;
    this.catalogue = catalogue;
    this.scores = new FreeScores();
    this.aim = new Aim(catalogue, () => this.aimed());
    this.paper = new LevelPaper(find("board"), catalogue, { left: 0, right: 1, bottom: 0, top: 0.4 });
    this.panel = new Surroundings(this);
    this.gallery = new ScenarioGallery(catalogue, (id) => (location.hash = id));
    this.seeds = 0; // agents' plays differ
    new ResizeObserver(() => this.show()).observe(this.paper.canvas);
    listenToBoard(this);
    listenToKeys((event) => act(this, event));
  }

  open(task) {
    this.task = { ...task, group: String(task.scenario) };
    this.paper.view = task.view;
    this.ghosts = [];
    this.aim.tap = null;
    this.restart();
    this.gallery.show(this.task);
    this.panel.open();
    this.show();
  }

  // Until the next task is there, nothing is shown. Slow motion is for free play.
  leaveTask() {
    if (this.task) this.restart();
    this.task = null;
    if (this.panel.speed < 1) find("speed").value = "1";
  }

  restart() {
    this.playback?.pause();
    Object.assign(this, { playback: null, watched: null, message: null, thinking: null, waiting: false, attempt: null, ended: false });
    this.shots = [];
    this.seconds = 0; // of thinking, in this attempt
    this.since = performance.now();
    this.aim.shown = false;
    this.aim.target = null;
  }

  get status() {
    return this.playback?.status ?? "playing";
  }

  get over() {
    return Boolean(this.playback?.revealed && this.playback.over && !this.watched);
  }

  get birdsLeft() {
    return this.task.birds.length - this.shots.length;
  }

  // The bird in the sling, or the one that flies.
  get current() {
    return this.task.birds[this.playback?.flying && !this.watched ? this.shots.length - 1 : this.shots.length] ?? null;
  }

  get canShoot() {
    if (this.waiting || this.watched || !this.task || !this.birdsLeft || (this.decided && !this.playback)) return false;
    return !this.playback || (this.playback.sling && !this.over);
  }

  // Whether this is a task of a round that is solved, or failed five times.
  get decided() {
    return Boolean(this.round?.decided(this.task.id));
  }

  get canTap() {
    const { playback } = this;
    if (this.waiting || this.watched || !playback?.flying || this.tapPlanned) return false;
    const kind = playback.flying.bird;
    return this.catalogue.birds[kind].power && playback.pose(playback.flying)[0] >= this.catalogue.power_place;
  }

  get canSeek() {
    return Boolean(this.playback?.revealed || this.watched) && !this.waiting;
  }

  // Solutions and agents may be seen once a task of a round is decided, and always in free play.
  get mayWatch() {
    return !this.round || this.decided;
  }

  get attemptsShown() {
    if (this.round) return this.round.attemptsOf(this.task.id);
    const { attempts, solvedAt, seen } = this.scores.of(this.task.id);
    return { used: attempts, solvedAt, practice: seen };
  }

  get runLabel() {
    const { playback } = this;
    if (this.watched || this.over) return playback.playing ? "Pause" : playback.ended ? "Replay" : "Go on";
    if (this.canTap) return "Tap";
    if (this.canShoot) return "Shoot";
    return playback && !playback.flying && !this.waiting ? "Skip" : "";
  }

  get resetLabel() {
    if (this.decided && (this.over || this.watched || !this.playback)) return this.round.finished ? "See your score" : "Next task";
    if (this.watched) return "Back to your game";
    return this.over ? (this.status === "won" ? "Play again" : "Try again") : "Give up";
  }

  // What the one big button does.
  async run() {
    const { playback } = this;
    if (this.watched || this.over) {
      if (playback.playing) playback.pause();
      else playback.play();
    } else if (this.canTap) await this.tap();
    else if (this.canShoot && !this.aim.shown) this.aim.set(this.aim.degrees, this.aim.stretch);
    else if (this.canShoot) await this.shoot();
    else if (this.runLabel === "Skip") this.skip();
  }

  // The pointer takes hold of the bird: what is shown is where the game stands.
  take() {
    if (this.playback?.revealed) this.playback.at = this.playback.end;
    this.message = null;
  }

  async shoot() {
    this.take();
    const shots = this.shots.map((shot) => [...shot]);
    const last = this.playback?.recording.launches.at(-1);
    if (shots.length && !this.playback.revealed) shots.at(-1)[3] = (Math.floor(this.playback.step) - last) / this.catalogue.steps_per_second;
    const power = this.catalogue.birds[this.task.birds[shots.length]].power;
    shots.push([this.aim.degrees, this.aim.stretch, power ? this.aim.tap : null, null]);
    this.seconds += (performance.now() - this.since) / 1000;
    await this.played(shots, async () => {
      if (shots.length === 1) this.attempt = this.round ? await this.round.begin(this.task.id) : this.scores.begin(this.task.id);
    });
  }

  async tap() {
    const shots = this.shots.map((shot) => [...shot]);
    shots.at(-1)[2] = (Math.floor(this.playback.step) - this.playback.recording.launches.at(-1)) / this.catalogue.steps_per_second;
    await this.played(shots);
  }

  // Asks what becomes of the shots, and goes on from where the game is; it stands still meanwhile.
  async played(shots, first = async () => {}) {
    const { task, playback } = this;
    const step = playback ? (playback.revealed ? playback.recording.steps : Math.floor(playback.step)) : 0;
    playback?.pause();
    this.waiting = true;
    this.show();
    try {
      const recording = await ask("play", { task: task.id, shots });
      if (task !== this.task || this.playback !== playback) return;
      await first();
      this.shots = shots;
      this.follow(recording, step);
    } catch (error) {
      if (task === this.task) this.fail(error);
      if (playback && !playback.revealed) playback.play();
    } finally {
      this.waiting = false;
      this.show();
    }
  }

  follow(recording, step) {
    this.aim.shown = false;
    this.tapPlanned = this.shots.at(-1)?.[2] !== null;
    this.playback = new Game(recording, this.catalogue.steps_per_second, () => this.show(), () => this.rest());
    this.playback.at = step;
    this.playback.speed = this.panel.speed;
    this.playback.play();
  }

  // All is at rest: the attempt is over, or the next bird is waited for.
  async rest() {
    this.since = performance.now();
    if (this.watched || !this.playback.over || this.ended) return;
    this.ended = true;
    const won = this.playback.status === "won";
    this.ghosts = this.playback.trails(true);
    if (!this.round) {
      if (won) this.scores.end(this.task.id, this.attempt);
      return;
    }
    this.waiting = true;
    try {
      await this.round.end(this.task.id, this.shots, this.seconds);
    } catch (error) {
      this.fail(error);
    } finally {
      this.waiting = false;
      this.show();
    }
  }

  // Back to the start. In a round, a task that is decided is followed by the next.
  async reset() {
    if (this.waiting || (!this.playback && !this.message && !this.decided)) return;
    if (this.round && this.playback && !this.watched && !this.ended) await this.round.refresh();
    if (this.decided) {
      await this.round.next();
      return;
    }
    if (this.playback && !this.watched) this.ghosts = this.playback.trails();
    this.restart();
    this.show();
  }

  // To where nothing moves, or to the end.
  skip() {
    if (!this.playback || this.playback.revealed || this.waiting || this.playback.flying) return;
    this.playback.seek(this.playback.recording.steps);
  }

  aimed() {
    this.message = null;
    this.show();
  }

  async aimAt(place) {
    try {
      const words = await this.aim.through(place);
      this.message = { kind: "", words };
    } catch (error) {
      this.fail(error);
    }
    this.show();
  }

  // The pigs in turn, each by the low and the high arc.
  async aimAtNext() {
    if (!this.canShoot) return;
    const pigs = this.task.things
      .map((thing, k) => ({ thing, pose: this.playback?.poseOf(k) }))
      .filter(({ thing, pose }) => thing.kind === "pig" && pose !== null);
    if (!pigs.length) return;
    const { aim } = this;
    const more = aim.target && aim.turn + 1 < aim.arcs.length;
    if (!more) this.pig = ((this.pig ?? -1) + 1) % pigs.length;
    const { thing, pose } = pigs[Math.min(this.pig ?? 0, pigs.length - 1)];
    await this.aimAt(pose ? pose.slice(0, 2) : [thing.x, thing.y]);
  }

  go(by) {
    const next = this.round ? null : beside(this.task, by);
    if (next) location.hash = next;
  }

  async showSolution() {
    await this.watchOther("Certified solution", () => ask("solution", { task: this.task.id }), ({ shots }) => shots.map(inWords));
  }

  async showAgent(agent) {
    this.thinking = agent;
    const question = { task: this.task.id, agent, seed: this.seeds };
    this.seeds += 1;
    await this.watchOther(agent, () => ask("agent", question), ({ choices }) =>
      choices.map(({ strategy, reason }) => (reason ? `${strategy} (${reason})` : strategy)));
  }

  async watchOther(title, asked, linesOf) {
    const { task } = this;
    if (!this.round) this.scores.markSeen(task.id);
    this.playback?.pause();
    this.waiting = true;
    this.show();
    try {
      const recording = await asked();
      if (task !== this.task) return;
      this.restart();
      this.watched = { title, lines: linesOf(recording) };
      this.shots = recording.shots;
      this.follow(recording, 0);
    } catch (error) {
      if (task === this.task) this.fail(error);
    } finally {
      Object.assign(this, { waiting: false, thinking: null });
      this.show();
    }
  }

  fail(error) {
    this.message = { kind: "bad", words: error.message };
    this.show();
  }

  show() {
    if (this.task) drawGame(this);
    this.panel.show();
  }
}

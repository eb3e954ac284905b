// What a run saw of a set, drawn over its videos: boxes, tracks, and how sure it is.

import { postStream } from "./data.js";
import { el } from "./dom.js";
import { css, path, project, readableOn } from "./scene.js";

export const SEEN_LAYERS = { "seen-boxes": "Seen boxes", "seen-tracks": "Seen tracks", doubts: "Uncertainty" };
const HEIGHT = 0.2; // of an object's centre
const ROUND = 24; // points of a circle
const STRANGER = [120, 120, 120]; // colour of a track that is no object of the target
const percent = (chance) => `${Math.round(100 * chance)} %`;

// Asks a run to look, once, when a layer of what it saw is first switched on.
export class Seen {
  constructor(path, colors, onSeen) {
    Object.assign(this, { path, colors, onSeen });
    this.status = el("p", { role: "status", class: "muted" });
  }

  async look(by) {
    if (this.by === by) return;
    this.aborted?.abort();
    const { signal } = (this.aborted = new AbortController());
    Object.assign(this, { by, record: null });
    try {
      await postStream(this.path, { by }, (lines) => lines.forEach((line) => this.take(line)), signal);
    } catch (error) {
      if (error.name !== "AbortError") this.take({ error: error.message });
    }
  }

  take({ stage, error, seen }) {
    this.status.className = error ? "problem" : stage ? "muted busy" : "muted";
    this.status.textContent = error ?? stage ?? this.words(seen);
    if (error) this.by = null;
    if (seen) this.record = seen;
    this.onSeen();
  }

  words({ by, objects, charges, assumed }) {
    const told = objects.map(({ name, chance }) => `${name} (${percent(chance)})`).join(", ");
    const charged = charges.map(({ pair, same, opposite }) => `${pair.map((number) => objects[number].name).join(" and ")} ${same > opposite ? `repel (${percent(same)})` : `attract (${percent(opposite)})`}`);
    const heavy = objects.filter((one) => one.heavy > 0.05).map((one) => `${one.name} heavy (${percent(one.heavy)})`);
    return [`${by} saw ${told}`, [...heavy, ...charged].join(", "), ...assumed].filter(Boolean).join(". ");
  }

  close() {
    this.aborted?.abort();
  }

  // Draws what was seen of a video in a context whose units are pixels of the camera's picture.
  draw(context, camera, name, frame, layers, size) {
    const video = this.record?.videos.find((one) => one.name === name);
    if (!video) return;
    const own = this.record.camera; // the one that the run took the videos to be filmed with
    const at = Math.min(frame, video.boxes.length - 1);
    context.save();
    context.scale(camera.width / own.width, camera.width / own.width);
    video.owners.forEach((owner, track) => {
      const object = this.record.objects[owner];
      const rgb = object ? this.colors[object.name.split(" ")[0]] : STRANGER;
      if (layers.has("seen-tracks")) drawTrack(context, own, video, track, at, rgb);
      if (layers.has("doubts")) drawDoubt(context, own, video, track, at, rgb);
      if (layers.has("seen-boxes")) drawBox(context, own.width / this.record.width, video, track, at, rgb);
      if (layers.has("doubts") && object) drawWords(context, own, video, track, at, object, rgb, size);
    });
    context.restore();
  }
}

const isThere = (video, track, frame) => video.boxes[frame][track].some(Boolean);
const at = (camera, [x, y]) => project(camera, [x, y, HEIGHT]);

// Long dashes where a box was detected, short ones where it was filled in.
function drawBox(context, scale, video, track, frame, rgb) {
  if (!isThere(video, track, frame)) return;
  const [left, top, right, bottom] = video.boxes[frame][track].map((value) => value * scale);
  for (const [width, color] of [[3.5, "#000000aa"], [1.8, css(rgb.map((value) => Math.round(value + (255 - value) * 0.35)))]]) {
    context.setLineDash(video.detected[frame][track] ? [7, 3] : [2, 3]);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.strokeRect(left, top, right - left, bottom - top);
  }
  context.setLineDash([]);
}

function drawTrack(context, camera, video, track, frame, rgb) {
  for (const [width, color] of [[4, "#000000aa"], [2, css(rgb)]]) {
    context.beginPath();
    for (let f = 0; f <= frame; f += 1) {
      if (!isThere(video, track, f)) continue;
      const [x, y, depth] = at(camera, video.places[f][track]);
      if (depth > 0.5) context.lineTo(x, y);
    }
    context.setLineDash([6, 4]);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
    context.setLineDash([]);
  }
}

// Where the object is with a probability of 95 %, if the run tells it, also where it is hidden.
function drawDoubt(context, camera, video, track, frame, rgb) {
  const reach = 1.96 * (video.deviation?.[frame][track] ?? 0);
  const [x, y] = video.places[frame][track];
  if (!reach || at(camera, [x, y])[2] < 0.5) return;
  const ring = Array.from({ length: ROUND }, (_, k) => (2 * Math.PI * k) / ROUND).map((angle) => at(camera, [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]));
  path(context, ring);
  context.fillStyle = css(rgb, 0.35);
  context.fill();
  for (const [width, color] of [[3, "#000000aa"], [1.4, "#ffffff"]]) {
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  }
}

function drawWords(context, camera, video, track, frame, object, rgb, size) {
  if (!isThere(video, track, frame)) return;
  const [x, y, depth] = project(camera, [...video.places[frame][track], HEIGHT - 0.34]);
  if (depth < 0.5) return;
  const words = `${percent(object.chance)}${object.heavy > 0.05 ? ` · heavy ${percent(object.heavy)}` : ""}`;
  context.save();
  context.font = "700 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = context.measureText(words).width + 9;
  const half = (size * width) / 2 + 1;
  context.translate(Math.min(Math.max(x, half), camera.width - half), y); // words at the edge stay in the picture
  context.scale(size, size);
  context.beginPath();
  context.roundRect(-width / 2, -8, width, 16, 5);
  context.fillStyle = css(rgb);
  context.fill();
  context.setLineDash([3, 2]);
  context.strokeStyle = "#ffffff";
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = readableOn(rgb);
  context.fillText(words, 0, 0.5);
  context.restore();
}

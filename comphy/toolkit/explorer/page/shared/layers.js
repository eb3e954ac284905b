// What can be drawn over a video: boxes, outlines, tracks, velocities and hidden properties of its objects.

import { css, fromFar, outline, path, posesAt, project, readableOn } from "./scene.js";

export const LAYERS = {
  numbers: "Numbers",
  boxes: "Boxes",
  masks: "Masks",
  tracks: "Tracks",
  velocities: "Velocities",
  hidden: "Hidden properties",
};
const AHEAD = 0.5; // seconds of motion that an arrow shows
const GHOST = [255, 84, 60];
const LIGHT = 1; // kilograms
const LEAST_TAG = 0.8; // of a tag's size in a picture that is not shrunk

// `scale` is pixels of the canvas for one of the camera's picture; tags stay readable where the picture is `shrunk`.
export function drawLayers(context, { set, video, frame, layers, ghost, seen, lit, scale, shrunk }) {
  const { camera } = set;
  const poses = video.positions.length ? posesAt(video, frame) : [];
  const objects = video.numbers.map((number) => set.objects[number]);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.lineJoin = context.lineCap = "round";
  if (layers.has("masks")) drawMasks(context, camera, objects, poses);
  if (layers.has("tracks")) drawTracks(context, camera, video, objects, frame);
  if (ghost) drawGhost(context, camera, objects, ghost, frame, poses);
  if (layers.has("boxes")) drawBoxes(context, camera, video, objects, frame);
  if (layers.has("velocities")) drawVelocities(context, camera, video, objects, frame);
  seen?.draw(context, camera, video.name, frame, layers, Math.max(1, LEAST_TAG / shrunk));
  if (lit?.size) drawLit(context, camera, video, objects, poses, lit);
  if (layers.has("numbers") || layers.has("hidden")) drawTags(context, { set, video, poses, layers, size: Math.max(1, LEAST_TAG / shrunk) });
  context.setTransform(1, 0, 0, 1, 0, 0);
}

const inFront = (camera, pose) => project(camera, pose.slice(0, 3))[2] > 0.5;

function drawMasks(context, camera, objects, poses) {
  for (const k of fromFar(camera, poses)) {
    if (!inFront(camera, poses[k])) continue;
    path(context, outline(camera, objects[k].shape, poses[k]));
    context.globalCompositeOperation = "destination-out";
    context.fill();
    context.globalCompositeOperation = "source-over";
    context.fillStyle = css(objects[k].rgb, 0.72);
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = "#ffffff";
    context.stroke();
  }
}

function drawTracks(context, camera, video, objects, frame) {
  objects.forEach((object, k) => {
    for (const [width, color] of [[4, "#ffffffcc"], [2, css(object.rgb)]]) {
      context.beginPath();
      for (let f = 0; f <= Math.min(frame, video.positions.length - 1); f += 1) {
        const [x, y, depth] = project(camera, video.positions[f][k]);
        if (depth > 0.5) context.lineTo(x, y);
      }
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  });
}

// What differs in the other world, where it is: dashed, with a line to where the object is here.
function drawGhost(context, camera, objects, ghost, frame, here) {
  const there = posesAt(ghost, frame);
  there.forEach((pose, k) => {
    const moved = Math.hypot(...[0, 1, 2].map((i) => pose[i] - here[k][i])) > 0.05;
    if (!moved || !inFront(camera, pose)) return;
    path(context, outline(camera, objects[k].shape, pose));
    context.fillStyle = css(objects[k].rgb, 0.35);
    context.fill();
    context.setLineDash([4, 3]);
    context.lineWidth = 2;
    context.strokeStyle = css(GHOST);
    context.stroke();
    context.setLineDash([1, 3]);
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(...project(camera, here[k].slice(0, 3)).slice(0, 2));
    context.lineTo(...project(camera, pose.slice(0, 3)).slice(0, 2));
    context.stroke();
    context.setLineDash([]);
  });
}

function drawBoxes(context, camera, video, objects, frame) {
  const scale = camera.width / video.box_width;
  (video.boxes[frame] ?? []).forEach(([left, top, right, bottom], k) => {
    if (right <= left) return;
    const box = [left, top, right - left, bottom - top].map((value) => value * scale);
    for (const [width, color] of [[3.5, "#000000aa"], [1.8, css(lighter(objects[k].rgb))]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.strokeRect(...box);
    }
  });
}

const lighter = (rgb) => rgb.map((value) => Math.round(value + (255 - value) * 0.35));

function drawVelocities(context, camera, video, objects, frame) {
  const at = Math.min(frame, video.positions.length - 1);
  (video.positions[at] ?? []).forEach((place, k) => {
    const speed = video.velocities[at][k];
    if (Math.hypot(...speed) < 0.05) return;
    const [x, y, depth] = project(camera, place);
    const [u, v] = project(camera, place.map((value, i) => value + AHEAD * speed[i]));
    if (depth < 0.5) return;
    for (const [width, color] of [[5, "#000000aa"], [2.2, "#ffc400"]]) arrow(context, [x, y], [u, v], width, color);
  });
}

function arrow(context, [x, y], [u, v], width, color) {
  const angle = Math.atan2(v - y, u - x);
  const wing = (side) => [u - 7 * Math.cos(angle + side), v - 7 * Math.sin(angle + side)];
  context.lineWidth = width;
  context.strokeStyle = color;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(u, v);
  context.moveTo(...wing(0.5));
  context.lineTo(u, v);
  context.lineTo(...wing(-0.5));
  context.stroke();
}

// Objects that something on the page points at.
function drawLit(context, camera, video, objects, poses, lit) {
  video.numbers.forEach((number, k) => {
    if (!lit.has(number) || !inFront(camera, poses[k])) return;
    path(context, outline(camera, objects[k].shape, poses[k]));
    for (const [width, color] of [[6, "#000000aa"], [3, "#ffc400"]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  });
}

function drawTags(context, { set, video, poses, layers, size }) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const k of fromFar(set.camera, poses)) {
    const number = video.numbers[k];
    const object = set.objects[number];
    const [x, y, depth] = project(set.camera, [poses[k][0], poses[k][1], poses[k][2] + 0.34]);
    if (depth < 0.5) continue;
    const words = [layers.has("numbers") && String(number), layers.has("hidden") && hiddenWords(object)];
    context.save();
    context.translate(x, y);
    context.scale(size, size);
    label(context, words.filter(Boolean).join(" "), object.rgb);
    context.restore();
  }
}

export const signOf = (charge) => ({ "-1": "−", 0: "0", 1: "+" })[charge] ?? String(charge);
const massWords = ({ heavy, mass }) => (heavy ? "heavy" : mass === LIGHT ? "light" : `mass ${mass}`);
const hiddenWords = (object) => `${massWords(object)}${object.charge ? ` ${signOf(object.charge)}` : ""}`;

function label(context, words, rgb) {
  context.font = "700 12px system-ui, sans-serif";
  const width = Math.max(17, context.measureText(words).width + 9);
  context.beginPath();
  context.roundRect(-width / 2, -8.5, width, 17, 5);
  context.fillStyle = css(rgb);
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = "#ffffff";
  context.stroke();
  context.fillStyle = readableOn(rgb);
  context.fillText(words, 0, 0.5);
}

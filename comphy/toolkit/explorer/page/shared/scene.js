// Where things are in the picture: projection, outlines of objects, and a plain drawing for browsers without WebGL and until
// the shader is there.

import { columns, tracer } from "./tracer.js";

const RADIUS = 0.2;
const ROUND = 20; // points of a circle
const circle = Array.from({ length: ROUND }, (_, k) => (2 * Math.PI * k) / ROUND).map((a) => [Math.cos(a), Math.sin(a)]);
const CORNERS = {
  cube: [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z]))),
  cylinder: [-1, 1].flatMap((z) => circle.map(([x, y]) => [x, y, z])),
};

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Picture coordinates of a world point, in pixels of the camera's picture, and its depth.
export function project(camera, point) {
  const offset = point.map((value, k) => value - camera.position[k]);
  const depth = dot(offset, camera.forward);
  return [
    camera.width / 2 + (camera.focal * dot(offset, camera.right)) / depth,
    camera.height / 2 + (camera.focal * dot(offset, camera.down)) / depth,
    depth,
  ];
}

// The outline of an object in the picture: the convex hull of its corners, or of a sphere's rim.
export function outline(camera, shape, pose) {
  const centre = pose.slice(0, 3);
  const points = shape === "sphere" ? rim(camera, centre) : corners(CORNERS[shape], centre, columns(pose.slice(3)));
  return hull(points.map((point) => project(camera, point)));
}

function corners(local, centre, [a, b, c, d, e, f, g, h, i]) {
  return local.map(([x, y, z]) => [
    centre[0] + RADIUS * (a * x + d * y + g * z),
    centre[1] + RADIUS * (b * x + e * y + h * z),
    centre[2] + RADIUS * (c * x + f * y + i * z),
  ]);
}

// Points of the circle in which the cone of sight touches a sphere.
function rim(camera, centre) {
  const offset = centre.map((value, k) => value - camera.position[k]);
  const distance = Math.hypot(...offset);
  const view = offset.map((value) => value / distance);
  const side = unit(cross(view, [0, 0, 1]));
  const up = cross(side, view);
  const sine = RADIUS / distance;
  const [back, reach] = [RADIUS * sine, RADIUS * Math.sqrt(1 - sine * sine)];
  return circle.map(([x, y]) => centre.map((value, k) => value - back * view[k] + reach * (x * side[k] + y * up[k])));
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((value) => value / Math.hypot(...a));

// Andrew's monotone chain.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

// Poses of all objects of a motion at a frame: [x, y, z, qx, qy, qz, qw] each.
export function posesAt(motion, frame) {
  const at = Math.min(Math.max(Math.round(frame), 0), motion.positions.length - 1);
  return motion.positions[at].map((place, k) => [...place, ...motion.orientations[at][k]]);
}

// Objects from far to near: as painters draw.
export function fromFar(camera, poses) {
  const depth = (k) => project(camera, poses[k].slice(0, 3))[2];
  return poses.map((_, k) => k).sort((a, b) => depth(b) - depth(a));
}

// The picture of a scene, which fills the context's canvas. `scale`: pixels drawn for one shown, where WebGL draws them.
export function paint(context, camera, objects, poses, scale = undefined) {
  const found = tracer();
  if (found) found.draw(context, camera, objects, poses, scale);
  else paintFlat(context, camera, objects, poses);
}

export function paintFlat(context, camera, objects, poses) {
  const { width, height } = context.canvas;
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, "#8d8d8d");
  sky.addColorStop(1, "#b4b4b4");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  context.setTransform(width / camera.width, 0, 0, height / camera.height, 0, 0);
  for (const k of fromFar(camera, poses)) {
    path(context, outline(camera, objects[k].shape, poses[k]));
    context.fillStyle = css(objects[k].rgb);
    context.fill();
    context.strokeStyle = objects[k].material === "metal" ? "#ffffff99" : "#00000055";
    context.stroke();
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
}

export function path(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
}

export const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;

// Ink or paper, whichever is readable on a colour.
export const readableOn = ([r, g, b]) => (0.2126 * r + 0.7152 * g + 0.0722 * b > 140 ? "#1b1f24" : "#ffffff");

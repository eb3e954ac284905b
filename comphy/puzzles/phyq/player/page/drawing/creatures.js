// Birds, pigs and eggs, drawn about their centres.

const BIRDS = {
  red: { body: "#d8372f", dark: "#8d1b17", belly: "#f3d9b8" },
  yellow: { body: "#f6c62d", dark: "#9c7409", belly: "#fff3c4" },
  blue: { body: "#4b8fdd", dark: "#20528f", belly: "#d8e9fb" },
  black: { body: "#3c3f46", dark: "#16181c", belly: "#8d929b" },
  white: { body: "#fbfbf8", dark: "#7c7f83", belly: "#e9e6da" },
};
const BEAK = "#f0952b";

// `angle` is where it looks; birds look to the right.
export function drawBird(paper, kind, radius, [x, y, angle]) {
  const colors = BIRDS[kind];
  const upright = Math.abs(angle) > Math.PI / 2 ? -1 : 1; // none flies on its back
  paper.at([x, y, angle], () => {
    const { context } = paper;
    context.scale(radius, radius * upright);
    tail(context, colors);
    if (kind === "yellow") triangle(context, colors);
    else round(context, colors);
    face(context);
    if (kind === "black") fuse(context);
  });
}

export function drawEgg(paper, pose) {
  paper.at(pose, () => {
    const { context } = paper;
    context.beginPath();
    context.ellipse(0, 0, 0.225, 0.29, 0, 0, 2 * Math.PI);
    painted(context, "#fbf3dc", "#9b8a5c", 0.035);
  });
}

export function drawPig(paper, corners, pose) {
  const radius = Math.max(...corners.map(([x]) => Math.abs(x)));
  paper.at(pose, () => {
    const { context } = paper;
    for (const side of [-1, 1]) {
      context.beginPath();
      context.ellipse(side * radius * 0.55, radius * 0.72, radius * 0.22, radius * 0.26, 0, 0, 2 * Math.PI);
      painted(context, "#6db344", "#35691d", radius * 0.08);
    }
    paper.polygon(corners);
    context.lineJoin = "round";
    painted(context, "#86cc55", "#35691d", Math.max(radius * 0.09, paper.pixel));
    context.scale(radius, radius);
    snout(context);
    for (const side of [-1, 1]) eye(context, side * 0.5, 0.22, 0.21, -0.06);
  });
}

function round(context, { body, dark, belly }) {
  context.beginPath();
  context.arc(0, 0, 1, 0, 2 * Math.PI);
  painted(context, body, dark, 0.14);
  context.beginPath();
  context.ellipse(0.18, -0.55, 0.55, 0.33, 0, 0, 2 * Math.PI);
  context.fillStyle = belly;
  context.fill();
}

function triangle(context, { body, dark, belly }) {
  context.beginPath();
  context.moveTo(0.98, -0.12);
  context.quadraticCurveTo(0.1, 1.35, -0.62, 0.72);
  context.quadraticCurveTo(-1.25, 0, -0.62, -0.8);
  context.quadraticCurveTo(0.4, -1.05, 0.98, -0.12);
  painted(context, body, dark, 0.14);
  context.beginPath();
  context.ellipse(0.05, -0.58, 0.5, 0.22, 0, 0, 2 * Math.PI);
  context.fillStyle = belly;
  context.fill();
}

function tail(context, { dark }) {
  context.fillStyle = dark;
  context.beginPath();
  context.moveTo(-0.8, 0.1);
  context.lineTo(-1.35, 0.42);
  context.lineTo(-1.28, 0.08);
  context.lineTo(-1.4, -0.2);
  context.lineTo(-0.8, -0.2);
  context.fill();
}

function face(context) {
  eye(context, 0.32, 0.28, 0.26, 0.1);
  eye(context, 0.74, 0.26, 0.2, 0.06);
  context.strokeStyle = "#241611";
  context.lineWidth = 0.16;
  context.beginPath();
  context.moveTo(0, 0.72);
  context.lineTo(0.52, 0.46);
  context.lineTo(0.98, 0.66);
  context.stroke();
  context.beginPath();
  context.moveTo(0.48, 0.08);
  context.lineTo(1.34, -0.12);
  context.lineTo(0.5, -0.38);
  context.closePath();
  painted(context, BEAK, "#8f4f0c", 0.08);
}

function fuse(context) {
  context.strokeStyle = "#c9a25c";
  context.lineWidth = 0.2;
  context.beginPath();
  context.moveTo(-0.1, 0.95);
  context.quadraticCurveTo(-0.15, 1.4, -0.5, 1.45);
  context.stroke();
}

function snout(context) {
  context.beginPath();
  context.ellipse(-0.02, -0.12, 0.42, 0.3, 0, 0, 2 * Math.PI);
  painted(context, "#b5e58a", "#35691d", 0.07);
  context.fillStyle = "#2c5617";
  for (const x of [-0.16, 0.12]) {
    context.beginPath();
    context.ellipse(x, -0.12, 0.07, 0.13, 0, 0, 2 * Math.PI);
    context.fill();
  }
}

function eye(context, x, y, radius, look) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  painted(context, "#ffffff", "#2a2a2a", 0.06);
  context.beginPath();
  context.arc(x + look, y, radius * 0.42, 0, 2 * Math.PI);
  context.fillStyle = "#15171a";
  context.fill();
}

function painted(context, fill, edge, width) {
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = width;
  context.stroke();
}

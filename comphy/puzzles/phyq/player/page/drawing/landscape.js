// Sky, hills, ground and the slingshot.

const FORK = 0.24; // metres from the middle to each arm of the slingshot, seen a little from the side

export function drawLandscape(paper, ground) {
  const { context, view } = paper;
  const { left, right, bottom, top } = view;
  const sky = context.createLinearGradient(0, top, 0, ground);
  sky.addColorStop(0, "#bfe0f5");
  sky.addColorStop(1, "#f2f8f4");
  context.fillStyle = sky;
  context.fillRect(left, bottom, right - left, top - bottom);
  hills(paper, ground, "#d3e6d2", 1.5, 0.23, 0.4);
  hills(paper, ground, "#c2dcbb", 0.9, 0.41, 2.1);
  const soil = context.createLinearGradient(0, ground, 0, bottom);
  soil.addColorStop(0, "#b18a5e");
  soil.addColorStop(1, "#94704a");
  context.fillStyle = soil;
  context.fillRect(left, bottom, right - left, ground - bottom);
  context.fillStyle = "#7db249";
  context.fillRect(left, ground - 0.2, right - left, 0.2);
  context.fillStyle = "#5d9132";
  context.fillRect(left, ground - 0.2, right - left, 0.05);
}

function hills(paper, ground, color, height, frequency, phase) {
  const { context, view } = paper;
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(view.left, ground);
  for (let x = view.left; x <= view.right + 0.5; x += 0.5) {
    context.lineTo(x, ground + height * (0.62 + 0.38 * Math.sin(frequency * x + phase) * Math.cos(0.13 * x + phase)));
  }
  context.lineTo(view.right, ground);
  context.fill();
}

// The far arm first; the bird is before both.
export function drawFork(paper, [x, y], ground) {
  const { context } = paper;
  context.lineCap = "round";
  for (const [side, color] of [[1, "#6b4526"], [-1, "#8d5d34"]]) {
    context.strokeStyle = color;
    context.lineWidth = 0.17;
    context.beginPath();
    context.moveTo(x, ground - 0.05);
    context.lineTo(x, y - 0.75);
    context.quadraticCurveTo(x + side * 0.08, y - 0.4, x + side * FORK, y + 0.16);
    context.stroke();
  }
  context.lineCap = "butt";
}

// The rubber band from an arm to the bird.
export function drawBand(paper, [x, y], [bx, by], radius, behind) {
  const { context } = paper;
  const away = Math.hypot(bx - x, by - y);
  const [ux, uy] = away > 0.05 ? [(bx - x) / away, (by - y) / away] : [-1, 0];
  context.strokeStyle = behind ? "#2c1c14" : "#46301f";
  context.lineWidth = 0.09;
  context.beginPath();
  context.moveTo(x + (behind ? 1 : -1) * FORK, y + 0.1);
  context.lineTo(bx + ux * radius, by + uy * radius);
  context.stroke();
}

// How blocks and platforms look: wood has a grain, stone is speckled, ice shines, platforms are riveted and dark.

const LOOKS = {
  wood: { fill: "#dca463", edge: "#8a5a2b", detail: "#b97d40" },
  stone: { fill: "#a9afb6", edge: "#5f666e", detail: "#848b94" },
  ice: { fill: "#c5eafa", edge: "#5aa9cf", detail: "#ffffff" },
  platform: { fill: "#4a4643", edge: "#2b2826", detail: "#77706b" },
  TNT: { fill: "#e0623a", edge: "#8e2f14", detail: "#fbeeda" },
};
const HOLES = { SquareHole: 0.5, TriangleHole: 0.42 }; // share of the hole, which is only drawn

export function drawBlock(paper, material, shape, corners, seed) {
  const { context } = paper;
  const look = LOOKS[material];
  const box = bounds(corners);
  paper.polygon(corners);
  context.fillStyle = look.fill;
  context.fill();
  context.save();
  context.clip();
  DETAILS[material](paper, look, box, seed);
  context.restore();
  edge(paper, corners, look.edge);
  if (HOLES[shape]) hole(paper, corners, look, HOLES[shape]);
}

export function drawPlatform(paper, width, height) {
  const corners = [[-width / 2, -height / 2], [width / 2, -height / 2], [width / 2, height / 2], [-width / 2, height / 2]];
  drawBlock(paper, "platform", null, corners, 0);
}

const DETAILS = {
  wood(paper, look, box) {
    const lines = Math.max(1, Math.round(box.height / 0.11));
    stroke(paper, look.detail, 0.018, () => {
      for (let k = 1; k <= lines; k += 1) {
        const y = box.bottom + (box.height * k) / (lines + 1);
        paper.context.moveTo(box.left, y);
        paper.context.bezierCurveTo(box.left + box.width / 3, y + 0.03, box.left + (2 * box.width) / 3, y - 0.03, box.right, y);
      }
    });
  },
  stone(paper, look, box, seed) {
    const count = Math.min(26, Math.max(5, Math.round(box.width * box.height * 42)));
    for (let k = 0; k < count; k += 1) {
      const [x, y, size] = [0, 1, 2].map((i) => noise(seed * 97 + k * 3 + i));
      paper.disc(box.left + x * box.width, box.bottom + y * box.height, 0.014 + 0.026 * size, k % 3 ? look.detail : "#c9ced3");
    }
  },
  ice(paper, look, box) {
    stroke(paper, look.detail, 0.04, () => {
      for (let x = box.left - box.height; x < box.right; x += 0.34) {
        paper.context.moveTo(x, box.bottom);
        paper.context.lineTo(x + box.height, box.top);
      }
    }, 0.75);
  },
  platform(paper, look, box) {
    stroke(paper, look.detail, 0.05, () => {
      paper.context.moveTo(box.left, box.top - 0.03);
      paper.context.lineTo(box.right, box.top - 0.03);
    }, 0.8);
    const long = Math.max(box.width, box.height);
    const count = Math.max(1, Math.round(long / 0.6));
    for (let k = 0; k < count; k += 1) {
      const along = (k + 0.5) / count;
      const [x, y] = box.width >= box.height ? [along, 0.5] : [0.5, along];
      paper.disc(box.left + x * box.width, box.bottom + y * box.height, Math.min(0.045, 0.16 * Math.min(box.width, box.height)), look.detail);
    }
  },
  TNT(paper, look, box) {
    paper.context.fillStyle = look.detail;
    paper.context.fillRect(box.left, box.bottom + box.height / 3, box.width, box.height / 3);
  },
};

function edge(paper, corners, color) {
  const { context } = paper;
  paper.polygon(corners);
  context.strokeStyle = color;
  context.lineJoin = "round";
  context.lineWidth = Math.max(0.035, 1.2 * paper.pixel);
  context.stroke();
}

function hole(paper, corners, look, share) {
  const middle = [0, 1].map((i) => corners.reduce((sum, corner) => sum + corner[i], 0) / corners.length);
  paper.polygon(corners.map((corner) => corner.map((value, i) => middle[i] + share * (value - middle[i]))));
  paper.context.fillStyle = look.edge;
  paper.context.globalAlpha = 0.55;
  paper.context.fill();
  paper.context.globalAlpha = 1;
}

function stroke(paper, color, width, draw, alpha = 1) {
  const { context } = paper;
  context.strokeStyle = color;
  context.lineWidth = Math.max(width, 0.6 * paper.pixel);
  context.globalAlpha = alpha;
  context.beginPath();
  draw();
  context.stroke();
  context.globalAlpha = 1;
}

function bounds(corners) {
  const [xs, ys] = [0, 1].map((i) => corners.map((corner) => corner[i]));
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { left, right, bottom, top, width: right - left, height: top - bottom };
}

// From 0 to 1, always the same for the same number.
function noise(number) {
  const value = Math.sin(number * 12.9898 + 4.1414) * 43758.5453;
  return value - Math.floor(value);
}

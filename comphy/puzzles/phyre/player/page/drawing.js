// Draws bodies of PHYRE. Scenes are measured in pixels from the lower left corner, y up.

import { Paper } from "../player/paper.js";

export class ScenePaper extends Paper {
  constructor(canvas, { scene_pixels: side, mark }) {
    super(canvas, { left: 0, right: side, bottom: 0, top: side });
    this.mark = mark;
  }

  body(body, pose = [body.x, body.y, body.angle], outline = null) {
    this.at(pose, () => {
      this.context.fillStyle = this.context.strokeStyle = body.color;
      this.context.lineWidth = 1 / this.scale;
      if (body.radius) this.ball(body);
      for (const corners of body.slabs ?? []) this.slab(corners, !body.mark);
      if (outline) this.outline(body, outline);
    });
  }

  // The thin edge hides the hairline between static bodies that adjoin.
  slab(corners, edged) {
    this.polygon(corners);
    this.context.fill();
    if (edged) this.context.stroke();
  }

  outline(body, color) {
    if (body.radius) this.ring(0, 0, body.radius, color);
    this.context.strokeStyle = color;
    this.context.lineWidth = 2 * this.pixel;
    this.context.fillStyle = body.color;
    for (const corners of body.slabs ?? []) this.slab(corners, true);
  }

  ball(body) {
    this.disc(0, 0, body.radius);
    if (body.mark) this.disc(0, this.mark.place * body.radius, this.mark.radius * body.radius, body.mark);
  }
}

// A template's first scene, small.
export function paintThumbnail(canvas, bodies, catalogue) {
  const paper = new ScenePaper(canvas, catalogue);
  paper.begin();
  for (const body of bodies) paper.body(body);
}

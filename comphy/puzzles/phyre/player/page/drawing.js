// Draws bodies on a canvas. Scenes are measured in pixels from the lower left corner, y up.

export class Paper {
  constructor(canvas, scenePixels, mark) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.scenePixels = scenePixels;
    this.mark = mark;
  }

  // Fits the canvas to its place on the screen and clears it.
  begin() {
    const side = Math.max(1, Math.round(this.canvas.clientWidth * devicePixelRatio));
    if (this.canvas.width !== side || this.canvas.height !== side) this.canvas.width = this.canvas.height = side;
    this.scale = side / this.scenePixels;
    this.context.setTransform(this.scale, 0, 0, -this.scale, 0, side);
    this.context.clearRect(0, 0, this.scenePixels, this.scenePixels);
  }

  body(body, [x, y, angle] = [body.x, body.y, body.angle], outline = null) {
    const context = this.context;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.fillStyle = context.strokeStyle = body.color;
    context.lineWidth = 1 / this.scale;
    if (body.radius) this.ball(body);
    for (const corners of body.slabs ?? []) this.slab(corners, !body.mark);
    if (outline) this.outline(body, outline);
    context.restore();
  }

  // The thin edge hides the hairline between static bodies that adjoin.
  slab(corners, edged) {
    const context = this.context;
    context.beginPath();
    for (const corner of corners) context.lineTo(...corner);
    context.closePath();
    context.fill();
    if (edged) context.stroke();
  }

  outline(body, color) {
    if (body.radius) this.ring(0, 0, body.radius, color);
    this.context.strokeStyle = color;
    this.context.lineWidth = (2 * devicePixelRatio) / this.scale;
    this.context.fillStyle = body.color;
    for (const corners of body.slabs ?? []) this.slab(corners, true);
  }

  ball(body) {
    this.disc(0, 0, body.radius);
    if (!body.mark) return;
    this.context.fillStyle = body.mark;
    this.disc(0, this.mark.place * body.radius, this.mark.radius * body.radius);
  }

  disc(x, y, radius) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  ring(x, y, radius, color, dashes = []) {
    const context = this.context;
    context.strokeStyle = color;
    context.lineWidth = (2 * devicePixelRatio) / this.scale;
    context.setLineDash(dashes);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  // Where a mouse or finger is, in the scene.
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.scenePixels / box.width;
    return [(event.clientX - box.left) * scale, (box.bottom - event.clientY) * scale];
  }
}

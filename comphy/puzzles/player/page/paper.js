// A canvas on which scenes are drawn in their own units, y up.

export class Paper {
  // `view` is the part of the world that is seen: left, right, bottom and top.
  constructor(canvas, view) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.view = view;
  }

  // Fits the canvas to its place on the screen and clears it.
  begin() {
    const { left, right, bottom, top } = this.view;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * devicePixelRatio));
    const height = Math.max(1, Math.round((width * (top - bottom)) / (right - left)));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.scale = width / (right - left);
    this.context.setTransform(this.scale, 0, 0, -this.scale, -left * this.scale, top * this.scale);
    this.context.clearRect(left, bottom, right - left, top - bottom);
  }

  // One pixel of the window, in the scene's units.
  get pixel() {
    return devicePixelRatio / this.scale;
  }

  // What is drawn there is drawn about the pose.
  at([x, y, angle], draw) {
    this.context.save();
    this.context.translate(x, y);
    this.context.rotate(angle);
    draw();
    this.context.restore();
  }

  polygon(corners) {
    this.context.beginPath();
    for (const corner of corners) this.context.lineTo(...corner);
    this.context.closePath();
  }

  disc(x, y, radius, color = this.context.fillStyle) {
    this.context.fillStyle = color;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  ring(x, y, radius, color, dashes = [], width = 2) {
    const context = this.context;
    context.strokeStyle = color;
    context.lineWidth = width * this.pixel;
    context.setLineDash(dashes);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  // Where a mouse or finger is, in the scene.
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = (this.view.right - this.view.left) / box.width;
    return [this.view.left + (event.clientX - box.left) * scale, this.view.bottom + (box.bottom - event.clientY) * scale];
  }
}

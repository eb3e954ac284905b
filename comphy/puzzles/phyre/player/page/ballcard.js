// A ball's place and radius in numbers.

export class BallCard {
  constructor(player, k) {
    Object.assign(this, { player, k });
    const [least, most] = player.catalogue.radii;
    this.element = document.createElement("div");
    this.element.className = "ball";
    this.element.innerHTML = `
      <div class="place"><span>${player.task.balls > 1 ? `Ball ${k + 1}` : "Place"}</span><output></output></div>
      <label>Radius <input type="range" min="${least}" max="${most}" step="1"><output></output></label>`;
    [this.place, this.radius] = this.element.querySelectorAll("output");
    this.slider = this.element.querySelector("input");
    this.slider.setAttribute("aria-label", `Radius of ball ${k + 1}`);
    this.slider.addEventListener("input", () => {
      if (player.playback) player.reset();
      if (player.placement.balls[k]) player.placement.select(k);
      player.placement.resize(Number(this.slider.value), k);
    });
    this.element.addEventListener("pointerdown", () => {
      if (player.placement.balls[k]) player.placement.select(k);
    });
  }

  show() {
    const { placement, playback } = this.player;
    const ball = placement.balls[this.k];
    this.place.textContent = ball ? `x ${ball[0]}, y ${ball[1]}` : "not placed";
    this.radius.textContent = this.slider.value = placement.sizes[this.k];
    this.element.dataset.selected = !playback && placement.balls.length > 1 && placement.selected === this.k;
    this.element.dataset.wrong = placement.problems.some((problem) => problem.ball === this.k);
  }
}

// The choice of a tier and a template.

import { Paper } from "./drawing.js";

const TITLES = { ball: "One ball", two_balls: "Two balls" };

export class Gallery {
  constructor(catalogue, tiers, list, onChoose) {
    Object.assign(this, { catalogue, tiers, list, onChoose });
    for (const tier of catalogue.tiers) {
      const button = document.createElement("button");
      button.textContent = TITLES[tier.name] ?? tier.name;
      button.dataset.tier = tier.name;
      button.addEventListener("click", () => this.onChoose(tier.templates[0].first));
      tiers.append(button);
    }
    new ResizeObserver(() => this.draw()).observe(list);
  }

  // Shows the tier and marks the template of a task.
  show(task) {
    if (this.tier !== task.tier) this.fill(task.tier);
    for (const button of this.tiers.children) button.setAttribute("aria-pressed", button.dataset.tier === task.tier);
    for (const button of this.list.children) {
      const current = button.dataset.template === task.template;
      button.setAttribute("aria-current", current);
      if (current) this.reveal(button);
    }
  }

  // Scrolls the list alone; the browser's own way would scroll a small window's page too.
  reveal(button) {
    const { list } = this;
    const [left, top] = [button.offsetLeft - list.scrollLeft, button.offsetTop - list.scrollTop];
    const fits = (start, length, space) => start >= 0 && start + length <= space;
    if (fits(left, button.offsetWidth, list.clientWidth) && fits(top, button.offsetHeight, list.clientHeight)) return;
    list.scrollLeft += left - (list.clientWidth - button.offsetWidth) / 2;
    list.scrollTop += top - (list.clientHeight - button.offsetHeight) / 2;
  }

  fill(tier) {
    this.tier = tier;
    const { templates } = this.catalogue.tiers.find((one) => one.name === tier);
    this.list.replaceChildren(...templates.map((template) => this.thumbnail(template)));
    this.draw();
  }

  thumbnail(template) {
    const button = document.createElement("button");
    const name = document.createElement("span");
    name.textContent = template.name;
    button.dataset.template = template.id;
    button.title = `${template.id} ${template.name}`;
    button.append(document.createElement("canvas"), name);
    button.addEventListener("click", () => this.onChoose(template.first));
    button.bodies = template.bodies;
    return button;
  }

  draw() {
    for (const button of this.list.children) {
      const paper = new Paper(button.firstChild, this.catalogue.scene_pixels, this.catalogue.mark);
      paper.begin();
      for (const body of button.bodies) paper.body(body);
    }
  }
}

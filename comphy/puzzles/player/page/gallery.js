// The choice of a group of templates and of a template.

import { el } from "../shared/dom.js";

export class Gallery {
  // `groups`: name, title and templates (id, name, first task). `paint` draws a template on a canvas.
  constructor({ groups, buttons, list, paint, onChoose }) {
    Object.assign(this, { groups, buttons, list, paint });
    this.choose = onChoose;
    for (const group of groups) {
      const first = group.templates.find((template) => template.first)?.first;
      buttons.append(el("button", { "data-group": group.name, disabled: !first, onclick: () => onChoose(first) }, group.title));
    }
    new ResizeObserver(() => this.draw()).observe(list);
  }

  // Shows the group and marks the template of a task.
  show(task) {
    if (this.group !== task.group) this.fill(task.group);
    for (const button of this.buttons.querySelectorAll("[data-group]")) {
      button.setAttribute("aria-pressed", button.dataset.group === task.group);
    }
    for (const button of this.list.children) {
      const current = button.dataset.template === task.template;
      button.setAttribute("aria-current", current);
      if (current) this.reveal(button);
    }
  }

  // Scrolls the list alone; the browser's own way would scroll a small window's page too.
  reveal(button) {
    const list = button.closest("nav");
    const [left, top] = [button.offsetLeft - list.scrollLeft, button.offsetTop - list.scrollTop];
    const fits = (start, length, space) => start >= 0 && start + length <= space;
    if (fits(left, button.offsetWidth, list.clientWidth) && fits(top, button.offsetHeight, list.clientHeight)) return;
    list.scrollLeft += left - (list.clientWidth - button.offsetWidth) / 2;
    list.scrollTop += top - (list.clientHeight - button.offsetHeight) / 2;
  }

  fill(group) {
    this.group = group;
    const { templates } = this.groups.find((one) => one.name === group);
    this.list.replaceChildren(...templates.map((template) => this.thumbnail(template)));
    this.draw();
  }

  thumbnail(template) {
    const button = el("button", {
      "data-template": template.id, title: `${template.id} ${template.name}${template.first ? "" : ": no tasks yet"}`, disabled: !template.first,
      onclick: () => this.choose(template.first),
    }, el("canvas"), el("span", {}, template.label ?? template.name));
    button.template = template;
    return button;
  }

  draw() {
    for (const button of this.list.children) this.paint(button.firstChild, button.template);
  }
}

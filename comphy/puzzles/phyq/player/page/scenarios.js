// The choice of a scenario and a template: a list of scenarios, of which one is open.

import { el } from "../shared/dom.js";
import { Gallery } from "../player/gallery.js";
import { find } from "../player/skeleton.js";
import { paintThumbnail } from "./drawing/level.js";
import { capital } from "./words.js";

export class ScenarioGallery extends Gallery {
  constructor(catalogue, onChoose) {
    super({
      groups: catalogue.scenarios.map((one) => ({
        ...one, title: `${one.name} ${capital(one.title)}`, templates: one.templates.map((template) => ({ ...template, label: template.id })),
      })),
      buttons: find("gallery"),
      list: el("div", { class: "templates" }),
      paint: (canvas, template) => paintThumbnail(canvas, template, catalogue),
      onChoose,
    });
  }

  fill(group) {
    this.buttons.querySelector(`[data-group="${group}"]`).after(this.list);
    super.fill(group);
  }
}

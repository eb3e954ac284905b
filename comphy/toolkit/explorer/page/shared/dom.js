// Builds elements. Text is always set as text, so that no name or question can become markup.

const SVG = "http://www.w3.org/2000/svg";

export const el = (tag, given = {}, ...children) => filled(document.createElement(tag), given, children);
export const svg = (tag, given = {}, ...children) => filled(document.createElementNS(SVG, tag), given, children);

function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Names of operators, which may be broken after an underscore and nowhere else.
export const code = (words) => el("code", {}, words.split(/(?<=_)/).flatMap((part, k) => (k ? [el("wbr"), part] : [part])));

// A round tag with an object's number in its colour.
export function tag(number, object, ink) {
  const [r, g, b] = object.rgb;
  return el("span", { class: "number", style: { background: `rgb(${r} ${g} ${b})`, color: ink } }, String(number));
}

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

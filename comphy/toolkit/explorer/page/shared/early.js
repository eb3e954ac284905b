// Asks for what the page needs first, while its other modules are still on their way.

import { filmOf, mediaOf } from "./film.js";

const asked = new Map();
const films = new Map();

function askEarly(path) {
  asked.set(path, fetch(path).catch(() => null));
}

// The answer to what was asked early, once; undefined if it was not, null if none came.
export function takeEarly(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}

// The video of an address, if it is on its way already; once.
export function takeFilm(src) {
  const film = films.get(src);
  films.delete(src);
  return film;
}

// Videos of a set come while the page is built.
async function openFilms(number, index) {
  const answer = await asked.get(`api/sources/${number}/sets/${index}`);
  const set = answer?.ok ? await answer.clone().json().catch(() => null) : null;
  for (const video of set?.videos ?? []) {
    const src = mediaOf(number, index, video);
    if (src) films.set(src, filmOf(src));
  }
}

askEarly("api/sources");
const set = /^#[/]set[/]([0-9]+)[/]([0-9]+)/.exec(location.hash);
if (set) {
  askEarly(`api/sources/${set[1]}/sets/${set[2]}`);
  openFilms(set[1], set[2]);
}

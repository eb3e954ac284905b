// Asks for what the page needs first, while its other modules are still on their way.

const asked = new Map();

function askEarly(path) {
  asked.set(path, fetch(path).catch(() => null));
}

// The answer to what was asked early, once; undefined if it was not, null if none came.
export function takeEarly(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}

askEarly("api/sources");
const set = /^#[/]set[/]([0-9]+)[/]([0-9]+)/.exec(location.hash);
if (set) askEarly(`api/sources/${set[1]}/sets/${set[2]}`);

// The list of answers that was last looked at, to step through from set to set.

import { address } from "./router.js";

let listed = []; // { set, id } of the first source

export const stepThrough = (questions) => {
  listed = questions.map(({ set, id }) => ({ set, id }));
};

export const addressOf = ({ set, id }) => address("set", [0, set], { question: id });

// Where a question of the first source is in that list, with the addresses around it; null if it is not there.
export function placeOf(set, id) {
  const at = listed.findIndex((one) => one.set === set && String(one.id) === id);
  const to = (one) => (one ? addressOf(one) : null);
  return at < 0 ? null : { at, of: listed.length, before: to(listed[at - 1]), after: to(listed[at + 1]) };
}

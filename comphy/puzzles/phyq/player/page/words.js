// What the page says about scenarios and birds.

// What each scenario is about, by its number. Shown in free play, not in a round.
export const ABOUT = {
  1: "One hit is enough. Find a flight that leads to the pig.",
  2: "A big pig needs more than one hit. Use all birds.",
  3: "Something round has to roll into the pig.",
  4: "Something has to fall onto the pig.",
  5: "Something has to slide into the pig.",
  6: "The bird has to bounce off something first.",
  7: "Two things look alike, and one is lighter. Which one will move?",
  8: "Two things differ in height. Which one reaches?",
  9: "Two things differ in width. Which one fits?",
  10: "Two things differ in shape. Which one rolls or falls over?",
  11: "The pig that is easy to hit is not the one to begin with.",
  12: "Find the place where the building gives way.",
  13: "Something is in the way. Clear the path first.",
  14: "The second bird has to come at the right moment, while things still move.",
  15: "Use the bird's power in flight, at the right moment.",
};

export const POWERS = {
  yellow: "speeds up",
  blue: "becomes three",
  white: "drops an egg that explodes",
  black: "explodes",
};

export const capital = (words) => words[0].toUpperCase() + words.slice(1);
export const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// How the skeleton is dressed.
export const DRESS = {
  name: "Phy-Q",
  rule: "Shoot birds so that no pig is left.",
  groups: "How to play",
  board: "The level.",
  hand: "Shot",
  icon: "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#d8372f'/><path d='M8 7l7 2-7 3z' fill='#f0952b'/><circle cx='8' cy='6' r='2' fill='#fff'/><circle cx='9' cy='6' r='.9'/></svg>",
  keys: [
    [["↑", "↓"], "angle; with Shift a tenth"],
    [["←", "→"], "stretch; or step through a replay"],
    [["A"], "aim at the next pig, low and high"],
    [["Space"], "shoot, tap in flight, replay"],
    [["S"], "skip to the end"],
    [["R"], "try again"],
    [["[", "]"], "previous and next task"],
  ],
};

// A shot of others, in words.
export const inWords = ([degrees, stretch, tap, watch]) =>
  [`${degrees}°`, `${Math.round(100 * stretch)} % stretch`, tap !== null && `tap after ${tap.toFixed(2)} s`, watch !== null && `next bird after ${watch.toFixed(2)} s`].filter(Boolean).join(", ");

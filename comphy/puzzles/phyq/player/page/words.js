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

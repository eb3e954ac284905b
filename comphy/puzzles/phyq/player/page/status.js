// The one line below the scene: what to do next, or what became of the attempt.

import { worth } from "./rounds/scores.js";
import { many, POWERS } from "./words.js";

export function status(player) {
  const { message, task, playback, watched } = player;
  if (message) return message;
  if (!task) return { kind: "", words: "Loading …" };
  if (player.thinking) return { kind: "", words: `${player.thinking} is thinking …` };
  if (watched) return watching(playback, watched);
  if (!playback) return { kind: "", words: advice(player) };
  if (player.over) return verdict(player);
  if (player.canTap) return { kind: "", words: `Click or press Space: the ${player.current} bird ${POWERS[player.current]}.` };
  if (player.canShoot) return { kind: "", words: next(player) };
  return { kind: "", words: playback.flying ? "In flight …" : "Things are moving …" };
}

function advice({ aim, task, current }) {
  const power = POWERS[current] ? ` Tap in flight, and it ${POWERS[current]}.` : "";
  if (aim.shown) return `${aim.degrees}°, ${Math.round(100 * aim.stretch)} % stretch. Let go, or press Space to shoot.`;
  const pigs = task.things.filter((thing) => thing.kind === "pig").length;
  const goal = pigs === 1 ? "Get the pig" : `Get all ${pigs} pigs`;
  return `${goal} with ${many(task.birds.length, "bird")}: pull the bird back and let go.${power}`;
}

function next({ playback, aim, birdsLeft }) {
  if (aim.shown) return `${aim.degrees}°, ${Math.round(100 * aim.stretch)} % stretch.`;
  const left = `${many(playback.recording.pigs_left, "pig")} left, ${many(birdsLeft, "bird")} to go.`;
  return playback.revealed ? `${left} Pull the next one.` : "The next bird is in the sling. You may shoot while things move.";
}

function verdict({ playback, attempt, round }) {
  const { status: ended, points, pigs_left: pigs } = playback.recording;
  const number = attempt === null ? "" : ` with attempt ${attempt}: ${worth(attempt).toFixed(1)} of 1`;
  const goOn = round ? "" : " Press R to play it again, ] for the next task.";
  if (ended === "won") return { kind: "good", words: `Won${number}. ${points.toLocaleString("en")} points.${goOn}` };
  return { kind: "bad", words: `Not won: ${many(pigs, "pig")} left.${attempt === null || attempt < 5 ? " Press R to try again." : ""}` };
}

function watching(playback, { title, lines }) {
  const shot = Math.max(playback.shot, 0);
  const ended = playback.revealed ? (playback.status === "won" ? ". Won." : ". Not won.") : "";
  return { kind: "", words: `${title}: ${lines[Math.min(shot, lines.length - 1)]}${ended}` };
}

// The one line below the scene: what to do next, what is wrong, or what became of the attempt.

export function status(player) {
  const { watched } = player;
  const found = statusOf(player);
  return watched ? { ...found, words: `${watched.agent}, attempt ${watched.at + 1} of ${watched.tries.length}. ${found.words}` } : found;
}

function statusOf({ task, placement, playback, message, catalogue, thinking }) {
  if (message) return { kind: "bad", words: message };
  if (!task) return { kind: "", words: "Loading …" };
  if (thinking) return { kind: "", words: `${thinking} is playing …` };
  if (playback) return playback.revealed ? verdict(playback, catalogue) : running(playback, catalogue);
  const [problem] = placement.problems;
  if (problem) return { kind: "bad", words: problem.reason };
  return { kind: "", words: advice(task, placement) };
}

function advice(task, placement) {
  if (placement.complete) return "Ready to run.";
  if (placement.balls.length) return "Place the second ball.";
  return task.balls === 1 ? "Click into the scene to place a ball." : "Click into the scene to place two balls.";
}

function running(playback, { steps_per_second: rate, steps_for_solution: wanted }) {
  if (!playback.held) return { kind: "", words: playback.playing ? "Running …" : "Paused." };
  return { kind: "", words: `Touching: ${(playback.held / rate).toFixed(1)} of ${wanted / rate} s` };
}

function verdict({ recording: attempt }, { steps_per_second: rate, steps_for_solution: wanted }) {
  if (attempt.solved) {
    const [begin, end] = [attempt.steps - wanted, attempt.steps].map((step) => (step / rate).toFixed(1));
    return { kind: "good", words: `Solved at ${end} s: touching since ${begin} s.` };
  }
  const touched = attempt.longest_touch.toFixed(1);
  if (!attempt.touches.length) return { kind: "bad", words: "Not solved: the two never touch." };
  return { kind: "bad", words: `Not solved: they touch for ${touched} s at most, not for ${wanted / rate} s.` };
}

// Attempts in free play, counted as people's were: success with the k-th of five is worth (6 - k) / 5.

import { Scores } from "../../player/score.js";

export const ATTEMPTS = 5;
export const worth = (attempt) => (ATTEMPTS + 1 - attempt) / ATTEMPTS;

export class FreeScores extends Scores {
  constructor() {
    super("phyq");
  }

  // Whether another attempt would count: not after five, a success, or a look at how it is done.
  counts(taskId) {
    const { attempts, solvedAt, seen } = this.of(taskId);
    return !solvedAt && !seen && attempts < ATTEMPTS;
  }

  begin(taskId) {
    if (!this.counts(taskId)) return null;
    const score = this.of(taskId);
    this.keep(taskId, { ...score, attempts: score.attempts + 1 });
    return score.attempts + 1;
  }

  end(taskId, number) {
    if (number !== null) this.keep(taskId, { ...this.of(taskId), solvedAt: number });
  }

  markSeen(taskId) {
    const score = this.of(taskId);
    if (!score.solvedAt && score.attempts < ATTEMPTS) this.keep(taskId, { ...score, seen: true });
  }
}

// Attempts at each task, remembered by the browser.

export class Scores {
  constructor(game) {
    this.game = game;
  }

  of(taskId) {
    return JSON.parse(localStorage.getItem(`${this.game} ${taskId}`)) ?? { attempts: 0, solvedAt: null };
  }

  // Returns the number of the new attempt.
  addAttempt(taskId) {
    const { attempts, solvedAt } = this.of(taskId);
    this.keep(taskId, { attempts: attempts + 1, solvedAt });
    return attempts + 1;
  }

  markSolved(taskId, number) {
    const { attempts, solvedAt } = this.of(taskId);
    this.keep(taskId, { attempts, solvedAt: solvedAt ?? number });
  }

  keep(taskId, score) {
    localStorage.setItem(`${this.game} ${taskId}`, JSON.stringify(score));
  }
}

// Attempts at each task, remembered by the browser.

const key = (taskId) => `phyre ${taskId}`;

export function score(taskId) {
  return JSON.parse(localStorage.getItem(key(taskId))) ?? { attempts: 0, solvedAt: null };
}

// Returns the number of the new attempt.
export function addAttempt(taskId) {
  const { attempts, solvedAt } = score(taskId);
  localStorage.setItem(key(taskId), JSON.stringify({ attempts: attempts + 1, solvedAt }));
  return attempts + 1;
}

export function markSolved(taskId, number) {
  const { attempts, solvedAt } = score(taskId);
  localStorage.setItem(key(taskId), JSON.stringify({ attempts, solvedAt: solvedAt ?? number }));
}

export function inWords({ attempts, solvedAt }) {
  if (attempts === 0) return "None yet.";
  return solvedAt ? `${attempts}, solved with number ${solvedAt}.` : `${attempts}, not solved yet.`;
}

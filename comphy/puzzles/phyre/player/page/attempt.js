// A recorded attempt: how long the goal has held, and where the bodies are.

import { between, Playback } from "../player/playback.js";

export class Attempt extends Playback {
  // For how many steps the goal has held at the step that is shown.
  get held() {
    const now = Math.floor(this.step);
    const touch = this.recording.touches.find(([first, last]) => first <= now && now <= last);
    return touch ? now - touch[0] + 1 : 0;
  }

  // Poses of the moving bodies by their numbers.
  poses() {
    const { poses, stride, moving } = this.recording;
    const at = Math.min(this.step / stride, poses.length - 1);
    const [first, last] = [Math.floor(at), Math.ceil(at)];
    return new Map(moving.map((body, k) => [body, between([poses[first][k], poses[last][k]], at - first)]));
  }
}

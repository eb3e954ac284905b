// A recorded game: where everything is at the step that is shown, and what may be done now.

import { between, Playback } from "../player/playback.js";

const PUFF = 45; // steps that the cloud of something that died is seen
const TRAIL = 5; // frames between the dots of a trail

export class Game extends Playback {
  get status() {
    return this.recording.status;
  }

  get over() {
    return this.status !== "playing";
  }

  // The number of the last bird that has been shot by now.
  get shot() {
    return this.recording.launches.filter((step) => step <= this.step).length - 1;
  }

  // Whether the next bird is in the sling: all is at rest, or the one before has touched something.
  get sling() {
    const { ready, launches } = this.recording;
    const last = launches.length - 1;
    const won = this.status === "won" && this.step >= this.recording.end;
    return this.revealed || (!won && this.shot === last && ready[last] !== null && this.step >= ready[last]);
  }

  // The bird of the last shot while it has touched nothing and used no power; null if there is none.
  get flying() {
    const { flyers, launches, taps } = this.recording;
    const last = launches.length - 1;
    const now = Math.floor(this.step);
    const bird = flyers.find((one) => one.shot === last && !one.egg);
    if (this.revealed || !bird || this.shot !== last || now < launches[last]) return null;
    const done = (bird.touched ?? Infinity) <= now || (bird.gone ?? Infinity) <= now || taps.some((step) => step > launches[last] && step <= now);
    return done ? null : bird;
  }

  // Where a thing is: undefined before it has moved, null when it is gone.
  poseOf(number) {
    const track = this.recording.things[number];
    if (!track) return undefined;
    return track.gone !== null && this.step >= track.gone ? null : this.pose(track);
  }

  pose(track) {
    return between(track.poses, this.step / this.recording.stride - track.start);
  }

  // Birds and eggs that are in the world now, each with its pose. Those that fly look where they fly to.
  flyers() {
    const { flyers, stride } = this.recording;
    return flyers
      .filter((one) => this.step >= (one.start - 1) * stride && (one.gone === null || this.step < one.gone))
      .map((one) => ({ ...one, pose: this.headed(one) }));
  }

  headed(track) {
    const pose = this.pose(track);
    if (track.egg || (track.touched !== null && this.step >= track.touched)) return pose;
    const at = Math.max(1, Math.min(Math.round(this.step / this.recording.stride) - track.start, track.poses.length - 1));
    const [before, after] = [track.poses[at - 1], track.poses[at] ?? track.poses[at - 1]];
    return [pose[0], pose[1], Math.atan2(after[1] - before[1], after[0] - before[0])];
  }

  // Places that birds have passed before they touched anything, up to the step that is shown.
  trails(whole = false) {
    const { flyers, stride } = this.recording;
    return flyers.filter((one) => !one.egg).map((one) => {
      const end = Math.min(whole ? Infinity : this.step, one.touched ?? Infinity, one.gone ?? Infinity) / stride - one.start;
      return one.poses.filter((_, k) => k <= end && k % TRAIL === 0);
    });
  }

  // What has died a moment ago: thing, place and share of the time that its cloud is seen.
  puffs() {
    const { deaths, things } = this.recording;
    return deaths
      .map(([step, number]) => ({ number, since: this.step - (things[number]?.gone ?? step), track: things[number] }))
      .filter(({ since, track }) => since >= 0 && since < PUFF && track)
      .map(({ number, since, track }) => ({ number, place: track.poses.at(-1), share: since / PUFF }));
  }

  blasts() {
    return this.recording.blasts
      .map(([step, x, y, radius]) => ({ x, y, radius, share: (this.step - step) / PUFF }))
      .filter(({ share }) => share >= 0 && share < 1);
  }
}

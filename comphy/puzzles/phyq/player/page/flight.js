// The predicted flight of a bird, and shots as numbers: degrees, stretch, seconds to the tap, seconds to the next shot.

const DOT = 0.08; // seconds from dot to dot

export const pullOf = ([degrees, stretch]) => {
  const angle = (degrees * Math.PI) / 180;
  return [-stretch * Math.cos(angle), -stretch * Math.sin(angle)];
};

// Degrees and stretch of a pull, within their bounds.
export function shotOf([dx, dy], { steepest, stretch: [least, most] }) {
  const degrees = (Math.atan2(-dy, -dx) * 180) / Math.PI;
  const length = Math.hypot(dx, dy);
  return [
    Math.round(10 * Math.min(Math.max(degrees, -steepest), steepest)) / 10,
    Math.round(1000 * Math.min(Math.max(length, least), most)) / 1000,
  ];
}

// Where the bird is so many seconds after its launch, if nothing is in its way.
export function placeAt(shot, seconds, { release, launch_speed: speed, gravity }) {
  const [dx, dy] = pullOf(shot);
  return [release[0] + dx - speed * dx * seconds, release[1] + dy - speed * dy * seconds - (gravity * seconds ** 2) / 2];
}

// Places on the way until the ground or the end of the world.
export function flightOf(shot, catalogue) {
  const places = [];
  for (let k = 1; k < 120; k += 1) {
    const place = placeAt(shot, k * DOT, catalogue);
    if (place[1] < catalogue.ground || place[0] > catalogue.world[1] || place[0] < catalogue.world[0]) break;
    places.push(place);
  }
  return places;
}

// Seconds until the bird is so far that its power works.
export function powerBegins(shot, { release, launch_speed: speed, power_place: place }) {
  const [dx] = pullOf(shot);
  return dx < -1e-6 ? (place - release[0] - dx) / (-speed * dx) : Infinity;
}

// The picture of a game as it stands: the level, birds, what is aimed, and what just happened.

const GHOST = "rgb(40 60 85 / 22%)";
const TRAIL = "rgb(40 60 85 / 50%)";

export function drawGame(player) {
  const { paper, task, playback, ghosts } = player;
  paper.begin();
  paper.landscape();
  if (!player.watched) for (const places of ghosts) paper.trail(places, GHOST);
  drawSling(player);
  task.things.forEach((thing, k) => paper.thing(thing, k, playback?.poseOf(k)));
  if (playback) drawMotion(paper, task, playback);
  if (player.canShoot && player.aim.shown) paper.arc(player.aim.shot, paper.catalogue.birds[player.current]?.power);
}

function drawSling(player) {
  const { paper, task, playback, aim } = player;
  const launched = playback ? playback.shot + 1 : 0;
  const inSling = !playback || (player.watched ? false : player.canShoot) || (playback.shot < 0);
  const next = inSling ? task.birds[launched] : null;
  paper.waiting(task.birds.slice(inSling ? launched + 1 : launched));
  paper.sling(next, next && player.canShoot && aim.shown ? aim.shot : null);
  if (!playback && !aim.shown && !player.waiting) paper.invite(paper.catalogue.release);
}

function drawMotion(paper, task, playback) {
  for (const places of playback.trails()) paper.trail(places, TRAIL);
  for (const flyer of playback.flyers()) paper.flyer(flyer);
  for (const blast of playback.blasts()) paper.blast(blast);
  for (const puff of playback.puffs()) paper.puff(puff, task.things[puff.number].kind === "pig");
}

// The page: opens the task or the round that the address names.

import { ask } from "../player/ask.js";
import { dress, find } from "../player/skeleton.js";
import { followAddress } from "../player/tasks.js";
import { Player } from "./player.js";
import { Round, roundOf } from "./rounds/round.js";
import { DRESS } from "./words.js";

const FIRST_TASK = "1.4:001";

dress(DRESS);
try {
  const player = new Player(await ask("catalogue"));
  const rounds = new Round(player);
  const others = (address) => roundOf(address) && rounds.enter(...roundOf(address));
  await followAddress(FIRST_TASK, (task) => { rounds.leave(); player.open(task); }, (error) => player.fail(error), others);
} catch (error) {
  find("status").textContent = error.message;
}

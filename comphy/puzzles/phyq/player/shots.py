"""The shots that a page may ask for: rows of degrees, stretch, seconds to the tap and to the next shot, as in the list of
tasks. What a person could not do in the game is refused with the reason."""

from collections.abc import Sequence
from typing import Any, Final

from comphy.errors import ConfigError
from comphy.puzzles.phyq.player.recording import Recording
from comphy.puzzles.phyq.tasks.task import Task, shot_of
from comphy.puzzles.phyq.world.constants import MAX_STRETCH, SLINGSHOT, TIMESTEP
from comphy.puzzles.phyq.world.game import POWER_DISTANCE, POWERS, SHOT_SECONDS
from comphy.puzzles.phyq.world.launch import Shot

STEEPEST: Final = 90.0  # degrees: birds are pulled to the left
LEAST_STRETCH: Final = 0.05  # metres; less is no shot
LONGEST_TAP: Final = 10.0  # seconds; no flight takes longer
POWER_PLACE: Final = SLINGSHOT[0] + POWER_DISTANCE  # metres; a bird has no power before it is there
_BOUNDS: Final = {
    "degrees": (-STEEPEST, STEEPEST),
    "stretch": (LEAST_STRETCH, MAX_STRETCH),
    "tap": (0.0, LONGEST_TAP),
    "watch": (0.0, SHOT_SECONDS),
}


def read_shots(rows: Sequence[Any], task: Task) -> list[Shot]:
    """At least one, at most as many as there are birds. Raises `ConfigError` for what is not a shot of the space."""
    birds = task.level.birds
    if not 1 <= len(rows) <= len(birds):
        raise ConfigError(f"{task.id}: expected 1 to {len(birds)} shots, one for each bird (got {len(rows)}).")
    shots = [shot_of(_numbers(row, number)) for number, row in enumerate(rows, 1)]
    for number, (shot, bird) in enumerate(zip(shots, birds, strict=False), 1):
        if shot.tap is not None and bird not in POWERS:
            raise ConfigError(
                f"Shot {number}: expected no tap of a {bird} bird, which has no power (got {shot.tap:g} s)."
            )
    return shots


def check_played(shots: Sequence[Shot], found: Recording) -> None:
    """Whether the game went on for each shot, and each tap and each next bird could be when they were asked for.

    Raises `ConfigError` with the reason if not."""
    if len(found.launches) < len(shots):
        raise ConfigError(
            f"Expected no shot after the end of the game (got {len(shots)}; it was {found.status} with "
            f"{len(found.launches)}). Start again."
        )
    for number, (shot, launch) in enumerate(zip(shots, found.launches, strict=True)):
        if shot.tap is not None and launch + round(shot.tap / TIMESTEP) not in found.taps:
            raise ConfigError(f"Shot {number + 1}: {_late_or_early(shot, found, number)}")
        last = number == len(shots) - 1
        if last or shot.watch is None:
            continue
        ready, after = found.ready[number], found.launches[number + 1]
        if ready is None or after < ready:
            moment = "" if ready is None else f", which is {(ready - launch) * TIMESTEP:.2f} s after its launch"
            raise ConfigError(
                f"Shot {number + 2}: expected it after the first collision of the bird before{moment} (got "
                f"{shot.watch:g} s)."
            )


def power_begins(shot: Shot) -> float | None:
    """Seconds after the launch at which a bird that meets nothing has come so far that it can use its power."""
    speed = shot.velocity[0]
    return None if speed <= 1e-9 else max(0.0, (POWER_PLACE - shot.start[0]) / speed)


def _late_or_early(shot: Shot, found: Recording, number: int) -> str:
    begins, tap = power_begins(shot), shot.tap or 0.0
    if begins is None:
        return "expected no tap, since the bird never comes in front of the slingshot, where its power begins."
    if tap < begins:
        return f"expected a tap after {begins:.2f} s, when the bird's power begins (got {tap:g} s)."
    ready = found.ready[number]
    end = "" if ready is None else f", which is after {(ready - found.launches[number]) * TIMESTEP:.2f} s"
    return f"expected a tap before the bird's first collision{end} (got {tap:g} s)."


def _numbers(row: Any, number: int) -> list[float | None]:
    """Raises `ConfigError` unless it has four numbers within their bounds; the last two may be null."""
    if not isinstance(row, list) or len(row) != len(_BOUNDS):
        raise ConfigError(f"Shot {number}: expected {', '.join(_BOUNDS)} (got {str(row)[:80]}).")
    found: list[float | None] = []
    for value, (name, (least, most)) in zip(row, _BOUNDS.items(), strict=True):
        if value is None and name in ("tap", "watch"):
            found.append(None)
        elif type(value) not in (int, float) or not least <= value <= most:
            raise ConfigError(f"Shot {number}: expected {name} from {least:g} to {most:g} (got {str(value)[:40]}).")
        else:
            found.append(float(value))
    return found

"""Broad phase for recorded contacts: which pairs are near enough to ask the engine about, a tenth of a step each."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from comphy.sim.body import Body, State
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.shapes import bounding_radius

# Bodies nearer than this may carry contact force before their shapes meet exactly.
CONTACT_MARGIN: Final = 0.02
# A light body struck head-on by a heavy one leaves with at most twice the heavy one's speed.
BLOW_GAIN: Final = 2.0
# Units per second squared: gravity and what charges add at a tabletop's distances.
TOP_ACCELERATION: Final = 10.0
# A pair out of reach is skipped for at most so many frames.
MAX_SKIPPED_FRAMES: Final = 8


class PairWatch:
    """Of the watched pairs, tells before each frame which could touch in it, and from which step on."""

    def __init__(
        self,
        bodies: Sequence[Body],
        watch: Sequence[Pair] | Mapping[Pair, float] | None,
        timestep: float,
        contacts_are_steady: bool,
    ) -> None:
        self._dynamic = [i for i, body in enumerate(bodies) if not body.static]
        self._timestep = timestep
        self._contacts_are_steady = contacts_are_steady
        self._reach = [(pair, gap + CONTACT_MARGIN) for pair, gap in self._contact_distances(bodies, watch).items()]
        self._skip_until = [0] * len(self._reach)  # the step up to which a pair is known to be too far apart

    def _contact_distances(
        self, bodies: Sequence[Body], watch: Sequence[Pair] | Mapping[Pair, float] | None
    ) -> Mapping[Pair, float]:
        if isinstance(watch, Mapping):
            return watch
        radii = [bounding_radius(body.shape) for body in bodies]
        pairs = watch if watch is not None else combinations(self._dynamic, 2)
        return {(i, j): radii[i] + radii[j] for i, j in pairs}

    def restart(self) -> None:
        self._skip_until = [0] * len(self._reach)

    def in_reach(self, states: Sequence[State], steps: range, log: ContactLog) -> list[tuple[Pair, int]]:
        """Watched pairs that could touch within `steps`, each with the first step at which it could.

        Where contacts do not flicker, a pair that leans on each other is asked about once in a frame, at its end.
        """
        start = steps.start
        due = [k for k, step in enumerate(self._skip_until) if step <= start]
        if not due:
            return []
        count, timestep = len(steps), self._timestep
        top_speed = max([math.hypot(*states[i][2]) for i in self._dynamic], default=0.0)
        approach = (2.0 * BLOW_GAIN * top_speed + TOP_ACCELERATION * count * timestep) * timestep
        near = []
        for k in due:
            pair, contact_distance = self._reach[k]
            (ax, ay, az), (bx, by, bz) = states[pair[0]][0], states[pair[1]][0]
            dx, dy, dz = ax - bx, ay - by, az - bz
            gap = math.sqrt(dx * dx + dy * dy + dz * dz) - contact_distance
            free = int(gap / approach) if gap > 0.0 else 0
            if free > count:
                self._skip_until[k] = start + count * self._frames_free(gap, top_speed, count * timestep)
            elif self._contacts_are_steady and log.leaning(pair, start):
                near.append((pair, steps.stop - 1, gap))
            else:
                near.append((pair, start + max(0, free - 1), gap))
        if len(near) == 1:
            return self._undisturbed(*near[0], states, steps)
        return [(pair, first) for pair, first, _ in near]

    def _frames_free(self, gap: float, top_speed: float, frame: float) -> int:
        """Frames in which the gap cannot close, whatever strikes whom: the greatest n with speed * n + a * n^2 <= gap."""
        speed, acceleration = 2.0 * BLOW_GAIN * top_speed * frame, TOP_ACCELERATION * frame * frame
        frames = (math.sqrt(speed * speed + 4.0 * acceleration * gap) - speed) / (2.0 * acceleration)
        return max(1, min(MAX_SKIPPED_FRAMES, int(frames)))

    def _undisturbed(
        self, pair: Pair, first: int, gap: float, states: Sequence[State], steps: range
    ) -> list[tuple[Pair, int]]:
        """The only pair near: no other strikes either before they meet, so their own speeds bound when that is."""
        if gap > 0.0:
            own = math.hypot(*states[pair[0]][2]) + math.hypot(*states[pair[1]][2])
            own += TOP_ACCELERATION * len(steps) * self._timestep
            first = max(first, steps.start + int(gap / (own * self._timestep)) - 1)
        return [(pair, first)] if first < steps.stop else []

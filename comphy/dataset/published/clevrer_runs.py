"""Simulates what CLEVRER does not publish: collisions after a video, and collisions without one of its objects.

The result is an approximation for baselines and experiments, not CLEVRER's ground truth: physics engine and laws are this
toolkit's, with constants that others fitted to CLEVRER; restitution and friction of single objects are not published, and
small errors grow with every collision. To keep errors small, a run without an object follows the annotation until just
before that object's first collision (without charges, its removal has no effect before). Runs continue beyond the end of
the video, since CLEVRER's answers count collisions there.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.programs.facts import Events
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import FPS, STEPS_PER_FRAME, InitialState, Video
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from comphy.sim.bullet import Engine
from comphy.sim.tabletop import TabletopLaws, simulate
from comphy.sim.world import RELEASE_SECONDS

# Friction and damping of VRDP's differentiable simulation of CLEVRER. A fit on the tracks of 11,182 videos agrees: cubes
# and cylinders lose 0.3 units/s each second (0.03 g), balls 5 to 7 % of their speed. Its restitution, 0.2 for all pairs
# of materials, is used rather than the values of 0.6 to 0.8 per object with which VRDP's optimisation starts.
CLEVRER_LAWS: Final = TabletopLaws(gravity=9.806, friction=0.03, restitution=0.2, damping=0.06, coulomb=0.0)
FUTURE_FRAMES: Final = 58  # VRDP simulates up to frame 186
LOOK_AHEAD: Final = 3  # the simulation starts this many frames before the first contact of the removed object


@dataclass(frozen=True)
class ClevrerRuns:
    """`future`: collisions after the video. `removal`: for each object, all collisions in a world without it."""

    future: Events
    removal: Mapping[int, Events]


def simulate_runs(
    annotation: VideoAnnotation,
    engine: Engine | None = None,
    laws: TabletopLaws = CLEVRER_LAWS,
    future_frames: int = FUTURE_FRAMES,
) -> ClevrerRuns:
    """Simulate all runs that questions about a video can need, up to `future_frames` after its end."""
    everyone = range(len(annotation.objects))
    with Engine() if engine is None else nullcontext(engine) as opened:
        simulator = _Simulator(annotation, opened, laws, len(annotation) + future_frames)
        future = simulator.collisions(len(annotation) - 1, everyone)
        return ClevrerRuns(
            tuple(event for event in future if event.frame >= len(annotation)),
            {i: simulator.without(i) for i in everyone},
        )


@dataclass(frozen=True)
class _Simulator:
    annotation: VideoAnnotation
    engine: Engine
    laws: TabletopLaws
    end: int  # the first frame that is not simulated

    def without(self, removed: int) -> Events:
        kept = [i for i in range(len(self.annotation.objects)) if i != removed]
        touches = [c.frame for c in self.annotation.collisions if removed in c.pair]
        start = max(0, min(touches) - LOOK_AHEAD) if touches else len(self.annotation) - 1
        return self.collisions(start, kept)

    def collisions(self, start: int, kept: Sequence[int]) -> Events:
        """Collisions of the kept objects: annotated ones up to frame `start`, simulated ones afterwards."""
        annotated = [c for c in self.annotation.collisions if c.frame <= start and set(c.pair) <= set(kept)]
        recorded = [Event(EventKind.COLLISION, c.frame, c.pair) for c in annotated]
        video = Video(
            tuple(self.annotation.objects[i] for i in kept),
            tuple(self._state(start, i) for i in kept),
            tuple(kept),
            self.end - start,
            self.end - start,
        )
        simulated = [
            # The first frame that shows the contact, so that none falls into the annotated frames.
            Event(EventKind.COLLISION, start + 1 + c.step // STEPS_PER_FRAME, (kept[c.pair[0]], kept[c.pair[1]]))
            for c in simulate(video, self.engine, self.laws).collisions
        ]
        return (*recorded, *(event for event in simulated if not _goes_on(event, start, recorded)))

    def _state(self, frame: int, index: int) -> InitialState:
        """An object's state at a frame, upright on the table.

        Velocity and spin are backward differences of the annotated locations and yaw angles.
        """
        locations = self.annotation.locations
        before, after = (frame - 1, frame) if frame else (0, min(1, len(locations) - 1))
        vx, vy, _ = ((locations[after, index] - locations[before, index]) * FPS).tolist()
        x, y, _ = locations[frame, index].tolist()
        heading, spin = self._turn(frame, before, after, index)
        return InitialState(
            (x, y, OBJECT_RADIUS),
            (0.0, 0.0, math.sin(heading / 2), math.cos(heading / 2)),
            (vx, vy, 0.0),
            (0.0, 0.0, spin),
        )

    def _turn(self, frame: int, before: int, after: int, index: int) -> tuple[float, float]:
        """Yaw angle and spin about the vertical; zero for a sphere, whose orientation does not matter."""
        orientations = self.annotation.orientations
        if orientations is None or self.annotation.objects[index].shape is Shape.SPHERE:
            return 0.0, 0.0
        headings = orientations[:, index, 2]
        step = float(np.remainder(headings[after] - headings[before] + math.pi, 2 * math.pi) - math.pi)
        return float(headings[frame]), step * FPS


def _goes_on(event: Event, start: int, recorded: Sequence[Event]) -> bool:
    """Whether a simulated collision is the continuation of an annotated contact."""
    earliest = start - round(RELEASE_SECONDS * FPS)
    return event.frame == start + 1 and any(r.objects == event.objects and r.frame >= earliest for r in recorded)

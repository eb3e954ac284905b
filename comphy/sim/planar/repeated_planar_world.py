"""`RepeatedPlanarWorld`: a planar world for many short runs, each with other bodies added."""

from collections.abc import Iterator, Sequence

from comphy.sim.body import Body
from comphy.sim.contacts import Pair
from comphy.sim.planar.planar_world import PlanarWorld
from comphy.sim.planar.sleep import BLOCK_STEPS


class RepeatedPlanarWorld(PlanarWorld):
    """Bodies that are there in every run, and bodies that are added for one run only.

    A run is what follows `start`; it depends on the bodies and the added ones alone, bit by bit, not on earlier runs.
    Added bodies are numbered after the others. Building a world takes as long as a run, starting again a hundredth of it:
    keep a world as long as its bodies are wanted.
    """

    def start(self, added: Sequence[Body] = ()) -> None:
        """Begin a run: every body where it was at first, and the added ones where they say."""
        self._start(added)

    def advance(self) -> None:
        """Go on by a block of `BLOCK_STEPS` steps: one call of the engine where no sleeping body could be woken."""
        if self.asleep:
            return
        if self._sleep.cannot_wake(BLOCK_STEPS * self.timestep, self._gravity):
            self._scene.step(BLOCK_STEPS)
        else:
            for _ in range(BLOCK_STEPS):
                self._scene.step(1)
        self._sleep.check()

    def walk(self) -> Iterator[None]:
        """Go on step by step from where a block ends; the same run, to the bit, for callers that inspect every step."""
        while True:
            for step in range(1, BLOCK_STEPS + 1):
                if not self.asleep:
                    self._scene.step(1)
                    if step == BLOCK_STEPS:
                        self._sleep.check()
                yield

    def distance(self, first: int, second: int) -> float:
        """Between the centres of two bodies."""
        (ax, ay, _), (bx, by, _) = self._scene.position(first), self._scene.position(second)
        return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)

    def touching(self, first: int, second: int, slack: float) -> bool:
        """Whether the shapes of two bodies are nearer than `slack`, which is at most a hundredth of their size."""
        return self._scene.gap(first, second) < slack

    def touching_pairs(self, slack: float) -> set[Pair]:
        """All pairs that are touching, the smaller number first."""
        return {(min(a, b), max(a, b)) for a, b, gap in self._scene.close_pairs() if gap < slack}

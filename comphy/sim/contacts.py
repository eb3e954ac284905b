"""De-bounces the engine's flickering contacts into collision events: one per touch, however often the bodies rattle."""

from dataclasses import dataclass, field

from comphy.sim.rollout import Collision

Pair = tuple[int, int]
Point = tuple[float, float, float]


@dataclass
class _OpenTouch:
    first: int
    last: int
    impulse: float
    location: Point


@dataclass
class ContactLog:
    """Merges a pair's contacts into one collision while the gaps between them are at most `release_steps`.

    Its impulse is that of the blow, the contacts of the first `blow_steps` steps; what follows is one body leaning on
    the other.
    """

    release_steps: int
    blow_steps: int
    _open: dict[Pair, _OpenTouch] = field(default_factory=dict)
    _closed: list[Collision] = field(default_factory=list)

    def touch(self, step: int, pair: Pair, impulse: float, location: Point) -> None:
        touch = self._open.get(pair)
        if touch is not None and step - touch.last <= self.release_steps:
            touch.last = step
            if step - touch.first < self.blow_steps:
                touch.impulse += impulse
            return
        if touch is not None:
            self._close(pair, touch)
        self._open[pair] = _OpenTouch(step, step, impulse, location)

    def leaning(self, pair: Pair, step: int) -> bool:
        """Whether the pair's blow is over and it touched not long before `step`: what follows changes no event soon."""
        touch = self._open.get(pair)
        return (
            touch is not None and step - touch.first >= self.blow_steps and step - touch.last <= self.release_steps // 2
        )

    def collisions(self) -> tuple[Collision, ...]:
        """All events so far in order of first touch."""
        still_open = [self._event(pair, touch) for pair, touch in self._open.items()]
        return tuple(sorted([*self._closed, *still_open], key=lambda c: (c.step, c.pair)))

    def _close(self, pair: Pair, touch: _OpenTouch) -> None:
        self._closed.append(self._event(pair, touch))

    @staticmethod
    def _event(pair: Pair, touch: _OpenTouch) -> Collision:
        return Collision(touch.first, touch.last, pair, touch.impulse, touch.location)

"""Free motion on the table in closed form, so that the sampler can aim: v' = -(s + c v) until rest."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comphy.scene.vocabulary import Shape
from comphy.sim.tabletop import LAWS, TabletopLaws


@dataclass(frozen=True)
class FreeMotion:
    """How one shape coasts: constant deceleration `slide` plus `drag` times the speed."""

    slide: float
    drag: float

    @staticmethod
    def of(shape: Shape, laws: TabletopLaws = LAWS) -> "FreeMotion":
        return FreeMotion(laws.sliding(shape), laws.drag)

    def stop_time(self, speed: float) -> float:
        return math.log1p(self.drag * speed / self.slide) / self.drag if self.slide else math.inf

    def travelled(self, speed: float, times: NDArray) -> NDArray:
        """Distance covered after each of `times` when launched at `speed`."""
        t = np.minimum(times, self.stop_time(speed))
        terminal = self.slide / self.drag
        return (speed + terminal) * -np.expm1(-self.drag * t) / self.drag - terminal * t

    def launch_speed(self, arrival_speed: float, time: float) -> float:
        """The speed to launch with so that `arrival_speed` is left after `time`."""
        terminal = self.slide / self.drag
        return (arrival_speed + terminal) * math.exp(self.drag * time) - terminal

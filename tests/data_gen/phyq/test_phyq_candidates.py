"""Levels that were tried."""

from comphy.puzzles.phyq.templates.variation import Placement
from comphy.puzzles.phyq.world.launch import Shot
from data_gen.phyq.candidates import Candidate, closest_tasks


def test_the_closest_tasks_come_first_and_of_equally_close_ones_the_latest() -> None:
    def at(dx: float, dy: float, degrees: float | None) -> Candidate:
        return Candidate(Placement(dx, dy, ()), shots=() if degrees is None else (Shot.at(degrees),))

    far, near, unsolved, opposite = at(3.0, 4.0, 10.0), at(0.0, 1.0, 20.0), at(0.0, 0.0, None), at(-1.0, 0.0, 30.0)
    assert closest_tasks([far, near, unsolved, opposite], Placement(0.0, 0.0, ())) == [opposite, near, far]
    assert closest_tasks([far, near, unsolved, opposite], Placement(2.5, 4.0, ())) == [far, near, opposite]

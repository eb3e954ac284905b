"""The depth of overlaps, against distances known from the geometry."""

import math

import pytest

from comphy.puzzles.phyre.templates.overlaps import deepest_overlap
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.scene import Scene, SceneBody
from comphy.puzzles.phyre.world.shapes import PuzzleShape, ball_of_radius, bar, jar

STONE, BEAM = ball_of_radius(10.0), bar(0.25)


def of_two(
    first: PuzzleShape, second: PuzzleShape, dx: float, dy: float, degrees: float = 0.0, color: Color = Color.BLACK
) -> float:
    bodies = (
        SceneBody(first, 100.0, 100.0, 0.0, Color.GREEN),
        SceneBody(second, 100.0 + dx, 100.0 + dy, math.radians(degrees), color),
    )
    return deepest_overlap(Scene(bodies, (0, 1)))


@pytest.mark.parametrize(
    ("second", "dx", "dy", "degrees", "depth"),
    [
        (STONE, 12.0, 9.0, 0.0, 5.0),
        (STONE, 12.0, 16.0, 0.0, 0.0),
        (BEAM, 0.0, 11.56, 0.0, 1.0),
        (BEAM, -11.56, 0.0, 90.0, 1.0),
        (BEAM, -43.0, 0.0, 0.0, -1.0),
    ],
)
def test_a_ball_and_another_body(second: PuzzleShape, dx: float, dy: float, degrees: float, depth: float) -> None:
    assert of_two(STONE, second, dx, dy, degrees) == pytest.approx(depth, abs=1e-9)


def test_turned_bars_touch_where_a_corner_meets_a_face() -> None:
    reach = 2.56 + 32.0 * math.sin(math.radians(30)) + 2.56 * math.cos(math.radians(30))
    assert of_two(BEAM, BEAM, 0.0, reach - 0.5, 30.0) == pytest.approx(0.5)
    assert of_two(BEAM, BEAM, 0.0, reach + 0.5, 30.0) < 0.0


def test_what_stands_in_a_jar_does_not_overlap_it() -> None:
    assert of_two(ball_of_radius(4.0), jar(0.2), 0.0, 0.0) < 0.0
    assert of_two(ball_of_radius(20.0), jar(0.2), 0.0, 0.0) > 0.0


def test_only_what_moves_counts() -> None:
    inside_each_other = (SceneBody(STONE, 50.0, 50.0, 0.0, Color.BLACK),) * 2
    alone = SceneBody(STONE, 245.0, 100.0, 0.0, Color.GREEN)
    assert deepest_overlap(Scene((*inside_each_other, alone), (2, 0))) == pytest.approx(-1.0)
    out = SceneBody(STONE, 248.0, 100.0, 0.0, Color.GREEN)
    assert deepest_overlap(Scene((out,), (0, 0))) == pytest.approx(2.0)

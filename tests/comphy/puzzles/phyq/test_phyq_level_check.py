"""What is wrong with a level is found before anybody plays it; published levels and all tasks pass."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyq.tasks.task import load_tasks
from comphy.puzzles.phyq.templates.published import find_template, load_templates
from comphy.puzzles.phyq.templates.variation import draw_placement, placed_level
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.constants import GROUND
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing, corners
from comphy.puzzles.phyq.world.level_check import IN_EACH_OTHER, overlap, problems_of, stands_in_the_ground

PIG = Pig("BasicSmall", 0.0, 0.0)
SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def with_pig(*things: Thing) -> list[str]:
    return list(problems_of(Level((Bird.RED,), (PIG, *things))))


@pytest.mark.parametrize(("x", "y", "expected"), [(1.5, 0.0, 0.5), (1.5, 1.9, 0.1), (3.0, 0.0, -1.0), (0.0, 2.0, 0.0)])
def test_overlaps_of_squares(x: float, y: float, expected: float) -> None:
    other = tuple((x + dx, y + dy) for dx, dy in SQUARE)
    assert overlap(SQUARE, other) == overlap(other, SQUARE) == pytest.approx(expected)


def test_a_turned_square_is_told_from_its_bounding_box() -> None:
    """Its corner points at the other's corner: boxes overlap, the squares do not."""
    half = math.sqrt(2.0)
    turned = tuple((2.2 + x, 2.2 + y) for x, y in ((half, 0.0), (0.0, half), (-half, 0.0), (0.0, -half)))
    assert overlap(SQUARE, turned) == pytest.approx(math.sqrt(2.0) - math.sqrt(2.0) * 2.2 + 1.0)


def test_each_problem_is_named_with_its_thing() -> None:
    assert list(problems_of(Level((Bird.RED,), (Platform(0.0, 0.0, 1.0, 1.0),)))) == [
        "expected a pig at least (got none), or there is nothing to win"
    ]
    [outside], [sunk] = (with_pig(Block("Circle", Material.WOOD, x, y)) for x, y in ((20.0, 0.0), (5.0, GROUND)))
    assert outside.startswith("Circle at (20.00, 0.00) is outside the world")
    assert sunk.startswith("Circle at (5.00, -3.50) stands in the ground")
    assert with_pig(Platform(20.0, GROUND, 1.0, 1.0)) == []
    assert with_pig(Platform(5.0, 5.0, 0.0, 1.0)) == ["Platform at (5.00, 5.00) has no size; give it a scale above 0"]
    [inside] = with_pig(Block("SquareSmall", Material.ICE, 0.05, 0.0))
    assert "SquareSmall at (0.05, 0.00)" in inside and "move one of them" in inside


def test_platforms_may_overlap_and_things_may_touch() -> None:
    assert with_pig(Platform(5.0, 0.0, 1.0, 1.0), Platform(5.2, 0.0, 1.0, 1.0)) == []
    width = corners(Block("SquareSmall", Material.ICE, 0.0, 0.0))[0][0] * -2.0
    squares = [Block("SquareSmall", Material.ICE, x, 3.0) for x in (0.0, abs(width))]
    assert with_pig(*squares) == [] and IN_EACH_OTHER > 0.0


def test_published_levels_and_all_tasks_have_none() -> None:
    for template in load_templates().values():
        assert [*problems_of(template.level), *problems_of(template.published)] == [], template.id
    for number, task in enumerate(load_tasks().values()):
        if number % 10 == 0:
            assert list(problems_of(task.level)) == [], task.id
        assert not any(map(stands_in_the_ground, task.level.things)), task.id


def test_nothing_is_moved_into_the_ground() -> None:
    """The published rule for 8.3 would put every thirtieth level there."""
    template = find_template("8.3")
    for number in range(60):
        level = placed_level(template, draw_placement(template, np.random.default_rng(number)))
        assert not any(map(stands_in_the_ground, level.things))

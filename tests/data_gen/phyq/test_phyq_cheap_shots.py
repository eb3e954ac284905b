"""Cheap shots, and the levels that they may not win."""

import pytest

from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import GROUND
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import aimed_at
from comphy.puzzles.phyq.world.level import Level, Pig
from data_gen.phyq.certify import flaws_of_level
from data_gen.phyq.cheap_shots import cheap_shots

pytestmark = pytest.mark.bullet

NEAR = Pig("BasicSmall", -4.0, GROUND + 0.2375)
FAR = Pig("BasicSmall", 14.0, GROUND + 0.2375)  # out of reach


def test_both_arcs_at_each_pig_and_the_far_pull_where_one_is_out_of_reach() -> None:
    arcs = aimed_at((NEAR.x, NEAR.y))
    assert list(cheap_shots(Level((Bird.RED,), (NEAR,)))) == arcs
    *straight, far = cheap_shots(Level((Bird.RED,), (NEAR, FAR)))
    assert straight == arcs and far.degrees == pytest.approx(FAR_DEGREES)


@pytest.mark.parametrize(
    ("bird", "shares"),
    [
        (Bird.YELLOW, (0.65, 0.775, 0.9)),
        (Bird.WHITE, (0.5, 0.6, 0.7)),
        (Bird.BLUE, (0.65, 0.75, 0.85)),
        (Bird.BLACK, ()),
    ],
)
def test_birds_with_a_published_tap_also_use_it(bird: Bird, shares: tuple[float, ...]) -> None:
    """At shares of the way to the pig, which a bird flies at a constant speed across."""
    for arc, shot in enumerate(aimed_at((NEAR.x, NEAR.y))):
        found = list(cheap_shots(Level((bird,), (NEAR,))))[arc * (1 + len(shares)) :][: 1 + len(shares)]
        assert found[0] == shot and {one.degrees for one in found} == {shot.degrees}
        seconds = (NEAR.x - shot.start[0]) / shot.velocity[0]
        assert [one.tap for one in found[1:]] == pytest.approx([share * seconds for share in shares])


@pytest.mark.parametrize(
    ("template_id", "dx", "dy", "refused"),
    [
        ("5.4", 1.4965, 0.0, True),  # by the far pull
        ("5.4", 1.2566, 0.0, False),
        ("15.7", -8.0, 2.6, True),  # by taps
        ("15.7", 1.0, 3.0, False),
        ("15.6", -3.0, 0.5, True),  # by two shares of the way; one alone is allowed there
        ("15.6", 0.31, 0.9, False),
        ("12.6", -0.3415, 1.2062, True),
        ("15.3", 0.0, 0.0, False),  # may be won so
    ],
)
def test_levels_that_pig_shooter_wins_are_refused(template_id: str, dx: float, dy: float, refused: bool) -> None:
    template = find_template(template_id)
    with Game(placed_level(template, Placement(dx, dy, ()))) as game:
        flaws = list(flaws_of_level(template, game))
        assert bool(flaws) is refused
        assert all(flaw.startswith("a shot of Pig Shooter wins") for flaw in flaws)

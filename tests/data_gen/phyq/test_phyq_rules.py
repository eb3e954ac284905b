"""The rules of the scenarios, on small games whose course is clear."""

from dataclasses import replace

import pytest

from comphy.puzzles.phyq.templates.published import Template, find_template
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.constants import GROUND
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing
from comphy.puzzles.phyq.world.record import Contact, Death, Record
from data_gen.phyq.certify import flaws_of_level, flaws_of_solution
from data_gen.phyq.rules import RIGHT_AND_DECOY, WonGame, flaws_by_rule

pytestmark = pytest.mark.bullet

LEDGE = Platform(0.0, 0.0, 1.0, 0.2)
STONE = Block("SquareHole", Material.STONE, 0.25, 0.1 + 0.7636 / 2 + 0.015)
PIG = Pig("BasicSmall", 0.9, GROUND + 0.2375)
DIRECT = (PIG,), aimed_at((PIG.x, PIG.y))[:1]
FALLING = (LEDGE, STONE, PIG), aimed_at((-0.1, STONE.y))[:1]
ON_GROUND = (PIG,), aimed_at((PIG.x - 3.0, GROUND + 0.17))[:1]


def flaws_in(scenario: int, things: tuple[Thing, ...], shots: list[Shot]) -> list[str]:
    """Of a game that is won, by the rule of a scenario."""
    template = replace(find_template("1.4"), id=f"{scenario}.9")
    with Game(Level((Bird.RED,) * len(shots), things)) as game:
        assert game.play(shots) is Status.WON
        return list(flaws_by_rule(WonGame.of(template, game), shots, game.play))


@pytest.mark.parametrize(
    ("course", "kept", "broken"),
    [(DIRECT, (1,), (2, 3, 4, 5, 6, 12, 13)), (FALLING, (4, 12), (1, 3, 5, 6)), (ON_GROUND, (1, 3, 6), (4, 5, 12))],
)
def test_a_course_keeps_the_rules_that_it_shows(
    course: tuple[tuple[Thing, ...], list[Shot]], kept: tuple[int, ...], broken: tuple[int, ...]
) -> None:
    for scenario in kept:
        assert not flaws_in(scenario, *course), scenario
    for scenario in broken:
        assert flaws_in(scenario, *course), scenario


def test_a_block_that_is_pushed_into_the_pig_behind_it_has_slid() -> None:
    shelf = Platform(0.0, 0.0, 4.0, 0.2)
    wood = Block("SquareHole", Material.WOOD, 0.0, 0.1 + 0.7636 / 2 + 0.015)
    behind = Pig("BasicSmall", 0.3818 + 0.3, 0.1 + 0.2375)
    assert not flaws_in(5, (shelf, wood, behind), aimed_at((wood.x - 0.4, wood.y))[:1])


@pytest.mark.parametrize(("off_a_platform", "killer", "kept"), [(True, 2, True), (False, 2, False), (True, 3, False)])
def test_a_bird_that_bounced_may_throw_the_pig_against_a_platform(
    off_a_platform: bool, killer: int, kept: bool
) -> None:
    """Bodies: the pig, a platform, a block, the bird."""
    pig, platform, bird = FIRST_THING, FIRST_THING + 1, FIRST_THING + 3
    places = ((0.0, 0.0), (0.0, 0.0))
    contacts = [Contact(10, (platform, bird), 9.0, places)] if off_a_platform else []
    contacts += [Contact(20, (pig, bird), 5.0, places), Contact(30, (pig, killer), 3.0, places)]
    level = Level((Bird.RED,), (PIG, LEDGE, STONE))
    record = Record(contacts, [Death(30, pig, killer)])
    won = WonGame(replace(find_template("1.4"), id="6.9"), level, bird, record, {})
    flaws = list(flaws_by_rule(won, [Shot.at(20.0)], lambda shots: Status.LOST))
    assert bool(flaws) is not kept


def test_rules_that_play_again() -> None:
    two = (PIG, Pig("BasicSmall", -5.0, GROUND + 0.2375))
    shots = [aimed_at((pig.x, pig.y))[1] for pig in two]
    assert flaws_in(11, two, shots) == ["it is won in the other order, too"]
    assert flaws_in(13, two, shots) == [], "neither wins alone"
    assert flaws_in(14, two, shots) == ["it is won without haste, too"]
    assert flaws_in(15, two, shots) == ["it is won without the tap, too"]


def test_the_right_one_of_two_is_a_block_and_so_is_the_decoy() -> None:
    for template_id, pair in RIGHT_AND_DECOY.items():
        things = find_template(template_id).level.things
        assert all(isinstance(things[number], Block) for number in pair), template_id
        assert things[pair[0]] != things[pair[1]]


def test_a_solution_at_the_edge_is_no_certificate_and_neither_is_a_shot_too_many() -> None:
    template = find_template("1.4")
    with Game(Level((Bird.RED, Bird.RED), (PIG,))) as game:
        [shot] = DIRECT[1]
        assert not list(flaws_of_solution(template, game, [shot]))
        assert "its certified solution has shots that are not needed" in flaws_of_solution(template, game, [shot] * 2)
        assert list(flaws_of_solution(template, game, [Shot.at(80.0)])) == ["its certified solution does not win"]
        edge = _edge(game, shot.degrees)
        found = list(flaws_of_solution(template, game, [edge]))
        assert found and all("does not win turned by" in flaw for flaw in found)


def test_straight_shots_must_win_where_they_are_asked_for_and_nowhere_else() -> None:
    both: Template = find_template("1.4")
    with Game(Level((Bird.RED,), (PIG,))) as game:
        assert not list(flaws_of_level(both, game))
        assert len(list(flaws_of_level(find_template("6.6"), game))) == 2
    roof = Platform(PIG.x, GROUND + 1.5, 3.0, 0.3)
    with Game(Level((Bird.RED,), (PIG, roof))) as game:
        assert list(flaws_of_level(both, game)) == ["the high shot at the pig does not win"]


def _edge(game: Game, degrees: float) -> Shot:
    """The last shot upwards that wins, in steps of 0.05 degrees."""
    while game.play([Shot.at(degrees + 0.05)]) is Status.WON:
        degrees += 0.05
    return Shot.at(degrees)


def test_the_published_level_of_11_2_has_a_certified_solution() -> None:
    """The first shot topples the lid and kills the pig in front, the second one kills the two others."""
    template = find_template("11.2")
    shots = [Shot.at(15.53, 0.83), Shot.at(77.88)]
    with Game(template.level) as game:
        game.play(shots[:1])
        assert game.pigs_left == 2
        assert not list(flaws_of_solution(template, game, shots))
        assert not list(flaws_of_level(template, game))

"""Relations between things of a scene, and what the agents by rules make of them."""

import numpy as np
import pytest

from comphy.puzzles.phyq.benchmark.contract import Choice
from comphy.puzzles.phyq.benchmark.game_simulator import GameSimulator
from comphy.puzzles.phyq.benchmark.observing.scene import noisy_scene, scene_of
from comphy.puzzles.phyq.benchmark.observing.symbolic import symbolic_state
from comphy.puzzles.phyq.templates.published import find_template, load_templates
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.constants import GROUND
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform
from comphy.sim.bullet import Engine
from models.agents.phyq.agents import find_agent
from models.agents.phyq.rules.relations import Relations, flight, left_face

pytestmark = pytest.mark.bullet
SHELF = Platform(0.0, 0.0, 4.0, 0.4)
PIG = Pig("BasicSmall", 0.5, 0.44)  # on the shelf
LID = Block("RectBig", Material.WOOD, 0.5, 1.09)  # over the pig, on two posts
POSTS = tuple(Block("RectSmall", Material.ICE, x, 0.6, 90.0) for x in (-0.1, 1.1))
SCENE = Level((Bird.RED,), (SHELF, PIG, LID, *POSTS))
RULED = ("bambirds", "eagles_wing", "datalab")


def choices(agent: str, level: Level, plays: int = 3) -> list[Choice]:
    rng = np.random.default_rng(0)
    with Game(level) as game, GameSimulator() as simulate:
        scene = scene_of(game)
        shoot = find_agent(agent).shoot
        return [shoot(symbolic_state(noisy_scene(scene, rng), rng), rng, simulate) for _ in range(plays)]


def test_what_bears_and_covers_what() -> None:
    scene = Relations(SCENE)
    assert scene.pigs == [1] and scene.blocks == [2, 3, 4]
    assert scene.bearers(1) == [0] and scene.bearers(2) == [3, 4] and scene.borne(0) == [1, 3, 4]
    assert scene.bearers(0) == [], "platforms hang by themselves"
    assert scene.above(1) == [2]
    assert scene.buildings == [[1, 2, 3, 4]]
    assert scene.box([0]) == pytest.approx((-2.0, 2.0, -0.2, 0.2))


def test_what_is_in_the_way_of_a_shot() -> None:
    scene = Relations(SCENE)
    low, high = scene.shots_at(1)
    assert 3 in low[1], "the left post"
    assert high[1][0] == 2, "the lid"
    assert scene.clear_shots(1) == [] and set(scene.protectors(1)) >= {2, 3}
    free = Relations(Level((Bird.RED,), (SHELF, PIG)))
    assert len(free.clear_shots(1)) == 2 and free.protectors(1) == []


def test_what_falls_off_its_ledge_comes_down_where_no_platform_is() -> None:
    ledge, pig = Platform(-1.0, 2.0, 2.0, 0.4), Pig("BasicSmall", 0.9, -3.2)
    ball = Block("Circle", Material.STONE, -0.6, 2.6)
    assert Relations(Level((Bird.RED,), (ledge, pig, ball))).may_fall_on(2, 1)
    roof = Platform(0.8, 0.0, 2.0, 0.4)
    assert not Relations(Level((Bird.RED,), (ledge, pig, ball, roof))).may_fall_on(2, 1)
    far = Pig("BasicSmall", 5.0, -3.2)
    assert not Relations(Level((Bird.RED,), (ledge, far, ball))).may_fall_on(2, 1)


def test_a_flight_is_the_parabola_through_its_target() -> None:
    for shot in aimed_at((3.0, 1.0)):
        assert np.linalg.norm(flight(shot) - (3.0, 1.0), axis=1).min() < 0.1
    assert flight(Shot.at(20.0))[-1][1] == pytest.approx(GROUND, abs=0.2)


def test_the_left_face_of_a_turned_platform() -> None:
    assert left_face(Platform(5.0, 1.0, 2.0, 0.4)) == pytest.approx((4.0, 1.0))
    assert left_face(Platform(5.0, 1.0, 2.0, 0.4, 90.0)) == pytest.approx((4.8, 1.0))


@pytest.mark.parametrize("agent", RULED)
def test_a_pig_that_stands_free_is_shot_at(agent: str) -> None:
    level = find_template("1.5").level
    [pig] = level.pigs
    straight = [shot.degrees for shot in aimed_at((pig.x, pig.y))]
    for choice in choices(agent, level):
        assert choice.strategy in ("target_pig", "pigs", "destroy_pigs")
        assert min(abs(choice.shot.degrees - one) for one in straight) < 2.5, "seen up to 2 pixels aside"
        assert "BasicSmall at" in choice.reason and "confidence" in choice.reason


@pytest.mark.parametrize(
    ("agent", "template_id", "strategies"),
    [
        ("bambirds", "4.4", {"heavy_object"}),
        ("bambirds", "12.4", {"collapse_structure", "heavy_object", "defrost"}),
        ("bambirds", "15.8", {"black_bird"}),
        ("eagles_wing", "3.6", {"high_round_things"}),
        ("eagles_wing", "3.4", {"ledges"}),
        ("datalab", "3.6", {"round_blocks"}),
        ("datalab", "3.4", {"roll_the_bird"}),
    ],
)
def test_the_strategy_fits_the_scenario(agent: str, template_id: str, strategies: set[str]) -> None:
    assert {choice.strategy for choice in choices(agent, find_template(template_id).level)} <= strategies


def test_every_template_has_a_shot_by_every_agent() -> None:
    """Of some; no rule fails on what it meets there."""
    rng, seen = np.random.default_rng(0), []
    with Engine() as engine, GameSimulator() as simulate:
        for template in list(load_templates().values())[::16]:
            with Game(template.level, engine) as game:
                state = symbolic_state(noisy_scene(scene_of(game), rng), rng)
            seen += [find_agent(agent).shoot(state, rng, simulate).strategy for agent in RULED]
    assert len(set(seen)) > 4 and seen.count("far") < len(seen) / 4

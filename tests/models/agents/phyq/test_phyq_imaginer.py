"""The agent that plans by imagining: what it makes of what it sees, that it wins, and that it is honest."""

import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from comphy.puzzles.phyq.benchmark.contract import Choice, SimulationResult
from comphy.puzzles.phyq.benchmark.game_simulator import GameSimulator
from comphy.puzzles.phyq.benchmark.observing.scene import PIXELS_PER_METRE, noisy_scene, scene_of
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState, symbolic_state
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, corners, moved
from models.agents.phyq.imaginer import SearchBudget, imagine_and_shoot, value
from models.agents.phyq.reconstruction import arranged, drawn, level_seen

pytestmark = pytest.mark.bullet
QUICK = SearchBudget(games=30, fewest=20, scenes=3, finalists=4)


def seen(level: Level, seed: int | None = 0) -> SymbolicState:
    """Without a seed, without noise."""
    with Game(level) as game:
        scene = scene_of(game)
    rng = None if seed is None else np.random.default_rng(seed)
    return symbolic_state(scene if rng is None else noisy_scene(scene, rng), rng)


@pytest.mark.parametrize("template_id", ["8.2", "12.5", "10.4", "15.2"])
def test_kinds_places_and_angles_are_told_through_the_noise(template_id: str) -> None:
    level = find_template(template_id).level
    built = level_seen(seen(level))
    assert built.birds == level.birds and len(built.things) == len(level.things)
    for true, found in zip(level.things, built.things, strict=True):
        assert math.dist((true.x, true.y), (found.x, found.y)) < 3.5 / PIXELS_PER_METRE, "noise, and whole pixels"
        if isinstance(true, Platform):
            assert isinstance(found, Platform)
            assert (found.width, found.height) == pytest.approx((true.width, true.height), abs=1.5 / PIXELS_PER_METRE)
            continue
        assert (type(true), getattr(true, "kind", "")) == (type(found), getattr(found, "kind", ""))
        if isinstance(true, Block) and isinstance(found, Block):
            assert true.material == found.material


def test_things_are_put_on_what_bears_them_and_beside_each_other() -> None:
    floor = Platform(0.0, 0.0, 4.0, 0.4)
    pigs = [Pig("BasicSmall", -0.2, 0.55), Pig("BasicSmall", 0.15, 0.35)]  # above the floor, in it, and overlapping
    found = arranged(Level((), (floor, *pigs))).things
    assert found[0] == floor
    for thing in found[1:]:
        assert min(y for _, y in corners(thing)) == pytest.approx(0.2 + 0.015, abs=1e-6), "on the floor, as things rest"
    (_, right), (left, _) = ([min(xs), max(xs)] for xs in ([x for x, _ in corners(one)] for one in found[1:]))
    assert right <= left
    far = Level((), (floor, Pig("BasicSmall", 0.0, 2.0)))
    assert arranged(far) == far, "too high to be the noise's doing"


def test_draws_are_within_the_noise_and_differ() -> None:
    level = find_template("10.4").level
    one, other = (drawn(level, np.random.default_rng(seed)) for seed in (1, 2))
    assert one != other
    for before, after in zip(level.things, one.things, strict=True):
        assert math.dist((before.x, before.y), (after.x, after.y)) <= 2.0 / PIXELS_PER_METRE + 1e-9


def test_wins_are_worth_most_and_progress_something() -> None:
    won, hurt, near, nothing = (
        SimulationResult(True, 0, 0.0, 0.0),
        SimulationResult(False, 1, 0.5, 0.0),
        *(SimulationResult(False, 2, 1.0, metres) for metres in (1.0, 9.0)),
    )
    values = [value(one, 2) for one in (won, hurt, near, nothing)]
    assert values == sorted(values, reverse=True) and values[0] == 1.0 and values[-1] == 0.0


def test_what_looks_the_same_is_shot_at_in_the_same_way() -> None:
    """Two levels that differ by less than a pixel, and agents with other random numbers."""
    level = find_template("1.5").level
    other = replace(level, things=tuple(moved(thing, 1e-4, 0.0) for thing in level.things))
    assert other != level and seen(other, None) == seen(level, None)
    with GameSimulator() as simulate:
        first = imagine_and_shoot(QUICK, seen(level, None), np.random.default_rng(0), simulate)
        assert imagine_and_shoot(QUICK, seen(other, None), np.random.default_rng(1), simulate) == first
    assert 0 < first.imagined <= QUICK.games + 2 * QUICK.scenes


def test_it_imagines_only_what_it_has_seen() -> None:
    task, imagined = find_task("2.4:001"), list[tuple[Level, tuple[Shot, ...]]]()

    def simulate(level: Level, shots: Sequence[Shot]) -> SimulationResult:
        imagined.append((level, tuple(shots)))
        return SimulationResult(False, 1, 1.0, 5.0)

    choice = imagine_and_shoot(QUICK, seen(task.level), np.random.default_rng(0), simulate)
    assert choice.strategy == "imagined progress" and choice.imagined == len(imagined)
    assert all(level.things != task.level.things for level, _ in imagined), "seen through noise"
    assert len({level for level, _ in imagined}) == QUICK.scenes
    assert all(1 <= len(shots) <= len(task.level.birds) for _, shots in imagined)


@pytest.mark.slow
def test_it_wins_and_looks_again_after_each_bird() -> None:
    task, rng = find_task("2.4:001"), np.random.default_rng(0)
    choices: list[Choice] = []
    with Game(task.level) as game, GameSimulator() as simulate:
        while game.status is Status.PLAYING:
            state = symbolic_state(noisy_scene(scene_of(game), rng), rng)
            choices.append(imagine_and_shoot(replace(QUICK, games=12, fewest=12), state, rng, simulate))
            game.shoot(choices[-1].shot)
    assert game.status is Status.WON
    assert all(choice.strategy == "imagined win" for choice in choices)


def test_agents_import_without_the_engine() -> None:
    code = "import sys; sys.modules.update(pybullet=None, data_gen=None); import models.agents.phyq.agents"
    subprocess.run([sys.executable, "-c", code], check=True)

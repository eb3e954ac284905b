"""Plans for several birds: what one shot makes possible for the next, also while things still move."""

from collections.abc import Sequence

import numpy as np
import pytest

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, SimulationResult
from comphy.puzzles.phyq.benchmark.evaluator import AS_PLANNED, evaluate
from comphy.puzzles.phyq.benchmark.game_simulator import GameSimulator
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Block, Level, Pig
from models.agents.phyq.imaginer import value
from models.agents.phyq.several_birds import Plan, plans_for_several_birds

DOOR = Block("SquareHole", Material.WOOD, 0.0, -3.1)
PIG = Pig("BasicSmall", 4.0, -3.2)
LEVEL = Level((Bird.RED, Bird.RED), (DOOR, PIG))


def plans(simulate: "Toy", games: int = 100) -> list[Plan]:
    return plans_for_several_birds(LEVEL, games, np.random.default_rng(0), simulate, lambda found: value(found, 1))


class Toy:
    """A pig that any shot above 20 degrees kills, once a shot below 10 degrees has opened its door."""

    def __init__(self, hasty: bool = False) -> None:
        self.hasty, self.levels = hasty, set[Level]()

    def __call__(self, level: Level, shots: Sequence[Shot]) -> SimulationResult:
        self.levels.add(level)
        closed = [DOOR] if DOOR in level.things else []
        for number, shot in enumerate(shots, 1):
            in_time = not self.hasty or (number > 1 and shots[number - 2].watch is not None)
            if closed and shot.degrees < 10.0:
                closed = []
            elif not closed and shot.degrees > 20.0 and in_time:
                return SimulationResult(True, 0, 0.0, 0.0)
        birds = level.birds[len(shots) :]
        return SimulationResult(False, 1, 1.0, 5.0, Level(birds, (*closed, PIG)) if birds else None)


def test_the_next_shot_is_planned_in_the_scene_that_the_first_one_leaves() -> None:
    simulate = Toy()
    found = plans(simulate)
    assert simulate.levels == {LEVEL, Level((Bird.RED,), (PIG,))}
    winners = [plan for plan in found if simulate(LEVEL, plan).won]
    assert winners and all(first.degrees < 10.0 < second.degrees for first, second in winners)
    assert all(shot.watch is None for plan in found for shot in plan), "there is time to look"


def test_where_waiting_does_not_win_the_next_bird_is_shot_while_things_move() -> None:
    simulate = Toy(hasty=True)
    hasty = [plan for plan in plans(simulate) if plan[0].watch is not None]
    assert hasty and any(simulate(LEVEL, plan).won for plan in hasty)


def test_shots_that_change_nothing_are_no_openings() -> None:
    def simulate(level: Level, shots: Sequence[Shot]) -> SimulationResult:
        return SimulationResult(False, 1, 1.0, 5.0, Level(level.birds[len(shots) :], level.things))

    found = plans_for_several_birds(LEVEL, 50, np.random.default_rng(0), simulate, lambda found: value(found, 1))
    assert found and all(len(set(plan)) == 1 for plan in found), "the same shot with every bird"


@pytest.mark.bullet
def test_what_a_shot_leaves_is_imagined_further() -> None:
    task = find_task("13.1:001")
    with GameSimulator() as simulate:
        opened = simulate(task.level, task.solution[:1])
        assert opened.after is not None and len(opened.after.birds) == 1
        assert simulate(opened.after, task.solution[1:]).won
        assert simulate(task.level, task.solution).after is None, "the game is over"


@pytest.mark.bullet
def test_planned_shots_follow_without_a_look() -> None:
    task, looks = find_task("14.2:001"), list[object]()

    def shoot(state: object, rng: np.random.Generator, simulate: object) -> Choice:
        looks.append(state)
        return Choice(task.solution[0], "known", then=task.solution[1:])

    [result] = evaluate(Agent("knowing", AgentKind.PLANNING, shoot), [task], 1)
    [play] = result.plays
    assert play.won and len(looks) == 1
    assert [choice.strategy for choice in play.choices] == ["known", AS_PLANNED]

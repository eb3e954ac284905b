"""A task whose solution does not hold gets another one that does, and is otherwise left as it is."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from comphy.puzzles.phyre.benchmark.tasks import find_task, load_tasks
from comphy.puzzles.phyre.world.actions import BALL
from comphy.sim.bullet import Engine
from data_gen.phyre.certify import flaws
from data_gen.phyre.repair import repair, repaired

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.mark.slow
@pytest.mark.parametrize(("task_id", "wrong"), [("00002:000", (128, 250, 4)), ("00101:000", (20, 250, 4, 236, 250, 4))])
def test_a_solution_that_does_not_hold_is_replaced(task_id: str, wrong: tuple[int, ...], engine: Engine) -> None:
    broken = replace(find_task(task_id), solution=wrong)
    assert any("NOT_SOLVED" in flaw or "INVALID" in flaw for flaw in flaws(broken, engine))
    better = repaired(broken, engine)
    assert better is not None
    assert (better.id, better.parameters) == (broken.id, broken.parameters)
    assert better.solution != wrong and list(flaws(better, engine)) == []
    if broken.tier == BALL:  # the search is the same code for two balls, and takes longer
        assert repaired(broken, engine) == better


@pytest.mark.slow
def test_what_holds_is_left_alone() -> None:
    seen = []
    assert repair(list(load_tasks(BALL).values())[:2], 2, lambda done, total: seen.append((done, total))) == {}
    assert seen == [(1, 2), (2, 2)]

"""Agents of Phy-Q: they tell kinds through the noise, aim as published, and win as often for the same seed."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.puzzles.phyq.results import header, read_result, reusable_records, task_record
from comphy.evaluation.puzzles.phyq.unfinished import UnfinishedResults
from comphy.puzzles.phyq.benchmark.contract import SimulationResult
from comphy.puzzles.phyq.benchmark.evaluator import evaluate
from comphy.puzzles.phyq.benchmark.observing.scene import from_pixel, noisy_scene, scene_of, to_pixel
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState, symbolic_state
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES
from comphy.puzzles.phyq.benchmark.setups import select
from comphy.puzzles.phyq.tasks.task import find_task, load_tasks
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Level
from models.agents.phyq.agents import find_agent
from models.agents.phyq.perception import next_bird, pigs, recognised
from tests.support.commands import comphy

pytestmark = pytest.mark.bullet


def seen(level: Level, seed: int = 0) -> SymbolicState:
    rng = np.random.default_rng(seed)
    with Game(level) as game:
        return symbolic_state(noisy_scene(scene_of(game), rng), rng)


def nothing(level: Level, shots: Sequence[Shot]) -> SimulationResult:
    raise AssertionError("these agents simulate nothing")


@pytest.mark.parametrize("template_id", ["8.2", "12.5", "15.1", "15.2", "15.3", "15.4"])
def test_kinds_are_told_through_the_noise(template_id: str) -> None:
    level = find_template(template_id).level
    with Game(level) as game:
        scene = scene_of(game)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        state = symbolic_state(noisy_scene(scene, rng), rng)
        assert [recognised(one) for one in state.objects] == [one.kind for one in scene]
        assert next_bird(state) is level.birds[0]


def test_pigs_are_seen_within_the_noise() -> None:
    level = find_template("11.1").level
    found = pigs(seen(level))
    assert len(found) == len(list(level.pigs))
    for (x, y), pig in zip(found, level.pigs, strict=True):
        assert math.dist(to_pixel((x, y)), to_pixel((pig.x, pig.y))) < 2.0 + 1.5, "noise, and whole pixels"
    assert from_pixel(to_pixel((3.0, -2.0))) == pytest.approx((3.0, -2.0))


def test_pig_shooter_aims_at_pigs_and_far_if_they_are_out_of_reach() -> None:
    level, shoot = find_template("1.5").level, find_agent("pig_shooter").shoot
    state = seen(level)
    expected = sorted(shot.degrees for shot in aimed_at(pigs(state)[0]))
    assert sorted(
        {shoot(state, np.random.default_rng(seed), nothing).shot.degrees for seed in range(20)}
    ) == pytest.approx(expected)
    far = find_template("15.5").level  # beyond the reach of a shot without a tap
    assert shoot(seen(far), np.random.default_rng(0), nothing).shot.degrees == pytest.approx(FAR_DEGREES)


def test_random_shots_are_the_published_ones() -> None:
    red, yellow = seen(find_template("1.5").level), seen(find_template("15.5").level)
    assert next_bird(yellow) is Bird.YELLOW
    shoot, rng = find_agent("random").shoot, np.random.default_rng(0)
    shots = [shoot(red, rng, nothing).shot for _ in range(300)]
    assert all(shot.tap is None and shot.dx < 0 for shot in shots)
    assert -88 < min(shot.degrees for shot in shots) < -70 and 70 < max(shot.degrees for shot in shots) < 88
    assert all(shoot(yellow, rng, nothing).shot.tap for _ in range(10))


def test_results_depend_on_the_seed_alone() -> None:
    tasks, shooter = [find_task("1.5:001"), find_task("3.4:001")], find_agent("pig_shooter")
    first = list(evaluate(shooter, tasks, 3))
    assert list(evaluate(shooter, tasks[1:], 3)) == first[1:], "not on what was played before"
    assert [(one.task_id, len(one.plays)) for one in first] == [("1.5:001", 3), ("3.4:001", 3)]
    assert first[0].won == 3 and first[1].won == 0, "the pig of 1.5 stands free, that of 3.4 does not"
    assert {choice.strategy for play in first[1].plays for choice in play.choices} == {"far"}


def test_the_command_prints_rates_writes_results_and_explains_mistakes(tmp_path: Path) -> None:
    given = ("phyq", "evaluate", "--agent", "pig_shooter", "--template", "1.5", "--json", tmp_path / "result.json")
    done = comphy(*given, "--setup", "broad")
    assert done.returncode == 0, done.stderr
    assert "1 single force" in done.stdout and "5 plays a task" in done.stdout
    result = read_result(tmp_path / "result.json")
    assert (result.setup, result.plays) == ("broad", "5")
    assert list(result.tasks) == [f"1.5:{number:03d}" for number in range(81, 101)]
    assert sum(task.won for task in result.tasks.values()) >= 0.9 * 5 * len(result.tasks)
    assert not list(tmp_path.glob("*.unfinished"))
    often = comphy(*given, "--setup", "local", "--plays", 9)
    assert often.returncode == 1 and "Expected 5 plays a task, as published for heuristic agents" in often.stderr
    wrong = comphy("phyq", "evaluate", "--agent", "pigshooter")
    assert wrong.returncode == 1 and "did you mean 'pig_shooter'?" in wrong.stderr
    with pytest.raises(ConfigError, match="Expected an agent"):
        find_agent("human")


def test_a_killed_evaluation_goes_on(tmp_path: Path) -> None:
    shooter, results = find_agent("pig_shooter"), tmp_path / "result.json"
    chosen = select(None, [find_template("1.5")], load_tasks().values())
    facts = header(shooter, chosen, 2, 0)
    with UnfinishedResults(results, facts) as kept:
        for done in evaluate(shooter, chosen.tasks[:2], 2):
            kept.add(done.task_id, task_record(done, find_task(done.task_id)))
    with kept.path.open("a") as file:
        file.write('{"1.5:003": {"won"')  # killed here
    again = UnfinishedResults(results, facts)
    assert list(again.records) == ["1.5:001", "1.5:002"]
    again.add("1.5:003", {"won": 2})
    assert list(UnfinishedResults(results, facts).records) == ["1.5:001", "1.5:002", "1.5:003"]
    with pytest.raises(ConfigError, match="got others that are not finished"):
        UnfinishedResults(results, {**facts, "seed": 1})
    again.remove()
    assert not again.path.exists()


def test_levels_that_were_played_before_need_not_be_played_again(tmp_path: Path) -> None:
    shooter, results = find_agent("pig_shooter"), tmp_path / "result.json"
    tasks = [find_task(f"1.5:{number:03d}") for number in (1, 2, 3)]
    facts = header(shooter, select(None, [find_template("1.5")], tasks[:2]), 1, 0)
    records = {done.task_id: task_record(done, find_task(done.task_id)) for done in evaluate(shooter, tasks[:2], 1)}
    results.write_text(json.dumps({**facts, "tasks": records}))
    assert reusable_records(results, facts, tasks) == records
    moved = replace(tasks[0], placement=tasks[2].placement)
    assert reusable_records(results, facts, [moved, tasks[1]]) == {tasks[1].id: records[tasks[1].id]}
    with pytest.raises(ConfigError, match="expected results with the same seed, 1 \\(got 0\\)"):
        reusable_records(results, {**facts, "seed": 1}, tasks)
    with pytest.raises(DatasetError, match="phyq evaluate --json"):
        reusable_records(tmp_path / "nothing.json", facts, tasks)

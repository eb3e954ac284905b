"""All agents on real tasks, by their names, with results from the cache and from the engine."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from comphy.config import load_config
from comphy.errors import ComphyError, ConfigError, MissingDependency
from comphy.puzzles.phyre.benchmark.cache import SimulationCache
from comphy.puzzles.phyre.benchmark.folds import MAIN_EVAL_SETUPS
from comphy.puzzles.phyre.benchmark.tasks import Task, load_tasks, write_tasks
from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from models.agents.benchmark import attempt_runner as attempt_runner_module
from models.agents.benchmark.attempt_runner import AttemptRunner
from models.agents.benchmark.config import AgentsConfig, RankSettings
from models.agents.benchmark.evaluation import Benchmark, open_benchmark, result_table, tasks_for
from models.agents.benchmark.playing import TaskResult, scores_of
from models.agents.benchmark.preparing import AGENTS, agent_named
from models.agents.contract import Puzzle
from models.agents.experience import gather
from models.agents.scorers.dqn_network import DQNNetwork
from models.agents.scorers.object_network import ObjectNetworkSettings
from models.agents.scorers.training import LearningSettings
from models.train.cpu import one_thread
from models.train.run import Run

pytestmark = pytest.mark.bullet

COUNT = 40
SETUP = "ball_within_template"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> SimulationCache:
    return SimulationCache(tmp_path_factory.mktemp("phyre") / "cache", BALL)


@pytest.fixture(scope="module")
def tasks(cache: SimulationCache) -> dict[str, Task]:
    """Five tasks of an easy template, with solutions that are in the list."""
    found = {}
    for number, candidate in enumerate(islice(candidates(find_template("00000")), 40)):
        task = Task(f"00000:{number:03}", candidate.parameters, (1, 1, 1))
        solving = cache.actions(COUNT)[cache.statuses(task, COUNT) > 0]
        if len(solving):
            solution = BALL.balls_of(solving[:1]).ravel()
            found[task.id] = replace(task, solution=tuple(int(value) for value in solution))
        if len(found) == 5:
            return found
    raise AssertionError("too few tasks that 40 actions solve")


@pytest.fixture
def config() -> AgentsConfig:
    shipped = load_config(AgentsConfig, Path(f"configs/phyre/{SETUP}.yaml"))
    rank, learning = RankSettings(COUNT, 64), LearningSettings(updates=2, batch_size=8)
    small = ObjectNetworkSettings(hidden=8, heads=2, scene_layers=1, action_layers=1, octaves=2)
    return replace(
        shipped,
        device="cpu",
        actions=COUNT,
        dqn=replace(shipped.dqn, rank=rank, learning=learning, network=DQNNetwork(4, 8, 8)),
        object_search=replace(shipped.object_search, rank=rank, learning=learning, network=small),
    )


@pytest.fixture
def benchmark_of(config: AgentsConfig, cache: SimulationCache, tasks: dict[str, Task]) -> Callable[..., Benchmark]:
    return lambda **options: open_benchmark(config, cache.folder, tasks, 0, **options)


def played(opened: Benchmark, name: str, out: Path) -> list[TaskResult]:
    kind = agent_named(name)
    with one_thread():
        agent = opened.prepare(kind, Run(out, out), 1, lambda done, total: None)
        assert agent is not None
        return opened.play(agent, kind, lambda done, total: None)


@pytest.mark.slow
def test_every_agent_plays_every_test_task(benchmark_of: Callable[..., Benchmark], tmp_path: Path) -> None:
    opened = benchmark_of()
    results = {name: played(opened, name, tmp_path) for name in AGENTS}
    for name, found in results.items():
        assert [one.task_id for one in found] == [task.id for task in opened.played], name
        assert all(1 <= one.attempts <= 100 for one in found), name
    best = scores_of(results["optimal"])
    assert best.auccess == pytest.approx(1.0)
    assert all(scores_of(found).auccess <= best.auccess for found in results.values())
    table = result_table("all agents", results["rand"])
    assert table.row_count == 2


def test_the_search_asks_the_network_of_dqn_too(
    benchmark_of: Callable[..., Benchmark], config: AgentsConfig, tmp_path: Path
) -> None:
    both = replace(
        benchmark_of(), config=replace(config, object_search=replace(config.object_search, image_scorer=True))
    )
    found = played(both, "object_search", tmp_path)
    assert [one.task_id for one in found] == [task.id for task in both.played]
    [trained] = tmp_path.glob("dqn/checkpoint.safetensors")
    before = trained.stat().st_mtime_ns
    played(both, "dqn", tmp_path)
    assert trained.stat().st_mtime_ns == before, "DQN takes what the search has trained"


def test_the_search_may_ask_the_network_of_dqn_alone(
    benchmark_of: Callable[..., Benchmark], config: AgentsConfig, tmp_path: Path
) -> None:
    asked = replace(config.object_search, object_scorer=False, image_scorer=True)
    alone = replace(benchmark_of(), config=replace(config, object_search=asked))
    assert [one.task_id for one in played(alone, "object_search", tmp_path)] == [task.id for task in alone.played]
    assert [path.name for path in tmp_path.iterdir()] == ["dqn"], "nothing else is trained"
    with pytest.raises(ValueError, match="one network has to score"):
        replace(asked, image_scorer=False)


@pytest.mark.parametrize("at", [1, 2])
def test_nothing_more_is_begun_after_ctrl_c(
    benchmark_of: Callable[..., Benchmark], config: AgentsConfig, tmp_path: Path, at: int
) -> None:
    """Neither another network, nor the game where it came in the last step."""

    def press(done: int, total: int) -> None:
        if done == at and run.interrupted_by is None:
            os.kill(os.getpid(), signal.SIGINT)

    both = replace(
        benchmark_of(), config=replace(config, object_search=replace(config.object_search, image_scorer=True))
    )
    run = Run(tmp_path, tmp_path, report=press)
    assert both.prepare(agent_named("object_search"), run, 1, lambda done, total: None) is None
    assert run.interrupted_by == signal.SIGINT
    assert [path.name for path in tmp_path.iterdir()] == ["object_search"]
    assert len(played(both, "object_search", tmp_path)) == len(both.played), "it goes on"


def test_what_is_learned_from_and_what_is_played(
    benchmark_of: Callable[..., Benchmark], tasks: dict[str, Task]
) -> None:
    final, tuning = benchmark_of(), benchmark_of(dev=True)
    assert {task.id for task in (*final.learned, *final.played)} == set(tasks)
    assert not {task.id for task in final.learned} & {task.id for task in final.played}
    assert {task.id for task in (*tuning.learned, *tuning.played)} == {task.id for task in final.learned}


def test_a_first_impression_plays_fewer_tasks_and_learns_from_all(config: AgentsConfig, tmp_path: Path) -> None:
    whole, some = (open_benchmark(config, tmp_path, load_tasks(BALL), 0, every=every) for every in (1, 8))
    assert (len(whole.played), len(some.played)) == (500, 63)
    assert some.played[:2] == (whole.played[0], whole.played[8]) and some.learned == whole.learned


def test_a_folder_belongs_to_one_training(
    benchmark_of: Callable[..., Benchmark], config: AgentsConfig, tmp_path: Path
) -> None:
    opened = benchmark_of()
    played(opened, "object_search", tmp_path)
    longer = replace(config.object_search, learning=replace(config.object_search.learning, updates=3))
    with pytest.raises(ConfigError, match="a run with another config; different: learning"):
        played(replace(opened, config=replace(config, object_search=longer)), "object_search", tmp_path)
    other_search = replace(config.object_search, search=replace(config.object_search.search, neighbours=0))
    played(replace(opened, config=replace(config, object_search=other_search)), "object_search", tmp_path)


def test_the_attempt_runner_knows_what_the_engine_says(
    cache: SimulationCache, tasks: dict[str, Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    [task, *_] = tasks.values()
    puzzle, known = Puzzle.of(task), cache.known(task)
    solving = cache.actions(COUNT)[int(np.argmax(known > 0))]
    with AttemptRunner(cache, [task], cached=0) as simulating:
        assert simulating(puzzle, solving).status is SimulationStatus.SOLVED
        watched = simulating(puzzle, solving).watch()
        assert watched.shape[1:] == (len(task.scene().bodies) + 1, 6)
        invalid = simulating(puzzle, np.array((0.0, 0.0, 1.0)))
        assert invalid.status is SimulationStatus.INVALID_INPUT and not len(invalid.watch())
    with AttemptRunner(cache, [task], COUNT) as looking_up:
        np.testing.assert_array_equal(looking_up(puzzle, solving).watch(), watched)

    def no_engine(*_: object) -> None:
        raise MissingDependency("no engine")

    monkeypatch.setattr(attempt_runner_module, "ActionSimulator", no_engine)
    with AttemptRunner(cache, [task], COUNT) as looking_up:
        assert [looking_up(puzzle, action).status for action in cache.actions(COUNT)] == list(known)
        with pytest.raises(MissingDependency, match="no engine"):
            looking_up(puzzle, np.array((0.123, 0.456, 0.1)))


def test_experience_is_the_caches_whoever_simulates(
    tasks: dict[str, Task], cache: SimulationCache, tmp_path: Path
) -> None:
    some = list(tasks.values())[:2]
    steps: list[tuple[int, int]] = []
    made = gather(SimulationCache(tmp_path, BALL), some, 10, workers=2, report=lambda *at: steps.append(at))
    np.testing.assert_array_equal(made.statuses, gather(cache, some, 10).statuses)
    np.testing.assert_array_equal(made.statuses[1], cache.known(some[1])[:10])
    assert steps == [(0, 2), (1, 2), (2, 2)]
    assert made.solutions is not None and made.solutions.shape == (2, 3)


def test_tasks_of_a_list(tmp_path: Path, tasks: dict[str, Task]) -> None:
    write_tasks(tmp_path / "tasks.json.gz", BALL, tasks.values())
    assert tasks_for(SETUP, tmp_path / "tasks.json.gz") == tasks
    assert list(tasks_for(SETUP, tmp_path / "tasks.json.gz", per_template=2)) == sorted(tasks)[:2]


@pytest.mark.parametrize("setup", MAIN_EVAL_SETUPS)
def test_every_setup_has_a_config_that_names_its_command(setup: str) -> None:
    path = Path(f"configs/phyre/{setup}.yaml")
    config = load_config(AgentsConfig, path)
    assert config.setup == setup
    assert f"comphy phyre evaluate --setup {setup}" in path.read_text()
    within = setup.endswith("within_template")
    assert config.memory.by_template == within
    assert (config.dqn.online.updates == 0) == within


def test_what_cannot_be_is_explained(cache: SimulationCache, tasks: dict[str, Task], config: AgentsConfig) -> None:
    with pytest.raises(ConfigError, match=r"agent .got 'men'.; did you mean 'mem'"):
        agent_named("men")
    with pytest.raises(ConfigError, match=r"expected tasks to learn from and tasks to play .got 0 and 1 of 1"):
        open_benchmark(config, cache.folder, dict(list(tasks.items())[:1]), 0)
    with pytest.raises(ComphyError, match=r"evaluation set-up .got 'ball_within'"):
        replace(config, setup="ball_within")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dqn.network.placed=true", "relative_action"),
        ("object_search.search.belief.trust=0.5", "temperature = 1 / trust"),
        ("object_search.search.belief.reach=9", "length_scale"),
        ("object_search.search.belief.agreement=0.5", "correlation"),
        ("object_search.search.belief.closeness=1", "proximity_weight"),
        ("object_search.search.belief.wide=2", "proximity_length_ratio"),
        ("object_search.objects=true", "object_scorer"),
        ("object_search.pictures=true", "image_scorer"),
        ("object_search.learning.by_task=true", "balance_tasks"),
        ("dqn.learning.mirrors=true", "flip_augmentation"),
    ],
)
def test_keys_of_earlier_versions_are_refused_with_their_new_names(old: str, new: str) -> None:
    with pytest.raises(ConfigError, match=f"this key is called '{new}' now"):
        load_config(AgentsConfig, Path(f"configs/phyre/{SETUP}.yaml"), [old])

"""Agents of Phy-Q that learn: they see what the environment shows, learn what wins, and go on after a stop."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.choices import Generalisation
from comphy.errors import ConfigError, DatasetError
from comphy.puzzles.phyq.benchmark.contract import View
from comphy.puzzles.phyq.benchmark.evaluator import evaluate, look
from comphy.puzzles.phyq.benchmark.observing.scene import planes, scene_of_level
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, LOWEST_DEGREE
from comphy.puzzles.phyq.plays.store import PlayStore
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot
from models.agents.phyq.agents import find_agent
from models.agents.phyq.learners.agent import LearnedAgent, bird_in_sling
from models.agents.phyq.learners.config import LearnerConfig, LearningSettings, NetworkKind, NetworkSettings
from models.agents.phyq.learners.experience import END, read_experience
from models.agents.phyq.learners.networks import make_network
from models.agents.phyq.learners.packing import LARGE, packed, unpacked
from models.agents.phyq.learners.path_network import first_hits, free_flights
from models.agents.phyq.learners.replay import Replay
from models.agents.phyq.learners.runs import MODEL, train_network, training_groups
from models.agents.phyq.learners.training import update_steps
from models.agents.phyq.learners.views import COLUMNS, ROWS, PlaneViews, as_input, reduced_image
from models.train.checkpoint import load_facts, load_tensors, save_tensors
from models.train.run import Run, claim_folder
from tests.support.commands import comphy
from tests.support.made_once import made_once
from tests.support.phyq_lists import write_first_tasks

pytestmark = pytest.mark.bullet

TASKS = [find_task(f"1.1:{number:03d}") for number in range(1, 4)]  # one bird
SEVERAL = [find_task("2.1:001"), find_task("2.1:002")]  # three birds
CPU = torch.device("cpu")


@pytest.fixture(scope="session")
def plays(tmp_path_factory: pytest.TempPathFactory) -> PlayStore:
    def make(folder: Path) -> None:
        for task in TASKS:
            PlayStore(folder).plays(task, 180)
        for task in SEVERAL:
            PlayStore(folder).plays(task, 20)

    return PlayStore(made_once(tmp_path_factory, "phyq_plays", make))


def config(kind: str, *, width: int = 8, hidden: int = 8, **learning: object) -> LearnerConfig:
    settings = replace(LearningSettings(batch_size=8, checkpoint_every=3, log_every=2), **learning)
    return LearnerConfig(network=NetworkSettings(kind, width, hidden), learning=settings, device="cpu")


def test_planes_are_those_of_the_environment() -> None:
    levels = [task.level for task in (*TASKS, *SEVERAL)]
    views = PlaneViews(levels, CPU)
    views._noisy[:] = False
    shown = views(np.arange(len(levels)), np.random.default_rng(0)).numpy()
    assert (shown == np.stack([planes(scene_of_level(level)) for level in levels])).all()
    noisy = PlaneViews(levels, CPU)(np.array([0, 0]), np.random.default_rng(0)).numpy()
    assert (noisy[0] != noisy[1]).any() and (noisy[:, 0] == shown[0, 0]).all(), "the slingshot is exact"
    assert abs(noisy[0].sum() / shown[0].sum() - 1) < 0.2


@pytest.mark.parametrize(("task_id", "bird"), [("15.1:001", "yellow"), ("15.3:001", "white"), ("2.1:001", "red")])
@pytest.mark.parametrize("view", [View.PLANES, View.IMAGE])
def test_the_bird_in_the_sling_is_seen(task_id: str, bird: str, view: View) -> None:
    with Game(find_task(task_id).level) as game:
        seen = look(game, view, np.random.default_rng(0))
    assert bird_in_sling(view, seen).name.lower() == bird
    assert as_input(view, seen).shape == (1, 12 if view is View.PLANES else 3, ROWS, COLUMNS)


@pytest.mark.slow
def test_transitions_follow_each_other(plays: PlayStore) -> None:
    found = read_experience(plays, SEVERAL, 20)
    assert len(found.won) == 40 and (found.states[found.begins] == found.tasks).all()
    inner = found.following != END
    assert (found.following[inner] == found.states[np.flatnonzero(inner) + 1]).all()
    assert [len(found.levels[state].birds) for state in found.states[:3]] == [3, 2, 1][: np.diff(found.begins)[0]]
    last = np.flatnonzero(~inner)
    assert (found.rewards[last] == found.won).all() and not found.rewards[inner].any()
    assert len(read_experience(plays, TASKS, 10).won) == 30
    with pytest.raises(DatasetError, match=r"found none of 1 of them, such as 3.4:001"):
        read_experience(plays, [*TASKS, find_task("3.4:001")], 10)


@pytest.mark.slow
def test_batches_are_half_of_won_plays(plays: PlayStore) -> None:
    found = read_experience(plays, TASKS, 180)
    replay, rng = Replay(found, np.arange(len(found.won))), np.random.default_rng(0)
    batch = replay.draw(20, 1, rng)
    assert batch.rewards.sum() == 10 and batch.actions.shape == (20, 1)
    together = replay.draw(20, 9, rng)
    known = set(zip(found.states.tolist(), found.actions.tolist(), found.rewards.tolist(), strict=True))
    columns = (np.repeat(together.states, 9), together.actions.ravel(), together.rewards.ravel())
    rows = zip(*(column.tolist() for column in columns), strict=True)
    assert set(rows) <= known, "actions were tried in their state, and had this reward"
    assert 0.4 < together.rewards.mean() < 0.6
    one = np.flatnonzero(found.won & (found.tasks == 0))[:1]
    rare = np.concatenate([one, np.flatnonzero(~found.won | (found.tasks == 1))])
    for balance_tasks, share in ((False, 1 / (1 + found.won[found.tasks == 1].sum())), (True, 0.5)):
        states = Replay(found, rare, balance_tasks).draw(400, 1, rng).states[:200]  # of won plays
        assert (states == 0).mean() == pytest.approx(share, abs=0.12)
    lost = Replay(found, np.flatnonzero(~found.won))
    assert not lost.draw(6, 3, rng).rewards.any(), "where nothing was won, all are others"


def test_updates_are_the_published_ones() -> None:
    local = update_steps(LearningSettings(), 80)
    assert len(local) - 1 == 16 and local[1] == 10 * 4, "80 tasks by 5; ten epochs of 100 plays in batches of 32"
    assert update_steps(LearningSettings(replay_source="all", steps=10, target_update_interval=4), 3) == [0, 4, 8, 10]


@pytest.mark.parametrize("kind", NetworkKind)
def test_networks_give_a_value_for_every_degree(kind: NetworkKind) -> None:
    network = make_network(NetworkSettings(kind.value, 8, 8)).eval()
    views = torch.rand(2, 3 if kind.view is View.IMAGE else 12, ROWS, COLUMNS)
    values = network(views)
    assert values.shape == (2, DEGREES) and values.std() > 0


def test_packed_weights_are_a_quarter_and_choose_alike() -> None:
    torch.manual_seed(0)
    network = make_network(NetworkSettings("ddqn_symbolic", 32, 8)).eval()
    views = torch.rand(20, 12, ROWS, COLUMNS)
    before, weights = network(views), network.state_dict()
    small = packed(weights)
    assert sum(one.nbytes for one in small.values()) < 0.3 * sum(one.nbytes for one in weights.values())
    back = unpacked(small)
    assert back.keys() == weights.keys()
    for name, tensor in weights.items():
        rows = tensor.abs().flatten(1).amax(dim=1) if tensor.numel() >= LARGE else torch.zeros(1)
        assert ((back[name] - tensor).abs().flatten(1).amax(dim=1) <= rows / 253).all() if tensor.dim() > 1 else True
    network.load_state_dict(back)
    assert (network(views) - before).abs().max() < 0.05 * before.std()


def test_flights_are_those_of_birds() -> None:
    places, _ = free_flights()
    level = find_task("1.4:001").level
    shot = Shot.at(40.0)
    with Game(level) as game:
        seen: list[tuple[float, float]] = []
        game.play([shot], lambda now: seen.extend(now.world.position(one)[:2] for one in now.flying))
    right, down = places[40 - LOWEST_DEGREE, 9].tolist()  # 9.5 of 32 parts of the flight
    x, y = 17.5 * right, -1.0 - 17.5 * 0.75 * down
    assert min(abs(x - px) + abs(y - py) for px, py in seen) < 0.12, "a bird passes there, within a step"
    sure = torch.tensor([-20.0, 20.0, 20.0]).view(1, 1, 3, 1)
    assert first_hits(sure).flatten().tolist() == pytest.approx([0, 1, 0], abs=1e-6), "the second point stops it"


@pytest.mark.slow
def test_tasks_that_were_learned_are_won(plays: PlayStore, tmp_path: Path) -> None:
    fast = {"replay_source": "all", "loss": "cross_entropy", "steps": 200, "learning_rate": 0.003, "cosine": True}
    settings = config("ddqn_symbolic", width=32, hidden=32, actions_per_state=16, checkpoint_every=1000, **fast)
    run = Run(plays.folder, tmp_path)
    claim_folder(run, settings)
    share = train_network(settings, run, "1", TASKS, plays)
    found = read_experience(plays, TASKS, 180)
    chance = float(found.won.mean())
    assert share == 1.0 and chance < 0.05, f"by chance {chance}"
    agent = find_agent(str(tmp_path))
    results = list(evaluate(agent, TASKS, 3))
    assert sum(result.won for result in results) >= 6, "of 9, in the game, through its noise"
    assert load_facts(tmp_path / "1" / MODEL)["learned_from"] == [task.id for task in TASKS]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "tasks"), [("ddqn_symbolic", SEVERAL), ("relational_image", TASKS[:1])])
def test_a_training_that_was_stopped_comes_to_the_same_weights(
    plays: PlayStore, tmp_path: Path, kind: str, tasks: list
) -> None:
    settings = config(kind, tasks_per_update=1, plays_per_update=10, epochs=1)
    whole = train_network(settings, Run(plays.folder, tmp_path / "whole"), "2", tasks, plays)
    stops = 0
    while (share := train_network(settings, Run(plays.folder, tmp_path / "often", 0.0), "2", tasks, plays)) is None:
        stops += 1
    assert stops >= 1 and share == whole
    one, other = (load_tensors(tmp_path / name / "2" / MODEL)[0] for name in ("whole", "often"))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert not list(tmp_path.rglob("checkpoint*")), "finished networks need none"
    again = train_network(settings, Run(plays.folder, tmp_path / "often"), "2", tasks, plays)
    assert again == share, "it is left as it is"


def test_a_reduced_screenshot_has_the_mean_of_each_square_of_pixels() -> None:
    picture = np.random.default_rng(0).integers(256, size=(480, 640, 3), dtype=np.uint8)
    reduced = reduced_image(picture).numpy()
    for row, column in ((0, 0), (7, 100), (ROWS - 1, COLUMNS - 1)):
        square = picture[4 * row : 4 * row + 4, 4 * column : 4 * column + 4].reshape(16, 3)
        assert reduced[:, row, column].tolist() == square.mean(axis=0).round().tolist()


def test_networks_are_those_of_the_set_up(tmp_path: Path) -> None:
    tasks = str(write_first_tasks(tmp_path / "list", t1_1=5, t1_4=5, t4_1=5))
    broad, local = (training_groups(LearnerConfig(tasks=tasks, setup=one)) for one in ("broad", "local"))
    assert {name: len(group) for name, group in broad.items()} == {"1": 5, "4": 5}
    assert {name: len(group) for name, group in local.items()} == {"1.1": 4, "1.4": 4, "4.1": 4}
    [(name, group)] = training_groups(LearnerConfig(tasks=tasks, shared_network=True)).items()
    assert (name, len(group)) == ("all", 10)
    assert list(training_groups(LearnerConfig(tasks=tasks, setup="local", only=(4.1,)))) == ["4.1"]
    few = training_groups(LearnerConfig(tasks=tasks, setup="local", tasks_per_template=3))
    assert {name: len(group) for name, group in few.items()} == {"1.1": 3, "1.4": 3, "4.1": 3}
    with pytest.raises(ValueError, match="tasks_per_template of at least 1, or null"):
        LearnerConfig(tasks_per_template=0)
    with pytest.raises(ConfigError, match="expected a network of the set-up broad with training tasks"):
        training_groups(LearnerConfig(tasks=tasks, only=(14,)))


@pytest.mark.slow
def test_plays_are_simulated_learned_from_and_tested(tmp_path: Path) -> None:
    data, out = tmp_path / "plays", tmp_path / "ddqn"
    listed = ("--list", write_first_tasks(tmp_path / "list", t8_1=6, t8_4=3, t9_1=2, t9_4=1))
    assert comphy("phyq", "simulate", "--template", "8.1", "--plays", 4, *listed, "--out", data).returncode == 0
    tiny = (f"tasks={tmp_path / 'list'}", "only=[8]", "network.width=8", "network.hidden=8", "device=cpu")
    trained = comphy("train", "phyq/ddqn_symbolic", *tiny, "learning.epochs=1", "--data", data, "--out", out)
    assert trained.returncode == 0 and "Training finished" in trained.stdout, trained.stderr
    given = ("phyq", "evaluate", *listed, "--agent", out)
    done = comphy(
        *given, "--setup", "broad", "--template", "8.4", "--template", "9.4", "--json", tmp_path / "result.json"
    )
    assert done.returncode == 0, done.stderr
    assert "1 play a task" in done.stdout
    assert "Not tested, since ddqn has learned nothing for them: 9.4." in done.stdout
    learned = comphy(*given, "--template", "8.1")
    assert "ddqn has learned from 6 of these tasks." in learned.stdout, learned.stderr
    for wrong, message in (
        ((*given, "--setup", "local"), "Expected --setup broad, for which ddqn was trained (got local)"),
        ((*given, "--setup", "broad", "--template", "9.4"), "ddqn: expected networks for 9.4 (found none)"),
        (("phyq", "evaluate", "--agent", tmp_path), "expected the config of a run with `task: phyq_learner`"),
        (
            ("train", "phyq/ddqn_symbolic", "only=[9]", "--data", data, "--out", tmp_path / "x"),
            "Make them with: comphy",
        ),
        (("train", "phyq/ddqn_symbolic", "--data", tmp_path / "no", "--out", tmp_path / "x"), "comphy phyq simulate"),
        (
            ("train", "phyq/ddqn_symbolic", "network.kind=dqn", "--data", data, "--out", out),
            "expected a kind of network",
        ),
    ):
        failed = comphy(*wrong)
        assert failed.returncode == 1 and message in failed.stderr and "Traceback" not in failed.stderr, failed.stderr


@pytest.mark.slow
def test_weights_of_another_observation_are_refused(plays: PlayStore, tmp_path: Path) -> None:
    settings = config("ddqn_symbolic", tasks_per_update=1, plays_per_update=10, epochs=1)
    claim_folder(Run(plays.folder, tmp_path / "planes"), settings)
    train_network(settings, Run(plays.folder, tmp_path / "planes"), "1", TASKS[:1], plays)
    claim_folder(Run(plays.folder, tmp_path / "image"), config("ddqn_image"))
    weights, facts = load_tensors(tmp_path / "planes" / "1" / MODEL)
    save_tensors(tmp_path / "image" / "1" / MODEL, weights, facts)
    agent = find_agent(str(tmp_path / "image"))
    assert isinstance(agent, LearnedAgent) and agent.view is View.IMAGE and agent.setup is Generalisation.BROAD
    with pytest.raises(
        DatasetError, match=r"expected the weights of ddqn_image, which sees screenshots .* sees planes"
    ):
        list(evaluate(agent, TASKS[:1], 1))
    save_tensors(tmp_path / "image" / "1" / MODEL, weights, {"kind": "something"})
    with pytest.raises(DatasetError, match="expected the weights of a comphy Phy-Q learner"):
        list(evaluate(agent, TASKS[:1], 1))
    with pytest.raises(ValueError, match="for which it has learned nothing"):
        list(evaluate(agent, SEVERAL[:1], 1))
    with pytest.raises(ConfigError, match="expected at least one trained network"):
        claim_folder(Run(plays.folder, tmp_path / "empty"), settings)
        find_agent(str(tmp_path / "empty"))


@pytest.mark.slow
def test_what_was_learned_from_is_not_tested(plays: PlayStore, tmp_path: Path) -> None:
    settings = replace(config("ddqn_symbolic", tasks_per_update=9, plays_per_update=10, epochs=1), setup="local")
    claim_folder(Run(plays.folder, tmp_path), settings)
    train_network(settings, Run(plays.folder, tmp_path), "1.1", TASKS[:1], plays)
    weights, facts = load_tensors(tmp_path / "1.1" / MODEL)
    save_tensors(tmp_path / "1.1" / MODEL, weights, {**facts, "learned_from": ["1.1:005"]})
    tasks = write_first_tasks(tmp_path / "list", t1_1=5)  # of which the last one is tested
    refused = comphy("phyq", "evaluate", "--agent", tmp_path, "--setup", "local", "--template", "1.1", "--list", tasks)
    assert refused.returncode == 1 and "tested on tasks that it has not learned from" in refused.stderr, refused.stderr

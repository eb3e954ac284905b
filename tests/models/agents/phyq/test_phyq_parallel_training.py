"""Many networks are trained at once, and come to the same weights as one after the other."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from comphy.cli.phyq import app
from comphy.puzzles.phyq.plays.store import PlayStore
from models.agents.phyq.learners.config import LearnerConfig, LearningSettings, NetworkSettings
from models.agents.phyq.learners.parallel_training import NetworkJob, open_jobs, train_jobs
from models.agents.phyq.learners.runs import MODEL
from models.train.checkpoint import load_tensors
from tests.support.made_once import made_once
from tests.support.phyq_lists import first_tasks, write_first_tasks

pytestmark = [pytest.mark.bullet, pytest.mark.slow]

BROAD = LearnerConfig(
    only=(8,),
    device="cpu",
    network=NetworkSettings(width=8, hidden=8),
    learning=LearningSettings(plays_per_update=4, epochs=1, tasks_per_update=10, batch_size=4),
)


@pytest.fixture(scope="session")
def few_plays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of 8.1, which networks of both set-ups learn from; and a list that has tasks of 9.1, too."""

    def make(folder: Path) -> None:
        write_first_tasks(folder / "list", t8_1=6, t9_1=4)
        for task in first_tasks("8.1", 6):
            PlayStore(folder).plays(task, 2)

    return made_once(tmp_path_factory, "few_phyq_plays", make)


def jobs_of(few_plays: Path, out: Path, setup: str, only: float, stop_at: float | None = None) -> list[NetworkJob]:
    config = replace(BROAD, tasks=str(few_plays / "list"), setup=setup, only=(only,))
    return open_jobs(config, few_plays, out, stop_at)


def test_networks_that_are_trained_at_once_are_those_of_a_run_each(few_plays: Path, tmp_path: Path) -> None:
    for processes in (1, 2):
        out = tmp_path / str(processes)
        jobs = [*jobs_of(few_plays, out / "broad", "broad", 8), *jobs_of(few_plays, out / "local", "local", 8.1)]
        results = list(train_jobs(jobs, processes))
        assert sorted(result.job.name for result in results) == ["8", "8.1"]
        assert all(result.share is not None and result.problem is None for result in results)
    for name in ("broad/8", "local/8.1"):
        one, other = (load_tensors(tmp_path / number / name / MODEL)[0] for number in "12")
        assert all(torch.equal(one[key], other[key]) for key in one)


def test_what_cannot_be_trained_does_not_stop_the_others(few_plays: Path, tmp_path: Path) -> None:
    jobs = [*jobs_of(few_plays, tmp_path / "8", "broad", 8), *jobs_of(few_plays, tmp_path / "9", "broad", 9)]
    told = {result.job.name: result for result in train_jobs(jobs, 1)}
    assert told["8"].share is not None
    assert told["9"].share is None and "expected plays of 4 training tasks" in str(told["9"].problem)
    late = jobs_of(few_plays, tmp_path / "late", "local", 8.1, stop_at=time.monotonic() - 1.0)
    [result] = train_jobs(late, 1)
    assert result.share is None and result.problem is None and not (tmp_path / "late" / "8.1").exists()


def test_the_command_trains_and_explains(few_plays: Path, tmp_path: Path) -> None:
    tiny = [
        f"tasks={few_plays / 'list'}",
        "only=[8]",
        "network.width=8",
        "network.hidden=8",
        "learning.epochs=1",
        "learning.plays_per_update=4",
    ]
    options = ["--setup", "broad", "--processes", "1", "--data", str(few_plays), "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["train-all", *options, *tiny])
    assert done.exit_code == 0 and "1 of 1 networks are finished" in done.stdout, done.output
    assert (tmp_path / "ddqn_symbolic_broad" / "8" / MODEL).is_file()
    wrong = CliRunner().invoke(app, ["train-all", *options, "--config", "blind_lstm"])
    assert wrong.exit_code == 1 and "no such config file" in wrong.stderr and "Traceback" not in wrong.stderr

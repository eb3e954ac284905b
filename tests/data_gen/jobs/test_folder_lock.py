"""Processes that work in the same dataset folder at the same time, and what killed ones leave there."""

import multiprocessing
import shutil
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from comphy.choices import RendererName
from comphy.dataset import layout
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.manifest import Manifest
from comphy.dataset.whole_files import whole_files
from comphy.errors import ComphyError
from comphy.files import write_json
from comphy.temporaries import temporary_path
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import GenerationOutcome, Shard, generate
from data_gen.jobs.worker import Job, SetWorker
from tests.support.leftovers import ended_process

pytestmark = pytest.mark.bullet

TOGETHER = 4
CONTEXT = multiprocessing.get_context("fork")  # a spawned process would import for seconds


def job(root: Path, seed: int = 0) -> Job:
    return Job(root, seed, RendererName.NONE, DatasetConfig())


def exit_codes(target: Callable[..., None], *given: Any) -> list[int | None]:
    """Of processes that each get what is given, their number and a barrier to begin at."""
    barrier = CONTEXT.Barrier(TOGETHER)
    processes = [CONTEXT.Process(target=target, args=(*given, number, barrier)) for number in range(TOGETHER)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


def unfinished(dataset: Path, root: Path, sets: int = 4) -> None:
    """A copy of a dataset whose sets are done, but which nobody has completed."""
    shutil.copytree(dataset, root)
    manifest = Manifest.read(root)
    for path in (layout.MANIFEST, *whole_files()):
        (root / path).unlink()
    (root / "progress" / "done").mkdir(parents=True)
    write_json(root / "progress" / "recipe.json", {**manifest.recipe.record(), "versions": manifest.versions})
    for index in range(sets):
        write_json(root / "progress" / "done" / f"{index:05d}.json", manifest.sets[index].record())


def enter_many(root: Path, rounds: int, number: int, barrier: Barrier) -> None:
    for folder in range(rounds):
        barrier.wait()
        job(root / str(folder)).folder().enter().close()


def test_processes_that_begin_together_prepare_one_folder(tmp_path: Path):
    rounds = 20
    assert exit_codes(enter_many, tmp_path, rounds) == [0] * TOGETHER
    for folder in range(rounds):
        assert [path.name for path in (tmp_path / str(folder)).iterdir()] == ["progress"]
        found = sorted(path.name for path in (tmp_path / str(folder) / "progress").iterdir())
        assert found == ["done", "lock", "recipe.json"]


def complete(root: Path, number: int, barrier: Barrier) -> None:
    barrier.wait()
    outcome = generate(job(root), sets=4, shard=Shard(number, TOGETHER))
    assert outcome.manifest is not None


def test_processes_that_end_together_complete_one_dataset(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "data"
    unfinished(small_dataset, root)
    assert exit_codes(complete, root) == [0] * TOGETHER
    assert (root / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()
    assert not list(check_dataset(root))


def test_a_set_that_another_process_makes_is_left_to_it(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "data"
    unfinished(small_dataset, root, sets=3)
    folder = job(root).folder()
    with folder.enter():
        with folder.claim(3) as claim:
            assert claim.granted
            assert generate(job(root), sets=4) == GenerationOutcome(made=0, kept=3, missing=1, manifest=None, shared=1)
            worker = SetWorker(job(root))
            assert worker.make(3) is None
        assert worker.make(3) is not None
        assert worker.make(3) is None  # it is done by now
        worker.close()
        assert generate(job(root), sets=4).manifest is not None
        assert (root / "progress").is_dir()  # somebody is still there
    assert generate(job(root), sets=4).kept == 4
    assert not (root / "progress").exists()
    assert (root / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()


def test_a_start_that_was_killed_is_begun_again(tmp_path: Path):
    """Earlier versions made `progress/` first and put the recipe into it later."""
    (tmp_path / "progress" / "done").mkdir(parents=True)
    job(tmp_path).folder().enter().close()
    assert (tmp_path / "progress" / "recipe.json").is_file()
    with pytest.raises(ComphyError, match="seed: the folder has 0, the command asks for 5"):
        job(tmp_path, seed=5).folder().enter()


def test_unfinished_files_of_killed_processes_are_cleared(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "data"
    shutil.copytree(small_dataset, root)
    ended = ended_process()
    mine = temporary_path(root / "boxes.pack")
    stale = [
        root / f".manifest.json.{ended}.tmp",  # named as by earlier versions
        root / mine.name.replace("boxes.pack", "rollouts.pack"),  # the number of this process, used before
        root / "extras" / "questions" / f".train.json.{ended}@elsewhere.tmp",
        root / f".progress.{ended}@elsewhere.tmp" / "recipe.json",
    ]
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text("{")
    assert len([problem for problem in check_dataset(root) if "was killed left this" in str(problem)]) == len(stale)
    generate(job(root), sets=4)
    assert not list(check_dataset(root))
    assert (root / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()


def test_unfinished_files_of_processes_at_work_are_kept(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "data"
    shutil.copytree(small_dataset, root)
    elsewhere = root / f".boxes.pack.{ended_process()}@elsewhere.tmp"
    running = root / ".boxes.pack.1.tmp"
    for path in (elsewhere, running):
        path.write_text("{")
    with job(root).folder().enter():
        elsewhere.write_text("{")
        generate(job(root), sets=4)
        assert elsewhere.exists() and running.exists()

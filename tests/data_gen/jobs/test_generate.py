import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from comphy import files
from comphy.choices import RendererName
from comphy.dataset import layout
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.manifest import Manifest
from comphy.errors import ComphyError, ConfigError
from data_gen.config import DatasetConfig, RaytraceOptions
from data_gen.jobs.generate import GenerationOutcome, Shard, generate
from data_gen.jobs.redraw import check_redraw
from data_gen.jobs.worker import Job
from data_gen.sampling.rules import SceneRules
from tests.support.leftovers import left_behind
from tests.support.waiting import wait_until

pytestmark = pytest.mark.bullet


def job(root: Path, seed: int = 0, **rules: object) -> Job:
    return Job(root, seed, RendererName.NONE, DatasetConfig(scene=replace(SceneRules(), **rules)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "one"
    generate(job(root), sets=1)
    return root


@pytest.fixture
def one_set(made: Path, tmp_path: Path) -> Path:
    """A finished dataset of one set, to be changed."""
    return Path(shutil.copytree(made, tmp_path / "one"))


def hashes(root: Path) -> dict[str, str]:
    manifest = Manifest.read(root)
    own = {name: entry.sha256 for name, entry in manifest.files.items()}
    return own | {name: f.sha256 for entry in manifest.sets.values() for name, f in entry.files.items()}


@pytest.mark.slow
def test_worker_count_does_not_change_a_byte(small_dataset: Path, tmp_path: Path):
    generate(job(tmp_path / "two"), sets=4, workers=2)
    assert (tmp_path / "two" / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()
    assert hashes(tmp_path / "two") == hashes(small_dataset)


def test_another_seed_gives_another_dataset(small_dataset: Path, tmp_path: Path):
    generate(job(tmp_path / "other", seed=1), sets=1)
    name = str(layout.target_annotation(0))
    assert hashes(tmp_path / "other")[name] != hashes(small_dataset)[name]


@pytest.mark.slow
def test_shards_complete_one_dataset(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "shards"
    first = generate(job(root), sets=4, shard=Shard(1, 2))
    assert first == GenerationOutcome(made=2, kept=0, missing=2, manifest=None)
    assert not (root / "manifest.json").exists()
    second = generate(job(root), sets=4, shard=Shard(0, 2))
    assert second.missing == 0 and second.manifest is not None
    assert (root / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()
    assert not (root / "progress").exists()


@pytest.mark.slow
def test_ray_gives_the_same_bytes(small_dataset: Path, tmp_path: Path):
    generate(job(tmp_path / "ray"), sets=4, workers=2, ray_address="local")
    assert (tmp_path / "ray" / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()


# Kills itself at its first set, and leaves two workers behind.
KILLED_JOB = """
import os, signal, sys
from pathlib import Path
from data_gen.jobs.generate import generate
from tests.data_gen.jobs.test_generate import job
generate(job(Path(sys.argv[1])), sets=4, workers=2, report=lambda done, _: done and os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.slow
def test_a_killed_job_goes_on(small_dataset: Path, tmp_path: Path):
    """Kill -9 the job after its first set, spoil what it left, and run the same job again."""
    root = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", KILLED_JOB, str(root)], start_new_session=True)
    assert process.wait() == -signal.SIGKILL
    wait_until(lambda: not left_behind(process.pid))  # the workers notice that their parent is gone and end
    done = len(list(root.glob("progress/done/*.json")))
    assert 1 <= done < 4 and not (root / "manifest.json").exists()
    leftover = root / "progress" / "work" / "00003" / "target_annotation"
    leftover.mkdir(parents=True, exist_ok=True)
    (leftover / "half.json").write_text("{")
    outcome = generate(job(root), sets=4)
    assert (outcome.kept, outcome.made) == (done, 4 - done)
    assert (root / "manifest.json").read_bytes() == (small_dataset / "manifest.json").read_bytes()
    assert not list(check_dataset(root))


def test_a_finished_dataset_is_left_alone_and_can_grow(one_set: Path):
    before = hashes(one_set)
    assert generate(job(one_set), sets=1).made == 0
    assert hashes(one_set) == before
    grown = generate(job(one_set), sets=2)
    assert (grown.kept, grown.made) == (1, 1)
    assert sorted(Manifest.read(one_set).sets) == [0, 1]


def test_a_damaged_set_is_made_again(one_set: Path):
    before = hashes(one_set)
    path = one_set / layout.target_annotation(0)
    path.write_text(path.read_text()[:100])
    assert generate(job(one_set), sets=1).made == 1
    assert hashes(one_set) == before


def test_another_recipe_is_refused(one_set: Path):
    with pytest.raises(ComphyError, match="seed: the folder has 0, the command asks for 5"):
        generate(job(one_set, seed=5), sets=1)
    with pytest.raises(ComphyError, match="config: the folder has"):
        generate(job(one_set, max_objects=4), sets=1)


def test_foreign_folders_and_files_are_not_touched(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ComphyError, match="not empty and holds no dataset of ours"):
        generate(job(tmp_path), sets=1)
    with pytest.raises(ComphyError, match="found a file"):
        generate(job(tmp_path / "thesis.tex"), sets=1)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_a_full_disk_keeps_what_is_done(one_set: Path, monkeypatch: pytest.MonkeyPatch):
    write_bytes = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if len(data) > 5000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return write_bytes(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(ComphyError, match=r"the disk is full\. What was finished is kept"):
            generate(job(one_set), sets=2)
    assert not list((one_set / "progress" / "work").iterdir())
    assert generate(job(one_set), sets=2).kept == 1


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(ComphyError, match="a file is in the way"):
        generate(job(tmp_path / "file" / "dataset"), sets=1)
    with pytest.raises(ComphyError, match="cannot be made"):
        generate(job(tmp_path / ("long" * 100)), sets=1)


def test_unwritable_folder_says_so():
    with pytest.raises(ComphyError, match="not writable"), files.disk_errors(Path("/data")):
        raise PermissionError(errno.EACCES, "Permission denied", "/data/out")


def test_impossible_rules_are_refused_before_anything_is_written(tmp_path: Path):
    with pytest.raises(ConfigError, match="max_objects is 30"):
        generate(job(tmp_path / "no", max_objects=30), sets=1)
    assert not (tmp_path / "no").exists()
    with pytest.raises(ConfigError, match="--sets"):
        generate(job(tmp_path / "no"), sets=0)
    with pytest.raises(ConfigError, match="--seed of at least 0"):
        generate(job(tmp_path / "no", seed=-1), sets=1)
    with pytest.raises(ConfigError, match="no such CUDA device is here"):
        on_gpu = DatasetConfig(raytrace=RaytraceOptions(device="cuda:99"))
        generate(Job(tmp_path / "no", 0, RendererName.RAYTRACE, on_gpu), sets=1)
    assert not (tmp_path / "no").exists()


def test_datasets_of_the_first_schema_are_read_but_not_gone_on_with(small_dataset: Path, tmp_path: Path):
    root = tmp_path / "data"
    shutil.copytree(small_dataset, root)
    record = json.loads((root / "manifest.json").read_text())
    (root / "manifest.json").write_text(json.dumps(record | {"schema_version": 1}))
    assert not list(check_dataset(root))
    with pytest.raises(ComphyError, match="schema version: the folder has 1, the command asks for 2"):
        generate(job(root), sets=5)


def test_shards_are_parsed():
    assert Shard.parse("2/3") == Shard(2, 3)
    assert Shard(1, 3).deal(8) == [1, 4, 7]
    for text in ("3/3", "1", "a/b", "-1/3", "²/3", "1/٣", "0/" + "9" * 5000):
        with pytest.raises(ConfigError, match="expected i/n"):
            Shard.parse(text)


@pytest.mark.slow
def test_redrawing_proves_or_disproves_a_dataset(small_dataset: Path, one_set: Path):
    assert not list(check_redraw(small_dataset, 2))
    record = json.loads((one_set / "manifest.json").read_text())
    record["seed"] = 3
    (one_set / "manifest.json").write_text(json.dumps(record))
    assert any("differs in" in str(problem) for problem in check_redraw(one_set, 1))

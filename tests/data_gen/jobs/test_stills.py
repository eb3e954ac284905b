"""Stills: drawn once, gone on with, refused where they do not belong."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.choices import RendererName
from comphy.dataset.frames import FrameKey
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import INDEX, Stills, picture_path
from comphy.errors import DatasetError
from data_gen.frames import open_frames
from data_gen.jobs.stills import StillsJob
from data_gen.renderers.look import LOOK_VERSION
from tests.support.commands import comphy

pytestmark = pytest.mark.bullet
WIDTH = 48


@pytest.fixture(scope="module")
def job(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> StillsJob:
    out = tmp_path_factory.mktemp("stills")
    return StillsJob(small_dataset, out, RendererName.RAYTRACE, WIDTH, videos=3, frames=2)


@pytest.fixture(scope="module")
def stills(job: StillsJob) -> Stills:
    return job.run()


def test_stills_are_the_frames_of_the_dataset(job: StillsJob, stills: Stills) -> None:
    assert 4 <= len(stills.keys) <= 6 and (stills.width, stills.height) == (WIDTH, 32)
    assert {key.index for key in stills.keys} <= {0, 1, 2, 3}, "of train sets"
    assert Stills.read(job.out) == stills
    drawn = open_frames(job.data, "raytrace", WIDTH, "cpu").draw(stills.keys)
    for key, frame in zip(stills.keys, drawn.numpy(), strict=True):
        np.testing.assert_array_equal(stills.picture(key), frame)


def test_what_is_missing_is_drawn_again_to_the_same_bytes(job: StillsJob, stills: Stills) -> None:
    path = picture_path(job.out, stills.keys[1])
    before = path.read_bytes()
    path.unlink()
    told: list[tuple[int, int]] = []
    assert job.run(report=lambda done, total: told.append((done, total))) == stills
    assert told[0] == (len(stills.keys) - 1, len(stills.keys)) and path.read_bytes() == before


def test_an_unfinished_folder_belongs_to_its_settings(job: StillsJob, tmp_path: Path) -> None:
    def interrupted(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(job, out=tmp_path).run(report=interrupted)
    assert 0 < len(list((tmp_path / "frames").iterdir())) < len(Stills.read(tmp_path).keys)
    with pytest.raises(DatasetError, match="other stills are there"):
        replace(job, out=tmp_path, width=96).run()


def test_more_videos_add_to_fewer(
    job: StillsJob, stills: Stills, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data_gen.jobs.stills._ROUND", 3)
    shutil.copytree(job.out, tmp_path, dirs_exist_ok=True)
    told: list[int] = []
    more = replace(job, out=tmp_path, videos=5).run(report=lambda done, total: told.append(done))
    assert set(stills.keys) < set(more.keys) and told[0] == len(stills.keys), "none is drawn twice"
    with pytest.raises(DatasetError, match="other stills are there"):
        replace(job, out=tmp_path).run()


def test_other_stills_are_refused(job: StillsJob, stills: Stills) -> None:
    with pytest.raises(DatasetError, match="other stills are there"):
        replace(job, seed=1).run()
    with pytest.raises(DatasetError, match="expected sets of the split 'val'"):
        replace(job, split="val").run()


def test_stills_of_a_former_look_are_not_added_to(job: StillsJob, stills: Stills, tmp_path: Path) -> None:
    shutil.copytree(job.out, tmp_path, dirs_exist_ok=True)
    record = json.loads((tmp_path / INDEX).read_text())
    del record["look"]
    (tmp_path / INDEX).write_text(json.dumps(record))
    with pytest.raises(DatasetError, match=f"in look 1; now look {LOOK_VERSION}"):
        replace(job, out=tmp_path).run()


def test_stills_of_other_sets_are_refused(job: StillsJob, stills: Stills) -> None:
    source = open_source(job.data)
    stills.check(source.fingerprint(), range(4), source.lengths)
    with pytest.raises(DatasetError, match="another dataset"):
        stills.check("0", range(4), source.lengths)
    strange = replace(stills, keys=(FrameKey(0, "target", 125),))
    with pytest.raises(DatasetError, match="found frame 125 of 00000/target"):
        strange.check(source.fingerprint(), range(4), source.lengths)


@pytest.mark.parametrize(
    ("frames", "message"),
    [([], "expected 'frames'"), ([[1, "target"]], "expected 'frames'"), ([[1, 2, 3]], "expected 'frames'")],
)
def test_a_damaged_index_is_named(stills: Stills, tmp_path: Path, frames: list[object], message: str) -> None:
    record = json.loads((stills.folder / INDEX).read_text()) | {"frames": frames}
    (tmp_path / INDEX).write_text(json.dumps(record))
    with pytest.raises(DatasetError, match=message):
        Stills.read(tmp_path)


def test_a_missing_picture_is_named(stills: Stills, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"target_000\.png: the picture is missing or damaged"):
        replace(stills, folder=tmp_path).picture(FrameKey(0, "target", 0))


@pytest.mark.slow
def test_the_command_draws_in_several_processes(job: StillsJob, stills: Stills, tmp_path: Path) -> None:
    options = ("--videos", 3, "--frames", 2, "--width", WIDTH, "--render", "raytrace", "--workers", 2)
    result = comphy("stills", job.data, "--out", tmp_path, *options)
    assert result.returncode == 0, result.stderr
    assert f"{len(stills.keys)} frames of 3 videos, 48x32 pixels, drawn by raytrace." in result.stdout
    assert Stills.read(tmp_path).keys == stills.keys
    assert comphy("stills", job.data, "--out", tmp_path, "--width", 50).returncode == 2

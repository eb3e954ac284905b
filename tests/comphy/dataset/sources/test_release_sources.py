"""Releases are read as they were published: exported sets tell the same as our own, whatever the layout."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from comphy.choices import ExportAs
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import TARGET, SourceKind, VideoSource
from comphy.errors import DatasetError

pytestmark = [pytest.mark.bullet, pytest.mark.slow]

NUMBERS = {
    ExportAs.COMPHY_A: [0, 1, 2, 3, 4000, 10000],
    ExportAs.COMPHY_B: [0, 1, 2, 3, 4000, 10000],
    ExportAs.CLEVRER: [0, 1, 2, 3, 10000, 15000],
}


@pytest.fixture(params=ExportAs)
def layout(request: pytest.FixtureRequest) -> ExportAs:
    return request.param


@pytest.fixture
def release(exports: dict[ExportAs, Path], layout: ExportAs) -> VideoSource:
    return open_source(exports[layout])


@pytest.fixture
def ours(six_rendered: Path) -> GeneratedDataset:
    return GeneratedDataset(six_rendered)


def test_sets_have_the_numbers_and_splits_of_the_release(release: VideoSource, layout: ExportAs) -> None:
    expected = SourceKind.CLEVRER if layout is ExportAs.CLEVRER else SourceKind.COMPHY
    assert release.kind is expected and release.indices() == NUMBERS[layout]
    assert [release.split_of(index) for index in release.indices()] == ["train"] * 4 + ["val", "test"]
    assert release.lengths.references == (0 if layout is ExportAs.CLEVRER else 4)
    assert not release.skipped()


def test_annotations_tell_the_same(release: VideoSource, ours: GeneratedDataset) -> None:
    for index, number in zip(ours.indices(), release.indices(), strict=True):
        annotation = release.annotation(number)
        for video in release.lengths.videos:
            theirs, own = annotation.video(video), ours.annotation(index).video(video)
            count = min(len(theirs), len(own))
            assert [one.appearance for one in theirs.objects] == [one.appearance for one in own.objects]
            np.testing.assert_allclose(theirs.locations[:count], own.locations[:count])
            met = {(one.frame, one.pair) for one in own.collisions if one.frame < count}
            assert {(one.frame, one.pair) for one in theirs.collisions if one.frame < count} == met
            assert release.object_ids(number, video) == ours.object_ids(index, video)
        assert release.objects(number) == annotation.target.objects
        assert ours.objects(index) == ours.annotation(index).target.objects
        if release.kind is not SourceKind.CLEVRER:  # whose annotations tell no masses and charges
            assert release.objects(number) == ours.objects(index)


def test_videos_show_the_same(release: VideoSource, ours: GeneratedDataset, layout: ExportAs) -> None:
    for video in release.lengths.videos:
        theirs, own = release.frames(4000 if layout is not ExportAs.CLEVRER else 10000, video), ours.frames(4, video)
        assert len(theirs) == (128 if layout is ExportAs.CLEVRER else len(own))
        assert np.abs(theirs[: len(own)].astype(int) - own).mean() < 3  # CLEVRER's frames are encoded anew


def test_questions_are_the_same_and_the_test_split_keeps_its_answers_back(
    release: VideoSource, ours: GeneratedDataset, layout: ExportAs
) -> None:
    for split in ("train", "val", "test"):
        theirs, own = release.questions(split, answers=False), ours.questions(split)
        told = {question.text for scene in theirs for question in scene.questions}
        asked = {question.text for scene in own for question in scene.questions}
        assert told == asked or (layout is ExportAs.CLEVRER and told < asked)
        assert release.asks(split, answers=True) == (split != "test")
    with pytest.raises(DatasetError, match="answers of the test split were not published"):
        release.questions("test")
    answered = [question.answer for scene in release.questions("train") for question in scene.questions]
    assert any(answered)


def test_boxes_are_projected_and_kept_in_the_users_cache(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the annotations were downloaded. Our own boxes come from the simulation."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "release"
    for folder in ("target_annotation", "reference_annotation"):
        shutil.copytree(small_dataset / folder, root / folder)
    release, ours = open_source(root), GeneratedDataset(small_dataset)
    before = sorted(root.rglob("*"))
    for video in release.lengths.videos:
        for _ in range(2):  # worked out, then read from the cache
            found, own = release.boxes(2, video), ours.boxes(2, video)
            np.testing.assert_allclose(found.visibility, own.visibility, atol=0.01)
            seen = own.visibility > 0.05
            assert np.abs(found.boxes - own.boxes)[seen].max() < 1.1
    assert sorted(root.rglob("*")) == before
    assert len(list((tmp_path / "cache").rglob("*.boxes"))) == 5


@pytest.fixture
def copied(exports: dict[ExportAs, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(exports[ExportAs.COMPHY_A], tmp_path / "copy"))


def test_what_is_left_out_is_counted(copied: Path) -> None:
    (copied / "target_video" / "video_00000_01000" / "sim_00001.mp4").unlink()
    chunk = copied / "target_video" / "video_00000_01000"
    (chunk / "sim_00002.mp4").rename(chunk / "sim_00033.mp4")
    train = json.loads((copied / "train.json").read_text())
    mended = next(one for scene in train for one in scene["questions"] if one.get("choices"))
    scene = next(scene for scene in train if mended in scene["questions"])
    lost = [len(one["questions"]) for one in train if one["scene_index"] in (1, 2)]
    mended["choices"] = []
    (copied / "train.json").write_text(json.dumps(train))
    release = open_source(copied)
    assert release.indices() == [0, 3, 4000, 10000]
    skipped = release.skipped()
    assert skipped["sets: known to be broken in the release"] == 1
    assert skipped["sets: not every video of the set is there"] == 2
    expected = 0 if scene["scene_index"] in (1, 2) else 1
    assert skipped["questions: without choices"] == expected
    assert skipped["questions: about sets that are not there"] == sum(lost)
    assert all(one.questions for one in release.questions("train"))


def test_a_release_is_known_by_its_files(copied: Path, exports: dict[ExportAs, Path]) -> None:
    as_it_was = open_source(exports[ExportAs.COMPHY_A]).fingerprint()
    assert open_source(copied).fingerprint() == as_it_was
    video = copied / "target_video" / "video_00000_01000" / "sim_00001.mp4"
    video.write_bytes(video.read_bytes() + b"\0")
    copied.joinpath("note.txt").touch()
    assert open_source(copied).fingerprint() != as_it_was


def test_a_video_that_is_cut_off_is_named(copied: Path) -> None:
    video = copied / "target_video" / "video_00000_01000" / "sim_00001.mp4"
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    with pytest.raises(DatasetError, match=r"sim_00001\.mp4: (expected at least 125 frames|not a readable video)"):
        open_source(copied).frames(1, TARGET)


def test_what_a_source_lacks_is_said(copied: Path) -> None:
    shutil.rmtree(copied / "target_annotation")
    shutil.rmtree(copied / "reference_annotation")
    (copied / "val.json").unlink()
    release = open_source(copied)
    assert release.indices() == NUMBERS[ExportAs.COMPHY_A]
    with pytest.raises(DatasetError, match=r"expected the annotation of target of set 3.*Unpack the annotations"):
        release.annotation(3)
    with pytest.raises(
        DatasetError, match=r"expected the questions of the split 'val' as val\.json or validation\.json"
    ):
        release.questions("val")


def test_the_four_kinds_are_named_where_a_folder_is_none_of_them(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none of the four kinds.*manifest\.json.*CLEVRER.*target\.mp4"):
        open_source(tmp_path)
    with pytest.raises(DatasetError, match="no such folder"):
        open_source(tmp_path / "none")
    (tmp_path / "progress").mkdir()
    with pytest.raises(DatasetError, match="the dataset is unfinished"):
        open_source(tmp_path)

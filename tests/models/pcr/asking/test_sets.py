"""Finding a set and looking at it, with an untrained detector on tiny pictures."""

import shutil
from pathlib import Path

import pytest

from comphy.dataset import layout
from comphy.errors import ConfigError, DatasetError
from data_gen.frames import open_frames
from models.pcr.asking.sets import DRAWN, VIDEO_FILES, SetPerceiver, SetPlace, given_cache, kept_folder
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.tiny import save_untrained

pytestmark = pytest.mark.bullet


@pytest.fixture
def data(small_dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_dataset, tmp_path / "data"))


def test_a_set_is_a_dataset_and_a_number():
    assert SetPlace.parse("out/comphy:12") == SetPlace(Path("out/comphy"), 12)
    assert SetPlace.parse("C:/data:7") == SetPlace(Path("C:/data"), 7)
    for text in ("out/comphy", ":3", "out/comphy:", "out/comphy:x", "out/comphy:-1"):
        with pytest.raises(ConfigError, match="expected a set as DATASET:NUMBER"):
            SetPlace.parse(text)


def test_a_number_outside_the_dataset(small_dataset: Path):
    SetPlace(small_dataset, 3).require()
    with pytest.raises(DatasetError, match=r"there is no set 4 in this dataset \(it holds 4 sets: 0 to 3\)"):
        SetPlace(small_dataset, 4).require()


def test_frames_are_decoded_or_drawn_but_none_may_be_missing(data: Path):
    place = SetPlace(data, 1)
    assert place.frames == DRAWN
    files = [data / layout.target_video(1), *(data / layout.reference_video(1, number) for number in range(4))]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert place.frames == VIDEO_FILES
    files[3].unlink()
    with pytest.raises(DatasetError, match=r"sim_00001_2\.mp4: the video is missing.*found 4 of 5"):
        _ = place.frames
    (data / layout.PACK).unlink()
    with pytest.raises(DatasetError, match="set 2 has neither videos nor trajectories"):
        _ = SetPlace(data, 2).frames


@pytest.mark.slow
def test_a_perceived_set_is_kept_for_the_next_question(data: Path, tmp_path: Path):
    run = tmp_path / "run"
    save_untrained(run / "perceiver")
    opened: list[str] = []

    def frames(how: str, width: int, device: str):  # type: ignore[no-untyped-def]
        opened.append(how)
        return open_frames(data, how, width, device)

    set_perceiver, place = SetPerceiver(run, frames, device="cpu"), SetPlace(data, 2)
    first = set_perceiver.features(place)
    assert first.indices() == [2] and opened == [DRAWN]
    again = set_perceiver.features(place)
    assert again.folder == first.folder and run / "asked" in first.folder.parents and opened == [DRAWN]
    (run / "perceiver" / "detector.safetensors").unlink()
    with pytest.raises(ConfigError, match=r"expected the run of a perceiver .found none.*--perceiver RUN.*--cache"):
        set_perceiver.features(place)
    assert given_cache(place, first.folder).indices() == [2]
    with pytest.raises(DatasetError, match="expected set 3 in the cache"):
        given_cache(SetPlace(data, 3), first.folder)


def test_a_cache_of_another_dataset_is_refused(dozen: Path, small_dataset: Path, dozen_cache: FeatureCache):
    with pytest.raises(DatasetError, match="found one of another dataset"):
        given_cache(SetPlace(small_dataset, 0), dozen_cache.folder)


def test_a_run_that_is_read_only_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kept_folder(tmp_path) == tmp_path / "asked"
    assert kept_folder(tmp_path / "gone") == tmp_path / "cache" / "comphy" / "asked"
    assert kept_folder(Path("models/weights/pcr")) == tmp_path / "cache" / "comphy" / "asked"

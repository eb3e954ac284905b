"""The objects that a perceiver has tracked, as the cells of frames."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import read_submission
from comphy.errors import ConfigError, DatasetError
from models.baselines.video.settings import FrameSettings, NetworkName
from models.baselines.video.tracks import PLACE, TrackFeatures, open_tracks
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from models.tasks import load_task, train
from models.train.run import Run
from tests.support.perceived_sets import FEATURES, make_set

SHAPE = CacheShape(objects=4, frames=12, references=3, reference_frames=6, features=FEATURES)
FEW = FrameSettings(network=NetworkName.TRACKS, target=3, reference=2)


def write(
    folder: Path, sets: list[PerceivedSet], dataset: str = "a dataset", capacity: list[int] | None = None
) -> Path:
    numbers = [one.index for one in sets]
    with CacheWriter(folder, CacheKey("a perceiver", dataset, {}), SHAPE, capacity or numbers) as writer:
        for one in sets:
            writer.add(one)
    return folder


def test_an_object_is_its_appearance_and_its_box(tmp_path: Path) -> None:
    """Frames 0, 6 and 11 of twelve; of references 0 and 5 of six."""
    boxes = np.zeros((12, 1, 4), np.float32)
    boxes[6:, 0] = (48, 32, 144, 96)  # of 480x320: it comes in later
    seen = np.zeros((12, 1), np.bool_)
    seen[11] = True
    video = PerceivedVideo(boxes, seen, np.full((1, FEATURES), 2.0, np.float32))
    one = PerceivedSet(0, 480, 320, video, (), np.zeros((0, 0), np.int64))
    features = TrackFeatures(FeatureCache(write(tmp_path, [one])), FEW)
    rows = features.rows([0])
    assert rows["target"].shape == (1, 3, 4, FEATURES + PLACE) and rows["target"].dtype == torch.float16
    assert not rows["target"][0, 0].any() and not rows["target"][0, :, 1:].any() and not rows["references"].any()
    later = rows["target"][0, 1:, 0].float()
    assert later[:, :FEATURES].unique().tolist() == [2.0]
    expected = torch.tensor([[0.2, 0.2, 0.2, 0.2, 0, 1], [0.2, 0.2, 0.2, 0.2, 1, 1]])
    torch.testing.assert_close(later[:, FEATURES:], expected, atol=1e-3, rtol=0)
    shape = features.shape
    assert (shape.target, shape.references, shape.reference, shape.cells) == (3, 3, 2, 4)
    assert shape.features == FEATURES + PLACE and features.key.settings == {"target": 3, "reference": 2}


def test_objects_of_references_stand_in_the_order_of_the_target(tmp_path: Path) -> None:
    perceived = make_set(3)
    rows = TrackFeatures(FeatureCache(write(tmp_path, [perceived])), FEW).rows([3])["references"][0]
    for number, (video, owners) in enumerate(zip(perceived.references, perceived.owners, strict=True)):
        for track, owner in enumerate(owners[: len(video)]):
            there = (video.boxes[[0, 5], track, 2:] > video.boxes[[0, 5], track, :2]).all(-1)
            if owner >= 0 and there.any():
                found = rows[number, :, owner, :FEATURES][torch.from_numpy(there)].float()
                np.testing.assert_allclose(found, np.broadcast_to(video.features[track], found.shape), atol=1e-2)
        nobody = set(range(4)) - set(owners.tolist())
        assert not rows[number, :, sorted(nobody)].any()


def test_tracks_that_cannot_be_used_are_explained(tmp_path: Path, small_dataset: Path) -> None:
    with pytest.raises(ConfigError, match=r"cache=null: expected the folder of perceived sets .*comphy perceive"):
        open_tracks(None, FEW, small_dataset)
    with pytest.raises(DatasetError, match="expected the index of a comphy feature cache"):
        open_tracks(str(tmp_path / "none"), FEW, small_dataset)
    with pytest.raises(DatasetError, match="found those of another dataset"):
        open_tracks(str(write(tmp_path / "other", [make_set(0)])), FEW, small_dataset)
    source = open_source(small_dataset)
    first, *_ = source.indices()
    part = write(tmp_path / "part", [make_set(first)], source.fingerprint(), source.indices())
    with pytest.raises(DatasetError, match=r"expected all 4 sets .*\(missing: 3"):
        open_tracks(str(part), FEW, small_dataset)


def test_frame_features_are_no_tracks(tmp_path: Path, small_dataset: Path, write_features) -> None:
    write_features(tmp_path, TrackFeatures(FeatureCache(write(tmp_path / "tracks", [make_set(0)])), FEW).shape, 2)
    with pytest.raises(DatasetError, match=r"expected a comphy feature cache .*found comphy frame feature cache"):
        open_tracks(str(tmp_path), FEW, small_dataset)


@pytest.mark.slow
def test_a_run_from_its_config_to_its_scores(tmp_path: Path, six_rendered: Path) -> None:
    """ALOE (Ref) on made-up tracks of a real dataset, by the config that ships."""
    source = open_source(six_rendered)
    folder = write(tmp_path / "tracks", [make_set(index) for index in source.indices()], source.fingerprint())
    small = ["device=cpu", "epochs=1", "model.layers=1", "model.heads=2", "model.width=8", "model.feed_forward=8"]
    few = [f"cache={folder}", "frames.target=3", "frames.reference=2"]
    task, config = load_task(Path("configs/baselines/aloe_ref.yaml"), [*small, *few])
    outcome = train(task, config, Run(six_rendered, tmp_path / "run"))
    assert outcome.note == f"Training finished: 1 epochs, the best is epoch 1. Seen: the objects tracked in {folder}."
    assert set(outcome.reports) == {"val", "test"} and outcome.reports["test"].unanswered == 0
    assert read_submission(tmp_path / "run" / "submission_test.json")


def test_tracks_have_neither_weights_nor_a_grid() -> None:
    for wrong in ({"weights": "pcr/perceiver"}, {"rows": 2}):
        with pytest.raises(ValueError, match=r"expected no (weights|grid) with network=tracks"):
            FrameSettings(network=NetworkName.TRACKS, **wrong)

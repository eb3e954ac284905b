"""Which camera sets are seen through, and what is said of it; boxes in the cache are exact outlines."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.choices import CameraChoice
from comphy.dataset.media.video import write_mp4
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from comphy.errors import DatasetError
from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.scene.vocabulary import Shape
from comphy.toolkit.asking import SetPlace, TrainedReasoner, answer
from models.pcr.asking.question import query_of_program
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.camera_choice import choose_camera, known_camera
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from tests.support.standing_objects import boxes_of

CAMERA = tilted_camera(1.28, 2.2, 36)
FRAMES = 30
GIVEN = '{"focal": 1.3, "height": 12, "tilt": 40, "object_size": 2}'


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of one video, of the benchmark's shape."""
    root = tmp_path / "mine"
    root.mkdir()
    write_mp4(root / "target.mp4", np.full((FRAMES, 32, 48, 3), 90, np.uint8))
    return root


def cache_of(folder: Path, source: VideoSource, moves: bool) -> FeatureCache:
    """Three objects, one of every shape, that cross the table or stay where they are."""
    starts, ends = np.array([[-1.2, -0.9], [0.9, -0.8], [-0.9, 0.2]]), np.array([[0.2, 0.6], [-1.2, 0.1], [1.1, 0.9]])
    way = np.linspace(0, 1 if moves else 0, FRAMES)[:, None]
    tracks = [
        boxes_of(shape, a + way * (b - a), 2 * way[:, 0], CAMERA)
        for shape, a, b in zip(Shape, starts, ends, strict=True)
    ]
    boxes = np.stack(tracks, axis=1)
    seen = PerceivedVideo(boxes, np.ones(boxes.shape[:2], bool), np.random.default_rng(0).normal(size=(3, 512)))
    owners = np.zeros((0, 3), np.int64)
    shape = CacheShape(frames=FRAMES, references=1, reference_frames=1)
    with CacheWriter(folder, CacheKey("", source.fingerprint(), {}), shape, [0]) as writer:
        writer.add(PerceivedSet(0, 480, 320, seen, (), owners))
    return FeatureCache(folder)


def test_own_videos_are_estimated_unless_a_camera_is_given(mine: Path):
    assert known_camera(CameraChoice.AUTO, open_source(mine)) is None
    chosen = known_camera(CameraChoice.PUBLISHED, open_source(mine))
    assert chosen is not None and chosen.camera == BENCHMARK
    assert chosen.assumed == ("the camera is the benchmark's, and the objects are of its size",)
    with pytest.raises(DatasetError, match=r"camera\.json: expected the file.*--camera estimated or published"):
        known_camera(CameraChoice.GIVEN, open_source(mine))


def test_a_given_camera_is_taken_and_may_be_overruled(mine: Path):
    (mine / "camera.json").write_text(GIVEN)
    source = open_source(mine)
    for choice in (CameraChoice.AUTO, CameraChoice.GIVEN):
        chosen = known_camera(choice, source)
        assert chosen is not None and chosen.camera.position[2] == pytest.approx(2.4) and chosen.assumed == ()
    overruled = known_camera(CameraChoice.PUBLISHED, source)
    assert overruled is not None and overruled.camera == BENCHMARK and overruled.assumed


def test_of_benchmark_data_nothing_is_assumed(small_dataset: Path):
    chosen = known_camera(CameraChoice.AUTO, open_source(small_dataset))
    assert chosen is not None and chosen.camera == BENCHMARK and chosen.assumed == ()


def require_estimate(camera: Camera) -> None:
    assert camera.focal == pytest.approx(CAMERA.focal, rel=0.02)
    assert camera.position[2] == pytest.approx(CAMERA.position[2], rel=0.02)


@pytest.mark.slow
def test_asking_with_an_estimated_camera(mine: Path, tmp_path: Path):
    """The reasoner has learned nothing; what matters is the camera that it sees the set through, and what is said."""
    cache_of(tmp_path / "cache", open_source(mine), moves=True)
    torch.manual_seed(0)
    reasoner = Reasoner(ReasonerSettings(hidden=8, attribute_hidden=8, state_fit=False))
    trained = TrainedReasoner(tmp_path, reasoner)
    query = query_of_program("objects count", [])
    answered, _ = answer(trained, SetPlace(mine, 0), query, tmp_path / "cache", CameraChoice.AUTO)
    assert answered.interpreted.imagination is not None
    require_estimate(answered.interpreted.imagination.observed.target.tracks.camera)
    told = answered.assumptions
    assert "tracked objects tell it: focal length 1.2" in told[0] and "tilt 36 ± 1 degrees" in told[0]
    assert "of one size and stand on the table" in told[1] and "no reference" in told[-1]
    written = told[0].partition("camera.json: ")[2].rstrip(")")
    (mine / "camera.json").write_text(written)
    require_estimate(open_source(mine).camera)


@pytest.mark.slow
def test_an_undetermined_camera_is_said(mine: Path, tmp_path: Path):
    cache = cache_of(tmp_path / "cache", open_source(mine), moves=False)
    chosen = choose_camera(CameraChoice.ESTIMATED, open_source(mine), cache, [0])
    assert chosen.camera == BENCHMARK and len(chosen.assumed) == 1
    assert "3 views of 3 tracked objects do not tell another one (they are too few" in chosen.assumed[0]

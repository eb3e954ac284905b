from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.media.masks import decode_runs, encode_runs, read_masks, write_masks
from comphy.dataset.media.video import read_mp4, through_h264, write_mp4
from comphy.dataset.packs.rollouts import Pack, target_name
from comphy.errors import DatasetError
from comphy.scene.camera import Camera
from comphy.scene.silhouette import instance_masks


def moving_square(frames: int) -> np.ndarray:
    images = np.full((frames, 64, 96, 3), 120, np.uint8)
    for k in range(frames):
        images[k, 20:40, 10 + k : 30 + k] = (200, 40, 40)
    return images


def test_video_round_trip_keeps_the_picture_and_the_rate(tmp_path: Path):
    images = moving_square(12)
    write_mp4(tmp_path / "a.mp4", images)
    frames, rate = read_mp4(tmp_path / "a.mp4")
    assert frames.shape == images.shape and rate == 25
    assert np.abs(frames.astype(int) - images).mean() < 2


@pytest.mark.slow
def test_the_same_frames_give_the_same_bytes(tmp_path: Path):
    """With the macroblock tree, which looks ahead, a dozen of sixteen files differed on processors with AVX-512."""
    noise = np.random.default_rng(0).integers(-20, 20, (60, 64, 96, 3))
    frames = (moving_square(60) + noise).clip(0, 255).astype(np.uint8)
    for name in range(16):
        write_mp4(tmp_path / f"{name}.mp4", frames)
    assert len({path.read_bytes() for path in tmp_path.glob("*.mp4")}) == 1


def test_the_encoder_works_without_the_macroblock_tree(tmp_path: Path):
    """The encoder writes its settings into the file."""
    write_mp4(tmp_path / "a.mp4", moving_square(2))
    assert b" mbtree=0 " in (tmp_path / "a.mp4").read_bytes()


def test_frames_go_through_h264_in_memory(tmp_path: Path):
    images = moving_square(12)
    write_mp4(tmp_path / "a.mp4", images)
    assert np.array_equal(through_h264(images, 18), read_mp4(tmp_path / "a.mp4")[0]), "files have a crf of 18"
    assert through_h264(images, 40).shape == images.shape


def test_bad_videos_are_named(tmp_path: Path):
    write_mp4(tmp_path / "cut.mp4", moving_square(12))
    (tmp_path / "cut.mp4").write_bytes((tmp_path / "cut.mp4").read_bytes()[:200])
    with pytest.raises(DatasetError, match=r"cut\.mp4"):
        read_mp4(tmp_path / "cut.mp4")
    (tmp_path / "empty.mp4").touch()
    with pytest.raises(DatasetError, match=r"empty\.mp4"):
        read_mp4(tmp_path / "empty.mp4")
    with pytest.raises(DatasetError, match="the video is missing"):
        read_mp4(tmp_path / "none.mp4")
    with pytest.raises(ValueError, match="at least one frame"):
        write_mp4(tmp_path / "no.mp4", [])


def test_runs_round_trip():
    ids = np.random.default_rng(0).integers(0, 3, (4, 7, 9)).astype(np.uint8)
    assert np.array_equal(decode_runs(*encode_runs(ids), ids.shape), ids)


def test_mask_files_hold_the_masks_and_are_reproducible(small_dataset: Path, tmp_path: Path):
    camera = Camera().resized(240, 160)
    clip = Pack(small_dataset / layout.PACK).video(target_name(0)).clip().frames(slice(0, 125, 25))
    for name in ("a", "b"):
        write_masks(tmp_path / f"{name}.npz", {"target": clip}, camera)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    ids = read_masks(tmp_path / "a.npz", "target")
    assert np.array_equal(ids[3], instance_masks(clip, 3, camera))
    with pytest.raises(DatasetError, match="cannot read the masks of 'reference_9'"):
        read_masks(tmp_path / "a.npz", "reference_9")

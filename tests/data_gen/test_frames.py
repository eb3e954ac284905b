"""Frames as tensors: drawn and decoded ones agree, and damaged videos are named."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset import layout
from comphy.dataset.frames import FrameKey
from comphy.dataset.media.video import write_mp4
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.errors import ComphyError, DatasetError
from data_gen.frames import VideoBatches, open_frames


def _write_video(root: Path, size: tuple[int, int] = (96, 64), fps: int = 25) -> np.ndarray:
    """Six frames whose grey level is ten times the frame's number."""
    levels = np.arange(6, dtype=np.uint8) * 10 + 60
    content = np.broadcast_to(levels[:, None, None, None], (6, size[1], size[0], 3)).copy()
    write_mp4(root / layout.target_video(0), content, fps)
    return levels


def test_chosen_frames_of_a_video_in_another_size(tmp_path: Path) -> None:
    levels = _write_video(tmp_path)
    drawn = VideoBatches(GeneratedDataset(tmp_path), (48, 32)).draw(
        [FrameKey(0, "target", 4), FrameKey(0, "target", 1)]
    )
    assert drawn.shape == (2, 32, 48, 3) and drawn.dtype == torch.uint8
    np.testing.assert_allclose(drawn.float().mean(dim=(1, 2, 3)).numpy(), levels[[4, 1]], atol=4)


def test_more_videos_than_are_kept_decoded(tmp_path: Path) -> None:
    _write_video(tmp_path)
    other = np.full((6, 64, 96, 3), 200, np.uint8)
    for number in range(4):
        write_mp4(tmp_path / layout.reference_video(0, number), other - 20 * number)
    names = ["target", "reference_3", "reference_0", "target", "reference_2", "reference_1", "reference_0"]
    batches = VideoBatches(GeneratedDataset(tmp_path), (96, 64), most_videos=2, threads=2)
    drawn = batches.draw([FrameKey(0, name, 2) for name in names])
    np.testing.assert_allclose(drawn.float().mean(dim=(1, 2, 3)), [80, 140, 200, 80, 160, 180, 200], atol=4)


def test_a_frame_that_the_video_does_not_have(tmp_path: Path) -> None:
    _write_video(tmp_path)
    with pytest.raises(DatasetError, match=r"sim_00000.mp4: expected more than 9 frames \(the video has 6\)"):
        VideoBatches(GeneratedDataset(tmp_path), (96, 64)).draw([FrameKey(0, "target", 9)])


@pytest.mark.parametrize("content", [b"", b"not a video"])
def test_a_damaged_video_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / layout.target_video(0)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(ComphyError, match=r"sim_00000\.mp4"):
        VideoBatches(GeneratedDataset(tmp_path), (96, 64)).draw([FrameKey(0, "target", 0)])


def test_a_video_that_was_cut_off_is_named(tmp_path: Path) -> None:
    """Noise makes frames large enough that half of the file lacks some of them."""
    path = tmp_path / layout.target_video(0)
    write_mp4(path, np.random.default_rng(0).integers(0, 255, (20, 64, 96, 3), np.uint8))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(
        DatasetError, match=r"(expected more than 19 frames|not a readable video).*(copy it,|download it) again"
    ):
        VideoBatches(GeneratedDataset(tmp_path), (96, 64)).draw([FrameKey(0, "target", 19)])


def test_pictures_of_another_shape_are_refused(tmp_path: Path) -> None:
    _write_video(tmp_path, size=(64, 64))
    message = r"sim_00000\.mp4: expected frames of the shape 48:32 \(got 64x64\).*3:2 pictures only"
    with pytest.raises(DatasetError, match=message):
        VideoBatches(GeneratedDataset(tmp_path), (48, 32)).draw([FrameKey(0, "target", 0)])


def test_videos_of_another_frame_rate_are_refused(tmp_path: Path) -> None:
    _write_video(tmp_path, fps=30)
    with pytest.raises(DatasetError, match=r"sim_00000\.mp4: expected 25 frames a second \(got 30\).*ffmpeg"):
        VideoBatches(GeneratedDataset(tmp_path), (96, 64)).draw([FrameKey(0, "target", 0)])


def test_drawing_needs_trajectories(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"rollouts\.pack: the file is missing"):
        open_frames(tmp_path, "raytrace", 96, "cpu")

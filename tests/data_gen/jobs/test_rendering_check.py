"""Frames of videos drawn again and compared with the files."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.media.video import read_mp4, write_mp4
from data_gen.jobs.redraw import Redrawn, check_redraw
from data_gen.jobs.rendering_check import block_differences

pytestmark = pytest.mark.bullet


@pytest.mark.slow
def test_videos_are_drawn_again_and_compared(six_rendered: Path, tmp_path: Path):
    redrawn = Redrawn()
    assert not list(check_redraw(six_rendered, 1, redrawn))
    assert (redrawn.sets, redrawn.videos, redrawn.unrendered) == (1, 5, "")
    root = tmp_path / "data"
    shutil.copytree(six_rendered, root)
    shutil.copyfile(root / layout.reference_video(0, 1), root / layout.reference_video(0, 0))
    (root / layout.target_video(0)).write_bytes(b"no video")
    found = [str(problem) for problem in check_redraw(root, 1)]
    assert len(found) == 2
    assert "not a readable video" in found[0] and "differs from the same frame drawn again" in found[1]


@pytest.mark.slow
def test_a_change_between_the_frames_that_are_looked_at_is_found_if_all_are(six_rendered: Path, tmp_path: Path):
    root = tmp_path / "data"
    shutil.copytree(six_rendered, root)
    assert not list(check_redraw(root, 1, every_frame=True))
    path = root / layout.target_video(0)
    frames = read_mp4(path)[0]
    frames[101:, :8, :8] = 255 - frames[101:, :8, :8]
    write_mp4(path, frames)
    assert not list(check_redraw(root, 1))
    assert any("frame 101 differs" in str(problem) for problem in check_redraw(root, 1, every_frame=True))
    faint = read_mp4(six_rendered / layout.target_video(0))[0]
    write_mp4(path, faint)  # encoded twice: no frame is much different, but the bytes are others
    found = [str(problem) for problem in check_redraw(root, 1, every_frame=True)]
    assert len(found) == 1 and "it has other bytes, although 4 videos have the same" in found[0]


@pytest.mark.slow
def test_videos_that_cannot_be_drawn_here_are_left_out(six_rendered: Path, tmp_path: Path):
    root = tmp_path / "data"
    shutil.copytree(six_rendered, root)
    record = json.loads((root / "manifest.json").read_text())
    record["config"]["raytrace"]["device"] = "cuda:99"
    (root / "manifest.json").write_text(json.dumps(record))
    redrawn = Redrawn()
    assert not list(check_redraw(root, 1, redrawn))
    assert "no such CUDA device" in redrawn.unrendered and redrawn.videos == 0


def test_block_differences_see_an_object_and_not_noise():
    first = np.full((2, 20, 30, 3), 100, np.uint8)
    noisy = (first + np.random.default_rng(0).integers(-20, 21, first.shape)).astype(np.uint8)
    assert block_differences(first, noisy).max() < 8
    moved = first.copy()
    moved[1, 16:20, 24:30] = 250
    assert np.allclose(block_differences(first, moved), [0, 150 * 24 / 64])

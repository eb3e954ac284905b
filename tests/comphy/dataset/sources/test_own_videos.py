"""Videos of any size, rate and length become the benchmark's, and what was changed is said."""

from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.media.pictures import padded_to_aspect, without_bars
from comphy.dataset.media.video import resampled, write_mp4
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.own_videos import OwnVideos
from comphy.dataset.sources.source import SourceKind
from comphy.errors import DatasetError


def ramp(frames: int, size: tuple[int, int] = (48, 32)) -> np.ndarray:
    """Frames that grow brighter by one level each."""
    levels = (60 + np.arange(frames)).astype(np.uint8)
    return np.broadcast_to(levels[:, None, None, None], (frames, size[1], size[0], 3)).copy()


def opened(root: Path) -> OwnVideos:
    source = open_source(root)
    assert isinstance(source, OwnVideos) and source.kind is SourceKind.OWN_VIDEOS
    return source


def test_a_target_and_two_references(tmp_path: Path) -> None:
    write_mp4(tmp_path / "target.mp4", ramp(150))
    write_mp4(tmp_path / "b.mp4", ramp(40))
    write_mp4(tmp_path / "a.mp4", ramp(70))
    source = opened(tmp_path)
    assert [path.name for path in source.files] == ["target.mp4", "a.mp4", "b.mp4"]
    assert (source.lengths.target, source.lengths.references, source.lengths.reference) == (125, 2, 40)
    assert source.frames(0, "reference_0").shape == (40, 32, 48, 3)
    assert any("only the first 5 s of target.mp4 (6.0 s) count" in told for told in source.assumptions())
    assert source.indices() == [0] and not source.asks("test", answers=False)


def test_one_video_alone_at_another_rate(tmp_path: Path) -> None:
    """Frame f at 25 a second is the frame nearest to f / 25 s at 50: every second one."""
    write_mp4(tmp_path / "marbles.mp4", ramp(100), fps=50)
    source = opened(tmp_path)
    assert source.lengths.target == 50 and source.lengths.references == 0
    levels = source.frames(0, "target").mean(axis=(1, 2, 3))
    np.testing.assert_allclose(levels, 60 + 2 * np.arange(50), atol=2.5)
    told = " ".join(source.assumptions())
    assert "50 frames a second" in told and "no reference" in told


def test_nearest_frames() -> None:
    assert resampled(4, 25, 25).tolist() == [0, 1, 2, 3]
    assert resampled(3, 12.5, 25).tolist() == [0, 0, 1, 2, 2, 2]  # halves round to even; the last frame stays
    assert len(resampled(30, 30, 25)) == 25


def test_black_bars_are_cut_off_and_other_shapes_padded() -> None:
    frames = ramp(10, (64, 36))
    frames[:, :6] = frames[:, -6:] = 3
    inside = without_bars(frames)
    assert inside.shape == (10, 24, 64, 3) and inside.min() >= 60
    padded = padded_to_aspect(inside)
    assert padded.shape[2] * 2 == padded.shape[1] * 3
    assert padded.shape[1] >= 42 and abs(int(padded[0, 0, 0, 0]) - inside[:, 0].mean()) <= 1
    tall = padded_to_aspect(ramp(2, (30, 60)))
    assert tall.shape == (2, 60, 90, 3)
    assert padded_to_aspect(ramp(2)).shape == (2, 32, 48, 3)


def test_a_dark_video_is_left_as_it_is() -> None:
    frames = np.zeros((3, 32, 48, 3), np.uint8)
    frames[:, 15:17, 20:22] = 200
    assert without_bars(frames).shape == frames.shape


def test_bad_folders_are_named(tmp_path: Path) -> None:
    write_mp4(tmp_path / "one.mp4", ramp(30))
    write_mp4(tmp_path / "two.mp4", ramp(30))
    with pytest.raises(DatasetError, match=r"expected one video called target\.mp4.*found one\.mp4, two\.mp4"):
        _ = opened(tmp_path).files
    (tmp_path / "two.mp4").rename(tmp_path / "target.mp4")
    write_mp4(tmp_path / "one.mp4", ramp(20))
    with pytest.raises(DatasetError, match=r"one\.mp4: expected a video of at least 1 s \(found 0\.80 s\)"):
        _ = opened(tmp_path).lengths
    (tmp_path / "one.mp4").write_bytes(b"not a video")
    with pytest.raises(DatasetError, match=r"one\.mp4: not a readable video"):
        _ = opened(tmp_path).lengths
    with pytest.raises(DatasetError, match=r"a folder of videos has no questions.*comphy ask"):
        opened(tmp_path).questions("val")


def test_a_camera_that_was_measured(tmp_path: Path) -> None:
    """In centimetres: objects of 4 cm are 0.4 units, so 30 cm are 3 units. The tall video is padded to twice its width."""
    write_mp4(tmp_path / "target.mp4", ramp(30, (30, 40)))
    (tmp_path / "camera.json").write_text('{"focal": 1.5, "height": 30, "tilt": 40, "object_size": 4}')
    source = opened(tmp_path)
    assert source.camera.position[2] == pytest.approx(3.0) and source.camera.focal == pytest.approx(0.75 * 480)
    assert not any("camera" in told for told in source.assumptions())
    (tmp_path / "camera.json").write_text('{"focal": 1.5, "height": 30, "tilt": 40}')
    with pytest.raises(DatasetError, match=r"camera\.json: expected the key 'object_size'"):
        _ = OwnVideos(tmp_path).camera
    (tmp_path / "camera.json").write_text('{"focal": 1.5, "height": 30, "tilt": 95, "object_size": 4}')
    with pytest.raises(DatasetError, match=r"camera\.json: expected focal length and height above 0 and a tilt"):
        _ = OwnVideos(tmp_path).camera

"""What happens to frames under each condition, on a few tiny pictures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from comphy.dataset.frames import FrameKey
from comphy.errors import ConfigError
from comphy.scene.camera import BENCHMARK, Camera
from comphy.toolkit.stress.conditions import BASELINE, BLENDER, CAMERAS, CONDITIONS, camera_of_set, choose
from comphy.toolkit.stress.frames import CompressedFrames, StressRenderer, at_rate, letterboxed, through_size
from models.perceiver.detection.detector import FasterRCNN
from tests.support.tiny import QUICK, TINY

pytestmark = pytest.mark.bullet

SIZE = (TINY.width, TINY.height)
KEYS = [FrameKey(index, "reference_0", frame) for index in (0, 1) for frame in (0, 1, 20)]
BY_NAME = {condition.name: condition for condition in CONDITIONS}


@pytest.fixture(scope="module")
def renderer(six_rendered: Path) -> StressRenderer:
    return StressRenderer(six_rendered, SIZE, "cpu", QUICK)


def drawn(renderer: StressRenderer, name: str, keys: Sequence[FrameKey] = KEYS) -> Tensor:
    return BY_NAME[name].open(renderer).draw(keys)


@pytest.fixture(scope="module")
def detector() -> FasterRCNN:
    torch.manual_seed(0)
    return FasterRCNN(TINY).eval()


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != BLENDER])
def test_a_perceiver_sees_the_frames_of_each_condition(
    name: str, renderer: StressRenderer, detector: FasterRCNN
) -> None:
    frames = drawn(renderer, name)
    assert frames.shape == (len(KEYS), TINY.height, TINY.width, 3) and frames.dtype == torch.uint8
    assert torch.equal(frames, drawn(renderer, name)), "a run that goes on sees what it would have seen"
    assert torch.isfinite(detector.detect(frames[:1]).scores).all()
    clean = drawn(renderer, BASELINE)
    assert (frames.float() - clean.float()).abs().mean() < 80 and (name == BASELINE) == torch.equal(frames, clean)


def test_light_and_noise_are_as_strong_as_they_say(renderer: StressRenderer) -> None:
    full = StressRenderer(renderer.data, (96, 64), "cpu", QUICK)  # no resizing, which would average noise
    clean = full.drawn().draw(KEYS).float()
    for name, factor in (("dark", 0.7), ("bright", 1.3)):
        assert torch.equal(drawn(full, name).float(), (clean * factor).round().clamp(0, 255))
    middle = (clean > 40) & (clean < 215)  # where noise is not clamped
    noise = (drawn(full, "noise").float() - clean)[middle]
    assert float(noise.std()) == pytest.approx(10, rel=0.05) and abs(float(noise.mean())) < 0.5


def test_h264_loses_more_at_a_higher_crf(renderer: StressRenderer) -> None:
    keys = [FrameKey(0, "target", frame) for frame in range(10)]
    source = renderer.drawn()
    clean = source.draw(keys).float()
    lost = [(CompressedFrames(source, crf, (96, 64)).draw(keys).float() - clean).abs().mean() for crf in (5, 23, 40)]
    assert 0 < lost[0] < lost[1] < lost[2] < 20


def test_videos_that_are_compressed_side_by_side_are_those_of_each_alone(renderer: StressRenderer) -> None:
    alone = [drawn(renderer, "h264-35", [key for key in KEYS if key.index == index]) for index in (0, 1)]
    assert torch.equal(drawn(renderer, "h264-35"), torch.cat(alone))
    assert not torch.equal(alone[0], alone[1])


def test_the_nearest_frames_of_another_rate_are_taken(renderer: StressRenderer) -> None:
    keys = [FrameKey(0, "target", frame) for frame in range(6)]
    plain = StressRenderer(renderer.data, (96, 64), "cpu", QUICK)
    at_25, at_50, at_15 = (at_rate(plain, rate).draw(keys) for rate in (25, 50, 15))
    assert torch.equal(at_50, at_25), "every second frame is there"
    assert torch.equal(at_25, plain.drawn().draw(keys))
    shown = [0, 25 / 15, 25 / 15, 2 * 25 / 15, 2 * 25 / 15, 5]  # 0.6 k rounded: 0, 1, 1, 2, 2, 3
    assert torch.equal(at_15, plain.drawn(moment=lambda key: shown[key.frame]).draw(keys))


def test_bars_are_put_on_and_cut_off_again() -> None:
    images = torch.full((2, 64, 96, 3), 100.0)
    boxed = letterboxed(images, (320, 240))
    assert boxed.shape == (2, 240, 320, 3)
    assert (boxed[:, :13] == 0).all() and (boxed[:, 13:226] == 100).all() and (boxed[:, 226:] == 0).all()
    inside = through_size((320, 240))(images, torch.Generator())
    assert inside.shape == (2, 212, 318, 3) and (inside == 100).all()
    assert through_size((1280, 720))(images, torch.Generator()).shape == (2, 720, 1080, 3)


def test_each_set_has_its_camera_and_the_reasoner_is_given_it(renderer: StressRenderer) -> None:
    row = BY_NAME["cameras-given"]
    for index in range(len(CAMERAS) + 1):
        assert row.camera(None, index) == camera_of_set(index) != BENCHMARK  # type: ignore[arg-type]
    keys = [FrameKey(index, "target", 0) for index in (0, 1)]
    full = StressRenderer(renderer.data, (96, 64), "cpu", QUICK)
    for frame, key in zip(row.open(full).draw(keys), keys, strict=True):
        assert torch.equal(frame, full.drawn(camera_of_set(key.index)).draw([key])[0])


@pytest.mark.parametrize("camera", CAMERAS)
def test_other_cameras_see_about_as_much_of_the_table(camera: Camera) -> None:
    """The middle of the table, and a good part of what the benchmark's picture shows of it."""
    width, height = BENCHMARK.width, BENCHMARK.height
    places = [BENCHMARK.ground_point(u * width, v * height) for u in (0.2, 0.5, 0.8) for v in (0.3, 0.6, 0.9)]
    seen, depth = camera.project(np.array(places))
    assert (depth > 0).all()
    assert ((seen > 0) & (seen < (width, height))).all(axis=1).mean() >= 0.75


def test_rows_are_chosen_by_name() -> None:
    assert [one.name for one in choose(["dark", "noise"])] == [BASELINE, "noise", "dark"]
    assert choose() == list(CONDITIONS)
    with pytest.raises(ConfigError, match="unknown condition 'drak' for --only; did you mean 'dark'"):
        choose(["noise", "drak"])

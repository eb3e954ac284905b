"""What is drawn is what was imagined: as many frames, at the places where the objects were seen."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from comphy.dataset.media.video import read_mp4
from models.pcr.asking.asking import ask
from models.pcr.asking.clip import BOTTOM, GAP, HEIGHT, TOP, WIDTH, Clip, Recorded, write_clip
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.question import query_of_program
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.interpreted_sets import uncertain

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
SIZE = (TOP + HEIGHT + BOTTOM, 2 * WIDTH + GAP)


@pytest.fixture(scope="module")
def known(dozen_cache: FeatureCache) -> InterpretedSet:
    return uncertain(dozen_cache, 0)


def make_clip(known: InterpretedSet, cache: FeatureCache, program: str) -> Clip:
    imagining = ask(known, query_of_program(program)).imagining
    assert imagining is not None and known.imagination is not None
    return Clip(known, imagining, recorded(known, cache))


def recorded(known: InterpretedSet, cache: FeatureCache) -> Recorded:
    assert known.imagination is not None
    frames = np.full((125, HEIGHT, WIDTH, 3), 90, np.uint8)
    return Recorded.of(frames, cache.read(known.index), known.imagination.observed.target.tracks)


def test_a_prediction_goes_on_after_the_video(known: InterpretedSet, dozen_cache: FeatureCache, tmp_path: Path):
    clip = make_clip(known, dozen_cache, "unseen_events belong_to")
    write_clip(tmp_path / "clips" / "future.mp4", clip)
    frames, rate = read_mp4(tmp_path / "clips" / "future.mp4")
    assert frames.shape == (75, *SIZE, 3) and rate == 25
    assert [path.name for path in (tmp_path / "clips").iterdir()] == ["future.mp4"]


def test_a_counterfactual_lasts_as_long_as_the_video(known: InterpretedSet, dozen_cache: FeatureCache, tmp_path: Path):
    program = "all_events objects unique counterfact_heavier filter_counterfact belong_to"
    one = InterpretedSet(known.index, known.scene)
    with pytest.raises(Exception, match="the object: "):
        make_clip(one, dozen_cache, program)
    clip = make_clip(known, dozen_cache, program.replace("unique", "filter_heavy unique", 1))
    assert len(clip) == 125
    write_clip(tmp_path / "heavier.gif", clip)
    with Image.open(tmp_path / "heavier.gif") as image:
        assert image.size == SIZE[::-1] and getattr(image, "n_frames", 0) > 1


def test_objects_are_drawn_where_they_were_seen(known: InterpretedSet, dozen_cache: FeatureCache):
    """Imagined places come from boxes; projected back, they are the middles of the boxes again."""
    assert known.imagination is not None
    clip = make_clip(known, dozen_cache, "unseen_events belong_to")
    seen = recorded(known, dozen_cache)
    there = (
        seen.boxes[100].any(axis=-1)
        & known.imagination.observed.target.motion.around.known[0, 100].numpy()[: len(known.objects)]
    )
    assert there.any()
    for number in np.flatnonzero(there):
        np.testing.assert_allclose(clip.place(0, int(number)), seen.middles[100, number], atol=1e-3)

"""What is drawn is what was imagined: as many frames, objects and their names where they were seen, and without an object
none of it."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from comphy.dataset.media.video import read_mp4
from models.pcr.asking.asking import ask
from models.pcr.asking.filming.clip import SIZE, Caption, Clip, write_clip
from models.pcr.asking.filming.imagined_scene import ImaginedScene
from models.pcr.asking.filming.recorded import HEIGHT, WIDTH, Recorded
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.question import query_of_program
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.interpreted_sets import uncertain

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
HEAVIER = "all_events objects filter_heavy unique counterfact_heavier filter_counterfact belong_to"
REMOVED = "objects filter_heavy unique counterfact_events belong_to"
FUTURE = "unseen_events belong_to"


@pytest.fixture(scope="module")
def known(dozen_cache: FeatureCache) -> InterpretedSet:
    return uncertain(dozen_cache, 0)


@pytest.fixture(scope="module")
def recorded(known: InterpretedSet, dozen_cache: FeatureCache) -> Recorded:
    assert known.imagination is not None
    frames = np.full((125, HEIGHT, WIDTH, 3), 90, np.uint8)
    return Recorded.of(frames, dozen_cache.read(known.index), known.imagination.observed.target.tracks)


def make_clip(known: InterpretedSet, recorded: Recorded, program: str) -> tuple[Clip, ImaginedScene]:
    """The pictures are gray: the ray tracer has tests of its own."""
    reply = ask(known, query_of_program(program))
    assert reply.predicted is not None
    scene = ImaginedScene.of(known, reply.predicted, recorded.camera)
    drawn = np.full((len(scene), HEIGHT, WIDTH, 3), 120, np.uint8)
    return Clip(known, reply.predicted, recorded, scene, drawn, Caption("What?", reply.sentence)), scene


def test_a_prediction_goes_on_after_the_video(known: InterpretedSet, recorded: Recorded, tmp_path: Path):
    clip, _ = make_clip(known, recorded, FUTURE)
    write_clip(tmp_path / "clips" / "future.mp4", clip)
    frames, rate = read_mp4(tmp_path / "clips" / "future.mp4")
    assert frames.shape == (75, *SIZE[::-1], 3) and rate == 25
    assert [path.name for path in (tmp_path / "clips").iterdir()] == ["future.mp4"]


@pytest.mark.parametrize("premise", ["heavier", "removed"])
def test_a_counterfactual_lasts_as_long_as_the_video(
    known: InterpretedSet, recorded: Recorded, tmp_path: Path, premise: str
):
    clip, scene = make_clip(known, recorded, HEAVIER if premise == "heavier" else REMOVED)
    assert len(clip) == len(scene) == 125
    some = tmp_path / "some.gif"
    Image.fromarray(np.asarray(clip.frame(60))).save(some)
    with Image.open(some) as image:
        assert image.size == SIZE


def test_pictures_of_another_size_or_number_are_refused(known: InterpretedSet, recorded: Recorded):
    predicted = ask(known, query_of_program(FUTURE)).predicted
    assert predicted is not None
    scene = ImaginedScene.of(known, predicted, recorded.camera)
    with pytest.raises(ValueError, match="Expected 75 pictures of 480x320"):
        Clip(known, predicted, recorded, scene, np.zeros((1, 2, 3, 3), np.uint8), Caption("", ""))


def test_objects_are_drawn_where_they_were_seen(known: InterpretedSet, recorded: Recorded):
    """Predicted places come from boxes; projected back, they are the middles of the boxes again."""
    assert known.imagination is not None
    _, scene = make_clip(known, recorded, FUTURE)
    trusted = known.imagination.observed.target.motion.around.known[0, 100].numpy()[: len(known.objects)]
    there = recorded.boxes[100].any(axis=-1) & trusted
    assert there.any()
    for number in np.flatnonzero(there):
        np.testing.assert_allclose(scene.middles[0, number], recorded.middles[100, number], atol=1e-3)
        seen, _ = scene.camera.project(scene.poses.positions[0, number])
        np.testing.assert_allclose(seen, scene.middles[0, number], atol=1e-9)


def test_tags_stay_at_their_objects(known: InterpretedSet, recorded: Recorded):
    clip, scene = make_clip(known, recorded, HEAVIER)
    near = 0
    for step in range(0, len(clip), 5):
        for number, place in clip.tag_places(step).items():
            reach = 1.25 * scene.radius[step, number] + 60  # half a long tag
            assert np.abs(np.subtract(place, scene.middles[step, number])).max() < reach + 30
            near += 1
    assert near > 25


def test_a_removed_object_is_not_drawn(known: InterpretedSet, recorded: Recorded):
    clip, scene = make_clip(known, recorded, REMOVED)
    (who,) = np.flatnonzero(~scene.there.any(axis=0)).tolist()
    assert who == int(known.scene.heavy[0].argmax()) and (scene.poses.positions[:, who, 2] < -100).all()
    step = int(np.flatnonzero(recorded.boxes[:, who].any(axis=-1))[0])
    assert who in clip.tag_places(step), "its tag says that it was removed, where it was"
    place = clip.tag_places(step)[who]
    box = recorded.boxes[step, who]
    middle = (box[:2] + box[2:]) / 2
    assert np.abs(np.subtract(place, middle)).max() < np.ptp(box[::2]) + 80

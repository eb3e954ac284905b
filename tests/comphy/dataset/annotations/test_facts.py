"""Facts from annotations, on a small annotation whose events and motions are plain to see."""

from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import AnnotatedCollision, VideoAnnotation, read_annotation
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.annotations.facts import EXACT, IMPRECISE, Observer, facts_of
from comphy.errors import DatasetError
from comphy.programs.facts import NO_DIRECTION
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import STEPS_PER_FRAME, ObjectSpec
from comphy.scene.vocabulary import Color, Direction, Material, Shape

CAMERA = Camera()
FRAMES, VISIBLE = 12, 8
CREEP, WALK = 0.03, 1.0  # units a second


def annotation(**changes) -> VideoAnnotation:
    """A cube that walks to the right of the picture (+y), a sphere that creeps towards the camera (+x), a cylinder at rest.

    The cube enters at frame 2 and leaves at 9; it meets the sphere at 4, the cylinder at 6 and the sphere again at 10.
    """
    velocities = np.zeros((FRAMES, 3, 3))
    velocities[:, 0, 1], velocities[:, 1, 0] = WALK, CREEP
    inside = np.ones((FRAMES, 3), bool)
    inside[:2, 0] = inside[9:, 0] = False
    parts = {
        "scene_index": 7,
        "objects": (
            ObjectSpec(Color.RED, Shape.CUBE, Material.METAL),
            ObjectSpec(Color.BLUE, Shape.SPHERE, Material.METAL),
            ObjectSpec(Color.CYAN, Shape.CYLINDER, Material.METAL),
        ),
        "locations": np.cumsum(velocities, axis=0) / 25,
        "velocities": velocities,
        "orientations": None,
        "inside": inside,
        "collisions": tuple(
            AnnotatedCollision(frame * STEPS_PER_FRAME + 3, pair)
            for frame, pair in ((10, (0, 1)), (4, (0, 1)), (6, (0, 2)))
        ),
    }
    return VideoAnnotation(**(parts | changes))


def facts(observer: Observer = EXACT, **changes):
    return facts_of(annotation(**changes), CAMERA, {}, observer, VISIBLE)


def test_events_are_split_at_the_end_of_the_visible_video_and_sorted():
    seen = facts()
    assert seen.visible == (
        Event(EventKind.IN, 2, (0,)),
        Event(EventKind.COLLISION, 4, (0, 1)),
        Event(EventKind.COLLISION, 6, (0, 2)),
    )
    assert seen.unseen == (Event(EventKind.OUT, 9, (0,)), Event(EventKind.COLLISION, 10, (0, 1)))
    assert seen.unseen_known and seen.visible_frames == VISIBLE


def test_tables_cover_the_visible_frames():
    seen = facts()
    for table in (seen.moving, seen.direction, seen.inside):
        assert table.shape == (VISIBLE, 3)
    assert seen.moving.all(axis=0).tolist() == [True, True, False]
    assert seen.inside[:, 0].tolist() == [False, False, *[True] * 6]


def test_directions_are_those_of_the_picture():
    seen = facts()
    assert seen.main_direction(0, 3) is Direction.RIGHT
    assert seen.main_direction(1, 3) is Direction.DOWN  # towards the camera is down in the picture
    assert seen.main_direction(2, 3) is None
    assert seen.main_direction(0, 0) is None  # not in the picture yet
    assert seen.main_direction(0, None) is Direction.RIGHT
    assert (seen.direction[:, 2] == NO_DIRECTION).all()


def test_velocities_are_taken_from_the_locations_where_none_are_annotated():
    assert facts(velocities=None).moving.tolist() == facts().moving.tolist()


def test_less_exact_eyes_miss_what_creeps_and_misjudge_times():
    late, early = (facts(observer) for observer in IMPRECISE)
    assert late.ever_moving == (True, False, False)  # 0.03 is below 0.06
    assert early.ever_moving == (True, True, False)
    assert (late.shift, early.shift) == (4, -4)


def test_nearly_simultaneous_events_change_places():
    close = facts(Observer(simultaneous=2))
    # 2, 4 and 6 are two frames apart each: all three are taken in reverse, at the same frames.
    assert close.visible == (
        Event(EventKind.COLLISION, 2, (0, 2)),
        Event(EventKind.COLLISION, 4, (0, 1)),
        Event(EventKind.IN, 6, (0,)),
    )
    assert facts(Observer(simultaneous=1)).visible == facts().visible


def test_a_video_without_a_future_has_an_unknown_one():
    whole = facts_of(annotation(), CAMERA, {}, visible_frames=FRAMES)
    assert not whole.unseen_known and whole.unseen == ()


def test_too_short_a_video_is_refused():
    with pytest.raises(DatasetError, match=r"scene 7: expected a target of at least 125 annotated frames \(got 12\)"):
        facts_of(annotation(), CAMERA, {})


def test_facts_of_a_generated_set_agree_with_its_extras(small_dataset: Path):
    """The extras tell the same events, found in another way: from the simulation instead of the written states."""
    for index in range(4):
        extras = read_extras(small_dataset / layout.extras(index))
        target = read_annotation(small_dataset / layout.target_annotation(index))
        seen = facts_of(target, CAMERA, extras.counterfactuals)
        kinds = (EventKind.IN, EventKind.OUT, EventKind.COLLISION)
        expected = [event for event in extras.target.events if event.kind in kinds]
        assert [*seen.visible, *seen.unseen] == expected
        assert seen.counterfactual == extras.counterfactuals

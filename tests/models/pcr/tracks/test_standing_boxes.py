"""Which boxes tell a camera: whole ones that were detected, each view once."""

import numpy as np
import torch

from models.pcr.tracks.standing_boxes import StandingBoxes, standing_boxes
from models.perceiver.perceived import PerceivedSet, PerceivedVideo

FRAMES = 20
SHIFT = np.array([-5.0, 15.0, 5.0, 15.0])
BOX = np.array([100.0, 100.0, 140.0, 140.0])


def perceived(*tracks: np.ndarray, seen: np.ndarray | None = None) -> PerceivedSet:
    """A target without references, of tracks [T, 4]."""
    boxes = np.stack(tracks, axis=1)
    shown = (boxes != 0).any(axis=-1) if seen is None else seen
    video = PerceivedVideo(boxes, shown, np.zeros((len(tracks), 1)))
    return PerceivedSet(0, 480, 320, video, (), np.zeros((0, len(tracks)), np.int64))


def moving(step: float) -> np.ndarray:
    return BOX + step * np.arange(FRAMES)[:, None] * np.array([1, 0, 1, 0])


def test_frames_of_a_resting_object_are_one_view():
    rng = np.random.default_rng(0)
    found = standing_boxes([perceived(BOX + rng.uniform(-1, 1, (FRAMES, 4)))])
    assert len(found) == 1 and found.tracks == 1
    np.testing.assert_allclose(found.boxes[0].numpy() * 480, BOX, atol=0.6)


def test_a_moving_object_has_as_many_views_as_places():
    """At 4 pixels a frame, two frames are one view, up to the most of a track; slower ones have fewer."""
    found = standing_boxes([perceived(moving(4.0), moving(1.0) + np.array([0, 100, 0, 100]))])
    assert torch.bincount(found.track).tolist() == [10, 3]
    assert (found.boxes[1:10, 0] > found.boxes[:9, 0]).all()


def test_cut_off_hidden_and_filled_in_boxes_are_left_out():
    edge = np.tile([0.0, 100.0, 30.0, 140.0], (FRAMES, 1))
    behind, before = np.tile(BOX, (FRAMES, 1)), np.tile(BOX + SHIFT, (FRAMES, 1))
    found = standing_boxes([perceived(edge, behind, before)])
    assert found.tracks == 1
    np.testing.assert_allclose(found.boxes[0].numpy() * 480, before[0])
    assert len(standing_boxes([perceived(moving(4.0), seen=np.zeros((FRAMES, 1), bool))])) == 0


def test_thinned_keeps_the_ends_of_every_track():
    boxes = torch.arange(9.0)[:, None].expand(9, 4)
    found = StandingBoxes(boxes, torch.tensor([0] * 7 + [1] * 2)).thinned(3)
    assert found.boxes[:, 0].tolist() == [0, 3, 6, 7, 8] and found.track.tolist() == [0, 0, 0, 1, 1]

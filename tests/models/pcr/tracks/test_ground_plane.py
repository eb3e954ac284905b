import numpy as np
import pytest
import torch

from comphy.dataset.sources.opening import open_source
from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from models.pcr.tracks.ground_plane import ground_tracks
from models.perceiver.truth import TrueBoxes, asked_for

BALL = 0.2


def boxes_of(places: list[tuple[float, float]], width: int = 480, seen_by: Camera = BENCHMARK) -> torch.Tensor:
    """Boxes [1, N, 4] of balls at places on the table, seen whole even beyond the picture's border."""
    camera = seen_by.resized(width, width * 2 // 3)
    rows = []
    for x, y in places:
        centre, depth = camera.project(np.array([x, y, BALL]))
        half = camera.focal * BALL / depth
        rows.append([*(centre - half), *(centre + half)])
    return torch.tensor(np.array([rows]), dtype=torch.float32)


def test_places_are_found_through_another_camera():
    places, camera = [(0.0, 0.0), (-1.0, 0.6), (0.8, -0.5)], tilted_camera(1.4, 3.0, 40)
    tracks = ground_tracks(boxes_of(places, seen_by=camera), 480, 320, camera)
    assert torch.allclose(tracks.position[0], torch.tensor(places), atol=0.01) and tracks.camera == camera


@pytest.mark.parametrize("width", [480, 240])
def test_places_are_found_at_any_picture_size(width: int):
    places = [(0.0, 0.0), (-1.5, 0.8), (1.0, -0.7)]
    tracks = ground_tracks(boxes_of(places, width), width, width * 2 // 3)
    assert torch.allclose(tracks.position[0], torch.tensor(places), atol=0.01)
    assert tracks.valid.all() and tracks.present.all()


def test_what_is_absent_has_no_place():
    boxes = torch.cat([boxes_of([(0.0, 0.0)]), torch.zeros(1, 1, 4)], dim=1)
    tracks = ground_tracks(boxes, 480, 320)
    assert tracks.present[0].tolist() == tracks.valid[0].tolist() == [True, False]
    assert tracks.position[0, 1].tolist() == [0.0, 0.0]


def test_an_object_that_the_border_cuts_is_placed_by_its_free_edge():
    """It comes in from the left; the part that is outside does not pull its middle inwards."""
    whole = torch.cat([boxes_of([(0.0, y)]) for y in np.linspace(-2.6, -1.6, 20)])
    cut = whole.clone()
    cut[..., 0] = cut[..., 0].clamp(min=0)
    assert (cut != whole).any() and (cut == whole).all(dim=-1).any()
    found, expected = (ground_tracks(boxes, 480, 320).position for boxes in (cut, whole))
    assert (found - expected).norm(dim=-1).max() < 0.03


def test_an_object_behind_another_keeps_its_place():
    """The lower part of the farther one is hidden while the nearer one passes in front of it."""
    frames = []
    for y in np.linspace(-0.8, 0.8, 21):
        pair = boxes_of([(-0.6, 0.0), (0.2, float(y))])
        far, near = pair[0]
        if near[0] < far[2] and near[2] > far[0]:
            middle = (far[0] + far[2]) / 2
            if near[0] < middle < near[2]:
                far[3] = torch.minimum(far[3], near[1])
        frames.append(pair)
    tracks = ground_tracks(torch.cat(frames), 480, 320)
    far = tracks.position[:, 0]
    assert (far - torch.tensor([-0.6, 0.0])).norm(dim=-1)[tracks.valid[:, 0]].max() < 0.05
    assert tracks.valid[:, 0].float().mean() > 0.8


@pytest.mark.bullet
def test_real_boxes_lie_where_the_simulator_put_the_objects(dozen):
    errors = []
    truth = TrueBoxes(open_source(dozen), 480)
    for index in range(12):
        video, target = truth.video(index, "target"), truth.source.annotation(index).target
        seen = asked_for(video, 480)
        tracks = ground_tracks(torch.from_numpy(video.boxes * seen[..., None]), 480, 320)
        places = torch.from_numpy(target.locations[: len(seen), :, :2]).float()
        errors.append((tracks.position - places).norm(dim=-1)[tracks.valid])
    error = torch.cat(errors)
    assert error.median() < 0.015 and error.quantile(0.95) < 0.06

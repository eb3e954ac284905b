"""A video as its fitted motion shows it: borders, hidden objects, and velocities in the image."""

import pytest
import torch

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.fitted_view import fitted_view
from models.pcr.tracks.observed import VideoMotion
from models.pcr.tracks.projection import Projection

FRAMES, WIDTH, HEIGHT = 40, 480, 320
SPEED = 1.5
UNSEEN = (range(5), range(15, 20), range(35, FRAMES))  # frames in which the ball is not detected


@pytest.fixture(scope="module")
def states() -> FittedMotion:
    """A ball that rolls across the whole picture, from outside to outside."""
    time = torch.arange(FRAMES) / FPS
    position = torch.stack([torch.zeros(FRAMES), SPEED * (time - time.mean())], dim=-1)[None, :, None] * 2
    velocity = torch.tensor([0.0, 2 * SPEED]).expand_as(position)
    zero = torch.zeros(1, FRAMES, 1)
    known = torch.ones(1, 1, dtype=torch.bool)
    return FittedMotion(position, velocity, zero, zero, zero, known, zero[:, None], torch.zeros(1, FRAMES, 0, 4))


@pytest.fixture(scope="module")
def video(states: FittedMotion) -> VideoMotion:
    ball = torch.eye(3)[list(Shape).index(Shape.SPHERE)].expand(1, FRAMES, 1, 3)
    boxes = Projection.of(states.position).boxes(states.position, states.yaw, ball) * WIDTH
    for frames in UNSEEN:
        boxes[:, list(frames)] = 0
    return VideoMotion.of(boxes, WIDTH, HEIGHT)


def test_who_is_hidden_for_a_while_is_there_all_the_same(video: VideoMotion, states: FittedMotion):
    seen = fitted_view(video, states)
    assert not video.tracks.present[0, 17, 0]
    assert seen.tracks.present[0, :, 0].tolist() == [5 <= frame < 35 for frame in range(FRAMES)]


def test_who_is_not_seen_before_or_after_is_outside(video: VideoMotion, states: FittedMotion):
    """Also where the fit would have it inside."""
    margin = fitted_view(video, states).margin[0, :, 0]
    assert (margin[:5] < 0).all() and (margin[35:] < 0).all() and (margin[15:25] > 0).all()


def test_the_margin_is_that_of_the_centre(video: VideoMotion, states: FittedMotion):
    seen = fitted_view(video, states)
    u, v = Projection.of(states.position).centres(states.position)[0, 20, 0].tolist()
    expected = min(u, 1 - u, v, HEIGHT / WIDTH - v)
    assert seen.margin[0, 20, 0].item() == pytest.approx(expected, abs=1e-6)
    assert seen.tracks.centre[0, 20, 0].tolist() == pytest.approx([u, v])


def test_velocities_in_the_image_are_those_of_the_centres(video: VideoMotion, states: FittedMotion):
    seen = fitted_view(video, states)
    centre = Projection.of(states.position).centres(states.position)[0, :, 0]
    central = (centre[2:] - centre[:-2]) * FPS / 2
    assert torch.allclose(seen.image_fit.velocity[0, 1:-1, 0], central, atol=0.01)
    assert torch.equal(seen.motion.around.velocity, states.velocity)

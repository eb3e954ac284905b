"""Turns are found again in the boxes that the renderer's own geometry gives turned cubes."""

import math

import numpy as np
import pytest
import torch

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.silhouette import outline_boxes
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from models.pcr.tracks.yaw_filter import YawTrack, track_yaw

FRAMES = 60
STEP = math.pi / 48
CUBE = ObjectSpec(Color.RED, Shape.CUBE, Material.RUBBER)


def seen_cube(start: tuple[float, float], end: tuple[float, float], yaw: np.ndarray) -> YawTrack:
    """What is found about a cube that goes from one place to another, turned as `yaw` [T] says."""
    camera = Camera()
    place = np.linspace(start, end, FRAMES)
    centre = np.concatenate([place, np.full((FRAMES, 1), OBJECT_RADIUS)], axis=1)[:, None]
    zero = np.zeros(FRAMES)
    turns = np.stack([zero, zero, np.sin(yaw / 2), np.cos(yaw / 2)], axis=-1)[:, None]
    boxes = torch.from_numpy(outline_boxes(Clip((CUBE,), centre, turns), camera)).float()
    extent = boxes[..., 2] - boxes[..., 0]
    return track_yaw(extent, torch.from_numpy(place).float()[:, None], torch.ones(FRAMES, 1).bool(), camera.width)


def off(found: torch.Tensor, yaw: np.ndarray) -> torch.Tensor:
    """Error of a turn, in radians: a quarter turn is none."""
    quarter = math.pi / 2
    return (torch.remainder(found[:, 0] - torch.from_numpy(yaw) + quarter / 2, quarter) - quarter / 2).abs()


@pytest.mark.parametrize("yaw", [0.3, 0.6, 1.1, 1.4])
def test_the_side_shows_as_the_line_of_sight_turns(yaw: float):
    truth = np.full(FRAMES, yaw)
    found = seen_cube((1.0, -1.8), (1.2, 1.8), truth)
    assert off(found.yaw, truth).max() < 1.5 * STEP
    assert found.spin.abs().max() < 0.6


def test_at_rest_the_turn_is_known_but_for_the_side():
    truth = np.full(FRAMES, 0.4)
    found = seen_cube((0.5, 0.0), (0.5, 0.0), truth)
    either = torch.minimum(off(found.yaw, truth), off(found.yaw, -truth))
    assert either.max() < 1.5 * STEP


def test_a_spin_is_followed():
    truth = 0.2 + 0.5 * np.arange(FRAMES) / FPS
    found = seen_cube((1.0, -1.5), (1.0, 1.5), truth)
    assert off(found.yaw, truth)[10:-10].max() < 3 * STEP
    assert found.spin[10:-10].mean().item() == pytest.approx(0.5, abs=0.15)

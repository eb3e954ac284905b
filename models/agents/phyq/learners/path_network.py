"""A network of ours: what an action does depends on what its bird meets, so features are read along the free flight of each
release degree, and all degrees share the same weights.

Shapes: views [B, C, 120, 160]; F channels; A = 180 actions, K points of a flight.
"""

import math
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import grid_sample

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, LOWEST_DEGREE
from comphy.puzzles.phyq.benchmark.scene import HEIGHT, WIDTH, to_pixel
from comphy.puzzles.phyq.world.constants import GRAVITY
from comphy.puzzles.phyq.world.launch import Shot

POINTS: Final = 32  # of a flight
PATCH: Final = 4  # cells of the view to one of the feature map


class FlightPathNetwork(nn.Module):
    """Convolutions over the view; features along each flight, with where and how fast the bird is; convolutions along the
    flight; the strongest of each channel, with what there is anywhere in the view, gives Q."""

    flights: Tensor
    motion: Tensor

    def __init__(self, channels: int, width: int, hidden: int) -> None:
        super().__init__()
        self.view = nn.Sequential(
            nn.Conv2d(channels, width, PATCH, stride=PATCH),
            nn.ReLU(),
            _Residual(width, 1),
            _Residual(width, 2),
            _Residual(width, 4),
        )
        grid, motion = free_flights()
        self.register_buffer("flights", grid, persistent=False)
        self.register_buffer("motion", motion, persistent=False)
        self.along = nn.Sequential(
            nn.Conv2d(width + len(motion), hidden, (1, 3), padding=(0, 1)),
            nn.ReLU(),
            nn.Conv2d(hidden, hidden, (1, 5), padding=(0, 2)),
            nn.ReLU(),
            nn.Conv2d(hidden, hidden, (1, 5), padding=(0, 4), dilation=(1, 2)),
            nn.ReLU(),
        )
        self.anywhere = nn.Linear(2 * width, hidden)
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, views: Tensor) -> Tensor:
        features = self.view(views)  # [B, F, 30, 40]
        batch = len(views)
        met = grid_sample(features, self.flights.expand(batch, -1, -1, -1), align_corners=False)  # [B, F, A, K]
        flown = self.along(torch.cat([met, self.motion.expand(batch, -1, -1, -1)], dim=1)).amax(dim=3)  # [B, F, A]
        anywhere = self.anywhere(torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1))
        both = torch.cat([flown.transpose(1, 2), anywhere[:, None].expand(-1, DEGREES, -1)], dim=2)
        found: Tensor = self.head(both).squeeze(2)
        return found


class _Residual(nn.Module):
    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation), nn.ReLU(), nn.Conv2d(width, width, 1)
        )

    def forward(self, features: Tensor) -> Tensor:
        found: Tensor = torch.relu(features + self.layers(features))
        return found


def free_flights() -> tuple[Tensor, Tensor]:
    """Where birds are, as `grid_sample` wants it [A, K, 2], and time, velocity and place there [5, A, K]: at equal
    intervals from the release to the ground, whatever is in the way."""
    places = torch.zeros(DEGREES, POINTS, 2)
    motion = torch.zeros(5, DEGREES, POINTS)
    for action in range(DEGREES):
        shot = Shot.at(float(LOWEST_DEGREE + action))
        whole = seconds_to_ground(shot)
        for point in range(POINTS):
            seconds = whole * (point + 0.5) / POINTS
            (x, y), (vx, vy) = shot.start, shot.velocity
            x, y = x + vx * seconds, y + (vy - GRAVITY * seconds / 2) * seconds
            right, down = to_pixel((x, y))
            places[action, point] = torch.tensor([2 * right / WIDTH - 1, 2 * down / HEIGHT - 1])
            angle = math.atan2(vy - GRAVITY * seconds, vx)
            motion[:, action, point] = torch.tensor(
                [seconds / 4, math.cos(angle), math.sin(angle), float(places[action, point, 0]), y / 4]
            )
    return places, motion

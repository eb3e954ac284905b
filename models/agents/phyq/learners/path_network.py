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
from comphy.puzzles.phyq.benchmark.observing.scene import HEIGHT, WIDTH, to_pixel
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, LOWEST_DEGREE
from comphy.puzzles.phyq.world.constants import GRAVITY
from comphy.puzzles.phyq.world.launch import Shot

POINTS: Final = 32  # of a flight
PATCH: Final = 4  # cells of the view to one of the feature map


class FlightPathNetwork(nn.Module):
    """Convolutions over the view; features at points along each flight, with where and how fast the bird is there. Q is
    made of the features where the bird first meets something, those anywhere on its flight and those anywhere in the view.

    Where it first meets something is worked out as in volume rendering: each point stops the bird with a learned
    probability, and a point counts as far as the bird comes to it and is stopped there.
    """

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
        self.point = nn.Sequential(
            nn.Linear(width + motion.shape[-1], hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.stop = nn.Linear(hidden, 1)
        self.anywhere = nn.Linear(2 * width, hidden)
        self.head = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, views: Tensor) -> Tensor:
        features = self.view(views)  # [B, F, 30, 40]
        batch = len(views)
        met = grid_sample(features, self.flights.expand(batch, -1, -1, -1), align_corners=False)  # [B, F, A, K]
        points = self.point(torch.cat([met.movedim(1, 3), self.motion.expand(batch, -1, -1, -1)], dim=3))
        first = (first_hits(self.stop(points)) * points).sum(dim=2)  # [B, A, F]
        anywhere = self.anywhere(torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1))
        both = torch.cat([first, points.amax(dim=2), anywhere[:, None].expand(-1, DEGREES, -1)], dim=2)
        found: Tensor = self.head(both).squeeze(2)
        return found


def first_hits(stops: Tensor) -> Tensor:
    """The probability that a bird is first stopped at each point [B, A, K, 1], from logits that a point stops it."""
    passes = nn.functional.logsigmoid(-stops)
    before = torch.cumsum(passes, dim=2) - passes
    return torch.exp(before + nn.functional.logsigmoid(stops))


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
    """Where birds are, as `grid_sample` wants it [A, K, 2], and time, heading and place there [A, K, 5]: at equal
    intervals from the release to the ground, whatever is in the way."""
    places = torch.zeros(DEGREES, POINTS, 2)
    motion = torch.zeros(DEGREES, POINTS, 5)
    for action in range(DEGREES):
        shot = Shot.at(float(LOWEST_DEGREE + action))
        (x, y), (vx, vy) = shot.start, shot.velocity
        for point in range(POINTS):
            seconds = seconds_to_ground(shot) * (point + 0.5) / POINTS
            right, down = to_pixel((x + vx * seconds, y + (vy - GRAVITY * seconds / 2) * seconds))
            place = (2 * right / WIDTH - 1, 2 * down / HEIGHT - 1)
            angle = math.atan2(vy - GRAVITY * seconds, vx)
            places[action, point] = torch.tensor(place)
            motion[action, point] = torch.tensor([seconds / 4, math.cos(angle), math.sin(angle), *place])
    return places, motion

"""The camera that a set was filmed with, from its tracked boxes: robust bundle adjustment with the places eliminated.

All objects have one known size and stand on one plane. A box has four edges; its object's place on the ground (of a cube
also the yaw) is unknown, so each box leaves one or two equations for the three numbers of the camera: focal length, height
and tilt. Widths alone fix two of them, since on a plane the width of an object's image is linear in its height in the
picture; the third follows from how much of the objects' tops is seen, and from how perspective stretches what is off the
axis. A weak prior around the benchmark's camera holds what the boxes do not tell.

The shape of an object is hidden: of every track the three shapes are tried, and the one that fits best counts.

Shapes: B boxes, H hypotheses of shape and first yaw, K tracks. Residuals are in pixels of a picture 480 wide.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.tracks.projection import Projection
from models.pcr.tracks.standing_boxes import StandingBoxes

PRIOR: Final = (0.25, 0.25, math.radians(12))  # standard deviations of log focal length, log height and tilt
DETERMINED: Final = (0.10, 0.10, math.radians(5))  # estimates that are less sure are not used
FEWEST_BOXES: Final = 6

_PIXELS: Final = float(BENCHMARK.width)
_LEAST_NOISE: Final = 0.1  # pixels: no perceiver places edges better
_FIRST_NOISE: Final = 2.0  # pixels, before the fit says how far off edges are
_CAUCHY: Final = 2.385  # standard deviations at which the weight of a residual is a half
_CUBE_PENALTY: Final = 2.0  # for each box, since the yaw of a cube is one more free number (Akaike)
_YAWS: Final = tuple(math.radians(degrees) for degrees in (11.25, 33.75, 56.25, 78.75))
_KINDS: Final = (Shape.SPHERE, Shape.CYLINDER, Shape.CUBE)
_HYPOTHESES: Final = (0.0, 0.0, *_YAWS)  # first yaws: of a sphere, a cylinder and cubes
_STARTS: Final = tuple((f, h, t) for f, h in ((-0.15, 0.1), (0.0, 0.0), (0.15, -0.1)) for t in (-0.1, 0.1))
_COARSE: Final = 4  # boxes of a track by which starts are compared
_ROUNDS: Final = (5, 20)  # most iterations from every start, and from the best ones
_BEST: Final = 2  # starts that are gone on with
_ENOUGH: Final = 1e-3  # a change of the cost this small ends the fit; one standard deviation changes it by 1
_APART: Final = 0.02  # how much the numbers of two starts must differ for both to be gone on with
_NORMAL: Final = 1.4826  # standard deviations of a normal distribution in its median deviation
_STEP: Final = 1e-6  # of numerical derivatives


@dataclass(frozen=True)
class CameraEstimate:
    """`camera` as estimated from `boxes` views in `tracks` tracks; standard deviations of its focal length and height as
    shares of them, and of its tilt in degrees. `noise`: how far edges are off, in pixels of a picture 480 wide."""

    camera: Camera
    focal_deviation: float
    height_deviation: float
    tilt_deviation: float
    noise: float
    boxes: int
    tracks: int

    @property
    def too_few(self) -> bool:
        return self.boxes < FEWEST_BOXES

    @property
    def determined(self) -> bool:
        """Whether the boxes tell enough for the estimate to be used."""
        found = (self.focal_deviation, self.height_deviation, math.radians(self.tilt_deviation))
        return not self.too_few and all(a <= b for a, b in zip(found, DETERMINED, strict=True))


@dataclass(frozen=True)
class _State:
    """numbers [3]: log focal length in widths, log height, tilt in radians. poses [H, B, 3]: place and yaw under each
    hypothesis, damping [H, B] of their next step; residuals [H, B, 4]; noise in pixels; cost: minus twice the log
    posterior; choice [B]: the hypothesis that counts for each box."""

    numbers: Tensor
    poses: Tensor
    damping: Tensor
    residuals: Tensor
    noise: float
    cost: float
    choice: Tensor


def tilt_of(camera: Camera) -> float:
    """Degrees that its axis points below the horizon."""
    return math.degrees(math.asin(-camera.axes()[2][2]))


def estimate_camera(seen: StandingBoxes) -> CameraEstimate:
    """The camera under which the boxes are best explained by objects of the known size on one plane."""
    if len(seen) < FEWEST_BOXES:
        return CameraEstimate(
            BENCHMARK, PRIOR[0], PRIOR[1], math.degrees(PRIOR[2]), _LEAST_NOISE, len(seen), seen.tracks
        )
    coarse, fit = _Fit(seen.thinned(_COARSE)), _Fit(seen)
    starts = [_benchmark() + torch.tensor(offset, dtype=torch.float64) for offset in _STARTS]
    begun = sorted((coarse.run(coarse.start(start), _ROUNDS[0]) for start in starts), key=lambda state: state.cost)
    found = [fit.run(fit.start(numbers), _ROUNDS[1]) for numbers in _distinct([state.numbers for state in begun])]
    noise = min(fit.noise_of(state) for state in found)
    final = min((fit.run(fit.judged(state, noise), _ROUNDS[1]) for state in found), key=lambda state: state.cost)
    focal, height, tilt = fit.deviations(final)
    return CameraEstimate(
        _camera(final.numbers), focal, height, math.degrees(tilt), final.noise, len(seen), seen.tracks
    )


def _distinct(numbers: Sequence[Tensor]) -> list[Tensor]:
    """The first of several that differ."""
    kept: list[Tensor] = []
    for one in numbers:
        if all((one - other).abs().max() > _APART for other in kept):
            kept.append(one)
    return kept[:_BEST]


def _camera(numbers: Tensor) -> Camera:
    focal, height, tilt = numbers.tolist()
    return tilted_camera(math.exp(focal), math.exp(height), math.degrees(tilt))


def _benchmark() -> Tensor:
    focal, height = math.log(BENCHMARK.focal / BENCHMARK.width), math.log(BENCHMARK.position[2])
    return torch.tensor([focal, height, math.radians(tilt_of(BENCHMARK))], dtype=torch.float64)


class _Fit:
    """Levenberg-Marquardt on the camera; places and yaws are fitted anew to every camera that is tried (variable
    projection)."""

    def __init__(self, seen: StandingBoxes) -> None:
        self._boxes = seen.boxes.double()
        self._track = seen.track
        self._tracks = seen.tracks
        self._mean = _benchmark()
        self._precision = torch.tensor(PRIOR, dtype=torch.float64) ** -2

    def start(self, numbers: Tensor) -> _State:
        """Places as the middles of boxes tell them."""
        count = len(self._boxes)
        places = _ground(self._boxes, _camera(numbers)).expand(len(_HYPOTHESES), count, 2)
        yaws = torch.tensor(_HYPOTHESES, dtype=torch.float64)[:, None].expand(-1, count)
        poses = torch.cat([places, yaws[..., None]], dim=-1)
        damping = torch.full(poses.shape[:2], 1e-3, dtype=torch.float64)
        state = _State(numbers, poses, damping, self._residuals(numbers, poses), _FIRST_NOISE, math.inf, self._track)
        return self.judged(self._posed(state, rounds=5), _FIRST_NOISE)

    def run(self, state: _State, rounds: int) -> _State:
        """Steps that lower the cost, until they are small."""
        damping = 1e-3
        for _ in range(rounds):
            step = self._step(state, damping)
            trial = self._moved(state, state.numbers + step)
            gain = state.cost - trial.cost
            if gain > 0:
                state, damping = trial, damping / 5
            else:
                damping *= 8
            if abs(gain) < _ENOUGH:
                break
        return state

    def _moved(self, state: _State, numbers: Tensor) -> _State:
        low, high = self._mean - 1.0, self._mean + 1.0
        low[2], high[2] = math.radians(3), math.radians(87)
        numbers = numbers.clamp(low, high)
        residuals = self._residuals(numbers, state.poses)
        moved = self._posed(replace(state, numbers=numbers, residuals=residuals), rounds=2)
        return self.judged(moved, state.noise)

    def _residuals(self, numbers: Tensor, poses: Tensor) -> Tensor:
        """[..., H, B, 4] in pixels, of poses [..., H, B, 3]."""
        projection = Projection.of(self._boxes, _camera(numbers))
        found = [
            projection.outline(kind, pose[..., :2], pose[..., 2])
            for kind, pose in zip(_KINDS, poses.split([1, 1, len(_YAWS)], dim=-3), strict=True)
        ]
        return (torch.cat(found, dim=-3) - self._boxes) * _PIXELS

    def _posed(self, state: _State, rounds: int) -> _State:
        """Places and yaws nearer to those that fit the camera best, each box by itself."""
        for _ in range(rounds):
            jacobian = self._by_pose(state)
            normal = jacobian.mT @ jacobian
            diagonal = normal.diagonal(dim1=-2, dim2=-1)
            normal = normal + torch.diag_embed(diagonal * state.damping[..., None] + 1e-6)
            slope = jacobian.mT @ state.residuals[..., None]
            step = -torch.linalg.solve(normal, slope)[..., 0]
            trial = state.poses + torch.cat([step[..., :2].clamp(-0.5, 0.5), step[..., 2:].clamp(-0.3, 0.3)], dim=-1)
            residuals = self._residuals(state.numbers, trial)
            better = residuals.square().sum(dim=-1) < state.residuals.square().sum(dim=-1)
            state = replace(
                state,
                poses=torch.where(better[..., None], trial, state.poses),
                residuals=torch.where(better[..., None], residuals, state.residuals),
                damping=torch.where(better, state.damping / 5, state.damping * 8).clamp(1e-9, 1e6),
            )
        return state

    def judged(self, state: _State, noise: float) -> _State:
        """The same with the best hypothesis of every track, and the cost if edges are off by `noise`."""
        robust = _CAUCHY**2 * torch.log1p((state.residuals / (_CAUCHY * noise)).square()).sum(dim=-1)  # [H, B]
        cubes = len(_HYPOTHESES) - len(_YAWS)
        cube, start = robust[cubes:].min(dim=0)
        of_shape = torch.cat([robust[:cubes], cube[None] + _CUBE_PENALTY])
        of_track = torch.zeros(len(of_shape), self._tracks, dtype=torch.float64).index_add(1, self._track, of_shape)
        least, shape = of_track.min(dim=0)
        shape = shape[self._track]
        choice = torch.where(shape == cubes, cubes + start, shape)
        prior = (self._precision * (state.numbers - self._mean).square()).sum()
        return replace(state, noise=noise, cost=float(least.sum() + prior), choice=choice)

    def noise_of(self, state: _State) -> float:
        """How far edges are off, by the median of what the fit leaves. A box spends two of its four edges on its place, and
        one more on the yaw of a cube."""
        free = torch.where(state.choice < len(_HYPOTHESES) - len(_YAWS), 2.0, 1.0).double()
        left = self._chosen(state.residuals, state).abs() * (4 / free).sqrt()[:, None]
        return max(_LEAST_NOISE, _NORMAL * float(left.median()))

    def _chosen(self, values: Tensor, state: _State) -> Tensor:
        """[B, ...] of [H, B, ...]."""
        return values[state.choice, torch.arange(values.shape[1])]

    def _reduced(self, state: _State) -> tuple[Tensor, Tensor]:
        """Residuals [B, 4] and their derivatives [B, 4, 3] by the camera, weighted, in standard deviations, without what a
        change of place and yaw can make of them."""
        residuals = self._chosen(state.residuals, state)[..., None]  # [B, 4, 1]
        weight = (1 + (residuals / (_CAUCHY * state.noise)).square()).rsqrt() / state.noise
        by_pose = self._chosen(self._by_pose(state), state) * weight
        both = torch.cat([self._chosen(self._by_camera(state), state), residuals], dim=-1) * weight
        normal = by_pose.mT @ by_pose + 1e-9 * torch.eye(3, dtype=torch.float64)
        both = both - by_pose @ torch.linalg.solve(normal, by_pose.mT @ both)
        return both[..., 3], both[..., :3]

    def _by_pose(self, state: _State) -> Tensor:
        """[H, B, 4, 3]: derivatives of the residuals by place and yaw."""
        steps = (_STEP * torch.eye(3, dtype=torch.float64))[:, None, None]
        ahead, back = self._residuals(state.numbers, torch.stack([state.poses + steps, state.poses - steps]))
        return ((ahead - back) / (2 * _STEP)).movedim(0, -1)

    def _by_camera(self, state: _State) -> Tensor:
        """[H, B, 4, 3]: derivatives of the residuals by the numbers of the camera."""
        steps = _STEP * torch.eye(3, dtype=torch.float64)
        columns = [
            self._residuals(state.numbers + step, state.poses) - self._residuals(state.numbers - step, state.poses)
            for step in steps
        ]
        return torch.stack(columns, dim=-1) / (2 * _STEP)

    def _normal(self, state: _State) -> tuple[Tensor, Tensor, Tensor]:
        """Normal equations [3, 3] and the gradient [3] of the cost, halved, and its share of each track [K, 3]."""
        residuals, jacobian = self._reduced(state)
        slopes = (jacobian * residuals[..., None]).sum(dim=1)
        of_track = torch.zeros(self._tracks, 3, dtype=torch.float64).index_add(0, self._track, slopes)
        normal = torch.einsum("bei,bej->ij", jacobian, jacobian) + self._precision.diag()
        return normal, of_track.sum(dim=0) + self._precision * (state.numbers - self._mean), of_track

    def _step(self, state: _State, damping: float) -> Tensor:
        normal, slope, _ = self._normal(state)
        return -torch.linalg.solve(normal + damping * normal.diagonal().diag(), slope)

    def deviations(self, state: _State) -> tuple[float, float, float]:
        """Standard deviations of the three numbers: the larger of what the curvature of the cost says and of the sandwich
        estimate over tracks, since errors within a track are alike."""
        normal, _, of_track = self._normal(state)
        inverse = torch.linalg.inv(normal)
        centred = of_track - of_track.mean(dim=0)
        between = centred.T @ centred * self._tracks / max(self._tracks - 1, 1) + self._precision.diag()
        sandwich = inverse @ between @ inverse
        focal, height, tilt = torch.maximum(inverse.diagonal(), sandwich.diagonal()).sqrt().tolist()
        return focal, height, tilt


def _ground(boxes: Tensor, camera: Camera) -> Tensor:
    """[B, 2]: places whose centres are seen in the middles of boxes; at most three times as far away as the axis meets the
    table."""
    projection = Projection.of(boxes, camera)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2 - boxes.new_tensor([0.5, projection.height / 2])
    ray = projection.forward + (middle[:, :1] * projection.right + middle[:, 1:] * projection.down) / projection.focal
    above = camera.position[2] - OBJECT_RADIUS
    distance = above / (-ray[:, 2]).clamp(min=-float(projection.forward[2]) / 3)
    return projection.position[:2] + ray[:, :2] * distance[:, None]

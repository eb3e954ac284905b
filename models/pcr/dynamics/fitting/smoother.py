"""The motion of a video's objects as a linear-Gaussian model: the learned laws, linearised about given states, and the edges
of boxes, measured through the silhouette of a shape.

An object's state (place, velocity, yaw, spin) is propagated by the learned laws of free motion. An impact is a jump of
velocity along the contact normal, and of a cube's spin, in the frames in which two footprints nearly touch.

Shapes: V videos, T frames, N objects, P pairs, D = 6 state components.
"""

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.fitting.kalman import LinearModel, Posterior, smooth, times
from models.pcr.dynamics.predictor import Dynamics, Edges
from models.pcr.dynamics.state import Bodies, State
from models.pcr.dynamics.time_of_impact import Moving, approach, next_impact
from models.pcr.executor.soft_scene import both_of
from models.pcr.tracks.ground_plane import GroundTracks
from models.pcr.tracks.projection import Projection
from models.pcr.tracks.tensor_trees import mapped

STATE_SIZE: Final = 6  # x, y, velocity along x and y, yaw, spin
YAW, SPIN = 4, 5
_STEP: Final = 1 / FPS
_CUBE: Final = tuple(Shape).index(Shape.CUBE)
_DIFFERENCE: Final = 1e-4  # of a state component, for numerical derivatives

# Standard deviations of the prior state at frame 0, and of what the laws of free motion leave unexplained in a frame.
_PRIOR: Final = (10.0, 10.0, 2.0, 2.0, 0.6, 0.05)
_DRIFT: Final = (1e-4, 1e-4, 2e-3, 2e-3, 1e-3, 2e-2)
# Standard deviations of what an impact changes: velocity along the contact normal and across it, and a cube's spin.
_JUMP_ALONG: Final = 0.7
_JUMP_ACROSS: Final = 0.03
_JUMP_SPIN: Final = 4.0
# Standard deviation of a box edge in image widths: at first, and the range in which it is estimated for each video.
_EDGE_NOISE: Final = 0.5 / 480
_EDGE_NOISE_RANGE: Final = (0.05 / 480, 2 / 480)
_CUT_NOISE: Final = 6.0  # times as much, for edges beside an image border that cuts the object off
_BORDER: Final = 2 / 480  # widths from the border, within which an object may be cut off
_OUTLIER: Final = 3.0  # standard deviations from which a residual counts as an outlier (Cauchy weights)


@dataclass(frozen=True)
class MotionSmoother:
    """What stays the same over the iterations of a fit; all floating-point numbers are of double precision."""

    dynamics: Dynamics
    bodies: Bodies
    edges: Edges
    projection: Projection
    boxes: Tensor
    unhidden: Tensor
    cut: Tensor  # [V, T, N, 4]: factors of the edges' noise

    @staticmethod
    def of(dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks) -> "MotionSmoother":
        boxes = tracks.boxes.double()
        bodies = mapped(bodies, lambda part: part.double() if part.is_floating_point() else part)
        projection = Projection.of(boxes, tracks.camera)
        size = boxes.new_tensor([1.0, projection.height])
        border = (boxes[..., :2] < _BORDER) | (boxes[..., 2:] > size - _BORDER)
        beside = border.flip(-1).repeat(1, 1, 1, 2)  # the edges whose corners a border at the side may have cut off
        cut = torch.where(beside, _CUT_NOISE, 1.0).to(boxes.dtype)
        dynamics = dynamics.in_double()
        return MotionSmoother(dynamics, bodies, dynamics.edges(bodies), projection, boxes, tracks.unhidden, cut)

    def rows(self, rows: Tensor) -> "MotionSmoother":
        """The same for some of the videos."""
        bodies, edges = mapped(self.bodies, lambda part: part[rows]), mapped(self.edges, lambda part: part[rows])
        boxes, unhidden, cut = (part[rows] for part in (self.boxes, self.unhidden, self.cut))
        return MotionSmoother(self.dynamics, bodies, edges, self.projection.rows(rows), boxes, unhidden, cut)

    def fit(self, states: Tensor, margins: tuple[float, ...]) -> tuple[Tensor, Posterior]:
        """Iterate from states [V, T, N, 6]: linearise about the states, smooth, take the means as the new states."""
        for number, margin in enumerate(margins):
            posterior = smooth(self.linearised(states, margin, first=number == 0))
            states = posterior.mean.unflatten(0, (len(states), -1)).transpose(1, 2)
        return states, posterior

    def charged(self, pair: int, charge: float) -> "MotionSmoother":
        """The same if one pair had a charge, and no other."""
        charges = torch.zeros_like(self.edges.charge)
        charges[:, pair] = charge
        return replace(self, edges=replace(self.edges, charge=charges))

    def linearised(self, states: Tensor, margin: float, first: bool = False) -> LinearModel:
        """The motion of all objects about states [V, T, N, 6], M = V * N. Impacts are possible below a gap of `margin`. With
        `first`, the noise of edges is not estimated by what these states leave unexplained."""
        transition, offset = self.free_motion(states)
        observation, measured, variance = self._measurements(states, first)
        prior = states.new_tensor(_PRIOR)
        mean = torch.zeros_like(states[:, 0])
        mean[..., :2], mean[..., YAW] = states[:, 0, :, :2], states[:, 0, :, YAW]
        covariance = torch.diag_embed(prior.square()).expand(*mean.shape, STATE_SIZE)
        process = self._process_noise(states, margin)
        parts = (process[:, :-1], observation, measured, variance)
        return LinearModel(
            mean.flatten(0, 1), covariance.flatten(0, 1), transition, offset, *(_series(part) for part in parts)
        )

    def free_motion(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Transition and offset of the linear model about states."""
        ahead, transition = self.drift(states)
        offset = ahead - times(transition, states)
        return _series(transition[:, :-1]), _series(offset[:, :-1])

    def drift(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """The next states without impacts, and their derivatives [V, T, N, 6, 6]."""
        frames = states.shape[1]
        edges, there = (
            mapped(self.edges, lambda part: _each_frame(part, frames)),
            _each_frame(self.bodies.there, frames),
        )
        flat = states.flatten(0, 1)
        sources = _state(flat)
        charge = self.dynamics.field_strength(sources, edges, there)

        def moved(changed: Tensor) -> Tensor:
            return _vector(self.dynamics.drift(_state(changed), sources, edges, charge))

        ahead = moved(flat)
        away = _DIFFERENCE * torch.eye(STATE_SIZE, dtype=flat.dtype, device=flat.device)
        columns = [(moved(flat + away[part]) - ahead) / _DIFFERENCE for part in range(STATE_SIZE)]
        return ahead.unflatten(0, states.shape[:2]), torch.stack(columns, dim=-1).unflatten(0, states.shape[:2])

    def _process_noise(self, states: Tensor, margin: float) -> Tensor:
        """[V, T, N, 6, 6]: small everywhere, and large where an impact is possible. It happens at any time of a frame, so
        what it adds to the velocity adds to the place as well (the covariance of a jump at a uniformly random time)."""
        near, normal = self._contacts(states, margin)
        plane = torch.eye(2, dtype=states.dtype, device=states.device)
        jump = normal[..., :, None] * normal[..., None, :] * _JUMP_ALONG**2 + plane * _JUMP_ACROSS**2
        jump = self._of_objects((jump * near[..., None, None]).flatten(-2)).unflatten(-1, (2, 2))
        hit = self._of_objects(near[..., None].to(states.dtype))[..., 0].clamp(max=1)
        spun = hit * self.bodies.shape[:, None, :, _CUBE] * _JUMP_SPIN**2
        noise = torch.diag_embed(states.new_tensor(_DRIFT).square()).expand(*states.shape, STATE_SIZE).clone()
        blocks = (
            (slice(0, 2), slice(2, 4), jump),
            (slice(YAW, YAW + 1), slice(SPIN, SPIN + 1), spun[..., None, None]),
        )
        for place, rate, change in blocks:
            noise[..., place, place] += change * _STEP**2 / 3
            noise[..., place, rate] += change * _STEP / 2
            noise[..., rate, place] += change * _STEP / 2
            noise[..., rate, rate] += change
        return noise

    def _moving(self, states: Tensor) -> Moving:
        """The objects of all frames [V * T, N]."""
        core, rounding = (_each_frame(part, states.shape[1]) for part in (self.edges.core, self.edges.rounding))
        now = _state(states.flatten(0, 1))
        return Moving(now.position, now.velocity, *now.rotation(), core, rounding)

    def nearness(self, states: Tensor) -> Tensor:
        """[V, T, P, 4]: see `FittedMotion`."""
        pairs, moving = self.dynamics.pairs, self._moving(states)
        met, closing = approach(moving.side(pairs[:, 0]), moving.side(pairs[:, 1]))
        impact = next_impact(moving, pairs, _STEP)
        least = torch.where(impact.closing > 0, impact.closing * (impact.moment - _STEP), impact.contact.gap)
        ahead, _ = self.drift(states)
        sudden = torch.zeros_like(ahead[..., 2:4])
        sudden[:, :-1] = states[:, 1:, :, 2:4] - ahead[:, :-1, :, 2:4]
        pushed = (sudden[:, :, pairs[:, 0]] - sudden[:, :, pairs[:, 1]]).flatten(0, 1)
        changed = (pushed * met.normal).sum(dim=-1)
        found = torch.stack([met.gap, torch.minimum(least, met.gap), closing, changed], dim=-1)
        return found.unflatten(0, states.shape[:2])

    def _contacts(self, states: Tensor, margin: float) -> tuple[Tensor, Tensor]:
        """[V, T, P]: pairs that may touch before the next frame; and normals [V, T, P, 2]."""
        pairs, moving = self.dynamics.pairs, self._moving(states)
        met, closing = approach(moving.side(pairs[:, 0]), moving.side(pairs[:, 1]))
        reached = met.gap - closing.clamp(min=0) * _STEP
        gap, reached, normal = (part.unflatten(0, states.shape[:2]) for part in (met.gap, reached, met.normal))
        later = torch.cat([gap[:, 1:], gap[:, -1:]], dim=1)
        both = both_of(self.bodies.there, pairs)[:, None]
        return both & (torch.minimum(reached, later) < margin), normal

    def _of_objects(self, values: Tensor) -> Tensor:
        """[V, T, P, K] to [V, T, N, K]: the sum over the pairs of an object."""
        return self.dynamics.incidence @ torch.cat([values, values], dim=2)

    def _measurements(self, states: Tensor, first: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Observation [V, T, N, 4, 6], measured values and their variances [V, T, N, 4], linearised about the states. After
        the first iteration the noise of a video's edges is estimated by their median absolute residual, and outliers get
        Cauchy weights."""
        shape = self.bodies.shape[:, None].expand(*states.shape[:3], -1)
        place, yaw = states[..., :2], states[..., YAW]
        here = self.projection.boxes(place, yaw, shape)
        observation = states.new_zeros(*here.shape, STATE_SIZE)
        away = _DIFFERENCE * torch.eye(2, dtype=states.dtype, device=states.device)
        for part in range(2):
            observation[..., part] = (self.projection.boxes(place + away[part], yaw, shape) - here) / _DIFFERENCE
        observation[..., YAW] = (self.projection.boxes(place, yaw + _DIFFERENCE, shape) - here) / _DIFFERENCE
        residual = (self.boxes - here) / self.cut
        noise = torch.full_like(here[:, :1, :1, :1], _EDGE_NOISE)
        weight = torch.ones_like(residual)
        if not first:
            noise = self._edge_noise(residual)[:, None, None, None]
            weight = 1 / (1 + (residual / (_OUTLIER * noise)).square())
        seen = self.unhidden.to(states.dtype)
        observation = observation * seen[..., None]
        measured = (self.boxes - here) * seen + times(observation, states)
        variance = torch.where(self.unhidden, (noise * self.cut).square() / weight, _EDGE_NOISE**2)
        return observation, measured, variance

    def _edge_noise(self, residual: Tensor) -> Tensor:
        """[V]: the standard deviation of a video's edges by their median absolute residual [V, T, N, 4]."""
        typical = torch.where(self.unhidden, residual.abs(), torch.nan).flatten(1).nanmedian(dim=1).values
        return (1.4826 * typical.nan_to_num(_EDGE_NOISE)).clamp(*_EDGE_NOISE_RANGE)

    def cubes(self, which: int) -> Tensor:
        """The videos in which object number `which` is a cube."""
        return ((self.bodies.shape[:, which, _CUBE] > 0.5) & self.bodies.there[:, which]).nonzero()[:, 0]

    def cube(self, states: Tensor, rows: Tensor, which: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What yaw hypotheses need to know of object number `which` in some videos: boxes, where they are seen whole,
        places, and the noise of edges."""
        shape = self.bodies.shape[:, None].expand(*states.shape[:3], -1)
        residual = (self.boxes - self.projection.boxes(states[..., :2], states[..., YAW], shape)) / self.cut
        whole = self.unhidden[rows, :, which].all(dim=-1)
        return self.boxes[rows, :, which], whole, states[rows, :, which, :2], self._edge_noise(residual)[rows]


def _state(vector: Tensor) -> State:
    return State(vector[..., :2], vector[..., 2:4], None, vector[..., YAW], vector[..., SPIN])


def _vector(state: State) -> Tensor:
    yaw, spin = state.rotation()
    return torch.cat([state.position, state.velocity, yaw[..., None], spin[..., None]], dim=-1)


def _series(values: Tensor) -> Tensor:
    """[V, T, N, ...] to [V * N, T, ...]."""
    return values.transpose(1, 2).flatten(0, 1)


def _each_frame(values: Tensor, frames: int) -> Tensor:
    """[V, ...] to [V * T, ...]."""
    return values[:, None].expand(len(values), frames, *values.shape[1:]).flatten(0, 1)

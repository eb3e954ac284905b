"""States of motion fitted to whole tracks: an iterated extended Kalman smoother through the learned dynamics.

An object's state (place, velocity, yaw, spin) is propagated by the learned laws of free motion; the edges of its boxes are
measured through the silhouette of its shape. An impact is a jump of velocity along the contact normal, and of a cube's spin,
in the frames in which two footprints nearly touch. The smoother gives every frame's state given all frames, also while the
object is hidden, has not entered yet, or has left, with its uncertainty.

Shapes: V videos, T frames, N objects, P pairs, D = 6 state components, C samples.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.kalman import LinearModel, Posterior, smooth
from models.pcr.dynamics.predictor import Dynamics, Edges
from models.pcr.dynamics.state import Bodies, State
from models.pcr.dynamics.time_of_impact import Moving, approach, next_impact
from models.pcr.dynamics.yaw_hypotheses import sample_yaws
from models.pcr.executor.soft_scene import both_of
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.ground_plane import GroundTracks
from models.pcr.tracks.line_fits import Motion
from models.pcr.tracks.projection import Projection
from models.pcr.tracks.tensor_trees import mapped

_SIZE: Final = 6  # x, y, velocity along x and y, yaw, spin
_YAW, _SPIN = 4, 5
_STEP: Final = 1 / FPS
_CUBE: Final = tuple(Shape).index(Shape.CUBE)
_DIFFERENCE: Final = 1e-4  # of a state component, for numerical derivatives

# Standard deviations of the prior state at frame 0, and of what the laws of free motion leave unexplained in a frame.
_PRIOR: Final = (10.0, 10.0, 2.0, 2.0, 0.6, 0.05)
_DRIFT: Final = (1e-4, 1e-4, 4e-3, 4e-3, 1e-3, 2e-2)
# Standard deviations of what an impact changes: velocity along the contact normal and across it, and a cube's spin.
_JUMP_ALONG: Final = 0.7
_JUMP_ACROSS: Final = 0.03
_JUMP_SPIN: Final = 4.0
# Gaps in units below which an impact is possible, one for each iteration: the better the states, the narrower.
MARGINS: Final = (0.06, 0.06, 0.05, 0.04, 0.03, 0.02)
_REFINING: Final = MARGINS[-3:]  # for a fit that starts from a good one
# Standard deviation of a box edge in image widths: at first, and the range in which it is estimated for each video.
_EDGE_NOISE: Final = 0.5 / 480
_EDGE_NOISE_RANGE: Final = (0.15 / 480, 2 / 480)
_CUT_NOISE: Final = 6.0  # times as much, for edges beside an image border that cuts the object off
_BORDER: Final = 2 / 480  # widths from the border, within which an object may be cut off
_HYPOTHESES: Final = 6  # about the yaw of a cube
_OUTLIER: Final = 3.0  # standard deviations from which a residual counts as an outlier (Cauchy weights)


@torch.no_grad()
def fit_states(
    dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks, motion: Motion, samples: int = 0
) -> FittedMotion:
    """Fit the states of the bodies in V videos to their tracks. The line fits `motion` are the first guess. A video's
    states do not depend on the other videos."""
    smoother = _Smoother.of(dynamics, bodies, tracks)
    guess = _first_guess(tracks, motion)
    states, posterior = smoother.fit(_with_first_yaws(smoother, guess), MARGINS)
    states, posterior = _with_best_yaws(smoother, states, posterior)
    videos, frames, objects, _ = states.shape
    noise = torch.randn((samples, 1, objects, frames, _SIZE), generator=_rng()).to(states)  # the same for all videos
    drawn = posterior.sample(noise.expand(-1, videos, -1, -1, -1).flatten(1, 2))
    drawn = drawn.unflatten(1, (videos, objects)).permute(1, 0, 3, 2, 4)
    spread = posterior.covariance.unflatten(0, (videos, objects)).transpose(1, 2)
    deviation = (spread[..., 0, 0] + spread[..., 1, 1]).clamp(min=0).sqrt()
    return _motion(smoother, states, deviation, drawn, tracks)


@torch.no_grad()
def known_motion(dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks, states: Tensor) -> FittedMotion:
    """States [V, T, N, 6] that are known without a fit, as a fit would tell them: sure, without samples."""
    states = states.double()
    deviation, samples = torch.zeros_like(states[..., 0]), states[:, None][:, :0]
    return _motion(_Smoother.of(dynamics, bodies, tracks), states, deviation, samples, tracks)


def _motion(
    smoother: "_Smoother", states: Tensor, deviation: Tensor, samples: Tensor, tracks: GroundTracks
) -> FittedMotion:
    found = FittedMotion(
        states[..., :2],
        states[..., 2:4],
        states[..., _YAW],
        states[..., _SPIN],
        deviation,
        tracks.present.any(dim=1) & smoother.bodies.there,
        samples,
        smoother.nearness(states),
    )
    return mapped(found, lambda part: part.float() if part.is_floating_point() else part)


@dataclass(frozen=True)
class _Smoother:
    """What stays the same over the iterations of a fit; all floating-point numbers are of double precision."""

    dynamics: Dynamics
    bodies: Bodies
    edges: Edges
    projection: Projection
    boxes: Tensor
    unhidden: Tensor
    cut: Tensor  # [V, T, N, 4]: factors of the edges' noise

    @staticmethod
    def of(dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks) -> "_Smoother":
        boxes = tracks.boxes.double()
        bodies = mapped(bodies, lambda part: part.double() if part.is_floating_point() else part)
        projection = Projection.of(boxes)
        size = boxes.new_tensor([1.0, projection.height])
        border = (boxes[..., :2] < _BORDER) | (boxes[..., 2:] > size - _BORDER)
        beside = border.flip(-1).repeat(1, 1, 1, 2)  # the edges whose corners a border at the side may have cut off
        cut = torch.where(beside, _CUT_NOISE, 1.0).to(boxes.dtype)
        dynamics = dynamics.in_double()
        return _Smoother(dynamics, bodies, dynamics.edges(bodies), projection, boxes, tracks.unhidden, cut)

    def rows(self, rows: Tensor) -> "_Smoother":
        """The same for some of the videos."""
        bodies, edges = mapped(self.bodies, lambda part: part[rows]), mapped(self.edges, lambda part: part[rows])
        boxes, unhidden, cut = (part[rows] for part in (self.boxes, self.unhidden, self.cut))
        return _Smoother(self.dynamics, bodies, edges, self.projection, boxes, unhidden, cut)

    def fit(self, states: Tensor, margins: tuple[float, ...]) -> tuple[Tensor, Posterior]:
        """Iterate from states [V, T, N, 6]: linearise about the states, smooth, take the means as the new states."""
        for number, margin in enumerate(margins):
            posterior = smooth(self._linearised(states, margin, first=number == 0))
            states = posterior.mean.unflatten(0, (len(states), -1)).transpose(1, 2)
        return states, posterior

    def _linearised(self, states: Tensor, margin: float, first: bool) -> LinearModel:
        ahead, transition = self._drift(states)
        offset = ahead - _times(transition, states)
        observation, measured, variance = self._measurements(states, first)
        prior = states.new_tensor(_PRIOR)
        mean = torch.zeros_like(states[:, 0])
        mean[..., :2], mean[..., _YAW] = states[:, 0, :, :2], states[:, 0, :, _YAW]
        covariance = torch.diag_embed(prior.square()).expand(*mean.shape, _SIZE)
        process = self._process_noise(states, margin)
        parts = (transition[:, :-1], offset[:, :-1], process[:, :-1], observation, measured, variance)
        return LinearModel(
            mean.flatten(0, 1), covariance.flatten(0, 1), *(part.transpose(1, 2).flatten(0, 1) for part in parts)
        )

    def _drift(self, states: Tensor) -> tuple[Tensor, Tensor]:
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
        away = _DIFFERENCE * torch.eye(_SIZE, dtype=flat.dtype, device=flat.device)
        columns = [(moved(flat + away[part]) - ahead) / _DIFFERENCE for part in range(_SIZE)]
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
        noise = torch.diag_embed(states.new_tensor(_DRIFT).square()).expand(*states.shape, _SIZE).clone()
        blocks = (
            (slice(0, 2), slice(2, 4), jump),
            (slice(_YAW, _YAW + 1), slice(_SPIN, _SPIN + 1), spun[..., None, None]),
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
        ahead, _ = self._drift(states)
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
        place, yaw = states[..., :2], states[..., _YAW]
        here = self.projection.boxes(place, yaw, shape)
        observation = states.new_zeros(*here.shape, _SIZE)
        away = _DIFFERENCE * torch.eye(2, dtype=states.dtype, device=states.device)
        for part in range(2):
            observation[..., part] = (self.projection.boxes(place + away[part], yaw, shape) - here) / _DIFFERENCE
        observation[..., _YAW] = (self.projection.boxes(place, yaw + _DIFFERENCE, shape) - here) / _DIFFERENCE
        residual = (self.boxes - here) / self.cut
        noise = torch.full_like(here[:, :1, :1, :1], _EDGE_NOISE)
        weight = torch.ones_like(residual)
        if not first:
            noise = self._edge_noise(residual)[:, None, None, None]
            weight = 1 / (1 + (residual / (_OUTLIER * noise)).square())
        seen = self.unhidden.to(states.dtype)
        observation = observation * seen[..., None]
        measured = (self.boxes - here) * seen + _times(observation, states)
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
        residual = (self.boxes - self.projection.boxes(states[..., :2], states[..., _YAW], shape)) / self.cut
        whole = self.unhidden[rows, :, which].all(dim=-1)
        return self.boxes[rows, :, which], whole, states[rows, :, which, :2], self._edge_noise(residual)[rows]


def _with_first_yaws(smoother: _Smoother, states: Tensor) -> Tensor:
    """The states with one hypothesis about the yaw of each cube."""
    states = states.clone()
    for which in range(states.shape[2]):
        rows = smoother.cubes(which)
        if len(rows):
            states[rows, :, which, _YAW] = sample_yaws(*smoother.cube(states, rows, which), 1, _rng())[0]
    return states


def _with_best_yaws(smoother: _Smoother, states: Tensor, posterior: Posterior) -> tuple[Tensor, Posterior]:
    """The same fit with other yaws of cubes where they explain the video better.

    A cube's box leaves its yaw ambiguous. How its motion turns the line of sight, and which way impacts on its faces go,
    tells hypotheses apart: they are fitted, and the likeliest is kept. One cube after the other."""
    objects = states.shape[2]
    for which in range(objects):
        rows = smoother.cubes(which)
        if not len(rows):
            continue
        yaws = sample_yaws(*smoother.cube(states, rows, which), _HYPOTHESES, _rng())
        guesses = states[rows].expand(_HYPOTHESES, *states[rows].shape).clone()
        guesses[:, :, :, which, _YAW] = yaws
        guesses[..., which, _SPIN] = 0
        tried, fitted = smoother.rows(rows.repeat(_HYPOTHESES)).fit(guesses.flatten(0, 1), _REFINING)
        score = fitted.log_likelihood.reshape(_HYPOTHESES, len(rows), objects).sum(dim=-1)
        before = posterior.log_likelihood.unflatten(0, (-1, objects))[rows].sum(dim=-1)
        gain, best = (score - before).max(dim=0)
        better = gain > 0
        chosen = (best * len(rows) + torch.arange(len(rows), device=rows.device))[better]
        states = states.index_put((rows[better],), tried[chosen])
        posterior = _replaced(posterior, fitted, rows[better], chosen, objects)
    return states, posterior


def _replaced(posterior: Posterior, other: Posterior, rows: Tensor, chosen: Tensor, objects: int) -> Posterior:
    """The posterior with the chosen videos of another one in its rows."""

    def merged(mine: Tensor, theirs: Tensor) -> Tensor:
        whole = mine.unflatten(0, (-1, objects)).clone()
        whole[rows] = theirs.unflatten(0, (-1, objects))[chosen]
        return whole.flatten(0, 1)

    return Posterior(*(merged(mine, theirs) for mine, theirs in zip(_parts(posterior), _parts(other), strict=True)))


def _parts(posterior: Posterior) -> tuple[Tensor, ...]:
    return tuple(vars(posterior).values())


def _first_guess(tracks: GroundTracks, motion: Motion) -> Tensor:
    """[V, T, N, 6]: states of the nearest frame with a line fit, moved on in a straight line."""
    fitted = tracks.valid & motion.around.known
    usable = torch.where(fitted.any(dim=1, keepdim=True), fitted, tracks.present)
    frames = usable.shape[1]
    number = torch.arange(frames, device=usable.device)[None, :, None].expand_as(usable)
    before = torch.where(usable, number, -2 * frames).cummax(dim=1).values
    after = torch.where(usable, number, 3 * frames).flip(1).cummin(dim=1).values.flip(1)
    nearest = torch.where(number - before <= after - number, before, after).clamp(0, frames - 1)

    def of(values: Tensor) -> Tensor:
        return torch.gather(values.double(), 1, nearest[..., None].expand(*nearest.shape, values.shape[-1]))

    position, velocity = of(tracks.position), of(motion.around.velocity)
    position = position + velocity * ((number - nearest) * _STEP)[..., None]
    return torch.cat([position, velocity, torch.zeros_like(position)], dim=-1)


def _rng() -> torch.Generator:
    """The same random numbers for every use: what is drawn for a video must not depend on the batch it is in."""
    return torch.Generator().manual_seed(0)


def _state(vector: Tensor) -> State:
    return State(vector[..., :2], vector[..., 2:4], None, vector[..., _YAW], vector[..., _SPIN])


def _vector(state: State) -> Tensor:
    yaw, spin = state.rotation()
    return torch.cat([state.position, state.velocity, yaw[..., None], spin[..., None]], dim=-1)


def _each_frame(values: Tensor, frames: int) -> Tensor:
    """[V, ...] to [V * T, ...]."""
    return values[:, None].expand(len(values), frames, *values.shape[1:]).flatten(0, 1)


def _times(matrix: Tensor, vector: Tensor) -> Tensor:
    return (matrix @ vector[..., None])[..., 0]

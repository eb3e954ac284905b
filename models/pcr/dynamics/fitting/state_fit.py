"""States of motion fitted to whole tracks: an iterated extended Kalman smoother through the learned dynamics (`smoother`).

It gives every frame's state given all frames, also while the object is hidden, has not entered yet, or has left, with its
uncertainty. A cube's box leaves its yaw ambiguous: several are tried.

Shapes: V videos, T frames, N objects, P pairs, D = 6 state components, C samples.
"""

from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.dynamics.fitting.kalman import Posterior
from models.pcr.dynamics.fitting.smoother import SPIN, STATE_SIZE, YAW, MotionSmoother
from models.pcr.dynamics.fitting.yaw_hypotheses import sample_yaws
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.state import Bodies
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.ground_plane import GroundTracks
from models.pcr.tracks.line_fits import Motion
from models.pcr.tracks.tensor_trees import mapped

# Gaps in units below which an impact is possible, one for each iteration: the better the states, the narrower.
MARGINS: Final = (0.06, 0.06, 0.05, 0.04, 0.03, 0.02)
_REFINING: Final = MARGINS[-3:]  # for a fit that starts from a good one
_HYPOTHESES: Final = 6  # about the yaw of a cube


@torch.no_grad()
def fit_states(
    dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks, motion: Motion, samples: int = 0
) -> FittedMotion:
    """Fit the states of the bodies in V videos to their tracks. The line fits `motion` are the first guess. A video's
    states do not depend on the other videos."""
    smoother = MotionSmoother.of(dynamics, bodies, tracks)
    guess = _first_guess(tracks, motion)
    states, posterior = smoother.fit(_with_first_yaws(smoother, guess), MARGINS)
    states, posterior = _with_best_yaws(smoother, states, posterior)
    videos, frames, objects, _ = states.shape
    noise = torch.randn((samples, 1, objects, frames, STATE_SIZE), generator=_rng()).to(
        states
    )  # the same for all videos
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
    return _motion(MotionSmoother.of(dynamics, bodies, tracks), states, deviation, samples, tracks)


def _motion(
    smoother: MotionSmoother, states: Tensor, deviation: Tensor, samples: Tensor, tracks: GroundTracks
) -> FittedMotion:
    found = FittedMotion(
        states[..., :2],
        states[..., 2:4],
        states[..., YAW],
        states[..., SPIN],
        deviation,
        tracks.present.any(dim=1) & smoother.bodies.there,
        samples,
        smoother.nearness(states),
    )
    return mapped(found, lambda part: part.float() if part.is_floating_point() else part)


def _with_first_yaws(smoother: MotionSmoother, states: Tensor) -> Tensor:
    """The states with one hypothesis about the yaw of each cube."""
    states = states.clone()
    for which in range(states.shape[2]):
        rows = smoother.cubes(which)
        if len(rows):
            states[rows, :, which, YAW] = sample_yaws(
                smoother.projection.rows(rows), *smoother.cube(states, rows, which), 1, _rng()
            )[0]
    return states


def _with_best_yaws(smoother: MotionSmoother, states: Tensor, posterior: Posterior) -> tuple[Tensor, Posterior]:
    """The same fit with other yaws of cubes where they explain the video better.

    A cube's box leaves its yaw ambiguous. How its motion turns the line of sight, and which way impacts on its faces go,
    tells hypotheses apart: they are fitted, and the likeliest is kept. One cube after the other."""
    objects = states.shape[2]
    for which in range(objects):
        rows = smoother.cubes(which)
        if not len(rows):
            continue
        projection = smoother.projection.rows(rows)
        yaws = sample_yaws(projection, *smoother.cube(states, rows, which), _HYPOTHESES, _rng())
        guesses = states[rows].expand(_HYPOTHESES, *states[rows].shape).clone()
        guesses[:, :, :, which, YAW] = yaws
        guesses[..., which, SPIN] = 0
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
    position = position + velocity * ((number - nearest) / FPS)[..., None]
    return torch.cat([position, velocity, torch.zeros_like(position)], dim=-1)


def _rng() -> torch.Generator:
    """The same random numbers for every use: what is drawn for a video must not depend on the batch it is in."""
    return torch.Generator().manual_seed(0)

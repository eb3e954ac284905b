"""Refinement of hidden properties by analysis by synthesis: which hypotheses explain the recorded motion?

Once the dynamics predictor is trained, every hypothesis about masses and charges can be tested: pieces of the videos are
predicted under it, and the better the prediction, the stronger the evidence. How much such a gain counts against the
property inferencer is learned from answers, like everything else.

Shapes: S sets, V videos, W windows, N objects, P pairs, H hypotheses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories
from models.pcr.dynamics.state import Bodies, Predictor
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import joined, mapped

HORIZON: Final = 24  # frames of a window
STRIDE: Final = 12  # frames from one window to the next
_PREDICTED_AT_ONCE: Final = 4096  # windows: many share the cost of an operation, few stay in the cache
_NOISE: Final = 0.02  # units: typical error of a good prediction


@dataclass(frozen=True)
class HypothesisScorer:
    """Windows of all videos of some sets, predicted under property hypotheses: windows [W, 2] (video and frame);
    owner [V]: the set of a video; objects [V, N], pairs [V, P]: their numbers in the target, N and P for none."""

    dynamics: Predictor
    trajectories: RecordedTrajectories
    windows: Tensor
    owner: Tensor
    objects: Tensor
    pairs: Tensor

    @staticmethod
    def of(
        dynamics: Predictor, pair_numbers: Tensor, observed: Observed, trajectories: RecordedTrajectories
    ) -> "HypothesisScorer":
        """Of the videos of observed sets; `pair_numbers`: see `models.pcr.executor.soft_scene.pair_numbers`."""
        sets, references, objects = observed.owners.shape
        rows = torch.arange(sets, device=observed.owners.device)
        target = torch.arange(objects, device=rows.device).expand(sets, objects)
        owned = observed.owners.flatten(0, 1)
        places = torch.cat([target, owned.masked_fill(owned < 0, objects)])
        pairs = dynamics.pairs
        numbers = pair_numbers[places[:, pairs[:, 0]], places[:, pairs[:, 1]]]
        owner = torch.cat([rows, rows.repeat_interleave(references)])
        return HypothesisScorer(dynamics, trajectories, _windows(trajectories, dynamics.stride), owner, places, numbers)

    def charge(self) -> Tensor:
        """[S, P, 2]: gains if a pair repels, and if it attracts, over no charges at all."""
        pairs = self.dynamics.pairs
        bodies = replace(self.trajectories.bodies, charge=torch.zeros_like(self.trajectories.bodies.charge))
        charges = torch.eye(len(pairs), device=bodies.charge.device, dtype=bodies.charge.dtype)
        kinds = [replace(bodies, charge=one.expand_as(bodies.charge)) for one in torch.cat([charges, -charges])]
        both = (bodies.there[:, pairs[:, 0]] & bodies.there[:, pairs[:, 1]])[self.windows[:, 0]].T
        found = self._gains(bodies, kinds, both.repeat(2, 1)).unflatten(0, (2, len(pairs)))
        gains = found.new_zeros(int(self.owner.max()) + 1, len(pairs) + 1, 2)
        for place in range(len(pairs)):
            gains.index_put_(self._places(self.pairs, place), found[:, place].T, accumulate=True)
        return gains[:, :-1]

    def of_sets(self, gains: Tensor) -> Tensor:
        """[S, P, 2]: gains [V, P, 2] of all videos, summed for each pair of the target."""
        total = gains.new_zeros(int(self.owner.max()) + 1, gains.shape[1] + 1, gains.shape[2])
        places = (self.owner[:, None].expand_as(self.pairs), self.pairs)
        return total.index_put(places, gains, accumulate=True)[:, :-1]

    def heavy(self) -> Tensor:
        """[S, N]: gains if an object is heavy, over no heavy object at all."""
        bodies = replace(self.trajectories.bodies, heavy=torch.zeros_like(self.trajectories.bodies.heavy))
        objects = bodies.heavy.shape[1]
        masses = torch.eye(objects, device=bodies.heavy.device, dtype=bodies.heavy.dtype)
        kinds = [replace(bodies, heavy=one.expand_as(bodies.heavy)) for one in masses]
        found = self._gains(bodies, kinds, bodies.there[self.windows[:, 0]].T)
        gains = found.new_zeros(int(self.owner.max()) + 1, objects + 1)
        for place in range(objects):
            gains.index_put_(self._places(self.objects, place), found[place], accumulate=True)
        return gains[:, :-1]

    def _places(self, numbers: Tensor, place: int) -> tuple[Tensor, Tensor]:
        """Of each window: its set, and the number in the target of the object or pair at a place of its video."""
        video = self.windows[:, 0]
        return self.owner[video], numbers[video, place]

    def _gains(self, null: Bodies, hypotheses: Sequence[Bodies], wanted: Tensor) -> Tensor:
        """[H, W]: how much less the errors are than under the null hypothesis; 0 where no gain is wanted [H, W]."""
        errors = self._errors([null, *hypotheses], nn.functional.pad(wanted, (0, 0, 1, 0), value=True))
        return torch.where(wanted, errors[0] - errors[1:], 0.0)

    def _errors(self, hypotheses: Sequence[Bodies], wanted: Tensor) -> Tensor:
        """[H, W]: negative log-likelihoods of the wanted windows [H, W], 0 for others."""
        total = self.trajectories.recorded.position.new_zeros(wanted.shape)
        bodies, videos = joined(list(hypotheses)), len(self.trajectories.recorded.position)
        for chosen in wanted.nonzero().split(_PREDICTED_AT_ONCE):
            hypothesis, window = chosen.unbind(dim=1)
            video, frame = self.windows[window].unbind(dim=1)
            rows = hypothesis * videos + video
            total.index_put_((hypothesis, window), self._error(_rows(bodies, rows), video, frame))
        return total

    def _error(self, cast: Bodies, video: Tensor, frame: Tensor) -> Tensor:
        """[B] of the windows that start at frames [B] of videos [B], under a heavy-tailed (Cauchy) error model: one
        outlier, or one collision predicted wrongly, must not outweigh all other frames."""
        horizon = HORIZON // self.dynamics.stride
        times = frame[:, None] + torch.arange(horizon + 1, device=frame.device)
        recorded = self.trajectories.recorded
        position, valid = (values[video[:, None], times] for values in (recorded.position, recorded.known))
        predicted = self.trajectories.steady[video, frame]
        edges, state = self.dynamics.edges(cast), recorded.states(video, frame)
        off = position.new_zeros(len(video))
        for step in range(1, horizon + 1):
            state, _ = self.dynamics.step(state, edges, (predicted | valid[:, step - 1]) & cast.there)
            error = (state.position - position[:, step]).square().sum(dim=-1)
            off = off + (torch.log1p(error / _NOISE**2) * (predicted & valid[:, step] & cast.there)).sum(dim=1)
            state = state.following(recorded.states(video, frame + step), ~predicted)
        return off


def _rows(bodies: Bodies, rows: Tensor) -> Bodies:
    return mapped(bodies, lambda tensor: tensor[rows])


def _windows(trajectories: RecordedTrajectories, stride: int) -> Tensor:
    """[W, 2]: video and first frame of windows that overlap by half, in trajectories of every `stride`-th frame."""
    horizon, next_one = HORIZON // stride, STRIDE // stride
    known = trajectories.recorded.known
    frames = torch.arange(0, known.shape[1] - horizon, next_one, device=known.device) + next_one // 3
    frames = frames[frames + horizon < known.shape[1]]
    able = (trajectories.steady[:, frames] & known[:, frames + horizon]).any(dim=-1)
    video, number = able.nonzero(as_tuple=True)
    return torch.stack([video, frames[number]], dim=-1)

"""A second look at hidden properties: which of them explain the recorded motion?

Once the laws of motion are learned, every guess about masses and charges can be tried out: the videos are predicted
with it, piece by piece, and the better the prediction, the more speaks for the guess. How much weight such a gain has
against what the property inferencer says is learned from answers, as all else.

Shapes: S sets, V videos, W windows, N objects, P pairs.
"""

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.footage import Footage, footage
from models.pcr.dynamics.predictor import Bodies
from models.pcr.dynamics.rollout import Predictor
from models.pcr.grounding.alignment import aligned_by_looks
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.tracks.observed import Explained, Observed, joined, mapped

HORIZON: Final = 24  # frames of a piece
STRIDE: Final = 12
_NOISE: Final = 0.02  # units by which a good prediction is off
_TOGETHER: Final = 50  # sets


def studied(reasoner: Reasoner, observed: Observed) -> Observed:
    """All that can be found out about sets before questions are asked: references aligned, and a second look taken."""
    return looked_again(reasoner, aligned_by_looks(observed, reasoner.grounder))


@torch.no_grad()
def looked_again(reasoner: Reasoner, observed: Observed) -> Observed:
    """The same sets with what a second look tells about them; as they are, if the reasoner takes none."""
    if not reasoner.settings.second_look:
        return observed
    rows = torch.arange(len(observed), device=observed.objects.device)
    return joined([_looked_again(reasoner, observed.rows(part)) for part in rows.split(_TOGETHER)])


def _looked_again(reasoner: Reasoner, observed: Observed) -> Observed:
    """Charges first: they show in every frame, masses only in collisions and in what charges do."""
    for name in ("charge", "heavy"):
        seen = footage(reasoner, observed, reasoner.scene(observed), hard=True)
        tried = Trial.of(reasoner, observed, seen)
        known = observed.explained or _nothing(observed, reasoner)
        observed = replace(observed, explained=replace(known, **{name: getattr(tried, name)()}))
    return observed


def _nothing(observed: Observed, reasoner: Reasoner) -> Explained:
    like, pairs = observed.features, len(reasoner.dynamics.pairs)
    return Explained(like.new_zeros(len(observed), OBJECTS), like.new_zeros(len(observed), pairs, 2))


@dataclass(frozen=True)
class Trial:
    """Pieces of all videos of some sets, to be predicted with other properties: windows [W, 2] (video and frame);
    owner [V]: the set of a video; objects [V, N], pairs [V, P]: what they are in the target, N and P for nobody."""

    reasoner: Reasoner
    seen: Footage
    windows: Tensor
    owner: Tensor
    objects: Tensor
    pairs: Tensor

    @staticmethod
    def of(reasoner: Reasoner, observed: Observed, seen: Footage) -> "Trial":
        sets, references = len(observed), observed.owners.shape[1]
        rows = torch.arange(sets, device=observed.owners.device)
        mine = torch.arange(OBJECTS, device=rows.device).expand(sets, OBJECTS)
        objects = torch.cat(
            [mine, observed.owners.flatten(0, 1).masked_fill(observed.owners.flatten(0, 1) < 0, OBJECTS)]
        )
        pairs = reasoner.dynamics.pairs
        numbers = reasoner.pair_numbers[objects[:, pairs[:, 0]], objects[:, pairs[:, 1]]]
        owner = torch.cat([rows, rows.repeat_interleave(references)])
        return Trial(reasoner, seen, _pieces(seen), owner, objects, numbers)

    def charge(self) -> Tensor:
        """[S, P, 2]: how much better the motion is predicted if the pair repels, or attracts, than without charges."""
        pairs = self.reasoner.dynamics.pairs
        bodies = replace(self.seen.bodies, charge=torch.zeros_like(self.seen.bodies.charge))
        usual = self._surprise(bodies, torch.ones_like(self.windows[:, 0], dtype=torch.bool))
        gains = usual.new_zeros(int(self.owner.max()) + 1, len(pairs) + 1, 2)
        for place, (first, second) in enumerate(pairs.tolist()):
            both = (bodies.there[:, first] & bodies.there[:, second])[self.windows[:, 0]]
            for kind, sign in enumerate((1.0, -1.0)):
                charge = torch.zeros_like(bodies.charge)
                charge[:, place] = sign
                gain = torch.where(both, usual - self._surprise(replace(bodies, charge=charge), both), 0.0)
                gains[..., kind].index_put_(self._places(self.pairs, place), gain, accumulate=True)
        return gains[:, :-1]

    def heavy(self) -> Tensor:
        """[S, N]: how much better the motion is predicted if the object is heavy than if nothing is."""
        bodies = replace(self.seen.bodies, heavy=torch.zeros_like(self.seen.bodies.heavy))
        usual = self._surprise(bodies, torch.ones_like(self.windows[:, 0], dtype=torch.bool))
        gains = usual.new_zeros(int(self.owner.max()) + 1, OBJECTS + 1)
        for place in range(OBJECTS):
            there = bodies.there[:, place][self.windows[:, 0]]
            heavy = torch.zeros_like(bodies.heavy)
            heavy[:, place] = 1.0
            gain = torch.where(there, usual - self._surprise(replace(bodies, heavy=heavy), there), 0.0)
            gains.index_put_(self._places(self.objects, place), gain, accumulate=True)
        return gains[:, :-1]

    def _places(self, numbers: Tensor, place: int) -> tuple[Tensor, Tensor]:
        """Of each window: its set, and what the object or pair at a place of its video is in the target."""
        video = self.windows[:, 0]
        return self.owner[video], numbers[video, place]

    def _surprise(self, bodies: Bodies, wanted: Tensor) -> Tensor:
        """[W]: how far the motion in each wanted window is from its prediction, in logarithms: one strange frame, or a
        collision that goes another way, must not outweigh all others."""
        total = self.seen.position.new_zeros(len(self.windows))
        chosen = wanted.nonzero()[:, 0]
        if not len(chosen):
            return total
        video, frame = self.windows[chosen].unbind(dim=1)
        times = frame[:, None] + torch.arange(HORIZON + 1, device=frame.device)
        position, valid = (values[video[:, None], times] for values in (self.seen.position, self.seen.valid))
        predicted = self.seen.steady[video, frame]
        dynamics: Predictor = self.reasoner.dynamics
        cast = mapped(bodies, lambda tensor: tensor[video])
        edges, state = dynamics.edges(cast), self.seen.state(video, frame)
        off = position.new_zeros(len(chosen))
        for step in range(1, HORIZON + 1):
            state = dynamics.step(state, edges, (predicted | valid[:, step - 1]) & cast.there)
            error = (state.position - position[:, step]).square().sum(dim=-1)
            off = off + (torch.log1p(error / _NOISE**2) * (predicted & valid[:, step] & cast.there)).sum(dim=1)
            state = state.following(self.seen.state(video, frame + step), ~predicted)
        return total.index_put((chosen,), off)


def _pieces(seen: Footage) -> Tensor:
    """[W, 2]: video and first frame of pieces that overlap by half."""
    frames = torch.arange(0, seen.valid.shape[1] - HORIZON, STRIDE, device=seen.valid.device) + STRIDE // 3
    frames = frames[frames + HORIZON < seen.valid.shape[1]]
    able = (seen.steady[:, frames] & seen.valid[:, frames + HORIZON]).any(dim=-1)
    video, number = able.nonzero(as_tuple=True)
    return torch.stack([video, frames[number]], dim=-1)

"""The visible property grounder: colour, shape and material, moving and resting, directions, who comes and goes, and
who collides (5.1.2).

Shapes: S sets, T frames, N objects, P pairs, E event slots, K slots of one thing.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.events import EventKind
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents
from models.pcr.grounding.collision_features import ENCOUNTER_FEATURES, encounter_features
from models.pcr.grounding.concepts import ConceptSpace
from models.pcr.grounding.peaks import Peaks, find_peaks
from models.pcr.tracks.line_fits import LineFit
from models.pcr.tracks.observed import Observed, Sight
from models.perceiver.representation import all_pairs

COLLISIONS: Final = 6  # slots of a pair in a video
PASSAGES: Final = 2  # slots of an object for coming, and for going
_APART: Final = 3  # frames between two events that are not one
_PASSAGE_STEPS: Final = (-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6)
_LEAST_WIDTH: Final = 0.03  # of the widest axis; narrower ones are mostly noise, and made no wider than they are
_MOTION_FEATURES: Final = 6
_DIRECTION_FEATURES: Final = 4


@dataclass(frozen=True)
class Looks:
    """Distributions [..., A] of static attributes."""

    color: Tensor
    shape: Tensor
    material: Tensor


@dataclass(frozen=True)
class Happenings:
    """What a video shows of motion: shown, moving [S, T, N], direction [S, T, N, 4], events."""

    shown: Tensor
    moving: Tensor
    direction: Tensor
    events: SoftEvents


class Grounder(nn.Module):
    pairs: Tensor
    mean: Tensor
    spread: Tensor

    def __init__(self, features: int, objects: int, hidden: int = 64, looks: int = 128, axes: int = 256) -> None:
        super().__init__()
        seen = min(features, axes) or features
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("spread", torch.eye(features)[:, :seen] if axes else torch.ones(features))
        self.color = ConceptSpace(seen, len(Color), hidden=looks)
        self.shape = ConceptSpace(seen, len(Shape), hidden=looks)
        self.material = ConceptSpace(seen, len(Material), hidden=looks)
        self.status = ConceptSpace(_MOTION_FEATURES, 1, hidden=hidden)
        self.direction = ConceptSpace(_DIRECTION_FEATURES, len(Direction), hidden=hidden)
        self.passage = ConceptSpace(2 * len(_PASSAGE_STEPS), 2, hidden=hidden, scale=0.08)
        self.collision = ConceptSpace(ENCOUNTER_FEATURES, 1, hidden=hidden, scale=0.08)
        self.inside = nn.Parameter(torch.tensor([0.0, 5.0]))  # where the picture ends, and how sharply (log)

    def calibrate(self, features: Tensor) -> None:
        """Features [M, D] of many objects, to be seen from their middle and along their main axes, made about as wide as
        each other: what tells materials apart is a small part of what features tell."""
        self.mean.copy_(features.mean(dim=0))
        if self.spread.dim() == 1:
            self.spread.copy_(features.std(dim=0).clamp(min=1e-6))
            return
        spread = (features - self.mean) / max(len(features) - 1, 1) ** 0.5
        _, widths, axes = torch.linalg.svd(spread, full_matrices=False)
        count = min(len(widths), self.spread.shape[1])
        factors = 1 / (widths[:count] + _LEAST_WIDTH * widths[0])
        self.spread.zero_()
        self.spread[:, :count] = axes[:count].T * factors / (widths[:count] * factors).square().mean().sqrt()

    def looks(self, features: Tensor) -> Looks:
        return Looks(*(torch.softmax(scores, dim=-1) for scores in self.look_scores(features)))

    def look_scores(self, features: Tensor, covered: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
        """Of all colours, shapes and materials: [..., A] each; with this share of what is seen covered up, by chance."""
        centred = features - self.mean
        seen = centred @ self.spread if self.spread.dim() == 2 else centred / self.spread
        seen = nn.functional.dropout(seen, covered)
        return self.color(seen), self.shape(seen), self.material(seen)

    def happenings(self, observed: Observed, shape: Tensor) -> Happenings:
        sight = observed.target
        shown = self._shown(sight)
        moving = torch.sigmoid(self.status(_motion_features(sight)).squeeze(-1))
        direction = torch.softmax(self.direction(_direction_features(sight.picture)), dim=-1)
        passages = self._passages(sight)
        fits = (sight.motion.before, sight.motion.after)
        meeting = encounter_features(sight.tracks.position, sight.tracks.valid, shape, self.pairs, fits)
        both = sight.tracks.present[..., self.pairs[:, 0]] & sight.tracks.present[..., self.pairs[:, 1]]
        collisions = find_peaks(self.collision_scores(meeting), both, COLLISIONS, _APART)
        return Happenings(shown, moving, direction, self._events(passages, collisions, shown.shape[1]))

    def collision_scores(self, features: Tensor) -> Tensor:
        """[..., T, P] from encounter features."""
        return self.collision(features).squeeze(-1)

    def _shown(self, sight: Sight) -> Tensor:
        edge, sharpness = self.inside
        return torch.sigmoid((sight.margin - edge) * sharpness.exp()) * sight.tracks.present

    def _passages(self, sight: Sight) -> tuple[Peaks, Peaks]:
        scores = self.passage(_passage_features(sight))
        possible = torch.ones_like(sight.tracks.present)
        possible[:, :1] = False
        known = possible & sight.tracks.present.any(dim=1, keepdim=True)
        coming, going = (find_peaks(part, known, PASSAGES, _APART) for part in scores.unbind(dim=-1))
        return coming, going

    def _events(self, passages: tuple[Peaks, Peaks], collisions: Peaks, frames: int) -> SoftEvents:
        """START, the slots of who collides, who comes and who goes, END: the order of events of the same frame."""
        like = collisions.probability
        sets, objects = len(like), passages[0].probability.shape[1]
        start, end = like.new_zeros(sets, 1), like.new_full((sets, 1), frames)
        sure = torch.ones_like(start)
        parts = (collisions, *passages)
        kind, members = _layout(objects, self.pairs, passages[0].time.shape[-1], collisions.time.shape[-1])
        return SoftEvents(
            kind.to(like.device),
            members.to(like.device),
            torch.cat([sure, *(part.probability.flatten(1) for part in parts), sure], dim=1),
            torch.cat([start, *(part.time.flatten(1) for part in parts), end], dim=1),
        )


def collision_events(peaks: Peaks, pairs: Tensor, objects: int) -> SoftEvents:
    """Slots of collisions alone."""
    members = _members(pairs.cpu(), objects).repeat_interleave(peaks.time.shape[-1], dim=0)
    kind = torch.full((len(members),), EVENT_KINDS.index(EventKind.COLLISION))
    like = peaks.probability
    return SoftEvents(
        kind.to(like.device), members.to(like.device), peaks.probability.flatten(1), peaks.time.flatten(1)
    )


def _layout(objects: int, pairs: Tensor, passages: int, collisions: int) -> tuple[Tensor, Tensor]:
    kinds = [(EventKind.START, 1), (EventKind.COLLISION, len(pairs) * collisions), (EventKind.IN, objects * passages)]
    kinds += [(EventKind.OUT, objects * passages), (EventKind.END, 1)]
    kind = torch.cat([torch.full((count,), EVENT_KINDS.index(name)) for name, count in kinds])
    alone = torch.eye(objects).repeat_interleave(passages, dim=0)
    together = _members(pairs.cpu(), objects).repeat_interleave(collisions, dim=0)
    nobody = torch.zeros(1, objects)
    return kind, torch.cat([nobody, together, alone, alone, nobody])


def _members(pairs: Tensor, objects: int) -> Tensor:
    return nn.functional.one_hot(pairs, objects).sum(dim=1).float()


def _motion_features(sight: Sight) -> Tensor:
    """How fast, and how well that is known."""
    fits = (sight.motion.around, sight.motion.before, sight.motion.after)
    speeds = [torch.log10(fit.velocity.norm(dim=-1) + 1e-3) * fit.known for fit in fits]
    return torch.stack([*speeds, *(fit.known.float() for fit in fits)], dim=-1)


def _direction_features(picture: LineFit) -> Tensor:
    speed = picture.velocity.norm(dim=-1)
    heading = picture.velocity / speed.clamp(min=1e-6)[..., None]
    return torch.cat([heading, torch.log10(speed + 1e-3)[..., None], picture.known[..., None].float()], dim=-1)


def _passage_features(sight: Sight) -> Tensor:
    frames = sight.margin.shape[1]
    moments = torch.arange(frames, device=sight.margin.device)
    index = (moments[:, None] + torch.tensor(_PASSAGE_STEPS, device=moments.device)).clamp(0, frames - 1)
    margin = sight.margin.clamp(-0.05, 0.05)[:, index] * 20  # [S, T, W, N]
    present = sight.tracks.present.float()[:, index]
    return torch.cat([margin, present], dim=2).transpose(2, 3)

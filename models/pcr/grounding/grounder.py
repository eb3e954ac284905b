"""The visible property grounder: attributes (colour, shape, material), motion states, directions, entrances, exits and
collisions (5.1.2). Attributes are read off PCA-whitened features.

Shapes: S sets, T frames, N objects, P pairs, E event slots, K slots of one thing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.events import EventKind
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents, both_of
from models.pcr.grounding.collision_features import COLLISION_FEATURES, collision_features
from models.pcr.grounding.concepts import ConceptSpace
from models.pcr.grounding.peaks import Peaks, find_peaks
from models.pcr.tracks.fitted_view import fitted_view
from models.pcr.tracks.line_fits import LineFit
from models.pcr.tracks.observed import Observed, VideoMotion
from models.perceiver.representation import all_pairs

COLLISIONS: Final = 6  # slots of a pair in a video
PASSAGES: Final = 2  # slots of an object for entering, and for leaving
_APART: Final = 3  # frames: nearer peaks are one event
_PASSAGE_STEPS: Final = (-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6)
_WHITENING_FLOOR: Final = 0.03  # of the largest deviation; components far below it are mostly noise and not amplified
_MOTION_FEATURES: Final = 6
_DIRECTION_FEATURES: Final = 4


@dataclass(frozen=True)
class Attributes:
    """Distributions [..., A] of static attributes."""

    color: Tensor
    shape: Tensor
    material: Tensor


@dataclass(frozen=True)
class ObservedEvents:
    """What a video shows over time: shown, moving [S, T, N], direction [S, T, N, 4], and events."""

    shown: Tensor
    moving: Tensor
    direction: Tensor
    events: SoftEvents


class Grounder(nn.Module):
    pairs: Tensor
    mean: Tensor
    whitening: Tensor

    def __init__(
        self, features: int, objects: int, hidden: int = 64, attribute_hidden: int = 128, pca_components: int = 256
    ) -> None:
        """With `pca_components` of 0, features are standardised instead of whitened."""
        super().__init__()
        inputs = min(features, pca_components) or features
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("whitening", torch.eye(features)[:, :inputs] if pca_components else torch.ones(features))
        self.color = ConceptSpace(inputs, len(Color), hidden=attribute_hidden)
        self.shape = ConceptSpace(inputs, len(Shape), hidden=attribute_hidden)
        self.material = ConceptSpace(inputs, len(Material), hidden=attribute_hidden)
        self.status = ConceptSpace(_MOTION_FEATURES, 1, hidden=hidden)
        self.direction = ConceptSpace(_DIRECTION_FEATURES, len(Direction), hidden=hidden)
        self.passage = ConceptSpace(2 * len(_PASSAGE_STEPS), 2, hidden=hidden, scale=0.08)
        self.collision = ConceptSpace(COLLISION_FEATURES, 1, hidden=hidden, scale=0.08)
        self.inside = nn.Parameter(
            torch.tensor([0.0, 5.0])
        )  # margin at which an object counts as shown, and log sharpness

    def event_parameters(self) -> Iterator[nn.Parameter]:
        """The parameters that read motion and events, not attributes."""
        for part in (self.status, self.direction, self.passage, self.collision):
            yield from part.parameters()
        yield self.inside

    def fit_whitening(self, features: Tensor) -> None:
        """Fit PCA whitening to the features [M, D] of many objects: materials differ in components of small variance."""
        self.mean.copy_(features.mean(dim=0))
        if self.whitening.dim() == 1:
            self.whitening.copy_(features.std(dim=0).clamp(min=1e-6))
            return
        centred = (features - self.mean) / max(len(features) - 1, 1) ** 0.5
        _, deviations, components = torch.linalg.svd(centred, full_matrices=False)
        count = min(len(deviations), self.whitening.shape[1])
        factors = 1 / (deviations[:count] + _WHITENING_FLOOR * deviations[0])
        self.whitening.zero_()
        scale = (deviations[:count] * factors).square().mean().sqrt()
        self.whitening[:, :count] = components[:count].T * factors / scale

    def attributes(self, features: Tensor) -> Attributes:
        """Distributions over colours, shapes and materials of objects with features [..., D]."""
        return Attributes(*(torch.softmax(scores, dim=-1) for scores in self.attribute_scores(features)))

    def attribute_scores(self, features: Tensor, dropout: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
        """Logits [..., A] of all colours, shapes and materials, with dropout of the whitened features."""
        centred = features - self.mean
        whitened = centred @ self.whitening if self.whitening.dim() == 2 else centred / self.whitening
        whitened = nn.functional.dropout(whitened, dropout)
        return self.color(whitened), self.shape(whitened), self.material(whitened)

    def observe_events(self, observed: Observed, shape: Tensor) -> ObservedEvents:
        """What the target videos show over time; shape [S, N, 3] are distributions. Where states of motion were fitted,
        they tell more exactly than single frames when something moves, passes the border, or collides."""
        measured, states = observed.target, observed.states
        video = measured if states is None else fitted_view(measured, states.target)
        shown = self._shown(video)
        moving = torch.sigmoid(self.status(_motion_features(video)).squeeze(-1))
        direction = torch.softmax(self.direction(_direction_features(video.image_fit)), dim=-1)
        passages = self._passages(video)
        fits = (measured.motion.before, measured.motion.after)
        tracks, nearness = measured.tracks, None if states is None else states.target.nearness
        features = collision_features(tracks.position, tracks.valid, shape, self.pairs, fits, nearness)
        both = both_of(video.tracks.present if states is None else video.tracks.valid, self.pairs)
        collisions = find_peaks(self.collision_scores(features), both, COLLISIONS, _APART)
        return ObservedEvents(shown, moving, direction, self._events(passages, collisions, shown.shape[1]))

    def collision_scores(self, features: Tensor) -> Tensor:
        """[..., T, P] from collision features."""
        return self.collision(features).squeeze(-1)

    def _shown(self, video: VideoMotion) -> Tensor:
        edge, sharpness = self.inside
        return torch.sigmoid((video.margin - edge) * sharpness.exp()) * video.tracks.present

    def _passages(self, video: VideoMotion) -> tuple[Peaks, Peaks]:
        scores = self.passage(_passage_features(video))
        possible = torch.ones_like(video.tracks.present)
        possible[:, :1] = False
        known = possible & video.tracks.present.any(dim=1, keepdim=True)
        entering, leaving = (find_peaks(part, known, PASSAGES, _APART) for part in scores.unbind(dim=-1))
        return entering, leaving

    def _events(self, passages: tuple[Peaks, Peaks], collisions: Peaks, frames: int) -> SoftEvents:
        """START, the slots of collisions, entrances and exits, END: the order of events of the same frame."""
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


def _motion_features(video: VideoMotion) -> Tensor:
    """Log speeds, and whether they are known."""
    fits = (video.motion.around, video.motion.before, video.motion.after)
    speeds = [torch.log10(fit.velocity.norm(dim=-1) + 1e-3) * fit.known for fit in fits]
    return torch.stack([*speeds, *(fit.known.float() for fit in fits)], dim=-1)


def _direction_features(fit: LineFit) -> Tensor:
    speed = fit.velocity.norm(dim=-1)
    heading = fit.velocity / speed.clamp(min=1e-6)[..., None]
    return torch.cat([heading, torch.log10(speed + 1e-3)[..., None], fit.known[..., None].float()], dim=-1)


def _passage_features(video: VideoMotion) -> Tensor:
    frames = video.margin.shape[1]
    moments = torch.arange(frames, device=video.margin.device)
    index = (moments[:, None] + torch.tensor(_PASSAGE_STEPS, device=moments.device)).clamp(0, frames - 1)
    margin = video.margin.clamp(-0.05, 0.05)[:, index] * 20  # [S, T, W, N]
    present = video.tracks.present.float()[:, index]
    return torch.cat([margin, present], dim=2).transpose(2, 3)

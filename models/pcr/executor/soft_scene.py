"""The input of the differentiable executor: probabilities for everything that programs can ask about a batch of sets.

The reasoner predicts a `SoftScene` from videos; `models.pcr.evaluation.true_scene` builds one from the ground truth.

Shapes: S sets, N objects (sets with fewer are padded), T frames, P pairs i < j in lexicographic order, E event slots,
B rows.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol

import torch
from torch import Tensor

from comphy.programs.facts import NO_TIME
from comphy.scene.events import EventKind
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from models.perceiver.representation import all_pairs

EVENT_KINDS: Final = (EventKind.START, EventKind.END, EventKind.IN, EventKind.OUT, EventKind.COLLISION)
_ATTRIBUTES: Final = {"color": Color, "shape": Shape, "material": Material}


@dataclass(frozen=True)
class SoftEvents:
    """Candidate events, one per slot; all rows share the slot layout.

    A pair that may collide several times, or an object that may enter or leave several times, has several slots. Events
    of the same frame are ordered by slot. For a set of events, `probability` is the membership probability of each slot;
    for a single event it is a distribution over the slots.
    """

    kind: Tensor  # [E] index into EVENT_KINDS
    members: Tensor  # [E, N] 1 for the objects that take part
    probability: Tensor  # [B, E]
    time: Tensor  # [B, E] frame
    timed: bool = True  # false: hypothetical events without a time; `time` is meaningless

    def take(self, rows: Tensor) -> "SoftEvents":
        return replace(self, probability=self.probability.index_select(0, rows), time=self.time.index_select(0, rows))

    def having(self, probability: Tensor) -> "SoftEvents":
        """The same slots with other probabilities."""
        return replace(self, probability=probability)

    @property
    def moment(self) -> Tensor:
        """[B, E]: the frame, or `NO_TIME` for events without a time."""
        return self.time if self.timed else torch.full_like(self.time, NO_TIME)

    def of_kind(self, kind: EventKind) -> Tensor:
        """[E]: 1 for the slots of the kind."""
        return (self.kind == EVENT_KINDS.index(kind)).to(self.members.dtype)


class Imagination(Protocol):
    """What happens after the video, and what would happen if something were different.

    `rows` [B] selects sets, `who` [B, N] is a distribution over their objects. Each method always returns the same slot
    layout. Gradients may flow through all arguments and through the scene itself.
    """

    def future(self, rows: Tensor) -> SoftEvents:
        """Entrances, exits and collisions after the video."""
        ...

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        """Collisions if a premise ([B], index into `Premise`) held for the object."""
        ...

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        """Collisions if the object were not there."""
        ...


@dataclass(frozen=True)
class SoftScene:
    """Probabilities for a batch of sets. Distributions follow the order of the enums of `comphy.scene.vocabulary`.

    At most one pair of a set is assumed to be charged. `direction` may sum to less than one: an object may have none.
    """

    objects: Tensor  # [S, N] 1 where the set has the object, 0 for padding
    color: Tensor  # [S, N, 8]
    shape: Tensor  # [S, N, 3]
    material: Tensor  # [S, N, 2]
    shown: Tensor  # [S, T, N] in the picture
    moving: Tensor  # [S, T, N]
    direction: Tensor  # [S, T, N, 4]
    ever_moving: Tensor  # [S, N] moving in at least one frame that shows it
    main_direction: Tensor  # [S, N, 4] the direction in at least half of the frames that show it
    heavy: Tensor  # [S, N]
    same: Tensor  # [S, P] the two have charges of the same sign
    opposite: Tensor  # [S, P]
    events: SoftEvents  # of the visible video, rows are sets; START at frame 0 and END at frame T have slots
    imagination: Imagination | None = None

    def __post_init__(self) -> None:
        (sets, count), frames = self.objects.shape, self.shown.shape[1]
        expected = {
            **{name: (sets, count, len(words)) for name, words in _ATTRIBUTES.items()},
            **dict.fromkeys(("shown", "moving"), (sets, frames, count)),
            **dict.fromkeys(("ever_moving", "heavy"), (sets, count)),
            **dict.fromkeys(("same", "opposite"), (sets, count * (count - 1) // 2)),
            "direction": (sets, frames, count, len(Direction)),
            "main_direction": (sets, count, len(Direction)),
        }
        for name, shape in expected.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"Expected {name} of shape {shape} (got {tuple(getattr(self, name).shape)}).")

    @property
    def frames(self) -> int:
        return self.shown.shape[1]

    @cached_property
    def pairs(self) -> Tensor:
        """[P, 2]."""
        return all_pairs(self.objects.shape[1]).to(self.objects.device)

    @cached_property
    def attributes(self) -> Tensor:
        """[S, N, 13]: distributions over colors, shapes and materials, concatenated."""
        return torch.cat([self.color, self.shape, self.material], dim=-1)

    @cached_property
    def moves_in_picture(self) -> Tensor:
        return self.moving * self.shown

    @cached_property
    def rests_in_picture(self) -> Tensor:
        return (1 - self.moving) * self.shown

    @cached_property
    def status(self) -> Tensor:
        """[S, N, 2]: moving in at least one frame that shows it, or shown and never moving; in the order of `Status`."""
        ever_shown = self.shown.amax(dim=1)
        return torch.stack([self.ever_moving, ever_shown * (1 - self.ever_moving)], dim=-1)

    @cached_property
    def same_matrix(self) -> Tensor:
        """[S, N, N]."""
        return self.matrix(self.same)

    @cached_property
    def opposite_matrix(self) -> Tensor:
        return self.matrix(self.opposite)

    def matrix(self, pairs: Tensor) -> Tensor:
        """Values of pairs [B, P] as symmetric matrices [B, N, N] with a zero diagonal."""
        count = self.objects.shape[1]
        padded = torch.cat([pairs, pairs.new_zeros(len(pairs), 1)], dim=1)
        return padded.index_select(1, self._pair_numbers).unflatten(1, (count, count))

    @cached_property
    def _pair_numbers(self) -> Tensor:
        """[N * N]: the pair index of two objects, P on the diagonal."""
        count = self.objects.shape[1]
        return pair_numbers(self.pairs, count)[:count, :count].flatten()


def both_of(flags: Tensor, pairs: Tensor) -> Tensor:
    """[..., N] to [..., P]: whether a flag is set for both objects of a pair."""
    return flags[..., pairs[:, 0]] & flags[..., pairs[:, 1]]


def pair_numbers(pairs: Tensor, objects: int) -> Tensor:
    """Inverse of `pairs` [P, 2]: an index table [N + 1, N + 1], symmetric. Index N stands for "no object"; entries that
    are no pair (the diagonal, and row and column N) hold P."""
    numbers = pairs.new_full((objects + 1, objects + 1), len(pairs))
    first, second = pairs.unbind(dim=1)
    numbers[first, second] = numbers[second, first] = torch.arange(len(pairs), device=pairs.device)
    return numbers

"""Attribute scores of objects over all videos of a set.

Shapes: S sets, N objects of the target, K tracks of all references, A words.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


def sum_over_views(mine: Sequence[Tensor], others: Sequence[Tensor], owners: Tensor) -> tuple[Tensor, ...]:
    """Scores [S, N, A] of objects as the target shows them, and [S, K, A] of tracks of the references, summed by object.
    owners [S, K]: the object of each track; N for nobody's."""
    return tuple(
        nn.functional.pad(seen, (0, 0, 0, 1)).scatter_add(1, owners[..., None].expand_as(more), more)[:, :-1]
        for seen, more in zip(mine, others, strict=True)
    )


def sample_one_view(mine: Sequence[Tensor], others: Sequence[Tensor], owners: Tensor) -> tuple[Tensor, ...]:
    """The same for one random view of each object, used in training: in a sum, a few easy views would hide how poorly the
    others are classified."""
    lot, others_lot = torch.rand_like(mine[0][..., 0]), torch.rand_like(others[0][..., 0])
    drawn = nn.functional.pad(lot, (0, 1)).scatter_reduce(1, owners, others_lot, "amax")
    mine_counts, others_count = lot == drawn[:, :-1], others_lot == drawn.gather(1, owners)
    return sum_over_views(
        [scores * mine_counts[..., None] for scores in mine],
        [scores * others_count[..., None] for scores in others],
        owners,
    )

"""The first argument of every operator: the scene, and the set that each batch row refers to."""

from dataclasses import dataclass

from torch import Tensor

from comphy.errors import ProgramError
from models.pcr.executor.soft_logic import log_odds
from models.pcr.executor.soft_scene import Imagination, SoftEvents, SoftScene

Value = Tensor | SoftEvents

# Logit of padding: negligible beside any object, but finite, so that a softmax over padding alone is not NaN.
_NOBODY = -50.0


@dataclass(frozen=True)
class View:
    """A scene, and `rows` [B]: the index of the set of each batch row."""

    scene: SoftScene
    rows: Tensor

    def of(self, table: Tensor) -> Tensor:
        """[S, ...] to [B, ...]."""
        # The backward pass of index_select accumulates fastest on two-dimensional tables.
        return table.flatten(1).index_select(0, self.rows).unflatten(1, table.shape[1:])

    def column(self, table: Tensor, places: Tensor) -> Tensor:
        """[S, N, C] to [B, N]: column `places[b]` of each row."""
        columns = table.shape[-1]
        return table.transpose(1, 2).flatten(0, 1).index_select(0, self.rows * columns + places)

    @property
    def objects(self) -> Tensor:
        """[B, N]: 1 for objects, 0 for padding."""
        return self.of(self.scene.objects)

    def object_logits(self, among: Tensor) -> Tensor:
        """Log-odds of membership [B, N], with padding masked out."""
        return log_odds(among) + _NOBODY * (1 - self.objects)

    @property
    def imagination(self) -> Imagination:
        if self.scene.imagination is None:
            raise ProgramError(
                "expected a scene with an imagination: the program asks what happens after the video or would happen "
                "under a premise (found a scene of the visible video only). Leave such questions out, or add one."
            )
        return self.scene.imagination

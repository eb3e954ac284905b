"""What an operator sees: the scene, and the set that each of its rows is about."""

from dataclasses import dataclass

from torch import Tensor

from comphy.errors import ProgramError
from models.pcr.executor.soft_logic import log_odds
from models.pcr.executor.soft_scene import Imagination, SoftEvents, SoftScene

Value = Tensor | SoftEvents

# Logit of what is padding: out of the question, yet a number where there is nothing else.
_NOBODY = -50.0


@dataclass(frozen=True)
class View:
    """`rows` [B]: the set of each row."""

    scene: SoftScene
    rows: Tensor

    def of(self, table: Tensor) -> Tensor:
        """[S, ...] to [B, ...]."""
        # Of tables with two dimensions, the gradient is added up fastest.
        return table.flatten(1).index_select(0, self.rows).unflatten(1, table.shape[1:])

    def column(self, table: Tensor, places: Tensor) -> Tensor:
        """[S, N, C] to [B, N]: one of the C columns in each row."""
        columns = table.shape[-1]
        return table.transpose(1, 2).flatten(0, 1).index_select(0, self.rows * columns + places)

    @property
    def objects(self) -> Tensor:
        """[B, N]: which objects there are."""
        return self.of(self.scene.objects)

    def object_logits(self, among: Tensor) -> Tensor:
        """Log-odds of being among the objects; padding never is."""
        return log_odds(among) + _NOBODY * (1 - self.objects)

    @property
    def imagination(self) -> Imagination:
        if self.scene.imagination is None:
            raise ProgramError(
                "expected a scene with an imagination: the program asks what happens after the video or would happen "
                "under a premise (found a scene that knows only the video). Leave such questions out, or add one."
            )
        return self.scene.imagination

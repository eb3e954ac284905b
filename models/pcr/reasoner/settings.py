"""What a reasoner is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from comphy.errors import ConfigError, did_you_mean
from models.pcr.dynamics.paper_predictor import PaperDynamics
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.properties.inferencer import PropertyInferencer
from models.pcr.properties.paper_inferencer import PaperInferencer

INFERENCERS: Final[dict[str, type[PropertyInferencer | PaperInferencer]]] = {
    "motion": PropertyInferencer,
    "paper": PaperInferencer,
}
DYNAMICS: Final[dict[str, type[Dynamics | PaperDynamics]]] = {"ground": Dynamics, "paper": PaperDynamics}
POOLS: Final = {"sum": "sum", "max": "amax"}


@dataclass(frozen=True)
class ReasonerSettings:
    """The architecture; a checkpoint fits only the settings it was trained with."""

    features: int = 512
    hidden: int = 64
    looks: int = 128  # hidden units between features and static concepts; 0: one layer, as in the paper
    axes: int = 256  # main axes along which features are seen, about as wide as each other; 0: features as they are
    covered: float = 0.4  # share of what is seen that is covered up while looks are learned
    all_views: bool = True  # an object looks as all videos together show it, not as the target alone does
    replay: bool = True  # counterfactuals follow the recording until the change can reach an object
    references: bool = True  # hidden properties are inferred from the reference videos, too
    one_of_a_kind: bool = True  # a set has at most one heavy object and one charged pair, as the paper says
    inferencer: str = "motion"  # reads motion relative to other objects; paper: whole paths in the picture (Eq. 2)
    dynamics: str = "ground"  # forces along the line between two objects; paper: absolute places (Eq. 3)
    second_look: bool = True  # properties are held against the motion that they explain
    pool: str = "sum"  # of what the videos of a set tell; max, as in the paper

    def __post_init__(self) -> None:
        choices = (("inferencer", set(INFERENCERS)), ("dynamics", set(DYNAMICS)), ("pool", set(POOLS)))
        for name, known in choices:
            chosen = getattr(self, name)
            if chosen not in known:
                raise ValueError(f"unknown {name} '{chosen}'; {did_you_mean(chosen, known)}")
        if not 0 <= self.covered < 1:
            raise ValueError(f"expected a covered share from 0 to less than 1 (got {self.covered})")

    def without(self, parts: Sequence[str]) -> "ReasonerSettings":
        """The same with parts switched off, to see what each is good for; no weights depend on them."""
        switches = {field.name for field in fields(self) if field.type is bool}
        for part in parts:
            if part not in switches:
                raise ConfigError(f"unknown part '{part}' of a reasoner; {did_you_mean(part, switches)}")
        return replace(self, **dict.fromkeys(parts, False))  # type: ignore[arg-type]

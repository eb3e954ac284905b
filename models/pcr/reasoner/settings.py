"""The settings of a reasoner: its architecture, and which parts are switched on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Final

from comphy.errors import ConfigError, did_you_mean

_CHOICES: Final = {
    "inferencer": ("motion", "paper", "cpl"),
    "dynamics": ("rigid_body", "paper", "dpi"),
    "pool": ("sum", "max"),
}


@dataclass(frozen=True)
class ReasonerSettings:
    """The architecture; a checkpoint fits only the settings it was trained with."""

    RENAMED: ClassVar[Mapping[str, str]] = {
        "looks": "attribute_hidden",
        "axes": "pca_components",
        "covered": "feature_dropout",
        "one_of_a_kind": "exclusive_properties",
        "second_look": "property_refinement",
        "votes": "posterior_samples",
        "replay": "follow_recording",
    }
    RENAMED_VALUES: ClassVar[Mapping[str, Mapping[str, str]]] = {"dynamics": {"ground": "rigid_body"}}

    features: int = 512
    hidden: int = 64
    attribute_hidden: int = 128  # hidden units between features and attributes; 0: one layer, as in the paper
    pca_components: int = 256  # features are PCA-whitened; 0: standardised, with all components
    feature_dropout: float = 0.4  # dropout of whitened features while attributes are learned
    all_views: bool = True  # attributes are read off all videos of a set, not off the target alone
    follow_recording: bool = True  # counterfactuals follow the recording until the change can reach an object
    references: bool = True  # hidden properties are inferred from the reference videos, too
    exclusive_properties: bool = True  # a set has at most one heavy object and one charged pair, as the paper says
    inferencer: str = "motion"  # sees motion relative to other objects; paper: whole image tracks (Eq. 2); cpl
    dynamics: str = "rigid_body"  # with learned constants; paper: absolute places (Eq. 3); dpi: no properties
    property_refinement: bool = True  # properties are scored by the motion that they explain
    state_fit: bool = (
        True  # states of motion are fitted to whole tracks, through the laws; if not, lines to a few frames
    )
    posterior_samples: int = 12  # trajectories of the fit's posterior that tell how sure imagined events are; 0: none
    posterior_spread: float = 2.0  # their distance from its mean is multiplied; boxes err alike in frame after frame
    pool: str = "sum"  # of the evidence of all videos of a set; max, as in the paper

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            chosen = getattr(self, name)
            if chosen not in known:
                raise ValueError(f"unknown {name} '{chosen}'; {did_you_mean(chosen, set(known))}")
        if not 0 <= self.feature_dropout < 1:
            raise ValueError(f"expected feature_dropout from 0 to less than 1 (got {self.feature_dropout})")
        if self.posterior_samples < 0:
            raise ValueError(f"expected posterior_samples of 0 or more trajectories (got {self.posterior_samples})")
        if not self.posterior_spread > 0:
            raise ValueError(f"expected a posterior_spread above 0 (got {self.posterior_spread})")

    @property
    def fits_states(self) -> bool:
        """Whether states are fitted; the paper's predictor has no laws of free motion to fit them with."""
        return self.state_fit and self.dynamics == "rigid_body"

    def without(self, parts: Sequence[str]) -> "ReasonerSettings":
        """The same with parts switched off, for ablations at test time; no weights depend on them."""
        switches = {field.name for field in fields(self) if field.type is bool}
        for part in parts:
            if part in self.RENAMED:
                raise ConfigError(f"'{part}' of a reasoner is called '{self.RENAMED[part]}' now")
            if part not in switches:
                raise ConfigError(f"unknown part '{part}' of a reasoner; {did_you_mean(part, switches)}")
        return replace(self, **dict.fromkeys(parts, False))  # type: ignore[arg-type]

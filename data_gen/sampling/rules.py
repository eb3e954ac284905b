"""The rules a video set must meet, as data; and the reasons for which a draw is rejected."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

from comphy.errors import ConfigError
from comphy.scene.objects import REFERENCE_FRAMES
from comphy.scene.vocabulary import Color, Family, Material, Shape


@dataclass(frozen=True)
class SceneRules:
    """What the sampler aims for and accepts. Times are seconds, lengths scene units, speeds units per second."""

    min_objects: int = 3
    max_objects: int = 5
    families: dict[str, float] = field(default_factory=lambda: {"mass": 0.4, "charge": 0.4, "both": 0.2})
    heavy_share: float = 0.85  # of the sets of the mass family that hold a heavy object
    future_share: float = 0.5  # of the sets in which a pair is aimed to meet first in the hidden future
    min_gap: float = 0.6  # between centres at frame 0
    min_visible_frames: int = 15  # in which each object must be seen
    min_visibility: float = 0.5  # share of an object's outline that counts as seen
    max_height_error: float = 0.02  # an object that leaves the table by more has toppled or been lifted
    target_attempts: int = 400
    reference_attempts: int = 200

    def check(self) -> None:
        """All contradictions at once, each with the way out."""
        problems = []
        distinct = len(Color) * len(Shape) * len(Material)
        if not 3 <= self.min_objects <= self.max_objects:
            problems.append(
                f"expected 3 <= min_objects <= max_objects (got {self.min_objects} and {self.max_objects}); "
                "a set needs a pair to interact and a bystander"
            )
        if self.max_objects > 6:
            reason = (
                "distinct looks exist" if self.max_objects > distinct else "objects fit on the table and the renderers"
            )
            limit = distinct if self.max_objects > distinct else 6
            problems.append(f"max_objects is {self.max_objects} but only {limit} {reason}; lower max_objects")
        unknown = sorted(set(self.families) - {str(f) for f in Family})
        if unknown:
            problems.append(f"unknown families {unknown}; known: {[str(f) for f in Family]}")
        if not self.families or min(self.families.values()) < 0 or sum(self.families.values()) <= 0:
            problems.append(f"families need non-negative weights with a positive sum (got {self.families})")
        for name in ("heavy_share", "future_share", "min_visibility"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                problems.append(f"{name} is a share between 0 and 1 (got {getattr(self, name)})")
        if not 0 <= self.min_visible_frames <= REFERENCE_FRAMES:
            problems.append(
                f"min_visible_frames is {self.min_visible_frames} but a reference video has {REFERENCE_FRAMES} frames; "
                f"expected 0 to {REFERENCE_FRAMES}"
            )
        for name in ("min_gap", "max_height_error"):
            if not 0.0 <= getattr(self, name) < math.inf:
                problems.append(f"{name} is a length of at least 0 (got {getattr(self, name)})")
        for name in ("target_attempts", "reference_attempts"):
            if getattr(self, name) < 1:
                problems.append(f"{name} must be at least 1 (got {getattr(self, name)})")
        if problems:
            raise ConfigError("The scene rules cannot be met:\n  - " + "\n  - ".join(problems))


class Rejection(StrEnum):
    """Why a drawn video was thrown away; the counts are printed at the end of a job."""

    NO_PLAN = "no free place or path was found"
    TOO_CLOSE = "objects start too close together"
    TOPPLED = "an object left the table plane"
    UNSEEN = "an object is not seen long enough"
    NO_INTERACTION = "nothing collides, attracts or repels in view"
    FUTURE_MISSED = "the pair aimed at the hidden future met earlier, later or never"
    CHARGE_HIDDEN = "the charged pair's interaction does not show"
    MASS_HIDDEN = "the heavy object collides with nothing"

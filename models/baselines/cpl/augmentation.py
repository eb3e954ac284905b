"""What CPL's property learner is shown of training sets, each time anew: tracks with noise, and some of the references, as
in the published training."""

from dataclasses import dataclass, replace

import torch

from models.pcr.tracks.observed import Observed, VideoMotion
from models.perceiver.tracking.alignment import NOBODY


@dataclass(frozen=True)
class TrackAugmentation:
    noise: float = 0.001  # standard deviation of the edges of boxes, in widths of the picture
    some_references: bool = True  # a random number of them, from none to all; else all

    def __post_init__(self) -> None:
        if not 0 <= self.noise < 1:
            raise ValueError(f"expected noise from 0 to below 1 (got {self.noise})")


def augmented(observed: Observed, settings: TrackAugmentation, rng: torch.Generator) -> Observed:
    """Sets with other boxes. Objects of references that are left out belong to nobody."""
    owners = observed.owners
    if settings.some_references:
        order = torch.rand(owners.shape[:2], generator=rng, device=owners.device).argsort(dim=1)
        count = torch.randint(owners.shape[1] + 1, (len(owners), 1), generator=rng, device=owners.device)
        owners = owners.masked_fill((order >= count)[..., None], NOBODY)
    return replace(
        observed,
        owners=owners,
        target=_noised(observed.target, settings.noise, rng),
        references=_noised(observed.references, settings.noise, rng),
    )


def _noised(video: VideoMotion, noise: float, rng: torch.Generator) -> VideoMotion:
    if not noise:
        return video
    boxes = video.tracks.boxes
    moved = boxes + noise * torch.randn(boxes.shape, generator=rng, device=boxes.device, dtype=boxes.dtype)
    return replace(video, tracks=replace(video.tracks, boxes=moved))

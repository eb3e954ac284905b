"""References aligned to targets by the attributes that the grounder has learned: colour, shape and material (5.1.1)."""

from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from models.pcr.grounding.grounder import Attributes, Grounder
from models.pcr.tracks.observed import Observed
from models.perceiver.tracking.alignment import owners_by_attributes

_LEAST: Final = 1e-9


@torch.no_grad()
def aligned_by_attributes(observed: Observed, grounder: Grounder) -> Observed:
    """The same sets with the references' tracks assigned to the target's objects by their attributes."""
    target = _logs(grounder.attributes(observed.features))
    references = _logs(grounder.attributes(observed.reference_features))
    objects = observed.objects.sum(dim=1).tolist()
    tracks = observed.reference_tracks.sum(dim=2).tolist()
    owners = torch.full_like(observed.owners, -1, device="cpu")
    for row in range(len(observed)):
        found = owners_by_attributes(
            [values[row, : objects[row]] for values in target],
            [[values[row, r, :count] for values in references] for r, count in enumerate(tracks[row])],
        )
        owners[row, :, : found.shape[1]] = torch.from_numpy(found)
    return replace(observed, owners=owners.to(observed.owners.device))


def _logs(attributes: Attributes) -> list[NDArray[np.float32]]:
    values = (attributes.color, attributes.shape, attributes.material)
    return [chances.clamp(min=_LEAST).log().cpu().numpy() for chances in values]

"""A video as its fitted motion shows it: what was measured frame by frame, in place of that what whole tracks say.

Shapes: leading dimensions (...), T frames, N objects.
"""

from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.line_fits import REACH, LineFit, fit_lines
from models.pcr.tracks.observed import VideoMotion
from models.pcr.tracks.projection import Projection

_OUTSIDE: Final = -0.005  # widths: an object that is not seen any more is at least so far outside the image
_MOMENT: Final = 1e-2  # seconds, for derivatives of the projection


def fitted_view(video: VideoMotion, states: FittedMotion) -> VideoMotion:
    """The same video with fitted places, velocities and distances to the image border. An object counts as present from
    its first to its last sighting, also while others hide it; before and after that it is outside the image, whatever the
    fit says."""
    between = _from_first_to_last(video.tracks.present) & states.known[..., None, :]
    known = states.known[..., None, :].expand_as(between)
    projection = Projection.of(states.position, video.tracks.camera)
    centre = projection.centres(states.position)
    ahead = projection.centres(states.position + states.velocity * _MOMENT)
    size = centre.new_tensor([1.0, projection.height])
    room = torch.minimum(centre, size - centre).amin(dim=-1)
    motion = replace(
        video.motion,
        around=LineFit(states.position, states.velocity, known),
        before=fit_lines(states.position, known, -REACH, 0),
        after=fit_lines(states.position, known, 0, REACH),
    )
    tracks = replace(video.tracks, position=states.position, valid=known, present=between, centre=centre)
    image_fit = LineFit(centre, (ahead - centre) / _MOMENT, known)
    return VideoMotion(tracks, motion, image_fit, torch.where(between, room, room.clamp(max=_OUTSIDE)))


def _from_first_to_last(present: Tensor) -> Tensor:
    """[..., T, N]: frames between the first and the last in which an object was seen."""
    sightings = present.int()
    begun = sightings.cumsum(dim=-2)
    left = sightings.flip(-2).cumsum(dim=-2).flip(-2)
    return (begun > 0) & (left > 0)

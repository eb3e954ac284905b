"""Evidence about charges from fitted motion: under which charge does a Kalman filter expect the boxes that were seen?

The laws of free motion are linearised about the fitted states, with the charge and without it; the gain is the difference
of the log likelihoods. Frames in which two objects nearly touch tell nothing: what an impact does is left open there.

Shapes: V videos, T frames, N objects, P pairs.
"""

from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.fitting.kalman import log_likelihood
from models.pcr.dynamics.fitting.smoother import MotionSmoother
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.state import Bodies
from models.pcr.executor.soft_scene import both_of
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.ground_plane import GroundTracks

_NEARLY: Final = 0.08  # units between two objects below which they may touch
_MOST: Final = 30.0  # nats of one object in one video: where a fit has failed, a wrong charge may seem to mend it


@torch.no_grad()
def charge_gains(dynamics: Dynamics, bodies: Bodies, tracks: GroundTracks, states: FittedMotion) -> Tensor:
    """[V, P, 2]: gains in nats if a pair repels, and if it attracts, over no charges at all; 0 for pairs that are not
    there."""
    neutral = MotionSmoother.of(dynamics, replace(bodies, charge=torch.zeros_like(bodies.charge)), tracks)
    about = states.vectors.double()
    model = neutral.linearised(about, _NEARLY)
    nothing = log_likelihood(model)
    videos, objects = bodies.there.shape
    first = torch.arange(videos, device=about.device) * objects
    gains = about.new_zeros(videos, len(dynamics.pairs), 2)
    for pair, members in enumerate(dynamics.pairs.tolist()):
        rows = torch.cat([first + member for member in members])
        part = model.rows(rows)
        for kind, charge in enumerate((1.0, -1.0)):
            transition, offset = neutral.charged(pair, charge).free_motion(about)
            found = log_likelihood(replace(part, transition=transition[rows], offset=offset[rows]))
            gains[:, pair, kind] = (found - nothing[rows]).clamp(-_MOST, _MOST).reshape(2, videos).sum(dim=0)
    return gains.float() * both_of(bodies.there, dynamics.pairs)[..., None]

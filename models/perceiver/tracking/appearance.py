"""How alike two looks are: the cosine of region features after taking away what all objects have in common.

Features of a rectified network point into the same corner of their space, so that plain cosines of different objects
are all close to one. Taken from a common centre, one object's features agree and those of others do not.

Shapes: D features of a region, M and N looks.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

BLUR: Final = 3.0
UNKNOWN: Final = np.float32(0.5)

Array = NDArray[np.float32]


def mean_feature(scores: NDArray, features: NDArray) -> Array:
    """[D]: what the detections [...] with features [..., D] have in common, each by its score."""
    weights = np.asarray(scores, np.float32).reshape(-1)
    total = weights @ np.asarray(features, np.float32).reshape(len(weights), -1)
    return total / np.float32(max(float(weights.sum()), 1e-6))


def directions(looks: Array, least: NDArray | float = 0.0) -> Array:
    """Centred looks [..., D] as unit vectors, whose products are cosines.

    A look no further from the centre than `least`, its blur, says little of who it is, and its cosines would be
    random. It stays shorter than one.
    """
    lengths = np.sqrt(np.einsum("...d,...d->...", looks, looks))
    return looks / np.maximum(np.maximum(lengths, least), 1e-6)[..., None].astype(np.float32)


def blur(noise: float, views: NDArray) -> Array:
    """[M]: the blur of averages over so many views: a few times what independent noise would leave."""
    return np.float32(BLUR * noise) / np.sqrt(views, dtype=np.float32)


def cosines(a: Array, b: Array) -> Array:
    """[M, N] of directions [M, D] and [N, D]. Where a look is too blurred to tell, the cosine goes to a middle value:
    too little to be the same, and no objection either."""
    trust = np.sqrt(np.einsum("md,md->m", a, a)[:, None] * np.einsum("nd,nd->n", b, b))
    return a @ b.T + UNKNOWN * (1 - trust)

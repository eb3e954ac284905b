"""Appearance embeddings and their cosine similarity, after subtraction of the mean feature (centring).

Features behind a ReLU are all positive, so that plain cosines of different objects are all close to one. Once the mean is
subtracted, the features of one object agree and those of others do not.

Shapes: D features of a region, M and N embeddings.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

NOISE_RADIUS: Final = 3.0  # standard deviations of an averaged embedding below which it says little
NEUTRAL: Final = np.float32(0.5)  # the cosine of embeddings that say nothing

Array = NDArray[np.float32]


def mean_feature(scores: NDArray, features: NDArray) -> Array:
    """[D]: the mean of features [..., D] of detections [...], weighted by their scores."""
    weights = np.asarray(scores, np.float32).reshape(-1)
    total = weights @ np.asarray(features, np.float32).reshape(len(weights), -1)
    return total / np.float32(max(float(weights.sum()), 1e-6))


def unit_vectors(embeddings: Array, least: NDArray | float = 0.0) -> Array:
    """Centred embeddings [..., D] as unit vectors, whose dot products are cosines.

    The cosines of an embedding within its noise radius `least` of the centre would be random: it stays shorter than one.
    """
    lengths = np.sqrt(np.einsum("...d,...d->...", embeddings, embeddings))
    return embeddings / np.maximum(np.maximum(lengths, least), 1e-6)[..., None].astype(np.float32)


def noise_radius(noise: float, views: NDArray) -> Array:
    """[M]: a few standard errors of averages over so many views, if noise were independent."""
    return np.float32(NOISE_RADIUS * noise) / np.sqrt(views, dtype=np.float32)


def cosines(a: Array, b: Array) -> Array:
    """[M, N]: cosine similarities of unit vectors [M, D] and [N, D]. Those of noisy embeddings, which are shorter than one,
    go to a neutral value: too small to match, too large to rule a match out."""
    certainty = np.sqrt(np.einsum("md,md->m", a, a)[:, None] * np.einsum("nd,nd->n", b, b))
    return a @ b.T + NEUTRAL * (1 - certainty)

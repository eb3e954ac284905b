"""How much a perceiver's embeddings tell of colour, shape and material: probes, small classifiers on frozen features.

Probes learn from true attributes, which nothing else in the toolkit may. They tell whether a reasoner that confuses
materials could have known better, before it is trained.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from comphy.errors import DatasetError
from comphy.evaluation.intervals import Accuracy, grouped_accuracy
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.evaluation.true_sets import read_true_sets
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.randomness import seeded

PROBED: Final = {"color": tuple(Color), "shape": tuple(Shape), "material": tuple(Material)}
HIDDEN: Final = 128  # units of the probe with a hidden layer, as many as the reasoner's attribute heads have
STEPS: Final = 1500
_BATCH, _RATE, _DROPOUT = 256, 1e-3, 0.3


@dataclass(frozen=True)
class Examples:
    """Features [N, D] of tracks of all videos, the `sets` [N] they are of, and their true `labels` [N] by attribute."""

    features: Tensor
    sets: Tensor
    labels: dict[str, Tensor]

    def accuracy(self, right: Tensor) -> Accuracy | None:
        """Of answers that are `right` [N]; those about one set are a cluster."""
        groups = [right[self.sets == number] for number in self.sets.unique()]
        return grouped_accuracy([(int(group.sum()), len(group)) for group in groups])


def collect_examples(cache: FeatureCache, data: Path, sets: Sequence[int]) -> Examples:
    """Tracks that lie on no object are left out."""
    features: list[Tensor] = []
    numbers: list[int] = []
    labels: dict[str, list[int]] = {name: [] for name in PROBED}
    for true in read_true_sets(data, sets, cache):
        perceived = cache.read(true.index)
        videos = zip(
            (perceived.target, *perceived.references), (true.identities, *true.reference_identities), strict=True
        )
        for video, identities in videos:
            for track, identity in enumerate(identities):
                if identity is not None:
                    features.append(torch.from_numpy(video.features[track].astype("float32")))
                    numbers.append(true.index)
                    for name, words in PROBED.items():
                        labels[name].append(words.index(getattr(true.facts.objects[identity], name)))
    if not features:
        raise DatasetError(f"{cache.folder}: expected tracks that lie on objects (found none in {len(sets)} sets).")
    return Examples(
        torch.stack(features), torch.tensor(numbers), {name: torch.tensor(values) for name, values in labels.items()}
    )


def probe(
    train: Examples, test: Examples, hidden: int = HIDDEN, steps: int = STEPS, seed: int = 0
) -> dict[str, Accuracy | None]:
    """Accuracy on `test` of a probe that learned from `train`, by attribute; without `hidden` units it is linear."""
    mean, deviation = train.features.mean(dim=0), train.features.std(dim=0).clamp(min=1e-6)
    seen, asked = ((examples.features - mean) / deviation for examples in (train, test))
    found: dict[str, Accuracy | None] = {}
    for number, (name, words) in enumerate(PROBED.items()):
        with seeded(seed, number, hidden):
            network = _train(_network(seen.shape[1], hidden, len(words)), seen, train.labels[name], steps)
        with torch.no_grad():
            right = network(asked).argmax(dim=1) == test.labels[name]
        found[name] = test.accuracy(right)
    return found


def _network(features: int, hidden: int, words: int) -> nn.Sequential:
    if not hidden:
        return nn.Sequential(nn.Dropout(_DROPOUT), nn.Linear(features, words))
    return nn.Sequential(nn.Dropout(_DROPOUT), nn.Linear(features, hidden), nn.SiLU(), nn.Linear(hidden, words))


def _train(network: nn.Sequential, features: Tensor, labels: Tensor, steps: int) -> nn.Sequential:
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=0.01)
    for _ in range(steps):
        rows = torch.randint(len(features), (_BATCH,))
        optimizer.zero_grad()
        functional.cross_entropy(network(features[rows]), labels[rows]).backward()
        optimizer.step()
    return network.eval()

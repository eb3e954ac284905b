"""References find their objects by what the grounder has learned to see, not by all that features tell."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from torch import Tensor

from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.grounding.alignment import aligned_by_attributes
from models.pcr.grounding.grounder import Grounder
from models.pcr.reasoner.reasoner import OBJECTS
from models.pcr.tracks.observed import Observed, observe
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.tracking.alignment import FeatureAppearance, align

pytestmark = pytest.mark.bullet
SIZES = (len(Color), len(Shape), len(Material))
WORDS = sum(SIZES)
LIGHT = 5.0  # what a video adds to an object's looks is much stronger than they are
# Neighbours differ in one attribute, so that none of the three is enough by itself.
LOOKS = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 1, 0)]
STRANGER = (5, 2, 0)


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    """Knows every word by a coordinate of its own, and ignores the others."""
    grounder = Grounder(WORDS + OBJECTS, OBJECTS, attribute_hidden=0, pca_components=0)
    starts = np.cumsum((0, *SIZES))
    spaces = (grounder.color, grounder.shape, grounder.material)
    with torch.no_grad():
        for space, start, size in zip(spaces, starts, SIZES, strict=False):
            (layer,) = space.space
            for tensor in (layer.weight, layer.bias, space.concepts):
                tensor.zero_()
            layer.weight[range(size), range(start, start + size)] = 1.0
            space.concepts[range(size), range(size)] = 1.0
    return grounder


@pytest.fixture(scope="module")
def observed(dozen_cache: FeatureCache) -> Observed:
    """Sets in which every reference shows an object in the light that another object has in the target."""
    seen = observe(dozen_cache, dozen_cache.indices()[:6])
    count = seen.objects.sum(dim=1)
    owners = seen.owners.clamp(min=0)
    in_light = (owners + 1) % count[:, None, None]
    own = torch.arange(OBJECTS).expand(len(seen), -1)
    return replace(
        seen,
        features=features(own, own) * seen.objects[..., None],
        reference_features=features(owners, in_light) * seen.reference_tracks[..., None],
    )


def features(who: Tensor, light: Tensor) -> Tensor:
    """[..., N] to [..., N, D]: the looks of an object in some light."""
    looks = torch.stack([appearance(look) for look in LOOKS])
    return torch.cat([looks[who], LIGHT * torch.eye(OBJECTS)[light]], dim=-1)


def appearance(look: tuple[int, ...]) -> Tensor:
    return torch.cat([torch.eye(size)[value] for value, size in zip(look, SIZES, strict=True)])


def test_every_track_finds_its_object_where_features_mislead(observed: Observed, grounder: Grounder):
    unknown = replace(observed, owners=torch.full_like(observed.owners, -1))
    found = aligned_by_attributes(unknown, grounder)
    assert torch.equal(found.owners, observed.owners)
    assert (found.owners >= 0).sum() > 40, "enough to be sure"
    tracks = wrong = 0
    for row, reference in product(range(len(observed)), range(observed.owners.shape[1])):
        shown = observed.reference_tracks[row, reference]
        target = observed.features[row][observed.objects[row]].numpy()
        others = observed.reference_features[row, reference][shown].numpy()
        centre = np.concatenate([target, others]).mean(axis=0)
        by_features = align(FeatureAppearance(others, centre), FeatureAppearance(target, centre))
        wrong += int((by_features != observed.owners[row, reference][shown].numpy()).sum())
        tracks += int(shown.sum())
    assert wrong > 0.9 * tracks


def test_a_track_that_looks_like_no_object_is_nobodys(observed: Observed, grounder: Grounder):
    changed = observed.reference_features.clone()
    changed[2, 1, 0] = torch.cat([appearance(STRANGER), torch.zeros(OBJECTS)])
    found = aligned_by_attributes(replace(observed, reference_features=changed), grounder)
    expected = observed.owners.clone()
    expected[2, 1, 0] = -1
    assert torch.equal(found.owners, expected)

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from models.pcr.properties.message_passing import Evidence
from models.pcr.properties.paper_inferencer import FRAMES, PaperInferencer, image_tracks
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed, VideoMotion, observe
from models.pcr.tracks.tensor_trees import mapped
from models.perceiver.cache.feature_cache import FeatureCache

SHAPE = torch.full((2, OBJECTS, 3), 1 / 3)


@pytest.fixture
def inferencer() -> PaperInferencer:
    torch.manual_seed(0)
    return PaperInferencer(OBJECTS, 16).eval()


@pytest.fixture(scope="module")
def observed(dozen_cache: FeatureCache) -> Observed:
    return observe(dozen_cache, dozen_cache.indices()[:6])


def two_videos(frames: int = FRAMES) -> VideoMotion:
    """Objects that go from left to right at different heights; the second video shows the first two only."""
    x = torch.linspace(50, 400, frames)[:, None] + 5 * torch.arange(OBJECTS)
    y = torch.linspace(60, 260, OBJECTS).expand_as(x)
    boxes = torch.stack([x - 10, y - 10, x + 10, y + 10], dim=-1)
    few = boxes.clone()
    few[:, 2:] = 0
    return VideoMotion.of(torch.stack([boxes, few]), 480, 320)


def there(*counts: int) -> Tensor:
    return torch.arange(OBJECTS) < torch.tensor(counts)[:, None]


def test_a_path_is_the_middle_of_the_box_at_every_frame():
    found = image_tracks(two_videos(50))
    assert found.shape == (2, OBJECTS, 2 * FRAMES)
    assert torch.allclose(found[0, 0, :2], torch.tensor([50, 60]) / 480, atol=1e-5)
    assert torch.allclose(found[0, 0, 98:100], torch.tensor([400, 60]) / 480, atol=1e-5)
    assert not found[:, :, 100:].any() and not found[1, 2:].any()


def test_longer_videos_are_refused():
    with pytest.raises(ValueError, match=f"at most {FRAMES} frames"):
        image_tracks(two_videos(FRAMES + 1))


def test_evidence_is_zero_where_a_video_shows_nothing(inferencer: PaperInferencer):
    evidence = inferencer(two_videos(), SHAPE, there(5, 2))
    assert evidence.heavy.shape == (2, OBJECTS) and evidence.charge.shape == (2, 10, 3)
    assert evidence.heavy[0].all() and evidence.charge[0].all()
    assert evidence.heavy[1, :2].all() and evidence.charge[1, 0].all()
    assert not evidence.heavy[1, 2:].any() and not evidence.charge[1, 1:].any()


def test_a_video_tells_nothing_of_another(inferencer: PaperInferencer):
    video = two_videos()
    both, alone = inferencer(video, SHAPE, there(5, 2)), inferencer(video, SHAPE, there(5, 0))
    assert torch.allclose(both.heavy[0], alone.heavy[0]) and torch.allclose(both.charge[0], alone.charge[0])


def test_gradients_reach_every_parameter(inferencer: PaperInferencer):
    evidence = inferencer(two_videos(), SHAPE, there(5, 2))
    (evidence.heavy.square().sum() + evidence.charge.square().sum()).backward()
    for name, parameter in inferencer.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name


@pytest.mark.parametrize("inferencer", ["motion", "paper"])
def test_videos_are_pooled_as_the_settings_say(observed: Observed, inferencer: str):
    """Set by set, against a plain loop over the references."""
    torch.manual_seed(0)
    features = observed.features.shape[-1]
    for pool, joined in (("max", torch.maximum), ("sum", torch.add)):
        reasoner = Reasoner(ReasonerSettings(features, inferencer=inferencer, pool=pool)).eval()
        nn.utils.vector_to_parameters(
            3 * nn.utils.parameters_to_vector(reasoner.inferencer.parameters()).detach(),
            reasoner.inferencer.parameters(),
        )  # untrained, it finds little difference between objects
        shape = reasoner.grounder.attributes(observed.features).shape
        target = reasoner.inferencer(observed.target, shape, observed.objects)
        found = reasoner._with_references(observed, target)
        expected = replace(target, heavy=target.heavy.clone(), charge=target.charge.clone())
        for reference in range(observed.owners.shape[1]):
            told = _told(reasoner, observed, reference)
            for row, owners in enumerate(observed.owners[:, reference].tolist()):
                _add(expected, row, told, owners, reasoner.dynamics.pairs.tolist(), joined)
        assert torch.allclose(found.heavy, expected.heavy, atol=1e-5)
        assert torch.allclose(found.charge, expected.charge, atol=1e-5)
        assert (found.heavy - target.heavy).abs().amax() > 0.01


def _told(reasoner: Reasoner, observed: Observed, reference: int) -> Evidence:
    video = mapped(observed.references, lambda tensor: tensor[:, reference])
    shape = reasoner.grounder.attributes(observed.reference_features[:, reference]).shape
    return reasoner.inferencer(video, shape, observed.reference_tracks[:, reference])


def _add(total: Evidence, row: int, told: Evidence, owners: list[int], pairs: list[list[int]], joined) -> None:
    for track, owner in enumerate(owners):
        if owner >= 0:
            total.heavy[row, owner] = joined(total.heavy[row, owner], told.heavy[row, track])
    for number, (first, second) in enumerate(pairs):
        if owners[first] >= 0 and owners[second] >= 0:
            place = pairs.index(sorted([owners[first], owners[second]]))
            total.charge[row, place] = joined(total.charge[row, place], told.charge[row, number])

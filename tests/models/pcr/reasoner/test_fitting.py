"""Sets are fitted again where their properties are thought to be others, and only there."""

from dataclasses import replace

import pytest
import torch

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.state import Bodies
from models.pcr.reasoner import fitting
from models.pcr.reasoner.fitting import fit_motion_of, likely_bodies, refit_motion
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.projection import Projection
from models.perceiver.perceived import PerceivedBatch

FRAMES, WIDTH, HEIGHT, FEATURES = 24, 240, 160, 8


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    torch.manual_seed(0)
    return Reasoner(ReasonerSettings(features=FEATURES, hidden=8, attribute_hidden=0, pca_components=0)).eval()


@pytest.fixture(scope="module")
def observed() -> Observed:
    """Two sets of two balls, one of which rolls past the other, without references."""
    along = torch.arange(FRAMES) / FPS
    rolling = torch.stack([torch.full((FRAMES,), 0.3), along - 0.5], dim=-1)
    place = torch.stack([rolling, torch.tensor([-1.0, 0.5]).expand(FRAMES, 2)], dim=1)
    ball = torch.eye(3)[list(Shape).index(Shape.SPHERE)].expand(FRAMES, 2, 3)
    boxes = torch.zeros(2, FRAMES, OBJECTS, 4)
    boxes[:, :, :2] = Projection.of(place).boxes(place, torch.zeros(FRAMES, 2), ball) * WIDTH
    batch = PerceivedBatch(
        indices=torch.arange(2),
        objects=torch.tensor([2, 2]),
        target=boxes,
        target_seen=boxes.any(dim=-1),
        target_features=torch.randn(2, OBJECTS, FEATURES, generator=torch.Generator().manual_seed(1)),
        references=torch.zeros(2, 1, 10, OBJECTS, 4),
        reference_seen=torch.zeros(2, 1, 10, OBJECTS, dtype=torch.bool),
        reference_features=torch.zeros(2, 1, OBJECTS, FEATURES),
        tracks=torch.zeros(2, 1, dtype=torch.long),
        owners=torch.full((2, 1, OBJECTS), -1),
        width=WIDTH,
        height=HEIGHT,
    )
    return Observed.of(batch)


def test_a_set_with_other_properties_is_fitted_again(
    reasoner: Reasoner, observed: Observed, monkeypatch: pytest.MonkeyPatch
):
    bodies = likely_bodies(reasoner, observed)
    charge = bodies.charge.clone()
    charge[0, 0] = 1 - charge[0, 0]
    before = replace(bodies, charge=charge)
    first = fit_motion_of(reasoner, observed, before)
    sizes: list[int] = []

    def counted(reasoner: Reasoner, some: Observed, theirs: Bodies) -> Observed:
        sizes.append(len(some))
        return fit_motion_of(reasoner, some, theirs)

    monkeypatch.setattr(fitting, "fit_motion_of", counted)
    found, thought = refit_motion(reasoner, first, before)
    whole = fit_motion_of(reasoner, observed, bodies)
    assert sizes == [1] and torch.equal(thought.charge, bodies.charge)
    assert found.states is not None and whole.states is not None and first.states is not None
    assert torch.allclose(found.states.target.position, whole.states.target.position, atol=1e-6)
    assert torch.equal(found.states.target.velocity[1], first.states.target.velocity[1])
    assert not torch.equal(found.states.target.velocity[0], first.states.target.velocity[0])
    assert refit_motion(reasoner, found, thought)[0] is found

"""Refinement on motion that the dynamics predictor itself has made: the true properties explain it best."""

from dataclasses import replace

import pytest
import torch

from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories
from models.pcr.dynamics.state import Bodies, State
from models.pcr.properties.refinement import HypothesisScorer
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.refining import refine_properties
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.ground_plane import GroundTracks
from models.pcr.tracks.line_fits import fit_lines, motion_of
from models.pcr.tracks.observed import Observed, VideoMotion
from models.perceiver.representation import all_pairs

pytestmark = pytest.mark.slow

FRAMES, REFERENCES, FEATURES = 60, 2, 8
THERE = torch.tensor([[True, True, True, False, False]])


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    torch.manual_seed(0)
    reasoner = Reasoner(ReasonerSettings(features=FEATURES, hidden=16, attribute_hidden=0, pca_components=0)).eval()
    with torch.no_grad():
        reasoner.dynamics.friction.fill_(-0.75)
    return reasoner


def video_motion(position: torch.Tensor, present: torch.Tensor) -> VideoMotion:
    shown = present.expand(position.shape[:-1]).clone()
    centre = torch.full_like(position, 0.3)
    boxes = torch.zeros(*shown.shape, 4)
    tracks = GroundTracks(position * shown[..., None], shown, shown, centre, boxes, boxes > 0)
    return VideoMotion(tracks, motion_of(tracks), fit_lines(centre, shown, -4, 4), torch.full(shown.shape, 0.3))


def made_with(reasoner: Reasoner, heavy: list[float], charge: dict[int, float]) -> Observed:
    """One set without references: three objects, two side by side and a third that runs into them."""
    pairs = torch.zeros(1, 10)
    for place, sign in charge.items():
        pairs[0, place] = sign
    shape = reasoner.attributes(_unseen()).shape
    bodies = Bodies(shape, torch.tensor([heavy]), pairs, THERE)
    start = torch.tensor([[[-0.5, 0.0], [0.4, 0.1], [-0.4, -1.2], [9.0, 9.0], [9.0, 9.0]]])
    speed = torch.tensor([[[0.0, 0.2], [0.0, 0.1], [0.0, 0.9], [0.0, 0.0], [0.0, 0.0]]])
    state, places = State(start, speed), []
    edges = reasoner.dynamics.edges(bodies)
    with torch.no_grad():
        for _ in range(FRAMES):
            places.append(state.position)
            state = reasoner.dynamics.step(state, edges, THERE)[0]
    target = video_motion(torch.stack(places, dim=1), THERE[:, None])
    return replace(_unseen(), target=target)


def _unseen() -> Observed:
    nobody = torch.zeros(1, REFERENCES, OBJECTS, dtype=torch.bool)
    empty = video_motion(torch.zeros(1, REFERENCES, 30, OBJECTS, 2), nobody[:, :, None])
    torch.manual_seed(1)
    return Observed(
        THERE,
        torch.randn(1, OBJECTS, FEATURES),
        video_motion(torch.zeros(1, FRAMES, OBJECTS, 2), THERE[:, None]),
        empty,
        nobody,
        torch.zeros(1, REFERENCES, OBJECTS, FEATURES),
        torch.full((1, REFERENCES, OBJECTS), -1),
    )


@pytest.mark.parametrize(("sign", "kind"), [(1.0, 0), (-1.0, 1)])
def test_the_true_charge_explains_the_motion_best(reasoner: Reasoner, sign: float, kind: int):
    found = refine_properties(reasoner, made_with(reasoner, [0.0] * 5, {0: sign})).refinement
    assert found is not None
    assert found.charge[0, 0, kind] > 5 and found.charge[0, 0, kind] == found.charge.max()
    assert found.charge[0, 0, 1 - kind] < 0


def test_nothing_explains_motion_that_needs_no_charge(reasoner: Reasoner):
    found = refine_properties(reasoner, made_with(reasoner, [0.0] * 5, {})).refinement
    assert found is not None and found.charge.max() < 5
    absent = (all_pairs(OBJECTS) >= 3).any(dim=1)
    assert found.charge[0, absent].eq(0).all()


def test_the_heavy_object_explains_the_collision_best(reasoner: Reasoner):
    found = refine_properties(reasoner, made_with(reasoner, [1.0, 0.0, 0.0, 0.0, 0.0], {})).refinement
    assert found is not None
    assert found.heavy[0].argmax() == 0 and found.heavy[0, 0] > 5
    assert found.heavy[0, 3:].eq(0).all()


def test_what_it_finds_counts(reasoner: Reasoner):
    observed = made_with(reasoner, [0.0] * 5, {0: -1.0})
    again = refine_properties(reasoner, observed)
    with torch.no_grad():
        first, second = reasoner.scene(observed).opposite, reasoner.scene(again).opposite
    assert again.refinement is not None
    gain = again.refinement.charge[0, 0, 1]
    assert (second[0, 0] > first[0, 0]) == bool(gain > reasoner.refinement_bias[1])


def test_no_refinement_if_it_is_switched_off(reasoner: Reasoner):
    plain = Reasoner(replace(reasoner.settings, property_refinement=False)).eval()
    observed = made_with(reasoner, [0.0] * 5, {})
    assert refine_properties(plain, observed).refinement is None


def test_what_references_tell_counts_for_the_same_pair_of_the_target(reasoner: Reasoner):
    owners = torch.full((1, REFERENCES, OBJECTS), -1)
    owners[0, 1, :2] = torch.tensor([2, 0])
    observed = replace(made_with(reasoner, [0.0] * 5, {}), owners=owners)
    with torch.no_grad():
        trajectories = RecordedTrajectories.of(observed, reasoner.scene(observed), reasoner.pair_numbers, hard=True)
    scorer = HypothesisScorer.of(reasoner.dynamics, reasoner.pair_numbers, observed, trajectories)
    gains = torch.zeros(1 + REFERENCES, 10, 2)
    gains[0, 1], gains[2, 0], gains[2, 7] = torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), 100.0
    total = scorer.of_sets(gains)
    assert all_pairs(OBJECTS)[1].tolist() == [0, 2]
    assert total[0, 1].tolist() == [11.0, 22.0] and total.sum() == 33

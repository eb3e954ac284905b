from dataclasses import replace

import pytest
import torch

from comphy.programs.types import Premise
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.grounding.collision_features import collision_features
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed, observe
from models.pcr.tracks.tensor_trees import joined, mapped
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.representation import all_pairs
from tests.support.perceived_truth import FEATURES

pytestmark = pytest.mark.bullet
SETTINGS = ReasonerSettings(features=FEATURES, hidden=16, attribute_hidden=16)


@pytest.fixture(scope="module")
def observed(dozen_cache: FeatureCache) -> Observed:
    return observe(dozen_cache, dozen_cache.indices()[:6])


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    torch.manual_seed(0)
    return Reasoner(SETTINGS).eval()


@pytest.fixture(scope="module")
def scene(reasoner: Reasoner, observed: Observed) -> SoftScene:
    with torch.no_grad():
        return reasoner.scene(observed)


def imagination(scene: SoftScene) -> LearnedImagination:
    assert isinstance(scene.imagination, LearnedImagination)
    return scene.imagination


def test_all_chances_are_chances(scene: SoftScene, observed: Observed):
    tables = {name: value for name, value in vars(scene).items() if isinstance(value, torch.Tensor)}
    tables["events"] = scene.events.probability
    for name, table in tables.items():
        assert table.isfinite().all() and table.min() >= 0 and table.max() <= 1 + 1e-6, name
    for name in ("color", "shape", "material"):
        assert torch.allclose(tables[name].sum(dim=-1), torch.ones(6, OBJECTS), atol=1e-5)
    assert scene.heavy[~observed.objects].eq(0).all()


def test_at_most_one_is_heavy_and_one_pair_charged(scene: SoftScene):
    assert (scene.heavy.sum(dim=1) <= 1 + 1e-5).all()
    assert ((scene.same + scene.opposite).sum(dim=1) <= 1 + 1e-5).all()


def test_events_keep_the_order_of_slots_that_ties_need(scene: SoftScene):
    kinds = scene.events.kind.tolist()
    assert kinds[0] == 0 and kinds[-1] == 1 and kinds[1:-1] == sorted(kinds[1:-1], key=[4, 2, 3].index)
    assert scene.events.time[:, -1].eq(125).all()


def test_imagination_always_answers_in_the_same_slots(scene: SoftScene):
    rows = torch.tensor([0, 3])
    who = torch.eye(OBJECTS)[[0, 1]]
    with torch.no_grad():
        future = imagination(scene).future(rows)
        would = imagination(scene).counterfactual(rows, who, torch.tensor([0, 2]))
    assert torch.equal(future.kind, would.kind) and torch.equal(future.members, would.members)
    happening = future.probability > 0
    assert (future.time[happening] >= 125).all()
    assert would.probability.shape == (2, len(would.kind)) and (would.time < 125).all()


@pytest.mark.parametrize("premise", list(Premise))
def test_a_premise_changes_the_object_it_is_about(scene: SoftScene, premise: Premise):
    sure = replace(
        scene,
        heavy=torch.tensor([[0.0, 1.0, 0.0, 0.0, 0.0]]).expand(6, -1),
        opposite=torch.tensor([[1.0] + [0.0] * 9]).expand(6, -1),
        same=torch.zeros(6, 10),
    )
    who = torch.eye(OBJECTS)[[1]]
    with torch.no_grad():
        _, bodies = replace(imagination(scene), scene=sure, hard=True).counterfactual_motion(
            torch.tensor([0]), who, torch.tensor([list(Premise).index(premise)])
        )
    expected = {"counterfact_heavier": (1, -1), "counterfact_lighter": (0, -1)}
    expected |= {"counterfact_uncharged": (1, 0), "counterfact_opposite": (1, 1)}
    assert (bodies.heavy[0, 1].item(), bodies.charge[0, 0].item()) == expected[premise]
    assert bodies.heavy[0, [0, 2, 3, 4]].eq(0).all() and bodies.charge[0, 1:].eq(0).all()


def test_references_add_evidence_and_can_be_left_out(observed: Observed, reasoner: Reasoner):
    alone = Reasoner(replace(SETTINGS, references=False)).eval()
    alone.load_state_dict(reasoner.state_dict())
    unseen = replace(observed, owners=torch.full_like(observed.owners, -1))
    with torch.no_grad():
        with_them, without, nobodys = (
            model.scene(seen).heavy for model, seen in ((reasoner, observed), (alone, observed), (reasoner, unseen))
        )
    assert not torch.allclose(with_them, without)
    assert torch.allclose(nobodys, without, atol=1e-6)


def test_both_objects_of_a_pair_count_alike():
    torch.manual_seed(0)
    position, valid = torch.randn(1, 20, 2, 2).cumsum(dim=1) * 0.05, torch.ones(1, 20, 2, dtype=torch.bool)
    shape = torch.eye(3)[None, :2]
    pairs = all_pairs(2)
    one = collision_features(position, valid, shape, pairs)
    other = collision_features(position.flip(2), valid, shape.flip(1), pairs)
    assert torch.allclose(one, other, atol=1e-5)


def test_rows_of_what_is_observed(observed: Observed):
    assert len(observed.rows(torch.tensor([4, 1]))) == 2
    again = joined([observed.rows(torch.arange(3)), observed.rows(torch.arange(3, 6))])
    same: list[bool] = []
    mapped(again, lambda tensor: same.append(tensor.shape[0] == 6) or tensor)
    assert all(same) and torch.equal(again.target.tracks.position, observed.target.tracks.position)


def test_without_an_object_nothing_collides_with_it(scene: SoftScene):
    who = torch.eye(OBJECTS)[[0]]
    with torch.no_grad():
        left = imagination(scene).removal(torch.tensor([0]), who)
    assert left.probability[0, left.members[:, 0] > 0].eq(0).all()
    assert left.probability[0, left.members[:, 0] == 0].gt(0).any()


def test_features_are_dropped_in_the_view_that_is_learned_from_and_never_else(observed: Observed):
    torch.manual_seed(0)
    reasoner = Reasoner(replace(SETTINGS, feature_dropout=0.5, references=False)).train()
    undropped = Reasoner(replace(SETTINGS, feature_dropout=0.0, references=False)).train()
    undropped.load_state_dict(reasoner.state_dict())
    with torch.no_grad():
        whole = reasoner.attributes(observed).color
        assert torch.equal(whole, reasoner.attributes(observed).color)
        assert torch.equal(whole, undropped.attributes(observed, one_view=True).color)
        drawn = [reasoner.attributes(observed, one_view=True).color for _ in range(2)]
    assert not torch.equal(drawn[0], whole) and not torch.equal(drawn[0], drawn[1])


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_dropout_of_all_features_or_less_than_none_is_refused(share: float):
    with pytest.raises(ValueError, match="feature_dropout from 0 to less than 1"):
        ReasonerSettings(feature_dropout=share)

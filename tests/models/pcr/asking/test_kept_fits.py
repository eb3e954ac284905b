"""A fit is made once for a set and weights, and is the same when it comes from disk."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from models.pcr.asking import kept_fits
from models.pcr.asking.kept_fits import fit_once
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.fitted_motion import FittedMotion, FittedSets
from models.pcr.tracks.observed import Observed, RefinementEvidence, observe
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.perceived_truth import FEATURES

pytestmark = pytest.mark.bullet


@pytest.fixture
def reasoner() -> Reasoner:
    torch.manual_seed(0)
    return Reasoner(ReasonerSettings(features=FEATURES, hidden=8, attribute_hidden=8, state_fit=False)).eval()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Observed]:
    """What was fitted. A quick fit takes the place of the long one: how it was made does not matter to what is kept."""
    found: list[Observed] = []

    def fit(reasoner: Reasoner, observed: Observed) -> Observed:
        found.append(replace(observed, owners=observed.owners + 1, refinement=evidence(), states=states()))
        return found[-1]

    monkeypatch.setattr(kept_fits, "align_and_refine", fit)
    return found


def evidence() -> RefinementEvidence:
    return RefinementEvidence(torch.rand(1, 5), torch.rand(1, 10, 2))


def states() -> FittedSets:
    parts = [FittedMotion(torch.rand(1, 9, 5, 2), *torch.rand(3, 1, 9, 5), *torch.rand(4, 1, 9, 5)) for _ in range(2)]
    return FittedSets(*parts)


def test_the_same_set_is_fitted_once(
    dozen_cache: FeatureCache, reasoner: Reasoner, made: list[Observed], tmp_path: Path
):
    observed = observe(dozen_cache, [0])
    first, again = (fit_once(reasoner, observed, tmp_path / "fits") for _ in range(2))
    assert len(made) == 1 and first is made[0]
    for name in ("owners", "refinement.heavy", "refinement.charge", "states.target.yaw", "states.references.nearness"):
        one, other = first, again
        for part in name.split("."):
            one, other = getattr(one, part), getattr(other, part)
        assert torch.equal(one, other), name
    assert again.target is observed.target


def test_another_set_and_other_weights_are_fitted_anew(
    dozen_cache: FeatureCache, reasoner: Reasoner, made: list[Observed], tmp_path: Path
):
    for index in (0, 1):
        fit_once(reasoner, observe(dozen_cache, [index]), tmp_path)
    with torch.no_grad():
        reasoner.none_heavy += 1
    fit_once(reasoner, observe(dozen_cache, [0]), tmp_path)
    assert len(made) == len(list(tmp_path.iterdir())) == 3


def test_a_damaged_file_is_made_anew(
    dozen_cache: FeatureCache, reasoner: Reasoner, made: list[Observed], tmp_path: Path
):
    observed = observe(dozen_cache, [0])
    fit_once(reasoner, observed, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    fit_once(reasoner, observed, tmp_path)
    fit_once(reasoner, observed, tmp_path)
    assert len(made) == 2

"""Recalibrations are kept with a reasoner's weights; files from before they existed load as well."""

from pathlib import Path

import pytest
import torch

from comphy.errors import ConfigError
from comphy.evaluation.qa.calibration.calibration import Recalibration
from comphy.questions.model import QuestionKind
from comphy.resources import find_weights
from models.pcr.reasoner.checkpoint import MODEL, load_reasoner, save_reasoner, save_recalibrations
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.train.checkpoint import load_tensors, save_tensors

HOW = {QuestionKind.FACTUAL: Recalibration(1.5, 0.25), QuestionKind.COUNTERFACTUAL: Recalibration(12.0, 2.0)}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    save_reasoner(
        tmp_path / MODEL, Reasoner(ReasonerSettings(features=8, hidden=8, attribute_hidden=4, pca_components=6))
    )
    return tmp_path


def test_an_untouched_reasoner_has_none(run: Path):
    assert load_reasoner(run).recalibrations == {}


def test_a_file_of_an_earlier_version_loads(run: Path):
    tensors, facts = load_tensors(run / MODEL)
    del facts["recalibrations"]
    save_tensors(run / MODEL, tensors, facts)
    assert load_reasoner(run).recalibrations == {}


def test_they_are_written_into_a_run_and_nothing_else_changes(run: Path):
    before, told = load_tensors(run / MODEL)
    save_recalibrations(run, HOW, load_reasoner(run).settings)
    after, facts = load_tensors(run / MODEL)
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)
    assert {name: value for name, value in facts.items() if value != told[name]}.keys() == {"recalibrations"}
    reasoner = load_reasoner(run)
    assert reasoner.recalibrations == HOW
    save_reasoner(run / "again.safetensors", reasoner)
    assert load_reasoner(run / "again.safetensors").recalibrations == HOW


def test_they_are_written_into_a_run_of_an_earlier_version(run: Path):
    tensors, facts = load_tensors(run / MODEL)
    facts["settings"]["votes"] = facts["settings"].pop("posterior_samples")
    save_tensors(run / MODEL, tensors, facts)
    save_recalibrations(run, HOW, ReasonerSettings(posterior_samples=16, posterior_spread=3.0))
    assert load_reasoner(run).settings.posterior_samples == 16


def test_a_run_from_before_samples_draws_none(run: Path):
    tensors, facts = load_tensors(run / MODEL)
    del facts["settings"]["posterior_samples"], facts["settings"]["posterior_spread"]
    save_tensors(run / MODEL, tensors, facts)
    assert load_reasoner(run).settings.posterior_samples == 0
    save_recalibrations(run, HOW, load_reasoner(run).settings)
    assert load_reasoner(run).settings.posterior_samples == 0


def test_one_that_could_change_answers_is_refused(run: Path):
    tensors, facts = load_tensors(run / MODEL)
    facts["recalibrations"] = {"factual": {"temperature": 1.0, "bias": -1.0}}
    save_tensors(run / MODEL, tensors, facts)
    with pytest.raises(ConfigError, match="a bias of at least 0"):
        load_reasoner(run)


def test_the_number_of_samples_that_they_hold_for_is_written_as_well(run: Path):
    save_recalibrations(run, HOW, ReasonerSettings(posterior_samples=16, posterior_spread=3.0))
    assert load_reasoner(run).settings.posterior_samples == 16
    assert load_reasoner(run).settings.posterior_spread == 3.0
    other = load_reasoner(run, posterior_samples=4, posterior_spread=2.0).settings
    assert (other.posterior_samples, other.posterior_spread) == (4, 2.0)


@pytest.mark.parametrize("name", ["pcr", "pcr_full"])
def test_the_weights_that_come_along_are_recalibrated_with_the_samples_they_draw(name: str):
    """Recalibrations for no samples have temperatures of 7 and more for what is imagined."""
    reasoner = load_reasoner(find_weights(Path(name)))
    assert (reasoner.settings.posterior_samples, reasoner.settings.posterior_spread) == (12, 2.0)
    imagined = (QuestionKind.PREDICTIVE, QuestionKind.COUNTERFACTUAL)
    assert all(0.5 < reasoner.recalibrations[kind].temperature < 2 for kind in imagined)

"""A browser, and runs to look at: one that agrees to everything, and a reasoner that has learned nothing but to read."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import submission_file, write_submission
from comphy.evaluation.qa.accuracy import differences, score
from comphy.evaluation.qa.calibration.calibration import CalibrationReport, calibrations
from comphy.files import write_json
from comphy.resources import find_weights
from comphy.toolkit.stress.conditions import CONDITIONS
from comphy.toolkit.stress.running import StressRow
from comphy.toolkit.stress.tables import record
from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from tests.support.chromium import Page, chromium
from tests.support.made_once import made_once
from tests.support.tiny import save_untrained


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """Empty: what an earlier test has left there does not pass for what is waited for."""
    browser.open("about:blank")
    yield browser
    assert browser.errors == []


@pytest.fixture(scope="session")
def agrees(six_rendered: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that answers every question of val with yes, or holds every choice to be correct, and is sure of it by three
    quarters. With what training logs and evaluation writes."""

    def make(folder: Path) -> None:
        run = folder / "agrees"
        run.mkdir(parents=True)
        asked = open_source(six_rendered).questions("val")
        answers = {
            (scene.scene_index, one.question_id): {choice.choice_id: True for choice in one.choices} or "yes"
            for scene in asked
            for one in scene.questions
        }
        write_submission(submission_file(run, "val"), asked, answers)
        log = [{"step": step, "train/loss": 1 / step, "val/loss": 2 / step, "rate": 0.1} for step in range(1, 9)]
        (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log))
        sure = {key: dict.fromkeys(given, 0.75) if isinstance(given, dict) else 0.75 for key, given in answers.items()}
        report = CalibrationReport(calibrations(asked, answers, sure), {})
        write_json(run / "evaluation_val.json", {"calibration": report.record()})
        scores, apart = score(asked, answers), differences(asked, answers, answers)
        rows = [StressRow(condition, len(asked), scores, apart) for condition in CONDITIONS[:3]]
        (run / "stress").mkdir()
        write_json(run / "stress" / "stress.json", record(rows, {}, {"run": "agrees", "data": "", "split": "val"}))

    return made_once(tmp_path_factory, "a run that agrees", make) / "agrees"


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reasoner that has learned nothing but to read."""

    def make(folder: Path) -> None:
        run = folder / "untrained"
        torch.manual_seed(0)
        settings = ReasonerSettings(hidden=8, attribute_hidden=8, state_fit=False, property_refinement=False)
        save_untrained(run / "perceiver")
        save_reasoner(run / MODEL, Reasoner(settings))
        shutil.copytree(find_weights("pcr/parser"), run / "parser")

    return made_once(tmp_path_factory, "a reasoner that can read", make) / "untrained"

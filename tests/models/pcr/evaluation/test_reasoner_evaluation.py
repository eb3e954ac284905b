"""What a run is tried with: its own cache unless another is named, and its parser if it has one."""

import shutil
from pathlib import Path

import pytest
import yaml

from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.perception.tables import AlignedBy
from comphy.evaluation.qa.accuracy import score
from comphy.toolkit.evaluation import ReportOptions, evaluate_reasoner
from models.pcr.evaluation.reasoner_evaluation import open_evaluation
from models.pcr.parser.opening import own_parser
from models.pcr.reasoner.checkpoint import FEATURES, MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.train.run import CONFIG
from tests.support.perceived_truth import perceive_truth

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    """An untrained run with its own features of the sets."""
    folder = tmp_path / "run"
    save_reasoner(folder / MODEL, Reasoner(ReasonerSettings(state_fit=False, property_refinement=False)))
    perceive_truth(small_dataset, folder / FEATURES, range(4))
    return folder


def test_an_exam_has_answers_and_concepts(run: Path, small_dataset: Path):
    evaluation = open_evaluation(run, small_dataset, "train")
    assert evaluation.read is None and "no parser" in evaluation.programs
    report = score(evaluation.scenes, evaluation.answers())
    assert report.unanswered == 0 and report.questions == sum(len(scene.questions) for scene in evaluation.scenes)
    by_features = evaluation.alignment()[AlignedBy.FEATURES]
    tracks = sum(len(ids) for one in evaluation.truth for ids in one.reference_identities)
    assert by_features is not None and by_features.right == by_features.count == tracks > 0  # the truth was perceived
    color = evaluation.concepts().attributes["color"]
    assert color is not None and color.count == sum(len(one.facts.objects) for one in evaluation.truth)


def test_the_cache_that_the_config_names_is_used(run: Path, small_dataset: Path, tmp_path: Path):
    elsewhere = (run / FEATURES).rename(tmp_path / "elsewhere")
    (run / CONFIG).write_text(yaml.safe_dump({"task": "pcr", "cache": str(elsewhere), "evaluation_sets": 3}))
    evaluation = open_evaluation(run, small_dataset, "train")
    assert evaluation.cache.folder == elsewhere and evaluation.batch_size == 3


def test_an_exam_of_the_first_sets(run: Path, small_dataset: Path):
    evaluation = open_evaluation(run, small_dataset, "train", sets=2)
    assert [scene.scene_index for scene in evaluation.scenes] == [one.index for one in evaluation.truth] == [0, 1]
    assert len(evaluation.perceived) == 2


def test_a_missing_cache_is_explained(run: Path, small_dataset: Path, tmp_path: Path):
    with pytest.raises(ConfigError, match=r"expected a feature cache of the dataset .*--cache FOLDER"):
        open_evaluation(run, small_dataset, "train", tmp_path / "nothing")


def test_answers_are_scored_where_annotations_are_missing(
    run: Path, small_dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    data = shutil.copytree(small_dataset, tmp_path / "data")
    shutil.rmtree(data / "reference_annotation")
    evaluation = open_evaluation(run, data, "train", sets=2)
    options = ReportOptions(data, "train", [], baselines=False, plots=None, sets=2)
    record = evaluate_reasoner(evaluation, run, options, diagnose=False)
    assert record["columns"]["factual"]["count"] > 0 and record["concepts"] is record["alignment"] is None
    assert "Concepts and alignment are not scored" in capsys.readouterr().out
    with pytest.raises(DatasetError, match="reference_annotation"):
        evaluate_reasoner(evaluation, run, options, diagnose=True)


def test_a_run_without_a_parser(run: Path):
    assert own_parser(run) is None


def test_a_part_can_be_switched_off(run: Path, small_dataset: Path):
    assert open_evaluation(run, small_dataset, "train").reasoner.settings.follow_recording
    evaluation = open_evaluation(run, small_dataset, "train", without=["follow_recording", "property_refinement"])
    assert not evaluation.reasoner.settings.follow_recording and not evaluation.reasoner.settings.property_refinement
    with pytest.raises(ConfigError, match=r"unknown part 'follow_recordin' of a reasoner.*follow_recording"):
        open_evaluation(run, small_dataset, "train", without=["follow_recordin"])

"""The whole curriculum in two processes, as a user starts them: they teach one reasoner, and one of them writes."""

import json
from pathlib import Path

import pytest
import torch

from models.pcr.reasoner.checkpoint import MODEL
from models.pcr.training.stages import STAGES
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.checkpoint import load_tensors
from models.train.metrics import METRICS
from tests.support.launching import launch
from tests.support.perceived_truth import FEATURES

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
CONFIG = "configs/pcr/tiny.yaml"
CHANGES = (
    *(f"model.features={FEATURES}", "model.hidden=16", "model.attribute_hidden=0", "model.property_refinement=false"),
    "model.state_fit=false",
    *("parser.steps=2", "parser.check_every=2", "parser.grammar=0", "parser.model.width=16", "parser.model.layers=1"),
    *(f"{stage}.steps={steps}" for stage, steps in zip(STAGES, (2, 1, 2, 1, 1, 1), strict=True)),
    *(f"{stage}.sets=2" for stage in STAGES),  # for each process
    "log_every=1",
)
STEPS = 8  # of all stages


@pytest.fixture(scope="module")
def changes(dozen_cache: FeatureCache) -> tuple[str, ...]:
    return (f"cache={dozen_cache.folder}", *CHANGES)


@pytest.fixture(scope="module")
def taught(few_questions: Path, changes: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shared") / "run"
    result = launch(2, "tools/train.py", CONFIG, *changes, "--data", few_questions, "--out", out)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("Training finished") == 1, "one process prints"
    return out


def test_one_process_writes_all_there_is_to_write(taught: Path):
    steps = [json.loads(line)["step"] for line in (taught / METRICS).read_text().splitlines()]
    assert steps == list(range(1, STEPS + 1))
    assert {"config.yaml", MODEL, "scores.json", "submission_val.json", "submission_test.json"} <= {
        path.name for path in taught.iterdir()
    }
    assert len(list((taught / "tensorboard").iterdir())) == 1
    assert not list(taught.rglob("*.tmp"))


def test_stopped_after_every_step_both_have_the_same_weights_and_end_with_the_same(
    few_questions: Path, changes: tuple[str, ...], taught: Path, tmp_path: Path
):
    result = launch(2, "tests/support/stop_and_go.py", few_questions, tmp_path, CONFIG, *changes)
    assert result.returncode == 0, result.stderr
    first, second = (sorted(tmp_path.glob(f"stop_*_process_{number}.safetensors")) for number in (0, 1))
    assert len(first) == len(second) == STEPS
    weights = [(load_tensors(one), load_tensors(other)) for one, other in zip(first, second, strict=True)]
    for (one, reached), (other, agreed) in weights:
        assert reached == agreed
        assert all(torch.equal(one[name], other[name]) for name in one)
    expected = load_tensors(taught / MODEL)[0]
    last = weights[-1][1][0]
    assert all(torch.equal(expected[name], last[name]) for name in expected)
    assert learned(tmp_path) == learned(taught)


def learned(run: Path) -> list[dict[str, float]]:
    """What was logged, but for the speed."""
    rows = [json.loads(line) for line in (run / METRICS).read_text().splitlines()]
    assert all(any(name.endswith("questions_per_second") for name in row) for row in rows)
    return [{name: value for name, value in row.items() if "second" not in name} for row in rows]

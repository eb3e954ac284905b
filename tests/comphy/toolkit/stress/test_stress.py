"""The whole robustness table with an untrained detector and reasoner: rows, files, and what is kept when it runs again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from comphy.dataset.frames import FrameBatches
from comphy.errors import ConfigError, MissingDependency
from comphy.toolkit.stress.conditions import Condition, choose
from comphy.toolkit.stress.frames import StressRenderer
from comphy.toolkit.stress.job import run_stress
from comphy.toolkit.stress.running import StressTest
from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from tests.support.commands import comphy
from tests.support.tiny import QUICK, save_untrained

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


def absent(renderer: StressRenderer) -> FrameBatches:
    raise MissingDependency("there is no such renderer here")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    save_reasoner(root / MODEL, Reasoner(ReasonerSettings(state_fit=False, property_refinement=False)))
    save_untrained(root / "perceiver")
    return root


@pytest.fixture(scope="module")
def test_of(run: Path, six_rendered: Path, tmp_path_factory: pytest.TempPathFactory) -> StressTest:
    out = tmp_path_factory.mktemp("stress")
    return StressTest(run, run / "perceiver", six_rendered, "test", out, sets=1, config=QUICK)


@pytest.fixture(scope="module")
def found(test_of: StressTest) -> dict:
    rows = [*choose(["dark"]), Condition("nobody", "drawn by nobody", absent)]
    return run_stress(test_of, rows)


def features(out: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(out.glob("*/features/*"))}


def test_each_row_has_all_columns_and_differences_from_the_first(found: dict, test_of: StressTest) -> None:
    first, dark = found["rows"]
    assert (first["name"], dark["name"]) == ("drawn", "dark") and first["sets"] == dark["sets"] == 1
    assert list(first["columns"]) == list(dark["differences"]) and len(first["columns"]) == 5
    for name, column in dark["columns"].items():
        expected = column["accuracy"] - first["columns"][name]["accuracy"]
        assert dark["differences"][name]["difference"] == pytest.approx(expected)
    assert all(one["difference"] == 0 for one in first["differences"].values())
    assert found["left_out"] == {"nobody": "there is no such renderer here"}
    assert json.loads((test_of.out / "stress.json").read_text()) == found
    page = (test_of.out / "stress.md").read_text()
    assert "| `dark` | 30 % darker |" in page and "`nobody` is left out" in page


def test_the_command_goes_on_with_what_was_perceived(found: dict, test_of: StressTest, tmp_path: Path) -> None:
    before = features(test_of.out)
    result = comphy(
        *("evaluate", test_of.run, test_of.data, "--stress", "--only", "dark", "--sets", 1, "--device", "cpu"),
        *("--out", test_of.out, "--json", tmp_path / "scores.json"),
    )
    assert result.returncode == 0, result.stderr
    assert "30 % darker" in result.stdout and "counterfactual" in result.stdout and "[bold]" not in result.stdout
    assert json.loads((tmp_path / "scores.json").read_text())["rows"] == found["rows"]
    assert features(test_of.out) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--stress", "--only", "drak"), "unknown condition 'drak' for --only; did you mean 'dark'"),
        (("--only", "dark"), "expected --stress with --only"),
        (("--stress", "--diagnose", "--baselines"), "expected --stress without --diagnose, --baselines"),
        (("--stress", "--perceiver", "nowhere"), "nowhere: expected the run of a perceiver"),
    ],
)
def test_wrong_options_are_explained(
    options: tuple[str, ...], message: str, test_of: StressTest, tmp_path: Path
) -> None:
    result = comphy("evaluate", test_of.run, test_of.data, *options, "--out", tmp_path, "--device", "cpu")
    assert result.returncode == 1 and message in result.stderr.replace("\n", " ")


def test_only_reasoners_with_a_perceiver_are_tested(test_of: StressTest, tmp_path: Path) -> None:
    result = comphy("evaluate", test_of.run / "perceiver", test_of.data, "--stress")
    assert result.returncode == 1 and "expected the run of a reasoner with --stress" in result.stderr
    with pytest.raises(ValueError, match="expected the condition 'drawn' first"):
        next(test_of.rows([Condition("nobody", "", absent)], lambda *_: None))
    nobody = replace(test_of, perceiver=tmp_path)
    with pytest.raises(ConfigError, match="expected the run of a perceiver"):
        next(nobody.rows(choose(), lambda *_: None))

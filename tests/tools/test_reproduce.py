"""`comphy reproduce` from nothing to weights that answer: every step for real, on six sets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from comphy.config import load_config
from comphy.toolkit.asking import SetPlace, TrainedReasoner
from comphy.toolkit.reproduction.config import ReproduceConfig, settings_of
from comphy.toolkit.reproduction.packing import LARGEST_FILE
from comphy.toolkit.reproduction.run import Reproduction
from comphy.toolkit.reproduction.steps import Places, Plan
from models.pcr.parser.parser import load_parser
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.rounding import round_features
from models.perceiver.detection.checkpoint import load_detector
from tests.support.commands import comphy
from tests.support.made_once import made_once
from tests.support.tiny import quick_drawing

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
COMMAND = "comphy reproduce --config reproduce/tiny"
SEEDS = (1, 2)


@dataclass
class InThisProcess:
    """Runs the commands here, which is quicker, and remembers them; Ctrl-C comes at the command that starts with these
    words."""

    interrupted_at: tuple[str, ...] = ("never",)
    commands: list[str] = field(default_factory=list)

    def __call__(self, arguments: Sequence[str], log: Path | None = None) -> None:
        self.commands.append(arguments[0])
        if tuple(arguments[: len(self.interrupted_at)]) == self.interrupted_at:
            raise KeyboardInterrupt
        result = comphy(*arguments)
        assert result.returncode == 0, result.stdout + result.stderr


def reproduction(out: Path, execute: InThisProcess) -> Reproduction:
    config = load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml"))
    return Reproduction(Plan(config, Places(out), device="cpu"), COMMAND, execute)


def steps(out: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((out / "steps.json").read_text())["steps"]
    return found


def make(out: Path) -> None:
    """In two goes, with Ctrl-C between them."""
    first = InThisProcess(interrupted_at=("perceive",))
    with pytest.raises(KeyboardInterrupt):
        reproduction(out, first).run()
    assert first.commands == ["generate", "train", "perceive"]
    assert [step["done"] for step in steps(out).values()] == [True, True, False]
    second = InThisProcess()
    reproduction(out, second).run()
    assert second.commands == ["perceive", *["train"] * 4, *["evaluate"] * 4]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with quick_drawing():
        return made_once(tmp_path_factory, "reproduction", make)


def test_every_step_is_done_and_timed(out: Path) -> None:
    found = steps(out)
    whats = ("train_parser", "train", "evaluate_val", "evaluate_test")
    each = [f"{what}_seed_{seed}" for what in whats for seed in SEEDS]
    names = ["generate", "train_perceiver", "perceive", *each[:6], "choose_seed", *each[6:], "pack", "tables"]
    assert list(found) == names and all(step["done"] for step in found.values())
    assert found["perceive"]["attempts"] == 2 and all(found[name]["seconds"] > 0 for name in names[:7])  # type: ignore[operator]


def test_what_is_finished_is_left_out(out: Path) -> None:
    before = (out / "steps.json").read_bytes()
    again = InThisProcess()
    reproduction(out, again).run()
    assert again.commands == [] and (out / "steps.json").read_bytes() == before


def test_other_settings_are_refused_by_the_command(out: Path) -> None:
    result = comphy("reproduce", "--config", "reproduce/tiny", "--out", out, "--sets", 12, "--seeds", "0,2")
    assert result.returncode == 1
    assert "seeds: [1, 2] there, [0, 2] wanted; sets: 6 there, 12 wanted" in result.stderr
    finished = comphy("reproduce", "--config", "reproduce/tiny", "--out", out, "--seeds", "1 2", "--device", "cpu")
    assert finished.returncode == 0 and f"Weights: {out / 'weights' / 'pcr'}" in finished.stdout
    wrong = comphy("reproduce", "--out", out, "--seeds", "one")
    assert wrong.returncode == 2 and "0,1,2" in wrong.stderr


def test_blender_is_needed_only_for_stills_that_are_not_drawn_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stills may be drawn on one machine and learned from on another."""
    monkeypatch.setenv("COMPHY_BLENDER", "no-such-blender")
    given = ("reproduce", "--config", "reproduce/tiny", "--out", tmp_path, "stills.videos=1", "--device", "cpu")
    refused = comphy(*given)
    assert refused.returncode == 1 and "stills.videos=0" in refused.stderr and not list(tmp_path.iterdir())
    config = load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml"), ["stills.videos=1"])
    done = {"command": "", "done": True, "seconds": 1.0, "attempts": 1}
    journal = {"settings": settings_of(config), "steps": {"generate": done, "stills": done}}
    (tmp_path / "steps.json").write_text(json.dumps(journal))
    goes_on = comphy(*given)  # to the training, which finds no dataset
    assert "stills: done before, in 1 s" in goes_on.stdout and "train perceiver/small" in goes_on.stderr


def test_the_seed_is_the_best_on_val_and_the_tables_say_so(out: Path) -> None:
    names = ("factual", "predictive_per_question", "counterfactual_per_question")
    means = []
    for seed in SEEDS:
        columns = json.loads((out / "reports" / f"val_seed_{seed}.json").read_text())["columns"]
        asked = [columns[name]["accuracy"] for name in names if columns[name]]
        means.append(sum(asked) / len(asked))
    chosen = SEEDS[int(np.argmax(means))]
    assert json.loads((out / "choice.json").read_text())["seed"] == chosen
    tables, card = (out / "tables.md").read_text(), (out / "weights/pcr/README.md").read_text()
    for text in (tables, card):
        assert f"| seed {chosen}, the packed one |" in text and "| mean ± standard deviation of 2 seeds |" in text
        assert COMMAND in " ".join(text.split())
    assert "comphy generate data/comphy --out" in tables and "| perceive |" in tables
    assert all(len(line) <= 100 or line.startswith("|") for line in card.splitlines())


def test_the_packed_weights_load_and_give_what_the_tables_report(out: Path, tmp_path: Path) -> None:
    weights, chosen = out / "weights" / "pcr", json.loads((out / "choice.json").read_text())["seed"]
    files = [path for path in weights.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".md", ".yaml", ".json", ".safetensors"}
    assert all(path.stat().st_size <= LARGEST_FILE for path in files)
    assert load_detector(weights / "perceiver").size == (48, 32) and load_parser(weights / "parser") is not None
    assert str(out) not in (weights / "config.yaml").read_text()
    where = ("--split", "test", "--cache", out / "features", "--device", "cpu", "--json", tmp_path / "again.json")
    assert comphy("evaluate", weights, out / "data", *where).returncode == 0
    again, reported = (
        json.loads(path.read_text()) for path in (tmp_path / "again.json", out / f"reports/test_seed_{chosen}.json")
    )
    assert again == reported


def test_the_packed_perceiver_sees_what_was_trained_on(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `comphy ask` looks at a set; what is trained on is rounded."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    trained = TrainedReasoner.load(out / "weights" / "pcr", device="cpu")
    with quick_drawing():
        seen = trained.look(SetPlace(out / "data", 5)).read(5)
    cached = FeatureCache(out / "features").read(5)
    np.testing.assert_array_equal(seen.target.features, cached.target.features)
    np.testing.assert_array_equal(seen.target.boxes, cached.target.boxes)
    np.testing.assert_array_equal(round_features(cached.target.features), cached.target.features)

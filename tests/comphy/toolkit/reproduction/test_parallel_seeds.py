"""Steps side by side: parsers beside the perceiver, seeds beside each other, and one that fails does not end the others."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from comphy.config import load_config
from comphy.errors import ComphyError
from comphy.toolkit.reproduction.config import ReproduceConfig
from comphy.toolkit.reproduction.run import Reproduction
from comphy.toolkit.reproduction.steps import Places, Plan
from tests.support.waiting import HANG_S


def test_seeds_are_trained_together_and_the_failure_of_one_keeps_the_others(tmp_path: Path) -> None:
    perceiver_and_parser, both_seeds = (threading.Barrier(2, timeout=HANG_S) for _ in range(2))
    logs: dict[str, Path | None] = {}

    def execute(arguments: Sequence[str], log: Path | None) -> None:
        logs[log.stem if log else arguments[0]] = log
        if "perceiver/small" in arguments or "parser.seed=1" in arguments:
            perceiver_and_parser.wait()
        if "seed=1" in arguments or "seed=2" in arguments:
            both_seeds.wait()
        if "seed=1" in arguments:
            raise ComphyError("seed 1 failed")

    config = load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml"))
    plan = Plan(config, Places(tmp_path), device="cpu")
    with pytest.raises(ComphyError, match="seed 1 failed"):
        Reproduction(plan, "comphy reproduce", execute, parallel=2).run()
    steps = json.loads((tmp_path / "steps.json").read_text())["steps"]
    assert {name: step["done"] for name, step in steps.items()} == {
        "generate": True,
        "train_perceiver": True,
        "perceive": True,
        "train_parser_seed_1": True,
        "train_parser_seed_2": True,
        "train_seed_1": False,
        "train_seed_2": True,
    }
    assert logs.keys() == steps.keys() and logs.pop("generate") is None
    assert logs == {name: plan.places.log(name) for name in logs}, "steps that run beside others have logs"

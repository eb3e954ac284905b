"""The commands of the steps, as a user would type them."""

from pathlib import Path

import pytest

from comphy.choices import Split
from comphy.config import load_config
from comphy.errors import ConfigError
from comphy.toolkit.reproduction.config import Part, ReproduceConfig, StillsPart, settings_of
from comphy.toolkit.reproduction.steps import Places, Plan

OUT = Places(Path("out/r"))


def typed(plan: Plan) -> list[str]:
    made = (*plan.data(), *plan.perception(), *plan.parsers(), *plan.training())
    steps = (*made, *plan.evaluation(Split.VAL), *plan.evaluation(Split.TEST))
    return [f"{step.name}: {' '.join(step.arguments)}" for step in steps]


def test_every_step_is_a_command_in_its_order() -> None:
    assert typed(Plan(ReproduceConfig(seeds=(0, 5)), OUT, workers=3)) == [
        "generate: generate data/comphy --out out/r/data --sets 3000 --seed 0 --workers 3 --render none",
        "stills: stills out/r/data --out out/r/stills --videos 600 --frames 4 --width 240 --workers 3",
        "train_perceiver: train perceiver/small stills.folder=out/r/stills --data out/r/data --out out/r/perceiver",
        "perceive: perceive out/r/perceiver out/r/data --out out/r/features --split all --frames raytrace --device auto "
        "--workers 3",
        *(
            f"train_parser_seed_{seed}: train pcr/parser parser.seed={seed} --data out/r/data --out out/r/parser_{seed}"
            for seed in (0, 5)
        ),
        *(
            f"train_seed_{seed}: train pcr/comphy cache=out/r/features seed={seed} parser.weights=out/r/parser_{seed} "
            f"--data out/r/data --out out/r/seed_{seed}"
            for seed in (0, 5)
        ),
        *(
            f"evaluate_{split}_seed_{seed}: evaluate out/r/seed_{seed} out/r/data --split {split} "
            f"--cache out/r/features --device auto --json out/r/reports/{split}_seed_{seed}.json"
            for split in ("val", "test")
            for seed in (0, 5)
        ),
    ]


def test_a_device_is_told_to_every_network() -> None:
    config = ReproduceConfig(seeds=(1,), stills=StillsPart(videos=0), reasoner=Part("pcr/tiny", ("joint.steps=1",)))
    _, perceiver, perceive, parser, reasoner, val, _ = typed(Plan(config, OUT, device="cuda:1"))
    assert "train perceiver/small device=cuda:1 --data" in perceiver
    assert "train pcr/parser parser.seed=1 parser.device=cuda:1 --data" in parser
    assert "seed=1 parser.weights=out/r/parser_1 device=cuda:1 --data" in reasoner
    assert all("--device cuda:1" in one for one in (perceive, val))


def test_settings_hold_the_configs_of_the_steps_in_full() -> None:
    settings = settings_of(load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml")))
    assert settings["sets"] == 6 and settings["seeds"] == [1, 2] and settings["data"]["scene"]["max_objects"] == 5
    assert (
        settings["perceiver"]["detector"]["width"] == 48 and settings["perceiver"]["detector"]["backbone"] == "resnet18"
    )
    assert settings["reasoner"]["motion"]["horizons"] == [3] and settings["reasoner"]["visible"]["sets"] == 4


def test_the_full_config_differs_in_the_perceiver_and_has_no_stills() -> None:
    small, full = (
        settings_of(load_config(ReproduceConfig, Path(f"configs/reproduce/{name}.yaml"))) for name in ("small", "full")
    )
    assert {key for key in full if full[key] != small[key]} == {"perceiver", "stills"} and not full["stills"]["videos"]
    assert full["perceiver"]["detector"]["width"] == 480


def test_the_shipped_config_is_the_default() -> None:
    assert load_config(ReproduceConfig, Path("configs/reproduce/small.yaml")) == ReproduceConfig()
    assert [ReproduceConfig().sets_of(split) for split in Split] == [2000, 500, 500]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sets=5", "at least 6 sets"),
        ("seeds=[]", "expected seeds of at least 0, each once"),
        ("seeds=[1,1]", "each once"),
        ("reasoner={config: perceiver/small, overrides: []}", "expected a config of the task 'pcr'"),
        ("reasoner.overrides=[parser.steps=3]", r"changes to the parser in parser\.overrides.*got parser\.steps=3"),
        ("parser.overrides=[parser.step=3]", "did you mean 'steps'"),
        ("data.config=data/none", "no such config file"),
        ("perceiver.overrides=[training.step=1]", "did you mean 'steps'"),
    ],
)
def test_what_cannot_be_used_is_named(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings_of(load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml"), [override]))

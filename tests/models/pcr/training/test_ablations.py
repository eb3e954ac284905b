"""The ablations that ship: each changes of configs/pcr/comphy.yaml what its header says, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
import torch

from comphy.config import to_plain
from comphy.errors import ConfigError
from models.pcr.dynamics.paper_predictor import PaperDynamics
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.properties.paper_inferencer import PaperInferencer
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import observe
from models.perceiver.cache.feature_cache import FeatureCache
from models.tasks import load_task

CONFIGS = Path("configs/pcr")
CHANGES: dict[str, dict[str, Any]] = {
    "without_references": {"model.references": False},
    "without_imagination": {"imagination": False},
    "without_follow_recording": {"model.follow_recording": False},
    "without_joint_inferencer": {"motion.joint_inferencer": False},
    "without_property_refinement": {"model.property_refinement": False, "calibrate_refinement.steps": 0},
    "without_exclusive_properties": {"model.exclusive_properties": False},
    "free_form_dynamics": {
        "model.dynamics": "paper",
        "motion.steps": 2000,
        "motion.horizons": [4],
        "motion.learning_rate": 0.001,
    },
    "paper": {
        "model.attribute_hidden": 0,
        "model.pca_components": 0,
        "model.feature_dropout": 0.0,
        "model.all_views": False,
        "model.property_refinement": False,
        "model.inferencer": "paper",
        "model.dynamics": "paper",
        "model.pool": "max",
        "model.follow_recording": False,
        "model.exclusive_properties": False,
        "motion.steps": 2000,
        "motion.horizons": [4],
        "motion.learning_rate": 0.001,
        "motion.joint_inferencer": False,
    },
}


def settings(name: str) -> dict[str, Any]:
    """A config's values by their dotted names."""
    return dict(_flat(to_plain(load_task(CONFIGS / f"{name}.yaml")[1])))


def _flat(values: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found = []
    for key, value in values.items():
        found += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(f"{prefix}{key}", value)]
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_an_ablation_changes_what_it_says(name: str):
    ours, theirs = settings("comphy"), settings(name)
    assert theirs.keys() == ours.keys()
    assert {key: value for key, value in theirs.items() if value != ours[key]} == CHANGES[name]


def test_every_config_is_accounted_for():
    assert {path.stem for path in CONFIGS.glob("*.yaml")} == {"comphy", "tiny", "parser", *CHANGES}


def test_a_parser_that_is_trained_alone_is_trained_alike():
    alone, within = (load_task(CONFIGS / f"{name}.yaml")[1] for name in ("parser", "comphy"))
    assert alone.parser == within.parser


def test_tiny_has_the_architecture_of_the_full_model():
    ours, tiny = settings("comphy"), settings("tiny")
    architecture = [key for key in ours if key.startswith("model.")]
    assert architecture and all(tiny[key] == ours[key] for key in architecture)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("model.inferencer=papre", "unknown inferencer 'papre'; did you mean 'paper'?"),
        ("model.dynamics=rigid_bdy", "unknown dynamics 'rigid_bdy'; did you mean 'rigid_body'?"),
        ("model.pool=mean", "unknown pool 'mean'; known: max, sum"),
    ],
)
def test_unknown_names_are_refused(override: str, message: str):
    with pytest.raises(ConfigError) as caught:
        load_task(CONFIGS / "comphy.yaml", [override])
    assert message in str(caught.value)


def test_the_papers_modules_answer_what_programs_ask(dozen_cache: FeatureCache):
    observed = observe(dozen_cache, dozen_cache.indices()[:3])
    chosen = ReasonerSettings(
        observed.features.shape[-1], 16, attribute_hidden=0, follow_recording=False, exclusive_properties=False,
        inferencer="paper", dynamics="paper", pool="max",
    )  # fmt: skip
    reasoner = Reasoner(chosen)
    assert isinstance(reasoner.inferencer, PaperInferencer) and isinstance(reasoner.dynamics, PaperDynamics)
    scene, rows = reasoner.scene(observed), torch.arange(3)
    assert scene.imagination is not None
    future = scene.imagination.future(rows)
    changed = scene.imagination.counterfactual(rows, torch.eye(5)[:3], torch.zeros(3, dtype=torch.long))
    (future.probability.sum() + changed.probability.sum() + scene.heavy.sum() + scene.same.sum()).backward()
    for module in (reasoner.inferencer, reasoner.dynamics):
        assert all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())


def test_by_default_the_modules_are_ours():
    assert isinstance(Reasoner(ReasonerSettings(8, 8, 8)).dynamics, Dynamics)

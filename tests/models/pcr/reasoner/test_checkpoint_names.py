"""Checkpoints with the names of earlier versions load as they were; configs with these names are refused."""

from pathlib import Path

import pytest
import torch

from comphy.errors import ConfigError
from models.pcr.reasoner.checkpoint import MODEL, load_reasoner, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.tasks import load_task
from models.train.checkpoint import load_tensors, save_tensors

OLD_TENSORS = {
    "refinement_scale": "trust",
    "refinement_bias": "doubt",
    "grounder.whitening": "grounder.spread",
    "dynamics.restitution": "dynamics.bounce",
    "dynamics.log_friction_radius": "dynamics.log_grip",
}
OLD_SETTINGS = {
    "attribute_hidden": "looks",
    "pca_components": "axes",
    "feature_dropout": "covered",
    "exclusive_properties": "one_of_a_kind",
    "property_refinement": "second_look",
    "posterior_samples": "votes",
    "follow_recording": "replay",
}


def test_a_checkpoint_of_earlier_names_is_the_same_reasoner(tmp_path: Path):
    torch.manual_seed(0)
    settings = ReasonerSettings(features=8, hidden=8, attribute_hidden=4, pca_components=6, property_refinement=False)
    reasoner = Reasoner(settings)
    save_reasoner(tmp_path / MODEL, reasoner)
    tensors, facts = load_tensors(tmp_path / MODEL)
    assert OLD_TENSORS.keys() <= tensors.keys() and OLD_SETTINGS.keys() <= facts["settings"].keys()
    tensors = {OLD_TENSORS.get(name, name): tensor for name, tensor in tensors.items()}
    facts["settings"] = {OLD_SETTINGS.get(name, name): value for name, value in facts["settings"].items()}
    assert facts["settings"]["dynamics"] == "rigid_body"
    facts["settings"]["dynamics"] = "ground"
    save_tensors(tmp_path / "old.safetensors", tensors, facts)
    loaded = load_reasoner(tmp_path / "old.safetensors")
    assert loaded.settings == settings
    expected, found = reasoner.state_dict(), loaded.state_dict()
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *((f"model.{old}=1", new) for new, old in OLD_SETTINGS.items()),
        ("motion.listen=true", "joint_inferencer"),
        ("motion.listen_rate=0.1", "inferencer_lr"),
        ("weighing.steps=1", "calibrate_refinement"),
        ("everything.steps=1", "joint"),
        ("parser.warmup=1", "warmup_steps"),
    ],
)
def test_an_old_key_is_refused_with_its_new_name(old: str, new: str):
    with pytest.raises(ConfigError, match=f"this key is called '{new}' now"):
        load_task(Path("configs/pcr/comphy.yaml"), [old])


def test_an_old_value_is_refused_with_its_new_name():
    with pytest.raises(ConfigError, match=r"model\.dynamics: 'ground' is called 'rigid_body' now"):
        load_task(Path("configs/pcr/comphy.yaml"), ["model.dynamics=ground"])


def test_an_old_name_of_a_part_that_is_switched_off_is_refused_with_its_new_one():
    with pytest.raises(ConfigError, match="'second_look' of a reasoner is called 'property_refinement' now"):
        ReasonerSettings().without(["second_look"])

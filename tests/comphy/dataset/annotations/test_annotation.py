import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import euler_angles, quaternions, read_annotation
from comphy.errors import DatasetError

RELEASE_KEYS = {"scene_index", "object_property", "motion_trajectory", "collision"}
OBJECT_KEYS = {
    "color",
    "material",
    "shape",
    "mass",
    "charge",
    "scale",
    "restitution",
    "lateral_friction",
    "linear_damping",
}
STATE_KEYS = {"location", "orientation", "velocity", "angular_velocity", "inside_scene"}


def test_euler_angles_match_scipy():
    turns = Rotation.random(200, random_state=np.random.RandomState(0))
    ours = euler_angles(turns.as_quat())
    assert np.allclose(ours, turns.as_euler("xyz"), atol=1e-9)
    back = quaternions(ours)
    assert np.allclose(np.abs((back * turns.as_quat()).sum(-1)), 1.0)


def test_written_files_have_the_release_keys_and_no_others(small_dataset: Path):
    record = json.loads((small_dataset / layout.target_annotation(0)).read_text())
    assert set(record) == RELEASE_KEYS
    assert len(record["motion_trajectory"]) == 175
    for spec in record["object_property"]:
        assert set(spec) >= OBJECT_KEYS
        assert all(key in OBJECT_KEYS or key.startswith("initial_") for key in spec)
        assert spec["mass"] in (1, 5) and spec["charge"] in (-1, 0, 1)
    for state in record["motion_trajectory"][0]["objects"]:
        assert set(state) == STATE_KEYS
    for collision in record["collision"]:
        assert set(collision) == {"step", "object_idxs"}


def test_velocity_is_per_second(small_dataset: Path):
    annotation = read_annotation(small_dataset / layout.target_annotation(0))
    moved = np.diff(annotation.locations, axis=0)
    fast = np.linalg.norm(annotation.velocities[:-1], axis=-1) > 0.3
    ratio = np.linalg.norm(annotation.velocities[:-1], axis=-1)[fast] / np.linalg.norm(moved, axis=-1)[fast]
    assert np.median(ratio) == pytest.approx(25, rel=0.05)


def test_bare_lists_of_states_are_read_too(tmp_path: Path):
    spec = {"color": "red", "material": "metal", "shape": "cube", "mass": 1, "charge": 0}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"config": [spec], "motion": [[{"location": [0, 0, 0.2]}]] * 3, "collisions": []}))
    annotation = read_annotation(path)
    assert len(annotation) == 3 and annotation.velocities is None and annotation.inside.all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.pop("object_property"), "expected a ComPhy annotation"),
        (lambda r: r.pop("motion_trajectory"), "expected the key 'motion_trajectory'"),
        (lambda r: r["object_property"][0].update(color="grey"), "unknown color 'grey'; did you mean 'gray'"),
        (lambda r: r["object_property"][0].update(mass="big"), "expected 'mass' to be int or float"),
        (lambda r: r["motion_trajectory"][3]["objects"].pop(), r"motion_trajectory\[3\]: expected \d objects"),
        (lambda r: r["motion_trajectory"][3]["objects"][0].update(location=[1, 2]), "expected 3 "),
        (lambda r: r["collision"].append({"step": 3, "object_idxs": [0, 9]}), "two different object indices"),
    ],
)
def test_damage_is_named(small_dataset: Path, tmp_path: Path, change, message: str):
    record = json.loads((small_dataset / layout.target_annotation(0)).read_text())
    change(record)
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(record))
    with pytest.raises(DatasetError, match=message) as caught:
        read_annotation(path)
    assert "damaged.json" in str(caught.value)


def test_half_written_and_missing_files(tmp_path: Path):
    path = tmp_path / "cut.json"
    path.write_text('{"object_property": [')
    with pytest.raises(DatasetError, match=r"cut\.json: not valid JSON"):
        read_annotation(path)
    with pytest.raises(DatasetError, match="the file is missing"):
        read_annotation(tmp_path / "none.json")

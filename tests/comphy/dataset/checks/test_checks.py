"""Every kind of damage must be found: each case spoils a copy of a sound dataset in one way."""

import json
import shutil
from pathlib import Path

import pytest

from comphy.dataset import layout
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.manifest import FileEntry, Manifest
from comphy.files import write_json


def problems(root: Path) -> str:
    return "\n".join(str(problem) for problem in check_dataset(root))


@pytest.fixture
def copy(small_dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_dataset, tmp_path / "copy"))


def edit(root: Path, name: Path, change) -> None:
    """Change a JSON file and put its new hash into the manifest, so that only the rules can find it."""
    record = json.loads((root / name).read_text())
    change(record)
    write_json(root / name, record)
    manifest = Manifest.read(root)
    for entry in manifest.sets.values():
        if str(name) in entry.files:
            entry.files[str(name)] = FileEntry.of(root / name)
    manifest.write(root)


def test_a_sound_dataset_has_no_problem(small_dataset: Path):
    assert problems(small_dataset) == ""


def test_missing_changed_and_unknown_files(copy: Path):
    (copy / layout.extras(1)).unlink()
    target = copy / layout.target_annotation(2)
    target.write_text(target.read_text().replace("0.2", "0.3", 1))
    (copy / "stray.txt").write_text("?")
    for derived in ("preview", "site"):
        (copy / derived).mkdir()
        (copy / derived / "sheet.png").write_text("fine")
    found = problems(copy)
    assert f"{layout.extras(1).name}: the file is missing" in found
    assert "00002.json: the content has changed" in found
    assert "stray.txt: the manifest does not list" in found
    assert "sheet.png" not in found


def test_unfinished_and_absent_datasets(copy: Path, tmp_path: Path):
    (copy / "progress").mkdir()
    assert "a job is unfinished" in problems(copy)
    assert "no manifest.json here" in problems(tmp_path / "nowhere")


def test_another_schema_version_is_refused(copy: Path):
    record = json.loads((copy / layout.MANIFEST).read_text())
    record["schema_version"] = 99
    write_json(copy / layout.MANIFEST, record)
    assert "expected schema version 1 or 2 (got 99)" in problems(copy)


def test_a_damaged_manifest_is_named(copy: Path):
    (copy / layout.MANIFEST).write_text('{"name": "comphy", ')
    assert "manifest.json: not valid JSON" in problems(copy)


TARGET, EXTRAS = layout.target_annotation(0), layout.extras(0)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (TARGET, lambda r: r["object_property"][0].update(r["object_property"][1]), "expected distinct looks"),
        (TARGET, lambda r: [s.update(mass=5) for s in r["object_property"]], "at most one heavy object"),
        (TARGET, lambda r: r["object_property"][0].update(charge=1), "no charge or one pair"),
        (TARGET, lambda r: r["motion_trajectory"].pop(), "expected 175 frames"),
        (TARGET, lambda r: r["motion_trajectory"][50]["objects"][0]["location"].__setitem__(2, 0.9), "on the table"),
        (
            TARGET,
            lambda r: [o.update(inside_scene=not o["inside_scene"]) for o in r["motion_trajectory"][9]["objects"]],
            "inside_scene does not follow",
        ),
        (TARGET, lambda r: r["collision"].clear(), "the extras' collisions"),
        (TARGET, lambda r: r.update(scene_index=7), "expected scene_index 0"),
        (EXTRAS, lambda r: r.update(split="test"), "expected split 'train'"),
        (EXTRAS, lambda r: r["references"][0]["events"].clear(), "in view (found none)"),
        (EXTRAS, lambda r: r["references"][0].update(object_ids=[0, 9]), "do not name"),
        (EXTRAS, lambda r: r["counterfactuals"].popitem(), "expected the counterfactual runs"),
        (EXTRAS, lambda r: [b.__setitem__(0, b[0] + 9) for b in r["target"]["boxes"][0]], "boxes do not follow"),
        (
            EXTRAS,
            lambda r: r["target"].update(visibility=[[0.0] * len(v) for v in r["target"]["visibility"]]),
            "visibility does not",
        ),
    ],
)
def test_broken_rules_are_found(copy: Path, name: Path, change, message: str):
    edit(copy, name, change)
    assert message in problems(copy)


def test_swapped_trajectories_are_found(copy: Path):
    shutil.copy(copy / layout.rollouts(1), copy / layout.rollouts(0))
    assert "the pack lacks '00000/target'" in problems(copy)

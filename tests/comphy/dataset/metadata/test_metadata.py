import json
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.manifest import Manifest


def test_splits_have_the_shares_of_the_release():
    names = [layout.split_of(i) for i in range(12000)]
    assert [names.count(split) for split in ("train", "val", "test")] == [8000, 2000, 2000]


def test_paths_are_those_of_the_release():
    assert str(layout.target_annotation(1234)) == "target_annotation/annotation_01000_02000/01234.json"
    assert str(layout.reference_annotation(7, 2)) == "reference_annotation/annotation_00000_01000/00007/2.json"
    assert layout.target_video(7).name == "sim_00007.mp4"
    assert layout.reference_video(7, 3).name == "sim_00007_3.mp4"


def test_manifest_tells_how_the_dataset_was_made(small_dataset: Path):
    manifest = Manifest.read(small_dataset)
    assert manifest.recipe.seed == 0 and manifest.recipe.renderer == "none"
    assert manifest.recipe.config["scene"]["max_objects"] == 5
    assert {"comphy", "python", "numpy", "pybullet"} <= set(manifest.versions)
    assert sorted(manifest.sets) == [0, 1, 2, 3]
    assert all(len(file.sha256) == 64 for entry in manifest.sets.values() for file in entry.files.values())


def test_croissant_patterns_match_the_files(small_dataset: Path):
    record = json.loads((small_dataset / layout.CROISSANT).read_text())
    assert record["conformsTo"].endswith("croissant/1.0")
    for part in record["distribution"]:
        if part["@type"] == "cr:FileSet":
            assert list(small_dataset.glob(part["includes"])), part["includes"]
    ids = {part["@id"] for part in record["distribution"]}
    for records in record["recordSet"]:
        assert {field["source"]["fileSet"]["@id"] for field in records["field"]} <= ids


def test_card_names_only_files_that_exist(small_dataset: Path):
    text = (small_dataset / layout.CARD).read_text()
    assert "4 video sets (4 train, 0 val, 0 test)" in text
    assert "target_video" not in text
    for line in text.splitlines():
        if line.startswith(("manifest", "train", "target_", "extras/", "rollouts", "croissant")):
            assert (small_dataset / line.split()[0].rstrip(",")).exists(), line

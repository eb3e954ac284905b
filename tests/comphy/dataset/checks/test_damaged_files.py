"""Damaged files: every reader says which file it is, and a check goes on to the other files."""

import hashlib
import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import read_annotation
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.checks.media import check_videos
from comphy.dataset.checks.questions import check_questions
from comphy.dataset.manifest import Manifest
from comphy.dataset.media.masks import read_masks
from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.packs.boxes import decode_boxes
from comphy.dataset.packs.codec import decode
from comphy.dataset.packs.rollouts import Pack, write_pack
from comphy.dataset.questions import read_questions
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.errors import DatasetError
from comphy.scene.camera import Camera

DEEP = '{"a":' * 100_000
LONG_NUMBER = '{"scene_index": ' + "9" * 5000 + "}"
READERS: list[Callable[[Path], object]] = [read_annotation, read_extras, read_notes, read_questions]


@pytest.fixture
def copy(small_dataset: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_dataset, tmp_path / "data")
    return tmp_path / "data"


def problems(root: Path) -> list[str]:
    return [str(problem) for problem in (*check_dataset(root), *check_questions(root, Manifest.read(root)))]


def relist(root: Path, *paths: object) -> None:
    """Write the hashes of changed files into the manifest, as somebody would who hides a change."""
    record = json.loads((root / "manifest.json").read_text())
    for files in (record["files"], *(entry["files"] for entry in record["sets"])):
        for name in files:
            if name in map(str, paths):
                content = (root / name).read_bytes()
                files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    (root / "manifest.json").write_text(json.dumps(record))


@pytest.mark.parametrize("content", [DEEP, LONG_NUMBER, "[]", "5", "[5]", '[{"questions": 5}]', "\udcff", ""])
@pytest.mark.parametrize("read", READERS)
def test_readers_name_the_damaged_file(read: Callable[[Path], object], content: str, tmp_path: Path):
    path = tmp_path / "damaged.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    if content == "[]" and read in (read_notes, read_questions):
        assert not read(path)
        return
    with pytest.raises(DatasetError, match=r"damaged\.json"):
        read(path)


def test_wrong_types_deep_inside_are_named(small_dataset: Path, tmp_path: Path):
    record = json.loads((small_dataset / layout.extras(0)).read_text())
    record["target"]["events"][0]["kind"] = "wedding"
    (tmp_path / "extras.json").write_text(json.dumps(record))
    with pytest.raises(DatasetError, match=r"extras\.json: cannot be read .*wedding"):
        read_extras(tmp_path / "extras.json")


@pytest.mark.parametrize(
    "index",
    [
        "{}x",
        "5",
        '{"00000/target": [0]}',
        '{"00000/target": [0, 99]}',
        '{"00000/target": [-4, 2]}',
        '{"a": ["b", 1]}',
        DEEP,
    ],
)
def test_crafted_packs_are_refused(index: str, tmp_path: Path):
    path = tmp_path / "crafted.pack"
    head = index.encode()
    path.write_bytes(b"COMPHYPACK1\n" + len(head).to_bytes(8, "little") + head + b"12")
    with pytest.raises(DatasetError, match=r"crafted\.pack"):
        Pack(path)
    path.write_bytes(b"COMPHYPACK1\n" + b"\xff" * 8 + head)
    with pytest.raises(DatasetError, match=r"crafted\.pack"):
        Pack(path)


def test_packs_with_other_contents_are_refused(tmp_path: Path):
    path = tmp_path / "crafted.pack"
    write_pack(path, {"no number": b"no trajectory"})
    pack = Pack(path)
    for use in (lambda: pack.video("no number"), pack.sets, lambda: pack["00000/target"]):
        with pytest.raises(DatasetError, match=r"crafted\.pack"):
            use()
    assert "00000/target" not in pack


def test_lying_lengths_do_not_fill_the_memory(tmp_path: Path):
    bomb = zlib.compress(bytes(1 << 27))
    for read in (decode, decode_boxes):
        with pytest.raises(DatasetError, match=r"video 3: .* damaged"):
            read(bomb, "video 3")
    path = tmp_path / "masks.npz"
    lengths = np.full(1000, 2**32 - 1, np.uint32)
    np.savez(path, size=np.array([2, 3]), target_lengths=lengths, target_values=np.zeros(1000, np.uint8))
    with pytest.raises(DatasetError, match=r"masks\.npz"):
        read_masks(path, "target")
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(DatasetError, match=r"masks\.npz"):
        read_masks(path, "target")


def test_notes_name_each_set_once(tmp_path: Path):
    path = tmp_path / "notes.json"
    path.write_text(json.dumps([{"scene_index": 3, "questions": []}] * 2))
    with pytest.raises(DatasetError, match=r"notes\.json: expected scene 3 once"):
        read_notes(path)


@pytest.mark.bullet
def test_masks_of_references_are_checked(six_rendered: Path, tmp_path: Path):
    annotation, camera = GeneratedDataset(six_rendered).annotation(0), Camera().resized(96, 64)
    assert not list(check_videos(six_rendered, annotation, camera))
    shutil.copytree(six_rendered, tmp_path / "data")
    path = tmp_path / "data" / layout.masks(0)
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["reference_2_values"] = arrays["reference_2_values"][::-1]
    np.savez(path, **arrays)
    found = list(check_videos(tmp_path / "data", annotation, camera))
    assert found and all(problem.startswith("masks of reference_2: ") for problem in found)


@pytest.mark.bullet
def test_a_check_reports_all_damaged_files(copy: Path):
    damaged = [layout.target_annotation(0), layout.extras(1), layout.rollouts(2), layout.PACK, notes_path("train")]
    for path in damaged:
        (copy / path).write_text(DEEP)
    relist(copy, *damaged)
    found = "\n".join(problems(copy))
    for path in damaged:
        assert str(path) in found


@pytest.mark.bullet
@pytest.mark.parametrize("name", [layout.PACK, layout.BOXES])
def test_empty_and_changed_packs_are_found(copy: Path, name: Path):
    blobs = dict(Pack(copy / name))
    write_pack(copy / name, {})
    relist(copy, name)
    assert f"{name}: the pack lacks 20 videos" in "\n".join(problems(copy))
    first, second = "00000/target", "00001/target"
    write_pack(copy / name, blobs | {first: blobs[second], "99999/target": blobs[first]})
    relist(copy, name)
    found = "\n".join(problems(copy))
    assert f"'{first}'" in found and "has beside the sets 1 videos, such as '99999/target'" in found


@pytest.mark.bullet
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "other"),
        ("set_count", 5),
        ("splits", {}),
        ("rejections", {"bad luck": 3}),
        ("versions", {"numpy": 5}),
        ("note", "new"),
        ("files", {}),
    ],
)
def test_every_field_of_the_manifest_is_checked(copy: Path, key: str, value: object):
    record = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(record | {key: value}))
    assert any("manifest.json" in found and key in found for found in map(str, check_dataset(copy)))


@pytest.mark.bullet
def test_entries_of_sets_are_checked(copy: Path):
    record = json.loads((copy / "manifest.json").read_text())
    record["sets"][0]["split"] = "test"
    record["sets"].append(record["sets"][1])
    (copy / "manifest.json").write_text(json.dumps(record))
    found = "\n".join(map(str, check_dataset(copy)))
    assert "the entry of set 0 does not follow" in found and "found 5 entries of 4 sets" in found

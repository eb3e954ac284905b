"""A dataset of thousands of sets out of a few: each is there many times, under numbers of its split. Most files of sets
are hard links; what lists sets (manifest, packs, questions) is written in full, as long as of so many generated ones."""

import json
import os
from pathlib import Path
from typing import Any, Final

from comphy.dataset import layout
from comphy.dataset.packs.rollouts import Pack, write_pack
from comphy.files import write_json

_QUESTIONS: Final = ("train.json", "val.json", "test.json", "test_answers.json")
_NOTES: Final = tuple(f"extras/questions/{split}.json" for split in layout.SPLITS)


def repeat_sets(root: Path, out: Path, count: int) -> None:
    """Args:
    root: a dataset without videos, whose sets are a multiple of six, so that splits stay what they are.
    out: the new folder.
    count: how many sets it gets."""
    manifest = json.loads((root / layout.MANIFEST).read_text())
    few = len(manifest["sets"])
    copies = {index: index % few for index in range(count)}
    packs = {source: Pack(root / layout.rollouts(source)) for source in range(few)}
    for index, source in copies.items():
        for old, new in zip(layout.set_files(source, False), layout.set_files(index, False), strict=True):
            (out / new).parent.mkdir(parents=True, exist_ok=True)
            if new == layout.rollouts(index):
                write_pack(out / new, {_renamed(name, index): blob for name, blob in packs[source].items()})
            else:
                os.link(root / old, out / new)
    manifest["sets"] = [_entry(manifest["sets"][source], source, index) for index, source in copies.items()]
    write_json(out / layout.MANIFEST, manifest)
    pack = Pack(root / layout.PACK)
    by_set: dict[int, list[str]] = {}
    for name in pack:
        by_set.setdefault(int(name.partition("/")[0]), []).append(name)
    blobs = {_renamed(name, index): pack[name] for index, source in copies.items() for name in by_set[source]}
    write_pack(out / layout.PACK, blobs)
    for name in (*_QUESTIONS, *_NOTES):
        told = {one["scene_index"]: one for one in json.loads((root / name).read_text())}
        scenes = [{**told[source], "scene_index": index} for index, source in copies.items() if source in told]
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_json(out / name, scenes)


def _renamed(name: str, index: int) -> str:
    """Of a video of another set."""
    return f"{index:05d}/{name.partition('/')[2]}"


def _entry(entry: dict[str, Any], source: int, index: int) -> dict[str, Any]:
    """Of a set under another number."""
    names = zip(layout.set_files(source, False), layout.set_files(index, False), strict=True)
    return {**entry, "index": index, "files": {str(new): entry["files"][str(old)] for old, new in names}}

"""A dataset of thousands of sets out of a few: each is there many times, under numbers of its split. Files of sets are hard
links; what lists sets (manifest, pack, questions) is written in full, as long as that of so many generated ones."""

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
    for index, source in copies.items():
        for old, new in zip(layout.set_files(source, False), layout.set_files(index, False), strict=True):
            (out / new).parent.mkdir(parents=True, exist_ok=True)
            os.link(root / old, out / new)
    manifest["sets"] = [_entry(manifest["sets"][source], index) for index, source in copies.items()]
    write_json(out / layout.MANIFEST, manifest)
    pack = Pack(root / layout.PACK)
    by_set: dict[int, list[tuple[str, bytes]]] = {}
    for name, blob in pack.items():
        number, _, video = name.partition("/")
        by_set.setdefault(int(number), []).append((video, blob))
    blobs = {f"{index:05d}/{video}": blob for index, source in copies.items() for video, blob in by_set[source]}
    write_pack(out / layout.PACK, blobs)
    for name in (*_QUESTIONS, *_NOTES):
        told = {one["scene_index"]: one for one in json.loads((root / name).read_text())}
        scenes = [{**told[source], "scene_index": index} for index, source in copies.items() if source in told]
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_json(out / name, scenes)


def _entry(entry: dict[str, Any], index: int) -> dict[str, Any]:
    """Of a set under another number."""
    names = map(str, layout.set_files(index, False))
    return {**entry, "index": index, "files": dict(zip(sorted(names), entry["files"].values(), strict=True))}

"""Puts perceiver, parser and reasoner into one folder, in the form of the weights that come along."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from comphy.config import read_yaml
from comphy.files import disk_errors, write_bytes
from models.pcr.asking.sets import PERCEIVER
from models.pcr.parser.storage import DESCRIPTION, PARSER, WEIGHTS
from models.pcr.reasoner.checkpoint import MODEL as REASONER
from models.perceiver.detection.checkpoint import MODEL as DETECTOR
from models.train.checkpoint import checkpoint_files, split_checkpoint
from models.train.run import CONFIG

LARGEST_FILE: Final = 16 * 2**20  # bytes
CARD: Final = "README.md"
_OF_THE_RUN: Final = ("cache", "perceiver")  # settings that name folders of the machine


def pack(folder: Path, perceiver: Path, run: Path, card: Callable[[Mapping[str, int]], str]) -> None:
    """Copy what answers need from a perceiver's and a reasoner's run; what was in the folder is replaced.

    Args:
        folder: of the weights; it is there as a whole or not at all.
        perceiver: run of a perceiver. Its detector is split into files of 16 MiB at most.
        run: of a reasoner, with its parser.
        card: gives the text of README.md, from the bytes of `perceiver`, `parser` and `reasoner.safetensors`.
    """
    fresh = folder.with_name(f".{folder.name}.tmp")
    with disk_errors(folder):
        shutil.rmtree(fresh, ignore_errors=True)
        _copy(perceiver, fresh / PERCEIVER, [CONFIG, *(file.name for file in checkpoint_files(perceiver / DETECTOR))])
        split_checkpoint(fresh / PERCEIVER / DETECTOR, LARGEST_FILE)
        _copy(run / PARSER, fresh / PARSER, [DESCRIPTION, WEIGHTS])
        _copy(run, fresh, [REASONER])
        settings: dict[str, Any] = read_yaml(run / CONFIG)
        settings |= dict.fromkeys(_OF_THE_RUN) | {"parser": {**settings["parser"], "weights": None}}
        write_bytes(fresh / CONFIG, yaml.safe_dump(settings, sort_keys=False).encode())
        sizes = {part: _size(fresh / part) for part in (PERCEIVER, PARSER, REASONER)}
        write_bytes(fresh / CARD, card(sizes).encode())
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)


def _copy(source: Path, target: Path, names: list[str]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(source / name, target / name)


def _size(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())

"""What is damaged: a dataset of two sets with small videos, the same without, a checkpoint, and a config."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.choices import RendererName
from comphy.dataset import layout
from comphy.resources import find_config
from data_gen.config import DatasetConfig, PictureSize, RaytraceOptions
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job

SETS: Final = 2
SEED: Final = 0
SMALL: Final = DatasetConfig(picture=PictureSize(96, 64), raytrace=RaytraceOptions(samples=1, shadows=False))


@dataclass(frozen=True)
class Material:
    """A file that may be damaged. `of` is the kind of file it is counted as."""

    of: str
    root: Path
    name: str
    listed: bool = False

    @property
    def path(self) -> Path:
        return self.root / self.name


def make_materials(folder: Path, videos: bool = True) -> dict[str, list[Material]]:
    """Make, or find, all files, by their kind; without videos and masks in a tenth of the time."""
    made = [
        *_dataset(folder / "plain", RendererName.NONE, DatasetConfig()),
        *(_dataset(folder / "videos", RendererName.RAYTRACE, SMALL) if videos else ()),
        _checkpoint(folder / "run"),
        _config(folder / "configs"),
    ]
    kinds: dict[str, list[Material]] = {}
    for one in made:
        kinds.setdefault(one.of, []).append(one)
    return dict(sorted(kinds.items()))


def _dataset(root: Path, renderer: RendererName, config: DatasetConfig) -> list[Material]:
    if not (root / layout.MANIFEST).exists():
        at_once(root, lambda made: generate(Job(made, SEED, renderer, config), SETS))
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    if renderer is not RendererName.NONE:  # all but the videos is damaged where checks are quicker
        names = [name for name in names if name.endswith((".mp4", ".npz"))]
    return [Material(_kind(name), root, name, name != str(layout.MANIFEST)) for name in names]


def _kind(name: str) -> str:
    """Such as `annotations`, `packs` or `manifest`."""
    top = name.split("/")[0]
    if top == "extras":
        top = name.split("/")[1].split("_")[0]
    kinds = {"target_annotation": "annotation", "reference_annotation": "annotation"}
    kinds |= {"target_video": "video", "reference_video": "video", "rollouts.pack": "pack", "boxes.pack": "pack"}
    kinds |= {
        "rollouts": "pack",
        "README.md": "card",
        "questions": "notes",
        "manifest.json": "manifest",
        "croissant.json": "croissant",
    }
    return kinds.get(top, "questions" if name.endswith(".json") and "/" not in name and top[0] in "tv" else top)


def _checkpoint(folder: Path) -> Material:
    from models.train.checkpoint import save_tensors

    path = folder / "checkpoint.safetensors"
    if not path.exists():
        import torch

        rng = np.random.default_rng(SEED)
        tensors = {
            f"model.layer_{i}": torch.from_numpy(rng.normal(size=(8, 4 + i)).astype(np.float32)) for i in range(6)
        }
        save_tensors(path, tensors, {"state": {"step": 7, "loss": 0.25}, "data": "a fingerprint"})
    return Material("checkpoint", folder, path.name)


def untrained_perceiver(folder: Path) -> Path:
    """The folder of a run whose detector has learned nothing, so that it sees something everywhere."""
    import torch

    from models.perceiver.detection.checkpoint import MODEL, save_detector
    from models.perceiver.detection.detector import FasterRCNN
    from models.perceiver.detection.network import DetectorSettings

    if not (folder / MODEL).exists():
        torch.manual_seed(SEED)
        size = DetectorSettings(
            48, 32, (3.0, 5.0, 7.0), region_grid=2, proposals=2, detections=2, backbone="resnet18", refinement_grid=0
        )
        save_detector(folder / MODEL, FasterRCNN(size), step=0)
    return folder


def _config(folder: Path) -> Material:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "comphy.yaml"
    if not path.exists():
        shutil.copyfile(find_config("comphy", ("data",)), path)
    return Material("config", folder, path.name)


def at_once(root: Path, make: Callable[[Path], object]) -> None:
    """A folder that is there is whole."""
    made = root.with_name(f"{root.name}.making")
    shutil.rmtree(made, ignore_errors=True)
    make(made)
    made.rename(root)


def relist(root: Path, name: str) -> None:
    """Write the hash of a changed file into the manifest, as somebody would who hides the change."""
    record: dict[str, Any] = json.loads((root / layout.MANIFEST).read_text())
    content = (root / name).read_bytes()
    entry = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    for files in (record["files"], *(one["files"] for one in record["sets"])):
        if name in files:
            files[name] = entry
    (root / layout.MANIFEST).write_text(json.dumps(record, indent=1) + "\n")

"""A trained detector on disk: weights and the settings they belong to, in one safetensors file."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import torch

from comphy.config import build, to_plain, under_present_names
from comphy.damage import reading
from comphy.errors import DatasetError
from models.perceiver.detection.lighting import STUDIO, Lighting
from models.train.checkpoint import checkpoint_files, load_facts, load_tensors, load_weights, save_tensors

if TYPE_CHECKING:
    from models.perceiver.detection.building import TrainableDetector

MODEL: Final = "detector.safetensors"
KIND: Final = "comphy Faster R-CNN"
_BEFORE_REFINEMENT: Final = {"refinement_grid": 0}  # of checkpoints that do not name it


def save_detector(path: Path, detector: "TrainableDetector", step: int, lighting: Lighting = STUDIO) -> None:
    settings = to_plain(detector.settings)
    facts = {"kind": KIND, "settings": settings, "step": step, "lighting": lighting.record()}
    weights = {
        name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in detector.state_dict().items()
    }
    save_tensors(path, weights, facts)


def weights_of(path: Path) -> Path:
    """The file of weights that a run's folder holds, whole or in parts; a file is its own."""
    return path / MODEL if path.is_dir() else path


def load_lighting(path: Path) -> Lighting:
    """The light that a detector has learned under. Files from before it was kept are of detectors that learned from frames
    of the benchmark's renderers."""
    file = checkpoint_files(weights_of(path))[0]
    with reading(file):
        record = load_facts(file).get("lighting")
        return STUDIO if record is None else Lighting.from_record(record)


def load_detector(path: Path, device: torch.device | str = "cpu") -> "TrainableDetector":
    """The detector of a run's folder, or of a file. What it is built of, torchvision too, is imported now: whoever reads
    perceived sets does without. Checkpoints with the names of earlier versions load as well."""
    from models.perceiver.detection.building import build_empty_detector
    from models.perceiver.detection.network import DetectorSettings, on_device

    file = weights_of(path)
    weights, facts = load_tensors(file)
    if facts.get("kind") != KIND:
        raise DatasetError(f"{file}: expected the weights of a {KIND} (got {facts.get('kind')!r}).")
    with reading(file):
        found = under_present_names(DetectorSettings, facts["settings"])
        settings = build(DetectorSettings, _BEFORE_REFINEMENT | found, str(file))
    detector = build_empty_detector(settings)
    load_weights(
        detector,
        {name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in weights.items()},
        file,
    )
    return on_device(detector, device).eval()

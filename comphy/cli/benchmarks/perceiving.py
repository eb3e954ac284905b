"""The perceiver against its bare backbone."""

import os
from functools import partial
from typing import Any

import torch

from comphy.cli.benchmarks.drawing import drawn
from comphy.cli.benchmarks.timing import best, in_turns
from comphy.dataset.sources.source import STANDARD
from comphy.resources import find_config
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.network import on_device
from models.perceiver.perceive import BATCH, Perceiver
from models.tasks import load_task
from models.train.device import pick_device
from models.train.precision import autocast


def perceiver(device: str = "cpu") -> dict[str, Any]:
    """Frames per second of the small perceiver on one set, detected, tracked and aligned, against the bare backbone on
    the same frames in the same batches. Weights are untrained: what they find costs the tracker as much."""
    torch.set_num_threads(os.cpu_count() or 1)
    torch.manual_seed(0)
    place = pick_device(device)
    settings = load_task(find_config("small", ("perceiver",)))[1].detector
    detector = on_device(FasterRCNN(settings), place).eval()
    looking = Perceiver(detector, place, BATCH[place.type])
    frames = drawn(sum(map(STANDARD.of, STANDARD.videos)), settings.width).to(place)

    def bare_backbone(images: torch.Tensor) -> None:
        with torch.no_grad(), autocast(place, bf16=True):
            detector.trunk(images)
        if place.type == "cuda":
            torch.cuda.synchronize()

    found = looking.detect(frames)
    bare, ours = 0.0, best(lambda: looking.aligned(looking.tracked(found, 0)))
    for part in frames.split(looking.batch):
        images = part.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        backbone_seconds, seconds = in_turns(partial(bare_backbone, images), partial(looking.detect, part))
        bare, ours = bare + backbone_seconds, ours + seconds
    return {
        "device": str(place),
        "width": settings.width,
        "backbone": settings.backbone,
        "frames_per_s": len(frames) / ours,
        "bare_backbone_frames_per_s": len(frames) / bare,
        "ratio": bare / ours,
        "threads": torch.get_num_threads(),
    }

"""Pictures of what the perceiver sees: boxes drawn over frames, for logs and docs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from torch import Tensor

from models.perceiver.detection.building import TrainableDetector

SURE: Final = 0.5
COLUMNS: Final = 4
INK: Final = ((230, 57, 70), (29, 120, 220), (244, 162, 21), (42, 157, 80), (155, 93, 229), (90, 90, 90))


def boxes_over(frame: NDArray[np.uint8], boxes: Sequence[Sequence[float]], labels: Sequence[str]) -> Image.Image:
    """A frame with boxes; the same place in the list has the same colour in every frame. Empty boxes are left out."""
    picture = Image.fromarray(frame)
    draw = ImageDraw.Draw(picture)
    for k, (box, label) in enumerate(zip(boxes, labels, strict=True)):
        x0, y0, x1, y1 = box
        if x1 > x0 and y1 > y0:
            ink = INK[k % len(INK)]
            draw.rectangle((x0, y0, x1, y1), outline=ink, width=max(1, picture.width // 240))
            draw.text((x0 + 1, max(0, y0 - 11)), label, fill=ink)
    return picture


def tiled(pictures: Sequence[Image.Image], columns: int = COLUMNS) -> Image.Image:
    """Pictures of one size side by side."""
    width, height = pictures[0].size
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * width, rows * height), "white")
    for k, picture in enumerate(pictures):
        sheet.paste(picture, (k % columns * width, k // columns * height))
    return sheet


def write_detections(path: Path, detector: TrainableDetector, frames: Tensor) -> None:
    """Save a sheet of frames with what the detector is sure of, and how sure it is."""
    device = next(detector.parameters()).device
    with torch.no_grad():
        found = detector.detect(frames.to(device)).cpu()
    pictures = []
    for frame, boxes, scores in zip(frames.cpu().numpy(), found.boxes, found.scores, strict=True):
        kept = scores > SURE
        pictures.append(boxes_over(frame, boxes[kept].tolist(), [f"{score:.2f}" for score in scores[kept].tolist()]))
    path.parent.mkdir(parents=True, exist_ok=True)
    tiled(pictures).save(path)

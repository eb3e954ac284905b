"""How far a detector's boxes are off on stills, and on the same frames as the ray tracer draws them:

    python -m tools.figures.box_errors out/runs/perceiver out/comphy out/stills_val

Stills of sets that it did not learn from: comphy stills out/comphy --split val --videos 40 --seed 1 --out out/stills_val
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.choices import FramesFrom
from comphy.dataset import layout
from comphy.dataset.media.resizing import resized
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import Stills
from comphy.evaluation.perception.detection import pairwise_iou
from comphy.resources import find_weights
from data_gen.frames import open_frames
from models.perceiver.perceive import BATCH, Perceiver, open_perceiver
from models.perceiver.truth import MATCH, TrueBoxes
from models.train.device import pick_device

SURE = 0.5


def found_boxes(perceiver: Perceiver, frames: Tensor) -> Iterator[NDArray[np.float64]]:
    """Of each frame, the boxes that the detector is sure of."""
    size = BATCH[perceiver.device.type]
    for start in range(0, len(frames), size):
        with torch.no_grad():
            found = perceiver.detector.detect(frames[start : start + size].to(perceiver.device)).cpu()
        for boxes, scores in zip(found.boxes, found.scores, strict=True):
            yield boxes[scores > SURE].double().numpy()


def table(perceiver: Perceiver, frames: Tensor, stills: Stills, truth: TrueBoxes, pack: Pack) -> list[str]:
    """Rows: mean distance of an edge, and how much too wide and too high boxes are on average, in the detector's pixels."""
    errors: dict[str, list[NDArray[np.float64]]] = defaultdict(list)
    missed = 0
    for key, boxes, true in zip(stills.keys, found_boxes(perceiver, frames), truth.batch(stills.keys), strict=True):
        asked = true.double().numpy()
        objects = pack.video(key.name).clip().objects
        for row in np.flatnonzero(asked[:, 2] > asked[:, 0]):
            overlap = pairwise_iou(boxes[None], asked[None, row : row + 1])[0, :, 0] if len(boxes) else np.zeros(1)
            if overlap.max() < MATCH:
                missed += 1
                continue
            error = boxes[overlap.argmax()] - asked[row]
            for group in ("all", objects[row].shape.value, objects[row].material.value):
                errors[group].append(error)
    rows = [f"  boxes not found: {missed}"]
    for group, found in sorted(errors.items(), key=lambda item: (item[0] != "all", item[0])):
        all_of = np.array(found)
        wide, high = (all_of[:, 2] - all_of[:, 0]).mean(), (all_of[:, 3] - all_of[:, 1]).mean()
        rows.append(
            f"  {group:9s} {len(found):5d} boxes, edge {np.abs(all_of).mean():.3f}, width {wide:+.3f}, height {high:+.3f}"
        )
    return rows


def main(run: str, data: Path, folder: Path) -> None:
    stills, source = Stills.read(folder), open_source(data)
    perceiver = open_perceiver(find_weights(run), pick_device("auto"), None, source.lengths)
    size = perceiver.detector.size
    truth, pack = TrueBoxes(source, size[0]), Pack(data / layout.PACK)
    drawn = open_frames(data, FramesFrom.RAYTRACE, size[0], str(perceiver.device)).draw(stills.keys)
    pictures = torch.from_numpy(np.stack([stills.picture(key) for key in stills.keys]))
    for look, frames in (("raytrace", drawn), (stills.renderer, resized(pictures, size, str(folder)))):
        print(f"{look}, pixels of {size[0]}x{size[1]}:")
        print("\n".join(table(perceiver, frames, stills, truth, pack)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))

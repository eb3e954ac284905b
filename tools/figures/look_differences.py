"""How much brighter or darker stills are than the same frames as the ray tracer draws them, by material:

    python -m tools.figures.look_differences out/comphy out/stills_val

Of every object the inner half of its box counts, in levels of 255.
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from comphy.choices import FramesFrom
from comphy.dataset import layout
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import Stills
from data_gen.frames import open_frames
from models.perceiver.truth import TrueBoxes
from models.train.device import pick_device


def inner(picture: NDArray[np.uint8], box: NDArray[np.float64]) -> float:
    """Mean level of the inner half of a box."""
    left, top, right, bottom = box
    x, y = (right - left) / 4, (bottom - top) / 4
    rows, columns = slice(int(top + y), int(bottom - y) + 1), slice(int(left + x), int(right - x) + 1)
    return float(picture[rows, columns].mean())


def main(data: Path, folder: Path) -> None:
    stills, pack = Stills.read(folder), Pack(data / layout.PACK)
    truth = TrueBoxes(open_source(data), stills.width)
    drawn = open_frames(data, FramesFrom.RAYTRACE, stills.width, str(pick_device("auto"))).draw(stills.keys)
    differences: dict[tuple[str, str], list[float]] = defaultdict(list)
    for key, frame, boxes in zip(
        stills.keys, drawn.to(torch.uint8).cpu().numpy(), truth.batch(stills.keys), strict=True
    ):
        picture, asked = stills.picture(key), boxes.double().numpy()
        objects = pack.video(key.name).clip().objects
        for row in np.flatnonzero(asked[:, 2] > asked[:, 0]):
            of = objects[row]
            difference = inner(picture, asked[row]) - inner(frame, asked[row])
            differences[of.material.value, "all colours"].append(difference)
            differences[of.material.value, of.color.value].append(difference)
    for (material, color), found in sorted(differences.items()):
        print(f"{material:7s} {color:12s} {len(found):4d} objects, {np.mean(found):+6.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

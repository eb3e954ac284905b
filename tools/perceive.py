#!/usr/bin/env python
"""Look at the sets of a dataset with a trained perceiver, and keep what was seen in a cache.

    python tools/perceive.py out/runs/perceiver out/comphy --out out/cache

Run the same command again to go on after an interruption.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from comphy.command import console, progress_bar, run_command
from data_gen.frames import FramesFrom, open_frames
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import ALL, cache_key, choose_sets, fill, open_cache
from models.perceiver.perceive import open_perceiver
from models.train.device import pick_device


class Split(StrEnum):
    TRAIN = "train"
    VAL = "val"
    TEST = "test"
    EVERY = ALL


def main(
    run: Annotated[Path, typer.Argument(help="Folder of a perceiver's run, or its detector's weights.")],
    data: Annotated[Path, typer.Argument(help="Folder of a dataset.")],
    out: Annotated[Path, typer.Option(help="Folder of the cache; created, or gone on with.")] = Path("out/cache"),
    split: Annotated[Split, typer.Option(help="Sets to look at; another split may follow later.")] = Split.EVERY,
    sets: Annotated[int | None, typer.Option(min=1, help="Only the first so many sets of the split.")] = None,
    frames: Annotated[FramesFrom, typer.Option(help="How frames come about.")] = FramesFrom.RAYTRACE,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    batch: Annotated[int | None, typer.Option(min=1, help="Frames looked at together; by default enough.")] = None,
) -> None:
    """Perceive sets: tracks of every video, their features, and which tracks are the same object.

    Example: python tools/perceive.py out/runs/perceiver out/comphy --out out/cache --split train
    """
    perceiver = open_perceiver(run, pick_device(device), batch)
    chosen = choose_sets(data, split, sets)
    key = cache_key(run, data, perceiver.tracking, frames)
    source = open_frames(data, frames, perceiver.detector.size[0], str(perceiver.device))
    with open_cache(out, key, perceiver, data) as writer, progress_bar() as progress:
        task = progress.add_task("perceiving sets", total=len(chosen))
        filled = fill(
            writer,
            perceiver,
            source,
            chosen,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    rate = f", {filled.frames_per_s:.1f} frames/s on {perceiver.device} with drawing or decoding" if filled.made else ""
    console.print(f"{filled.made} sets perceived{rate}; {filled.kept} found done.")
    cache = FeatureCache(out, key)
    console.print(f"Cache: {out}, {len(cache)} sets, {len(cache) * cache.shape.bytes_per_set() / 1e6:.1f} MB.")


if __name__ == "__main__":
    run_command(main)

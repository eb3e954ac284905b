"""`comphy perceive`: look at the sets of a dataset with a trained perceiver, and keep what was seen in a cache."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Frames, SplitOrAll
from comphy.cli.options import DeviceOption, FramesOption, WorkersOption, frames_source
from comphy.command import build_app, console, progress_bar, when_interrupted
from comphy.resources import find_weights


@when_interrupted("The sets that were perceived are kept in --out; run the same command again to go on.")
def main(
    run: Annotated[
        str, typer.Argument(help="Folder of a perceiver's run, its detector's weights, or the name pcr/perceiver.")
    ],
    data: Annotated[Path, typer.Argument(help="Folder of a dataset, a release, or your own videos.")],
    out: Annotated[Path, typer.Option(help="Folder of the cache; created, or gone on with.")] = Path("out/cache"),
    split: Annotated[SplitOrAll, typer.Option(help="Sets to look at; more may follow later.")] = SplitOrAll.ALL,
    sets: Annotated[int | None, typer.Option(min=1, help="Only the first so many sets of the split.")] = None,
    frames: FramesOption = Frames.AUTO,
    device: DeviceOption = "auto",
    workers: WorkersOption = 1,
    batch: Annotated[int | None, typer.Option(min=1, help="Frames looked at together; by default enough.")] = None,
) -> None:
    """Perceive sets: tracks of every video, their features, and which tracks are the same object.

    Example: comphy perceive pcr/perceiver out/comphy --out out/cache --split val
    """
    from comphy.dataset.sources.opening import open_source
    from comphy.toolkit.perceiving import Perceiving
    from models.perceiver.cache.feature_cache import FeatureCache
    from models.perceiver.cache.fill import cache_key, choose_sets, fill_by, open_cache
    from models.perceiver.perceive import open_perceiver
    from models.train.device import pick_device

    weights = find_weights(run)
    perceiver = open_perceiver(weights, pick_device(device), batch, open_source(data).lengths)
    chosen = choose_sets(data, split, sets)
    how = frames_source(data, frames)
    key = cache_key(weights, data, perceiver.tracking, how)
    perceiving = Perceiving(weights, data, how, str(perceiver.device), batch)
    with progress_bar() as progress:
        task = progress.add_task("perceiving sets", total=len(chosen))

        def show_others(done: int) -> bool:
            progress.update(task, completed=min(done, len(chosen)))
            return False

        with open_cache(out, key, perceiver, data, show_others) as writer:
            filled = fill_by(
                writer,
                lambda todo: perceiving.sets(todo, workers, perceiver),
                chosen,
                lambda done, total: progress.update(task, completed=done, total=total),
            )
    rate = f", {filled.frames_per_s:.1f} frames/s on {perceiver.device} with drawing or decoding" if filled.made else ""
    console.print(f"{filled.made} sets perceived{rate}; {filled.kept} found done.")
    cache = FeatureCache(out, key)
    console.print(f"Cache: {out}, {len(cache)} sets, {len(cache) * cache.shape.bytes_per_set() / 1e6:.1f} MB.")


app = build_app(main)

#!/usr/bin/env python
"""Make the moving picture of the site's first page: a target video with what the model says of it, and what it imagines.

comphy generate comphy --out out/show --sets 12 --seed 21 --render none
python tools/figures/showcase.py out/show:9 "If the green object were heavier, what would happen?"

The picture is made only if the model names every object rightly and its answer is the simulator's.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image

import comphy
from comphy.command import build_app, console
from comphy.dataset.dataset import DatasetSet
from comphy.dataset.media.video import read_mp4
from comphy.errors import ComphyError
from comphy.files import write_bytes
from comphy.resources import find_weights
from comphy.toolkit.asking import SeenSet, SetPlace, TrainedReasoner, answer
from models.pcr.asking.reply import Reply

LIMIT: Final = 2_000_000  # bytes
EVERY: Final = 3  # of the clip's frames
WIDTH: Final = 760
COMMON: Final = 176  # colours
RARE: Final = 72
LAST_MS: Final = 2500


def main(
    videos: Annotated[str, typer.Argument(metavar="SET", help="DATASET:NUMBER.")],
    question: Annotated[str, typer.Argument(help="A question about what would happen.")],
    out: Annotated[Path, typer.Option(help="The picture.")] = Path("docs/pictures/showcase.gif"),
    cache: Annotated[Path | None, typer.Option(help="Feature cache that holds the set.")] = None,
) -> None:
    """Film a question and its answer.

    Example: python tools/figures/showcase.py out/show:9 "If the green object were heavier, what would happen?"
    """
    place = SetPlace.parse(videos)
    trained = TrainedReasoner.load(find_weights("pcr"), device="cpu")
    seen, reply = answer(trained, place, trained.read(question), cache)
    require_truth(seen, reply, comphy.open_dataset(place.data)[place.index])
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "clip.mp4"
        seen.draw(reply, clip)
        frames, _ = read_mp4(clip)
    film = gif(shown(frames))
    if len(film) > LIMIT:
        raise ComphyError(f"{out}: expected at most {LIMIT:,} bytes (got {len(film):,}). Take a shorter video.")
    write_bytes(out, film)
    console.print(f"{out}: {len(film):,} bytes. {reply.sentence}")


def require_truth(answered: SeenSet, reply: Reply, videos: DatasetSet) -> None:
    """Refuse a set in which the model is wrong.

    Raises:
        ComphyError: an object is named wrongly, or the answer is not the simulator's."""
    true = sorted(str(spec) for spec in videos.facts.objects)
    if sorted(answered.interpreted.names) != true:
        raise ComphyError(
            f"expected every object to be named rightly: {', '.join(true)} (got {', '.join(answered.interpreted.names)})."
        )
    for verdict in reply.pairs:
        seen = any(set(event.objects) == _numbers(verdict.pair, answered, videos) for event in videos.facts.visible)
        if (verdict.seen_frame is not None) is not seen:
            raise ComphyError(f"expected the collisions of the video to be recognised (pair {verdict.pair} is not).")
        names = [answered.interpreted.names[number] for number in verdict.pair]
        program = comphy.parse((*_collision_of(names), *reply.query.program.tokens))
        if comphy.execute(program, videos.facts) is not verdict.holds:
            raise ComphyError(f"expected the simulator's answer about {' and '.join(names)} (got {verdict.holds}).")


def _numbers(pair: tuple[int, int], answered: SeenSet, videos: DatasetSet) -> set[int]:
    """The annotation's numbers of two objects that the model has numbered by itself."""
    true = [str(spec) for spec in videos.facts.objects]
    return {true.index(answered.interpreted.names[number]) for number in pair}


def _collision_of(names: Sequence[str]) -> tuple[str, ...]:
    """The program of a choice: the collision of two objects."""
    tokens = ["all_events"]
    for name in names:
        color, material, shape = name.split()
        tokens += ["objects", color, "filter_color", material, "filter_material", shape, "filter_shape", "unique"]
        tokens += ["filter_collision"]
    return (*tokens, "unique")


def shown(clip: NDArray[np.uint8]) -> list[Image.Image]:
    """Some frames of the clip, smaller."""
    frames = [Image.fromarray(frame) for frame in clip[::EVERY]]
    return [one.resize((WIDTH, round(one.height * WIDTH / one.width)), Image.Resampling.LANCZOS) for one in frames]


def gif(frames: Sequence[Image.Image]) -> bytes:
    """An animation with one palette for all frames, so that nothing flickers."""
    some = frames[:: max(1, len(frames) // 6)]
    sheet = Image.new("RGB", (some[0].width, sum(frame.height for frame in some)))
    for number, frame in enumerate(some):
        sheet.paste(frame, (0, number * frame.height))
    # Most colours go to what is common, the gray table; the rest to what is rare, such as a small cube.
    common, rare = sheet.quantize(COMMON), sheet.quantize(RARE, method=Image.Quantize.MAXCOVERAGE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(common.getpalette() or [])[: 3 * COMMON], *(rare.getpalette() or [])[: 3 * RARE]])
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.gif"
        times = [40 * EVERY] * (len(flat) - 1) + [LAST_MS]
        flat[0].save(path, save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=True)
        return path.read_bytes()


app = build_app(main)

if __name__ == "__main__":
    app()

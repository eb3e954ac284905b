#!/usr/bin/env python
"""Make the moving picture of the README: a target video with what the model says of it, and what it imagines.

comphy generate comphy --out out/show --sets 12 --seed 21 --render none
python tools/figures/showcase.py out/show:9 "If the green object were heavier, what would happen?"

The picture is made only if the model names every object rightly and its answer is the simulator's.
"""

import tempfile
import textwrap
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
from comphy.drawing.colors import BRIGHT, MARK, NIGHT
from comphy.drawing.text import centred_tag, text
from comphy.errors import ComphyError
from comphy.files import write_bytes
from comphy.resources import find_weights
from comphy.toolkit.asking import Answered, SetPlace, TrainedReasoner, answer

LIMIT: Final = 2_000_000  # bytes
TITLES: Final = 28  # height of the titles above the clip's two pictures
PICTURE: Final = 480  # width of each of them
EVERY: Final = 3  # of the clip's frames
FOOT: Final = 84
LETTERS: Final = 115  # of a line of the answer
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
    answered = answer(trained, place, trained.read(question), cache)
    require_truth(answered, comphy.open_dataset(place.data)[place.index])
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "clip.mp4"
        answered.draw(clip, "cpu")
        frames, _ = read_mp4(clip)
    film = gif([Image.fromarray(frame) for frame in told(answered, frames, question)])
    if len(film) > LIMIT:
        raise ComphyError(f"{out}: expected at most {LIMIT:,} bytes (got {len(film):,}). Take a shorter video.")
    write_bytes(out, film)
    console.print(f"{out}: {len(film):,} bytes. {answered.reply.sentence}")


def require_truth(answered: Answered, videos: DatasetSet) -> None:
    """Refuse a set in which the model is wrong.

    Raises:
        ComphyError: an object is named wrongly, or the answer is not the simulator's."""
    true = sorted(str(spec) for spec in videos.facts.objects)
    if sorted(answered.interpreted.names) != true:
        raise ComphyError(
            f"expected every object to be named rightly: {', '.join(true)} (got {', '.join(answered.interpreted.names)})."
        )
    for verdict in answered.reply.pairs:
        seen = any(set(event.objects) == _numbers(verdict.pair, answered, videos) for event in videos.facts.visible)
        if (verdict.seen_frame is not None) is not seen:
            raise ComphyError(f"expected the collisions of the video to be recognised (pair {verdict.pair} is not).")
        names = [answered.interpreted.names[number] for number in verdict.pair]
        program = comphy.parse((*_collision_of(names), *answered.reply.query.program.tokens))
        if comphy.execute(program, videos.facts) is not verdict.holds:
            raise ComphyError(f"expected the simulator's answer about {' and '.join(names)} (got {verdict.holds}).")


def _numbers(pair: tuple[int, int], answered: Answered, videos: DatasetSet) -> set[int]:
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


def told(answered: Answered, clip: NDArray[np.uint8], question: str) -> list[NDArray[np.uint8]]:
    """The frames of the clip with a tag at each object, the question and the answer."""
    seen = answered.features.read(answered.place.index)
    boxes = seen.target.boxes.astype(float) * (PICTURE / seen.width)
    made = []
    for number in range(0, len(clip), EVERY):
        image = Image.new("RGB", (clip.shape[2], clip.shape[1] + FOOT), NIGHT)
        image.paste(Image.fromarray(clip[number]), (0, 0))
        video = image.crop((0, TITLES, PICTURE, TITLES + 320))
        for name, box in zip(answered.interpreted.names, boxes[number], strict=False):
            if box.any():
                centred_tag(video, ((box[0] + box[2]) / 2, box[1] - 12), name, 11, BRIGHT)
        image.paste(video, (0, TITLES))
        text(image, (10, clip.shape[1] + 14), question, 15, MARK, bold=True)
        for line, words in enumerate(textwrap.wrap(answered.reply.sentence, LETTERS)):
            text(image, (10, clip.shape[1] + 40 + 22 * line), words, 14, BRIGHT)
        made.append(
            np.asarray(image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS))
        )
    return made


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

"""The second half of the demo: previews, an answered question, and the page with both."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from comphy.choices import Frames
from comphy.command import console
from comphy.toolkit.asking import SetPlace, TrainedReasoner, answer
from comphy.toolkit.previewing import Previewed, draw
from data_gen.preview.pages.answered import AnsweredQuestion
from data_gen.preview.pages.page import write_page
from models.pcr.asking.terminal import print_reply

WEIGHTS: Final = "pcr"
CLIP: Final = "imagined.mp4"


def ask_and_show(root: Path, index: int, question: str, before_asking: Callable[[], None]) -> Path:
    """Draw the dataset's sets, ask the shipped weights about one of them, and write a page with both.

    Args:
        root: folder of a finished dataset.
        index: number of the set that is asked about.
        question: in English.
        before_asking: called between drawing and asking.

    Returns:
        The page."""
    previewed = Previewed.load(root, None, most=6)
    base = previewed.base(None)
    previews = draw(previewed, base, [base / f"{scene.index:05d}" for scene in previewed.scenes], Frames.AUTO)
    before_asking()
    trained = TrainedReasoner.load(WEIGHTS)
    seen, reply = answer(trained, SetPlace(root, index), trained.read(question))
    clip = base / CLIP if reply.can_be_drawn else None
    if clip is not None:
        seen.draw(reply, clip)
    print_reply(console, reply, seen.interpreted, clip)
    shown = AnsweredQuestion(index, question, reply.sentence, reply.sure, clip)
    return write_page(previewed.source, base, previews, previewed.asked, [shown])

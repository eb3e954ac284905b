"""The second half of the demo: a question that is answered, and the site with the sets and the answer."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode

from comphy.command import console
from comphy.toolkit.asking import SetPlace, TrainedReasoner, answer
from comphy.toolkit.explorer.export.choosing import choose_sets
from comphy.toolkit.explorer.export.recording import AskedQuestion
from comphy.toolkit.explorer.export.site import Exported, write_site
from comphy.toolkit.explorer.library import Library
from models.pcr.asking.terminal import print_reply

WEIGHTS: Final = "pcr"
SITE: Final = "site"  # below a dataset's root


def ask_and_show(root: Path, index: int, question: str, before_writing: Callable[[], None]) -> str:
    """Ask the shipped weights about a set, and write a site of the dataset's sets with the answer and a clip of it.

    Args:
        root: folder of a finished dataset.
        index: number of the set that is asked about.
        question: in English.
        before_writing: called between asking and writing.

    Returns:
        The address of the page with the answer."""
    trained = TrainedReasoner.load(WEIGHTS)
    seen, reply = answer(trained, SetPlace(root, index), trained.read(question))
    print_reply(console, reply, seen.interpreted, None)
    before_writing()
    with TemporaryDirectory() as folder:
        clip = Path(folder) / "imagined.mp4" if reply.can_be_drawn else None
        if clip is not None:
            seen.draw(reply, clip)
        asked = {(0, index): [AskedQuestion.of(question, WEIGHTS, seen, reply, clip)]}
        library = Library([root], lambda source: choose_sets(source, None))
        page = write_site(Exported(library, asked=asked), root / SITE)
    return f"{page.absolute().as_uri()}#/set/0/{index}?{urlencode({'ask': question})}"

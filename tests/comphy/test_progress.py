"""Progress where output is no terminal."""

import io
import re

from rich.console import Console

from comphy.progress import plain_lines
from tests.support.waiting import wait_until

ELAPSED = r"\d+:\d\d:\d\d"


def test_lines_are_printed_now_and_then_and_at_the_end() -> None:
    console = Console(file=io.StringIO(), force_terminal=False)
    with plain_lines(console, every=0.02) as progress:
        task = progress.add_task("sets", total=3)
        progress.add_task("looking", total=None)
        hidden = progress.add_task("questions", total=2, visible=False)
        wait_until(lambda: _text(console).count("sets: 0/3") >= 2)
        wait_until(lambda: re.search(rf"looking: {ELAPSED}", _text(console)))
        progress.update(task, completed=3)
        progress.update(hidden, completed=2, visible=True)
    lines = _text(console).splitlines()
    assert sum(bool(re.match(rf"sets: 3/3, {ELAPSED}", line)) for line in lines) == 1
    assert sum(bool(re.match(rf"questions: 2/2, {ELAPSED}", line)) for line in lines) == 1


def _text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()

"""Progress where output is no terminal."""

import io
import time

from rich.console import Console

from comphy.progress import plain_lines


def test_lines_are_printed_now_and_then_and_at_the_end() -> None:
    console = Console(file=io.StringIO(), force_terminal=False)
    with plain_lines(console, every=0.02) as progress:
        task = progress.add_task("sets", total=3)
        progress.add_task("looking", total=None)
        hidden = progress.add_task("questions", total=2, visible=False)
        while _text(console).count("sets: 0/3") < 2 or "looking: 0:00:0" not in _text(console):
            time.sleep(0.01)
        progress.update(task, completed=3)
        progress.update(hidden, completed=2, visible=True)
    lines = _text(console).splitlines()
    assert sum(line.startswith("sets: 3/3, 0:00:0") for line in lines) == 1
    assert sum(line.startswith("questions: 2/2, 0:00:0") for line in lines) == 1


def _text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from models.pcr.asking.asking import ask
from models.pcr.asking.question import query_of_program
from models.pcr.asking.terminal import WIDTH, print_reply
from tests.support.interpreted_sets import certain

pytestmark = pytest.mark.bullet


def printed(root: Path, program: str, *choices: str, clip: Path | None = None) -> list[str]:
    known = certain(root, 0)
    out = StringIO()
    print_reply(Console(file=out, width=200), ask(known, query_of_program(program, choices)), known, clip)
    return out.getvalue().splitlines()


def test_the_answer_comes_first_and_all_fits_80_columns(dozen: Path):
    lines = printed(dozen, "objects filter_heavy count", clip=Path("out/ask/clip.mp4"))
    assert lines[0][0] in "012N" and lines[1] == "Sure: 100%."
    assert max(map(len, lines)) <= WIDTH
    names = certain(dozen, 0).names
    start = lines.index("Hidden properties") + 1
    assert [line.split(" (")[0].strip() for line in lines[start : start + len(names)]] == list(names)
    assert [line.split()[:2] for line in lines[lines.index("How") + 1 :][:3]] == [
        ["1", "objects"],
        ["2", "filter_heavy"],
        ["3", "count"],
    ]
    assert lines[-1] == "Clip  out/ask/clip.mp4"


def test_hidden_properties_are_shown_where_they_matter(dozen: Path):
    assert "Hidden properties" not in printed(dozen, "objects count")
    future = printed(dozen, "unseen_events belong_to")
    assert "Hidden properties" in future and "Every pair" in future
    assert max(map(len, future)) <= WIDTH

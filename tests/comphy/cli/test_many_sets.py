"""A dataset that repeats a few sets is read as one that was generated."""

from pathlib import Path

from comphy.cli.benchmarks.many_sets import repeat_sets
from comphy.toolkit.explorer.library import Library


def test_repeated_sets_are_those_they_repeat(six_rendered: Path, tmp_path: Path) -> None:
    repeat_sets(six_rendered, tmp_path / "many", 15)
    few, many = (Library([root]).source(0) for root in (six_rendered, tmp_path / "many"))
    lines = [line.partition(b',"s"')[2] for line in few.catalogue.lines()]
    assert [line.partition(b',"s"')[2] for line in many.catalogue.lines()] == (lines * 3)[:15]
    assert len(many.asked.search("collide")) >= 2 * len(few.asked.search("collide")) > 0
    first, again = few.set_record(3), many.set_record(9)
    for part in ("split", "family", "objects", "runs", "questions"):
        assert first[part] == again[part]
    assert first["videos"][0]["positions"] == again["videos"][0]["positions"]

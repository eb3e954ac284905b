"""An export goes on after an interruption, and is never mixed with other files."""

from pathlib import Path

import pytest

from comphy.choices import ExportAs
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.release_forms import COMPHY_RELEASE
from comphy.errors import ConfigError
from data_gen.export.job import MARKER, export
from data_gen.preview.loading import load_set
from tests.support.leftovers import half_written

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_an_interrupted_export_goes_on_to_the_same_files(
    six_rendered: Path, exports: dict[ExportAs, Path], tmp_path: Path
) -> None:
    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(six_rendered, ExportAs.COMPHY_A, tmp_path / "out", report=stop)
    begun = len(contents(tmp_path / "out"))
    annotation = next((tmp_path / "out").rglob("*.json"))
    half_written(annotation)
    assert 0 < begun < len(contents(exports[ExportAs.COMPHY_A]))
    with pytest.raises(ConfigError, match="expected an empty folder"):
        export(six_rendered, ExportAs.COMPHY_B, tmp_path / "out")
    export(six_rendered, ExportAs.COMPHY_A, tmp_path / "out")
    assert contents(tmp_path / "out") == contents(exports[ExportAs.COMPHY_A])


def test_several_processes_write_the_same_files(
    six_rendered: Path, exports: dict[ExportAs, Path], tmp_path: Path
) -> None:
    export(six_rendered, ExportAs.COMPHY_A, tmp_path, workers=2)
    assert contents(tmp_path) == contents(exports[ExportAs.COMPHY_A])


def test_an_export_that_was_killed_at_once_can_be_gone_on_with(six_rendered: Path, tmp_path: Path) -> None:
    left = half_written(tmp_path / MARKER)
    export(six_rendered, ExportAs.COMPHY_A, tmp_path, sets=1)
    assert not left.exists() and open_source(tmp_path).indices()


def test_only_our_own_datasets_are_exported_and_nothing_is_written_over(
    six_rendered: Path, exports: dict[ExportAs, Path], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"expected a dataset of this toolkit to export \(found CLEVRER\)"):
        export(exports[ExportAs.CLEVRER], ExportAs.COMPHY_A, tmp_path / "out")
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="expected an empty folder"):
        export(six_rendered, ExportAs.COMPHY_A, tmp_path)
    assert contents(tmp_path) == {"mine.txt": b"mine"}


def test_numbers_are_the_releases_without_its_broken_sets() -> None:
    numbers = {split: COMPHY_RELEASE.numbers(split) for split in ("train", "val", "test")}
    assert {split: len(found) for split, found in numbers.items()} == {"train": 7996, "val": 2000, "test": 1998}
    assert 33 not in numbers["train"] and numbers["train"][4000 - 4] == 6000


def test_a_preview_of_an_exported_set_knows_what_ours_knows(
    six_rendered: Path, exports: dict[ExportAs, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    theirs, ours = load_set(open_source(exports[ExportAs.COMPHY_B]), 4000), load_set(open_source(six_rendered), 4)
    assert (theirs.family, theirs.split, theirs.objects) == (ours.family, ours.split, ours.objects)
    for one, other in zip(theirs.videos(), ours.videos(), strict=True):
        told = {(event.kind, event.frame, event.objects) for event in one.events}
        known = {(e.kind, e.frame, e.objects) for e in other.events if e.kind in ("collision", "in", "out")}
        assert one.numbers == other.numbers and {e for e in told if e[0] == "collision"} <= known

"""The stability of a split in its notes: the same bytes by any way to them, and nothing else changed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from comphy.choices import RendererName
from comphy.dataset.checks.files import check_files
from comphy.dataset.checks.questions import check_questions
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import notes_path, read_notes
from comphy.errors import ComphyError, ConfigError, DatasetError
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from data_gen.stability.job import measure_stability
from tests.support.made_once import made_once

pytestmark = pytest.mark.bullet

NOTES = notes_path("train")
ASKED_SETS = 3  # of the four sets, those with a predictive or counterfactual question


@pytest.fixture(scope="session")
def measured_dataset(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small dataset with the stability of its train split, two runs a question. Read only."""

    def make(root: Path) -> None:
        shutil.copytree(small_dataset, root)
        measure_stability(root, "train", runs=2)

    return made_once(tmp_path_factory, "measured_dataset", make)


@pytest.fixture
def copy(small_dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_dataset, tmp_path / "copy"))


def stop_after(sets: int) -> Callable[[int, int], None]:
    """Presses Ctrl-C."""

    def report(done: int, total: int) -> None:
        if done == sets:
            raise KeyboardInterrupt

    return report


@pytest.mark.slow
def test_worker_count_does_not_change_a_byte(measured_dataset: Path, copy: Path):
    measure_stability(copy, "train", runs=2, workers=2)
    assert (copy / NOTES).read_bytes() == (measured_dataset / NOTES).read_bytes()


def test_an_interrupted_job_goes_on(measured_dataset: Path, copy: Path):
    with pytest.raises(KeyboardInterrupt):
        measure_stability(copy, "train", runs=2, report=stop_after(1))
    kept = read_notes(copy / NOTES)
    assert sum(any(note.stability for note in notes) for notes in kept.values()) == 1
    outcome = measure_stability(copy, "train", runs=2)
    assert (outcome.measured, outcome.kept) == (ASKED_SETS - 1, 1)
    assert (copy / NOTES).read_bytes() == (measured_dataset / NOTES).read_bytes()


def test_what_is_done_is_left_alone_but_for_other_runs(measured_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(measured_dataset, tmp_path / "copy"))
    before = (copy / NOTES).stat().st_mtime_ns
    again = measure_stability(copy, "train", runs=2)
    assert (again.measured, again.kept) == (0, ASKED_SETS) and (copy / NOTES).stat().st_mtime_ns == before
    other = measure_stability(copy, "train", runs=1, sets=2)
    assert (other.measured, other.kept) == (2, 0)
    assert {note.stability.runs for notes in read_notes(copy / NOTES).values() for note in notes if note.stability} == {
        1,
        2,
    }


def test_nothing_but_the_notes_changes(measured_dataset: Path, small_dataset: Path, tmp_path: Path):
    files = {path.relative_to(small_dataset) for path in small_dataset.rglob("*") if path.is_file()}
    assert files == {path.relative_to(measured_dataset) for path in measured_dataset.rglob("*") if path.is_file()}
    changed = [name for name in files if (small_dataset / name).read_bytes() != (measured_dataset / name).read_bytes()]
    assert changed == [Path(NOTES)]
    records = json.loads((measured_dataset / NOTES).read_text())
    found = [note.pop("stability") for record in records for note in record["questions"] if "stability" in note]
    assert found and records == json.loads((small_dataset / NOTES).read_text())


def test_the_dataset_stays_sound_and_finished(measured_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(measured_dataset, tmp_path / "copy"))
    manifest = Manifest.read(copy)
    assert not list(check_files(copy, manifest)) and not list(check_questions(copy, manifest))
    assert generate(Job(copy, 0, RendererName.NONE, DatasetConfig()), sets=4).made == 0
    assert (copy / NOTES).read_bytes() == (measured_dataset / NOTES).read_bytes()
    (copy / NOTES).write_text((copy / NOTES).read_text().replace('"family":"', '"family":"x', 1))
    assert [str(copy / NOTES)] == [problem.where for problem in check_files(copy, manifest)]


def test_bad_input_is_explained(copy: Path, tmp_path: Path):
    with pytest.raises(DatasetError, match=r"no manifest\.json here"):
        measure_stability(tmp_path, "train")
    with pytest.raises(ConfigError, match="at least 1"):
        measure_stability(copy, "train", runs=0)
    records = json.loads((copy / NOTES).read_text())
    records[0]["questions"].pop()
    (copy / NOTES).write_text(json.dumps(records))
    with pytest.raises(ComphyError, match="scene 0: expected one note for each question"):
        measure_stability(copy, "train")

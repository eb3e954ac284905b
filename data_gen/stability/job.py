"""Measures the stability of a split and writes it into the notes: set by set, in processes, and resumable."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import Notes, notes_path, read_notes, write_notes
from comphy.dataset.questions import answers_path, read_questions
from comphy.errors import ConfigError, DatasetError
from comphy.files import disk_errors
from comphy.processes import as_finished, process_pool
from comphy.questions.model import SIMULATED_KINDS, Note, Question, QuestionKind, SceneQuestions, Stability
from comphy.sim.bullet import Engine
from comphy.temporaries import clear_temporaries
from data_gen.stability.noise import MeasurementNoise
from data_gen.stability.resimulation import Resimulator

RUNS: Final = 16
SAVE_EVERY: Final = 10  # sets after which what was measured is written

MeasuredSet: TypeAlias = tuple[int, tuple[Note, ...]]
Task: TypeAlias = tuple[SceneQuestions, tuple[Note, ...]]
Report = Callable[[int, int], None]


@dataclass(frozen=True)
class StabilityOutcome:
    """How many sets were measured and found measured, and what is known of them now."""

    measured: int
    kept: int
    tasks: Sequence[Task]

    def by_kind(self) -> dict[QuestionKind, list[Stability]]:
        found: dict[QuestionKind, list[Stability]] = {kind: [] for kind in SIMULATED_KINDS}
        for scene, notes in self.tasks:
            for question, note in zip(scene.questions, notes, strict=True):
                if note.stability is not None:
                    found[question.kind].append(note.stability)
        return found


@dataclass(frozen=True)
class _Job:
    root: Path
    seed: int
    runs: int

    def measure(self, engine: Engine, task: Task) -> MeasuredSet:
        scene, notes = task
        resimulator = Resimulator(self.seed, self.runs, MeasurementNoise(), engine)
        return scene.scene_index, resimulator.measured(self.root, scene, notes)


def measure_stability(
    root: Path,
    split: str,
    runs: int = RUNS,
    sets: int | None = None,
    workers: int = 1,
    report: Report | None = None,
) -> StabilityOutcome:
    """Measure the first `sets` sets of a split, or all; those that are measured with as many runs are left as they are,
    and those without a predictive or counterfactual question left out.

    `report(done, total)` is called as sets are finished. Whatever ends it, what was measured is kept.
    """
    if runs < 1 or workers < 1:
        raise ConfigError(f"Expected --runs and --workers of at least 1 (got {runs} and {workers}).")
    job = _Job(root, Manifest.read(root).recipe.seed, runs)
    path = root / notes_path(split)
    notes = read_notes(path)
    clear_temporaries(path.parent)
    scenes = read_questions(root / answers_path(split))[:sets]
    tasks = [_task(scene, notes, path) for scene in scenes if any(q.kind in SIMULATED_KINDS for q in scene.questions)]
    left = [task for task in tasks if not _is_measured(task, runs)]
    kept = len(tasks) - len(left)
    if report:
        report(kept, len(tasks))
    unwritten = 0
    with disk_errors(root, "Copy the dataset to where it can be written."):
        try:
            for number, (index, measured) in enumerate(_run(job, left, min(workers, max(1, len(left)))), start=1):
                notes[index] = measured
                unwritten += 1
                if unwritten == SAVE_EVERY:
                    write_notes(path, list(notes.items()))
                    unwritten = 0
                if report:
                    report(kept + number, len(tasks))
        finally:
            if unwritten:
                write_notes(path, list(notes.items()))
    return StabilityOutcome(len(left), kept, [(scene, notes[scene.scene_index]) for scene, _ in tasks])


def _task(scene: SceneQuestions, notes: Notes, path: Path) -> Task:
    of_set = notes.get(scene.scene_index, ())
    if [note.question_id for note in of_set] != [question.question_id for question in scene.questions]:
        raise DatasetError(
            f"{path}: scene {scene.scene_index}: expected one note for each question. Make the question files again "
            "with comphy generate."
        )
    return scene, of_set


def _is_measured(task: Task, runs: int) -> bool:
    return all(_has_stability(question, note, runs) for question, note in zip(task[0].questions, task[1], strict=True))


def _has_stability(question: Question, note: Note, runs: int) -> bool:
    if question.kind not in SIMULATED_KINDS:
        return True
    found = note.stability
    return found is not None and found.runs == runs and len(found.options) == len(question.choices)


_opened: tuple[_Job, Engine] | None = None  # one per worker process, opened by the pool's initialiser


def _open(job: _Job) -> None:
    global _opened
    _opened = (job, Engine())


def _measure(task: Task) -> MeasuredSet:
    assert _opened is not None, "the pool's initialiser has not run"
    job, engine = _opened
    return job.measure(engine, task)


def _run(job: _Job, tasks: Sequence[Task], workers: int) -> Iterator[MeasuredSet]:
    """Measured sets, as they are finished."""
    if workers == 1:
        with Engine() as engine:
            yield from (job.measure(engine, task) for task in tasks)
        return
    yield from as_finished(process_pool(workers, _open, job), _measure, tasks, "What was measured is kept")

"""Reads the answers of several runs, ranks them, and writes the leaderboard as JSON, Markdown and a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from comphy.config import read_yaml
from comphy.dataset.submission import (
    Submission,
    check_submission,
    read_submission,
    short_names,
    submission_file,
)
from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.plot_style import write_pictures
from comphy.evaluation.qa.accuracy import score_question
from comphy.evaluation.qa.bias_audit import BiasAudit, SingleCue, audit_markdown
from comphy.evaluation.qa.leaderboard import Leaderboard
from comphy.evaluation.qa.leaderboard_plots import leaderboard_plot
from comphy.evaluation.qa.leaderboard_tables import leaderboard_markdown
from comphy.files import write_bytes, write_json
from comphy.questions.model import SceneQuestions

STEM: Final = "leaderboard"  # of the files that are written
_NEAR: Final = 3  # files that a message names
_CONFIG: Final = "config.yaml"  # in the folder of a run
_READERS: Final = ("random", "frequent", "blind_lstm")  # tasks that are shown no video
_CUES: Final = {"single_frame": SingleCue.SINGLE_FRAME, "shuffled_frames": SingleCue.SHUFFLED_FRAMES}


def find_submissions(runs: Sequence[Path], split: str) -> dict[str, Path]:
    """Files of answers by the name that tables have for them; each of `runs` is the folder of a run, or such a file."""
    repeated = sorted({str(run) for run in runs if [one.resolve() for one in runs].count(run.resolve()) > 1})
    if repeated:
        raise ConfigError(f"expected every run once (got {repeated[0]} more than once). Name it once.")
    return {name: _submission_of(run, split) for name, run in zip(short_names(runs), runs, strict=True)}


def _submission_of(run: Path, split: str) -> Path:
    file = submission_file(run, split) if run.is_dir() else run
    if file.is_file():
        return file
    if not run.is_dir():
        raise DatasetError(
            f"{run}: expected the folder of a run, or a submission file (found nothing). Check the path, or train one with "
            "comphy train."
        )
    others = sorted(one.name for one in run.glob("submission_*.json"))[:_NEAR]
    raise DatasetError(
        f"{file}: expected the answers of a run to the split {split} (found {', '.join(others) or 'no submission'} in "
        "the folder). Train it to the end, or choose another --split."
    )


def read_answers(files: Mapping[str, Path], truth: Sequence[SceneQuestions], partial: bool) -> dict[str, Submission]:
    """The answers of each system. Raises DatasetError, which names the file, if some belong to other questions or, unless
    `partial`, are missing."""
    found: dict[str, Submission] = {}
    for name, file in files.items():
        answers = read_submission(file)
        _check_questions(file, answers, truth)
        if not partial:
            _check_complete(file, answers, truth)
        found[name] = answers
    return found


def _check_questions(file: Path, answers: Submission, truth: Sequence[SceneQuestions]) -> None:
    try:
        check_submission(truth, answers)
    except DatasetError as error:
        raise DatasetError(f"{file}: {error}") from None


def _check_complete(file: Path, answers: Submission, truth: Sequence[SceneQuestions]) -> None:
    keys = [
        (scene.scene_index, question.question_id)
        for scene in truth
        for question in scene.questions
        if not score_question(question, answers.get((scene.scene_index, question.question_id))).answered
    ]
    if keys:
        scene, question = keys[0]
        asked = sum(len(scene.questions) for scene in truth)
        raise DatasetError(
            f"{file}: expected an answer to each of {asked} questions and to each of their choices (missing: {len(keys)}; "
            f"the first is scene {scene} question {question}). Answer them all, or count what is missing as wrong with "
            "--partial."
        )


def single_cues(runs: Sequence[Path]) -> dict[str, SingleCue]:
    """What those runs are shown, by their names in tables, that are shown one cue only: as their configs say.

    Raises:
        ConfigError: there is none among them.
    """
    found = {name: _cue_of(run) for name, run in zip(short_names(runs), runs, strict=True)}
    cues = {name: cue for name, cue in found.items() if cue is not None}
    if not cues:
        raise ConfigError(
            f"--audit: expected folders of runs that are shown a single cue (found none among {', '.join(found)}). Train "
            "one: `comphy train baselines/blind_lstm`, or baselines/mac_single_frame."
        )
    return cues


def _cue_of(run: Path) -> SingleCue | None:
    config = run / _CONFIG
    values = read_yaml(config, "Train the run again.") if config.is_file() else None
    if not isinstance(values, dict):
        return None
    if values.get("task") in _READERS:
        return SingleCue.QUESTION
    cue, target, references = (values.get(key) for key in ("cue", "target", "references"))
    if cue in _CUES:
        return _CUES[cue]
    if cue is None or (target is not False and references):
        return None
    return SingleCue.REFERENCES if references else SingleCue.TARGET


def write_leaderboard(
    folder: Path, board: Leaderboard, title: str, about: Mapping[str, object], audited: BiasAudit | None = None
) -> list[Path]:
    """`leaderboard.json` with `about` beside the figures, `leaderboard.md` and `leaderboard.png`."""
    record, page = folder / f"{STEM}.json", folder / f"{STEM}.md"
    text = leaderboard_markdown(board, title)
    if audited is not None:
        about, text = {**about, "bias_audit": audited.record()}, f"{text}\n{audit_markdown(audited)}"
    write_json(record, {**about, **board.record()}, indent=1)
    write_bytes(page, text.encode())
    return [record, page, *write_pictures(folder, {f"{STEM}.png": leaderboard_plot(board)})]

"""Checks a published release, or a folder of videos: what can be read, what is missing, and whether answers follow from
the annotations."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from comphy.dataset.checks.problem import Problem, problems_at
from comphy.dataset.checks.questions import wrong_answers
from comphy.dataset.dataset import Dataset
from comphy.dataset.layout import SPLITS
from comphy.dataset.media.video import probe
from comphy.dataset.sources.source import SourceKind, VideoSource
from comphy.errors import ComphyError, DatasetError
from comphy.programs.facts import SceneFacts
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from comphy.scene.objects import FPS

Report = Callable[[int, int], None]


@dataclass
class Findings:
    """Counts, filled while a source is checked. `answers`: factual and predictive answers by whether the annotations
    give the same; None where the program could not be executed."""

    sets: Counter[str] = field(default_factory=Counter)
    questions: Counter[tuple[str, QuestionKind]] = field(default_factory=Counter)
    answers: Counter[bool | None] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


def check_source(source: VideoSource, findings: Findings, report: Report | None = None) -> Iterator[Problem]:
    """Yield all problems of a source that the toolkit did not make; none means that every tool can read it."""
    indices = source.indices()
    findings.sets.update(map(source.split_of, indices))
    findings.skipped.update(source.skipped())
    if not indices:
        yield Problem(str(source.root), "no complete set is there")
    asked: dict[int, SceneQuestions] = {}
    for split in SPLITS:
        yield from problems_at(f"questions of {split}", _read_questions(source, split, findings, asked))
    for number, index in enumerate(indices, start=1):
        yield from problems_at(f"set {index}", _check_set(source, index, asked.get(index), findings))
        if report:
            report(number, len(indices))


def _read_questions(
    source: VideoSource, split: str, findings: Findings, asked: dict[int, SceneQuestions]
) -> Iterator[str]:
    """Put the questions of a split into `asked`; yields nothing, but may raise."""
    answers = source.asks(split, answers=True)
    for scene in source.questions(split, answers) if source.asks(split, answers) else ():
        findings.questions.update((split, question.kind) for question in scene.questions)
        asked[scene.scene_index] = scene
    yield from ()


def _check_set(source: VideoSource, index: int, asked: SceneQuestions | None, findings: Findings) -> Iterator[str]:
    if source.has_videos:
        for video in source.lengths.videos:
            yield from _check_video(source, index, video)
    try:
        annotation = source.annotation(index)
    except DatasetError as error:
        if asked is not None and any(question.answer for question in asked.questions):
            yield str(error)
        return
    for video in source.lengths.videos[1:]:
        try:
            source.object_ids(index, video)
        except DatasetError as error:
            yield str(error)
    if len(annotation.target) < source.lengths.target:
        yield f"expected {source.lengths.target} annotated frames or more (found {len(annotation.target)})"
    elif asked is not None:
        facts = Dataset(source)[index].facts
        findings.answers.update(_agrees(question, facts) for question in asked.questions if _decided(question))


def _check_video(source: VideoSource, index: int, video: str) -> Iterator[str]:
    """The header alone, except of one's own: decoding tens of thousands of videos takes hours, and whoever reads a frame
    checks it."""
    path = source.video_path(index, video)
    if path.is_dir():
        return
    try:
        facts = probe(path)
        if source.kind is SourceKind.OWN_VIDEOS:
            source.frames(index, video)
    except DatasetError as error:
        yield str(error)
        return
    if round(facts.seconds * FPS) < source.lengths.of(video):
        yield f"{path}: expected {source.lengths.of(video) / FPS:g} s or more (found {facts.seconds:.2f} s)"


def _decided(question: Question) -> bool:
    """Whether annotations tell the answer: releases have no counterfactual runs."""
    if question.kind is QuestionKind.FACTUAL:
        return question.answer is not None and bool(question.program)
    known = all(choice.correct is not None and choice.program for choice in question.choices)
    return question.kind is QuestionKind.PREDICTIVE and known and bool(question.program)


def _agrees(question: Question, facts: SceneFacts) -> bool | None:
    try:
        return not any(wrong_answers(question, facts))
    except ComphyError:
        return None

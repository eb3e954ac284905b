"""Validates the questions of a dataset: every answer is recomputed from the annotations, and ambiguous, degenerate or
duplicate questions are reported."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from comphy.dataset.annotations.askable import read_askable
from comphy.dataset.checks.problem import Problem, problems_at
from comphy.dataset.layout import SPLITS, split_of
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.questions import answers_path, questions_path, read_questions
from comphy.errors import ComphyError
from comphy.programs.executor import answer, execute
from comphy.programs.facts import SceneFacts
from comphy.programs.program import Program, parse
from comphy.programs.types import ValueType
from comphy.questions.askable import AskableSet
from comphy.questions.evidence import evidence
from comphy.questions.model import Choice, Note, Question, SceneQuestions
from comphy.questions.soundness import is_degenerate

Report = Callable[[int, int], None]


def check_questions(root: Path, manifest: Manifest, report: Report | None = None) -> Iterator[Problem]:
    """Yield all problems of the question files. `report` is called with (sets done, sets in all)."""
    done = 0
    for split in SPLITS:
        wanted = [index for index in sorted(manifest.sets) if split_of(index) == split]
        try:
            scenes = read_questions(root / answers_path(split))
            notes = read_notes(root / notes_path(split))
        except ComphyError as error:
            yield Problem(str(root / answers_path(split)), str(error))
            continue
        yield from problems_at(str(root / questions_path(split)), _check_kept_back(root, split, scenes))
        if set(notes) != set(wanted):
            yield Problem(str(root / notes_path(split)), f"expected notes of the {len(wanted)} sets of the split")
        if [scene.scene_index for scene in scenes] != wanted:
            yield Problem(str(root / answers_path(split)), f"expected the {len(wanted)} sets of the split in order")
            continue
        for scene in scenes:
            where = f"{answers_path(split)}: scene {scene.scene_index}"
            yield from problems_at(where, check_scene(root, scene, notes.get(scene.scene_index, ())))
            done += 1
            if report:
                report(done, len(manifest.sets))


def _check_kept_back(root: Path, split: str, scenes: list[SceneQuestions]) -> Iterator[str]:
    if questions_path(split) == answers_path(split):
        return
    shown = read_questions(root / questions_path(split))
    if shown != [scene.without_answers() for scene in scenes]:
        yield f"expected {answers_path(split)} without the answers"


def check_scene(root: Path, scene: SceneQuestions, notes: tuple[Note, ...]) -> Iterator[str]:
    """Yield all problems of one set's questions."""
    try:
        askable = read_askable(root, scene.scene_index)
    except ComphyError as error:
        yield str(error)
        return
    yield from _check_doubles(scene)
    if [note.question_id for note in notes] != [question.question_id for question in scene.questions]:
        yield "expected one note for each question"
        return
    for question, note in zip(scene.questions, notes, strict=True):
        try:
            problems = [*wrong_answers(question, askable.facts), *_check_worth(question, note, askable)]
        except ComphyError as error:
            problems = [str(error)]
        yield from (f"question {question.question_id}: {problem}" for problem in problems)


def _check_doubles(scene: SceneQuestions) -> Iterator[str]:
    seen: set[object] = set()
    for question in scene.questions:
        asked = (question.text, question.program, frozenset(choice.program for choice in question.choices))
        if asked in seen:
            yield f"question {question.question_id}: asked twice: {question.text}"
        seen.add(asked)


def wrong_answers(question: Question, facts: SceneFacts) -> Iterator[str]:
    """Yield the answers and choices that differ from the result of executing the program."""
    if not question.choices and question.answer is None:
        yield "expected an answer or choices (found neither)"
    if question.answer is not None:
        found = answer(parse(question.program), facts)
        if found != question.answer:
            yield f"the file says '{question.answer}', the program gives '{found}': {question.text}"
    for choice in question.choices:
        found = "correct" if verdict(question, choice, facts) else "wrong"
        if (found == "correct") is not choice.correct:
            yield f"choice {choice.choice_id}: the program says {found}: {choice.text}"


def verdict(question: Question, choice: Choice, facts: SceneFacts) -> bool:
    """Whether a choice is right: executes its program followed by the question's."""
    program = parse((*choice.program, *question.program), wanted=ValueType.BOOL)
    return bool(execute(program, facts))


def _check_worth(question: Question, note: Note, scene: AskableSet) -> Iterator[str]:
    """Report redundant conditions, missing evidence for hidden properties, equal choices, and a premise without effect."""
    if question.answer is not None:
        program = parse(question.program)
        if is_degenerate(program, scene.facts):
            yield f"the answer survives dropping a condition: {question.text}"
    else:
        program = _about(question)
        pairs = {_event_objects(choice, scene.facts) for choice in question.choices}
        if len(pairs) < len(question.choices):
            yield f"two choices name the same event: {question.text}"
        if note.stability is not None and len(note.stability.options) != len(question.choices):
            yield f"expected the stability of each of its choices (found {len(note.stability.options)}): {question.text}"
        if note.run and not _premise_bears(question, scene.facts):
            yield f"no choice depends on the premise: {question.text}"
    proof = evidence(program, scene.facts, scene.shown)
    if proof is None:
        yield f"no video shows what it takes to answer: {question.text}"
    elif proof != note.evidence:
        yield f"the note names other evidence than the videos show: {question.text}"


def _about(question: Question) -> Program:
    """The program for the set of events that the choices of a question are tested against."""
    tokens = tuple(token for token in question.program if token not in ("belong_to", "not", "negate"))
    return parse(tokens, wanted=ValueType.EVENTS)


def _event_objects(choice: Choice, facts: SceneFacts) -> frozenset[int]:
    return frozenset(execute(parse(choice.program, wanted=ValueType.EVENT), facts).objects)


def _premise_bears(question: Question, facts: SceneFacts) -> bool:
    """Whether the premise changes the outcome of at least one choice."""
    actual = {frozenset(event.objects) for event in facts.visible if len(event.objects) == 2}
    supposed = {frozenset(event.objects) for event in execute(_about(question), facts)}
    return any((pair in actual) != (pair in supposed) for pair in (_event_objects(c, facts) for c in question.choices))


@dataclass(frozen=True)
class AnswerCount:
    """A row of the balance table: how often a template is asked, and how often with each answer."""

    family: str
    asked: int
    answers: Mapping[str, int]

    @property
    def most_frequent_share(self) -> float:
        return max(self.answers.values()) / max(1, sum(self.answers.values()))


def balance_table(scenes: list[SceneQuestions], notes: Mapping[int, tuple[Note, ...]]) -> list[AnswerCount]:
    """Answer counts by template; for multiple choice, the counts of correct and wrong choices."""
    counts: dict[str, dict[str, int]] = {}
    asked: dict[str, int] = {}
    for scene in scenes:
        for question, note in zip(scene.questions, notes[scene.scene_index], strict=True):
            answers = counts.setdefault(note.family, {})
            asked[note.family] = asked.get(note.family, 0) + 1
            given = [question.answer] if question.answer is not None else []
            given += ["correct" if choice.correct else "wrong" for choice in question.choices]
            for word in given:
                answers[word] = answers.get(word, 0) + 1
    return [AnswerCount(family, asked[family], counts[family]) for family in sorted(counts)]

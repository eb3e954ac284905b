"""The questions of a source: found by words, template or stability, and told in full for one set."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final

from comphy.dataset import layout
from comphy.dataset.sources.source import VideoSource
from comphy.questions.model import Note, SceneQuestions
from data_gen.preview.questions import SetQuestions, ShownQuestion, SplitQuestions, questions_of, read_split
from data_gen.preview.trace import ShownStep, Trace

Json = dict[str, Any]
STABLE: Final = 0.9  # share of re-simulations with the same answer from which a question counts as stable


@dataclass(frozen=True)
class _Entry:
    """What is searched of a set: the words of its questions in lower case, their families, and whether some are measured to
    be stable or chaotic."""

    index: int
    words: str
    families: frozenset[str]
    stable: bool
    chaotic: bool


class AskedQuestions:
    """Reads the files of questions once, at the first search or when the first set of a split is opened. Only those of the
    `chosen` sets are counted and found."""

    def __init__(self, source: VideoSource, chosen: Collection[int] | None = None) -> None:
        self._source, self._chosen, self._lock = source, chosen, Lock()
        self._splits: dict[str, SplitQuestions] = {}

    def record(self) -> Json:
        """How many sets each family of questions is asked about, and whether stability was measured."""
        entries = self._entries
        families = Counter(family for entry in entries for family in entry.families)
        measured = any(entry.stable or entry.chaotic for entry in entries)
        return {"families": dict(sorted(families.items())), "stability": measured}

    def search(self, words: str = "", family: str = "", stability: str = "") -> list[int]:
        """Numbers of the sets with a question that has all the words, of the family, stable or chaotic."""
        wanted = words.lower().split()
        return [
            entry.index
            for entry in self._entries
            if all(word in entry.words for word in wanted)
            and (not family or family in entry.families)
            and (stability != "stable" or entry.stable)
            and (stability != "chaotic" or entry.chaotic)
        ]

    def searched(self) -> list[Json]:
        """What a search looks at, for a page that searches by itself."""
        return [{**vars(entry), "families": sorted(entry.families)} for entry in self._entries]

    def of_set(self, index: int) -> Json:
        """Questions with answers, traces and evidence, as the page shows them."""
        return questions_record(questions_of(self._source, index, self._split(self._source.split_of(index))))

    @cached_property
    def _entries(self) -> list[_Entry]:
        found = (entry for split in layout.SPLITS for entry in _entries(self._split(split)))
        return [entry for entry in found if self._chosen is None or entry.index in self._chosen]

    def _split(self, split: str) -> SplitQuestions:
        with self._lock:
            if split not in self._splits:
                self._splits[split] = read_split(self._source, split)
            return self._splits[split]


def _entries(split: SplitQuestions) -> Iterator[_Entry]:
    for index, scene in split.scenes.items():
        yield _entry(scene, split.notes.get(index, ()))


def _entry(scene: SceneQuestions, notes: Iterable[Note]) -> _Entry:
    measured = [note.stability.question for note in notes if note.stability is not None]
    families = {note.family for note in notes} or {question.family for question in scene.questions}
    kinds = {str(question.kind) for question in scene.questions}
    return _Entry(
        scene.scene_index,
        "\n".join(question.text for question in scene.questions).lower(),
        frozenset((families | kinds) - {""}),
        any(share >= STABLE for share in measured),
        any(share < STABLE for share in measured),
    )


def questions_record(shown: SetQuestions) -> Json:
    return {"remark": shown.remark, "questions": [_question(one) for one in shown.questions]}


def _question(shown: ShownQuestion) -> Json:
    asked = shown.question
    return {
        "id": asked.question_id,
        "kind": str(asked.kind),
        "family": shown.family,
        "text": asked.text,
        "answer": asked.answer,
        "choices": [
            {"id": choice.choice_id, "text": choice.text, "correct": choice.correct} for choice in asked.choices
        ],
        "program": list(asked.program),
        "run": shown.run,
        "premise": shown.premise,
        "problem": shown.problem,
        "evidence": [{"video": one.video, "frame": one.frame, "words": one.words} for one in shown.evidence],
        **_trace(shown.trace),
    }


def _trace(trace: Trace) -> Json:
    return {
        "steps": [_step(step, trace.lines(step)) for step in trace.steps],
        "verdicts": [
            {
                "choice": traced.choice.choice_id,
                "event": traced.event,
                "holds": traced.holds,
                "steps": [_step(step, step.lines()) for step in traced.verdict],
            }
            for traced in trace.choices
        ],
    }


def _step(step: ShownStep, lines: list[str]) -> Json:
    return {"number": step.number, "call": step.call, "takes": list(step.takes), "result": lines}

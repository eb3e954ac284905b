"""The questions of a set for people: what is asked, the answer, how it follows, and where the videos show it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from comphy.dataset.checks.questions import wrong_answers
from comphy.dataset.dataset import Dataset
from comphy.dataset.notes import Notes, notes_path, read_notes
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from comphy.errors import ComphyError
from comphy.programs.facts import SceneFacts
from comphy.questions.model import Interaction, Note, Question, SceneQuestions
from comphy.scene.objects import ObjectSpec
from data_gen.preview.phrases import premise
from data_gen.preview.scene import parse_change
from data_gen.preview.trace import Trace, trace_question


@dataclass(frozen=True)
class Evidence:
    """An interaction that shows what a question asks about: where to look, and what is to be seen there."""

    video: str
    frame: int
    words: str


@dataclass(frozen=True)
class ShownQuestion:
    """`run` names the counterfactual run and `world` tells what is different in it.

    `problem` says why there is no trace, or where the trace belies the file.
    """

    question: Question
    family: str
    trace: Trace
    evidence: tuple[Evidence, ...] = ()
    run: str = ""
    world: str = ""
    problem: str = ""

    @property
    def sort(self) -> str:
        """Kind and template in words; the template of predictive questions is called like their kind."""
        kind = str(self.question.kind)
        return kind if self.family in ("", kind) else f"{kind} · {self.family}"

    @property
    def premise(self) -> str:
        """The counterfactual run in words; empty where there is none."""
        return f"{self.run}: {self.world}" if self.world else self.run


@dataclass(frozen=True)
class SetQuestions:
    """`remark` is one line about what is missing, empty if nothing is."""

    questions: tuple[ShownQuestion, ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class SplitQuestions:
    """The files of one split, which are large: read once for all sets of a page."""

    scenes: dict[int, SceneQuestions] = field(default_factory=dict)
    notes: Notes = field(default_factory=dict)
    remark: str = ""


def show_questions(source: VideoSource, indices: Iterable[int]) -> dict[int, SetQuestions]:
    """The questions of the sets. A preview must not fail for want of them: what is missing becomes a remark."""
    splits: dict[str, SplitQuestions] = {}
    shown: dict[int, SetQuestions] = {}
    for index in indices:
        split = source.split_of(index)
        if split not in splits:
            splits[split] = read_split(source, split)
        shown[index] = questions_of(source, index, splits[split])
    return shown


def read_split(source: VideoSource, split: str) -> SplitQuestions:
    answers = source.asks(split, answers=True)
    if not source.asks(split, answers):
        return SplitQuestions(remark=f"No questions: this dataset has none of the split {split}.")
    try:
        scenes = {scene.scene_index: scene for scene in source.questions(split, answers)}
    except ComphyError as error:
        return SplitQuestions(remark=f"No questions: {error}")
    if not isinstance(source, GeneratedDataset):
        return SplitQuestions(scenes, remark="" if answers else "The answers of this split were not published.")
    try:
        return SplitQuestions(scenes, read_notes(source.root / notes_path(split)))
    except ComphyError as error:
        return SplitQuestions(scenes, remark=f"No evidence: {error}")


def questions_of(source: VideoSource, index: int, split: SplitQuestions) -> SetQuestions:
    scene = split.scenes.get(index)
    if scene is None or not scene.questions:
        return SetQuestions(remark=split.remark or f"No questions about set {index}.")
    try:
        facts = Dataset(source)[index].facts
    except ComphyError as error:
        return SetQuestions(remark=f"No questions: {error}")
    notes = {note.question_id: note for note in split.notes.get(index, ())}
    shown = (_shown(question, notes.get(question.question_id), facts) for question in scene.questions)
    return SetQuestions(tuple(shown), split.remark)


def _shown(question: Question, note: Note | None, facts: SceneFacts) -> ShownQuestion:
    try:
        trace = trace_question(question, facts)
        problem = "; ".join(wrong_answers(question, facts))
    except ComphyError as error:
        trace, problem = Trace(), str(error)
    if note is None:
        return ShownQuestion(question, question.family, trace, problem=problem)
    proofs = tuple(_evidence(interaction, facts.objects) for interaction in note.evidence)
    world = _world(note.run, facts.objects) if note.run in facts.counterfactual else ""
    return ShownQuestion(question, note.family, trace, proofs, note.run, world, problem)


def _world(run: str, objects: tuple[ObjectSpec, ...]) -> str:
    change = parse_change(run)
    return f"the {objects[change.object]} is {premise(change)}"


def _evidence(interaction: Interaction, objects: tuple[ObjectSpec, ...]) -> Evidence:
    pair = " and ".join(f"the {objects[i]}" for i in interaction.objects)
    place = f"{interaction.video.replace('_', ' ')}, frame {interaction.frame}"
    return Evidence(interaction.video, interaction.frame, f"{place}: {interaction.kind} of {pair}")

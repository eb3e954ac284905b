"""Questions of a real dataset: answers worked out again from its other files, and every way in which they can be missing."""

import json
import re
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from comphy.dataset import layout
from comphy.dataset.sources.opening import open_source
from comphy.questions.model import QuestionKind
from comphy.scene.objects import ObjectSpec
from data_gen.preview.loading import load_set
from data_gen.preview.questions import SetQuestions, show_questions
from data_gen.preview.scene import PreviewSet
from data_gen.preview.terminal import print_questions

pytestmark = pytest.mark.bullet

SETS = range(4)  # all of them are for training
_CHOICE = re.compile(r"The (.+?) (?:and|would collide with|collides with) the (.+?)(?: would)?(?: collide)?")


@pytest.fixture(scope="module")
def shown(small_dataset: Path) -> dict[int, SetQuestions]:
    return show_questions(open_source(small_dataset), SETS)


@pytest.fixture
def copy(small_dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_dataset, tmp_path / "copy"))


def records(root: Path) -> list[dict[str, Any]]:
    """The question file as it stands on disk, one record per question."""
    return [question for scene in json.loads((root / "train.json").read_text()) for question in scene["questions"]]


def extras(root: Path, index: int) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((root / layout.extras(index)).read_text())
    return content


def who(words: str, objects: tuple[ObjectSpec, ...]) -> int:
    """The one object that looks as the words say."""
    wanted = set(words.split()) - {"object"}
    (index,) = (i for i, spec in enumerate(objects) if wanted <= set(str(spec).split()))
    return index


def test_every_question_is_shown_as_the_file_has_it(small_dataset: Path, shown: dict[int, SetQuestions]):
    questions = [question for index in SETS for question in shown[index].questions]
    written = records(small_dataset)
    assert len(written) > 8
    assert [shown.question.text for shown in questions] == [record["question"] for record in written]
    assert [list(shown.question.program) for shown in questions] == [record["program"] for record in written]
    assert all(shown[index].remark == "" for index in SETS)
    assert all(question.problem == "" and question.trace.steps for question in questions)


def test_traces_end_in_the_answers_of_the_file(small_dataset: Path, shown: dict[int, SetQuestions]):
    questions = [question for index in SETS for question in shown[index].questions]
    for question, record in zip(questions, records(small_dataset), strict=True):
        if "choices" in record:
            said = ["correct" if traced.holds else "wrong" for traced in question.trace.choices]
            assert said == [choice["answer"] for choice in record["choices"]]
        else:
            assert question.trace.steps[-1].items == (record["answer"],)


@pytest.mark.parametrize("index", SETS)
def test_choices_hold_if_the_simulation_says_so(small_dataset: Path, shown: dict[int, SetQuestions], index: int):
    """The words of a choice against the collisions of the run in the extras file; no program takes part."""
    objects = load_set(open_source(small_dataset), index).objects
    content = extras(small_dataset, index)
    for asked in shown[index].questions:
        if asked.question.kind is QuestionKind.FACTUAL:
            continue
        after = [e for e in content["target"]["events"] if e["kind"] == "collision" and e["frame"] >= 125]
        happening = content["counterfactuals"][asked.run] if asked.run else after
        pairs = {frozenset(event["objects"]) for event in happening}
        lines = asked.trace.steps[-1].lines(None)
        assert len([line for line in lines if "collide" in line]) == len(pairs if asked.run else after)
        for traced in asked.trace.choices:
            match = _CHOICE.fullmatch(traced.choice.text)
            assert match, traced.choice.text
            pair = frozenset(who(words, objects) for words in match.groups())
            assert all(f"the {objects[i]}" in traced.event for i in pair)
            assert traced.holds == ((pair in pairs) != ("not happen" in asked.question.text))


def test_runs_are_told_in_words(small_dataset: Path, shown: dict[int, SetQuestions]):
    asked = [(index, q) for index in SETS for q in shown[index].questions if q.run]
    assert asked
    for index, question in asked:
        objects = load_set(open_source(small_dataset), index).objects
        hidden, number, value = question.run.split("_")
        assert question.question.kind is QuestionKind.COUNTERFACTUAL
        assert question.world.startswith(f"the {objects[int(number)]} is ")
        if hidden == "mass":
            assert question.world.endswith("heavy" if value == "5" else "light")


def test_evidence_names_what_happens_at_that_frame(small_dataset: Path, shown: dict[int, SetQuestions]):
    evidence = [(index, proof) for index in SETS for q in shown[index].questions for proof in q.evidence]
    assert evidence
    for index, proof in evidence:
        objects = load_set(open_source(small_dataset), index).objects
        content = extras(small_dataset, index)
        target = proof.video == "target"
        video = content["target"] if target else content["references"][int(proof.video.removeprefix("reference_"))]
        told = [
            f"{proof.video.replace('_', ' ')}, frame {event['frame']}: {event['kind']} of "
            + " and ".join(f"the {objects[video['object_ids'][i]]}" for i in event["objects"])
            for event in video["events"]
            if event["frame"] == proof.frame
        ]
        assert proof.words in told


def no_file(root: Path) -> None:
    (root / "train.json").unlink()


def half_a_file(root: Path) -> None:
    (root / "train.json").write_text((root / "train.json").read_text()[:200])


def other_sets(root: Path) -> None:
    (root / "train.json").write_text("[]")


def no_annotation(root: Path) -> None:
    (root / layout.target_annotation(0)).unlink()


@pytest.mark.parametrize(
    ("damage", "remark"),
    [
        (no_file, r"No questions: this dataset has none of the split train\."),
        (half_a_file, r"No questions: .*train\.json: not valid JSON .*"),
        (other_sets, r"No questions about set 0\."),
        (no_annotation, r"No questions: .*00000\.json: the file is missing\. .*"),
    ],
)
def test_missing_questions_are_a_remark(copy: Path, damage: Callable[[Path], None], remark: str):
    damage(copy)
    shown = show_questions(open_source(copy), [0])[0]
    assert shown.questions == ()
    assert re.fullmatch(remark, shown.remark)


def test_questions_without_notes_lack_evidence_only(copy: Path):
    (copy / "extras" / "questions" / "train.json").unlink()
    shown = show_questions(open_source(copy), [0])[0]
    assert shown.remark.startswith("No evidence: ") and "the file is missing" in shown.remark
    assert len(shown.questions) == len(json.loads((copy / "train.json").read_text())[0]["questions"])
    assert all(question.trace.steps and not question.evidence for question in shown.questions)


def test_answers_that_the_program_does_not_give_are_pointed_out(copy: Path):
    content = json.loads((copy / "train.json").read_text())
    first, second = content[0]["questions"][:2]
    first["answer"], second["program"] = "purple", ["objects", "unique", "query_color"]
    (copy / "train.json").write_text(json.dumps(content))
    false, undefined, *sound = show_questions(open_source(copy), [0])[0].questions
    assert false.problem.startswith("the file says 'purple', the program gives '") and false.trace.steps
    assert "token 1 'unique': expected exactly one" in undefined.problem and undefined.trace.steps == ()
    assert all(question.problem == "" for question in sound)


def printed(scene: PreviewSet, asked: SetQuestions, width: int = 100) -> list[str]:
    file = StringIO()
    print_questions(Console(file=file, width=width, soft_wrap=True), scene, asked)
    return [line.rstrip() for line in file.getvalue().splitlines()]


@pytest.mark.parametrize("index", SETS)
@pytest.mark.parametrize("width", [60, 100, 240])
def test_terminal_shows_everything_within_its_width(
    small_dataset: Path, shown: dict[int, SetQuestions], index: int, width: int
):
    scene = load_set(open_source(small_dataset), index)
    lines = printed(scene, shown[index], width)
    assert max(map(len, lines)) <= min(width, 100)
    words = " ".join(" ".join(lines).split())
    for asked in shown[index].questions:
        assert asked.question.text in words
        assert all(choice.text in words for choice in asked.question.choices) or width < 100
    if width >= 100:
        assert len([line for line in lines if line.startswith("   answer ")]) == sum(
            not asked.question.choices for asked in shown[index].questions
        )
        rights = [choice.correct for asked in shown[index].questions for choice in asked.question.choices]
        marked = [line.split()[1] for line in lines if re.match(r"   \d  (correct|wrong) ", line)]
        assert marked == ["correct" if right else "wrong" for right in rights]


def test_terminal_says_what_is_missing(scene: PreviewSet):
    lines = printed(scene, SetQuestions(remark="No questions: this dataset has none of the split train."))
    assert lines.count("No questions: this dataset has none of the split train.") == 1
    assert any(str(scene.objects[0]) in line for line in lines)

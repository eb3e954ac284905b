"""CLEVRER's annotation and question files, in the published form: read, and executed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset.published.clevrer import clevrer_facts, read_clevrer
from comphy.dataset.questions import read_questions
from comphy.errors import DatasetError, ProgramError
from comphy.programs.executor import answer, execute
from comphy.programs.facts import SceneFacts
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import QuestionKind
from comphy.scene.events import Event, EventKind
from comphy.scene.vocabulary import Color, Material, Shape
from tests.support.clevrer_files import small_record, write

CUBE_AND_CYLINDER = Event(EventKind.COLLISION, 131, (1, 2))
WITHOUT_SPHERE = {0: (), 1: (Event(EventKind.COLLISION, 60, (0, 3)),)}

# Every token of the programs in CLEVRER's released training questions: 47 of them.
RELEASED = """
    unique objects events all_events unseen_events start end null first second last filter_shape filter_color
    filter_material filter_collision filter_in filter_out filter_moving filter_stationary filter_order filter_before
    filter_after filter_ancestor belong_to count exist negate query_color query_shape query_material get_frame get_object
    get_col_partner get_counterfact sphere cylinder cube rubber metal gray red blue green brown yellow cyan purple
"""


@pytest.fixture
def facts(tmp_path: Path) -> SceneFacts:
    annotation = read_clevrer(write(tmp_path, small_record()))
    return clevrer_facts(annotation, (CUBE_AND_CYLINDER,), WITHOUT_SPHERE)


def test_an_annotation_is_read(tmp_path: Path):
    annotation = read_clevrer(write(tmp_path, small_record()))
    assert annotation.scene_index == 10012 and len(annotation) == 128
    assert annotation.objects[0].appearance == (Color.GRAY, Shape.SPHERE, Material.METAL)
    assert all(spec.mass == 1 and spec.charge == 0 for spec in annotation.objects)
    assert annotation.locations.shape == annotation.velocities.shape == annotation.orientations.shape == (128, 4, 3)
    assert annotation.locations[5, 3].tolist() == [3.0, 3.0, 0.2]
    assert annotation.inside[:, 0].tolist() == [10 <= f < 100 for f in range(128)]
    assert [(c.frame, c.pair) for c in annotation.collisions] == [(40, (0, 1)), (70, (1, 3))]


def test_objects_are_numbered_by_their_ids_wherever_they_stand(tmp_path: Path):
    shuffled = small_record()
    shuffled["object_property"].reverse()
    for frame in shuffled["motion_trajectory"]:
        frame["objects"].reverse()
    plain, other = (read_clevrer(write(tmp_path / name, r)) for name, r in (("a", small_record()), ("b", shuffled)))
    assert other.objects == plain.objects and other.collisions == plain.collisions
    assert (other.locations == plain.locations).all() and (other.inside == plain.inside).all()


def test_facts(facts: SceneFacts):
    assert facts.visible == (
        Event(EventKind.IN, 10, (0,)),
        Event(EventKind.COLLISION, 40, (0, 1)),
        Event(EventKind.COLLISION, 70, (1, 3)),
        Event(EventKind.OUT, 100, (0,)),
    )
    assert facts.unseen == (CUBE_AND_CYLINDER,) and facts.unseen_known
    assert facts.visible_frames == 128 and facts.ever_moving == (True, True, False, True)


def test_fewer_frames_can_count_as_visible(tmp_path: Path):
    annotation = read_clevrer(write(tmp_path, small_record()))
    facts = clevrer_facts(annotation, (), visible_frames=90)
    assert facts.unseen == (Event(EventKind.OUT, 100, (0,)),) and facts.moving.shape == (90, 4)
    with pytest.raises(DatasetError, match="expected a target of at least 200 annotated frames"):
        clevrer_facts(annotation, visible_frames=200)
    with pytest.raises(ValueError, match="Expected future events at frames from 128 on"):
        clevrer_facts(annotation, (Event(EventKind.COLLISION, 100, (0, 1)),))


def test_the_released_programs_use_words_that_are_all_known():
    tokens = set(RELEASED.split())
    assert len(tokens) == 47
    for token in tokens:
        try:
            parse([token])
        except ProgramError as error:
            assert "unknown" not in str(error)


# Programs of the shapes in CLEVRER's released files, and their answers in the small video.
DESCRIPTIVE = [
    ("objects metal filter_material count", "2"),
    ("events objects filter_collision count", "2"),
    ("events objects filter_in count", "1"),
    ("events objects purple filter_color unique filter_in exist", "no"),
    ("objects null filter_moving count", "3"),
    ("objects cylinder filter_shape null filter_stationary unique query_color", "blue"),
    ("objects start get_frame filter_moving exist", "no"),  # the sphere has not come into view
    ("objects end get_frame filter_stationary count", "3"),
    ("objects events objects sphere filter_shape unique filter_in unique get_frame filter_stationary count", "3"),
    ("events objects filter_out unique get_object query_shape", "sphere"),
    (
        "events objects cube filter_shape unique filter_collision first filter_order objects cube filter_shape unique "
        "get_col_partner query_color",
        "gray",
    ),
    (
        "events objects cube filter_shape unique filter_collision last filter_order objects cube filter_shape unique "
        "get_col_partner query_material",
        "metal",
    ),
    (
        "events events objects gray filter_color unique filter_in unique filter_after objects filter_collision count",
        "2",
    ),
    ("events events objects gray filter_color unique filter_out unique filter_before objects filter_in count", "1"),
]


@pytest.mark.parametrize("program, expected", DESCRIPTIVE)
def test_descriptive_programs(facts: SceneFacts, program: str, expected: str):
    assert answer(parse(program.split()), facts) == expected


HIT = "{} objects {} unique filter_collision objects {} unique filter_collision unique"
GRAY, PURPLE, BLUE, CYAN = (f"{color} filter_color" for color in ("gray", "purple", "blue", "cyan"))
WHY = f"events {HIT.format('events', PURPLE, CYAN)} filter_ancestor belong_to"
QUESTIONS = [
    # program of the question, kind, and for each choice its program and whether it is right
    (
        WHY,
        "explanatory",
        [
            (HIT.format("events", GRAY, PURPLE), True),
            ("objects gray filter_color unique", True),  # the presence of
            ("objects blue filter_color unique", False),
            ("events objects gray filter_color unique filter_in unique", True),
            ("events objects gray filter_color unique filter_out unique", False),
        ],
    ),
    (f"{WHY} negate", "explanatory", [("objects blue filter_color unique", True)]),
    (
        "unseen_events belong_to",
        "predictive",
        [(HIT.format("all_events", PURPLE, BLUE), True), (HIT.format("all_events", GRAY, CYAN), False)],
    ),
    (
        "all_events objects gray filter_color unique get_counterfact belong_to",
        "counterfactual",
        [(HIT.format("all_events", PURPLE, CYAN), False)],
    ),
    (
        "all_events objects purple filter_color unique get_counterfact belong_to negate",
        "counterfactual",
        [(HIT.format("all_events", GRAY, CYAN), False), (HIT.format("all_events", BLUE, CYAN), True)],
    ),
]


def _question_file() -> list[dict[str, Any]]:
    descriptive = [
        {
            "question_id": k,
            "question": "?",
            "question_type": "descriptive",
            "question_subtype": "count",
            "program": program.split(),
            "answer": expected,
        }
        for k, (program, expected) in enumerate(DESCRIPTIVE)
    ]
    others = [
        {
            "question_id": len(DESCRIPTIVE) + k,
            "question": "?",
            "question_type": kind,
            "program": program.split(),
            "choices": [
                {"choice_id": c, "choice": "?", "program": text.split(), "answer": "correct" if right else "wrong"}
                for c, (text, right) in enumerate(choices)
            ],
        }
        for k, (program, kind, choices) in enumerate(QUESTIONS)
    ]
    return [{"scene_index": 10012, "video_filename": "video_10012.mp4", "questions": descriptive + others}]


def test_a_question_file_is_read_and_answered(facts: SceneFacts, tmp_path: Path):
    path = tmp_path / "validation.json"
    path.write_text(json.dumps(_question_file()))
    (scene,) = read_questions(path)
    assert {question.kind for question in scene.questions} == set(QuestionKind)
    for question in scene.questions:
        if question.kind is QuestionKind.FACTUAL:
            assert answer(parse(question.program), facts) == question.answer
        for choice in question.choices:
            whole = parse((*choice.program, *question.program), wanted=ValueType.BOOL)
            assert execute(whole, facts) is choice.correct, whole


def test_what_the_files_do_not_tell_is_not_made_up(tmp_path: Path):
    facts = clevrer_facts(read_clevrer(write(tmp_path, small_record())))
    with pytest.raises(ProgramError, match="it is not known what happens after the video"):
        execute(parse(["unseen_events", "exist"]), facts)
    with pytest.raises(ProgramError, match="no run without the gray metal sphere is at hand"):
        execute(parse(["all_events", "objects", "gray", "filter_color", "unique", "get_counterfact", "exist"]), facts)


def _frame(record: dict[str, Any]) -> dict[str, Any]:
    return record["motion_trajectory"][3]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda r: r.pop("object_property"), r"expected the key 'object_property' \(got only: collision, "),
        (lambda r: r.pop("motion_trajectory"), "expected the key 'motion_trajectory'"),
        (lambda r: r.pop("collision"), "expected the key 'collision'"),
        (lambda r: r.update(scene_index="7"), r"expected 'scene_index' to be int \(got str: 7\)"),
        (lambda r: r.update(object_property=[]), r"object_property: expected objects of different looks \(got none\)"),
        (lambda r: r.update(motion_trajectory=[]), "expected at least one frame in 'motion_trajectory'"),
        (
            lambda r: r["object_property"][2].update(color="grey"),
            r"object_property\[2\]: unknown color 'grey'; did you mean 'gray'",
        ),
        (lambda r: r["object_property"][1].pop("shape"), r"object_property\[1\]: expected the key 'shape'"),
        (lambda r: r["object_property"][1].update(object_id=0), "object_property: object_id 0 occurs more than once"),
        (
            lambda r: r["object_property"][3].update(color="blue", material="rubber"),
            r"expected objects of different looks \(got two of blue rubber cylinder\)",
        ),
        (
            lambda r: _frame(r).update(frame_id=9),
            r"motion_trajectory\[3\]: expected frame_id 3, frame after frame \(got 9\)",
        ),
        (
            lambda r: _frame(r)["objects"].pop(),
            r"motion_trajectory\[3\]: expected the objects \[0, 1, 2, 3\] \(got \[0, 1, 2\]\)",
        ),
        (
            lambda r: _frame(r)["objects"][1].update(velocity=[1, 2]),
            r"motion_trajectory\[3\]: object 1: expected 'velocity' to be 3 finite numbers \(got \[1, 2\]\)",
        ),
        (
            lambda r: _frame(r)["objects"][1].update(location=[1, 2, None]),
            r"object 1: expected 'location' to be 3 finite numbers \(got \[1, 2, None\]\)",
        ),
        (
            lambda r: _frame(r)["objects"][1].pop("inside_camera_view"),
            r"motion_trajectory\[3\]: object 1: expected the key 'inside_camera_view'",
        ),
        (
            lambda r: r["collision"][1].update(object_ids=[0, 7]),
            r"collision\[1\]: expected two different ids of \[0, 1, 2, 3\] as 'object_ids' \(got \[0, 7\]\)",
        ),
        (
            lambda r: r["collision"][0].update(frame_id=128),
            r"collision\[0\]: expected a frame_id from 0 to 127 \(got 128\)",
        ),
    ],
)
def test_damage_is_named(tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str):
    record = small_record()
    path = write(tmp_path, record)
    change(record)
    path.write_text(json.dumps(record))
    with pytest.raises(DatasetError, match=message) as caught:
        read_clevrer(path)
    assert str(caught.value).startswith(str(path))


def test_missing_files_and_other_files(tmp_path: Path):
    with pytest.raises(
        DatasetError, match=r"none\.json: no such annotation\. Expected CLEVRER's annotation_00000-01000/"
    ):
        read_clevrer(tmp_path / "none.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(DatasetError, match=r"list\.json: expected a JSON object with 'object_property' \(got list\)"):
        read_clevrer(tmp_path / "list.json")

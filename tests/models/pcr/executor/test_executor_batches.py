"""Questions run together as they would run alone, and odd scenes and questions have an answer or an error that helps."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError, ProgramError
from comphy.programs.executor import answer
from comphy.programs.facts import SceneFacts
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import Choice, Question, QuestionKind
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.executor.answers import UNKNOWN, Asked, answer_losses, asked_of, best_answers, group, run
from models.pcr.executor.compiled import compile_program
from models.pcr.executor.trace import trace
from models.questions.question_types import ANSWERS
from tests.comphy.programs.test_executor import CASES, SCENE
from tests.support.soft_scenes import random_scene

PROGRAMS = [compiled for compiled in (compile_program(parse(p.split())) for p, _ in CASES) if compiled.answers]


def asked(program: str, row: int = 0, answer: str | None = None) -> Asked:
    return Asked(compile_program(parse(program.split())), row, answer)


def alone(count: int) -> SceneFacts:
    """The first objects of the scene, to whom nothing happens."""
    return replace(
        SCENE,
        objects=SCENE.objects[:count],
        visible=(),
        unseen=(),
        moving=SCENE.moving[:, :count],
        direction=SCENE.direction[:, :count],
        inside=SCENE.inside[:, :count],
        counterfactual={},
        removal=None,
    )


def test_together_as_alone():
    scene = random_scene([SCENE, SCENE, SCENE]).scene
    questions = [Asked(program, row) for program in PROGRAMS for row in (2, 0, 1, 0)]
    together = run(group(questions), scene)
    one_by_one = torch.cat([run(group([question]), scene) for question in questions])
    torch.testing.assert_close(together, one_by_one)
    torch.testing.assert_close(together.sum(dim=1), torch.ones(len(questions)))


def test_what_questions_share_runs_once():
    one = group([asked("objects red filter_color count")])
    many = group([asked(f"objects {color} filter_color count") for color in ("red", "blue", "red")] * 10)
    assert len(many.schedule.steps) == len(one.schedule.steps) == 3
    assert [many.schedule.sizes[step.rows] for step in many.schedule.steps] == [1, 2, 2]


def test_a_trace_ends_in_the_answer():
    scene = random_scene([SCENE, SCENE]).scene
    steps = trace(parse(["objects", "red", "filter_color", "null", "filter_moving", "unique", "query_shape"]), scene, 1)
    assert [step.call for step in steps] == [
        "objects", "filter_color red", "filter_moving null", "unique", "query_shape"
    ]  # fmt: skip
    assert [step.position for step in steps] == [0, 2, 4, 5, 6] and steps[3].type is ValueType.OBJECT
    batch = group([asked("objects red filter_color null filter_moving unique query_shape", row=1)])
    found = run(batch, scene)
    torch.testing.assert_close(found[found > 0], steps[-1].value, atol=1e-5, rtol=0)


def test_padding_changes_nothing():
    """A set of five objects beside one of seven."""
    tables = {name: np.pad(getattr(SCENE, name), ((0, 0), (0, 2))) for name in ("moving", "direction", "inside")}
    larger = replace(SCENE, objects=(*SCENE.objects, *SCENE.objects[:2]), **tables)
    scenes = [true_scene(facts) for facts in ([SCENE], [SCENE, larger])]
    softened = [replace(one, color=one.color * 0.7 + 0.3 / 8, heavy=one.heavy * 0.6 + 0.2) for one in scenes]
    chances = [run(group([Asked(program, 0) for program in PROGRAMS]), scene) for scene in softened]
    torch.testing.assert_close(*chances, atol=1e-4, rtol=0)


@pytest.mark.parametrize("count", [1, 2])
def test_few_objects_and_no_events(count: int):
    made = random_scene([alone(count)])
    batch = group([Asked(program, 0) for program in PROGRAMS])
    chances = run(batch, made.scene)
    assert torch.isfinite(chances).all()
    torch.testing.assert_close(chances.sum(dim=1), torch.ones(len(batch)))
    chances.amax(dim=1).log().sum().backward()
    assert all(leaf.grad is None or torch.isfinite(leaf.grad).all() for leaf in made.leaves.values())


@pytest.mark.parametrize(
    "program",
    [
        "objects purple filter_color unique query_shape",
        "objects unique query_color",
        "objects purple filter_color unique query_both_color",
        "events objects filter_in second filter_order query_object query_color",
        "events objects purple filter_color filter_collision first filter_order query_object query_shape",
        "unseen_events filter_start query_object query_color",
        "objects gray filter_color unique null query_direction",
        "all_events objects gray filter_color unique counterfact_lighter filter_counterfact count",
    ],
)
def test_what_the_exact_executor_cannot_answer_is_guessed(program: str):
    with pytest.raises(ProgramError):
        answer(parse(program.split()), SCENE)
    batch = group([asked(program)])
    chances = run(batch, true_scene([SCENE]))
    assert torch.isfinite(chances).all()
    torch.testing.assert_close(chances.sum(), torch.ones(()))
    assert best_answers(batch, chances)[0] in [
        word for kind in asked(program).program.answers for word in ANSWERS[kind]
    ]


def choices(*verdicts: bool | None) -> Question:
    pair = ("all_events objects blue filter_color unique filter_collision "
            "objects green filter_color unique filter_collision unique")  # fmt: skip
    options = tuple(Choice(i, "", tuple(pair.split()), correct) for i, correct in enumerate(verdicts))
    return Question(7, QuestionKind.PREDICTIVE, "", ("unseen_events", "belong_to"), choices=options)


def test_choices_are_right_or_wrong():
    assert asked_of(choices(), 0) == []  # the release has such questions
    batch = group([*asked_of(choices(True, False, None), 0), asked("objects count", answer="5")])
    chances = run(batch, true_scene([SCENE]))
    assert best_answers(batch, chances) == [True, True, True, "5"]
    assert batch.targets.tolist()[2] == UNKNOWN
    losses = answer_losses(batch, chances)
    assert losses[0] < 1e-3 and losses[1] > 5 and losses[2] == 0 and losses[3] < 1e-3


def test_pairs_are_answered_in_either_order():
    ways = [
        asked("objects filter_charged unique query_both_color", answer=text)
        for text in ("red and blue", "blue and red")
    ]
    batch = group(ways)
    chances = run(batch, true_scene([SCENE]))
    assert best_answers(batch, chances) == ["blue and red"] * 2
    assert float(answer_losses(batch, chances).max()) < 1e-3


def test_errors_say_what_is_wrong():
    scene = replace(true_scene([SCENE]), imagination=None)
    with pytest.raises(ProgramError, match="expected a scene with an imagination"):
        run(group([asked("unseen_events exist")]), scene)
    with pytest.raises(ProgramError, match="found a choice to be given"):
        compile_program(parse(("unseen_events", "belong_to"), given=(ValueType.EVENT,)))
    with pytest.raises(ProgramError, match="ends in an answer \\(found one that ends in 'unique'"):
        group([asked("objects unique")])
    with pytest.raises(ProgramError, match=r"val\.json: scene 3: question 7: token 1 'belong_to'"):
        asked_of(replace(choices(True), choices=(Choice(0, "", (), True),)), 0, "val.json: scene 3")
    with pytest.raises(DatasetError, match="'7' is no answer that the program can give"):
        group([asked("objects count", answer="7")])
    with pytest.raises(ValueError, match=r"Expected same of shape \(1, 10\) \(got \(1, 5\)\)"):
        replace(scene, same=scene.heavy)

"""Where everything is certain, every question of a dataset gets its true answer, and all steps are told."""

from pathlib import Path

import pytest

from comphy.dataset.questions import read_questions, split_file
from comphy.errors import ProgramError
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from comphy.scene.events import EventKind
from models.pcr.asking.asking import ask
from models.pcr.asking.question import query_of_program
from models.pcr.evaluation.true_sets import read_facts
from models.perceiver.cache.feature_cache import FeatureCache
from models.questions.question_types import unordered
from tests.support.interpreted_sets import certain, uncertain

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def scenes(dozen: Path) -> list[SceneQuestions]:
    return read_questions(split_file(dozen, "train", answers=True))


def of_kind(scenes: list[SceneQuestions], kind: QuestionKind) -> list[tuple[int, Question]]:
    return [(s.scene_index, question) for s in scenes for question in s.questions if question.kind is kind]


def test_factual_questions(dozen: Path, scenes: list[SceneQuestions]):
    asked = of_kind(scenes, QuestionKind.FACTUAL)
    for index, question in asked:
        reply = ask(certain(dozen, index), query_of_program(" ".join(question.program)))
        assert question.answer is not None and reply.answers[0].words == unordered(question.answer)
        assert reply.sure > 0.99 and reply.predicted is None and not reply.remarks
        operators = [node for node in parse(question.program).root.walk() if node.op is not None]
        assert [step.number for step in reply.steps] == list(range(1, len(operators) + 1))
        assert [step.call.split()[0] for step in reply.steps] == [node.token for node in operators]
        assert reply.sentence.endswith(".") and reply.sentence[0].isupper() | reply.sentence[0].isdigit()
    assert len(asked) > 12


def test_choices(dozen: Path, scenes: list[SceneQuestions]):
    asked = [*of_kind(scenes, QuestionKind.PREDICTIVE), *of_kind(scenes, QuestionKind.COUNTERFACTUAL)]
    for index, question in asked:
        choices = [" ".join(choice.program) for choice in question.choices]
        reply = ask(certain(dozen, index), query_of_program(" ".join(question.program), choices))
        assert [verdict.holds for verdict in reply.verdicts] == [choice.correct for choice in question.choices]
        assert reply.predicted is not None and (reply.predicted.premise is None) == (
            question.kind is QuestionKind.PREDICTIVE
        )
    assert len(asked) > 8


def test_without_choices_every_pair_is_judged(dozen: Path, scenes: list[SceneQuestions]):
    for index, question in of_kind(scenes, QuestionKind.PREDICTIVE):
        facts = read_facts(dozen, index)
        reply = ask(certain(dozen, index), query_of_program(" ".join(question.program)))
        colliding = {
            event.objects: event.frame for event in reversed(facts.unseen) if event.kind is EventKind.COLLISION
        }
        assert {verdict.pair: verdict.frame for verdict in reply.pairs if verdict.holds} == colliding
        count = len(facts.objects)
        assert len(reply.pairs) == count * (count - 1) // 2
        assert all(str(facts.objects[number]) in reply.sentence for pair in colliding for number in pair)


def test_negation_asks_for_the_others(dozen: Path):
    known = certain(dozen, 0)
    does, does_not = (ask(known, query_of_program(f"unseen_events belong_to{end}")) for end in ("", " not"))
    assert {v.pair for v in does.pairs if v.holds} == {v.pair for v in does_not.pairs if not v.holds}


@pytest.mark.parametrize(
    ("program", "choices", "message"),
    [
        ("objects red filter_colour count", (), "token 2 'filter_colour': unknown operator or word; did you mean"),
        ("objects red filter_color", (), "expected a program that takes"),
        ("objects count", ("all_events unique",), "to go with choices .found one that has its own answer"),
        ("unseen_events belong_to", ("objects",), "choice 1: "),
    ],
)
def test_programs_that_ask_nothing_are_refused(program: str, choices: tuple[str, ...], message: str):
    with pytest.raises(ProgramError, match=message):
        query_of_program(program, choices)


def test_a_question_is_open_if_it_waits_for_an_event():
    assert query_of_program("unseen_events belong_to").program.given == (ValueType.EVENT,)
    assert query_of_program("unseen_events belong_to").uses_hidden
    assert not query_of_program("objects count").is_open and not query_of_program("objects count").uses_hidden


@pytest.mark.parametrize("premise", ["counterfact_heavier", None])
@pytest.mark.slow
def test_imagined_motion_is_simulated_once_for_an_answer(
    dozen_cache: FeatureCache, monkeypatch: pytest.MonkeyPatch, premise: str | None
):
    """The answer, the remarks and the clip show one rollout: as many steps as it has frames."""
    interpreted = uncertain(dozen_cache, dozen_cache.indices()[0])
    assert interpreted.imagination is not None
    dynamics, steps = interpreted.imagination.dynamics, []
    step = dynamics.step
    monkeypatch.setattr(dynamics, "step", lambda *given: steps.append(given) or step(*given))
    events = f"all_events objects filter_heavy unique {premise} filter_counterfact" if premise else "unseen_events"
    reply = ask(interpreted, query_of_program(f"{events} belong_to"))
    assert reply.predicted is not None and reply.predicted.motion is not None
    assert len(steps) == reply.predicted.motion.position.shape[1]

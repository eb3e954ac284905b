"""Yes-or-no questions about what will or would happen, against the dataset's verdicts on the same collisions."""

from pathlib import Path

import pytest

from comphy.dataset.questions import read_questions, split_file
from comphy.language.meanings.descriptions import EventSelection, MomentKind, Source
from comphy.language.meanings.from_program import meaning_of
from comphy.language.meanings.meaning import Exist, Open, Option
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import QuestionKind
from models.pcr.asking.asking import ask
from models.pcr.asking.question import query_of_program
from tests.support.interpreted_sets import certain

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


def test_they_have_the_answers_of_the_choices(dozen: Path):
    seen: dict[tuple[QuestionKind, str], int] = {}
    for scene in read_questions(split_file(dozen, "train", answers=True))[:6]:
        known = certain(dozen, scene.scene_index)
        for question in (one for one in scene.questions if one.choices):
            asked = meaning_of(parse(question.program, (ValueType.EVENT,)))
            assert isinstance(asked, Open)
            for choice in question.choices:
                option = meaning_of(parse(choice.program, (), ValueType.EVENT))
                assert isinstance(option, Option)
                source = asked.counterfactual or Source.FUTURE
                meant = Exist(EventSelection(MomentKind.COLLISION, (option.first, option.second), source=source))
                reply = ask(known, query_of_program(" ".join(meant.tokens)))
                assert (reply.answers[0].words == "yes") == (choice.correct != asked.negated)
                key = question.kind, reply.answers[0].words
                seen[key] = seen.get(key, 0) + 1
    assert {words for _, words in seen} == {"yes", "no"}
    assert {kind for kind, _ in seen} == {QuestionKind.PREDICTIVE, QuestionKind.COUNTERFACTUAL}

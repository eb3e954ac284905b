"""Which answers a factual question can have, known from what is asked alone.

A program ends with the operator that makes the answer, so its name tells the type. Files that keep programs back, as
CLEVRER's test file does, leave the question's words to go by.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations_with_replacement
from typing import Final

from comphy.errors import DatasetError
from comphy.programs.types import COUNTS, Attribute
from comphy.questions.model import Question, Tokens
from comphy.scene.vocabulary import Color, Direction, Material, Shape

PAIR_JOINT: Final = " and "


class AnswerType(StrEnum):
    YES_NO = "yes_no"
    COUNT = "count"
    COLOR = "color"
    SHAPE = "shape"
    MATERIAL = "material"
    DIRECTION = "direction"
    COLOR_PAIR = "color_pair"
    SHAPE_PAIR = "shape_pair"
    MATERIAL_PAIR = "material_pair"


def _pairs(words: Iterable[str]) -> tuple[str, ...]:
    """Unordered pairs; both objects may look the same."""
    return tuple(PAIR_JOINT.join(pair) for pair in combinations_with_replacement(sorted(words), 2))


ANSWERS: Final[dict[AnswerType, tuple[str, ...]]] = {
    AnswerType.YES_NO: ("yes", "no"),
    AnswerType.COUNT: COUNTS,
    AnswerType.COLOR: tuple(map(str, Color)),
    AnswerType.SHAPE: tuple(map(str, Shape)),
    AnswerType.MATERIAL: tuple(map(str, Material)),
    AnswerType.DIRECTION: tuple(map(str, Direction)),
    AnswerType.COLOR_PAIR: _pairs(Color),
    AnswerType.SHAPE_PAIR: _pairs(Shape),
    AnswerType.MATERIAL_PAIR: _pairs(Material),
}

_BY_OPERATOR: Final[dict[str, AnswerType]] = {
    "query_color": AnswerType.COLOR,
    "query_shape": AnswerType.SHAPE,
    "query_material": AnswerType.MATERIAL,
    "query_direction": AnswerType.DIRECTION,
    "query_both_color": AnswerType.COLOR_PAIR,
    "query_both_shape": AnswerType.SHAPE_PAIR,
    "query_both_material": AnswerType.MATERIAL_PAIR,
    "count": AnswerType.COUNT,
    **dict.fromkeys(
        ("exist", "belong_to", "not", "negate", "is_heavier", "is_lighter", "equal_charge"), AnswerType.YES_NO
    ),
}
_MARKERS: Final = frozenset({"<START>", "<END>", "<NULL>"})
_ATTRIBUTES: Final = frozenset(map(str, Attribute))  # `color query` asks for the same as `query_color`

# The first pattern that is found decides, so plurals stand before singulars.
_BY_WORDS: Final[tuple[tuple[str, AnswerType], ...]] = (
    (r"^how many\b", AnswerType.COUNT),
    (r"(^|, )(is|are|does|do)\b", AnswerType.YES_NO),
    (r"\bcolors\b", AnswerType.COLOR_PAIR),
    (r"\bshapes\b", AnswerType.SHAPE_PAIR),
    (r"\bmaterials\b", AnswerType.MATERIAL_PAIR),
    (r"\bcolor\b", AnswerType.COLOR),
    (r"\bshape\b", AnswerType.SHAPE),
    (r"\bmaterial\b|\bmade of\b", AnswerType.MATERIAL),
    (r"\bdirection\b", AnswerType.DIRECTION),
)


def answer_type(question: Question) -> AnswerType:
    """The type of a factual question's answer."""
    found = _from_program(question.program) or _from_words(question.text)
    if found is None:
        raise DatasetError(
            f"question {question.question_id} ('{question.text}', program {list(question.program)}): cannot tell what "
            f"kind of answer it has. Expected a program that ends with one of: {', '.join(sorted(_BY_OPERATOR))}."
        )
    return found


def _from_program(program: Tokens) -> AnswerType | None:
    tokens = [token for token in program if token not in _MARKERS]
    if not tokens:
        return None
    last = tokens[-1]
    asked = tokens[-2] if len(tokens) > 1 and tokens[-2] in _ATTRIBUTES else ""
    return _BY_OPERATOR.get(f"{last}_{asked}") or _BY_OPERATOR.get(last)


def _from_words(text: str) -> AnswerType | None:
    lowered = text.strip().lower()
    return next((kind for pattern, kind in _BY_WORDS if re.search(pattern, lowered)), None)


def unordered(answer: str) -> str:
    """An answer as it is counted: of a pair, the order in which two objects are named says nothing."""
    return PAIR_JOINT.join(sorted(" ".join(answer.lower().split()).split(PAIR_JOINT)))

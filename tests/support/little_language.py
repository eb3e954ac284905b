"""A few dozen sentences that a tiny parser learns in seconds: three wordings, one of choices, any looks."""

import numpy as np

from comphy.questions.choices import choice_program
from comphy.questions.looks import Look, reference
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from comphy.scene.vocabulary import Color, Shape


def little_scenes(count: int, seed: int, start: int = 0) -> list[SceneQuestions]:
    """Sets of two factual questions and one with two choices."""
    rng = np.random.default_rng(seed)
    return [SceneQuestions(i, f"sim_{i:05d}.mp4", _questions(rng)) for i in range(start, start + count)]


def _questions(rng: np.random.Generator) -> tuple[Question, ...]:
    a, b, c = (_look(rng) for _ in range(3))
    word = str(rng.choice(["heavier", "lighter"]))
    negated = bool(rng.random() < 0.5)
    compare = (*reference(a), "filter_mass", *reference(b), "filter_mass", f"is_{word}")
    changed = ("all_events", *reference(c), f"counterfact_{word}", "filter_counterfact", "belong_to")
    choices = tuple(
        Choice(i, f"The {x.phrase()} collides with the {y.phrase()}", choice_program(x, y), correct=i == 0)
        for i, (x, y) in enumerate(((a, b), (c, a)))
    )
    return (
        Question(
            0,
            QuestionKind.FACTUAL,
            f"Is the {a.phrase()} {word} than the {b.phrase()}?",
            compare,
            "mass_compare",
            "yes",
        ),
        Question(
            1,
            QuestionKind.FACTUAL,
            f"How many {c.phrase(plural=True)} are there?",
            ("objects", *c.tokens, "count"),
            "object_count",
            "1",
        ),
        Question(
            2,
            QuestionKind.COUNTERFACTUAL,
            f"If the {c.phrase()} were {word}, what would {'not ' if negated else ''}happen?",
            (*changed, "not") if negated else changed,
            choices=choices,
        ),
    )


def _look(rng: np.random.Generator) -> Look:
    color, shape = Color(rng.choice(list(Color)[:4])), Shape(rng.choice(list(Shape)))
    return (Look(color), Look(shape=shape), Look(color, shape=shape))[int(rng.integers(3))]

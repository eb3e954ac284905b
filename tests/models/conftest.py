"""Made-up questions with a known bias, so that what a blind model can learn of them is known beforehand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset.questions import split_file, write_questions
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from comphy.scene.vocabulary import Color, Material, Shape

MakeScenes = Callable[..., list[SceneQuestions]]


@pytest.fixture(autouse=True)
def same_draws() -> None:
    """Weights and dropout do not depend on the tests before: now and then one leaves a parameter without a gradient."""
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def make_scenes() -> MakeScenes:
    """`make_scenes(count, seed, start)`: sets with three factual and two counterfactual questions each."""
    return _scenes


def _scenes(count: int, seed: int = 0, start: int = 0) -> list[SceneQuestions]:
    rng = np.random.default_rng(seed)
    return [SceneQuestions(i, f"sim_{i:05d}.mp4", _questions(rng)) for i in range(start, start + count)]


def _questions(rng: np.random.Generator) -> tuple[Question, ...]:
    return (_color(0, rng), _heavier(1, rng), _both(2, rng), _counterfactual(3, rng), _counterfactual(4, rng))


def _color(number: int, rng: np.random.Generator) -> Question:
    """Cubes are red, spheres blue, cylinders green: the words give the answer away."""
    shape = rng.choice(list(Shape))
    answer = {"cube": "red", "sphere": "blue", "cylinder": "green"}[shape]
    program = ("objects", str(shape), "filter_shape", "unique", "query_color")
    return Question(number, QuestionKind.FACTUAL, f"What color is the {shape}?", program, "object_query", answer)


def _heavier(number: int, rng: np.random.Generator) -> Question:
    """Three of four times yes, whatever is asked."""
    first, second = rng.choice(list(Color), 2, replace=False)
    program = ("objects", first, "filter_color", "unique", "filter_mass")
    program += ("objects", second, "filter_color", "unique", "filter_mass", "is_heavier")
    text = f"Is the {first} object heavier than the {second} object?"
    answer = "yes" if rng.random() < 0.75 else "no"
    return Question(number, QuestionKind.FACTUAL, text, tuple(map(str, program)), "mass_compare", answer)


def _both(number: int, rng: np.random.Generator) -> Question:
    """Pairs in either order."""
    answer = " and ".join(rng.permutation(["red", "blue"]))
    program = ("objects", "filter_charged", "unique", "query_both_color")
    text = "What are the colors of the two objects that are charged?"
    return Question(number, QuestionKind.FACTUAL, text, program, "charge_query", answer)


def _counterfactual(number: int, rng: np.random.Generator) -> Question:
    """Metal objects collide, rubber ones do not; a negated question asks for what would not happen."""
    changed = str(rng.choice(list(Color)))
    negated = bool(rng.random() < 0.5)
    tail = ("belong_to", "not") if negated else ("belong_to",)
    program = ("all_events", "objects", changed, "filter_color", "unique", "counterfact_heavier", "filter_counterfact")
    text = f"If the {changed} object were heavier, which event would {'not ' if negated else ''}happen?"
    choices = tuple(
        Choice(i, f"The {name} object collides with the {changed} object", (), (name == "metal") != negated)
        for i, name in enumerate(rng.choice(list(Material), 2))
    )
    return Question(number, QuestionKind.COUNTERFACTUAL, text, program + tail, choices=choices)


@pytest.fixture
def dataset(tmp_path: Path, make_scenes: MakeScenes) -> Path:
    """Question files of a small dataset: 24 training, 8 validation, 8 test sets."""
    root = tmp_path / "dataset"
    splits = {"train": make_scenes(24, 1), "val": make_scenes(8, 2, 100), "test": make_scenes(8, 3, 200)}
    for split, scenes in splits.items():
        write_questions(split_file(root, split, answers=True), scenes)
    write_questions(split_file(root, "test", answers=False), [scene.without_answers() for scene in splits["test"]])
    return root

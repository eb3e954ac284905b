"""A dozen sets with questions and, in place of a perceiver's, true boxes."""

from dataclasses import replace
from pathlib import Path

import pytest

from comphy.choices import RendererName
from comphy.dataset.questions import read_questions, split_file, write_questions
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.made_once import made_once
from tests.support.perceived_truth import FEATURES, perceive_truth


@pytest.fixture(scope="session")
def dozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve sets, seed 1: eight to train with, two each to validate and to test. Read only."""

    def make(root: Path) -> None:
        generate(Job(root, 1, RendererName.NONE, DatasetConfig()), sets=12)

    return made_once(tmp_path_factory, "dozen", make)


@pytest.fixture(scope="session")
def few_questions(dozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Question files of four of its sets to train with and one each to validate and to test, with a question of each kind
    and family. Counterfactuals are each imagined for themselves: only one set to train with has one of each family, and
    those to validate and to test have one alone."""

    def make(root: Path) -> None:
        for split, sets in (("train", 4), ("val", 1), ("test", 1)):
            for answers in (True, False):
                scenes = read_questions(split_file(dozen, split, answers))[:sets]
                most = [len(scenes[0].questions) if split == "train" else 1, *[0] * (sets - 1)]
                few = [_few(scene, counterfactuals) for scene, counterfactuals in zip(scenes, most, strict=True)]
                write_questions(split_file(root, split, answers), few)

    return made_once(tmp_path_factory, "few_questions", make)


def _few(scene: SceneQuestions, counterfactuals: int) -> SceneQuestions:
    """The first question of each kind and family, and at most so many counterfactual ones."""
    first: dict[tuple[str, str], Question] = {}
    for question in scene.questions:
        first.setdefault((question.kind, question.family), question)
    imagined = [one for one in first.values() if one.kind is QuestionKind.COUNTERFACTUAL][:counterfactuals]
    kept = [one for one in first.values() if one.kind is not QuestionKind.COUNTERFACTUAL or one in imagined]
    return replace(scene, questions=tuple(kept))


@pytest.fixture(scope="session")
def dozen_cache(dozen: Path, tmp_path_factory: pytest.TempPathFactory) -> FeatureCache:
    return perceive_truth(dozen, tmp_path_factory.mktemp("features"), range(12), features=FEATURES)

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
    and family; of counterfactuals, each of which is imagined for itself, there is one a split."""

    def make(root: Path) -> None:
        for split, sets in (("train", 4), ("val", 1), ("test", 1)):
            for answers in (True, False):
                scenes = read_questions(split_file(dozen, split, answers))[:sets]
                write_questions(split_file(root, split, answers), [_few(scene, scene is scenes[0]) for scene in scenes])

    return made_once(tmp_path_factory, "few_questions", make)


def _few(scene: SceneQuestions, counterfactual: bool) -> SceneQuestions:
    first: dict[tuple[str, str], Question] = {}
    for question in scene.questions:
        if counterfactual or question.kind is not QuestionKind.COUNTERFACTUAL:
            first.setdefault((question.kind, question.family), question)
    return replace(scene, questions=tuple(first.values()))


@pytest.fixture(scope="session")
def dozen_cache(dozen: Path, tmp_path_factory: pytest.TempPathFactory) -> FeatureCache:
    return perceive_truth(dozen, tmp_path_factory.mktemp("features"), range(12), features=FEATURES)

"""The truth in place of modules: with all of it every answer is right, whatever order tracks come in."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
import torch
from rich.console import Console

from comphy.dataset.questions import read_questions, split_file
from comphy.programs.executor import answer
from comphy.programs.program import parse
from comphy.questions.model import SceneQuestions
from models.pcr.evaluation.concept_scores import concept_reading
from models.pcr.evaluation.diagnosis import Diagnosis, Module, diagnose, diagnosis_table, with_truth
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.evaluation.true_sets import TrueSet, in_order, read_facts, read_true_sets
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed, observe
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.perceived_truth import WIDTH, perceive_truth

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


@pytest.fixture(scope="module")
def scenes(small_dataset: Path) -> list[SceneQuestions]:
    return read_questions(split_file(small_dataset, "train", answers=True))


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    torch.manual_seed(0)
    return Reasoner(ReasonerSettings(state_fit=False)).eval()


@pytest.fixture(scope="module")
def cache(small_dataset: Path, scenes: list[SceneQuestions], tmp_path_factory: pytest.TempPathFactory) -> FeatureCache:
    return perceive_truth(small_dataset, tmp_path_factory.mktemp("cache"), [scene.scene_index for scene in scenes])


@pytest.fixture(scope="module")
def truth(small_dataset: Path, scenes: list[SceneQuestions], cache: FeatureCache) -> list[TrueSet]:
    return read_true_sets(small_dataset, [scene.scene_index for scene in scenes], cache, WIDTH)


@pytest.fixture(scope="module")
def diagnosis(reasoner: Reasoner, scenes: list[SceneQuestions], cache: FeatureCache, truth: list[TrueSet]) -> Diagnosis:
    return diagnose(reasoner, look(reasoner, cache, scenes), scenes, truth, batch_size=3)


def look(reasoner: Reasoner, cache: FeatureCache, scenes: list[SceneQuestions]) -> Observed:
    return align_and_refine(reasoner, observe(cache, [scene.scene_index for scene in scenes]))


def test_tracks_are_matched_to_objects(truth: list[TrueSet]):
    for one in truth:
        count = len(one.facts.objects)
        assert one.matched and one.identities == tuple(reversed(range(count)))
        assert one.facts_of_tracks.objects == tuple(reversed(one.facts.objects))


def test_facts_in_another_order_give_the_same_answers(small_dataset: Path, scenes: list[SceneQuestions]):
    for scene in scenes:
        facts = read_facts(small_dataset, scene.scene_index)
        turned = in_order(facts, tuple(reversed(range(len(facts.objects)))))
        for question in scene.questions:
            if not question.choices:
                assert answer(parse(question.program), turned) == answer(parse(question.program), facts)
            for choice in question.choices:
                program = parse((*choice.program, *question.program))
                assert answer(program, turned) == answer(program, facts)


def test_with_everything_replaced_every_answer_is_right(diagnosis: Diagnosis):
    everything = diagnosis.reports["everything"].columns()
    assert {one.value for one in everything.values() if one} == {1.0}
    assert diagnosis.unmatched == () and diagnosis.sets == 4


def test_modules_answer_for_what_they_know(diagnosis: Diagnosis):
    """An untrained reasoner fails; the truth about dynamics helps none of the factual questions."""
    value = {name: one.columns()["factual"].value for name, one in diagnosis.reports.items()}
    assert value["dynamics"] == value["nothing"] < value["perception and properties"] == 1.0
    assert "language" not in value


def test_language_is_replaced_where_questions_were_read(
    reasoner: Reasoner,
    scenes: list[SceneQuestions],
    cache: FeatureCache,
    truth: list[TrueSet],
    diagnosis: Diagnosis,
):
    """All factual questions were read as one and the same: only true programs make their answers right."""
    misread = [_all_read_as(("objects", "count"), scene) for scene in scenes]
    found = diagnose(reasoner, look(reasoner, cache, scenes), scenes, truth, 4, misread).reports
    assert found["language"] == diagnosis.reports["nothing"]
    assert found["everything"].columns()["factual"].value == 1.0
    assert found["perception and properties"].columns()["factual"].value < 1.0


def _all_read_as(program: tuple[str, ...], scene: SceneQuestions) -> SceneQuestions:
    questions = tuple(one if one.choices else replace(one, program=program) for one in scene.questions)
    return replace(scene, questions=questions)


def test_a_set_with_a_track_too_many_is_left_alone(
    small_dataset: Path, scenes: list[SceneQuestions], reasoner: Reasoner, tmp_path: Path
):
    index = scenes[0].scene_index
    count = len(read_facts(small_dataset, index).objects)
    order = [*range(count - 1), 0]
    cache = perceive_truth(small_dataset, tmp_path, [index], {index: order})
    (one,) = read_true_sets(small_dataset, [index], cache, WIDTH)
    assert not one.matched and one.identities == tuple(order)
    assert one.tracks == (*range(count - 1), None)
    with pytest.raises(ValueError, match="one to one"):
        _ = one.facts_of_tracks
    found = diagnose(reasoner, look(reasoner, cache, scenes[:1]), scenes[:1], [one], 4)
    assert found.unmatched == (index,)
    assert found.reports["everything"] == found.reports["nothing"]


def test_what_is_imagined_builds_on_what_was_replaced(
    reasoner: Reasoner, scenes: list[SceneQuestions], cache: FeatureCache, truth: list[TrueSet]
):
    scene = reasoner.scene(look(reasoner, cache, scenes), hard=True)
    true = true_scene([one.facts_of_tracks for one in truth], OBJECTS)
    told = with_truth(scene, true, (Module.PROPERTIES,))
    assert isinstance(told.imagination, LearnedImagination)
    assert told.imagination.scene.heavy is true.heavy and told.heavy is true.heavy and told.color is scene.color
    assert with_truth(scene, true, (Module.DYNAMICS,)).imagination is true.imagination


def test_concepts_are_read_in_the_order_of_the_annotation(truth: list[TrueSet]):
    scene = true_scene([one.facts_of_tracks for one in truth], OBJECTS)
    for row, one in enumerate(truth):
        reading = concept_reading(scene, row, one)
        looks = [(spec.appearance, spec.mass) for spec in reading.said if spec is not None]
        assert looks == [(spec.appearance, spec.mass) for spec in one.facts.objects]
        assert reading.relations == reading.true_relations


def test_the_table_has_a_row_for_each_replacement(diagnosis: Diagnosis):
    console = Console(width=200, record=True, file=StringIO())
    console.print(diagnosis_table(diagnosis))
    text = console.export_text()
    assert all(name in text for name in diagnosis.reports) and "In 0 of 4 sets" in text

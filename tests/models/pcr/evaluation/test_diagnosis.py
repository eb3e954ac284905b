"""The truth in place of modules: with all of it every answer is right, whatever order tracks come in."""

import shutil
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
from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.dynamics.fitting.state_fit import fit_states
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.evaluation.concept_scores import concept_reading
from models.pcr.evaluation.diagnosis import Diagnosis, diagnose, diagnosis_remarks, diagnosis_table
from models.pcr.evaluation.replacements import REPLACEMENTS, Module, Replacer
from models.pcr.evaluation.true_laws import true_laws
from models.pcr.evaluation.true_scene import TrueImagination, true_scene
from models.pcr.evaluation.true_sets import TrueSet, in_order, read_facts, read_true_sets
from models.pcr.evaluation.true_states import TrueStates
from models.pcr.reasoner.fitting import likely_bodies
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.fitted_motion import FittedMotion, FittedSets
from models.pcr.tracks.observed import Observed, observe
from models.pcr.tracks.tensor_trees import mapped
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.perceived_truth import perceive_truth

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
    return read_true_sets(small_dataset, [scene.scene_index for scene in scenes], cache)


@pytest.fixture(scope="module")
def seen(reasoner: Reasoner, scenes: list[SceneQuestions], cache: FeatureCache) -> Observed:
    return look(reasoner, cache, scenes)


@pytest.fixture(scope="module")
def diagnosis(
    small_dataset: Path, reasoner: Reasoner, scenes: list[SceneQuestions], seen: Observed, truth: list[TrueSet]
) -> Diagnosis:
    return diagnose(reasoner, seen, scenes, truth, small_dataset, batch_size=3)


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
    assert max(value["attributes"], value["events"]) < value["perception"] and "language" not in value
    assert diagnosis.left_out["language"] == "the questions have their own programs from the start"


def test_language_is_replaced_where_questions_were_read(
    small_dataset: Path,
    reasoner: Reasoner,
    scenes: list[SceneQuestions],
    seen: Observed,
    truth: list[TrueSet],
    diagnosis: Diagnosis,
):
    """All factual questions were read as one and the same: only true programs make their answers right."""
    asked = [factual(scene) for scene in scenes]
    misread = [_all_read_as(("objects", "count"), scene) for scene in asked]
    found = diagnose(reasoner, seen, asked, truth, small_dataset, 4, misread).reports
    right = {name: one.columns()["factual"] for name, one in found.items()}
    assert right["language"] == diagnosis.reports["nothing"].columns()["factual"]
    assert right["everything"].value == 1.0 and right["perception and properties"].value < 1.0


def factual(scene: SceneQuestions) -> SceneQuestions:
    """Nothing has to be imagined for these questions, which takes long."""
    return replace(scene, questions=tuple(one for one in scene.questions if not one.choices))


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
    (one,) = read_true_sets(small_dataset, [index], cache)
    assert not one.matched and one.identities == tuple(order)
    assert one.tracks == (*range(count - 1), None)
    with pytest.raises(ValueError, match="one to one"):
        _ = one.facts_of_tracks
    found = diagnose(reasoner, look(reasoner, cache, scenes[:1]), scenes[:1], [one], small_dataset, 4)
    assert found.unmatched == (index,)
    assert found.reports["everything"] == found.reports["nothing"]


def test_what_is_imagined_builds_on_what_was_replaced(
    small_dataset: Path, reasoner: Reasoner, seen: Observed, truth: list[TrueSet]
):
    true = true_scene([one.facts_of_tracks for one in truth], OBJECTS)
    states = [TrueStates.read(small_dataset, one) for one in truth]
    told = Replacer(reasoner, seen, truth, states, true_laws(OBJECTS))
    scene, properties, events = (told.scene(modules) for modules in ((), (Module.PROPERTIES,), (Module.EVENTS,)))
    assert isinstance(properties.imagination, LearnedImagination)
    assert torch.equal(properties.imagination.scene.heavy, true.heavy) and torch.equal(properties.heavy, true.heavy)
    assert torch.equal(properties.color, scene.color) and not torch.equal(scene.heavy, true.heavy)
    assert events.imagination is scene.imagination and not torch.equal(events.moving, scene.moving)
    assert isinstance(told.scene((Module.DYNAMICS,)).imagination, TrueImagination)


@pytest.fixture(scope="module")
def fitting(
    small_dataset: Path, scenes: list[SceneQuestions], cache: FeatureCache, truth: list[TrueSet]
) -> tuple[Replacer, Observed]:
    """A set of a reasoner that fits states; those of the references do not matter here."""
    torch.manual_seed(0)
    reasoner = Reasoner(ReasonerSettings(property_refinement=False)).eval()
    observed = observe(cache, [scenes[0].scene_index])
    bodies = likely_bodies(reasoner, observed)
    assert isinstance(reasoner.dynamics, Dynamics)
    motion = fit_states(reasoner.dynamics, bodies, observed.target.tracks, observed.target.motion)
    seen = replace(observed, states=FittedSets(motion, mapped(motion, lambda part: part[:, None])))
    states = [TrueStates.read(small_dataset, truth[0])]
    return Replacer(reasoner, seen, truth[:1], states, true_laws(OBJECTS)), seen


def imagination_of(told: Replacer, *modules: Module) -> LearnedImagination:
    found = told.scene(modules).imagination
    assert isinstance(found, LearnedImagination)
    return found


def motion_of(imagination: LearnedImagination) -> FittedMotion:
    assert imagination.observed.states is not None
    return imagination.observed.states.target


def test_states_and_laws_are_replaced_each_alone(fitting: tuple[Replacer, Observed]):
    told, seen = fitting
    fitted, states, laws, both = (
        imagination_of(told, *modules)
        for modules in ((), (Module.STATES,), (Module.LAWS,), (Module.STATES, Module.LAWS))
    )
    assert fitted.observed is not None and states.dynamics is fitted.dynamics is told.reasoner.dynamics
    assert laws.dynamics is both.dynamics is told.laws
    true = told.states[0].target[:TARGET_VISIBLE_FRAMES]
    count = true.shape[1]
    for found in (states, both):
        motion = motion_of(found)
        assert torch.equal(motion.position[0, :, :count], true[..., :2]) and motion.known[0, :count].all()
        assert torch.equal(motion.spin[0, :, :count], true[..., 5]) and not motion.deviation.any()
    mine, again = motion_of(fitted), motion_of(laws)
    away, closer = ((one.position[0, :, :count] - true[..., :2]).norm(dim=-1).mean() for one in (mine, again))
    assert 0 < closer < away  # the laws of an untrained predictor hold the fit back
    assert not torch.equal(motion_of(states).nearness, motion_of(both).nearness)
    for found in (states, laws, both):
        assert found.observed.states is not None and seen.states is not None
        assert torch.equal(found.observed.states.references.position, seen.states.references.position)


def test_rows_of_a_reasoner_that_fits_states(
    small_dataset: Path, scenes: list[SceneQuestions], truth: list[TrueSet], fitting: tuple[Replacer, Observed]
):
    told, seen = fitting
    found = diagnose(told.reasoner, seen, [factual(scenes[0])], truth[:1], small_dataset, 4)
    assert list(found.reports) == [name for name in REPLACEMENTS if name != "language"]
    assert found.left_out.keys() == {"language"}


def test_rows_that_a_dataset_cannot_give_are_left_out(
    small_dataset: Path,
    reasoner: Reasoner,
    scenes: list[SceneQuestions],
    seen: Observed,
    truth: list[TrueSet],
    tmp_path: Path,
):
    """No rollouts: no true motion; what is left is the same."""
    root = shutil.copytree(small_dataset, tmp_path / "copy")
    for folder in (root / "extras").glob("rollouts_*"):
        shutil.rmtree(folder)
    found = diagnose(reasoner, seen.rows(torch.tensor([0])), [factual(scenes[0])], truth[:1], root, 4)
    assert {"motion", "states", "laws", "states and laws"} <= found.left_out.keys()
    assert "motion" not in found.reports and "no such pack" in found.left_out["motion"]
    assert found.left_out["laws"] == found.left_out["states"] == "this reasoner fits no states of motion"
    assert found.reports["everything"].columns()["factual"].value == 1.0
    assert any("motion: left out, " in line for line in diagnosis_remarks(found))


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
    rows = ("nothing", "perception", "attributes", "events", "properties", "motion", "dynamics", "everything")
    assert all(f" {name} " in text for name in rows) and "In 0 of 4 sets" in text
    remarks = diagnosis_remarks(diagnosis)
    assert [line.partition(":")[0] for line in remarks] == [*diagnosis.reports, *diagnosis.left_out]
    assert all(line.partition(": ")[2] for line in remarks)
    assert diagnosis.record()["left_out"].keys() == diagnosis.left_out.keys()

"""The whole curriculum on a few sets: losses fall, gradients reach all modules, and nothing done is lost."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.dataset.questions import read_questions, split_file
from comphy.errors import ConfigError, DatasetError
from models.pcr.parser.network import ParserSize
from models.pcr.parser.training.trainer import ParserConfig
from models.pcr.reasoner.checkpoint import MODEL, load_reasoner, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import observe
from models.pcr.training.config import MotionStageConfig, PCRConfig, StageConfig
from models.pcr.training.stages import STAGES, Curriculum, TrainingStage, rate_at
from models.pcr.training.task import run_pcr
from models.pcr.training.trainer import PROGRESS
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.checkpoint import load_tensors, save_tensors
from models.train.metrics import METRICS
from models.train.run import Run
from tests.support.perceived_truth import FEATURES

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
TINY = PCRConfig(
    device="cpu",
    parser=ParserConfig(
        steps=2,
        check_every=2,
        grammar=0.0,
        batch_size=8,
        device="cpu",
        model=ParserSize(width=16, layers=1, heads=2, feed_forward=32),
    ),
    model=ReasonerSettings(
        features=FEATURES, hidden=16, attribute_hidden=0, state_fit=False
    ),  # which takes seconds a set
    visible=StageConfig(12, 8, 1e-2),
    hidden=StageConfig(3, 8, 5e-3),
    motion=MotionStageConfig(steps=2, sets=4, windows=1, horizons=(3, 6)),
    calibrate_refinement=StageConfig(2, 8, 0.05),
    events=StageConfig(1, 8, 1e-3),
    joint=StageConfig(1, 8, 1e-3),
    log_every=1,
    checkpoint_every=5,
)


@pytest.fixture(scope="module")
def config(dozen_cache: FeatureCache) -> PCRConfig:
    return replace(TINY, cache=str(dozen_cache.folder))


@pytest.fixture(scope="module")
def taught(few_questions: Path, config: PCRConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("taught")
    outcome = run_pcr(config, Run(few_questions, out))
    assert "finished" in outcome.note and set(outcome.reports) == {"val", "test"}
    return out


def losses(out: Path, stage: str) -> list[float]:
    lines = [json.loads(line) for line in (out / METRICS).read_text().splitlines()]
    return [line[f"{stage}/loss"] for line in lines if f"{stage}/loss" in line]


def test_every_stage_is_run_and_the_loss_falls(taught: Path):
    assert [len(losses(taught, name)) for name in STAGES] == [12, 3, 2, 2, 1, 1]
    visible = losses(taught, "visible")
    assert sum(visible[-3:]) < 0.7 * sum(visible[:3])


def test_answers_to_all_questions_are_written(few_questions: Path, taught: Path):
    for split in ("val", "test"):
        asked = read_questions(split_file(few_questions, split, answers=False))
        given = json.loads((taught / f"submission_{split}.json").read_text())
        assert [len(scene["questions"]) for scene in given] == [len(scene.questions) for scene in asked]


def test_confidence_is_recalibrated_on_val(few_questions: Path, taught: Path):
    asked = read_questions(split_file(few_questions, "val", answers=True))
    assert load_reasoner(taught).recalibrations.keys() == {one.kind for scene in asked for one in scene.questions}


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    few_questions: Path, config: PCRConfig, taught: Path, tmp_path: Path
):
    """Without the test questions, which are not learned from."""
    out, note = tmp_path / "out", ""
    data = shutil.copytree(few_questions, tmp_path / "data", ignore=shutil.ignore_patterns("test*"))
    for _ in range(40):
        note = run_pcr(config, Run(data, out, max_minutes=0)).note
        if "Out of time" not in note:
            break
    assert "finished" in note
    expected, found = (load_tensors(run / MODEL)[0] for run in (taught, out))
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert losses(out, "hidden") == losses(taught, "hidden")


def test_gradients_reach_every_module(few_questions: Path, dozen_cache: FeatureCache):
    """From the answers to all kinds of questions back to looks, events, properties and the laws of motion."""
    scenes = read_questions(split_file(few_questions, "train", answers=True))
    observed = observe(dozen_cache, [scene.scene_index for scene in scenes])
    torch.manual_seed(0)
    reasoner = Reasoner(TINY.model)
    curriculum = Curriculum(TINY, reasoner, observed, scenes)
    stage = curriculum.stage("joint")
    stage.loss(0).backward()
    assert trained_by(stage) == set(reasoner.parameters())
    for name, module in reasoner.named_children():
        gradients = [parameter.grad for parameter in module.parameters()]
        reached = [gradient for gradient in gradients if gradient is not None and gradient.abs().sum() > 0]
        assert all(gradient.isfinite().all() for gradient in reached), name
        assert len(reached) > 0.7 * len(gradients), name


def test_motion_trains_the_inferencer_only_jointly(few_questions: Path, dozen_cache: FeatureCache):
    scenes = read_questions(split_file(few_questions, "train", answers=True))
    observed = observe(dozen_cache, [scene.scene_index for scene in scenes])
    for joint in (True, False):
        reasoner = Reasoner(TINY.model)
        plan = replace(TINY, motion=replace(TINY.motion, joint_inferencer=joint))
        stage = Curriculum(plan, reasoner, observed, scenes).stage("motion")
        stage.loss(0).backward()
        touched = [p for p in reasoner.property_parameters() if p.grad is not None and p.grad.abs().sum() > 0]
        assert bool(touched) == joint


def test_states_are_fitted_again_as_they_were(few_questions: Path, dozen_cache: FeatureCache):
    """A run that goes on in the middle of a stage has the states that it was stopped with, not those of newer laws. Of the
    set with the fewest objects: a fit takes seconds for each."""
    scenes = read_questions(split_file(few_questions, "train", answers=True))
    counts = observe(dozen_cache, [scene.scene_index for scene in scenes]).objects.sum(dim=1)
    scenes = [scenes[int(counts.argmin())]]
    observed = observe(dozen_cache, [scene.scene_index for scene in scenes])
    torch.manual_seed(0)
    reasoner = Reasoner(replace(TINY.model, state_fit=True))
    plan = replace(TINY, motion=replace(TINY.motion, steps=4, fitted_sets=1))
    stopped = Curriculum(plan, reasoner, observed, scenes)
    stage = stopped.stage("motion")
    stage.loss(0).backward()
    with torch.no_grad():
        for parameter in reasoner.dynamics.parameters():
            parameter.sub_(0.1)
    resumed = Curriculum(plan, reasoner, observed, scenes)
    resumed.recall(stopped.memory())
    losses = []
    for one in (stopped, resumed):
        stage = one.stage("motion")
        torch.manual_seed(1)  # of the inferencer's dropout
        losses.append(stage.loss(1))
    assert losses[0].isfinite() and torch.equal(*losses)


def test_events_train_what_reads_motion_and_nothing_else(few_questions: Path, dozen_cache: FeatureCache):
    scenes = read_questions(split_file(few_questions, "train", answers=True))[:1]
    observed = observe(dozen_cache, [scene.scene_index for scene in scenes])
    reasoner = Reasoner(TINY.model)
    stage = Curriculum(TINY, reasoner, observed, scenes).stage("events")
    assert trained_by(stage) == set(reasoner.grounder.event_parameters())
    assert not trained_by(stage) & set(reasoner.grounder.color.parameters())


def test_calibration_trains_the_weight_of_refinement_and_nothing_else(few_questions: Path, dozen_cache: FeatureCache):
    scenes = read_questions(split_file(few_questions, "train", answers=True))[:2]
    observed = observe(dozen_cache, [scene.scene_index for scene in scenes])
    torch.manual_seed(0)
    reasoner = Reasoner(TINY.model)
    stage = Curriculum(TINY, reasoner, observed, scenes).stage("calibrate_refinement")
    weights = {reasoner.refinement_scale, reasoner.refinement_bias, reasoner.none_heavy, reasoner.none_charged}
    assert trained_by(stage) == weights
    stage.loss(0).backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in weights)


def test_a_checkpoint_of_other_questions_is_refused(
    config: PCRConfig, few_questions: Path, taught: Path, tmp_path: Path
):
    tensors, facts = load_tensors(taught / PROGRESS)
    save_tensors(tmp_path / PROGRESS, tensors, facts | {"examples": "others"})
    with pytest.raises(DatasetError, match="other sets or questions"):
        run_pcr(config, Run(few_questions, tmp_path))


def test_a_checkpoint_of_another_vocabulary_is_refused(taught: Path, tmp_path: Path):
    tensors, facts = load_tensors(taught / MODEL)
    facts["vocabulary"]["words"].append("plaid")
    save_tensors(tmp_path / MODEL, tensors, facts)
    with pytest.raises(DatasetError, match=r"another vocabulary.*plaid"):
        load_reasoner(tmp_path)


def test_weights_of_something_else_are_refused(tmp_path: Path):
    save_tensors(tmp_path / MODEL, {"x": torch.zeros(1)}, {})
    with pytest.raises(DatasetError, match="expected the weights of a reasoner"):
        load_reasoner(tmp_path)


def test_a_saved_reasoner_is_the_same(tmp_path: Path):
    reasoner = Reasoner(TINY.model)
    save_reasoner(tmp_path / MODEL, reasoner)
    loaded = load_reasoner(tmp_path)
    assert loaded.settings == TINY.model and not loaded.training
    assert all(torch.equal(a, b) for a, b in zip(reasoner.parameters(), loaded.parameters(), strict=True))


def test_a_missing_cache_says_how_to_make_one(few_questions: Path, tmp_path: Path):
    with pytest.raises(ConfigError, match=r"comphy perceive"):
        run_pcr(TINY, Run(few_questions, tmp_path))


def test_rates_rise_and_fall():
    rates = [rate_at(step, 300) for step in range(300)]
    assert rates[0] < rates[20] and max(rates) < 1 and rates[-1] < 0.05 and min(rates) > 0


def trained_by(stage: TrainingStage) -> set[torch.nn.Parameter]:
    return {parameter for parameters, _ in stage.groups for parameter in parameters}

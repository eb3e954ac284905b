"""PCR as a task of comphy train: fill the feature cache, train parser and reasoner, answer, score and calibrate."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import torch

from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.evaluation.qa.accuracy import QAReport
from comphy.questions.model import SceneQuestions
from comphy.resources import find_weights
from models.pcr.evaluation.recalibration_fit import fit_recalibrations
from models.pcr.parser.parser import load_parser
from models.pcr.parser.questions import as_read
from models.pcr.parser.storage import PARSER, copy_parser
from models.pcr.parser.training.trainer import train_parser
from models.pcr.reasoner.answering import AnswerDistributions, answer_scenes
from models.pcr.reasoner.checkpoint import FEATURES, load_reasoner, save_recalibrations
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed, observe
from models.pcr.training.config import PCRConfig
from models.pcr.training.stages import STAGES, Curriculum
from models.pcr.training.trainer import CurriculumProgress, Trainer
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import cache_key, choose_sets, fill, open_cache
from models.perceiver.perceive import open_perceiver
from models.train.device import pick_device
from models.train.distributed import on_main, state
from models.train.precision import gpu_memory_errors
from models.train.run import Run, TrainingOutcome
from models.train.splits import answer_splits

BuildCurriculum = Callable[[PCRConfig, Reasoner, Observed, Sequence[SceneQuestions], int, int], Curriculum]


OUT_OF_MEMORY: Final = (
    "Other processes on the same GPU take of it, too. The last checkpoint is kept: run the same command again when there is "
    "more, or train in another --out with smaller batches (motion.fitted_sets, evaluation_sets, and the sets of the stage)."
)


def run_pcr(config: PCRConfig, run: Run, build: BuildCurriculum = Curriculum) -> TrainingOutcome:
    """Train, answer and score; `build` makes the curriculum.

    Raises:
        ComphyError: the memory of the GPU is too small.
    """
    with gpu_memory_errors(f"PCR with {config.evaluation_sets} sets at once", OUT_OF_MEMORY):
        return _run_pcr(config, run, build)


def _run_pcr(config: PCRConfig, run: Run, build: BuildCurriculum) -> TrainingOutcome:
    device = pick_device(config.device)
    on_main(lambda: perceive(config, run))
    cache = FeatureCache(cache_folder(config, run))
    scenes, held_out = (open_source(run.data).questions(split) for split in ("train", "val"))
    if (name := config.parser.weights) is not None:
        on_main(lambda: copy_parser(find_weights(name), run.out / PARSER))
    else:
        reading = on_main(lambda: train_parser(config.parser, replace(run, out=run.out / PARSER), scenes, held_out))
        if not reading.finished(config.parser) or on_main(lambda: run.interrupted_by is not None):
            return run.stopped(f"at step {reading.step} of the parser")
    _, progress = train_reasoner(config, run, cache, scenes, build)
    if not progress.finished:
        return run.stopped(f"at step {progress.step} of stage '{STAGES[progress.stage]}'")
    trained, parser = load_reasoner(run.out, device), load_parser(run.out / PARSER, device)
    answered: list[AnswerDistributions] = []

    def answer(questions: Sequence[SceneQuestions]) -> Submission:
        seen = observe(cache, [scene.scene_index for scene in questions]).to(device)
        answered.append(answer_scenes(trained, seen, as_read(parser, questions), config.evaluation_sets))
        return answered[-1].answers

    def answer_and_calibrate() -> dict[str, QAReport]:
        reports = answer_splits(answer, run)
        on_val = answered[0]
        save_recalibrations(run.out, fit_recalibrations(held_out, on_val), trained.settings)
        return reports

    return TrainingOutcome("Training finished: all stages are done.", on_main(answer_and_calibrate))


def train_reasoner(
    config: PCRConfig,
    run: Run,
    cache: FeatureCache,
    scenes: Sequence[SceneQuestions],
    build: BuildCurriculum = Curriculum,
) -> tuple[Reasoner, CurriculumProgress]:
    """All stages of the curriculum, or as many as there is time for, from where the run stopped."""
    processes, device = state(), pick_device(config.device)
    observed = observe(cache, [scene.scene_index for scene in scenes]).to(device)
    torch.manual_seed(config.seed)
    reasoner = Reasoner(config.model)
    reasoner.grounder.fit_whitening(observed.features[observed.objects].cpu())
    reasoner = reasoner.to(device)
    if device.type == "cuda":
        reasoner.dynamics.compile()
    curriculum = build(config, reasoner, observed, scenes, processes.process_index, processes.num_processes)
    return reasoner, Trainer(config, run, reasoner, curriculum, fingerprint(cache, scenes)).train()


def cache_folder(config: PCRConfig, run: Run) -> Path:
    return Path(config.cache) if config.cache is not None else run.out / FEATURES


def perceive(config: PCRConfig, run: Run) -> None:
    """Add to the feature cache what it lacks."""
    folder = cache_folder(config, run)
    if config.perceiver is None:
        if not folder.is_dir():
            raise ConfigError(
                f"{folder}: expected a feature cache (found none). Make it with comphy perceive and name it with "
                "cache=FOLDER, or name the run of a perceiver with perceiver=RUN."
            )
        return
    device = pick_device(config.device)
    perceiver = open_perceiver(Path(config.perceiver), device, lengths=open_source(run.data).lengths)
    key = cache_key(Path(config.perceiver), run.data, perceiver.tracking, config.frames)
    frames = run.frames(config.frames, perceiver.detector.size[0], str(device))
    with open_cache(folder, key, perceiver, run.data) as writer:
        fill(writer, perceiver, frames, choose_sets(run.data, "all"), run.report)


def fingerprint(cache: FeatureCache, scenes: Sequence[SceneQuestions]) -> str:
    """Of the questions and of the feature cache that are trained on."""
    return hashlib.sha256(f"{cache.key}{scenes}".encode()).hexdigest()

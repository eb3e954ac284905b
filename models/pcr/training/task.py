"""PCR as a task of tools/train.py: perceive what is not in the cache, teach the parser and all lessons, answer and
score."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import torch

from comphy.dataset.questions import read_questions, split_file
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.questions.model import SceneQuestions
from models.pcr.parser.parser import load_parser
from models.pcr.parser.questions import as_read
from models.pcr.parser.storage import PARSER
from models.pcr.parser.training.trainer import train_parser
from models.pcr.reasoner.answering import answer_scenes
from models.pcr.reasoner.checkpoint import load_reasoner
from models.pcr.reasoner.question_batches import observe
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.training.config import PCRConfig
from models.pcr.training.stages import LESSONS, Curriculum
from models.pcr.training.trainer import Progress, Teacher
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import cache_key, choose_sets, fill, open_cache
from models.perceiver.perceive import open_perceiver
from models.train.device import pick_device
from models.train.distributed import on_main, state
from models.train.run import Run, TrainingOutcome
from models.train.splits import answer_splits

CACHE: Final = "features"


def run_pcr(config: PCRConfig, run: Run) -> TrainingOutcome:
    device = pick_device(config.device)
    on_main(lambda: perceive(config, run))
    cache = FeatureCache(cache_folder(config, run))
    scenes, held_out = (read_questions(split_file(run.data, split, answers=True)) for split in ("train", "val"))
    reading = on_main(lambda: train_parser(config.parser, replace(run, out=run.out / PARSER), scenes, held_out))
    if not reading.finished(config.parser) or on_main(lambda: run.interrupted_by is not None):
        return run.stopped(f"at step {reading.step} of the parser")
    _, progress = teach(config, run, cache, scenes)
    if not progress.finished:
        return run.stopped(f"at step {progress.step} of lesson '{LESSONS[progress.lesson]}'")
    trained, parser = load_reasoner(run.out, device), load_parser(run.out / PARSER, device)

    def answer(questions: Sequence[SceneQuestions]) -> Submission:
        seen = observe(cache, [scene.scene_index for scene in questions]).to(device)
        return answer_scenes(trained, seen, as_read(parser, questions), config.evaluation_sets)

    return TrainingOutcome("Training finished: all lessons are taught.", on_main(lambda: answer_splits(answer, run)))


def teach(
    config: PCRConfig, run: Run, cache: FeatureCache, scenes: Sequence[SceneQuestions]
) -> tuple[Reasoner, Progress]:
    """All lessons, or as many as there is time for, from where the run stopped."""
    teachers, device = state(), pick_device(config.device)
    observed = observe(cache, [scene.scene_index for scene in scenes]).to(device)
    torch.manual_seed(config.seed)
    reasoner = Reasoner(config.model)
    reasoner.grounder.calibrate(observed.features[observed.objects].cpu())
    reasoner = reasoner.to(device)
    if device.type == "cuda":
        reasoner.dynamics.compile()
    curriculum = Curriculum(config, reasoner, observed, scenes, teachers.process_index, teachers.num_processes)
    return reasoner, Teacher(config, run, reasoner, curriculum, fingerprint(cache, scenes)).teach()


def cache_folder(config: PCRConfig, run: Run) -> Path:
    return Path(config.cache) if config.cache is not None else run.out / CACHE


def perceive(config: PCRConfig, run: Run) -> None:
    """Add to the feature cache what it lacks."""
    folder = cache_folder(config, run)
    if config.perceiver is None:
        if not folder.is_dir():
            raise ConfigError(
                f"{folder}: expected a feature cache (found none). Make it with tools/perceive.py and name it with "
                "cache=FOLDER, or name the run of a perceiver with perceiver=RUN."
            )
        return
    device = pick_device(config.device)
    perceiver = open_perceiver(Path(config.perceiver), device)
    key = cache_key(Path(config.perceiver), run.data, perceiver.tracking, config.frames)
    frames = run.frames(config.frames, perceiver.detector.size[0], str(device))
    with open_cache(folder, key, perceiver, run.data) as writer:
        fill(writer, perceiver, frames, choose_sets(run.data, "all"), run.report)


def fingerprint(cache: FeatureCache, scenes: Sequence[SceneQuestions]) -> str:
    """Of the questions and of the features that are learned from."""
    return hashlib.sha256(f"{cache.key}{scenes}".encode()).hexdigest()

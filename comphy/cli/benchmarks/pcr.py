"""A step of PCR's second training stage, and its executor by itself in two ways."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from comphy.choices import RendererName
from comphy.cli.benchmarks.timing import best, in_turns
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from models.pcr.executor.answers import ProgramBatch, answer_losses, asked_of, group, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.question_batches import is_factual, presupposed_facts
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed, observe
from models.pcr.tracks.tensor_trees import mapped
from models.pcr.training.config import PCRConfig
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from models.perceiver.truth import TrueBoxes

_WIDTH, _HEIGHT = 480, 320


def pcr(sets: int = 24) -> dict[str, float]:
    """Questions per second of a step of PCR's second stage on one core, scene and executor forward and backward; and
    the executor alone with all questions together against one question at a time."""
    torch.set_num_threads(1)
    work = question_batch_work(sets)
    work.step()
    together, one_by_one = in_turns(work.together, work.one_by_one)
    return {
        "questions": work.questions,
        "questions_per_s": work.questions / best(work.step, repeats=2),
        "executor_questions_per_s": work.questions / together,
        "ratio_to_one_by_one": one_by_one / together,
    }


@dataclass(frozen=True)
class QuestionBatchWork:
    """`step`: scene and executor, forward and backward. `together` and `one_by_one`: the executor alone, forward and
    backward, on a scene that is there already, with questions made ready beforehand."""

    questions: int
    step: Callable[[], None]
    together: Callable[[], None]
    one_by_one: Callable[[], None]


def question_batch_work(sets: int) -> QuestionBatchWork:
    """A batch as large as in training: all factual questions, and what premises take for granted, about the training
    sets of a small dataset, taken as often as is needed. True boxes and drawn features stand for perception, untrained
    weights for trained ones: neither changes the work."""
    config = PCRConfig()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        generate(Job(root, 0, RendererName.NONE, DatasetConfig()), sets=sets)
        made = open_source(root).questions("train")
        cache = true_features(
            root, Path(folder) / "cache", [scene.scene_index for scene in made], config.model.features
        )
        scenes = [made[row % len(made)] for row in range(config.hidden.sets)]
        observed = observe(cache, [scene.scene_index for scene in scenes])
    asked = [
        item
        for row, scene in enumerate(scenes)
        for question in (*filter(is_factual, scene.questions), *presupposed_facts(scene.questions))
        for item in asked_of(question, row)
    ]
    torch.manual_seed(0)
    reasoner = Reasoner(config.model)
    with torch.no_grad():
        given = replace(reasoner.scene(observed), imagination=None)
    batch, alone = group(asked), [group([item]) for item in asked]
    return QuestionBatchWork(
        len(asked),
        lambda: _step(reasoner, observed, batch),
        lambda: _ask(given, [batch]),
        lambda: _ask(given, alone),
    )


def _step(reasoner: Reasoner, observed: Observed, batch: ProgramBatch) -> None:
    reasoner.zero_grad(set_to_none=True)
    answer_losses(batch, run(batch, reasoner.scene(observed))).mean().backward()


def _ask(scene: SoftScene, batches: list[ProgramBatch]) -> None:
    learned = mapped(scene, lambda tensor: tensor.detach().requires_grad_(tensor.is_floating_point()))
    torch.cat([answer_losses(batch, run(batch, learned)) for batch in batches]).mean().backward()


def true_features(root: Path, folder: Path, sets: list[int], features: int, dataset: str = "bench") -> FeatureCache:
    """A cache of true boxes with random features; `dataset` is the fingerprint that it is known by."""
    boxes, rng = TrueBoxes(open_source(root), _WIDTH), np.random.default_rng(0)
    key, shape = CacheKey("true boxes", dataset, {}), CacheShape(width=_WIDTH, height=_HEIGHT, features=features)
    with CacheWriter(folder, key, shape, sets) as writer:
        for index in sets:
            target, *references = (_video(boxes.video(index, name), features, rng) for name in STANDARD.videos)
            owners = np.full((len(references), max(map(len, references))), -1)
            for row, name in zip(owners, STANDARD.videos[1:], strict=True):
                ids = boxes.object_ids(index, name)
                row[: len(ids)] = ids
            writer.add(PerceivedSet(index, _WIDTH, _HEIGHT, target, tuple(references), owners))
    return FeatureCache(folder)


def _video(true: VideoBoxes, features: int, rng: np.random.Generator) -> PerceivedVideo:
    found = true.boxes
    looks = rng.standard_normal((found.shape[1], features)).astype(np.float32)
    return PerceivedVideo(found, (found != 0).any(axis=-1), looks)

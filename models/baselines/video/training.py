"""Any video baseline as a task: describe frames once, train on questions, answer with the best weights, and score."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from torch import Tensor, nn

from comphy.config import to_plain
from comphy.dataset.sources.opening import open_source
from comphy.errors import did_you_mean
from comphy.files import write_json
from models.baselines.answering import TrainedBaseline
from models.baselines.blind.lstm import LSTMSize
from models.baselines.blind.training import BlindData, prepare
from models.baselines.contract import answer_all
from models.baselines.training import (
    AnswerProgress,
    AnswerTraining,
    EarlyStoppingMetric,
    Examples,
    TrainableModel,
    TrainingConfig,
    check_config,
)
from models.baselines.video.features import FrameFeatureShape, fill_features
from models.baselines.video.network import build_network
from models.baselines.video.settings import FrameSettings, NetworkName, Shown
from models.baselines.video.tracks import PLACE, open_tracks
from models.baselines.video.views import SetFeatures, Views, VisualFeatures, shown_shape
from models.train.checkpoint import load_tensors, load_weights, save_tensors
from models.train.device import pick_device
from models.train.randomness import seeded
from models.train.run import Run, TrainingOutcome
from models.train.splits import answer_splits

DESCRIPTION: Final = "model.json"
WEIGHTS: Final = "model.safetensors"
FEATURES: Final = "frame_features"  # the cache in a run's folder


class VideoConfig(TrainingConfig, Protocol):
    """What the config of every video baseline has; of `frames` come the features, which `cache` keeps."""

    @property
    def task(self) -> str: ...

    @property
    def device(self) -> str: ...

    @property
    def target(self) -> bool:
        """Whether the target video is shown."""
        ...

    @property
    def references(self) -> bool:
        """Whether the reference videos are shown."""
        ...

    @property
    def cue(self) -> str:
        """Which of the frames are shown."""
        ...

    @property
    def cache(self) -> str | None:
        """Folder of frame features, by default in the run's folder, or of perceived sets; several runs may share it."""
        ...

    @property
    def warmup_steps(self) -> int:
        """Over which the learning rate rises."""
        ...

    @property
    def bf16(self) -> bool:
        """Mixed precision, on GPUs only."""
        ...

    @property
    def early_stopping_metric(self) -> str:
        """What the best epoch is best in."""
        ...

    @property
    def frames(self) -> FrameSettings: ...


def check_video(config: VideoConfig) -> None:
    """Raises ValueError for values that nothing can be trained with."""
    check_config(config)
    shown_of(config)
    if config.warmup_steps < 0:
        raise ValueError(f"expected warmup_steps of at least 0 (got {config.warmup_steps})")
    metric, known = config.early_stopping_metric, set(EarlyStoppingMetric)
    if metric not in known:
        raise ValueError(f"unknown early_stopping_metric '{metric}'; {did_you_mean(metric, known)}")


def shown_of(config: VideoConfig) -> Shown:
    return Shown(config.target, config.references, config.cue)


@dataclass(frozen=True)
class Interface:
    """What a model is built for: the words by their ids, how many answers there are, what it is shown, the mean and standard
    deviation of each feature, whether cells are objects rather than places, and how many of the last features of a cell
    tell its place."""

    words: Sequence[str]
    answers: int
    shape: FrameFeatureShape
    shown: Shown
    mean: Tensor
    std: Tensor
    of_objects: bool = False
    place: int = 0

    @property
    def videos(self) -> int:
        """How many videos are shown."""
        return int(self.shown.target) + (self.shape.references if self.shown.references else 0)


Build = Callable[[Interface], nn.Module]


class Standardize(nn.Module):
    """Features with a mean of 0 and a variance of 1 over the training frames. Features that never vary become 0."""

    def __init__(self, mean: Tensor, std: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("scale", torch.where(std > 1e-4 * mean.abs() + 1e-6, 1 / std.clamp(min=1e-6), 0.0))

    def forward(self, features: Tensor) -> Tensor:
        standard: Tensor = (features - self.get_buffer("mean")) * self.get_buffer("scale")
        return standard


def run_video(config: VideoConfig, run: Run, build: Build, name: str) -> TrainingOutcome:
    """Train a video baseline; unless a signal came, answer with the best weights so far, if an epoch was finished.

    Args:
        config: settings of frames and training.
        run: where to read and write.
        build: makes the model, whose `forward` takes tokens [B, T], lengths [B] and what `Views` gives, and returns
            `Logits`.
        name: of the model, for messages.
    """
    visual = look(config, run)
    if visual is None:
        return run.stopped("while describing frames")
    seen = f"Seen: {visual.described}."
    train, val = (open_source(run.data).questions(split) for split in ("train", "val"))
    fitted = fit_video(config, run, visual, prepare(train, val, LSTMSize(), name), build, name)
    progress = fitted.progress
    reached = f"{progress.epoch} epochs, the best is epoch {progress.best_epoch}"
    if run.interrupted_by is not None or not progress.best_epoch:
        return run.stopped(f"after {progress.epoch} epochs, at batch {progress.batch} of the next")
    reports = answer_splits(partial(answer_all, fitted.baseline()), run)
    if progress.finished(config):
        return TrainingOutcome(f"Training finished: {reached}. {seen}", reports)
    outcome = run.stopped(f"after {reached}", reports)
    return replace(outcome, note=f"{outcome.note} {seen}")


def look(config: VideoConfig, run: Run) -> VisualFeatures | None:
    """The features that a config names, of all sets; None if the run must stop before they are computed."""
    frames = config.frames
    if frames.network == NetworkName.TRACKS:
        return VisualFeatures(
            open_tracks(config.cache, frames, run.data), f"the objects tracked in {config.cache}", True, PLACE
        )
    network = build_network(frames)
    folder = Path(config.cache) if config.cache is not None else run.out / FEATURES
    cache = fill_features(folder, frames, network, run, pick_device(config.device))
    if cache is None:
        return None
    grid = f" in a grid of {frames.rows}x{frames.columns}" if frames.rows * frames.columns > 1 else ""
    return VisualFeatures(cache, f"frame features{grid} of {network.described}", frames.of_objects)


@dataclass(frozen=True)
class Fitted:
    """A model after training, and how far that came; the best weights are in the folder of the `run`."""

    progress: AnswerProgress
    run: Run
    data: BlindData
    module: nn.Module
    views: Views
    bf16: bool = False

    def baseline(self) -> TrainedBaseline:
        """With the best weights."""
        weights, _ = load_tensors(self.run.out / WEIGHTS)
        load_weights(self.module, weights, self.run.out / WEIGHTS)
        description = self.data.description
        return TrainedBaseline(description.vocabulary(), description.answers, self.module, self.views, self.bf16)


def fit_video(
    config: VideoConfig, run: Run, visual: VisualFeatures, data: BlindData, build: Build, name: str
) -> Fitted:
    """Train on features until finished or stopped."""
    device, shown = pick_device(config.device), shown_of(config)
    views = Views(visual.features, visual.features.indices(), shown, device)
    statistics = views.statistics(data.train.scenes.tolist())
    told = (data.description.words, len(data.description.answers))
    shape = shown_shape(visual.features.shape, shown)
    with seeded(config.seed, 0):
        module = build(Interface(*told, shape, shown, *statistics, visual.of_objects, visual.place)).to(device)
    fingerprint = _fingerprint(config, data, visual.features)

    def keep() -> None:
        save_tensors(run.out / WEIGHTS, module.state_dict(), fingerprint)

    model = TrainableModel(name, module, keep, views, config.warmup_steps, config.bf16, config.early_stopping_metric)
    training = AnswerTraining(config, model, Examples(data.train, data.val, fingerprint), run)
    write_json(run.out / DESCRIPTION, _description(config, data, shape), indent=1)
    return Fitted(training.run(), run, data, module, views, config.bf16)


def _fingerprint(config: VideoConfig, data: BlindData, features: SetFeatures) -> dict[str, Any]:
    """Of the examples, the sets they are about, and what is shown of them: what a checkpoint belongs to."""
    about = hashlib.sha256(data.train.scenes.numpy().tobytes() + data.val.scenes.numpy().tobytes())
    key = features.key
    return {
        "model": config.task,
        "shown": to_plain(shown_of(config)),
        "examples": [*data.fingerprint(), about.hexdigest()],
        "features": {"checkpoint": key.checkpoint, "dataset": key.dataset, "settings": dict(key.settings)},
    }


def _description(config: VideoConfig, data: BlindData, shape: FrameFeatureShape) -> dict[str, Any]:
    """What a model consists of beside its weights and the run's config."""
    return {
        "model": config.task,
        "words": data.description.words,
        "answers": data.description.answers,
        "features": to_plain(shape),
    }

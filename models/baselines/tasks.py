"""The baselines as tasks: read a dataset's questions, train if there is something to train, answer, and score."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from comphy.config import to_plain
from comphy.dataset.sources.opening import open_source
from comphy.files import write_json
from models.baselines.blind.lstm import load_blind
from models.baselines.blind.training import BlindLSTMConfig, fit, prepare
from models.baselines.contract import QABaseline, answer_all
from models.baselines.frequent import count_frequent
from models.baselines.random_guess import RandomGuess
from models.train.metrics import MetricLog
from models.train.run import Run, TrainingOutcome
from models.train.splits import answer_splits

FREQUENT: Final = "model.json"


@dataclass(frozen=True)
class RandomConfig:
    task: str = "random"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"expected a seed of at least 0 (got {self.seed})")


@dataclass(frozen=True)
class FrequentConfig:
    task: str = "frequent"


def run_random(config: RandomConfig, run: Run) -> TrainingOutcome:
    return _untrained(RandomGuess(config.seed), run, "Nothing to train: every answer is drawn.")


def run_frequent(config: FrequentConfig, run: Run) -> TrainingOutcome:
    frequent = count_frequent(open_source(run.data).questions("train"))
    write_json(run.out / FREQUENT, to_plain(frequent), indent=1)
    return _untrained(frequent, run, f"Counted the training answers: {run.out / FREQUENT}.")


def run_blind_lstm(config: BlindLSTMConfig, run: Run) -> TrainingOutcome:
    """Train; unless a signal came, answer with the best weights so far, if an epoch was finished."""
    train, val = (open_source(run.data).questions(split) for split in ("train", "val"))
    progress = fit(config, prepare(train, val, config.model), run)
    reached = f"{progress.epoch} epochs, the best is epoch {progress.best_epoch}"
    if run.interrupted_by is not None or not progress.best_epoch:
        return run.stopped(f"after {progress.epoch} epochs, at batch {progress.batch} of the next")
    reports = answer_splits(partial(answer_all, load_blind(run.out)), run)
    if progress.finished(config):
        return TrainingOutcome(f"Training finished: {reached}.", reports)
    return run.stopped(f"after {reached}", reports)


def _untrained(baseline: QABaseline, run: Run, note: str) -> TrainingOutcome:
    """Answer and score; a baseline without training logs its scores as step 0."""
    reports = answer_splits(partial(answer_all, baseline), run)
    with MetricLog(run.out, done=-1) as log:
        columns = {
            f"{split}/{name}": one for split, report in reports.items() for name, one in report.columns().items()
        }
        log.log(0, {name: accuracy.value for name, accuracy in columns.items() if accuracy})
    return TrainingOutcome(note, reports)

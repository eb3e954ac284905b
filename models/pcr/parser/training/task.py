"""The parser as a task of its own: it needs questions and their programs, and nothing that was perceived."""

from dataclasses import dataclass, field
from typing import Final

from comphy.dataset.sources.opening import open_source
from models.pcr.parser.training.trainer import ParserConfig, TrainingState, train_parser
from models.train.run import Run, TrainingOutcome

TASK: Final = "parser"


@dataclass(frozen=True)
class ParserTaskConfig:
    """The keys are those of PCR's configs, of which this is the part that is the parser's."""

    task: str = TASK
    parser: ParserConfig = field(default_factory=ParserConfig)

    def __post_init__(self) -> None:
        if self.parser.weights is not None:
            raise ValueError(f"expected no parser.weights where a parser is trained (got {self.parser.weights})")


def run_parser(config: ParserTaskConfig, run: Run) -> TrainingOutcome:
    """Train the parser in the run's folder; `parser.weights=FOLDER` of PCR's configs then takes it."""
    scenes, held_out = (open_source(run.data).questions(split) for split in ("train", "val"))
    state = train_parser(config.parser, run, scenes, held_out)
    if not state.finished(config.parser) or run.interrupted_by is not None:
        return run.stopped(f"at step {state.step}")
    return TrainingOutcome(_note(state))


def _note(state: TrainingState) -> str:
    return (
        f"Training finished: at step {state.best_step} {100 * state.best_match:.1f} % of the validation sentences, those in "
        "words and frames that training never has among them, were read exactly."
    )

"""Every task that comphy train can run, by name. A new task is one more entry here; nothing below imports this module.

A task's modules, and torch with them, are imported when the task is chosen: listing names and printing help stays fast.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from comphy.config import load_config, read_yaml
from comphy.errors import ComphyError, ConfigError, DatasetError, did_you_mean
from comphy.files import disk_errors

if TYPE_CHECKING:
    from models.train.run import Run, TrainingOutcome


@dataclass(frozen=True)
class Task:
    """Names, as `module:attribute`, of a task's config class and of the function that trains it.

    The config is a dataclass whose `task` is the name of the task; the function takes it and a Run. `distributed`: several
    processes may train it together.
    """

    config_name: str
    train_name: str
    distributed: bool = False
    data_command: str = "comphy generate"  # what makes its data

    @property
    def config(self) -> type[Any]:
        """The config class."""
        found: type[Any] = _imported(self.config_name)
        return found

    @property
    def train(self) -> "Callable[[Any, Run], TrainingOutcome]":
        """The function that trains the task."""
        found: Callable[[Any, Run], TrainingOutcome] = _imported(self.train_name)
        return found


TASKS: Final[dict[str, Task]] = {
    "random": Task("models.baselines.tasks:RandomConfig", "models.baselines.tasks:run_random"),
    "frequent": Task("models.baselines.tasks:FrequentConfig", "models.baselines.tasks:run_frequent"),
    "blind_lstm": Task("models.baselines.blind.training:BlindLSTMConfig", "models.baselines.tasks:run_blind_lstm"),
    "cnn_lstm": Task("models.baselines.cnn_lstm:CNNLSTMConfig", "models.baselines.cnn_lstm:run_cnn_lstm"),
    "hcrn": Task("models.baselines.hcrn:HCRNConfig", "models.baselines.hcrn:run_hcrn"),
    "mac": Task("models.baselines.mac:MACConfig", "models.baselines.mac:run_mac"),
    "aloe": Task("models.baselines.aloe:ALOEConfig", "models.baselines.aloe:run_aloe"),
    "alpro": Task("models.baselines.alpro:ALPROConfig", "models.baselines.alpro:run_alpro"),
    "monet": Task("models.baselines.monet.training:MONetConfig", "models.baselines.monet.training:run_monet"),
    "cpl": Task("models.baselines.cpl.task:CPLConfig", "models.baselines.cpl.task:run_cpl"),
    "lvlm": Task("models.baselines.lvlm.config:LVLMConfig", "models.baselines.lvlm.task:run_lvlm"),
    "perceiver": Task(
        "models.perceiver.training.trainer:PerceiverConfig", "models.perceiver.training.task:run_perceiver"
    ),
    "phyq_learner": Task(
        "models.agents.phyq.learners.config:LearnerConfig",
        "models.agents.phyq.learners.runs:run_learner",
        data_command="comphy phyq simulate",
    ),
    "parser": Task("models.pcr.parser.training.task:ParserTaskConfig", "models.pcr.parser.training.task:run_parser"),
    "pcr": Task("models.pcr.training.config:PCRConfig", "models.pcr.training.task:run_pcr", distributed=True),
}


def load_task(path: Path, overrides: Sequence[str] = ()) -> tuple[Task, Any]:
    """The task that a YAML file names, and the file as that task's config.

    Args:
        path: a YAML file with `task: NAME`.
        overrides: changes such as `training.steps=10`.

    Raises:
        ConfigError: an unknown task, an unusable file, or a bad key or value.
    """
    name = _task_name(path)
    if name not in TASKS:
        raise ConfigError(f"{path}: unknown task '{name}'; {did_you_mean(name, TASKS)}")
    task = TASKS[name]
    config = load_config(task.config, path, overrides)
    if config.task != name:
        raise ConfigError(f"task={config.task}: the task cannot be overridden. Use a config of that task.")
    return task, config


def train(task: Task, config: Any, run: "Run") -> "TrainingOutcome":
    """Train a task in the run's folder, from its last checkpoint if there is one.

    Raises:
        DatasetError: the dataset is not there.
        ConfigError: the folder holds a run with another config, or several processes were started for a task of one.
    """
    from models.train.distributed import is_main, on_main, state
    from models.train.run import claim_folder, release_folder

    if not run.data.is_dir():
        raise DatasetError(f"{run.data}: no such dataset. Make one with {task.data_command}, or choose another --data.")
    if not task.distributed and state().num_processes > 1:
        raise ConfigError(
            f"task {config.task}: expected one process (found {state().num_processes} that were started together). Run "
            "comphy train without torchrun or accelerate launch."
        )
    with disk_errors(run.out):
        on_main(lambda: claim_folder(run, config))
        try:
            return task.train(config, run)
        except ComphyError:
            if is_main():
                release_folder(run)
            raise


def _imported(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def _task_name(path: Path) -> str:
    if not path.is_file():
        raise ConfigError(f"{path}: no such config file. Those that ship with the toolkit are in configs/.")
    values = read_yaml(path)
    name = values.get("task") if isinstance(values, dict) else None
    if not isinstance(name, str):
        raise ConfigError(f"{path}: expected `task: NAME` with one of: {', '.join(sorted(TASKS))} (got {name!r}).")
    return name

"""Every task that tools/train.py can run: its config and what trains it. A new task is one more entry here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from comphy.config import load_config
from comphy.dataset.files import disk_errors
from comphy.errors import ConfigError, DatasetError, did_you_mean
from models.baselines.blind_training import BlindLSTMConfig
from models.baselines.tasks import FrequentConfig, RandomConfig, run_blind_lstm, run_frequent, run_random
from models.pcr.training.config import PCRConfig
from models.pcr.training.task import run_pcr
from models.perceiver.training.task import run_perceiver
from models.perceiver.training.trainer import PerceiverConfig
from models.train.processes import led, team
from models.train.run import Outcome, Run, claim


@dataclass(frozen=True)
class Task:
    """`train` is called with an instance of `config`, a dataclass whose `task` is the name of the task. `shared`: by all
    processes, if several were started together."""

    config: type[Any]
    train: Callable[[Any, Run], Outcome]
    shared: bool = False


TASKS: Final[dict[str, Task]] = {
    "random": Task(RandomConfig, run_random),
    "frequent": Task(FrequentConfig, run_frequent),
    "blind_lstm": Task(BlindLSTMConfig, run_blind_lstm),
    "perceiver": Task(PerceiverConfig, run_perceiver),
    "pcr": Task(PCRConfig, run_pcr, shared=True),
}


def load_task(path: Path, overrides: Sequence[str] = ()) -> tuple[Task, Any]:
    """The task that a YAML file names, and the file as that task's config."""
    name = _task_name(path)
    if name not in TASKS:
        raise ConfigError(f"{path}: unknown task '{name}'; {did_you_mean(name, TASKS)}")
    task = TASKS[name]
    config = load_config(task.config, path, overrides)
    if config.task != name:
        raise ConfigError(f"task={config.task}: the task cannot be overridden. Use a config of that task.")
    return task, config


def _task_name(path: Path) -> str:
    if not path.is_file():
        raise ConfigError(f"{path}: no such config file. Those that ship with the toolkit are in configs/.")
    try:
        values = yaml.safe_load(path.read_text())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a usable config ({error}). Expected YAML with `key: value` lines.") from None
    name = values.get("task") if isinstance(values, dict) else None
    if not isinstance(name, str):
        raise ConfigError(f"{path}: expected `task: NAME` with one of: {', '.join(sorted(TASKS))} (got {name!r}).")
    return name


def train(task: Task, config: Any, run: Run) -> Outcome:
    """Run a task in its folder."""
    if not run.data.is_dir():
        raise DatasetError(f"{run.data}: no such dataset. Make one with tools/generate.py, or choose another --data.")
    if not task.shared and team().num_processes > 1:
        raise ConfigError(
            f"task {config.task}: expected one process (found {team().num_processes} that were started together). Run "
            "tools/train.py without torchrun or accelerate launch."
        )
    with disk_errors(run.out):
        led(lambda: claim(run, config))
        return task.train(config, run)

"""All networks of a set-up in one run's folder, each in a folder of its own: trained, written, and read back."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from torch import nn

from comphy.choices import Generalisation
from comphy.config import build, to_plain
from comphy.damage import reading
from comphy.errors import ConfigError, DatasetError, did_you_mean
from comphy.puzzles.phyq.benchmark.contract import View
from comphy.puzzles.phyq.benchmark.setups import training_tasks
from comphy.puzzles.phyq.plays.store import PlayStore
from comphy.puzzles.phyq.tasks.task import Task, load_tasks, read_tasks
from comphy.puzzles.phyq.templates.published import load_templates
from models.agents.phyq.learners.config import LearnerConfig, NetworkKind, NetworkSettings
from models.agents.phyq.learners.experience import read_experience
from models.agents.phyq.learners.networks import make_network
from models.agents.phyq.learners.packing import packed, unpacked
from models.agents.phyq.learners.training import LearnerTraining
from models.train.checkpoint import load_facts, load_tensors, load_weights, save_tensors
from models.train.run import Run, TrainingOutcome

MODEL: Final = "network.safetensors"
KIND: Final = "comphy Phy-Q learner"
FOR_ALL: Final = "all"


def network_name(setup: Generalisation, shared_network: bool, template_id: str) -> str:
    """Of the network that plays a template."""
    if shared_network:
        return FOR_ALL
    return template_id if setup is Generalisation.LOCAL else template_id.partition(".")[0]


def training_groups(config: LearnerConfig) -> dict[str, list[Task]]:
    """The networks of a run by name, and the tasks that each learns from. Raises `ConfigError` if `only` names others."""
    known = read_tasks(Path(config.tasks)) if config.tasks else load_tasks()
    groups: dict[str, list[Task]] = {}
    templates, first = load_templates().values(), config.tasks_per_template
    for task in training_tasks(config.generalisation, templates, known.values(), first):
        name = network_name(config.generalisation, config.shared_network, task.template_id)
        groups.setdefault(name, []).append(task)
    only = [f"{number:g}" for number in config.only]
    for name in only:
        if name not in groups:
            raise ConfigError(
                f"only={name}: expected a network of the set-up {config.setup} with training tasks (got '{name}'); "
                f"{did_you_mean(name, groups)}"
            )
    return {name: group for name, group in groups.items() if not only or name in only}


def run_learner(config: LearnerConfig, run: Run) -> TrainingOutcome:
    """Train all networks of a config, one after the other; those that are finished are left as they are."""
    groups = training_groups(config)
    store, shares = PlayStore(run.data), dict[str, float]()
    for number, (name, tasks) in enumerate(groups.items(), 1):
        share = train_network(config, run, name, tasks, store)
        if share is None:
            return run.stopped(f"in network {name}, {number} of {len(groups)}")
        shares[name] = share
    told = ", ".join(f"{name}: {share:.2f}" for name, share in shares.items())
    return TrainingOutcome(f"Training finished. Share of training tasks that a network's first shot wins: {told}.")


def train_network(config: LearnerConfig, run: Run, name: str, tasks: list[Task], store: PlayStore) -> float | None:
    """Train one network in its folder of the run's, unless it is finished.

    Returns:
        The share of its training tasks that its first shot wins; None if the run had to stop before it was finished.
    """
    folder = run.out / name
    if (folder / MODEL).is_file():
        return float(load_facts(folder / MODEL)["greedy_share"])
    training = LearnerTraining(config, read_experience(store, tasks, config.plays), replace(run, out=folder))
    if training.run() < training.steps:
        return None
    share = training.greedy_share()
    facts = {
        "kind": KIND,
        "settings": to_plain(config.network),
        "learned_from": [task.id for task in tasks],
        "greedy_share": share,
    }
    save_tensors(folder / MODEL, packed(training.network.state_dict()), facts)
    training.remove_checkpoint()
    return share


def learned_from(folder: Path, name: str) -> frozenset[str]:
    """Ids of the tasks that a network of a run has learned from."""
    path = folder / name / MODEL
    with reading(path):
        return frozenset(load_facts(path)["learned_from"])


def read_network(folder: Path, name: str, kind: NetworkKind) -> nn.Module:
    """Read the weights that `train_network` has written.

    Raises:
        DatasetError: no weights, damaged ones, or those of a network that sees something else.
    """
    path = folder / name / MODEL
    weights, facts = load_tensors(path)
    settings = _settings(path, facts)
    found = NetworkKind(settings.kind)
    if found is not kind:
        raise DatasetError(
            f"{path}: expected the weights of {kind}, which sees {_seen(kind)} (got those of {found}, which sees "
            f"{_seen(found)}). Keep the files of one run together."
        )
    network = make_network(settings)
    load_weights(network, unpacked(weights), path)
    return network.eval()


def _seen(kind: NetworkKind) -> str:
    return "screenshots" if kind.view is View.IMAGE else "planes"


def _settings(path: Path, facts: dict[str, Any]) -> NetworkSettings:
    if facts.get("kind") != KIND:
        raise DatasetError(f"{path}: expected the weights of a {KIND} (got {facts.get('kind')!r}).")
    with reading(path):
        return build(NetworkSettings, facts["settings"], str(path))

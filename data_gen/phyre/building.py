"""Builds the benchmark: the choice of each template's tasks, kept in a folder while it is under way.

One file of JSON lines a template: what its choice depends on, then one line for each candidate that was tried. A killed
build goes on after its last whole line; a template that has changed since is begun anew.
"""

import inspect
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path

from comphy.cluster import run_on_ray
from comphy.dataset.files import write_bytes
from comphy.errors import DatasetError
from comphy.processes import process_pool
from comphy.puzzles.phyre.benchmark.tasks import Task, write_tasks
from comphy.puzzles.phyre.templates.template import Template, find_template, templates_of
from comphy.puzzles.phyre.world.actions import Tier
from comphy.sim.bullet import Engine
from data_gen.phyre.certifying import flaws
from data_gen.phyre.search import Effort
from data_gen.phyre.selection import TASKS, Outcome, Trial, chosen, tasks_among, trials, wanted


@dataclass(frozen=True)
class Progress:
    """Of one template: tasks found so far of those that are wanted, and candidates tried."""

    template_id: str
    tasks: int
    wanted: int
    tried: int


def build(
    templates: Sequence[Template],
    folder: Path,
    effort: Effort,
    workers: int,
    report: Callable[[Progress], None],
    ray_address: str | None = None,
) -> None:
    """Choose the tasks of all templates, each by one process, or by one actor of a Ray cluster."""
    folder.mkdir(parents=True, exist_ok=True)
    if ray_address is not None:
        ids = [template.id for template in templates]
        for progress in run_on_ray(TemplateWorker, (folder.resolve(), effort), ids, workers, ray_address):
            report(progress)
        return
    if workers == 1:
        for template in templates:
            for progress in go_on(template, folder, effort):
                report(progress)
        return
    with process_pool(workers) as pool:
        worker = TemplateWorker(folder, effort)
        running = [pool.submit(worker.make, template.id) for template in templates]
        for finished in as_completed(running):
            report(finished.result())


@dataclass(frozen=True)
class TemplateWorker:
    """Chooses the tasks of one template after the other."""

    folder: Path
    effort: Effort

    def make(self, template_id: str) -> Progress:
        *_, last = go_on(find_template(template_id), self.folder, self.effort)
        return last


def go_on(template: Template, folder: Path, effort: Effort) -> Iterator[Progress]:
    """Try candidates until there are enough tasks; every trial is on disk before the next begins."""
    path = records_file(folder, template)
    known = read_trials(path, template, effort)
    yield _progress(template, known)
    with path.open("a") as file:
        for trial in trials(template, known, effort):
            known.append(trial)
            file.write(json.dumps(asdict(trial)) + "\n")
            file.flush()
            yield _progress(template, known)


def records_file(folder: Path, template: Template) -> Path:
    return folder / f"{template.id}.jsonl"


def read_trials(path: Path, template: Template, effort: Effort) -> list[Trial]:
    """What was tried; a line that was cut off is taken away, a file of another template or effort begun anew."""
    head = _head(template, effort)
    lines = path.read_text().splitlines(keepends=True) if path.is_file() else []
    whole = [line for line in lines if line.endswith("\n")]
    if not whole or whole[0] != head:
        whole = [head]
    if whole != lines:
        write_bytes(path, "".join(whole).encode())
    return [_trial(json.loads(line)) for line in whole[1:]]


def _head(template: Template, effort: Effort) -> str:
    return json.dumps({"template": template.id, "of": fingerprint(template), "effort": asdict(effort)}) + "\n"


def fingerprint(template: Template) -> str:
    """Of the template's code and domain: with another, another choice would have been made."""
    text = f"{inspect.getsource(template.build)}{sorted(template.domain.items())}{template.rules}"
    return sha256(text.encode()).hexdigest()[:16]


def _trial(record: dict[str, object]) -> Trial:
    fields = dict(record)
    solution = fields["solution"]
    fields |= {"outcome": Outcome(str(fields["outcome"])), "solution": tuple(solution) if solution else None}  # type: ignore[arg-type]
    return Trial(**fields)  # type: ignore[arg-type]


def _progress(template: Template, known: Sequence[Trial]) -> Progress:
    return Progress(template.id, len(tasks_among(known)), wanted(template, known), len(known))


def prove_again(template_id: str, folder: Path, effort: Effort) -> int:
    """Run what was found elsewhere on this machine, whose last bits may differ, and strike out what does not hold here.
    Gives the number of those; the build then looks for others."""
    template = find_template(template_id)
    path = records_file(folder, template)
    if not path.is_file():
        return 0
    if not path.read_text().startswith(_head(template, effort)):
        raise DatasetError(
            f"{path}: expected records of template {template.id} as it is in this version, with the efforts of its tier "
            "(found others). Prove them with the version that made them, or build anew."
        )
    known = read_trials(path, template, effort)
    with Engine() as engine:
        proved = [_proved(template, trial, engine) for trial in known]
    if proved != known:
        rows = "".join(json.dumps(asdict(trial)) + "\n" for trial in proved)
        write_bytes(path, (_head(template, effort) + rows).encode())
    return sum(one != other for one, other in zip(known, proved, strict=True))


def _proved(template: Template, trial: Trial, engine: Engine) -> Trial:
    if trial.outcome is not Outcome.TASK or trial.solution is None:
        return trial
    task = Task(f"{template.id}:{trial.number:03d}", trial.parameters, trial.solution)
    return replace(trial, outcome=Outcome.FRAGILE) if any(flaws(task, engine)) else trial


@dataclass(frozen=True)
class Summary:
    """Of one template: what became of its candidates, and the share of random actions that solve its tasks stably."""

    template: Template
    outcomes: Counter[Outcome]
    solved_at_random: float

    @property
    def complete(self) -> bool:
        return self.outcomes[Outcome.TASK] >= TASKS


def summarize(template: Template, folder: Path, effort: Effort) -> Summary:
    known = read_trials(records_file(folder, template), template, effort)
    tasks = tasks_among(known)
    share = sum(one.stable for one in tasks) / max(1, sum(one.probed for one in tasks))
    last = {one.number: one.outcome for one in known}
    return Summary(template, Counter(last.values()), share)


def write_chosen(path: Path, tier: Tier, folder: Path, effort: Effort, workers: int = 1) -> None:
    """The task list of a tier whose templates are complete; thinning them out takes half a minute each."""
    summaries = [summarize(template, folder, effort) for template in templates_of(tier)]
    missing = [one.template.id for one in summaries if not one.complete]
    if missing:
        raise DatasetError(
            f"{folder}: expected {TASKS} tasks of every template (found fewer of {', '.join(missing)}). "
            "Run tools/phyre.py build to the end, or widen the domains of these templates."
        )
    with process_pool(workers) as pool:
        tasks = list(pool.map(_tasks, [one.template.id for one in summaries], repeat(folder), repeat(effort)))
    write_tasks(path, tier, chain.from_iterable(tasks))


def _tasks(template_id: str, folder: Path, effort: Effort) -> list[Task]:
    template = find_template(template_id)
    known = read_trials(records_file(folder, template), template, effort)
    found = []
    for number, trial in enumerate(chosen(template, known)):
        assert trial.solution is not None
        found.append(Task(f"{template.id}:{number:03d}", trial.parameters, trial.solution))
    return found

"""Builds the benchmark: selects the tasks of each template and keeps a record of every candidate in a folder.

One JSON-lines file a template: a header with what the selection depends on, then one line for each candidate that was
tried. A killed build goes on after its last whole line; a template that has changed since is begun anew.
"""

import inspect
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from comphy.errors import DatasetError
from comphy.files import write_bytes
from comphy.processes import process_pool
from comphy.puzzles.phyre.benchmark.tasks import Task, write_tasks
from comphy.puzzles.phyre.templates.template import Template, find_template, templates_of
from comphy.puzzles.phyre.world.actions import Tier
from comphy.sim.bullet import Engine
from comphy.temporaries import clear_temporaries
from data_gen.phyre.certify import flaws
from data_gen.phyre.search import Effort
from data_gen.phyre.selection import TASKS, CandidateTrial, SelectionOutcome, chosen, tasks_among, trials, wanted
from data_gen.task_lists import BuildProgress, TemplateWorker, choose_tasks

# What the counts of an effort are called in records of version 0.1.
_EFFORT_0_1: Final = {
    "borrowed": "sibling_tries",
    "patience": "extra_random",
    "climbed": "hill_climbing_runs",
    "alone": "single_ball_tries",
}


def build(
    templates: Sequence[Template],
    folder: Path,
    effort: Effort,
    workers: int,
    report: Callable[[BuildProgress], None],
    ray_address: str | None = None,
) -> None:
    """Select the tasks of all templates, each in one process, or in one actor of a Ray cluster."""
    folder.mkdir(parents=True, exist_ok=True)
    worker = TemplateWorker(partial(_go_on_with, folder=folder.resolve(), effort=effort))
    choose_tasks(worker, [template.id for template in templates], workers, report, ray_address)


def _go_on_with(template_id: str, folder: Path, effort: Effort) -> Iterator[BuildProgress]:
    return go_on(find_template(template_id), folder, effort)


def go_on(template: Template, folder: Path, effort: Effort) -> Iterator[BuildProgress]:
    """Try candidates until there are enough tasks; every record is on disk before the next trial begins."""
    path = records_file(folder, template)
    clear_temporaries(folder)
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


def read_trials(path: Path, template: Template, effort: Effort) -> list[CandidateTrial]:
    """The records of a file. A line that was cut off is removed; a file of another template or effort is begun anew."""
    header = _header(template, effort)
    lines = path.read_text().splitlines(keepends=True) if path.is_file() else []
    whole = [line for line in lines if line.endswith("\n")]
    if not whole or not _is_of(whole[0], template, effort):
        whole = []
    whole[:1] = [header]
    if whole != lines:
        write_bytes(path, "".join(whole).encode())
    return [_trial(json.loads(line)) for line in whole[1:]]


def _header(template: Template, effort: Effort) -> str:
    return json.dumps({"template": template.id, "of": fingerprint(template), "effort": asdict(effort)}) + "\n"


def _is_of(header: str, template: Template, effort: Effort) -> bool:
    """Whether records with this header were made of the template as it is, with this effort."""
    try:
        found = json.loads(header)
        found["effort"] = {_EFFORT_0_1.get(name, name): count for name, count in found["effort"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return bool(found == json.loads(_header(template, effort)))


def fingerprint(template: Template) -> str:
    """Digest of the template's code and domain, on which the selection depends."""
    text = f"{inspect.getsource(template.build)}{sorted(template.domain.items())}{template.rules}"
    return sha256(text.encode()).hexdigest()[:16]


def _trial(record: dict[str, object]) -> CandidateTrial:
    fields = dict(record)
    solution = fields["solution"]
    fields |= {"outcome": SelectionOutcome(str(fields["outcome"])), "solution": tuple(solution) if solution else None}  # type: ignore[arg-type]
    return CandidateTrial(**fields)  # type: ignore[arg-type]


def _progress(template: Template, known: Sequence[CandidateTrial]) -> BuildProgress:
    return BuildProgress(template.id, len(tasks_among(known)), wanted(template, known), len(known))


def prove_again(template_id: str, folder: Path, effort: Effort) -> int:
    """Certify on this machine, whose last bits may differ, what a build on another one found; strike out what fails.

    Returns the number of tasks struck out; the next build searches for others."""
    template = find_template(template_id)
    path = records_file(folder, template)
    if not path.is_file():
        return 0
    if not _is_of(path.read_text().partition("\n")[0], template, effort):
        raise DatasetError(
            f"{path}: expected records of template {template.id} as it is in this version, with the efforts of its tier "
            "(found others). Prove them with the version that made them, or build anew."
        )
    known = read_trials(path, template, effort)
    with Engine() as engine:
        proved = [_proved(template, trial, engine) for trial in known]
    if proved != known:
        rows = "".join(json.dumps(asdict(trial)) + "\n" for trial in proved)
        write_bytes(path, (_header(template, effort) + rows).encode())
    return sum(one != other for one, other in zip(known, proved, strict=True))


def _proved(template: Template, trial: CandidateTrial, engine: Engine) -> CandidateTrial:
    if trial.outcome is not SelectionOutcome.TASK or trial.solution is None:
        return trial
    task = Task(f"{template.id}:{trial.number:03d}", trial.parameters, trial.solution)
    return replace(trial, outcome=SelectionOutcome.FRAGILE) if any(flaws(task, engine)) else trial


@dataclass(frozen=True)
class Summary:
    """Outcomes of a template's candidates, and the share of random actions that solve its tasks stably."""

    template: Template
    outcomes: Counter[SelectionOutcome]
    solved_at_random: float

    @property
    def complete(self) -> bool:
        return self.outcomes[SelectionOutcome.TASK] >= TASKS


def summarize(template: Template, folder: Path, effort: Effort) -> Summary:
    known = read_trials(records_file(folder, template), template, effort)
    tasks = tasks_among(known)
    share = sum(one.stable for one in tasks) / max(1, sum(one.probed for one in tasks))
    last = {one.number: one.outcome for one in known}
    return Summary(template, Counter(last.values()), share)


def write_chosen(path: Path, tier: Tier, folder: Path, effort: Effort, workers: int = 1) -> None:
    """Write the task list of a tier whose templates are complete; thinning one out takes half a minute."""
    summaries = [summarize(template, folder, effort) for template in templates_of(tier)]
    missing = [one.template.id for one in summaries if not one.complete]
    if missing:
        raise DatasetError(
            f"{folder}: expected {TASKS} tasks of every template (found fewer of {', '.join(missing)}). "
            "Run comphy phyre build to the end, or widen the domains of these templates."
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

"""Takes the steps one after the other; those that are done are left out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from comphy.choices import Split
from comphy.command import console
from comphy.files import read_json, require, write_bytes, write_json
from comphy.toolkit.reproduction.card import card
from comphy.toolkit.reproduction.config import settings_of
from comphy.toolkit.reproduction.journal import STEPS, Journal, StepRecord
from comphy.toolkit.reproduction.packing import pack
from comphy.toolkit.reproduction.processes import CommandProcesses, shown
from comphy.toolkit.reproduction.reports import CHOSEN_BY_NAME, SeedReport, best_seed
from comphy.toolkit.reproduction.steps import Plan, Step
from comphy.toolkit.reproduction.tables import answer_table, concept_table, duration, prose, step_table

# Runs a command of `comphy` by its arguments, or raises; what it says goes to a file, if one is named.
Execute = Callable[[Sequence[str], Path | None], None]


@dataclass(frozen=True)
class Reproduction:
    """`command` is what tables and card name as their origin. So many seeds as `parallel` says are trained or evaluated at a
    time, the parsers beside the perceiver."""

    plan: Plan
    command: str
    execute: Execute = field(default_factory=CommandProcesses)
    parallel: int = 1

    def run(self) -> None:
        """Take the steps that are not done yet.

        Raises:
            ConfigError: a config cannot be used, or the folder was begun with other settings.
            ComphyError: a step failed.
        """
        plan = self.plan
        for step in plan.data():
            self._command(step)
        self._side_by_side([tuple(plan.perception()), *_alone(plan.parsers())])
        self._side_by_side(_alone(plan.training()))
        self._side_by_side(_alone(plan.evaluation(Split.VAL)))
        self._take("choose_seed", self._choose)
        self._side_by_side(_alone(plan.evaluation(Split.TEST)))
        self._take("pack", self._pack)
        self._take("tables", self._write_tables)

    @cached_property
    def settings(self) -> dict[str, Any]:
        return settings_of(self.plan.config)

    @cached_property
    def journal(self) -> Journal:
        return Journal(self.plan.places.out, self.settings)

    def reports(self, split: Split) -> dict[int, SeedReport]:
        """By seed."""
        return {seed: SeedReport.read(self.plan.places.report(split, seed)) for seed in self.plan.config.seeds}

    def is_done(self, step: str) -> bool:
        """Whether the step was finished before; nothing is begun by asking."""
        if not (self.plan.places.out / STEPS).is_file():
            return False
        record = self.journal.record(step)
        return record is not None and record.done

    def chosen(self) -> int:
        path = self.plan.places.choice
        return require(read_json(path), "seed", int, str(path))

    def _side_by_side(self, chains: Sequence[Sequence[Step]]) -> None:
        """Chains of steps that do not need each other's. One that fails does not end the others, which are waited for."""
        if self.parallel == 1:
            for step in chain.from_iterable(chains):
                self._command(step)
            return
        with ThreadPoolExecutor(self.parallel) as pool:
            done = [pool.submit(self._chain, steps) for steps in chains]
        for one in done:
            one.result()

    def _chain(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self._command(step, self.plan.places.log(step.name))

    def _command(self, step: Step, log: Path | None = None) -> None:
        told = shown(step.arguments) if log is None else f"{shown(step.arguments)} > {log}"
        self._take(step.name, lambda: self.execute(step.arguments, log), shown(step.arguments), told)

    def _take(self, name: str, do: Callable[[], None], command: str = "", told: str = "") -> None:
        record = self.journal.record(name)
        if record is not None and record.done:
            console.print(f"{name}: done before, in {duration(record.seconds)}", highlight=False)
            return
        console.print(f"{name}: {told}" if told else name, highlight=False, markup=False)
        with self.journal.timed(name, command):
            do()

    def _choose(self) -> None:
        scores = {seed: report.score for seed, report in self.reports(Split.VAL).items()}
        found = {"seed": best_seed(scores), "by": CHOSEN_BY_NAME, "scores": scores}
        write_json(self.plan.places.choice, found, indent=1)

    def _pack(self) -> None:
        places, chosen = self.plan.places, self.chosen()
        val, test = self.reports(Split.VAL), self.reports(Split.TEST)

        def text(sizes: Mapping[str, int]) -> str:
            return card(self.plan.config, self.settings, sizes, self.command, val, test, chosen)

        pack(places.weights, places.perceiver, places.run(chosen), text)

    def _write_tables(self) -> None:
        config, places, chosen = self.plan.config, self.plan.places, self.chosen()
        val, test = self.reports(Split.VAL), self.reports(Split.TEST)
        taken = self._taken()
        commands = "\n".join(record.command for record in taken.values() if record.command)
        parts = (
            f"# What `{self.command}` gave\n",
            prose(f"The packed weights are of seed {chosen}: it is best by {CHOSEN_BY_NAME}."),
            f"## Answers\n\n{answer_table(f'test, {config.sets_of(Split.TEST):,} sets', test, chosen, published=True)}",
            answer_table(f"val, {config.sets_of(Split.VAL):,} sets", val, chosen),
            f"## Concepts\n\n{concept_table('test, %', test, chosen)}",
            concept_table("val, %", val, chosen),
            f"## Commands\n\n```\n{commands}\n```\n",
            step_table(taken),
        )
        write_bytes(places.tables, "\n".join(parts).encode())

    def _taken(self) -> dict[str, StepRecord]:
        """The steps that were commands."""
        plan = self.plan
        trained = (*plan.data(), *plan.perception(), *plan.parsers(), *plan.training())
        steps = (*trained, *plan.evaluation(Split.VAL), *plan.evaluation(Split.TEST))
        found = {step.name: self.journal.record(step.name) for step in steps}
        return {name: record for name, record in found.items() if record is not None}


def _alone(steps: Iterable[Step]) -> list[tuple[Step]]:
    """Each a chain of its own."""
    return [(step,) for step in steps]

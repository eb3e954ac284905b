#!/usr/bin/env python
"""Compare the simulator's laws of motion with those fitted on the published dataset.

python tools/laws.py --sets 60 --seed 0 --json out/laws.json
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.table import Table

from comphy.command import console, run_command
from comphy.dataset.files import write_json
from comphy.evaluation.laws import Comparison, Observation, compare, fit_laws
from comphy.scene.camera import Camera
from comphy.sim.bullet import Engine
from comphy.sim.recording import RecordedSet
from data_gen.sampling.rules import SceneRules
from data_gen.sampling.sampler import SetSampler

LARGEST_DEVIATION = 15.0


def main(
    sets: Annotated[int, typer.Option(min=1, help="Number of sets to simulate; about a second each.")] = 60,
    seed: Annotated[int, typer.Option(help="Seed of the sets.")] = 0,
    out: Annotated[Path | None, typer.Option("--json", help="Write the rows to this file, too.")] = None,
) -> None:
    """Fit laws of motion on simulated sets and hold them against the published ones; exit 1 beyond 15 %.

    Example: python tools/laws.py --sets 60 --seed 0
    """
    with Engine() as engine:
        sampler = SetSampler(SceneRules(), seed, Camera(), engine)
        drawn = [sampler.draw(i) for i in track(range(sets), "simulating sets", console=console)]
    rows = compare(fit_laws([run for one in drawn for run in observations(one)]))
    console.print(table_of(rows))
    if out is not None:
        write_json(out, [{**asdict(row), "deviation": row.deviation} for row in rows], indent=1)
    if not rows or any(abs(row.deviation or 0.0) > LARGEST_DEVIATION for row in rows):
        raise typer.Exit(1)


def observations(drawn: RecordedSet) -> Iterator[Observation]:
    """The videos of a set. Its counterfactual runs are left out: they repeat most of the target's motion."""
    for recording in (drawn.target, *drawn.references):
        yield Observation(recording.video.objects, recording.rollout)


def table_of(rows: list[Comparison]) -> Table:
    table = Table("law", "published", "ours", "samples", "deviation", title="Laws of motion")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        deviation = "-" if row.deviation is None else f"{row.deviation:+.1f} %"
        table.add_row(row.law, f"{row.published:.3f}", f"{row.ours:.3f}", str(row.samples), deviation)
    return table


if __name__ == "__main__":
    run_command(main)

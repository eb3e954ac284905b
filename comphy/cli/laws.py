"""`comphy laws`: compare the simulator's laws of motion with those fitted on the published dataset."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from comphy.cli.options import JsonOption, SeedOption
from comphy.command import NOTHING_KEPT, build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from rich.table import Table

    from comphy.evaluation.laws import Comparison, Observation
    from comphy.sim.recording import RecordedSet

LARGEST_DEVIATION: Final = 15.0


@when_interrupted(NOTHING_KEPT)
def main(
    sets: Annotated[int, typer.Option(min=1, help="Number of sets to simulate; about a second each.")] = 60,
    seed: SeedOption = 0,
    out: JsonOption = None,
) -> None:
    """Fit laws of motion on simulated sets and hold them against the published ones; exit 1 beyond 15 %.

    Example: comphy laws --sets 60 --seed 0
    """
    from comphy.evaluation.laws import compare, fit_laws
    from comphy.files import write_json
    from comphy.scene.camera import Camera
    from comphy.sim.bullet import Engine
    from data_gen.sampling.rules import SceneRules
    from data_gen.sampling.sampler import SetSampler

    with Engine() as engine, progress_bar() as progress:
        sampler = SetSampler(SceneRules(), seed, Camera(), engine)
        drawn = [sampler.draw(i) for i in progress.track(range(sets), description="simulating sets")]
    rows = compare(fit_laws([run for one in drawn for run in observations(one)]))
    console.print(table_of(rows))
    if out is not None:
        write_json(out, [{**asdict(row), "deviation": row.deviation} for row in rows], indent=1)
    if not rows or any(abs(row.deviation or 0.0) > LARGEST_DEVIATION for row in rows):
        raise typer.Exit(1)


def observations(drawn: "RecordedSet") -> "Iterator[Observation]":
    """The videos of a set. Its counterfactual runs are left out: they repeat most of the target's motion."""
    from comphy.evaluation.laws import Observation

    for recording in (drawn.target, *drawn.references):
        yield Observation(recording.video.objects, recording.rollout)


def table_of(rows: "list[Comparison]") -> "Table":
    from rich.table import Table

    table = Table("law", "published", "ours", "samples", "deviation", title="Laws of motion")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        deviation = "-" if row.deviation is None else f"{row.deviation:+.1f} %"
        table.add_row(row.law, f"{row.published:.3f}", f"{row.ours:.3f}", str(row.samples), deviation)
    return table


app = build_app(main)

"""`comphy reproduce`: from nothing to trained weights and the tables of what they reach."""

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from comphy.cli.options import DeviceOption, WorkersOption
from comphy.command import build_app, console, when_interrupted


def _seeds(text: str) -> str:
    if not re.fullmatch(r"\d+([,\s]+\d+)*", text):
        raise typer.BadParameter(f"expected whole numbers such as 0,1,2 (got '{text}').")
    return ",".join(re.split(r"[,\s]+", text))


def _check_blender() -> None:
    """Before hours of generation: the perceiver learns from frames of its."""
    from comphy.errors import MissingDependency
    from data_gen.renderers.blender.renderer import find_blender

    try:
        find_blender()
    except MissingDependency as error:
        raise MissingDependency(f"{error} Or do without, by stills.videos=0.") from None


@when_interrupted("The steps that were finished are kept in --out; run the same command again to go on.")
def main(
    overrides: Annotated[
        list[str] | None,
        typer.Argument(help="Changes to the config: reasoner.overrides=[model.follow_recording=false]"),
    ] = None,
    config: Annotated[str, typer.Option(help="A YAML file, or a name such as reproduce/small.")] = "reproduce/small",
    out: Annotated[Path, typer.Option(help="Folder of all that is made; created, or gone on with.")] = Path(
        "out/reproduce"
    ),
    sets: Annotated[int | None, typer.Option(min=1, help="Number of sets, instead of the config's.")] = None,
    seeds: Annotated[
        str | None,
        typer.Option(parser=_seeds, metavar="N,N,…", help="Seeds of the trainings, instead of the config's."),
    ] = None,
    parallel: Annotated[
        int,
        typer.Option(
            min=1, help="So many trainings at a time; they share the cores, and what they say goes to logs in --out."
        ),
    ] = 1,
    workers: WorkersOption = 1,
    device: DeviceOption = "auto",
) -> None:
    """Generate, train, perceive, evaluate and pack: each step is one command. Run it again to go on.

    Example: comphy reproduce --config reproduce/tiny --out out/reproduce --device cpu
    """
    from comphy.config import load_config
    from comphy.resources import find_config
    from comphy.toolkit.reproduction.config import ReproduceConfig
    from comphy.toolkit.reproduction.processes import CommandProcesses
    from comphy.toolkit.reproduction.run import Reproduction
    from comphy.toolkit.reproduction.steps import STILLS, Places, Plan

    changes = [*(overrides or []), *([f"sets={sets}"] if sets else []), *([f"seeds=[{seeds}]"] if seeds else [])]
    settings = load_config(ReproduceConfig, find_config(config, ("reproduce",)), changes)
    processes, places = CommandProcesses(parallel), Places(out)
    command = shlex.join(("comphy", "reproduce", *changes, "--config", config))
    reproduction = Reproduction(Plan(settings, places, workers, device), command, processes, parallel)
    if settings.stills.videos and not reproduction.is_done(STILLS):
        _check_blender()
    with processes.listening():
        reproduction.run()
    console.print(f"Weights: {places.weights}. Tables: {places.tables}. Steps: {out / 'steps.json'}.")


app = build_app(main)

"""`comphy bench`: the speed of the toolkit as ratios within one run, as JSON."""

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from comphy.cli.options import DeviceOption, JsonOption
from comphy.command import NOTHING_KEPT, build_app, console, when_interrupted


class Part(StrEnum):
    """What is measured, each by a function of `comphy.cli.benchmarks`; imported when wanted, since some need what others
    do not."""

    STARTUP = "startup"
    PHYSICS = "physics"
    QUESTIONS = "questions"
    WORLD = "world"
    MEMORY = "memory"
    RENDERERS = "renderers"
    PERCEIVER = "perceiver"
    PCR = "pcr"
    FIT = "fit"
    ASKING = "asking"
    PHYRE = "phyre"
    PHYRE_AGREEMENT = "phyre-agreement"
    PHYQ = "phyq"
    PHYQ_AGREEMENT = "phyq-agreement"
    EXPLORE = "explore"
    GPU = "gpu"


MODULES: Final = {
    Part.STARTUP: "startup",
    Part.PHYSICS: "generation",
    Part.QUESTIONS: "generation",
    Part.WORLD: "world",
    Part.MEMORY: "generation",
    Part.RENDERERS: "drawing",
    Part.PERCEIVER: "perceiving",
    Part.PCR: "pcr",
    Part.FIT: "fitting",
    Part.ASKING: "asking",
    Part.PHYRE: "puzzles",
    Part.PHYRE_AGREEMENT: "puzzles",
    Part.PHYQ: "puzzles",
    Part.PHYQ_AGREEMENT: "puzzles",
    Part.EXPLORE: "exploring",
    Part.GPU: "drawing",
}


@when_interrupted(NOTHING_KEPT)
def main(
    parts: Annotated[list[Part] | None, typer.Argument(help="What to measure; everything if none is named.")] = None,
    json_file: JsonOption = None,
    device: DeviceOption = "cpu",
) -> None:
    """Measure speed and memory.

    Example: comphy bench startup physics --json out/bench.json
    """
    import json
    import os
    import platform

    from rich.text import Text

    from comphy.files import write_json

    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    results: dict[str, Any] = {"hardware": machine}
    for part in parts or list(Part):
        measure = measure_of(part)
        results[str(part)] = measure(device) if part in (Part.PERCEIVER, Part.FIT) else measure()
        console.print(Text(part, "bold"), json.dumps(results[str(part)], indent=1), highlight=False)
    if json_file:
        write_json(json_file, results, indent=1)


def measure_of(part: Part) -> Callable[..., dict[str, Any]]:
    """Its function has its name."""
    module = import_module(f"comphy.cli.benchmarks.{MODULES[part]}")
    measure: Callable[..., dict[str, Any]] = getattr(module, part.replace("-", "_"))
    return measure


app = build_app(main)

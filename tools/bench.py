#!/usr/bin/env python
"""Measure the speed of the toolkit as ratios within one run, and write JSON.

python tools/bench.py --json out/bench.json
python tools/bench.py physics world          # only these
"""

import json
import os
import platform
from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from comphy.command import console, run_command
from comphy.dataset.files import write_json


class Part(StrEnum):
    """What is measured, each by a function of tools/benchmarks; imported when wanted, since some need what others do
    not."""

    PHYSICS = "physics"
    QUESTIONS = "questions"
    WORLD = "world"
    MEMORY = "memory"
    RENDERERS = "renderers"
    PERCEIVER = "perceiver"
    PCR = "pcr"
    PHYRE = "phyre"
    PHYRE_AGREEMENT = "phyre-agreement"
    GPU = "gpu"


MODULES = {
    Part.PHYSICS: "generation",
    Part.QUESTIONS: "generation",
    Part.WORLD: "world",
    Part.MEMORY: "generation",
    Part.RENDERERS: "drawing",
    Part.PERCEIVER: "perceiving",
    Part.PCR: "pcr",
    Part.PHYRE: "puzzles",
    Part.PHYRE_AGREEMENT: "puzzles",
    Part.GPU: "drawing",
}


def main(
    parts: Annotated[list[Part] | None, typer.Argument(help="What to measure; everything if none is named.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
    device: Annotated[str, typer.Option(help="Where the perceiver is measured: cpu, cuda, or auto.")] = "cpu",
) -> None:
    """Measure speed and memory.

    Example: python tools/bench.py physics world --json out/bench.json
    """
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    results: dict[str, Any] = {"hardware": machine}
    for part in parts or list(Part):
        measure = measure_of(part)
        results[str(part)] = measure(device) if part is Part.PERCEIVER else measure()
        console.print(f"[bold]{part}[/bold]", json.dumps(results[str(part)], indent=1), highlight=False)
    if json_file:
        write_json(json_file, results, indent=1)


def measure_of(part: Part) -> Callable[..., dict[str, Any]]:
    """Its function has its name."""
    module = import_module(f"benchmarks.{MODULES[part]}")
    measure: Callable[..., dict[str, Any]] = getattr(module, part.replace("-", "_"))
    return measure


if __name__ == "__main__":
    run_command(main)

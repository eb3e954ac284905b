"""What all commands share: one console, and errors that are printed as a message instead of a traceback."""

import sys
from collections.abc import Callable
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from comphy.errors import ComphyError

console = Console(soft_wrap=True)


def progress_bar() -> Progress:
    """What long work shows: how much is done, for how long, and how long it will take."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
    )


def run_command(main: Callable[..., Any]) -> None:
    """Run a typer command; exit 1 with a plain message on an error that the user can act on."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    try:
        app()
    except ComphyError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("interrupted: what was finished is kept; run the same command again to go on.", file=sys.stderr)
        sys.exit(130)

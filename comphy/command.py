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


def run_command(*mains: Callable[..., Any], about: str | None = None) -> None:
    """Run a typer command, or with `about`, which says what several have in common, the one that is named first. Exit 1
    with a plain message on an error that the user can act on."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=about is not None)
    for main in mains:
        app.command()(main)
    if about is not None:
        app.callback(help=about)(lambda: None)
    try:
        app()
    except ComphyError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("interrupted: what was finished is kept; run the same command again to go on.", file=sys.stderr)
        sys.exit(130)

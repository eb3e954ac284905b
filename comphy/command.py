"""What all commands share: one console, progress also where output is piped, and errors as a message, not a traceback.

Light on purpose: whatever `--help` needs is imported here, so no engine may be."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from comphy.errors import ComphyError, is_out_of_gpu_memory

if TYPE_CHECKING:
    from rich.progress import Progress

INTERRUPTED: Final = 130  # exit code after Ctrl-C, as shells have it
TERMINATED: Final = 143  # after SIGTERM
GOES_ON: Final = "What was finished is kept; run the same command again to go on."
GPU_FULL: Final = (
    "The GPU's memory is full. Other processes may take of it: try again when they have ended, choose smaller batches, or "
    "--device cpu. What was finished is kept."
)
NOTHING_KEPT: Final = "Nothing was changed; run the same command again."

# Text is printed as it is: paths and words of users may hold what Rich would take for markup. Styled text is a `Text`.
console = Console(soft_wrap=True, markup=False, emoji=False)
Main = TypeVar("Main", bound=Callable[..., Any])


def progress_bar() -> "Progress":
    """What long work shows: how much is done, for how long, and how long it will take. Where the output is no terminal,
    plain lines."""
    from comphy.progress import bars, plain_lines

    return bars(console) if console.is_terminal else plain_lines(console)


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show that something is going on whose length is not known: a spinner, or a line now and then."""
    if console.is_terminal:
        with console.status(Text(text)):
            yield
        return
    with progress_bar() as progress:
        progress.add_task(text, total=None)
        yield


def when_interrupted(told: str) -> Callable[[Main], Main]:
    """Decorates a command: what Ctrl-C leaves behind and how to go on, told to the user when it comes."""

    def mark(main: Main) -> Main:
        main.__dict__["when_interrupted"] = told
        return main

    return mark


def build_app(*mains: Callable[..., Any], about: str | None = None) -> typer.Typer:
    """A command, or with `about`, which says what several have in common, one with subcommands of their functions' names.

    Errors that the user can act on become a message and exit code 1, Ctrl-C a message and 130, SIGTERM a message and 143."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=about is not None)
    for main in mains:
        app.command()(_guarded(main))
    if about is not None:
        app.callback(help=about)(lambda: None)
    return app


class Terminated(KeyboardInterrupt):
    """SIGTERM, as schedulers and `kill` send it: what heeds Ctrl-C ends in the same way."""


@contextmanager
def _raising_terminated() -> Iterator[None]:
    """Raise `Terminated` on SIGTERM, unless it is ignored or handled already. Only the main thread may say so."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _raise_terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated


def _guarded(main: Callable[..., Any]) -> Callable[..., Any]:
    """Typer itself ends silently on Ctrl-C, so it is caught before Typer sees it."""

    @wraps(main)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            with _raising_terminated():
                return main(*arguments, **options)
        except ComphyError as error:
            print(f"error: {error}", file=sys.stderr)
            raise typer.Exit(1) from None
        except RuntimeError as error:
            if not is_out_of_gpu_memory(error):
                raise
            print(f"error: {GPU_FULL} ({str(error).partition(chr(10))[0][:200]})", file=sys.stderr)
            raise typer.Exit(1) from None
        except KeyboardInterrupt as signalled:
            came, code = (
                ("terminated", TERMINATED) if isinstance(signalled, Terminated) else ("interrupted", INTERRUPTED)
            )
            print(f"\n{came}: {main.__dict__.get('when_interrupted', GOES_ON)}", file=sys.stderr)
            raise typer.Exit(code) from None

    run.__doc__ = _in_paragraphs(main.__doc__ or "")
    return run


def _in_paragraphs(text: str) -> str:
    """Typer's help keeps the line ends of all paragraphs but the first, which then stand anywhere in its lines."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))

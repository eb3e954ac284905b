"""Assembles the command `comphy`: a subcommand's module is imported when it is run, or when its help is wanted."""

from collections.abc import MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click import Command, Context

# In the order in which a newcomer meets them.
COMMANDS: Final = (
    "demo",
    "generate",
    "check",
    "stability",
    "explore",
    "preview",
    "export",
    "stills",
    "train",
    "perceive",
    "evaluate",
    "leaderboard",
    "shortcuts",
    "ask",
    "phyre",
    "phyq",
    "reproduce",
    "split-checkpoint",
    "laws",
    "bench",
    "torture",
)


class LazyGroup(TyperGroup):
    """Subcommands by name; each is the `app` of its module."""

    def list_commands(self, ctx: "Context") -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    @property
    def commands(self) -> "MutableMapping[str, Command]":
        """What Typer suggests names from after a typing error."""
        return {name: cast("Command", None) for name in COMMANDS}

    @commands.setter
    def commands(self, given: "MutableMapping[str, Command]") -> None:
        """Typer's own table stays empty."""


def load_command(name: str) -> "Command":
    app: typer.Typer = import_module(f"comphy.cli.{name.replace('-', '_')}").app
    command = typer.main.get_command(app)
    command.name = name
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        from comphy import __version__

        typer.echo(f"comphy {__version__}")
        raise typer.Exit


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Physical reasoning from video: make datasets, train models, ask them, and solve physical puzzles.

    Example: comphy demo
    """


def main() -> None:
    """The console script."""
    app(prog_name="comphy")

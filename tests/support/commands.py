"""Commands as a user runs them: in this process, which is quick, or in one of their own where the process matters."""

import subprocess
import sys
from dataclasses import dataclass

from typer.testing import CliRunner

from comphy.cli.app import app


@dataclass(frozen=True)
class Result:
    returncode: int
    stdout: str
    stderr: str


def comphy(*arguments: object, lines: str = "") -> Result:
    """Run `comphy …` in this process, with these lines as its input. What is no message to the user is raised."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], lines, prog_name="comphy")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Result(result.exit_code, result.stdout, result.stderr)


def command(*arguments: object) -> list[str]:
    """The arguments of a process that runs `comphy …`."""
    return [sys.executable, "-m", "comphy.cli", *map(str, arguments)]


def process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `comphy …` in a process of its own."""
    return subprocess.run(command(*arguments), capture_output=True, text=True)

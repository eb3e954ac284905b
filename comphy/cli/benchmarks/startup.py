"""What a command costs before it does anything: CPU seconds of `--help`, against those of Python itself."""

import os
import subprocess
import sys
from typing import Any

from comphy.cli.app import COMMANDS


def startup() -> dict[str, Any]:
    """CPU seconds of `--help` of each command, of `import comphy`, and of an interpreter that does nothing."""
    python = _cpu_seconds("-c", "pass")
    commands = {name: _cpu_seconds("-m", "comphy.cli", name, "--help") for name in COMMANDS}
    return {
        "python_s": python,
        "import_comphy_s": _cpu_seconds("-c", "import comphy") - python,
        "help_s": commands,
        "slowest_help_s": max(commands.values()),
    }


def _cpu_seconds(*arguments: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user + after.children_system) - (before.children_user + before.children_system)

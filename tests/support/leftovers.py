"""What a process that was killed leaves: a half-written file, other processes of its group."""

import os
import subprocess
from pathlib import Path

from comphy.temporaries import temporary_path


def ended_process() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def left_behind(group: int) -> bool:
    """Whether a process of the group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def half_written(path: Path) -> Path:
    """The unfinished file of such a process."""
    ours = temporary_path(path)
    left = ours.with_name(ours.name.replace(f".{os.getpid()}@", f".{ended_process()}@"))
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("half")
    return left

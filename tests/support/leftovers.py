"""What a process that was killed while it wrote a file leaves beside it."""

import os
import subprocess
from pathlib import Path

from comphy.temporaries import temporary_path


def ended_process() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def half_written(path: Path) -> Path:
    """The unfinished file of such a process."""
    ours = temporary_path(path)
    left = ours.with_name(ours.name.replace(f".{os.getpid()}@", f".{ended_process()}@"))
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("half")
    return left

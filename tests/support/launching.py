"""Several processes, as a user starts them."""

import os
import subprocess
import sys

from tests.support.waiting import HANG_S


def launch(processes: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """One thread each: tests run on few cores."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=HANG_S, env=environment
    )

"""Suppresses what C code prints to the error stream."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Hides the banner that Bullet's C code prints when it is loaded from scripts that read our errors."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)

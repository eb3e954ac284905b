"""Names of files and folders that are not finished yet. They tell who makes them, so that those of killed processes can be
cleared away."""

import os
import re
import shutil
from pathlib import Path
from typing import Final

_TEMPORARY: Final = re.compile(r"\..+\.(?P<process>\d+)(?:@(?P<host>[^.@]+))?\.tmp", re.DOTALL)


def temporary_path(path: Path) -> Path:
    """Beside `path`, where this process makes what is then renamed to it."""
    return path.with_name(f".{path.name}.{os.getpid()}@{_host()}.tmp")


def is_temporary(name: str) -> bool:
    """Whether a file or folder has the name of one that is not finished."""
    return _TEMPORARY.fullmatch(name) is not None


def clear_temporaries(folder: Path, alone: bool = False) -> None:
    """Remove what processes that have ended left unfinished directly in a folder. Whether those of other machines have
    ended is not known here: theirs are only removed by a caller who says that nobody else is at work there."""
    for path in _entries(folder):
        found = _TEMPORARY.fullmatch(path.name)
        if found is None or not _is_stale(found["host"], int(found["process"]), alone):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_stale(host: str | None, process: int, alone: bool) -> bool:
    """Names without a host are those of earlier versions, which worked on one machine."""
    if host not in (None, _host()):
        return alone
    if process == os.getpid():  # of an earlier process with the same number: in a container it often is
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:  # it is another user's, and alive
        pass
    return False


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", os.uname().nodename)[:40] or "host"

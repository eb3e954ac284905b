"""Reading and writing files safely: written under another name and renamed, read with errors that name the place."""

import errno
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from comphy.damage import reason
from comphy.errors import ComphyError, DatasetError
from comphy.temporaries import temporary_path

T = TypeVar("T")


def write_bytes(path: Path, content: bytes) -> None:
    """Write all or nothing: a reader, or a killed writer's successor, never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(path)
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def json_bytes(content: Any, indent: int | None = None) -> bytes:
    """What `write_json` writes."""
    separators = (",", ":") if indent is None else None
    return (json.dumps(content, separators=separators, indent=indent) + "\n").encode()


def write_json(path: Path, content: Any, indent: int | None = None) -> None:
    write_bytes(path, json_bytes(content, indent))


def read_json(path: Path, again: str = "make it, or copy it, again") -> Any:
    """The content of a JSON file. `again` says how to get the file, where one is missing or damaged.

    Raises:
        DatasetError: the file is missing, is not JSON, or cannot be read."""
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise DatasetError(f"{path}: the file is missing. Check the path, or {again}.") from None
    except (ValueError, RecursionError) as error:  # also of numbers with thousands of digits
        raise DatasetError(
            f"{path}: not valid JSON ({reason(error)}). The file is damaged, or no JSON file; {again}."
        ) from None
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror}).") from None


def require(record: Any, key: str, kind: type[T] | tuple[type[T], ...], where: str) -> T:
    """A field of a JSON object, or an error that names the file, the key, what was expected and what was found."""
    if not isinstance(record, dict):
        raise DatasetError(f"{where}: expected a JSON object with '{key}' (got {type(record).__name__}).")
    if key not in record:
        raise DatasetError(f"{where}: expected the key '{key}' (got only: {', '.join(sorted(record)) or 'nothing'}).")
    value = record[key]
    if not isinstance(value, kind):
        names = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
        raise DatasetError(f"{where}: expected '{key}' to be {names} (got {type(value).__name__}: {str(value)[:60]}).")
    return value


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def disk_errors(root: Path, otherwise: str = "Choose another --out.") -> Iterator[None]:
    """Turns the operating system's refusals into errors that say what to do; `otherwise`, where `root` cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ComphyError(
                f"{root}: the disk is full. What was finished is kept; free some space and run the same command again."
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ComphyError(f"{error.filename or root}: not writable ({error.strerror}). {otherwise}") from error
        if error.errno in (errno.ENOTDIR, errno.EEXIST):
            place = error.filename or root
            raise ComphyError(f"{place}: a file is in the way of a folder. {otherwise}") from error
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            raise ComphyError(f"{error.filename or root}: cannot be made ({error.strerror}). {otherwise}") from error
        raise

"""Damaged files: one place that turns what reading them may raise into an error that names the file and the place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

from comphy.errors import ComphyError, DatasetError

Reader = TypeVar("Reader", bound=Callable[..., Any])

_LONGEST: Final = 300  # characters of a reason


@contextmanager
def reading(where: str | Path, then: str = "The file is damaged; make it, or copy it, again.") -> Iterator[None]:
    """Whatever a reader raises while this lasts becomes a `DatasetError`.

    Damaged content makes parsers and libraries raise nearly anything: a wrong type, an index out of range, more memory than
    there is, too deep a recursion. The original error is kept as the cause.

    Args:
        where: the file, and the place in it.
        then: what to do about it."""
    try:
        yield
    except ComphyError:
        raise
    except Exception as error:
        raise DatasetError(f"{where}: cannot be read ({reason(error)}). {then}") from error


def reads_file(read: Reader) -> Reader:
    """Decorates a function that reads the file of its first argument, as `reading` does a block."""

    @wraps(read)
    def run(path: Path, *given: Any, **named: Any) -> Any:
        with reading(path):
            return read(path, *given, **named)

    return run  # type: ignore[return-value]


def reason(error: BaseException) -> str:
    """An error in a few words."""
    text = " ".join(str(error).split())
    shown = text[:_LONGEST] + "…" * (len(text) > _LONGEST)
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__

"""The toolkit's one error hierarchy. Each message says what was expected, what was found, where, and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


class ComphyError(Exception):
    """Base of every error a user can act on; commands print it without a traceback and exit 1."""


class ConfigError(ComphyError):
    """A configuration that cannot be used as it stands."""


class MissingDependency(ComphyError):
    """An optional engine or package is not installed; the message names the install command."""


class DatasetError(ComphyError):
    """Files on disk that are missing, corrupt, half-written or of another schema."""


class ProgramError(ComphyError):
    """A program that cannot be parsed, typed or executed; the message names the token and its position."""


class EndpointError(ComphyError):
    """A server of a language model that is down, refuses, or answers what cannot be used."""


class SamplingError(ComphyError):
    """No scene that meets the rules was found within the allowed attempts."""


class RenderError(ComphyError):
    """A renderer stopped, hung or failed; the message ends with the last lines of its log."""


class Busy(ComphyError):
    """More was asked for than the machine can do at once; pages answer with 503."""


def is_out_of_gpu_memory(error: RuntimeError) -> bool:
    """Tell whether torch has raised an error because the memory of the GPU is full. It has several types for that, and torch
    is not imported to know them.

    Args:
        error: what was raised.

    Returns:
        Whether memory was missing.
    """
    return type(error).__name__ == "OutOfMemoryError" or "out of memory" in str(error)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Make a hint for a misspelt name.

    Args:
        word: the name as it was written.
        known: all names that there are.

    Returns:
        The closest known name, or else the whole list."""
    names = sorted(known)
    close = get_close_matches(word, names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"known: {', '.join(names)}"

"""A problem that a check reports."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from comphy.damage import reason
from comphy.errors import ComphyError


@dataclass(frozen=True)
class Problem:
    """A problem: where it is, and what was expected and found."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def problems_at(where: str, found: Iterable[str]) -> Iterator[Problem]:
    """What a check tells of one place. A check that fails there is a problem of it, and does not end the others."""
    try:
        for what in found:
            yield Problem(where, what)
    except ComphyError as error:
        yield Problem(where, str(error))
    except Exception as error:  # damaged content leads to nearly anything
        yield Problem(where, f"cannot be checked ({reason(error)}); its files are damaged, generate it again")

"""A problem that a check reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A problem: where it is, and what was expected and found."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"

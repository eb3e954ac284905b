"""Alternatives of a word or a sentence frame, split into those for training, for validation and for testing."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from comphy.errors import ConfigError


class Part(StrEnum):
    """What an alternative is for. Training never sees those of `val` (selection and calibration) and `test`."""

    TRAIN = "train"
    VAL = "val"
    TEST = "test"


@dataclass(frozen=True)
class Options:
    """Alternatives with one meaning. The first of training is the canonical one."""

    train: tuple[str, ...] = ()
    val: tuple[str, ...] = ()
    test: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[str, ...]:
        return {Part.TRAIN: self.train, Part.VAL: self.val, Part.TEST: self.test}[part]

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.train, *self.val, *self.test)

    def __bool__(self) -> bool:
        return bool(self.all)

    def where(self, fits: "set[str]") -> "Options":
        """Those that are in a set."""
        return Options(*(tuple(text for text in self.of(part) if text in fits) for part in Part))

    def __add__(self, other: "Options") -> "Options":
        return Options(*(self.of(part) + other.of(part) for part in Part))


def read_options(record: Any, where: str) -> Options:
    """From a list, all of it for training, or from lists by part. Raises `ConfigError` for anything else."""
    parts: Mapping[str, Any] = {"train": record} if isinstance(record, list) else record
    if not isinstance(parts, dict) or not set(parts) <= set(Part):
        raise ConfigError(f"{where}: expected a list, or lists named {', '.join(Part)} (got {record!r}).")
    found = Options(**{name: tuple(map(str, texts)) for name, texts in parts.items()})
    if len(set(found.all)) != len(found.all) or not found.train:
        raise ConfigError(f"{where}: expected different alternatives, at least one of them for training.")
    return found

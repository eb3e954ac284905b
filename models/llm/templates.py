"""Texts with slots in braces, kept in YAML files that a user may copy, change and name in settings."""

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from comphy.config import build
from comphy.errors import ConfigError

T = TypeVar("T")
_SLOT: Final = re.compile(r"\{(\w+)\}")


def check_slots(name: str, text: str, slots: Sequence[str], needed: Sequence[str]) -> None:
    """Raises `ValueError` for a text with slots that nothing fills, or without those that it needs."""
    found = _SLOT.findall(text)
    if unknown := sorted(set(found) - set(slots)):
        known = ", ".join(f"{{{slot}}}" for slot in slots) or "none"
        raise ValueError(f"{name}: unknown slots {', '.join(unknown)}; known: {known}")
    if missing := sorted(set(needed) - set(found)):
        raise ValueError(f"{name}: expected the slots {', '.join(missing)} in it (found none)")


def fill(text: str, slots: Mapping[str, Any]) -> str:
    return _SLOT.sub(lambda match: str(slots[match[1]]), text)


def read_template(kind: type[T], path: Path | None, package: str, default: str, guide: str) -> T:
    """The texts in a user's file, or those in the file `default` of a package, as a dataclass that checks them.

    Raises:
        ConfigError: a file that is missing or cannot be used; `guide` is the page that explains it."""
    if path is not None and not path.is_file():
        raise ConfigError(f"{path}: expected a template for the prompt (found no such file). See {guide}.")
    try:
        values = yaml.safe_load(path.read_text() if path else resources.files(package).joinpath(default).read_text())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a usable template ({error}). Expected YAML as in {default}.") from None
    return build(kind, values, str(path or default))

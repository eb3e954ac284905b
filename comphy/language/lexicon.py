"""The words of `words.yaml`, checked when they are loaded, and the concepts that single words stand for."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import yaml

from comphy.errors import ConfigError
from comphy.language.options import Options, read_options
from comphy.scene.vocabulary import Color, Material, Shape

_FLAT: Final = (
    "things",
    "anything",
    "scene",
    "video",
    "hit",
    "hit_modal",
    "collide",
    "hitting",
    "enter",
    "leave",
    "go",
)
_VOWELS: Final = "aeiou"
_AFFIXES: Final = ("shaped", "colored", "coloured", "like")  # parts of hyphenated words
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Verb:
    """The forms of a verb, each with the words that follow it."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


@dataclass(frozen=True)
class Lexicon:
    """Options by their path in words.yaml, such as `properties/heavy/be`, and irregular verbs."""

    options: dict[str, Options]
    forms: dict[str, tuple[str, ...]]

    def get(self, path: str) -> Options:
        return self.options.get(path, Options())

    def verb(self, text: str) -> Verb:
        """The forms of a base form, which may have more words after it: bump into, bumps into, …"""
        base, _, rest = text.partition(" ")
        forms = (base, *self.forms.get(base, _regular(base)))
        return Verb(*(f"{form} {rest}".strip() for form in forms))


def _regular(base: str) -> tuple[str, ...]:
    stem = base.removesuffix("e")
    if base[-1] == "y" and base[-2] not in _VOWELS:
        return f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base[:-1]}ied", f"{base}ing"
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"
    return third, f"{stem}ed", f"{stem}ed", f"{stem}ing"


@cache
def lexicon() -> Lexicon:
    record = yaml.safe_load(resources.files("comphy.language").joinpath("words.yaml").read_text())
    forms = {base: tuple(others) for base, others in record.pop("forms").items()}
    options: dict[str, Options] = {}
    _collect(record, "", options)
    if missing := [name for name in _FLAT if name not in options]:
        raise ConfigError(f"words.yaml: expected options for {', '.join(missing)} (found none).")
    return Lexicon(options, forms)


def _collect(record: Any, path: str, options: dict[str, Options]) -> None:
    if isinstance(record, list) or "train" in record:
        options[path] = read_options(record, f"words.yaml: {path}")
        return
    for name, below in record.items():
        _collect(below, f"{path}/{name}".lstrip("/"), options)


@cache
def concepts() -> dict[str, str]:
    """For each word that training has for one color, material or shape alone: which one it is."""
    found: dict[str, set[str]] = {}
    for concept in (*Color, *Material, *Shape):
        names = ("colors/{}", "shapes/{}", "shape_adjectives/{}", "properties/{}/adjective")
        texts = (text for name in names for text in lexicon().get(name.format(concept)).train)
        for word in (word for text in texts if not text.startswith("non-") for word in _WORD.findall(text)):
            found.setdefault(word, set()).add(str(concept))
    return {word: next(iter(names)) for word, names in found.items() if len(names) == 1 and word not in _AFFIXES}

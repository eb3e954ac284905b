"""The words of `words.yaml` and the sentence frames of `frames.yaml`, checked when they are loaded.

Also here: how the slots of a frame are filled, and the concepts that single words stand for.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any, Final

import yaml

from comphy.errors import ConfigError
from comphy.language.options import Options, read_options
from comphy.scene.vocabulary import Color, Material, Shape

Slots = Mapping[str, Callable[[], str]]
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
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
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


def frames(path: str) -> Options:
    """The frames at a path such as `exist/ask`; no options where there are none."""
    return _frames().get(path, Options())


@cache
def _frames() -> dict[str, Options]:
    record: dict[str, Any] = yaml.safe_load(resources.files("comphy.language").joinpath("frames.yaml").read_text())
    found: dict[str, Options] = {}
    for name, below in record.items():
        if isinstance(below, list) or "train" in below:
            found[name] = read_options(below, f"frames.yaml: {name}")
        else:
            for style, options in below.items():
                found[f"{name}/{style}"] = read_options(options, f"frames.yaml: {name}/{style}")
    return found


@cache
def slots_of(frame: str) -> frozenset[str]:
    return frozenset(name.lower() for _, name, _, _ in Formatter().parse(frame) if name)


def fitting(options: Options, slots: Slots) -> Options:
    """The frames whose slots all have words."""
    return options.where({frame for frame in options.all if slots_of(frame) <= slots.keys()})


def fill(frame: str, slots: Slots) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1].lower()](), frame)


@cache
def training_words() -> frozenset[str]:
    """Every word of training's words and frames, verbs in all their forms."""
    known = lexicon()
    texts = [text for options in (*known.options.values(), *_frames().values()) for text in options.train]
    forms = [form for text in texts if text for form in vars(known.verb(text)).values()]
    plain = (re.sub(r"\{\w+\}", " ", text).lower() for text in (*texts, *forms))
    return frozenset(word for text in plain for word in _WORD.findall(text))

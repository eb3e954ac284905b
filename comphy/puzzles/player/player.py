"""`Player`: a puzzle that is played in the browser. Its page asks questions by name; they and answers are JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from comphy.drawing.colors import Rgb

Json = dict[str, Any]


@dataclass(frozen=True)
class Player:
    """`name`: its place on the site. Its own scripts and styles are in its package, `player/page`; the skeleton is shared.

    An answer raises a `ComphyError` with words for the player if the question makes no sense.
    """

    name: str
    answers: Mapping[str, Callable[[Json], Json]]


def css(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)

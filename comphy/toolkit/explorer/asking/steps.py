"""The steps of a program: what each finds on the truth, and whether a model found the same."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from comphy.dataset.dataset import open_dataset
from comphy.errors import ComphyError
from comphy.programs.executor import trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import Node, Program
from comphy.programs.trace_text import SOURCES, numbered
from comphy.programs.types import ValueType

if TYPE_CHECKING:
    from models.pcr.asking.question import Query

Json = dict[str, Any]
SAME_FRAME: Final = 3  # frames by which the model and the truth may differ on when something happens
_SEPARATORS: Final = {ValueType.EVENTS: "; ", ValueType.OBJECTS: ", ", ValueType.PAIR: ", "}
_MASSES: Final = {"mass 5": "heavy", "mass 1": "light"}


def truth(query: "Query", root: Path, index: int) -> Json:
    """What the executor finds on the set's annotations: every step, and the answer in the last one."""
    try:
        facts = open_dataset(root)[index].facts
        return {"steps": truth_steps(query, facts), "problem": ""}
    except (ComphyError, IndexError) as error:
        return {"steps": [], "problem": str(error)}


def truth_steps(query: "Query", facts: SceneFacts) -> list[Json]:
    """Numbered as the model's: the parts of an open question that do not depend on a choice, one after the other."""
    parts = [Program(node) for node in query.closed_parts()] if query.is_open else [query.program]
    steps: list[Json] = []
    for part in parts:
        for (node, number, takes), step in zip(numbered(part, len(steps) + 1), trace(part, facts), strict=True):
            items = _items(node, step.call, step.result)
            steps.append({"number": number, "call": step.call, "takes": list(takes), "items": items})
    return steps


def _items(node: Node, call: str, result: str) -> list[str]:
    separator = _SEPARATORS.get(node.type)
    items = result.split(separator) if separator else [result]
    return [SOURCES[call].format(len(items))] if call in SOURCES else items


def same(call: str, model: Sequence[str], step: Json | None) -> bool | None:
    """Whether both found the same; None where that cannot be told from their words."""
    if step is None or call in SOURCES:
        return None
    if any(item.startswith("masses") for item in step["items"]):
        return None
    return _agree(sorted(map(_plain, model)), sorted(map(_plain, step["items"])))


def _plain(words: str) -> tuple[str, int]:
    """Words without articles and in one order, and the frame that they name, 0 if none."""
    words = _MASSES.get(words, words)
    frame = re.search(r" ?(?:at )?frame (\d+)$", words)
    bare = words[: frame.start()] if frame else words
    bare = re.sub(r"\bthe ", "", bare).strip()
    pair = re.fullmatch(r"(.+) and (.+) collide", bare)
    if pair:
        bare = " and ".join(sorted(pair.groups())) + " collide"
    return ("" if bare == "none" else bare), int(frame[1]) if frame else 0


def _agree(first: list[tuple[str, int]], second: list[tuple[str, int]]) -> bool:
    ours, theirs = ([one for one in found if one != ("", 0)] for found in (first, second))
    return len(ours) == len(theirs) and all(
        a == b and abs(f - g) <= SAME_FRAME for (a, f), (b, g) in zip(ours, theirs, strict=True)
    )

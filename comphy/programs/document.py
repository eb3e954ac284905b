"""Writes docs/programs.md from the op table, so that the page cannot tell of operators that do not exist.

python -m comphy.programs.document docs/programs.md
"""

from pathlib import Path
from textwrap import fill
from typing import Annotated, Final

import numpy as np
import typer

from comphy.command import build_app
from comphy.errors import ProgramError
from comphy.files import disk_errors, write_bytes
from comphy.programs.executor import execute, trace
from comphy.programs.facts import NO_DIRECTION, SceneFacts
from comphy.programs.ops import OPS, Group, Op, Signature
from comphy.programs.program import parse
from comphy.programs.types import LITERAL_ALIASES, LITERALS
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import TARGET_VISIBLE_FRAMES, Change, HiddenProperty, ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Color, Material, Shape

_WIDTH: Final = 100  # of lines of the page, but in tables

_INTRO: Final = """\
# The question language

Every question comes with a program, a flat list of tokens in postfix order: a literal or the result
of an operator is put on a stack, and an operator takes its arguments from there. The names are
those of the published ComPhy programs; CLEVRER's released question files and later code call some
operators otherwise, and these names are read as well and printed as the first. `<START>`, `<END>`
and `<NULL>` are ignored.

Programs are typed. `comphy.programs.program.parse` checks a whole program before anything runs and
says which token does not fit, where, what it takes and what it found. An operator with several
signatures is read as the one that fits what is on the stack; where two fit (`unique` gives one
object or a pair), the next operator decides. What depends on the scene is found when the program
runs, and is never guessed: `unique` of no or of three objects, a second of one collision or the
direction of an object at rest has no answer, and `comphy.programs.executor` says so with the token
and its position.

A choice of a multiple-choice question has a program of its own, which leaves an event (or, in
CLEVRER, an object). The choice is right if `choice.program + question.program`, run as one program,
says yes.

## Operators
"""

_NOTES: Final = """\
## Where published executors differ
- `unique` insists on exactly one (or two, for `query_both_*`); ComPhy's executor takes the first of
  three or more.
- `filter_opposite` and `filter_same` give no objects where the pair is not of that kind, so that
  `exist` can say no; ComPhy's executor gives up, and runs `filter_charged` for `filter_same`.
- `counterfact_heavier` and its kin are literals, as in the published programs. One later code base
  lists them as operators that take an object; the tokens are the same and stand in the same place.
- The end of the video is looked up in its last frame; ComPhy's and CLEVRER's executors look at
  frame 125. As there, an object that is out of the picture at a frame neither moves nor rests then.
- `<END>` and `<NULL>` end a program there. Here they are only dropped, so that padded programs can
  be joined.
- `filter_spatial` and `filter_falling`, which belong to a data set of falling blocks, are left out.
"""


def programs_page() -> str:
    groups = [_group(group) for group in Group]
    return "\n".join([_INTRO, *groups, _literals(), _example(), _NOTES])


def _group(group: Group) -> str:
    rows = [_row(op) for op in OPS.values() if op.group is group]
    head = ["| operator | takes → gives | meaning | also called |", "| --- | --- | --- | --- |"]
    return "\n".join([f"### {group}", *head, *rows, ""])


def _row(op: Op) -> str:
    signatures = "<br>".join(_signature(signature) for signature in op.signatures)
    aliases = ", ".join(f"`{alias}`" for alias in op.aliases)
    return f"| `{op.name}` | {signatures} | {op.meaning} | {aliases} |"


def _signature(signature: Signature) -> str:
    return f"{', '.join(signature.params) or '–'} → {signature.result}"


def _literals() -> str:
    by_type: dict[str, list[str]] = {}
    for word, (kind, _) in LITERALS.items():
        aliases = [alias for alias, meant in LITERAL_ALIASES.items() if meant == word]
        also = f" (also `{'`, `'.join(aliases)}`)" if aliases else ""
        by_type.setdefault(kind, []).append(f"`{word}`{also}")
    rows = [f"| {kind} | {', '.join(words)} |" for kind, words in by_type.items()]
    return "\n".join(
        ["## Literals", "| type | words |", "| --- | --- |", *rows, "", "`null` is no frame: at any time.", ""]
    )


def _scene() -> SceneFacts:
    """Three objects; the cyan cube pushes the gray sphere, which would reach the brown cylinder if the cube were heavy."""
    shape = (TARGET_VISIBLE_FRAMES, 3)
    hit, reached = Event(EventKind.COLLISION, 40, (0, 1)), Event(EventKind.COLLISION, 90, (1, 2))
    moving, inside = np.zeros(shape, bool), np.ones(shape, bool)
    moving[:, 0] = moving[hit.frame :, 1] = True
    inside[:5, 0] = False
    return SceneFacts(
        objects=(
            ObjectSpec(Color.CYAN, Shape.CUBE, Material.RUBBER),
            ObjectSpec(Color.GRAY, Shape.SPHERE, Material.METAL),
            ObjectSpec(Color.BROWN, Shape.CYLINDER, Material.METAL),
        ),
        visible=(Event(EventKind.IN, 5, (0,)), hit),
        unseen=(),
        moving=moving,
        direction=np.full(shape, NO_DIRECTION, np.int8),
        inside=inside,
        counterfactual={Change(0, HiddenProperty.MASS, HEAVY_MASS).key: (hit, reached)},
    )


_FACTUAL: Final = "objects metal filter_material events filter_end query_frame filter_moving unique query_shape"
_CHOICE: Final = (
    "all_events objects sphere filter_shape unique filter_collision "
    "objects brown filter_color unique filter_collision unique"
)
_QUESTION: Final = "all_events objects cyan filter_color unique counterfact_heavier filter_counterfact belong_to"


def _example() -> str:
    return f"""\
## Examples
A cyan rubber cube enters and pushes a gray metal sphere; a brown metal cylinder rests. *"What shape
is the metal object that is moving when the video ends?"* The tables are what
`comphy.programs.executor.trace` returns:

{_traced(_FACTUAL)}

*"If the cyan object were heavier, which of the following would happen?"* with the choice *"The
sphere would collide with the brown object"*; the first {len(_CHOICE.split())} tokens are the
choice's:

{_traced(f"{_CHOICE} {_QUESTION}")}

Two programs that do not work, and what is said about them:

{_refused("objects red filter_shape count")}

{_refused("objects metal filter_material unique query_color")}
"""


def _traced(program: str) -> str:
    steps = trace(parse(program.split()), _scene())
    rows = [f"| {step.position} | `{step.call}` | {step.result} |" for step in steps]
    code = fill(program, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([code, "", "| token | step | result |", "| --- | --- | --- |", *rows])


def _refused(program: str) -> str:
    try:
        execute(parse(program.split()), _scene())
    except ProgramError as error:
        return f"    {program}\n    {error}"
    raise ValueError(f"Expected an error of the program: {program}")


def document(page: Annotated[Path, typer.Argument(help="The file to write, docs/programs.md.")]) -> None:
    """Write the page about the question language."""
    with disk_errors(page):
        write_bytes(page, programs_page().encode())


if __name__ == "__main__":
    build_app(document)()

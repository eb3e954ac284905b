"""Prints replies to a terminal: the answer first, then its explanation; and what is known of the objects of a set."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from comphy.programs.trace_text import grid, shortened, steps_table
from comphy.questions.choices import PREMISE_WORDS
from models.pcr.asking.interpreted_set import InterpretedSet, Pair
from models.pcr.asking.predicted_motion import PredictedMotion
from models.pcr.asking.reply import PairVerdict, Reply, Verdict
from models.pcr.asking.words import WORTH_TELLING, Item, ToldStep, percent

WIDTH: Final = 80  # columns; longer lines are hard to read however wide the terminal is
_CALL_WIDTH: Final = 25
_MOST_ITEMS: Final = 6
_SURE: Final = 0.9
_FAIRLY: Final = 0.7


def print_reply(console: Console, reply: Reply, interpreted: InterpretedSet, clip: Path | None = None) -> None:
    """The answer with all that led to it."""
    parts = _answer(reply)
    if reply.verdicts:
        parts += [*_titled("Choices", _verdicts(reply.verdicts))]
    if reply.pairs:
        parts += [*_titled("Every pair", _pairs(reply.pairs, reply.predicted, interpreted))]
    if reply.query.uses_hidden:
        parts += [*_titled("Hidden properties", _hidden(interpreted))]
    parts += [*_titled("How", _steps(reply.steps))]
    if clip is not None:
        parts += [Text(), Text.assemble(("Clip  ", "bold"), str(clip))]
    _print(console, parts)


def print_answer(console: Console, reply: Reply) -> None:
    """The answer alone, as a conversation has it: in a terminal with how sure it is, and in one line elsewhere."""
    if console.is_terminal:
        _print(console, _answer(reply))
    else:
        console.print(" ".join([reply.sentence, *reply.remarks]), soft_wrap=True, markup=False, highlight=False)


def print_trace(console: Console, reply: Reply) -> None:
    """How an answer came about: the question as it was read, its program, and the result of each step."""
    parts: list[RenderableType] = [
        Text(reply.query.reading or reply.query.text),
        Text(str(reply.query.program), "cyan"),
    ]
    if reply.verdicts:
        parts += [*_titled("Choices", _verdicts(reply.verdicts))]
    _print(console, [*parts, Text(), _steps(reply.steps)])


def print_properties(console: Console, interpreted: InterpretedSet) -> None:
    """All objects with their attributes and hidden properties, each with its probability."""
    table = grid()
    for column in ("color", "material", "shape", "mass", "charge"):
        table.add_column(Text(column, "dim"))
    table.show_header = True
    scene = interpreted.scene
    for number, (seen, name) in enumerate(zip(interpreted.objects, interpreted.names, strict=True)):
        looks = ((seen.spec.color, scene.color), (seen.spec.material, scene.material), (seen.spec.shape, scene.shape))
        items = [Item(str(word), float(chances[0, number].max())) for word, chances in looks]
        mass = _mass(float(scene.heavy[0, number]))
        table.add_row(*map(_item, items), _item(mass), _charges(interpreted, name))
    _print(console, [table])


def _print(console: Console, parts: Sequence[RenderableType]) -> None:
    console.print(Group(*parts), width=min(console.width, WIDTH), soft_wrap=False)


def _answer(reply: Reply) -> list[RenderableType]:
    notes = [Text(f"Note: {remark}", "yellow") for remark in reply.remarks]
    return [Text(reply.sentence, "bold green"), _sureness(reply), *notes]


def _sureness(reply: Reply) -> Text:
    word = "sure" if reply.sure >= _SURE else "fairly sure" if reply.sure >= _FAIRLY else "unsure"
    several = len(reply.verdicts) + len(reply.pairs) > 1
    text = Text(f"{word.capitalize()}: {percent(reply.sure)}{' for the least sure part' if several else ''}", "dim")
    others = ", ".join(str(item) for item in reply.answers[1:])
    text.append(f"; otherwise {others}" if others else "")
    if reply.query.certainty < _SURE:
        text.append(f"; the question was understood with {percent(reply.query.certainty)} certainty")
        if reply.query.reading:
            return text.append(f", as: {reply.query.reading}")
    return text.append(".")


def _verdicts(verdicts: Sequence[Verdict]) -> Table:
    table = grid()
    for verdict in verdicts:
        table.add_row(_yes_no(verdict.holds, verdict.chance), verdict.text)
    return table


def _pairs(pairs: Sequence[PairVerdict], predicted: PredictedMotion | None, interpreted: InterpretedSet) -> Table:
    table = grid()
    for column in ("", "pair", _moment(predicted), "in the video"):
        table.add_column(Text(column, "dim"))
    table.show_header = True
    for verdict in pairs:
        frames = (_frame(verdict.frame), _frame(verdict.seen_frame))
        table.add_row(_yes_no(verdict.holds, verdict.chance), _both(verdict.pair, interpreted), *frames)
    return table


def _moment(predicted: PredictedMotion | None) -> str:
    if predicted is None:
        return "at"
    if predicted.is_future:
        return "after it"
    return "without it" if predicted.premise is None else f"if {PREMISE_WORDS[predicted.premise]}"


def _frame(frame: int | None) -> Text:
    return Text("never", "dim") if frame is None else Text(f"frame {frame}")


def _hidden(interpreted: InterpretedSet) -> Table:
    table = grid()
    for seen, name, heavy in zip(
        interpreted.objects, interpreted.names, interpreted.scene.heavy[0].tolist(), strict=False
    ):
        called = Text.assemble(name, (f" ({percent(seen.chance)})", "dim"))
        table.add_row(called, _item(_mass(heavy)), _charges(interpreted, name))
    return table


def _mass(heavy: float) -> Item:
    return Item("heavy", heavy) if heavy > 0.5 else Item("light", 1 - heavy)


def _charges(interpreted: InterpretedSet, name: str) -> Text:
    """Which objects the charge of an object attracts or repels."""
    me = interpreted.names.index(name)
    found: list[Item] = []
    for pair in interpreted.pairs:
        if me in pair:
            other = interpreted.names[pair[0] + pair[1] - me]
            same, opposite = interpreted.charge(pair)
            found += [Item(f"repels {other}", same), Item(f"attracts {other}", opposite)]
    charged = sum(item.chance or 0.0 for item in found)
    likely = [item for item in found if item.chance is not None and item.chance >= WORTH_TELLING]
    if charged <= 0.5:
        likely = [Item("no charge", 1 - charged), *likely]
    return Text("\n").join(_item(item) for item in likely)


def _steps(steps: Sequence[ToldStep]) -> Table:
    return steps_table(((step, _result(step.items)) for step in steps), _CALL_WIDTH)


def _result(items: Sequence[Item]) -> Text:
    shown, rest = shortened(items, _MOST_ITEMS)
    return Text("\n").join([*map(_item, shown), *(Text(line, "dim") for line in rest)])


def _item(item: Item) -> Text:
    if item.chance is None:
        return Text(item.words)
    return Text.assemble(item.words, (f" ({percent(item.chance)})", "dim"), style="" if item.chance > 0.5 else "dim")


def _yes_no(holds: bool, chance: float) -> Text:
    word, style, sure = ("yes", "bold green", chance) if holds else ("no", "red", 1 - chance)
    return Text.assemble((word, style), (f" {percent(sure)}", "dim"))


def _both(pair: Pair, interpreted: InterpretedSet) -> str:
    return " and ".join(interpreted.names[number] for number in pair)


def _titled(title: str, content: RenderableType) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield Padding(content, (0, 0, 0, 2), expand=False)

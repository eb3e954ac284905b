"""A set's questions in a terminal: each with its answer, and the steps that lead to it in aligned columns."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from comphy.programs.trace_text import grid, steps_table
from comphy.questions.model import Choice
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.preview.phrases import charge_sign
from data_gen.preview.questions import SetQuestions, ShownQuestion
from data_gen.preview.scene import PreviewSet
from data_gen.preview.trace import Trace, TracedChoice

_WIDTH = 100  # columns; longer lines are hard to read however wide the terminal is
_CALL_WIDTH = 31  # of the column of operators
_VERDICTS = {True: ("correct", "bold green"), False: ("wrong", "red"), None: ("unknown", "dim")}


def print_questions(console: Console, scene: PreviewSet, asked: SetQuestions) -> None:
    """Print the objects of a set, which the traces speak of, and its questions."""
    parts: list[RenderableType] = [_title(scene), _objects(scene.objects)]
    parts += [Text(asked.remark, "yellow")] if asked.remark else []
    for shown in asked.questions:
        parts += [Text(), *_question(shown)]
    console.print(Group(*parts, Text()), width=min(console.width, _WIDTH), soft_wrap=False)


def _title(scene: PreviewSet) -> Text:
    return Text.assemble((f"Set {scene.index}", "bold"), f"  {scene.family} family · {scene.split} split")


def _objects(objects: tuple[ObjectSpec, ...]) -> RenderableType:
    table = grid()
    for number, spec in enumerate(objects):
        mass = "heavy" if spec.mass == HEAVY_MASS else "light"
        table.add_row(
            Text(str(number), "bold"), Text(str(spec)), Text(mass), Text(f"charge {charge_sign(spec.charge)}")
        )
    return _indented(table)


def _question(shown: ShownQuestion) -> Iterator[RenderableType]:
    question = shown.question
    yield Text(f"{question.question_id}  {question.text}", "bold")
    parts: list[RenderableType] = [Text(shown.sort, "dim")]
    if question.choices:
        parts.append(_choices(question.choices))
    labelled = _labelled(shown)
    parts += [labelled] if labelled.row_count else []
    parts += [_indented(_trace(shown.trace))] if shown.trace.steps else []
    yield _indented(Group(*parts))


def _labelled(shown: ShownQuestion) -> Table:
    table = grid()
    if not shown.question.choices:
        table.add_row("answer", Text(shown.question.answer or "unknown", "bold green"))
    for evidence in shown.evidence:
        table.add_row("seen in", Text(evidence.words))
    if shown.run:
        table.add_row("run", Text(shown.premise))
    if shown.problem:
        table.add_row("problem", Text(shown.problem, "bold red"))
    return table


def _choices(choices: tuple[Choice, ...]) -> Table:
    table = grid()
    for choice in choices:
        table.add_row(str(choice.choice_id), Text(*_VERDICTS[choice.correct]), Text(choice.text))
    return table


def _trace(trace: Trace) -> Table:
    """The steps, then each choice: its event, and what the last operators say of it."""
    table = steps_table(((step, Text("\n".join(trace.lines(step)))) for step in trace.steps), _CALL_WIDTH)
    for traced in trace.choices:
        table.add_row("", Text(f"choice {traced.choice.choice_id}"), _verdict(traced))
    return table


def _verdict(traced: TracedChoice) -> Text:
    words = Text(f"{traced.event}\n")
    for step in traced.verdict:
        words.append(step.call, "cyan").append(f": {', '.join(step.items)}, ")
    word, style = _VERDICTS[traced.holds]
    return words.append("so ").append(word, style)


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 3), expand=False)

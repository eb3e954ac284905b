"""Runs a schedule on a scene."""

from collections.abc import Sequence

import torch
from torch import Tensor

from models.pcr.executor.compiled import Extra
from models.pcr.executor.operators.table import HANDLERS
from models.pcr.executor.schedule import Schedule, Step, Use
from models.pcr.executor.soft_scene import SoftEvents, SoftScene
from models.pcr.executor.view import Value, View


def execute(schedule: Schedule, scene: SoftScene) -> list[Value]:
    """Run every step in order; returns their values."""
    parts = schedule.parts
    values: list[Value] = []
    for step in schedule.steps:
        arguments = [taken(use, values, parts) for use in step.arguments]
        values.append(_call(step, View(scene, parts[step.rows]), arguments, parts[step.words]))
    return values


def _call(step: Step, view: View, arguments: list[Value], words: Tensor) -> Value:
    extras = {Extra.NOTHING: (), Extra.WORD: (words,), Extra.NULL: (None,)}[step.key.extra]
    return HANDLERS[step.key.signature](view, *arguments, *extras)


def taken(use: Use, values: Sequence[Value], parts: Sequence[Tensor]) -> Value:
    """Gather the rows that a use refers to from the concatenated values of its steps."""
    joined = _joined([values[step] for step in use.steps])
    if use.rows is None:
        return joined
    rows = parts[use.rows]
    return joined.take(rows) if isinstance(joined, SoftEvents) else joined.index_select(0, rows)


def _joined(values: Sequence[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    events = [value for value in values if isinstance(value, SoftEvents)]
    if events:
        return SoftEvents(
            events[0].kind,
            events[0].members,
            torch.cat([value.probability for value in events]),
            torch.cat([value.time for value in events]),
            events[0].timed,
        )
    return torch.cat([value for value in values if isinstance(value, Tensor)])

"""On certain facts, every operator gives what the exact executor gives."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings

from comphy.errors import ProgramError
from comphy.programs.executor import execute
from comphy.programs.facts import SceneFacts
from comphy.programs.handlers import HANDLERS as EXACT
from comphy.programs.program import parse
from comphy.programs.types import COUNTS, ValueType
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.executor.operators.table import HANDLERS
from models.pcr.executor.trace import trace
from tests.comphy.programs.test_executor import CASES, SCENE
from tests.support.soft_scenes import hard
from tests.support.strategies import every_signature, scenes, typed_programs


def test_every_signature_has_a_soft_version():
    wanted = {
        (f"{op.name}_{signature.variant}" if signature.variant else op.name, signature.params)
        for op, signature in every_signature()
    }
    assert set(HANDLERS) == wanted
    assert {name for name, _ in HANDLERS} == set(EXACT)


@pytest.mark.parametrize("program, expected", CASES, ids=[program for program, _ in CASES])
def test_values_worked_out_by_hand(program: str, expected: object):
    steps = trace(parse(program.split()), true_scene([SCENE]), 0)
    assert hard(steps[-1], SCENE) == _as_asked(expected, steps[-1].type, SCENE)


@settings(max_examples=300, deadline=None)
@given(typed_programs(), scenes())
@pytest.mark.slow
def test_random_programs_in_random_scenes(typed: tuple[ValueType, tuple[str, ...]], facts: SceneFacts):
    kind, tokens = typed
    program = parse(tokens, wanted=kind)
    facts = replace(facts, shift=0)
    if program.root.op is None:
        return
    steps = trace(program, true_scene([facts]), 0)
    assert all(torch.isfinite(step.value).all() for step in steps)
    try:
        expected = execute(program, facts)
    except ProgramError:
        return
    assert hard(steps[-1], facts) == _as_asked(expected, kind, facts)


def _as_asked(expected: Any, kind: ValueType, facts: SceneFacts) -> Any:
    """Counts go as far as answers do, and frames as far as the video."""
    if kind is ValueType.COUNT:
        return min(expected, len(COUNTS) - 1)
    return min(expected, facts.visible_frames - 1) if kind is ValueType.FRAME else expected


def test_sets_of_a_batch_are_told_apart():
    other = replace(SCENE, objects=tuple(reversed(SCENE.objects)))
    scene = true_scene([SCENE, other])
    program = parse(["objects", "red", "filter_color", "filter_heavy", "unique", "query_shape"])
    for row, facts in enumerate((SCENE, other)):
        assert hard(trace(program, scene, row)[-1], facts) == execute(program, facts)


def test_facts_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="equally long videos, exactly seen"):
        true_scene([replace(SCENE, shift=2)])

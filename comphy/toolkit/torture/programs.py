"""Random programs for the type checker and the exact executor."""

from typing import Any

import numpy as np

from comphy.errors import ProgramError
from comphy.programs.executor import execute, in_words, trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import PADDING, Program, parse
from comphy.programs.types import ValueType
from comphy.toolkit.torture.scenes import random_scene, random_type, spoiled, typed_program
from comphy.toolkit.torture.trial_result import TrialResult

_SCENES = 64  # a program is tried on one of so many


class Programs:
    """Half of the programs are well-typed, half are spoiled. Each must be read or refused with a `ProgramError`; what is
    read must print and read as the same, and give the same value twice, with its steps, and with padding."""

    name = "programs"

    def __init__(self) -> None:
        self._scenes = [random_scene(np.random.default_rng((0, number))) for number in range(_SCENES)]

    def trial(self, rng: np.random.Generator) -> TrialResult:
        kind = random_type(rng)
        tokens = typed_program(rng, kind)
        is_whole = bool(rng.random() < 0.5)
        if not is_whole:
            tokens = spoiled(rng, tokens)
        facts = self._scenes[rng.integers(_SCENES)]
        tried = repr(" ".join(tokens))[:200]
        try:
            program = parse(tokens, wanted=kind if is_whole else None)
        except ProgramError as error:
            return TrialResult("refused", tried, different=is_whole, told=str(error))
        except Exception as error:
            return TrialResult("traceback", tried, traceback=True, told=repr(error))
        return self._executed(program, facts, rng, tried)

    def _executed(self, program: Program, facts: SceneFacts, rng: np.random.Generator, tried: str) -> TrialResult:
        try:
            if parse(program.tokens, wanted=program.root.type) != program:
                return TrialResult(
                    "changed", tried, different=True, told="it is another program when it is printed and read"
                )
            value = execute(program, facts)
            steps = trace(program, facts)
            padded = list(program.tokens)
            padded.insert(int(rng.integers(len(padded) + 1)), sorted(PADDING)[rng.integers(len(PADDING))])
            again = execute(parse(padded, wanted=program.root.type), facts)
        except ProgramError as error:
            return TrialResult("undefined", tried, told=str(error))
        except Exception as error:
            return TrialResult("traceback", tried, traceback=True, told=repr(error))
        words = in_words(value, program.root.type, facts)
        same = again == value and (not steps or steps[-1].result == words) and _is_of(value, program.root.type, facts)
        return TrialResult("executed" if same else "changed", tried, different=not same, told=words)


def _is_of(value: Any, kind: ValueType, facts: SceneFacts) -> bool:
    """Whether objects exist, counts are none below zero, and a yes or no is one."""
    everyone = range(len(facts.objects))
    match kind:
        case ValueType.OBJECT:
            return type(value) is int and value in everyone
        case ValueType.OBJECTS | ValueType.PAIR:
            return list(value) == sorted(set(value)) and all(one in everyone for one in value)
        case ValueType.COUNT:
            return type(value) is int and value >= 0
        case ValueType.BOOL:
            return type(value) is bool
        case _:
            return True

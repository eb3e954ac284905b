"""Answers a question about an interpreted set: the answer, its probability, and every step that led to it."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from comphy.errors import ProgramError
from comphy.evaluation.qa.calibration.calibration import Recalibration
from comphy.programs.program import GIVEN, Node, Program
from comphy.programs.types import ValueType
from comphy.scene.events import EventKind
from models.pcr.asking.interpreted_set import InterpretedSet, Pair
from models.pcr.asking.predicted_motion import PredictedMotion, first_likely, imagine, recorded_collisions
from models.pcr.asking.presuppositions import Presuppositions, check, premise_remarks
from models.pcr.asking.question import Option, Query
from models.pcr.asking.reply import PairVerdict, Reply, Verdict
from models.pcr.asking.sentences import AnswerVerbalizer, pairs_sentence, verdicts_sentence
from models.pcr.asking.words import WORTH_TELLING, Item, ToldStep, events_in_words, tell
from models.pcr.executor.answers import ANSWER_WORDS, Asked, group, run
from models.pcr.executor.compiled import compile_program
from models.pcr.executor.soft_logic import any_of
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.trace import SoftStep, trace
from models.pcr.reasoner.recalibration import NEUTRAL, recalibrated, recalibrated_truth

_ROW = 0  # the only set of the scene


@torch.no_grad()
def ask(interpreted: InterpretedSet, query: Query) -> Reply:
    """Answer a question about a set, with an explanation.

    The probabilities of answers, verdicts and pairs are recalibrated for this kind of question; those of the steps
    before and of hidden properties are as the reasoner computes them. That of an answer includes that what is asked
    about exists. Where a presupposition fails that cannot be seen, such as that something is heavy, the reply says so.

    Args:
        interpreted: the set.
        query: the question with its choices.

    Returns:
        The reply with every step that led to it.

    Raises:
        ProgramError: where a presupposition fails that can be seen: no object, or more than one, has a look that the
            question names."""
    if not query.is_open:
        return _ask_closed(interpreted, query)
    told: list[ToldStep] = []
    presupposed = Presuppositions()
    predicted: PredictedMotion | None = None
    values: dict[int, SoftStep] = {}
    for node in query.closed_parts():
        part = Program(node)
        steps = trace(part, interpreted.scene, _ROW)
        presupposed += check(part, steps, interpreted)
        told += tell(part, steps, interpreted, first=len(told) + 1)
        predicted = imagine(interpreted, part, steps) or predicted
        values |= {step.position: step for step in steps}
    if not presupposed.hold:
        return _not_there(query, presupposed, tuple(told))
    remarks = presupposed.remarks
    if predicted is not None:
        remarks += tuple(premise_remarks(predicted, interpreted))
    if query.options:
        verdicts = tuple(_verdict(interpreted, query, option, number) for number, option in enumerate(query.options, 1))
        sentence = verdicts_sentence(verdicts, predicted, interpreted)
        sure = _least_sure(verdicts)
        return Reply(query, sentence, sure, tuple(told), remarks, verdicts=verdicts, predicted=predicted)
    among, negated = _asked_events(query.program)
    how = _recalibration(interpreted, query)
    pairs = _pair_verdicts(interpreted, values[among.position], predicted, negated, how)
    sentence = pairs_sentence(pairs, predicted, negated, interpreted)
    return Reply(query, sentence, _least_sure(pairs), tuple(told), remarks, pairs=pairs, predicted=predicted)


def _ask_closed(interpreted: InterpretedSet, query: Query) -> Reply:
    program = query.program
    steps = trace(program, interpreted.scene, _ROW)
    presupposed = check(program, steps, interpreted)
    if not presupposed.hold:
        return _not_there(query, presupposed, tell(program, steps, interpreted))
    remarks = presupposed.remarks
    predicted = imagine(interpreted, program, steps)
    if predicted is not None:
        remarks += tuple(premise_remarks(predicted, interpreted))
    chances = run(group([Asked(compile_program(program), _ROW)]), interpreted.scene)[0]
    how = _recalibration(interpreted, query)
    sure = presupposed.existence * recalibrated(chances, how.temperature, how.bias)
    ranked = sorted(zip(ANSWER_WORDS, sure.tolist(), strict=True), key=lambda pair: -pair[1])
    best = Item(*ranked[0])
    answers = (best, *(Item(word, chance) for word, chance in ranked[1:] if chance >= WORTH_TELLING))
    sentence = AnswerVerbalizer(program, steps, interpreted).answer(best.words)
    *before, last = tell(program, steps, interpreted)
    result = answers[:1] if program.root.type is ValueType.BOOL else answers
    told = (*before, replace(last, items=result))
    return Reply(query, sentence, ranked[0][1], told, remarks, answers=answers, predicted=predicted)


def _not_there(query: Query, presupposed: Presuppositions, told: tuple[ToldStep, ...]) -> Reply:
    """The reply to a question about what is not there."""
    return Reply(query, presupposed.missing, 1 - presupposed.existence, told, presupposed.remarks)


def _verdict(interpreted: InterpretedSet, query: Query, option: Option, number: int) -> Verdict:
    program = query.about(option)
    steps = trace(program, interpreted.scene, _ROW)
    check(program, steps, interpreted, f"choice {number}")
    meant = trace(option.program, interpreted.scene, _ROW)[-1].events
    assert meant is not None
    event = max(events_in_words(meant, interpreted), key=lambda item: item.chance or 0.0)
    return Verdict(option, event.words, recalibrated_truth(float(steps[-1].value), _recalibration(interpreted, query)))


def _asked_events(program: Program) -> tuple[Node, bool]:
    """The set of events that a question asks about, and whether it asks for its complement."""
    node, negated = program.root, False
    while node.token == "not":
        node, negated = node.arguments[0], not negated
    if node.token != "belong_to" or node.arguments[0].token != GIVEN:
        raise ProgramError(f"expected choices to go with this question (found none): {program}. Add --choice.")
    return node.arguments[1], negated


def _pair_verdicts(
    interpreted: InterpretedSet, found: SoftStep, predicted: PredictedMotion | None, negated: bool, how: Recalibration
) -> tuple[PairVerdict, ...]:
    """The probability of every pair of objects to be an answer, the most likely first."""
    assert found.type is ValueType.EVENTS and found.events is not None
    seen = recorded_collisions(interpreted)
    verdicts = []
    for pair in interpreted.pairs:
        chance = recalibrated_truth(_chance(found.events, pair), how)
        imagined = first_likely(predicted.collisions, pair) if predicted is not None else None
        recorded = first_likely(seen, pair)
        verdicts.append(
            PairVerdict(
                pair,
                1 - chance if negated else chance,
                imagined.frame if imagined is not None else None,
                recorded.frame if recorded is not None else None,
            )
        )
    return tuple(sorted(verdicts, key=lambda verdict: -verdict.chance))


def _chance(events: SoftEvents, pair: Pair) -> float:
    """The probability that the events contain a collision of the pair."""
    theirs = events.members[:, list(pair)].all(dim=1) & events.of_kind(EventKind.COLLISION).bool()
    return float(any_of(events.probability[0] * theirs))


def _recalibration(interpreted: InterpretedSet, query: Query) -> Recalibration:
    return interpreted.recalibrations.get(query.kind, NEUTRAL)


def _least_sure(verdicts: Sequence[Verdict] | Sequence[PairVerdict]) -> float:
    return min((max(verdict.chance, 1 - verdict.chance) for verdict in verdicts), default=1.0)

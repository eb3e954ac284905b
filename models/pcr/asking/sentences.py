"""Answers as plain sentences."""

from collections.abc import Callable, Sequence
from typing import Final

from comphy.programs.program import Node, Program
from comphy.programs.types import ValueType
from comphy.questions.choices import PREMISE_WORDS
from comphy.questions.looks import Look
from comphy.scene.objects import ObjectSpec
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.predicted_motion import LIKELY, PredictedMotion
from models.pcr.asking.reply import PairVerdict, Verdict
from models.pcr.asking.words import events_in_words, listed, objects_in_words
from models.pcr.executor.trace import SoftStep

_WAYS: Final = {
    "left": "to the left",
    "right": "to the right",
    "up": "up in the picture",
    "down": "down in the picture",
}
_NO: Final = "no"
_MOST_TOLD: Final = 3  # pairs; more are easier to read in a table


class AnswerVerbalizer:
    """Words the result of a program, using the values of its steps."""

    def __init__(self, program: Program, steps: Sequence[SoftStep], interpreted: InterpretedSet) -> None:
        self._root = program.root
        self._values = {step.position: step for step in steps}
        self._interpreted = interpreted

    def answer(self, word: str) -> str:
        """The answer as a sentence; the bare answer for operators without a sentence of their own."""
        own: dict[str, Callable[[str], str]] = {
            "is_heavier": self._mass,
            "is_lighter": self._mass,
            "equal_charge": self._charge,
            "exist": self._exist,
            "count": self._count,
            "query_direction": self._direction,
        }
        if self._root.token in own:
            return own[self._root.token](word)
        if self._root.token.startswith("query_both"):
            return f"The two are {word}."
        if self._root.token.startswith("query"):
            return self._look(word)
        return f"{word.capitalize()}."

    def _mass(self, word: str) -> str:
        """A no names the heavier one, or says that there is none: so it also answers "Which is heavier?"."""
        first, second = (self._name(argument) for argument in self._root.arguments)
        more = self._root.token.removeprefix("is_")
        if word != _NO:
            return f"Yes, the {first} is {more} than the {second}."
        one, other = (float(self._values[argument.position].value) > LIKELY for argument in self._root.arguments)
        if one == other:
            return f"No, the {first} and the {second} are both {'heavy' if one else 'light'}."
        if other == (more == "heavier"):
            return f"No, the {second} is {more} than the {first}."
        return f"No, it is not sure that the {first} is {more} than the {second}."

    def _charge(self, word: str) -> str:
        both = " and the ".join(self._name(argument) for argument in self._root.arguments)
        have = "do not have" if word == _NO else "have"
        return f"{word.capitalize()}, the {both} {have} charges of the same sign."

    def _exist(self, word: str) -> str:
        found = self._likely(self._root.arguments[0])
        if word == _NO:
            events = self._root.arguments[0].type is ValueType.EVENTS
            return "No, there is no such event." if events else "No, there is none."
        return f"Yes: {'; '.join(found)}." if found else "Yes."

    def _count(self, word: str) -> str:
        found = self._likely(self._root.arguments[0])
        if word == "0":
            return "None."
        return f"{word}: {'; '.join(found)}." if len(found) == int(word) else f"{word}."

    def _direction(self, word: str) -> str:
        return f"The {self._name(self._root.arguments[0])} moves {_WAYS[word]}."

    def _look(self, word: str) -> str:
        """Refers to the object by the attributes that were not asked for."""
        spec = self._spec(self._root.arguments[0])
        if word == spec.color:
            return f"The {Look(None, spec.material, spec.shape).phrase()} is {word}."
        if word == spec.shape:
            return f"The {Look(spec.color, spec.material).phrase()} is a {word}."
        if word == spec.material:
            return f"The {Look(spec.color, None, spec.shape).phrase()} is made of {word}."
        return f"{word.capitalize()}."

    def _likely(self, node: Node) -> list[str]:
        """The likely members of a set of objects or events, in words."""
        step = self._values[node.position]
        if step.events is not None:
            items = events_in_words(step.events, self._interpreted)
        else:
            items = objects_in_words(step.value, self._interpreted, "the ")
        return [item.words for item in items if item.chance is not None and item.chance > LIKELY]

    def _name(self, node: Node) -> str:
        return self._interpreted.names[self._number(node)]

    def _spec(self, node: Node) -> ObjectSpec:
        return self._interpreted.objects[self._number(node)].spec

    def _number(self, node: Node) -> int:
        """The number of the object that a value belongs to."""
        while node.type not in (ValueType.OBJECT, ValueType.OBJECTS):
            node = node.arguments[0]
        return int(self._values[node.position].value.argmax())


def pairs_sentence(
    pairs: Sequence[PairVerdict], predicted: PredictedMotion | None, negated: bool, interpreted: InterpretedSet
) -> str:
    """The answer to an open question without choices: which pairs collide, or do not."""
    opening, verb = _setting(predicted, interpreted)
    found = [
        f"the {interpreted.names[a]} and the {interpreted.names[b]}" for a, b in (v.pair for v in pairs if v.holds)
    ]
    deed = f"{verb} not collide" if negated else f"{verb} collide"
    if not found:
        nothing = f"every pair of objects {verb} collide" if negated else f"no two objects {verb} collide"
        return _sentence(f"{opening}{nothing}")
    if len(found) == 1:
        return _sentence(f"{opening}{found[0]} {deed}")
    if len(found) > _MOST_TOLD:
        return _sentence(f"{opening}{len(found)} of {len(pairs)} pairs {deed}")
    return _sentence(f"{opening}{len(found)} pairs {deed}: {'; '.join(found)}")


def verdicts_sentence(
    verdicts: Sequence[Verdict], predicted: PredictedMotion | None, interpreted: InterpretedSet
) -> str:
    """The answer to an open question with choices: which of them are right."""
    opening, _ = _setting(predicted, interpreted)
    right = [verdict.text.rstrip(".") for verdict in verdicts if verdict.holds]
    if len(verdicts) == 1:
        return _sentence(f"{opening}{'yes' if right else 'no'}: {verdicts[0].text.rstrip('.')}")
    if not right:
        return _sentence(f"{opening}none of the {len(verdicts)} choices is right")
    quoted = listed([f"“{text}”" for text in right])
    return _sentence(
        f"{opening}{len(right)} of {len(verdicts)} choices {'is' if len(right) == 1 else 'are'} right: {quoted}"
    )


def _setting(predicted: PredictedMotion | None, interpreted: InterpretedSet) -> tuple[str, str]:
    """The opening clause and the verb of a sentence."""
    if predicted is None:
        return "", "do"
    if predicted.is_future:
        return "after the video ", "will"
    changed = "not there" if predicted.premise is None else PREMISE_WORDS[predicted.premise]
    return f"if the {interpreted.names[predicted.who]} were {changed}, ", "would"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."

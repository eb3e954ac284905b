"""Answers out of replies, in two ways. Strictly: the reply is in the form that was asked for. Loosely: it is clear what is
meant, whatever stands around it. What a model thought aloud before its answer is left out of both."""

import re
from collections.abc import Iterator
from typing import Final

from comphy.dataset.submission import Answer
from comphy.questions.model import Question, QuestionKind
from models.baselines.lvlm.prompts import CORRECT, WRONG, is_pair, option_letters, single_words
from models.llm.replies import without_thoughts
from models.questions.question_types import ANSWERS, PAIR_JOINT, AnswerType, answer_type, unordered

_NUMBERS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SYNONYMS: Final = {
    **{word: str(number) for number, word in enumerate(_NUMBERS)},
    "grey": "gray",
    "ball": "sphere",
    "box": "cube",
    "metallic": "metal",
    **{f"{word}ward{end}": word for word in ("left", "right", "up", "down") for end in ("", "s")},
}
_VERDICTS: Final = {
    **dict.fromkeys((CORRECT, "right", "true", "yes"), True),
    **dict.fromkeys((WRONG, "incorrect", "false", "no"), False),
}
_VERDICT: Final = rf"(not\s+)?\b({'|'.join(_VERDICTS)})\b"
_MARKER: Final = re.compile(r"\banswers?\b\s*(?:is|are|:|=)*", re.IGNORECASE)
_MARKUP: Final = re.compile(r"[*_`#\"“”]")
_WORD: Final = re.compile(r"[a-z]+|\d+")
_SENTENCE_END: Final = re.compile(r"[.!?;\n]")


def read_strictly(reply: str, question: Question) -> Answer | None:
    """None unless the reply is in the form that was asked for; case and a full stop at the end do not matter."""
    text = without_thoughts(reply).strip()
    if question.kind is QuestionKind.FACTUAL:
        word = unordered(text.removesuffix("."))
        return word if word in ANSWERS[answer_type(question)] else None
    letters = option_letters(question)
    if not letters:
        return {}
    lines = [re.fullmatch(rf"([{letters}]): *({CORRECT}|{WRONG})\.?", line.strip(), re.I) for line in text.splitlines()]
    found = {line[1].upper(): line[2].lower() == CORRECT for line in lines if line}
    return _by_choice(question, found) if len(lines) == len(found) == len(letters) else None


def read_loosely(reply: str, question: Question) -> Answer | None:
    """None if the reply names no answer, or several."""
    strict = read_strictly(reply, question)
    if strict is not None:
        return strict
    text = _MARKUP.sub(" ", without_thoughts(reply)).strip()
    if question.kind is QuestionKind.FACTUAL:
        return _loose_word(text, answer_type(question))
    return _loose_choices(text, question)


def _loose_word(text: str, kind: AnswerType) -> str | None:
    """The word that is named alone: behind "answer", at the beginning for yes and no, anywhere, or at the end."""
    for segment in _segments(text, first=kind is AnswerType.YES_NO):
        named = _named(segment, single_words(kind))
        if is_pair(kind):
            doubled = len(named) == 1 and "both" in segment.lower()
            pair = [*named, *named] if doubled else named if len(named) == 2 else list(dict.fromkeys(named))
            if len(pair) == 2:
                return PAIR_JOINT.join(sorted(pair))
        elif len(set(named)) == 1:
            return named[0]
    return None


def _segments(text: str, first: bool) -> Iterator[str]:
    """Parts of a text that may have the answer, the likeliest first."""
    marked = _MARKER.split(text)
    if len(marked) > 1:
        yield marked[-1]
    if first:
        yield text.partition(",")[0][:4]
    yield text
    sentences = [one for one in _SENTENCE_END.split(text) if one.strip()]
    if sentences:
        yield sentences[-1]


def _named(text: str, words: tuple[str, ...]) -> list[str]:
    """The words of a list that a text names, in their order; plurals and synonyms count."""
    found = []
    for word in _WORD.findall(text.lower()):
        singular = word.removesuffix("s") if word.removesuffix("s") in (*words, *_SYNONYMS) else word
        meant = _SYNONYMS.get(singular, singular)
        if meant in words:
            found.append(meant)
    return found


def _loose_choices(text: str, question: Question) -> Answer | None:
    """A verdict for each letter, as many verdicts as there are options, or the letters of the correct ones."""
    letters = option_letters(question)
    judged = {}
    for letter in letters:
        pattern = rf"\b{letter}\b(?:\W|option|is|are|would|will|be|happen)*?(?i:{_VERDICT})"
        for match in re.finditer(pattern, text):
            judged[letter] = _VERDICTS[match[2].lower()] != bool(match[1])
    if len(judged) == len(letters):
        return _by_choice(question, judged)
    verdicts = re.findall(_VERDICT, text, re.IGNORECASE)
    if not judged and len(verdicts) == len(letters):
        each = [_VERDICTS[word.lower()] != bool(denied) for denied, word in verdicts]
        return _by_choice(question, dict(zip(letters, each, strict=True)))
    return _listed(text, question, letters)


def _listed(text: str, question: Question, letters: str) -> Answer | None:
    """Of a reply that lists the letters of correct options, as in "A and C"."""
    several = rf"[{letters}](?:(?:\s|,|and|&|/)+[{letters}])*"
    listed = rf"(?:options?\s+)?({several})(?:\s+(?:is|are|would be) (?:correct|true|right))?"
    for segment in (_MARKER.split(text)[-1], *text.splitlines()[-1:]):
        plain = segment.strip(" .:()\n")
        if match := re.fullmatch(listed, plain):
            named = set(re.findall(rf"\b[{letters}]\b", match[1]))
            return _by_choice(question, {letter: letter in named for letter in letters})
        whole = re.match(r"(none|neither|all|both)\b", plain.lower())
        if whole and not re.search(r"\b(not|wrong|incorrect|false)\b", plain.lower()):
            return _by_choice(question, dict.fromkeys(letters, whole[1] in ("all", "both")))
    return None


def _by_choice(question: Question, verdicts: dict[str, bool]) -> Answer:
    letters = option_letters(question)
    return {choice.choice_id: verdicts[a] for a, choice in zip(letters, question.choices, strict=True)}

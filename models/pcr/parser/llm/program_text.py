"""A program as text, character by character: which character keeps a text the beginning of a well-typed program.

A program is written as in question files and in `--program`: its tokens in postfix order with one space between them. A
space may stand before the first token, since most vocabularies have their words with one. The text ends with the text
itself or with a line break.
"""

from typing import Final, NamedTuple

from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, Automaton, Stack

SPACE: Final = " "
NEWLINE: Final = "\n"
WORDS: Final = tuple(token for token in PROGRAM_TOKENS if not token.startswith("<"))
ALPHABET: Final = frozenset("".join(WORDS)) | {SPACE, NEWLINE}
_IDS: Final = {token: number for number, token in enumerate(PROGRAM_TOKENS)}


class TextState(NamedTuple):
    """After some characters: the types on the stack, how many tokens may follow (the one that is being written and the end
    count), and the letters of the unfinished token. `fresh`: nothing was written. `ended`: the line break was."""

    stack: Stack
    room: int
    letters: str = ""
    fresh: bool = False
    ended: bool = False


class ProgramText:
    """Accepts the texts of programs of at most `max_tokens` tokens that the automaton accepts.

    Every state that is reached can be completed, one character after the other.
    """

    def __init__(self, automaton: Automaton, max_tokens: int) -> None:
        self._automaton = automaton
        self.start = TextState(automaton.start, max_tokens + 1, fresh=True)
        self._words: dict[tuple[Stack, int], frozenset[str]] = {}
        self._beginnings: dict[tuple[Stack, int], frozenset[str]] = {}

    def after(self, state: TextState, character: str) -> TextState | None:
        """The state after one more character; None if no program's text goes on with it."""
        if character == NEWLINE:
            return state._replace(ended=True) if state.ended or self.may_end(state) else None
        if state.ended:
            return None
        if character == SPACE:
            if state.fresh:
                return state._replace(fresh=False)
            left = self._after_word(state)
            return left if left is not None and self._allowed(left) else None
        letters = state.letters + character
        return state._replace(letters=letters, fresh=False) if letters in self._begun(state) else None

    def after_text(self, state: TextState, text: str) -> TextState | None:
        found: TextState | None = state
        for character in text:
            if found is None:
                return None
            found = self.after(found, character)
        return found

    def may_end(self, state: TextState) -> bool:
        """Whether the text is that of a whole program."""
        if state.ended:
            return True
        left = self._after_word(state)
        return left is not None and bool(self._automaton.allowed(left.stack, left.room)[END_ID])

    def _after_word(self, state: TextState) -> TextState | None:
        """The state in which the next token begins; None if the letters are not an allowed token."""
        if state.letters not in self._allowed(state):
            return None
        return TextState(self._automaton.after(state.stack, _IDS[state.letters]), state.room - 1)

    def _allowed(self, state: TextState) -> frozenset[str]:
        """The tokens that may be written next."""
        key = state.stack, state.room
        if key not in self._words:
            mask = self._automaton.allowed(*key)
            self._words[key] = frozenset(word for word in WORDS if mask[_IDS[word]])
        return self._words[key]

    def _begun(self, state: TextState) -> frozenset[str]:
        """All beginnings of these tokens."""
        key = state.stack, state.room
        if key not in self._beginnings:
            words = self._allowed(state)
            self._beginnings[key] = frozenset(word[:n] for word in words for n in range(1, len(word) + 1))
        return self._beginnings[key]


def longest_text(max_tokens: int) -> int:
    """Characters of a program's text, at most, with the space before and the line break behind it."""
    return max_tokens * (max(map(len, WORDS)) + 1) + 1

"""The texts of a language model's tokens, and which of them keep a text the beginning of a program.

A token may span several tokens of a program, or a part of one: what it adds to a text is all that counts.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from comphy.errors import ConfigError
from models.pcr.parser.llm.program_text import ALPHABET, NEWLINE, ProgramText, TextState

_ANCHOR: Final = "a"  # a token shows what it adds only behind another one: some tokenizers drop the first space
_MOST_STATES: Final = 50_000  # of which the tokens are kept


class TokenTexts:
    """`texts` has the tokens that can be part of a program's text; `ends` are those that end an answer."""

    def __init__(self, texts: Mapping[int, str], ends: frozenset[int], where: str) -> None:
        self.texts = {number: text for number, text in texts.items() if text and number not in ends}
        self.ends = ends
        alone = {text for text in self.texts.values() if len(text) == 1}
        if not ends or not alone >= ALPHABET - {NEWLINE}:
            missing = sorted(ALPHABET - {NEWLINE} - alone)
            raise ConfigError(
                f"{where}: expected a tokenizer that can end a text and write every letter of a program "
                f"(found {'no token that ends a text' if not ends else f'none for {missing}'}). Use a model whose "
                "tokenizer reads bytes or falls back on them, as those of GPT, Llama and Qwen do."
            )
        self._root = _trie(self.texts)

    def allowed(self, program: ProgramText, state: TextState) -> Iterator[int]:
        """The tokens after which the text is still the beginning of a program's, and those that end it."""
        if program.may_end(state):
            yield from self.ends
        paths = [(self._root, state)]
        while paths:
            node, reached = paths.pop()
            for character, child in node.children.items():
                left = program.after(reached, character)
                if left is not None:
                    yield from child.tokens
                    paths.append((child, left))


class _Node:
    """A place in the trie of token texts."""

    __slots__ = ("children", "tokens")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.tokens: list[int] = []


def _trie(texts: Mapping[int, str]) -> _Node:
    root = _Node()
    for number, text in texts.items():
        node = root
        for character in text:
            node = node.children.setdefault(character, _Node())
        node.tokens.append(number)
    return root


def read_token_texts(tokenizer: Any, ends: frozenset[int], where: str) -> TokenTexts:
    """What each token of a `transformers` tokenizer adds to a text. Special tokens add nothing that may be written."""
    anchor = tokenizer.encode(_ANCHOR, add_special_tokens=False)
    before = tokenizer.decode(anchor, clean_up_tokenization_spaces=False)
    special = set(tokenizer.all_special_ids) | ends
    numbers = [number for number in range(len(tokenizer)) if number not in special]
    texts: dict[int, str] = {}
    for number in numbers:
        text = tokenizer.decode([*anchor, number], clean_up_tokenization_spaces=False)
        added = text.removeprefix(before)
        if text.startswith(before) and ALPHABET.issuperset(added):
            texts[number] = added
    return TokenTexts(texts, ends, where)


class AllowedTokens:
    """The tokens that may follow any tokens so far, for one kind of sentences. States are memoised."""

    def __init__(self, texts: TokenTexts, program: ProgramText) -> None:
        self._texts, self._program = texts, program
        self._allowed: dict[TextState, list[int]] = {}

    @property
    def start(self) -> TextState:
        return self._program.start

    def after(self, state: TextState | None, token: int) -> TextState | None:
        """None after a token that was not allowed."""
        if state is None:
            return None
        if token in self._texts.ends:
            return state._replace(ended=True) if self._program.may_end(state) else None
        text = self._texts.texts.get(token)
        return self._program.after_text(state, text) if text is not None else None

    def allowed(self, state: TextState) -> list[int]:
        if state not in self._allowed:
            if len(self._allowed) >= _MOST_STATES:
                self._allowed.clear()
            self._allowed[state] = list(self._texts.allowed(self._program, state))
        return self._allowed[state]

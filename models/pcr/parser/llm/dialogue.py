"""Asks an endpoint for programs: every answer is checked, and a wrong one is sent back with what is wrong about it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from comphy.errors import EndpointError, ProgramError
from models.llm.endpoint import Endpoint
from models.llm.messages import Message
from models.llm.replies import shown
from models.llm.templates import fill
from models.pcr.parser.llm.parser import differs
from models.pcr.parser.llm.prompt import Prompt, Template
from models.pcr.parser.llm.replies import log_probability, read_answer
from models.pcr.parser.llm.writing import NotWritten, Written
from models.pcr.parser.sentences import SentenceKind

_PATIENCE: Final = 5  # sentences in a row without a program, from the first on, after which an endpoint is given up
_OTHER_WORDS: Final = (
    "The program must have the colors, materials, shapes and orders (first, second, last) of the sentence, "
    "and no others."
)


class Dialogue:
    """Implements `ProgramWriter`. One sentence gets at most `tries` answers."""

    def __init__(self, endpoint: Endpoint, template: Template, tries: int, workers: int) -> None:
        self._endpoint, self._template = endpoint, template
        self._tries, self._workers = tries, workers
        self._can_write = False  # whether any sentence got a program so far

    def write(self, prompts: Sequence[Prompt], kinds: Sequence[SentenceKind]) -> list[Written | NotWritten]:
        """Raises `EndpointError` if the endpoint fails, or if none of the first sentences gets a program."""
        pool = ThreadPoolExecutor(self._workers)
        found: list[Written | NotWritten] = []
        try:
            for one in pool.map(lambda prompt: self._talk(prompt, kinds), prompts):
                found.append(one)
                self._can_write = self._can_write or isinstance(one, Written)
                if len(found) >= _PATIENCE and not self._can_write:
                    raise EndpointError(self._no_programs(found))
            return found
        finally:
            pool.shutdown(cancel_futures=True)

    def alternatives(self, prompt: Prompt, kinds: Sequence[SentenceKind]) -> list[Written]:
        return []

    def remarks(self) -> Sequence[str]:
        asked = self._endpoint
        return (
            f"{asked.model} at {asked.url} gave {asked.answered:,} answers; it read {asked.tokens_read:,} tokens and "
            f"wrote {asked.tokens_written:,}.",
        )

    def _no_programs(self, found: Sequence[Written | NotWritten]) -> str:
        last = [one.reason for one in found if isinstance(one, NotWritten)][-1]
        return (
            f"{self._endpoint.url}: expected programs (found none for the first {len(found)} sentences; of the last, "
            f"{last}). Use a larger model, more `examples`, or another `template`."
        )

    def _talk(self, prompt: Prompt, kinds: Sequence[SentenceKind]) -> Written | NotWritten:
        """One sentence. A program with other words than the sentence is kept if nothing better comes."""
        messages, best, objection, answer = list(prompt.messages), None, "", ""
        for _ in range(self._tries):
            reply = self._endpoint.ask(messages)
            answer = reply.text
            try:
                program, kind = read_answer(answer, kinds)
            except ProgramError as error:
                objection = str(error)
            else:
                best = Written(program, kind, log_probability(reply))
                if not differs(prompt.text, program.tokens):
                    return best
                objection = _OTHER_WORDS
            retry = fill(self._template.retry, {"error": objection})
            messages += [Message("assistant", answer), Message("user", retry)]
        told = f"the language model gave no program in {self._tries} tries; its last answer was {shown(answer)}: {objection}"
        return best if best is not None else NotWritten(told)

"""Keeps `generate` of `transformers` to texts of well-typed programs."""

import torch
from torch import Tensor
from transformers import LogitsProcessor

from models.pcr.parser.llm.program_text import TextState
from models.pcr.parser.llm.token_texts import AllowedTokens

Written = tuple[int, ...]


class ProgramConstraint(LogitsProcessor):
    """Leaves the scores of tokens that keep an answer the beginning of a well-typed program; all others become -inf.

    States are looked up by the whole answer so far, so that beams may change places. A finished answer can only end, at no
    cost.
    """

    def __init__(self, allowed: AllowedTokens, prompt_length: int, end: int) -> None:
        self._allowed, self._prompt_length, self._end = allowed, prompt_length, end
        self._states: dict[Written, TextState | None] = {(): allowed.start}

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        kept = torch.full_like(scores, -torch.inf)
        for row, written in enumerate(input_ids[:, self._prompt_length :].tolist()):
            state = self._state(tuple(written))
            if state is None or state.ended:
                kept[row, self._end] = 0.0
                continue
            tokens = torch.tensor(self._allowed.allowed(state), device=scores.device)
            kept[row, tokens] = scores[row, tokens]
        return kept

    def _state(self, written: Written) -> TextState | None:
        """None for an answer that is not allowed; beam search tries some, with probability 0, where there are too few."""
        if written not in self._states:
            before = self._state(written[:-1])
            done = before is not None and before.ended
            self._states[written] = before if done else self._allowed.after(before, written[-1])
        return self._states[written]

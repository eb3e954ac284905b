"""Batched greedy decoding, constrained to well-typed programs by an automaton.

Shapes: B sentences, T words of the longest, P tokens of the output vocabulary.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from transformers.cache_utils import Cache

from comphy.questions.model import Tokens
from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, START_ID, Automaton
from models.pcr.parser.network import ProgramTransformer


@dataclass(frozen=True)
class Decoded:
    """A program and its log-probability, END included, under the unconstrained model (not renormalised)."""

    tokens: Tokens
    log_probability: float


@torch.inference_mode()
def decode(module: ProgramTransformer, words: Tensor, automaton: Automaton, max_tokens: int) -> list[Decoded]:
    """Decode padded `words` (B, T) into programs of at most `max_tokens` tokens each."""
    states = module.encode(words)
    cache: Cache | None = None
    count = len(words)
    stacks = [automaton.start] * count
    programs: list[list[str]] = [[] for _ in range(count)]
    scores = torch.zeros(count, dtype=torch.float64)
    unfinished = np.ones(count, dtype=bool)
    last = torch.full((count, 1), START_ID, device=words.device)
    for room in range(max_tokens + 1, 0, -1):
        logits, cache = module.decode(states, words, last, cache, keep=True)
        log_probabilities = logits[:, -1].log_softmax(-1)
        allowed = np.stack([automaton.allowed(stack, room) for stack in stacks])
        mask = torch.from_numpy(allowed).to(words.device)
        value, chosen = log_probabilities.masked_fill(~mask, -torch.inf).max(-1)
        scores += torch.where(torch.from_numpy(unfinished), value.cpu().double(), 0.0)
        picks = chosen.cpu().numpy()
        for row in np.flatnonzero(unfinished & (picks != END_ID)):
            programs[row].append(PROGRAM_TOKENS[picks[row]])
            stacks[row] = automaton.after(stacks[row], picks[row])
        unfinished &= picks != END_ID
        if not unfinished.any():
            break
        last = chosen.unsqueeze(-1)
    return [Decoded(tuple(program), score) for program, score in zip(programs, scores.tolist(), strict=True)]

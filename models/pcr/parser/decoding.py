"""Batched greedy decoding, and beam search for one sentence, constrained to well-typed programs by an automaton.

Shapes: B sentences, T words of the longest, K pieces of a word, P tokens of the output vocabulary.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.questions.model import Tokens
from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, START_ID, Automaton, Stack
from models.pcr.parser.network import ProgramTransformer
from models.pcr.parser.transformer import Cache


@dataclass(frozen=True)
class Decoded:
    """A program and its log-probability, END included, under the unconstrained model (not renormalised)."""

    tokens: Tokens
    log_probability: float


@torch.inference_mode()
def decode(
    module: ProgramTransformer,
    words: Tensor,
    automaton: Automaton,
    max_tokens: int,
    excluded: Sequence[Collection[str]] | None = None,
) -> list[Decoded]:
    """Decode padded `words` (B, T, K) into programs of at most `max_tokens` tokens each, without the tokens that are
    `excluded` for each sentence (where there is another way)."""
    states = module.encode(words)
    cache: Cache | None = None
    count = len(words)
    left_out = _masks(excluded or [()] * count)
    stacks = [automaton.start] * count
    programs: list[list[str]] = [[] for _ in range(count)]
    scores = torch.zeros(count, dtype=torch.float64)
    unfinished = np.ones(count, dtype=bool)
    last = torch.full((count, 1), START_ID, device=words.device)
    for room in range(max_tokens + 1, 0, -1):
        logits, cache = module.decode(states, words, last, cache)
        log_probabilities = logits[:, -1].log_softmax(-1)
        allowed = _without(np.stack([automaton.allowed(stack, room) for stack in stacks]), left_out)
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


@torch.inference_mode()
def best_programs(
    module: ProgramTransformer,
    words: Tensor,
    automaton: Automaton,
    max_tokens: int,
    beams: int,
    excluded: Collection[str] = (),
) -> list[Decoded]:
    """Beam search for the `beams` likeliest programs of one sentence, `words` (1, T, K); the likeliest first."""
    states, left_out = module.encode(words), _masks([excluded])
    alive: list[tuple[tuple[int, ...], Stack, float]] = [((), automaton.start, 0.0)]
    found: list[Decoded] = []
    for room in range(max_tokens + 1, 0, -1):
        prefixes = torch.tensor([[START_ID, *tokens] for tokens, _, _ in alive], device=words.device)
        many = len(alive), -1, -1
        logits, _ = module.decode(states.expand(*many), words.expand(*many), prefixes)
        scores = logits[:, -1].log_softmax(-1).double()
        allowed = _without(np.stack([automaton.allowed(stack, room) for _, stack, _ in alive]), left_out)
        scores = scores.masked_fill(~torch.from_numpy(allowed).to(words.device), -torch.inf)
        scores += torch.tensor([score for _, _, score in alive], device=words.device)[:, None]
        values, places = scores.flatten().topk(min(2 * beams, int(allowed.sum())))
        grown: list[tuple[tuple[int, ...], Stack, float]] = []
        for value, place in zip(values.tolist(), places.tolist(), strict=True):
            row, token = divmod(place, scores.shape[1])
            tokens, stack, _ = alive[row]
            if token == END_ID:
                found.append(Decoded(tuple(PROGRAM_TOKENS[one] for one in tokens), value))
            elif len(grown) < beams:
                grown.append(((*tokens, token), automaton.after(stack, token), value))
        alive = grown
        complete = sorted((one.log_probability for one in found), reverse=True)
        if not alive or (len(complete) >= beams and complete[beams - 1] >= alive[0][2]):
            break
    return sorted(found, key=lambda one: -one.log_probability)[:beams]


def _masks(excluded: Sequence[Collection[str]]) -> NDArray[np.bool_]:
    """(B, P): the excluded tokens of each sentence."""
    return np.array([[token in some for token in PROGRAM_TOKENS] for some in excluded])


def _without(allowed: NDArray[np.bool_], excluded: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Allowed tokens but the excluded ones; all of them where nothing else is left."""
    kept = allowed & ~excluded
    return np.where(kept.any(axis=1, keepdims=True), kept, allowed)

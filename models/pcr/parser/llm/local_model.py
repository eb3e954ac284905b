"""A causal language model of `transformers` that writes programs, constrained to well-typed ones.

Shapes: B prompts, V tokens of the model's vocabulary.
"""

from collections.abc import Sequence
from functools import cache, cached_property, partial
from typing import Any, Final

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessorList

from comphy.errors import ConfigError
from models.llm.chat_format import formatted
from models.llm.local import ending_tokens, opening, positions
from models.pcr.parser.interface import MAX_TOKENS
from models.pcr.parser.llm.constraint import ProgramConstraint
from models.pcr.parser.llm.program_text import ProgramText, longest_text
from models.pcr.parser.llm.prompt import Prompt
from models.pcr.parser.llm.token_texts import AllowedTokens, read_token_texts
from models.pcr.parser.llm.writing import NotWritten, Written
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program

_BEAMS: Final = 6


class LocalModel:
    """Implements `ProgramWriter`: greedy decoding under the automaton of well-typed programs of at most `max_tokens`."""

    def __init__(
        self, model: Any, tokenizer: Any, batch: int = 8, where: str = "the model", max_tokens: int = MAX_TOKENS
    ) -> None:
        self._model, self._tokenizer, self._batch, self._where = model.eval(), tokenizer, batch, where
        self._max_tokens = max_tokens
        self._tokenizer.padding_side = "left"
        ends = ending_tokens(model, tokenizer)
        self._texts = read_token_texts(tokenizer, ends, where)
        self._end = tokenizer.eos_token_id if tokenizer.eos_token_id in ends else min(ends)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token_id = self._end
        self._allowed = cache(self._allowed_of)

    def write(self, prompts: Sequence[Prompt], kinds: Sequence[SentenceKind]) -> list[Written | NotWritten]:
        """The program of the kind in which it is likeliest. Prompts of about the same length are read together."""
        order = sorted(range(len(prompts)), key=lambda number: len(prompts[number].plain()))
        found: dict[int, Written | NotWritten] = {}
        for start in range(0, len(order), self._batch):
            rows = order[start : start + self._batch]
            read = [self._decode([prompts[row] for row in rows], kind) for kind in kinds]
            for row, each in zip(rows, zip(*read, strict=True), strict=True):
                found[row] = max(each, key=lambda one: one.log_probability)
        return [found[row] for row in range(len(prompts))]

    def alternatives(self, prompt: Prompt, kinds: Sequence[SentenceKind]) -> list[Written]:
        """By beam search."""
        found = [one for kind in kinds for one in self._beams(prompt, kind)]
        return sorted(found, key=lambda one: -one.log_probability)

    def remarks(self) -> Sequence[str]:
        return ()

    @torch.inference_mode()
    def _decode(self, prompts: Sequence[Prompt], kind: SentenceKind) -> list[Written]:
        given = self._encode(prompts)
        made = self._generate(given, kind, output_logits=True)
        answers = made.sequences[:, given["input_ids"].shape[1] :]
        steps = [
            logits.float().log_softmax(-1).gather(-1, answers[:, step, None]) for step, logits in enumerate(made.logits)
        ]
        scores = torch.cat(steps, -1).double().cpu()  # (B, answer)
        return [self._written(tokens, kind, row) for tokens, row in zip(answers.tolist(), scores, strict=True)]

    @torch.inference_mode()
    def _beams(self, prompt: Prompt, kind: SentenceKind) -> list[Written]:
        given = self._encode([prompt])
        many = {"num_beams": _BEAMS, "num_return_sequences": _BEAMS, "length_penalty": 0.0, "output_scores": True}
        made = self._generate(given, kind, **many)
        answers = made.sequences[:, given["input_ids"].shape[1] :].tolist()
        likely = [pair for pair in zip(answers, made.sequences_scores.tolist(), strict=True) if pair[1] > -1e8]
        return [self._written(tokens, kind, torch.tensor([score])) for tokens, score in likely]

    def _generate(self, given: dict[str, Tensor], kind: SentenceKind, **options: Any) -> Any:
        length = given["input_ids"].shape[1]
        constraint = ProgramConstraint(self._allowed(kind), length, self._end)
        return self._model.generate(
            **given,
            **options,
            logits_processor=LogitsProcessorList([constraint]),
            do_sample=False,
            max_new_tokens=longest_text(self._max_tokens) + 1,
            eos_token_id=sorted(self._texts.ends),
            pad_token_id=self._tokenizer.pad_token_id,
            return_dict_in_generate=True,
        )

    def _written(self, tokens: Sequence[int], kind: SentenceKind, scores: Tensor) -> Written:
        """The text up to its end, and the sum of the scores up to there."""
        allowed = self._allowed(kind)
        state, text, count = allowed.start, "", 0
        while not state.ended:
            token = tokens[count]
            left = allowed.after(state, token)
            assert left is not None, "the constraint lets no other token through"
            state, count = left, count + 1
            text += self._texts.texts.get(token, "")
        return Written(read_program(text.split(), kind), kind, float(scores[:count].sum()))

    def _allowed_of(self, kind: SentenceKind) -> AllowedTokens:
        return AllowedTokens(self._texts, ProgramText(FORMS[kind].automaton(), self._max_tokens))

    def _encode(self, prompts: Sequence[Prompt]) -> dict[str, Tensor]:
        chat = self._has_chat_format
        texts = [self._chat(prompt) if chat else prompt.plain() for prompt in prompts]
        given = self._tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=not chat)
        length, room = given["input_ids"].shape[1], positions(self._model)
        if room is not None and length + self._max_tokens > room:
            raise ConfigError(
                f"{self._where}: expected a prompt that leaves room for a program in the model's {room} positions "
                f"(found one of {length} tokens). Give fewer `examples` or a shorter `template` in the settings, or use "
                "a model with a longer context."
            )
        return {name: given[name].to(self._model.device) for name in ("input_ids", "attention_mask")}

    @cached_property
    def _has_chat_format(self) -> bool:
        return bool(getattr(self._tokenizer, "chat_template", None))

    def _chat(self, prompt: Prompt) -> str:
        turns = [message.record() for message in prompt.messages]
        apply = partial(
            self._tokenizer.apply_chat_template, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        return formatted(apply, turns, self._where, "mend or remove chat_template of its tokenizer")


def load_local_model(name: str, device: torch.device | str = "cpu", batch: int = 8) -> LocalModel:
    """Load a model from a folder, or by its name from the local cache of Hugging Face. Nothing is downloaded."""
    with opening(name, "a causal language model with its tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=True)
        model: Any = AutoModelForCausalLM.from_pretrained(name, local_files_only=True, dtype="auto")
    return LocalModel(model.to(device), tokenizer, batch, name)

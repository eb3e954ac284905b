"""Questions and choices as rows of token ids, ready for batches.

Shapes: N rows, T tokens of the longest, B rows of a batch.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from models.questions.padding import pad
from models.questions.question_types import unordered
from models.questions.tokens import Vocabulary, choice_words, question_words

NO_ANSWER: Final = -1  # the label of a row for the other head, or of an answer that is not in the training split


@dataclass(frozen=True)
class Labelled:
    """A sentence and its label: the answer to a question, or whether a choice is correct."""

    words: tuple[str, ...]
    answer: str | None = None
    correct: bool | None = None
    scene: int = 0  # the set it is about


def labelled(scenes: Sequence[SceneQuestions], split: str) -> list[Labelled]:
    """Every factual question and every choice whose answer is known."""
    questions = [(scene.scene_index, question) for scene in scenes for question in scene.questions]
    factual = [
        Labelled(tuple(question_words(question)), answer=unordered(question.answer), scene=scene)
        for scene, question in questions
        if question.answer is not None
    ]
    choices = [
        Labelled(tuple(choice_words(question, choice)), correct=choice.correct, scene=scene)
        for scene, question in questions
        for choice in question.choices
        if choice.correct is not None
    ]
    if not factual and not choices:
        raise DatasetError(
            f"the {split} split holds no answered question (found {len(scenes)} sets with {len(questions)} questions). "
            "Expected a dataset whose train.json and val.json have answers."
        )
    return factual + choices


@dataclass(frozen=True)
class ExampleBatch:
    """`tokens` (B, T) padded, `lengths` (B), `answers` (B) class numbers or NO_ANSWER, `correct` (B) 0, 1 or NO_ANSWER,
    `scenes` (B) the sets they are about."""

    tokens: Tensor
    lengths: Tensor
    answers: Tensor
    correct: Tensor
    scenes: Tensor

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def is_choice(self) -> Tensor:
        return self.correct != NO_ANSWER

    def rows(self, numbers: Tensor) -> "ExampleBatch":
        lengths = self.lengths[numbers]
        return ExampleBatch(
            self.tokens[numbers, : int(lengths.max())],
            lengths,
            self.answers[numbers],
            self.correct[numbers],
            self.scenes[numbers],
        )

    def to(self, device: torch.device) -> "ExampleBatch":
        """On a device; lengths stay on the CPU, where packed sequences want them, and so do the numbers of sets."""
        return replace(
            self, tokens=self.tokens.to(device), answers=self.answers.to(device), correct=self.correct.to(device)
        )

    def fingerprint(self) -> str:
        """A hash, by which a resumed run is known to have the same examples as before."""
        digest = hashlib.sha256(repr(tuple(self.tokens.shape)).encode())
        for tensor in (self.tokens, self.answers, self.correct):
            digest.update(tensor.numpy().tobytes())
        return digest.hexdigest()


def encode(examples: Sequence[Labelled], vocabulary: Vocabulary, answers: Sequence[str]) -> ExampleBatch:
    """All examples as one batch (N, T), of which `rows` takes parts."""
    numbers = {answer: number for number, answer in enumerate(answers)}
    tokens, lengths = pad([vocabulary.encode(example.words) for example in examples])
    return ExampleBatch(
        tokens,
        lengths,
        torch.tensor([NO_ANSWER if e.answer is None else numbers.get(e.answer, NO_ANSWER) for e in examples]),
        torch.tensor([NO_ANSWER if e.correct is None else int(e.correct) for e in examples]),
        torch.tensor([example.scene for example in examples]),
    )


def shuffled(examples: ExampleBatch, size: int, rng: np.random.Generator) -> Iterator[ExampleBatch]:
    """One epoch in random order; the last batch may be smaller."""
    order = torch.from_numpy(rng.permutation(len(examples)))
    for numbers in order.split(size):
        yield examples.rows(numbers)


def batches(examples: ExampleBatch, size: int) -> Iterator[ExampleBatch]:
    """All examples in order; the last batch may be smaller."""
    for numbers in torch.arange(len(examples)).split(size):
        yield examples.rows(numbers)

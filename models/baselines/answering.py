"""What all trained baselines share when they answer: sentences of a set in, a word or a verdict for each out.

Shapes: B sentences, A answers that training showed.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from comphy.dataset.submission import Answer
from comphy.questions.model import QuestionKind, SceneQuestions
from models.questions.padding import pad
from models.questions.tokens import Vocabulary, choice_words, question_words
from models.train.precision import autocast

# Of the sets that sentences are about (B): what a model is shown beside the words, one row for each sentence.
Watch = Callable[[Tensor], tuple[Tensor | None, ...]]


class Logits(NamedTuple):
    answers: Tensor  # (B, A)
    correct: Tensor  # (B); above 0: more likely correct than wrong
    auxiliary: Tensor | None = None  # (B); in training, a loss of each sentence beside that of its answer


def watch_nothing(scenes: Tensor) -> tuple[Tensor | None, ...]:
    """Of a model that reads the words alone."""
    return ()


class TrainedBaseline:
    """A trained model that answers questions. Its module takes tokens (B, T), lengths (B) and what `watch` gives. `bf16`:
    mixed precision, on GPUs only, as in training and validation."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        answers: Sequence[str],
        module: nn.Module,
        watch: Watch = watch_nothing,
        bf16: bool = False,
    ) -> None:
        self._vocabulary, self._answers, self._watch, self._bf16 = vocabulary, answers, watch, bf16
        self._module = module.eval()
        self._device = next(module.parameters()).device

    def answer(self, scene: SceneQuestions) -> dict[int, Answer]:
        factual = [question for question in scene.questions if question.kind is QuestionKind.FACTUAL]
        others = [question for question in scene.questions if question.kind is not QuestionKind.FACTUAL]
        asked = [question_words(question) for question in factual]
        claimed = [choice_words(question, choice) for question in others for choice in question.choices]
        if not asked and not claimed:
            return {question.question_id: {} for question in others}
        logits = self._read([*asked, *claimed], scene.scene_index)
        named = (self._answers[i] for i in logits.answers[: len(asked)].argmax(-1).tolist())
        judged = iter((logits.correct[len(asked) :] > 0).tolist())
        answers: dict[int, Answer] = {question.question_id: next(named) for question in factual}
        return answers | {
            question.question_id: {choice.choice_id: next(judged) for choice in question.choices} for question in others
        }

    @torch.no_grad()
    def _read(self, sentences: list[list[str]], scene: int) -> Logits:
        tokens, lengths = pad([self._vocabulary.encode(sentence) for sentence in sentences])
        scenes = torch.full((len(sentences),), scene)
        with autocast(self._device, self._bf16):
            logits: Logits = self._module(tokens.to(self._device), lengths, *self._watch(scenes))
        return logits

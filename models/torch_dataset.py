"""A dataset for people who train their own models: a `torch.utils.data.Dataset` of videos and questions."""

from collections.abc import Sequence
from typing import TypedDict

import torch
from torch import Tensor
from torch.utils.data import Dataset as MapDataset

from comphy.dataset.dataset import TARGET, Dataset
from comphy.questions.model import Question


class Example(TypedDict):
    """One question with the videos that it is about.

    Attributes:
        index: number of the set.
        question: its text, program, and choices if it has any.
        videos: 8-bit frames [frames, 3, height, width] by the name of the video.
        answer: the word of a factual question, else None.
        correct: whether each choice is right, [choices]; empty for a factual question."""

    index: int
    question: Question
    videos: dict[str, Tensor]
    answer: str | None
    correct: Tensor


class TorchDataset(MapDataset[Example]):
    """Questions of a split, each with decoded videos of its set.

    Args:
        dataset: what `comphy.open_dataset` gives.
        split: train, val or test.
        videos: names of the videos to decode: target, reference_0 … reference_3; empty for none.

    Questions differ in length, so a `DataLoader` of more than one needs a `collate_fn`."""

    def __init__(self, dataset: Dataset, split: str = "train", videos: Sequence[str] = (TARGET,)) -> None:
        self.dataset = dataset
        self.videos = tuple(videos)
        self._asked = [(index, question) for index in dataset.split(split) for question in dataset[index].questions]

    def __len__(self) -> int:
        return len(self._asked)

    def question(self, position: int) -> Question:
        """A question alone, without decoding a video.

        Args:
            position: from 0 to the number of questions.

        Returns:
            The question."""
        return self._asked[position][1]

    def __getitem__(self, position: int) -> Example:
        index, question = self._asked[position]
        entry = self.dataset[index]
        frames = {name: torch.from_numpy(entry.frames(name)).permute(0, 3, 1, 2) for name in self.videos}
        correct = torch.tensor([bool(choice.correct) for choice in question.choices], dtype=torch.bool)
        return Example(index=index, question=question, videos=frames, answer=question.answer, correct=correct)

"""Read a dataset with videos into PyTorch batches, for a model of your own.

comphy demo && python examples/read_in_torch.py demo
"""

import sys

import torch
from torch.utils.data import DataLoader

import comphy


def main(folder: str) -> None:
    examples = comphy.TorchDataset(comphy.open_dataset(folder), split="train", videos=["target"])
    factual = [k for k in range(len(examples)) if examples.question(k).answer is not None]
    loader = DataLoader(torch.utils.data.Subset(examples, factual[:4]), batch_size=2, collate_fn=collate)
    for videos, questions, answers in loader:
        print("videos", tuple(videos.shape), videos.dtype)
        for question, answer in zip(questions, answers, strict=True):
            print(f"  {question} {answer}")


def collate(batch: list) -> tuple[torch.Tensor, list[str], list[str]]:
    """Videos [N, frames, 3, height, width] from 0 to 1, and texts as they are."""
    videos = torch.stack([example["videos"]["target"] for example in batch]).float() / 255
    return videos, [example["question"].text for example in batch], [example["answer"] for example in batch]


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "demo")

"""Perceives sets in this process or in several, which share a GPU or the cores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from comphy.dataset.frames import FrameBatches
from comphy.dataset.sources.opening import open_source
from comphy.processes import as_finished, process_pool
from data_gen.frames import open_frames
from models.perceiver.perceive import Perceiver, open_perceiver
from models.perceiver.perceived import PerceivedSet


@dataclass(frozen=True)
class Perceiving:
    """What looks at which sets: `frames` says where those of the dataset come from (`comphy.choices.FramesFrom`)."""

    weights: Path
    data: Path
    frames: str
    device: str
    batch: int | None = None

    def sets(self, indices: Sequence[int], workers: int, perceiver: Perceiver) -> Iterator[PerceivedSet]:
        """Perceive sets, with `perceiver` or in so many processes; those give them as they are done."""
        if workers == 1 or len(indices) < 2:
            yield from perceiver.sets(self.opened(perceiver), indices)
            return
        pool = process_pool(workers, _open, self, workers)
        yield from as_finished(pool, _perceive, indices, "Finished sets are kept")

    def opened(self, perceiver: Perceiver) -> FrameBatches:
        return open_frames(self.data, self.frames, perceiver.detector.size[0], str(perceiver.device))


_opened: tuple[Perceiver, FrameBatches] | None = None  # one per worker process, opened by the pool's initialiser


def _open(job: Perceiving, workers: int) -> None:
    global _opened
    torch.set_num_threads(max(1, torch.get_num_threads() // workers))
    perceiver = open_perceiver(job.weights, torch.device(job.device), job.batch, open_source(job.data).lengths)
    _opened = perceiver, job.opened(perceiver)


def _perceive(index: int) -> PerceivedSet:
    assert _opened is not None, "the pool's initialiser has not run"
    perceiver, frames = _opened
    (perceived,) = perceiver.sets(frames, [index])
    return perceived

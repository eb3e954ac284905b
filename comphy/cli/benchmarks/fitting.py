"""What a trained reasoner does with sets before questions are asked: it fits their motion and refines their properties."""

import tempfile
from pathlib import Path
from typing import Any, Final

import torch

from comphy.choices import RendererName
from comphy.cli.benchmarks.pcr import true_features
from comphy.cli.benchmarks.timing import best
from comphy.resources import find_weights
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from models.pcr.reasoner.checkpoint import load_reasoner
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.observed import Observed, observe

_MADE: Final = 12  # sets that are generated; batches take them again and again


def fit(device: str = "cpu") -> dict[str, Any]:
    """Seconds a set, all sets at once and one at a time: 500 on a GPU, 12 on a CPU core. True boxes stand for perceived
    ones, and drawn features for those of a detector."""
    torch.set_num_threads(1)
    sets = 500 if torch.device(device).type == "cuda" else _MADE
    reasoner = load_reasoner(find_weights("pcr"), torch.device(device)).eval()
    observed = _observed(sets).to(torch.device(device))
    alone = observed.rows(torch.arange(1, device=observed.objects.device))

    def prepare(some: Observed) -> None:
        align_and_refine(reasoner, some)
        if observed.objects.is_cuda:
            torch.cuda.synchronize()

    prepare(alone)
    together = best(lambda: prepare(observed), repeats=1)
    one = best(lambda: prepare(alone), repeats=2)
    return {"sets": sets, "s": together, "s_per_set": together / sets, "ratio_to_one_by_one": one * sets / together}


def _observed(sets: int) -> Observed:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        generate(Job(root, 0, RendererName.NONE, DatasetConfig()), sets=_MADE)
        cache = true_features(root, Path(folder) / "cache", list(range(_MADE)), features=512)
        return observe(cache, [row % _MADE for row in range(sets)])

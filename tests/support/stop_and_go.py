"""Teaches as comphy train does, stopping after every step; run by test_shared_training.py in two processes, each of
which keeps the weights it had at every stop."""

import sys
from pathlib import Path

from comphy.dataset.questions import read_questions, split_file
from models.pcr.training.task import train_reasoner
from models.perceiver.cache.feature_cache import FeatureCache
from models.tasks import load_task
from models.train.checkpoint import save_tensors
from models.train.distributed import state
from models.train.run import Run


def main(data: Path, out: Path, config: str, *overrides: str) -> None:
    _, settings = load_task(Path(config), overrides)
    cache, scenes = FeatureCache(Path(settings.cache)), read_questions(split_file(data, "train", answers=True))
    for stop in range(20):
        reasoner, progress = train_reasoner(settings, Run(data, out, max_minutes=0), cache, scenes)
        kept = out / f"stop_{stop:02d}_process_{state().process_index}.safetensors"
        save_tensors(kept, reasoner.state_dict(), {"stage": progress.stage, "step": progress.step})
        if progress.finished:
            return
    raise RuntimeError("Expected the lessons to end within 20 stops.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])

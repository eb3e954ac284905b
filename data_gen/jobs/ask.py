"""Asks the questions of a dataset, once all of its sets are there.

What could be asked is found set by set, in processes; what is asked is chosen in order over each whole split, so that
answers are balanced and neither shards nor the number of processes matter.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from comphy.dataset.annotations.askable import read_askable
from comphy.dataset.layout import SPLITS, split_of
from comphy.dataset.notes import notes_path, write_notes
from comphy.dataset.questions import answers_path, questions_path, write_questions
from comphy.errors import ComphyError
from comphy.processes import process_pool
from comphy.questions.engine import AskedSet, SetCandidates, candidates_of, choose

Report = Callable[[int, int], None]
Reader = Callable[[Sequence[int]], Iterator[SetCandidates]]


def ask_dataset(
    root: Path,
    seed: int,
    indices: Sequence[int],
    workers: int,
    report: Report | None = None,
    into: Path | None = None,
) -> None:
    """Write the question files of all splits, into another folder if one is given."""
    asked = 0
    with _reader(root, seed, workers) as read:
        for split in SPLITS:
            mine = [index for index in sorted(indices) if split_of(index) == split]
            sets: list[AskedSet] = []
            for one in choose(read(mine), seed, many_choices=split == "test"):
                sets.append(one)
                asked += 1
                if report:
                    report(asked, len(indices))
            _write_split(into or root, split, sets)


def _write_split(root: Path, split: str, sets: Sequence[AskedSet]) -> None:
    scenes = [asked.questions for asked in sets]
    write_questions(root / answers_path(split), scenes)
    if answers_path(split) != questions_path(split):
        write_questions(root / questions_path(split), [scene.without_answers() for scene in scenes])
    write_notes(root / notes_path(split), [(asked.questions.scene_index, asked.notes) for asked in sets])


@contextmanager
def _reader(root: Path, seed: int, workers: int) -> Iterator[Reader]:
    """A function that finds the candidates of sets, in order, with so many processes."""
    find = partial(_find, root, seed)
    if workers == 1:
        yield lambda indices: map(find, indices)
        return
    pool = process_pool(workers)
    try:
        yield lambda indices: pool.map(find, indices, chunksize=4)
    except BrokenProcessPool as error:
        raise ComphyError(
            "A process that finds questions ended unexpectedly (out of memory, or killed). The sets are kept; run the same "
            "command again, with fewer --workers if memory was short."
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _find(root: Path, seed: int, index: int) -> SetCandidates:
    return candidates_of(read_askable(root, index), seed)

"""Exports what a command names: opens sources, runs and reasoners, asks the reasoners, and writes the site."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from comphy.command import console
from comphy.dataset.submission import short_names
from comphy.errors import ConfigError
from comphy.toolkit.explorer.export.choosing import choose_sets, read_sets
from comphy.toolkit.explorer.export.site import Exported, require_room, write_site
from comphy.toolkit.explorer.library import Library, LoadedSource
from comphy.toolkit.explorer.runs.runs import Runs, sort_runs

if TYPE_CHECKING:
    from comphy.toolkit.explorer.export.recording import AskedQuestion

Asked = dict[tuple[int, int], list["AskedQuestion"]]


def export_sets(
    roots: Sequence[Path], out: Path, runs: Sequence[Path] = (), sets: str | None = None, questions: Sequence[str] = ()
) -> Path:
    """Write a site of some sets.

    Args:
        roots: folders of sources.
        out: folder of the site.
        runs: folders of runs whose answers are compared, or of reasoners that are asked; see `opening.serve`.
        sets: numbers, such as 0-4,9; without, the first ones of every source.
        questions: what reasoners are asked about every set; without, its own questions.

    Returns:
        The first page.

    Raises:
        ConfigError: something else is in the folder, or a path is no run, or there is nobody to ask.
        DatasetError: a folder is no source, or has no such set."""
    require_room(out)
    wanted = None if sets is None else read_sets(sets)
    library = Library(roots, lambda source: choose_sets(source, wanted))
    compared, reasoners = sort_runs(runs)
    if questions and not reasoners:
        raise ConfigError("expected a reasoner to ask (got --ask without one). Name it, such as --run pcr.")
    answered = Runs(compared, library.sources[0].source if library.sources else None)
    with TemporaryDirectory() as clips:
        asked = _ask(library, reasoners, questions, Path(clips)) if reasoners else {}
        return write_site(Exported(library, answered, asked), out)


def _ask(library: Library, runs: Sequence[Path], questions: Sequence[str], clips: Path) -> Asked:
    """Clips are drawn of questions that are named: a set has many of its own."""
    from comphy.toolkit.asking import SetPlace, TrainedReasoner
    from comphy.toolkit.explorer.export.recording import ask_all

    reasoners = {name: TrainedReasoner.load(run) for name, run in zip(short_names(runs), runs, strict=True)}
    asked: Asked = {}
    for loaded in library.sources:
        for number, index in enumerate(loaded.ordered, start=1):
            console.print(f"Asking about set {index} of {loaded.name}, {number} of {len(loaded.ordered)}")
            wanted = questions or own_questions(loaded, index)
            place = SetPlace(loaded.source.root, index)
            asked[loaded.number, index] = list(ask_all(reasoners, place, wanted, clips if questions else None))
    return asked


def own_questions(loaded: LoadedSource, index: int) -> list[str]:
    return list(dict.fromkeys(one["text"] for one in loaded.asked.of_set(index)["questions"]))

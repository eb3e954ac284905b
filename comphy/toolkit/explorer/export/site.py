"""Writes the site: the page's own files, what the server would answer as scripts, and the videos."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from comphy.command import progress_bar
from comphy.errors import ComphyError, ConfigError
from comphy.files import disk_errors
from comphy.temporaries import clear_temporaries, temporary_path
from comphy.toolkit.explorer.asking.answerers import SIMULATOR
from comphy.toolkit.explorer.catalogue import rows_of
from comphy.toolkit.explorer.export.bundle import Bundle
from comphy.toolkit.explorer.library import Library, LoadedSource, site_record
from comphy.toolkit.explorer.posters import draw_poster
from comphy.toolkit.explorer.runs.runs import Runs
from comphy.toolkit.explorer.serving.pages import PAGE, framed
from comphy.toolkit.explorer.sets import run_record

if TYPE_CHECKING:
    from comphy.toolkit.explorer.export.recording import AskedQuestion

Json = dict[str, Any]
INDEX: Final = "index.html"
_SCRIPT: Final = "page.js"
_MODULES: Final = '<script type="module" src="main.js"></script>'
_SITE: Final = "api/sources"  # what the page asks for first; a folder that has it is a site
_OTHERWISE: Final = "Choose another folder."


@dataclass(frozen=True)
class Exported:
    """What goes into a site: sets, answers of runs, and by source and set what reasoners were asked."""

    library: Library
    runs: Runs = field(default_factory=lambda: Runs([], None))
    asked: Mapping[tuple[int, int], Sequence["AskedQuestion"]] = field(default_factory=dict)

    def answerers(self) -> list[str]:
        names = list(dict.fromkeys(one.by for several in self.asked.values() for one in several))
        return [*names, SIMULATOR] if names else []


def require_room(out: Path) -> None:
    """Raises `ConfigError` if a folder holds anything but an earlier site, which is replaced."""
    if out.exists() and not _is_site(out) and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(
            f"{out}: expected a new or empty folder, or an earlier site (found something else). {_OTHERWISE}"
        )


def write_site(exported: Exported, out: Path) -> Path:
    """Write all or nothing; an earlier site is replaced.

    Args:
        exported: what goes into it.
        out: folder of the site.

    Returns:
        Its first page.

    Raises:
        ConfigError: something else is in the folder.
        DatasetError: a set cannot be read."""
    require_room(out)
    with disk_errors(out, _OTHERWISE):
        out.parent.mkdir(parents=True, exist_ok=True)
        clear_temporaries(out.parent)
        new = temporary_path(out)
        try:
            _write_page(new)
            for path, record in _records(exported, new):
                _write_record(new, path, record)
            if out.exists():
                shutil.rmtree(out)
            new.rename(out)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return out / INDEX


def _is_site(folder: Path) -> bool:
    return _record_file(folder, _SITE).is_file()


def _write_page(folder: Path) -> None:
    """The page with one script in place of its modules, which read records instead of asking a server."""
    source = PAGE
    modules = {path.relative_to(source).as_posix(): path.read_text() for path in source.rglob("*.js")}
    script = Bundle(modules, {"shared/data.js": "shared/recorded.js"}).script("main.js")
    for style in source.rglob("*.css"):
        (folder / style.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(style, folder / style.relative_to(source))
    before, modular, after = framed(source / INDEX).partition(_MODULES)
    assert modular, f"the page no longer has {_MODULES}"
    (folder / INDEX).write_text(f'{before}<script defer src="{_SCRIPT}"></script>{after}')
    (folder / _SCRIPT).write_text(script)


def _record_file(folder: Path, path: str) -> Path:
    return folder / "data" / f"{path}.js"


def _write_record(folder: Path, path: str, record: Any) -> None:
    """A script, which a page can load from disk."""
    file = _record_file(folder, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    told = json.dumps(record, separators=(",", ":"))
    file.write_text(f"comphyRecord({json.dumps(path)},{told});\n")


def _records(exported: Exported, folder: Path) -> Iterator[tuple[str, Any]]:
    """All that the page can ask for, by the paths that it asks at. Media are written on the way."""
    library, runs = exported.library, exported.runs
    site = site_record(library, runs.names, exported.answerers())
    for source in site["sources"]:
        source["simulated"] = False  # what-if needs the server
    yield _SITE, {**site, "exported": True}
    for loaded in library.sources:
        rows = rows_of(loaded.source, loaded.ordered)
        yield f"api/sources/{loaded.number}/catalogue", rows
        yield f"api/sources/{loaded.number}/questions", {**loaded.asked.record(), "sets": loaded.asked.searched()}
        with progress_bar() as progress:
            task = progress.add_task(f"sets of {loaded.name}", total=len(rows))
            for row in rows:
                asked = exported.asked.get((loaded.number, row["i"]), ())
                yield from _set_records(loaded, row, asked, folder)
                progress.advance(task)
    if runs.names:
        yield from _run_records(runs, library.sources[0].indices)


def _set_records(
    loaded: LoadedSource, row: Json, asked: Sequence["AskedQuestion"], folder: Path
) -> Iterator[tuple[str, Any]]:
    index = row["i"]
    path, media = f"api/sources/{loaded.number}/sets/{index}", f"media/{loaded.number}/{index}"
    if "error" in row:  # the grid says what is wrong with it
        return
    record = loaded.set_record(index)
    (folder / media).mkdir(parents=True)
    for video in record["videos"]:
        if video["file"]:
            shutil.copyfile(loaded.video(index, video["name"]), folder / media / f"{video['name']}.mp4")
    target = record["videos"][0]
    if target["file"]:
        _write_poster(loaded.video(index, target["name"]), row.get("n", 0), folder / media / "poster.jpg")
    yield path, {**record, "asked": list(dict.fromkeys(one.question for one in asked))}
    for run in record["runs"]:
        yield f"{path}/runs/{run['key']}", run_record(loaded.source, index, run["key"])
    if asked:
        yield f"{path}/ask", [_asked(one, folder, f"{media}/imagined_{k}.mp4") for k, one in enumerate(asked)]


def _write_poster(video: Path, frame: int, file: Path) -> None:
    try:
        file.write_bytes(draw_poster(video, frame))
    except ComphyError:  # the page draws what does not decode
        return


def _asked(one: "AskedQuestion", folder: Path, clip: str) -> Json:
    lines = list(one.lines)
    if one.clip is not None:
        shutil.copyfile(one.clip, folder / clip)
        lines = [{"reply": {**line["reply"], "clip": clip}} if "reply" in line else line for line in lines]
    return {"question": one.question, "by": one.by, "lines": lines}


def _run_records(runs: Runs, indices: frozenset[int]) -> Iterator[tuple[str, Any]]:
    """The tables of whole splits, and the answers about the sets that are shown."""
    yield "api/runs", runs.record()
    yield (
        "api/runs/wrong",
        {"sets": {run: [one for one in sets if one in indices] for run, sets in runs.wrong().items()}},
    )
    yield "api/runs/curves", {"curves": runs.curves()}
    for board in runs.boards():
        shown = [question for question in board.questions() if question["set"] in indices]
        yield f"api/runs/splits/{board.split}", {"questions": shown}
        yield f"api/runs/splits/{board.split}/confusion", {"confusion": board.confusion()}
    for index in sorted(indices):
        yield f"api/runs/sets/{index}", {"answers": runs.of_set(index)}

"""Options that several commands have, each under one name with one meaning, and what they are turned into."""

import importlib.util
from pathlib import Path
from typing import Annotated, Final

import typer

from comphy.cli.choices import Frames
from comphy.errors import ConfigError

DEVICES: Final = ("auto", "cpu", "cuda")
WEIGHTS: Final = ("models", "weights")


def _device(text: str) -> str:
    kind, colon, number = text.partition(":")
    if kind not in DEVICES or (colon and not (kind == "cuda" and number.isdecimal())):
        raise typer.BadParameter(f"expected auto, cpu, cuda or such as cuda:1 (got '{text}').")
    return text


DeviceOption = Annotated[
    str,
    typer.Option(
        parser=_device,
        metavar="auto|cpu|cuda[:N]",
        autocompletion=lambda: list(DEVICES),
        help="Where networks run; auto takes a GPU where there is one.",
    ),
]
FramesOption = Annotated[
    Frames, typer.Option(help="Where frames come from; auto: the dataset's videos, or raytrace where it has none.")
]
WorkersOption = Annotated[int, typer.Option(min=1, help="Processes.")]
RayOption = Annotated[str | None, typer.Option(help="Address of a Ray cluster, or 'local'; --workers are its actors.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
JsonOption = Annotated[Path | None, typer.Option("--json", help="Write all figures to this file, too.")]
MinutesOption = Annotated[
    float | None, typer.Option(min=0, help="Stop cleanly after this time; the same command then goes on.")
]


def frames_source(data: Path, chosen: Frames) -> str:
    """What `--frames auto` means for a dataset."""
    from comphy.dataset.manifest import Manifest

    if chosen is not Frames.AUTO:
        return chosen.value
    return Frames.RAYTRACE.value if Manifest.read(data).recipe.renderer == "none" else Frames.VIDEOS.value


def find_weights(named: str | Path) -> Path:
    """The run that is meant: a path, or the name of weights that ship with the toolkit.

    Args:
        named: a path, or such as `pcr`, `pcr/perceiver` or `models/weights/pcr`.

    Returns:
        A folder or a file; the path as it was given if nothing is found, so that whoever opens it says what is missing.

    Raises:
        ConfigError: for a bare name that is neither a path nor that of weights that ship."""
    path = Path(named)
    if path.exists():
        return path
    folder = _shipped_weights()
    inside = Path(*path.parts[2:]) if path.parts[:2] == WEIGHTS else path
    if folder is not None and not path.is_absolute() and (folder / inside).exists():
        return folder / inside
    if len(path.parts) == 1 and not path.suffix:
        known = sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder else []
        raise ConfigError(
            f"{named}: expected the folder of a run, or the name of weights that ship with the toolkit "
            f"(found neither). Known names: {', '.join(known) or 'none, since none were installed'}."
        )
    return path


def _shipped_weights() -> Path | None:
    """Found without importing the package, which would be slow."""
    package = importlib.util.find_spec(WEIGHTS[0])
    places = (package and package.submodule_search_locations) or []
    return next((place for one in places if (place := Path(one) / WEIGHTS[1]).is_dir()), None)

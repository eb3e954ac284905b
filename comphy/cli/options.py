"""Options that several commands have, each under one name with one meaning, and what they are turned into."""

from pathlib import Path
from typing import Annotated, Final

import typer

from comphy.choices import CameraChoice, Frames

DEVICES: Final = ("auto", "cpu", "cuda")


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
CameraOption = Annotated[
    CameraChoice,
    typer.Option(
        help="What filmed the videos: the published benchmark's camera, the one given in camera.json, or one estimated from "
        "the tracked objects; auto: given where the file exists, else estimated for your own videos, published for others."
    ),
]
WorkersOption = Annotated[int, typer.Option(min=1, help="Processes.")]
RayOption = Annotated[str | None, typer.Option(help="Address of a Ray cluster, or 'local'; --workers are its actors.")]
ListOption = Annotated[Path | None, typer.Option("--list", help="Another list of tasks than the package's.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
JsonOption = Annotated[Path | None, typer.Option("--json", help="Write all figures to this file, too.")]
MinutesOption = Annotated[
    float | None, typer.Option(min=0, help="Stop cleanly after this time; the same command then goes on.")
]
ParserOption = Annotated[
    str | None,
    typer.Option(
        metavar="RUN|MODEL",
        help="What reads questions instead of the run's own parser: another run, or a language model, as hf:FOLDER, as "
        "http://host/v1#MODEL, or as a YAML file of its settings.",
    ),
]


def frames_source(data: Path, chosen: Frames) -> str:
    """What `--frames auto` means for a dataset."""
    from comphy.dataset.sources.opening import open_source

    if chosen is not Frames.AUTO:
        return chosen.value
    return Frames.VIDEOS.value if open_source(data).has_videos else Frames.RAYTRACE.value

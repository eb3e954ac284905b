"""`comphy ask`: ask a trained PCR a question about a set of videos, and see how it comes to its answer.

comphy ask pcr out/comphy:12 "If the red cube were lighter, what would happen?" --clip lighter.mp4
comphy ask pcr out/comphy:12 "What will happen next?" --choice "The cube collides with the sphere"
comphy ask pcr out/comphy:12 --program "objects filter_heavy count"
"""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import CameraChoice
from comphy.cli.options import CameraOption, DeviceOption
from comphy.command import build_app, console, when_interrupted
from comphy.errors import ConfigError


@when_interrupted("What was perceived of the set is kept if it was finished; run the same command again.")
def main(
    checkpoint: Annotated[
        str, typer.Argument(help="Folder of a PCR run with a parser and a perceiver in it, or the name pcr.")
    ],
    videos: Annotated[
        str, typer.Argument(metavar="SET", help="DATASET:NUMBER, such as out/comphy:12, or a folder of your videos.")
    ],
    question: Annotated[str | None, typer.Argument(help="The question in English.")] = None,
    choice: Annotated[list[str] | None, typer.Option(help="A choice to judge; may be given several times.")] = None,
    program: Annotated[str | None, typer.Option(help="The program itself instead of a question; choices too.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Feature cache that holds the set.")] = None,
    perceiver: Annotated[Path | None, typer.Option(help="Run of a perceiver; by default CHECKPOINT/perceiver.")] = None,
    parser: Annotated[Path | None, typer.Option(help="Run of a parser; by default in CHECKPOINT, or /parser.")] = None,
    camera: CameraOption = CameraChoice.AUTO,
    clip: Annotated[Path | None, typer.Option(help="Where to write what is imagined, .mp4 or .gif.")] = None,
    no_clip: Annotated[bool, typer.Option("--no-clip", help="Write no clip.")] = False,
    device: DeviceOption = "auto",
) -> None:
    """Answer a question about a set in words, with the steps, the hidden properties, and a clip of what is imagined.

    Example: comphy ask pcr out/comphy:4 "How many objects are heavy?" --cache out/cache
    """
    if (question is None) == (program is None):
        raise ConfigError("expected either a question or --program (got both, or neither).")

    from comphy.toolkit.asking import CLIPS, SetPlace, TrainedReasoner, answer, clip_name, read_query
    from models.pcr.asking.terminal import print_reply

    place = SetPlace.parse(videos)
    trained = TrainedReasoner.load(checkpoint, perceiver, parser, device)
    query = read_query(trained, question, program, choice or [])
    answered = answer(trained, place, query, cache, camera)
    drawn = None
    if answered.reply.can_be_drawn and not no_clip:
        drawn = clip or CLIPS / clip_name(place, query)
        answered.draw(drawn, device)
    print_reply(console, answered.reply, answered.interpreted, drawn)
    for told in answered.assumptions:
        console.print(f"Assumed: {told}.", highlight=False)


app = build_app(main)

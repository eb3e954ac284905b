"""`comphy ask`: ask a trained PCR a question about a set of videos, and see how it comes to its answer; or, without a
question, talk about the set.

comphy ask pcr out/comphy:12
comphy ask pcr out/comphy:12 "If the red cube were lighter, what would happen?" --clip lighter.mp4
comphy ask pcr out/comphy:12 "What will happen next?" --choice "The cube collides with the sphere"
comphy ask pcr out/comphy:12 --program "objects filter_heavy count"
"""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import CameraChoice
from comphy.cli.options import CameraOption, DeviceOption, ParserOption
from comphy.command import build_app, console, when_interrupted, working
from comphy.errors import ConfigError


@when_interrupted("What was perceived of the set is kept if it was finished; run the same command again.")
def main(
    checkpoint: Annotated[
        str,
        typer.Argument(
            help="Folder of a PCR run with a parser and a perceiver in it, or pcr or pcr_full, which come along."
        ),
    ],
    videos: Annotated[
        str, typer.Argument(metavar="SET", help="DATASET:NUMBER, such as out/comphy:12, or a folder of your videos.")
    ],
    question: Annotated[str | None, typer.Argument(help="The question in English; without one, talk.")] = None,
    choice: Annotated[list[str] | None, typer.Option(help="A choice to judge; may be given several times.")] = None,
    program: Annotated[str | None, typer.Option(help="The program itself instead of a question; choices too.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Feature cache that holds the set.")] = None,
    perceiver: Annotated[Path | None, typer.Option(help="Run of a perceiver; by default CHECKPOINT/perceiver.")] = None,
    parser: ParserOption = None,
    camera: CameraOption = CameraChoice.AUTO,
    clip: Annotated[Path | None, typer.Option(help="Where to write what is imagined, .mp4 or .gif.")] = None,
    no_clip: Annotated[bool, typer.Option("--no-clip", help="Write no clip.")] = False,
    device: DeviceOption = "auto",
) -> None:
    """Answer a question about a set in words, with the steps, the hidden properties, and a clip of what is imagined.

    Without a question, a conversation begins: questions are answered as they are typed, tab completes the names of objects,
    and :help lists commands. Where the input is a pipe, every line is a question and gets one line; the exit code is 1 if
    one of them could not be answered.

    Example: comphy ask pcr out/comphy:4 "How many objects are heavy?" --cache out/cache
    """
    if question is not None and program is not None:
        raise ConfigError("expected either a question or --program (got both).")
    talking = question is None and program is None
    if talking and (choice or clip):
        raise ConfigError("expected a question with --choice or --clip (got none). In a conversation, :clip films.")

    piped = talking and not sys.stdin.isatty()  # where nothing but answers is wanted
    with nullcontext() if piped else working("loading the model"):
        from comphy.toolkit.asking import CLIPS, SetPlace, TrainedReasoner, answer, clip_name, read_query
        from models.pcr.asking.terminal import print_reply

        place = SetPlace.parse(videos)
        trained = TrainedReasoner.load(checkpoint, perceiver, parser, device)
    if talking:
        from comphy.toolkit.conversation.prompt import converse

        raise typer.Exit(converse(trained, place, cache, camera))
    query = read_query(trained, question, program, choice or [])
    seen, reply = answer(trained, place, query, cache, camera)
    drawn = None
    if reply.can_be_drawn and not no_clip:
        drawn = clip or CLIPS / clip_name(place, query)
        seen.draw(reply, drawn)
    print_reply(console, reply, seen.interpreted, drawn)
    for told in seen.assumptions:
        console.print(f"Assumed: {told}.", highlight=False)
    if question is not None:
        for remark in trained.question_parser.remarks():
            console.print(remark, highlight=False)


app = build_app(main)

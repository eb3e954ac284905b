#!/usr/bin/env python
"""Ask a trained PCR a question about a set of videos, and see how it comes to its answer.

python tools/ask.py out/runs/pcr out/comphy:12 "Is the red cube heavier than the sphere?"
python tools/ask.py out/runs/pcr out/comphy:12 "If the red cube were lighter, what would happen?" --clip lighter.mp4
python tools/ask.py out/runs/pcr out/comphy:12 "What will happen next?" --choice "The cube collides with the sphere"
python tools/ask.py out/runs/pcr out/comphy:12 --program "objects filter_heavy count"
"""

import re
from pathlib import Path
from typing import Annotated

import typer

from comphy.command import console, run_command
from comphy.errors import ConfigError
from data_gen.frames import open_frames
from models.pcr.asking.asking import ask
from models.pcr.asking.clip import WIDTH, Clip, Recorded, write_clip
from models.pcr.asking.interpreted_set import InterpretedSet, interpret_set
from models.pcr.asking.question import Query, query_of_program
from models.pcr.asking.reading import open_parser, read_question
from models.pcr.asking.reply import Reply
from models.pcr.asking.sets import SetPerceiver, SetPlace
from models.pcr.asking.terminal import print_reply
from models.pcr.reasoner.checkpoint import load_reasoner
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.perceive import draw_set
from models.train.device import pick_device

CLIPS = Path("out/ask")


def main(
    checkpoint: Annotated[Path, typer.Argument(help="Folder of a PCR run, with a parser and a perceiver in it.")],
    videos: Annotated[str, typer.Argument(metavar="SET", help="DATASET:NUMBER, such as out/comphy:12.")],
    question: Annotated[str | None, typer.Argument(help="The question in English.")] = None,
    choice: Annotated[list[str] | None, typer.Option(help="A choice to judge; may be given several times.")] = None,
    program: Annotated[str | None, typer.Option(help="The program itself instead of a question; choices too.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Feature cache that holds the set.")] = None,
    perceiver: Annotated[Path | None, typer.Option(help="Run of a perceiver; by default CHECKPOINT/perceiver.")] = None,
    parser: Annotated[Path | None, typer.Option(help="Run of a parser; by default in CHECKPOINT, or /parser.")] = None,
    clip: Annotated[Path | None, typer.Option(help="Where to write what is imagined, .mp4 or .gif.")] = None,
    no_clip: Annotated[bool, typer.Option("--no-clip", help="Write no clip.")] = False,
    device: Annotated[str, typer.Option(help="Where to perceive and draw: cpu, cuda, or auto.")] = "auto",
) -> None:
    """Answer a question about a set in words, with the steps, the hidden properties, and a clip of what is imagined.

    Example: python tools/ask.py out/runs/pcr out/comphy:12 "Is the red cube heavier than the sphere?"
    """
    if (question is None) == (program is None):
        raise ConfigError("expected either a question or --program (got both, or neither).")
    place = SetPlace.parse(videos)
    reasoner = load_reasoner(checkpoint)
    query = read(checkpoint, parser, question, program, choice or [])
    perceives = SetPerceiver(
        checkpoint, lambda how, width, on: open_frames(place.data, how, width, on), perceiver, device
    )
    with console.status(f"looking at set {place.index}; what is seen is kept for further questions"):
        features = perceives.features(place, cache)
    known = interpret_set(reasoner, features, place.index)
    reply = ask(known, query)
    drawn = None
    if reply.imagining is not None and not no_clip:
        drawn = clip or CLIPS / clip_name(place, query)
        with console.status("drawing the clip"):
            draw_clip(drawn, reply, known, features, place, device)
    print_reply(console, reply, known, drawn)


def read(run: Path, parser: Path | None, question: str | None, program: str | None, choices: list[str]) -> Query:
    if program is not None:
        return query_of_program(program, choices)
    assert question is not None
    return read_question(open_parser(run, parser), question, choices)


def clip_name(place: SetPlace, query: Query) -> str:
    words = "-".join(re.findall(r"\w+", query.text.lower()))
    return f"{place.data.name}_{place.index:05d}_{words[:60].strip('-')}.mp4"


def draw_clip(
    path: Path, reply: Reply, known: InterpretedSet, features: FeatureCache, place: SetPlace, device: str
) -> None:
    source = open_frames(place.data, place.frames, WIDTH, str(pick_device(device)))
    frames = draw_set(source, place.index, ["target"]).cpu().numpy()
    assert reply.imagining is not None and known.imagination is not None
    recorded = Recorded.of(frames, features.read(place.index), known.imagination.observed.target.tracks)
    write_clip(path, Clip(known, reply.imagining, recorded))


if __name__ == "__main__":
    run_command(main)

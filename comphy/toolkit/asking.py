"""Answers questions about sets as the commands `ask` and `demo` and the library's `comphy.ask` do: finds or perceives what
is seen of a set, reads the question, answers it, and draws what is imagined."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.choices import CameraChoice
from comphy.command import working
from comphy.dataset.sources.source import TARGET
from comphy.resources import find_weights
from data_gen.frames import open_frames
from models.pcr.asking.asking import ask
from models.pcr.asking.clip import WIDTH, Clip, Recorded, write_clip
from models.pcr.asking.interpreted_set import InterpretedSet, interpret_set
from models.pcr.asking.question import Query, query_of_program
from models.pcr.asking.reading import open_parser, read_question
from models.pcr.asking.reply import Reply
from models.pcr.asking.sets import SetPerceiver, SetPlace
from models.pcr.reasoner.checkpoint import load_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.camera_choice import ChosenCamera, choose_camera, known_camera
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.perceive import draw_set
from models.train.device import pick_device

CLIPS: Final = Path("out/ask")


@dataclass(frozen=True)
class TrainedReasoner:
    """A trained PCR with what it reads questions and looks at videos with."""

    run: Path
    reasoner: Reasoner
    perceiver: Path | None = None
    parser: Path | None = None
    device: str = "auto"

    @staticmethod
    def load(
        named: str | Path, perceiver: Path | None = None, parser: Path | None = None, device: str = "auto"
    ) -> "TrainedReasoner":
        """From the folder of a run, or the name of weights that ship with the toolkit."""
        run = find_weights(named)
        return TrainedReasoner(run, load_reasoner(run), perceiver, parser, device)

    def read(self, question: str, choices: Sequence[str] = ()) -> Query:
        """What a question in English means."""
        return read_question(open_parser(self.run, self.parser), question, choices)

    def look(self, place: SetPlace, cache: Path | None = None) -> FeatureCache:
        """What is seen of a set: from a cache, or perceived now and kept."""
        perceiver = SetPerceiver(
            self.run, lambda how, width, on: open_frames(place.data, how, width, on), self.perceiver, self.device
        )
        with working(f"looking at set {place.index}; what is seen is kept for further questions"):
            return perceiver.features(place, cache)


@dataclass(frozen=True)
class Answered:
    """A question about a set with its reply, and all that is needed to draw it."""

    place: SetPlace
    interpreted: InterpretedSet
    features: FeatureCache
    reply: Reply
    camera: ChosenCamera

    @property
    def assumptions(self) -> list[str]:
        """What had to be assumed of the camera and of the videos."""
        return [*self.camera.assumed, *self.place.source.assumptions()]

    def draw(self, path: Path, device: str) -> None:
        """Write a clip of what was imagined beside what was recorded."""
        source = open_frames(self.place.data, self.place.frames, WIDTH, str(pick_device(device)))
        frames = draw_set(source, self.place.index, self.place.source.lengths, [TARGET]).cpu().numpy()
        assert self.reply.imagining is not None and self.interpreted.imagination is not None
        tracks = self.interpreted.imagination.observed.target.tracks
        recorded = Recorded.of(frames, self.features.read(self.place.index), tracks)
        with working("drawing the clip"):
            write_clip(path, Clip(self.interpreted, self.reply.imagining, recorded))


def answer(
    trained: TrainedReasoner,
    place: SetPlace,
    query: Query,
    cache: Path | None = None,
    camera: CameraChoice = CameraChoice.AUTO,
) -> Answered:
    """Look at a set and answer a question about it."""
    known_camera(camera, place.source)
    features = trained.look(place, cache)
    chosen = choose_camera(camera, place.source, features, [place.index])
    interpreted = interpret_set(trained.reasoner, features, place.index, chosen.camera)
    return Answered(place, interpreted, features, ask(interpreted, query), chosen)


def read_query(trained: TrainedReasoner, question: str | None, program: str | None, choices: Sequence[str]) -> Query:
    """A question in English, or a program."""
    if program is not None:
        return query_of_program(program, choices)
    assert question is not None
    return trained.read(question, choices)


def clip_name(place: SetPlace, query: Query) -> str:
    words = "-".join(re.findall(r"\w+", query.text.lower()))
    return f"{place.data.name}_{place.index:05d}_{words[:60].strip('-')}.mp4"

"""Answers questions about sets as the commands `ask` and `demo` and the library's `comphy.ask` do: finds or perceives what
is seen of a set, interprets it once, reads questions, answers them, and films what is imagined."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from comphy.choices import CameraChoice
from comphy.command import working
from comphy.resources import find_weights
from data_gen.frames import open_frames
from models.pcr.asking.asking import ask
from models.pcr.asking.interpreted_set import InterpretedSet, interpret_set
from models.pcr.asking.kept_fits import FITS
from models.pcr.asking.question import Query, query_of_program
from models.pcr.asking.reading import read_question
from models.pcr.asking.reply import Reply
from models.pcr.asking.sets import SetPerceiver, SetPlace, kept_folder
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.opening import open_parser
from models.pcr.reasoner.checkpoint import load_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.camera_choice import ChosenCamera, choose_camera, known_camera
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.device import pick_device

CLIPS: Final = Path("out/ask")
_MOST_SEEN: Final = 8  # sets whose interpretation is kept in memory


@dataclass(frozen=True)
class TrainedReasoner:
    """A trained PCR with what it reads questions and looks at videos with."""

    run: Path
    reasoner: Reasoner
    perceiver: Path | None = None
    parser: str | Path | None = None
    device: str = "auto"
    _seen: dict[tuple[object, ...], InterpretedSet] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def load(
        named: str | Path, perceiver: Path | None = None, parser: str | Path | None = None, device: str = "auto"
    ) -> "TrainedReasoner":
        """From the folder of a run, or the name of weights that ship with the toolkit; with another perceiver or parser than
        the run's own. A parser may be a language model."""
        run = find_weights(named)
        return TrainedReasoner(run, load_reasoner(run), perceiver, parser, device)

    def prepare(self) -> None:
        """Open the parser now, so that the first question is read at once."""
        _ = self.question_parser

    def read(self, question: str, choices: Sequence[str] = ()) -> Query:
        """What a question in English means."""
        return read_question(self.question_parser, question, choices)

    @cached_property
    def question_parser(self) -> QuestionParser:
        """What reads questions, opened once. A trained parser is small and stays on the CPU.

        Raises:
            ConfigError: the run has none."""
        device = pick_device(self.device) if self.parser is not None else "cpu"
        return open_parser(self.run, self.parser, device)

    def look(self, place: SetPlace, cache: Path | None = None) -> FeatureCache:
        """What is seen of a set: from a cache, or perceived now and kept."""
        perceiver = SetPerceiver(
            self.run, lambda how, width, on: open_frames(place.data, how, width, on), self.perceiver, self.device
        )
        with working(f"looking at set {place.index}; what is seen is kept for further questions"):
            return perceiver.features(place, cache)

    def see(self, place: SetPlace, cache: Path | None = None, camera: CameraChoice = CameraChoice.AUTO) -> "SeenSet":
        """Look at a set and interpret it. Both take long once, and are kept."""
        known_camera(camera, place.source)
        features = self.look(place, cache)
        chosen = choose_camera(camera, place.source, features, [place.index])
        key = (features.folder, repr(features.key), place.index, chosen.camera)
        if key not in self._seen:
            fits = kept_folder(self.run if self.run.is_dir() else self.run.parent).with_name(FITS)
            with working(f"working out motion, masses and charges of set {place.index}"):
                self._seen[key] = interpret_set(self.reasoner, features, place.index, chosen.camera, fits)
            if len(self._seen) > _MOST_SEEN:
                self._seen.pop(next(iter(self._seen)))
        return SeenSet(place, self._seen[key], features, chosen, self.device)


@dataclass(frozen=True)
class SeenSet:
    """A set that was perceived and interpreted: any number of questions can be asked about it."""

    place: SetPlace
    interpreted: InterpretedSet
    features: FeatureCache
    camera: ChosenCamera
    device: str = "auto"

    @property
    def assumptions(self) -> list[str]:
        """What had to be assumed of the camera and of the videos."""
        return [*self.camera.assumed, *self.place.source.assumptions()]

    def ask(self, query: Query) -> Reply:
        """Raises `ProgramError` if the question is about what is not to be seen."""
        return ask(self.interpreted, query)

    def draw(self, reply: Reply, path: Path) -> None:
        """Write a clip of what was imagined for a reply beside what was recorded."""
        from comphy.toolkit.filming import film

        with working("drawing the clip"):
            film(self.place, self.interpreted, self.features, reply, path, str(pick_device(self.device)))


def answer(
    trained: TrainedReasoner,
    place: SetPlace,
    query: Query,
    cache: Path | None = None,
    camera: CameraChoice = CameraChoice.AUTO,
) -> tuple[SeenSet, Reply]:
    """Look at a set and answer a question about it."""
    seen = trained.see(place, cache, camera)
    return seen, seen.ask(query)


def read_query(trained: TrainedReasoner, question: str | None, program: str | None, choices: Sequence[str]) -> Query:
    """A question in English, or a program."""
    if program is not None:
        return query_of_program(program, choices)
    assert question is not None
    return trained.read(question, choices)


def clip_name(place: SetPlace, query: Query) -> str:
    words = "-".join(re.findall(r"\w+", query.text.lower()))
    return f"{place.data.name}_{place.index:05d}_{words[:60].strip('-')}.mp4"

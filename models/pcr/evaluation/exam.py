"""A trained reasoner is put to the test: its questions, what it sees of their sets, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch

from comphy.config import load_config
from comphy.dataset.questions import read_questions, split_file
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.tables import AlignedBy
from comphy.evaluation.qa.concepts import ConceptScores
from comphy.questions.model import SceneQuestions
from models.pcr.evaluation.alignment_scores import alignment_score
from models.pcr.evaluation.concept_scores import concept_scores
from models.pcr.evaluation.diagnosis import Diagnosis, diagnose
from models.pcr.evaluation.true_sets import TrueSet, read_true_sets
from models.pcr.parser.parser import Parser, load_parser
from models.pcr.parser.questions import as_read
from models.pcr.parser.storage import parser_folder
from models.pcr.properties.refinement import studied
from models.pcr.reasoner.answering import answer_studied
from models.pcr.reasoner.checkpoint import load_reasoner
from models.pcr.reasoner.question_batches import observe
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed
from models.pcr.training.config import PCRConfig
from models.pcr.training.task import CACHE
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.training.task import data_width
from models.train.run import CONFIG


@dataclass(frozen=True)
class Exam:
    """`scenes` are a split's questions with their answers; `read` the same with the programs that the run's parser makes
    of the sentences, None for a run without a parser."""

    reasoner: Reasoner
    cache: FeatureCache
    data: Path
    scenes: Sequence[SceneQuestions]
    read: Sequence[SceneQuestions] | None
    together: int

    @cached_property
    def perceived(self) -> Observed:
        """The sets as they are in the cache: references are aligned by features alone."""
        device = next(self.reasoner.parameters()).device
        return observe(self.cache, [scene.scene_index for scene in self.scenes]).to(device)

    @cached_property
    def seen(self) -> Observed:
        """The sets as they are known before questions are asked."""
        return studied(self.reasoner, self.perceived)

    @cached_property
    def truth(self) -> list[TrueSet]:
        sets = [scene.scene_index for scene in self.scenes]
        return read_true_sets(self.data, sets, self.cache, data_width(self.data))

    @property
    def programs(self) -> str:
        """Where they come from."""
        return (
            "as the run's parser reads the questions"
            if self.read
            else "those of the question file (no parser in the run)"
        )

    def answers(self) -> Submission:
        asked = [scene.without_answers() for scene in self.read or self.scenes]
        return answer_studied(self.reasoner, self.seen, asked, self.together)

    def concepts(self) -> ConceptScores:
        return concept_scores(self.reasoner, self.seen, self.truth, self.together)

    def alignment(self) -> dict[AlignedBy, Accuracy | None]:
        owners = {AlignedBy.FEATURES: self.perceived.owners, AlignedBy.ATTRIBUTES: self.seen.owners}
        return {by: alignment_score(found, self.truth) for by, found in owners.items()}

    def diagnosis(self) -> Diagnosis:
        return diagnose(self.reasoner, self.seen, self.scenes, self.truth, self.together, self.read)


def set_exam(
    run: Path,
    data: Path,
    split: str,
    cache: Path | None = None,
    device: torch.device | str = "cpu",
    without: Sequence[str] = (),
) -> Exam:
    """The exam of a run on a split of a dataset, with parts of the reasoner switched off."""
    config = load_config(PCRConfig, run / CONFIG) if (run / CONFIG).is_file() else PCRConfig()
    scenes = read_questions(split_file(data, split, answers=True))
    parser = parser_of(run, device)
    return Exam(
        load_reasoner(run, device, without),
        open_features(run, config, cache),
        data,
        scenes,
        as_read(parser, scenes) if parser is not None else None,
        config.evaluation_sets,
    )


def open_features(run: Path, config: PCRConfig, cache: Path | None) -> FeatureCache:
    """The cache that was named, or that the run was trained with."""
    folder = cache or (Path(config.cache) if config.cache is not None else run / CACHE)
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: expected a feature cache of the dataset (found none). Make it with tools/perceive.py and the "
            "perceiver that the run was trained with, and name it with --cache FOLDER."
        )
    return FeatureCache(folder)


def parser_of(run: Path, device: torch.device | str = "cpu") -> Parser | None:
    """The parser in a run's folder or below it, if there is one."""
    folder = parser_folder(run)
    return load_parser(folder, device) if folder is not None else None

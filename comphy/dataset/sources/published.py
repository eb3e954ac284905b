"""A published release as it was downloaded: ComPhy in either dialect, or CLEVRER."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from comphy.dataset.media.video import read_frames_at
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.questions import is_internal_folder, questions_path, read_questions
from comphy.dataset.sources.derived_boxes import kept_boxes, projected_boxes
from comphy.dataset.sources.listing import Listing, list_files
from comphy.dataset.sources.release_forms import ReleaseForm
from comphy.dataset.sources.source import TARGET, SetAnnotation, SourceKind, VideoLengths, same_looks
from comphy.errors import DatasetError
from comphy.questions.model import QuestionKind, SceneQuestions
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.objects import FPS, ObjectSpec

if TYPE_CHECKING:
    from comphy.dataset.media.video import Frames


@dataclass(frozen=True, eq=False)
class PublishedRelease:
    """`listing` is what was found below `root`."""

    root: Path
    form: ReleaseForm
    listing: Listing

    @property
    def kind(self) -> SourceKind:
        return self.form.kind

    @property
    def lengths(self) -> VideoLengths:
        return self.form.lengths

    @property
    def camera(self) -> Camera:
        return BENCHMARK

    @property
    def has_videos(self) -> bool:
        return bool(self.listing.videos)

    @property
    def picture_width(self) -> int:
        return BENCHMARK.width

    @cached_property
    def _judged(self) -> dict[int, str]:
        """Every set that there is a file of, with the reason why it is left out, empty where it is not."""
        return {index: self._fault(index) for index in self.listing.sets()}

    def _fault(self, index: int) -> str:
        if index in self.form.known_bad:
            return "known to be broken in the release"
        if self.form.split_of(index) is None:
            return "the number belongs to no split"
        wanted = self.lengths.references
        for files, what in ((self.listing.videos, "video"), (self.listing.annotations, "annotation")):
            if files and ((index, TARGET) not in files or self.listing.references(index, files) < wanted):
                return f"not every {what} of the set is there"
        return ""

    def indices(self) -> list[int]:
        return [index for index, fault in self._judged.items() if not fault]

    def split_of(self, index: int) -> str:
        return self.form.split_of(index) or "test"

    def video_path(self, index: int, video: str) -> Path:
        path = self.listing.videos.get((index, video))
        if path is None:
            raise DatasetError(f"{self.root}: expected the video {video} of set {index} (found none).")
        return self.root / path

    def frames(self, index: int, video: str) -> "Frames":
        path = self.video_path(index, video)
        frames, wanted = read_frames_at(path, FPS), self.lengths.of(video)
        if len(frames) < wanted:
            raise DatasetError(
                f"{path}: expected at least {wanted} frames (found {len(frames)}). The file is cut off; download it again."
            )
        return frames

    def annotation(self, index: int) -> SetAnnotation:
        target, *references = (self._annotated(index, video) for video in self.lengths.videos)
        return SetAnnotation(index, self.form.read(target), tuple(map(self.form.read, references)))

    def _annotated(self, index: int, video: str) -> Path:
        path = self.listing.annotations.get((index, video))
        if path is None:
            raise DatasetError(
                f"{self.root}: expected the annotation of {video} of set {index} (found none). Unpack the annotations into "
                "this folder; what needs no truth (perceive, ask) works without them."
            )
        return self.root / path

    def objects(self, index: int) -> tuple[ObjectSpec, ...]:
        return self.annotation(index).target.objects

    def boxes(self, index: int, video: str) -> VideoBoxes:
        return kept_boxes(self.fingerprint(), f"{index:05d}/{video}", lambda: self._projected(index, video))

    def _projected(self, index: int, video: str) -> VideoBoxes:
        path, frames = self._annotated(index, video), self.lengths.of(video)
        annotation = self.form.read(path)
        if len(annotation) < frames:
            raise DatasetError(f"{path}: expected at least {frames} annotated frames (found {len(annotation)}).")
        return projected_boxes(annotation, frames, self.camera)

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        return same_looks(self.annotation(index), video, str(self.root))

    def asks(self, split: str, answers: bool) -> bool:
        return bool(self._question_files(split)) and not (answers and split == "test" and not self._answered_test)

    @property
    def _answered_test(self) -> bool:
        """The releases keep the answers of the test split back."""
        return any(
            question.answer is not None or any(choice.correct is not None for choice in question.choices)
            for scene in self._asked("test")
            for question in scene.questions
        )

    def questions(self, split: str, answers: bool = True) -> list[SceneQuestions]:
        if not self._question_files(split):
            names = " or ".join(self.form.question_files[split])
            raise DatasetError(f"{self.root}: expected the questions of the split '{split}' as {names} (found none).")
        if answers and split == "test" and not self._answered_test:
            raise DatasetError(
                f"{self.root}: the answers of the test split were not published. Score val (--split val), or write a "
                "submission with `comphy train`."
            )
        return list(_answerable(self._asked(split), set(self.indices())))

    def _question_files(self, split: str) -> list[Path]:
        questions_path(split)  # refuses an unknown split
        places = (self.root, self.root / "questions")
        found = [place / name for place in places for name in self.form.question_files[split]]
        return [path for path in found if path.is_file()][:1] or [p for p in places if is_internal_folder(p)][:1]

    def _asked(self, split: str) -> list[SceneQuestions]:
        """As the files have it; the authors' own pair of files holds all splits."""
        scenes = (scene for path in self._question_files(split) for scene in read_questions(path))
        return [scene for scene in scenes if self.form.split_of(scene.scene_index) == split]

    def fingerprint(self) -> str:
        """Of names and sizes of all files: reading tens of gigabytes for a hash would take too long."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(sorted(self.listing.sizes.items())).encode()).hexdigest()

    def skipped(self) -> Counter[str]:
        found = Counter(f"sets: {fault}" for fault in self._judged.values() if fault)
        held = set(self.indices())
        for split in self.form.splits:
            for scene in self._asked(split):
                kept = sum(len(one.questions) for one in _answerable([scene], held))
                lost = len(scene.questions) - kept
                if lost:
                    away = scene.scene_index not in held
                    found["questions: about sets that are not there" if away else "questions: without choices"] += lost
        return found

    def assumptions(self) -> list[str]:
        if self.lengths.references:
            return []
        return ["there is no reference: masses and charges are inferred from the target alone"]


def _answerable(scenes: Iterable[SceneQuestions], held: set[int]) -> Iterable[SceneQuestions]:
    """Questions about the sets at hand, without those that offer no choice although they are multiple-choice."""
    for scene in scenes:
        if scene.scene_index in held:
            kept = (one for one in scene.questions if one.kind is QuestionKind.FACTUAL or one.choices)
            yield replace(scene, questions=tuple(kept))


def open_release(root: Path, form: ReleaseForm) -> PublishedRelease | None:
    """The release below a folder; None if no file of it is there."""
    listing = list_files(root, form.annotations, form.videos)
    return PublishedRelease(root, form, listing) if listing.sets() else None

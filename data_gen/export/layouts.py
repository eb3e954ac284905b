"""Where the files of an exported set go: the ComPhy release (a), the authors' own tree (b), CLEVRER."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from comphy.choices import ExportAs
from comphy.dataset import layout
from comphy.dataset.layout import CHUNK
from comphy.dataset.sources.release_forms import CLEVRER_RELEASE, COMPHY_RELEASE, ReleaseForm
from comphy.dataset.sources.source import TARGET, reference_number

CLEVRER_FRAMES: Final = 128
_CLEVRER_SPLITS: Final = {"train": "train", "val": "validation", "test": "test"}


def release_form(chosen: ExportAs) -> ReleaseForm:
    return CLEVRER_RELEASE if chosen is ExportAs.CLEVRER else COMPHY_RELEASE


def target_frames(chosen: ExportAs) -> int | None:
    """Frames of a target video; None: as many as our videos have."""
    return CLEVRER_FRAMES if chosen is ExportAs.CLEVRER else None


@dataclass(frozen=True)
class SetPaths:
    """Paths of one set in a layout, relative to the export's root."""

    layout: ExportAs
    number: int
    split: str

    def annotation(self, video: str) -> PurePosixPath:
        if self.layout is ExportAs.CLEVRER:
            return self._clevrer("annotation", "json")
        if self.layout is ExportAs.COMPHY_B:
            return self._rendered(video) / "annotations" / "annotation.json"
        if video == TARGET:
            return layout.target_annotation(self.number)
        return layout.reference_annotation(self.number, reference_number(video))

    def video(self, video: str) -> PurePosixPath:
        """A file, or in the authors' tree a folder of pictures."""
        if self.layout is ExportAs.CLEVRER:
            return self._clevrer("video", "mp4")
        if self.layout is ExportAs.COMPHY_B:
            return self._rendered(video) / "frames"
        if video == TARGET:
            return layout.target_video(self.number)
        return layout.reference_video(self.number, reference_number(video))

    @property
    def video_filename(self) -> str:
        """What question files call the target's video."""
        name = "video" if self.layout is ExportAs.CLEVRER else "sim"
        return f"{name}_{self.number:05d}.mp4"

    def _clevrer(self, what: str, ending: str) -> PurePosixPath:
        start = self.number // CHUNK * CHUNK
        chunk = f"{what}_{start:05d}-{start + CHUNK:05d}"
        return PurePosixPath(f"{what}_{_CLEVRER_SPLITS[self.split]}", chunk, f"{what}_{self.number:05d}.{ending}")

    def _rendered(self, video: str) -> PurePosixPath:
        folder, name = PurePosixPath("render"), f"sim_{self.number:05d}"
        return (
            folder / "causal_sim" / name
            if video == TARGET
            else folder / "reference" / name / str(reference_number(video))
        )


def question_file(chosen: ExportAs, split: str) -> str:
    return f"{_CLEVRER_SPLITS[split] if chosen is ExportAs.CLEVRER else split}.json"

"""Where files are: the public release's tree, and what stands beside it. Paths are relative to the dataset's root."""

from pathlib import PurePosixPath

from comphy.scene.objects import REFERENCES_PER_SET

SCHEMA_VERSION = 2
# Versions that are read. Version 1 had the same files, but videos whose bytes were not the same on every run.
READABLE_VERSIONS = (1, SCHEMA_VERSION)
CHUNK = 1000  # sets per folder

MANIFEST = PurePosixPath("manifest.json")
CARD = PurePosixPath("README.md")
CROISSANT = PurePosixPath("croissant.json")
PACK = PurePosixPath("rollouts.pack")
BOXES = PurePosixPath("boxes.pack")
AGAIN = "make the set again with comphy generate"  # what is missing or damaged
PROGRESS = PurePosixPath("progress")  # exists while a job is unfinished

# Of every six sets four are for training, one for validation, one for testing: the release's 8,000 / 2,000 / 2,000.
_SPLIT_PATTERN = ("train", "train", "train", "train", "val", "test")
SPLITS = ("train", "val", "test")


def split_of(index: int) -> str:
    """The split of a set, known from its number alone, so that a growing dataset never moves a set."""
    return _SPLIT_PATTERN[index % len(_SPLIT_PATTERN)]


def _chunk(prefix: str, index: int) -> str:
    start = index // CHUNK * CHUNK
    return f"{prefix}_{start:05d}_{start + CHUNK:05d}"


def target_annotation(index: int) -> PurePosixPath:
    return PurePosixPath("target_annotation", _chunk("annotation", index), f"{index:05d}.json")


def reference_annotation(index: int, reference: int) -> PurePosixPath:
    return PurePosixPath("reference_annotation", _chunk("annotation", index), f"{index:05d}", f"{reference}.json")


def target_video(index: int) -> PurePosixPath:
    return PurePosixPath("target_video", _chunk("video", index), f"sim_{index:05d}.mp4")


def reference_video(index: int, reference: int) -> PurePosixPath:
    return PurePosixPath("reference_video", _chunk("video", index), f"sim_{index:05d}_{reference}.mp4")


def extras(index: int) -> PurePosixPath:
    """Events, boxes, visibility and counterfactual collisions of a set: ours, not the release's."""
    return PurePosixPath("extras", _chunk("extras", index), f"{index:05d}.json")


def rollouts(index: int) -> PurePosixPath:
    """Compact trajectories of a set, those of the counterfactual runs included."""
    return PurePosixPath("extras", _chunk("rollouts", index), f"{index:05d}.pack")


def masks(index: int) -> PurePosixPath:
    """Run-length encoded instance masks of a set's five videos."""
    return PurePosixPath("extras", _chunk("masks", index), f"{index:05d}.npz")


def set_files(index: int, rendered: bool) -> list[PurePosixPath]:
    """Every file of a complete set."""
    references = range(REFERENCES_PER_SET)
    files = [target_annotation(index), *(reference_annotation(index, r) for r in references)]
    files += [extras(index), rollouts(index)]
    if rendered:
        files += [target_video(index), *(reference_video(index, r) for r in references), masks(index)]
    return files

"""Locates a set and its features: read from a cache, or perceived on the first question and cached."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.dataset import layout
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.own_videos import THE_SET
from comphy.dataset.sources.source import SourceKind, VideoLengths, VideoSource
from comphy.errors import ConfigError, DatasetError
from comphy.resources import user_cache
from models.pcr.reasoner.checkpoint import FEATURES
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import cache_key, fill, open_cache
from models.perceiver.cache.index import INDEX
from models.perceiver.perceive import is_perceiver, open_perceiver
from models.perceiver.tracking.tracker import TrackerSettings
from models.train.device import pick_device
from models.train.run import OpenFrames

VIDEO_FILES: Final = "videos"
DRAWN: Final = "raytrace"
PERCEIVER: Final = "perceiver"  # subfolder of a run that holds its perceiver
KEPT: Final = "asked"  # folder of the features perceived for questions
_TOOLKIT: Final = Path(__file__).resolve().parents[2]  # holds the weights that are shipped


@dataclass(frozen=True)
class SetPlace:
    """A set, given by its source and its number."""

    data: Path
    index: int

    @staticmethod
    def parse(text: str) -> "SetPlace":
        """`DATASET:NUMBER`, or a folder of one's own videos, which is one set."""
        data, colon, number = text.rpartition(":")
        if colon and data and number.isdecimal():
            return SetPlace(Path(data), int(number))
        folder = Path(text)
        if folder.is_dir() and open_source(folder).kind is SourceKind.OWN_VIDEOS:
            return SetPlace(folder, THE_SET)
        raise ConfigError(
            f"expected a set as DATASET:NUMBER, such as out/comphy:12, or a folder of your own videos (got '{text}')."
        )

    @property
    def source(self) -> VideoSource:
        return open_source(self.data)

    def require(self) -> None:
        """Raise `DatasetError` if the source does not hold the set."""
        held = self.source.indices()
        if self.index not in held:
            numbers = f"{min(held)} to {max(held)}" if held else "none"
            raise DatasetError(
                f"{self.data}: there is no set {self.index} in this dataset (it holds {len(held)} sets: {numbers})."
            )

    @property
    def frames(self) -> str:
        """Where frames come from: the video files or, if there are none, ray tracing of the trajectories.

        Raises `DatasetError` if some videos are missing, or if there are neither videos nor trajectories.
        """
        source = self.source
        if source.kind is not SourceKind.GENERATED:
            return VIDEO_FILES
        files = [source.video_path(self.index, video) for video in source.lengths.videos]
        missing = [file for file in files if not file.is_file()]
        if not missing:
            return VIDEO_FILES
        if len(missing) < len(files):
            raise DatasetError(
                f"{missing[0]}: the video is missing. Expected set {self.index} with a target and "
                f"{source.lengths.references} reference videos (found {len(files) - len(missing)} of {len(files)}). "
                "Mass and charge are inferred from all of them; make the set again with comphy generate."
            )
        self._require_trajectories(source.lengths)
        return DRAWN

    def _require_trajectories(self, lengths: VideoLengths) -> None:
        path = self.data / layout.PACK
        if not path.is_file():
            raise DatasetError(
                f"{self.data}: set {self.index} has neither videos nor trajectories to draw them from (no {layout.PACK})."
                " Run comphy generate to the end."
            )
        pack = Pack(path)
        missing = [video for video in lengths.videos if f"{self.index:05d}/{video}" not in pack]
        if missing:
            raise DatasetError(
                f"{path}: expected trajectories of the target and {lengths.references} references of set {self.index} "
                f"(found none of {', '.join(missing)}). Make the set again with comphy generate."
            )


@dataclass(frozen=True)
class SetPerceiver:
    """Perceives sets for the reasoner of `run`, with the perceiver in that run unless `perceiver` names another."""

    run: Path
    open_frames: OpenFrames
    perceiver: Path | None = None
    device: str = "auto"

    def features(self, place: SetPlace, cache: Path | None = None) -> FeatureCache:
        """A feature cache that holds the set: the given one, the run's own, or one that is filled on the first question."""
        if cache is not None:
            return given_cache(place, cache)
        place.require()
        own = self._home / FEATURES
        if (own / INDEX).is_file() and _holds(FeatureCache(own), place):
            return FeatureCache(own)
        return self._kept(place)

    @property
    def _home(self) -> Path:
        return self.run if self.run.is_dir() else self.run.parent

    def _kept(self, place: SetPlace) -> FeatureCache:
        detector, frames = self._detector(), place.frames
        key = cache_key(detector, place.data, TrackerSettings(), frames)
        folder = kept_folder(self._home) / hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        if (folder / INDEX).is_file() and place.index in FeatureCache(folder, key).indices():
            return FeatureCache(folder, key)
        perceiver = open_perceiver(detector, pick_device(self.device), lengths=place.source.lengths)
        source = self.open_frames(frames, perceiver.detector.size[0], str(perceiver.device))
        with open_cache(folder, key, perceiver, place.data) as writer:
            fill(writer, perceiver, source, [place.index])
        return FeatureCache(folder, key)

    def _detector(self) -> Path:
        path = self.perceiver or self._home / PERCEIVER
        if not is_perceiver(path):
            raise ConfigError(
                f"{path}: expected the run of a perceiver (found none), to perceive the set. Name the one that the "
                "reasoner was trained with by --perceiver RUN, or a feature cache that holds the set by --cache FOLDER."
            )
        return path


def given_cache(place: SetPlace, folder: Path) -> FeatureCache:
    """Open a cache that the user named. Raises `DatasetError` if it is of another dataset or lacks the set."""
    found = FeatureCache(folder)
    if place.data.is_dir():
        place.require()
        if found.key.dataset != place.source.fingerprint():
            raise DatasetError(
                f"{folder}: expected a cache of {place.data} (found one of another dataset, or of the dataset before it "
                "was changed). Run comphy perceive again, or leave --cache out."
            )
    if place.index not in found.indices():
        raise DatasetError(
            f"{folder}: expected set {place.index} in the cache (found {len(found)} other sets). "
            "Run comphy perceive to the end, or leave --cache out."
        )
    return found


def kept_folder(home: Path) -> Path:
    """The folder for perceived features: in the run or, if the run is shipped with the toolkit or read-only, in the user's
    cache folder."""
    if os.access(home, os.W_OK) and not home.resolve().is_relative_to(_TOOLKIT):
        return home / KEPT
    return user_cache() / KEPT


def _holds(cache: FeatureCache, place: SetPlace) -> bool:
    return place.index in cache.indices() and cache.key.dataset == place.source.fingerprint()

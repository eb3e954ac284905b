"""Loads sets for previews, from whichever source."""

from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from data_gen.preview.released import load_released
from data_gen.preview.scene import PreviewSet, load_generated, require_set


def load_set(source: VideoSource, index: int) -> PreviewSet:
    """Everything the previews of one set draw, frames aside.

    Raises `DatasetError` if there is no such set, or if the source has no annotations of it.
    """
    require_set(source, index)
    return load_generated(source, index) if isinstance(source, GeneratedDataset) else load_released(source, index)

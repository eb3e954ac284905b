"""Tells by its files what kind of source a folder is."""

from functools import lru_cache
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.questions import questions_path
from comphy.dataset.sources.folder import require_folder
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from comphy.errors import DatasetError


def open_source(root: str | Path) -> VideoSource:
    """Open a folder of video sets.

    Args:
        root: a dataset of this toolkit, the ComPhy release or CLEVRER as downloaded, or a folder of videos.

    Returns:
        The source. Of a release, only the names of files are read.

    Raises:
        DatasetError: if the folder is none of these."""
    folder = require_folder(root)
    if (folder / layout.MANIFEST).is_file():
        return GeneratedDataset(folder)
    if (folder / layout.PROGRESS).is_dir():
        raise DatasetError(f"{folder}: the dataset is unfinished. Run the command that began it again; it goes on.")
    return _foreign(folder.resolve(), folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _foreign(resolved: Path, folder: Path, changed: int) -> VideoSource:
    """Kept while the folder has not `changed`: a release has tens of thousands of files."""
    from comphy.dataset.sources.own_videos import OwnVideos, video_files
    from comphy.dataset.sources.published import open_release
    from comphy.dataset.sources.release_forms import CLEVRER_RELEASE, COMPHY_RELEASE

    for form in (COMPHY_RELEASE, CLEVRER_RELEASE):
        release = open_release(folder, form)
        if release is not None:
            return release
    if video_files(folder):
        return OwnVideos(folder)
    if any((folder / questions_path(split)).is_file() for split in layout.SPLITS):
        return GeneratedDataset(folder)  # questions alone: enough for whoever looks at no video
    raise DatasetError(
        f"{folder}: expected a source of video sets (found none of the four kinds): a dataset of this toolkit "
        "(manifest.json), the ComPhy release (target_annotation/, sim_00000.mp4, or sim_00000/annotation.json), "
        "CLEVRER (video_00000.mp4, annotation_00000.json), or a folder with a video of your own (target.mp4)."
    )

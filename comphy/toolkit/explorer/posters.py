"""Small pictures of videos for the grid."""

from collections import OrderedDict
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from comphy.dataset.media.video import read_frame

WIDTH: Final = 320
_QUALITY: Final = 82
_MOST_KEPT: Final = 2000  # pictures of about 8 KB


class Posters:
    """The pictures that were asked for last stay in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, int], bytes] = OrderedDict()
        self._lock = Lock()

    def prepare(self) -> None:
        """Import what decodes videos, while the page asks for its list of sets: pictures come next."""
        Thread(target=_import_decoders, daemon=True).start()

    def jpeg(self, video: Path, frame: int) -> bytes:
        """One frame of a video, or its last if it is shorter.

        Raises:
            DatasetError: the video cannot be decoded."""
        key = video, frame
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = draw_poster(video, frame)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found


def _import_decoders() -> None:
    with suppress(ImportError):  # told when a video is decoded
        import av  # noqa: F401
        import PIL.Image  # noqa: F401


def draw_poster(video: Path, frame: int) -> bytes:
    from PIL import Image

    picture = Image.fromarray(read_frame(video, frame))
    picture.thumbnail((WIDTH, WIDTH))
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()

"""Films that were made for a page, in a folder that ends with the server."""

import re
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_MOST_KEPT: Final = 20


class Clips:
    """Names are numbers; the earliest films give way to later ones."""

    def __init__(self) -> None:
        self._made = 0

    @cached_property
    def _folder(self) -> TemporaryDirectory[str]:
        return TemporaryDirectory(prefix="comphy_clips_")

    def new(self) -> tuple[str, Path]:
        """The name of the next film, and where it is to be written."""
        self._made += 1
        self._path(self._made - _MOST_KEPT).unlink(missing_ok=True)
        return f"{self._made}.mp4", self._path(self._made)

    def find(self, name: str) -> Path | None:
        number = re.fullmatch(r"([1-9]\d{0,8})\.mp4", name)
        path = self._path(int(number[1])) if number and self._made else None
        return path if path is not None and path.is_file() else None

    def _path(self, number: int) -> Path:
        return Path(self._folder.name) / f"{number}.mp4"

    def close(self) -> None:
        if "_folder" in self.__dict__:
            self._folder.cleanup()

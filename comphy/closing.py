"""`Closeable`: the base of everything that holds a resource until it is closed."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closeable(ABC):
    """An object with a `close`, which the end of a `with` block calls."""

    @abstractmethod
    def close(self) -> None:
        """Give the resource back. Closing twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

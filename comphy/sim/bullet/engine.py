"""`Engine`: one Bullet client. The only file that imports pybullet."""

import sys
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, Final

from comphy.closing import Closeable
from comphy.errors import ComphyError, MissingDependency
from comphy.sim.bullet.bodies import BodyMaker
from comphy.sim.bullet.silence import silenced_stderr

MOST_ENGINES: Final = 128  # open at once in a process; Bullet aborts the interpreter where memory ends


def _pybullet() -> Any:
    if loaded := sys.modules.get("pybullet"):
        return loaded
    with silenced_stderr():
        try:
            import pybullet
        except ImportError as error:
            raise MissingDependency("Simulation needs Bullet, which is not installed: pip install pybullet") from error
    return pybullet


class Engine(Closeable):
    """One Bullet client. Costly to open (tens of ms), cheap to rebuild: keep one for many worlds in sequence.

    One that is no longer in use is closed with its last reference. Raises `ComphyError` if too many are open."""

    _open: ClassVar[weakref.WeakSet["Engine"]] = weakref.WeakSet()

    def __init__(self) -> None:
        self.client = -1
        if len(self._open) >= MOST_ENGINES:
            raise ComphyError(
                f"Expected at most {MOST_ENGINES} open physics engines in a process, of 28 MB each (got one more). Close "
                "worlds when they are done (`with World(...) as world:`), or hand one Engine to worlds that run in turn."
            )
        self.bullet = _pybullet()
        self.client = self.bullet.connect(self.bullet.DIRECT)
        if self.client < 0:
            raise ComphyError(
                "Bullet opened no physics engine (it refused the connection). Close worlds that are done, and try again."
            )
        self._open.add(self)
        self._close = weakref.finalize(self, self.bullet.disconnect, self.client)
        self._close.atexit = False  # the end of the process gives everything back
        self._built: Callable[[], object] = _nothing
        self.planar_maker: BodyMaker | None = None  # of the last world, if that was planar

    def has_built(self, scene: object) -> bool:
        """Whether the bodies of this scene are in the client now."""
        return self._built() is scene

    def set_built(self, scene: object) -> None:
        self._built = weakref.ref(scene)  # a cycle of references would keep both until Python looks for cycles

    def close(self) -> None:
        if self.client >= 0:
            self._close()
            self._open.discard(self)
            self.client = -1


def _nothing() -> None:
    """What is built in an engine at first."""

"""Draws frames of a dataset's videos again and compares their pixels with the files.

Other versions and other processors round differently, and the encoder then chooses differently: bytes differ, but means
over blocks of pixels hardly do, unless an object is elsewhere or of another color. Where all frames are drawn again, files
are compared byte by byte as well: a machine that makes some of them the same makes all of them the same.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.choices import RendererName
from comphy.closing import Closeable
from comphy.dataset import layout
from comphy.dataset.checks.media import FRAME_STRIDE
from comphy.dataset.checks.problem import Problem
from comphy.dataset.media.video import Frames, read_mp4, write_mp4
from comphy.errors import DatasetError
from comphy.scene.camera import Camera
from comphy.scene.objects import REFERENCES_PER_SET
from comphy.sim.recording import RecordedSet
from data_gen.config import DatasetConfig
from data_gen.renderers.build import build_renderer

BLOCK: Final = 8  # pixels
TOLERANCE: Final = 12.0  # levels of 255, of the mean over a block


class RenderingCheck(Closeable):
    """Draws with the renderer of a dataset, every frame or every 25th. Raises `ComphyError` if that cannot be had on this
    machine."""

    def __init__(self, renderer: RendererName, config: DatasetConfig, every_frame: bool = False) -> None:
        self._camera: Camera = config.camera()
        self._stride = 1 if every_frame else FRAME_STRIDE
        self._same, self._other = 0, list[Path]()
        self._renderer = build_renderer(renderer, config, threads=1)

    def close(self) -> None:
        if self._renderer is not None:
            self._renderer.close()

    def check(self, root: Path, recorded: RecordedSet) -> Iterator[Problem]:
        """Yield a problem for each video of a set of which a frame is not as drawn again."""
        if self._renderer is None:
            return
        index = recorded.scene.index
        clips = {name: clip.frames(slice(None, None, self._stride)) for name, clip in recorded.clips().items()}
        drawn = dict(zip(clips, self._renderer.render(list(clips.values()), self._camera), strict=True))
        paths = {"target": layout.target_video(index)}
        paths |= {f"reference_{k}": layout.reference_video(index, k) for k in range(REFERENCES_PER_SET)}
        for name, path in paths.items():
            try:
                shown = read_mp4(root / path)[0][:: self._stride]
            except DatasetError as error:
                yield Problem(f"set {index}", str(error))
                continue
            if shown.shape != drawn[name].shape:
                yield Problem(
                    str(root / path), f"expected {drawn[name].shape} frames drawn again (found {shown.shape})"
                )
                continue
            apart = block_differences(shown, drawn[name])
            worst = int(apart.argmax())
            if apart[worst] > TOLERANCE:
                yield Problem(
                    str(root / path),
                    f"frame {worst * self._stride} differs from the same frame drawn again (blocks of {BLOCK} pixels by up "
                    f"to {apart[worst]:.0f} of 255 levels; expected at most {TOLERANCE:.0f})",
                )
            elif self._stride == 1:
                self._compare_bytes(root / path, drawn[name])

    def _compare_bytes(self, path: Path, drawn: Frames) -> None:
        with tempfile.TemporaryDirectory(prefix="comphy-repaint-") as folder:
            write_mp4(Path(folder) / path.name, drawn)
            if (Path(folder) / path.name).read_bytes() == path.read_bytes():
                self._same += 1
            else:
                self._other.append(path)

    def check_bytes(self) -> Iterator[Problem]:
        """Yield a problem for each video of the checked sets whose bytes are others, where those of some are the same."""
        for path in self._other if self._same else ():
            yield Problem(
                str(path),
                f"drawn and encoded again it has other bytes, although {self._same} videos have the same: the file was "
                "changed. Make the set again with comphy generate",
            )


def block_differences(first: Frames, second: Frames) -> NDArray[np.float64]:
    """For each frame, how far the means of a block of pixels are apart at most."""
    apart = first.astype(np.float64) - second
    frames, height, width, channels = apart.shape
    rows, columns = -(-height // BLOCK), -(-width // BLOCK)
    padded = np.zeros((frames, rows * BLOCK, columns * BLOCK, channels))
    padded[:, :height, :width] = apart
    means = padded.reshape(frames, rows, BLOCK, columns, BLOCK, channels).mean(axis=(2, 4))
    return np.asarray(np.abs(means).max(axis=(1, 2, 3)))

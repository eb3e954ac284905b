"""H.264 files: write frames, read frames. One thread and fixed settings, so that the same frames give the same bytes."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError, MissingDependency
from comphy.scene.objects import FPS

Frames = NDArray[np.uint8]
_ENCODER = {"crf": "18", "threads": "1"}


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise MissingDependency("Reading and writing mp4 files needs PyAV: pip install av") from error
    return av


def write_mp4(path: Path, frames: Iterable[NDArray[np.uint8]], fps: int = FPS, preset: str = "medium") -> None:
    """Write 8-bit RGB frames [height, width, 3] as H.264, readable by every browser. `preset`: the encoder's, on which the
    bytes of the file depend."""
    av = _av()
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = None
        for image in frames:
            if stream is None:
                stream = container.add_stream("libx264", rate=fps, options=_ENCODER | {"preset": preset})
                stream.height, stream.width = image.shape[:2]
                stream.pix_fmt = "yuv420p"
                stream.codec_context.time_base = Fraction(1, fps)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")
            container.mux(stream.encode(frame))
        if stream is None:
            raise ValueError(f"Expected at least one frame for {path} (got none).")
        container.mux(stream.encode())


def read_mp4(path: Path) -> tuple[Frames, float]:
    """All frames [frames, height, width, 3] and the frame rate."""
    av = _av()
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
            rate = float(stream.average_rate or 0.0)
    except FileNotFoundError:
        raise DatasetError(f"{path}: the video is missing. Make the set again with tools/generate.py.") from None
    except (av.error.FFmpegError, IndexError) as error:
        raise DatasetError(
            f"{path}: not a readable video ({error}). The file is damaged; generate the set again."
        ) from None
    if not frames:
        raise DatasetError(f"{path}: the video holds no frame. The file is damaged; generate the set again.")
    return np.stack(frames), rate

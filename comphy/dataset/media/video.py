"""H.264 files: write frames, read frames. One thread and fixed settings, so that the same frames give the same bytes.
Other people's videos are read at a frame rate of our choice, also from folders with a picture for each frame."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reads_file
from comphy.errors import DatasetError, MissingDependency
from comphy.scene.objects import FPS

Frames = NDArray[np.uint8]
_PICTURES = ("*.png", "*.jpg", "*.jpeg")
# The macroblock tree (mbtree) sums in an order that changes from run to run on CPUs with AVX-512.
_ENCODER = {"crf": "18", "threads": "1", "x264-params": "mbtree=0"}


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise MissingDependency("Reading and writing mp4 files needs PyAV: pip install av") from error
    return av


def write_mp4(path: Path, frames: Iterable[NDArray[np.uint8]], fps: int = FPS, preset: str = "medium") -> None:
    """Write 8-bit RGB frames [height, width, 3] as H.264, readable by every browser. `preset`: the encoder's, on which the
    bytes of the file depend."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _av().open(str(path), "w", options={"movflags": "faststart"}) as container:
        if not _encode(container, frames, fps, _ENCODER | {"preset": preset}):
            raise ValueError(f"Expected at least one frame for {path} (got none).")


def through_h264(frames: Frames, crf: int, fps: int = FPS) -> Frames:
    """What is left of frames [frames, height, width, 3] of even sides after H.264 at a constant rate factor, from 0
    (lossless) to 51."""
    av, file = _av(), BytesIO()
    with av.open(file, "w", format="mp4") as container:
        _encode(container, frames, fps, _ENCODER | {"crf": str(crf)})
    file.seek(0)
    with av.open(file) as container:
        return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])


def _encode(container: Any, frames: Iterable[NDArray[np.uint8]], fps: int, options: dict[str, str]) -> bool:
    """Write frames into a container; returns whether there were any."""
    av, stream = _av(), None
    for image in frames:
        if stream is None:
            stream = container.add_stream("libx264", rate=fps, options=options)
            stream.height, stream.width = image.shape[:2]
            stream.pix_fmt = "yuv420p"
            stream.codec_context.time_base = Fraction(1, fps)
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")
        container.mux(stream.encode(frame))
    if stream is not None:
        container.mux(stream.encode())
    return stream is not None


@reads_file
def read_mp4(path: Path) -> tuple[Frames, float]:
    """All frames [frames, height, width, 3] and the frame rate."""
    av = _av()
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
            rate = float(stream.average_rate or 0.0)
    except FileNotFoundError:
        raise DatasetError(f"{path}: the video is missing. Make the set again with comphy generate.") from None
    except (av.error.FFmpegError, IndexError) as error:
        raise DatasetError(
            f"{path}: not a readable video ({error}). The file is damaged or cut off; make it, or copy it, again."
        ) from None
    if not frames:
        raise DatasetError(
            f"{path}: the video holds no frame. The file is damaged or cut off; make it, or copy it, again."
        )
    return np.stack(frames), rate


@reads_file
def read_frame(path: Path, number: int) -> NDArray[np.uint8]:
    """One frame [height, width, 3], or the last of a shorter video. Raises `DatasetError` if it cannot be decoded."""
    av, last = _av(), None
    try:
        with av.open(str(path)) as container:
            for k, frame in enumerate(container.decode(video=0)):
                last = frame
                if k >= number:
                    break
    except (av.error.FFmpegError, IndexError, OSError) as error:
        raise DatasetError(
            f"{path}: not a readable video ({error}). The file is damaged or cut off; make it, or copy it, again."
        ) from None
    if last is None:
        raise DatasetError(
            f"{path}: the video holds no frame. The file is damaged or cut off; make it, or copy it, again."
        )
    return np.asarray(last.to_ndarray(format="rgb24"), np.uint8)


@dataclass(frozen=True)
class VideoFacts:
    """Size, frame rate and duration of a video file."""

    width: int
    height: int
    rate: float
    seconds: float


@reads_file
def probe(path: Path) -> VideoFacts:
    """What a video file says of itself. Raises `DatasetError` if it holds no video that can be read."""
    av = _av()
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            rate = float(stream.average_rate or stream.base_rate or FPS)
            told = stream.duration * stream.time_base if stream.duration else (container.duration or 0) / 1e6
            count = stream.frames or round(float(told) * rate)
            return VideoFacts(stream.codec_context.width, stream.codec_context.height, rate, count / rate)
    except (av.error.FFmpegError, IndexError, OSError) as error:
        raise DatasetError(
            f"{path}: not a readable video ({error}). Expected H.264 in an mp4 file, or whatever else FFmpeg reads."
        ) from None


def read_frames_at(path: Path, fps: float) -> Frames:
    """All frames of a video file, or of a folder with a picture for each frame (at `fps` already), resampled to `fps`
    frames a second where the file has another rate."""
    if path.is_dir():
        return _read_pictures(path)
    frames, rate = read_mp4(path)
    return frames[resampled(len(frames), rate or fps, fps)]


def resampled(count: int, rate: float, fps: float) -> NDArray[np.intp]:
    """For each frame at `fps`, the nearest of `count` frames at `rate`."""
    if abs(rate - fps) < 0.01:
        return np.arange(count)
    times = np.arange(max(1, int(count / rate * fps + 1e-6))) / fps
    return np.minimum(np.rint(times * rate), count - 1).astype(np.intp)


@reads_file
def _read_pictures(folder: Path) -> Frames:
    from PIL import Image

    files = sorted(file for pattern in _PICTURES for file in folder.glob(pattern))
    if not files:
        raise DatasetError(f"{folder}: expected pictures, one for each frame ({', '.join(_PICTURES)}; found none).")
    pictures = []
    for file in files:
        try:
            with Image.open(file) as image:
                pictures.append(np.asarray(image.convert("RGB")))
        except OSError as error:
            raise DatasetError(
                f"{file}: not a readable picture ({error}). The file is damaged; get it again."
            ) from None
        if pictures[-1].shape != pictures[0].shape:
            raise DatasetError(
                f"{file}: expected a picture of {pictures[0].shape[1]}x{pictures[0].shape[0]} as the ones before it "
                f"(got {pictures[-1].shape[1]}x{pictures[-1].shape[0]})."
            )
    return np.stack(pictures)

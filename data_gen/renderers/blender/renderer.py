"""The `blender` renderer: the reference appearance, rendered by Cycles in a separate process.

Blender is looked up in this order: the configured path, $COMPHY_BLENDER, the `bpy` wheel of this Python, `blender` on
PATH. It runs `worker.py`, which gets one scene file per video and writes PNG frames to a temporary folder.
"""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from PIL import Image

from comphy.errors import MissingDependency, RenderError
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import OBJECT_RADIUS, RGB
from data_gen.renderers import look
from data_gen.renderers.contract import Frames

ENVIRONMENT_VARIABLE: Final = "COMPHY_BLENDER"
OLDEST, NEWEST = (3, 4), (5, 99)
WORKER: Final = Path(__file__).with_name("worker.py")
PREFIX: Final = "COMPHY "  # marks the worker's replies, see worker.py
LOG_TAIL: Final = 3000
INSTALL_HELP: Final = (
    "On x86_64 with Python 3.11: pip install 'comphy[blender]' (the bpy wheel). "
    "On aarch64 or any Debian: apt-get install --no-install-recommends blender. "
    f"Or set {ENVIRONMENT_VARIABLE} to a blender program, version {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.x."
)


class Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


@dataclass(frozen=True)
class BlenderSettings:
    """`threads` 0 uses every core; `patience` is the timeout in seconds for one frame, after which Blender is killed;
    `recycle_every` is the number of videos after which Blender is restarted."""

    samples: int = 16
    recycle_every: int = 50
    executable: str | None = None
    threads: int = 0
    device: Device = Device.CPU
    patience: float = 600.0

    def __post_init__(self) -> None:
        for name in ("samples", "recycle_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"Expected {name} of at least 1 (got {getattr(self, name)}).")


def find_blender(executable: str | None = None) -> list[str]:
    """The command that runs a script in Blender, without the script. Raises `MissingDependency` if there is no Blender."""
    wanted = {"the setting": executable, f"${ENVIRONMENT_VARIABLE}": os.environ.get(ENVIRONMENT_VARIABLE)}
    for origin, name in wanted.items():
        if name:
            return _command(name, origin)
    if _has_bpy():
        return [sys.executable]
    return _command("blender", "PATH")


def _command(name: str, origin: str) -> list[str]:
    path = shutil.which(name)
    if path is None:
        raise MissingDependency(f"Expected Blender (no program '{name}', named by {origin}). {INSTALL_HELP}")
    if Path(path).name.startswith("python"):
        return [path]
    return [path, "-b", "--factory-startup", "-noaudio", "--python-exit-code", "1", "--python"]


def _has_bpy() -> bool:
    """Whether the bpy wheel can be imported; tried in a subprocess, since bpy cannot be unloaded."""
    return subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True).returncode == 0


class BlenderProcess:
    """A running worker with its temporary folder. Any failure kills it, so that no worker is left in an unknown state."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self.videos = 0
        self._command = command
        self._patience = patience
        self._folder = tempfile.TemporaryDirectory(prefix="comphy-blender-", ignore_cleanup_errors=True)
        self._log = Path(self._folder.name, "blender.log")
        self._replies: queue.Queue[str | None] = queue.Queue()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, str(WORKER), "--", self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C must not reach it, and kill() must reach children of a launcher script
            )
        threading.Thread(target=self._collect_replies, daemon=True).start()
        hello = self._expect("hello")
        self.pid: int = hello["pid"]
        self._check_version(tuple(hello["version"]))

    def _check_version(self, version: tuple[int, ...]) -> None:
        if not OLDEST <= version[:2] <= NEWEST:
            self.kill()
            found = ".".join(map(str, version))
            raise MissingDependency(f"Blender {found} ({self._command[0]}) is not supported. {INSTALL_HELP}")

    def _collect_replies(self) -> None:
        """Queue the worker's replies; None marks the end of its output."""
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                if line.startswith(PREFIX):
                    self._replies.put(line[len(PREFIX) :])
        self._replies.put(None)

    def _expect(self, event: str) -> dict[str, Any]:
        """Wait for the next reply. Raises `RenderError` unless it arrives in time and is `event`."""
        try:
            line = self._replies.get(timeout=self._patience)
        except queue.Empty:
            raise self._failure(f"Blender gave no sign of life for {self._patience:g} s and was ended.") from None
        except BaseException:
            self.kill()
            raise
        if line is None:
            raise self._failure(f"Blender stopped unexpectedly (exit status {self._process.wait()}).")
        reply: dict[str, Any] = json.loads(line)
        if reply["event"] != event:
            raise self._failure(f"Blender failed: {reply.get('message', reply)}")
        return reply

    def _failure(self, message: str) -> RenderError:
        """Kill the worker; returns an error with the reason and the end of its log."""
        log = self._log.read_text(errors="replace")[-LOG_TAIL:]
        self.kill()
        return RenderError(f"{message}\nCommand: {' '.join(self._command)}\nEnd of Blender's log:\n{log}")

    def render(self, job: dict[str, Any], camera: Camera) -> Frames:
        """Render all frames of one video [frames, height, width, 3]. Raises `RenderError` if any is missing."""
        folder = Path(tempfile.mkdtemp(dir=self._folder.name))
        try:
            scene = folder / "scene.json"
            scene.write_text(json.dumps({**job, "folder": str(folder)}))
            self._send(f"{scene}\n")
            for _ in job["poses"]:
                self._expect("frame")
            self._expect("done")
            self.videos += 1
            return self._read(folder, len(job["poses"]), camera)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise self._failure(f"Blender stopped between two videos (exit status {self._process.wait()}).") from None

    def _read(self, folder: Path, count: int, camera: Camera) -> Frames:
        frames = np.empty((count, camera.height, camera.width, 3), np.uint8)
        for i, frame in enumerate(frames):
            path = folder / f"{i:05d}.png"
            try:
                with Image.open(path) as image:
                    pixels = np.asarray(image)
            except OSError as error:
                raise self._failure(f"Blender left no readable frame {i}: {error}.") from error
            if pixels.shape != frame.shape:
                raise self._failure(f"Expected frames of shape {frame.shape} (got {pixels.shape}).")
            frame[:] = pixels
        return frames

    def end(self) -> None:
        """Stop an idle worker. The empty line stops it even if a forked child process keeps its stdin open."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError, subprocess.TimeoutExpired):
            self._process.stdin.write("\n")
            self._process.stdin.close()
            self._process.wait(timeout=10)
        self.kill()

    def kill(self) -> None:
        """Kill the process at once and remove its folder; idempotent."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._folder.cleanup()


class BlenderRenderer:
    """Renders clips with Cycles. One Blender runs at a time; it is started on demand and restarted every
    `recycle_every` videos."""

    name = "blender"

    def __init__(self, settings: BlenderSettings | None = None) -> None:
        self.settings = settings or BlenderSettings()
        self._command = find_blender(self.settings.executable)
        self._process: BlenderProcess | None = None

    @property
    def pid(self) -> int | None:
        """The id of the running Blender process; None if there is none."""
        return self._process.pid if self._process else None

    def render(self, clips: Sequence[Clip], camera: Camera) -> Iterator[Frames]:
        """Yield frames [frames, height, width, 3] for each clip, in order."""
        for clip in clips:
            yield self._draw(clip, camera)

    def _draw(self, clip: Clip, camera: Camera) -> Frames:
        if self._process and self._process.videos >= self.settings.recycle_every:
            self.close()  # Blender's memory use grows with every scene
        if self._process is None:
            self._process = BlenderProcess(self._command, self.settings.patience)
        process, self._process = self._process, None
        frames = process.render(_job(clip, camera, self.settings), camera)
        self._process = process  # reused only after a success
        return frames

    def close(self) -> None:
        if self._process:
            self._process.end()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _job(clip: Clip, camera: Camera, settings: BlenderSettings) -> dict[str, Any]:
    """The content of the scene file, the only input of the worker."""
    right, down, forward = (axis.tolist() for axis in camera.axes())
    return {
        "camera": {**asdict(camera), "right": right, "down": down, "forward": forward},
        "look": _look(),
        "objects": [_object(spec) for spec in clip.objects],
        "radius": OBJECT_RADIUS,
        "poses": _poses(clip),
        "samples": settings.samples,
        "threads": settings.threads,
        "device": settings.device,
    }


def _look() -> dict[str, Any]:
    return {
        "lights": [asdict(light) for light in look.LIGHTS],
        "sun": {"direction": look.SUN_DIRECTION, "strength": look.SUN_STRENGTH, "angle": look.SUN_ANGLE},
        "world": look.WORLD_RADIANCE,
        "ground": look.GROUND_ALBEDO,
    }


def _object(spec: ObjectSpec) -> dict[str, Any]:
    finish = look.FINISHES[spec.material]
    return {
        "shape": spec.shape,
        "rgb": finish.mirrored([_linear(level) for level in RGB[spec.color]]),
        "finish": asdict(finish),
    }


def _linear(level: int) -> float:
    """An 8-bit sRGB level as linear light, IEC 61966-2-1."""
    value = level / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _poses(clip: Clip) -> list[Any]:
    """Per frame and object: x, y, z and the quaternion in Blender's order w, x, y, z."""
    return np.concatenate([clip.positions, np.roll(clip.orientations, 1, axis=-1)], axis=-1).tolist()

"""Crafted packs: archives whose index, compressed blobs or headers claim what is not so."""

import json
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.dataset.packs.boxes import decode_boxes
from comphy.dataset.packs.codec import PackedVideo
from comphy.dataset.packs.rollouts import Pack
from comphy.errors import ComphyError
from comphy.toolkit.torture.trial_result import TrialResult

_MAGIC: Final = b"COMPHYPACK1\n"
_HOSTILE: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 1, 2**31, 2**63, 10**400, -(2**70), 0.5, float("nan"), float("inf"), "", "x", "\ud800", [], [[]],
    [0], [0, 0, 0], {}, {"a": 1}, [None, None],
)  # fmt: skip


class Packs:
    """A pack must be refused with an error that names it, or decode to arrays that fit each other."""

    name = "packs"

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "crafted.pack"

    def trial(self, rng: np.random.Generator) -> TrialResult:
        blob, what = _blob(rng)
        index, lie = _index(rng, len(blob))
        head = index.encode(errors="surrogatepass")
        size = len(head) if rng.random() < 0.9 else (0, 1, len(head) // 2, 2**40, 2**64 - 1)[rng.integers(5)]
        self._path.write_bytes(_MAGIC + size.to_bytes(8, "little") + head + blob)
        tried = f"{what}; {lie}; an index of {size} bytes (it has {len(head)})"
        try:
            pack = Pack(self._path)
            videos = [pack.video(name) for name in pack]
            pack.sets()
            if rng.random() < 0.2:
                for name in pack:
                    decode_boxes(pack[name], f"{pack.path}: {name}")
        except ComphyError as error:
            named = str(self._path) in str(error)
            return TrialResult("refused", tried, different=not named, told=str(error)[:300])
        except Exception as error:
            return TrialResult("traceback", tried, traceback=True, told=repr(error)[:300])
        wrong = [found for video in videos for found in misfits(video)]
        return TrialResult("nonsense" if wrong else "read", tried, different=bool(wrong), told="; ".join(wrong))


def misfits(video: PackedVideo) -> list[str]:
    """What does not fit together in a decoded video."""
    rollout, count = video.rollout, len(video.objects)
    frames = len(rollout)
    found = []
    for name in ("positions", "orientations", "velocities"):
        values = getattr(rollout, name)
        if values.shape[:2] != (frames, count) or not np.isfinite(values).all():
            found.append(f"{name} {values.shape}")
    if type(video.visible_frames) is not int or not 0 <= video.visible_frames <= frames:
        found.append(f"{video.visible_frames!r:.40} visible of {frames} frames")
    if len(video.object_ids) != count or not all(type(number) is int for number in video.object_ids):
        found.append(f"object ids {video.object_ids!r:.60}")
    if not all(np.isfinite(spec.mass) and spec.mass > 0 and spec.charge in (-1, 0, 1) for spec in video.objects):
        found.append(f"objects {video.objects!r:.80}")
    for collision in rollout.collisions:
        steps = (collision.step, collision.last_step)
        numbers = (*steps, *collision.pair, collision.impulse, *collision.location)
        if not all(type(number) in (int, float) and np.isfinite(number) for number in numbers):
            found.append(f"collision {collision!r:.80}")
        elif not all(type(one) is int and 0 <= one < count for one in collision.pair):
            found.append(f"collision of {collision.pair!r:.40} among {count} objects")
    return found


def header() -> dict[str, Any]:
    """Of a whole video of five frames."""
    return {
        "objects": [["red", "cube", "metal", 1.0, 0], ["blue", "sphere", "rubber", 5.0, 1]],
        "ids": [0, 1],
        "visible": 4,
        "frames": 5,
        "collisions": [[3, 4, 0, 1, 0.5, 0.0, 0.1, 0.2]],
    }


def _blob(rng: np.random.Generator) -> tuple[bytes, str]:
    """A compressed video with a lie in its header or its length."""
    told, what = header(), "a whole video"
    if rng.random() < 0.8:
        key = str(rng.choice(sorted(told)))
        value = _HOSTILE[rng.integers(len(_HOSTILE))]
        what = f"{key} with {value!r:.40}"
        place: Any = told
        while isinstance(place[key], list) and place[key] and rng.random() < 0.7:
            place, key = place[key], int(rng.integers(len(place[key])))  # type: ignore[assignment]
        place[key] = value
    text = json.dumps(told).encode()
    count = 5 * 2 * 3 + 5 * 4 + 5 * 2 * 3
    if rng.random() < 0.2:
        count = int(rng.integers(0, 200))
        what += f", {count} numbers"
    numbers = rng.integers(-(2**31), 2**31, count) if rng.random() < 0.3 else rng.integers(-3, 4, count)
    body = numbers.astype("<i4").view(np.uint8).reshape(-1, 4).T.tobytes()
    length = len(text) if rng.random() < 0.9 else int(rng.integers(0, 2**32))
    blob = zlib.compress(length.to_bytes(4, "little") + text + body)
    match rng.integers(10):
        case 0:
            return blob[: rng.integers(len(blob))], f"{what}, cut off"
        case 1:
            spot = rng.integers(len(blob))
            return blob[:spot] + bytes([rng.integers(256)]) + blob[spot + 1 :], f"{what}, a byte changed"
        case 2:
            return blob + blob, f"{what}, twice"
        case _:
            return blob, what


def _index(rng: np.random.Generator, size: int) -> tuple[str, str]:
    places: dict[str, Any] = {"00000/target": [0, size]}
    match rng.integers(8):
        case 0:
            places["00000/target"] = _HOSTILE[rng.integers(len(_HOSTILE))]
        case 1:
            places["00000/target"][rng.integers(2)] = _HOSTILE[rng.integers(len(_HOSTILE))]
        case 2:
            places[str(rng.choice(("", "x", "../../etc", "00001", "-1/target", "00000/target/")))] = [0, size]
        case 3:
            return '{"a":' * int(rng.integers(1, 100_000)), "an index that is nested"
        case 4:
            return json.dumps(list(places.values())), "an index without names"
    return json.dumps(places), f"index {json.dumps(places)[:80]}"

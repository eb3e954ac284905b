"""Which frames of a dataset are looked at: drawn at random, the same ones for the same random numbers."""

from collections.abc import Callable, Sequence

import numpy as np

from comphy.dataset.frames import FrameKey
from comphy.dataset.sources.source import STANDARD, VideoLengths


def random_keys(
    sets: Sequence[int],
    count: int,
    rng: np.random.Generator,
    per_video: int = 1,
    lengths: VideoLengths = STANDARD,
) -> list[FrameKey]:
    """Frames drawn at random, `per_video` of each video; a target is drawn as often as its share of a set's frames."""
    return _frames_of(_random_videos(sets, -(-count // per_video), rng, lengths), count, rng, per_video, lengths)


def reused_keys(
    sets: Sequence[int],
    count: int,
    draws: Callable[[int], np.random.Generator],
    step: int,
    reuse: int,
    per_video: int = 1,
    lengths: VideoLengths = STANDARD,
) -> list[FrameKey]:
    """The frames of a step of training in which every video stays for `reuse` steps, so that only a few have to be decoded
    anew for each. `draws` gives the random numbers of a step: a resumed training draws the same."""
    wanted = -(-count // per_video)
    fresh = -(-wanted // reuse)
    videos: list[tuple[int, str]] = []
    for earlier in range(reuse):  # this step's own come first
        videos += _random_videos(sets, fresh, draws(step + reuse - earlier), lengths)
    return _frames_of(videos[:wanted], count, draws(step), per_video, lengths)


def _random_videos(
    sets: Sequence[int], count: int, rng: np.random.Generator, lengths: VideoLengths
) -> list[tuple[int, str]]:
    names = lengths.videos
    shares = np.array([lengths.of(video) for video in names], float)
    videos = rng.choice(len(names), size=count, p=shares / shares.sum())
    indices = rng.choice(np.asarray(sets), size=count)
    return [(int(index), names[video]) for index, video in zip(indices, videos, strict=True)]


def _frames_of(
    videos: Sequence[tuple[int, str]], count: int, rng: np.random.Generator, per_video: int, lengths: VideoLengths
) -> list[FrameKey]:
    keys = [
        FrameKey(index, video, int(frame))
        for index, video in videos
        for frame in rng.integers(lengths.of(video), size=per_video)
    ]
    return keys[:count]

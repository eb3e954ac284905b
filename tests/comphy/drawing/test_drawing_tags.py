"""Tags stand beside their objects and beside each other."""

import numpy as np
from PIL import Image

from comphy.drawing.overlay import Overlay
from comphy.drawing.tags import Tag, place_tags

PICTURE = (200, 120)
SIZES = np.array([[60.0, 15.0], [60.0, 15.0]])


def boxes(*middles: tuple[float, float]) -> np.ndarray:
    return np.array([[(x - 10, y - 10, x + 10, y + 10) for x, y in middles]])


def overlap(first: np.ndarray, second: np.ndarray, size: np.ndarray) -> bool:
    return bool((np.abs(first - second) < size - 1e-6).all())


def test_a_tag_stands_above_its_object():
    places = place_tags(boxes((100, 60)), np.array([[True]]), SIZES[:1], PICTURE)
    np.testing.assert_allclose(places[0, 0], (100, 60 - 10 - 3 - 7.5))


def test_at_the_border_it_stays_in_the_picture():
    for x, y in ((2, 2), (198, 118), (100, 5)):
        (((u, v),),) = place_tags(boxes((x, y)), np.array([[True]]), SIZES[:1], PICTURE)
        assert 32 <= u <= 168 and 9.5 <= v <= 110.5


def test_two_near_each_other_do_not_overlap():
    for dx, dy in ((0, 0), (15, 0), (0, 22), (-20, 8)):
        both = place_tags(boxes((100, 60), (100 + dx, 60 + dy)), np.array([[True, True]]), SIZES, PICTURE)[0]
        assert not overlap(both[0], both[1], SIZES[0]), (dx, dy)


def test_tags_move_with_their_objects_and_never_leap():
    """One object passes another: its tag follows, by no more than it moves and a part of the way to another side."""
    x = np.linspace(20, 180, 60)
    passing = np.concatenate([boxes((here, 62), (100, 60)) for here in x])
    places = place_tags(passing, np.ones((60, 2), bool), SIZES, PICTURE)
    steps = np.abs(np.diff(places[:, 0], axis=0)).max()
    assert steps < 25
    assert (np.abs(places[:, 0] - np.stack([x, np.full(60, 62)], -1)).max(axis=0) < (60, 40)).all()
    apart = [not overlap(one, other, SIZES[0]) for one, other in places]
    assert np.mean(apart) > 0.9, "while they glide they may touch"


def test_who_is_not_there_takes_no_room():
    alone = place_tags(boxes((100, 60), (100, 40)), np.array([[True, False]]), SIZES, PICTURE)[0, 0]
    np.testing.assert_allclose(alone, (100, 39.5))


def test_a_tag_is_as_large_as_it_says():
    tag, image = Tag("red cube", (173, 35, 35)), Image.new("RGB", PICTURE, (90, 90, 90))
    overlay = Overlay(image.size)
    tag.draw_plate(overlay, (100, 60))
    overlay.merge(image)
    tag.draw_words(image, (100, 60))
    changed = np.argwhere((np.asarray(image) != 90).any(axis=-1))
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0) + 1
    width, height = tag.size
    assert abs(right - left - width) <= 2 and abs(bottom - top - height) <= 2
    assert (np.abs(np.asarray(image).astype(int) - (173, 35, 35)).sum(axis=-1) < 60).any(), "the dot has its colour"

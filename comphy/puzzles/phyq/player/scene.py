"""Levels and recordings as the page draws them: shapes about centres of mass, poses in metres, y up."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from comphy.puzzles.phyq.pictures.drawing import View
from comphy.puzzles.phyq.player.recording import STRIDE, FlyerTrack, Recording, Track
from comphy.puzzles.phyq.world.catalog import BLOCKS, EGG_SIZE, PIGS, TNT_SIDE, rectangle
from comphy.puzzles.phyq.world.constants import GROUND, Point
from comphy.puzzles.phyq.world.level import TNT, Block, Pig, Platform, Thing, corners
from comphy.puzzles.phyq.world.physics import solid, thing_body
from comphy.puzzles.player.player import Json

DIGITS: Final = 3
ASPECT: Final = 0.4  # height of a view by its width
LEFT: Final = -15.2
BOTTOM: Final = GROUND - 0.8
LEAST_RIGHT: Final = 8.0  # metres: about as far as birds fly
MARGIN: Final = 0.9


def shape_records() -> Json:
    """Outlines by the names of shapes, about the centre of mass. Platforms have sizes of their own."""
    outlines: dict[str, Sequence[Point]] = {name: kind.outline for name, kind in BLOCKS.items()}
    outlines |= {name: kind.outline for name, kind in PIGS.items()}
    outlines |= {"TNT": rectangle(TNT_SIDE, TNT_SIDE), "egg": rectangle(*EGG_SIZE)}
    return {name: _centred(tuple(outline)) for name, outline in outlines.items()}


def thing_record(thing: Thing) -> Json:
    x, y, _ = thing_body(thing).position
    place = {"x": round(x, DIGITS), "y": round(y, DIGITS), "angle": round(math.radians(thing.degrees), DIGITS + 1)}
    match thing:
        case Block(kind, material):
            return {"kind": "block", "shape": kind, "material": material.value, **place}
        case Pig(kind):
            return {"kind": "pig", "shape": kind, **place}
        case Platform():
            return {
                "kind": "platform",
                "width": round(thing.width, DIGITS),
                "height": round(thing.height, DIGITS),
                **place,
            }
        case TNT():
            return {"kind": "TNT", "shape": "TNT", **place}


def view_of(things: Sequence[Thing]) -> Json:
    """From behind the slingshot to the last thing and as high as the highest, all with one aspect."""
    xs, ys = zip(*(point for thing in things for point in corners(thing)), strict=True)
    width = max(max(xs) + MARGIN - LEFT, LEAST_RIGHT - LEFT, (max(ys) + MARGIN - BOTTOM) / ASPECT)
    return _view_record(View(LEFT, LEFT + width, BOTTOM, BOTTOM + ASPECT * width))


def thumbnail_view(things: Sequence[Thing]) -> Json:
    """Of the things alone."""
    xs, ys = zip(*(point for thing in things for point in corners(thing)), strict=True)
    width = max(6.0, max(xs) - min(xs) + MARGIN, (max(ys) + MARGIN / 2 - BOTTOM) / 0.6)
    middle = (min(xs) + max(xs)) / 2
    return _view_record(View(middle - width / 2, middle + width / 2, BOTTOM, BOTTOM + 0.6 * width))


def recording_record(found: Recording) -> Json:
    return {
        "status": found.status.value,
        "end": found.end,
        "steps": found.steps,
        "stride": STRIDE,
        "pigs_left": found.pigs_left,
        "points": found.points,
        "things": {number: _track(one) for number, one in found.things.items()},
        "flyers": [_flyer(one) for one in found.flyers if one.poses],
        "launches": found.launches,
        "ready": found.ready,
        "taps": found.taps,
        "deaths": found.deaths,
        "blasts": [[one.step, *np.round(one.place, DIGITS).tolist(), one.radius] for one in found.blasts],
    }


def _track(track: Track) -> Json:
    poses = np.round(track.unwrapped(), DIGITS).tolist()
    return {"start": track.start, "gone": track.gone, "poses": poses}


def _flyer(track: FlyerTrack) -> Json:
    facts = {"bird": track.bird.value, "egg": track.egg, "shot": track.shot, "touched": track.touched}
    return {**facts, **_track(track)}


def _centred(outline: tuple[Point, ...]) -> list[list[float]]:
    found: list[list[float]] = np.round(np.subtract(outline, solid(outline)[1]), DIGITS).tolist()
    return found


def _view_record(view: View) -> Json:
    return {name: round(getattr(view, name), DIGITS) for name in ("left", "right", "bottom", "top")}

"""What agents see of Phy-Q: the published screen, its noise, and the published JSON."""

import itertools
import json
import math
from collections.abc import Iterator

import numpy as np
import pytest

from comphy.errors import DatasetError
from comphy.puzzles.phyq.benchmark.observing.color_map import (
    ColorMap,
    bird_colors,
    color_code,
    egg_colors,
    sling_colors,
    thing_colors,
)
from comphy.puzzles.phyq.benchmark.observing.observations import (
    MAX_OBJECTS,
    make_observation,
    seen_symbolically,
    symbolic_arrays,
)
from comphy.puzzles.phyq.benchmark.observing.observed_game import ObservedGame
from comphy.puzzles.phyq.benchmark.observing.scene import Kind, noisy_scene, scene_of, to_pixel
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState, from_json, symbolic_state, to_json
from comphy.puzzles.phyq.pictures.drawing import SLING, thing_shapes
from comphy.puzzles.phyq.templates.published import load_templates
from comphy.puzzles.phyq.world.catalog import BIRDS, BLOCKS, PIGS, Bird, Material
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import TNT, Block, Level, Pig, Platform

pytestmark = pytest.mark.bullet

LEVEL = Level(
    (Bird.WHITE, Bird.RED),
    (
        Pig("BasicBig", 0.0, -3.0),
        Block("SquareHole", Material.ICE, 3.0, -3.1),
        Platform(5.0, 0.0, 2.0, 0.5),
        TNT(8, -3),
    ),
)


@pytest.fixture(scope="module")
def game() -> Iterator[ObservedGame]:
    with ObservedGame(LEVEL) as made:
        yield made


def test_the_screen_is_the_published_one() -> None:
    """640 x 480 pixels, 35 m wide, the middle at (0, -1)."""
    assert to_pixel((-17.5, -1.0)) == pytest.approx((0.0, 240.0))
    assert to_pixel((17.5, -3.5)) == pytest.approx((640.0, 240.0 + 2.5 * 640 / 35))


def test_objects_are_where_they_are_drawn(game: ObservedGame) -> None:
    game.restart()
    scene = scene_of(game)
    kinds = [Kind.SLINGSHOT, Kind.PIG, Kind.ICE, Kind.PLATFORM, Kind.TNT, Kind.WHITE, Kind.RED]
    assert [one.kind for one in scene] == kinds
    assert sorted(scene[3].pixels) == [(393, 217), (393, 226), (430, 217), (430, 226)]
    picture, planes = (make_observation(name, False).of(game, None) for name in ("image", "planes"))
    assert planes.any(axis=(1, 2)).nonzero()[0].tolist() == sorted(kinds)
    for one in scene:
        x, y = np.mean(one.pixels, axis=0).round().astype(int).tolist()
        assert planes[one.kind, y // 4, x // 4]
        assert tuple(picture[y, x].tolist()) in {color for _, color in one.shapes}


def test_noise_moves_whole_objects_a_little_but_not_birds_and_slingshot(game: ObservedGame) -> None:
    game.restart()
    exact = seen_symbolically(game)
    moved, off = set(), []
    for seed in range(60):
        seen = seen_symbolically(game, np.random.default_rng(seed))
        assert seen.ground == exact.ground
        for number, (one, true) in enumerate(zip(seen.objects, exact.objects, strict=True)):
            [shift] = {(x - u, y - v) for (x, y), (u, v) in zip(one.vertices, true.vertices, strict=True)}
            shares = [one.colors[code] - true.colors[code] for code in true.colors]
            if 1 <= number <= 4:
                moved.add(shift)
                off += shares
            else:
                assert shift == (0, 0) and not any(shares)
    assert max(math.hypot(x, y) for x, y in moved) == 2.0 and len(moved) == 13
    assert 0.015 < max(map(abs, off)) <= 0.02


def test_all_that_is_seen_has_the_same_noise(game: ObservedGame) -> None:
    game.restart()
    boxes = [make_observation("planes", True).of(game, np.random.default_rng(seed)) for seed in (5, 5, 6)]
    assert (boxes[0] == boxes[1]).all()
    scene = noisy_scene(scene_of(game), np.random.default_rng(5))
    seen = seen_symbolically(game, np.random.default_rng(5))
    assert [one.vertices for one in symbolic_state(scene).objects] == [one.vertices for one in seen.objects]


def test_the_published_json_is_read_and_written(game: ObservedGame) -> None:
    game.restart()
    state = seen_symbolically(game, np.random.default_rng(0))
    text = to_json(state)
    assert from_json(text) == state
    [collection] = json.loads(text)
    ground, sling, pig, *_ = collection["features"]
    assert ground["properties"] == {"id": 0, "label": "Ground", "yindex": 286} and not ground["geometry"]
    assert (sling["properties"]["label"], pig["properties"]["label"]) == ("Slingshot", "Object")
    collection["features"].append(
        {"type": "Feature", "geometry": {"type": "MultiPoint"}, "properties": {"label": "Trajectory"}}
    )
    assert from_json(json.dumps([collection])) == state
    for broken in ("", "[]", text[:-9], text.replace('"yindex"', '"y"'), text.replace('"color": ', '"color": 9')):
        with pytest.raises(DatasetError, match="Expected a symbolic state"):
            from_json(broken)


def test_kinds_and_materials_can_be_told_apart_by_their_colours() -> None:
    maps: dict[str, ColorMap] = {
        **{str(bird): bird_colors(bird) for bird in BIRDS},
        **{str(material): thing_colors(Block("RectFat", material, 0.0, 0.0)) for material in Material},
        "pig": thing_colors(Pig("BasicBig", 0.0, 0.0)),
        "platform": thing_colors(Platform(0.0, 0.0, 1.0, 1.0)),
        "TNT": thing_colors(TNT(0.0, 0.0)),
        "egg": egg_colors(),
        "slingshot": sling_colors(),
    }
    for one, other in itertools.combinations(maps, 2):
        shares = dict(maps[one]), dict(maps[other])
        apart = sum(abs(shares[0].get(code, 0.0) - shares[1].get(code, 0.0)) for code in shares[0] | shares[1])
        assert apart > 0.3, (one, other)
    assert all(math.isclose(sum(share for _, share in colors), 1.0) for colors in maps.values())


def test_a_colour_map_has_the_colours_that_a_thing_is_painted_in() -> None:
    assert sling_colors() == ((color_code(SLING), 1.0),)
    things = (Block("SquareHole", Material.ICE, 0.0, 0.0), Pig("BasicBig", 0.0, 0.0), TNT(0.0, 0.0))
    for thing in things:
        painted = [color_code(color) for _, color in thing_shapes(thing)]
        assert {code for code, _ in thing_colors(thing)} <= set(painted)
        assert painted[-1] in dict(thing_colors(thing)), "nothing is painted over the last shape"


def test_colours_do_not_say_how_a_thing_is_turned() -> None:
    for kind, turn in itertools.product((*BLOCKS, *PIGS), (0.0, 30.0)):
        thing = Pig(kind, 1.0, 2.0, turn) if kind in PIGS else Block(kind, Material.WOOD, 1.0, 2.0, turn)
        assert thing_colors(thing) == thing_colors(
            Pig(kind, 0, 0) if kind in PIGS else Block(kind, Material.WOOD, 0, 0)
        )


def test_a_game_is_seen_while_things_move(game: ObservedGame) -> None:
    game.restart()
    game.shoot(Shot.at(45.0, tap=0.6, watch=0.8))
    kinds = [one.kind for one in scene_of(game)]
    assert kinds.count(Kind.WHITE) == 2, "a bird and its egg"
    truth = make_observation("truth", False).of(game, None)
    flying = truth[(truth[:, 0] == 1) & (truth[:, 1] == Kind.WHITE)]
    assert len(flying) == 2 and (np.abs(flying[:, 6]) > 1.0).all(), "they have a velocity"
    [pig] = truth[(truth[:, 0] == 1) & (truth[:, 1] == Kind.PIG)]
    assert pig[-1] == PIGS["BasicBig"].life
    game.restart()


def test_all_templates_fit() -> None:
    for template in load_templates().values():
        birds = 3 * len(template.level.birds)
        assert len(template.level.things) + 3 + 1 + birds <= MAX_OBJECTS, template.id
    space = make_observation("symbolic", False).space
    largest = max(load_templates().values(), key=lambda one: len(one.level.things))
    with ObservedGame(largest.level) as made:
        assert space.contains(symbolic_arrays(seen_symbolically(made)))
    assert space.contains(symbolic_arrays(SymbolicState((), 286)))

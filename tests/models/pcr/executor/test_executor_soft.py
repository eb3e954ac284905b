"""Soft logic against sums over all the worlds that the chances allow."""

from collections.abc import Callable
from itertools import product

import pytest
import torch
from torch import Tensor

from comphy.programs.program import parse
from models.pcr.executor.soft_logic import any_of, counted, log_odds, normalised, only
from models.pcr.executor.trace import trace
from tests.comphy.programs.test_executor import SCENE
from tests.support.soft_scenes import random_scene

World = tuple[bool, ...]


def expected(chances: list[float], value: Callable[[World], list[float] | None]) -> Tensor:
    """The mean of a value over all worlds of independent chances; worlds without a value are left out."""
    total, weight = torch.zeros(()), 0.0
    for world in product((False, True), repeat=len(chances)):
        found = value(world)
        if found is not None:
            likely = torch.tensor([m if so else 1 - m for m, so in zip(chances, world, strict=True)]).prod()
            total, weight = total + likely * torch.tensor(found), weight + float(likely)
    return total / weight


def one_hot(place: int, size: int) -> list[float]:
    return [float(i == place) for i in range(size)]


CHANCES = [0.9, 0.2, 0.5, 0.35, 0.7, 0.05]


def test_how_many():
    most = 4
    wanted = expected(CHANCES, lambda world: one_hot(min(sum(world), most), most + 1))
    torch.testing.assert_close(counted(torch.tensor([CHANCES]), most)[0], wanted)


def test_any():
    wanted = expected(CHANCES, lambda world: [float(any(world))])
    torch.testing.assert_close(any_of(torch.tensor([CHANCES])), wanted, atol=1e-5, rtol=0)


def test_the_only_one():
    wanted = expected(CHANCES, lambda world: one_hot(world.index(True), 6) if sum(world) == 1 else None)
    torch.testing.assert_close(only(log_odds(torch.tensor(CHANCES))), wanted, atol=1e-5, rtol=0)


def test_what_fits_nothing_or_much_is_spread_evenly():
    for flags in ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]):
        torch.testing.assert_close(only(log_odds(torch.tensor(flags))), torch.full((3,), 1 / 3))
    both = only(log_odds(torch.tensor([1.0, 0.0, 1.0])))
    torch.testing.assert_close(both, torch.tensor([0.5, 0.0, 0.5]), atol=1e-5, rtol=0)
    nothing = normalised(torch.zeros(2, 3), torch.tensor([1.0, 1.0, 0.0]))
    torch.testing.assert_close(nothing, torch.tensor([[0.5, 0.5, 0.0]] * 2))


def test_the_only_pair():
    """Two objects of a set of five, given that there are exactly two."""
    scene = random_scene([SCENE]).scene
    chances = scene.heavy[0].tolist()
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]

    def pair(world: World) -> list[float] | None:
        found = tuple(i for i, so in enumerate(world) if so)
        return one_hot(pairs.index(found), 10) if len(found) == 2 else None

    steps = trace(parse(["objects", "filter_heavy", "unique", "query_both_color"]), scene, 0)
    torch.testing.assert_close(steps[-2].value.detach(), expected(chances, pair), atol=1e-4, rtol=0)


@pytest.mark.parametrize("order, place", [("first", 0), ("second", 1), ("last", -1)])
def test_the_first_second_and_last_in_time(order: str, place: int):
    scene = random_scene([SCENE], seed=1).scene
    steps = trace(parse(f"events objects filter_collision {order} filter_order".split()), scene, 0)
    assert steps[-2].events is not None
    slots = steps[-2].value.nonzero().flatten().tolist()
    times = steps[-2].events.time[0].tolist()

    def chosen(world: World) -> list[float] | None:
        happen = sorted((slot for slot, so in zip(slots, world, strict=True) if so), key=lambda slot: times[slot])
        return one_hot(happen[place], len(times)) if len(happen) > (place if place > 0 else 0) else None

    wanted = expected(steps[-2].value[slots].tolist(), chosen)
    torch.testing.assert_close(steps[-1].value.detach(), wanted, atol=1e-4, rtol=0)


def test_both_orders_of_a_pair_of_words_count():
    scene = random_scene([SCENE], seed=2).scene
    *_, pair, words = trace(parse(["objects", "filter_heavy", "unique", "query_both_material"]), scene, 0)
    rubber, metal = scene.material[0].T
    places = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    mixed = sum(p * (rubber[i] * metal[j] + metal[i] * rubber[j]) for p, (i, j) in zip(pair.value, places, strict=True))
    same = sum(p * metal[i] * metal[j] for p, (i, j) in zip(pair.value, places, strict=True))
    torch.testing.assert_close(words.value[1], mixed)  # metal and metal, metal and rubber, rubber and rubber
    torch.testing.assert_close(words.value[0], same)
    torch.testing.assert_close(words.value.sum(), torch.ones(()))

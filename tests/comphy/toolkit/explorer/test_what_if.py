"""Other worlds by sliders: the counterfactual runs of a dataset come out again, and changes that make no sense do not."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.errors import ConfigError
from comphy.toolkit.explorer.worlds.what_if import read_changes, simulate_changed
from tests.support.site import request, serving

pytestmark = pytest.mark.bullet


def pairs(collisions: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    return [tuple(one["objects"]) for one in collisions if one["frame"] < 120]


def test_the_runs_of_the_dataset_come_out_again(small_dataset: Path) -> None:
    for index in range(3):
        extras = json.loads((small_dataset / layout.extras(index)).read_text())
        for key, events in extras["counterfactuals"].items():
            hidden, number, value = key.split("_")
            told = simulate_changed(small_dataset, index, {int(number): {hidden: float(value)}})
            assert pairs(told["collisions"]) == pairs(events), key


def test_an_object_begins_where_it_is_put(small_dataset: Path) -> None:
    told = simulate_changed(small_dataset, 1, {0: {"start": (-3.0, 3.0)}})
    assert told["positions"][0][0][:2] == [-3.0, 3.0]
    as_recorded = simulate_changed(small_dataset, 1, {})
    assert math.dist(as_recorded["positions"][0][0], told["positions"][0][0]) > 0.5
    assert np.array(told["positions"]).shape == np.array(as_recorded["positions"]).shape


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"0": {"mass": 0}}, "mass from 0.2 to 10"),
        ({"0": {"mass": True}}, "mass from 0.2 to 10"),
        ({"0": {"charge": 0.5}}, "whole charge"),
        ({"0": {"start": [1]}}, "x and y"),
        ({"0": {"start": [1, 99]}}, "start from -8 to 8"),
        ({"0": {"color": "red"}}, "mass, charge or start"),
        ({"zero": {}}, "mass, charge or start"),
    ],
)
def test_changes_that_make_no_sense_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_changes({"changes": changes})


def test_objects_do_not_begin_inside_each_other(small_dataset: Path) -> None:
    place = simulate_changed(small_dataset, 1, {})["positions"][0][1]
    with pytest.raises(ConfigError, match="would begin inside each other"):
        simulate_changed(small_dataset, 1, {0: {"start": (place[0] + 0.1, place[1])}})
    with pytest.raises(ConfigError, match="number of an object"):
        simulate_changed(small_dataset, 1, {9: {"mass": 2.0}})


def test_the_server_simulates_in_a_process_of_its_own(small_dataset: Path) -> None:
    body = json.dumps({"changes": {"0": {"mass": 5}}}).encode()
    with serving(small_dataset) as site:
        answer = request(site, "/api/sources/0/sets/1/what-if", "POST", body)
        assert answer.status == 200
        assert answer.json["objects"][0]["mass"] == 5.0
        assert request(site, "/api/sources/0/sets/77/what-if", "POST", body).status == 404
        assert request(site, "/api/sources/0/sets/1/what-if", "POST", b'{"changes": {"0": {"mass": 99}}}').status == 400

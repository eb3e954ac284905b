"""Changed worlds by a dynamics predictor: with the simulator's own laws it moves them as Bullet does."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from comphy.errors import ConfigError
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.server import Server
from comphy.toolkit.explorer.worlds.learned import learned_future
from comphy.toolkit.explorer.worlds.what_if import simulate_changed
from models.pcr.dynamics.paper_predictor import PaperDynamics
from models.pcr.evaluation.true_laws import true_laws
from models.pcr.reasoner.checkpoint import MODEL
from models.train.checkpoint import load_tensors, save_tensors
from tests.support.site import request

pytestmark = pytest.mark.bullet

WIDTH = 0.4  # of an object


@cache
def as_it_was(data: Path, index: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """An unchanged world by Bullet and by the true laws."""
    return simulate_changed(data, index, {}), learned_future(true_laws(5), data, index, {})


def places(told: dict[str, Any]) -> Any:
    return np.array(told["positions"])[..., :2]


def until_second_collision(told: dict[str, Any]) -> int:
    """Errors grow with every collision; after the first one, masses and charges have had their say."""
    frames = [one["frame"] for one in told["collisions"]]
    return int(frames[1]) if len(frames) > 1 else len(told["positions"])


@pytest.mark.slow
@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("changes", [{}, {0: {"mass": 8.0}}, {0: {"charge": 1}, 1: {"charge": -2}}])
def test_true_laws_move_a_changed_world_as_bullet_does(small_dataset: Path, index: int, changes: Any) -> None:
    if changes:
        bullet = simulate_changed(small_dataset, index, changes)
        learned = learned_future(true_laws(5), small_dataset, index, changes)
    else:
        bullet, learned = as_it_was(small_dataset, index)
    assert places(learned).shape == places(bullet).shape
    assert np.abs(places(learned)[0] - places(bullet)[0]).max() < 1e-3
    end = until_second_collision(bullet)
    assert np.linalg.norm(places(learned)[:end] - places(bullet)[:end], axis=-1).max() < WIDTH / 2


@pytest.mark.slow
def test_collisions_are_told_as_bullets(small_dataset: Path) -> None:
    for index in range(4):
        bullet, learned = (told["collisions"] for told in as_it_was(small_dataset, index))
        if bullet:
            assert learned[0]["objects"] == bullet[0]["objects"]
            assert abs(learned[0]["frame"] - bullet[0]["frame"]) <= 1
            assert np.linalg.norm(np.subtract(learned[0]["at"], bullet[0]["at"])[:2]) < WIDTH / 2


def test_a_predictor_with_a_longer_memory_begins_with_more_of_bullets_frames(small_dataset: Path) -> None:
    torch.manual_seed(0)
    bullet, learned = simulate_changed(small_dataset, 1, {}), learned_future(PaperDynamics(5), small_dataset, 1, {})
    assert places(learned).shape == places(bullet).shape
    assert np.allclose(places(learned)[[0, 5, 10]], places(bullet)[[0, 5, 10]], atol=2e-3)


def test_more_objects_than_there_is_room_for_are_refused(small_dataset: Path) -> None:
    with pytest.raises(ConfigError, match="room for 2"):
        learned_future(true_laws(2), small_dataset, 1, {})


@pytest.mark.slow
def test_the_server_asks_the_model_that_is_named(small_dataset: Path, untrained: Path) -> None:
    path = "/api/sources/0/sets/1/what-if"
    with Server(build_app(Library([small_dataset]), None, [untrained])) as site:
        asked = json.dumps({"changes": {"0": {"mass": 5}}, "by": "untrained"}).encode()
        told = request(site, path, "POST", asked)
        assert (told.status, told.json["by"], len(told.json["positions"])) == (200, "untrained", 175)
        refused = request(site, path, "POST", b'{"changes": {}, "by": "the simulator alone"}')
        assert (refused.status, "such as untrained" in refused.json["error"]) == (400, True)
        assert request(site, path, "POST", b'{"changes": {"9": {"mass": 5}}, "by": "untrained"}').status == 400


@pytest.mark.slow
def test_a_run_of_another_vocabulary_is_told(small_dataset: Path, untrained: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange"
    weights, facts = load_tensors(untrained / MODEL)
    strange.mkdir()
    save_tensors(strange / MODEL, weights, facts | {"vocabulary": facts["vocabulary"] | {"words": ["flurb"]}})
    with Server(build_app(Library([small_dataset]), None, [strange])) as site:
        told = request(site, "/api/sources/0/sets/1/what-if", "POST", b'{"changes": {}, "by": "strange"}')
        assert (told.status, "trained with another vocabulary" in told.json["error"]) == (400, True)
        assert request(site, "/api/sources/0/sets/1/what-if", "POST", b'{"changes": {}}').status == 200

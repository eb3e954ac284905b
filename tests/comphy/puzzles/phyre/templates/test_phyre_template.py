"""Templates: the registry, the order of candidates, and tasks that are built again from their parameters."""

import json
from itertools import islice

import pytest

from comphy.errors import ConfigError
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import (
    Rule,
    all_templates,
    candidates,
    find_template,
    rebuilt,
    spaced,
    template,
    templates_of,
)
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template("99999", BALL, {"x": (0.2, 0.5, 0.8), "other_x": (0.2, 0.5, 0.8), "apart": (True, False)}, Rule.SOLVABLE)
def two_balls_in_the_air(x: float, other_x: float, apart: bool) -> Scene | None:
    """Two balls
    fall."""
    if apart and x > other_x:
        return None
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=x, centre_y=0.5)
    scene.goal(first, scene.moving(ball(0.1), centre_x=other_x, centre_y=0.5))
    return scene.build()


def test_a_function_becomes_a_template() -> None:
    made = two_balls_in_the_air
    assert (made.id, made.tier, made.name) == ("99999", BALL, "two balls in the air")
    assert made.description == "Two balls fall."
    assert made.rules is Rule.SOLVABLE
    assert made.combinations == 18
    assert made.parameters(0) == {"x": 0.2, "other_x": 0.2, "apart": True}
    assert made.parameters(17) == {"x": 0.8, "other_x": 0.8, "apart": False}


def test_candidates_leave_out_what_is_skipped_and_what_overlaps() -> None:
    places = [(c.parameters["x"], c.parameters["other_x"]) for c in candidates(two_balls_in_the_air)]
    apart = [(0.2, 0.5), (0.2, 0.8), (0.5, 0.8)]
    assert sorted(places) == sorted(2 * apart + [(other, x) for x, other in apart])
    assert places != sorted(places)


def test_distance_counts_places_in_the_domain() -> None:
    here = {"x": 0.2, "other_x": 0.5, "apart": True}
    assert two_balls_in_the_air.distance(here, here) == 0
    assert two_balls_in_the_air.distance(here, {"x": 0.8, "other_x": 0.8, "apart": True}) == 1.5
    assert two_balls_in_the_air.distance(here, {"x": 0.2, "other_x": 0.5, "apart": False}) == 1.0


def test_spaced_values_include_both_ends() -> None:
    assert spaced(4, 0.2, 0.5) == (0.2, 0.3, 0.4, 0.5)


def test_there_are_25_templates_of_each_tier() -> None:
    assert [t.id for t in templates_of(BALL)] == [f"{i:05}" for i in range(25)]
    assert [t.id for t in templates_of(TWO_BALLS)] == [f"{i:05}" for i in range(100, 125)]
    assert len({t.name for t in all_templates()}) == len({t.description for t in all_templates()}) == 50


def test_selection_rules_are_those_of_the_benchmark() -> None:
    counts = {
        tier.name: [sum(rule in t.rules for t in templates_of(tier)) for rule in Rule] for tier in (BALL, TWO_BALLS)
    }
    assert list(Rule) == [Rule.SOLVABLE, Rule.NOT_TRIVIAL, Rule.NEEDS_TWO_BALLS, Rule.DIVERSE]
    assert counts == {"ball": [23, 18, 0, 20], "two_balls": [17, 4, 7, 9]}


@pytest.mark.parametrize("template_id", ["00003", "00013", "00019", "00118"])
def test_a_task_is_built_again_from_json(template_id: str) -> None:
    first = list(islice(candidates(find_template(template_id)), 5))
    assert first == list(islice(candidates(find_template(template_id)), 5))
    assert len({c.scene for c in first}) == 5
    for candidate in first:
        again = rebuilt(template_id, json.loads(json.dumps(dict(candidate.parameters))))
        assert again.scene == candidate.scene


def test_mistakes_are_explained() -> None:
    with pytest.raises(ConfigError, match=r"id of a PHYRE template \(got '0002'\); did you mean"):
        find_template("0002")
    with pytest.raises(ConfigError, match=r"values of length, left, bottom for template 00002 \(got length\)"):
        rebuilt("00002", {"length": 0.1})
    with pytest.raises(ConfigError, match="parameters that make a scene of template 00002"):
        rebuilt("00002", {"length": 0.7, "left": 1.0, "bottom": 0.3})

"""Templates, their variations, and the files of Science Birds."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.puzzles.phyq.level_xml import level_text, parse_level, read_level, write_level
from comphy.puzzles.phyq.templates.published import Template, find_template, load_templates
from comphy.puzzles.phyq.templates.variation import CLEARANCE, DISTRACTORS, REACH, vary
from comphy.puzzles.phyq.world.catalog import BLOCKS, Bird
from comphy.puzzles.phyq.world.constants import GROUND, RELEASE
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Block, Pig, Platform, corners
from tests.support.ballistics import position_after

TEMPLATES = tuple(load_templates().values())
each_template = pytest.mark.parametrize("template", TEMPLATES, ids=[template.id for template in TEMPLATES])


def test_the_templates_are_those_of_the_paper() -> None:
    per_scenario = Counter(template.scenario for template in TEMPLATES)
    assert [per_scenario[scenario] for scenario in range(1, 16)] == [5, 5, 6, 5, 5, 6, 5, 4, 4, 4, 5, 6, 5, 2, 8]
    assert Counter(template.split for template in TEMPLATES) == {"train": 41, "test": 34}
    assert len({template.level_name for template in TEMPLATES}) == 75
    assert find_template("8.2").scenario_name == "relative height"
    assert {bird for template in TEMPLATES if template.scenario < 15 for bird in template.level.birds} == {Bird.RED}
    with pytest.raises(ConfigError, match=r"Expected a template of Phy-Q \(got '1.9'\)"):
        find_template("1.9")


@pytest.mark.slow
def test_flights_reach_as_far_as_the_published_line() -> None:
    flights = [[position_after(Shot.at(degrees), t) for t in np.linspace(0.5, 6, 2000)] for degrees in range(30, 88)]
    for x, y in REACH:
        highest = max(np.interp(x, *zip(*flight, strict=True)) for flight in flights if flight[-1][0] > x)
        assert highest == pytest.approx(y, abs=0.15)


@pytest.mark.parametrize("target", [(-5.0, 0.0), (3.0, -3.3), (0.0, 3.5), (8.0, -3.0)])
def test_two_shots_fly_through_a_point_in_reach_and_none_beyond(target: tuple[float, float]) -> None:
    flat, high = aimed_at(target)
    assert flat.degrees < high.degrees
    for shot in (flat, high):
        seconds = (target[0] - shot.start[0]) / shot.velocity[0]
        assert position_after(shot, seconds) == pytest.approx(target, abs=1e-6)
    assert aimed_at((target[0], 9.0)) == [] and aimed_at((12.0, target[1])) == [] and aimed_at((-15.0, 0.0)) == []


def test_a_pull_is_at_most_the_full_stretch_and_must_be_of_numbers() -> None:
    assert Shot(-30.0, -40.0).velocity == pytest.approx((6.0, 8.0))
    assert Shot(-0.3, -0.4).velocity == pytest.approx((3.0, 4.0))
    assert Shot(0.0, 0.0).velocity == (0.0, 0.0) and Shot(0.0, 0.0).start == RELEASE
    with pytest.raises(ValueError, match="Expected numbers in a shot"):
        Shot(float("nan"), 0.0)
    with pytest.raises(ValueError, match="Expected times after the launch"):
        Shot(-1.0, 0.0, tap=-1.0)


@each_template
def test_a_variation_moves_the_assembly_as_one_and_puts_distractors_beside_it(template: Template) -> None:
    old = template.level.things
    for seed in range(5):
        new = vary(template, np.random.default_rng(seed)).things
        assert vary(template, np.random.default_rng(seed)).things == new
        shifts = {(round(b.x - a.x, 6), round(b.y - a.y, 6)) for a, b in zip(old, new, strict=False)}
        assert len(shifts - {(0.0, 0.0)}) == (template.scenario != 14), "as one, if at all"
        if template.id not in ("1.4", "2.4"):
            assert len(shifts) == 1
        distractors = new[len(old) :]
        assert len(distractors) <= DISTRACTORS
        for thing in distractors:
            assert isinstance(thing, Block | Platform)
            height = BLOCKS[thing.kind].picture[1] if isinstance(thing, Block) else thing.height
            assert thing.y == pytest.approx(GROUND + height / 2, abs=1e-4)
            for other in new[: len(old)]:
                xs, ys = zip(*corners(other), strict=True)
                assert min(ys) > -2.5 or not min(xs) - CLEARANCE < thing.x < max(xs) + CLEARANCE


def test_variations_differ() -> None:
    levels = {vary(find_template("1.5"), np.random.default_rng(seed)) for seed in range(20)}
    assert len(levels) == 20


@each_template
def test_a_level_is_written_and_read(template: Template, tmp_path: Path) -> None:
    write_level(tmp_path / "level.xml", template.level)
    read = read_level(tmp_path / "level.xml")
    assert read.birds == template.level.birds
    for old, new in zip(template.level.things, read.things, strict=True):
        assert type(old) is type(new) and getattr(old, "kind", None) == getattr(new, "kind", None)
        for one, other in zip(corners(old), corners(new), strict=True):
            assert one == pytest.approx(other, abs=1e-4)


def test_published_quirks_are_read() -> None:
    text = level_text(find_template("15.1").level).replace("utf-8", "utf-16").replace('scaleX="', 'scaleX="-')
    level = parse_level(text, "a level")
    assert all(thing.width > 0 for thing in level.things if isinstance(thing, Platform))
    assert level.birds == (Bird.YELLOW,) and sum(isinstance(thing, Pig) for thing in level.things) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("BirdRed", "BirdReb"), r"expected a bird \(got 'BirdReb'\); did you mean 'red'"),
        (("BasicSmall", "BasicTiny"), r"expected a known object \(got 'BasicTiny'\)"),
        (('material="wood"', 'material="lead"'), r"expected a known object \(got 'lead'\)"),
        (('x="-0.85426"', 'x="left"'), r"expected a finite number as x of <Pig> \(got 'left'\)"),
        (('x="-0.85426"', 'x="nan"'), r"expected a finite number as x of <Pig> \(got 'nan'\)"),
        (('x="-0.85426"', 'x="1e400"'), r"expected a finite number as x of <Pig> \(got '1e400'\)"),
        (('x="-0.85426"', 'x="18"'), r"BasicSmall at \(18.00, .*\) is outside the world"),
        (('<Slingshot x="-12.0"', '<Slingshot x="-9"'), "expected the slingshot at .* where all levels have it"),
        (("<Pig", "<Fox"), r"expected Block, Pig, TNT or Platform among the objects \(got 'Fox'\)"),
        (("</GameObjects>", ""), "expected a level of Science Birds in XML"),
        (("GameObjects", "Objects"), "expected <Level> with <Birds> and <GameObjects>"),
    ],
)
def test_a_wrong_file_is_explained(wrong: tuple[str, str], message: str) -> None:
    text = level_text(find_template("1.1").level)
    assert wrong[0] in text
    with pytest.raises(DatasetError, match="here.xml: " + message):
        parse_level(text.replace(*wrong), "here.xml")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none.xml: expected a level of Science Birds"):
        read_level(tmp_path / "none.xml")


def test_changed_templates_differ_in_the_material_of_blocks_and_say_why() -> None:
    changed = {name: template for name, template in load_templates().items() if template.level != template.published}
    blocks = {"8.2": 1, "8.3": 1, "12.1": 3, "13.2": 1, "13.4": 1}
    assert set(changed) == set(blocks) == {name for name, template in load_templates().items() if template.changed}
    for name, template in changed.items():
        assert template.level.birds == template.published.birds
        pairs = zip(template.level.things, template.published.things, strict=True)
        others = [(now, before) for now, before in pairs if now != before]
        assert len(others) == blocks[name]
        for now, before in others:
            assert isinstance(now, Block) and isinstance(before, Block)
            assert now == replace(before, material=now.material), "in the same place, of the same kind"
